//! What all engines promise.

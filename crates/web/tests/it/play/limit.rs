//! What a table costs at most.

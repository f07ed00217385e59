//! The players, held against what they promise.

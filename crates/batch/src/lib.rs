//! Work that is cut into units, and the store in which their results merge.
#![forbid(unsafe_code)]

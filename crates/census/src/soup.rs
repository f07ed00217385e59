//! Soups from strings: the hash soups of apgsearch and Catagolue, in every symmetry.

use std::fmt;

/// How the cells of a soup are made of its seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoupSymmetry(String);

impl fmt::Display for SoupSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A soup's name as Catagolue writes it: `C1/n_GcpqZ62YqD3310086454`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoupName {
    /// The symmetry.
    pub symmetry: SoupSymmetry,
    /// The seed string: root and index.
    pub seed: String,
}

//! Soups that are given as a text, one RLE after the other, in place of seeds. apgsearch reads such
//! texts for symmetries whose name has `stdin` in it; own method.

use pattern::{Cells, Pattern};
use sha2::{Digest, Sha256};
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// Soups that were read from a text.
///
/// ```
/// use census::GivenSoups;
///
/// let given: GivenSoups = "x = 3, y = 1\n3o!\n\n#C a glider\nbo$2bo$\n3o!\n".parse()?;
/// let sizes: Vec<_> = given.soups.iter().map(|soup| soup.population()).collect();
/// assert_eq!(sizes, [3_u8.into(), 5_u8.into()]);
/// assert!("3o!\nbo$2bo".parse::<GivenSoups>().is_err());
/// # Ok::<(), census::GivenSoupsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GivenSoups {
    /// The cells of each.
    pub soups: Arc<[Cells]>,
    /// 16 hexadecimal digits that stand for the text: other soups have others.
    pub mark: String,
}

/// A text is not a list of soups.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("soup {soup}, from line {line} on: {problem}")]
pub struct GivenSoupsError {
    /// Which soup, from 0 on.
    pub soup: usize,
    /// Its first line, from 1 on.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

impl FromStr for GivenSoups {
    type Err = GivenSoupsError;

    /// Rules that headers name are not looked at.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut soups = Vec::new();
        let (mut first, mut one) = (0, String::new());
        for (line, words) in (1..).zip(text.lines()) {
            if words.trim().is_empty() || words.starts_with('#') {
                continue;
            }
            if one.is_empty() {
                first = line;
            }
            one += words;
            one.push('\n');
            if words.contains('!') {
                let pattern = Pattern::from_text(&one);
                let pattern = pattern.map_err(|error| GivenSoupsError {
                    soup: soups.len(),
                    line: first,
                    problem: error.to_string(),
                })?;
                soups.push(pattern.cells);
                one.clear();
            }
        }
        if !one.is_empty() || soups.is_empty() {
            return Err(GivenSoupsError {
                soup: soups.len(),
                line: first.max(1),
                problem: "an RLE with a ! at its end is missing".into(),
            });
        }
        let digest = Sha256::digest(text);
        let mark = digest[..8].iter().map(|byte| format!("{byte:02x}"));
        Ok(Self {
            soups: soups.into(),
            mark: mark.collect(),
        })
    }
}

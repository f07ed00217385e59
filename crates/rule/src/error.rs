use thiserror::Error;

/// Why a rule's text was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message} at offset {offset} of `{text}`")]
pub struct RuleError {
    /// The text as given.
    pub text: String,
    /// Where in it, in bytes.
    pub offset: usize,
    /// What was wrong, and what was expected.
    pub message: String,
    /// What to try instead: a name that is spelt alike, say.
    pub hint: Option<String>,
}

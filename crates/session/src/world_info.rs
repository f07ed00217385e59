//! What is known of a pattern beside its cells.

use pattern::Format;

/// A pattern's description and origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldInfo {
    /// The displayed name of a pattern without a name.
    pub(crate) label: String,
    pub(crate) name: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) comments: Vec<String>,
    /// The `@RULE` block that came with the pattern.
    pub(crate) rule_block: Option<String>,
    /// The file that was last opened or saved, with its format.
    pub(crate) file: Option<(String, Format)>,
}

impl WorldInfo {
    /// What it is called: its name, or its file's.
    pub(crate) fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.label)
    }
}

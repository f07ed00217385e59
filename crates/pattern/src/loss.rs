use std::fmt;

/// A part of a pattern that a format cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FormatLoss {
    /// Cells in states that it has no sign for.
    States,
    /// Cells beyond the coordinates that it can represent.
    Extent,
    /// The rule, or its topology.
    Rule,
    /// An appended `@RULE` block.
    RuleBlock,
    /// Where the cells lie; read back, their top-left corner is at (0, 0).
    Position,
    /// The generation.
    Generation,
    /// The pattern's name.
    Name,
    /// Its author.
    Author,
    /// Comment lines.
    Comments,
}

impl FormatLoss {
    /// Whether cells would be lost or changed; such a pattern is not written.
    ///
    /// ```
    /// use pattern::FormatLoss;
    ///
    /// assert!(FormatLoss::States.is_of_cells()); // such a pattern is not written
    /// assert!(!FormatLoss::Comments.is_of_cells()); // and this one without them
    /// ```
    #[must_use]
    pub fn is_of_cells(self) -> bool {
        matches!(self, Self::States | Self::Extent)
    }
}

impl fmt::Display for FormatLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::States => "it has no sign for some of the states",
            Self::Extent => "some cells lie too far out",
            Self::Rule => "the rule",
            Self::RuleBlock => "the appended @RULE block",
            Self::Position => "the position",
            Self::Generation => "the generation",
            Self::Name => "the name",
            Self::Author => "the author",
            Self::Comments => "the comments",
        })
    }
}

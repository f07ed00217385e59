//! What the colour of a live cell says. Own method.
//!
//! Cells bear marks from 64 to 127, see [`crate::Content::Cells`]; which colours these have
//! depends on the choice.

use crate::{Palette, palette};

/// What the colour of a live cell says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CellColouring {
    /// Its state.
    #[default]
    State,
    /// For how many generations it has lived: marks from 64, newborn, to 127.
    Age,
    /// How often it changes in a period: mark 64 for never, 127 for the cells that change most.
    Heat,
    /// After how many generations it repeats: a mark for each period, from 64 for never changing.
    Period,
}

impl CellColouring {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::State, Self::Age, Self::Heat, Self::Period];

    /// What a person types.
    ///
    /// ```
    /// assert_eq!(render::CellColouring::ALL.map(|each| each.name()), ["state", "age", "heat", "period"]);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Age => "age",
            Self::Heat => "heat",
            Self::Period => "period",
        }
    }

    /// The one of that name.
    ///
    /// ```
    /// use render::CellColouring;
    ///
    /// assert_eq!(CellColouring::find("heat"), Some(CellColouring::Heat));
    /// assert_eq!(CellColouring::find("weight"), None);
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|each| each.name() == name)
    }

    /// Whether it needs to be known how cells repeat.
    #[must_use]
    pub const fn needs_periods(self) -> bool {
        matches!(self, Self::Heat | Self::Period)
    }
}

impl Palette {
    /// The same, with the colours that marks from 64 on have by a choice of colouring.
    ///
    /// ```
    /// use render::{CellColouring, Palette, Theme};
    ///
    /// let theme = Theme::PAPER;
    /// let palette = Palette::of(&"Life".parse()?, &theme).coloured_by(CellColouring::Heat);
    /// assert_eq!((palette.ages[1], palette.ages[63]), (theme.blue, theme.red));
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn coloured_by(mut self, colouring: CellColouring) -> Self {
        let theme = self.theme;
        match colouring {
            CellColouring::State | CellColouring::Age => {}
            CellColouring::Heat => {
                self.ages = std::array::from_fn(|heat| match heat {
                    0 => theme.dying,
                    _ => theme.blue.mix(theme.red, (heat - 1) as f32 / 62.0),
                });
            }
            CellColouring::Period => {
                // ink mixed with ink is ink once more
                let mut seen = Vec::new();
                self.ages = std::array::from_fn(|_| {
                    let mut colours = (0..).map(|index| palette::distinct_at(&theme, index));
                    let next = colours.find(|colour| !seen.contains(colour));
                    seen.extend(next);
                    next.unwrap_or(theme.ink)
                });
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theme;
    use std::collections::BTreeSet;

    /// Colours of heat are seen on the sheet, those of the first periods are told apart.
    #[test]
    fn colours_are_seen_on_every_sheet() {
        for theme in Theme::ALL {
            let palette = Palette::of(&"Life".parse().unwrap(), &theme);
            let heat = palette.clone().coloured_by(CellColouring::Heat).ages;
            for (mark, colour) in heat.iter().enumerate() {
                let contrast = colour.contrast(theme.sheet);
                assert!(contrast >= 3.0, "{} {mark}: {contrast}", theme.name);
            }
            let periods = palette.coloured_by(CellColouring::Period).ages;
            let apart: BTreeSet<_> = periods.iter().collect();
            assert_eq!(apart.len(), 64, "{}", theme.name);
        }
    }
}

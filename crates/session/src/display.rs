//! Display settings.

use crate::trails::ShownTrails;
use grid::State;
use render::{CellColouring, Palette, PictureStyle, Rgb, Theme};
use rule::Rule;
use std::collections::BTreeMap;

/// How the cells are displayed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DisplaySettings {
    /// `None` leaves the choice of light or dark to the user interface.
    pub(crate) theme: Option<Theme>,
    pub(crate) colours: BTreeMap<State, Rgb>,
    pub(crate) grid: bool,
    pub(crate) major: u32,
    pub(crate) rulers: bool,
    pub(crate) icons: bool,
    pub(crate) dying: bool,
    pub(crate) colouring: CellColouring,
    pub(crate) history: bool,
}

impl Default for DisplaySettings {
    fn default() -> Self {
        Self {
            theme: None,
            colours: BTreeMap::new(),
            grid: true,
            major: 10,
            rulers: false,
            icons: true,
            dying: false,
            colouring: CellColouring::State,
            history: false,
        }
    }
}

impl DisplaySettings {
    pub(crate) fn theme(&self, is_dark: bool) -> Theme {
        self.theme.unwrap_or(match is_dark {
            true => Theme::BLUEPRINT,
            false => Theme::PAPER,
        })
    }

    pub(crate) fn palette(&self, rule: &Rule, theme: &Theme) -> Palette {
        let palette = Palette::of(rule, theme);
        let with = |palette: Palette, (state, colour): (&State, &Rgb)| {
            palette.with_colour(*state, *colour)
        };
        let palette = self.colours.iter().fold(palette, with);
        palette.coloured_by(self.colouring)
    }

    pub(crate) fn shown_trails(&self) -> ShownTrails {
        ShownTrails {
            ages: self.is_by_age(),
            trails: self.history,
        }
    }

    pub(crate) fn is_by_age(&self) -> bool {
        self.colouring == CellColouring::Age
    }

    pub(crate) fn style(&self) -> PictureStyle {
        PictureStyle {
            grid: self.grid,
            major: self.major,
            ..PictureStyle::default()
        }
    }
}

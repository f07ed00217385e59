//! Messages of a laser page: one JSON object each, with one field.

use laser::generator::{Grade, LevelRecipe, Pieces};
use serde::{Deserialize, Serialize};

/// A message.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LaserMessage {
    /// Play this, from its start or from where it stood.
    Play(LaserLevelRequest),
    /// A command, as [`laser::play::LaserCommand`] reads it.
    Do(String),
    /// What light a move would give, if it were made.
    Preview { from: [u32; 2], to: [u32; 2] },
    /// What the editor has drawn, as a level's file; the answers bear its number.
    Draft { id: u64, text: String },
    /// Make a level.
    Generate(LaserRecipeRequest),
    /// Make none after all.
    Cancel(bool),
}

/// A level to be played.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LaserLevelRequest {
    /// The name of a built-in one.
    pub(super) level: Option<String>,
    /// Or a level's text, under a name that is only shown.
    pub(super) text: Option<String>,
    pub(super) name: Option<String>,
    /// The moves made before, and those that were taken back, the next one to be made again
    /// last: `3,4 5,6`.
    pub(super) made: Vec<String>,
    pub(super) taken_back: Vec<String>,
}

/// A level to be made: as [`laser::generator::LevelRecipe`], pieces and difficulty in words. All
/// of the difficulties will do where there is none.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaserRecipeRequest {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pieces: String,
    pub(super) walls: u32,
    pub(super) seed: u64,
    pub(super) difficulty: Option<String>,
}

impl LaserRecipeRequest {
    /// What it means.
    ///
    /// # Errors
    /// Nothing that can be made.
    pub(super) fn recipe(&self) -> Result<LevelRecipe, String> {
        let difficulty = match self.difficulty.as_deref() {
            None | Some("") => None,
            Some(grade) => Some(grade.parse::<Grade>().map_err(|error| error.to_string())?),
        };
        let recipe = LevelRecipe {
            width: self.width,
            height: self.height,
            pieces: self
                .pieces
                .parse::<Pieces>()
                .map_err(|error| error.to_string())?,
            walls: self.walls,
            seed: self.seed,
            difficulty,
        };
        recipe.check().map_err(|error| error.to_string())?;
        Ok(recipe)
    }
}

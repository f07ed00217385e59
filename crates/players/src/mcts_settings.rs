//! The settings of Monte Carlo tree searches.

use crate::{PlayerError, PlayerLimits, PlayerSpec};

/// The default time for a move.
const DEFAULT_MILLISECONDS: u64 = 50;

/// The settings of the search.
///
/// ```
/// use games::mnk::Mnk;
/// use players::{Mcts, Player as _, PlayerLimits};
///
/// let limits = PlayerLimits { nodes: Some(500), ..PlayerLimits::default() };
/// let player = Mcts::new(&Mnk::TICTACTOE, Mcts::default_settings(&Mnk::TICTACTOE, limits));
/// assert_eq!(player.name(), "mcts:playouts=500");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MctsSettings {
    /// When to stop; [`PlayerLimits::nodes`] counts playouts.
    pub limits: PlayerLimits,
    /// The exploration constant: the factor of the square root in the upper bound, for scores
    /// from 0 to 1.
    pub explore: f64,
    /// The number of turns after which a playout is cut off and scored by its lead; `None`
    /// plays every game to its end.
    pub cutoff: Option<u32>,
}

impl MctsSettings {
    /// Takes `ms`, `playouts`, `cutoff` and the exploration, under the player's name for it,
    /// out of a player's options.
    ///
    /// # Errors
    /// A value is out of its range.
    pub(crate) fn read(
        spec: &mut PlayerSpec<'_>,
        default: &Self,
        explore: &str,
    ) -> Result<Self, PlayerError> {
        let default_limits = PlayerLimits::of_time(DEFAULT_MILLISECONDS, spec.clock());
        let limits = PlayerLimits::read(spec, default_limits)?;
        let drawn = spec.decimal(explore)?.unwrap_or(default.explore);
        let cutoff = match spec.value("cutoff") {
            None => default.cutoff,
            Some("off") => None,
            Some(text) => match text.parse() {
                Ok(turns) if turns > 0 => Some(turns),
                _ => {
                    let problem = "give a number of turns above 0, or off";
                    return Err(spec.wrong(&format!("cutoff={text}"), problem));
                }
            },
        };
        Ok(Self {
            limits,
            explore: drawn,
            cutoff,
        })
    }

    /// The options as text; those equal to `default` are left out, but never the limits.
    pub(crate) fn text(&self, default: &Self, explore: &str) -> String {
        let mut text = self.limits.text("playouts");
        if self.explore != default.explore {
            text += &format!(",{explore}={}", self.explore);
        }
        match self.cutoff {
            cutoff if cutoff == default.cutoff => {}
            None => text += ",cutoff=off",
            Some(turns) => text += &format!(",cutoff={turns}"),
        }
        text
    }
}

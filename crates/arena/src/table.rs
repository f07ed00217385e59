//! Tables with players of either kind.

use crate::{Entrant, EntrantError, MatchConditions, open_side};
use games::{AnyGame, with_game};
use matches::{Table, new_table};
use players::Clock;

/// Opens a table with two players, or people (`None`). Bots' stderr is dropped.
///
/// # Errors
/// One of the players does not exist or cannot play this game.
///
/// ```
/// use games::Seat;
///
/// let players = [None, Some(&"perfect".parse()?)];
/// let mut table = arena::open_table("tictactoe".parse()?, players, &Default::default(), 1)?;
/// table.play(Seat::First, "b2")?;
/// let advice = table.think(Seat::Second, &mut || true)?;
/// assert_eq!(table.history(), ["B2", advice.choice.as_str()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_table(
    game: AnyGame,
    players: [Option<&Entrant>; 2],
    conditions: &MatchConditions,
    seed: u64,
) -> Result<Box<dyn Table>, EntrantError> {
    with_game!(game, |game| {
        let side = |entrant| open_side(&game, entrant, conditions);
        let [first, second] = players.map(|entrant| entrant.map(side).transpose());
        let sides = [first?, second?];
        Ok(new_table(game, sides, Clock::system(), seed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Seat, Turn};

    #[test]
    fn a_missing_bot_is_a_fault_at_its_first_move() {
        let entrants = ["random", "cmd:./nowhere"].map(|text| text.parse::<Entrant>().unwrap());
        let game: AnyGame = "tictactoe".parse().unwrap();
        let players = entrants.each_ref().map(Some);
        let mut table = open_table(game, players, &MatchConditions::default(), 1).unwrap();
        assert_eq!(table.player(Seat::First).as_deref(), Some("random"));
        table.think(Seat::First, &mut || true).unwrap();
        let error = table.think(Seat::Second, &mut || true).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("cmd:./nowhere: did not start"),
            "{error}"
        );
        assert_eq!(table.turn(), Turn::One(Seat::Second));
    }
}

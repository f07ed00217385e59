//! Lists of games without their moves.

use super::columns::{outcome, player_id, player_number};
use super::{Store, StoreError};
use games::Outcome;

/// One row of a list of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGameSummary {
    /// Its number in the store.
    pub id: i64,
    /// The numbers of those in the first and the second seat.
    pub players: [usize; 2],
    /// The number of its pair among theirs, and which of the two it is: 0 or 1.
    pub game: (u64, u8),
    /// Who won.
    pub outcome: Outcome,
    /// One word: [`matches::Ending::kind`].
    pub ending: String,
    /// How many turns were played after the opening.
    pub turns: u64,
}

/// A filter for listed games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredGameFilter {
    /// Only those of this player.
    pub player: Option<usize>,
    /// And of this one.
    pub against: Option<usize>,
    /// Only those with a lower number.
    pub before: Option<i64>,
}

impl Store {
    /// Lists at most `most` games, the latest first.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// use tournament::store::StoredGameFilter;
    ///
    /// let latest = store.summaries(&StoredGameFilter::default(), 1)?;
    /// assert_eq!(latest[0].game, (0, 1), "the second game of the first pair");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn summaries(
        &self,
        filter: &StoredGameFilter,
        most: usize,
    ) -> Result<Vec<StoredGameSummary>, StoreError> {
        let mut sql = String::from(
            "SELECT g.id, p.first, p.second, p.number, g.leg, g.outcome, g.ending, g.turns
             FROM games g JOIN pairs p ON p.id = g.pair WHERE 1",
        );
        // numbers, so that nothing of a visitor's gets into the question
        for player in [filter.player, filter.against].into_iter().flatten() {
            sql += &format!(" AND {} IN (p.first, p.second)", player_id(player));
        }
        if let Some(before) = filter.before {
            sql += &format!(" AND g.id < {before}");
        }
        sql += &format!(" ORDER BY g.id DESC LIMIT {most}");
        self.rows(&sql, |row| {
            let leg = u8::from(row.get::<_, i64>(4)? == 1);
            let mut players = [player_number(row, 1)?, player_number(row, 2)?];
            if leg == 1 {
                players.reverse();
            }
            Ok(StoredGameSummary {
                id: row.get(0)?,
                players,
                game: (row.get::<_, i64>(3)? as u64, leg),
                outcome: outcome(row, 5)?.unwrap_or(Outcome::Draw),
                ending: row.get(6)?,
                turns: row.get::<_, i64>(7)? as u64,
            })
        })
    }
}

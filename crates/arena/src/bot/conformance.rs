//! Whether a bot keeps its protocol, told its author step by step.
//!
//! [`check`] starts the bot as an arena would and plays with it: whole games in both seats
//! against chance, and what does not come up in most games: little mana, other boards, an
//! opening, commands that nobody knows. It goes on where an arena would not, after an answer
//! that came late or a line too many, so that one run tells all that is wrong.

mod bot_under_test;
mod script;
mod step;

pub use step::{CheckStep, Finding, FindingSeverity};

use super::{BotGame, BotSpec, BotSpecError, Protocol};
use crate::MatchConditions;
use games::{AnyGame, with_game};
use std::collections::HashSet;
use std::time::Duration;

/// Checks a bot, tells of each step, and gives the worst that was found.
///
/// # Errors
/// The game's bots do not speak the bot's protocol.
pub fn check(
    game: &AnyGame,
    bot: &BotSpec,
    conditions: &MatchConditions,
    told: &mut dyn FnMut(&CheckStep),
) -> Result<FindingSeverity, BotSpecError> {
    let protocol = with_game!(game, |game| protocol(game, bot, conditions))?;
    let mut examination = Examination {
        bot,
        conditions,
        protocol,
        told,
        noted: HashSet::new(),
        worst: FindingSeverity::Ok,
        most: FindingSeverity::Wrong,
        patience: LEAVING,
        answers: Vec::new(),
    };
    examination.run(game);
    Ok(examination.worst)
}

/// What the bot speaks.
fn protocol<G: BotGame>(
    game: &G,
    bot: &BotSpec,
    conditions: &MatchConditions,
) -> Result<Protocol, BotSpecError> {
    // its process would start with its first game, so nothing has happened yet
    drop(bot.open(game, conditions)?);
    Ok(bot.protocol.unwrap_or(G::PROTOCOLS[0]))
}

/// A check that is under way.
struct Examination<'a> {
    bot: &'a BotSpec,
    conditions: &'a MatchConditions,
    protocol: Protocol,
    told: &'a mut dyn FnMut(&CheckStep),
    /// Remarks that were made: once is enough.
    noted: HashSet<String>,
    worst: FindingSeverity,
    /// The worst that can be found just now: what goes beyond the game that was asked about
    /// makes no bot wrong.
    most: FindingSeverity,
    /// How long a process may take to end when nothing more is said. Less each time that it
    /// does not.
    patience: Duration,
    /// What the bot has answered, since somebody wanted to know.
    answers: Vec<String>,
}

/// How long it may take at first.
const LEAVING: Duration = Duration::from_secs(1);

impl Examination<'_> {
    /// Tells of a step.
    fn tell(&mut self, mut step: CheckStep) {
        for finding in &mut step.findings {
            finding.verdict = finding.verdict.min(self.most);
        }
        let noted = &mut self.noted;
        step.findings.retain(|finding| {
            finding.verdict > FindingSeverity::Ok || noted.insert(finding.words.clone())
        });
        self.worst = self.worst.max(step.verdict());
        (self.told)(&step);
    }
}

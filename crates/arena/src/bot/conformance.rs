//! Conformance check: whether a bot keeps its protocol, reported step by step.
//!
//! [`check`] starts the bot as an arena would and plays with it: whole games in both seats
//! against random play, and rare cases: little mana, other boards, an opening, unknown
//! commands. Unlike an arena it continues after a late answer or an extra line, so that one run
//! reports all problems.

mod bot_under_test;
mod script;
mod step;

pub use step::{CheckStep, Finding, FindingSeverity};

use super::{BotGame, BotSpec, BotSpecError, Protocol};
use crate::MatchConditions;
use games::{AnyGame, with_game};
use std::collections::HashSet;
use std::time::Duration;

/// Checks a bot, passes each step to `on_step`, and returns the worst severity found.
///
/// # Errors
/// The game's bots do not speak the bot's protocol.
///
/// ```no_run
/// use arena::bot::{FindingSeverity, check};
///
/// let (game, bot) = ("tictactoe".parse()?, "cmd:./my-bot".parse()?);
/// let worst = check(&game, &bot, &arena::MatchConditions::default(), &mut |step| {
///     for finding in &step.findings {
///         println!("{}: {}", step.title, finding.message);
///     }
/// })?;
/// assert_eq!(worst, FindingSeverity::Ok);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    game: &AnyGame,
    bot: &BotSpec,
    conditions: &MatchConditions,
    on_step: &mut dyn FnMut(&CheckStep),
) -> Result<FindingSeverity, BotSpecError> {
    let protocol = with_game!(game, |game| protocol(game, bot, conditions))?;
    let mut check_run = ConformanceCheck {
        bot,
        conditions,
        protocol,
        on_step,
        reported_notes: HashSet::new(),
        worst: FindingSeverity::Ok,
        severity_cap: FindingSeverity::Wrong,
        exit_grace: EXIT_GRACE,
        answers: Vec::new(),
    };
    check_run.run(game);
    Ok(check_run.worst)
}

/// The bot's protocol.
fn protocol<G: BotGame>(
    game: &G,
    bot: &BotSpec,
    conditions: &MatchConditions,
) -> Result<Protocol, BotSpecError> {
    // the process starts only with the first game
    drop(bot.open(game, conditions)?);
    Ok(bot.protocol.unwrap_or(G::PROTOCOLS[0]))
}

/// A conformance check in progress.
struct ConformanceCheck<'a> {
    bot: &'a BotSpec,
    conditions: &'a MatchConditions,
    protocol: Protocol,
    on_step: &'a mut dyn FnMut(&CheckStep),
    /// Notes that were reported; each is reported once.
    reported_notes: HashSet<String>,
    worst: FindingSeverity,
    /// The maximum severity at present: what goes beyond the requested game makes no bot wrong.
    severity_cap: FindingSeverity,
    /// Time for a process to exit after its input is closed. Halved each time that it does not.
    exit_grace: Duration,
    /// The bot's answers, collected for comparison.
    answers: Vec<String>,
}

/// The first value of it.
const EXIT_GRACE: Duration = Duration::from_secs(1);

impl ConformanceCheck<'_> {
    /// Reports a step.
    fn report_step(&mut self, mut step: CheckStep) {
        for finding in &mut step.findings {
            finding.severity = finding.severity.min(self.severity_cap);
        }
        let reported_notes = &mut self.reported_notes;
        step.findings.retain(|finding| {
            finding.severity > FindingSeverity::Ok || reported_notes.insert(finding.message.clone())
        });
        self.worst = self.worst.max(step.severity());
        (self.on_step)(&step);
    }
}

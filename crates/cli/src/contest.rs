//! Options shared by commands with players: game and players, bots' time control and sandbox.

use crate::failure::{CliFailure, hint, note};
use arena::{Entrant, Match, MatchConditions, is_timed};
use cage::{Cage, CageMode};
use clap::Args;
use games::{AnyGame, Seat};
use matches::{Fault, Opening, Record, StopCondition, TimeControl};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// What games are called, for the end of a command's help.
pub(crate) const GAMES: &str = "\
GAME is tictactoe, mnk:5,5,4, stones, stones:adjacency=off, duel, duel:16x16, ...";

/// What players of this program are called.
pub(crate) const HOUSE: &str = "\
GAME is tictactoe, mnk:5,5,4, stones, stones:adjacency=off, duel, duel:16x16, ...\n\
PLAYER is random, material, alphabeta:depth=4, mcts:ms=50, strong:ms=50, ...";

/// What games and players are called, bots too.
pub(crate) const PLAYERS: &str = "\
GAME is tictactoe, mnk:5,5,4, stones, stones:adjacency=off, duel, duel:16x16, ...\n\
PLAYER is random, material, alphabeta:depth=4, mcts:ms=50, strong:ms=50, ..., or a program \
of your own: 'cmd:./my-bot --flag'";

/// Two players, and how they meet.
#[derive(Clone, Debug, Args)]
pub(crate) struct ContestArgs {
    /// The game
    #[arg(value_name = "GAME")]
    pub(crate) game: AnyGame,

    /// The one PLAYER
    #[arg(value_name = "A")]
    pub(crate) first: Entrant,

    /// The other PLAYER
    #[arg(value_name = "B")]
    pub(crate) second: Entrant,

    /// Where openings and the players' chance come from
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How many random turns a game begins with: a number or a range, A..B; without it, as
    /// the game needs them
    #[arg(long, value_name = "TURNS", value_parser = turns)]
    opening: Option<RangeInclusive<u32>>,

    /// End a game as soon as no move can change its result
    #[arg(long)]
    settled: bool,

    /// How many games run at the same time; players that think by the clock need a core
    /// each
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    #[command(flatten)]
    bots: BotConditionArgs,
}

impl ContestArgs {
    /// A match of `games` games.
    pub(crate) fn of(&self, games: u64) -> Result<Match, CliFailure> {
        let players = [self.first.clone(), self.second.clone()];
        let jobs = usize::from(self.jobs);
        let mut conditions = self.bots.conditions();
        conditions.cores = cores_for(jobs, &self.game, &players)?;
        programs_exist(&players, &conditions)?;
        if players.iter().any(Entrant::is_bot) {
            warn_uncaged(conditions.cage.mode);
        }
        let stop_condition = match self.settled {
            true => StopCondition::Settled,
            false => StopCondition::End,
        };
        Ok(Match {
            games,
            seed: self.seed,
            opening: self.opening.clone().map_or(Opening::OfGame, Opening::Turns),
            stop_condition,
            jobs,
            conditions,
            // of bots it is known only then what they did wrong
            is_recorded: players.iter().any(Entrant::is_bot),
            ..Match::new(self.game.clone(), players)
        })
    }
}

/// `4`, or `2..6`.
fn turns(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let ends = match text.split_once("..") {
        None => number(text).zip(number(text)),
        Some((least, most)) => number(least).zip(number(most.trim_start_matches('='))),
    };
    match ends {
        Some((least, most)) if least <= most => Ok(least..=most),
        _ => Err("give a number of turns, or the least and the most: 2..6".into()),
    }
}

/// How bots play.
#[derive(Clone, Debug, Args)]
pub(crate) struct BotConditionArgs {
    /// How long bots may think: milliseconds for the first move of a game and for each after
    /// it, 1000,50; without it, as the game has it
    #[arg(long = "pace", value_name = "FIRST,EACH")]
    pub(crate) time_control: Option<TimeControl>,

    /// What bots run in: strict (every layer or nothing), best (what this machine has), off
    #[arg(long, value_name = "CAGE", default_value = "best")]
    pub(crate) cage: CageMode,
}

impl BotConditionArgs {
    pub(crate) fn conditions(&self) -> MatchConditions {
        MatchConditions {
            time_control: self.time_control,
            cage: Cage {
                mode: self.cage,
                ..Cage::default()
            },
            ..MatchConditions::default()
        }
    }
}

/// Checks that each bot's program exists; a missing one would lose every game.
pub(crate) fn programs_exist<'a>(
    players: impl IntoIterator<Item = &'a Entrant>,
    conditions: &MatchConditions,
) -> Result<(), CliFailure> {
    for player in players {
        if let Some(program) = player.missing_program(conditions) {
            let program = program.display();
            let message = format!("{player}: there is no program {program}");
            return Err(CliFailure::wrong(message));
        }
    }
    Ok(())
}

/// Warns before the first game that bots without a sandbox may leave processes behind.
pub(crate) fn warn_uncaged(mode: CageMode) {
    if mode == CageMode::Off {
        note(
            "the cage is off: a bot may change all that you may, and leave files and running \
             programs behind",
        );
    }
}

/// The cores for `jobs` jobs: one each if a player has a time limit, else none in particular. A
/// single job is not pinned: any core may be busy with other programs.
pub(crate) fn cores_for(
    jobs: usize,
    game: &AnyGame,
    players: &[Entrant],
) -> Result<Vec<usize>, CliFailure> {
    if !players.iter().any(|player| is_timed(game, player)) {
        return Ok(Vec::new());
    }
    let cores = arena::cores();
    let most = cores.physical;
    if jobs > most {
        let message =
            format!("--jobs {jobs}: these players think by the clock, and the cores are {most}");
        let advice = format!("--jobs {most} gives each game a core of its own");
        return Err(CliFailure::wrong(message).with_hint(advice));
    }
    Ok(match jobs {
        1 => Vec::new(),
        _ => cores.all.into_iter().take(jobs).collect(),
    })
}

/// Maximum number of remarks printed during a match; further ones are counted and stored with
/// the games.
const MAX_REPORTED: usize = 5;
/// Maximum number of stderr lines shown with a bot's fault.
const MAX_LINES: usize = 3;

/// Prints remarks on bots as they occur: faults, notes, and missing sandbox layers.
#[derive(Debug, Default)]
pub(crate) struct BotRemarkLog {
    faults: usize,
    /// Remarks that were printed: a bot and what it did.
    reported: BTreeSet<(String, String)>,
}

impl BotRemarkLog {
    pub(crate) fn tell(&mut self, record: &Record) {
        for seat in Seat::BOTH {
            let (name, report) = (&record.players[seat.index()], &record.reports[seat.index()]);
            if let Some(fault) = record.ending.of(seat) {
                self.report_fault(record, seat, fault);
            }
            for text in &report.notes {
                self.report_once(name, text);
            }
            for (key, value) in &report.about {
                if key == "cage" && value.contains("without") {
                    self.report_once(name, &format!("its cage: {value}"));
                }
            }
        }
    }

    fn report_fault(&mut self, record: &Record, seat: Seat, fault: &Fault) {
        self.faults += 1;
        if self.faults > MAX_REPORTED {
            return;
        }
        let name = &record.players[seat.index()];
        let turn = record.turns.len() + 1;
        note(format_args!(
            "{name}, {seat} seat, opening {}, turn {turn}: {fault}",
            record.pair
        ));
        let stderr = &record.reports[seat.index()].stderr;
        let lines: Vec<_> = stderr.lines().collect();
        for line in &lines[lines.len().saturating_sub(MAX_LINES)..] {
            hint(format_args!("it said: {line}"));
        }
        if self.faults == MAX_REPORTED {
            note("more faults are counted, and not told here");
        }
    }

    fn report_once(&mut self, name: &str, text: &str) {
        let is_new = self.reported.len() < MAX_REPORTED * 2;
        if is_new && self.reported.insert((name.into(), text.into())) {
            note(format_args!("{name}: {text}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_a_number_or_a_range() {
        assert_eq!(turns("4"), Ok(4..=4));
        assert_eq!(turns("2..6"), Ok(2..=6));
        assert_eq!(turns("2..=6"), Ok(2..=6));
        for wrong in ["", "x", "6..2", "-1", "1..", ".."] {
            assert!(turns(wrong).is_err(), "{wrong}");
        }
    }
}

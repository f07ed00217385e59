//! What every command with players has in common: bots, their pace and their cage.

use crate::failure::{Failure, hint, note};
use arena::{Conditions, Entrant, Pace, Record};
use cage::{Cage, Mode};
use clap::Args;
use games::Seat;

/// What players are called, for the end of a command's help.
pub(crate) const PLAYERS: &str = "\
GAME is tictactoe, mnk:5,5,4, stones, stones:adjacency=off, duel, duel:16x16, ...\n\
PLAYER is random, material, alphabeta:depth=4, mcts:ms=50, strong:ms=50, ..., or a program \
of your own: 'cmd:./my-bot --flag'";

/// How bots play.
#[derive(Clone, Debug, Args)]
pub(crate) struct Bots {
    /// How long bots may think: milliseconds for the first move of a game and for each after
    /// it, 1000,50; without it, as the game has it
    #[arg(long, value_name = "FIRST,EACH")]
    pub(crate) pace: Option<Pace>,

    /// What bots run in: strict (every layer or nothing), best (what this machine has), off
    #[arg(long, value_name = "CAGE", default_value = "best")]
    pub(crate) cage: Mode,
}

impl Bots {
    pub(crate) fn conditions(&self) -> Conditions {
        Conditions {
            pace: self.pace,
            cage: Cage {
                mode: self.cage,
                ..Cage::default()
            },
            cores: Vec::new(),
        }
    }
}

/// The cores for so many jobs: as many as there are jobs where somebody thinks by the clock,
/// none in particular where nobody does.
pub(crate) fn cores_for(jobs: usize, players: &[Entrant]) -> Result<Vec<usize>, Failure> {
    if !players.iter().any(Entrant::is_timed) {
        return Ok(Vec::new());
    }
    let cores = arena::cores();
    if jobs > cores.len() {
        let message = format!(
            "--jobs {jobs}: these players think by the clock, and there are {} cores",
            cores.len()
        );
        let advice = format!("--jobs {} gives each game a core of its own", cores.len());
        return Err(Failure::wrong(message).with_hint(advice));
    }
    Ok(cores.into_iter().take(jobs).collect())
}

/// So many faults are told while a match runs; after that they are only counted.
const MOST_TOLD: u64 = 5;
/// So many lines of a bot's complaints are shown with its fault.
const MOST_LINES: usize = 3;

/// Tells of bots' faults as they happen.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    told: u64,
}

impl Faults {
    pub(crate) fn tell(&mut self, record: &Record) {
        for seat in Seat::BOTH {
            let Some(fault) = record.ending.of(seat) else {
                continue;
            };
            self.told += 1;
            if self.told > MOST_TOLD {
                continue;
            }
            let i = seat.index();
            let (name, turn) = (&record.players[i], record.turns.len() + 1);
            note(format_args!(
                "{name}, {seat} seat, opening {}, turn {turn}: {fault}",
                record.pair
            ));
            let complaints: Vec<_> = record.aftermath[i].complaints.lines().collect();
            let last = complaints.len().saturating_sub(MOST_LINES);
            complaints[last..].iter().for_each(hint_line);
            record.aftermath[i].notes.iter().for_each(hint);
            if self.told == MOST_TOLD {
                note("more faults are counted, and not told here");
            }
        }
    }
}

fn hint_line(line: &&str) {
    hint(format_args!("it said: {line}"));
}

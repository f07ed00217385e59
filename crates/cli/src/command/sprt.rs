//! `gridpaper sprt`: is one player stronger by so much? Played until the answer is sure
//! enough.

use crate::contest::{BotRemarkLog, ContestArgs, PLAYERS};
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::ProgressMeter;
use clap::Args;
use matches::{Sprt as Test, SprtState, SprtVerdict, Tally};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Test whether A is stronger than B, by pairs of games
///
/// A sequential test: it ends as soon as the games played so far speak clearly for one of
/// two claims, "A is stronger by elo0" (H0) or "by elo1" (H1). The exit code is 0 where H1 is
/// accepted, 1 where H0 is, or where neither was when all games had been played.
#[derive(Debug, Args)]
#[command(after_help = PLAYERS)]
pub(crate) struct SprtArgs {
    #[command(flatten)]
    contest: ContestArgs,

    /// The difference that H0 claims, on Elo's scale
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    elo0: f64,

    /// The difference that H1 claims; more than elo0
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    elo1: f64,

    /// How often H1 may be accepted where H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,

    /// How often H0 may be accepted where H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,

    /// Give up after so many games
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl SprtArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let test = Test::new(self.elo0, self.elo1, self.alpha, self.beta);
        let test = test.map_err(CliFailure::wrong)?;
        let contest = self.contest.of(self.games)?;
        let heed = InterruptGuard::new();
        let started = Instant::now();
        let mut progress = ProgressMeter::of(self.games.into(), "games ");
        let mut remarks = BotRemarkLog::default();
        let tally = contest.run(heed.flag(), &mut |tally, records| {
            records.iter().for_each(|record| remarks.tell(record));
            let state = test.state(&tally.pairs);
            let word = format_args!(", {state}");
            progress.reach_saying(&tally.games().into(), word);
            match state.verdict {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        progress.clear();
        let tally = tally.map_err(CliFailure::wrong)?;
        let state = test.state(&tally.pairs);
        self.print(&tally, &state, started.elapsed())?;
        match state.verdict {
            Some(SprtVerdict::H1) => Ok(()),
            Some(SprtVerdict::H0) => Err(no(format_args!(
                "{} is not stronger than {} by {}",
                self.contest.first, self.contest.second, self.elo1
            ))),
            None if heed.asked_to_stop() => Err(CliFailure::interrupted(format_args!(
                "stopped after {} games, not decided",
                tally.games()
            ))),
            None => Err(no(format_args!(
                "not decided after {} games",
                tally.games()
            ))),
        }
    }

    fn print(&self, tally: &Tally, state: &SprtState, elapsed: Duration) -> Result<(), CliFailure> {
        let (elo, score) = (tally.elo(), tally.score);
        if self.json {
            return output::line(self.json(tally, state, elapsed));
        }
        let faults = match tally.faults {
            [0, 0] => String::new(),
            [first, second] => format!("; by faults {first} lost, {second} won"),
        };
        output::line(format_args!(
            "{}: {} against {}, {} games: {} won, {} drawn, {} lost{faults}; pairs {:?}\n\
             H0: {} Elo, H1: {} Elo; {state}\n\
             Elo {elo} (95 %, as if the number of games had been fixed); {:.2} s",
            self.contest.game,
            self.contest.first,
            self.contest.second,
            tally.games(),
            score.wins,
            score.draws,
            score.losses,
            tally.pairs,
            self.elo0,
            self.elo1,
            elapsed.as_secs_f64(),
        ))
    }

    fn json(&self, tally: &Tally, state: &SprtState, elapsed: Duration) -> Value {
        json!({
            "game": self.contest.game.to_string(),
            "games": tally.games(),
            "seed": self.contest.seed,
            "first": self.contest.first.to_string(),
            "second": self.contest.second.to_string(),
            "first_wins": tally.score.wins,
            "second_wins": tally.score.losses,
            "draws": tally.score.draws,
            "pairs": tally.pairs,
            "first_faults": tally.faults[0],
            "second_faults": tally.faults[1],
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "llr": state.llr,
            "lower": state.lower,
            "upper": state.upper,
            "accepted": state.verdict.map(|verdict| verdict.to_string()),
            "elo": tally.elo().difference,
            "elo_error": tally.elo().error,
            "seconds": elapsed.as_secs_f64(),
        })
    }
}

fn no(message: std::fmt::Arguments<'_>) -> CliFailure {
    CliFailure::No {
        message: message.to_string(),
        hint: None,
    }
}

//! What a player of the program thinks, as the text of a job and of a report. The worker that thinks
//! keeps its player for the next move.

use crate::clock::WireClock;
use games::{Outcome, Seat};
use matches::Advice;
use models::play::{Thinker, ThoughtRequest};
use models::worker_pool::JobPermit;
use players::{Clock, Value};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

/// A position, and who is to think about it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct PlayThought {
    pub(super) game: String,
    pub(super) seat: usize,
    pub(super) player: String,
    /// Whether the player only advises, and is in no seat.
    pub(super) is_advice: bool,
    pub(super) seed: u64,
    pub(super) history: Vec<String>,
    pub(super) milliseconds: u64,
}

/// What was thought, or why nothing was.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct PlayThoughtReport {
    pub(super) milliseconds: u64,
    thought: Result<ThoughtText, String>,
}

/// [`Advice`] as a text.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
struct ThoughtText {
    choice: String,
    line: Vec<String>,
    value: Option<ValueText>,
    nodes: u64,
    depth: u32,
    reason: Option<String>,
}

/// [`Value`] as a text; the winner of what is proven, by number.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
enum ValueText {
    Proven(Option<usize>),
    Expected(f64),
    Lead(f64),
}

/// The seat of a number.
pub(super) fn seat(number: usize) -> Seat {
    Seat::BOTH[number.min(1)]
}

impl From<Value> for ValueText {
    fn from(value: Value) -> Self {
        match value {
            Value::Proven(Outcome::Win(seat)) => Self::Proven(Some(seat.index())),
            Value::Proven(Outcome::Draw) => Self::Proven(None),
            Value::Expected(share) => Self::Expected(share),
            Value::Lead(lead) => Self::Lead(lead),
        }
    }
}

impl From<ValueText> for Value {
    fn from(text: ValueText) -> Self {
        match text {
            ValueText::Proven(Some(number)) => Self::Proven(Outcome::Win(seat(number))),
            ValueText::Proven(None) => Self::Proven(Outcome::Draw),
            ValueText::Expected(share) => Self::Expected(share),
            ValueText::Lead(lead) => Self::Lead(lead),
        }
    }
}

impl PlayThoughtReport {
    /// Reads a report: what was thought, and how long that took.
    pub(super) fn read(text: &str) -> (Result<Advice, String>, Duration) {
        let report: Self = match serde_json::from_str(text) {
            Ok(report) => report,
            Err(_) => return (Err(text.into()), Duration::ZERO),
        };
        let advice = report.thought.map(|thought| Advice {
            choice: thought.choice,
            line: thought.line,
            value: thought.value.map(Value::from),
            nodes: thought.nodes,
            depth: thought.depth,
            reason: thought.reason,
        });
        (advice, Duration::from_millis(report.milliseconds))
    }
}

thread_local! {
    /// The player of the last move, whose search goes on in the next one.
    static KEPT: RefCell<Option<KeptThinker>> = const { RefCell::new(None) };
}

struct KeptThinker {
    /// The game, the player and its seat.
    of: (String, String, usize),
    thinker: Thinker,
}

impl PlayThought {
    /// Its text.
    pub(super) fn to_job(&self) -> String {
        json!({ "play": self }).to_string()
    }

    /// Thinks, and reports what came of it.
    pub(crate) fn run(
        &self,
        permit: &JobPermit,
        clock: &WireClock,
        report: &mut dyn FnMut(String),
    ) {
        let begun = permit.elapsed();
        let longest = Duration::from_millis(self.milliseconds);
        let mut watch = || permit.goes_on() && permit.elapsed().saturating_sub(begun) < longest;
        let clock = Arc::clone(clock);
        let thought = self.think(&Clock::new(move || clock()), &mut watch);
        let milliseconds = permit.elapsed().saturating_sub(begun).as_millis() as u64;
        let thought = thought.map(|advice| ThoughtText {
            choice: advice.choice,
            line: advice.line,
            value: advice.value.map(ValueText::from),
            nodes: advice.nodes,
            depth: advice.depth,
            reason: advice.reason,
        });
        report(
            json!(PlayThoughtReport {
                milliseconds,
                thought
            })
            .to_string(),
        );
    }

    fn think(&self, clock: &Clock, watch: &mut dyn FnMut() -> bool) -> Result<Advice, String> {
        let of = (self.game.clone(), self.player.clone(), self.seat);
        let kept = KEPT.take().filter(|kept| kept.of == of && !self.is_advice);
        let mut thinker = match kept {
            Some(kept) => kept.thinker,
            None => {
                let game = self.game.parse().map_err(words)?;
                let mut players = [None, None];
                if !self.is_advice {
                    players[seat(self.seat).index()] = Some(self.player.as_str());
                }
                Thinker::of_house(&game, players, clock, self.seed).map_err(words)?
            }
        };
        let request = ThoughtRequest {
            seat: seat(self.seat),
            adviser: self.is_advice.then(|| self.player.clone()),
            seed: self.seed,
            history: self.history.clone(),
        };
        let advice = thinker.answer(&request, watch).map_err(words);
        KEPT.set(Some(KeptThinker { of, thinker }));
        advice
    }
}

fn words(error: impl ToString) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn think(thought: &PlayThought) -> (Result<Advice, String>, Duration) {
        let permit = JobPermit::timed(Duration::from_secs(60), || Duration::ZERO);
        let mut reports = Vec::new();
        let clock: WireClock = Arc::new(|| Duration::ZERO);
        thought.run(&permit, &clock, &mut |report| reports.push(report));
        PlayThoughtReport::read(&reports[0])
    }

    #[test]
    fn a_thought_is_the_players_own() {
        let mut thought = PlayThought {
            game: "tictactoe".into(),
            seat: 1,
            player: "perfect".into(),
            is_advice: false,
            seed: 1,
            history: vec!["B2".into()],
            milliseconds: 1000,
        };
        let game = thought.game.parse().unwrap();
        let own = |history: &[&str]| {
            let players = [None, Some("perfect")];
            let mut thinker = Thinker::of_house(&game, players, &Clock::stopped(), 1).unwrap();
            let request = ThoughtRequest {
                seat: Seat::Second,
                adviser: None,
                seed: 1,
                history: history.iter().map(|turn| turn.to_string()).collect(),
            };
            thinker.answer(&request, &mut || true).map_err(words)
        };
        assert_eq!(think(&thought).0, own(&["B2"]));
        // the same player goes on
        thought.history = vec!["A1".into()];
        assert_eq!(
            think(&thought).0.unwrap().choice,
            own(&["A1"]).unwrap().choice
        );
        thought.is_advice = true;
        assert!(think(&thought).0.is_ok());
        thought.player = "nobody".into();
        assert!(think(&thought).0.unwrap_err().contains("nobody"));
        assert!(PlayThoughtReport::read("{\"error\":\"x\"}").0.is_err());
    }
}

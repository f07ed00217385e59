//! The scenarios of a conformance check.

use super::bot_under_test::BotUnderTest;
use super::{CheckStep, ConformanceCheck, FindingSeverity};
use crate::bot::{BotGame, BotGameSetup, LineTransport, Protocol};
use games::duel::DuelRules;
use games::{AnyGame, Dice, Game, JointMove, Outcome, Seat, Turn, with_game};
use std::time::Duration;

/// How long the bot is watched where it should be silent.
const SILENCE: Duration = Duration::from_millis(100);

/// The same after each of the first few answers.
const SILENCE_AFTER_ANSWER: Duration = Duration::from_millis(15);

/// Number of first turns that are watched after the answer and reported one by one.
const CHECKED_TURNS: usize = 3;

/// Maximum number of later turns with findings that are reported.
const MAX_REPORTED: usize = 3;

/// Number of turns played on boards other than the requested one.
const OTHER_BOARD_TURNS: usize = 12;

/// One game to play.
struct CheckScenario<'a, G: Game> {
    title: &'a str,
    start: G::State,
    seat: Seat,
    /// Maximum number of the bot's moves.
    turns: usize,
}

impl ConformanceCheck<'_> {
    /// Runs all scenarios.
    pub(super) fn run(&mut self, game: &AnyGame) {
        let is_able = with_game!(game, |game| self.play_main_games(game));
        if !is_able {
            return;
        }
        if self.protocol == Protocol::Gomocup {
            with_game!(game, |game| self.check_unknown_command(game));
        }
        let rules = match game {
            AnyGame::Duel8(game) => game.rules(),
            AnyGame::Duel16(game) => game.rules(),
            AnyGame::DuelAny(game) => game.rules(),
            _ => return,
        };
        self.check_low_mana(rules);
        if self.protocol == Protocol::Contest {
            self.check_other_boards(rules);
            self.check_other_goals(rules);
        }
    }

    /// Plays two games, one in each seat; returns whether the bot can play at all.
    fn play_main_games<G: BotGame>(&mut self, game: &G) -> bool {
        let Some(mut bot) = self.start_bot(game, "the bot starts") else {
            return false;
        };
        let first = CheckScenario {
            title: "a game in the first seat",
            start: game.start(),
            seat: Seat::First,
            turns: usize::MAX,
        };
        let Some(stays) = self.play_scenario(&mut bot, &first) else {
            self.stop_bot(bot, "it is ended");
            return false;
        };
        if !stays {
            self.stop_bot(bot, "its input is closed");
            match self.start_bot(game, "it starts again") {
                Some(again) => bot = again,
                None => return false,
            }
        }
        let second = CheckScenario {
            title: "a game in the second seat, after an opening",
            start: opened_position(game),
            seat: Seat::Second,
            turns: usize::MAX,
        };
        let played = self.play_scenario(&mut bot, &second);
        self.stop_bot(bot, "its input is closed");
        played.is_some()
    }

    /// Plays a game against random moves. Returns whether the process plays another; `None` if
    /// it could not go on.
    fn play_scenario<G: BotGame>(
        &mut self,
        bot: &mut BotUnderTest<'_, G>,
        scenario: &CheckScenario<'_, G>,
    ) -> Option<bool> {
        let game = bot.game;
        let setup = BotGameSetup {
            seat: scenario.seat,
            seed: 1,
            time_control: bot.time_control,
        };
        let mut step = CheckStep::new(scenario.title);
        let limit = bot.time_control.first;
        let begun = bot.exchange(&mut step, limit, |language, transport| {
            language.begin(game, &scenario.start, &setup, transport)
        });
        // without a greeting the first move includes the start and shows how long it takes
        let is_start_timed = self.protocol == Protocol::Contest && scenario.seat == Seat::First;
        if begun.is_ok() && !is_start_timed {
            bot.expect_silence(&mut step, SILENCE, "before it was asked");
        }
        self.report_step(step);
        begun.ok()?;

        let mut state = scenario.start.clone();
        let mut dice = Dice::new(1);
        let mut times = Vec::new();
        let mut reported = 0;
        let outcome = loop {
            let turn = game.turn(&state);
            if let Turn::Over(outcome) = turn {
                break outcome;
            }
            if times.len() == scenario.turns {
                break Outcome::Draw;
            }
            let mut own = None;
            if turn.asks(scenario.seat) {
                let number = times.len();
                let mut step = CheckStep::new(format!("turn {}", number + 1));
                let m = self.play_turn(bot, &state, number, &mut step);
                times.extend(step.spent);
                reported +=
                    usize::from(number >= CHECKED_TURNS && step.severity() > FindingSeverity::Ok);
                if number < CHECKED_TURNS
                    || m.is_none()
                    || reported <= MAX_REPORTED && step.severity() > FindingSeverity::Ok
                {
                    self.report_step(step);
                } else {
                    self.worst = self.worst.max(step.severity().min(self.severity_cap));
                }
                own = Some(m?);
            }
            let mut choose = |seat| match own {
                Some(m) if seat == scenario.seat => m,
                _ => game.random_move(&state, seat, &mut dice),
            };
            let joint = match turn {
                Turn::One(seat) => JointMove::One(choose(seat)),
                _ => JointMove::Both(choose(Seat::First), choose(Seat::Second)),
            };
            game.apply(&mut state, joint);
        };
        self.report_times(times, reported);
        self.end_game(bot, &state, outcome)
    }

    /// Requests one move of the bot; `None` if it fails.
    fn play_turn<G: BotGame>(
        &mut self,
        bot: &mut BotUnderTest<'_, G>,
        state: &G::State,
        number: usize,
        step: &mut CheckStep,
    ) -> Option<G::Move> {
        let game = bot.game;
        let limit = bot.time_control.limit(number as u64);
        let m = bot.exchange(step, limit, |language, transport| {
            language.ask(game, state, transport)
        });
        let m = m.ok()?;
        self.answers.extend(step.received.last().cloned());
        let wait = match number {
            ..CHECKED_TURNS => SILENCE_AFTER_ANSWER,
            _ => Duration::ZERO,
        };
        bot.expect_silence(step, wait, "after its answer, where one line is read");
        Some(m)
    }

    /// Reports the response times and the number of unreported turns.
    fn report_times(&mut self, mut times: Vec<Duration>, reported: usize) {
        times.sort_unstable();
        let (Some(&slowest), Some(&median)) = (times.last(), times.get(times.len() / 2)) else {
            return;
        };
        let mut step = CheckStep::new(match times.len() {
            1 => "one turn is over".into(),
            n => format!("{n} turns are over"),
        });
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        step.findings.push(super::Finding {
            severity: FindingSeverity::Ok,
            message: format!(
                "half of its answers took less than {:.2} ms, the slowest {:.2} ms",
                milliseconds(median),
                milliseconds(slowest)
            ),
        });
        if reported > MAX_REPORTED {
            let words = format!(
                "{} more turns were like those told above",
                reported - MAX_REPORTED
            );
            step.find(FindingSeverity::Warning, words);
        }
        self.report_step(step);
    }

    /// Ends the game; returns whether the process plays another.
    fn end_game<G: BotGame>(
        &mut self,
        bot: &mut BotUnderTest<'_, G>,
        state: &G::State,
        outcome: Outcome,
    ) -> Option<bool> {
        let game = bot.game;
        let mut step = CheckStep::new("the game ends");
        let limit = Duration::from_millis(500);
        let stays = bot.exchange(&mut step, limit, |language, transport| {
            Ok(language.end(game, state, outcome, transport))
        });
        let stays = stays.unwrap_or(false);
        bot.expect_silence(&mut step, SILENCE / 2, "after the game");
        match self.protocol {
            Protocol::Gomocup if !stays => step.find(
                FindingSeverity::Warning,
                "it does not answer RESTART with OK, so each game needs a process of its own",
            ),
            Protocol::Text if !stays => step.find(
                FindingSeverity::Ok,
                "it plays one game in a process; with `again` after its name it could play many",
            ),
            _ => {}
        }
        self.report_step(step);
        Some(stays)
    }

    /// Sends an unknown command.
    fn check_unknown_command<G: BotGame>(&mut self, game: &G) {
        let Some(mut bot) = self.start_bot(game, "it starts once more") else {
            return;
        };
        let mut step = CheckStep::new("a command that nobody knows");
        let limit = bot.time_control.each;
        let said = bot.exchange(&mut step, limit, |_, transport| {
            transport.send("GRIDPAPER_TEST\r\n")?;
            transport.receive()
        });
        match said {
            Ok(line) if line.trim().to_ascii_uppercase().starts_with("UNKNOWN") => {}
            _ => {
                step.findings
                    .retain(|f| f.severity < FindingSeverity::Wrong);
                let words = "it should answer UNKNOWN to what it does not know";
                step.find(FindingSeverity::Warning, words);
            }
        }
        self.report_step(step);
        self.stop_bot(bot, "its input is closed");
    }

    /// Plays games with little mana, where overspending is easy.
    fn check_low_mana(&mut self, rules: &DuelRules) {
        let poor = DuelRules {
            mana: 1,
            ..rules.clone()
        };
        if let Ok(game) = poor.to_string().parse::<AnyGame>() {
            with_game!(&game, |game| self.play_aside(
                game,
                "most mana 1",
                game.start()
            ));
        }
        // by the rules a seat has at least 2 mana (or the maximum) at the start of a turn, so
        // this shows only whether a bot reads its input
        let most = self.severity_cap;
        self.severity_cap = FindingSeverity::Warning;
        if let Ok(game) = rules.to_string().parse::<AnyGame>() {
            with_game!(&game, |game| {
                let text = game.write_state(&opened_position(game));
                if let Some(state) = without_mana(&text).and_then(|t| game.parse_state(&t).ok()) {
                    self.play_aside_turns(game, "no mana at all", state, 1);
                }
            });
        }
        self.severity_cap = most;
    }

    /// Plays the contest's other size and an unusual board.
    fn check_other_boards(&mut self, rules: &DuelRules) {
        let most = self.severity_cap;
        self.severity_cap = FindingSeverity::Warning;
        let asked = rules.to_string();
        for name in ["duel", "duel:16x16", "duel:6x9,mana=3,goals=1.2/7.4/7.3"] {
            let game = name.parse::<AnyGame>();
            if let Ok(game) = game
                && name != asked
            {
                let title = format!("another board, {name}");
                with_game!(&game, |game| self.play_aside(game, &title, game.start()));
            }
        }
        self.severity_cap = most;
    }

    /// Plays the same board with other goals, which should change the answers.
    fn check_other_goals(&mut self, rules: &DuelRules) {
        let most = self.severity_cap;
        self.severity_cap = FindingSeverity::Warning;
        let moved = rules.goals.iter().map(|&(x, y)| {
            // each moved by one row and two columns, wrapping around
            ((x + 2) % rules.size.columns, (y + 1) % rules.size.rows)
        });
        let moved = DuelRules {
            goals: moved.collect(),
            ..rules.clone()
        };
        let mut answers = Vec::new();
        for (rules, title) in [(rules, "the same goals once more"), (&moved, "other goals")] {
            self.answers.clear();
            if let Ok(game) = rules.to_string().parse::<AnyGame>() {
                with_game!(&game, |game| self.play_aside(game, title, game.start()));
            }
            answers.push(std::mem::take(&mut self.answers));
        }
        self.severity_cap = most;
        if answers[0] == answers[1] {
            let count = answers[0].len();
            let mut step = CheckStep::new("were the goals read");
            step.find(
                FindingSeverity::Ok,
                format!("it answered the same {count} times, whatever the goals were"),
            );
            self.report_step(step);
        }
    }

    fn play_aside<G: BotGame>(&mut self, game: &G, title: &str, start: G::State) {
        self.play_aside_turns(game, title, start, OTHER_BOARD_TURNS);
    }

    /// Plays a few turns in a new process.
    fn play_aside_turns<G: BotGame>(
        &mut self,
        game: &G,
        title: &str,
        start: G::State,
        turns: usize,
    ) {
        let Some(mut bot) = self.start_bot(game, "it starts once more") else {
            return;
        };
        let scenario = CheckScenario {
            title,
            start,
            seat: Seat::Second,
            turns,
        };
        self.play_scenario(&mut bot, &scenario);
        self.stop_bot(bot, "its input is closed");
    }
}

/// A position after three random turns, or the start if that ends the game.
fn opened_position<G: Game>(game: &G) -> G::State {
    let mut state = game.start();
    let mut dice = Dice::new(3);
    for _ in 0..3 {
        if let Ok(joint) = game.random_joint(&state, &mut dice) {
            game.apply(&mut state, joint);
        }
    }
    match game.turn(&state) {
        Turn::Over(_) => game.start(),
        _ => state,
    }
}

/// A duel's position text with the second seat's mana set to 0.
fn without_mana(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("mana "))?;
    let (rest, _) = line.rsplit_once(' ')?;
    Some(text.replace(line, &format!("{rest} 0")))
}

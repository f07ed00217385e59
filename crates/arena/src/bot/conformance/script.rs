//! What is played with a bot to see what it does.

use super::bot_under_test::BotUnderTest;
use super::{CheckStep, Examination, FindingSeverity};
use crate::bot::{BotGame, LineTransport, Protocol, Setting};
use games::duel::DuelRules;
use games::{AnyGame, Dice, Game, JointMove, Outcome, Seat, Turn, with_game};
use std::time::Duration;

/// How long the bot is listened to where it should say nothing.
const SILENCE: Duration = Duration::from_millis(100);

/// The same after each of the first few answers.
const AFTER_ANSWER: Duration = Duration::from_millis(15);

/// So many turns of a game are listened to after the answer, and told one by one.
const LISTENED: usize = 3;

/// So many later turns of a game are told, where something is found in them.
const TOLD: usize = 3;

/// How many turns are played on boards beside the one that was asked about.
const ASIDE_TURNS: usize = 12;

/// One game that is played.
struct CheckScenario<'a, G: Game> {
    title: &'a str,
    start: G::State,
    seat: Seat,
    /// How many moves the bot makes at most.
    turns: usize,
}

impl Examination<'_> {
    /// All of it.
    pub(super) fn run(&mut self, game: &AnyGame) {
        let is_able = with_game!(game, |game| self.main(game));
        if !is_able {
            return;
        }
        if self.protocol == Protocol::Gomocup {
            with_game!(game, |game| self.unknown_command(game));
        }
        let rules = match game {
            AnyGame::Duel8(game) => game.rules(),
            AnyGame::Duel16(game) => game.rules(),
            AnyGame::DuelAny(game) => game.rules(),
            _ => return,
        };
        self.squeeze(rules);
        if self.protocol == Protocol::Contest {
            self.other_boards(rules);
            self.other_goals(rules);
        }
    }

    /// Two games, one in each seat; whether the bot can play at all.
    fn main<G: BotGame>(&mut self, game: &G) -> bool {
        let Some(mut table) = self.seat(game, "the bot starts") else {
            return false;
        };
        let first = CheckScenario {
            title: "a game in the first seat",
            start: game.start(),
            seat: Seat::First,
            turns: usize::MAX,
        };
        let Some(stays) = self.play(&mut table, &first) else {
            self.dismiss(table, "it is ended");
            return false;
        };
        if !stays {
            self.dismiss(table, "its input is closed");
            match self.seat(game, "it starts again") {
                Some(again) => table = again,
                None => return false,
            }
        }
        let second = CheckScenario {
            title: "a game in the second seat, after an opening",
            start: opened(game),
            seat: Seat::Second,
            turns: usize::MAX,
        };
        let played = self.play(&mut table, &second);
        self.dismiss(table, "its input is closed");
        played.is_some()
    }

    /// One game against chance. Whether its process plays another; `None` where it could not
    /// go on.
    fn play<G: BotGame>(
        &mut self,
        table: &mut BotUnderTest<'_, G>,
        scene: &CheckScenario<'_, G>,
    ) -> Option<bool> {
        let game = table.game;
        let setting = Setting {
            seat: scene.seat,
            seed: 1,
            pace: table.pace,
        };
        let mut step = CheckStep::new(scene.title);
        let limit = table.pace.first;
        let begun = table.talk(&mut step, limit, |language, talk| {
            language.begin(game, &scene.start, &setting, talk)
        });
        // where nothing waits for a bot's start the first move does, and shows how long it takes
        let is_start_timed = self.protocol == Protocol::Contest && scene.seat == Seat::First;
        if begun.is_ok() && !is_start_timed {
            table.listen(&mut step, SILENCE, "before it was asked");
        }
        self.tell(step);
        begun.ok()?;

        let mut state = scene.start.clone();
        let mut dice = Dice::new(1);
        let mut times = Vec::new();
        let mut told = 0;
        let outcome = loop {
            let turn = game.turn(&state);
            if let Turn::Over(outcome) = turn {
                break outcome;
            }
            if times.len() == scene.turns {
                break Outcome::Draw;
            }
            let mut own = None;
            if turn.asks(scene.seat) {
                let number = times.len();
                let mut step = CheckStep::new(format!("turn {}", number + 1));
                let m = self.turn(table, &state, number, &mut step);
                times.extend(step.spent);
                told += usize::from(number >= LISTENED && step.verdict() > FindingSeverity::Ok);
                if number < LISTENED
                    || m.is_none()
                    || told <= TOLD && step.verdict() > FindingSeverity::Ok
                {
                    self.tell(step);
                } else {
                    self.worst = self.worst.max(step.verdict().min(self.most));
                }
                own = Some(m?);
            }
            let mut choose = |seat| match own {
                Some(m) if seat == scene.seat => m,
                _ => game.random_move(&state, seat, &mut dice),
            };
            let joint = match turn {
                Turn::One(seat) => JointMove::One(choose(seat)),
                _ => JointMove::Both(choose(Seat::First), choose(Seat::Second)),
            };
            game.apply(&mut state, joint);
        };
        self.summary(times, told);
        self.end(table, &state, outcome)
    }

    /// One move of the bot; `None` where there is none.
    fn turn<G: BotGame>(
        &mut self,
        table: &mut BotUnderTest<'_, G>,
        state: &G::State,
        number: usize,
        step: &mut CheckStep,
    ) -> Option<G::Move> {
        let game = table.game;
        let limit = table.pace.limit(number as u64);
        let m = table.talk(step, limit, |language, talk| {
            language.ask(game, state, talk)
        });
        let m = m.ok()?;
        self.answers.extend(step.heard.last().cloned());
        let wait = match number {
            ..LISTENED => AFTER_ANSWER,
            _ => Duration::ZERO,
        };
        table.listen(step, wait, "after its answer, where one line is read");
        Some(m)
    }

    /// How long the turns took, and what was not told of them.
    fn summary(&mut self, mut times: Vec<Duration>, told: usize) {
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
            verdict: FindingSeverity::Ok,
            words: format!(
                "half of its answers took less than {:.2} ms, the slowest {:.2} ms",
                milliseconds(median),
                milliseconds(slowest)
            ),
        });
        if told > TOLD {
            let words = format!("{} more turns were like those told above", told - TOLD);
            step.find(FindingSeverity::Warning, words);
        }
        self.tell(step);
    }

    /// The game is over; whether the process plays another.
    fn end<G: BotGame>(
        &mut self,
        table: &mut BotUnderTest<'_, G>,
        state: &G::State,
        outcome: Outcome,
    ) -> Option<bool> {
        let game = table.game;
        let mut step = CheckStep::new("the game ends");
        let limit = Duration::from_millis(500);
        let stays = table.talk(&mut step, limit, |language, talk| {
            Ok(language.end(game, state, outcome, talk))
        });
        let stays = stays.unwrap_or(false);
        table.listen(&mut step, SILENCE / 2, "after the game");
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
        self.tell(step);
        Some(stays)
    }

    /// A command that no engine knows.
    fn unknown_command<G: BotGame>(&mut self, game: &G) {
        let Some(mut table) = self.seat(game, "it starts once more") else {
            return;
        };
        let mut step = CheckStep::new("a command that nobody knows");
        let limit = table.pace.each;
        let said = table.talk(&mut step, limit, |_, talk| {
            talk.say("GRIDPAPER_TEST\r\n")?;
            talk.hear()
        });
        match said {
            Ok(line) if line.trim().to_ascii_uppercase().starts_with("UNKNOWN") => {}
            _ => {
                step.findings.retain(|f| f.verdict < FindingSeverity::Wrong);
                let words = "it should answer UNKNOWN to what it does not know";
                step.find(FindingSeverity::Warning, words);
            }
        }
        self.tell(step);
        self.dismiss(table, "its input is closed");
    }

    /// Games with little mana, where it is easy to spend what is not there.
    fn squeeze(&mut self, rules: &DuelRules) {
        let poor = DuelRules {
            mana: 1,
            ..rules.clone()
        };
        if let Ok(game) = poor.to_string().parse::<AnyGame>() {
            with_game!(&game, |game| self.aside(game, "most mana 1", game.start()));
        }
        // by the rules nobody has less than 2 when a turn begins, or than the most there is;
        // so this only shows whether a bot heeds what it is told
        let most = self.most;
        self.most = FindingSeverity::Warning;
        if let Ok(game) = rules.to_string().parse::<AnyGame>() {
            with_game!(&game, |game| {
                let text = game.write_state(&opened(game));
                if let Some(state) = without_mana(&text).and_then(|t| game.parse_state(&t).ok()) {
                    self.aside_turns(game, "no mana at all", state, 1);
                }
            });
        }
        self.most = most;
    }

    /// The contest's other size, and a board that nobody expects.
    fn other_boards(&mut self, rules: &DuelRules) {
        let most = self.most;
        self.most = FindingSeverity::Warning;
        let asked = rules.to_string();
        for name in ["duel", "duel:16x16", "duel:6x9,mana=3,goals=1.2/7.4/7.3"] {
            let game = name.parse::<AnyGame>();
            if let Ok(game) = game
                && name != asked
            {
                let title = format!("another board, {name}");
                with_game!(&game, |game| self.aside(game, &title, game.start()));
            }
        }
        self.most = most;
    }

    /// The same board with other goals: who reads them plays another game.
    fn other_goals(&mut self, rules: &DuelRules) {
        let most = self.most;
        self.most = FindingSeverity::Warning;
        let moved = rules.goals.iter().map(|&(x, y)| {
            // each one row and two columns further, round the board
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
                with_game!(&game, |game| self.aside(game, title, game.start()));
            }
            answers.push(std::mem::take(&mut self.answers));
        }
        self.most = most;
        if answers[0] == answers[1] {
            let count = answers[0].len();
            let mut step = CheckStep::new("were the goals read");
            step.find(
                FindingSeverity::Ok,
                format!("it answered the same {count} times, whatever the goals were"),
            );
            self.tell(step);
        }
    }

    fn aside<G: BotGame>(&mut self, game: &G, title: &str, start: G::State) {
        self.aside_turns(game, title, start, ASIDE_TURNS);
    }

    /// A few turns in a process of their own.
    fn aside_turns<G: BotGame>(&mut self, game: &G, title: &str, start: G::State, turns: usize) {
        let Some(mut table) = self.seat(game, "it starts once more") else {
            return;
        };
        let scene = CheckScenario {
            title,
            start,
            seat: Seat::Second,
            turns,
        };
        self.play(&mut table, &scene);
        self.dismiss(table, "its input is closed");
    }
}

/// A position after three random turns, where the game is not over by then.
fn opened<G: Game>(game: &G) -> G::State {
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

/// The text of a duel's position, with the second seat's mana gone.
fn without_mana(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("mana "))?;
    let (rest, _) = line.rsplit_once(' ')?;
    Some(text.replace(line, &format!("{rest} 0")))
}

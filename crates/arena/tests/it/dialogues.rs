//! The dialogues in `docs/bots.md`, played: they are exactly what a bot meets.
//! `GRIDPAPER_REFRESH=1` writes them anew, from the answers that stand there.

use arena::bot::{BotGame, BotGameSetup, ExternalPlayer, LineTransport, Protocol, serve};
use games::{AnyGame, JointMove, Outcome, Seat, Turn, with_game};
use matches::{Fault, TimeControl};
use std::collections::VecDeque;

/// A transport that replays the documented answers and records the dialogue.
#[derive(Default)]
struct ScriptedTransport {
    answers: VecDeque<String>,
    dialogue: String,
}

impl LineTransport for ScriptedTransport {
    fn send(&mut self, lines: &str) -> Result<(), Fault> {
        self.dialogue += &lines.replace('\r', "");
        Ok(())
    }

    fn receive(&mut self) -> Result<String, Fault> {
        let line = self.answers.pop_front().ok_or(Fault::Closed)?;
        self.dialogue += &format!("< {line}\n");
        Ok(line)
    }

    fn set_property(&mut self, _: &str, _: &str) {}
}

/// One game of a dialogue.
struct DialogueGame {
    seat: Seat,
    /// Moves before the bot is asked for the first time.
    opening: &'static [&'static str],
    /// What the other side plays then.
    others: &'static [&'static str],
}

/// Plays these games with a bot and returns the dialogue.
fn tell<G: BotGame>(game: &G, protocol: Protocol, games: &[DialogueGame], book: &str) -> String {
    let answers = book.lines().filter_map(|line| line.strip_prefix("< "));
    let mut talk = ScriptedTransport {
        answers: answers.map(String::from).collect(),
        dialogue: String::new(),
    };
    let mut language = game.language(protocol);
    language.greet(game, &mut talk).unwrap();
    for played in games {
        let setup = BotGameSetup {
            seat: played.seat,
            seed: 17,
            time_control: TimeControl::from_millis(1000, 50),
        };
        let mut state = game.start();
        let mut opening = played.opening.iter();
        let mut others = played.others.iter();
        let mut is_begun = false;
        loop {
            let turn = game.turn(&state);
            let mut choose = |seat| {
                let text = match opening.next() {
                    Some(text) => text,
                    None => {
                        if !is_begun {
                            is_begun = true;
                            language.begin(game, &state, &setup, &mut talk).unwrap();
                        }
                        if seat == played.seat && talk.answers.is_empty() {
                            return None;
                        }
                        if seat == played.seat {
                            return language.ask(game, &state, &mut talk).ok();
                        }
                        others.next()?
                    }
                };
                Some(game.parse_move(&state, seat, text).unwrap())
            };
            let joint = match turn {
                Turn::One(seat) => choose(seat).map(JointMove::One),
                Turn::Both => {
                    let first = choose(Seat::First);
                    let second = choose(Seat::Second);
                    first
                        .zip(second)
                        .map(|(first, second)| JointMove::Both(first, second))
                }
                Turn::Over(_) => None,
            };
            match joint {
                Some(joint) => game.apply(&mut state, joint),
                None => break,
            }
        }
        let outcome = game.turn(&state).outcome().unwrap_or(Outcome::Draw);
        if protocol != Protocol::Contest {
            assert!(game.turn(&state).outcome().is_some(), "{}", talk.dialogue);
        }
        language.end(game, &state, outcome, &mut talk);
    }
    talk.dialogue
}

/// The block of the book that begins with this line.
fn block<'a>(book: &'a str, begins: &str) -> &'a str {
    let start = format!("```text\n{begins}\n");
    let (_, rest) = book
        .split_once(&start)
        .unwrap_or_else(|| panic!("docs/bots.md has no dialogue that begins with `{begins}`"));
    let end = rest.find("```").unwrap();
    let from = rest.as_ptr() as usize - book.as_ptr() as usize - begins.len() - 1;
    &book[from..from + begins.len() + 1 + end]
}

#[test]
fn the_dialogues_in_the_book_are_what_bots_meet() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bots.md");
    let mut book = std::fs::read_to_string(path).unwrap();
    let rows: [(&str, &str, Protocol, &[DialogueGame]); 3] = [
        (
            "gridpaper 1",
            "tictactoe",
            Protocol::Text,
            &[DialogueGame {
                seat: Seat::Second,
                opening: &[],
                others: &["B2", "C3", "A2"],
            }],
        ),
        (
            "8",
            "duel",
            Protocol::Contest,
            &[DialogueGame {
                seat: Seat::First,
                opening: &[],
                others: &["01000000", "00110000"],
            }],
        ),
        (
            "ABOUT",
            "mnk:15,15,5",
            Protocol::Gomocup,
            &[
                DialogueGame {
                    seat: Seat::Second,
                    opening: &[],
                    others: &["H8", "H9", "H10", "H11", "H12"],
                },
                DialogueGame {
                    seat: Seat::First,
                    opening: &["H8", "G7"],
                    others: &["A1", "B1", "C1"],
                },
            ],
        ),
    ];
    for (begins, game, protocol, games) in rows {
        let expected = block(&book, begins).to_owned();
        let game: AnyGame = game.parse().unwrap();
        let met = with_game!(&game, |game| tell_any(game, protocol, games, &expected));
        if std::env::var_os("GRIDPAPER_REFRESH").is_some() {
            book = book.replace(&expected, &met);
            std::fs::write(path, &book).unwrap();
            continue;
        }
        assert_eq!(met, expected, "what a bot meets in {game} is\n{met}");

        // a bot of ours understands all of it
        let said = expected.lines().filter(|line| !line.starts_with('<'));
        let said: String = said.map(|line| format!("{line}\n")).collect();
        serve(
            &ExternalPlayer::new("random"),
            said.as_bytes(),
            std::io::sink(),
        )
        .unwrap();
    }
}

fn tell_any<G: BotGame>(
    game: &G,
    protocol: Protocol,
    games: &[DialogueGame],
    book: &str,
) -> String {
    assert!(G::PROTOCOLS.contains(&protocol), "{}", game.name());
    tell(game, protocol, games, book)
}

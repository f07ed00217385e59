//! Built-in players as bots of other arenas: they make the same moves as at home.

use arena::bot::{
    BotGame, BotGameSetup, ExternalPlayer, LineTransport, Protocol, ServeError, serve,
};
use games::{AnyGame, Dice, Game, JointMove, Seat, Turn, with_game};
use matches::{Fault, Opening, TimeControl};
use players::NullObserver;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{JoinHandle, spawn};

/// An external player at the other end of two pipes.
pub(crate) struct PipedPlayer {
    to: Option<PipeWriter>,
    from: BufReader<PipeReader>,
    external: Option<JoinHandle<Result<(), ServeError>>>,
    pub(crate) notes: Vec<String>,
    /// All lines of both sides, the player's after a `<`.
    pub(crate) dialogue: String,
}

impl PipedPlayer {
    pub(crate) fn to(external: ExternalPlayer) -> Self {
        let (theirs, to) = pipe().unwrap();
        let (from, answers) = pipe().unwrap();
        let external = spawn(move || serve(&external, BufReader::new(theirs), answers));
        Self {
            to: Some(to),
            from: BufReader::new(from),
            external: Some(external),
            notes: Vec::new(),
            dialogue: String::new(),
        }
    }

    /// Closes the input; returns how the session ended.
    pub(crate) fn close(mut self) -> Result<(), ServeError> {
        self.to = None;
        self.external.take().unwrap().join().unwrap()
    }
}

impl LineTransport for PipedPlayer {
    fn send(&mut self, lines: &str) -> Result<(), Fault> {
        self.dialogue += &lines.replace('\r', "");
        let said = self.to.as_mut().unwrap().write_all(lines.as_bytes());
        said.map_err(|_| Fault::Closed)
    }

    fn receive(&mut self) -> Result<String, Fault> {
        let mut line = String::new();
        if self.from.read_line(&mut line).unwrap() == 0 {
            return Err(Fault::Closed);
        }
        self.dialogue += &format!("< {line}");
        Ok(line.trim_end_matches(['\r', '\n']).into())
    }

    fn set_property(&mut self, key: &str, value: &str) {
        self.notes.push(format!("{key}={value}"));
    }
}

/// Two games against chance over a wire, the external in either seat; in each position it is
/// held to what it says at home, where it looks at the board as the protocol shows it.
fn compare<G: BotGame>(game: &G, player: &str, protocol: Protocol, is_opened: bool) {
    let about = format!("{player} in {}, {protocol}", game.name());
    let seed = 7;
    // the contest does not tell how many turns there are
    let named = (protocol == Protocol::Contest).then(|| game.name().parse().unwrap());
    let external = |seed| ExternalPlayer {
        seed,
        game: named.clone(),
        ..ExternalPlayer::new(player)
    };
    let mut wire = PipedPlayer::to(external(seed));
    let mut language = game.language(protocol);
    language.greet(game, &mut wire).unwrap();
    for (number, seat) in Seat::BOTH.into_iter().enumerate() {
        let seed = seed + number as u64;
        let mut dice = Dice::new(seed);
        let mut state = game.start();
        if is_opened {
            state = Opening::OfGame.draw(game, seed, 3).state;
        }
        let setup = BotGameSetup {
            seat,
            seed,
            time_control: TimeControl::from_millis(60_000, 60_000),
        };
        let mut home = players::open(game, player, &players::Clock::system()).unwrap();
        home.begin(seed);
        language.begin(game, &state, &setup, &mut wire).unwrap();
        let outcome = loop {
            let turn = game.turn(&state);
            let mut choose = |seat| match seat == setup.seat {
                true => {
                    let away = language.ask(game, &state, &mut wire).unwrap();
                    let thought = if protocol == Protocol::Gomocup {
                        home.think(game, &state, seat, &mut NullObserver)
                    } else {
                        let view = game.view(&state, seat);
                        home.think(game, &view, Seat::First, &mut NullObserver)
                    };
                    let choice = match protocol {
                        Protocol::Gomocup => thought.choice,
                        _ => game.view_move(thought.choice, seat),
                    };
                    assert_eq!(away, choice, "{about}, {}", wire.dialogue);
                    away
                }
                false => game.random_move(&state, seat, &mut dice),
            };
            let joint = match turn {
                Turn::One(seat) => JointMove::One(choose(seat)),
                Turn::Both => JointMove::Both(choose(Seat::First), choose(Seat::Second)),
                Turn::Over(outcome) => break outcome,
            };
            game.apply(&mut state, joint);
        };
        if !language.end(game, &state, outcome, &mut wire) {
            assert_eq!(protocol, Protocol::Contest, "{about}");
            wire.close().unwrap();
            wire = PipedPlayer::to(external(seed + 1));
            language = game.language(protocol);
        }
    }
    wire.close().unwrap();
}

#[test]
fn an_external_player_moves_as_the_built_in_one() {
    let rows = [
        (
            "tictactoe",
            "random heuristic perfect mcts:playouts=40",
            true,
        ),
        ("mnk:4,5,3", "random alphabeta:depth=3", true),
        ("mnk:7,6,4", "random mcts:playouts=20", true),
        ("mnk:15,15,5", "random alphabeta:depth=1", true),
        ("stones", "random material strong:nodes=50", true),
        // nobody tells a contest's bot that a game was opened, or how it stands
        ("duel", "random material strong:nodes=20", false),
        ("duel", "random", true),
        ("duel:16x16,turns=20", "random", false),
        (
            "duel:5x9,goals=1.2/2.2,mana=3,turns=30",
            "random mcts:playouts=5",
            false,
        ),
        ("duel:rules=p2life,turns=20", "random", false),
    ];
    for (game, players, is_opened) in rows {
        let game: AnyGame = game.parse().unwrap();
        for player in players.split(' ') {
            with_game!(&game, |game| {
                for &protocol in protocols(game) {
                    compare(game, player, protocol, is_opened);
                }
            });
        }
    }
}

fn protocols<G: BotGame>(_: &G) -> &'static [Protocol] {
    G::PROTOCOLS
}

/// The player's answers to this whole input.
fn answers(external: &ExternalPlayer, said: &str) -> (String, Result<(), ServeError>) {
    let mut answers = Vec::new();
    let left = serve(external, said.as_bytes(), &mut answers);
    (String::from_utf8(answers).unwrap(), left)
}

#[test]
fn a_managers_violation_is_reported_with_its_line() {
    let turn = "0 0 0\n0 0 0\n0 0 0\n";
    let header = "3\n3\n2\n1\n1 1\n";
    let rows = [
        (
            "gridpaper 2\n",
            "line 1: `gridpaper 2` stands where `gridpaper 1` should",
        ),
        (
            "gridpaper 1\ngame chess\n",
            "line 2: there is no game `chess`",
        ),
        (
            "gridpaper \u{1b}[31m\n",
            "line 1: `gridpaper \u{fffd}[31m` stands where",
        ),
        (
            "gridpaper 1\nseat first\n",
            "line 2: `seat first` stands where `game`",
        ),
        (
            "gridpaper 1\ngame tictactoe\npace fast\n",
            "line 3: `pace fast` stands",
        ),
        (
            "gridpaper 1\ngame tictactoe\ngo 10\n",
            "line 3: `go 10` stands where a position",
        ),
        (
            "gridpaper 1\ngame tictactoe\nposition 4\n...\n.?.\n...\nO to move\n",
            "line 5: character 2: `?` is no cell",
        ),
        (
            "gridpaper 1\ngame tictactoe\nposition 4\n...\n",
            "line 5: the input ends where a line of the position",
        ),
        (
            "gridpaper 1\ngame tictactoe\nposition 4\nXXX\nOO.\nO..\nO to move\ngo 9\n",
            "line 8: a move is asked for where the game is over",
        ),
        ("8\n8\nmany\n", "line 3: `many` stands where the most mana"),
        (
            "3\n3\n2\n10\n",
            "line 4: the number of goals is 10, and the most is 9",
        ),
        ("3\n3\n2\n1\n3 1\n", "line 5: duel: "),
        (
            "4294967295\n4294967295\n1\n0\n",
            "line 1: the number of rows is 4294967295, and the most is 32",
        ),
        (
            "3\n65\n1\n0\n",
            "line 2: the number of columns is 65, and the most is 64",
        ),
        (
            &format!("{header}2\n1\n0 0 0\n0 0\n"),
            "line 9: `0 0` stands where a row",
        ),
        (
            &format!("{header}2\n1\n0 0 0\n0 2 0\n"),
            "line 9: `0 2 0` stands",
        ),
        (
            &format!("{header}2\n1\n{turn}3\n"),
            "line 11: mana is 3, and the most is 2",
        ),
        (
            &format!("{header}2\n"),
            "line 7: the input ends where the other's mana",
        ),
    ];
    for (said, expected) in rows {
        let (_, left) = answers(&ExternalPlayer::new("random"), said);
        let error = left.expect_err(said).to_string();
        assert!(error.starts_with(expected), "{said}: {error}");
    }
}

#[test]
fn what_an_engine_answers_has_no_control_characters() {
    let external = ExternalPlayer {
        protocol: Some(Protocol::Gomocup),
        ..ExternalPlayer::new("random")
    };
    let said = "\u{1b}[31mFOO\r\nSTART 5\r\nTURN \u{1b}[32m,2\r\nTURN \0\r\nEND\r\n";
    let (answers, left) = answers(&external, said);
    left.unwrap();
    let lines: Vec<_> = answers.lines().collect();
    let expected = [
        "UNKNOWN \u{fffd}[31MFOO",
        "OK",
        "ERROR `\u{fffd}[32m,2`: write a place as 7,8",
        "ERROR `\u{fffd}`: write a place as 7,8",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_player_that_cannot_play_is_an_error() {
    let stones: AnyGame = "stones".parse().unwrap();
    let rows = [
        (
            ExternalPlayer::new("nobody"),
            "gridpaper 1\ngame stones\nposition 23\n",
            "nobody",
        ),
        (
            ExternalPlayer {
                game: Some(stones.clone()),
                ..ExternalPlayer::new("perfect")
            },
            "",
            "perfect",
        ),
        (
            ExternalPlayer {
                game: Some(stones.clone()),
                ..ExternalPlayer::new("random")
            },
            "gridpaper 1\ngame duel\n",
            "line 2: the game is duel, and the player was seated for stones",
        ),
        (
            ExternalPlayer {
                game: Some(stones),
                ..ExternalPlayer::new("random")
            },
            "8\n8\n",
            "stones is not played in the protocol contest",
        ),
    ];
    for (external, said, expected) in rows {
        let said = match said.ends_with("position 23\n") {
            true => {
                let game = games::stones::Stones::default();
                format!("{said}{}go 50\n", game.write_state(&game.start()))
                    .replace("position 23", &format!("position {}", lines(&game)))
            }
            false => said.into(),
        };
        let (_, left) = answers(&external, &said);
        let error = left.expect_err(&said).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

fn lines<G: Game>(game: &G) -> usize {
    game.write_state(&game.start()).lines().count()
}

#[test]
fn the_time_limit_is_used_and_kept() {
    // no limit of its own: so what is given, less a margin
    let spent = |player: &str, limit: u32| {
        let text = format!(
            "gridpaper 1\ngame mnk:9,9,5\npace {limit} {limit}\nposition 10\n{}O to move\ngo {limit}\n",
            ".........\n".repeat(9)
        );
        let started = std::time::Instant::now();
        let (_, left) = answers(&ExternalPlayer::new(player), &text);
        left.unwrap();
        started.elapsed().as_millis()
    };
    // No search comes to its end before its time, and how much later depends on what else the
    // machine does. Where a limit were not kept, the answer would be an hour away.
    const HOUR: u32 = 3_600_000;
    assert!(spent("mcts", 200) >= 140);
    // a limit of its own that is too long is cut
    assert!(spent(&format!("mcts:ms={HOUR}"), 200) >= 140);
    // and a shorter one is kept
    assert!(spent("mcts:ms=20", HOUR) >= 20);
}

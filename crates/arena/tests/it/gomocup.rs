//! Gomocup's protocol, both sides of it.

use crate::external_player::PipedPlayer;
use arena::bot::{BotGame, BotGameSetup, ExternalPlayer, LineTransport, Protocol, serve};
use games::mnk::{Mnk, MnkPosition};
use games::{AnyGame, Game, JointMove, Outcome, Seat};
use matches::{Fault, TimeControl};
use std::collections::VecDeque;

/// An engine with scripted replies.
#[derive(Default)]
struct Parrot {
    lines: VecDeque<&'static str>,
    said: String,
    notes: Vec<String>,
    remarks: Vec<String>,
}

impl LineTransport for Parrot {
    fn send(&mut self, lines: &str) -> Result<(), Fault> {
        self.said += lines;
        Ok(())
    }

    fn receive(&mut self) -> Result<String, Fault> {
        self.lines.pop_front().map(Into::into).ok_or(Fault::Closed)
    }

    fn comment(&mut self, line: &str) {
        self.remarks.push(line.into());
    }

    fn set_property(&mut self, key: &str, value: &str) {
        self.notes.push(format!("{key}={value}"));
    }
}

impl Parrot {
    fn saying(lines: &[&'static str]) -> Self {
        Self {
            lines: lines.iter().copied().collect(),
            ..Self::default()
        }
    }

    /// Lines sent to it since the last call.
    fn told(&mut self) -> String {
        std::mem::take(&mut self.said)
    }
}

const SETTING: BotGameSetup = BotGameSetup {
    seat: Seat::First,
    seed: 0,
    time_control: TimeControl::from_millis(5000, 1000),
};

fn gomoku() -> Mnk<6> {
    Mnk::new(15, 15, 5).unwrap()
}

fn played(game: &Mnk<6>, moves: &str) -> MnkPosition<6> {
    let mut state = game.start();
    for text in moves.split(' ').filter(|text| !text.is_empty()) {
        let seat = state.to_move();
        let cell = game.parse_move(&state, seat, text).unwrap();
        game.apply(&mut state, JointMove::One(cell));
    }
    state
}

#[test]
fn engines_get_all_that_the_protocol_has() {
    let game = gomoku();
    let mut language = game.language(Protocol::Gomocup);
    let mut engine = Parrot::saying(&[
        "MESSAGE hello",
        "name=\"Knot\", version=\"1.2\", author=\"somebody\"",
        "OK ready",
        "7,7",
        "DEBUG so many",
        " 8,7",
        "SUGGEST 0,0",
        "0,0",
    ]);
    language.greet(&game, &mut engine).unwrap();
    assert_eq!(engine.told(), "ABOUT\r\nSTART 15\r\n");
    assert_eq!(engine.notes, ["name=Knot", "version=1.2"]);

    let state = game.start();
    language
        .begin(&game, &state, &SETTING, &mut engine)
        .unwrap();
    assert_eq!(
        engine.told(),
        "INFO timeout_match 0\r\nINFO game_type 1\r\nINFO rule 0\r\n"
    );
    let cell = language.ask(&game, &state, &mut engine).unwrap();
    assert_eq!(game.cell_name(cell), "H8");
    assert_eq!(
        engine.told(),
        "INFO timeout_turn 1000\r\nINFO time_left 2147483647\r\nBEGIN\r\n"
    );
    let state = played(&game, "H8 H9");
    language.ask(&game, &state, &mut engine).unwrap();
    assert_eq!(engine.told(), "INFO time_left 2147483647\r\nTURN 7,8\r\n");
    // another game than it knows: all stones, by turns
    let state = played(&game, "B1 A3 C1 A2");
    let cell = language.ask(&game, &state, &mut engine).unwrap();
    assert_eq!(game.cell_name(cell), "A1");
    assert_eq!(
        engine.told(),
        "INFO time_left 2147483647\r\nBOARD\r\n1,0,1\r\n0,1,2\r\n2,0,1\r\n0,2,2\r\nDONE\r\nPLAY 0,0\r\n"
    );
    assert_eq!(engine.remarks, ["MESSAGE hello", "DEBUG so many"]);
}

#[test]
fn a_game_that_an_opening_led_to_begins_with_a_board() {
    let game = gomoku();
    let rows = [
        // the other's stone alone is its move
        (Seat::Second, "H8", "TURN 7,7\r\n"),
        (Seat::First, "H8 A1", "BOARD\r\n7,7,1\r\n0,0,2\r\nDONE\r\n"),
        (
            Seat::Second,
            "H8 A1 B1",
            "BOARD\r\n1,0,2\r\n0,0,1\r\n7,7,2\r\nDONE\r\n",
        ),
    ];
    for (seat, moves, expected) in rows {
        let mut language = game.language(Protocol::Gomocup);
        let mut engine = Parrot::saying(&["OK", "3,3"]);
        language.greet(&game, &mut engine).unwrap();
        let state = played(&game, moves);
        let setup = BotGameSetup { seat, ..SETTING };
        language.begin(&game, &state, &setup, &mut engine).unwrap();
        language.ask(&game, &state, &mut engine).unwrap();
        assert!(engine.told().ends_with(expected), "{moves}");
    }
}

#[test]
fn board_size_and_win_length_are_sent() {
    let rows = [
        ((3, 3, 3), "INFO gridpaper_line 3\r\nABOUT\r\nSTART 3\r\n"),
        ((8, 5, 5), "ABOUT\r\nRECTSTART 8,5\r\n"),
        (
            (8, 5, 4),
            "INFO gridpaper_line 4\r\nABOUT\r\nRECTSTART 8,5\r\n",
        ),
    ];
    for ((columns, rows, line), expected) in rows {
        let game = Mnk::<1>::new(columns, rows, line).unwrap();
        let mut engine = Parrot::saying(&["OK"]);
        let mut language = game.language(Protocol::Gomocup);
        language.greet(&game, &mut engine).unwrap();
        assert_eq!(engine.told(), expected);
    }
}

#[test]
fn greetings_are_read_however_old_the_engine() {
    /// What it says, and what is noted of it, or why it does not play.
    type GreetingCase = (
        &'static [&'static str],
        Result<&'static [&'static str], &'static str>,
    );
    let rows: [GreetingCase; 8] = [
        (&["OK"], Ok(&[])),
        (&["ok - everything is good"], Ok(&[])),
        (&["UNKNOWN about", "OK"], Ok(&[])),
        (
            &["Knot 1.2 by somebody", "OK"],
            Ok(&["about=Knot 1.2 by somebody"]),
        ),
        (
            &["", "name = \"Knot\"", "OK"],
            Ok(&["about=name = \"Knot\""]),
        ),
        (
            &["Knot", "ERROR too large"],
            Err("did not start: it does not play on 8x5: `ERROR too large`"),
        ),
        (
            &["Knot", "UNKNOWN RECTSTART"],
            Err("did not start: it does not play on 8x5: `UNKNOWN RECTSTART`"),
        ),
        (&["Knot"], Err("closed its output")),
    ];
    let game = Mnk::<1>::new(8, 5, 5).unwrap();
    for (lines, expected) in rows {
        let mut engine = Parrot::saying(lines);
        let greeted = game.language(Protocol::Gomocup).greet(&game, &mut engine);
        match expected {
            Ok(notes) => {
                greeted.unwrap();
                assert_eq!(engine.notes, notes, "{lines:?}");
            }
            Err(expected) => assert_eq!(greeted.unwrap_err().to_string(), expected),
        }
    }
}

#[test]
fn wrong_answers_are_faults() {
    let rows = [
        ("7;7", "malformed"),
        ("7", "malformed"),
        ("H8", "malformed"),
        ("-1,7", "malformed"),
        ("+1,7", "malformed"),
        ("7,7,1", "malformed"),
        ("OK", "malformed"),
        ("UNKNOWN command", "malformed"),
        ("ERROR no idea", "malformed"),
        ("15,7", "illegal"),
        ("7,15", "illegal"),
        ("99999999999,7", "malformed"),
        ("0,0", "illegal"),
    ];
    let game = gomoku();
    for (answer, kind) in rows {
        let mut engine = Parrot::saying(&["OK", answer]);
        let mut language = game.language(Protocol::Gomocup);
        language.greet(&game, &mut engine).unwrap();
        let state = played(&game, "B1 A1");
        language
            .begin(&game, &state, &SETTING, &mut engine)
            .unwrap();
        let fault = language.ask(&game, &state, &mut engine).unwrap_err();
        assert_eq!(fault.kind(), kind, "{answer}: {fault}");
    }
}

#[test]
fn an_engine_stays_where_it_can_clear_its_board() {
    let game = gomoku();
    let state = game.start();
    for (answers, stays) in [
        (&["OK"][..], true),
        (&["DEBUG bye", "OK"], true),
        (&["UNKNOWN"], false),
        (&[], false),
    ] {
        let mut engine = Parrot::saying(answers);
        let mut language = game.language(Protocol::Gomocup);
        let stayed = language.end(&game, &state, Outcome::Draw, &mut engine);
        assert_eq!(stayed, stays, "{answers:?}");
        let told = engine.told();
        assert_eq!(
            told,
            if stays {
                "RESTART\r\n"
            } else {
                "RESTART\r\nEND\r\n"
            }
        );
    }
}

/// Commands, and what our engine answers: lines after `<`.
fn check(external: &ExternalPlayer, dialogue: &str) {
    let commands = dialogue.lines().filter(|line| !line.starts_with('<'));
    let said: String = commands.map(|line| format!("{line}\r\n")).collect();
    let mut answers = Vec::new();
    serve(external, said.as_bytes(), &mut answers).unwrap();
    let answers = String::from_utf8(answers).unwrap();
    let expected = dialogue.lines().filter_map(|line| line.strip_prefix("< "));
    let expected: Vec<_> = expected.collect();
    assert_eq!(answers.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn built_in_players_are_gomocup_engines() {
    let version = env!("CARGO_PKG_VERSION");
    check(
        &ExternalPlayer::new("heuristic"),
        &format!(
            "ABOUT\n< name=\"gridpaper heuristic\", version=\"{version}\"\n\
             INFO gridpaper_line 3\nINFO timeout_turn 1000\nINFO evaluate 1,1\n\
             start 3\n< OK\n\
             TURN 1,1\n< 2,0\n\
             TURN 2,0\n< ERROR a stone stands on 2,0\n\
             TAKEBACK 2,0\n< OK\n\
             TAKEBACK 2,0\n< ERROR no stone stands on 2,0\n\
             PLAY 0,0\n< 0,0\n\
             TURN 2,2\n< 2,0\n\
             RESTART\n< OK\n\
             BEGIN\n< 1,1\n\
             BEGIN\n< ERROR the board is not empty: send RESTART or BOARD\n\
             BOARD\n0,0,1\n1,0,1\n1,1,2\n2,2,2\nDONE\n< 2,0\n\
             SWAP2BOARD\n< UNKNOWN SWAP2BOARD\n\
             END\nBEGIN\n"
        ),
    );
}

#[test]
fn built_in_engines_refuse_unknown_commands() {
    check(
        &ExternalPlayer::new("random"),
        "BEGIN\n< ERROR there is no board yet: START comes first\n\
         START 20\n< ERROR mnk: `20`: the columns are a number from 1 to 19\n\
         START 4\n< ERROR mnk: `5`: the stones in a row are a number from 1 to 4\n\
         START big\n< ERROR write the size as START 15\n\
         RECTSTART 5\n< ERROR write the size as 15,10\n\
         RECTSTART 1,5\n< OK\n\
         TURN 1,0\n< ERROR 1,0 is off the board\n\
         TURN a\n< ERROR `a`: write a place as 7,8\n\
         BOARD\n0,0,1\n0,1,3\nDONE\n< ERROR `0,1,3`: write x,y,1 or x,y,2\n\
         BOARD\n0,0,2\n0,1,2\n0,2,2\n0,3,2\n0,4,2\nDONE\n< ERROR the game is over\n\
         INFO rule 4\n\
         RESTART\n< OK\n\
         BEGIN\n< ERROR rule 4 is not played here, only rule 0\n\
         END\n",
    );
    let game: AnyGame = "mnk:7,6,4".parse().unwrap();
    let named = ExternalPlayer {
        game: Some(game),
        ..ExternalPlayer::new("random")
    };
    check(
        &named,
        "START 15\n< ERROR mnk:15,15,4 was asked for, and mnk:7,6,4 is played here\n\
         RECTSTART 7,6\n< OK\nEND\n",
    );
    check(
        &ExternalPlayer::new("nobody"),
        "START 3\n< ERROR mnk: `5`: the stones in a row are a number from 1 to 3\n\
         START 15\n< ERROR mnk:15,15,5 has no player `nobody`; its players are random, material, alphabeta, mcts, perfect, heuristic\n",
    );
}

#[test]
fn both_sides_understand_each_other() {
    let game = Mnk::<1>::new(6, 5, 4).unwrap();
    let mut wire = PipedPlayer::to(ExternalPlayer::new("mcts:playouts=30"));
    let mut language = game.language(Protocol::Gomocup);
    language.greet(&game, &mut wire).unwrap();
    assert_eq!(
        wire.notes,
        [
            "name=gridpaper mcts:playouts=30".to_owned(),
            format!("version={}", env!("CARGO_PKG_VERSION"))
        ]
    );
    wire.close().unwrap();
}

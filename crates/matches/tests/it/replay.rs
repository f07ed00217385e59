//! Replays: what is written is read, what was damaged is found, what is untrue is told.

use games::{AnyGame, Dice, Game, JointMove, Outcome, Seat, with_game};
use matches::replay::{
    CheckProblem, MAX_STDERR_CHARS, OpeningOrigin, ReplayCheck, ReplayProblem, positions,
    read_text, result, text,
};
use matches::{Ending, Fault, Opening, ProcessReport, Record, RecordedTurn, replay};
use proptest::prelude::*;
use std::time::Duration;

const GAMES: [&str; 8] = [
    "tictactoe",
    "mnk:15,15,5",
    "duel:turns=30",
    "duel:31x7,turns=9",
    "duel:16x16,turns=12",
    "duel:overspend=truncate,turns=8",
    "stones:plies=40",
    "stones:adjacency=off,plies=20",
];

/// A game by chance, that ends somehow, and what the arena might know of it.
fn random_record(seed: u64) -> Record {
    let mut dice = Dice::new(seed);
    let game: AnyGame = dice.pick(&GAMES).unwrap().parse().unwrap();
    with_game!(&game, |game| played(game, seed, &mut dice))
}

fn played<G: Game>(game: &G, seed: u64, dice: &mut Dice) -> Record {
    let pair = dice.word() >> dice.below(64);
    let opened = Opening::OfGame.draw(game, seed, pair);
    let mut state = game.start();
    let mut write = |joint: JointMove<G::Move>| {
        let text = matches::write_turn(game, &state, joint);
        game.apply(&mut state, joint);
        (text, state.clone())
    };
    let opening = opened.joints.iter().map(|&j| write(j).0).collect();
    let mut end = opened.state.clone();
    let mut turns = Vec::new();
    let is_faulty = dice.below(2) == 0;
    let most = if is_faulty { dice.below(20) } else { u32::MAX };
    while (turns.len() as u32) < most
        && let Ok(joint) = game.random_joint(&end, dice)
    {
        let text;
        (text, end) = write(joint);
        let spent = [(); 2].map(|()| random_time(dice));
        turns.push(RecordedTurn { text, spent });
    }
    let turn = game.turn(&end);
    let ending = match turn.outcome() {
        Some(_) => Ending::Rules,
        None if dice.below(4) == 0 => Ending::Unfinished,
        None if dice.below(4) == 0 => Ending::Resigned(dice.pick(&Seat::BOTH).unwrap()),
        None => Ending::Faults(Seat::BOTH.map(|seat| {
            let can = turn.asks(seat) || turns.is_empty();
            let is_last = seat == Seat::Second || !turn.asks(Seat::Second);
            let does = can && (is_last || dice.coin());
            does.then(|| random_fault(dice))
        })),
    };
    let outcome = turn.outcome().or(ending.outcome());
    let outcome = outcome.unwrap_or(Outcome::Draw);
    Record {
        game: game.name(),
        players: [(); 2].map(|()| random_text(dice)),
        seed,
        pair,
        opening,
        turns,
        outcome,
        ending,
        hash: game.hash(&end),
        reports: [(); 2].map(|()| random_aftermath(dice)),
    }
}

fn random_time(dice: &mut Dice) -> Option<Duration> {
    match dice.below(4) {
        0 => None,
        1 => Some(Duration::from_micros(dice.word() >> (20 + dice.below(44)))),
        2 => Some(Duration::from_nanos(dice.word() >> dice.below(64))),
        _ => Some(Duration::new(dice.word(), dice.below(1_000_000_000))),
    }
}

fn random_fault(dice: &mut Dice) -> Fault {
    match dice.below(9) {
        0 => Fault::NotStarted(random_text(dice)),
        1 => Fault::Late {
            limit: random_time(dice).unwrap_or_default(),
        },
        2 => Fault::Crashed(random_text(dice)),
        3 => Fault::Closed,
        4 => Fault::Deaf,
        5 => Fault::Flood { bytes: dice.word() },
        6 => Fault::Malformed {
            line: random_text(dice),
            problem: random_text(dice),
        },
        7 => Fault::Illegal {
            text: random_text(dice),
            problem: random_text(dice),
        },
        _ => Fault::Caged(random_text(dice)),
    }
}

/// Text of the kinds that break formats.
fn random_text(dice: &mut Dice) -> String {
    const PARTS: [&str; 20] = [
        "",
        " ",
        "\n",
        "\r\n",
        "\\",
        "\\e",
        "\t",
        "bot",
        "alphabeta:depth=4",
        "ä✎",
        "\u{1b}[31m",
        "\u{202e}",
        "first",
        "~00",
        "/",
        "'",
        "\u{0}",
        "\u{a0}",
        "gridpaper replay 1",
        "{x}",
    ];
    let parts = dice.below(5);
    (0..parts).map(|_| dice.pick(&PARTS).unwrap()).collect()
}

fn random_aftermath(dice: &mut Dice) -> ProcessReport {
    let mut texts = |most| {
        let count = dice.below(most);
        (0..count).map(|_| random_text(dice)).collect::<Vec<_>>()
    };
    ProcessReport {
        about: texts(3).into_iter().zip(texts(3)).collect(),
        notes: texts(3),
        stderr: texts(2).concat(),
    }
}

/// The one game of a text.
fn only(text: &str) -> Record {
    let mut games = read_text(text);
    let replay = games.next().unwrap().unwrap();
    assert!(games.next().is_none());
    replay.record
}

#[test]
fn written_games_are_read_and_replay() {
    for seed in 0..400 {
        let record = random_record(seed);
        let written = text(&record);
        assert_eq!(only(&written), record, "{written}");
        let checked = replay::check(&record).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(checked.turns, record.turns.len());
        if record.game != "tictactoe" {
            assert_eq!(checked.opening, OpeningOrigin::OfGame, "{written}");
        }
    }
}

#[test]
fn lines_are_short_where_moves_are() {
    for seed in 0..100 {
        let record = Record {
            reports: Default::default(),
            ..random_record(seed)
        };
        let length = |turn: &RecordedTurn| {
            // a time has as many digits as it has nanoseconds, at most
            let times = turn.spent.iter().flatten();
            turn.text.len()
                + times
                    .map(|t| t.as_nanos().to_string().len() + 2)
                    .sum::<usize>()
        };
        let longest = record.turns.iter().map(length).max().unwrap_or(0);
        if longest < 80 {
            for line in text(&record).lines().filter(|l| l.starts_with(' ')) {
                assert!(line.chars().count() <= 96, "{line}");
            }
        }
    }
}

/// Six kilobytes where moves take up to 10 ms, a little more at the contest's 50 ms.
#[test]
fn a_duel_of_200_turns_is_small() {
    let AnyGame::Duel8(game) = "duel".parse().unwrap() else {
        unreachable!("the duel is on 8x8 cells");
    };
    for (slowest, most) in [(100, 5400), (10_000, 6144), (50_000, 6500)] {
        let mut dice = Dice::new(1);
        let mut state = game.start();
        let mut turns = Vec::new();
        while let Ok(joint) = game.random_joint(&state, &mut dice) {
            let text = matches::write_turn(&game, &state, joint);
            game.apply(&mut state, joint);
            let spent = [(); 2].map(|()| dice.below(slowest).into());
            let spent = spent.map(|time| Some(Duration::from_micros(time)));
            turns.push(RecordedTurn { text, spent });
        }
        assert_eq!(turns.len(), 200);
        let record = Record {
            turns,
            ..sample("duel", &[], &[])
        };
        let length = text(&record).len();
        assert!(length < most, "{length}");
    }
}

/// A game by its turns, with all else as it is.
fn sample(game: &str, opening: &[&str], turns: &[&str]) -> Record {
    let any: AnyGame = game.parse().unwrap();
    let (outcome, hash) = with_game!(&any, |game| {
        let mut state = game.start();
        for text in opening.iter().chain(turns) {
            let joint = matches::parse_turn(game, &state, text).unwrap();
            game.apply(&mut state, joint);
        }
        (game.turn(&state).outcome(), game.hash(&state))
    });
    let turn = |text: &&str| RecordedTurn {
        text: (*text).into(),
        spent: [None; 2],
    };
    Record {
        game: game.into(),
        players: ["perfect".into(), "random".into()],
        seed: 7,
        pair: 0,
        opening: opening.iter().map(|&text| text.into()).collect(),
        turns: turns.iter().map(turn).collect(),
        outcome: outcome.unwrap_or(Outcome::Draw),
        ending: Ending::Rules,
        hash,
        reports: Default::default(),
    }
}

/// The text is a promise to whoever keeps files: it does not change unnoticed.
#[test]
fn the_format_is_as_it_was() {
    let mut record = sample("tictactoe", &["A1"], &["B2", "C3", "A2"]);
    record.players[1] = "cmd:'my bot' --fast".into();
    record.turns[0].spent = [None, Some(Duration::from_nanos(812_500))];
    record.turns[1].spent = [Some(Duration::from_micros(97)), None];
    record.outcome = Outcome::Win(Seat::Second);
    record.ending = Ending::fault(
        Seat::First,
        Fault::Illegal {
            text: "A 1".into(),
            problem: "A1 is taken".into(),
        },
    );
    record.reports[1] = ProcessReport {
        about: vec![("name".into(), "Minnie 2.0".into())],
        notes: vec!["left 2 processes behind".into()],
        stderr: "warming up\nthinking ".into(),
    };
    let expected = r"gridpaper replay 1
game tictactoe
first perfect
second cmd:'my bot' --fast
seed 7
pair 0
opening 1
 A1 ~MARK
moves 3
 B2:/812.5 C3:97 A2 ~MARK
result second wins
ending faults
fault first illegal A\s1 A1 is taken
about second name Minnie 2.0
note second left 2 processes behind
said second warming up
said second thinking\s
hash HASH
sum SUM

";
    let written = text(&record);
    let plain: Vec<_> = written
        .lines()
        .map(|line| match line.split_once(" ~") {
            Some((moves, _)) => format!("{moves} ~MARK"),
            None if line.starts_with("hash ") => "hash HASH".into(),
            None if line.starts_with("sum ") => "sum SUM".into(),
            None => line.into(),
        })
        .collect();
    assert_eq!(plain.join("\n") + "\n", expected);
    assert_eq!(only(&written), record);
    assert_eq!(
        only(&written.replace('\n', "\r\n")),
        record,
        "line ends do not matter"
    );
    let fault = "the first seat: played `A 1`: A1 is taken";
    let words = result(&record);
    let winner = "second wins: cmd:'my bot' --fast against perfect";
    assert_eq!(words, format!("{winner}; {fault}"));
}

#[test]
fn only_the_end_of_stderr_is_written() {
    let mut record = sample("tictactoe", &[], &["A1", "A2", "B1", "B2", "C1"]);
    record.reports[0].stderr = format!("{}end", "é\n".repeat(MAX_STDERR_CHARS));
    let read = only(&text(&record));
    let said = &read.reports[0].stderr;
    assert_eq!(said.chars().count(), MAX_STDERR_CHARS);
    assert!(said.starts_with('…') && said.ends_with("é\nend"), "{said}");
    assert_eq!(only(&text(&read)), read, "it is cut once");
}

/// Whatever byte is changed to whatever: the file is refused, or says the same.
#[test]
fn no_change_of_a_byte_goes_unseen() {
    let record = Record {
        turns: random_record(3).turns,
        ..random_record(9)
    };
    let good = text(&record) + &text(&sample("tictactoe", &[], &["A1"]));
    let wanted: Vec<_> = read_text(&good).map(|game| game.unwrap().record).collect();
    let mut dice = Dice::new(4);
    let mut bytes = good.into_bytes();
    for at in 0..bytes.len() {
        let before = bytes[at];
        let others = [b'\n', b' ', b'~', b'0', b':', dice.word() as u8, before ^ 1];
        for other in others.into_iter().filter(|&other| other != before) {
            bytes[at] = other;
            let line = 1 + bytes[..at].iter().filter(|&&b| b == b'\n').count() as u64;
            let games: Result<Vec<_>, _> = replay::read(&bytes[..]).collect();
            match games {
                Ok(games) => {
                    let games: Vec<_> = games.into_iter().map(|game| game.record).collect();
                    assert_eq!(games, wanted, "byte {at} of line {line}");
                }
                // found where it is, or later where its line says nothing that can be wrong
                Err(e) => {
                    let to = match e.problem {
                        ReplayProblem::Changed { to: Some(to) } => to,
                        _ => u64::MAX,
                    };
                    assert!(
                        e.line <= line + 1 && line <= to,
                        "byte {at} of line {line}: {e}"
                    );
                }
            }
        }
        bytes[at] = before;
    }
}

#[test]
fn damage_is_reported_with_its_location() {
    let mut record = sample("tictactoe", &["A1"], &["B2", "C3", "A2"]);
    record.ending = Ending::fault(Seat::First, Fault::Deaf);
    record.outcome = Outcome::Win(Seat::Second);
    let good = text(&record);
    assert_eq!(only(&good), record);
    let rows: [(&str, &str, &str); 16] = [
        (
            "gridpaper replay 1",
            "gridpaper replay 2",
            "1:18: this replay is of version 2",
        ),
        ("gridpaper replay 1", "x = 3", "1:1: a replay begins with"),
        (
            "game tictactoe",
            "gane tictactoe",
            "2:1: a line with `game` should stand here",
        ),
        ("first perfect", r"first per\fect", "3:10: a backslash"),
        ("first perfect\n", "", "3:1: a line with `first`"),
        (
            "seed 7",
            "seed +7",
            "5:6: `+7` stands where a whole number should",
        ),
        (
            "seed 7",
            "seed 8",
            "2:1: this is not as it was written, here or further on up to line 8",
        ),
        (" B2", " C2", "9:1: this is not as it was written"),
        ("moves 3", "moves 4", "9:1: this is not as it was written, "),
        (
            "second wins",
            "second won",
            "11:8: `second won` stands where first wins",
        ),
        (
            "ending faults",
            "ending fault",
            "12:8: `fault` stands where rules, settled",
        ),
        (
            "fault first deaf",
            "fault first dead",
            "13:13: `dead` stands where a kind of fault",
        ),
        (
            "fault first deaf",
            "fault third deaf",
            "13:7: `third deaf` stands where first or",
        ),
        ("\nsum ", "\nsum 0", "15:5: `"),
        (
            "result",
            "gridpaper replay 1\nresult",
            "11:1: a line with `result`",
        ),
        (" ~", " \u{7f}~", "8:"),
    ];
    for (from, to, expected) in rows {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        let error = read_text(&bad).next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{to}: {error}");
    }
    let cut = &good[..good.len() / 2];
    let error = read_text(cut).next().unwrap().unwrap_err();
    assert!(
        matches!(
            error.problem,
            ReplayProblem::Word { .. } | ReplayProblem::End | ReplayProblem::Changed { .. }
        ),
        "{error}"
    );
    assert_eq!(read_text("").count(), 0);
    assert_eq!(read_text("\n \n").count(), 0);
}

#[test]
fn a_damaged_game_does_not_cost_the_others() {
    let records: Vec<_> = (0..6).map(random_record).collect();
    let mut file = String::new();
    for (i, record) in records.iter().enumerate() {
        let game = text(record);
        file += &match i {
            1 => game.replacen("seed", "sed", 1),
            // cut off in the middle, and another game follows at once
            3 => game
                .lines()
                .take(7)
                .map(|line| format!("{line}\n"))
                .collect(),
            _ => game,
        };
    }
    let read: Vec<_> = read_text(&file).collect();
    assert_eq!(read.len(), 6);
    for (i, (record, game)) in records.iter().zip(&read).enumerate() {
        match game {
            Ok(game) => assert_eq!(&game.record, record),
            Err(_) => assert!([1, 3].contains(&i), "{i}"),
        }
    }
    assert_eq!(read.iter().filter(|game| game.is_err()).count(), 2);
}

#[test]
fn a_contradiction_is_reported_with_its_location() {
    let win = || sample("tictactoe", &["A1"], &["A2", "B1", "B2", "C1"]);
    assert_eq!(
        replay::check(&win()),
        Ok(ReplayCheck {
            opening: OpeningOrigin::Elsewhere,
            turns: 4
        })
    );
    type Lie = fn(&mut Record);
    let rows: [(Lie, &str); 15] = [
        (|r| r.game = "chess".into(), "2:6: there is no game `chess`"),
        (
            |r| r.opening[0] = "D1".into(),
            "8:2: turn 1 of the opening: `D1`: ",
        ),
        (
            |r| r.turns[2].text = "A2".into(),
            "10:8: turn 3 after the opening: `A2`: A2 is taken",
        ),
        (
            |r| {
                let more = r.turns[0].clone();
                r.turns.push(more);
            },
            "10:14: turn 5 after the opening: `A2`: the game is over",
        ),
        (
            |r| drop(r.turns.pop()),
            "12:8: the game is said to have ended, and its rules",
        ),
        (
            |r| {
                r.turns.truncate(1);
                r.ending = Ending::Settled;
            },
            "12:8: the result is said to be certain",
        ),
        (
            |r| r.outcome = Outcome::Draw,
            "11:8: the result is said to be `draw`",
        ),
        (
            |r| r.ending = Ending::fault(Seat::First, Fault::Deaf),
            "12:8: a fault is said to have",
        ),
        (
            |r| {
                r.turns.pop();
                r.ending = Ending::Faults([None, None]);
            },
            "12:8: a fault is said to have ended the game, and none",
        ),
        (
            |r| {
                r.turns.pop();
                r.ending = Ending::fault(Seat::Second, Fault::Deaf);
            },
            "12:8: the second seat is said to have lost by a fault",
        ),
        (
            |r| {
                r.turns.pop();
                r.ending = Ending::fault(Seat::First, Fault::Deaf);
            },
            "11:8: the result is said to be `first wins`, and it is `second wins`",
        ),
        (
            |r| r.ending = Ending::Resigned(Seat::Second),
            "12:8: the second seat is said to have resigned a game that was over",
        ),
        (
            |r| {
                r.turns.pop();
                r.ending = Ending::Resigned(Seat::First);
            },
            "11:8: the result is said to be `first wins`, and it is `second wins`",
        ),
        (
            |r| r.ending = Ending::Unfinished,
            "12:8: the game is said not to be finished, and it is over",
        ),
        (|r| r.hash ^= 1, "13:6: the last position has the hash"),
    ];
    for (lie, expected) in rows {
        let mut record = win();
        lie(&mut record);
        let written = text(&record);
        let replay = read_text(&written).next().unwrap().unwrap();
        let error = replay.check().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n{written}");
    }
}

/// A game that people sat at, from its turns alone.
#[test]
fn games_at_tables_are_records_whatever_their_end() {
    let turns = |texts: &[&str]| {
        let turn = |text: &&str| RecordedTurn {
            text: (*text).into(),
            spent: [Some(Duration::from_millis(40)), None],
        };
        texts.iter().map(turn).collect::<Vec<_>>()
    };
    let made = |played: &[&str], ending| {
        let players = ["human:Ada".into(), "human".into()];
        let opening = vec!["A1".into()];
        Record::from_table("tictactoe".into(), players, opening, turns(played), ending)
    };
    let rows = [
        (
            &["A2", "B1", "B2", "C1"][..],
            Ending::Rules,
            "first wins: human:Ada against human",
        ),
        (
            &["A2", "B1"],
            Ending::Resigned(Seat::First),
            "second wins: human against human:Ada; the first seat resigned",
        ),
        (
            &["A2"],
            Ending::Unfinished,
            "not finished: human:Ada against human",
        ),
        (
            &[],
            Ending::Unfinished,
            "not finished: human:Ada against human",
        ),
    ];
    for (played, ending, words) in rows {
        let record = made(played, ending).unwrap();
        assert_eq!(replay::result(&record), words);
        assert_eq!(
            record.result().is_none(),
            record.ending == Ending::Unfinished
        );
        let written = text(&record);
        let read = read_text(&written).next().unwrap().unwrap();
        assert_eq!(read.record, record, "{written}");
        assert_eq!(
            replay::check(&record).map(|checked| checked.turns),
            Ok(played.len())
        );
    }
    let rows = [
        (
            &["A2"][..],
            Ending::Rules,
            "the game is said to have ended, and its rules let it go on",
        ),
        (
            &["A1"],
            Ending::Unfinished,
            "turn 1 after the opening: `A1`: A1 is taken",
        ),
        (
            &["A2", "B1", "B2", "C1"],
            Ending::Unfinished,
            "the game is said not to be finished, and it is over",
        ),
    ];
    for (played, ending, words) in rows {
        assert_eq!(made(played, ending).unwrap_err().to_string(), words);
    }
}

/// Without a result no winner is named, and the rest is as in other games.
#[test]
fn a_game_without_a_result_is_not_finished() {
    let record = Record::from_table(
        "tictactoe".into(),
        ["human".into(), "perfect".into()],
        Vec::new(),
        Vec::new(),
        Ending::Unfinished,
    );
    let written = text(&record.unwrap());
    assert!(
        written.contains("result none\nending unfinished\n"),
        "{written}"
    );
    let rows = [
        (
            "result none",
            "result draw",
            "10:8: `unfinished` stands where rules, settled, faults or resigned SEAT",
        ),
        (
            "ending unfinished",
            "ending rules",
            "10:8: `rules` stands where unfinished",
        ),
        (
            "ending unfinished",
            "ending resigned third",
            "10:8: `resigned third` stands where unfinished",
        ),
        (
            "result none",
            "result nobody",
            "9:8: `nobody` stands where first wins",
        ),
    ];
    for (from, to, expected) in rows {
        let text = written.replace(from, to);
        let error = read_text(&text).next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n{text}");
    }
}

#[test]
fn the_origin_of_an_opening_is_found() {
    let game: AnyGame = "mnk:9,9,5".parse().unwrap();
    let drawn = |opening: Opening, pair| {
        let mut record = sample("mnk:9,9,5", &[], &[]);
        record.opening = with_game!(&game, |game| {
            let mut state = game.start();
            let joints = opening.draw(game, record.seed, pair).joints;
            let write = |&joint: &_| {
                let text = matches::write_turn(game, &state, joint);
                game.apply(&mut state, joint);
                text
            };
            let opening = joints.iter().map(write).collect();
            record.hash = game.hash(&state);
            opening
        });
        record.ending = Ending::fault(Seat::Second, Fault::Closed);
        record.outcome = Outcome::Win(Seat::First);
        replay::check(&record).unwrap().opening
    };
    assert_eq!(drawn(Opening::OfGame, 0), OpeningOrigin::OfGame);
    assert_eq!(drawn(Opening::Turns(9..=9), 0), OpeningOrigin::OfTurns);
    assert_eq!(drawn(Opening::Turns(9..=12), 0), OpeningOrigin::OfTurns);
    assert_eq!(drawn(Opening::OfGame, 1), OpeningOrigin::Elsewhere);
}

#[test]
fn positions_lead_from_the_start_to_the_end() {
    let record = sample("tictactoe", &["A1"], &["A2", "B1", "B2", "C1"]);
    let frames: Vec<_> = positions(&record).unwrap().map(Result::unwrap).collect();
    assert_eq!(frames.len(), 6);
    let stones = |i: usize| {
        let cells = frames[i].diagram.cells.iter();
        cells
            .filter(|&&mark| mark != games::DiagramMark::Empty)
            .count()
    };
    for (i, frame) in frames.iter().enumerate() {
        assert_eq!((frame.turn, stones(i)), (i, i));
        assert_eq!(frame.is_opening, i == 1);
    }
    assert_eq!(frames[0].text, None);
    assert_eq!(frames[5].text.as_deref(), Some("C1"));
    // what cannot be played ends it
    let mut record = record;
    record.turns[1].text = "A1".into();
    let frames: Vec<_> = positions(&record).unwrap().collect();
    assert_eq!(frames.len(), 4);
    let error = frames[3].as_ref().unwrap_err();
    assert!(
        matches!(error.problem, CheckProblem::Move { .. }),
        "{error}"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let _ = replay::read(&bytes[..]).count();
    }

    /// Lines of the right kind in any order reach further than bytes do.
    #[test]
    fn no_lines_make_it_panic(lines in proptest::collection::vec(line(), 0..30)) {
        let text = lines.join("\n");
        for game in read_text(&text).flatten() {
            let _ = game.check();
        }
    }

    /// Real games with a few bytes changed, sums made right again where that is possible.
    #[test]
    fn damaged_games_make_nothing_panic(seed in 0u64..1000, changes: Vec<(usize, u8)>) {
        let mut bytes = text(&random_record(seed)).into_bytes();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let _ = replay::read(&bytes[..]).count();
    }

    /// Records that are no games at all are written, read and refused like others.
    #[test]
    fn any_record_comes_back(
        game: String,
        first: String,
        second: String,
        moves in proptest::collection::vec(any::<String>(), 0..20),
        seed in 0u64..1000,
    ) {
        let turn = |text: &String| RecordedTurn { text: text.clone(), spent: [None; 2] };
        let record = Record {
            game,
            players: [first, second],
            turns: moves.iter().map(turn).collect(),
            opening: moves,
            ..random_record(seed)
        };
        prop_assert_eq!(only(&text(&record)), record.clone());
        let _ = replay::check(&record);
        if let Ok(frames) = positions(&record) {
            let _ = frames.count();
        }
    }
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("gridpaper replay 1".to_string()),
        "(game|first|second|seed|pair|opening|moves|result|ending|hash|sum) ?.{0,20}",
        "(fault|about|note|said) (first|second) [a-z:/ \\\\~0-9]{0,20}",
        "(opening|moves|seed|pair) [0-9]{1,20}",
        " [A-C][1-3](:[0-9/.]{0,5})? ~[0-9a-f]{2}",
        "(fault first )?(late|flood|malformed|illegal) [0-9. ]{0,40}",
        ".{0,30}",
    ]
}

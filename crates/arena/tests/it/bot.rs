//! Bots as processes: good ones play, and every kind of misbehaviour is reported.

use arena::bot::MAX_LINE_BYTES;
use arena::{GamePairing, Match, MatchConditions, new_runner};
use cage::CageMode;
use games::{Outcome, Seat};
use matches::{Ending, Fault, Opening, Record, StopCondition, TimeControl};
use prerequisite::{Prerequisite, missing};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// A bot of the zoo, as players are written.
fn zoo(options: &str, words: &str) -> String {
    // the main of a test is not ours
    cage::use_supervisor_program(Path::new(env!("CARGO_BIN_EXE_gridpaper-zoo")));
    format!(
        "cmd[{options}]:{} {words}",
        env!("CARGO_BIN_EXE_gridpaper-zoo")
    )
}

fn contest(game: &str, bots: [&str; 2], games: u64, time_control: &str) -> Match {
    let time_control: TimeControl = time_control.parse().unwrap();
    let players = bots.map(|bot| bot.parse().unwrap());
    Match {
        games,
        opening: Opening::Turns(0..=0),
        conditions: MatchConditions {
            time_control: Some(time_control),
            ..MatchConditions::default()
        },
        is_recorded: true,
        ..Match::new(game.parse().unwrap(), players)
    }
}

fn play(contest: &Match) -> Vec<Record> {
    let mut records = Vec::new();
    let told = contest.run(&AtomicBool::new(false), &mut |_, new| {
        records.extend_from_slice(new);
        ControlFlow::Continue(())
    });
    told.unwrap();
    records
}

/// Enough for any bot that answers at once, on any machine.
const LONG: &str = "20000,10000";
/// Enough for most, where a bot that does not answer is waited for.
const SHORT: &str = "2000,250";

/// A game, a bot, the kind of its fault, and how the message begins.
type BadBotCase<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Each bad bot with its fault.
const BAD: &[BadBotCase<'_>] = &[
    ("duel", "late 3", "late", "no answer in 250 ms"),
    ("duel", "rest", "late", "no answer in 2000 ms"),
    ("duel", "unfinished", "late", "no answer in 2000 ms"),
    (
        "duel",
        "crash 5",
        "crashed",
        "its process ended: exit code 3; its last words: out of ideas",
    ),
    (
        "duel",
        "leave 1",
        "crashed",
        "its process ended: exit code 0",
    ),
    (
        "duel",
        "abort 2",
        "crashed",
        "its process ended: signal 6 (abort)",
    ),
    (
        "duel",
        "held-open 2",
        "crashed",
        "its process ended: exit code 7",
    ),
    ("duel", "close 4", "closed", "closed its output"),
    (
        "duel",
        "say 2 '+1 0 0 0 0 0 0 0'",
        "malformed",
        "answered `+1 0 0 0 0 0 0 0`: ",
    ),
    (
        "duel",
        "say 1 '01 0 0 0 0 0 0 0'",
        "malformed",
        "answered `01 0 0 0 0 0 0 0`: ",
    ),
    (
        "duel",
        "say 3 '0 0 0 0 0 0 0'",
        "malformed",
        "answered `0 0 0 0 0 0 0`: ",
    ),
    (
        "duel",
        "say 3 '0 0 0 0 0 0 0 0 0'",
        "malformed",
        "answered `0 0 0 0 0 0 0 0 0`: ",
    ),
    (
        "duel",
        "say 1 00000000",
        "malformed",
        "answered `00000000`: ",
    ),
    ("duel", "say 1 ''", "malformed", "answered ``: "),
    (
        "duel",
        "garbage",
        "malformed",
        "answered `0 \u{fffd}\u{fffd} 0 \u{fffd} 0\u{fffd}[31m 0`: ",
    ),
    (
        "duel",
        "overspend",
        "illegal",
        "played `1 1 1 1 1 1 1 1`: that costs 8 mana, and there is 6",
    ),
    ("duel", "flood", "flood", "printed "),
    ("duel:16x16", "blind", "deaf", "does not read its input"),
    (
        "duel",
        "no-such-bot",
        "crashed",
        "its process ended: exit code 2; its last words: no such bot: [\"no-such-bot\"]",
    ),
];

/// Each bad bot of the text protocol.
const BAD_TEXT: &[BadBotCase<'_>] = &[
    (
        "tictactoe",
        "rest",
        "not-started",
        "did not start: no greeting in 2000 ms",
    ),
    (
        "tictactoe",
        "greet hello",
        "not-started",
        "did not start: greeted with `hello` instead of `name NAME`",
    ),
    (
        "tictactoe",
        "greet name",
        "not-started",
        "did not start: greeted with `name` instead",
    ),
    ("tictactoe", "deaf", "late", "no answer in 2000 ms"),
    (
        "tictactoe",
        "text-twice",
        "malformed",
        "answered `and B2`: ",
    ),
    (
        "tictactoe",
        "text-say Z9",
        "illegal",
        "played `Z9`: Z9 is off the board",
    ),
    (
        "tictactoe",
        "text-say centre",
        "malformed",
        "answered `centre`: ",
    ),
    ("tictactoe", "text-say ''", "malformed", "answered ``: "),
    // no bot paints the terminal of whoever reads about it
    (
        "tictactoe",
        "text-say 'A1\u{1b}[31m'",
        "malformed",
        "answered `A1\u{fffd}[31m`: `A1\u{fffd}[31m` is no move",
    ),
    (
        "duel",
        "text-say 11111111",
        "illegal",
        "played `11111111`: that costs 8 mana",
    ),
    ("tictactoe", "chatter-of-remarks", "flood", "printed "),
    ("stones", "text", "illegal", "played `A1`: "),
];

/// Plays each bad bot against a good one. It loses every game, in either seat, with its
/// fault; the batch goes on.
fn check_bad(rows: &[BadBotCase<'_>], options: &str, good: &str) {
    // two at a time: most of them are waited for
    let next = std::sync::Mutex::new(rows.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(row) = { next.lock().unwrap().next() } {
                    check_bad_one(row, options, good);
                }
            });
        }
    });
}

fn check_bad_one(&(game, words, kind, told): &BadBotCase<'_>, options: &str, good: &str) {
    let more = match words {
        "bomb" => ",processes=9",
        _ if words.starts_with("held-open") => ",processes=4",
        _ => "",
    };
    let bad = zoo(&format!("{options}{more}"), words);
    let good = zoo(options, good);
    let records = play(&contest(game, [&bad, &good], 2, SHORT));
    assert_eq!(records.len(), 2, "{words}");
    for (record, seat) in records.iter().zip(Seat::BOTH) {
        let fault = record.ending.of(seat);
        let fault = fault.unwrap_or_else(|| panic!("{words}: {:?}", record.ending));
        let verdict = fault.to_string();
        assert!(verdict.starts_with(told), "{words}: {verdict}");
        assert_eq!(fault.kind(), kind, "{words}");
        assert_eq!(record.ending.of(seat.other()), None, "{words}");
        assert_eq!(record.outcome, Outcome::Win(seat.other()), "{words}");
        assert_eq!(record.players[seat.index()], bad);
    }
}

#[test]
fn each_bad_bot_has_its_fault() {
    check_bad(BAD, "contest", "zeros");
}

#[test]
fn each_bad_bot_of_the_text_protocol_has_its_fault() {
    check_bad(BAD_TEXT, "text", "text moves again");
}

#[test]
fn a_missing_program_does_not_start() {
    let good = zoo("", "zeros");
    let records = play(&contest("duel", ["cmd:/no/such/bot", &good], 4, LONG));
    assert_eq!(records.len(), 4);
    for record in &records {
        assert_eq!(record.ending.kind(), "not-started");
        let told: Vec<_> = Seat::BOTH
            .iter()
            .filter_map(|&s| record.ending.of(s))
            .collect();
        assert!(told[0].to_string().contains("/no/such/bot"), "{}", told[0]);
    }
}

#[test]
fn where_both_are_bad_it_is_a_draw() {
    let bots = [zoo("", "overspend"), zoo("", "crash 1")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 2, LONG));
    for (record, seat) in records.iter().zip(Seat::BOTH) {
        assert_eq!(record.outcome, Outcome::Draw);
        assert_eq!(record.ending.of(seat).map(Fault::kind), Some("illegal"));
        let other = record.ending.of(seat.other());
        assert_eq!(other.map(Fault::kind), Some("crashed"));
    }
}

#[test]
fn odd_bots_of_the_contest_that_do_nothing_wrong_play_on() {
    for words in [
        "zeros", "crlf", "drip", "twice", "loud", "random 7", "forker",
    ] {
        let bots = [zoo("processes=9", words), zoo("", "random 1")];
        let records = play(&contest("duel", [&bots[0], &bots[1]], 2, LONG));
        for record in &records {
            assert_eq!(record.ending, Ending::Rules, "{words}");
            assert_eq!(record.turns.len(), 200, "{words}");
            assert!(
                record
                    .turns
                    .iter()
                    .all(|t| t.spent.iter().all(Option::is_some))
            );
        }
    }
}

/// The sizes of the parts in which bots print what they print in advance.
const PARTS: [usize; 4] = [1, 7, 4096, 1 << 20];

/// Answers in advance are the answers of the next turns, in whatever parts they come: a game
/// is the same in all of them, and so is a fault.
#[test]
fn answers_in_advance_are_those_of_the_next_turns() {
    // 200 turns take 200 of them, and 20,000 are more than any pipe holds
    for times in [200, 201, 20_000] {
        let mut hashes = Vec::new();
        for size in PARTS.into_iter().filter(|size| times < 1000 || *size > 7) {
            let words = format!("ahead {size} '{times}*0 0 0 0 0 0 0 0'");
            let bots = [zoo("", &words), zoo("", "zeros")];
            let record = &play(&contest("duel", [&bots[0], &bots[1]], 1, LONG))[0];
            assert_eq!(record.ending, Ending::Rules, "{times} by {size}");
            assert_eq!(record.turns.len(), 200);
            hashes.push(record.hash);
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{times}");
    }
    let bots = [zoo("", "chatter"), zoo("", "zeros")];
    let record = &play(&contest("duel:2x8", [&bots[0], &bots[1]], 1, LONG))[0];
    assert_eq!(record.ending, Ending::Rules, "one that never stops");
}

#[test]
fn a_wrong_answer_in_advance_counts_in_its_turn() {
    let named = "'1*name x'";
    let rows = [
        // one answer is right, and the next is not
        ("'2*B2'", "illegal", "played `B2`: "),
        ("'1*B2' '1*and more'", "malformed", "answered `and more`: "),
        // 9999 lines may be passed over before an answer, and no more
        ("'9999*#' '2*B2'", "illegal", "played `B2`: "),
        ("'10000*#' '1*B2'", "flood", "printed 20003 bytes "),
    ];
    for (lines, kind, told) in rows {
        for size in PARTS {
            let words = format!("ahead {size} {named} {lines}");
            check_bad_one(&("tictactoe", &words, kind, told), "text", "text again");
        }
    }
    for size in PARTS {
        let words = |length| format!("ahead-long {size} {length}");
        let row = (
            "duel",
            &*words(MAX_LINE_BYTES),
            "malformed",
            "answered `0000",
        );
        check_bad_one(&row, "contest", "zeros");
        let row = (
            "duel",
            &*words(MAX_LINE_BYTES + 1),
            "flood",
            "printed 65537 bytes ",
        );
        check_bad_one(&row, "contest", "zeros");
    }
}

#[test]
fn a_bot_that_knows_both_protocols_plays_the_same_game() {
    let bots = ["contest", "text", "text"].map(|protocol| {
        let words = if protocol == "text" {
            "text again"
        } else {
            "zeros"
        };
        zoo(protocol, words)
    });
    let first = play(&contest("duel", [&bots[0], "random"], 4, LONG));
    let second = play(&contest("duel", [&bots[1], "random"], 4, LONG));
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first.hash, second.hash);
        assert_eq!(first.outcome, second.outcome);
    }
}

#[test]
fn every_game_is_played_in_the_text_protocol() {
    for game in [
        "tictactoe",
        "mnk:15,15,5",
        "stones",
        "duel:16x16",
        "duel:6x9",
    ] {
        let bot = zoo("text", "text moves again");
        let records = play(&contest(game, [&bot, "random"], 2, LONG));
        for record in &records {
            assert_eq!(record.ending, Ending::Rules, "{game}");
            assert!(!record.turns.is_empty());
        }
    }
}

#[test]
fn observations_without_a_fault_are_notes() {
    let rows = [
        ("outlive", "outlived the game by "),
        ("forker", "left 1 process behind, ended with it"),
    ];
    for (words, told) in rows {
        let bots = [zoo("processes=9", words), zoo("", "zeros")];
        let records = play(&contest("duel", [&bots[0], &bots[1]], 4, LONG));
        for (i, record) in records.iter().enumerate() {
            assert_eq!(record.ending, Ending::Rules, "{words}");
            let notes = &record.reports[i % 2].notes;
            assert!(
                notes.iter().any(|n| n.starts_with(told)),
                "{words}: {notes:?}"
            );
            let other = &record.reports[1 - i % 2].notes;
            assert!(other.is_empty(), "{words}: {other:?}");
        }
    }
}

/// Whether every layer of the cage holds here, as a record tells it.
#[track_caller]
fn is_caged(record: &Record) -> bool {
    let about = &record.reports[0].about;
    let cage = about.iter().find(|(key, _)| key == "cage");
    let holds = cage.is_some_and(|(_, layers)| !layers.contains("without"));
    if !holds {
        missing(Prerequisite::Cage, format!("a record tells {cage:?}"));
    }
    holds
}

/// The commonest mistake of all.
#[test]
fn a_line_without_its_end_is_pointed_out() {
    let bots = [zoo("", "unfinished"), "random".into()];
    let record = &play(&contest("duel", [&bots[0], &bots[1]], 1, "400"))[0];
    let notes = &record.reports[0].notes;
    let told = "its last line, `0 0 0 0 0 0 0 0`, had no line feed";
    assert_eq!(record.ending.kind(), "late");
    assert!(notes.iter().any(|note| note == told), "{notes:?}");
    let spent = record.turns.first().and_then(|turn| turn.spent[0]);
    assert_eq!(spent, None, "a turn that was not played is not kept");
}

#[test]
fn what_the_cage_refuses_is_in_the_record() {
    let bots = [zoo("", "snoop"), zoo("", "zeros")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 2, LONG));
    for (record, seat) in records.iter().zip(Seat::BOTH) {
        assert_eq!(record.ending, Ending::Rules);
        let notes = &record.reports[seat.index()].notes;
        for told in ["tried to open a socket", "tried to start a process"] {
            let is_told = notes.iter().any(|note| note.starts_with(told));
            assert!(is_told || !is_caged(&records[0]), "{told}: {notes:?}");
        }
    }
}

#[test]
fn a_bot_that_wants_more_memory_than_there_is_was_ended_by_the_cage() {
    let bots = [zoo("", "hoard"), zoo("", "zeros")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 2, LONG));
    for (record, seat) in records.iter().zip(Seat::BOTH) {
        let fault = record.ending.of(seat).unwrap().to_string();
        let told = "ended by the cage: it tried to get 1073741";
        assert!(fault.starts_with(told) || !is_caged(&records[0]), "{fault}");
    }
}

#[test]
fn too_many_processes_are_for_the_cage_to_end() {
    let bots = [zoo("processes=9", "bomb"), zoo("", "zeros")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 12, SHORT));
    for (record, seat) in records.iter().zip(Seat::BOTH.into_iter().cycle()) {
        let fault = record.ending.of(seat).unwrap().to_string();
        let told = "ended by the cage: it tried to start more than 9 processes";
        assert!(fault == told || !is_caged(&records[0]), "{fault}");
    }
}

#[test]
fn a_bot_that_never_exits_does_not_delay_the_match() {
    let bots = [zoo("", "outlive"), zoo("", "crash 1")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 40, LONG));
    assert_eq!(records.len(), 40);
    // it is waited for less and less, and the record tells how long
    let waited = records.iter().enumerate().map(|(i, record)| {
        let notes = &record.reports[i % 2].notes;
        let told = notes.iter().find_map(|note| {
            let time = note.strip_prefix("outlived the game by ")?;
            time.split_once(" ms").map(|(time, _)| time.parse::<u64>())
        });
        told.unwrap_or_else(|| panic!("{notes:?}")).unwrap()
    });
    let waited: Vec<_> = waited.collect();
    assert!(waited.is_sorted_by(|a, b| a >= b), "{waited:?}");
    // a second in all, and four milliseconds for each game
    assert!(waited.iter().sum::<u64>() <= 1000 + 4 * 40, "{waited:?}");
}

/// A named pipe where a test and a bot meet. Opening it waits for the other.
struct BotRendezvous {
    folder: PathBuf,
}

impl BotRendezvous {
    fn new(name: &str) -> Self {
        let name = format!("gridpaper-meeting-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
        assert!(made.unwrap().success());
        Self { folder }
    }

    /// Waits for the bot.
    fn wait(&self) {
        let pipe = self.folder.join("pipe");
        drop(std::fs::File::options().write(true).open(pipe).unwrap());
    }
}

impl Drop for BotRendezvous {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A runner where this bot plays another, and a game that is aborted in the middle.
#[test]
fn an_aborted_game_stops_at_once_and_the_next_starts_afresh() {
    let contest = contest("duel", ["random", "random"], 1, "3600000,3600000");
    let mut runner = new_runner(
        &contest.game,
        &contest.opening,
        StopCondition::End,
        &contest.conditions,
    );
    let pairing = |bots: [&str; 2]| GamePairing {
        entrants: bots.map(|bot| bot.parse().unwrap()),
        seed: 0,
        pair: 0,
        is_whole: true,
    };
    let good = zoo("text", "text again");
    // one is waited for with its first move, the other with its greeting; its time would have
    // been an hour
    for protocol in ["contest", "text"] {
        let meeting = BotRendezvous::new(protocol);
        let rest = zoo(
            &format!("{protocol},folder={}", meeting.folder.display()),
            "rest-when-met",
        );
        let stop = AtomicBool::new(false);
        let broken = std::thread::scope(|scope| {
            scope.spawn(|| {
                meeting.wait();
                stop.store(true, Ordering::Relaxed);
            });
            runner.play(&pairing([&good, &rest]), &stop).unwrap()
        });
        assert_eq!(broken, None);
    }
    let go_on = AtomicBool::new(false);
    let records = runner.play(&pairing([&good, "random"]), &go_on).unwrap();
    for record in records.unwrap() {
        assert_eq!(record.ending, Ending::Rules);
    }
}

#[test]
fn a_record_names_the_cage() {
    for (mode, told) in [(CageMode::Off, "none"), (CageMode::Best, "process group")] {
        let bots = [zoo("", "zeros"), "random".into()];
        let mut contest = contest("duel:turns=4", [&bots[0], &bots[1]], 1, LONG);
        contest.conditions.cage.mode = mode;
        let record = &play(&contest)[0];
        let about = &record.reports[0].about;
        let cage = about.iter().find(|(key, _)| key == "cage").unwrap();
        assert!(cage.1.starts_with(told), "{cage:?}");
    }
}

#[test]
fn complaints_are_kept_and_their_end_alone() {
    let bots = [zoo("", "loud"), zoo("", "crash 3")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 2, LONG));
    for (record, seat) in records.iter().zip(Seat::BOTH) {
        let [loud, crash] = [seat, seat.other()].map(|s| &record.reports[s.index()].stderr);
        assert_eq!(crash, "thinking hard\nout of ideas\n\n");
        assert!(loud.starts_with('['), "{}", &loud[..80]);
        assert!(loud.len() <= arena::bot::MAX_STDERR_BYTES + 80);
        assert!(loud.contains("woe is me"));
    }
    // what comes at the end of the input is kept too
    let bots = [zoo("", "last-words"), zoo("", "zeros")];
    let records = play(&contest("duel", [&bots[0], &bots[1]], 2, LONG));
    for (record, seat) in records.iter().zip(Seat::BOTH) {
        let after = &record.reports[seat.index()];
        assert!(
            after.stderr.starts_with("[234464 bytes before"),
            "{}",
            &after.stderr[..80]
        );
        assert_eq!(after.notes, [] as [String; 0]);
    }
}

#[test]
fn remarks_are_kept_with_the_complaints() {
    let bot = zoo("text", "remarks moves again");
    let records = play(&contest("tictactoe", [&bot, "random"], 2, LONG));
    let after = &records[0].reports[0];
    assert!(
        after
            .stderr
            .starts_with("# it is my turn\n# what shall I do\n")
    );
}

#[test]
fn a_record_has_the_bots_properties() {
    let bot = zoo("text", "text moves again");
    let records = play(&contest("tictactoe", [&bot, "random"], 2, LONG));
    let about = &records[1].reports[1].about;
    let of = |key: &str| {
        about
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, v)| v.as_str())
    };
    assert_eq!(of("name"), Some("zoo"));
    assert_eq!(of("protocol"), Some("text"));
    assert!(of("cage").is_some());
    eprintln!("overhead: {:?}", of("overhead"));
    assert!(
        of("overhead").is_none_or(|o| o.starts_with("median ")),
        "{about:?}"
    );
    assert!(records[1].reports[0].about.is_empty());
}

/// Plays many games in a process of its own; it holds as much after them as before.
fn nothing_is_left(game: &str, bots: [&str; 2], games: u64) {
    let output = Command::new(env!("CARGO_BIN_EXE_gridpaper-zoo"))
        .args(["batch", game, bots[0], bots[1], &games.to_string()])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{errors}");
    eprint!("{game}, {}: {told}", bots[0]);
    let words: Vec<&str> = told.split_whitespace().collect();
    let pair = |key: &str| {
        let at = words.iter().position(|word| *word == key).unwrap();
        [1, 2].map(|i| words[at + i].parse::<u64>().unwrap())
    };
    let [files, children, memory] = ["files", "children", "memory"].map(pair);
    assert_eq!(files[0], files[1], "{told}");
    assert_eq!(children, [0, 0], "{told}");
    // in kilobytes; what an allocator keeps is no leak
    assert!(memory[1] <= memory[0] + 2048, "{told}");
}

/// A process for each game, one for all games, and one that crashes in each.
fn batches(games: u64) {
    let good = zoo("contest", "zeros");
    nothing_is_left("duel:turns=4", [&good, &good], games);
    let many = zoo("text", "text again");
    nothing_is_left("duel:turns=4", [&many, &many], games);
    let bad = zoo("contest", "crash 2");
    nothing_is_left("duel:turns=4", [&good, &bad], games);
}

#[test]
fn hundreds_of_games_leave_nothing() {
    batches(200);
}

/// Ten thousand of each kind take minutes: `cargo test --release -- --ignored thousands`.
#[test]
#[ignore = "takes minutes; cargo xtask long runs it"]
fn thousands_of_games_leave_nothing() {
    batches(10_000);
}

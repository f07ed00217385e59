//! What goes into a store comes out again, and nothing else gets in.

use crate::{plan, players};
use arena::GamePairing;
use games::{Dice, Outcome, Seat};
use matches::{Ending, Fault, ProcessReport, Record, RecordedTurn};
use rusqlite::Connection;
use std::time::{Duration, UNIX_EPOCH};
use tempfile::TempDir;
use tournament::store::PlayedPair;
use tournament::{Plan, Store, StoreError};

fn two(folder: &TempDir, more: &str) -> Plan {
    let players = players(&[("one", "random"), ("two", "material"), ("three", "random")]);
    plan(folder, &format!("game = \"mnk:5,5,4\"\n{more}\n{players}"))
}

fn word(dice: &mut Dice) -> String {
    let words = [
        "",
        "a",
        "two words",
        "line\nline",
        "`x`, \"y\"",
        "größer <b>",
        "\u{1F600}",
    ];
    let number = dice.below(1000);
    format!("{}{number}", dice.pick(&words).unwrap())
}

fn fault(dice: &mut Dice) -> Fault {
    match dice.below(9) {
        0 => Fault::NotStarted(word(dice)),
        1 => Fault::Late {
            limit: Duration::from_micros(dice.below(1 << 20).into()),
        },
        2 => Fault::Crashed(word(dice)),
        3 => Fault::Closed,
        4 => Fault::Deaf,
        5 => Fault::Flood {
            bytes: dice.word() >> 1,
        },
        6 => Fault::Malformed {
            line: word(dice),
            problem: word(dice),
        },
        7 => Fault::Illegal {
            text: word(dice),
            problem: word(dice),
        },
        _ => Fault::Caged(word(dice)),
    }
}

fn record(dice: &mut Dice, plan: &Plan, pairing: &GamePairing, leg: usize) -> Record {
    let mut players = pairing
        .entrants
        .each_ref()
        .map(|entrant| entrant.to_string());
    if leg == 1 {
        players.reverse();
    }
    let moves = |dice: &mut Dice, most: u32| -> Vec<String> {
        let mut turn = |_| format!("{:05b}/{}", dice.below(32), dice.below(9));
        (0..most).map(&mut turn).collect()
    };
    let length = dice.below(120);
    let is_timed = dice.coin();
    let texts = moves(dice, length);
    let turns = texts.into_iter().map(|text| RecordedTurn {
        text,
        spent: [0, 1].map(|_| {
            let micros = u64::from(dice.below(1 << 17));
            (is_timed && dice.coin()).then(|| Duration::from_micros(micros))
        }),
    });
    let turns = turns.collect();
    let ending = match dice.below(6) {
        4 => Ending::Resigned(Seat::BOTH[dice.below(2) as usize]),
        5 => Ending::Unfinished,
        0 => Ending::Settled,
        1 => Ending::fault(Seat::BOTH[dice.below(2) as usize], fault(dice)),
        2 => Ending::Faults([Some(fault(dice)), Some(fault(dice))]),
        _ => Ending::Rules,
    };
    let outcomes = [
        Outcome::Win(Seat::First),
        Outcome::Win(Seat::Second),
        Outcome::Draw,
    ];
    let aftermath = |dice: &mut Dice| ProcessReport {
        about: (0..dice.below(3))
            .map(|i| (format!("key {i}"), word(dice)))
            .collect(),
        notes: (0..dice.below(3)).map(|_| word(dice)).collect(),
        stderr: if dice.coin() {
            word(dice)
        } else {
            String::new()
        },
    };
    Record {
        game: plan.game.to_string(),
        players,
        seed: pairing.seed,
        pair: pairing.pair,
        opening: Vec::new(),
        turns,
        outcome: match &ending {
            Ending::Resigned(seat) => Outcome::Win(seat.other()),
            Ending::Unfinished => Outcome::Draw,
            _ => dice.pick(&outcomes).unwrap(),
        },
        ending,
        hash: dice.word(),
        reports: [aftermath(dice), aftermath(dice)],
    }
}

fn pair(dice: &mut Dice, plan: &Plan, players: [usize; 2], number: u64) -> PlayedPair {
    let pairing = GamePairing {
        entrants: players.map(|player| plan.players[player].entrant.clone()),
        seed: dice.word(),
        pair: number,
        is_whole: true,
    };
    let mut records = [0, 1].map(|leg| record(dice, plan, &pairing, leg)).to_vec();
    let opening: Vec<_> = (0..dice.below(4)).map(|i| format!("a{i}")).collect();
    for record in &mut records {
        record.opening = opening.clone();
    }
    PlayedPair {
        players,
        pairing,
        records,
        started: UNIX_EPOCH + Duration::from_millis(1_700_000_000_123),
        spent: Duration::from_micros(dice.below(1 << 30).into()),
    }
}

#[test]
fn games_come_back_as_they_were() {
    let folder = TempDir::new().unwrap();
    let plan = two(&folder, "seed = 3");
    let mut store = Store::open_or_create(&plan.store).unwrap();
    assert_eq!(store.apply_plan(&plan).unwrap(), [0, 1, 2]);
    let run = store.begin_run(2, "best").unwrap();
    let mut dice = Dice::new(8);
    let mut pairs = Vec::new();
    for number in 0..300 {
        // players in either order, and numbers with gaps
        let players = [[0, 1], [2, 0], [2, 1]][dice.below(3) as usize];
        pairs.push(pair(&mut dice, &plan, players, 7 * number % 900));
    }
    for some in pairs.chunks(7) {
        store.insert_pairs(run, some).unwrap();
    }
    drop(store);
    let store = Store::open(&plan.store).unwrap();
    pairs.sort_by_key(|pair| (pair.players, pair.pairing.pair));
    let mut games = store.games();
    for pair in &pairs {
        for (leg, record) in pair.records.iter().enumerate() {
            let game = games.next().unwrap().unwrap();
            assert_eq!(&game.record, record);
            assert_eq!(usize::from(game.leg), leg);
            let [a, b] = pair.players;
            assert_eq!(game.players, [[a, b], [b, a]][leg]);
            assert_eq!((game.started, game.spent), (pair.started, pair.spent));
            assert_eq!(store.game(game.id).unwrap().unwrap(), game);
        }
    }
    assert!(games.next().is_none());
    let between = store.games_between([0, 2]).count();
    let expected = pairs.iter().filter(|pair| pair.players == [2, 0]).count();
    assert_eq!(between, 2 * expected);
    assert_eq!(store.count().unwrap(), 600);
    let faults = pairs.iter().flat_map(|pair| &pair.records);
    let faults = faults.flat_map(|r| Seat::BOTH.map(|seat| r.ending.of(seat).is_some()));
    let verdicts = store.faults().unwrap();
    assert_eq!(verdicts.len(), faults.filter(|&fault| fault).count());
    let results = store.results().unwrap();
    assert_eq!(results.pairs(), 300);
    let counted: u64 = results.entries().iter().map(|entry| entry.faults).sum();
    assert_eq!(counted, verdicts.len() as u64);
    for entry in results.entries().iter().enumerate() {
        let own = verdicts.iter().filter(|verdict| verdict.player == entry.0);
        assert_eq!(entry.1.faults, own.count() as u64);
    }
    // added up one by one they are the same; live ratings heed the order in which they ended
    let mut one_by_one =
        tournament::TournamentResults::new(["one", "two", "three"].map(String::from));
    let mut ended = pairs.clone();
    ended.sort_by_key(|pair| (0..300).find(|n| 7 * n % 900 == pair.pairing.pair));
    for pair in &ended {
        one_by_one.add(pair);
    }
    assert_eq!(one_by_one, results);
}

#[test]
fn a_pair_is_kept_whole_or_not_at_all_and_never_twice() {
    let folder = TempDir::new().unwrap();
    let plan = two(&folder, "");
    let mut store = Store::open_or_create(&plan.store).unwrap();
    store.apply_plan(&plan).unwrap();
    let run = store.begin_run(1, "off").unwrap();
    let mut dice = Dice::new(1);
    let first = pair(&mut dice, &plan, [0, 1], 0);
    store
        .insert_pairs(run, std::slice::from_ref(&first))
        .unwrap();
    let second = pair(&mut dice, &plan, [0, 1], 1);
    let error = store
        .insert_pairs(run, &[second.clone(), first])
        .unwrap_err();
    assert!(matches!(error, StoreError::Sqlite { .. }), "{error}");
    assert_eq!(store.count().unwrap(), 2);
    // a second game that cannot be written takes the first with it
    let mut broken = second;
    broken.records.push(broken.records[0].clone());
    store.insert_pairs(run, &[broken]).unwrap_err();
    assert_eq!(store.count().unwrap(), 2);
    assert_eq!(store.pairs().unwrap(), [([0, 1], 0)]);
    // nor one of somebody whom the store does not know
    let mut stranger = pair(&mut dice, &plan, [0, 1], 5);
    stranger.players = [0, 3];
    let error = store
        .insert_pairs(run, &[stranger])
        .unwrap_err()
        .to_string();
    assert!(error.contains("FOREIGN KEY"), "{error}");
}

#[test]
fn other_files_are_refused_and_not_changed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cup.sqlite");
    let missing = Store::open(&path).unwrap_err();
    assert!(matches!(missing, StoreError::Missing(_)));
    for bytes in [
        &b""[..],
        b"x",
        b"[[player]]\nname = \"not a store\"\n",
        &[0; 8192],
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = Store::open_or_create(&path).unwrap_err();
        assert!(matches!(error, StoreError::Foreign(_)), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    std::fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE songs (title TEXT)")
        .unwrap();
    drop(other);
    let before = std::fs::read(&path).unwrap();
    let error = Store::open_or_create(&path).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("cup.sqlite: this is no tournament's store, and is left alone")
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 1, "nothing lies beside it");
}

#[test]
fn a_later_programs_store_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cup.sqlite");
    drop(Store::open_or_create(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let error = Store::open(&path).unwrap_err().to_string();
    assert!(
        error.contains("later program (version 99, and this one knows 1)"),
        "{error}"
    );
}

#[test]
fn a_store_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let [path, other] = ["cup.sqlite", "other"].map(|name| folder.path().join(name));
    drop(Store::open_or_create(&path).unwrap());
    std::fs::write(&other, "").unwrap();
    let [path, other] = [path, other].map(|path| std::fs::metadata(path).unwrap());
    assert_eq!(path.permissions().mode(), other.permissions().mode());
}

#[test]
fn one_run_at_a_time() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cup.sqlite");
    let store = Store::open_or_create(&path).unwrap();
    let lock = store.lock().unwrap();
    let other = Store::open(&path).unwrap();
    let error = other.lock().unwrap_err();
    let expected = format!("another run has it, process {}", std::process::id());
    assert!(error.to_string().ends_with(&expected), "{error}");
    drop(lock);
    drop(other.lock().unwrap());
    drop((store, other));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn damage_is_reported_in_one_line() {
    for sql in [
        "ALTER TABLE games RENAME COLUMN turns TO burns",
        "DROP TABLE verdicts; PRAGMA writable_schema = on;
         UPDATE sqlite_schema SET sql = 'CREATE TABLE x (' WHERE name = 'notes'",
        "UPDATE tournament SET pace = 'fast'",
    ] {
        let folder = TempDir::new().unwrap();
        let plan = two(&folder, "");
        let mut store = Store::open_or_create(&plan.store).unwrap();
        store.apply_plan(&plan).unwrap();
        drop(store);
        let connection = Connection::open(&plan.store).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let store = Store::open(&plan.store);
        let report = store.and_then(|store| tournament::report::Report::from_store(&store));
        let error = report.expect_err(sql);
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
        assert!(
            error.to_string().contains("the file is damaged: "),
            "{error}"
        );
        assert!(error.hint().is_some());
    }
}

#[test]
fn a_link_to_a_store_is_the_same_store() {
    let folder = TempDir::new().unwrap();
    let [path, link] = ["cup.sqlite", "link"].map(|name| folder.path().join(name));
    let store = Store::open_or_create(&path).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let _lock = store.lock().unwrap();
    let error = Store::open(&link).unwrap().lock().unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }), "{error}");
}

#[test]
fn an_impossible_store_path_is_an_error() {
    let folder = TempDir::new().unwrap();
    let error = Store::open_or_create(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Foreign(_)), "{error}");
    let error = Store::open_or_create(&folder.path().join("no/cup.sqlite")).unwrap_err();
    let error = error.to_string();
    assert!(!error.contains(".new-store"), "{error}");
    assert!(error.contains("cup.sqlite: No such file"), "{error}");
}

#[test]
fn a_tournament_that_has_begun_stays_what_it_is() {
    let folder = TempDir::new().unwrap();
    let first = two(&folder, "seed = 1");
    let mut store = Store::open_or_create(&first.store).unwrap();
    store.apply_plan(&first).unwrap();
    // nothing was played: everything may change
    let changed = two(&folder, "seed = 2\npace = \"7\"");
    store.apply_plan(&changed).unwrap();
    let run = store.begin_run(1, "best").unwrap();
    let played = pair(&mut Dice::new(4), &changed, [0, 1], 0);
    store.insert_pairs(run, &[played]).unwrap();
    let rows = [
        (
            "seed = 1\npace = \"7\"",
            "games were played with seed 2, and the plan says 1",
        ),
        (
            "seed = 2\npace = \"8\"",
            "games were played with pace 7,7, and the plan says 8,8",
        ),
        (
            "seed = 2\npace = \"7\"\nopening = 3",
            "with the opening game, and the plan says 3..3",
        ),
        (
            "seed = 2\npace = \"7\"\nkind = \"swiss\"",
            "with the kind round-robin, and",
        ),
    ];
    for (text, expected) in rows {
        let error = store.apply_plan(&two(&folder, text)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.hint().is_some());
    }
    // more is fine
    let text = "game = \"mnk:5,5,4\"\nseed = 2\npace = \"7\"\npairs = 99\nkind = \"league\"";
    let text = text.replace("pairs = 99\n", "");
    let more = players(&[("new", "random"), ("two", "material"), ("one", "random")]);
    let more = plan(&folder, &format!("{text}\n{more}"));
    assert_eq!(store.apply_plan(&more).unwrap(), [3, 1, 0]);
    let names: Vec<_> = store
        .players()
        .unwrap()
        .into_iter()
        .map(|p| p.name)
        .collect();
    assert_eq!(names, ["one", "two", "three", "new"]);
    // another player under an old name is not
    let other = players(&[("one", "random"), ("two", "mcts:playouts=3")]);
    let other = plan(&folder, &format!("{text}\n{other}"));
    let error = store.apply_plan(&other).unwrap_err().to_string();
    let expected = "`two` has played as material, and the plan says mcts:playouts=3";
    assert!(error.ends_with(expected), "{error}");
    assert_eq!(store.plan().unwrap().unwrap().kind, "league");
}

#[test]
fn a_damaged_record_is_reported_with_its_game() {
    let folder = TempDir::new().unwrap();
    let plan = two(&folder, "");
    let mut store = Store::open_or_create(&plan.store).unwrap();
    store.apply_plan(&plan).unwrap();
    let run = store.begin_run(1, "best").unwrap();
    let pair = pair(&mut Dice::new(4), &plan, [0, 1], 0);
    store.insert_pairs(run, &[pair]).unwrap();
    drop(store);
    let connection = Connection::open(&plan.store).unwrap();
    connection
        .execute("UPDATE games SET moves = x'07070707' WHERE leg = 1", [])
        .unwrap();
    drop(connection);
    let store = Store::open(&plan.store).unwrap();
    let error = store.games().find_map(Result::err).unwrap().to_string();
    assert!(
        error.ends_with("game 2: its moves cannot be unpacked"),
        "{error}"
    );
}

/// A store of three games' pairs, changed by hand in a way that no program of ours does.
fn changed(sql: &str) -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let plan = two(&folder, "");
    let mut store = Store::open_or_create(&plan.store).unwrap();
    store.apply_plan(&plan).unwrap();
    let run = store.begin_run(1, "off").unwrap();
    let mut dice = Dice::new(5);
    let pairs = [[0, 1], [1, 2], [0, 2]].map(|players| pair(&mut dice, &plan, players, 0));
    store.insert_pairs(run, &pairs).unwrap();
    drop(store);
    let connection = Connection::open(&plan.store).unwrap();
    let all = format!(
        "PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on;
         UPDATE games SET times = x'01'; {sql}"
    );
    connection.execute_batch(&all).unwrap();
    (folder, Store::open(&plan.store).unwrap())
}

#[test]
fn wild_numbers_in_a_store_are_errors_and_no_panics() {
    let rows = [
        (
            "UPDATE games SET turns = 1 << 62",
            "its times do not fit its moves",
        ),
        (
            "UPDATE games SET turns = -1",
            "its times do not fit its moves",
        ),
        (
            "UPDATE games SET times = x''; UPDATE pairs SET first = 77 WHERE id = 2",
            "two of this tournament's",
        ),
        (
            "UPDATE games SET times = x''; UPDATE pairs SET first = second WHERE id = 2",
            "two of this tournament's",
        ),
        ("UPDATE players SET id = 9 WHERE id = 2", "changed by hand"),
    ];
    for (sql, expected) in rows {
        let (_folder, store) = changed(sql);
        let error = store.results().expect_err(sql).to_string();
        assert!(error.contains(expected), "{sql}: {error}");
        let report = tournament::report::Report::from_store(&store);
        assert!(report.is_err(), "{sql}");
    }
    let (_folder, store) = changed("INSERT INTO pairings VALUES (4000000000, 0, 1, 2)");
    let error = store.pairings().unwrap_err().to_string();
    assert!(error.contains("changed by hand"), "{error}");
    let (_folder, store) = changed("INSERT INTO pairings VALUES (0, 0, 1, 0)");
    assert_eq!(store.pairings().unwrap().len(), 1);
}

#[test]
fn a_log_of_a_deleted_store_is_not_used() {
    let folder = TempDir::new().unwrap();
    let plan = two(&folder, "");
    let mut store = Store::open_or_create(&plan.store).unwrap();
    store.apply_plan(&plan).unwrap();
    let wal = folder.path().join("cup.sqlite-wal");
    let left = std::fs::read(&wal).unwrap();
    assert!(!left.is_empty());
    drop(store);
    // as after `kill -9`, when somebody has taken the store away and left the rest
    std::fs::remove_file(&plan.store).unwrap();
    std::fs::write(&wal, &left).unwrap();
    let error = Store::open_or_create(&plan.store).unwrap_err();
    assert!(
        matches!(&error, StoreError::Leftover(path) if *path == wal),
        "{error}"
    );
    assert!(error.hint().is_some());
    assert_eq!(std::fs::read(&wal).unwrap(), left);
    std::fs::remove_file(&wal).unwrap();
    let store = Store::open_or_create(&plan.store).unwrap();
    assert_eq!(store.plan().unwrap(), None);
}

#[test]
fn a_report_is_of_one_moment() {
    let (folder, store) = changed("UPDATE games SET times = x''");
    let plan = Plan::parse(
        &format!(
            "game = \"mnk:5,5,4\"\n{}",
            players(&[("one", "random"), ("late", "random"), ("later", "random")])
        ),
        &folder.path().join("cup.toml"),
    )
    .unwrap();
    // somebody joins and plays while the results are read
    let mut other = Store::open(store.path()).unwrap();
    let mut is_done = false;
    let results = store.results_until(&mut |_, _| {
        if !std::mem::replace(&mut is_done, true) {
            let numbers = other.apply_plan(&plan).unwrap();
            assert_eq!(numbers, [0, 3, 4]);
            let run = other.begin_run(1, "off").unwrap();
            let mut dice = Dice::new(6);
            let mut pair = pair(&mut dice, &plan, [1, 2], 0);
            pair.players = [3, 4];
            other.insert_pairs(run, &[pair]).unwrap();
        }
    });
    assert_eq!(results.unwrap().pairs(), 3);
    assert_eq!(store.results().unwrap().pairs(), 4);
}

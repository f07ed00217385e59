//! Whole tournaments between players whose games are the same each time.

use crate::{games, plan, players};
use prerequisite::{Prerequisite, missing};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;
use tournament::store::StoredGame;
use tournament::{Plan, Store, TournamentRunError, TournamentRunner};

const FOUR: &[(&str, &str)] = &[
    ("chance", "random"),
    ("alpha", "alphabeta:nodes=60"),
    ("tree", "mcts:playouts=30"),
    ("greedy", "material"),
];

fn four(folder: &TempDir, more: &str) -> Plan {
    let text = format!("game = \"mnk:4,4,3\"\nseed = 5\n{more}\n{}", players(FOUR));
    plan(folder, &text)
}

fn run(plan: Plan) -> Vec<StoredGame> {
    let path = plan.store.clone();
    let mut runner = TournamentRunner::open(plan).unwrap();
    let stop = AtomicBool::new(false);
    assert!(runner.run(None, &stop, &mut |_| ()).unwrap());
    let results = runner.results().clone();
    assert_eq!(runner.store().results().unwrap(), results);
    drop(runner);
    games(&path)
}

/// How often each two met, by pairs of games.
fn met(games: &[StoredGame]) -> BTreeMap<[usize; 2], usize> {
    let mut met = BTreeMap::new();
    for game in games.iter().filter(|game| game.leg == 0) {
        let [a, b] = game.players;
        *met.entry([a.min(b), a.max(b)]).or_default() += 1;
    }
    met
}

#[test]
fn all_meet_all_and_neither_jobs_nor_order_change_a_game() {
    let folders = [(); 3].map(|()| TempDir::new().unwrap());
    let one = run(four(&folders[0], "pairs = 5"));
    assert_eq!(one.len(), 60);
    assert!(met(&one).values().all(|&pairs| pairs == 5));
    let two = run(four(&folders[1], "pairs = 5\njobs = 2"));
    assert_eq!(one, two);
    let mut turned = four(&folders[2], "pairs = 5");
    turned.players.reverse();
    let three = run(turned);
    let by_name = |games: &[StoredGame]| {
        let mut games: Vec<_> = games.iter().map(|game| game.record.clone()).collect();
        games.sort_by_key(|r| (r.players.clone(), r.pair, r.opening.clone()));
        games
    };
    assert_eq!(by_name(&one), by_name(&three));
}

#[test]
fn more_pairs_and_more_players_go_on() {
    let folder = TempDir::new().unwrap();
    let mut small = four(&folder, "pairs = 2");
    small.players.pop();
    let before = run(small);
    assert_eq!(before.len(), 12);
    let after = run(four(&folder, "pairs = 3"));
    assert_eq!(after.len(), 36);
    assert!(before.iter().all(|game| after.contains(game)));
    assert!(met(&after).values().all(|&pairs| pairs == 3));
    // and nothing is left
    assert_eq!(run(four(&folder, "pairs = 3")), after);
    let store = Store::open(&folder.path().join("cup.sqlite")).unwrap();
    let runs = store.runs().unwrap();
    let pairs: Vec<_> = runs.iter().map(|run| run.pairs).collect();
    assert_eq!(pairs, [6, 12], "a run that plays nothing is none");
}

#[test]
fn a_gauntlet_is_run() {
    let folder = TempDir::new().unwrap();
    let games = run(four(
        &folder,
        "pairs = 2\nkind = \"gauntlet\"\nchampion = \"tree\"",
    ));
    let expected = [([0, 2], 2), ([1, 2], 2), ([2, 3], 2)];
    assert!(met(&games).into_iter().eq(expected));
}

#[test]
fn a_swiss_tournament_is_paired_round_by_round() {
    let five = [FOUR, &[("deep", "alphabeta:nodes=200")]].concat();
    let text = |rounds| {
        let players = players(&five);
        format!("game = \"mnk:4,4,3\"\nkind = \"swiss\"\npairs = 2\nrounds = {rounds}\n{players}")
    };
    let folders = [(); 2].map(|()| TempDir::new().unwrap());
    let games = run(plan(&folders[0], &text(5)));
    // two meetings a round, one rests
    assert_eq!(games.len(), 5 * 2 * 2 * 2);
    assert!(
        met(&games).values().all(|&pairs| pairs == 2),
        "{:?}",
        met(&games)
    );
    let store = Store::open(&folders[0].path().join("cup.sqlite")).unwrap();
    let pairings = store.pairings().unwrap();
    let rests: Vec<_> = pairings.iter().filter(|p| p.second.is_none()).collect();
    let mut resting: Vec<_> = rests.iter().map(|pairing| pairing.first).collect();
    resting.sort_unstable();
    assert_eq!(resting, [0, 1, 2, 3, 4]);
    // stopped after some rounds, and with more jobs, it is the same tournament
    let three = run(plan(&folders[1], &text(3)));
    assert_eq!(three.len(), 24);
    let mut rest = plan(&folders[1], &text(5));
    rest.jobs = 2;
    assert_eq!(run(rest), games);
    // nobody may leave
    let mut fewer = plan(&folders[1], &text(6));
    fewer.players.remove(1);
    let error = TournamentRunner::open(fewer).unwrap_err().to_string();
    assert!(
        error.contains("`alpha` has been paired and is missing"),
        "{error}"
    );
}

#[test]
fn a_league_goes_on_and_on() {
    let folder = TempDir::new().unwrap();
    let stop = AtomicBool::new(false);
    for (limit, expected) in [(31, 32), (100, 100), (60, 100)] {
        let mut runner = TournamentRunner::open(four(&folder, "kind = \"league\"")).unwrap();
        assert!(!runner.run(Some(limit), &stop, &mut |_| ()).unwrap());
        assert_eq!(runner.store().count().unwrap(), expected);
    }
    let games = games(&folder.path().join("cup.sqlite"));
    assert_eq!(met(&games).len(), 6, "all have met: {:?}", met(&games));
}

#[test]
fn unknown_players_are_reported_before_any_game() {
    let folder = TempDir::new().unwrap();
    let mut plan = four(&folder, "");
    plan.players[2].entrant = "deep-thought".parse().unwrap();
    let error = TournamentRunner::open(plan.clone()).unwrap_err();
    assert!(matches!(error, TournamentRunError::Entrant { .. }));
    let text = error.to_string();
    assert!(
        text.starts_with("tree: mnk:4,4,3 has no player `deep-thought`"),
        "{text}"
    );
    assert!(!plan.store.exists());
}

#[test]
fn players_by_the_clock_do_not_share_cores() {
    let folder = TempDir::new().unwrap();
    let mut plan = four(&folder, "jobs = 4000");
    plan.players[2].entrant = "mcts:ms=1".parse().unwrap();
    let error = TournamentRunner::open(plan).unwrap_err();
    assert!(
        error.to_string().starts_with("4000 jobs are too many for "),
        "{error}"
    );
    assert!(
        error.to_string().contains("`tree` plays by the clock"),
        "{error}"
    );
    assert!(error.hint().unwrap().starts_with("take at most "));
}

#[test]
fn a_run_can_be_stopped_and_goes_on() {
    let folders = [(); 2].map(|()| TempDir::new().unwrap());
    let whole = run(four(&folders[0], "pairs = 100"));
    let mut runner = TournamentRunner::open(four(&folders[1], "pairs = 100\njobs = 2")).unwrap();
    let stop = AtomicBool::new(true);
    assert!(!runner.run(None, &stop, &mut |_| ()).unwrap());
    assert_eq!(runner.store().count().unwrap(), 0);
    let mut told = Vec::new();
    for limit in [50, 200] {
        stop.store(false, Ordering::Relaxed);
        let is_over = runner.run(Some(limit), &stop, &mut |progress| {
            assert_eq!(progress.planned, Some(limit));
            told.push((progress.games, progress.played));
        });
        assert!(!is_over.unwrap());
    }
    assert_eq!(told.first(), Some(&(0, 0)));
    assert_eq!(told.last(), Some(&(200, 150)));
    assert!(runner.run(None, &stop, &mut |_| ()).unwrap());
    drop(runner);
    assert_eq!(games(&folders[1].path().join("cup.sqlite")), whole);
}

#[test]
fn a_missing_program_is_reported_before_the_first_game() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("bots")).unwrap();
    std::fs::write(folder.path().join("bots/snake"), "").unwrap();
    let rows = [
        (
            "command = \"./snake\"",
            Some("./snake: there is no such program"),
        ),
        ("command = \"bots/snake\"", None),
        ("command = \"./snake\"\nfolder = \"bots\"", None),
        (
            "command = \"no-such-program-here -x\"",
            Some("no-such-program-here: there is no"),
        ),
        ("command = \"sh -c snake\"", None),
    ];
    for (bot, expected) in rows {
        let text = format!("game = \"duel\"\n[[player]]\nname = \"bot\"\n{bot}\n");
        let plan = plan(&folder, &format!("{text}{}", players(&[("me", "random")])));
        let store = plan.store.clone();
        match (TournamentRunner::open(plan).map(drop), expected) {
            (Ok(()), None) => std::fs::remove_file(store).unwrap(),
            (Err(error), Some(expected)) => {
                let error = error.to_string();
                assert!(
                    error.starts_with("bot: ") && error.contains(expected),
                    "{error}"
                );
                assert!(!store.exists());
            }
            (opened, _) => panic!("{bot}: {opened:?}"),
        }
    }
}

/// A bot of the probe; `mark` makes it known among processes.
pub(crate) fn bot(name: &str, player: &str, mark: &str) -> String {
    let program = env!("CARGO_BIN_EXE_gridpaper-runner-probe");
    format!(
        "[[player]]\nname = \"{name}\"\ncommand = \"{program} bot {player} {mark}\"\nprotocol = \"text\"\n"
    )
}

#[test]
fn bots_of_two_jobs_are_on_two_cores() {
    cage::use_supervisor_program(env!("CARGO_BIN_EXE_gridpaper-runner-probe").as_ref());
    if arena::cores().all.len() < 2 {
        return missing(Prerequisite::Cores, "there is one core");
    }
    let folder = TempDir::new().unwrap();
    let bots: String = ["one", "two", "three"]
        .map(|name| bot(name, "random", "-"))
        .concat();
    let head = "game = \"tictactoe\"\npairs = 8\njobs = 2\npace = \"20000,10000\"\n";
    let runner = TournamentRunner::open(plan(&folder, &format!("{head}{bots}")));
    let Ok(mut runner) = runner else {
        // threads of one core
        let error = runner.unwrap_err();
        assert!(
            matches!(error, TournamentRunError::Crowded { .. }),
            "{error}"
        );
        return missing(Prerequisite::Cores, error);
    };
    runner
        .run(None, &AtomicBool::new(false), &mut |_| ())
        .unwrap();
    let mut told = BTreeMap::new();
    for game in runner.store().games() {
        let record = game.unwrap().record;
        assert_eq!(record.ending.kind(), "rules", "{record:?}");
        for aftermath in record.reports {
            for line in aftermath.stderr.lines() {
                *told.entry(line.to_string()).or_insert(0) += 1;
            }
        }
    }
    // each line names one core, and there are two of them
    assert!(told.keys().all(|line| !line.contains(',')), "{told:?}");
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn the_planned_number_of_games_is_stored() {
    let folder = TempDir::new().unwrap();
    let stop = AtomicBool::new(false);
    // asked for, kept in the end, whether it is over then
    let rows = [
        (5, 6, false),
        (3, 6, false),
        (24, 24, true),
        (2, 24, true),
        (u64::MAX, 24, true),
    ];
    for (asked, kept, over) in rows {
        let mut runner = TournamentRunner::open(four(&folder, "pairs = 2")).unwrap();
        let mut planned = None;
        let is_over = runner.run(Some(asked), &stop, &mut |now| planned = now.planned);
        assert_eq!(is_over.unwrap(), over, "{asked}");
        assert_eq!(planned, Some(kept), "{asked}");
        assert_eq!(runner.store().count().unwrap(), kept, "{asked}");
    }
    let league = TempDir::new().unwrap();
    let mut runner = TournamentRunner::open(four(&league, "kind = \"league\"")).unwrap();
    let mut planned = None;
    runner
        .run(Some(5), &stop, &mut |now| planned = now.planned)
        .unwrap();
    assert_eq!((planned, runner.store().count().unwrap()), (Some(6), 6));
}

#[test]
fn a_pair_that_was_not_stored_is_played_again() {
    let folder = TempDir::new().unwrap();
    let stop = AtomicBool::new(false);
    let mut runner = TournamentRunner::open(four(&folder, "pairs = 2")).unwrap();
    runner.run(Some(6), &stop, &mut |_| ()).unwrap();
    let other = rusqlite::Connection::open(folder.path().join("cup.sqlite")).unwrap();
    other
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON games BEGIN SELECT raise(fail, 'no room'); END",
        )
        .unwrap();
    let error = runner.run(None, &stop, &mut |_| ()).unwrap_err();
    assert!(error.to_string().ends_with("no room"), "{error}");
    assert_eq!(runner.store().count().unwrap(), 6);
    other.execute_batch("DROP TRIGGER full").unwrap();
    assert!(runner.run(None, &stop, &mut |_| ()).unwrap());
    assert_eq!(runner.store().count().unwrap(), 24);
}

//! Reports: what a store knows is on the page, and nothing on it is obeyed.

use crate::{plan, players};
use games::{Outcome, Seat};
use matches::{Ending, Fault, ProcessReport, Record};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tournament::report::{FaultSummary, RatingSnapshot, Report, html};
use tournament::store::{StoredGame, StoredPlayer, StoredRun};
use tournament::{Store, TournamentResults, TournamentRunner};

/// Names that a page must not obey.
const HOSTILE: [&str; 4] = [
    "<script>alert(1)</script>",
    "\"onload=\"alert(2)",
    "'><img src=x onerror=alert(3)>",
    "a&amp;\u{202e}b",
];

/// A tournament that nobody has played, with everything that a page can show.
fn made_up() -> Report {
    let mut results = TournamentResults::new(HOSTILE.map(String::from));
    let mut rating_history = Vec::new();
    for i in 0..60usize {
        let (a, b) = (i % 4, (i + 1 + i / 20) % 4);
        if a == b {
            continue;
        }
        let first = if a < b { Seat::First } else { Seat::Second };
        results.add_pair([a, b], [Outcome::Win(first), Outcome::Draw]);
        let times = [3, 5].map(|n| Some(Duration::from_micros(700 * n * (1 + i as u64 % 9))));
        results.add_times([a, b], times);
        let ratings = (0..4).map(|player| Some(results.live().glicko(player).rating));
        rating_history.push(RatingSnapshot {
            pairs: results.pairs(),
            ratings: ratings.collect(),
        });
    }
    results.add_faults(2, 3);
    let record = Record {
        game: "tictactoe".into(),
        players: ["random".into(), format!("cmd:'{}'", HOSTILE[2])],
        seed: 1,
        pair: 0,
        opening: vec!["A1".into(), "B2".into()],
        turns: Vec::new(),
        outcome: Outcome::Win(Seat::First),
        ending: Ending::fault(Seat::Second, Fault::Crashed(HOSTILE[0].into())),
        hash: 0,
        reports: [
            ProcessReport::default(),
            ProcessReport {
                about: vec![("name".into(), HOSTILE[0].into())],
                notes: vec![HOSTILE[1].into()],
                stderr: "</pre></details><script>".into(),
            },
        ],
    };
    let player = |number: usize| StoredPlayer {
        number,
        name: HOSTILE[number].into(),
        text: format!("cmd:./bot {}", HOSTILE[number]),
        about: vec![("name".into(), HOSTILE[0].into())],
    };
    Report {
        title: HOSTILE[0].into(),
        settings: vec![("game".into(), HOSTILE[0].into())],
        runs: vec![StoredRun {
            number: 1,
            cpu: HOSTILE[0].into(),
            cores: 2,
            os: HOSTILE[1].into(),
            program: HOSTILE[2].into(),
            jobs: 2,
            cage: HOSTILE[2].into(),
            started: SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_272_900),
            pairs: results.pairs(),
        }],
        players: (0..4).map(player).collect(),
        standings: results.standings(),
        meetings: results.meetings(),
        rating_history,
        limits: Some([1000, 50].map(Duration::from_millis)),
        faults: vec![FaultSummary {
            player: 2,
            kind: "crashed".into(),
            count: 3,
            example: HOSTILE[0].into(),
            game: 17,
        }],
        games: vec![StoredGame {
            id: 17,
            players: [0, 2],
            leg: 0,
            run: 1,
            started: SystemTime::UNIX_EPOCH,
            spent: Duration::from_secs(1),
            record,
        }],
        count: 2 * results.pairs(),
        store: HOSTILE[0].into(),
    }
}

/// The elements of a page that have to be closed are, in their order, and there are no
/// others than it is made of.
fn elements(page: &str) -> Vec<String> {
    // what need not be closed here
    const OPEN: [&str; 9] = [
        "!doctype", "meta", "tr", "td", "th", "line", "circle", "path", "br",
    ];
    let (mut stack, mut seen) = (Vec::new(), Vec::new());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("style>") {
            rest = &after[after.find("</style>").unwrap() + 1..];
            rest = &rest[rest.find('>').unwrap()..];
            continue;
        }
        let end = rest.find('>').unwrap();
        let tag = &rest[..end];
        let name: String = tag
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "/!".contains(*c))
            .collect();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(stack.pop().as_deref(), Some(name), "{tag}"),
            None if OPEN.contains(&name.as_str()) || tag.ends_with('/') => {}
            None => stack.push(name.clone()),
        }
        seen.push(name);
        rest = &rest[end..];
    }
    assert!(stack.is_empty(), "{stack:?}");
    seen.sort();
    seen.dedup();
    seen
}

#[test]
fn hostile_names_do_nothing() {
    let page = html(&made_up());
    let elements = elements(&page);
    for name in ["script", "img", "iframe", "a/", "link", "object"] {
        assert!(!elements.iter().any(|element| element == name), "{name}");
    }
    for attribute in ["onload=\"", "onerror=alert(3)>"] {
        assert!(!page.contains(attribute), "{attribute}");
    }
    assert!(!page.contains('\u{202e}'));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    // nothing is fetched: no address but places on the page itself
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("url("));
    for link in page.split("href=\"").skip(1) {
        assert!(link.starts_with('#'), "{}", &link[..40]);
        let place = &link[1..link.find('"').unwrap()];
        assert!(page.contains(&format!("id={place}>")), "{place}");
    }
}

#[test]
fn a_report_shows_all_parts() {
    let report = made_up();
    let page = html(&report);
    for section in [
        "standings",
        "ratings",
        "meetings",
        "course",
        "times",
        "faults",
        "players",
        "runs",
        "games",
    ] {
        assert!(
            page.contains(&format!("<section id={section}>")),
            "{section}"
        );
    }
    for row in &report.standings.rows {
        let rating = row.rating.unwrap();
        let words = format!("± {:.0}", rating.error);
        assert!(page.matches(&words).count() >= 2, "{words}");
    }
    for words in [
        "2026-11-21 14:55",
        "50\u{202f}ms",
        "crashed",
        "game 17",
        "<path class=round",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn absent_parts_are_not_drawn() {
    let empty = Report {
        runs: Vec::new(),
        players: Vec::new(),
        standings: TournamentResults::new([]).standings(),
        meetings: Vec::new(),
        rating_history: Vec::new(),
        limits: None,
        faults: Vec::new(),
        games: Vec::new(),
        count: 0,
        ..made_up()
    };
    let page = html(&empty);
    elements(&page);
    assert!(!page.contains("<section"), "{page}");
    // players who have not met, and some who have not played
    let mut results = TournamentResults::new(["a", "b", "c", "d", "e"].map(String::from));
    results.add_pair([0, 1], [Outcome::Draw; 2]);
    results.add_pair([3, 2], [Outcome::Win(Seat::First); 2]);
    let apart = Report {
        standings: results.standings(),
        meetings: results.meetings(),
        ..empty
    };
    let page = html(&apart);
    elements(&page);
    assert!(page.contains("these have met nobody of those above"));
    assert!(page.contains("not known"));
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

/// Plays a little tournament, and has a report of it.
fn report_of(folder: &TempDir, text: &str) -> (Report, String) {
    let plan = plan(folder, text);
    let path = plan.store.clone();
    let mut runner = TournamentRunner::open(plan).unwrap();
    runner
        .run(None, &AtomicBool::new(false), &mut |_| ())
        .unwrap();
    drop(runner);
    let report = Report::from_store(&Store::open(&path).unwrap()).unwrap();
    let page = html(&report);
    (report, page)
}

#[test]
fn a_store_becomes_a_page() {
    let folder = TempDir::new().unwrap();
    let three = players(&[
        ("chance", "random"),
        ("greedy", "material"),
        ("late <b>", "material"),
    ]);
    let text =
        format!("name = \"spring & cup\"\ngame = \"duel:turns=12\"\npairs = 4\nseed = 3\n{three}");
    let (report, page) = report_of(&folder, &text);
    assert_eq!((report.count, report.standings.pairs), (24, 12));
    assert_eq!(report.games.len(), 3, "one of each two");
    assert_eq!(report.rating_history.last().unwrap().pairs, 12);
    assert!(report.faults.is_empty());
    elements(&page);
    for words in [
        "spring &amp; cup",
        "late &lt;b&gt;",
        "duel:turns=12",
        "24 games in 12 pairs",
        "Nobody lost",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // the games on the page are games
    for played in &report.games {
        matches::replay::check(&played.record).unwrap();
    }
    let shown = page.split("<pre tabindex=0>").nth(1).unwrap();
    let shown = shown[..shown.find("</pre>").unwrap()].replace("&#39;", "'");
    let read = matches::replay::read_text(&shown).next().unwrap().unwrap();
    assert!(
        report
            .games
            .iter()
            .any(|played| played.record == read.record)
    );
}

/// Bots that cannot be started lose every game, and the page says why.
#[test]
fn faults_come_with_a_game() {
    let folder = TempDir::new().unwrap();
    // a file that is there and is no program: one that is missing is refused beforehand
    std::fs::write(folder.path().join("no-bot"), "").unwrap();
    let two = players(&[("chance", "random"), ("gone", "cmd:./no-bot")]);
    let text = format!("game = \"tictactoe\"\npairs = 3\ncage = \"off\"\n{two}");
    let (report, page) = report_of(&folder, &text);
    let [fault] = &report.faults[..] else {
        panic!("{:?}", report.faults);
    };
    assert_eq!((fault.kind.as_str(), fault.count), ("not-started", 6));
    assert!(report.games.iter().any(|game| game.id == fault.game));
    assert!(page.contains(&format!("<a href=\"#game-{}\">", fault.game)));
    elements(&page);
}

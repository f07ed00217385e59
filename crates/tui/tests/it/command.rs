//! Every command can be sent from the screen, and every key sends what the table says:
//! held against a session that is told directly.

use crate::script::{patience, play};
use crate::{app, text};
use session::command::{ALL, KEYS};
use session::file_access::FileAccess;
use session::{Command, CommandRefusal, Session, Status, Viewer};
use std::time::Duration;
use tui::App;

const SIZE: (u16, u16) = (80, 24);

/// A session that is told directly, with what a screen of this size sees.
struct SessionTwin(Session, Viewer);

impl SessionTwin {
    fn new() -> Self {
        let mut viewer = Viewer::new(80, 42);
        viewer.is_dark = true;
        Self(Session::new(FileAccess::default(), 7), viewer)
    }

    fn apply(&mut self, text: &str) -> Result<(), CommandRefusal> {
        let command: Command = text.parse().unwrap();
        let done = self.0.apply(&mut self.1, &command);
        let _ = self.0.apply(&mut self.1, &Command::Pan(0, 0));
        if self.status().going.is_some() {
            self.0.tick(Duration::ZERO, &mut patience());
        }
        done.map(|_| ())
    }

    fn status(&self) -> Status {
        comparable(self.0.status(&self.1))
    }
}

/// All but why the engine is the one that it is: that tells what took how long.
fn comparable(status: Status) -> Status {
    Status {
        why: String::new(),
        ..status
    }
}

/// A world with something in it, selected, copied, undone and run, so that few commands
/// have nothing to do.
const BEGINNING: [&str; 10] = [
    "open gosper-glider-gun",
    "select 0,0 10x9",
    "copy",
    "flip 30,30",
    "undo",
    "step 3",
    "cursor 3,4",
    "zoom 4",
    "centre 5,5",
    "select 0,0 10x9",
];

fn begin(app: &mut App, twin: &mut SessionTwin) {
    for command in BEGINNING {
        assert!(app.send(command), "{command}");
        twin.apply(command).unwrap();
        while app.is_busy() {
            app.tick(Duration::from_millis(1), &mut || true);
        }
        twin.0.finish_going();
    }
    assert_eq!(status(app), twin.status());
}

fn status(app: &App) -> Status {
    comparable(app.session().status(app.viewer()))
}

#[test]
fn every_command_can_be_typed() {
    // typed, `new` opens a world beside this one
    for entry in ALL.iter().filter(|entry| entry.name != "new") {
        for example in entry.examples {
            let (mut app, mut twin) = (app(SIZE.0, SIZE.1), SessionTwin::new());
            begin(&mut app, &mut twin);
            let mut size = SIZE;
            play(&mut app, &mut size, "key :");
            play(&mut app, &mut size, &format!("type {example}"));
            play(&mut app, &mut size, "key Enter");
            // cells without a place float until they are put down
            if ["paste", "paste glider ne"].contains(example) {
                play(&mut app, &mut size, "key Enter");
            }
            let outcome = twin.apply(example);
            assert_eq!(status(&app), twin.status(), "{example}");
            let screen = text(&mut app, SIZE.0, SIZE.1);
            match outcome {
                Ok(()) if *example == "help" => assert!(screen.contains("search"), "{screen}"),
                Ok(()) => assert!(!screen.contains(&format!(":{example}")), "{screen}"),
                Err(CommandRefusal::Asks { yes, .. }) => assert!(screen.contains(yes), "{screen}"),
                Err(CommandRefusal::NoFile) if *example == "save" => {
                    assert!(screen.contains(":save"), "{screen}");
                }
                Err(refusal) => {
                    let words = refusal.to_string();
                    assert!(screen.contains(&words), "{example}: {words}\n{screen}");
                    assert!(screen.contains(&format!(":{example}")), "{screen}");
                }
            }
        }
    }
}

#[test]
fn every_key_sends_its_command() {
    for key in KEYS {
        let (mut app, mut twin) = (app(SIZE.0, SIZE.1), SessionTwin::new());
        begin(&mut app, &mut twin);
        let mut size = SIZE;
        play(&mut app, &mut size, &format!("key {}", key.keys));
        if key.command == "paste" {
            play(&mut app, &mut size, "key Enter");
        }
        let asks_for_words = key.command.ends_with(' ');
        if !asks_for_words {
            let _ = twin.apply(key.command);
        }
        assert_eq!(status(&app), twin.status(), "{}", key.keys);
        let screen = text(&mut app, SIZE.0, SIZE.1);
        if key.command == "rule " {
            assert!(screen.contains("enter takes it"), "{screen}");
        } else if asks_for_words {
            assert!(
                screen.contains(&format!(":{}", key.command.trim())),
                "{screen}"
            );
        }
    }
}

#[test]
fn words_that_are_no_command_stay_on_the_line() {
    let mut app = app(SIZE.0, SIZE.1);
    let mut size = SIZE;
    play(&mut app, &mut size, "key :");
    play(&mut app, &mut size, "type stpe 4");
    play(&mut app, &mut size, "key Enter");
    let screen = text(&mut app, SIZE.0, SIZE.1);
    assert!(screen.contains("`stpe` is no command"), "{screen}");
    assert!(screen.contains("did you mean step?"), "{screen}");
    assert!(screen.contains(":stpe 4"), "{screen}");
}

#[test]
fn copied_cells_go_to_the_systems_clipboard() {
    let mut app = app(SIZE.0, SIZE.1);
    for command in ["open glider", "select all", "copy"] {
        assert!(app.send(command));
    }
    assert!(app.take_clipboard_text().unwrap().contains("3o!"));
    assert_eq!(app.take_clipboard_text(), None);
}

#[test]
fn a_draft_brings_the_work_back() {
    let mut before = app(SIZE.0, SIZE.1);
    before.send("open glider");
    assert_eq!(before.draft(), None, "it is in the library");
    before.send("flip 10,10");
    let draft = before.draft().unwrap();
    let mut after = app(SIZE.0, SIZE.1);
    after.restore(&draft).unwrap();
    assert_eq!(status(&after).population, "6");
    assert!(status(&after).unsaved);
    assert!(text(&mut after, SIZE.0, SIZE.1).contains("unsaved work of last time"));
    assert!(after.restore(b"nonsense").is_err());
    assert_eq!(status(&after).population, "6");
}

#[test]
fn leaving_asks_where_work_would_be_lost() {
    for (keys, leaves) in [
        ("q", false),
        ("q n", false),
        ("q y", true),
        ("Ctrl-C y", true),
        ("Ctrl-C Ctrl-C", true),
        ("q Enter", false),
        ("Ctrl-N Ctrl-C", false),
    ] {
        let mut app = app(SIZE.0, SIZE.1);
        let mut size = SIZE;
        app.send("flip 1,1");
        play(&mut app, &mut size, &format!("key {keys}"));
        assert_eq!(app.is_leaving(), leaves, "{keys}");
    }
    let mut app = app(SIZE.0, SIZE.1);
    let mut size = SIZE;
    play(&mut app, &mut size, "key q");
    assert!(app.is_leaving());
}

#[test]
fn what_stands_still_is_not_drawn_again() {
    let mut app = app(SIZE.0, SIZE.1);
    app.send("open glider");
    text(&mut app, SIZE.0, SIZE.1);
    assert!(!app.is_stale() && !app.is_busy());
    app.tick(Duration::from_secs(1), &mut || true);
    assert!(!app.is_stale());
    app.send("run");
    assert!(app.is_stale() && app.is_busy());
}

/// What a pattern is comes from another thread: the panel shows it as soon as it is there.
#[test]
fn about_says_what_the_pattern_is() {
    let mut app = app(100, 40);
    let pool = models::worker_pool::WorkerPool::new(Default::default());
    pool.spawn("identify", 1).unwrap();
    app.lend(pool);
    assert!(app.send("open glider"));
    assert!(app.send("about"));
    let shown = loop {
        let shown = text(&mut app, 100, 40);
        if !shown.contains("looking") {
            break shown;
        }
        std::thread::yield_now();
    };
    for words in ["spaceship", "xq4_153", "c/4 diagonal", "population"] {
        assert!(shown.contains(words), "{words}:\n{shown}");
    }
}

/// A search with the selection says how it ends, and what it found is opened beside.
#[test]
fn a_selection_is_searched_with() {
    let mut app = app(100, 40);
    let pool = models::worker_pool::WorkerPool::new(Default::default());
    pool.spawn("search", 1).unwrap();
    app.lend(pool);
    assert!(!app.send("search predecessor"), "nothing is live");
    assert!(app.send("open blinker"));
    for wrong in [
        "search ship",
        "search osc",
        "search osc x",
        "search orphan 3",
    ] {
        assert!(!app.send(wrong), "{wrong}");
    }
    for (command, ended, title) in [
        ("search osc 3", "there is no oscillator of period 3", ""),
        ("search orphan", "found in", "a predecessor"),
        // which oscillator is found first depends on the engines
        ("search osc 2", "found in", ""),
    ] {
        assert!(app.send("select all") && app.send(command));
        let shown = loop {
            let shown = text(&mut app, 100, 40);
            if shown.contains(ended) {
                break shown;
            }
            std::thread::yield_now();
        };
        assert!(shown.contains(title), "{shown}");
        if command != "search osc 2" {
            play(&mut app, &mut SIZE.clone(), "key Escape");
        }
    }
    play(&mut app, &mut SIZE.clone(), "key Enter");
    let opened = app.session().status(app.viewer());
    assert_eq!(
        (&opened.rule[..], opened.title == "Blinker"),
        ("B3/S23", false)
    );
    // it has live cells: a search with all of them is an oscillator again
    assert!(opened.population != "0" && app.send("search osc 2"));
}

/// A census of the world's rule is a key away, and its first object is opened beside.
#[test]
fn soups_of_the_rule_are_counted() {
    let mut app = app(100, 40);
    assert!(!app.send("census"), "there is no thread");
    let pool = models::worker_pool::WorkerPool::new(Default::default());
    pool.spawn("census", 1).unwrap();
    app.lend(pool);
    assert!(app.send("open glider"));
    play(&mut app, &mut SIZE.clone(), "key Shift-I");
    let shown = loop {
        let shown = text(&mut app, 100, 40);
        if shown.contains("xs4_33") {
            break shown;
        }
        std::thread::yield_now();
    };
    assert!(
        shown.contains("B3/S23: ") && shown.contains("block"),
        "{shown}"
    );
    play(&mut app, &mut SIZE.clone(), "key Space Enter");
    let opened = app.session().status(app.viewer());
    assert_ne!((&opened.title[..], &opened.population[..]), ("Glider", "0"));
}

/// Issue 31: several worlds, each as it was left.
#[test]
fn worlds_lie_side_by_side() {
    let mut app = app(80, 24);
    assert!(app.send("open glider"));
    play(&mut app, &mut SIZE.clone(), "do step 4");
    assert!(app.send("zoom 8") && app.send("run"));
    assert!(app.send("new block"));
    let status = |app: &App| app.session().status(app.viewer());
    assert_eq!(status(&app).title, "Block");
    assert!(!status(&app).running);
    assert!(app.send("draw 1 9,9 12,9"));
    // the first waits as it was left, also running
    assert!(app.send("previous-world"));
    let first = status(&app);
    assert_eq!(
        (first.title.as_str(), first.generation.as_str()),
        ("Glider", "4")
    );
    assert!(
        first.running && first.viewer.zoom == "8",
        "{:?}",
        first.viewer
    );
    assert!(app.send("world 2"));
    assert_eq!(status(&app).population, "8");
    // each undoes its own
    assert!(app.send("undo"));
    assert_eq!(status(&app).population, "4");
    assert!(app.send("redo"));
    // what cannot be is said, and changes nothing
    for wrong in ["world 3", "world x", "new no-such-pattern", "close now"] {
        assert!(!app.send(wrong), "{wrong}");
        assert_eq!(status(&app).population, "8");
    }
    // a question comes before unsaved work is closed, and before leaving with it
    app.send("close");
    assert!(text(&mut app, 80, 24).contains("has changes that no file has"));
    play(&mut app, &mut SIZE.clone(), "key n");
    assert_eq!(status(&app).title, "Block");
    app.send("world 1");
    app.send("stop");
    app.leave();
    let asked = text(&mut app, 80, 24);
    assert!(asked.contains("1 of 2 worlds have changes"), "{asked}");
    play(&mut app, &mut SIZE.clone(), "key n");
    app.send("world 2");
    app.send("close");
    play(&mut app, &mut SIZE.clone(), "key y");
    assert_eq!(status(&app).title, "Glider");
    assert!(text(&mut app, 80, 24).contains("closed Block · :reopen brings it back"));
    assert!(!app.is_leaving());
    // what was closed comes back, and a copy lies beside
    assert!(app.send("reopen") && app.send("clone"));
    assert_eq!(status(&app).population, "8");
    assert!(app.send("clear all") && app.send("previous-world"));
    assert_eq!(
        (&status(&app).population[..], &status(&app).title[..]),
        ("8", "Block")
    );
    assert!(!app.send("reopen"), "there is one world to bring back");
    assert!(app.send("close anyway") && app.send("close anyway"));
    assert_eq!(status(&app).title, "Glider");
    app.send("close");
    assert!(app.is_leaving(), "the last world is closed by leaving");
}

/// However many worlds there are, all together have the memory of one.
#[test]
fn worlds_share_the_memory() {
    let mut app = app(80, 24);
    let limit = |app: &App| app.session().file_access().limits.memory;
    let all = limit(&app);
    for _ in 0..3 {
        assert!(app.send("new"));
    }
    let part = limit(&app);
    assert!(part <= all / 4 && part > all / 5, "{part} of {all}");
    for _ in 0..12 {
        assert!(app.send("new"));
    }
    assert!(!app.send("new"), "sixteen are the most");
    for _ in 0..15 {
        assert!(app.send("close anyway"));
    }
    assert!(limit(&app) > all / 10 * 9);
}

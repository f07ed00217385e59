//! Whatever is asked of a session, in whatever order: nothing panics, a stop is heeded, what is
//! refused or stopped changes nothing, and what was undone can be done again.
//!
//! `GRIDPAPER_CASES` says how many sequences are drawn (the long form: 10000, in release mode),
//! `GRIDPAPER_FROM` the number of the first. A sequence is made from its number alone.

use dice::Dice;
use session::file_access::FileAccess;
use session::{Command, CommandRefusal, Session, Viewer};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// Bytes that a session may hold here.
const MEMORY: u64 = 32 << 20;

/// The numbers of the sequences.
fn numbers() -> std::ops::Range<u64> {
    let asked = |name| {
        let text = std::env::var(name).ok()?;
        Some(
            text.parse()
                .unwrap_or_else(|e| panic!("{name}={text}: {e}")),
        )
    };
    let first = asked("GRIDPAPER_FROM").unwrap_or(0);
    first..first + asked("GRIDPAPER_CASES").unwrap_or(8)
}

fn of(dice: &mut Dice, all: &[&'static str]) -> &'static str {
    dice.pick(all).unwrap()
}

/// Mostly near, seldom as far out as a number goes.
fn coordinate(dice: &mut Dice) -> i64 {
    match dice.below(40) {
        0 => i64::MAX,
        1 => i64::MIN,
        2 => 1 << 61,
        3 => -(1 << 59),
        4..8 => (dice.word() >> 24) as i64 - (1 << 39),
        _ => i64::from(dice.below(160)) - 80,
    }
}

fn side(dice: &mut Dice) -> u64 {
    match dice.below(20) {
        0 => (1 << 62) - 1,
        1 => 0,
        2 => 1 << 33,
        3 => 1 << 21,
        _ => dice.below(150).into(),
    }
}

fn point(dice: &mut Dice) -> String {
    format!("{},{}", coordinate(dice), coordinate(dice))
}

/// A command, some of them in no order that a person would think of.
fn command(dice: &mut Dice) -> String {
    let (p, q) = (point(dice), point(dice));
    let (w, h) = (side(dice), side(dice));
    let n = dice.below(70);
    let seed = dice.below(1000);
    match dice.below(46) {
        0 => format!("set {p} {}", dice.below(4)),
        1 => format!("flip {p}"),
        2 | 3 => format!("draw {} {p} {q}", dice.below(3)),
        4 => format!("draw more 1 {p}"),
        5..8 => format!("select {p} {w}x{h}"),
        8 => of(dice, &["select all", "select none", "select shrink"]).into(),
        9 => "cut".into(),
        10 => "copy".into(),
        11 => format!(
            "clipboard {}",
            of(dice, &["bo$2bo$3o!", "xs4_33", "2000000o!", "9o$$9o!"])
        ),
        12..15 => {
            let mode = of(dice, &["or", "xor", "copy", "and"]);
            let text = of(
                dice,
                &[
                    "bo$2bo$3o!",
                    "",
                    "100000o$100000o!",
                    "9999999999o!",
                    "3o9$3o!",
                ],
            );
            format!("paste {p} {mode} {text}")
        }
        15 => of(dice, &["mirror horizontal", "mirror vertical"]).into(),
        16 => of(dice, &["rotate left", "rotate right", "rotate half"]).into(),
        17 => format!("shift {p}"),
        18 => format!("random 0.4 seed {seed}"),
        19 => format!("fill {}", dice.below(3)),
        20 => of(dice, &["clear inside", "clear outside", "clear all"]).into(),
        21..24 => format!("step {n}"),
        24 => format!("back {n}"),
        25 => "reset".into(),
        26 => format!("goto {}", of(dice, &["100", "0", "10^9", "-5", "2^64"])),
        27 | 28 => of(dice, &["run", "toggle", "stop", "cancel"]).into(),
        29 => of(
            dice,
            &[
                "speed max",
                "speed 1",
                "stride 1",
                "stride 7",
                "stride 2^40",
                "hyper toggle",
            ],
        )
        .into(),
        30..33 => format!(
            "engine {}",
            of(dice, &["naive", "torus", "tiles", "hashlife", "auto"])
        ),
        33 => format!("memory {}", of(dice, &["1M", "8M", "16M", "999G"])),
        34 | 35 => of(dice, &["undo", "redo"]).into(),
        36 => format!(
            "{}rule {}",
            of(dice, &["", "anyway "]),
            of(
                dice,
                &[
                    "B3/S23",
                    "345/2/4",
                    "B36/S23:T64,48",
                    "R3,C0,M1,S14..23,B14..19",
                    "B03/S23:K40*,32",
                    "WireWorld",
                    "B2/S:P0,50"
                ]
            )
        ),
        37 => format!(
            "{}resize {}",
            of(dice, &["", "anyway "]),
            of(
                dice,
                &[
                    "unbounded",
                    "64x48 torus",
                    "1000x1000",
                    "2147483648x2147483648",
                    "4000000000x2 torus",
                    "33x33 sphere"
                ]
            )
        ),
        38 => format!("anyway soup {}x{} 0.4 seed {seed}", n + 1, w.min(99) + 1),
        39 => of(
            dice,
            &[
                "anyway new",
                "anyway open gosper-glider-gun",
                "anyway open 3o!",
                "anyway revert",
            ],
        )
        .into(),
        40 => of(
            dice,
            &[
                "age toggle",
                "history toggle",
                "dying toggle",
                "follow toggle",
                "run-while-drawing toggle",
            ],
        )
        .into(),
        41 => of(
            dice,
            &[
                "fit",
                "zoom in",
                "zoom out",
                "zoom 1:1048576",
                "scroll left far",
            ],
        )
        .into(),
        42 => format!("centre {p}"),
        43 => format!("cursor {p}"),
        44 => format!("nudge {p}"),
        _ => format!("pan {p}"),
    }
}

/// What of a session must not change when something is refused.
fn facts(session: &Session) -> (String, String, grid::CellHash) {
    let world = session.world();
    (
        world.rule().to_string(),
        world.generation().to_string(),
        world.hash(),
    )
}

struct WatchedSession {
    session: Session,
    viewer: Viewer,
    /// Questions until the answer is no.
    left: Arc<AtomicI64>,
    log: Vec<String>,
}

impl WatchedSession {
    fn new() -> Self {
        let mut file_access = FileAccess::default();
        file_access.limits.undo = 4 << 20;
        Self::at(file_access, MEMORY)
    }

    /// With so many bytes for all that it holds.
    fn with_memory(bytes: u64) -> Self {
        Self::at(FileAccess::default(), bytes)
    }

    fn at(mut file_access: FileAccess, memory: u64) -> Self {
        file_access.limits.memory = memory;
        let mut session = Session::new(file_access, 1);
        let left = Arc::new(AtomicI64::new(i64::MAX));
        let asked = Arc::clone(&left);
        session.set_stop_check(move || asked.fetch_sub(1, Ordering::Relaxed) > 0);
        Self {
            session,
            viewer: Viewer::new(64, 48),
            left,
            log: Vec::new(),
        }
    }

    fn apply(&mut self, text: &str) -> Result<(), CommandRefusal> {
        if std::env::var_os("GRIDPAPER_FROM").is_some() {
            // what hangs is told too
            println!("{text}");
        }
        self.log.push(text.to_string());
        let command: Command = text.parse()?;
        let outcome = self.session.apply(&mut self.viewer, &command);
        outcome.map(|_| ())
    }

    /// Runs for as long as so many questions.
    fn tick(&mut self, questions: u32) {
        self.log.push(format!("tick {questions}"));
        let mut left = questions;
        self.session.tick(Duration::from_millis(12), &mut || {
            left = left.saturating_sub(1);
            left > 0
        });
        let _ = self.session.frame(&mut self.viewer);
        let _ = self.session.status(&self.viewer);
    }

    fn stop(&mut self) {
        self.apply("stop").expect("a stop is refused to nobody");
        assert!(!self.session.is_busy());
    }

    /// The world is one: what it counts is what it shows.
    fn check_world(&self) {
        let world = self.session.world();
        let mut live = num_bigint::BigUint::ZERO;
        let cells = world.cells();
        if world.population() < (1_u32 << 20).into() {
            cells.for_each_run(&mut |run| live += run.length);
            assert_eq!(live, world.population());
            assert_eq!(cells.bounds(), world.bounds());
        }
    }

    fn check_undo(&mut self) {
        let before = facts(&self.session);
        if self.apply("undo").is_ok() {
            self.stop();
            self.apply("redo")
                .expect("what was undone can be done again");
            assert_eq!(facts(&self.session), before);
        } else {
            assert_eq!(facts(&self.session), before);
        }
    }

    fn go(&mut self, dice: &mut Dice) {
        let begin = [
            format!(
                "engine {}",
                of(dice, &["naive", "torus", "tiles", "hashlife", "auto"])
            ),
            format!(
                "anyway rule {}",
                of(dice, &["B3/S23:T64,64", "B3/S23", "345/2/4:T50,40"])
            ),
            "anyway soup 40x30 0.4".into(),
        ];
        for text in begin {
            let _ = self.apply(&text);
        }
        for _ in 0..30 {
            let text = command(dice);
            let is_stopped = dice.below(8) == 0;
            let questions = if is_stopped {
                dice.below(3).into()
            } else {
                i64::MAX
            };
            self.left.store(questions, Ordering::Relaxed);
            let before = facts(&self.session);
            let outcome = self.apply(&text);
            self.left.store(i64::MAX, Ordering::Relaxed);
            if outcome.is_err() {
                assert_eq!(facts(&self.session), before);
            }
            assert!(
                self.session.bytes() <= MEMORY,
                "{} bytes",
                self.session.bytes()
            );
            self.tick(1 + dice.below(4));
            self.stop();
            self.check_world();
            if dice.below(4) == 0 {
                self.check_undo();
            }
        }
    }
}

#[test]
fn random_commands_on_random_worlds() {
    let mut failed = Vec::new();
    for number in numbers() {
        let mut watched = WatchedSession::new();
        let mut dice = Dice::new(number);
        let run = std::panic::AssertUnwindSafe(|| watched.go(&mut dice));
        if std::panic::catch_unwind(run).is_err() {
            let last = watched.log.len().saturating_sub(12);
            failed.push(format!("{number}: ... {}", watched.log[last..].join("; ")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What of issue 28 took more memory and time than anybody has: a step that would take hours
/// is stopped, and nothing passes what was allowed.
#[test]
fn the_slow_engine_stays_within_its_memory_and_stops() {
    let mut file_access = FileAccess::default();
    file_access.limits.memory = 256 << 20;
    let mut session = Session::new(file_access, 1);
    let mut viewer = Viewer::new(64, 48);
    let commands = [
        "anyway soup 300x300 0.4",
        "engine naive",
        "paste -2147483648,65535 or 2000000o$2000000o!",
        "hyper on",
        "step 65",
        "run",
    ];
    for text in commands {
        session.apply(&mut viewer, &text.parse().unwrap()).unwrap();
        for _ in 0..3 {
            let mut asked = 0;
            session.tick(Duration::from_millis(12), &mut || {
                asked += 1;
                asked < 3
            });
            // it is asked again at most once after it was told to stop
            assert!(asked <= 4, "{asked}");
            assert!(session.bytes() <= 256 << 20);
        }
    }
    session.apply(&mut viewer, &Command::Stop).unwrap();
    assert!(!session.is_busy());
    let more = "paste 0,0 or 100000000o$100000000o!";
    let before = session.world().population();
    let refused = session.apply(&mut viewer, &more.parse().unwrap());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("would not fit 128 MiB"), "{refused}");
    assert_eq!(session.world().population(), before);
}

/// A command that is stopped on the way has changed nothing.
#[test]
fn a_stopped_command_changes_nothing() {
    let mut watched = WatchedSession::new();
    watched.apply("anyway soup 400x400 0.4 seed 3").unwrap();
    for text in ["select all", "copy"] {
        watched.apply(text).unwrap();
    }
    let before = facts(&watched.session);
    let commands = [
        "draw 1 0,0 30000,7",
        "fill 1",
        "cut",
        "paste 3,3",
        "mirror vertical",
        "rotate left",
        "shift 5,5",
        "random 0.3",
        "clear inside",
        "engine hashlife",
        "anyway rule 345/2/4",
        "anyway resize 900x900",
    ];
    for text in commands {
        watched.left.store(0, Ordering::Relaxed);
        let refused = watched.apply(text);
        watched.left.store(i64::MAX, Ordering::Relaxed);
        assert!(
            matches!(refused, Err(CommandRefusal::Stopped(_))),
            "{text}: {refused:?}"
        );
        assert_eq!(facts(&watched.session), before, "{text}");
        watched.apply(text).unwrap();
        if !text.starts_with("engine") {
            watched.apply("undo").unwrap();
        }
        assert_eq!(facts(&watched.session).2, before.2, "{text}");
        watched.apply("engine auto").unwrap();
        watched.apply("select all").unwrap();
    }
}

/// Commands that go over many cells are asked for often, can be stopped wherever they ask, and
/// leave all as it was.
#[test]
fn what_takes_long_is_stopped_and_loses_nothing() {
    let commands = [
        "engine naive",
        "engine torus",
        "engine tiles",
        "engine hashlife",
        "rule 345/2/4",
        "resize 900x900 torus",
        "goto 10^9",
        "random 0.5 seed 3",
        "anyway soup 300x250 0.5 seed 3",
        "rotate left",
        "shift 3,-2",
        "clear outside",
        "undo",
        "back 2",
        "save kept as macrocell",
    ];
    let kinds = [
        ("naive", "B3/S23"),
        ("torus", "B3/S23:T800,800"),
        ("tiles", "B3/S23"),
        ("tiles", "345/2/4"),
        ("hashlife", "B3/S23"),
    ];
    for (engine, rule) in kinds {
        let mut watched = WatchedSession::with_memory(512 << 20);
        let begin = |watched: &mut WatchedSession| {
            for text in [
                &format!("anyway rule {rule}"),
                &format!("engine {engine}"),
                "anyway soup 300x300 0.5 seed 9",
                "select all",
                "step 1",
            ] {
                watched.apply(text).unwrap();
                watched.session.finish_going();
            }
        };
        begin(&mut watched);
        for text in commands {
            let mut most_asked = 0;
            for questions in (0..3).chain((0..6).map(|k| 5 << (2 * k))) {
                let before = (facts(&watched.session), watched.session.content());
                watched.left.store(questions, Ordering::Relaxed);
                let outcome = watched.apply(text);
                watched.left.store(i64::MAX, Ordering::Relaxed);
                let now = (facts(&watched.session), watched.session.content());
                match outcome {
                    Err(CommandRefusal::Stopped(_)) => {
                        most_asked = questions + 1;
                        assert_eq!(now, before, "{text} in {engine}, {rule}");
                    }
                    // a way that is not gone yet
                    Ok(()) if text.starts_with("goto") => watched.stop(),
                    _ => {
                        begin(&mut watched);
                        break;
                    }
                }
            }
            if text.starts_with("engine") || text.contains(" 0.5 ") {
                assert!(
                    most_asked >= 2,
                    "{text} in {engine}: {most_asked} questions"
                );
            }
        }
    }
}

/// So are looks, which are the same when they are taken again.
#[test]
fn looks_at_very_much_are_stopped() {
    let mut watched = WatchedSession::with_memory(512 << 20);
    for rule in ["B3/S23", "345/2/4"] {
        watched.apply(&format!("anyway rule {rule}")).unwrap();
        watched.apply("engine tiles").unwrap();
        watched.apply("select 0,0 9000x9000").unwrap();
        watched.apply("fill 1").unwrap();
        watched.apply("step 1").unwrap();
        watched.session.finish_going();
        for (width, height) in [(64, 48), (800, 600)] {
            watched.viewer = Viewer::new(width, height);
            watched.apply("fit").unwrap();
            let WatchedSession {
                session,
                viewer,
                left,
                ..
            } = &mut watched;
            left.store(0, Ordering::Relaxed);
            let stopped = session.interruptible_read(|session| session.frame(viewer));
            assert!(stopped.is_none(), "{rule}, {width} pixels");
            left.store(i64::MAX, Ordering::Relaxed);
            let seen = session.interruptible_read(|session| session.frame(viewer));
            assert!(
                seen == Some(session.frame(viewer)),
                "{rule}, {width} pixels"
            );
        }
        watched.left.store(0, Ordering::Relaxed);
        let WatchedSession {
            session, viewer, ..
        } = &mut watched;
        let stopped = session.interruptible_read(|session| session.status(viewer));
        // the larger tiles of more states are gone through before it is asked
        assert_eq!(stopped.is_some(), rule == "345/2/4", "{rule}");
        watched.left.store(i64::MAX, Ordering::Relaxed);
    }
}

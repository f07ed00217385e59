//! A minute of large patterns at full speed: generations a second beside the engine's own, drawings
//! a second, and memory; and then frames a second while the view is moved. For figures, on a machine
//! with nothing else to do:
//!
//! ```console
//! $ GRIDPAPER_DATA=DATA cargo nextest run -p gridpaper-web --run-ignored only --no-capture -E 'test(soak)'
//! ```
//!
//! `GRIDPAPER_SECONDS` gives other seconds than sixty. The engine is asked for the generations
//! that the page has shown, in steps like its own, which are powers of two up to [`LONGEST_STEP`]
//! (in a soup that has settled, a step twice as long takes no longer, and a single one would win any
//! race), for as long: once memory is full, some of the time is collecting. What the page takes for
//! itself is the rest.
//! Where a single generation takes the engine longer than a thirtieth of a second, fewer are there to
//! be drawn; a view that is moved shows what is there as quickly all the same.

use crate::browser::{BrowserPage, BrowserSetup, BrowserTestServer};
use engine::{EngineChoice, Options};
use num_bigint::BigUint;
use pattern::soup::SoupRecipe;
use pattern::{Format, Pattern};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use web::{StartFile, StartSheet};

/// What a world may take (`memory 1G`), and what the process may take besides.
const MEMORY: u64 = 1 << 30;
const BESIDES: u64 = 256 << 20;

const LEAST_FRAMES: f64 = 30.0;
const LEAST_SPEED: f64 = 0.7;

/// The longest step that the page makes at full speed.
const LONGEST_STEP: f64 = (1_u64 << 32) as f64;

/// Counts drawings, changes of the generation, and views of the server's that were moved.
const COUNTER: &str = "(() => {
    const told = (window.told = { draws: 0, changes: 0, last: '', moves: 0, frame: '' });
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (act) =>
        request.call(window, (now) => {
            const before = told.last;
            act(now);
            told.draws += 1;
            const { generation, frame } = document.getElementById('sheet').dataset;
            told.last = generation;
            told.changes += before === generation ? 0 : 1;
            told.moves += told.frame === frame ? 0 : 1;
            told.frame = frame;
        });
})()";

/// Has the view moved for ever: each drawing shows something else.
const DRAWING: &str = "
    const place = document.querySelector('#sheet canvas');
    const move = (now) => {
        const deltaX = now % 2000 < 1000 ? 3 : -3;
        place.dispatchEvent(new WheelEvent('wheel', { deltaX, shiftKey: true, bubbles: true, cancelable: true }));
        requestAnimationFrame(move);
    };
    requestAnimationFrame(move);";

/// What a minute of the page came to.
struct SoakFigures {
    draws: f64,
    changes: f64,
    from: f64,
    to: f64,
    /// Frames of a view that was moved, a second.
    moved: f64,
    /// The most memory that the process has taken until then, in bytes.
    memory: u64,
    /// Generations a second of the engine alone, while the page's world rests and its view is moved,
    /// which has the browser draw at least as much.
    beside_browser: f64,
}

async fn soak(path: &str, pattern: &Pattern, seconds: u64) -> SoakFigures {
    let sheet = StartSheet::File(StartFile {
        name: path.to_string(),
        bytes: std::fs::read(path).unwrap(),
        sidecar: None,
    });
    let server = BrowserTestServer::with_sheet(0, sheet, None);
    let setup = BrowserSetup {
        path: "/",
        size: (1920, 1080),
        ..BrowserSetup::default()
    };
    let page = BrowserPage::at(Arc::new(server), &setup).await;
    page.before_documents(COUNTER).await;
    page.go("/").await;
    for command in ["memory 1G", "fit", "speed max", "run"] {
        page.command(command).await;
    }
    // the length of steps is tried out first
    let settling = seconds / 4;
    let script = format!(
        "const done = arguments[arguments.length - 1];
        const generation = () => Number(document.getElementById('sheet').dataset.generation);
        setTimeout(() => {{
            Object.assign(told, {{ draws: 0, changes: 0 }});
            const from = generation();
            setTimeout(() => done([told.draws, told.changes, from, generation()]), {seconds}000);
        }}, {settling}000);"
    );
    // a wheel with shift moves the view to the side, here at each drawing
    let moving = "const done = arguments[arguments.length - 1];
        const place = document.querySelector('#sheet canvas');
        const begun = performance.now();
        told.moves = 0;
        const move = () => {
            const seconds = (performance.now() - begun) / 1000;
            if (seconds > 5) return done(told.moves / seconds);
            const deltaX = seconds % 2 < 1 ? 3 : -3;
            place.dispatchEvent(new WheelEvent('wheel', { deltaX, shiftKey: true, bubbles: true, cancelable: true }));
            requestAnimationFrame(move);
        };
        move();";
    let patience = json!({ "script": (2 * seconds + 60) * 1000 });
    page.client.post("/timeouts", patience).await.unwrap();
    let told = page.client.execute_async(&script, Vec::new()).await;
    let told: Vec<f64> = told
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    let moved = page.client.execute_async(moving, Vec::new()).await;
    page.command("stop").await;
    let figures = SoakFigures {
        moved: moved.unwrap().as_f64().unwrap(),
        draws: told[0],
        changes: told[1],
        from: told[2],
        to: told[3],
        memory: most_memory(),
        beside_browser: 0.0,
    };
    page.client.execute(DRAWING, Vec::new()).await.unwrap();
    let some = seconds.div_ceil(4);
    let beside_browser = tokio::task::block_in_place(|| figures.engine_speed(pattern, some));
    page.close().await;
    SoakFigures {
        beside_browser,
        ..figures
    }
}

impl SoakFigures {
    fn speed(&self, seconds: u64) -> f64 {
        (self.to - self.from) / seconds as f64
    }

    /// Generations between two drawings that show others.
    fn step(&self) -> f64 {
        (self.to - self.from) / self.changes.max(1.0)
    }

    /// Generations a second of the engine alone, from where the page began.
    fn engine_speed(&self, pattern: &Pattern, seconds: u64) -> f64 {
        engine_speed(pattern, self.from, self.step(), seconds)
    }
}

/// Generations a second of the engine alone, from a generation on in steps of so many.
fn engine_speed(pattern: &Pattern, from: f64, step: f64, seconds: u64) -> f64 {
    let rule = pattern.rule.as_deref().unwrap_or("B3/S23").parse().unwrap();
    let options = Options {
        memory: MEMORY,
        ..Options::default()
    };
    let from = BigUint::from(from as u128);
    let opened = engine::open(EngineChoice::Auto, &rule, pattern, Some(&from), &options);
    let mut world = opened.unwrap().world;
    world.advance(&from, &mut |_| true).unwrap();
    let power = step.clamp(1.0, LONGEST_STEP).log2().floor();
    let (step, begun) = (BigUint::from(power.exp2() as u128), Instant::now());
    let mut done = 0.0;
    while begun.elapsed() < Duration::from_secs(seconds) {
        world.advance(&step, &mut |_| true).unwrap();
        done += step.to_string().parse::<f64>().unwrap();
    }
    done / begun.elapsed().as_secs_f64()
}

/// The most memory that this process has taken, in bytes, since it was last set back.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.unwrap().trim().trim_end_matches(" kB");
    kibibytes.parse::<u64>().unwrap() << 10
}

fn saved(folder: &Path, name: &str, pattern: &Pattern) -> Result<String, Box<dyn Error>> {
    let path = folder.join(name);
    let mut file = std::fs::File::create(&path)?;
    pattern::write(pattern, Format::Macrocell, &mut file)?;
    Ok(path.display().to_string())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement; the module says how to run it"]
async fn a_minute_at_full_speed() -> Result<(), Box<dyn Error>> {
    let seconds = std::env::var("GRIDPAPER_SECONDS").map_or(Ok(60), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let mut patterns = Vec::new();
    for name in ["gemini", "caterpillar"] {
        let path = format!("patterns/gol_engines/very_large_patterns/{name}.mc.gz");
        if let Some(path) = prerequisite::data(path) {
            patterns.push((name, path.display().to_string()));
        }
    }
    let breeder = pattern::library::find("20-cell-quadratic-growth").ok_or("no breeder")?;
    patterns.push((
        "breeder",
        saved(folder.path(), "breeder.mc", &breeder.pattern())?,
    ));
    let recipe = SoupRecipe {
        seed: 1,
        ..SoupRecipe::new(512, 512)
    };
    patterns.push(("soup", saved(folder.path(), "soup.mc", &recipe.pattern()?)?));
    let mut misses = Vec::new();
    for (name, path) in patterns {
        let (pattern, _) = pattern::read(&std::fs::read(&path)?)?;
        // sets the peak of memory back
        std::fs::write("/proc/self/clear_refs", "5")?;
        let before = most_memory();
        let told = soak(&path, &pattern, seconds).await;
        let memory = told.memory - before;
        let frames = told.draws / seconds as f64;
        let (speed, step) = (told.speed(seconds), told.step());
        let alone = told.engine_speed(&pattern, seconds);
        println!(
            "{name}: {frames:.1} drawings a second, {:.1} while it is moved, {speed:.3e} generations \
             a second in steps of {step:.0}, {:.2} of the engine's alone, {:.2} of it beside a browser \
             whose view is moved, {} MiB",
            told.moved,
            speed / alone,
            speed / told.beside_browser,
            memory >> 20
        );
        let steps = LEAST_SPEED * alone / step;
        let is_met = told.moved >= LEAST_FRAMES
            && frames >= LEAST_FRAMES.min(steps)
            && speed >= LEAST_SPEED * alone;
        if !is_met || memory > MEMORY + BESIDES {
            misses.push(name);
        }
    }
    assert!(misses.is_empty(), "short of what is wanted: {misses:?}");
    Ok(())
}

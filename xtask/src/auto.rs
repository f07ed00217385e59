//! `cargo xtask auto`: what each engine takes for the cases of the test that holds `auto` to
//! its choices, measured anew and written down; and what `auto` itself takes now.
//!
//! The cases are in `crates/engine/tests/auto.json`: a new one is a line there, without
//! seconds. Engines are given up on after a while; who is so much slower than the quickest
//! needs no figure. A pattern `data PATH` is one of the data folder's, and is left as it was
//! written down where there is none. The worst comes last.

use crate::peers::{Cores, built, run_command, target};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Where the cases are, seen from the root.
const FILE: &str = "crates/engine/tests/auto.json";

/// Seconds after which an engine is given up on. The quickest takes less than one.
const PATIENCE: &str = "8";

/// Seconds by which `auto` may be slower.
const UNNOTICED: f64 = 0.005;

/// How often each runs; the quickest counts, since what disturbs only makes slower.
const TIMES: usize = 3;

/// Measures all cases whose names contain one of these words.
pub(crate) fn run(root: &Path, words: &[&str]) -> ExitCode {
    match measure(root, words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("auto: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(root: &Path, words: &[&str]) -> Result<(), String> {
    let text = std::fs::read_to_string(root.join(FILE)).map_err(|e| format!("{FILE}: {e}"))?;
    let mut cases: Value = serde_json::from_str(&text).map_err(|e| format!("{FILE}: {e}"))?;
    let target = target(root)?;
    let program = match std::env::var_os("GRIDPAPER_PROGRAM") {
        Some(named) => named.into(),
        None => built(root, &target, "gridpaper", "gridpaper")?,
    };
    let folder = target.join("auto");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let cases_here = cases.as_array_mut().ok_or(format!("{FILE}: no list"))?;
    let mut told = Vec::new();
    for case in cases_here {
        let name = case["name"].as_str().unwrap_or_default().to_string();
        if !words.is_empty() && !words.iter().any(|word| name.contains(word)) {
            continue;
        }
        let Some(pattern) = pattern(&program, &folder, case)? else {
            println!("{name}: no data folder here (GRIDPAPER_DATA)");
            continue;
        };
        let mut seconds = Map::new();
        for engine in ["torus", "tiles", "hashlife"] {
            if let Some(took) = took(&program, &pattern, case, engine) {
                seconds.insert(engine.into(), json!((took * 1e4).round() / 1e4));
            }
        }
        let best = seconds.values().filter_map(Value::as_f64);
        let best = best.fold(f64::INFINITY, f64::min);
        let chosen = took(&program, &pattern, case, "auto").unwrap_or(f64::INFINITY);
        let line = format!(
            "{name}: {}, auto {chosen:.4}, {:.2} times the best",
            Value::Object(seconds.clone()),
            chosen / best
        );
        println!("{line}");
        // what nobody notices is no fault
        told.push(((chosen - UNNOTICED) / best, line));
        seconds.insert("auto".into(), json!((chosen * 1e4).round() / 1e4));
        case["seconds"] = Value::Object(seconds);
    }
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("\nthe worst, without {UNNOTICED} s:");
    for (_, line) in told.iter().rev().take(10).rev() {
        println!("{line}");
    }
    let text = serde_json::to_string_pretty(&cases).map_err(|e| e.to_string())?;
    std::fs::write(root.join(FILE), text + "\n").map_err(|e| format!("{FILE}: {e}"))
}

/// What our program is to be given as a pattern: a name, or a file made for the case.
fn pattern(program: &Path, folder: &Path, case: &Value) -> Result<Option<PathBuf>, String> {
    let words = case["pattern"].as_str().ok_or("a case has no pattern")?;
    if let Some(path) = words.strip_prefix("data ") {
        let data = std::env::var_os("GRIDPAPER_DATA");
        return Ok(data.map(|data| Path::new(&data).join(path)));
    }
    let file = |ending: &str| folder.join(words.replace(' ', "-")).with_extension(ending);
    let mut command = Command::new(program);
    let file = if let Some(soup) = words.strip_prefix("soup ") {
        let (side, states) = soup.split_once(' ').ok_or("a soup has a side and states")?;
        let (file, size) = (file("rle"), format!("{side}x{side}"));
        command.args(["random", &size, "--seed", "1", "--states", states, "--out"]);
        command.arg(&file);
        file
    } else if let Some((name, generations)) = words.split_once(" @ ") {
        let file = file("mc");
        command.args([
            "run",
            name,
            "--gens",
            generations,
            "--engine",
            "hashlife",
            "--out",
        ]);
        command.arg(&file);
        file
    } else {
        return Ok(Some(words.into()));
    };
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(Some(file)),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The seconds of processor time of a whole run; nothing where it takes too long, or where
/// another engine stands in for the one that was asked for.
fn took(program: &Path, pattern: &Path, case: &Value, engine: &str) -> Option<f64> {
    // its own program, since nothing else here runs so long that it has to be stopped
    let mut command = Command::new("timeout");
    command.arg(PATIENCE).arg(program).arg("run").arg(pattern);
    command.args([
        "--json",
        "--engine",
        engine,
        "--gens",
        case["generations"].as_str()?,
    ]);
    if let Some(rule) = case["rule"].as_str() {
        command.args(["--rule", rule]);
    }
    let mut best = None;
    for _ in 0..TIMES {
        let run = run_command(&command, Cores::One).ok()?;
        let told: Value = serde_json::from_str(&run.said).ok()?;
        if engine != "auto" && told["engine"] != engine {
            return None;
        }
        best = Some(run.processor.min(best.unwrap_or(f64::INFINITY)));
    }
    best
}

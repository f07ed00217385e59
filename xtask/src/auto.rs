//! `cargo xtask auto`: what each engine takes for the cases of the test that holds `auto` to
//! its choices, measured anew and written down; and what `auto` itself takes now.
//!
//! The cases are in `crates/engine/tests/auto.json`: a new one is a line there, without
//! seconds. Engines are given up on after a while; who is so much slower than the quickest
//! needs no figure. Where there is a `bgolly`, it runs the same beside them, by those of its
//! algorithms that take the rule, and its cells are counted. A pattern `data PATH` is one of the
//! data folder's, and is left as it was written down where there is none. The worst comes last.

use crate::cargo::{built, target};
use crate::peers::{CoreAffinity, GollyProgram, last_population, run_command};
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
        None => built(root, &target, "gridpaper-cli", "gridpaper")?,
    };
    let folder = target.join("auto");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let golly = GollyProgram::find();
    if golly.is_none() {
        println!("no bgolly here: install Debian's package golly, or set GRIDPAPER_BGOLLY");
    }
    let cases_here = cases.as_array_mut().ok_or(format!("{FILE}: no list"))?;
    let (mut told, mut behind) = (Vec::new(), Vec::new());
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
            if let Some((took, _)) = took(&program, &pattern, case, engine) {
                seconds.insert(engine.into(), json!((took * 1e4).round() / 1e4));
            }
        }
        let ours = took(&program, &pattern, case, "auto");
        let (chosen, population) = ours.unwrap_or((f64::INFINITY, String::new()));
        let peers = match &golly {
            Some(golly) => golly_took(golly, &program, &pattern, &folder, case, &population)?,
            None => Vec::new(),
        };
        let best = seconds.values().filter_map(Value::as_f64);
        let best = best.fold(f64::INFINITY, f64::min);
        let mut line = format!(
            "{name}: {}, auto {chosen:.4}, {:.2} times the best",
            Value::Object(seconds.clone()),
            chosen / best
        );
        for (algorithm, took) in &peers {
            line += &format!("; bgolly {algorithm} {took:.4}");
        }
        println!("{line}");
        let peer = peers
            .iter()
            .map(|(_, took)| *took)
            .fold(f64::INFINITY, f64::min);
        if chosen > peer + UNNOTICED {
            behind.push(line.clone());
        }
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
    if golly.is_some() {
        println!("\nslower than bgolly by more than {UNNOTICED} s:");
        behind.iter().for_each(|line| println!("{line}"));
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

/// What Golly's algorithms take for whole runs of the same, those of them that take the rule; it
/// has to come to as many cells.
fn golly_took(
    golly: &GollyProgram,
    program: &Path,
    pattern: &Path,
    folder: &Path,
    case: &Value,
    population: &str,
) -> Result<Vec<(&'static str, f64)>, String> {
    let name = case["name"].as_str().unwrap_or_default();
    let file = match pattern.is_file() {
        true => pattern.to_path_buf(),
        // one that is built into our program
        false => {
            let file = folder.join(pattern).with_extension("rle");
            let mut convert = Command::new(program);
            convert.arg("convert").arg(pattern).arg(&file);
            run_command(&convert, CoreAffinity::One)?;
            file
        }
    };
    let mut all = Vec::new();
    let of_two_states = ["QuickLife", "HashLife"];
    let others = ["Generations", "JvN", "RuleLoader"];
    for algorithm in of_two_states.into_iter().chain(others) {
        let mut command = Command::new("timeout");
        command.arg(PATIENCE).args(golly.whole_run(algorithm, 4000));
        command.args(["-m", case["generations"].as_str().unwrap_or_default()]);
        if let Some(rule) = case["rule"].as_str() {
            command.args(["-r", rule]);
        }
        command.arg(&file);
        let mut best = f64::INFINITY;
        for _ in 0..TIMES {
            let Ok(run) = run_command(&command, CoreAffinity::One) else {
                break;
            };
            // what it cannot do it may do by another rule
            if last_population(&run.said)? != population {
                println!("{name}: bgolly {algorithm} comes to something else");
                break;
            }
            best = best.min(run.processor);
        }
        if best.is_finite() {
            all.push((algorithm, best));
        }
        if algorithm == "HashLife" && !all.is_empty() {
            break;
        }
    }
    Ok(all)
}

/// The seconds of processor time of a whole run, and how many cells there are then; nothing where
/// it takes too long, or where another engine stands in for the one that was asked for.
fn took(program: &Path, pattern: &Path, case: &Value, engine: &str) -> Option<(f64, String)> {
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
    let mut best: Option<(f64, String)> = None;
    for _ in 0..TIMES {
        let run = run_command(&command, CoreAffinity::One).ok()?;
        let told: Value = serde_json::from_str(&run.said).ok()?;
        if engine != "auto" && told["engine"] != engine {
            return None;
        }
        let before = best.map_or(f64::INFINITY, |(took, _)| took);
        best = Some((run.processor.min(before), told["population"].to_string()));
    }
    best
}

//! `cargo xtask race`: cells a second of this program and of Golly, from the same run.
//!
//! Both programs read the same soup from the same file and step it on the same torus, in one
//! thread. What counts is processor time, and of that the difference between a long and a
//! short run, so that starting and loading cost nothing; the median of three differences.
//! Before that their populations are compared: a race between two different worlds tells
//! nothing.
//!
//! Golly is its batch program, `bgolly` of the package `golly`, or what `GRIDPAPER_BGOLLY`
//! names. Where it is missing this program runs alone.

use crate::test::cargo;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// A soup on a torus, and how Golly is told to run it.
struct Workload {
    name: &'static str,
    rule: &'static str,
    /// Columns and rows.
    side: u64,
    /// How many states the soup has.
    states: u16,
    /// Golly's algorithm, and the rule as Golly writes it; none where it has no such rule.
    golly: Option<(&'static str, &'static str)>,
}

/// A workload whose rule both programs write in one way.
const fn both(
    name: &'static str,
    rule: &'static str,
    side: u64,
    states: u16,
    algorithm: &'static str,
) -> Workload {
    Workload {
        name,
        rule,
        side,
        states,
        golly: Some((algorithm, rule)),
    }
}

const fn alone(name: &'static str, rule: &'static str, side: u64) -> Workload {
    Workload {
        name,
        rule,
        side,
        states: 2,
        golly: None,
    }
}

const QUICK: &str = "QuickLife";
const LARGER: &str = "Larger than Life";
/// 512 bits drawn at random; the first is clear, so that the plane stays empty.
const RANDOM_MAP: &str =
    "MAPJU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw0YL4xIB5p/tqg7ui5mX9cfCmZ/a/lkyU81lSvTfrXFA";

const WORKLOADS: [Workload; 14] = [
    both("life", "B3/S23", 4096, 2, QUICK),
    both("highlife", "B36/S23", 4096, 2, QUICK),
    both("hensel", "B2n3-y4c/S23-a4i", 4096, 2, QUICK),
    both("b0", "B03/S23", 4096, 2, QUICK),
    both("map", RANDOM_MAP, 4096, 2, QUICK),
    both("generations-8", "2/2/8", 1024, 8, "Generations"),
    both("star-wars", "345/2/4", 1024, 4, "Generations"),
    alone("extended", "extended", 4096),
    alone("weighted", "weighted", 4096),
    both("bosco", "R5,C0,M1,S34..58,B34..45,NM", 1024, 2, LARGER),
    both("bosco-4096", "R5,C0,M1,S34..58,B34..45,NM", 4096, 2, LARGER),
    both("radius-8", "R8,C0,M1,S1..144,B1..144,NM", 1024, 2, LARGER),
    both(
        "radius-50",
        "R50,C0,M1,S1..5100,B1..5100,NM",
        1024,
        2,
        LARGER,
    ),
    both("wireworld", "WireWorld", 1024, 4, "RuleLoader"),
];

/// Wires along which electrons run, for Golly, which reads it from a file.
const WIRE_WORLD: &str = "@RULE WireWorld
@TABLE
# 0 empty, 1 head, 2 tail, 3 wire
n_states:4
neighborhood:Moore
symmetries:permute
var any={0,1,2,3}
var b={any}
var c={any}
var d={any}
var e={any}
var f={any}
var g={any}
var h={any}
var quiet={0,2,3}
var j={quiet}
var k={quiet}
var l={quiet}
var m={quiet}
var n={quiet}
var o={quiet}
1,any,b,c,d,e,f,g,h,2
2,any,b,c,d,e,f,g,h,3
3,1,quiet,j,k,l,m,n,o,1
3,1,1,quiet,j,k,l,m,n,1
";

/// How long a run is let evolve before its time counts, in generations.
const WARM: u64 = 16;

/// The processor time that a long run takes more than a short one, in seconds.
const LONG: f64 = 1.0;

/// No run of a world that lives is quick enough to come so far, in generations.
const MOST: u64 = 1 << 22;

/// How often each difference is taken.
const TIMES: usize = 3;

/// Runs the workloads of these names, or all of them, and prints a table.
pub(crate) fn run(root: &Path, names: &[&str]) -> ExitCode {
    let unknown = names
        .iter()
        .find(|name| !WORKLOADS.iter().any(|w| w.name == **name));
    if let Some(name) = unknown {
        let known: Vec<&str> = WORKLOADS.iter().map(|w| w.name).collect();
        eprintln!(
            "`{name}` is no workload: expected one of {}",
            known.join(", ")
        );
        return ExitCode::from(2);
    }
    match race(root, names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("race: {why}");
            ExitCode::FAILURE
        }
    }
}

fn race(root: &Path, names: &[&str]) -> Result<(), String> {
    let ours = built(root)?;
    let golly = golly();
    if golly.is_none() {
        eprintln!(
            "no bgolly here: this program runs alone (install the package golly, or set \
             GRIDPAPER_BGOLLY)"
        );
    }
    let folder = std::env::temp_dir().join(format!("gridpaper-race-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    println!("| workload | rule | torus | this program | golly | ratio |");
    println!("|---|---|---|---|---|---|");
    let mut outcome = Ok(());
    for workload in WORKLOADS {
        if !names.is_empty() && !names.contains(&workload.name) {
            continue;
        }
        let track = Track {
            ours: &ours,
            golly: golly.as_deref(),
            folder: &folder,
            workload: &workload,
        };
        match track.line() {
            Ok(line) => println!("{line}"),
            Err(why) => {
                outcome = Err(format!("{}: {why}", workload.name));
                break;
            }
        }
    }
    println!("\n10^9 cells a second of processor time, one thread, median of {TIMES}");
    // What is left behind in the system's own folder for such things does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    outcome
}

/// Builds the program, and tells where it is.
fn built(root: &Path) -> Result<PathBuf, String> {
    let build = ["build", "--release", "--package", "gridpaper"];
    let status = cargo(root).args(build).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("the program does not build".into());
    }
    let metadata = cargo(root)
        .args(["metadata", "--format-version=1", "--no-deps"])
        .output()
        .map_err(|e| e.to_string())?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout).map_err(|e| e.to_string())?;
    let target = metadata["target_directory"].as_str();
    let target = target.ok_or("cargo does not tell its target folder")?;
    Ok(Path::new(target).join("release").join("gridpaper"))
}

/// Golly's batch program, if there is one.
fn golly() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("GRIDPAPER_BGOLLY") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join("bgolly"))
        .find(|file| file.is_file())
}

/// One workload with all that it takes to run it.
struct Track<'a> {
    ours: &'a Path,
    golly: Option<&'a Path>,
    folder: &'a Path,
    workload: &'a Workload,
}

impl Track<'_> {
    /// Runs the workload and gives its line of the table.
    fn line(&self) -> Result<String, String> {
        let Workload {
            name, rule, side, ..
        } = *self.workload;
        let soup = self.soup(rule)?;
        let ours = self.speed(&|generations| self.our_run(&soup, generations))?;
        // An empty world costs some programs nothing.
        let left = our_population(self.our_run(&soup, ours.generations))?;
        if left == "0" {
            return Err(format!(
                "nothing is left after {} generations",
                ours.generations
            ));
        }
        let shown = if rule.len() > 40 { &rule[..12] } else { rule };
        let line = format!(
            "| {name} | `{shown}` | {side} x {side} | {:.3} |",
            ours.cells / 1e9
        );
        let (Some(program), Some((algorithm, golly_rule))) = (self.golly, self.workload.golly)
        else {
            return Ok(format!("{line} - | - |"));
        };
        let golly_soup = self.soup(golly_rule)?;
        let golly = |generations, talk: &[&str]| {
            self.golly_run(program, algorithm, &golly_soup, generations, talk)
        };
        // It would count the cells at each generation that it tells of.
        let theirs = self.speed(&|generations| golly(generations, &["-q", "-q"]))?;
        for generations in [WARM, theirs.generations] {
            let mine = our_population(self.our_run(&soup, generations))?;
            let other = golly_population(golly(generations, &[]))?;
            if mine != other {
                return Err(format!(
                    "{mine} cells after {generations} generations, {other} in golly"
                ));
            }
        }
        Ok(format!(
            "{line} {:.3} | {:.1} |",
            theirs.cells / 1e9,
            ours.cells / theirs.cells
        ))
    }

    /// The file with the soup, for a program that writes the rule so.
    fn soup(&self, rule: &str) -> Result<PathBuf, String> {
        let Workload {
            name, side, states, ..
        } = *self.workload;
        let file = self.folder.join(format!("{name}.rle"));
        std::fs::write(self.folder.join("WireWorld.rule"), WIRE_WORLD)
            .map_err(|e| e.to_string())?;
        let states = states.to_string();
        let arguments = ["--seed", "1", "--states", &states];
        let soup = Command::new(self.ours)
            .args(["random", &format!("{side}x{side}")])
            .args(arguments)
            .stderr(Stdio::null())
            .output()
            .map_err(|e| e.to_string())?;
        let text = String::from_utf8(soup.stdout).map_err(|e| e.to_string())?;
        let size = format!("x = {side}, y = {side}");
        let text = text.replacen(&size, &format!("{size}, rule = {rule}:T{side},{side}"), 1);
        std::fs::write(&file, text).map_err(|e| e.to_string())?;
        Ok(file)
    }

    fn our_run(&self, soup: &Path, generations: u64) -> Command {
        let mut command = Command::new(self.ours);
        command
            .arg("run")
            .arg(soup)
            .args(["--engine", "torus", "--json", "--gens"])
            .arg(generations.to_string())
            .arg("--rules")
            .arg(self.folder);
        command
    }

    fn golly_run(
        &self,
        program: &Path,
        algorithm: &str,
        soup: &Path,
        generations: u64,
        talk: &[&str],
    ) -> Command {
        let mut command = Command::new(program);
        let generations = generations.to_string();
        command
            .args(talk)
            .args([
                "-a",
                algorithm,
                "-m",
                &generations,
                "-i",
                &generations,
                "-s",
            ])
            // It wants the separator behind the folder, and the file last of all.
            .arg(format!("{}/", self.folder.display()))
            .arg(soup);
        command
    }

    /// Cells a second between a short run and one that takes a second longer.
    fn speed(&self, command: &dyn Fn(u64) -> Command) -> Result<Speed, String> {
        let run = |generations| seconds(command(generations));
        let short = run(WARM)?;
        let mut generations = WARM + 16;
        loop {
            let longer = run(generations)? - short;
            if longer >= LONG {
                break;
            }
            if generations > MOST {
                return Err(format!(
                    "{generations} generations take no time: has all died out?"
                ));
            }
            // Half as much again as would do, but never a leap into the unknown.
            let factor = (1.5 * LONG / longer.max(0.01)).clamp(1.5, 32.0);
            generations = WARM + ((generations - WARM) as f64 * factor) as u64;
        }
        let mut differences = Vec::new();
        for _ in 0..TIMES {
            differences.push(run(generations)? - run(WARM)?);
        }
        differences.sort_by(f64::total_cmp);
        let cells = self.workload.side.pow(2) * (generations - WARM);
        Ok(Speed {
            cells: cells as f64 / differences[TIMES / 2],
            generations,
        })
    }
}

/// What a run came to.
struct Speed {
    /// Cells a second.
    cells: f64,
    /// How far the long run went.
    generations: u64,
}

/// The processor time of a run, in seconds; where the system does not tell it, time.
fn seconds(mut command: Command) -> Result<f64, String> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (before, begun) = (children(), Instant::now());
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if !status.success() {
        return Err(format!("{command:?}: {status}"));
    }
    Ok(match (before, children()) {
        (Some(before), Some(after)) => after - before,
        _ => begun.elapsed().as_secs_f64(),
    })
}

/// The processor time of all runs so far that have ended, as Linux counts it.
fn children() -> Option<f64> {
    // Source: proc_pid_stat(5), cutime and cstime. The unit that programs are told of is a
    // hundredth of a second on every architecture.
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    let field = |number: usize| fields.split(' ').nth(number - 3)?.parse::<f64>().ok();
    Some((field(16)? + field(17)?) / TICKS)
}

fn our_population(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|e| e.to_string())?;
    let told: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    Ok(told["population"].to_string())
}

/// The number in the last line of what `bgolly` prints, which is `generation: 1,234`.
fn golly_population(mut command: Command) -> Result<String, String> {
    let output = command.output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().rev().find_map(|line| line.split_once(": "));
    let (_, number) = last.ok_or("golly tells no population")?;
    Ok(number.trim().replace(',', ""))
}

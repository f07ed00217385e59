//! `cargo xtask peers search`: the search beside those of others. rlifesrc-lib is fetched by cargo
//! into `target/` for this alone, and never a dependency of the workspace; it gets the boxes that
//! it is measured by. qfind is built of its source, which `GRIDPAPER_PEERS` names the folder of,
//! and gets ships of any height. What is not there is said, and left out. Nothing is kept: it is
//! for whoever changes the search.

use super::apgsearch::finish;
use super::measurement::{self, CoreAffinity};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A box: name, columns, rows, period, velocity, symmetry, rule.
type SolverBox = (&'static str, [u32; 3], [i32; 2], &'static str, &'static str);

const LIFE: &str = "B3/S23";

const BOXES: &[SolverBox] = &[
    ("p3 5x5", [5, 5, 3], [0, 0], "C1", LIFE),
    ("p3 6x6", [6, 6, 3], [0, 0], "C1", LIFE),
    ("p3 6x7", [6, 7, 3], [0, 0], "C1", LIFE),
    ("p3 7x7", [7, 7, 3], [0, 0], "C1", LIFE),
    ("p3 13x13 D8", [13, 13, 3], [0, 0], "D8", LIFE),
    ("p3 15x15 D8", [15, 15, 3], [0, 0], "D8", LIFE),
    ("p4 9x9 D8", [9, 9, 4], [0, 0], "D8", LIFE),
    ("p4 13x13 D8", [13, 13, 4], [0, 0], "D8", LIFE),
    ("c/4d 5x5", [5, 5, 4], [1, 1], "C1", LIFE),
    ("2c/4 7x5", [7, 5, 4], [2, 0], "C1", LIFE),
    ("c/2 12x8", [12, 8, 2], [0, 1], "C1", LIFE),
    ("c/3 16x5", [16, 5, 3], [0, 1], "C1", LIFE),
    ("c/3 15x5", [15, 5, 3], [0, 1], "C1", LIFE),
    ("c/3 16x4", [16, 4, 3], [0, 1], "C1", LIFE),
    ("c/3 12x11 D2|", [12, 11, 3], [0, 1], "D2|", LIFE),
    ("c/3 12x13 D2|", [12, 13, 3], [0, 1], "D2|", LIFE),
    ("c/4 26x8", [26, 8, 4], [0, 1], "C1", LIFE),
    (
        "Generations 20x16",
        [20, 16, 7],
        [3, 0],
        "D2-",
        "3457/357/5",
    ),
];

/// Ships of any height: offset, period, width, symmetry.
const SHIPS: &[[&str; 4]] = &[
    ["1", "3", "6", "even"],
    ["1", "3", "8", "odd"],
    ["1", "4", "7", "even"],
    ["2", "5", "7", "odd"],
    ["1", "5", "8", "odd"],
];

/// Measures, and prints a line a question.
pub(super) fn run(root: &Path) -> Result<(), String> {
    let target = crate::cargo::target(root)?;
    let folder = target.join("peers");
    let ours = build_ours(root, &target)?;
    match build_rlifesrc(&folder) {
        Ok(rlifesrc) => measure_boxes(&ours, &rlifesrc)?,
        Err(why) => println!("no rlifesrc here: {why}"),
    }
    match build_qfind(root, &folder) {
        Ok(qfind) => measure_ships(&ours, &qfind),
        Err(why) => {
            println!("no qfind here: {why}");
            Ok(())
        }
    }
}

fn measure_boxes(ours: &Path, rlifesrc: &Path) -> Result<(), String> {
    println!("{:20} {:>12} {:>12}  ratio", "box", "ours", "rlifesrc");
    let mut logarithms = 0.0;
    for &(name, sizes, way, symmetry, rule) in BOXES {
        let mut words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        words.extend(way.iter().map(ToString::to_string));
        words.extend([symmetry.to_owned(), rule.to_owned()]);
        let (answer, own) = ask_box(ours, &words)?;
        let (other_answer, other) = ask_box(rlifesrc, &words)?;
        if answer != other_answer {
            return Err(format!(
                "{name}: {answer}, and rlifesrc says {other_answer}"
            ));
        }
        logarithms += (other / own).ln();
        println!(
            "{name:20} {:>9.3} ms {:>9.3} ms {:6.2}  {answer}",
            own * 1e3,
            other * 1e3,
            other / own
        );
    }
    let mean = (logarithms / BOXES.len() as f64).exp();
    println!("{:20} {:>12} {:>12} {mean:6.2}  geometric mean", "", "", "");
    Ok(())
}

fn ask_box(program: &Path, words: &[String]) -> Result<(String, f64), String> {
    let run = measurement::run(Command::new(program).args(words), CoreAffinity::One)?;
    let mut said = run.said.split_whitespace();
    let (answer, seconds) = (said.next().unwrap_or_default(), said.next());
    let seconds = seconds.and_then(|seconds| seconds.parse().ok());
    let seconds = seconds.ok_or_else(|| format!("{}: {}", program.display(), run.said))?;
    Ok((answer.to_owned(), seconds))
}

fn measure_ships(ours: &Path, qfind: &Path) -> Result<(), String> {
    println!(
        "{:20} {:>12} {:>12}  ratio  two threads",
        "ships by rows", "ours", "qfind"
    );
    for ship in SHIPS {
        let [offset, period, width, symmetry] = ship;
        let own = |threads: &str, cores| {
            let mut command = Command::new(ours);
            command.arg("rows").args(ship).arg(threads);
            measurement::run(&command, cores)
        };
        let alone = own("1", CoreAffinity::One)?;
        let two = own("2", CoreAffinity::All)?;
        let mut command = Command::new(qfind);
        let velocity = format!("{offset}c/{period}");
        command.args(["-v", &velocity, "-w", width, "-s", symmetry, "-t", "1"]);
        let other = measurement::run(&command, CoreAffinity::One)?;
        println!(
            "{:20} {:>10.3} s {:>10.3} s {:6.2}  {:.2} as quick, {} ships",
            format!("{velocity} w{width} {symmetry}"),
            alone.processor,
            other.processor,
            other.processor / alone.processor,
            alone.wall / two.wall,
            alone.said.trim(),
        );
    }
    Ok(())
}

fn build_ours(root: &Path, target: &Path) -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "-p", "gridpaper-search"]);
    finish(cargo.args(["--example", "box_times"]).current_dir(root))?;
    Ok(target.join("release/examples/box_times"))
}

/// The driver, with rlifesrc from the package index.
fn build_rlifesrc(folder: &Path) -> Result<PathBuf, String> {
    let folder = folder.join("rlifesrc");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    std::fs::create_dir_all(folder.join("src")).map_err(|e| e.to_string())?;
    write(
        "Cargo.toml",
        "[package]\nname = \"driver\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [dependencies]\nrlifesrc-lib = \"=0.6.1\"\n\n[profile.release]\nlto = true\n\n[workspace]\n",
    )?;
    write("src/main.rs", include_str!("rlifesrc_driver.txt"))?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--target-dir", "target"]);
    cargo.env_remove("CARGO_TARGET_DIR");
    for name in ["RUSTC_WORKSPACE_WRAPPER", "GRIDPAPER_COMPILE_INTO"] {
        cargo.env_remove(name);
    }
    finish(cargo.current_dir(&folder))?;
    Ok(folder.join("target/release/driver"))
}

fn build_qfind(root: &Path, folder: &Path) -> Result<PathBuf, String> {
    let named = std::env::var_os("GRIDPAPER_PEERS").map(PathBuf::from);
    let archive = named
        .unwrap_or(root.join("../shared/peers"))
        .join("qfind.tar.gz");
    if !archive.is_file() {
        return Err("GRIDPAPER_PEERS should name the folder of qfind.tar.gz".into());
    }
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    finish(
        Command::new("tar")
            .arg("xzf")
            .arg(&archive)
            .arg("-C")
            .arg(folder),
    )?;
    let folder = folder.join("qfind");
    let mut gcc = Command::new("gcc");
    gcc.args([
        "-std=c11",
        "-O3",
        "-march=native",
        "-fopenmp",
        "-o",
        "built",
    ]);
    finish(gcc.arg("qfind.c").current_dir(&folder))?;
    Ok(folder.join("built"))
}

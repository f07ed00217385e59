//! lifelib, through a small driver of our own (`lifelib.cpp`).
//!
//! Its headers lie in the Python package `python-lifelib`, which is looked for with `python3`;
//! `g++` compiles them. For rules other than Life it writes code of its own into its package's
//! folder; that is done in a copy, since the package belongs to whoever installed it.

use super::measurement::{self, CoreAffinity};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(super) struct LifelibPackage {
    /// Its package's folder.
    package: PathBuf,
    pub(super) version: String,
    /// Where drivers are built.
    folder: PathBuf,
}

/// Says where its package lies, and its version.
const WHERE: &str = "import lifelib; print(lifelib.__path__[0]); print(lifelib.__version__)";

/// Writes the code for a rule in the copy that lies in the working folder.
const GENERATE: &str = "import sys; sys.path.insert(0, '.'); \
     from lifelib.autocompile import generate_code; generate_code([sys.argv[1]])";

impl LifelibPackage {
    /// It, if it is there and there is a compiler. `folder` is where its drivers may lie.
    pub(super) fn find(folder: &Path) -> Option<Self> {
        super::on_path("g++")?;
        let output = Command::new("python3")
            .args(["-c", WHERE])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let said = String::from_utf8(output.stdout).ok()?;
        let mut lines = said.lines();
        let package = PathBuf::from(lines.next()?);
        let version = lines.next()?.to_string();
        package.join("upattern.h").is_file().then_some(Self {
            package,
            version,
            folder: folder.join("lifelib"),
        })
    }

    /// The driver for Life.
    pub(super) fn life(&self) -> Result<PathBuf, String> {
        let above = self.package.parent().ok_or("lifelib lies nowhere")?;
        self.driver("life", above, None)
    }

    /// The driver for another rule, as lifelib writes it, with so many bit planes.
    pub(super) fn rule(&self, rule: &str, planes: u32) -> Result<PathBuf, String> {
        let folder = self.folder.join(rule);
        if !folder.join("lifelib").is_dir() {
            std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
            copy(&self.package, &folder.join("lifelib"))?;
            let mut python = Command::new("python3");
            python.args(["-c", GENERATE, rule]).current_dir(&folder);
            finish(python)?;
        }
        self.driver(rule, &folder, Some(planes))
    }

    /// Compiles a driver, unless it is newer than its source.
    fn driver(&self, name: &str, headers: &Path, planes: Option<u32>) -> Result<PathBuf, String> {
        std::fs::create_dir_all(&self.folder).map_err(|e| e.to_string())?;
        let text = format!("// lifelib {}\n{SOURCE}", self.version);
        let source = self.folder.join(format!("{name}.cpp"));
        let driver = self.folder.join(format!("{name}-driver"));
        let known = std::fs::read_to_string(&source).is_ok_and(|known| known == text);
        if known && driver.is_file() {
            return Ok(driver);
        }
        eprintln!("compiling lifelib for {name}");
        std::fs::write(&source, text).map_err(|e| e.to_string())?;
        let mut compiler = Command::new("g++");
        compiler
            .args(["-std=c++17", "-O3", "-march=native", "-w", "-I"])
            .arg(headers)
            .args(planes.map(|planes| format!("-DPLANES={planes}")))
            .arg(&source)
            .arg("-o")
            .arg(&driver);
        finish(compiler)?;
        Ok(driver)
    }
}

const SOURCE: &str = include_str!("lifelib.cpp");

/// What a driver tells of a run.
pub(super) struct LifelibRunReport {
    /// Seconds of processor time of advancing alone.
    pub(super) advance: f64,
    pub(super) population: String,
}

/// What a driver printed.
pub(super) fn told(said: &str) -> Result<LifelibRunReport, String> {
    // lifelib itself talks too
    let line = said.lines().rev().find(|line| line.starts_with('{'));
    let told: Value = serde_json::from_str(line.unwrap_or(said)).map_err(|e| e.to_string())?;
    Ok(LifelibRunReport {
        advance: told["advance"].as_f64().ok_or("the driver tells no time")?,
        population: told["population"].to_string(),
    })
}

/// The sides nearest below, of a torus that its tiles can cover.
pub(super) fn sides(driver: &Path, side: u64) -> Result<(u64, u64), String> {
    let mut command = Command::new(driver);
    command
        .arg("sides")
        .args([side.to_string(), side.to_string()]);
    let said = measurement::run(&command, CoreAffinity::One)?.said;
    let sides: Vec<u64> = said
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    match sides[..] {
        [width, height] => Ok((width, height)),
        _ => Err(format!("the driver tells no sides: {said}")),
    }
}

fn finish(mut command: Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{}: {}",
            measurement::shown(&command),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(failed)?.is_dir() {
            copy(&from, &to)?;
        } else {
            std::fs::copy(&from, &to).map_err(failed)?;
        }
    }
    Ok(())
}

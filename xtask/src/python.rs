//! `cargo xtask python`: the Python wheel of `python/`, built and tested.
//!
//! `python/` is a workspace of its own, and the gate does not build it: whoever changes the
//! project needs no Python for it. This chore makes a virtual environment in cargo's target
//! folder, with maturin and what the tests need from the package index, builds the extension into
//! it and runs the tests; words that follow go to pytest. `cargo xtask python lint` looks at its
//! format and runs clippy; `cargo xtask python wheel` builds the wheel that people install, into a
//! virtual environment of its own, and holds its size; with `--site FOLDER` it has the element of a
//! site (`cargo xtask site`) inside, for notebooks.

use crate::cargo::{cargo, output, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The most bytes of a wheel.
const MOST_BYTES: u64 = 6_000_000;

/// What notebooks show worlds with, in one file.
const ELEMENT: &str = "grid-paper.single.js";

/// Runs it.
///
/// # Errors
/// When something is missing, or fails.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let chore = PythonChore::new(root)?;
    match words {
        ["lint"] => chore.lint(),
        ["wheel"] => chore.wheel(),
        ["wheel", "--site", site] => {
            let element = chore.sources.join("gridpaper").join(ELEMENT);
            fs::copy(Path::new(site).join(ELEMENT), element)
                .map_err(|e| format!("{site}/{ELEMENT}: {e}"))?;
            chore.wheel()
        }
        words => chore.test(words),
    }
}

/// Where the wheel's sources and all that is made of them are.
struct PythonChore {
    sources: PathBuf,
    place: PathBuf,
}

impl PythonChore {
    fn new(root: &Path) -> Result<Self, String> {
        Ok(Self {
            sources: root.join("python"),
            place: target(root)?.join("python"),
        })
    }

    fn lint(&self) -> Result<(), String> {
        succeed("cargo fmt", self.cargo().args(["fmt", "--check"]))?;
        let clippy = ["clippy", "--locked", "--", "-D", "warnings"];
        succeed("cargo clippy", self.cargo().args(clippy))
    }

    fn test(&self, words: &[&str]) -> Result<(), String> {
        let python = self.environment("venv")?;
        let project = fs::read_to_string(self.sources.join("pyproject.toml"))
            .map_err(|e| format!("pyproject.toml: {e}"))?;
        self.install(&python, "venv", &test_requirements(&project))?;
        // not `--locked`: a dependency that a crate below has got is written into the lock file
        let mut develop = self.maturin(&python, &["develop"]);
        succeed("maturin develop", &mut develop)?;
        let mut pytest = Command::new(&python);
        pytest.current_dir(&self.sources);
        succeed("pytest", pytest.args(["-m", "pytest"]).args(words))
    }

    fn wheel(&self) -> Result<(), String> {
        let python = self.environment("venv")?;
        self.install(&python, "maturin", &["maturin>=1.9.4,<2".into()])?;
        let wheels = self.place.join("dist");
        if wheels.exists() {
            fs::remove_dir_all(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
        }
        let mut build = self.maturin(&python, &["build", "--release", "--locked", "--out"]);
        succeed("maturin build", build.arg(&wheels))?;
        let mut entries =
            fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
        let entry = entries.next().and_then(Result::ok);
        let wheel = entry.ok_or("maturin has written no wheel")?.path();
        let bytes = fs::metadata(&wheel).map_err(|e| e.to_string())?.len();
        println!("{}: {bytes} bytes", wheel.display());
        if bytes > MOST_BYTES {
            return Err(format!("the wheel has more than {MOST_BYTES} bytes"));
        }
        let clean = self.environment("installed")?;
        let mut pip = Command::new(&clean);
        pip.args(["-m", "pip", "install", "--quiet", "--force-reinstall"]);
        succeed("pip install", pip.arg(&wheel))?;
        let script = "import gridpaper as gp; world = gp.World('r-pentomino'); world.run(1103); \
                      assert world.population == 116, world";
        succeed(
            "the installed wheel",
            Command::new(&clean).args(["-c", script]),
        )
    }

    fn cargo(&self) -> Command {
        let mut cargo = cargo(&self.sources);
        cargo.env("CARGO_TARGET_DIR", self.place.join("build"));
        cargo
    }

    fn maturin(&self, python: &Path, words: &[&str]) -> Command {
        let mut maturin = Command::new(python);
        maturin
            .args(["-m", "maturin"])
            .args(words)
            .current_dir(&self.sources)
            .env("VIRTUAL_ENV", self.place.join("venv"))
            .env("CARGO_TARGET_DIR", self.place.join("build"));
        maturin
    }

    /// The interpreter of a virtual environment, which is made where there is none.
    fn environment(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.place.join(name);
        let python = match cfg!(windows) {
            true => folder.join("Scripts/python.exe"),
            false => folder.join("bin/python"),
        };
        if !python.exists() {
            let system = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
            let version = "import sys; sys.exit(sys.version_info < (3, 10))";
            succeed(
                "python3 of 3.10 or later (PYTHON names another)",
                Command::new(&system).args(["-c", version]),
            )?;
            output(Command::new(&system).args(["-m", "venv"]).arg(&folder))?;
        }
        Ok(python)
    }

    /// Installs packages, unless the same ones were installed last time.
    fn install(&self, python: &Path, name: &str, packages: &[String]) -> Result<(), String> {
        let stamp = self.place.join(format!("{name}.installed"));
        let wanted = packages.join("\n");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        println!("==> pip install {}", packages.join(" "));
        let mut pip = Command::new(python);
        pip.args(["-m", "pip", "install", "--quiet"]);
        succeed("pip install", pip.args(packages))?;
        fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))
    }
}

/// What the tests need: the extra `test` of the project's own file, and what builds it.
fn test_requirements(project: &str) -> Vec<String> {
    let mut requirements = vec!["maturin>=1.9.4,<2".into()];
    let lines = project.lines().map(str::trim);
    let of_extra = lines
        .skip_while(|line| *line != "test = [")
        .skip(1)
        .take_while(|line| *line != "]");
    for line in of_extra {
        requirements.push(line.trim_matches([',', '"']).to_string());
    }
    requirements
}

fn succeed(name: &str, command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{name}: {e}"))?;
    match ExitStatus::success(&status) {
        true => Ok(()),
        false => Err(format!("{name}: it failed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_those_of_the_extra() {
        let project = "[project]\ndependencies = [\"numpy\"]\ntest = [\n    \"pytest>=8\",\n    \
                       \"mypy\",\n]\nother = [\n    \"x\",\n]\n";
        assert_eq!(test_requirements(project)[1..], ["pytest>=8", "mypy"]);
    }
}

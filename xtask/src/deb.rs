//! `cargo xtask deb`: a Debian package of the one binary, with its man pages, completions for
//! three shells, and the book.
//!
//! `cargo-deb` makes it, as the metadata in `crates/cli/Cargo.toml` says. What the binary writes
//! itself, and the change log, are made here before. All times are that of the last commit, so
//! the same commit gives the same package.

use crate::cargo::{built, cargo, output, target};
use flate2::Compression;
use flate2::read::GzEncoder;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The package's name, and the binary's.
const NAME: &str = "gridpaper";
/// The crate that the binary is built from.
const PACKAGE: &str = "gridpaper-cli";

pub(crate) fn run(root: &Path) -> ExitCode {
    match make(root) {
        Ok(package) => {
            println!("deb: {package}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("deb: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the package; returns where it is.
fn make(root: &Path) -> Result<String, String> {
    let target = target(root)?;
    let mut cargo_deb = cargo_deb(root, &target)?;
    let program = built(root, &target, PACKAGE, NAME)?;
    let folder = target.join("release/deb");
    // What lies there may come from another version.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| failed(&folder, &e))?;
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.join(name);
        fs::write(&path, bytes).map_err(|e| failed(&path, &e))
    };
    for shell in ["bash", "zsh", "fish"] {
        write(
            shell,
            output(Command::new(&program).args(["completions", shell]))?,
        )?;
    }
    let manual = folder.join("man");
    output(
        Command::new(&program)
            .args(["completions", "--man"])
            .arg(&manual),
    )?;
    // `cargo-deb` packs only pages that lie elsewhere.
    let pages = fs::read_dir(&manual).map_err(|e| failed(&manual, &e))?;
    for page in pages {
        let page = page.map_err(|e| failed(&manual, &e))?.path();
        let text = fs::read(&page).map_err(|e| failed(&page, &e))?;
        let zipped_page = page.with_added_extension("gz");
        fs::write(&zipped_page, zipped(&text)?).map_err(|e| failed(&zipped_page, &e))?;
    }
    let time = commit_time(root);
    let date = output(Command::new("date").args(["-R", "-u", "-d", &format!("@{time}")]))?;
    let maintainer = maintainer();
    let changes = format!(
        "{NAME} ({}-1) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n \
         -- {maintainer}  {}",
        env!("CARGO_PKG_VERSION"),
        String::from_utf8_lossy(&date),
    );
    write("changelog.Debian.gz", zipped(changes.as_bytes())?)?;
    let package = output(
        cargo_deb
            .args(["--no-build", "--strip", "--package", PACKAGE])
            .args(["--maintainer", &maintainer])
            .env("SOURCE_DATE_EPOCH", time),
    )?;
    Ok(String::from_utf8_lossy(&package).trim().to_owned())
}

/// `cargo-deb`, with its first argument. Where it is not installed, it is put into the target
/// folder.
fn cargo_deb(root: &Path, target: &Path) -> Result<Command, String> {
    let mut command = cargo(root);
    if output(cargo(root).args(["deb", "--version"])).is_ok() {
        command.arg("deb");
        return Ok(command);
    }
    let tools = target.join("tools");
    let program = tools.join("bin/cargo-deb");
    if !program.exists() {
        println!("==> installing cargo-deb");
        let install = [
            "install",
            "cargo-deb",
            "--locked",
            "--version",
            "3.8.0",
            "--root",
        ];
        let status = cargo(root).args(install).arg(&tools).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err("cargo-deb cannot be installed: `cargo install cargo-deb` says why".into());
        }
    }
    command = Command::new(program);
    command.arg("deb").current_dir(root);
    Ok(command)
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Gzipped as well as it gets, with no name and no time in it.
fn zipped(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    GzEncoder::new(bytes, Compression::best())
        .read_to_end(&mut out)
        .map_err(|e| format!("gzip: {e}"))?;
    Ok(out)
}

/// Seconds since 1970 of the last commit, or what `SOURCE_DATE_EPOCH` says; 0 where neither is
/// known.
fn commit_time(root: &Path) -> String {
    std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| {
        let mut git = Command::new("git");
        let time = output(git.args(["log", "-1", "--format=%ct"]).current_dir(root));
        let time = time.map(|time| String::from_utf8_lossy(&time).trim().to_owned());
        time.unwrap_or_else(|_| "0".into())
    })
}

/// Who made the package: as Debian's own tools ask, by `DEBFULLNAME` and `DEBEMAIL`.
fn maintainer() -> String {
    let said = |name: &str, otherwise: &str| std::env::var(name).unwrap_or(otherwise.into());
    let name = said("DEBFULLNAME", "The Gridpaper authors");
    let address = said("DEBEMAIL", "gridpaper@localhost.localdomain");
    format!("{name} <{address}>")
}

//! apgluxe, the census program of apgsearch: built from its source, in which sending is switched
//! off, for each rule anew.
//!
//! `GRIDPAPER_PEERS` names the folder in which `apgsearch-5.2.tar.gz` lies; without it, that is
//! `../shared/peers` beside the project. It takes `tar`, `make`, `g++` and `python3`.

use super::measurement;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The source, as it is packed.
const ARCHIVE: &str = "apgsearch-5.2.tar.gz";

/// The source of apgsearch.
pub(super) struct ApgsearchSource {
    archive: PathBuf,
    /// Where it is unpacked and built, a folder for each rule.
    folder: PathBuf,
}

/// apgluxe for one rule, and the folder that it writes its hauls to.
pub(super) struct ApgluxeProgram {
    folder: PathBuf,
}

impl ApgsearchSource {
    /// It, if it is there and can be built. `folder` is where programs may lie.
    pub(super) fn find(root: &Path, folder: &Path) -> Option<Self> {
        for program in ["tar", "make", "g++", "python3"] {
            super::on_path(program)?;
        }
        let named = std::env::var_os("GRIDPAPER_PEERS").map(PathBuf::from);
        let archive = named.unwrap_or(root.join("../shared/peers")).join(ARCHIVE);
        archive.is_file().then(|| Self {
            archive,
            folder: folder.join("apgsearch"),
        })
    }

    /// The program for a rule as lifelib writes it, and soups without symmetry.
    pub(super) fn build(&self, rule: &str) -> Result<ApgluxeProgram, String> {
        let above = self.folder.join(rule);
        let folder = above.join("apgsearch");
        if !folder.join("apgluxe").is_file() {
            eprintln!("compiling apgluxe for {rule}");
            std::fs::create_dir_all(&above).map_err(|e| format!("{}: {e}", above.display()))?;
            let mut unpack = Command::new("tar");
            finish(unpack.arg("xzf").arg(&self.archive).arg("-C").arg(&above))?;
            std::fs::write(folder.join(".depend"), "").map_err(|e| e.to_string())?;
            let mut parameters = Command::new("python3");
            parameters.args(["mkparams.py", rule, "C1", "false"]);
            finish(parameters.current_dir(&folder))?;
            finish(Command::new("make").current_dir(&folder))?;
        }
        Ok(ApgluxeProgram { folder })
    }
}

impl ApgluxeProgram {
    /// Counts so many soups of a root in its folder.
    pub(super) fn command(&self, root: &str, soups: u64) -> Command {
        let mut command = Command::new("env");
        command.arg("-C").arg(&self.folder).arg("./apgluxe");
        command.args(["-s", root, "-n", &soups.to_string(), "-L", "1"]);
        command
    }

    /// The objects of the haul that it has written, which is taken away.
    pub(super) fn objects(&self) -> Result<String, String> {
        let files = std::fs::read_dir(&self.folder).map_err(|e| e.to_string())?;
        let mut objects = None;
        for file in files {
            let path = file.map_err(|e| e.to_string())?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !name.starts_with("log.") {
                continue;
            }
            let haul = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            let number = haul
                .lines()
                .find_map(|line| line.strip_prefix("@NUM_OBJECTS "));
            objects = number.map(str::to_owned);
            std::fs::remove_file(&path).map_err(|e| e.to_string())?;
        }
        objects.ok_or_else(|| "apgluxe has written no haul".into())
    }
}

/// Runs a command that builds something.
pub(super) fn finish(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{}: {}",
            measurement::shown(command),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

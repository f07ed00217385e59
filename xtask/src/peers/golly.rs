//! Golly's batch program: `bgolly` of Debian's package `golly`, one on the path, or the one
//! that `GRIDPAPER_BGOLLY` names.

use super::measurement::{self, CoreAffinity};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) struct GollyProgram {
    program: PathBuf,
    /// As it tells it: 3.3, say.
    pub(crate) version: String,
}

impl GollyProgram {
    /// It, if it is there.
    pub(crate) fn find() -> Option<Self> {
        let program = match std::env::var_os("GRIDPAPER_BGOLLY") {
            Some(named) => PathBuf::from(named),
            None => super::on_path("bgolly")?,
        };
        let output = Command::new(&program)
            .arg("--help")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = said.split("bgolly ").nth(1)?.split(' ').next()?.to_string();
        Some(Self { program, version })
    }

    /// A run from the file's start, in steps of so many generations; none are one leap.
    pub(crate) fn command(
        &self,
        algorithm: &str,
        rules: Option<&Path>,
        file: &Path,
        generations: u64,
        step: Option<u64>,
    ) -> Command {
        let mut command = Command::new(&self.program);
        let generations = generations.to_string();
        command.args(["-a", algorithm, "-m", &generations, "-M", "8000"]);
        if let Some(step) = step {
            command.args(["-i", &step.to_string()]);
        }
        if let Some(rules) = rules {
            // It wants the separator behind the folder, and the file last of all.
            command.arg("-s").arg(format!("{}/", rules.display()));
        }
        command.arg(file);
        command
    }

    /// What begins a command for a run from start to end, in so many MiB.
    pub(crate) fn whole_run(&self, algorithm: &str, memory: u64) -> Vec<std::ffi::OsString> {
        let options = ["-a", algorithm, "-M", &memory.to_string()];
        let options = options.into_iter().map(Into::into);
        std::iter::once(self.program.clone().into())
            .chain(options)
            .collect()
    }

    /// The seconds of stepping alone, of a command for any number of generations: what it
    /// takes longer than for none. It is silenced, or it would count the cells at each step.
    pub(super) fn seconds(
        &self,
        command: impl Fn(u64) -> Command,
        generations: u64,
    ) -> Result<f64, String> {
        let silent = |generations| {
            let mut silent = Command::new(&self.program);
            silent
                .args(["-q", "-q"])
                .args(command(generations).get_args());
            measurement::run(&silent, CoreAffinity::One).map(|run| run.processor)
        };
        Ok(silent(generations)? - silent(0)?)
    }
}

/// The population after a command's run.
pub(super) fn population(command: &Command) -> Result<String, String> {
    last_population(&measurement::run(command, CoreAffinity::One)?.said)
}

/// The number in the last line of what it prints, which is `generation: 1,234`.
pub(crate) fn last_population(said: &str) -> Result<String, String> {
    let last = said.lines().rev().find_map(|line| line.split_once(": "));
    let (_, number) = last.ok_or("bgolly tells no population")?;
    Ok(number.trim().replace(',', ""))
}

#[cfg(test)]
mod tests {
    #[test]
    fn its_last_line_has_the_population() {
        let said = "This is bgolly 3.3\n- bgolly -m 9 x.rle\n0: 1,176\n9: 2,001,234\n";
        assert_eq!(super::last_population(said).unwrap(), "2001234");
        assert!(super::last_population("").is_err());
    }
}

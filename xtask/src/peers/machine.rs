//! What stands beside figures, so that others can be held against them: the machine, the day,
//! the programs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// The processor, its cores for us, the memory, and the widest vectors.
pub(super) fn described() -> String {
    let read = |file| std::fs::read_to_string(file).unwrap_or_default();
    let (processor, memory) = (read("/proc/cpuinfo"), read("/proc/meminfo"));
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let name = field(&processor, "model name").unwrap_or(std::env::consts::ARCH.into());
    let name = name.replace("(R)", "").replace("(TM)", "");
    let clock = field(&processor, "cpu MHz").and_then(|mhz| mhz.parse::<f64>().ok());
    let clock = clock.map_or(String::new(), |mhz| format!(" at {:.1} GHz", mhz / 1000.0));
    let cores = super::measurement::cores();
    let memory = field(&memory, "MemTotal");
    let memory = memory.and_then(|size| size.trim_end_matches(" kB").parse::<f64>().ok());
    let memory = memory.map_or(String::new(), |kb| format!(", {:.0} GiB", kb / 1_048_576.0));
    let vectors = match (has("avx512f"), has("avx2")) {
        (true, _) => ", AVX-512",
        (false, true) => ", AVX2",
        _ => "",
    };
    format!("{name}{clock}, {cores} cores{memory}{vectors}")
}

/// Whether the processor tells that it can do this.
pub(super) fn has(feature: &str) -> bool {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = text.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|flags| flags.split_whitespace().any(|flag| flag == feature))
}

/// The first line of what a command prints.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    output
        .status
        .success()
        .then(|| said.lines().next().map(str::to_string))?
}

/// Which state of the project this is.
pub(super) fn commit(root: &Path) -> String {
    let mut git = Command::new("git");
    git.current_dir(root).args(["rev-parse", "--short", "HEAD"]);
    first_line(&mut git).unwrap_or("unknown".into())
}

/// Today, in UTC.
pub(super) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |time| time.as_secs() / 86_400))
}

/// The date so many days after 1970-01-01, by counting: years first, months then.
fn date(mut days: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_have_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
        ] {
            assert_eq!(super::date(days), expected, "{days}");
        }
    }
}

//! The README's picture of a league's report.

use std::path::Path;
use std::process::Command;

const PLAN: &str = "tournaments/duel-league.toml";
const PICTURE: &str = "docs/images/league.png";
/// As much as a reader needs: standings, ratings, who met whom.
const WINDOW: &str = "--window-size=1100,1640";

/// Plays the league from its start, and takes a picture of its report.
pub(crate) fn take_picture(root: &Path) -> Result<(), String> {
    let folder = root.join("target/league");
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    // the league would go on where it was, and it is to begin anew
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(failed)?;
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let plan = folder.join("league.toml");
    std::fs::copy(root.join(PLAN), &plan).map_err(failed)?;
    let report = folder.join("league.html");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root)
        .args(["run", "--release", "--quiet", "--", "tournament"])
        .arg(&plan)
        .args(["--games", "400", "--report"])
        .arg(&report);
    run(cargo, "the league")?;
    let mut browser = Command::new("chromium");
    browser
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", WINDOW])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("browser").display()
        ))
        .arg(format!("--screenshot={}", root.join(PICTURE).display()))
        .arg(format!("file://{}", report.display()));
    run(browser, "the browser")
}

fn run(mut command: Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{what}: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{what}: {status}")),
    }
}

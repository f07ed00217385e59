//! `gridpaper census`: what random soups leave, counted. Its tasks are one file each; here is
//! what they share: stores, tables and the options that name a soup.

mod check;
mod explain;
mod haul;
mod merge;
mod names;
mod report;
mod run;
mod show;
mod soup;

use crate::command::home_screen::show_job;
use crate::failure::CliFailure;
use crate::rule_file::RuleFolder;
use crate::{input, table};
use batch::{CensusRunError, CensusStore, CensusStoreError, CensusTotals, ObjectKind};
use census::{CensusSettings, HashSoupSymmetry, SettlingMethod};
use clap::{Args, Subcommand, ValueEnum};
use parts::PartError;
use source::DEFAULT_RULE;
use std::path::Path;

/// Count what random soups leave: run, merge and show a census
///
/// In a terminal, without a task, the census is set up and watched on a screen.
#[derive(Debug, Args)]
#[command(
    after_help = "a soup's name, such as C1/seed17, stands for a pattern in every command: \
                        symmetry, root and number. STORE is the file of `census run --store`"
)]
pub(crate) struct CensusArgs {
    #[command(subcommand)]
    task: Option<CensusSubcommand>,
}

#[derive(Debug, Subcommand)]
enum CensusSubcommand {
    Run(run::CensusRunArgs),
    Merge(merge::CensusMergeArgs),
    Haul(haul::CensusHaulArgs),
    Report(report::CensusReportArgs),
    Show(show::CensusShowArgs),
    Soup(soup::CensusSoupArgs),
    Explain(explain::CensusExplainArgs),
    Check(check::CensusCheckArgs),
    Names(names::CensusNamesArgs),
}

impl CensusArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let Some(task) = self.task else {
            let example = "gridpaper census run --seed first --soups 10000";
            return show_job::<tui::census::CensusScreenModel>(example);
        };
        match task {
            CensusSubcommand::Run(task) => task.run(),
            CensusSubcommand::Merge(task) => task.run(),
            CensusSubcommand::Haul(task) => task.run(),
            CensusSubcommand::Report(task) => task.run(),
            CensusSubcommand::Show(task) => task.run(),
            CensusSubcommand::Soup(task) => task.run(),
            CensusSubcommand::Explain(task) => task.run(),
            CensusSubcommand::Check(task) => task.run(),
            CensusSubcommand::Names(task) => task.run(),
        }
    }
}

/// When a soup counts as settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SettlingArgument {
    /// when it is proven that nothing more will happen
    #[default]
    Exact,
    /// by apgsearch's readings of the population, to compare with its counts
    Apgsearch,
}

impl From<SettlingArgument> for SettlingMethod {
    fn from(argument: SettlingArgument) -> Self {
        match argument {
            SettlingArgument::Exact => Self::Exact,
            SettlingArgument::Apgsearch => Self::Apgsearch,
        }
    }
}

/// The options that say which soups are meant.
#[derive(Debug, Args)]
struct SoupArguments {
    /// The rule: one on the endless plane that leaves empty cells empty
    #[arg(long, value_name = "RULE", default_value = DEFAULT_RULE)]
    rule: String,

    #[command(flatten)]
    folder: RuleFolder,

    /// How the cells of a soup are made, as Catagolue calls it: C1, D8_4, 8x32, ...
    #[arg(long, value_name = "S", default_value = "C1", conflicts_with_all = ["density", "size"])]
    symmetry: HashSoupSymmetry,

    /// Soups of our own instead, in which so many of the cells live: 0.5 without it
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    density: Option<String>,

    /// How many columns and rows soups of our own have: 16x16 without it
    #[arg(long, value_name = "WxH")]
    size: Option<String>,

    /// When a soup counts as settled
    #[arg(long, value_name = "HOW", default_value = "exact")]
    settle: SettlingArgument,
}

impl SoupArguments {
    /// How the cells of a soup are made.
    fn symmetry(&self) -> Result<HashSoupSymmetry, CliFailure> {
        if self.density.is_none() && self.size.is_none() {
            return Ok(self.symmetry.clone());
        }
        let density = self.density.as_deref().unwrap_or("0.5");
        let size = self.size.as_deref().unwrap_or("16x16");
        format!("ours_{size}_{density}").parse().map_err(|_| {
            CliFailure::wrong(format_args!(
                "--size {size} --density {density}: soups have up to 1024x1024 cells, of which a \
                 share of 0.0001 to 1 lives"
            ))
        })
    }

    /// What the soups of a root are run in.
    fn settings(&self, root: &str) -> Result<CensusSettings, CliFailure> {
        Ok(CensusSettings {
            rule: input::parse_rule(&self.rule, "--rule", &self.folder)?,
            symmetry: self.symmetry()?,
            root: root.into(),
            settling: self.settle.into(),
        })
    }
}

/// Opens a store that must exist.
fn open(path: &Path) -> Result<CensusStore, CliFailure> {
    CensusStore::open(path).map_err(broken)
}

fn broken(error: CensusStoreError) -> CliFailure {
    let hint = error.hint().map(str::to_string);
    CliFailure::wrong(error).with_hint(hint)
}

pub(super) fn broken_part(error: PartError) -> CliFailure {
    if let PartError::File { path, error } = &error {
        return CliFailure::io(path.display(), error);
    }
    let hint = error.hint().map(str::to_string);
    CliFailure::wrong(error).with_hint(hint)
}

pub(super) fn ended(error: CensusRunError) -> CliFailure {
    match error {
        CensusRunError::Store(error) => broken(error),
        CensusRunError::Part(error) => broken_part(error),
        error => CliFailure::wrong(error),
    }
}

/// The first rows of a table of objects: count, objects a soup, code and name.
pub(super) fn object_table(totals: &CensusTotals, top: usize) -> String {
    let ranking = totals.ranking();
    let rows = ranking.iter().take(top).map(|(code, count)| {
        [
            format!("{count:>12}"),
            format!("{:>10}", per_soup(*count, totals.soups)),
            (*code).to_string(),
            object_words(code),
        ]
    });
    let head = ["count", "a soup", "code", "name"].map(str::to_string);
    let [count, soup, code, name] = head;
    let head = [format!("{count:>12}"), format!("{soup:>10}"), code, name];
    table::aligned([head].into_iter().chain(rows))
}

fn per_soup(count: u64, soups: u64) -> String {
    let ratio = count as f64 / soups.max(1) as f64;
    match ratio {
        0.001.. => format!("{ratio:.5}"),
        _ => format!("{ratio:.2e}"),
    }
}

/// An object's name, else what kind it is.
fn object_words(code: &str) -> String {
    match census::object_name(code) {
        Some(name) => name.to_string(),
        None => format!("({})", ObjectKind::of(code).class),
    }
}

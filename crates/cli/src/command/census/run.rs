//! `gridpaper census run`: counts soups, or goes on with it.

mod parts;

use super::{SoupArguments, broken, ended, object_table, object_words};
use crate::argument::CountArgument;
use crate::failure::{CliFailure, hint, note};
use crate::interrupt::InterruptGuard;
use crate::progress::LiveTerminalLines;
use crate::{input, output};
use ::parts::{UnitSet, UnitShard};
use batch::{
    CensusIdentity, CensusPlanText, CensusProgress, CensusStore, CensusTotals, SoupRange, UnitPlan,
    UnitWorker, run_units,
};
use census::probe::{ProbeVerdict, probe_soups};
use census::{CensusError, CensusSettings, GivenSoups, HashSoupSymmetry};
use clap::{Args, ValueHint};
use models::census_run::SoupWorker;
use num_traits::ToPrimitive as _;
use pattern::Cells;
use serde_json::{Map, Value, json};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Run soups until they settle, and count the objects that they leave
///
/// The same seed, symmetry and rule give the same counts on every machine. With --store, what
/// was counted is kept: stop whenever you like, the same command goes on and counts nothing
/// twice. With --out, each process appends to a file of its own, which `gridpaper merge` adds. With
/// a symmetry that has `stdin` in its name, soups are read from standard input, as RLE one after
/// the other, and the root gets their hash.
#[derive(Debug, Args)]
pub(super) struct CensusRunArgs {
    /// A plan in place of the options that say what is counted: a TOML file with soups, and where
    /// they differ from the usual ones rule, symmetry, seed, settle, from and unit
    #[arg(
        value_name = "PLAN",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["rule", "symmetry", "density", "size", "settle", "seed", "soups", "from", "unit"]
    )]
    plan: Option<PathBuf>,

    #[command(flatten)]
    soup: SoupArguments,

    /// The root of the soups: soup N is made of this text followed by N
    #[arg(long, value_name = "ROOT", default_value = "gridpaper")]
    seed: String,

    /// How many soups to run: 10000 without it, and all that standard input has
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    soups: Option<CountArgument>,

    /// The number of the first soup
    #[arg(
        long,
        value_name = "A",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    from: u64,

    /// How many threads count, all cores without it
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    threads: Option<NonZero<usize>>,

    /// Count only the units of this share, such as 1/3 on the first of three machines
    #[arg(long, value_name = "I/N")]
    shard: Option<UnitShard>,

    /// How many soups are counted and stored as one unit: 10000, and fewer without a store, so
    /// that all threads have some
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    unit: Option<NonZero<u64>>,

    /// Keep what is counted in this SQLite file, and go on with what it has
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// Append what is counted to a part in this folder, such as 1-of-3.gpart, and go on with what
    /// the parts there have
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with_all = ["store", "samples"])]
    out: Option<PathBuf>,

    /// Count only these units, from 0 on, such as 17,40-43: what `gridpaper merge` says is missing
    #[arg(long, value_name = "K", requires = "out")]
    units: Option<UnitSet>,

    /// How many soups are kept as samples of an object, at most 10
    #[arg(long, value_name = "K", default_value_t = 10, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=10))]
    samples: u8,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Soups that are run where no number is said.
const SOUPS: u64 = 10_000;
/// Soups in a unit.
const UNIT: u64 = 10_000;
/// A thread asks for no fewer soups at a time, unless it is told so.
const MIN_UNIT: u64 = 250;

/// How many objects are printed.
const TOP: usize = 20;

impl CensusRunArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let CensusWork {
            settings,
            range,
            unit,
            given,
        } = self.work()?;
        let soups = range.soups;
        if let Some(folder) = &self.out {
            if settings.symmetry.is_given() {
                return Err(CliFailure::wrong(
                    "--out: other machines do not have the soups of standard input",
                ));
            }
            return self.run_parts(folder, &settings, range, unit);
        }
        if let Some(path) = &self.store {
            output::check_place(path)?;
        }
        // before a store is made of it
        let is_new = !self.store.as_ref().is_some_and(|path| path.exists());
        if is_new {
            probe(&settings, range)?;
        }
        let store = match &self.store {
            Some(path) => CensusStore::open_or_create(path),
            None => CensusStore::in_memory(),
        };
        let mut store = store.map_err(broken)?.with_max_samples(self.samples.into());
        let identity = CensusIdentity::of(&settings);
        let census = store.open_census(&identity).map_err(broken)?;
        if !is_new && store.totals().map_err(broken)?.soups == 0 {
            probe(&settings, range)?;
        }
        let missing = store.missing(census, range).map_err(broken)?;
        let plan = UnitPlan::new(missing, unit);
        let plan = plan.of_shard(self.shard.unwrap_or(UnitShard::WHOLE));
        let planned = plan.soups();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut elapsed = Duration::ZERO;
        let counted = run_units(
            &mut store,
            census,
            plan,
            self.threads(),
            &|| -> Box<dyn UnitWorker> {
                Box::new(match &given {
                    Some(soups) => SoupWorker::of_given(&settings, soups.clone()),
                    None => SoupWorker::new(&settings),
                })
            },
            interrupts.flag(),
            &mut |progress| {
                elapsed = progress.elapsed;
                lines.show(|_| progress_line(progress));
            },
        );
        lines.clear();
        let counted = counted.map_err(ended)?;
        let totals = store.totals().map_err(broken)?;
        if interrupts.asked_to_stop() && counted < planned {
            if self.store.is_none() {
                self.report(&identity, &totals, counted, elapsed)?;
            }
            return Err(CliFailure::interrupted(match &self.store {
                Some(_) => {
                    format!("stopped after {counted} of {planned} soups; the same command goes on")
                }
                None => format!("stopped after {counted} of {planned} soups"),
            }));
        }
        if counted == 0 && planned == 0 && soups > 0 {
            note("the store has all of these soups");
        }
        self.report(&identity, &totals, counted, elapsed)
    }

    /// What is to be counted, by the plan or by the options.
    fn work(&self) -> Result<CensusWork, CliFailure> {
        let Some(path) = &self.plan else {
            let mut settings = self.soup.settings(&self.seed)?;
            let count = |count: &CountArgument| {
                count.0.to_u64().ok_or_else(|| {
                    CliFailure::wrong(format_args!("--soups {}: more than there are", count.0))
                })
            };
            let soups = self.soups.as_ref().map(count).transpose()?;
            let given = match settings.symmetry.is_given() {
                true => Some(read_soups()?),
                false => None,
            };
            let soups = match &given {
                Some(given) => {
                    settings.root = format!("{}_{}", self.seed, given.mark);
                    let left = (given.soups.len() as u64).saturating_sub(self.from);
                    soups.unwrap_or(left).min(left)
                }
                None => soups.unwrap_or(SOUPS),
            };
            return Ok(CensusWork {
                settings,
                range: soup_range(self.from, soups).map_err(CliFailure::wrong)?,
                unit: self.unit(soups),
                given: given.map(|given| given.soups),
            });
        };
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| CliFailure::io(name, &error))?;
        let wrong = |error: &dyn std::fmt::Display| {
            CliFailure::wrong(format_args!("{}: {error}", path.display()))
        };
        let plan = text.parse::<CensusPlanText>();
        let plan = plan.map_err(|error| wrong(&error.to_string().trim_end()))?;
        let symmetry = plan.symmetry.parse::<HashSoupSymmetry>();
        let symmetry = symmetry.map_err(|error| wrong(&error))?;
        if symmetry.is_given() {
            return Err(wrong(&CensusError::Given(symmetry.to_string())));
        }
        Ok(CensusWork {
            settings: CensusSettings {
                rule: input::parse_rule(&plan.rule, "the plan's rule", &self.soup.folder)?,
                symmetry,
                root: plan.seed,
                settling: plan.settle,
            },
            range: soup_range(plan.from, plan.soups).map_err(|error| wrong(&error))?,
            unit: plan.unit.max(1),
            given: None,
        })
    }

    /// Units of a store have one length, so that stores can be merged; what is only printed may be
    /// cut as the threads like it.
    fn unit(&self, soups: u64) -> u64 {
        match (self.unit, self.store.is_some() || self.out.is_some()) {
            (Some(unit), _) => unit.get(),
            (None, true) => UNIT,
            (None, false) => (soups / (8 * self.threads().get() as u64)).clamp(MIN_UNIT, UNIT),
        }
    }

    fn threads(&self) -> NonZero<usize> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.threads.unwrap_or_else(cores)
    }

    fn report(
        &self,
        identity: &CensusIdentity,
        totals: &CensusTotals,
        counted: u64,
        elapsed: Duration,
    ) -> Result<(), CliFailure> {
        let seconds = elapsed.as_secs_f64();
        let pace = if seconds > 0.0 {
            counted as f64 / seconds
        } else {
            0.0
        };
        let lifespans = &totals.lifespans;
        if self.json {
            let ranking = totals.ranking();
            let counts: Map<String, Value> = ranking
                .iter()
                .map(|(code, n)| ((*code).to_string(), json!(n)))
                .collect();
            return output::line(json!({
                "rule": identity.rule,
                "symmetry": identity.symmetry,
                "seed": identity.root,
                "settle": identity.settling,
                "soups": totals.soups,
                "objects": totals.objects(),
                "kinds": totals.tally.len(),
                "counts": counts,
                "seconds": seconds,
                "soups_per_second": pace,
                "lifespan": {
                    "mean": lifespans.mean(),
                    "median": lifespans.quantile(0.5),
                    "p90": lifespans.quantile(0.9),
                    "p99": lifespans.quantile(0.99),
                    "max": (totals.soups > 0).then_some(lifespans.longest),
                },
                "unsettled": totals.unsettled,
            }));
        }
        let mut text = format!(
            "{}/{}, root {}: {} objects of {} kinds from {} soups\n",
            identity.rule,
            identity.symmetry,
            identity.root,
            totals.objects(),
            totals.tally.len(),
            totals.soups,
        );
        if let (Some(mean), Some(median), Some(p90)) = (
            lifespans.mean(),
            lifespans.quantile(0.5),
            lifespans.quantile(0.9),
        ) {
            text += &format!(
                "lifespan: mean {mean:.0}, median {median}, 90 % within {p90}, longest {}\n",
                lifespans.longest
            );
        }
        if totals.unsettled > 0 {
            text += &format!("{} soups did not settle as others do\n", totals.unsettled);
        }
        text += "\n";
        text += &object_table(totals, TOP);
        output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        if counted > 0 {
            note(format_args!(
                "{counted} soups in {seconds:.1} s, {pace:.0} a second"
            ));
        }
        if let (Some(path), true) = (&self.store, totals.tally.len() > TOP) {
            hint(format_args!(
                "gridpaper census show {} lists all kinds",
                path.display()
            ));
        }
        Ok(())
    }
}

/// What is to be counted.
struct CensusWork {
    settings: CensusSettings,
    range: SoupRange,
    /// Soups in a unit.
    unit: u64,
    /// The soups, where they are not made of seeds.
    given: Option<Arc<[Cells]>>,
}

fn soup_range(from: u64, soups: u64) -> Result<SoupRange, String> {
    let range = SoupRange::new(from, soups);
    let all = range.first == from && range.soups == soups;
    let problem =
        format!("{soups} soups from {from} on: the last that there is has number 2^63 - 2");
    all.then_some(range).ok_or(problem)
}

/// Soups from standard input.
fn read_soups() -> Result<GivenSoups, CliFailure> {
    const PLACE: &str = "standard input";
    let text = std::io::read_to_string(std::io::stdin().lock());
    let text = text.map_err(|error| CliFailure::io(PLACE, &error))?;
    let soups = text.parse::<GivenSoups>();
    soups.map_err(|error| CliFailure::wrong(format_args!("{PLACE}: {error}")))
}

/// Refuses rules whose soups do not settle.
fn probe(settings: &CensusSettings, range: SoupRange) -> Result<(), CliFailure> {
    if range.soups == 0 || settings.symmetry.is_given() {
        return Ok(());
    }
    match probe_soups(settings, range.first) {
        Err(error) => Err(CliFailure::wrong(error)),
        Ok(ProbeVerdict::Countable) => Ok(()),
        Ok(ProbeVerdict::Explosive { soups, unsettled }) => Err(CliFailure::No {
            message: format!(
                "the rule is explosive: {unsettled} of {soups} soups grow without an end or do not settle"
            ),
            hint: Some("a census needs a rule whose soups settle".into()),
        }),
    }
}

fn progress_line(progress: &CensusProgress<'_>) -> String {
    let left = progress.time_left().map_or(String::new(), |left| {
        let seconds = left.as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        match hours {
            0 => format!(", {minutes}:{seconds:02} left"),
            _ => format!(", {hours}:{minutes:02}:{seconds:02} left"),
        }
    });
    let newest = progress.newest.map_or(String::new(), |code| {
        let shown: String = code.chars().take(24).collect();
        format!(", last new {shown} {}", object_words(code))
    });
    format!(
        "{} of {} soups, {:.0} a second, {} objects of {} kinds{left}{newest}; Ctrl-C stops",
        progress.soups,
        progress.planned,
        progress.soups_per_second(),
        progress.objects,
        progress.kinds,
    )
}

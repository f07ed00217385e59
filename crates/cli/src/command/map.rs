//! `gridpaper map`: the same soup under all totalistic rules of two states and eight neighbours,
//! as a picture with a pixel a rule.

use crate::argument::CountArgument;
use crate::failure::CliFailure;
use crate::input;
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::ProgressMeter;
use crate::rule_file::RuleFolder;
use clap::{Args, ValueEnum};
use gpu::{SOUP_SIDE, SoupCounts, SoupRows, SpaceRule, run_soup};
use models::parallel_jobs::run_jobs;
use num_traits::ToPrimitive;
use pattern::soup::{Fill, SoupRecipe};
use render::{Picture, Rgb};
use serde_json::json;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Draw the space of rules: what becomes of one soup under each of 131,072
///
/// Each pixel is a rule of two states and the eight neighbours without B0. Its column is the
/// set of counts with which a cell survives, S0 the highest bit and S8 the lowest; its row the set
/// with which one is born, B1 the highest bit and B8 the lowest. The soup lives on a torus of 64 x 64 cells. White: nothing is left.
/// Blue: the cells stand still or blink, the darker the more there are. Yellow to red: they go
/// on changing, the redder the more of them.
#[derive(Debug, Args)]
pub(crate) struct MapArgs {
    /// The picture to write
    #[arg(long, value_name = "FILE.png")]
    out: Option<PathBuf>,

    /// A line for each rule: its name, live cells, and cells that changed
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,

    /// How long each soup is run
    #[arg(long, value_name = "N", default_value = "200")]
    gens: CountArgument,

    /// The chance of each cell of the soup to be live
    #[arg(long, value_name = "D", default_value_t = 0.5)]
    density: f64,

    /// What the soup is drawn from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Where the soups are run: on a graphics processor where this program can and there is one
    #[arg(long, value_enum, default_value_t = MapEngine::Auto)]
    engine: MapEngine,

    /// Threads of the processor
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Tell only what rule is at a place of the picture
    #[arg(long, value_name = "X,Y", conflicts_with_all = ["out", "csv", "rule"])]
    at: Option<String>,

    /// Tell only where a rule is in the picture
    #[arg(long, value_name = "RULE", conflicts_with_all = ["out", "csv"])]
    rule: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Where soups are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MapEngine {
    Auto,
    Cpu,
    Gpu,
}

impl MapArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if let Some(place) = &self.at {
            return output::line(rule_at(place)?.name());
        }
        if let Some(text) = &self.rule {
            let rule = input::parse_rule(text, "--rule", &self.folder)?;
            let place = SpaceRule::of_rule(&rule).map(SpaceRule::place);
            let (x, y) = place.ok_or_else(|| {
                CliFailure::wrong(format_args!(
                    "{rule} is not in the map: it holds rules of two states and the eight \
                     neighbours without B0"
                ))
            })?;
            return output::line(format_args!("{x},{y}"));
        }
        for file in [&self.out, &self.csv].into_iter().flatten() {
            output::check_place(file)?;
        }
        let generations = self.gens.0.to_u32().filter(|n| (2..=1_000_000).contains(n));
        let generations =
            generations.ok_or_else(|| CliFailure::wrong("--gens takes 2 to 1000000 here"))?;
        let soup = self.soup()?;
        let rules = all_rules();
        let (outcomes, place) = self.outcomes(&soup, &rules, generations)?;
        if let Some(path) = &self.out {
            let png = render::png(&picture(&outcomes));
            output::to_file(path, |out| {
                out.write_all(&png)
                    .map_err(|e| CliFailure::io(path.display(), &e))
            })?;
        }
        if let Some(path) = &self.csv {
            let text = csv(&rules, &outcomes);
            output::to_file(path, |out| {
                out.write_all(text.as_bytes())
                    .map_err(|e| CliFailure::io(path.display(), &e))
            })?;
        }
        self.report(&outcomes, generations, &place)
    }

    fn soup(&self) -> Result<SoupRows, CliFailure> {
        let recipe = SoupRecipe {
            fill: Fill::Density(self.density),
            seed: self.seed,
            ..SoupRecipe::new(SOUP_SIDE as u64, SOUP_SIDE as u64)
        };
        let cells = recipe.cells().map_err(CliFailure::wrong)?;
        let mut soup = [0; SOUP_SIDE];
        for (row, states) in soup.iter_mut().zip(cells.chunks(SOUP_SIDE)) {
            *row = (0..)
                .zip(states)
                .map(|(x, &state)| u64::from(state) << x)
                .sum();
        }
        Ok(soup)
    }

    /// What came of the soup under each rule, and where that was worked out.
    fn outcomes(
        &self,
        soup: &SoupRows,
        rules: &[SpaceRule],
        generations: u32,
    ) -> Result<(Vec<SoupCounts>, String), CliFailure> {
        #[cfg(feature = "gpu")]
        if self.engine != MapEngine::Cpu {
            match gpu::GpuDevice::shared() {
                Ok(device) if self.engine == MapEngine::Gpu || !device.is_software() => {
                    return on_device(device, soup, rules, generations);
                }
                Err(error) if self.engine == MapEngine::Gpu => {
                    return Err(CliFailure::wrong(error));
                }
                _ => {}
            }
        }
        if self.engine == MapEngine::Gpu {
            return Err(CliFailure::wrong(
                "--engine gpu: this program was built without it, by its feature `gpu`",
            ));
        }
        let threads = self
            .threads
            .or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.unwrap_or(NonZeroUsize::MIN);
        let outcomes = on_processor(soup, rules, generations, threads)?;
        Ok((outcomes, format!("{threads} threads of the processor")))
    }

    fn report(
        &self,
        outcomes: &[SoupCounts],
        generations: u32,
        place: &str,
    ) -> Result<(), CliFailure> {
        let count = |is: fn(&SoupCounts) -> bool| outcomes.iter().filter(|&o| is(o)).count();
        let died = count(|outcome| outcome.population == 0 && outcome.changed == 0);
        let going_on = count(|outcome| outcome.changed > 0);
        let settled = outcomes.len() - died - going_on;
        if self.json {
            return output::line(json!({
                "rules": outcomes.len(),
                "generations": generations,
                "seed": self.seed,
                "density": self.density,
                "died": died,
                "settled": settled,
                "changing": going_on,
                "engine": place,
            }));
        }
        output::line(format_args!(
            "{} rules, {generations} generations on {place}: nothing is left under {died}, cells \
             stand still or blink under {settled}, and go on changing under {going_on}",
            outcomes.len()
        ))
    }
}

fn rule_at(place: &str) -> Result<SpaceRule, CliFailure> {
    let numbers = place.split_once(',').and_then(|(x, y)| {
        let (x, y) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
        (x < SpaceRule::COLUMNS && y < SpaceRule::ROWS).then(|| SpaceRule::at(x, y))
    });
    numbers.ok_or_else(|| {
        CliFailure::wrong(format_args!(
            "--at {place}: a column of 0 to {} and a row of 0 to {}, as in 96,32",
            SpaceRule::COLUMNS - 1,
            SpaceRule::ROWS - 1
        ))
    })
}

/// In the order of the picture's pixels.
fn all_rules() -> Vec<SpaceRule> {
    let rows = 0..SpaceRule::ROWS;
    rows.flat_map(|row| (0..SpaceRule::COLUMNS).map(move |column| SpaceRule::at(column, row)))
        .collect()
}

fn stopped() -> CliFailure {
    CliFailure::interrupted("stopped: nothing was written")
}

fn on_processor(
    soup: &SoupRows,
    rules: &[SpaceRule],
    generations: u32,
    threads: NonZeroUsize,
) -> Result<Vec<SoupCounts>, CliFailure> {
    /// Rules that a thread takes at a time.
    const PART: usize = 256;
    let heed = InterruptGuard::new();
    let parts: Vec<_> = rules
        .chunks(PART)
        .map(|part| (part, OnceLock::new()))
        .collect();
    let progress = Mutex::new((0, ProgressMeter::of(rules.len().into(), "rules")));
    run_jobs(threads, parts.len(), &|number| {
        if heed.asked_to_stop() {
            return;
        }
        let (part, outcomes) = &parts[number];
        let ran = part.iter().map(|&rule| run_soup(soup, rule, generations));
        // each part has one job
        let _ = outcomes.set(ran.collect::<Vec<_>>());
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.0 += part.len();
        let done = progress.0.into();
        progress.1.reach(&done);
    });
    let progress = progress
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let (_, mut progress) = progress;
    progress.clear();
    let outcomes = parts.into_iter().map(|(_, outcomes)| outcomes.into_inner());
    let outcomes: Option<Vec<_>> = outcomes.collect();
    Ok(outcomes.ok_or_else(stopped)?.concat())
}

#[cfg(feature = "gpu")]
fn on_device(
    device: &gpu::GpuDevice,
    soup: &SoupRows,
    rules: &[SpaceRule],
    generations: u32,
) -> Result<(Vec<SoupCounts>, String), CliFailure> {
    let heed = InterruptGuard::new();
    let mut progress = ProgressMeter::of(rules.len().into(), "rules");
    let mut control = |done: usize| {
        progress.reach(&done.into());
        !heed.asked_to_stop()
    };
    let outcomes = gpu::run_soups_on_device(device, soup, rules, generations, &mut control);
    progress.clear();
    match outcomes {
        Ok(outcomes) => Ok((outcomes, device.name().to_string())),
        Err(_) if heed.asked_to_stop() => Err(stopped()),
        Err(error) => Err(CliFailure::wrong(format_args!(
            "{}: {error}",
            device.name()
        ))),
    }
}

fn picture(outcomes: &[SoupCounts]) -> Picture {
    let cells = (SOUP_SIDE * SOUP_SIDE) as f64;
    let pixels = outcomes.iter().map(|outcome| {
        let live = f64::from(outcome.population) / cells;
        let changed = f64::from(outcome.changed) / cells;
        match (outcome.population, outcome.changed) {
            (0, 0) => NOTHING,
            (_, 0) => between(FEW, MANY, live.sqrt()),
            // half of all cells is what chaos comes to
            _ => between(QUIET, WILD, (2.0 * changed).sqrt()),
        }
    });
    Picture {
        width: SpaceRule::COLUMNS,
        height: SpaceRule::ROWS,
        pixels: pixels.collect(),
    }
}

const NOTHING: Rgb = Rgb::hex(0xffffff);
const FEW: Rgb = Rgb::hex(0xd6e5f4);
const MANY: Rgb = Rgb::hex(0x102a62);
const QUIET: Rgb = Rgb::hex(0xffe278);
const WILD: Rgb = Rgb::hex(0xb01220);

fn between(low: Rgb, high: Rgb, share: f64) -> Rgb {
    let share = share.clamp(0.0, 1.0);
    let mix = |low: u8, high: u8| {
        (f64::from(low) + share * (f64::from(high) - f64::from(low))).round() as u8
    };
    Rgb {
        r: mix(low.r, high.r),
        g: mix(low.g, high.g),
        b: mix(low.b, high.b),
    }
}

fn csv(rules: &[SpaceRule], outcomes: &[SoupCounts]) -> String {
    let mut text = String::from("rule,live cells,cells changed in two generations\n");
    for (rule, outcome) in rules.iter().zip(outcomes) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{},{},{}",
            rule.name(),
            outcome.population,
            outcome.changed
        );
    }
    text
}

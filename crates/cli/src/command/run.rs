//! `gridpaper run`: a pattern in, any number of generations forwards or back, exact answers
//! out.

use crate::argument::{CountArgument, GenerationOffset, MemoryArgument, SizeArgument};
use crate::destination::Destination;
use crate::failure::CliFailure;
use crate::input::{self, RuleArguments};
use crate::interrupt::InterruptGuard;
use crate::output::{self, number};
use crate::plot::{self, PopulationTrack};
use crate::progress::ProgressMeter;
use ::plot::{RunQuantity, RunSeries};
use clap::{Args, ValueHint, builder::PossibleValuesParser, builder::TypedValueParser as _};
use engine::{BackwardError, EngineChoice, Options, StateCycle, World};
use num_bigint::BigUint;
use pattern::Cells;
use rule::Rule;
use serde_json::{Value, json};
use session::ChangeCounter;
use source::snapshot_for;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Advance a pattern by any number of generations, and report
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text
    #[arg(value_hint = ValueHint::FilePath)]
    pattern: OsString,

    /// How many generations: 1000, 10^12, 2^64, …; -100 runs backwards, where the rule can
    /// be undone
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    gens: GenerationOffset,

    #[command(flatten)]
    rule: RuleArguments,

    /// What does the stepping
    #[arg(long, default_value = "auto", value_parser = choices())]
    engine: EngineChoice,

    /// Run on a bounded grid with dead surroundings, such as 64x64
    #[arg(long, value_name = "WxH")]
    size: Option<SizeArgument>,

    /// How many threads may be used
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,

    /// How much memory a hashed quadtree or the tiles of a world may take
    #[arg(long, value_name = "BYTES", default_value = "4G")]
    memory: MemoryArgument,

    /// Write the last generation to this file, or to - for standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The format of --out, when its ending does not tell
    #[arg(long, value_name = "FORMAT", requires = "out")]
    format: Option<String>,

    /// Print a line each K generations
    #[arg(long, value_name = "K")]
    every: Option<CountArgument>,

    /// Draw population against generation into this SVG file, or write the points into a .csv
    #[arg(long, value_name = "FILE.svg|FILE.csv")]
    plot: Option<PathBuf>,

    /// What --plot shows besides the population, such as births,deaths: each counted in the
    /// generation that leads to a point
    #[arg(long, value_name = "WHAT,…", value_delimiter = ',', requires = "plot", value_parser = quantities())]
    curves: Vec<RunQuantity>,

    /// Print one JSON object (and one a line for --every)
    #[arg(long)]
    json: bool,
}

fn choices() -> impl clap::builder::TypedValueParser<Value = EngineChoice> {
    PossibleValuesParser::new(EngineChoice::ALL.map(EngineChoice::name))
        .try_map(|name| name.parse::<EngineChoice>())
}

fn quantities() -> impl clap::builder::TypedValueParser<Value = RunQuantity> {
    let names = RunQuantity::ALL.map(|(_, name)| name);
    PossibleValuesParser::new(names).map(|name| {
        let mut all = RunQuantity::ALL.into_iter();
        let found = all.find(|(_, known)| *known == name);
        found.map_or(RunQuantity::Population, |(quantity, _)| quantity)
    })
}

impl RunArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if self.every.as_ref().is_some_and(|k| k.0 == BigUint::ZERO) {
            return Err(CliFailure::wrong("--every 0 would print lines for ever"));
        }
        // What cannot be written is better known before an hour's run than after it.
        let destination = self
            .out
            .as_deref()
            .map(|path| Destination::new(path, self.format.as_deref()))
            .transpose()?;
        self.plot.as_deref().map_or(Ok(()), output::check_place)?;
        if self.gens.backwards && !self.curves.is_empty() {
            let message = "--curves counts what is born and dies on the way forward";
            return Err(CliFailure::wrong(message));
        }
        let to_stdout = destination.as_ref().is_some_and(Destination::is_stdout);
        if to_stdout && (self.json || self.every.is_some()) {
            let message = "--out - puts the pattern where the report goes";
            return Err(
                CliFailure::wrong(message).with_hint("give --out a file's name".to_string())
            );
        }

        let source = input::open_within(&self.pattern, self.memory.0)?;
        let rule = self.rule.rule(&source, self.size)?;
        let mut source = source::on_its_board(source, &rule)?;
        let options = Options {
            memory: self.memory.0,
            threads: self.threads.into(),
            ..Options::default()
        };
        let (pattern, generations) = (&source.pattern, Some(&self.gens.count));
        let opened = if self.gens.backwards {
            engine::open_backward(self.engine, &rule, pattern, generations, &options)
        } else {
            let gens = &self.gens.count;
            let opened = engine::open_job(self.engine, &rule, pattern, gens, &options);
            opened.map_err(BackwardError::from)
        };
        let opened = opened.map_err(|e| self.refusal(&rule, &e))?;
        let mut world = opened.world;
        // From here on only the words of the file are needed.
        source.pattern.cells = Cells::default();

        let mut track = self
            .plot
            .as_ref()
            .map(|_| PopulationTrack::new(world.generation().clone(), world.population()))
            .map(|track| track.with(&self.curves));
        let seconds = self
            .step(world.as_mut(), &options, track.as_mut())?
            .as_secs_f64();

        if let (Some(path), Some(track)) = (&self.plot, track) {
            let is_csv = path
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
            let text = match is_csv {
                true => track.csv(),
                false => track.svg(source.title(), &rule.to_string()),
            };
            output::to_file(path, |out| {
                out.write_all(text.as_bytes())
                    .map_err(|e| CliFailure::io(path.display(), &e))
            })?;
        }
        // The report comes first: it is not lost when the file cannot be written.
        if !to_stdout {
            let why = world.engine_reason().unwrap_or(&opened.engine_reason);
            self.report(world.as_ref(), why, seconds)?;
        }
        destination.map_or(Ok(()), |destination| {
            let last = snapshot_for(world.as_ref(), &source.pattern, destination.format());
            destination.write(&last)
        })
    }

    fn refusal(&self, rule: &Rule, problem: &BackwardError) -> CliFailure {
        let hint = match problem {
            BackwardError::Rule(_) => Some(
                "Margolus rules and 2PCA4 can be undone where no two blocks become the same; \
                 `gridpaper rules BBM` explains one",
            ),
            BackwardError::Edges(_) => {
                Some("take an endless plane, or a torus with even sides such as :T20,20")
            }
            BackwardError::Unsupported(_) if self.engine == EngineChoice::Auto => None,
            // No engine takes it where it is; the refusal says what it needs.
            BackwardError::Unsupported(_) if rule.fills_plane() => None,
            BackwardError::Unsupported(_) => {
                Some("leave --engine out, and one that does is chosen")
            }
        };
        CliFailure::wrong(problem).with_hint(hint.map(str::to_string))
    }

    fn report(&self, world: &dyn World, why: &str, seconds: f64) -> Result<(), CliFailure> {
        let report = RunReport {
            world,
            why,
            seconds,
        };
        if self.json {
            output::line(report.json())
        } else {
            output::to_stdout(|out| write!(out, "{}", report.text()))
        }
    }

    /// Steps to the end, looking at the world wherever a line or a point is wanted. Gives
    /// the time that the stepping alone took.
    fn step(
        &self,
        world: &mut dyn World,
        options: &Options,
        mut track: Option<&mut PopulationTrack>,
    ) -> Result<Duration, CliFailure> {
        let total = &self.gens.count;
        let mut lines = StopSchedule::new(self.every.as_ref().map(|k| k.0.clone()));
        let mut points = StopSchedule::new(track.is_some().then(|| plot::spacing(total)));
        let heed = InterruptGuard::new();
        let mut progress = ProgressMeter::new(total.clone()).noting_strain(options);
        let mut done = BigUint::ZERO;
        let mut spent = Duration::ZERO;
        let counts = !self.curves.is_empty();
        while &done < total {
            let stops = [lines.next.as_ref(), points.next.as_ref(), Some(total)];
            let stop = stops.into_iter().flatten().min().unwrap_or(total).clone();
            let begun = Instant::now();
            let mut advance = |world: &mut dyn World, generations: &BigUint| {
                world.advance(generations, &mut |n| {
                    progress.reach(&(&done + n));
                    !heed.asked_to_stop()
                })
            };
            let mut counter = ChangeCounter::default();
            let outcome = match counts {
                true => counter.advance(world, &(&stop - &done), &mut advance),
                false => advance(world, &(&stop - &done)),
            };
            spent += begun.elapsed();
            if outcome.is_err() || heed.asked_to_stop() {
                progress.clear();
                let (generation, population) = (world.generation(), world.population());
                let stood = format!("stopped at generation {generation}, population {population}");
                return Err(match world.memory_limit_error() {
                    Some(full) => CliFailure::No {
                        message: format!("{full}: {stood}"),
                        hint: Some("give it more, as in --memory 8G".into()),
                    },
                    None => CliFailure::interrupted(stood),
                });
            }
            done = stop;
            let is_point = points.reach(&done) || &done == total;
            if let (Some(track), true) = (&mut track, is_point) {
                track.push(world.generation().clone(), world.population());
                if counts {
                    let mut counted = RunSeries::default();
                    counter.record(world, &mut counted);
                    track.push_others(&counted);
                }
            }
            if lines.reach(&done) {
                progress.clear();
                self.line(world)?;
            }
        }
        progress.finish();
        Ok(spent)
    }

    /// The line of one moment, for --every.
    fn line(&self, world: &dyn World) -> Result<(), CliFailure> {
        let (generation, population) = (world.generation(), world.population());
        if self.json {
            output::line(json!({
                "generation": number(generation),
                "population": number(population),
            }))
        } else {
            output::line(format_args!(
                "generation {generation}  population {population}"
            ))
        }
    }
}

/// Every so many generations.
struct StopSchedule {
    apart: BigUint,
    /// None where there are no stops at all.
    next: Option<BigUint>,
}

impl StopSchedule {
    fn new(apart: Option<BigUint>) -> Self {
        Self {
            next: apart.clone(),
            apart: apart.unwrap_or_default(),
        }
    }

    /// Whether this is one of the stops; the next one is then due.
    fn reach(&mut self, done: &BigUint) -> bool {
        let is_due = self.next.as_ref() == Some(done);
        if is_due {
            self.next = Some(done + &self.apart);
        }
        is_due
    }
}

/// What a run came to.
struct RunReport<'a> {
    world: &'a dyn World,
    why: &'a str,
    seconds: f64,
}

impl RunReport<'_> {
    fn json(&self) -> Value {
        let world = self.world;
        let bounds = world.bounds().map(|b| {
            json!({
                "x": number(b.x),
                "y": number(b.y),
                "width": number(b.width),
                "height": number(b.height),
            })
        });
        let cycle = world.cycle().map(|cycle| {
            json!({
                "period": cycle.period,
                "found_at": number(&cycle.found_at),
            })
        });
        json!({
            "rule": world.rule().to_string(),
            "family": world.rule().family(),
            "engine": world.engine(),
            "why": self.why,
            "cycle": cycle,
            "generation": number(world.generation()),
            "population": number(world.population()),
            "bounds": bounds,
            "hash": world.hash().to_string(),
            "seconds": self.seconds,
        })
    }

    fn text(&self) -> String {
        let world = self.world;
        let bounds = world.bounds().map_or_else(
            || "empty".to_string(),
            |b| {
                format!(
                    "{} x {} cells, top left at ({}, {})",
                    b.width, b.height, b.x, b.y
                )
            },
        );
        let cycle = world.cycle().map_or_else(String::new, |cycle| {
            let StateCycle { period, found_at } = cycle;
            let generations = if *period == 1 {
                "generation"
            } else {
                "generations"
            };
            format!("cycle       of {period} {generations}, found at generation {found_at}\n")
        });
        format!(
            "rule        {}\nengine      {} ({})\n{cycle}generation  {}\npopulation  {}\n\
             bounds      {bounds}\nhash        {}\nseconds     {:.6}\n",
            world.rule(),
            world.engine(),
            self.why,
            world.generation(),
            world.population(),
            world.hash(),
            self.seconds,
        )
    }
}

//! `gridpaper search`: finds patterns with a property, lists all of them in a box, or says that
//! there is none. Its tasks are one file each; here is what they share: the options, the run and
//! what is said of its end.

mod agar;
mod count;
mod cube;
mod fill;
mod orphan;
mod osc;
mod predecessor;
mod proof;
mod rows;
mod run;
mod saved;
mod ship;
mod still;
mod verify;

use crate::argument::{MemoryArgument, SizeArgument, seconds};
use crate::command::home_screen::show_job;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::progress::LiveTerminalLines;
use crate::rule_file::RuleFolder;
use crate::{input, output};
use clap::{Args, Subcommand, ValueEnum};
use console::Term;
use cube::CubeArgument;
use dice::mix;
use grid::Symmetry;
use models::search_race::{
    SearchRaceEnd, SearchRaceError, SearchRaceEvent, SearchRaceSettings, race,
};
use pattern::{Format, Pattern};
use rule::Rule;
use saved::SavedSearch;
use search::{
    BoxSymmetry, CellGuess, CellOrder, CellSearchOptions, FoundPattern, PeriodicCase,
    PeriodicQuestion, PopulationLimits, QuestionError, SearchCase, SearchEngine, SearchProgress,
    transform_name,
};
use serde_json::json;
use source::rule_file::RuleFiles;
use source::{DEFAULT_RULE, Source};
use std::fmt;
use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Find patterns with a property, list all of them, or prove that there is none
///
/// The exit code is 0 when something was found, 1 when it is certain that there is nothing, and
/// 3 when a limit ended the search first. In a terminal, without a task, the search is set up and
/// watched on a screen.
#[derive(Debug, Args)]
#[command(
    after_help = "the box rule: every generation of a period lies inside the box, and cells \
                  outside stay dead; the generation that repeats the first may stick out by the \
                  way that it has moved. So a box holds all generations together, and may have \
                  to be larger than any single one"
)]
pub(crate) struct SearchArgs {
    #[command(subcommand)]
    task: Option<SearchSubcommand>,
}

#[derive(Debug, Subcommand)]
enum SearchSubcommand {
    Still(still::SearchStillArgs),
    Osc(osc::SearchOscArgs),
    Ship(ship::SearchShipArgs),
    Predecessor(predecessor::SearchPredecessorArgs),
    Orphan(orphan::SearchOrphanArgs),
    Agar(agar::SearchAgarArgs),
    Fill(fill::SearchFillArgs),
    Run(run::SearchRunArgs),
    Verify(verify::SearchVerifyArgs),
}

impl SearchArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let Some(task) = self.task else {
            let example = "gridpaper search osc --period 3 --size 7x7";
            return show_job::<tui::search::SearchScreenModel>(example);
        };
        match task {
            SearchSubcommand::Still(task) => task.run(),
            SearchSubcommand::Osc(task) => task.run(),
            SearchSubcommand::Ship(task) => task.run(),
            SearchSubcommand::Predecessor(task) => task.run(),
            SearchSubcommand::Orphan(task) => task.run(),
            SearchSubcommand::Agar(task) => task.run(),
            SearchSubcommand::Fill(task) => task.run(),
            SearchSubcommand::Run(task) => task.run(),
            SearchSubcommand::Verify(task) => task.run(),
        }
    }
}

/// Engines as they are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum EngineArgument {
    /// what suits the question, or several at once
    #[default]
    Auto,
    /// as a formula, which a SAT solver solves
    Sat,
    /// cell by cell, with what follows from each
    Cells,
}

/// The order in which the engine `cells` goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OrderArgument {
    /// along the shorter side
    #[default]
    Auto,
    /// row by row
    Row,
    /// column by column
    Column,
    /// diagonal by diagonal
    Diagonal,
}

/// What a cell is guessed to be first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum GuessArgument {
    /// dead
    Dead,
    /// live
    #[default]
    Live,
    /// by the seed
    Random,
}

/// The options of every search.
#[derive(Debug, Args)]
struct SearchOptions {
    /// The rule, B3/S23 without it: any that looks one cell far and asks which neighbours are
    /// live
    #[arg(short, long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,

    /// Find all, each once: images and later generations are not told again
    #[arg(long)]
    all: bool,

    /// End after this number of patterns
    #[arg(long, value_name = "K")]
    limit: Option<NonZero<u64>>,

    /// The engine
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    engine: EngineArgument,

    /// The order in which the engine cells goes
    #[arg(long, value_name = "ORDER", default_value = "auto")]
    order: OrderArgument,

    /// What the engine cells guesses first
    #[arg(long, value_name = "STATE", default_value = "live")]
    guess: GuessArgument,

    /// The seed of random guesses
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many engines run at once where several suit: 1 makes the order of finds repeatable. A
    /// search with --width runs on so many threads, all without this, and finds the same
    #[arg(long, value_name = "T")]
    threads: Option<NonZero<usize>>,

    /// Stop after this number of seconds, such as 10 or 10s
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| seconds(text.trim_end_matches('s')))]
    time: Option<Duration>,

    /// Stop when the search holds more memory than this
    #[arg(long, value_name = "SIZE", default_value = "4G")]
    memory: MemoryArgument,

    /// Save the search here when it is stopped, and while it runs
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Save a search that runs so often
    #[arg(long, value_name = "SECONDS", default_value = "10", requires = "save", value_parser = |text: &str| seconds(text.trim_end_matches('s')))]
    save_every: Duration,

    /// Go on with a saved search of the same question
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Write a proof in DRAT here if there is none, and the formula that it is of beside it, with
    /// the ending .cnf
    #[arg(long, value_name = "FILE.drat", conflicts_with_all = ["save", "resume"])]
    proof: Option<PathBuf>,

    /// Cut the search at so many cells of the first generation into cubes, and say how many
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(..=16), conflicts_with = "proof")]
    cubes: Option<u32>,

    /// Of the cubes search every N-th, from the one with the number K on: 0/8, 1/8 to 7/8 are all
    #[arg(long, value_name = "K/N", requires = "cubes")]
    cube: Option<CubeArgument>,

    /// Write what is tried just now to standard error, once a second
    #[arg(long)]
    show_partial: bool,

    /// Print one JSON object a pattern
    #[arg(long)]
    json: bool,
}

/// The options of a search in a box.
#[derive(Debug, Args)]
struct BoxOptions {
    /// At least so many live cells, in every generation
    #[arg(long, value_name = "K")]
    min_cells: Option<u32>,

    /// At most so many live cells, in the generation that has fewest
    #[arg(long, value_name = "K")]
    max_cells: Option<u32>,

    /// Leave out cells so far from the diagonal that falls to the right, and further
    #[arg(long, value_name = "D")]
    diagonal_width: Option<u32>,
}

impl BoxOptions {
    /// What else is asked, in words.
    fn bounds(&self) -> String {
        let band = self
            .diagonal_width
            .map(|width| format!(", within {width} of the diagonal"));
        cell_bounds(self.min_cells, self.max_cells) + &band.unwrap_or_default()
    }

    fn question(
        &self,
        rule: Rule,
        period: u32,
        (width, height): (u32, u32),
        symmetry: BoxSymmetry,
    ) -> PeriodicQuestion {
        PeriodicQuestion {
            symmetry,
            population: PopulationLimits {
                least: self.min_cells,
                most: self.max_cells,
            },
            diagonal_width: self.diagonal_width,
            up_to_symmetry: true,
            ..PeriodicQuestion::new(rule, period, width, height)
        }
    }
}

/// Bounds of the population, in words.
fn cell_bounds(least: Option<u32>, most: Option<u32>) -> String {
    let least = least.map(|least| format!(", {least} cells or more"));
    let most = most.map(|most| format!(", {most} cells or fewer"));
    [least, most].into_iter().flatten().collect()
}

/// A transformation as it is given: `Id`, `R90`, … `F/`.
fn transform(text: &str) -> Result<Symmetry, String> {
    let is_named = |&symmetry: &Symmetry| transform_name(symmetry).eq_ignore_ascii_case(text);
    let found = Symmetry::ALL.into_iter().find(is_named);
    found.ok_or_else(|| "expected Id, R90, R180, R270, F|, F-, F\\ or F/".to_owned())
}

/// The failure of a search that did not come to its end: the user or a limit stopped it.
fn stopped(interrupts: &InterruptGuard, message: impl fmt::Display) -> CliFailure {
    match interrupts.asked_to_stop() {
        true => CliFailure::interrupted(message),
        false => CliFailure::limit(message),
    }
}

/// The sides of a box.
fn sides(size: SizeArgument) -> Result<(u32, u32), CliFailure> {
    let side = |side: u64| u32::try_from(side).ok();
    side(size.width)
        .zip(side(size.height))
        .ok_or_else(|| CliFailure::wrong("--size: the box is too large"))
}

fn refused(error: QuestionError) -> CliFailure {
    CliFailure::wrong(error)
}

/// The symmetry of a search in a box.
#[derive(Debug, Args)]
struct SymmetryOption {
    /// The symmetry of the pattern: C1, C2, C4, D2|, D2-, D2\, D2/, D4+, D4X or D8. Whether an
    /// axis runs through cells or between them follows from the box: odd sides have a middle cell
    #[arg(long, value_name = "S", default_value = "C1")]
    symmetry: BoxSymmetry,
}

/// What a search is for, in words.
struct SearchWords {
    /// One word for JSON: `oscillator`.
    kind: &'static str,
    /// What is asked, to be written into patterns and saved searches.
    question: String,
    /// What is said when there is none: "no oscillator of period 3 lies in …".
    none: String,
    /// Columns and rows of the box.
    size: (u32, u32),
    /// The rule that the patterns are written with.
    rule: Rule,
    /// Whether it matters where the cells lie.
    keeps_place: bool,
}

impl SearchOptions {
    fn given_rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    fn rule(&self) -> Result<Rule, CliFailure> {
        let text = self.given_rule().unwrap_or(DEFAULT_RULE);
        input::parse_rule(text, "--rule", &self.folder)
    }

    /// The rule given, else the pattern's.
    fn rule_of(&self, source: &Source) -> Result<Rule, CliFailure> {
        match self.given_rule() {
            Some(text) => input::parse_rule(text, "--rule", &self.folder),
            None => {
                let files = self.folder.before(RuleFiles::of(source))?;
                Ok(files.read(source.rule_text(), source.label())?)
            }
        }
    }

    /// Whether the patterns found are listed, and how many.
    fn patterns(&self) -> u64 {
        match self.limit {
            Some(limit) => limit.get(),
            None if self.all => u64::MAX,
            None => 1,
        }
    }

    fn cell_options(&self) -> CellSearchOptions {
        CellSearchOptions {
            order: match self.order {
                OrderArgument::Auto => CellOrder::Auto,
                OrderArgument::Row => CellOrder::Row,
                OrderArgument::Column => CellOrder::Column,
                OrderArgument::Diagonal => CellOrder::Diagonal,
            },
            guess: match self.guess {
                GuessArgument::Dead => CellGuess::Dead,
                GuessArgument::Live => CellGuess::Live,
                GuessArgument::Random => CellGuess::Random,
            },
            seed: self.seed,
        }
    }

    /// The engines.
    fn engines(&self) -> Vec<SearchEngine> {
        match self.engine {
            EngineArgument::Sat => vec![SearchEngine::Sat],
            EngineArgument::Cells => vec![SearchEngine::Cells],
            // measured on the boxes of the tests, cells is the quicker one nearly everywhere; sat is
            // at its best where little follows from a guess
            EngineArgument::Auto => {
                let threads = self.threads.map_or(2, NonZero::get);
                let both = [SearchEngine::Cells, SearchEngine::Sat];
                both.into_iter().take(threads).collect()
            }
        }
    }

    /// Refuses what only a search can do that goes from one pattern to the next.
    fn refuse_for(&self, task: &str) -> Result<(), CliFailure> {
        let options = [
            ("--cubes", self.cubes.is_some()),
            ("--proof", self.proof.is_some()),
            ("--save", self.save.is_some()),
            ("--resume", self.resume.is_some()),
        ];
        match options.into_iter().find(|&(_, is_given)| is_given) {
            None => Ok(()),
            Some((option, _)) => {
                let message = format!("{option}: {task} goes without it");
                Err(CliFailure::wrong(message))
            }
        }
    }

    /// Searches for patterns that repeat.
    fn search_periodic(
        &self,
        questions: Vec<PeriodicQuestion>,
        words: &SearchWords,
    ) -> Result<(), CliFailure> {
        // a proof is to be of the question itself, and not of one in which images are left out
        let questions = questions.into_iter().map(|question| PeriodicQuestion {
            up_to_symmetry: question.up_to_symmetry && self.proof.is_none(),
            ..question
        });
        let cases: Result<Vec<_>, _> = questions.map(PeriodicCase::new).collect();
        let cases = cases.map_err(refused)?;
        let boxed = || {
            let case = |case: &PeriodicCase| Box::new(case.clone()) as Box<dyn SearchCase>;
            cases.iter().map(case).collect::<Vec<_>>()
        };
        self.search(&boxed, words)
    }

    /// Searches, tells what is found, and says how it ended.
    fn search(
        &self,
        cases: &(dyn Fn() -> Vec<Box<dyn SearchCase>> + Sync),
        words: &SearchWords,
    ) -> Result<(), CliFailure> {
        if let Some(depth) = self.cubes {
            return self.search_cubes(depth, cases, words);
        }
        self.search_all(cases, words)
    }

    /// Searches all cases, whatever they were cut from.
    fn search_all(
        &self,
        cases: &(dyn Fn() -> Vec<Box<dyn SearchCase>> + Sync),
        words: &SearchWords,
    ) -> Result<(), CliFailure> {
        for path in self.save.iter().chain(&self.proof) {
            output::check_place(path)?;
        }
        if let Some(path) = &self.proof {
            return proof::search(self, path, cases(), words);
        }
        let digest = match (&self.save, &self.resume) {
            (None, None) => 0,
            _ => cases()
                .iter()
                .fold(0, |all, case| mix(all ^ case.problem().digest())),
        };
        let resume = match &self.resume {
            Some(path) => {
                let saved = SavedSearch::read(path)?;
                Some(saved.of_question(path, &words.question, digest)?)
            }
            None => None,
        };
        let settings = SearchRaceSettings {
            engines: self.engines(),
            options: self.cell_options(),
            resume,
            patterns: self.patterns(),
            save_pace: self.save.as_ref().map(|_| self.save_every),
        };
        if settings
            .resume
            .as_ref()
            .is_some_and(|run| run.state.is_none())
        {
            note("the engine sat begins anew with what it had found, and keeps nothing else");
        }
        let begun = Instant::now();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut watch = SearchDisplay::new(self, begun);
        let mut found = 0;
        let mut failure = None;
        let end = race(cases, &settings, &mut |event| {
            match event {
                Some(SearchRaceEvent::Found { pattern, .. }) => {
                    lines.clear();
                    let seconds = begun.elapsed().as_secs_f64();
                    failure = self.tell(&pattern, words, seconds).err().or(failure.take());
                    found += 1;
                }
                Some(SearchRaceEvent::Progress {
                    engine,
                    progress,
                    partial,
                }) => {
                    watch.progress(&mut lines, engine, &progress, &partial);
                }
                Some(SearchRaceEvent::Saved(run)) => {
                    if let Some(path) = &self.save {
                        let saved =
                            SavedSearch::new(words.question.clone(), digest, run).write(path);
                        failure = saved.err().or(failure.take());
                    }
                }
                None => {}
            }
            !interrupts.asked_to_stop() && failure.is_none() && watch.has_room()
        });
        lines.clear();
        if let Some(failure) = failure {
            return Err(failure);
        }
        let end = end.map_err(|error| match error {
            SearchRaceError::Saved(error) => {
                let path = self.resume.as_deref().unwrap_or(Path::new(""));
                CliFailure::wrong(format_args!("{}: {error}", path.display()))
            }
            error => CliFailure::wrong(error),
        })?;
        match end {
            SearchRaceEnd::Enough(_) => Ok(()),
            SearchRaceEnd::Exhausted(engine) if found == 0 => Err(CliFailure::No {
                message: format!(
                    "{}; the engine {engine} has gone through all of it",
                    words.none
                ),
                hint: None,
            }),
            SearchRaceEnd::Exhausted(_) => {
                if self.all {
                    note(format_args!("these are all: {found}"));
                }
                Ok(())
            }
            SearchRaceEnd::Stopped(run) => {
                if let Some(path) = &self.save {
                    SavedSearch::new(words.question.clone(), digest, run).write(path)?;
                }
                let message = watch.ended(self.save.as_deref());
                Err(stopped(&interrupts, message))
            }
        }
    }

    /// The first pattern, or `None` where there is none.
    fn first(
        &self,
        case: &(impl SearchCase + Clone + Sync + 'static),
    ) -> Result<Option<FoundPattern>, CliFailure> {
        let settings = SearchRaceSettings {
            engines: self.engines(),
            options: self.cell_options(),
            resume: None,
            patterns: 1,
            save_pace: None,
        };
        let begun = Instant::now();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut watch = SearchDisplay::new(self, begun);
        let mut found = None;
        let cases = || vec![Box::new(case.clone()) as Box<dyn SearchCase>];
        let end = race(&cases, &settings, &mut |event| {
            match event {
                Some(SearchRaceEvent::Found { pattern, .. }) => found = Some(*pattern),
                Some(SearchRaceEvent::Progress {
                    engine,
                    progress,
                    partial,
                }) => {
                    watch.progress(&mut lines, engine, &progress, &partial);
                }
                Some(SearchRaceEvent::Saved(_)) | None => {}
            }
            !interrupts.asked_to_stop() && watch.has_room()
        });
        lines.clear();
        match end.map_err(CliFailure::wrong)? {
            SearchRaceEnd::Stopped(_) if interrupts.asked_to_stop() => {
                Err(CliFailure::interrupted(watch.reason()))
            }
            SearchRaceEnd::Stopped(_) => Err(CliFailure::limit(watch.reason())),
            _ => Ok(found),
        }
    }

    /// Prints a pattern.
    fn tell(
        &self,
        found: &FoundPattern,
        words: &SearchWords,
        seconds: f64,
    ) -> Result<(), CliFailure> {
        let name = found.apgcode.as_deref().and_then(census::object_name);
        let named = match (&found.apgcode, name) {
            (Some(code), Some(name)) => Some(format!("{code}: {name}")),
            (Some(code), None) => Some(format!("{code}: no pattern of that code is in our list")),
            (None, _) => None,
        };
        let corner = if words.keeps_place {
            (0, 0)
        } else {
            (found.cells.x, found.cells.y)
        };
        let mut pattern = Pattern {
            cells: found.pattern().translated(-corner.0, -corner.1),
            rule: Some(words.rule.to_string()),
            comments: [words.question.clone()].into_iter().chain(named).collect(),
            ..Pattern::default()
        };
        if self.json {
            pattern.comments.clear();
        }
        let mut text = Vec::new();
        pattern::write(&pattern, Format::Rle, &mut text).map_err(CliFailure::wrong)?;
        let text = String::from_utf8_lossy(&text);
        if self.json {
            return output::line(json!({
                "kind": words.kind,
                "rle": text,
                "apgcode": found.apgcode,
                "name": name,
                "rule": words.rule.to_string(),
                "period": found.period,
                "dx": found.dx,
                "dy": found.dy,
                "population": found.population,
                "box": [words.size.0, words.size.1],
                "seconds": seconds,
            }));
        }
        output::to_stdout(|out| out.write_all(text.as_bytes()))
    }
}

/// What is shown while a search runs, and why it is to end.
struct SearchDisplay {
    begun: Instant,
    time: Option<Duration>,
    memory: u64,
    show_partial: bool,
    /// Bytes that the engines hold, as they said last.
    bytes: [u64; 2],
    next_line: Instant,
}

impl SearchDisplay {
    const PACE: Duration = Duration::from_secs(1);

    fn new(options: &SearchOptions, begun: Instant) -> Self {
        Self {
            begun,
            time: options.time,
            memory: options.memory.0,
            show_partial: options.show_partial,
            bytes: [0; 2],
            next_line: begun + Self::PACE,
        }
    }

    fn is_late(&self) -> bool {
        self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn has_room(&self) -> bool {
        !self.is_late() && self.bytes.iter().sum::<u64>() <= self.memory
    }

    fn reason(&self) -> String {
        match (self.is_late(), self.has_room()) {
            (true, _) => "stopped by --time".to_owned(),
            (_, false) => format!("stopped by --memory {}", MemoryArgument(self.memory)),
            _ => "stopped".to_owned(),
        }
    }

    /// What is said of the end.
    fn ended(&self, save: Option<&Path>) -> String {
        let where_to = match save {
            Some(path) => format!("saved in {}: --resume goes on", path.display()),
            None => "nothing is proven".to_owned(),
        };
        let seconds = self.begun.elapsed().as_secs_f64();
        format!("{} after {seconds:.1} s; {where_to}", self.reason())
    }

    fn progress(
        &mut self,
        lines: &mut LiveTerminalLines,
        engine: SearchEngine,
        progress: &SearchProgress,
        partial: &str,
    ) {
        self.bytes[engine as usize] = progress.bytes;
        let name = engine.to_string();
        self.show(lines, &name, progress, &|| partial.to_owned());
    }

    fn show(
        &mut self,
        lines: &mut LiveTerminalLines,
        engine: &str,
        progress: &SearchProgress,
        partial: &dyn Fn() -> String,
    ) {
        let now = Instant::now();
        if now < self.next_line {
            return;
        }
        let elapsed = self.begun.elapsed().as_secs_f64();
        let share = progress
            .share
            .map(|share| format!(", {:.1} % of the tree", 100.0 * share));
        let line = format!(
            "{engine}: {} nodes ({:.0} a second), depth {}{}, {elapsed:.0} s, {} MiB; Ctrl-C stops",
            progress.nodes,
            progress.nodes as f64 / elapsed.max(0.001),
            progress.depth,
            share.unwrap_or_default(),
            progress.bytes >> 20,
        );
        if Term::stderr().features().is_attended() {
            self.next_line = now + Self::PACE / 4;
            lines.show(|_| format!("{}\n{line}", partial()));
            return;
        }
        self.next_line = now + Self::PACE;
        // where nobody can be told any more, nobody needs it
        let mut err = io::stderr().lock();
        if self.show_partial {
            let _ = writeln!(err, "{}", partial());
        }
        let _ = writeln!(err, "{line}");
    }
}

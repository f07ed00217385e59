//! One workload run by everybody who can, in turn: ours, theirs, ours, theirs.

use super::apgsearch::ApgsearchSource;
use super::golly::{self, GollyProgram};
use super::lifelib::{self, LifelibPackage};
use super::machine;
use super::measurement::{self, CoreAffinity, ProcessMeasurement, TIMES, median};
use super::record::{FigureUnit, WorkloadFigures};
use super::workload::{
    self, PeerWorkload, ThreadedTask, WorkloadRuleFiles, WorkloadStart, WorkloadTask,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

/// What it takes to run workloads.
pub(super) struct PeerEnvironment {
    /// Our program, and the one that steps a large torus in vectors of any width.
    pub(super) ours: PathBuf,
    pub(super) instructions: Option<PathBuf>,
    /// Another build of our program, which runs each of its commands too.
    pub(super) before: Option<PathBuf>,
    pub(super) golly: Option<GollyProgram>,
    pub(super) lifelib: Option<LifelibPackage>,
    pub(super) apgsearch: Option<ApgsearchSource>,
    /// Patterns and rules that are not ours, if they are there.
    pub(super) data: Option<PathBuf>,
    /// Where soups, and files that others need in another form, are written.
    pub(super) folder: PathBuf,
}

/// Why a workload has no figures.
pub(super) enum WorkloadError {
    /// Something that it needs is not here.
    Skipped(String),
    /// It does not do what it should.
    Failed(String),
}

impl From<String> for WorkloadError {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// The root of the soups that are counted.
const CENSUS_ROOT: &str = "census_seed_a";

/// A census by its processor time and its memory, whatever it has counted.
fn counted_alone(command: &Command, cores: CoreAffinity) -> Result<ContestantResult, String> {
    let run = measurement::run(command, cores)?;
    Ok(ContestantResult {
        peak: Some(run.peak),
        ..ContestantResult::figure(run.processor)
    })
}

/// What one turn of a contestant came to.
struct ContestantResult {
    figure: f64,
    peak: Option<f64>,
    population: Option<String>,
}

impl ContestantResult {
    fn figure(figure: f64) -> Self {
        Self {
            figure,
            peak: None,
            population: None,
        }
    }

    fn stepping(seconds: f64, population: String) -> Self {
        Self {
            population: Some(population),
            ..Self::figure(seconds)
        }
    }

    /// A whole run, by its processor time.
    fn whole(run: &ProcessMeasurement, population: String) -> Self {
        Self {
            figure: run.processor,
            peak: Some(run.peak),
            population: Some(population),
        }
    }
}

/// Runs a command and makes a turn of it.
type ContestantRunner<'a> = Rc<dyn Fn(&Command) -> Result<ContestantResult, String> + 'a>;

/// Who takes turns: a name, the command, and how its run is judged.
struct Contestant<'a> {
    name: String,
    command: Command,
    judge: ContestantRunner<'a>,
}

impl<'a> Contestant<'a> {
    fn new(
        name: &'static str,
        command: Command,
        judge: impl Fn(&Command) -> Result<ContestantResult, String> + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            command,
            judge: Rc::new(judge),
        }
    }

    /// The same contest for another build of the program.
    fn with_program(&self, program: &Path) -> Self {
        let mut command = Command::new(program);
        command.args(self.command.get_args());
        Self {
            name: before(&self.name),
            command,
            judge: Rc::clone(&self.judge),
        }
    }
}

/// The name of a figure that another build of our program makes.
pub(super) fn before(name: &str) -> String {
    format!("{name} before")
}

/// Two programs that count differently have not run the same world.
fn agree(one: (&str, &str), other: (&str, &str)) -> Result<(), String> {
    match one.1 == other.1 {
        true => Ok(()),
        false => Err(format!(
            "{} cells from {}, {} from {}",
            one.1, one.0, other.1, other.0
        )),
    }
}

impl PeerEnvironment {
    /// Runs a workload.
    pub(super) fn run(&self, workload: &PeerWorkload) -> Result<WorkloadFigures, WorkloadError> {
        match workload.task {
            WorkloadTask::Leap {
                file,
                generations,
                algorithm,
                lifelib,
            } => self.leap(file, generations, algorithm, lifelib),
            WorkloadTask::Capped { file, generations } => self.capped(file, generations),
            WorkloadTask::Plane { start, generations } => self.plane(start, generations),
            WorkloadTask::Torus { .. } => self.torus(workload),
            WorkloadTask::Narrow { side, bits } => self.narrow(side, bits),
            WorkloadTask::Edges { edges, side } => self.edges(edges, side),
            WorkloadTask::Threads(shared) => self.threads(shared),
            WorkloadTask::Load { file } => self.load(file),
            WorkloadTask::Steps {
                file,
                generations,
                even,
                odd,
            } => self.steps(file, generations, even, odd),
            WorkloadTask::Census { rule, soups, equal } => self.census(rule, soups, equal),
            WorkloadTask::CensusExact { soups } => self.census_exact(soups),
            WorkloadTask::CensusAlone { rule, soups } => self.census_alone(rule, soups),
            WorkloadTask::CensusThreads { soups } => self.census_threads(soups),
        }
    }

    /// Lets all of them run in turn, and takes the medians.
    fn in_turn(
        &self,
        unit: FigureUnit,
        mut contestants: Vec<Contestant<'_>>,
    ) -> Result<WorkloadFigures, WorkloadError> {
        if let Some(program) = &self.before {
            let ours = contestants
                .iter()
                .filter(|c| c.command.get_program() == self.ours);
            let before: Vec<_> = ours.map(|c| c.with_program(program)).collect();
            contestants.extend(before);
        }
        let mut line = WorkloadFigures::new(unit);
        let mut figures: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut peaks: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut population: Option<(&str, String)> = None;
        for _ in 0..TIMES {
            for contestant in &contestants {
                let name = contestant.name.as_str();
                let turn = (contestant.judge)(&contestant.command)?;
                figures.entry(name).or_default().push(turn.figure);
                if let Some(peak) = turn.peak.filter(|&peak| peak > 0.0) {
                    peaks.entry(name).or_default().push(peak);
                }
                let Some(told) = turn.population else {
                    continue;
                };
                match &population {
                    Some((other, known)) => agree((name, &told), (other, known))?,
                    None => population = Some((name, told)),
                }
            }
        }
        for contestant in &contestants {
            let command = measurement::shown(&contestant.command);
            line.commands.insert(contestant.name.clone(), command);
        }
        for (name, figures) in figures {
            line.figures.insert(name.into(), median(figures));
        }
        for (name, peaks) in peaks {
            line.figures.insert(format!("{name} peak"), median(peaks));
        }
        line.population = population.map(|(_, population)| population);
        Ok(line)
    }

    fn leap(
        &self,
        file: &str,
        n: u64,
        algorithm: &'static str,
        with_lifelib: bool,
    ) -> Result<WorkloadFigures, WorkloadError> {
        let file = self.pattern(file)?;
        let rules = self.rules(WorkloadRuleFiles::Data)?;
        let rules = rules.as_deref();
        let ours = self.command("hashlife", &file, n, &[], rules);
        let mut contestants = vec![Contestant::new("ours", ours, whole)];
        if let Some(golly) = &self.golly {
            let command = golly.command(algorithm, rules, &file, n, None);
            contestants.push(Contestant::new("bgolly", command, |command| {
                let run = measurement::run(command, CoreAffinity::One)?;
                Ok(ContestantResult::whole(
                    &run,
                    golly::last_population(&run.said)?,
                ))
            }));
        }
        if let Some(lifelib) = self.lifelib.as_ref().filter(|_| with_lifelib) {
            let mut command = Command::new(lifelib.life()?);
            command.arg("hash").arg(self.unpacked(&file)?);
            command.args([&n.to_string(), "8000"]);
            contestants.push(Contestant::new("lifelib", command, |command| {
                let run = measurement::run(command, CoreAffinity::One)?;
                Ok(ContestantResult::whole(
                    &run,
                    lifelib::told(&run.said)?.population,
                ))
            }));
        }
        self.in_turn(FigureUnit::Seconds, contestants)
    }

    fn capped(&self, file: &str, n: u64) -> Result<WorkloadFigures, WorkloadError> {
        let file = self.pattern(file)?;
        let free = self.command("hashlife", &file, n, &[], None);
        let peak = measurement::run(&free, CoreAffinity::One)?.peak;
        if peak == 0.0 {
            let why = "the system does not tell what memory is taken";
            return Err(WorkloadError::Skipped(why.into()));
        }
        let cap = (peak / 4.0) as u64;
        let capped = self.command("hashlife", &file, n, &["--memory", &cap.to_string()], None);
        let contestants = [("ours", free), ("capped", capped)];
        let contestants = contestants.map(|(name, command)| Contestant::new(name, command, whole));
        let mut line = self.in_turn(FigureUnit::Seconds, contestants.into())?;
        line.figures.insert("cap".into(), cap as f64);
        Ok(line)
    }

    fn plane(&self, start: WorkloadStart, n: u64) -> Result<WorkloadFigures, WorkloadError> {
        let file = match start {
            WorkloadStart::File(file) => self.pattern(file)?,
            WorkloadStart::Soup(side) => self.soup("B3/S23", (side, side), 2)?,
        };
        let ours = self.command("tiles", &file, n, &[], None);
        let mut contestants = vec![Contestant::new("ours", ours, |command| {
            let told = undisturbed(command)?;
            Ok(ContestantResult::stepping(told.seconds, told.population))
        })];
        let file = &file;
        if let Some(golly) = &self.golly {
            let theirs = move |n| golly.command("QuickLife", None, file, n, Some(n.max(1)));
            contestants.push(Contestant::new("bgolly", theirs(n), move |_| {
                Ok(ContestantResult::stepping(
                    golly.seconds(theirs, n)?,
                    golly::population(&theirs(n))?,
                ))
            }));
        }
        if let Some(lifelib) = &self.lifelib {
            let mut command = Command::new(lifelib.life()?);
            command.arg("plane").arg(file).arg(n.to_string());
            contestants.push(Contestant::new("lifelib", command, |command| {
                let told = lifelib::told(&measurement::run(command, CoreAffinity::One)?.said)?;
                Ok(ContestantResult::stepping(told.advance, told.population))
            }));
        }
        self.in_turn(FigureUnit::Seconds, contestants)
    }

    fn torus(&self, workload: &PeerWorkload) -> Result<WorkloadFigures, WorkloadError> {
        let WorkloadTask::Torus {
            rule,
            side,
            states,
            rules,
            rests,
            golly,
            lifelib,
        } = workload.task
        else {
            return Err(WorkloadError::Failed("this is no torus".into()));
        };
        let rules = self.rules(rules)?;
        let rules = rules.as_deref();
        let cells = (side * side) as f64;
        let soup = self.soup(&on_torus(rule, side), (side, side), states)?;
        let soup = &soup;
        let command = |n: u64| self.command("torus", soup, n, SHORT, rules);
        let n = match golly.filter(|_| rests) {
            Some(entry) => entry.generations,
            None => enough(command)?,
        };
        if told(&measurement::run(&command(n), CoreAffinity::One)?.said)?.population == "0" {
            let why = format!("nothing is left after {n} generations");
            return Err(WorkloadError::Failed(why));
        }
        let mut contestants = vec![rate("ours", command(n), cells * n as f64)];
        if let (Some(program), Some(entry)) = (&self.golly, golly) {
            let n = entry.generations;
            let theirs = |n| program.command(entry.algorithm, rules, soup, n, Some(n.max(1)));
            let mine = told(&measurement::run(&command(n), CoreAffinity::One)?.said)?.population;
            agree(("ours", &mine), ("bgolly", &golly::population(&theirs(n))?))?;
            // What hashes goes in steps of one on a grid with edges; on the plane it may leap,
            // and is quickest so.
            let leaps = matches!(entry.algorithm, "Generations" | "RuleLoader");
            let soup = match leaps {
                true => &self.soup(rule, (side, side), states)?,
                false => soup,
            };
            let soup = soup.clone();
            let theirs = move |n: u64| {
                let step = if leaps { LEAP } else { n.max(1) };
                program.command(entry.algorithm, rules, &soup, n, Some(step))
            };
            contestants.push(Contestant::new("bgolly", theirs(n), move |_| {
                Ok(ContestantResult::figure(
                    cells * n as f64 / program.seconds(&theirs, n)?,
                ))
            }));
        }
        if let (Some(library), Some(entry)) = (&self.lifelib, lifelib) {
            contestants.push(self.lifelib_torus(library, entry, rule, side)?);
        }
        self.in_turn(FigureUnit::Cells, contestants)
    }

    /// lifelib's tiles cover some sides only, so it may run a torus that is a little smaller;
    /// whether we agree is seen on that one too.
    fn lifelib_torus<'a>(
        &self,
        library: &LifelibPackage,
        entry: workload::LifelibWorkload,
        rule: &str,
        side: u64,
    ) -> Result<Contestant<'a>, WorkloadError> {
        let driver = match entry.rule {
            Some((rule, planes)) => library.rule(rule, planes)?,
            None => library.life()?,
        };
        let (width, height) = lifelib::sides(&driver, side)?;
        let n = entry.generations;
        let soup = self.soup(&format!("{rule}:T{width},{height}"), (width, height), 2)?;
        let mut command = Command::new(driver);
        command.arg("torus").arg(&soup);
        command.args([n, width, height].map(|number| number.to_string()));
        let ours = self.command("torus", &soup, n, &[], None);
        let ours = told(&measurement::run(&ours, CoreAffinity::One)?.said)?.population;
        let theirs =
            lifelib::told(&measurement::run(&command, CoreAffinity::One)?.said)?.population;
        agree(("ours", &ours), ("lifelib", &theirs))?;
        let cells = (width * height * n) as f64;
        Ok(Contestant::new("lifelib", command, move |command| {
            let told = lifelib::told(&measurement::run(command, CoreAffinity::One)?.said)?;
            Ok(ContestantResult::figure(cells / told.advance))
        }))
    }

    fn narrow(&self, side: u64, bits: u32) -> Result<WorkloadFigures, WorkloadError> {
        let missing = match bits {
            512 => !machine::has("avx512f"),
            256 => !machine::has("avx2"),
            _ => false,
        };
        if missing {
            return Err(WorkloadError::Skipped(
                "this processor has no such vectors".into(),
            ));
        }
        let program = self
            .instructions
            .as_ref()
            .ok_or_else(|| "it was not built".to_string())?;
        let command = |n: u64| {
            let mut command = Command::new(program);
            let numbers = [side, n, bits.into()].map(|number| number.to_string());
            command.arg("torus").args(numbers);
            command
        };
        let n = enough(command)?;
        let cells = (side * side * n) as f64;
        self.in_turn(FigureUnit::Cells, vec![rate("ours", command(n), cells)])
    }

    fn edges(&self, edges: &str, side: u64) -> Result<WorkloadFigures, WorkloadError> {
        let mut contestants = Vec::new();
        for (name, edges) in [("ours", edges), ("plain", &format!("T{side},{side}"))] {
            let soup = self.soup(&format!("B3/S23:{edges}"), (side, side), 2)?;
            let command = |n: u64| self.command("torus", &soup, n, SHORT, None);
            let n = enough(command)?;
            contestants.push(rate(name, command(n), (side * side * n) as f64));
        }
        self.in_turn(FigureUnit::Cells, contestants)
    }

    fn threads(&self, shared: ThreadedTask) -> Result<WorkloadFigures, WorkloadError> {
        if measurement::cores() < 2 {
            return Err(WorkloadError::Skipped("there is one core only".into()));
        }
        let (engine, file, n) = match shared {
            ThreadedTask::Leap { file, generations } => {
                ("hashlife", self.pattern(file)?, generations)
            }
            ThreadedTask::Plane { side, generations } => {
                ("tiles", self.soup("B3/S23", (side, side), 2)?, generations)
            }
            ThreadedTask::Torus { rule, side, states } => {
                let soup = self.soup(&on_torus(rule, side), (side, side), states)?;
                let n = enough(|n| self.command("torus", &soup, n, SHORT, None))?;
                ("torus", soup, n)
            }
        };
        let contestants = [("one thread", "1"), ("two threads", "2")].map(|(name, threads)| {
            let mut more = vec!["--threads", threads];
            if engine == "torus" {
                more.extend(SHORT);
            }
            let command = self.command(engine, &file, n, &more, None);
            Contestant::new(name, command, |command| {
                let told = told(&measurement::run(command, CoreAffinity::All)?.said)?;
                Ok(ContestantResult::stepping(told.seconds, told.population))
            })
        });
        self.in_turn(FigureUnit::Seconds, contestants.into())
    }

    fn load(&self, file: &str) -> Result<WorkloadFigures, WorkloadError> {
        let file = self.pattern(file)?;
        let ours = self.command("hashlife", &file, 0, &[], None);
        self.in_turn(
            FigureUnit::Seconds,
            vec![Contestant::new("ours", ours, whole)],
        )
    }

    fn steps(
        &self,
        file: &str,
        n: u64,
        even: u64,
        odd: u64,
    ) -> Result<WorkloadFigures, WorkloadError> {
        let file = self.pattern(file)?;
        let contestants = [("ours", even), ("odd", odd)].map(|(name, every)| {
            let every = every.to_string();
            let command = self.command("hashlife", &file, n, &["--every", &every], None);
            Contestant::new(name, command, whole)
        });
        self.in_turn(FigureUnit::Seconds, contestants.into())
    }

    fn census(
        &self,
        rule: &str,
        soups: u64,
        equal: bool,
    ) -> Result<WorkloadFigures, WorkloadError> {
        let ours = self.census_command(rule, soups, "apgsearch", 1);
        let counted = move |run: &ProcessMeasurement, objects: String| ContestantResult {
            population: equal.then_some(objects),
            peak: Some(run.peak),
            ..ContestantResult::figure(run.processor)
        };
        let mut contestants = vec![Contestant::new("ours", ours, move |command| {
            let run = measurement::run(command, CoreAffinity::One)?;
            let said: Value = serde_json::from_str(&run.said).map_err(|e| e.to_string())?;
            Ok(counted(&run, said["objects"].to_string()))
        })];
        if let Some(source) = &self.apgsearch {
            let program = source.build(rule)?;
            let command = program.command(CENSUS_ROOT, soups);
            contestants.push(Contestant::new("apgluxe", command, move |command| {
                let run = measurement::run(command, CoreAffinity::One)?;
                Ok(counted(&run, program.objects()?))
            }));
        }
        self.in_turn(FigureUnit::Seconds, contestants)
    }

    /// Our program, counting.
    fn census_command(&self, rule: &str, soups: u64, settling: &str, threads: u32) -> Command {
        let mut command = Command::new(&self.ours);
        command.args(["census", "run", "--rule", rule, "--seed", CENSUS_ROOT]);
        command.args(["--soups", &soups.to_string(), "--settle", settling]);
        command.args(["--threads", &threads.to_string(), "--json"]);
        command
    }

    fn census_exact(&self, soups: u64) -> Result<WorkloadFigures, WorkloadError> {
        let ways = [("ours", "apgsearch"), ("exact", "exact")];
        let contestants = ways.map(|(name, settling)| {
            let command = self.census_command("b3s23", soups, settling, 1);
            Contestant::new(name, command, |command| {
                counted_alone(command, CoreAffinity::One)
            })
        });
        self.in_turn(FigureUnit::Seconds, contestants.into())
    }

    fn census_alone(&self, rule: &str, soups: u64) -> Result<WorkloadFigures, WorkloadError> {
        let contestants = [("ours", soups), ("five times", 5 * soups)].map(|(name, soups)| {
            let command = self.census_command(rule, soups, "exact", 1);
            Contestant::new(name, command, |command| {
                counted_alone(command, CoreAffinity::One)
            })
        });
        self.in_turn(FigureUnit::Seconds, contestants.into())
    }

    fn census_threads(&self, soups: u64) -> Result<WorkloadFigures, WorkloadError> {
        if measurement::cores() < 2 {
            return Err(WorkloadError::Skipped("there is one core only".into()));
        }
        let contestants = [("one thread", 1), ("two threads", 2)].map(|(name, threads)| {
            let command = self.census_command("b3s23", soups, "exact", threads);
            Contestant::new(name, command, |command| {
                let run = measurement::run(command, CoreAffinity::All)?;
                let said: Value = serde_json::from_str(&run.said).map_err(|e| e.to_string())?;
                let seconds = said["seconds"].as_f64().unwrap_or(f64::NAN);
                Ok(ContestantResult::stepping(
                    seconds,
                    said["objects"].to_string(),
                ))
            })
        });
        self.in_turn(FigureUnit::Seconds, contestants.into())
    }

    /// Our program, with this engine.
    fn command(
        &self,
        engine: &str,
        file: &Path,
        generations: u64,
        more: &[&str],
        rules: Option<&Path>,
    ) -> Command {
        let mut command = Command::new(&self.ours);
        command.arg("run").arg(file).args(["--engine", engine]);
        command.args(["--gens", &generations.to_string(), "--json"]);
        command.args(more);
        if let Some(rules) = rules {
            command.arg("--rules").arg(rules);
        }
        command
    }

    /// A pattern of the data folder.
    fn pattern(&self, file: &str) -> Result<PathBuf, WorkloadError> {
        let missing = || WorkloadError::Skipped("GRIDPAPER_DATA names no folder with it".into());
        let data = self.data.as_ref().ok_or_else(missing)?;
        let file = data.join("patterns").join(file);
        file.is_file().then_some(file).ok_or_else(missing)
    }

    /// Where rule files lie, if any are needed.
    fn rules(&self, rules: WorkloadRuleFiles) -> Result<Option<PathBuf>, WorkloadError> {
        match rules {
            WorkloadRuleFiles::None => Ok(None),
            WorkloadRuleFiles::Own => {
                let folder = self.folder.join("rules");
                std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
                std::fs::write(folder.join("WireWorld.rule"), WIRE_WORLD)
                    .map_err(|e| e.to_string())?;
                Ok(Some(folder))
            }
            WorkloadRuleFiles::Data => {
                let missing = || {
                    WorkloadError::Skipped("GRIDPAPER_DATA names no folder with its rule".into())
                };
                let data = self.data.as_ref().ok_or_else(missing)?;
                Ok(Some(data.join("rules")))
            }
        }
    }

    /// A file as it is without gzip, which not everybody reads.
    fn unpacked(&self, file: &Path) -> Result<PathBuf, String> {
        if file.extension().is_none_or(|ending| ending != "gz") {
            return Ok(file.to_path_buf());
        }
        let failed = |error: std::io::Error| format!("{}: {error}", file.display());
        let name = file.file_stem().unwrap_or_default();
        let unpacked = self.folder.join(name);
        let mut packed = flate2::read::GzDecoder::new(std::fs::File::open(file).map_err(failed)?);
        let mut out = std::fs::File::create(&unpacked).map_err(failed)?;
        std::io::copy(&mut packed, &mut out).map_err(failed)?;
        Ok(unpacked)
    }

    /// A half-full soup in a file that names the rule as everybody writes it.
    fn soup(
        &self,
        rule: &str,
        (width, height): (u64, u64),
        states: u16,
    ) -> Result<PathBuf, String> {
        let plain: String = rule
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(40)
            .collect();
        let file = self
            .folder
            .join(format!("soup-{plain}-{width}x{height}.rle"));
        let soup = Command::new(&self.ours)
            .args(["random", &format!("{width}x{height}")])
            .args(["--seed", "1", "--states", &states.to_string()])
            .stderr(Stdio::null())
            .output()
            .map_err(|e| e.to_string())?;
        let text = String::from_utf8(soup.stdout).map_err(|e| e.to_string())?;
        let begin = text.find("x = ").ok_or("a soup has no header")?;
        let cells = text[begin..].find('\n').ok_or("a soup has no cells")? + begin;
        let header = format!("x = {width}, y = {height}, rule = {rule}");
        std::fs::write(&file, header + &text[cells..]).map_err(|e| e.to_string())?;
        Ok(file)
    }
}

/// A whole run of ours.
fn whole(command: &Command) -> Result<ContestantResult, String> {
    let run = measurement::run(command, CoreAffinity::One)?;
    let told = told(&run.said)?;
    Ok(ContestantResult::whole(&run, told.population))
}

/// Ours, by the cells that it steps in a second.
fn rate<'a>(name: &'static str, command: Command, cells: f64) -> Contestant<'a> {
    Contestant::new(name, command, move |command| {
        Ok(ContestantResult::figure(
            cells / undisturbed(command)?.seconds,
        ))
    })
}

/// A torus that is advanced far skips circles once it has settled; what is measured here is
/// stepping, so it is advanced by pieces too short for that.
const SHORT: &[&str] = &["--every", "3000"];

/// The step with which Golly's hashing is quickest on soups, of 1, 4, 10, 20, 50 and 100.
const LEAP: u64 = 4;

fn on_torus(rule: &str, side: u64) -> String {
    format!("{rule}:T{side},{side}")
}

/// What our program tells of a run.
struct GridpaperRunReport {
    population: String,
    /// Of stepping alone.
    seconds: f64,
}

fn told(said: &str) -> Result<GridpaperRunReport, String> {
    // where lines were asked for, the report is the last
    let said = said.lines().last().unwrap_or_default();
    let told: Value = serde_json::from_str(said).map_err(|e| format!("{e} in: {said}"))?;
    Ok(GridpaperRunReport {
        population: told["population"].to_string(),
        seconds: told["seconds"].as_f64().ok_or("the run tells no seconds")?,
    })
}

/// A run whose stepping has the core for itself: our program tells the time of stepping alone,
/// which is its processor time when nothing else ran there. A run that was disturbed is run
/// again, and what is left is taken off in proportion.
fn undisturbed(command: &Command) -> Result<GridpaperRunReport, String> {
    const FEW: usize = 6;
    const ALMOST: f64 = 0.97;
    let mut best: Option<(f64, GridpaperRunReport)> = None;
    for _ in 0..FEW {
        let run = measurement::run(command, CoreAffinity::One)?;
        let share = (run.processor / run.wall).min(1.0);
        let told = told(&run.said)?;
        if best.as_ref().is_none_or(|(known, _)| share > *known) {
            let seconds = told.seconds * share;
            best = Some((share, GridpaperRunReport { seconds, ..told }));
        }
        if share >= ALMOST {
            break;
        }
    }
    let (_, told) = best.ok_or("no run")?;
    Ok(told)
}

/// How many generations it takes until stepping takes long enough to be measured.
fn enough(command: impl Fn(u64) -> Command) -> Result<u64, String> {
    const LONG: f64 = 0.5;
    /// No world that lives is so quick.
    const MOST: u64 = 1 << 24;
    let mut generations = 16;
    loop {
        let said = measurement::run(&command(generations), CoreAffinity::One)?.said;
        let seconds = told(&said)?.seconds;
        if seconds >= 0.8 * LONG || generations >= MOST {
            return Ok(generations);
        }
        // never a leap into the unknown
        let factor = (LONG / seconds.max(1e-6)).clamp(1.2, 32.0);
        generations = (generations as f64 * factor) as u64;
    }
}

/// Wires along which electrons run, for programs that read rules from files.
const WIRE_WORLD: &str = "@RULE WireWorld
@TABLE
# 0 empty, 1 head, 2 tail, 3 wire
n_states:4
neighborhood:Moore
symmetries:permute
var any={0,1,2,3}
var b={any}
var c={any}
var d={any}
var e={any}
var f={any}
var g={any}
var h={any}
var quiet={0,2,3}
var j={quiet}
var k={quiet}
var l={quiet}
var m={quiet}
var n={quiet}
var o={quiet}
1,any,b,c,d,e,f,g,h,2
2,any,b,c,d,e,f,g,h,3
3,1,quiet,j,k,l,m,n,o,1
3,1,1,quiet,j,k,l,m,n,1
";

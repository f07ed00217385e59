//! `gridpaper classroom`: a map of the homework, round by round.

use super::home_screen;
use crate::argument::SizeArgument;
use crate::destination::Destination;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::prompt::ConsolePrompt;
use crate::rule_file::RuleFolder;
use crate::{input, table};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueHint};
use engine::{EngineChoice, Options, World};
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::classroom::{self, Alphabet};
use pattern::library::{self, LibraryPattern};
use pattern::{Bounds, Cells, Format, Pattern};
use rule::{Rule, Topology};
use source::{PatternSourceError, Source};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use tui::classroom::{ClassroomScreen, MapFileRequest};

/// Play a classroom map round by round
///
/// In a terminal and without a RULE all five stand side by side on one map. With a RULE it is a
/// conversation: each frame is a line `round N` and the board, row by row. Then a line is read: empty for
/// the next round, a number for so many, `s` to save, `q` to quit.
#[derive(Debug, Args)]
pub(crate) struct ClassroomArgs {
    /// base, colorised, extended, weighted or generations
    #[arg(value_name = "RULE")]
    rule: Option<String>,

    /// A map: a file, or a built-in pattern's name, which stands in the middle; without it
    /// the built-in maps are offered
    #[arg(value_name = "MAP", value_hint = ValueHint::FilePath)]
    map: Option<OsString>,

    /// The board's columns and rows
    #[arg(long, value_name = "WxH")]
    size: Option<SizeArgument>,

    /// Put a map that is smaller than the board in its middle, not at its top left
    #[arg(long)]
    centre: bool,

    /// Take states that the rule does not have for its first live one, with a warning
    #[arg(long)]
    lenient: bool,

    /// Read the map as the course's own loader did: every line takes up a row, a comment
    /// too
    #[arg(long)]
    cs100: bool,

    #[command(flatten)]
    folder: RuleFolder,
}

impl ClassroomArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if self.rule.is_none() && home_screen::has_person() {
            return on_screen();
        }
        let rule = self.board_rule()?;
        let mut prompt = ConsolePrompt::new();
        let map = match &self.map {
            Some(map) => self.read(map, &rule)?,
            None => match self.choose(&rule, &mut prompt)? {
                Some(map) => map,
                None => return Ok(()),
            },
        };
        let opened = engine::open(EngineChoice::Auto, &rule, &map, None, &Options::default());
        let world = opened.map_err(CliFailure::wrong)?.world;
        ClassroomMapRun::new(world, map)?.run(&mut prompt)
    }

    /// The rule, on its board.
    fn board_rule(&self) -> Result<Rule, CliFailure> {
        let five = "base, colorised, extended, weighted or generations";
        let Some(name) = &self.rule else {
            let message = "without a terminal, a RULE and a MAP must be given";
            let hint = format!("RULE is {five}: gridpaper classroom base base-glider");
            return Err(CliFailure::wrong(message).with_hint(hint));
        };
        let rule = input::parse_rule(name, "RULE", &self.folder)?;
        if !source::is_of_classroom(&rule) {
            let message = format!("RULE {name}: this is none of the classroom's rules");
            return Err(CliFailure::wrong(message).with_hint(format!("take {five}")));
        }
        let Some(SizeArgument { width, height }) = self.size else {
            let rule = source::default_board(rule);
            return match rule.topology() {
                Topology::Plane { width, height } if *width > 0 && *height > 0 => Ok(rule),
                shape => Err(CliFailure::wrong(format_args!(
                    "RULE {name}: a board has two sides and dead surroundings, not {shape}"
                ))),
            };
        };
        if *rule.topology() != Topology::Unbounded {
            let message = format!("--size {width}x{height}: RULE gives a size too");
            return Err(CliFailure::wrong(message));
        }
        Ok(rule.with_topology(Topology::Plane { width, height }))
    }

    /// The map that an argument means, where it lies on the board.
    fn read(&self, map: &OsStr, rule: &Rule) -> Result<Pattern, CliFailure> {
        if map == "-" {
            let message = "MAP -: standard input is read for what to do";
            return Err(CliFailure::wrong(message).with_hint("give a file".to_string()));
        }
        let path = Path::new(map);
        if !path.exists() {
            // built-in patterns are as small as can be: at an edge they would be others
            let is_built_in = map
                .to_str()
                .is_some_and(|name| library::find(name).is_some());
            let centre = self.centre || is_built_in;
            return self.place(input::open(map)?, rule, centre);
        }
        let label = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| CliFailure::io(&label, &e))?;
        let by_rows = |format| matches!(format, Format::Plaintext | Format::Classroom);
        let is_map = match pattern::detect(&bytes) {
            _ if pattern::is_compressed(&bytes) => false,
            _ if Format::from_path(path).is_some_and(by_rows) => true,
            format => format.is_none_or(by_rows),
        };
        if !is_map {
            return self.place(Source::read(&bytes, &label)?, rule, self.centre);
        }
        let board = board_of(rule);
        let options = classroom::Options {
            size: Some((board.width, board.height)),
            alphabet: alphabet_of(rule),
            lenient: self.lenient,
            centre: self.centre,
            cs100: self.cs100,
        };
        let read = classroom::read(&bytes, &options);
        let map = read.map_err(|e| CliFailure::wrong(format_args!("{label}:{e}")))?;
        if let Some(warning) = map.warning {
            let place = format!("{label}:{}", warning.place);
            warn(&place, warning.cells, warning.state);
        }
        Ok(Pattern {
            cells: map.pattern.cells.translated(board.x, board.y),
            position: Some(Point::new(board.x, board.y)),
            ..map.pattern
        })
    }

    /// Another pattern, where it lies on the board: its states must be the rule's, and a
    /// place of its own holds.
    fn place(&self, mut source: Source, rule: &Rule, centre: bool) -> Result<Pattern, CliFailure> {
        self.fit_states(&mut source, rule)?;
        let cells = source.pattern.cells.bounds();
        if let Some(cells) = cells
            && (centre || source.pattern.position.is_some())
        {
            place_cells(&mut source, &cells, &board_of(rule), centre)?;
        }
        Ok(source::on_its_board(source, rule)?.pattern)
    }

    fn fit_states(&self, source: &mut Source, rule: &Rule) -> Result<(), CliFailure> {
        let own: &[State] = match alphabet_of(rule) {
            Alphabet::Plain => &[1],
            Alphabet::Colours => &[2, 3],
            Alphabet::Digits | Alphabet::Any => &[1, 2, 3, 4, 5, 6, 7],
        };
        let cells = &source.pattern.cells;
        let foreign: Vec<State> = cells
            .states()
            .into_iter()
            .filter(|s| !own.contains(s))
            .collect();
        let Some(first) = foreign.first() else {
            return Ok(());
        };
        let label = source.label();
        if !self.lenient {
            let message = format!(
                "{label}: state {first} is no state of the rule {}",
                self.rule.as_deref().unwrap_or_default()
            );
            let hint = format!("--lenient takes it for state {}", own[0]);
            return Err(CliFailure::wrong(message).with_hint(hint));
        }
        let mut runs = Vec::new();
        let mut count = 0u64;
        cells.for_each_run(&mut |mut run| {
            if foreign.contains(&run.state) {
                count = count.saturating_add(run.length);
                run.state = own[0];
            }
            runs.push(run);
        });
        warn(label, count, own[0]);
        source.pattern.cells = Cells::from_runs(runs);
        Ok(())
    }

    /// Offers the built-in maps of the rule; none where there is nobody to choose.
    fn choose(
        &self,
        rule: &Rule,
        prompt: &mut ConsolePrompt,
    ) -> Result<Option<Pattern>, CliFailure> {
        let maps = maps(rule);
        let rows = maps.iter().enumerate().map(|(i, map)| {
            let number = format!("{:>3}", i + 1);
            [number, map.name.to_string(), map.description().to_string()]
        });
        prompt.say(&table::aligned(rows));
        loop {
            let Some(answer) = prompt.ask("map (a number, a name or a file): ")? else {
                if prompt.is_person {
                    return Ok(None);
                }
                let message =
                    "no MAP was given: write one after RULE, or in the first line of input";
                let example = maps.first().map_or("glider", |map| map.name);
                let rule = self.rule.as_deref().unwrap_or_default();
                let hint = format!("for example: gridpaper classroom {rule} {example}");
                return Err(CliFailure::wrong(message).with_hint(hint));
            };
            let answer = answer.trim();
            let by_number = answer.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let read = match by_number.and_then(|i| maps.get(i)) {
                _ if answer == "q" => return Ok(None),
                _ if answer.is_empty() => continue,
                Some(map) => self.read(map.name.as_ref(), rule),
                None => self.read(answer.as_ref(), rule),
            };
            match read {
                Ok(map) => return Ok(Some(map)),
                Err(failure) => {
                    failure.report();
                }
            }
        }
    }
}

/// Runs all five rules in full screen.
fn on_screen() -> Result<(), CliFailure> {
    let mut screen = ClassroomScreen::new(home_screen::terminal_profile());
    let interrupts = InterruptGuard::new();
    home_screen::to_result(tui::classroom::run(
        &mut screen,
        &mut handle_map_file,
        &|| interrupts.asked_to_stop(),
    ))
}

/// Reads a map, or writes one to a new file.
fn handle_map_file(request: &MapFileRequest) -> Result<Vec<u8>, String> {
    match request {
        MapFileRequest::Read { name } => {
            let read = std::fs::read(name);
            read.map_err(|e| format!("{name}: {}", source::io_words(&e)))
        }
        MapFileRequest::Write { name, text } => {
            home_screen::write_new(Path::new(name), text.as_bytes()).map(|()| Vec::new())
        }
    }
}

/// Moves cells to the middle of the board, or leaves them where their file has them.
fn place_cells(
    source: &mut Source,
    cells: &Bounds,
    board: &Rect,
    centre: bool,
) -> Result<(), CliFailure> {
    let larger = || PatternSourceError::LargerThanBoard {
        label: source.label().to_string(),
        width: i64::try_from(&cells.width).unwrap_or(i64::MAX),
        height: i64::try_from(&cells.height).unwrap_or(i64::MAX),
        columns: board.width,
        rows: board.height,
    };
    let rect = cells.to_rect().ok_or_else(larger)?;
    if rect.width > board.width || rect.height > board.height {
        return Err(larger().into());
    }
    if centre {
        let middle = |board: u64, cells: u64| ((board - cells) / 2) as i64;
        let x = board.x + middle(board.width, rect.width);
        let y = board.y + middle(board.height, rect.height);
        source.pattern.cells = source.pattern.cells.translated(x - rect.x, y - rect.y);
        source.pattern.position = Some(Point::new(x, y));
    } else if rect != rect.intersection(board) {
        let label = source.label();
        return Err(CliFailure::wrong(format_args!(
            "{label}: its cells lie outside the board, where its file has them"
        ))
        .with_hint("--centre puts them in the middle".to_string()));
    }
    Ok(())
}

/// Warns that foreign states were replaced.
fn warn(place: &str, cells: u64, state: State) {
    let cells = match cells {
        1 => "1 cell is in a state".to_string(),
        cells => format!("{cells} cells are in states"),
    };
    note(format_args!(
        "{place}: {cells} that the rule does not have; taken for state {state}"
    ));
}

/// The built-in patterns that are made for a rule.
fn maps(rule: &Rule) -> Vec<&'static LibraryPattern> {
    let name = rule.with_topology(Topology::Unbounded).to_string();
    let all = library::all().iter();
    all.filter(|entry| entry.rule() == Some(name.as_str()))
        .collect()
}

fn board_of(rule: &Rule) -> Rect {
    let board = rule.topology().rect();
    board.expect("the rule was put on a board with two sides")
}

fn alphabet_of(rule: &Rule) -> Alphabet {
    let name = rule.with_topology(Topology::Unbounded).to_string();
    Alphabet::of_rule(&name).unwrap_or_default()
}

/// A running map.
struct ClassroomMapRun {
    world: Box<dyn World>,
    map: Pattern,
    board: Rect,
    alphabet: Alphabet,
    round: BigUint,
    /// On a terminal each frame takes the place of the one before.
    in_place: bool,
}

impl ClassroomMapRun {
    fn new(mut world: Box<dyn World>, map: Pattern) -> Result<Self, CliFailure> {
        world.set_generation(BigInt::ZERO);
        Ok(Self {
            board: board_of(world.rule()),
            alphabet: alphabet_of(world.rule()),
            world,
            map,
            round: BigUint::ZERO,
            in_place: io::stdout().is_terminal(),
        })
    }

    /// Shows frames until the user quits or the input ends.
    fn run(mut self, prompt: &mut ConsolePrompt) -> Result<(), CliFailure> {
        self.show()?;
        while let Some(line) = prompt.ask("Enter steps, s saves, q quits: ")? {
            let (word, rest) = match line.trim().split_once(char::is_whitespace) {
                Some((word, rest)) => (word, Some(rest.trim().to_string())),
                None => (line.trim(), None),
            };
            match word.to_lowercase().as_str() {
                "" | "step" => self.step(&BigUint::from(1u8))?,
                "q" | "quit" => break,
                "s" | "save" => {
                    let name = match rest {
                        Some(name) => Some(name),
                        None => prompt.ask("save as: ")?,
                    };
                    if let Some(name) = name {
                        self.save_as(name.trim(), prompt)?;
                    }
                }
                number => match number.parse::<crate::argument::CountArgument>() {
                    Ok(count) if rest.is_none() => self.step(&count.0)?,
                    _ => note(format_args!(
                        "`{}` is no command: Enter steps, a number steps so often, s saves, \
                         q quits",
                        line.trim()
                    )),
                },
            }
        }
        Ok(())
    }

    fn step(&mut self, rounds: &BigUint) -> Result<(), CliFailure> {
        let interrupts = InterruptGuard::new();
        let stepped = self
            .world
            .advance(rounds, &mut |_| !interrupts.asked_to_stop());
        if stepped.is_err() || interrupts.asked_to_stop() {
            return Err(CliFailure::interrupted(format_args!(
                "stopped at round {}",
                self.world.generation()
            )));
        }
        self.round += rounds;
        self.show()
    }

    /// The board in the characters of a map file.
    fn rows(&self) -> Result<Vec<u8>, CliFailure> {
        let pattern = source::snapshot(self.world.as_ref(), &self.map);
        let mut rows = Vec::new();
        classroom::write_map(&pattern, self.board, self.alphabet, &mut rows)
            .map_err(CliFailure::wrong)?;
        Ok(rows)
    }

    fn show(&self) -> Result<(), CliFailure> {
        let rows = self.rows()?;
        let round = &self.round;
        if !self.in_place {
            return output::to_stdout(|out| {
                writeln!(out, "round {round}")?;
                out.write_all(&rows)
            });
        }
        // what colours and clears is left out again where NO_COLOR asks for that
        let mut text = format!("\x1b[H\x1b[2Jround {round}\n");
        for &sign in &rows {
            let colour = match sign {
                b'R' => AnsiColor::Red,
                b'B' => AnsiColor::Blue,
                b'.' | b'0' => AnsiColor::BrightBlack,
                _ => {
                    text.push(char::from(sign));
                    continue;
                }
            };
            let style = Style::new().fg_color(Some(colour.into()));
            text += &format!("{style}{}{style:#}", char::from(sign));
        }
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|e| CliFailure::io("standard output", &e))
    }

    /// Writes the board: as a map, or in the format that the name's ending tells.
    fn save_as(&self, name: &str, prompt: &mut ConsolePrompt) -> Result<(), CliFailure> {
        if name.is_empty() {
            note("not saved: no name was given");
            return Ok(());
        }
        let mut path = PathBuf::from(name);
        if path.extension().is_none() {
            path.set_extension("cells");
        }
        if path.exists() && prompt.is_person {
            let question = format!("{} is there already; overwrite it? (y/N) ", path.display());
            let answer = prompt.ask(&question)?.unwrap_or_default();
            if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
                note("not saved");
                return Ok(());
            }
        }
        match self.save(&path) {
            Ok(()) => note(format_args!("saved {}", path.display())),
            // not fatal: the user can try another name
            Err(failure @ CliFailure::Wrong { .. }) => {
                failure.report();
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }

    fn save(&self, path: &Path) -> Result<(), CliFailure> {
        let is_map = match Format::from_path(path) {
            Some(format) => matches!(format, Format::Plaintext | Format::Classroom),
            None => true,
        };
        if !is_map {
            let pattern = source::snapshot(self.world.as_ref(), &self.map);
            return Destination::new(path, None)?.write(&pattern);
        }
        output::check_place(path)?;
        let rows = self.rows()?;
        output::to_file(path, |out| {
            out.write_all(&rows)
                .map_err(|e| CliFailure::io(path.display(), &e))
        })
    }
}

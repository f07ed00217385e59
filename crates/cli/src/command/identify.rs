//! `gridpaper identify`: what a pattern is.

mod card;
mod map;

use crate::argument::{CountArgument, MemoryArgument, seconds};
use crate::failure::CliFailure;
use crate::input::{self, RuleArguments};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use census::{Identification, IdentifyOptions, ObjectClass, ObjectKind, PatternKind, identify};
use clap::{Args, ValueHint};
use map::MapKind;
use num_traits::ToPrimitive as _;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Say what a pattern is: still life, oscillator, spaceship, gun, methuselah, ...
///
/// For what repeats: period, speed, symmetry, heat, volatility, apgcode and name; for what
/// settles: when, and which objects are left. The exit code is 1 where the pattern is not
/// identified within the limits.
#[derive(Debug, Args)]
pub(crate) struct IdentifyArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, a soup's name such
    /// as C1/seed17, or RLE text
    #[arg(value_name = "PATTERN", value_hint = ValueHint::FilePath)]
    pattern: OsString,

    #[command(flatten)]
    rule: RuleArguments,

    /// Run at most this number of generations
    #[arg(
        long,
        visible_alias = "gens",
        value_name = "N",
        default_value = "100000"
    )]
    max_gens: CountArgument,

    /// Look for periods up to this one
    #[arg(long, value_name = "P", default_value = "65536")]
    max_period: CountArgument,

    /// Stop after this number of seconds, such as 10 or 10s, and say what is known then
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| seconds(text.trim_end_matches('s')))]
    time: Option<Duration>,

    /// Take at most this much memory, and say what is known when it is full
    #[arg(long, value_name = "BYTES", default_value = "1G")]
    memory: MemoryArgument,

    /// Identify each object of the pattern by itself, too
    #[arg(long)]
    parts: bool,

    /// Print the box of each phase and the local period of each cell, too
    #[arg(long)]
    all: bool,

    /// Draw the cells of an oscillator or still life, or the phases of a spaceship, into this .svg,
    /// .png or .txt file
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,

    /// What the picture shows
    #[arg(long, value_name = "KIND", default_value = "period", requires = "map")]
    map_kind: MapKind,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl IdentifyArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if let Some(path) = &self.map {
            map::check_ending(path)?;
            output::check_place(path)?;
        }
        let named = self
            .pattern
            .to_str()
            .filter(|name| !Path::new(name).exists());
        if let Some(code) = named.filter(|code| tells_no_cells(code)) {
            return Err(CliFailure::wrong(format_args!(
                "{code}: an apgcode that tells no cells"
            )));
        }
        let source = input::open(&self.pattern)?;
        let rule = self.rule.rule(&source, None)?;
        let source = source::on_its_board(source, &rule)?;
        let options = IdentifyOptions {
            generations: self.max_gens.0.to_u64().unwrap_or(u64::MAX),
            period: self.max_period.0.to_u64().unwrap_or(u64::MAX),
            parts: self.parts,
            memory: self.memory.0,
        };
        let begun = Instant::now();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut shown = begun;
        let found = identify(&rule, &source.pattern.cells, &options, &mut |generation| {
            let now = Instant::now();
            // a line that is gone at once is no use to anybody
            if now - shown > Duration::from_secs(1) {
                shown = now;
                lines.show(|_| format!("generation {generation}; Ctrl-C stops"));
            }
            !interrupts.asked_to_stop() && self.time.is_none_or(|time| now - begun < time)
        });
        lines.clear();
        let found = found.map_err(CliFailure::wrong)?;
        let code = self
            .pattern
            .to_str()
            .filter(|&code| source.folder.is_none() && source::looks_like_apgcode(code));
        if let Some(fault) = code.and_then(|code| fault_of_code(code, &found)) {
            return Err(CliFailure::wrong(fault));
        }
        let seconds = begun.elapsed().as_secs_f64();
        if self.json {
            output::line(card::json(&found, seconds))?;
        } else {
            let text = card::text(&found, self.all);
            output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        }
        if interrupts.asked_to_stop() {
            return Err(CliFailure::interrupted(
                "stopped before the end of the search",
            ));
        }
        if let Some(path) = &self.map {
            map::write(&found, self.map_kind, path)?;
        }
        if found.kind == PatternKind::Unknown {
            let message = match &found.reached {
                Some(reached) => format!("not identified: {reached}"),
                None => format!("not identified within {}", found.limits),
            };
            return Err(CliFailure::No {
                message,
                hint: Some("--max-gens, --max-period and --time look further".into()),
            });
        }
        Ok(())
    }
}

/// Whether it is the apgcode of what grows, is too large or never repeats.
fn tells_no_cells(code: &str) -> bool {
    use ObjectClass::{Irregular, LinearGrowth, Oversized};
    let class = ObjectKind::of(code).class;
    matches!(class, LinearGrowth | Oversized | Irregular)
}

/// What is wrong with an apgcode whose cells are no such object.
fn fault_of_code(code: &str, found: &Identification) -> Option<String> {
    let kind = found.kind.name().replace('_', " ");
    let prefix = |code: &str| code.split('_').next().map(str::to_owned);
    let other = match (found.kind, &found.apgcode) {
        // the limits may be too low, and what an edge touches has no code
        (PatternKind::Unknown, _) => return None,
        (PatternKind::StillLife | PatternKind::Oscillator, None) => return None,
        (PatternKind::Empty, _) if code == "xs0_0" => return None,
        (PatternKind::Empty, _) => return Some(format!("{code}: it decodes to no cells")),
        (_, Some(own)) if found.generation == Some(0) && prefix(own) == prefix(code) => {
            return None;
        }
        (_, Some(own)) if found.generation == Some(0) => format!("the {kind} {own}"),
        _ => format!("a pattern of the kind {kind}"),
    };
    Some(format!("{code}: it decodes to another object: {other}"))
}

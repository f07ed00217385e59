//! The PATTERN argument, `--rule` and `--size`; the session crate resolves them.

use crate::argument::SizeArgument;
use crate::failure::CliFailure;
use crate::rule_file::RuleFolder;
use clap::Args;
use pattern::ReadLimits;
use rule::{Rule, Topology};
use source::Source;
use source::rule_file::RuleFiles;
use std::ffi::OsStr;
use std::io::Read as _;

/// Opens a PATTERN argument: `-` for standard input, or what [`source::open`] finds.
pub(crate) fn open(argument: &OsStr) -> Result<Source, CliFailure> {
    open_within(argument, u64::MAX)
}

/// The same with a memory limit in bytes for a file's cells.
pub(crate) fn open_within(argument: &OsStr, memory: u64) -> Result<Source, CliFailure> {
    if argument != "-" {
        return Ok(source::open_within(argument, memory)?);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|e| CliFailure::io("standard input", &e))?;
    let limits = ReadLimits {
        memory,
        ..ReadLimits::default()
    };
    Ok(Source::read_with_limits(&bytes, "standard input", limits)?)
}

/// The options that say which rule is meant.
#[derive(Debug, Args)]
pub(crate) struct RuleArguments {
    /// Run this rule instead of the one the pattern names: a notation, a name, or the path
    /// of a .rule or .gridrule file
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,
}

impl RuleArguments {
    /// The given rule, else the pattern's, else B3/S23; on a bounded grid if there is a size.
    pub(crate) fn rule(
        &self,
        source: &Source,
        size: Option<SizeArgument>,
    ) -> Result<Rule, CliFailure> {
        let (text, place) = match &self.rule {
            Some(text) => (text.as_str(), "--rule"),
            None => (source.rule_text(), source.label()),
        };
        let mut files = RuleFiles::of(source);
        if self.rule.is_some() {
            files = files.for_typed();
        }
        let rule = self.folder.before(files)?.read(text, place)?;
        let Some(SizeArgument { width, height }) = size else {
            return Ok(source::default_board(rule));
        };
        match rule.topology() {
            Topology::Unbounded => Ok(rule.with_topology(Topology::Plane { width, height })),
            topology if topology.size() == (width, height) => Ok(rule),
            topology => Err(CliFailure::wrong(format_args!(
                "--size {width}x{height}: the rule has a grid of its own, {topology}"
            ))
            .with_hint("leave --size out, or give --rule without a grid".to_string())),
        }
    }
}

/// Parses a rule without a pattern; `place` names its origin in messages.
pub(crate) fn parse_rule(text: &str, place: &str, folder: &RuleFolder) -> Result<Rule, CliFailure> {
    Ok(folder.before(RuleFiles::for_user())?.read(text, place)?)
}

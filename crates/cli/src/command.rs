//! The subcommands, one file each.

mod bot;
mod census;
mod classroom;
mod completions;
mod convert;
mod home_screen;
mod identify;
mod info;
mod laser;
mod map;
mod r#match;
mod merge;
mod mnk;
mod patterns;
mod play;
mod random;
mod reference;
mod render;
mod replay;
mod rules;
mod run;
mod search;
mod serve;
mod sprt;
mod tournament;
mod view;

use crate::failure::CliFailure;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args as _, FromArgMatches as _, Parser, Subcommand};
use std::ffi::OsString;

/// Worlds on squared paper: run them, watch them, search them, play them
#[derive(Debug, Parser)]
#[command(
    name = "gridpaper",
    version,
    arg_required_else_help = true,
    max_term_width = 80,
    disable_help_subcommand = true,
    after_help = "PATTERN is a file of any known format (also gzipped), - for standard \
                  input, the name of a built-in pattern, an apgcode, the name of a soup such as \
                  C1/seed17, or RLE text itself"
)]
pub(crate) struct CliArguments {
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    Run(run::RunArgs),
    Info(info::InfoArgs),
    Identify(identify::IdentifyArgs),
    Convert(convert::ConvertArgs),
    Random(random::RandomArgs),
    Render(render::RenderArgs),
    Rules(rules::RulesArgs),
    Map(map::MapArgs),
    Patterns(patterns::PatternsArgs),
    Serve(serve::ServeArgs),
    View(view::ViewArgs),
    Census(census::CensusArgs),
    Merge(merge::MergeArgs),
    Search(search::SearchArgs),
    Classroom(classroom::ClassroomArgs),
    Play(play::PlayArgs),
    Match(r#match::MatchArgs),
    Tournament(tournament::TournamentArgs),
    Sprt(sprt::SprtArgs),
    Replay(replay::ReplayArgs),
    Bot(bot::BotArgs),
    Mnk(mnk::MnkArgs),
    Laser(laser::LaserArgs),
    Completions(completions::CompletionsArgs),
}

/// Runs the command line's subcommand; without arguments and in an interactive terminal, it
/// shows the start menu.
pub(crate) fn run() -> Result<(), CliFailure> {
    if home_screen::is_requested() {
        return home_screen::run();
    }
    if let Some(command) = parse_run(std::env::args_os()) {
        return command.run();
    }
    let arguments = CliArguments::try_parse().map_err(failure_of)?;
    arguments.command.run()
}

/// The options of `run` alone, since building those of all subcommands takes as long as a small
/// job. None for other subcommands, and for what is wrong or asks for help: all of them are needed
/// for that.
fn parse_run(mut arguments: impl Iterator<Item = OsString>) -> Option<run::RunArgs> {
    let name = arguments.nth(1).filter(|name| name == "run")?;
    let command = run::RunArgs::augment_args(clap::Command::new("run"));
    let matches = command.try_get_matches_from([name].into_iter().chain(arguments));
    run::RunArgs::from_arg_matches(&matches.ok()?).ok()
}

/// Clap's error, made plainer where it can be: the number of generations that `run` needs, and
/// the nearest subcommand alone.
fn failure_of(mut error: clap::Error) -> CliFailure {
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing)))
            if missing.iter().any(|name| name.starts_with("--gens")) =>
        {
            let message = "how many generations is PATTERN to run? give a number with --gens";
            let hint = "for example: gridpaper run glider --gens 100".to_string();
            return CliFailure::wrong(message).with_hint(hint);
        }
        (ErrorKind::InvalidSubcommand, _) => {
            // sorted by similarity, the most similar last
            if let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand)
                && let Some(nearest) = names.last().cloned()
            {
                let nearest = ContextValue::Strings(vec![nearest]);
                error.insert(ContextKind::SuggestedSubcommand, nearest);
            }
        }
        _ => {}
    }
    error.into()
}

impl CliCommand {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        match self {
            Self::Run(command) => command.run(),
            Self::Identify(command) => command.run(),
            Self::Info(command) => command.run(),
            Self::Convert(command) => command.run(),
            Self::Random(command) => command.run(),
            Self::Render(command) => command.run(),
            Self::Rules(command) => command.run(),
            Self::Map(command) => command.run(),
            Self::Patterns(command) => command.run(),
            Self::Serve(command) => command.run(),
            Self::View(command) => command.run(),
            Self::Census(command) => command.run(),
            Self::Merge(command) => command.run(),
            Self::Search(command) => command.run(),
            Self::Classroom(command) => command.run(),
            Self::Play(command) => command.run(),
            Self::Match(command) => command.run(),
            Self::Tournament(command) => command.run(),
            Self::Sprt(command) => command.run(),
            Self::Replay(command) => command.run(),
            Self::Bot(command) => command.run(),
            Self::Mnk(command) => command.run(),
            Self::Laser(command) => command.run(),
            Self::Completions(command) => command.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definitions_hold_together() {
        CliArguments::command().debug_assert();
    }

    #[test]
    fn the_options_of_run_alone_mean_the_same() {
        let line = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        for text in [
            "gridpaper run acorn --gens 5",
            "gridpaper run - --gens=-100 --rule B36/S23 --every 7 --json",
            "gridpaper run a --gens 2^64 --plot a.csv --curves births,deaths --threads 2",
        ] {
            let alone = parse_run(line(text).into_iter()).unwrap();
            let CliCommand::Run(all) = CliArguments::parse_from(line(text)).command else {
                panic!("{text}");
            };
            assert_eq!(format!("{alone:?}"), format!("{all:?}"));
        }
        for text in [
            "gridpaper",
            "gridpaper run",
            "gridpaper run --help",
            "gridpaper run a --gens 1 --threads 0",
            "gridpaper info run",
        ] {
            assert!(parse_run(line(text).into_iter()).is_none(), "{text}");
        }
    }
}

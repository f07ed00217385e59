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
use clap::{Parser, Subcommand};

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
    let arguments = CliArguments::try_parse().map_err(failure_of)?;
    arguments.command.run()
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
}

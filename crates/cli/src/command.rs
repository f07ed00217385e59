//! The subcommands, one file each.

mod bot;
mod classroom;
mod completions;
mod convert;
mod info;
mod laser;
mod r#match;
mod mnk;
mod patterns;
mod play;
mod random;
mod reference;
mod render;
mod replay;
mod rooms;
mod rules;
mod run;
mod serve;
mod sprt;
mod tournament;
mod view;

use crate::failure::Failure;
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
                  input, the name of a built-in pattern, an apgcode, or RLE text itself"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Run),
    Info(info::Info),
    Convert(convert::Convert),
    Random(random::Random),
    Render(render::Render),
    Rules(rules::Rules),
    Patterns(patterns::Patterns),
    Serve(serve::Serve),
    View(view::View),
    Classroom(classroom::Classroom),
    Play(play::Play),
    Match(r#match::Match),
    Tournament(tournament::Tournament),
    Sprt(sprt::Sprt),
    Replay(replay::Replay),
    Bot(bot::Bot),
    Mnk(mnk::Mnk),
    Laser(laser::Laser),
    Completions(completions::Completions),
}

/// Does what the command line says; without a word, and with a person at a terminal, it shows
/// the rooms.
pub(crate) fn run() -> Result<(), Failure> {
    if rooms::are_wanted() {
        return rooms::run();
    }
    Arguments::try_parse()?.command.run()
}

impl Command {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Run(command) => command.run(),
            Self::Info(command) => command.run(),
            Self::Convert(command) => command.run(),
            Self::Random(command) => command.run(),
            Self::Render(command) => command.run(),
            Self::Rules(command) => command.run(),
            Self::Patterns(command) => command.run(),
            Self::Serve(command) => command.run(),
            Self::View(command) => command.run(),
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
        Arguments::command().debug_assert();
    }
}

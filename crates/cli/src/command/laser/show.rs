//! `gridpaper laser show`: a level and its light, in characters.

use super::{
    LaserSourceArgs, LoadedLaserLevel, SolverLimitArgs, TimedSolverAnswer, fitting, unsolvable,
};
use crate::failure::{CliFailure, note};
use crate::output;
use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};
use laser::solver::Aim;
use laser::{Board, Light};
use render::Theme;
use render::laser::{LaserDrawing, LaserTileSize};
use std::io;
use tui::{ColourDepth, TerminalProfile};

/// Draw a level and its light
///
/// Light is drawn as lines, pieces with the two signs that they have in a file; a sensor that
/// is lit has a star for its letter.
#[derive(Debug, Args)]
pub(crate) struct LaserShowArgs {
    #[command(flatten)]
    source: LaserSourceArgs,

    /// How much room a tile gets; what fits the terminal, without it
    #[arg(long, value_name = "SIZE")]
    size: Option<TileSizeArgument>,

    /// Leave out the numbers of rows and columns
    #[arg(long)]
    no_rulers: bool,

    /// Solve the level first, with the fewest moves
    #[arg(long)]
    solved: bool,

    /// Print the level as a file has it instead
    #[arg(long)]
    text: bool,

    #[command(flatten)]
    patience: SolverLimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TileSizeArgument {
    /// Two columns and one row, as in a file
    Small,
    /// Four columns and one row
    Medium,
    /// Four columns and two rows
    Large,
}

impl LaserShowArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let mut level = self.source.read()?;
        let asked = match self.solved {
            true => Some(self.solve(&mut level)?),
            false => None,
        };
        self.draw(&level.board)?;
        asked.map_or(Ok(()), |asked| asked.end())
    }

    fn draw(&self, board: &Board) -> Result<(), CliFailure> {
        if self.text {
            return output::to_stdout(|out| write!(out, "{board}"));
        }
        let light = Light::of(board);
        let status = light.status(board);
        let drawing = LaserDrawing::of(board, &light, self.size(board));
        let drawing = match self.no_rulers {
            true => drawing,
            false => drawing.with_rulers(),
        };
        let text = match Self::colours() {
            Some((theme, depth)) => drawing.ansi(theme, |rgb| {
                depth.parameters(rgb).expect("there are colours at all")
            }),
            None => drawing.text(),
        };
        output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        note(match (status.sensors, status.is_solved()) {
            (0, _) => "there is no sensor".to_string(),
            (1, true) => "the sensor is lit: solved".to_string(),
            (n, true) => format!("all {n} sensors are lit: solved"),
            (n, false) => format!("{} of {n} sensors lit", status.lit),
        });
        Ok(())
    }

    /// The theme whose colours the output has, and how many there are; none where it is no
    /// terminal, or has few.
    fn colours() -> Option<(&'static Theme, ColourDepth)> {
        let wants_colours = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let look = TerminalProfile::of(|name| std::env::var_os(name));
        let is_able = wants_colours && look.depth != ColourDepth::None;
        let theme = match look.is_dark {
            true => &Theme::BLUEPRINT,
            false => &Theme::PAPER,
        };
        is_able.then_some((theme, look.depth))
    }

    /// What was asked for, or what fits.
    fn size(&self, board: &Board) -> LaserTileSize {
        match self.size {
            Some(TileSizeArgument::Small) => LaserTileSize::Small,
            Some(TileSizeArgument::Medium) => LaserTileSize::Medium,
            Some(TileSizeArgument::Large) => LaserTileSize::Large,
            None => fitting(board),
        }
    }

    fn solve(&self, level: &mut LoadedLaserLevel) -> Result<TimedSolverAnswer, CliFailure> {
        let asked = self.patience.ask(&level.board, Aim::Fewest);
        let Some(moves) = &asked.answer.moves else {
            return Err(match asked.answer.solvable {
                Some(false) => unsolvable(level),
                _ => asked.not_known(),
            });
        };
        for &step in moves {
            level
                .board
                .apply(step)
                .expect("the solver makes moves that can be made");
        }
        Ok(asked)
    }
}

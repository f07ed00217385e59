//! `gridpaper laser check`: whether a level can be read, and how it stands.

use super::{LaserSourceArgs, stock};
use crate::failure::CliFailure;
use crate::{output, table};
use clap::Args;
use laser::Light;
use serde_json::json;

/// Tell whether a level can be read, what is on it, and whether it is solved as it stands
#[derive(Debug, Args)]
pub(crate) struct LaserCheckArgs {
    #[command(flatten)]
    source: LaserSourceArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl LaserCheckArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let level = self.source.read()?;
        let board = &level.board;
        let status = Light::of(board).status(board);
        let pieces: u32 = board.stock().iter().sum();
        if self.json {
            return output::line(json!({
                "name": level.name,
                "width": board.width(),
                "height": board.height(),
                "lasers": board.lasers().count(),
                "pieces": pieces,
                "sensors": status.sensors,
                "lit": status.lit,
                "solved": status.is_solved(),
            }));
        }
        let pieces = match pieces {
            0 => "0".to_string(),
            n => format!("{n}: {}", stock(board)),
        };
        let solved = match (status.sensors, status.is_solved()) {
            (0, _) => "never: there is no sensor",
            (_, true) => "yes",
            (_, false) => "no",
        };
        let mut rows = vec![
            ["level".into(), level.name.clone()],
            [
                "size".into(),
                format!("{} x {}", board.width(), board.height()),
            ],
            ["lasers".into(), board.lasers().count().to_string()],
            ["pieces".into(), pieces],
            ["sensors".into(), status.sensors.to_string()],
            ["lit".into(), status.lit.to_string()],
            ["solved".into(), solved.into()],
        ];
        if let Some(entry) = level.entry {
            rows.insert(1, ["about".into(), entry.purpose.to_string()]);
        }
        output::to_stdout(|out| out.write_all(table::aligned(rows).as_bytes()))
    }
}

//! placeholder
use super::Source;
use crate::failure::Failure;
use clap::Args;

/// Play a level
#[derive(Debug, Args)]
pub(crate) struct Play {
    #[command(flatten)]
    source: Source,
}

impl Play {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let _ = self.source.read()?;
        Ok(())
    }
}

//! `gridpaper completions`: shell completions and man pages, from the definitions that
//! also read the arguments.

use super::{CliArguments, reference};
use crate::{failure::CliFailure, output};
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use std::path::{Path, PathBuf};

/// Print completions for a shell, or write the man pages
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct CompletionsArgs {
    /// Whose completions go to standard output
    #[arg(required_unless_present_any = ["man", "reference"])]
    shell: Option<Shell>,

    /// Write one man page a command into this folder
    #[arg(long, value_name = "FOLDER")]
    man: Option<PathBuf>,

    /// Write the book's reference into this folder; for the project's own chores
    #[arg(long, value_name = "FOLDER", hide = true)]
    reference: Option<PathBuf>,
}

impl CompletionsArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if let Some(shell) = self.shell {
            // The generator panics when its writer fails, so it gets one that cannot.
            let mut script = Vec::new();
            clap_complete::generate(
                shell,
                &mut CliArguments::command(),
                "gridpaper",
                &mut script,
            );
            output::to_stdout(|out| out.write_all(&script))?;
        }
        if let Some(folder) = self.man {
            write_manual(&folder)?;
        }
        self.reference
            .map_or(Ok(()), |folder| write_reference(&folder))
    }
}

fn make_folder(folder: &Path) -> Result<(), CliFailure> {
    std::fs::create_dir_all(folder).map_err(|e| CliFailure::io(folder.display(), &e))
}

fn write_reference(folder: &Path) -> Result<(), CliFailure> {
    make_folder(folder)?;
    for (name, page) in reference::pages() {
        let path = folder.join(name);
        output::to_file(&path, |out| {
            let written = out.write_all(page.as_bytes());
            written.map_err(|e| CliFailure::io(path.display(), &e))
        })?;
    }
    Ok(())
}

fn write_manual(folder: &Path) -> Result<(), CliFailure> {
    make_folder(folder)?;
    let mut whole = CliArguments::command();
    whole.build();
    let mut left = vec![&whole];
    while let Some(command) = left.pop() {
        left.extend(command.get_subcommands());
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        let page = clap_mangen::Man::new(command.clone());
        output::to_file(&path, |out| {
            let mut out = out;
            page.render(&mut out)
                .map_err(|e| CliFailure::io(path.display(), &e))
        })?;
    }
    Ok(())
}

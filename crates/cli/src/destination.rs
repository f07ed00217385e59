//! The output file and format of a pattern, and what is lost in conversion.

use crate::failure::{CliFailure, note};
use crate::output;
use pattern::{Format, Pattern, WriteError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file or standard output, and a format that can be written.
#[derive(Debug)]
pub(crate) struct Destination {
    /// `None` is standard output.
    path: Option<PathBuf>,
    format: Format,
    is_gzipped: bool,
}

impl Destination {
    /// `-` is standard output. The format is the named one, else that of the file's extension,
    /// else RLE without an extension.
    pub(crate) fn new(path: &Path, format: Option<&str>) -> Result<Self, CliFailure> {
        let to_stdout = path == Path::new("-");
        let is_gzipped = !to_stdout && path.extension().is_some_and(|e| e == "gz");
        let named = format.map(parse_format).transpose()?;
        let format = match named {
            Some(format) => format,
            None if to_stdout => Format::Rle,
            None => Format::from_path(path).ok_or_else(|| unknown_ending(path))?,
        };
        if !is_written(format) {
            let message = format!("{format} is read here, not written");
            return Err(CliFailure::wrong(message).with_hint(known_formats()));
        }
        if !to_stdout {
            output::check_place(path)?;
        }
        Ok(Self {
            path: (!to_stdout).then(|| path.to_path_buf()),
            format,
            is_gzipped,
        })
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.path.is_none()
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Writes the pattern, and reports what the format cannot represent. It is not written if
    /// cells or states would be lost.
    pub(crate) fn write(&self, pattern: &Pattern) -> Result<(), CliFailure> {
        match &self.path {
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                self.fill(pattern, &mut out, "standard output")?;
                out.flush()
                    .map_err(|e| CliFailure::io("standard output", &e))?;
            }
            Some(path) => output::to_file(path, |out| {
                self.fill(pattern, out, &path.display().to_string())
            })?,
        }
        let format = self.format;
        for loss in pattern::losses(pattern, format) {
            note(format_args!("{format} cannot carry {loss}"));
        }
        Ok(())
    }

    fn fill(&self, pattern: &Pattern, out: &mut dyn Write, name: &str) -> Result<(), CliFailure> {
        let written = if self.is_gzipped {
            pattern::write_compressed(pattern, self.format, out)
        } else {
            pattern::write(pattern, self.format, out)
        };
        written.map_err(|e| match e {
            WriteError::Io(e) => CliFailure::io(name, &e),
            WriteError::CannotHold { .. } => CliFailure::wrong(format_args!("{name}: {e}"))
                .with_hint("rle holds all states, macrocell any distance too".to_string()),
            other => CliFailure::wrong(format_args!("{name}: {other}")),
        })
    }
}

fn parse_format(text: &str) -> Result<Format, CliFailure> {
    Format::from_name(text).ok_or_else(|| {
        CliFailure::wrong(format_args!("--format {text}: no such format"))
            .with_hint(known_formats())
    })
}

fn unknown_ending(path: &Path) -> CliFailure {
    let message = format!("{}: its ending tells no format", path.display());
    CliFailure::wrong(message).with_hint(format!("give --format; {}", known_formats()))
}

fn known_formats() -> String {
    let written = Format::ALL.into_iter().filter(|format| is_written(*format));
    let names: Vec<_> = written.map(Format::name).collect();
    let read_only = Format::ALL
        .into_iter()
        .filter(|format| !is_written(*format));
    let read_only: Vec<_> = read_only.map(Format::name).collect();
    format!(
        "what can be written is {}; read only: {}",
        names.join(", "),
        read_only.join(", ")
    )
}

/// An apgcode would need the period found first, which nothing here does yet.
pub(crate) fn is_written(format: Format) -> bool {
    format.is_written() && format != Format::Apgcode
}

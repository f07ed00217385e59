//! Output to standard output, or to a file that is written atomically.

use crate::{failure::CliFailure, interrupt};
use serde_json::{Number, Value};
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The name that means standard output where a file is asked for.
const STANDARD: &str = "-";

/// Writes to standard output through `fill`.
pub(crate) fn to_stdout(
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CliFailure> {
    let mut out = BufWriter::new(io::stdout().lock());
    fill(&mut out)
        .and_then(|()| out.flush())
        .map_err(|e| CliFailure::io("standard output", &e))
}

/// One line to standard output.
pub(crate) fn line(text: impl fmt::Display) -> Result<(), CliFailure> {
    to_stdout(|out| writeln!(out, "{text}"))
}

/// Checks that a file can be created there, as far as possible in advance: a misspelt folder is
/// better reported before a long run than after it.
pub(crate) fn check_place(path: &Path) -> Result<(), CliFailure> {
    if path == Path::new(STANDARD) {
        return Ok(());
    }
    let folder = folder_of(path);
    if folder.is_dir() && !path.is_dir() {
        return Ok(());
    }
    let (name, folder) = (path.display(), folder.display());
    Err(CliFailure::wrong(if path.is_dir() {
        format!("{name}: this is a folder, a file was expected")
    } else {
        format!("{name}: there is no folder {folder}")
    }))
}

/// Writes a file, or standard output for `-`, through `fill`: under a temporary name beside it,
/// renamed at the end.
pub(crate) fn to_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), CliFailure>,
) -> Result<(), CliFailure> {
    if path == Path::new(STANDARD) {
        let mut out = BufWriter::new(io::stdout().lock());
        fill(&mut out)?;
        return out
            .flush()
            .map_err(|e| CliFailure::io("standard output", &e));
    }
    let name = path.display();
    let failed = |e: io::Error| CliFailure::io(&name, &e);
    // A pipe or a device (/dev/null) cannot be renamed onto, and has no half to be seen.
    if path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let mut out = BufWriter::new(File::create(path).map_err(failed)?);
        fill(&mut out)?;
        return out.flush().map_err(failed);
    }
    // Through a link, so that the link stays one and its target is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = folder_of(&target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gridpaper-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask takes away from this, as for any new file; the crate's own default
        // is for secrets. A file that is replaced keeps what it had.
        let mode = target.metadata().map(|m| m.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode.unwrap_or(0o666)));
    }
    let temporary = interrupt::begin_file(|| builder.tempfile_in(folder));
    let mut temporary = temporary.map_err(failed)?;
    let written = {
        let mut out = BufWriter::new(temporary.as_file_mut());
        fill(&mut out).and_then(|()| out.flush().map_err(failed))
    };
    let kept = written.and_then(|()| temporary.persist(&target).map_err(|e| failed(e.error)));
    interrupt::end_file();
    kept.map(drop)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// An exact integer of any length as a JSON number.
pub(crate) fn number(n: impl fmt::Display) -> Value {
    Value::Number(Number::from_string_unchecked(n.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.rle");
        std::fs::write(&path, "old").unwrap();
        let half = to_file(&path, |out| {
            out.write_all(b"ha").unwrap();
            Err(CliFailure::wrong("no"))
        });
        assert!(half.is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        to_file(&path, |out| {
            out.write_all(b"new").unwrap();
            Ok(())
        })
        .unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn numbers_keep_all_their_digits() {
        let long = "123456789012345678901234567890";
        assert_eq!(number(long).to_string(), long);
        assert_eq!(number(-7).to_string(), "-7");
    }
}

//! What this machine has for a tournament: programs.

use std::ffi::OsStr;
use std::path::Path;

/// Whether a program can be found: a path, or a name in `PATH`.
pub(super) fn is_there(program: &OsStr) -> bool {
    let path = Path::new(program);
    if path.components().count() != 1 || path.is_absolute() {
        return path.exists();
    }
    let places = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    std::env::split_paths(&places).any(|place| place.join(path).exists())
}

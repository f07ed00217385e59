//! Ctrl-C handling: a running world stops at a whole generation; anything else exits at once.
//! No half-written file is left behind.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// Whether someone polls [`PRESSED`] and will stop.
static IS_HANDLED: AtomicBool = AtomicBool::new(false);
/// The path of the temporary file being written.
static TEMPORARY_FILE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Installs the Ctrl-C handler.
pub(crate) fn listen() {
    // Without a handler, Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(|| {
        let was_pressed = PRESSED.swap(true, Ordering::SeqCst);
        if IS_HANDLED.load(Ordering::SeqCst) && !was_pressed {
            return;
        }
        let temporary_file = TEMPORARY_FILE
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = temporary_file.as_deref() {
            // It is only a temporary file, and no error can be reported any more.
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(130);
    });
}

/// While this exists, the first Ctrl-C only requests a stop; a second one exits.
#[derive(Debug)]
pub(crate) struct InterruptGuard(());

impl InterruptGuard {
    pub(crate) fn new() -> Self {
        IS_HANDLED.store(true, Ordering::SeqCst);
        Self(())
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn asked_to_stop(&self) -> bool {
        PRESSED.load(Ordering::Relaxed)
    }

    /// The flag that Ctrl-C sets.
    pub(crate) fn flag(&self) -> &'static AtomicBool {
        &PRESSED
    }
}

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        IS_HANDLED.store(false, Ordering::SeqCst);
    }
}

/// Creates a temporary file, which Ctrl-C removes. The handler waits for the creation, so that
/// the file cannot be missed.
pub(crate) fn begin_file(
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    let mut temporary_file = TEMPORARY_FILE
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    *temporary_file = Some(file.path().to_path_buf());
    Ok(file)
}

/// The temporary file has been renamed or removed.
pub(crate) fn end_file() {
    *TEMPORARY_FILE
        .lock()
        .unwrap_or_else(PoisonError::into_inner) = None;
}

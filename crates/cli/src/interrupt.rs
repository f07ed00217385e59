//! Ctrl-C: a world that is stepping stops at a whole generation; anything else ends at
//! once. Either way no half-written file stays behind.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// Somebody looks at [`PRESSED`] and will stop.
static HEEDED: AtomicBool = AtomicBool::new(false);
/// The file that is being written under a temporary name.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Listens for Ctrl-C from here on.
pub(crate) fn listen() {
    // Where signals cannot be had, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(|| {
        let again = PRESSED.swap(true, Ordering::SeqCst);
        if HEEDED.load(Ordering::SeqCst) && !again {
            return;
        }
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = unfinished.as_deref() {
            // It is only a temporary file, and there is nobody left to tell.
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(130);
    });
}

/// As long as this lives, Ctrl-C only asks to stop; a second one does not ask.
#[derive(Debug)]
pub(crate) struct InterruptGuard(());

impl InterruptGuard {
    pub(crate) fn new() -> Self {
        HEEDED.store(true, Ordering::SeqCst);
        Self(())
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn asked_to_stop(&self) -> bool {
        PRESSED.load(Ordering::Relaxed)
    }

    /// The flag that Ctrl-C sets, for those who look at it themselves.
    pub(crate) fn flag(&self) -> &'static AtomicBool {
        &PRESSED
    }
}

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        HEEDED.store(false, Ordering::SeqCst);
    }
}

/// Makes a temporary file, which Ctrl-C removes from then on. Ctrl-C waits until it is made: in
/// between it would stay behind.
pub(crate) fn begin_file(
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    *unfinished = Some(file.path().to_path_buf());
    Ok(file)
}

/// The temporary file is finished, or gone.
pub(crate) fn end_file() {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

//! Ctrl-C: a world that is stepping stops at a whole generation; anything else ends at
//! once. Either way no half-written file stays behind.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

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
pub(crate) struct Heed(());

impl Heed {
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

impl Drop for Heed {
    fn drop(&mut self) {
        HEEDED.store(false, Ordering::SeqCst);
    }
}

/// Remembers the temporary file to remove on Ctrl-C; `None` when it is finished.
pub(crate) fn unfinished(path: Option<&Path>) {
    let mut held = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    *held = path.map(Path::to_path_buf);
}

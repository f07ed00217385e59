//! Contains panics: a panic ends one world, table, tournament or search, and is logged with the
//! task that caused it.
//!
//! A panic unwinds to the nearest [`contain`]; the caller drops the affected state and replaces it.
//! The panic, its backtrace and the current task go to standard error, through a hook that
//! [`install_hook`] adds to the process's own.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// A panic that was contained: the message that it had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContainedPanic(pub(crate) String);

/// Tasks are cut to this many bytes: a pasted pattern may be a megabyte.
const LONGEST_TASK: usize = 200;

thread_local! {
    /// What this thread is doing, where it has said so.
    static TASK: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sets this thread's task for the log of a panic.
pub(crate) fn set_task(kind: &str, text: &str) {
    TASK.with_borrow_mut(|task| {
        task.clear();
        task.push_str(kind);
        task.push_str(shortened(text));
    });
}

/// This thread's task.
pub(crate) fn task() -> String {
    TASK.with_borrow(String::clone)
}

/// Runs `work`, catching a panic.
///
/// State that `work` was changing is not to be trusted after a panic: the caller drops it, or knows
/// that it changes in whole steps only.
///
/// # Errors
///
/// The panic.
pub(crate) fn contain<T>(work: impl FnOnce() -> T) -> Result<T, ContainedPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| ContainedPanic(message(panic.as_ref())))
}

/// Installs the hook that logs every panic with its backtrace and the thread's task. Further calls
/// do nothing.
pub(crate) fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            before(panic);
            let task = task();
            if !task.is_empty() {
                eprintln!("while doing: {task}");
            }
            eprintln!("{}", Backtrace::force_capture());
        }));
    });
}

fn shortened(text: &str) -> &str {
    let end = text.floor_char_boundary(LONGEST_TASK);
    &text[..end]
}

/// The text of a panic; one that is no text has none.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_contained_with_its_message() {
        assert_eq!(contain(|| 5), Ok(5));
        let plain = contain(|| -> u8 { panic!("plain") });
        assert_eq!(plain, Err(ContainedPanic("plain".into())));
        let made = contain(|| -> u8 { panic!("made {}", 1) });
        assert_eq!(made, Err(ContainedPanic("made 1".into())));
    }

    #[test]
    fn tasks_are_told_up_to_a_length() {
        set_task("command: ", &"ü".repeat(1000));
        assert_eq!(task(), format!("command: {}", "ü".repeat(100)));
    }
}

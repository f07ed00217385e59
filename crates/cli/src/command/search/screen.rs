//! `gridpaper search` without a task: the search screen.

use crate::command::home_screen::{has_person, run_command, terminal_profile, to_result};
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use tui::search::{SearchScreen, run as run_screen};

/// Shows the screen until the user leaves, and opens what is chosen on it.
pub(super) fn run() -> Result<(), CliFailure> {
    if !has_person() {
        return Err(CliFailure::Wrong {
            message: "search: which task? The screen needs a terminal".into(),
            hint: Some("gridpaper search osc --period 3 --size 7x7".into()),
        });
    }
    let mut screen = SearchScreen::new(terminal_profile());
    loop {
        let interrupts = InterruptGuard::new();
        to_result(run_screen(&mut screen, &|| interrupts.asked_to_stop()))?;
        drop(interrupts);
        let Some(choice) = screen.take_choice() else {
            return Ok(());
        };
        match run_command(&["view", "--rule", &choice.rule, "--", &choice.cells]) {
            Err(failure) if InterruptGuard::new().asked_to_stop() => return Err(failure),
            Err(CliFailure::Interrupted { message } | CliFailure::Wrong { message, .. }) => {
                screen.show_message(message);
            }
            ended => ended?,
        }
    }
}

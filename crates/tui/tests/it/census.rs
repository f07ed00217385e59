//! The census screen: soups are counted, searched and opened.

use crate::drawing::{keys, shown, wait};
use tui::census::CensusScreen;
use tui::screens::ChoiceScreen;
use tui::{ColourDepth, TerminalProfile};

const PLAIN: TerminalProfile = TerminalProfile {
    depth: ColourDepth::None,
    is_dark: true,
};

#[test]
fn soups_are_counted_searched_and_opened() {
    let mut screen = CensusScreen::new(PLAIN);
    assert!(shown(&mut screen).contains("space counts what these soups leave"));
    keys(
        &mut screen,
        "n Backspace Backspace Backspace Backspace Backspace 3 0 Enter Space",
    );
    let now = wait(&mut screen, "space counts");
    let block = now.lines().find(|line| line.contains("xs4_33"));
    let block = block.unwrap_or_else(|| panic!("{now}"));
    assert!(
        block.contains("block") && block.contains("still life"),
        "{now}"
    );
    keys(&mut screen, "/ g l i d e r Enter");
    let now = shown(&mut screen);
    assert!(now.contains("xq4_153") && !now.contains("xs4_33"), "{now}");
    keys(&mut screen, "Enter");
    let choice = screen.take_choice().unwrap();
    assert_eq!(
        (&choice.pattern[..], &choice.rule[..]),
        ("xq4_153", "B3/S23")
    );
    keys(&mut screen, "o");
    let choice = screen.take_choice().unwrap();
    assert!(choice.pattern.starts_with("C1/gridpaper"), "{choice:?}");
}

#[test]
fn what_cannot_be_counted_is_said() {
    let mut screen = CensusScreen::new(PLAIN);
    keys(&mut screen, "y Backspace Backspace z 9 Enter Space");
    assert!(shown(&mut screen).contains("z9"));
    keys(&mut screen, "n x Enter");
    assert!(shown(&mut screen).contains("no number of soups"));
    keys(&mut screen, "q");
    assert_eq!(screen.take_choice(), None);
}

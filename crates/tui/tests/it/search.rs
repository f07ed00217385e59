//! The search screen: patterns are looked for, watched and opened.

use crate::drawing::{keys, shown, wait};
use tui::screens::ChoiceScreen;
use tui::search::SearchScreen;
use tui::{ColourDepth, TerminalProfile};

const PLAIN: TerminalProfile = TerminalProfile {
    depth: ColourDepth::None,
    is_dark: true,
};

#[test]
fn what_is_asked_is_found_and_opened() {
    let mut screen = SearchScreen::new(PLAIN);
    assert!(shown(&mut screen).contains("oscillator of period 3 7x7 C1"));
    keys(
        &mut screen,
        "b Backspace Backspace Backspace 4 x 4 Enter Space",
    );
    wait(
        &mut screen,
        "there is no oscillator of period 3 in a 4 x 4 box",
    );
    // the blinker's middle is drawn, and what is around it is free
    keys(
        &mut screen,
        "p Backspace 2 Enter d o ! Enter f 1 Enter a Space",
    );
    let now = wait(&mut screen, "these are all");
    assert!(now.contains("blinker") && now.contains("xp2_7"), "{now}");
    keys(&mut screen, "Enter");
    let choice = screen.take_choice().unwrap();
    assert_eq!(choice.rule, "B3/S23");
    assert!(
        ["3o!", "o$o$o!"].contains(&&choice.pattern[..]),
        "{choice:?}"
    );
    // five tasks, and the first again
    keys(&mut screen, "t");
    assert!(shown(&mut screen).contains("spaceship c/3"));
    keys(&mut screen, "t t t");
    assert!(shown(&mut screen).contains("whether the drawing is an orphan"));
    keys(&mut screen, "t");
    assert!(shown(&mut screen).contains("oscillator of period 2"));
}

#[test]
fn a_search_is_watched_and_stopped() {
    let mut screen = SearchScreen::new(PLAIN);
    keys(
        &mut screen,
        "b Backspace Backspace Backspace 1 8 x 1 8 Enter p Backspace 5 Enter a Space",
    );
    let now = wait(&mut screen, "nodes");
    assert!(now.contains("space stops"), "{now}");
    assert!(now.contains("???"), "{now}");
    keys(&mut screen, "Space");
    wait(&mut screen, "nothing more is known");
}

#[test]
fn what_means_nothing_is_said() {
    let mut screen = SearchScreen::new(PLAIN);
    keys(&mut screen, "y Backspace Backspace z 9 Enter Space");
    assert!(shown(&mut screen).contains("z9"));
    for (names, words) in [
        ("b x Enter", "no box"),
        ("p x Enter", "no number of generations"),
        ("m x Enter", "no number"),
        ("Enter", "nothing is found yet"),
    ] {
        keys(&mut screen, names);
        let now = shown(&mut screen);
        assert!(now.contains(words), "{now}");
    }
    keys(&mut screen, "q");
    assert_eq!(screen.take_choice(), None);
}

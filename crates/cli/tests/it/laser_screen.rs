//! `gridpaper laser play` in a real terminal: keys in, a screen out.

use crate::Folder;
use crate::terminal::Terminal;

/// What a terminal sends for keys.
const LEFT: &str = "\x1b[D";
const TAB: &str = "\t";
const ENTER: &str = "\r";

#[test]
fn a_level_is_played_to_its_end_with_keys() {
    let folder = Folder::new();
    let file = folder.write(
        "mine.level",
        "5 4\nW W SvW W\nW . . . W\nL>. . M/W\nW W W W W\n",
    );
    let mut terminal = Terminal::start(&["laser", "play", &file], 80, 24);
    terminal.wait_for(&["mine.level", "0 of 1 sensors lit"]);
    for key in [TAB, ENTER, LEFT, ENTER] {
        terminal.press(key);
    }
    terminal.wait_for(&["1 of 1 sensors lit", "solved in 1 move, and none"]);
    terminal.press("u");
    terminal.wait_for(&["0 of 1 sensors lit"]);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_small_terminal_is_told_so() {
    let mut terminal = Terminal::start(&["laser", "play", "example"], 30, 6);
    terminal.wait_for(&["too small"]);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

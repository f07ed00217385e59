//! `gridpaper laser play` in a real terminal: keys in, a screen out.

use crate::CliTestFolder;
use crate::terminal::Terminal;

/// What a terminal sends for keys.
const LEFT: &str = "\x1b[D";
const TAB: &str = "\t";
const ENTER: &str = "\r";

#[test]
fn a_level_is_played_to_its_end_with_keys() {
    let folder = CliTestFolder::new();
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

/// Twelve sensors round an open board, and fourteen pieces: more than can be looked through.
fn endless() -> String {
    const SIDE: usize = 20;
    let pieces = ["B\\", "B/", "M/", "T^"];
    let tile = |x: usize, y: usize| match (x, y) {
        (0, 3) => "L>",
        (2..=17, 0) if x.is_multiple_of(3) => "Sv",
        (2..=17, 19) if x % 3 == 2 => "S^",
        (1..=14, 10) => pieces[x % 4],
        (0 | 19, _) | (_, 0 | 19) => "W",
        _ => ".",
    };
    let row = |y| (0..SIDE).map(|x| tile(x, y)).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = (0..SIDE).map(row).collect();
    format!("{SIDE} {SIDE}\n{}\n", rows.join("\n"))
}

#[test]
fn a_long_search_tells_how_far_it_is_and_heeds_ctrl_c() {
    let folder = CliTestFolder::new();
    let file = folder.write("endless.level", endless());
    let mut terminal = Terminal::start(&["laser", "solve", &file, "--fewest-moves"], 80, 24);
    terminal.wait_for(&[" s: ", " nodes, at least "]);
    terminal.press("\x03");
    terminal.wait_for(&["interrupted: not known after", "moves will not do"]);
    assert_eq!(terminal.end(), 130);
}

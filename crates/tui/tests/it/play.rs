//! The room play: games by keys and mouse alone, against players and between people.

use crate::drawing::{buffer, press, text};
use crate::script::mouse;
use games::{Outcome, Seat};
use matches::Ending;
use models::play::Thinker;
use ratatui::crossterm::event::{MouseButton, MouseEventKind};
use ratatui::style::Modifier;
use std::time::Duration;
use tui::play::{PlayScreen, PlayScreenOptions};
use tui::{ColourDepth, TerminalProfile};

const SIZE: (u16, u16) = (80, 24);

const PLAIN: TerminalProfile = TerminalProfile {
    depth: ColourDepth::None,
    is_dark: true,
};

/// A room in which a game has begun; a seat without a name is a person's.
fn app(game: &str, players: [&str; 2]) -> PlayScreen {
    let seat = |name: &str| match name {
        "" => None,
        name => Some(name.parse().unwrap()),
    };
    let terms = PlayScreenOptions {
        game: Some(game.parse().unwrap()),
        players: Some(players.map(seat)),
        seed: 1,
        ..PlayScreenOptions::default()
    };
    PlayScreen::new(terms, SIZE, PLAIN).unwrap()
}

fn screen(app: &mut PlayScreen) -> String {
    text(SIZE, |buffer| {
        app.draw(buffer);
    })
}

fn keys(app: &mut PlayScreen, names: &str) {
    for name in names.split(' ') {
        app.event(&press(name));
        // each is seen by a person
        screen(app);
    }
}

/// Lets those think who are asked, as the loop does in its thread.
fn think(app: &mut PlayScreen, thinker: &mut Option<Thinker>) {
    if let Some(new) = app.take_thinker() {
        *thinker = Some(new);
    }
    let thinker = thinker.as_mut().unwrap();
    while let Some(wanted) = app.query() {
        let request = app.request(&wanted).unwrap();
        let answer = thinker.answer(&request, &mut || true);
        app.receive_answer(&wanted, answer);
    }
}

/// Puts the cursor on a cell by the labels that stand on the screen, with keys.
fn go(app: &mut PlayScreen, from: (i32, i32), to: (i32, i32)) {
    let step = |by: i32, more: &str, less: &str| {
        vec![
            if by > 0 {
                more.to_string()
            } else {
                less.to_string()
            };
            by.unsigned_abs() as usize
        ]
    };
    let mut names = step(to.0 - from.0, "Right", "Left");
    names.extend(step(to.1 - from.1, "Down", "Up"));
    if !names.is_empty() {
        keys(app, &names.join(" "));
    }
}

#[test]
fn two_people_play_to_the_end_at_one_keyboard() {
    let mut app = app("tictactoe", ["", ""]);
    let before = screen(&mut app);
    for expected in [
        "play   tic-tac-toe",
        "O to move",
        "? help",
        "moves",
        "┼───┼",
    ] {
        assert!(before.contains(expected), "{expected}: {before}");
    }
    let cells = [
        (1, 1),
        (0, 0),
        (0, 2),
        (2, 0),
        (1, 0),
        (1, 2),
        (2, 1),
        (0, 1),
        (2, 2),
    ];
    let mut at = (1, 1);
    for cell in cells {
        go(&mut app, at, cell);
        keys(&mut app, "Enter");
        at = cell;
    }
    assert_eq!(app.history().len(), 9);
    let after = screen(&mut app);
    assert!(app.is_over() && after.contains("a draw"), "{after}");
    assert!(after.contains("a draw · the board is full"), "{after}");
    assert!(after.contains("n play again"), "{after}");
    keys(&mut app, "Enter");
    assert!(screen(&mut app).contains("the game is over"));
    keys(&mut app, "u");
    assert_eq!(app.history().len(), 8);
    keys(&mut app, "n");
    assert!(app.history().is_empty());
    keys(&mut app, "q");
    assert!(app.is_leaving());
}

#[test]
fn the_winning_row_is_marked_and_what_decided_is_told() {
    let mut app = app("tictactoe", ["", ""]);
    let mut at = (1, 1);
    for cell in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 2)] {
        go(&mut app, at, cell);
        keys(&mut app, "Enter");
        at = cell;
    }
    let after = screen(&mut app);
    assert!(after.contains("O has won · 3 in a row"), "{after}");
    assert_eq!(after.matches("*O*").count(), 3, "{after}");
    keys(&mut app, "[");
    assert!(!screen(&mut app).contains("*O*"), "it was not won then");
}

#[test]
fn the_perfect_player_is_never_beaten_and_says_why() {
    let mut app = app("tictactoe", ["", "perfect"]);
    let mut thinker = None;
    let mut at = (1, 1);
    let all: Vec<(i32, i32)> = (0..9).map(|i| (i % 3, i / 3)).collect();
    while !app.is_over() {
        let turns = app.history().len();
        for &cell in &all {
            go(&mut app, at, cell);
            at = cell;
            keys(&mut app, "Enter");
            if app.history().len() > turns {
                break;
            }
            let told = screen(&mut app);
            assert!(told.contains("is taken"), "{told}");
        }
        think(&mut app, &mut thinker);
    }
    let end = screen(&mut app);
    assert!(!end.contains("you have won"), "{end}");
    keys(&mut app, "w");
    let why = screen(&mut app);
    assert!(why.contains("thought") && why.contains("proven:"), "{why}");
}

#[test]
fn a_hint_is_marked_and_a_move_is_taken_back_with_the_answer() {
    let mut app = app("tictactoe", ["", "perfect"]);
    let mut thinker = None;
    keys(&mut app, "Enter");
    assert!(screen(&mut app).contains("perfect is thinking"));
    app.tick(Duration::from_secs(3));
    assert!(screen(&mut app).contains("perfect is thinking 3 s"));
    think(&mut app, &mut thinker);
    assert_eq!(app.history().len(), 2);
    keys(&mut app, "h");
    assert!(screen(&mut app).contains("looking for a move"));
    think(&mut app, &mut thinker);
    let hinted = screen(&mut app);
    assert!(hinted.contains("perfect would play "), "{hinted}");
    assert!(hinted.contains('{'), "{hinted}");
    keys(&mut app, "Escape");
    assert!(!screen(&mut app).contains('{'));
    keys(&mut app, "u");
    assert!(app.history().is_empty());
    keys(&mut app, "u");
    assert!(screen(&mut app).contains("there is no move of yours to take back"));
    // the player follows what was taken back
    keys(&mut app, "Left Enter");
    think(&mut app, &mut thinker);
    assert_eq!(app.history()[0], "A2");
    assert_eq!(app.history().len(), 2);
}

#[test]
fn an_answer_about_another_position_is_left_aside() {
    let mut app = app("tictactoe", ["", "perfect"]);
    let mut thinker = app.take_thinker();
    keys(&mut app, "Enter");
    let wanted = app.query().unwrap();
    let request = app.request(&wanted).unwrap();
    let answer = thinker.as_mut().unwrap().answer(&request, &mut || true);
    keys(&mut app, "u");
    app.receive_answer(&wanted, answer);
    assert!(app.history().is_empty());
}

#[test]
fn a_stone_shows_what_it_would_cause() {
    let mut app = app("stones", ["", ""]);
    let start = screen(&mut app);
    assert!(
        start.contains("w  W  w") && start.contains("w [·] w"),
        "{start}"
    );
    // far from all stones none may be put, so nothing is shown to come
    go(&mut app, (9, 9), (18, 18));
    let far = screen(&mut app);
    assert!(!far.contains('×') && !far.contains("w  W"), "{far}");
    assert!(
        far.contains(" W  ·  W ") && far.contains(" B  ·  B "),
        "{far}"
    );
    // d4, in the middle of a ring
    let at = |name: &str| {
        (
            i32::from(name.as_bytes()[0]) - 97,
            19 - name[1..].parse::<i32>().unwrap(),
        )
    };
    go(&mut app, (18, 18), at("d4"));
    let shown = screen(&mut app);
    assert!(shown.contains('×'), "{shown}");
    assert!(shown.contains("d4: "), "{shown}");
    keys(&mut app, "p");
    let plain = screen(&mut app);
    assert!(!plain.contains('×'), "{plain}");
    keys(&mut app, "p Enter");
    assert_eq!(app.history(), ["d4"]);
    let played = screen(&mut app);
    assert!(played.contains("W to move"), "{played}");
    keys(&mut app, "[");
    let back = screen(&mut app);
    assert!(back.contains("turn 0 of 1"), "{back}");
    keys(&mut app, "]");
    assert!(!screen(&mut app).contains("turn 0 of 1"));
}

#[test]
fn columns_are_entered_hidden_one_after_the_other() {
    let mut app = app("duel", ["", ""]);
    let first = screen(&mut app);
    assert!(first.contains("O to move: column"), "{first}");
    assert!(first.contains("mana"), "{first}");
    // the spec's first turn: ones in the first three rows
    keys(&mut app, "Up Up Up Up Space Down Space Down Space");
    assert!(screen(&mut app).contains("3 marked"));
    keys(&mut app, "Enter");
    let second = screen(&mut app);
    assert!(second.contains("X to move: column"), "{second}");
    assert!(
        second.contains("0 marked") && second.contains("O has moved"),
        "{second}"
    );
    assert!(!second.contains("<O>"), "nobody sees it: {second}");
    keys(&mut app, "Enter");
    assert_eq!(app.history(), ["11100000/00000000"]);
    let both = screen(&mut app);
    assert!(both.contains("O's view"), "{both}");
    keys(&mut app, "v");
    assert!(screen(&mut app).contains("X's view"));
    keys(&mut app, "v");
    let both = screen(&mut app);
    assert!(
        both.contains("O's view") && both.contains("X's view"),
        "{both}"
    );
}

#[test]
fn a_column_that_costs_too_much_is_refused() {
    let mut app = app("duel", ["", "random"]);
    keys(&mut app, ":");
    for letter in "11111111".chars() {
        keys(&mut app, &letter.to_string());
    }
    keys(&mut app, "Enter");
    let told = screen(&mut app);
    assert!(told.contains("that costs 8 mana"), "{told}");
}

#[test]
fn the_mouse_plays_too() {
    let mut app = app("tictactoe", ["", ""]);
    let shown = buffer(SIZE, |buffer| {
        app.draw(buffer);
    });
    // the cursor is drawn where the middle cell is
    let middle = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
    let is_cursor = |&(x, y): &(u16, u16)| shown[(x, y)].modifier.contains(Modifier::REVERSED);
    let (x, y) = middle.clone().find(is_cursor).unwrap();
    let click = |app: &mut PlayScreen, x: u16, y: u16| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        app.event(&mouse(kind, &format!("{x},{y}")));
        screen(app);
    };
    click(&mut app, x, y);
    click(&mut app, x + 5, y);
    click(&mut app, x, y - 2);
    assert_eq!(app.history(), ["B2", "C2", "B1"]);
    // beside the board nothing happens
    click(&mut app, 0, 5);
    assert_eq!(app.history().len(), 3);
}

#[test]
fn a_game_and_its_players_are_chosen() {
    let mut app = PlayScreen::new(PlayScreenOptions::default(), SIZE, PLAIN).unwrap();
    let asked = screen(&mut app);
    for expected in [
        "who plays what",
        "game",
        "tictactoe",
        "first seat",
        "a person",
    ] {
        assert!(asked.contains(expected), "{expected}: {asked}");
    }
    // the second game, by an arrow; then the next player for the second seat
    keys(&mut app, "Right Down Down");
    let other = screen(&mut app);
    assert!(other.contains("4 in a row on 5 x 5 · mnk:5,5,4"), "{other}");
    keys(&mut app, "Up Up e");
    for _ in 0..20 {
        keys(&mut app, "Backspace");
    }
    for letter in "mnk:4,4,3".chars() {
        keys(&mut app, &letter.to_string());
    }
    keys(&mut app, "Enter Enter");
    let begun = screen(&mut app);
    assert!(begun.contains("play   3 in a row on 4 x 4"), "{begun}");
    keys(&mut app, "o q");
    assert!(!app.is_leaving());
    keys(&mut app, "q");
    assert!(app.is_leaving());
}

#[test]
fn a_game_that_there_is_not_is_told() {
    let mut app = PlayScreen::new(PlayScreenOptions::default(), SIZE, PLAIN).unwrap();
    keys(&mut app, "e x Enter");
    let told = screen(&mut app);
    assert!(told.contains("there is no game"), "{told}");
}

#[test]
fn players_play_each_other_and_wait() {
    let mut app = app("mnk:5,5,4", ["random", "random"]);
    keys(&mut app, "Space");
    assert!(app.query().is_none());
    assert!(screen(&mut app).contains("waiting"));
    keys(&mut app, "Space");
    let mut thinker = None;
    think(&mut app, &mut thinker);
    assert!(app.is_over());
    // the same again is another game, and the players follow
    let first = app.history().to_vec();
    keys(&mut app, "n");
    think(&mut app, &mut thinker);
    assert!(app.is_over() && app.history() != first);
}

#[test]
fn a_bot_that_fails_has_lost() {
    let mut app = app("stones", ["", "cmd:/nowhere/at/all"]);
    let mut thinker = None;
    keys(&mut app, ":");
    for letter in ["d", "4", "Enter"] {
        keys(&mut app, letter);
    }
    think(&mut app, &mut thinker);
    let told = screen(&mut app);
    assert!(app.is_over() && told.contains("you have won"), "{told}");
}

#[test]
fn every_size_shows_what_it_can() {
    for (game, players) in [
        ("tictactoe", ["", ""]),
        ("stones", ["", ""]),
        ("duel:16x16", ["", ""]),
    ] {
        let mut app = app(game, players);
        for size in [(120, 50), (80, 24), (60, 16), (40, 12), (40, 8)] {
            let shown = text(size, |buffer| {
                app.draw(buffer);
            });
            assert!(shown.contains("to move"), "{game} {size:?}: {shown}");
            assert!(shown.contains("? help"), "{game} {size:?}: {shown}");
        }
        let small = text((30, 6), |buffer| {
            app.draw(buffer);
        });
        assert!(small.contains("too small: 40x8"), "{small}");
    }
}

#[test]
fn nothing_depends_on_colour() {
    for depth in [ColourDepth::True, ColourDepth::Indexed, ColourDepth::None] {
        for is_dark in [false, true] {
            let terms = PlayScreenOptions {
                game: Some("stones".parse().unwrap()),
                players: Some([None, None]),
                ..PlayScreenOptions::default()
            };
            let mut coloured =
                PlayScreen::new(terms, SIZE, TerminalProfile { depth, is_dark }).unwrap();
            let mut plain = app("stones", ["", ""]);
            assert_eq!(screen(&mut coloured), screen(&mut plain));
        }
    }
}

#[test]
fn help_lists_what_can_be_done() {
    let mut app = app("duel", ["", ""]);
    keys(&mut app, "?");
    let mut all = String::new();
    for _ in 0..4 {
        all += &screen(&mut app);
        keys(&mut app, "PageDown");
    }
    for expected in [
        "make the move",
        "hint",
        "take your last move back",
        "an empty goal",
    ] {
        assert!(all.contains(expected), "{expected}: {all}");
    }
    keys(&mut app, "Escape");
    assert!(!screen(&mut app).contains("esc closes"));
}

#[test]
fn a_game_is_saved_and_can_be_checked() {
    for (names, ending) in [
        ("Enter Left Enter Right Right Enter", "unfinished"),
        ("Enter Left Enter Shift-R", "resigned"),
        (
            "Enter Left Enter Up Enter Right Enter Down Down Right Enter",
            "rules",
        ),
    ] {
        let mut app = app("tictactoe", ["", ""]);
        keys(&mut app, names);
        keys(&mut app, "s Enter");
        let saved = app.take_saved().unwrap();
        assert_eq!(saved.name, "game.replay");
        let mut games = matches::replay::read_text(&saved.text);
        let kept = games.next().unwrap().unwrap();
        kept.check().unwrap();
        assert_eq!(kept.record.ending.kind(), ending, "{}", saved.text);
        assert_eq!(kept.record.players, ["human", "human"]);
        // of two people whoever is to move gives up, and the other has won
        if ending == "resigned" {
            assert_eq!(kept.record.ending, Ending::Resigned(Seat::First));
            assert_eq!(kept.record.outcome, Outcome::Win(Seat::Second));
            let told = screen(&mut app);
            assert!(told.contains("O has resigned"), "{told}");
        }
    }
}

#[test]
fn whoever_resigns_can_think_again() {
    let mut app = app("tictactoe", ["", "perfect"]);
    keys(&mut app, "Shift-R");
    let told = screen(&mut app);
    assert!(told.contains("perfect has won · O has resigned"), "{told}");
    keys(&mut app, "u");
    assert!(!app.is_over());
}

#[test]
fn a_thought_about_a_hidden_move_is_hidden_too() {
    let mut app = app("duel", ["", "material"]);
    let mut thinker = None;
    keys(&mut app, "w");
    think(&mut app, &mut thinker);
    let before = screen(&mut app);
    assert!(before.contains("nothing yet"), "{before}");
    keys(&mut app, "Enter");
    assert_eq!(app.history().len(), 1);
    let after = screen(&mut app);
    assert!(after.contains("X at turn 1"), "{after}");
    // and so for the next one
    think(&mut app, &mut thinker);
    let after = screen(&mut app);
    assert!(after.contains("X at turn 1"), "{after}");
}

/// The rules of the game are one key away, in the game and in the form before it; the form
/// has the games by their titles.
#[test]
fn i_shows_the_rules() {
    let mut app = app("stones", ["", ""]);
    keys(&mut app, "i");
    let rules = screen(&mut app);
    for words in ["Life on a go board", "goal    The other", "black plays b2"] {
        assert!(rules.contains(words), "no {words}: {rules}");
    }
    keys(&mut app, "x");
    assert!(!screen(&mut app).contains("Life on a go board"));
    keys(&mut app, "o");
    let form = screen(&mut app);
    assert!(form.contains("stones · stones"), "{form}");
    keys(&mut app, "Up Up Up Left");
    let form = screen(&mut app);
    let title = "5 in a row on 15 x 15 · mnk:15,15,5";
    assert!(form.contains(title), "{form}");
    keys(&mut app, "i");
    let rules = screen(&mut app);
    assert!(rules.contains("5 of your own in a row"), "{rules}");
}

/// In the duel the cursor starts in one's own column; Enter and Space say why nothing happens
/// where a move is not possible.
#[test]
fn a_key_that_can_do_nothing_says_why() {
    let mut own = app("duel", ["", "material"]);
    let before = screen(&mut own);
    keys(&mut own, "Space Enter");
    assert_eq!(own.history().len(), 0, "{before}");
    for name in ["Enter", "Space"] {
        keys(&mut own, name);
        let told = screen(&mut own);
        let words = "your column is sent · material has yet to write one";
        assert!(told.contains(words), "{name}: {told}");
    }
    let mut waiting = app("tictactoe", ["perfect", ""]);
    keys(&mut waiting, "Enter");
    let told = screen(&mut waiting);
    let words = "it is the turn of perfect · wait for its move";
    assert!(told.contains(words), "{told}");
    let mut watched = app("tictactoe", ["perfect", "perfect"]);
    keys(&mut watched, "Enter");
    let told = screen(&mut watched);
    assert!(told.contains("nobody plays from this keyboard"), "{told}");
}

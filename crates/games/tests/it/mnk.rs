//! The m,n,k games against their naive twin.

use games::conformance::{self, Effort, Naive};
use games::mnk::{Cell, Mnk, Position};
use games::{Game as _, Joint, Mark, Outcome, Seat, Turn};

/// The rules again: look everywhere for a line.
struct Twin;

fn has_line<const W: usize>(game: &Mnk<W>, state: &Position<W>, mark: Mark) -> bool {
    let (columns, rows) = (game.columns() as i32, game.rows() as i32);
    let on_board = |x: i32, y: i32| (0..columns).contains(&x) && (0..rows).contains(&y);
    let has = |x: i32, y: i32| on_board(x, y) && state.mark(game.cell(x as u32, y as u32)) == mark;
    let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
    places.into_iter().any(|(x, y)| {
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .any(|&(dx, dy)| (0..game.line() as i32).all(|i| has(x + i * dx, y + i * dy)))
    })
}

fn is_full<const W: usize>(game: &Mnk<W>, state: &Position<W>) -> bool {
    (0..game.cells()).all(|c| state.mark(c as Cell) != Mark::Empty)
}

impl<const W: usize> Naive<Mnk<W>> for Twin {
    fn turn(&self, game: &Mnk<W>, state: &Position<W>) -> Turn {
        if has_line(game, state, Mark::First) {
            return Turn::Over(Outcome::Win(Seat::First));
        }
        if has_line(game, state, Mark::Second) {
            return Turn::Over(Outcome::Win(Seat::Second));
        }
        if is_full(game, state) {
            return Turn::Over(Outcome::Draw);
        }
        Turn::One(state.to_move())
    }

    fn moves(&self, game: &Mnk<W>, state: &Position<W>, _: Seat) -> Vec<Cell> {
        let cells = (0..game.cells()).map(|c| c as Cell);
        cells.filter(|&c| state.mark(c) == Mark::Empty).collect()
    }

    fn after(&self, game: &Mnk<W>, state: &Position<W>, joint: Joint<Cell>) -> Position<W> {
        let Joint::One(cell) = joint else {
            panic!("one move at a time")
        };
        // by way of the text, which knows nothing of how positions are held
        let sign = match state.to_move() {
            Seat::First => "O",
            Seat::Second => "X",
        };
        let other = if sign == "O" { "X" } else { "O" };
        let text = game.write_state(state);
        let (x, y) = (
            u32::from(cell) % game.columns(),
            u32::from(cell) / game.columns(),
        );
        let place = (y * (game.columns() + 1) + x) as usize;
        let mut text = format!("{}{sign}{}", &text[..place], &text[place + 1..]);
        text = text.replace(&format!("{sign} to move"), &format!("{other} to move"));
        game.parse_state(&text).expect("a stone more")
    }
}

#[test]
fn boards_of_one_word_conform() {
    for (m, n, k) in [
        (3, 3, 3),
        (4, 3, 3),
        (5, 4, 4),
        (1, 5, 2),
        (8, 8, 5),
        (19, 3, 4),
    ] {
        let game = Mnk::<1>::new(m, n, k).expect("it fits");
        conformance::check(&game, &Twin, Effort::default());
    }
}

#[test]
fn boards_of_many_words_conform() {
    for (m, n, k) in [(13, 5, 4), (15, 15, 5), (19, 19, 6)] {
        let game = Mnk::<6>::new(m, n, k).expect("it fits");
        let effort = Effort {
            positions: 500,
            ..Effort::default()
        };
        conformance::check(&game, &Twin, effort);
    }
}

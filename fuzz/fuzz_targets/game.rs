#![no_main]
//! A game's name in the first line, then a position, a blank line, and a move.

use games::{AnyGame, Game as _, Seat, with_game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (name, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (position, m) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let Ok(game) = name.parse::<AnyGame>() else {
        return;
    };
    assert_eq!(game.to_string().parse::<AnyGame>(), Ok(game.clone()));
    with_game!(&game, |game| {
        let state = match game.parse_state(position) {
            Ok(state) => {
                let written = game.write_state(&state);
                assert_eq!(game.parse_state(&written).as_ref(), Ok(&state));
                state
            }
            Err(_) => game.start(),
        };
        for seat in Seat::BOTH {
            if let Ok(m) = game.parse_move(&state, seat, m) {
                assert!(game.is_legal(&state, seat, m));
            }
        }
    });
});

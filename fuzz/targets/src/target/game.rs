//! A game's name in the first line, then a position, a blank line, and a move.

use super::{bytes_of, owned};
use crate::Target;
use games::{AnyGame, Game as _, Seat, with_game};

pub(super) const GAME: Target = Target {
    name: "game",
    check,
    seeds: || {
        let names = [
            "tictactoe",
            "mnk:5,5,4",
            "duel",
            "duel:8x8,mana=20,goals=3",
            "stones",
            "stones:adjacency=off,plies=40",
        ];
        let mut seeds = bytes_of(&names);
        for game in names.into_iter().filter_map(|name| name.parse().ok()) {
            let game: AnyGame = game;
            let text = with_game!(&game, |rules| {
                let start = rules.start();
                let mut moves = Vec::new();
                rules.moves(&start, Seat::First, &mut moves);
                let middle = moves.get(moves.len() / 2).copied();
                let written = middle.map(|m| rules.write_move(m, Seat::First));
                let position = rules.write_state(&start);
                format!("{game}\n{position}\n\n{}", written.unwrap_or_default())
            });
            seeds.push(text.into_bytes());
        }
        seeds
    },
    words: || {
        owned(&[
            "tictactoe",
            "mnk:3,3,3",
            "mnk:19,19,5",
            "duel:8x8",
            "duel:16x16",
            "mana=10",
            "goals=2",
            "turns=5",
            "column=1",
            "overspend=",
            "rules=",
            "seed=7",
            "stones:",
            "adjacency=on",
            "plies=10",
            ",",
            "a1",
            "d4",
            "pass",
            "3,4",
        ])
    },
    gate_runs: 1000,
};

fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
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
}

//! The strong player of duel.

use games::{AnyGame, with_game};
use players::conformance;

#[test]
fn it_keeps_to_what_players_promise_on_every_board_and_with_every_option() {
    for text in [
        "duel",
        "duel:16x16",
        "duel:12x10,mana=20,goals=3.4/3.5",
        "duel:1x1,turns=5",
        "duel:32x64,turns=20",
        "duel:8x8,column=keep-capture,overspend=truncate",
        "duel:8x8,column=keep-cancel,rules=colour-life",
        "duel:column=or,rules=p2life,seed=3",
    ] {
        let game: AnyGame = text.parse().expect(text);
        with_game!(&game, |game| conformance::check(
            game,
            "strong:nodes=2000",
            4,
            1
        ));
    }
}

//! The games and players on offer.

use crate::options::AllowedBot;
use crate::pages::board;
use games::{AnyGame, Game as _, Seat, Turn, with_game};
use players::{able_players, check};
use serde_json::{Value, json};

/// Games to begin with, and what they are. Any other is typed.
const GAMES: &[(&str, &str)] = &[
    ("tictactoe", "three in a row on nine cells"),
    ("mnk:5,5,4", "four in a row on five by five"),
    ("mnk:15,15,5", "five in a row on a wide board"),
    (
        "stones",
        "Life on a go board: put a stone beside others, then all lives a tick",
    ),
    ("stones:adjacency=off", "the same, with stones put anywhere"),
    (
        "duel",
        "two colours of Life meet: a column each, at the same time",
    ),
    ("duel:16x16", "the same on a larger board"),
];

/// What a page offers for how long a player thinks, where the game has no better word for it.
const USUAL: u64 = 500;

/// What players of the program are like.
const PLAYERS: &[(&str, &str)] = &[
    ("random", "any move, by chance"),
    ("material", "takes what it can get at once"),
    ("alphabeta", "looks a few turns ahead at everything"),
    ("mcts", "plays many games to their end in its mind"),
    ("regret", "mixes its moves so that none is foreseen"),
    ("heuristic", "goes by rules of thumb, and says which"),
    ("perfect", "never gives away what is proven"),
    ("strong", "made for this game, the strongest there is"),
];

/// The games with their players, and the bots that may be played.
pub(super) fn to_json(bots: &[AllowedBot]) -> Value {
    let games = GAMES.iter().filter_map(|&(name, words)| {
        let game: AnyGame = name.parse().ok()?;
        let champion = matches::champion(&game);
        let players = able_players(&game).into_iter();
        Some(with_game!(&game, |rules| {
            let players = players.map(|name| {
                let words = PLAYERS.iter().find(|player| player.0 == name);
                json!({
                    "name": name,
                    "words": words.map_or("", |player| player.1),
                    "ms": usual(&game, &champion, name),
                })
            });
            json!({
                "name": name,
                "words": words,
                "players": Value::from_iter(players),
                "champion": champion,
                "start": board::to_json(&rules.diagram(&rules.start(), Seat::First)),
                "both": rules.turn(&rules.start()) == Turn::Both,
            })
        }))
    });
    let bots = bots.iter();
    let bots = bots.map(|bot| json!({ "name": format!("bot:{}", bot.name) }));
    json!({ "games": Value::from_iter(games), "bots": Value::from_iter(bots) })
}

/// How long a player thinks about a move where nobody says, in milliseconds; `None` for one
/// that has no such option.
fn usual(game: &AnyGame, champion: &str, player: &str) -> Option<u64> {
    let text = format!("{player}:ms={USUAL}");
    check(game, &text).is_ok().then(|| {
        let own = champion.strip_prefix(player);
        let own = own.and_then(|rest| rest.strip_prefix(":ms="));
        own.and_then(|ms| ms.parse().ok()).unwrap_or(USUAL)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_one_and_every_player_has_its_words() {
        let to_json = to_json(&[]);
        let games = to_json["games"].as_array().unwrap();
        assert_eq!(games.len(), GAMES.len());
        for game in games {
            let players = game["players"].as_array().unwrap();
            assert!(players.len() >= 3, "{game}");
            assert!(players.iter().all(|player| player["words"] != ""), "{game}");
        }
        assert_eq!(games[0]["champion"], "perfect");
        assert_eq!(games[5]["both"], true);
    }
}

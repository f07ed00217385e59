//! The games and players on offer.

use crate::board;
use games::{AnyGame, Game as _, Seat, Turn, with_game};
use players::{able_players, check};
use serde_json::{Value, json};

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
///
/// ```
/// let menu = wire::game_menu(["mine"]);
/// assert_eq!(menu["games"][0]["name"], "tictactoe");
/// assert_eq!(menu["bots"][0]["name"], "bot:mine");
/// ```
#[must_use]
pub fn to_json<'a>(bots: impl IntoIterator<Item = &'a str>) -> Value {
    let games = AnyGame::well_known().map(|game| {
        let champion = matches::champion(&game);
        let players = able_players(&game).into_iter();
        with_game!(&game, |rules| {
            let players = players.map(|name| {
                let words = PLAYERS.iter().find(|player| player.0 == name);
                json!({
                    "name": name,
                    "words": words.map_or("", |player| player.1),
                    "ms": usual(&game, &champion, name),
                })
            });
            json!({
                "name": game.to_string(),
                "title": game.title(),
                "words": game.summary(),
                "players": Value::from_iter(players),
                "champion": champion,
                "start": board::to_json(&rules.diagram(&rules.start(), Seat::First)),
                "both": rules.turn(&rules.start()) == Turn::Both,
            })
        })
    });
    let bots = bots.into_iter();
    let bots = bots.map(|bot| json!({ "name": format!("bot:{bot}") }));
    json!({ "games": Value::from_iter(games), "bots": Value::from_iter(bots) })
}

/// A game's rules, laid out by the page.
///
/// ```
/// let rules = wire::game_rules(&"tictactoe".parse()?);
/// assert!(rules["goal"].is_string());
/// # Ok::<(), games::GameNameError>(())
/// ```
#[must_use]
pub fn rules(game: &AnyGame) -> Value {
    let sheet = game.rule_sheet();
    let pictures = sheet.pictures.iter().map(|picture| {
        json!({ "diagram": board::to_json(&picture.diagram), "caption": picture.caption })
    });
    json!({
        "title": game.title(),
        "heading": sheet.heading,
        "goal": sheet.goal,
        "turn": sheet.turn,
        "effects": sheet.effects,
        "end": sheet.end,
        "pictures": Value::from_iter(pictures),
    })
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
        let to_json = to_json([]);
        let games = to_json["games"].as_array().unwrap();
        assert_eq!(games.len(), AnyGame::well_known().count());
        for game in games {
            let players = game["players"].as_array().unwrap();
            assert!(players.len() >= 3, "{game}");
            assert!(players.iter().all(|player| player["words"] != ""), "{game}");
        }
        assert_eq!(games[0]["champion"], "perfect");
        assert_eq!(games[3]["title"], "5 in a row on 15 x 15");
        assert_eq!(games[6]["both"], true);
    }
}

//! At a table where this program's own protocol is spoken: any game, any number of games.

use super::{ArenaConnection, ExternalPlayer, MoveDeadline, SitError, SitProblem, open};
use crate::bot::BotGame;
use games::{AnyGame, Game, Seat, with_game};
use players::Player;
use std::time::Duration;

/// The version of the protocol.
const VERSION: &str = "gridpaper 1";

pub(super) fn sit(guest: &ExternalPlayer, table: &mut ArenaConnection<'_>) -> Result<(), SitError> {
    let Some(line) = table.next()? else {
        return Ok(());
    };
    if line != VERSION {
        return Err(table.unexpected(&line, "`gridpaper 1`"));
    }
    let name: String = guest.player.split_whitespace().collect();
    table.say(&format!("name {name} again"))?;
    while let Some(line) = table.next()? {
        let Some(name) = line.strip_prefix("game ") else {
            return Err(table.unexpected(&line, "`game` and its name"));
        };
        let game: AnyGame = name.parse().map_err(|error| table.error(error))?;
        if let Some(named) = &guest.game
            && *named != game
        {
            return Err(table.error(SitProblem::OtherGame {
                told: game.to_string(),
                named: named.to_string(),
            }));
        }
        with_game!(game, |game| play(&game, guest, table))?;
    }
    Ok(())
}

/// One game, to its `end`.
fn play<G: BotGame>(
    game: &G,
    guest: &ExternalPlayer,
    table: &mut ArenaConnection<'_>,
) -> Result<(), SitError> {
    let mut seed = guest.seed;
    let mut pace = game.pace();
    let mut player: Option<Box<dyn Player<G>>> = None;
    let mut state = None;
    while let Some(line) = table.next()? {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "seat" if ["first", "second"].contains(&rest) => {}
            "pace" => {
                let told = rest.replace(' ', ",").parse();
                pace = told.map_err(|_| table.unexpected(&line, "`pace FIRST EACH`"))?;
            }
            "seed" => {
                let told = rest.parse();
                seed = told.map_err(|_| table.unexpected(&line, "`seed` and a number"))?;
            }
            "position" => {
                let lines = rest.parse();
                let lines = lines
                    .map_err(|_| table.unexpected(&line, "`position` and a number of lines"))?;
                state = Some(position(game, lines, table)?);
            }
            // not asked for, and no harm
            "moves" => {}
            "go" => {
                let limit = rest.parse().map(Duration::from_millis);
                let limit = limit.map_err(|_| table.unexpected(&line, "`go` and milliseconds"))?;
                let Some(state) = state.take() else {
                    return Err(table.unexpected(&line, "a position"));
                };
                // the way a bot sees it, it always sits in the first seat
                if !game.turn(&state).asks(Seat::First) {
                    return Err(table.error(SitProblem::NotToMove));
                }
                let mut until = MoveDeadline::within(limit);
                let player = match &mut player {
                    Some(player) => player,
                    none => {
                        let mut opened = open(game, &guest.player, pace.first.min(pace.each))?;
                        opened.begin(seed);
                        none.insert(opened)
                    }
                };
                let thought = player.think(game, &state, Seat::First, &mut until);
                table.say(&game.write_move(thought.choice, Seat::First))?;
            }
            "end" if ["win", "draw", "loss"].contains(&rest) => return Ok(()),
            _ => {
                let expected = "one of seat, pace, seed, position, moves, go and end";
                return Err(table.unexpected(&line, expected));
            }
        }
    }
    Ok(())
}

/// A position of so many lines.
fn position<G: Game>(
    game: &G,
    lines: usize,
    table: &mut ArenaConnection<'_>,
) -> Result<G::State, SitError> {
    let before = table.read;
    let mut text = String::new();
    for _ in 0..lines {
        text += &table.expect("a line of the position")?;
        text.push('\n');
    }
    let state = game.parse_state(&text);
    state.map_err(|error| SitError::Said {
        line: before + u64::from(error.line),
        problem: SitProblem::State {
            column: error.column,
            problem: error.problem,
        },
    })
}

//! This program's own protocol as a bot: any game, any number of games.

use super::{ArenaConnection, ExternalPlayer, MoveDeadline, ServeError, ServeProblem, open_player};
use crate::bot::BotGame;
use games::{AnyGame, Game, Seat, with_game};
use players::Player;
use std::time::Duration;

/// The version of the protocol.
const VERSION: &str = "gridpaper 1";

pub(super) fn serve(
    external: &ExternalPlayer,
    arena: &mut ArenaConnection<'_>,
) -> Result<(), ServeError> {
    let Some(line) = arena.next_line()? else {
        return Ok(());
    };
    if line != VERSION {
        return Err(arena.unexpected(&line, "`gridpaper 1`"));
    }
    let name: String = external.player.split_whitespace().collect();
    arena.send(&format!("name {name} again"))?;
    while let Some(line) = arena.next_line()? {
        let Some(name) = line.strip_prefix("game ") else {
            return Err(arena.unexpected(&line, "`game` and its name"));
        };
        let game: AnyGame = name.parse().map_err(|error| arena.error(error))?;
        if let Some(named) = &external.game
            && *named != game
        {
            return Err(arena.error(ServeProblem::OtherGame {
                told: game.to_string(),
                named: named.to_string(),
            }));
        }
        with_game!(game, |game| play(&game, external, arena))?;
    }
    Ok(())
}

/// Plays one game, up to its `end` line.
fn play<G: BotGame>(
    game: &G,
    external: &ExternalPlayer,
    arena: &mut ArenaConnection<'_>,
) -> Result<(), ServeError> {
    let mut seed = external.seed;
    let mut time_control = game.time_control();
    let mut player: Option<Box<dyn Player<G>>> = None;
    let mut state = None;
    while let Some(line) = arena.next_line()? {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "seat" if ["first", "second"].contains(&rest) => {}
            "pace" => {
                let value = rest.replace(' ', ",").parse();
                time_control = value.map_err(|_| arena.unexpected(&line, "`pace FIRST EACH`"))?;
            }
            "seed" => {
                let value = rest.parse();
                seed = value.map_err(|_| arena.unexpected(&line, "`seed` and a number"))?;
            }
            "position" => {
                let lines = rest.parse();
                let lines = lines
                    .map_err(|_| arena.unexpected(&line, "`position` and a number of lines"))?;
                state = Some(position(game, lines, arena)?);
            }
            // not requested, and harmless
            "moves" => {}
            "go" => {
                let limit = rest.parse().map(Duration::from_millis);
                let limit = limit.map_err(|_| arena.unexpected(&line, "`go` and milliseconds"))?;
                let Some(state) = state.take() else {
                    return Err(arena.unexpected(&line, "a position"));
                };
                // a bot always sees itself in the first seat
                if !game.turn(&state).asks(Seat::First) {
                    return Err(arena.error(ServeProblem::NotToMove));
                }
                let mut deadline = MoveDeadline::within(limit);
                let player = match &mut player {
                    Some(player) => player,
                    none => {
                        let mut opened = open_player(
                            game,
                            &external.player,
                            time_control.first.min(time_control.each),
                        )?;
                        opened.begin(seed);
                        none.insert(opened)
                    }
                };
                let thought = player.think(game, &state, Seat::First, &mut deadline);
                arena.send(&game.write_move(thought.choice, Seat::First))?;
            }
            "end" if ["win", "draw", "loss"].contains(&rest) => return Ok(()),
            _ => {
                let expected = "one of seat, pace, seed, position, moves, go and end";
                return Err(arena.unexpected(&line, expected));
            }
        }
    }
    Ok(())
}

/// Reads a position of `lines` lines.
fn position<G: Game>(
    game: &G,
    lines: usize,
    arena: &mut ArenaConnection<'_>,
) -> Result<G::State, ServeError> {
    let before = arena.lines_read;
    let mut text = String::new();
    for _ in 0..lines {
        text += &arena.expect("a line of the position")?;
        text.push('\n');
    }
    let state = game.parse_state(&text);
    state.map_err(|error| ServeError::Line {
        line: before + u64::from(error.line),
        problem: ServeProblem::State {
            column: error.column,
            problem: error.problem,
        },
    })
}

//! The contest protocol as a bot: one game per process.
//!
//! The contest sends neither scores nor turn numbers, so they are counted here from the first
//! board. If that was not the start of the game (an arena opens games with random turns), the
//! player assumes that it was.

use super::{ArenaConnection, ExternalPlayer, MoveDeadline, ServeError, ServeProblem, open_player};
use crate::bot::BotGame;
use games::duel::{Duel, DuelBoard, DuelPosition, DuelRules, DuelSize, MOST_COLUMNS, MOST_ROWS};
use games::{AnyGame, Game, Seat};
use players::PlayerFactory;

pub(super) fn serve(
    external: &ExternalPlayer,
    arena: &mut ArenaConnection<'_>,
) -> Result<(), ServeError> {
    let Some(rules) = rules(external, arena)? else {
        return Ok(());
    };
    let game = rules.to_string().parse::<AnyGame>();
    match game.map_err(|error| arena.error(error))? {
        AnyGame::Duel8(game) => play(&game, external, arena),
        AnyGame::Duel16(game) => play(&game, external, arena),
        AnyGame::DuelAny(game) => play(&game, external, arena),
        _ => unreachable!("the rules of a duel make a duel"),
    }
}

/// Reads the rules from the first lines; `None` at the end of input.
fn rules(
    external: &ExternalPlayer,
    arena: &mut ArenaConnection<'_>,
) -> Result<Option<DuelRules>, ServeError> {
    let Some(line) = arena.next_line()? else {
        return Ok(None);
    };
    let [rows] = numbers(&line).ok_or_else(|| arena.unexpected(&line, "the number of rows"))?;
    check_most("the number of rows", rows, MOST_ROWS, arena)?;
    let [columns] = line_of(arena, "the number of columns")?;
    check_most("the number of columns", columns, MOST_COLUMNS, arena)?;
    let [mana] = line_of(arena, "the most mana")?;
    let [goals] = line_of::<1>(arena, "the number of goals")?;
    check_most("the number of goals", goals, rows * columns, arena)?;
    let mut places = Vec::new();
    for _ in 0..goals {
        let [x, y] = line_of(arena, "a goal's column and row")?;
        places.push((x, y));
    }
    let named = match &external.game {
        Some(AnyGame::Duel8(game)) => game.rules().clone(),
        Some(AnyGame::Duel16(game)) => game.rules().clone(),
        Some(AnyGame::DuelAny(game)) => game.rules().clone(),
        _ => DuelRules::standard(8, 8),
    };
    let rules = DuelRules {
        size: DuelSize { rows, columns },
        goals: places,
        mana,
        ..named
    };
    Ok(Some(rules))
}

fn play<B: DuelBoard>(
    game: &Duel<B>,
    external: &ExternalPlayer,
    arena: &mut ArenaConnection<'_>,
) -> Result<(), ServeError>
where
    Duel<B>: PlayerFactory,
{
    let time_control = game.time_control();
    let mut player = open_player(
        game,
        &external.player,
        time_control.first.min(time_control.each),
    )?;
    player.begin(external.seed);
    let most = game.rules().mana;
    let mut score = [0; 2];
    let mut turn = 0;
    while let Some(line) = arena.next_line()? {
        let mut deadline = MoveDeadline::within(time_control.limit(turn.into()));
        let mut mana = [0; 2];
        [mana[0]] = numbers(&line).ok_or_else(|| arena.unexpected(&line, "one's own mana"))?;
        check_most("mana", mana[0], most, arena)?;
        [mana[1]] = line_of(arena, "the other's mana")?;
        check_most("mana", mana[1], most, arena)?;
        let cells = board(game, arena)?;
        if turn > 0 {
            let points = B::counts(&cells, game.goals(&game.start()));
            score = [score[0] + points[0], score[1] + points[1]];
        }
        // if the other side's game is longer, further turns count as the last
        let now = turn.min(game.rules().turns - 1);
        let state = DuelPosition::new(cells, mana, score, now);
        let thought = player.think(game, &state, Seat::First, &mut deadline);
        let column = game.write_move(thought.choice, Seat::First);
        let words: Vec<&str> = column.split("").filter(|sign| !sign.is_empty()).collect();
        arena.send(&words.join(" "))?;
        turn += 1;
    }
    Ok(())
}

/// Reads a turn's rows: own cells, and the other's.
fn board<B: DuelBoard>(
    game: &Duel<B>,
    arena: &mut ArenaConnection<'_>,
) -> Result<[B; 2], ServeError> {
    let size = game.rules().size;
    let expected = "a row of the board, as many numbers as it has columns, each 0, 1 or -1,";
    let mut rows = Vec::with_capacity(size.rows as usize);
    for _ in 0..size.rows {
        let line = arena.expect("a row of the board")?;
        let mut bits = [0u64; 2];
        let mut count = 0;
        for word in line.split_ascii_whitespace() {
            match word {
                _ if count == size.columns => return Err(arena.unexpected(&line, expected)),
                "0" => {}
                "1" => bits[0] |= 1 << count,
                "-1" => bits[1] |= 1 << count,
                _ => return Err(arena.unexpected(&line, expected)),
            }
            count += 1;
        }
        if count != size.columns {
            return Err(arena.unexpected(&line, expected));
        }
        rows.push(bits);
    }
    Ok([0, 1].map(|seat: usize| B::from_rows(size, |row| rows[row as usize][seat])))
}

fn check_most(
    what: &'static str,
    given: u32,
    most: u32,
    arena: &ArenaConnection<'_>,
) -> Result<(), ServeError> {
    if given <= most {
        return Ok(());
    }
    Err(arena.error(ServeProblem::TooMuch {
        what,
        given: given.into(),
        most: most.into(),
    }))
}

fn line_of<const N: usize>(
    arena: &mut ArenaConnection<'_>,
    what: &'static str,
) -> Result<[u32; N], ServeError> {
    let line = arena.expect(what)?;
    numbers(&line).ok_or_else(|| arena.unexpected(&line, what))
}

/// Parses exactly `N` numbers.
fn numbers<const N: usize>(line: &str) -> Option<[u32; N]> {
    let words = line.split_ascii_whitespace().map(|word| word.parse().ok());
    words.collect::<Option<Vec<u32>>>()?.try_into().ok()
}

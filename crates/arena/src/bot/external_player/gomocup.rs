//! The Gomocup protocol as an engine.
//!
//! Wrong commands are answered with `ERROR` and `UNKNOWN`, as the protocol demands, and the
//! engine goes on. It plays boards up to 19x19, with five or more in a row (`INFO rule 0`) or
//! the length that [`WIN_LENGTH_KEY`] sets.

use super::{ArenaConnection, ExternalPlayer, MoveDeadline, ServeError, has_limit, open_player};
use crate::bot::gomocup::{WIN_LENGTH_KEY, numbers};
use crate::bot::post_mortem::clean;
use games::mnk::Mnk;
use games::{AnyGame, Game, Seat};
use players::{Player, PlayerFactory};
use std::time::Duration;

/// The default time for a move.
const DEFAULT_LIMIT: Duration = Duration::from_secs(30);

/// The value for no limit.
const NO_LIMIT: i64 = 2_147_483_647;

/// Divisor of the remaining time of a game for one move.
const TIME_SHARE: u32 = 20;

pub(super) fn serve(
    external: &ExternalPlayer,
    arena: &mut ArenaConnection<'_>,
) -> Result<(), ServeError> {
    let mut engine = GomocupEngine {
        external,
        line: row_length(external),
        turn: DEFAULT_LIMIT,
        left: None,
        rule: 0,
        games: 0,
        board: None,
    };
    while let Some(line) = arena.next_line()? {
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
        let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
        let answer = match word.as_str() {
            "" => continue,
            "END" => return Ok(()),
            "INFO" => {
                engine.read_info(rest);
                continue;
            }
            "ABOUT" => format!(
                "name=\"gridpaper {}\", version=\"{}\"",
                external.player,
                env!("CARGO_PKG_VERSION")
            ),
            "START" => {
                let side = rest
                    .parse()
                    .map_err(|_| "write the size as START 15".into());
                reply(side.and_then(|side| engine.start(side, side)))
            }
            "RECTSTART" => {
                let sides = numbers(rest).ok_or_else(|| "write the size as 15,10".into());
                reply(sides.and_then(|(columns, rows)| engine.start(columns, rows)))
            }
            "RESTART" => reply(engine.restart()),
            "BEGIN" => reply(engine.begin()),
            "TURN" => reply(
                engine
                    .place_stone(rest, Stone::Other)
                    .and_then(|()| engine.choose_move()),
            ),
            "PLAY" => reply(engine.place_stone(rest, Stone::Own).map(|()| rest.into())),
            "TAKEBACK" => reply(engine.take_back(rest)),
            "BOARD" => {
                let mut stones = Vec::new();
                loop {
                    let line = arena.expect("DONE")?;
                    if line.trim().eq_ignore_ascii_case("DONE") {
                        break;
                    }
                    stones.push(line);
                }
                reply(
                    engine
                        .set_board(&stones)
                        .and_then(|()| engine.choose_move()),
                )
            }
            _ => clean(&format!("UNKNOWN {word:.40}")),
        };
        arena.send(&answer)?;
    }
    Ok(())
}

fn reply(result: Result<String, String>) -> String {
    result.unwrap_or_else(|problem| clean(&format!("ERROR {problem:.200}")))
}

/// The winning row length of the expected game, else 5.
fn row_length(external: &ExternalPlayer) -> u32 {
    match &external.game {
        Some(AnyGame::Mnk(game)) => game.line(),
        Some(AnyGame::WideMnk(game)) => game.line(),
        _ => 5,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stone {
    None,
    Own,
    Other,
}

/// The engine's state. Replies and problems are text for the other side.
struct GomocupEngine<'a> {
    external: &'a ExternalPlayer,
    line: u32,
    turn: Duration,
    left: Option<Duration>,
    rule: u32,
    /// Number of games begun.
    games: u64,
    board: Option<GomocupBoard>,
}

struct GomocupBoard {
    columns: u32,
    rows: u32,
    stones: Vec<Stone>,
    player: Box<dyn AnyBoardPlayer>,
}

impl GomocupEngine<'_> {
    fn read_info(&mut self, info: &str) {
        let (key, value) = info.split_once([' ', '\t']).unwrap_or((info, ""));
        let value = value.trim();
        let time = |n: i64| Duration::from_millis(n.max(0).unsigned_abs());
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = value.parse().map_or(self.turn, time),
            "time_left" => {
                let left = value.parse().ok().filter(|&n| n != NO_LIMIT);
                self.left = left.map(time);
            }
            "rule" => self.rule = value.parse().unwrap_or(self.rule),
            WIN_LENGTH_KEY => self.line = value.parse().unwrap_or(self.line),
            // other keys are irrelevant or unknown
            _ => {}
        }
    }

    /// The time for the next move.
    fn limit(&self) -> Duration {
        match self.left {
            Some(left) => self.turn.min(left / TIME_SHARE),
            None => self.turn,
        }
    }

    fn start(&mut self, columns: u32, rows: u32) -> Result<String, String> {
        self.board = None;
        let name = format!("mnk:{columns},{rows},{}", self.line);
        let game: AnyGame = name
            .parse()
            .map_err(|error: games::GameNameError| error.to_string())?;
        if let Some(named) = &self.external.game
            && *named != game
        {
            return Err(format!("{game} was asked for, and {named} is played here"));
        }
        let mut board = GomocupBoard {
            columns,
            rows,
            stones: vec![Stone::None; (columns * rows) as usize],
            player: self.make_player(game)?,
        };
        board
            .player
            .begin(self.external.seed.wrapping_add(self.games));
        self.games += 1;
        self.board = Some(board);
        Ok("OK".into())
    }

    fn make_player(&self, game: AnyGame) -> Result<Box<dyn AnyBoardPlayer>, String> {
        Ok(match game {
            AnyGame::Mnk(game) => self.wrap_player(game)?,
            AnyGame::WideMnk(game) => self.wrap_player(game)?,
            _ => unreachable!("the name was one of these"),
        })
    }

    fn wrap_player<const WORDS: usize>(
        &self,
        game: Mnk<WORDS>,
    ) -> Result<Box<dyn AnyBoardPlayer>, String>
    where
        Mnk<WORDS>: PlayerFactory,
    {
        let mut player = GomocupPlayer {
            player: open_player(&game, &self.external.player, self.limit())
                .map_err(|e| e.to_string())?,
            text: self.external.player.clone(),
            limit: self.limit(),
            seed: 0,
            game,
        };
        player.begin(0);
        Ok(Box::new(player))
    }

    fn board(&mut self) -> Result<&mut GomocupBoard, String> {
        let board = self.board.as_mut();
        board.ok_or_else(|| "there is no board yet: START comes first".into())
    }

    fn restart(&mut self) -> Result<String, String> {
        let seed = self.external.seed.wrapping_add(self.games);
        let board = self.board()?;
        board.stones.fill(Stone::None);
        board.player.begin(seed);
        self.games += 1;
        Ok("OK".into())
    }

    fn begin(&mut self) -> Result<String, String> {
        if self
            .board()?
            .stones
            .iter()
            .any(|&stone| stone != Stone::None)
        {
            return Err("the board is not empty: send RESTART or BOARD".into());
        }
        self.choose_move()
    }

    fn place_stone(&mut self, place: &str, stone: Stone) -> Result<(), String> {
        let at = self.board()?.place(place)?;
        let cell = &mut self.board()?.stones[at];
        if *cell != Stone::None {
            return Err(format!("a stone stands on {place}"));
        }
        *cell = stone;
        Ok(())
    }

    fn take_back(&mut self, place: &str) -> Result<String, String> {
        let board = self.board()?;
        let at = board.place(place)?;
        if board.stones[at] == Stone::None {
            return Err(format!("no stone stands on {place}"));
        }
        board.stones[at] = Stone::None;
        Ok("OK".into())
    }

    fn set_board(&mut self, lines: &[String]) -> Result<(), String> {
        self.board()?.stones.fill(Stone::None);
        for line in lines {
            let unreadable = || format!("`{line}`: write x,y,1 or x,y,2");
            let (place, whose) = line.rsplit_once(',').ok_or_else(unreadable)?;
            let stone = match whose.trim() {
                "1" => Stone::Own,
                "2" => Stone::Other,
                _ => return Err(unreadable()),
            };
            self.place_stone(place.trim(), stone)?;
        }
        Ok(())
    }

    /// A move.
    fn choose_move(&mut self) -> Result<String, String> {
        if self.rule != 0 {
            let rule = self.rule;
            return Err(format!("rule {rule} is not played here, only rule 0"));
        }
        let limit = self.limit();
        let board = self.board()?;
        let cell = board.player.choose(&board.stones, limit)?;
        board.stones[cell] = Stone::Own;
        let columns = board.columns as usize;
        Ok(format!("{},{}", cell % columns, cell / columns))
    }
}

impl GomocupBoard {
    /// The cell index of `x,y`.
    fn place(&self, text: &str) -> Result<usize, String> {
        let (x, y) = numbers(text).ok_or_else(|| format!("`{text}`: write a place as 7,8"))?;
        if x >= self.columns || y >= self.rows {
            return Err(format!("{x},{y} is off the board"));
        }
        Ok((y * self.columns + x) as usize)
    }
}

/// A player for any board type.
trait AnyBoardPlayer {
    fn begin(&mut self, seed: u64);

    fn choose(&mut self, stones: &[Stone], limit: Duration) -> Result<usize, String>;
}

struct GomocupPlayer<const WORDS: usize> {
    game: Mnk<WORDS>,
    player: Box<dyn Player<Mnk<WORDS>>>,
    text: String,
    /// The limit that the player was opened with.
    limit: Duration,
    seed: u64,
}

impl<const WORDS: usize> AnyBoardPlayer for GomocupPlayer<WORDS>
where
    Mnk<WORDS>: PlayerFactory,
{
    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.player.begin(seed);
    }

    fn choose(&mut self, stones: &[Stone], limit: Duration) -> Result<usize, String> {
        let mut deadline = MoveDeadline::within(limit);
        let count = |stone| stones.iter().filter(|&&s| s == stone).count();
        // the second seat has one stone less when it is to move
        let seat = match count(Stone::Other).checked_sub(count(Stone::Own)) {
            Some(1) => Seat::Second,
            _ => Seat::First,
        };
        let signs = match seat {
            Seat::First => ['O', 'X'],
            Seat::Second => ['X', 'O'],
        };
        let mut text = String::new();
        for row in stones.chunks(self.game.columns() as usize) {
            text.extend(row.iter().map(|stone| match stone {
                Stone::None => '.',
                Stone::Own => signs[0],
                Stone::Other => signs[1],
            }));
            text.push('\n');
        }
        text += &format!("{} to move\n", signs[0]);
        let state = self.game.parse_state(&text);
        let state = state.expect("rows of signs and a seat make a position");
        if !self.game.turn(&state).asks(seat) {
            return Err("the game is over".into());
        }
        if limit != self.limit && !has_limit(&self.text) {
            let player = open_player(&self.game, &self.text, limit);
            self.player = player.map_err(|error| error.to_string())?;
            self.player.begin(self.seed);
            self.limit = limit;
        }
        let thought = self.player.think(&self.game, &state, seat, &mut deadline);
        Ok(thought.choice.into())
    }
}

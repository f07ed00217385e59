//! `gridpaper play`: a game in the terminal, full screen or line by line.

use super::home_screen;
use crate::contest::{BotConditionArgs, PLAYERS, programs_exist, warn_uncaged};
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::prompt::ConsolePrompt;
use crate::table;
use arena::Entrant;
use clap::Args;
use games::{AnyGame, Diagram, Outcome, Seat, Turn};
use matches::{Advice, Table, TableError};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use tui::play::{PlayScreen, PlayScreenOptions, ReplaySaveRequest};

/// Play a game in the terminal
///
/// In a terminal it takes the whole screen, with cursor keys and the mouse; without a GAME or
/// a player it asks. Through a pipe, and with --plain, it is a conversation: where no player
/// is named you are asked for your side, and play against the strongest there is; where one is
/// named, the other seat is yours. Answer `?` for what else can be said besides a move.
#[derive(Debug, Args)]
#[command(after_help = PLAYERS)]
pub(crate) struct PlayArgs {
    /// The game; on a screen it can be chosen there
    #[arg(value_name = "GAME")]
    game: Option<AnyGame>,

    /// Who sits in the first seat
    #[arg(long, value_name = "PLAYER")]
    first: Option<Entrant>,

    /// Who sits in the second seat
    #[arg(long, value_name = "PLAYER")]
    second: Option<Entrant>,

    /// Where the players' chance comes from; another each time, without it
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Plain text also in a terminal
    #[arg(long)]
    plain: bool,

    /// Print the rules of GAME on one screen; without GAME, the games there are
    #[arg(long)]
    rules: bool,

    #[command(flatten)]
    bots: BotConditionArgs,
}

/// The help text for commands that are no moves.
const HELP: &str = "\
a move      such as the one in the question
moves       the moves there are
rules       the rules of the game
hint        what the computer would do in your place
why         why the computer moved as it did
back        take your last move back
board       show the board again
quit        leave
";

/// More moves than this are not listed.
const MOST_LISTED: u64 = 512;

/// The result of a game or a prompt.
enum TableConsoleEnd {
    /// The game was played to its end.
    Over,
    /// The user left: end of input, or `quit`.
    Left,
}

/// The result of a seat's turn.
enum TableConsoleTurn {
    /// It has moved, or undone moves; an optional message.
    Moved(Option<String>),
    /// A bot has lost the game by a fault, which was reported.
    Lost,
    /// The user left.
    Left,
}

impl PlayArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if self.rules {
            return match &self.game {
                Some(game) => output::to_stdout(|out| out.write_all(game.rules().as_bytes())),
                None => output::to_stdout(|out| out.write_all(games_with_titles().as_bytes())),
            };
        }
        let named = self.first.iter().chain(&self.second);
        programs_exist(named.clone(), &self.bots.conditions())?;
        if !self.plain && home_screen::has_person() {
            // where a person may name a bot at any time
            warn_uncaged(self.bots.cage);
            return self.on_screen();
        }
        if named.clone().any(Entrant::is_bot) {
            warn_uncaged(self.bots.cage);
        }
        let Some(game) = self.game.clone() else {
            let hint = "name one: gridpaper play tictactoe; `gridpaper play --rules` lists them";
            let hint = hint.to_string();
            return Err(CliFailure::wrong("there is no GAME to play").with_hint(hint));
        };
        let mut prompt = ConsolePrompt::new();
        let Some(players) = self.players(&game, &mut prompt)? else {
            return Ok(());
        };
        let mut seed = self.seed.unwrap_or_else(clock_seed);
        let players = players.each_ref().map(Option::as_ref);
        let conditions = self.bots.conditions();
        let table = arena::open_table(game.clone(), players, &conditions, seed);
        let table = table.map_err(CliFailure::wrong)?;
        let mut console = TableConsole {
            helper: matches::champion(&game),
            game,
            table,
            last: None,
        };
        loop {
            match console.play_game(&mut prompt)? {
                TableConsoleEnd::Over if console.has_people() && ask_play_again(&mut prompt)? => {}
                _ => return Ok(()),
            }
            seed = seed.wrapping_add(1);
            console.table.begin(seed);
            console.last = None;
        }
    }

    /// Plays on the whole screen.
    fn on_screen(&self) -> Result<(), CliFailure> {
        let terms = PlayScreenOptions {
            game: self.game.clone(),
            players: self.named(),
            conditions: self.bots.conditions(),
            seed: self.seed.unwrap_or_else(clock_seed),
        };
        let screen = PlayScreen::new(terms, (80, 24), home_screen::terminal_profile());
        let mut screen = screen.map_err(CliFailure::wrong)?;
        let interrupts = InterruptGuard::new();
        home_screen::to_result(tui::play::run(&mut screen, &mut save_replay, &|| {
            interrupts.asked_to_stop()
        }))
    }

    /// The named players; `None` in a seat is a person.
    fn named(&self) -> Option<[Option<Entrant>; 2]> {
        let named = |name: &Option<Entrant>| match name {
            Some(Entrant::Builtin(name)) if name == "human" => None,
            name => name.clone(),
        };
        let is_named = self.first.is_some() || self.second.is_some();
        is_named.then(|| [named(&self.first), named(&self.second)])
    }

    /// The players of both seats. `None` at the end of input.
    fn players(
        &self,
        game: &AnyGame,
        prompt: &mut ConsolePrompt,
    ) -> Result<Option<[Option<Entrant>; 2]>, CliFailure> {
        if let Some(named) = self.named() {
            return Ok(Some(named));
        }
        let champion = Entrant::Builtin(matches::champion(game));
        let table = arena::open_table(game.clone(), [None, None], &self.bots.conditions(), 0);
        let table = table.map_err(CliFailure::wrong)?;
        if table.turn() == Turn::Both {
            return Ok(Some([None, Some(champion)]));
        }
        let [a, b] = table.diagram(Seat::First).signs;
        let question = format!("{a} moves first: do you play {a} or {b}? ");
        loop {
            let Some(answer) = prompt.ask(&question)? else {
                return Ok(None);
            };
            match answer.trim().to_uppercase().as_str() {
                "Q" | "QUIT" => return Ok(None),
                side if side == a.to_string() => return Ok(Some([None, Some(champion)])),
                side if side == b.to_string() => return Ok(Some([Some(champion), None])),
                other => note(format_args!("`{other}` is no side: answer {a} or {b}")),
            }
        }
    }
}

/// The games by what people call them, each with the name to type beside it.
fn games_with_titles() -> String {
    table::aligned(AnyGame::well_known().map(|game| [game.title(), game.to_string()]))
}

/// Saves a game to a file.
fn save_replay(saved: &ReplaySaveRequest) -> Result<(), String> {
    home_screen::write_new(Path::new(&saved.name), saved.text.as_bytes())
}

/// A seed from the clock.
fn clock_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

fn ask_play_again(prompt: &mut ConsolePrompt) -> Result<bool, CliFailure> {
    loop {
        let Some(answer) = prompt.ask("play again? (y/n) ")? else {
            return Ok(false);
        };
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(true),
            "" | "n" | "no" | "q" | "quit" => return Ok(false),
            other => note(format_args!("`{other}`: answer y or n")),
        }
    }
}

/// A table played line by line.
struct TableConsole {
    game: AnyGame,
    table: Box<dyn Table>,
    /// The player that gives hints.
    helper: String,
    /// The computer's last thought.
    last: Option<Advice>,
}

impl TableConsole {
    /// Plays a game until it ends or the user leaves.
    fn play_game(&mut self, prompt: &mut ConsolePrompt) -> Result<TableConsoleEnd, CliFailure> {
        self.show()?;
        loop {
            match self.table.turn() {
                Turn::Over(outcome) => {
                    output::line(self.result(outcome))?;
                    return Ok(TableConsoleEnd::Over);
                }
                Turn::One(seat) => match self.play_turn(seat, prompt)? {
                    TableConsoleTurn::Moved(Some(text)) => output::line(text)?,
                    TableConsoleTurn::Moved(None) => {}
                    TableConsoleTurn::Lost => return Ok(TableConsoleEnd::Over),
                    TableConsoleTurn::Left => return Ok(TableConsoleEnd::Left),
                },
                Turn::Both => {
                    // the computer chooses from the position without the other's move; its move
                    // is printed after both are made
                    let mut lines = Vec::new();
                    for seat in self.people_first() {
                        let turns = self.table.turns();
                        let text = match self.play_turn(seat, prompt)? {
                            TableConsoleTurn::Moved(text) => text,
                            TableConsoleTurn::Lost => return Ok(TableConsoleEnd::Over),
                            TableConsoleTurn::Left => return Ok(TableConsoleEnd::Left),
                        };
                        if self.table.turns() < turns {
                            lines.clear();
                            break;
                        }
                        lines.extend(text);
                    }
                    for text in lines {
                        output::line(text)?;
                    }
                }
            }
            self.show()?;
        }
    }

    /// Lets a seat move.
    fn play_turn(
        &mut self,
        seat: Seat,
        prompt: &mut ConsolePrompt,
    ) -> Result<TableConsoleTurn, CliFailure> {
        match self.table.player(seat) {
            Some(name) => self.think(seat, &name),
            None => Ok(match self.ask(seat, prompt)? {
                TableConsoleEnd::Over => TableConsoleTurn::Moved(None),
                TableConsoleEnd::Left => TableConsoleTurn::Left,
            }),
        }
    }

    /// People move before the computer thinks, so that they need not wait.
    fn people_first(&self) -> [Seat; 2] {
        match self.table.player(Seat::First) {
            Some(_) => [Seat::Second, Seat::First],
            None => Seat::BOTH,
        }
    }

    fn has_people(&self) -> bool {
        self.people().next().is_some()
    }

    /// The seats of people.
    fn people(&self) -> impl Iterator<Item = Seat> {
        let is_person = |seat: &Seat| self.table.player(*seat).is_none();
        Seat::BOTH.into_iter().filter(is_person)
    }

    fn sign(&self, seat: Seat) -> char {
        self.table.diagram(seat).signs[seat.index()]
    }

    fn think(&mut self, seat: Seat, name: &str) -> Result<TableConsoleTurn, CliFailure> {
        let interrupts = InterruptGuard::new();
        let thought = self.table.think(seat, &mut || !interrupts.asked_to_stop());
        if interrupts.asked_to_stop() {
            return Err(CliFailure::interrupted(format_args!(
                "left after {} turns",
                self.table.turns()
            )));
        }
        let advice = match thought {
            Ok(advice) => advice,
            Err(TableError::Fault { fault, .. }) => {
                let sign = self.sign(seat);
                output::line(format_args!("{sign} ({name}) has lost by a fault: {fault}"))?;
                return Ok(TableConsoleTurn::Lost);
            }
            Err(error) => return Err(CliFailure::wrong(error)),
        };
        let text = match self.people().count() {
            1 => format!("Computer move: {}", advice.choice),
            _ => format!("{} ({name}) move: {}", self.sign(seat), advice.choice),
        };
        self.last = Some(advice);
        Ok(TableConsoleTurn::Moved(Some(text)))
    }

    /// Prompts a person until a move is made or undone.
    fn ask(
        &mut self,
        seat: Seat,
        prompt: &mut ConsolePrompt,
    ) -> Result<TableConsoleEnd, CliFailure> {
        let example = self.table.example(seat).unwrap_or_default();
        let sign = self.sign(seat);
        let question = format!("{sign} to move, such as {example} (? for help): ");
        loop {
            let Some(answer) = prompt.ask(&question)? else {
                if prompt.is_person {
                    prompt.say("\n");
                }
                return Ok(TableConsoleEnd::Left);
            };
            match answer.trim().to_lowercase().as_str() {
                "" => {}
                "?" | "help" => output::to_stdout(|out| out.write_all(HELP.as_bytes()))?,
                "q" | "quit" => return Ok(TableConsoleEnd::Left),
                "board" => self.show()?,
                "moves" => self.list(seat)?,
                "rules" => {
                    let rules = self.game.rules();
                    output::to_stdout(|out| out.write_all(rules.as_bytes()))?;
                }
                "hint" => self.hint(seat)?,
                "why" => match &self.last {
                    Some(advice) => output::line(advice)?,
                    None => note("the computer has not moved yet"),
                },
                "back" if self.back(seat) => return Ok(TableConsoleEnd::Over),
                "back" => note("there is no move of yours to take back"),
                text => match self.table.play(seat, text) {
                    Ok(_) => return Ok(TableConsoleEnd::Over),
                    Err(error) => note(error),
                },
            }
        }
    }

    fn list(&self, seat: Seat) -> Result<(), CliFailure> {
        match self.table.moves(seat, MOST_LISTED) {
            Some(moves) => output::line(moves.join(" ")),
            None => output::line(format_args!("{} moves", self.table.breadth(seat))),
        }
    }

    fn hint(&self, seat: Seat) -> Result<(), CliFailure> {
        let interrupts = InterruptGuard::new();
        let asked = self
            .table
            .advise(seat, &self.helper, &mut || !interrupts.asked_to_stop());
        match asked {
            Ok(advice) => output::line(format_args!(
                "{} would play {}: {advice}",
                self.helper, advice.choice
            )),
            Err(TableError::Move(error)) => {
                note(error);
                Ok(())
            }
            Err(error) => Err(CliFailure::wrong(error)),
        }
    }

    /// Undoes turns back to the seat's last move; returns whether there was one.
    fn back(&mut self, seat: Seat) -> bool {
        // the position in which the seat moved: as far back as its own move lies
        let opponent_is_person = self.table.player(seat.other()).is_none();
        let both = self.table.turn() == Turn::Both;
        let turns = match (both, opponent_is_person) {
            (true, _) | (false, true) => 1,
            (false, false) => 2,
        };
        if self.table.turns() < turns {
            return false;
        }
        self.last = None;
        (0..turns).all(|_| self.table.take_back())
    }

    fn show(&self) -> Result<(), CliFailure> {
        let both = matches!(self.table.turn(), Turn::Both)
            || self.table.diagram(Seat::First) != self.table.diagram(Seat::Second);
        if !both {
            return output::line(self.table.diagram(Seat::First));
        }
        let own = match self.people().collect::<Vec<_>>()[..] {
            [seat] => seat,
            _ => Seat::First,
        };
        let views = [own, own.other()].map(|seat| {
            let whose = match (self.people().count(), seat == own) {
                (1, true) => "your view".to_string(),
                (1, false) => "the other's view".to_string(),
                _ => format!("{}'s view", self.sign(seat)),
            };
            (whose, self.table.diagram(seat))
        });
        output::line(side_by_side(&views))
    }

    fn result(&self, outcome: Outcome) -> String {
        let people: Vec<Seat> = self.people().collect();
        match (outcome, &people[..]) {
            (Outcome::Draw, _) => "a draw".into(),
            (Outcome::Win(winner), [seat]) if winner == *seat => "you have won".into(),
            (Outcome::Win(_), [_]) => "the computer has won".into(),
            (Outcome::Win(winner), _) => format!("{} has won", self.sign(winner)),
        }
    }
}

/// Two boards beside each other where they fit into 80 columns, else below each other.
fn side_by_side(views: &[(String, Diagram); 2]) -> String {
    let blocks = views.each_ref().map(|(whose, diagram)| {
        let board = diagram.to_string();
        let lines: Vec<String> = board.lines().map(str::to_string).collect();
        (whose.as_str(), lines)
    });
    let width = |lines: &[String]| lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let [(left, a), (right, b)] = &blocks;
    let margin = width(a).max(left.len()) + 4;
    if margin + width(b).max(right.len()) > 80 {
        return format!("{left}\n{}\n{right}\n{}\n", a.join("\n"), b.join("\n"));
    }
    let mut text = format!("{left:margin$}{right}\n");
    let empty = String::new();
    for i in 0..a.len().max(b.len()) {
        let (a, b) = (a.get(i).unwrap_or(&empty), b.get(i).unwrap_or(&empty));
        text += format!("{a:margin$}{b}").trim_end();
        text.push('\n');
    }
    text
}

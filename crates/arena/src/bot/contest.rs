//! The duel contest's protocol: numbers only, one process per game.
//!
//! Sent once: rows, columns, maximum mana, number of goals, and each goal's column and row.
//! Then in each turn: its mana, the other's, and the rows of the board, +1 for its own cells.
//! Everything is from the bot's view, where its column is the first. It answers with one line,
//! `0` or `1` for each row.

use super::refused;
use super::{BotGameSetup, Language, LineTransport};
use games::duel::{Duel, DuelBoard};
use games::{Outcome, Seat};
use matches::Fault;
use players::PlayerFactory;
use std::fmt::Write as _;

/// The protocol's state for one process.
#[derive(Debug)]
pub(super) struct ContestLanguage {
    seat: Seat,
    text: String,
}

impl ContestLanguage {
    pub(super) fn new() -> Self {
        Self {
            seat: Seat::First,
            text: String::new(),
        }
    }
}

impl<B: DuelBoard> Language<Duel<B>> for ContestLanguage
where
    Duel<B>: PlayerFactory,
{
    fn greet(&mut self, _: &Duel<B>, _: &mut dyn LineTransport) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(
        &mut self,
        game: &Duel<B>,
        state: &games::duel::DuelPosition<B>,
        setup: &BotGameSetup,
        transport: &mut dyn LineTransport,
    ) -> Result<(), Fault> {
        self.seat = setup.seat;
        let size = game.size();
        let goals = game.goal_places(state, self.seat);
        let mut text = format!(
            "{}\n{}\n{}\n{}\n",
            size.rows,
            size.columns,
            game.rules().mana,
            goals.len()
        );
        for (x, y) in goals {
            text += &format!("{x} {y}\n");
        }
        transport.send(&text)
    }

    fn ask(
        &mut self,
        game: &Duel<B>,
        state: &games::duel::DuelPosition<B>,
        transport: &mut dyn LineTransport,
    ) -> Result<games::duel::Column, Fault> {
        let (seat, size) = (self.seat, game.size());
        let text = &mut self.text;
        text.clear();
        let (own, other) = (state.mana(seat), state.mana(seat.other()));
        // writing to a string cannot fail
        let _ = write!(text, "{own}\n{other}\n");
        for y in 0..size.rows {
            for x in 0..size.columns {
                if x > 0 {
                    text.push(' ');
                }
                text.push_str(match game.sign(state, seat, x, y) {
                    1 => "1",
                    -1 => "-1",
                    _ => "0",
                });
            }
            text.push('\n');
        }
        transport.send(text)?;
        let line = transport.receive()?;
        game.parse_answer(state, seat, &line)
            .map_err(|error| refused(&line, error))
    }

    fn end(
        &mut self,
        _: &Duel<B>,
        _: &games::duel::DuelPosition<B>,
        _: Outcome,
        _: &mut dyn LineTransport,
    ) -> bool {
        false
    }
}

//! A classroom page: five rules side by side on one map, with an explanation of each cell's next
//! state. Each page has boards of its own.

mod message;
mod view_model;

use crate::room::{Room, RoomNews};
use message::ClassroomMessage;
use models::classroom::{ClassroomBoardError, ClassroomBoards, ClassroomRule, MapReadOptions};
use std::collections::VecDeque;

/// Rounds that one message may ask for.
const MOST_ROUNDS: u32 = 1000;

/// Cells that one message may draw.
const MOST_CELLS: usize = (ClassroomBoards::LARGEST * ClassroomBoards::LARGEST) as usize;

/// The boards of a page. See the example of [`Room`].
#[derive(Debug)]
pub struct ClassroomRoom {
    boards: ClassroomBoards,
    news: VecDeque<RoomNews>,
}

impl Default for ClassroomRoom {
    fn default() -> Self {
        Self {
            boards: ClassroomBoards::of_usual_size(),
            news: [RoomNews::Text(view_model::welcome().into())].into(),
        }
    }
}

impl Room for ClassroomRoom {
    fn tell(&mut self, text: &str) -> Result<(), String> {
        let message = serde_json::from_str(text)
            .map_err(|error| format!("no message that is known here: {error}"))?;
        let answer = self.handle(message).map(RoomNews::Text);
        self.news.extend(answer);
        Ok(())
    }

    fn take(&mut self) -> Option<RoomNews> {
        self.news.pop_front()
    }
}

impl ClassroomRoom {
    fn handle(&mut self, message: ClassroomMessage) -> Option<String> {
        let boards = &mut self.boards;
        let done = match message {
            ClassroomMessage::Why { x, y } => {
                return Some(view_model::explanations(boards, x, y).to_string());
            }
            ClassroomMessage::Step(rounds) => {
                boards.step(rounds.min(MOST_ROUNDS));
                Ok(String::new())
            }
            ClassroomMessage::Restart(true) => {
                boards.restart();
                Ok(String::new())
            }
            ClassroomMessage::Clear(true) => {
                boards.clear();
                Ok(String::new())
            }
            ClassroomMessage::Restart(false) | ClassroomMessage::Clear(false) => return None,
            ClassroomMessage::Size([width, height]) => {
                boards.resize(width, height).map(|()| String::new())
            }
            ClassroomMessage::Open(name) => boards.open(&name).map(|()| String::new()),
            ClassroomMessage::Read {
                text,
                centre,
                cs100,
                lenient,
            } => {
                let options = MapReadOptions {
                    centre,
                    cs100,
                    lenient,
                };
                boards.read(text.as_bytes(), &options).map(|warning| match warning {
                    None => "the map is read".to_string(),
                    Some(warning) => format!(
                        "line {}, column {}: states that the rule does not have, taken for state {}",
                        warning.place.line, warning.place.column, warning.state
                    ),
                })
            }
            ClassroomMessage::Draw { rule, cells, state } => draw(boards, &rule, &cells, state),
            ClassroomMessage::Resume(saved) => {
                let [width, height] = saved.size;
                ClassroomBoards::restore((width, height), saved.round, &saved.boards, &saved.start)
                    .map(|restored| {
                        *boards = restored;
                        String::new()
                    })
            }
        };
        Some(match done {
            Ok(words) => view_model::view(boards, &words).to_string(),
            Err(error) => view_model::refusal(&error).to_string(),
        })
    }
}

/// Draws some cells; without a state, each goes on to its next one.
fn draw(
    boards: &mut ClassroomBoards,
    rule: &str,
    cells: &[[u32; 2]],
    state: Option<u8>,
) -> Result<String, ClassroomBoardError> {
    let rule = ClassroomRule::find(rule).unwrap_or(ClassroomRule::Base);
    for &[x, y] in cells.iter().take(MOST_CELLS) {
        match state {
            Some(state) => boards.draw(rule, x, y, state)?,
            None => boards.draw_next(rule, x, y)?,
        }
    }
    Ok(String::new())
}

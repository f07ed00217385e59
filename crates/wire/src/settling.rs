//! Whether a world has settled: whether its cells are as they were before.
//!
//! The world is looked at now and then, whatever it has done between. What follows from a
//! generation depends on its cells alone, so one that was there before comes again and again. Own
//! method.

use num_bigint::{BigInt, BigUint};
use session::Session;
use std::collections::VecDeque;
use std::time::Duration;

/// How often it is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The most cells of a world that is looked at: the hash is a walk over them.
const MOST_CELLS: u32 = 50_000;

/// How many looks are remembered.
const MOST_SEEN: usize = 64;

/// The looks at a world.
#[derive(Debug, Default)]
pub(crate) struct SettlingWatch {
    seen: VecDeque<(String, BigInt)>,
    /// The content that was looked at: an edit makes it another one.
    content: Option<u64>,
    due: Duration,
    is_told: bool,
}

impl SettlingWatch {
    /// Looks at the world. The first time that its cells are as before, returns its generation, and
    /// a number of generations in which it repeats.
    pub(crate) fn look(&mut self, session: &Session, now: Duration) -> Option<(BigInt, BigInt)> {
        let world = session.world();
        let is_older = self
            .seen
            .back()
            .is_some_and(|(_, at)| at > world.generation());
        if self.content != Some(session.content()) || is_older {
            *self = Self {
                content: Some(session.content()),
                due: self.due,
                ..Self::default()
            };
        }
        if self.is_told || now < self.due {
            return None;
        }
        self.due = now + BETWEEN_LOOKS;
        if world.population() > BigUint::from(MOST_CELLS) {
            return None;
        }
        // the hash is that of the shape, wherever it is
        let hash = format!("{} {:?}", world.hash(), world.bounds());
        let at = world.generation().clone();
        let before = self.seen.iter().rev().find(|(known, _)| *known == hash);
        let period = before.map(|(_, before)| &at - before);
        if let Some(period) = period {
            // not stepped since the last look
            self.is_told = period > BigInt::ZERO;
            return self.is_told.then_some((at, period));
        }
        self.seen.push_back((hash, at));
        if self.seen.len() > MOST_SEEN {
            self.seen.pop_front();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::{Viewer, file_access::FileAccess};

    fn look_after(commands: &[&str]) -> Vec<Option<(BigInt, BigInt)>> {
        let mut session = Session::new(FileAccess::default(), 1);
        let mut viewer = Viewer::new(64, 48);
        let mut watch = SettlingWatch::default();
        let looks = commands.iter().enumerate().map(|(at, text)| {
            session.apply(&mut viewer, &text.parse().unwrap()).unwrap();
            session.finish_going();
            watch.look(&session, BETWEEN_LOOKS * (at as u32 + 1))
        });
        looks.collect()
    }

    #[test]
    fn what_repeats_has_settled_and_is_told_once() {
        let told = Some((BigInt::from(4), BigInt::from(4)));
        let looks = look_after(&["open 3o!", "step 1", "step 3", "step 2"]);
        assert_eq!(looks, [None, None, told, None]);
        let ship = look_after(&["open bob$2bo$3o!", "step 4", "step 4", "step 1"]);
        assert_eq!(ship, [None, None, None, None]);
    }

    #[test]
    fn an_edit_begins_anew() {
        let looks = look_after(&["open 3o!", "step 2", "set 9,9 1", "step 2", "step 2"]);
        assert!(looks[1].is_some());
        assert_eq!(looks[2], None);
        assert_eq!(looks[4], Some((BigInt::from(6), BigInt::from(2))));
    }
}

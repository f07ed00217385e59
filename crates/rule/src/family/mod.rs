//! One file a family of rules: its story, how it is read, how it is written, its tests.

mod classroom;
mod larger;
mod lifelike;
mod map;
mod reach;
mod ring;
mod sets;
mod wolfram;

use crate::Meaning;
use crate::error::{Fault, Problem};

/// Reads a rule's text without topology, in whichever notation it is.
pub(crate) fn read(text: &str) -> Result<Meaning, Fault> {
    if let Some(bar) = text.find('|') {
        return Err(Fault::new(bar, Problem::NotTaken("an alternating rule")));
    }
    if let Some(meaning) = classroom::named(text) {
        return Ok(meaning);
    }
    let readers = [lifelike::read, larger::read, map::read, wolfram::read];
    let read = readers.iter().find_map(|reader| reader(text));
    read.unwrap_or_else(|| Err(Fault::new(0, Problem::UnknownName)))
}

//! One file a family of rules: its story, how it is read, how it is written, its tests.

mod lifelike;
mod ring;
mod sets;

use crate::Meaning;
use crate::error::{Fault, Problem};

/// Reads a rule's text without topology, in whichever notation it is.
pub(crate) fn read(text: &str) -> Result<Meaning, Fault> {
    if let Some(bar) = text.find('|') {
        return Err(Fault::new(bar, Problem::NotTaken("an alternating rule")));
    }
    let readers = [lifelike::read];
    let read = readers.iter().find_map(|reader| reader(text));
    read.unwrap_or_else(|| Err(Fault::new(0, Problem::UnknownName)))
}

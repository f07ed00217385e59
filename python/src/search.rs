//! `Question`: patterns with a property, found, listed, counted, or proven not to be. The engines
//! are the crate `search`'s, and `models` runs them at once.

mod bounds;
mod boxes;
mod case;
mod limits;
mod places;
mod question;
mod run;

pub(crate) use boxes::{search_osc, search_ship, search_still};
pub(crate) use places::{search_agar, search_fill, search_orphan, search_predecessor};
pub(crate) use question::PyQuestion;
pub(crate) use run::search_verify;

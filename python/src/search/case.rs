//! A case of a question with what is needed to ask it otherwise.

use super::limits::SearchFault;
use search::{AgarCase, HistoryCase, PeriodicCase, PeriodicQuestion, SearchCase};

pub(super) enum AskedCase {
    Periodic(PeriodicQuestion, PeriodicCase),
    History(HistoryCase),
    Agar(AgarCase),
}

impl AskedCase {
    pub(super) fn boxed(&self) -> Box<dyn SearchCase> {
        match self {
            Self::Periodic(_, case) => Box::new(case.clone()),
            Self::History(case) => Box::new(case.clone()),
            Self::Agar(case) => Box::new(case.clone()),
        }
    }

    /// The question itself: one in which no images are left out.
    pub(super) fn whole(&self) -> Result<Box<dyn SearchCase>, SearchFault> {
        let Self::Periodic(question, _) = self else {
            return Ok(self.boxed());
        };
        let question = PeriodicQuestion {
            up_to_symmetry: false,
            ..question.clone()
        };
        let case = PeriodicCase::new(question).map_err(SearchFault::wrong)?;
        Ok(Box::new(case))
    }
}

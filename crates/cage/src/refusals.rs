//! The log of refusals that are still to be reported.

use crate::CageRefusal;

/// Number of distinct names; later ones are counted together.
const MAX_NAMES: usize = 32;

/// The common name of the others.
const OTHER_NAME: &str = "other things";

/// Refusals by name, with the count since the last report.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Vec<CageRefusal>);

impl RefusalLog {
    /// Counts a refusal; returns whether its name is new.
    pub(crate) fn add(&mut self, what: String) -> bool {
        let full = self.0.len() >= MAX_NAMES;
        let known = self.0.iter().position(|one| one.what == what);
        let known =
            known.or_else(|| full.then(|| self.0.iter().position(|o| o.what == OTHER_NAME))?);
        match known {
            Some(at) => self.0[at].times += 1,
            None => self.0.push(CageRefusal {
                what: if full { OTHER_NAME.into() } else { what },
                times: 1,
            }),
        }
        known.is_none()
    }

    /// Whether there are unreported refusals.
    pub(crate) fn has_unreported(&self) -> bool {
        self.0.iter().any(|one| one.times > 0)
    }

    /// Passes unreported refusals to `send` until that returns false.
    pub(crate) fn flush(&mut self, mut send: impl FnMut(CageRefusal) -> bool) {
        for one in self.0.iter_mut().filter(|one| one.times > 0) {
            if !send(one.clone()) {
                return;
            }
            one.times = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_once_and_not_all_by_name() {
        let mut refusals = RefusalLog::default();
        assert!(!refusals.has_unreported());
        for n in 0..100 {
            let is_new = refusals.add(format!("thing {}", n % 40));
            assert_eq!(is_new, n <= MAX_NAMES, "{n}");
        }
        let mut sent = Vec::new();
        // the third is not accepted
        refusals.flush(|one| {
            sent.push(one);
            sent.len() < 3
        });
        assert!(refusals.has_unreported());
        sent.pop();
        refusals.flush(|one| {
            sent.push(one);
            true
        });
        assert_eq!(sent.len(), MAX_NAMES + 1);
        assert_eq!(sent.iter().map(|one| one.times).sum::<u64>(), 100);
        assert_eq!(sent[0].to_string(), "tried thing 0, 3 times: refused");
        assert_eq!(sent[MAX_NAMES].what, OTHER_NAME);
        assert!(!refusals.has_unreported());
        refusals.add("thing 7".into());
        refusals.flush(|one| {
            assert_eq!(one.to_string(), "tried thing 7: refused");
            true
        });
    }
}

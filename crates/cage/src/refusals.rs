//! What was refused, by name and number, until it has been told.

use crate::CageRefusal;

/// So many things have a name; what comes later is counted together.
const NAMES: usize = 32;

/// What the rest is called.
const REST: &str = "other things";

/// Those that have not been told of, and the names of those that have.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Vec<CageRefusal>);

impl RefusalLog {
    /// Whether it was not known by this name.
    pub(crate) fn add(&mut self, what: String) -> bool {
        let full = self.0.len() >= NAMES;
        let known = self.0.iter().position(|one| one.what == what);
        let known = known.or_else(|| full.then(|| self.0.iter().position(|o| o.what == REST))?);
        match known {
            Some(at) => self.0[at].times += 1,
            None => self.0.push(CageRefusal {
                what: if full { REST.into() } else { what },
                times: 1,
            }),
        }
        known.is_none()
    }

    /// Whether there is something to tell.
    pub(crate) fn is_news(&self) -> bool {
        self.0.iter().any(|one| one.times > 0)
    }

    /// Tells what is new, as long as the teller has room.
    pub(crate) fn tell(&mut self, mut teller: impl FnMut(CageRefusal) -> bool) {
        for one in self.0.iter_mut().filter(|one| one.times > 0) {
            if !teller(one.clone()) {
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
        assert!(!refusals.is_news());
        for n in 0..100 {
            let is_new = refusals.add(format!("thing {}", n % 40));
            assert_eq!(is_new, n <= NAMES, "{n}");
        }
        let mut told = Vec::new();
        // there is no room for the third
        refusals.tell(|one| {
            told.push(one);
            told.len() < 3
        });
        assert!(refusals.is_news());
        told.pop();
        refusals.tell(|one| {
            told.push(one);
            true
        });
        assert_eq!(told.len(), NAMES + 1);
        assert_eq!(told.iter().map(|one| one.times).sum::<u64>(), 100);
        assert_eq!(told[0].to_string(), "tried thing 0, 3 times: refused");
        assert_eq!(told[NAMES].what, REST);
        assert!(!refusals.is_news());
        refusals.add("thing 7".into());
        refusals.tell(|one| {
            assert_eq!(one.to_string(), "tried thing 7: refused");
            true
        });
    }
}

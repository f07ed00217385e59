//! Properties of stores: what is counted does not depend on how it was counted.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod merging;
mod parts;
mod report;
mod resumption;
mod search_parts;
mod store;

use batch::{CensusIdentity, CensusStore, SoupRange, UnitPlan, UnitWorker};
use census::{LongLivedSoup, OddSoup, UnitReport};
use dice::Dice;

/// A census that is quick: what soup `n` leaves is drawn from `n`.
struct DiceWorker;

impl UnitWorker for DiceWorker {
    fn count(
        &mut self,
        range: SoupRange,
        on_soups: &mut dyn FnMut(u64),
    ) -> Result<UnitReport, String> {
        let mut unit = UnitReport {
            first: range.first,
            soups: range.soups,
            ..UnitReport::default()
        };
        for index in range.first..range.end() {
            let mut dice = Dice::new(index);
            for code in [
                "xs4_33",
                "xp2_7",
                "xs6_696",
                "xq4_153",
                "xp3_rare",
                "xp15_rarer",
            ] {
                let most = if code.contains("rare") { 1 } else { 20 };
                let count = match code.contains("rare") && dice.below(40) > 0 {
                    true => 0,
                    false => dice.below(most + 1),
                };
                if count > 0 {
                    *unit.tally.entry(code.into()).or_default() += u64::from(count);
                    let samples = unit.samples.entry(code.into()).or_default();
                    if samples.len() < census::unit::MAX_SAMPLES {
                        samples.push(index);
                    }
                }
            }
            let lifespan = u64::from(dice.below(4000));
            *unit.lifespans.entry(lifespan / 100).or_default() += 1;
            unit.lifespan_sum += lifespan;
            let population = u64::from(dice.below(300));
            unit.long_lived.push(LongLivedSoup {
                index,
                lifespan,
                population,
            });
            if dice.below(50) == 0 {
                let what = "growing".into();
                unit.odd.push(OddSoup { index, what });
            }
            on_soups(1);
        }
        unit.long_lived
            .sort_by_key(|soup| (std::cmp::Reverse(soup.lifespan), soup.index));
        unit.long_lived.truncate(1000);
        Ok(unit)
    }
}

fn identity(root: &str) -> CensusIdentity {
    CensusIdentity::new("b3s23", "C1", root, "exact")
}

/// A range in units.
fn cut(range: SoupRange, unit: u64) -> Vec<SoupRange> {
    UnitPlan::new(vec![range], unit).collect()
}

/// Counts these units into a store, in this order.
fn count(store: &mut CensusStore, root: &str, units: &[SoupRange]) {
    let census = store.open_census(&identity(root)).unwrap();
    for &range in units {
        let unit = DiceWorker.count(range, &mut |_| ()).unwrap();
        store.insert(census, &unit, 0.0).unwrap();
    }
}

/// All that a store says, as text.
fn contents(store: &CensusStore) -> String {
    let censuses = store.censuses().unwrap();
    let mut text = format!("{:#?}\n", store.totals().unwrap());
    for census in censuses {
        let id = census.id;
        text += &format!(
            "{} {} {:?} {:?}\n",
            census.identity,
            census.soups,
            store.census_tally(id).unwrap(),
            store.census_samples(id).unwrap(),
        );
    }
    text + &format!(
        "{:?}\n{:?}\n",
        store.long_lived(1000).unwrap(),
        store.odd().unwrap()
    )
}

//! The share of finished units that `merge --check` does again.

use dice::Dice;
use parts::UnitSet;
use std::str::FromStr;

/// A share in percent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckedShare(f64);

impl FromStr for CheckedShare {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let number = text.strip_suffix('%').and_then(|text| text.parse().ok());
        match number {
            Some(percent) if percent > 0.0 && percent <= 100.0 => Ok(Self(percent)),
            _ => Err("expected a share of the units, such as 1% or 0.5%"),
        }
    }
}

impl CheckedShare {
    /// So many of these units, in order; the same seed draws the same ones.
    pub(crate) fn draw(self, units: &UnitSet, seed: u64) -> Vec<u64> {
        let runs = units.runs().iter().flat_map(|&(first, last)| first..=last);
        let mut numbers: Vec<u64> = runs.collect();
        Dice::new(seed).shuffle(&mut numbers);
        let wanted = (numbers.len() as f64 * self.0 / 100.0).ceil() as usize;
        numbers.truncate(wanted);
        numbers.sort_unstable();
        numbers
    }
}

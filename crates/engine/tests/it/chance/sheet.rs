//! Random worlds to run a rule on: shapes of every kind, at sizes where bit tricks fail.

use super::{EngineTestRng, SIZES};

impl EngineTestRng {
    /// A shape of the world as it is written after a rule, for a rule of that radius: every
    /// kind of grid there is, some with one infinite side.
    pub(crate) fn topology(&mut self, radius: u32) -> String {
        let (w, h) = self.sides(radius);
        let even = w + w % 2;
        match self.below(16) {
            0 => format!(":P{w},{h}"),
            1..=3 => format!(":T{w},{h}"),
            4 => format!(":T{w}+{},{h}", self.below(2 * w)),
            5 => format!(":T{w},{h}-{}", self.below(2 * h)),
            6 => format!(":K{w}*,{h}"),
            7 => format!(":K{w},{h}*"),
            8 => format!(":K{even}*+1,{h}"),
            9 => format!(":K{h},{even}*+1"),
            10 => format!(":C{w},{h}"),
            11 => format!(":S{}", w.min(h)),
            12 => format!(":T{w},0"),
            13 => format!(":T0,{h}"),
            14 => format!(":P{w},0"),
            _ => format!(":P0,{h}"),
        }
    }

    /// Width and height; not so many cells that the oracle takes long to look at them.
    pub(crate) fn sides(&mut self, radius: u32) -> (u64, u64) {
        const LOOKS: u64 = 200_000;
        let window = u64::from(2 * radius + 1).pow(2);
        let mut side = || match self.below(4) {
            0 => self.between(1, 12),
            1 => 8 * self.between(1, 12),
            _ => SIZES[self.below(SIZES.len() as u64) as usize],
        };
        loop {
            let (w, h) = (side(), side());
            if w * h * window <= LOOKS {
                return (w, h);
            }
        }
    }
}

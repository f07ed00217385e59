use crate::UnsupportedError;
use crate::World;
use grid::Rect;
use pattern::{Cells, Run};

/// The runs of equal bits in `bits`, laid out as for [`World::write_bits`], row by row: of state 1
/// where bits are set, and of state 0 between them.
pub(crate) fn for_each_bit_run(rect: Rect, bits: &[u64], f: &mut dyn FnMut(Run)) {
    let words_of_row = rect.width.div_ceil(64).max(1) as usize;
    for (y, words) in (rect.y..).zip(bits.chunks(words_of_row)) {
        let mut column = 0;
        while column < rect.width {
            let is_live = words[(column / 64) as usize] >> (column % 64) & 1 == 1;
            let flip = if is_live { u64::MAX } else { 0 };
            let end = next_bit(words, column, rect.width, flip);
            f(Run {
                y,
                x: rect.x + column as i64,
                length: end - column,
                state: u8::from(is_live),
            });
            column = end;
        }
    }
}

/// The first bit from `from` on that is set after an exclusive or with `flip`; `width` if there is
/// none before it.
fn next_bit(words: &[u64], from: u64, width: u64, flip: u64) -> u64 {
    let mut at = from;
    while at < width {
        let rest = (words[(at / 64) as usize] ^ flip) >> (at % 64);
        if rest != 0 {
            return (at + u64::from(rest.trailing_zeros())).min(width);
        }
        at = (at / 64 + 1) * 64;
    }
    width
}

/// [`World::write_bits`].
pub(crate) fn write_bits<W: World + ?Sized>(
    world: &mut W,
    rect: Rect,
    bits: &[u64],
) -> Result<(), UnsupportedError> {
    let mut runs = Vec::new();
    for_each_bit_run(rect, bits, &mut |run| {
        if run.state != 0 {
            runs.push(run);
        }
    });
    world.erase(rect);
    world.load(&Cells::from_runs(runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_those_of_the_bits() {
        /// The first column, the length and the state of a run.
        type ExpectedRun = (i64, u64, u8);
        let rows: [(u64, &[u64], &[ExpectedRun]); 6] = [
            (0, &[], &[]),
            (3, &[0b101], &[(0, 1, 1), (1, 1, 0), (2, 1, 1)]),
            (3, &[u64::MAX], &[(0, 3, 1)]),
            (64, &[0], &[(0, 64, 0)]),
            (65, &[u64::MAX, 1], &[(0, 65, 1)]),
            (
                66,
                &[1 << 63, 0b10],
                &[(0, 63, 0), (63, 1, 1), (64, 1, 0), (65, 1, 1)],
            ),
        ];
        for (width, bits, expected) in rows {
            let mut found = Vec::new();
            for_each_bit_run(Rect::new(-5, 7, width, 1), bits, &mut |run| {
                assert_eq!(run.y, 7);
                found.push((run.x + 5, run.length, run.state));
            });
            assert_eq!(found, expected, "{width} {bits:?}");
        }
    }
}

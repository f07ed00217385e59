//! Links between neighbouring tiles.

use super::wake_flags::GROUP;

/// A tile's neighbours, in the form that stepping needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TileLinks {
    /// The slots of the neighbours, in the order of [`AROUND`]: 0 where there is none.
    pub(super) near: [u32; 8],
    /// The directions without a neighbour.
    pub(super) lacking: u8,
    /// The directions with a neighbour in another group.
    pub(super) abroad: u8,
}

impl TileLinks {
    /// The links of the tile in slot `own`.
    pub(super) fn new(own: usize, near: [u32; 8]) -> Self {
        let directions = |is_so: &dyn Fn(usize) -> bool| {
            let each = (0..8).filter(|d| is_so(near[*d] as usize));
            each.map(|d| 1 << d).sum()
        };
        Self {
            near,
            lacking: directions(&|there| there == 0),
            abroad: directions(&|there| there != 0 && there / GROUP != own / GROUP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_lacking_and_who_is_abroad() {
        let group = GROUP as u32;
        let near = [0, 5, group - 1, group, 3 * group, 0, 9, 2 * group - 1];
        let links = TileLinks::new(7, near);
        assert_eq!(links.near, near);
        assert_eq!(links.lacking, 0b0010_0001);
        assert_eq!(links.abroad, 0b1001_1000);
        let links = TileLinks::new(GROUP, near);
        assert_eq!(links.abroad, 0b0101_0110);
    }
}

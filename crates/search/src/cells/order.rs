//! The order in which cells are guessed. It goes along the shorter side of the box, so that what
//! is undecided stays a narrow front, and through all generations of a place before the next.
//! (`lifesrc`'s order.)

use super::options::CellOrder;

/// The unknowns in the order in which they are guessed, by where they stand: generation, column
/// and row.
pub(super) fn order_unknowns(places: &[(u32, u32, u32)], order: CellOrder) -> Vec<u32> {
    let order = match order {
        CellOrder::Auto => choose(places),
        chosen => chosen,
    };
    let mut unknowns: Vec<u32> = (0..places.len() as u32).collect();
    unknowns.sort_by_key(|&unknown| {
        let (generation, x, y) = places[unknown as usize];
        match order {
            CellOrder::Column => (x, y, generation),
            CellOrder::Diagonal => (x + y, x.abs_diff(y), 2 * generation + u32::from(x < y)),
            CellOrder::Row | CellOrder::Auto => (y, x, generation),
        }
    });
    unknowns
}

fn choose(places: &[(u32, u32, u32)]) -> CellOrder {
    let extent = |values: &mut dyn Iterator<Item = u32>| {
        let (least, most) = values.fold((u32::MAX, 0), |(a, b), v| (a.min(v), b.max(v)));
        most.saturating_sub(least)
    };
    let width = extent(&mut places.iter().map(|&(_, x, _)| x));
    let height = extent(&mut places.iter().map(|&(_, _, y)| y));
    // the band's width is that of the differences of column and row
    let band = extent(&mut places.iter().map(|&(_, x, y)| x + height - y));
    if band < width.min(height) {
        CellOrder::Diagonal
    } else if width > height {
        CellOrder::Column
    } else {
        CellOrder::Row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_side_is_walked_first() {
        let places = |width: u32, height: u32| -> Vec<(u32, u32, u32)> {
            let rows = (0..height).flat_map(|y| (0..width).map(move |x| (0, x, y)));
            rows.collect()
        };
        assert_eq!(
            order_unknowns(&places(3, 2), CellOrder::Auto),
            [0, 3, 1, 4, 2, 5]
        );
        assert_eq!(
            order_unknowns(&places(2, 3), CellOrder::Auto),
            [0, 1, 2, 3, 4, 5]
        );
        let band: Vec<_> = places(4, 4)
            .into_iter()
            .filter(|p| p.1.abs_diff(p.2) < 2)
            .collect();
        assert_eq!(choose(&band), CellOrder::Diagonal);
    }
}

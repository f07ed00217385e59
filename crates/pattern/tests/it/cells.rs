//! Rows and trees against a plain map of cells.

use grid::CellHash;
use num_bigint::BigInt;
use pattern::{Cells, Node, Run, Tree};
use proptest::prelude::*;
use std::collections::BTreeMap;

type PatternCellMap = BTreeMap<(i64, i64), u8>;

fn paint(runs: &[Run]) -> PatternCellMap {
    let mut map = PatternCellMap::new();
    for run in runs {
        for i in 0..run.length as i64 {
            map.insert((run.y, run.x + i), run.state);
        }
    }
    map.retain(|_, state| *state != 0);
    map
}

fn map_of(cells: &Cells) -> PatternCellMap {
    let mut runs = Vec::new();
    cells.for_each_run(&mut |run| runs.push(run));
    assert!(runs.is_sorted(), "runs come in reading order");
    for pair in runs.windows(2) {
        let joined = pair[0].y == pair[1].y
            && pair[0].state == pair[1].state
            && pair[0].x + pair[0].length as i64 == pair[1].x;
        assert!(!joined, "touching runs of one state come as one: {pair:?}");
    }
    paint(&runs)
}

fn hash_of(map: &PatternCellMap) -> CellHash {
    let Some(left) = map.keys().map(|&(_, x)| x).min() else {
        return CellHash::EMPTY;
    };
    let top = map.keys().next().unwrap().0;
    let mut hash = CellHash::EMPTY;
    for (&(y, x), &state) in map {
        hash += CellHash::cell(x - left, y - top, state);
    }
    hash
}

fn check(cells: &Cells, map: &PatternCellMap) {
    assert_eq!(&map_of(cells), map);
    assert_eq!(cells.population(), map.len().into());
    assert_eq!(cells.is_empty(), map.is_empty());
    assert_eq!(cells.max_state(), map.values().copied().max().unwrap_or(0));
    assert_eq!(cells.hash(), hash_of(map));
    let Some(bounds) = cells.bounds() else {
        assert!(map.is_empty());
        return;
    };
    let rect = bounds.to_rect().unwrap();
    let xs = || map.keys().map(|&(_, x)| x);
    let ys = || map.keys().map(|&(y, _)| y);
    assert_eq!((rect.x, rect.y), (xs().min().unwrap(), ys().min().unwrap()));
    assert_eq!(rect.right() - 1, xs().max().unwrap());
    assert_eq!(rect.bottom() - 1, ys().max().unwrap());
}

pub(crate) fn runs(states: u8, reach: i64) -> impl Strategy<Value = Vec<Run>> {
    let run = (-reach..reach, -reach..reach, 0..20u64, 0..=states);
    let run = run.prop_map(|(y, x, length, state)| Run {
        y,
        x,
        length,
        state,
    });
    prop::collection::vec(run, 0..40)
}

fn some_runs() -> impl Strategy<Value = Vec<Run>> {
    prop_oneof![
        runs(1, 9),
        runs(1, 100),
        runs(3, 12),
        runs(255, 70),
        runs(1, 1 << 40)
    ]
}

proptest! {
    #[test]
    fn rows_and_trees_are_what_was_painted(runs in some_runs()) {
        let map = paint(&runs);
        let rows = Cells::from_runs(runs);
        check(&rows, &map);
        let tree = Cells::from_tree(rows.to_tree());
        check(&tree, &map);
        prop_assert_eq!(&rows, &tree);
        prop_assert_eq!(&tree, &rows);
    }

    #[test]
    fn both_forms_move_alike(runs in some_runs(), dx in -1000i64..1000, dy in -70i64..70) {
        let map: PatternCellMap = paint(&runs).into_iter().map(|((y, x), s)| ((y + dy, x + dx), s)).collect();
        let rows = Cells::from_runs(runs);
        let tree = Cells::from_tree(rows.to_tree());
        check(&rows.translated(dx, dy), &map);
        check(&tree.translated(dx, dy), &map);
        let back = tree.translated(dx, dy).translated(-dx, -dy);
        prop_assert_eq!(&back, &tree);
        prop_assert_eq!(back.translated(0, 1) == tree, map.is_empty());
    }

    #[test]
    fn one_cell_more_is_not_equal(runs in some_runs(), x in -12i64..12, y in -12i64..12) {
        let rows = Cells::from_runs(runs.clone());
        let mut more = runs;
        more.push(Run { y, x, length: 1, state: 1 });
        let more = Cells::from_runs(more);
        let same = map_of(&rows) == map_of(&more);
        prop_assert_eq!(rows == more, same);
        prop_assert_eq!(Cells::from_tree(rows.to_tree()) == Cells::from_tree(more.to_tree()), same);
        prop_assert_eq!(Cells::from_tree(rows.to_tree()) == more, same);
    }
}

#[test]
fn the_origin_is_left_and_above_of_the_middle() {
    let cells = Cells::from_tree(Tree {
        nodes: vec![
            Node::Empty,
            Node::Leaf8(1 << 56),
            Node::Branch([0, 1, 0, 0]),
        ],
        root: 2,
        level: 4,
    });
    check(&cells, &PatternCellMap::from([((0, 0), 1)]));
    let cells = Cells::from_tree(Tree {
        nodes: vec![
            Node::Empty,
            Node::Leaf2([7, 0, 0, 0]),
            Node::Branch([0, 0, 0, 1]),
        ],
        root: 2,
        level: 2,
    });
    check(&cells, &PatternCellMap::from([((1, 0), 7)]));
}

/// As deep as a file may be.
#[test]
fn deep_trees_are_measured() {
    let mut nodes = vec![Node::Empty, Node::Leaf2([1, 2, 3, 4])];
    for level in 0..2047u32 {
        nodes.push(Node::Branch([level + 1, 0, 0, level + 1]));
    }
    let tree = Tree {
        root: 2048,
        level: 2048,
        nodes,
    };
    let cells = Cells::from_tree(tree);
    let expected = num_bigint::BigUint::from(4u8) << 2047u32;
    assert_eq!(cells.population(), expected);
    assert_eq!(cells.bounds().unwrap().width.bits(), 2049);
    assert_eq!(cells.states(), [1, 2, 3, 4]);
    let moved = cells.translated(i64::MIN, i64::MAX);
    assert_eq!(moved.hash(), cells.hash());
    assert_ne!(moved, cells);
    assert_eq!(
        moved.translated(i64::MAX, -i64::MAX).translated(1, 0),
        cells
    );
    let mut bytes = Vec::new();
    let pattern = pattern::Pattern {
        cells: cells.clone(),
        ..pattern::Pattern::default()
    };
    for format in pattern::Format::ALL {
        // The error comes at once: no other format can hold this.
        let lost = pattern::losses(&pattern, format);
        assert_eq!(
            lost.is_empty(),
            format == pattern::Format::Macrocell,
            "{format}"
        );
    }
    pattern::write(&pattern, pattern::Format::Macrocell, &mut bytes).unwrap();
    assert_eq!(pattern::read(&bytes).unwrap().0.cells, cells);
}

#[test]
fn long_runs_cost_no_more_than_short_ones() {
    let run = |y, x, length| Run {
        y,
        x,
        length,
        state: 1,
    };
    let wide = vec![
        run(i64::MIN, i64::MIN, u64::MAX),
        run(0, -3, 1 << 60),
        run(i64::MAX, i64::MAX, 1),
    ];
    let rows = Cells::from_runs(wide);
    let tree = Cells::from_tree(rows.to_tree());
    assert!(tree.as_tree().unwrap().nodes.len() < 1000);
    assert_eq!(rows, tree);
    assert_eq!(rows.population(), tree.population());
    assert_eq!(rows.bounds(), tree.bounds());
    assert_eq!(rows.hash(), tree.hash());
}

/// A tree of `levels` levels above a leaf with all cells live.
fn full(levels: u32) -> Tree {
    let mut nodes = vec![Node::Empty, Node::Leaf8(u64::MAX)];
    for level in 0..levels {
        nodes.push(Node::Branch([level + 1; 4]));
    }
    Tree {
        root: levels + 1,
        level: 3 + levels,
        nodes,
    }
}

#[test]
fn trees_reach_further_than_coordinates() {
    let cells = Cells::from_tree(full(197));
    let one = num_bigint::BigUint::from(1u8);
    assert_eq!(cells.population(), &one << 400u32);
    let bounds = cells.bounds().unwrap();
    assert_eq!(bounds.x, -(BigInt::from(1) << 199u32));
    assert_eq!(bounds.y, 1 - (BigInt::from(1) << 199u32));
    assert_eq!(bounds.width, &one << 200u32);
    // Two cells in far corners, and one in reach.
    let mut tree = full(0);
    tree.nodes = vec![Node::Empty, Node::Leaf8(1), Node::Leaf8(1 << 63)];
    for level in 0..196u32 {
        let before = 2 * level + 1;
        tree.nodes.push(Node::Branch([before, 0, 0, 0]));
        tree.nodes.push(Node::Branch([0, 0, 0, before + 1]));
    }
    let (first, last) = (tree.nodes.len() as u32 - 2, tree.nodes.len() as u32 - 1);
    tree.nodes.push(Node::Branch([first, 0, 0, last]));
    tree.root = last + 1;
    tree.level = 200;
    let cells = Cells::from_tree(tree.clone());
    assert_eq!(cells.population(), 2u8.into());
    assert_eq!(cells.bounds().unwrap().height, &one << 200u32);
    assert!(map_of(&cells).is_empty());
    let moved = cells.translated(-5, 9);
    assert_eq!(moved.hash(), cells.hash());
    assert_eq!(moved.bounds().unwrap().x, cells.bounds().unwrap().x - 5);
    assert_ne!(moved, cells);
    assert_eq!(moved.translated(5, -9), cells);
    tree.nodes.push(Node::Branch([first, last, 0, 0]));
    let north = last + 2;
    let inner = Tree {
        root: north,
        ..tree
    };
    assert_eq!(map_of(&Cells::from_tree(inner)).len(), 0);
}

/// Where a strip has more nodes than the list limit, each row is walked by itself.
#[test]
fn wide_rows_come_in_reading_order_too() {
    let length = 1 << 20;
    let dots = |y: i64, step: i64| (0..length / step).map(move |n| (y, n * step));
    let wide: Vec<Run> = dots(-9, 2)
        .chain(dots(0, 3))
        .chain(dots(1, 2))
        .chain(dots(90, 1 << 16))
        .map(|(y, x)| Run {
            y,
            x: x - length / 2,
            length: 1,
            state: 1,
        })
        .collect();
    for states in [1, 2] {
        let mut wide = wide.clone();
        wide[7].state = states;
        let rows = Cells::from_runs(wide.clone());
        let tree = Cells::from_tree(rows.to_tree());
        let mut runs = Vec::new();
        tree.for_each_run(&mut |run| runs.push(run));
        assert_eq!(runs, wide);
        // It can be left at any run.
        for most in [1, 40_000, 600_000] {
            let mut count = 0;
            for cells in [&rows, &tree] {
                let flow = cells.try_for_each_run(&mut |_| {
                    count += 1;
                    if count % most == 0 {
                        return std::ops::ControlFlow::Break(());
                    }
                    std::ops::ControlFlow::Continue(())
                });
                assert!(flow.is_break());
            }
            assert_eq!(count, 2 * most);
        }
    }
}

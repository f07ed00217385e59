//! A reference implementation that matches a table transition by transition as it is written,
//! and random tables on which it is compared with the tree.

use super::diagram::TransitionView;
use super::lookup::LookupTable;
use super::neighbours::{BlockPath, TableNeighbourhood};
use super::table::{RuleFileTable, TableTransition, TransitionEntry};
use super::text::{RuleFileLine, sections};
use super::{diagram, states::StateSet};
use dice::Dice;
use grid::State;

type OffsetPair = (i32, i32);
type OffsetMap = fn(OffsetPair) -> OffsetPair;

/// The maps of the plane that a symmetry's name stands for, by which all of them can be
/// made. An eighth of a turn moves a square's cells along its border.
fn generators(neighbours: TableNeighbourhood, symmetry: &str) -> Vec<OffsetMap> {
    let quarter: OffsetMap = |(x, y)| (-y, x);
    let half: OffsetMap = |(x, y)| (-x, -y);
    let eighth: OffsetMap = |(x, y)| ((x - y).signum(), (x + y).signum());
    let mirror: OffsetMap = |(x, y)| (-x, y);
    let flip: OffsetMap = |(x, y)| (x, -y);
    let sixth: OffsetMap = |(x, y)| (x - y, x);
    let third: OffsetMap = |(x, y)| (-y, x - y);
    let transpose: OffsetMap = |(x, y)| (y, x);
    // blocks are turned about their middle
    if let TableNeighbourhood::Blocks(_) = neighbours {
        let quarter: OffsetMap = |(x, y)| (1 - y, x);
        let half: OffsetMap = |(x, y)| (1 - x, 1 - y);
        let mirror: OffsetMap = |(x, y)| (1 - x, y);
        let flip: OffsetMap = |(x, y)| (x, 1 - y);
        return match symmetry {
            "none" => vec![],
            "rotate2" => vec![half],
            "rotate4" => vec![quarter],
            "rotate4reflect" => vec![quarter, mirror],
            "reflect_horizontal" => vec![mirror],
            "reflect_vertical" => vec![flip],
            "permute" => vec![quarter, mirror, |(x, y)| {
                (if y == 0 { 1 - x } else { x }, y)
            }],
            other => panic!("{other}"),
        };
    }
    match (neighbours, symmetry) {
        (_, "none") => vec![],
        (_, "rotate2") => vec![half],
        (_, "rotate4") => vec![quarter],
        (_, "rotate4reflect") => vec![quarter, mirror],
        (_, "rotate8") => vec![eighth],
        (_, "rotate8reflect") => vec![eighth, mirror],
        (_, "reflect_horizontal" | "reflect") => vec![mirror],
        (_, "reflect_vertical") => vec![flip],
        (TableNeighbourhood::Hexagonal, "rotate3") => vec![third],
        (TableNeighbourhood::Hexagonal, "rotate6") => vec![sixth],
        (TableNeighbourhood::Hexagonal, "rotate6reflect") => vec![sixth, transpose],
        (_, "rotate") => vec![third_of_triangles],
        (_, "rotate_reflect") => vec![third_of_triangles, mirror],
        other => panic!("{other:?}"),
    }
}

/// A third of a turn of a sheet of triangles about the middle of one whose point is above.
/// Middles of triangles lie at half sides across and thirds of a height up.
fn third_of_triangles((dx, dy): OffsetPair) -> OffsetPair {
    let (x, y) = (dx, ((dx + dy) & 1) - 3 * dy);
    let (x, y) = (-(x + y) / 2, (3 * x - y) / 2);
    (x, -y.div_euclid(3))
}

/// All images of the neighbourhood: where each of its cells is looked for.
fn images(neighbours: TableNeighbourhood, symmetry: &str) -> Vec<Vec<OffsetPair>> {
    if symmetry == "permute" && neighbours.outputs() == 1 {
        let mut orders = vec![vec![(0, 0)]];
        for _ in 1..neighbours.offsets().len() {
            let longer = orders.iter().flat_map(|order| {
                let free = neighbours.offsets().iter().filter(|o| !order.contains(o));
                free.map(|o| [order.as_slice(), &[*o]].concat())
            });
            orders = longer.collect();
        }
        return orders;
    }
    let mut images = vec![neighbours.offsets().to_vec()];
    let mut at = 0;
    while at < images.len() {
        for map in generators(neighbours, symmetry) {
            let image: Vec<OffsetPair> = images[at].iter().map(|&o| map(o)).collect();
            if !images.contains(&image) {
                images.push(image);
            }
        }
        at += 1;
    }
    images
}

/// The next state, from the table as written.
fn next(
    table: &RuleFileTable,
    images: &[Vec<OffsetPair>],
    look: impl Fn(OffsetPair) -> State,
) -> State {
    let found = table
        .transitions
        .iter()
        .find_map(|written| output(table, written, images, &look, &mut Vec::new()));
    found.unwrap_or(look((0, 0)))
}

/// Tries the states of the variables that stand more than once, the first one slowest.
fn output(
    table: &RuleFileTable,
    written: &TableTransition,
    images: &[Vec<OffsetPair>],
    look: &impl Fn(OffsetPair) -> State,
    bound: &mut Vec<(usize, State)>,
) -> Option<State> {
    let entries: Vec<TransitionEntry> = [&written.inputs[..], &written.outputs].concat();
    let free = entries.iter().find_map(|entry| match entry {
        TransitionEntry::Variable(i) if bound.iter().all(|b| b.0 != *i) => {
            let times = entries.iter().filter(|e| *e == entry).count();
            (times > 1 || written.outputs.contains(entry)).then_some(*i)
        }
        _ => None,
    });
    if let Some(variable) = free {
        return table.variables[variable].iter().find_map(|state| {
            bound.push((variable, state));
            let found = output(table, written, images, look, bound);
            bound.pop();
            found
        });
    }
    let value = |i: usize| bound.iter().find(|b| b.0 == i).map(|b| b.1);
    let fits = |entry: &TransitionEntry, seen: State| match *entry {
        TransitionEntry::State(state) => state == seen,
        TransitionEntry::Variable(i) => match value(i) {
            Some(state) => state == seen,
            None => table.variables[i].contains(seen),
        },
    };
    let fit = images.iter().any(|image| {
        let mut cells = written.inputs.iter().zip(image);
        cells.all(|(entry, &offset)| fits(entry, look(offset)))
    });
    fit.then(|| match written.outputs[0] {
        TransitionEntry::State(state) => state,
        TransitionEntry::Variable(i) => value(i).expect("the next state's variable is bound"),
    })
}

/// A random table as text.
fn random_text(
    random: &mut Dice,
    neighbours: TableNeighbourhood,
    symmetry: &str,
    states: u32,
) -> String {
    let mut text = format!(
        "@TABLE\nn_states:{states}\nneighborhood:{}\nsymmetries:{symmetry}\n",
        neighbours.name()
    );
    let names = ["a", "b", "c", "all"];
    for name in names {
        let members = (0..states).filter(|_| name == "all" || random.coin());
        let mut members: Vec<String> = members.map(|state| state.to_string()).collect();
        members.push("0".into());
        text += &format!("var {name}={{{}}}\n", members.join(","));
    }
    for _ in 0..1 + random.below(12) {
        let mut inputs: Vec<String> = Vec::new();
        for _ in neighbours.offsets() {
            inputs.push(match random.below(3) {
                0 => random.pick(&names).unwrap().into(),
                1 => "all".into(),
                _ => random.below(states).to_string(),
            });
        }
        let last = match random.below(3) {
            0 => inputs[random.below(inputs.len() as u32) as usize].clone(),
            _ => random.below(states).to_string(),
        };
        text += &format!("{},{last} # comment\n", inputs.join(","));
    }
    text
}

fn read(text: &str) -> (RuleFileTable, Vec<Vec<LookupTable>>) {
    let table = RuleFileTable::read(&sections(text)[0]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let place = RuleFileLine {
        number: 1,
        text: "@TABLE",
    };
    let tables = diagram::compile(&table, place).expect("the table is small");
    assert!(tables.iter().flatten().all(|table| table.tree().is_some()));
    (table, tables)
}

fn compare(text: &str, neighbours: TableNeighbourhood, symmetry: &str, random: &mut Dice) {
    let (table, tables) = read(text);
    let view = TransitionView::new(neighbours.offsets(), 0);
    let lines = diagram::expand_transitions(&table, &view).expect("the table is small");
    let lines = LookupTable::from_lines(neighbours.offsets(), table.states, lines);
    let images = images(neighbours, symmetry);
    let tree = tables[0].last().expect("there is a place");
    for _ in 0..60 {
        let cells: Vec<State> = neighbours
            .offsets()
            .iter()
            .map(|_| random.below(table.states.into()) as State)
            .collect();
        let look = |dx, dy| {
            let at = neighbours.offsets().iter().position(|o| *o == (dx, dy));
            cells[at.expect("nothing else is looked at")]
        };
        let expected = next(&table, &images, |(dx, dy)| look(dx, dy));
        assert_eq!(tree.next(look), expected, "tree at {cells:?}\n{text}");
        assert_eq!(lines.next(look), expected, "lines at {cells:?}\n{text}");
        if let [even, _] = &tables[0][..] {
            let turned = even.next(|dx, dy| look(-dx, -dy));
            assert_eq!(turned, expected, "turned at {cells:?}\n{text}");
        }
    }
}

#[test]
fn random_tables_mean_what_is_written() {
    let mut random = Dice::new(7);
    for neighbours in [
        TableNeighbourhood::VonNeumann,
        TableNeighbourhood::Moore,
        TableNeighbourhood::Hexagonal,
        TableNeighbourhood::OneDimensional,
        TableNeighbourhood::TriangularVonNeumann,
        TableNeighbourhood::TriangularMoore,
    ] {
        for (symmetry, _) in neighbours.symmetries() {
            // 8! images are slow to try one by one, 12! would never end
            let long = neighbours.offsets().len() > 7 && symmetry == "permute";
            if long && neighbours != TableNeighbourhood::Moore {
                continue;
            }
            for _ in 0..if long { 1 } else { 12 } {
                let states = 2 + random.below(4);
                let text = random_text(&mut random, neighbours, symmetry, states);
                compare(&text, neighbours, symmetry, &mut random);
            }
        }
    }
}

/// What a block becomes by a transition without variables, in one image after another.
fn blocks(
    written: &TableTransition,
    images: &[Vec<OffsetPair>],
    block: [State; 4],
) -> Vec<[State; 4]> {
    let state = |entry: &TransitionEntry| match entry {
        TransitionEntry::State(state) => *state,
        TransitionEntry::Variable(_) => panic!("no variables here"),
    };
    let at = |(x, y): OffsetPair| (x + 2 * y) as usize;
    let fits = images.iter().filter(|image| {
        let mut cells = written.inputs.iter().zip(image.iter());
        cells.all(|(entry, &offset)| state(entry) == block[at(offset)])
    });
    let becomes = fits.map(|image| {
        let mut next = [0; 4];
        for (entry, &offset) in written.outputs.iter().zip(image) {
            next[at(offset)] = state(entry);
        }
        next
    });
    becomes.collect()
}

#[test]
fn blocks_turn_as_a_whole_with_what_they_become() {
    let mut random = Dice::new(11);
    for path in [
        BlockPath::Margolus,
        BlockPath::FigureEightUpright,
        BlockPath::FigureEightLying,
        BlockPath::Cyclic,
    ] {
        let neighbours = TableNeighbourhood::Blocks(path);
        for (symmetry, _) in neighbours.symmetries() {
            let mut text = format!(
                "@TABLE\nn_states:3\nneighborhood:{}\nsymmetries:{symmetry}\n",
                neighbours.name()
            );
            for i in 0..6 {
                let states: [u32; 8] = std::array::from_fn(|_| random.below(3));
                let states = states.map(|state| state.to_string());
                let [block, next] = [&states[..4], &states[4..]].map(|half| half.join(","));
                text += &format!("{block}{}{next}\n", [" : ", ",", ":"][i % 3]);
            }
            let (table, tables) = read(&text);
            let images = images(neighbours, symmetry);
            for number in 0..81 {
                let block = [number / 27, number / 9 % 3, number / 3 % 3, number % 3];
                let expected = table
                    .transitions
                    .iter()
                    .map(|written| blocks(written, &images, block))
                    .find(|found| !found.is_empty())
                    .unwrap_or_else(|| vec![block]);
                for (time, &(column, row)) in path.corners().iter().enumerate() {
                    let got: [State; 4] = std::array::from_fn(|place| {
                        let (x, y) = (place % 2, place / 2);
                        let site = (x + column) % 2 + (y + row) % 2 * 2;
                        tables[time][site].next(|dx, dy| {
                            let (x, y) = (x as i32 + dx, y as i32 + dy);
                            block[(x + 2 * y) as usize]
                        })
                    });
                    // where it could turn in several ways, as written is best
                    let known = blocks(&table.transitions[0], &images[..1], block);
                    assert_eq!(known.first().unwrap_or(&got), &got, "{block:?}\n{text}");
                    assert!(expected.contains(&got), "{block:?} gave {got:?}\n{text}");
                }
            }
        }
    }
}

#[test]
fn sizes_of_symmetries() {
    let rows = [
        (TableNeighbourhood::VonNeumann, "rotate4reflect", 8),
        (TableNeighbourhood::Moore, "rotate8reflect", 16),
        (TableNeighbourhood::Moore, "rotate2", 2),
        (TableNeighbourhood::Hexagonal, "rotate6reflect", 12),
        (TableNeighbourhood::Hexagonal, "rotate3", 3),
        (TableNeighbourhood::OneDimensional, "permute", 2),
        (TableNeighbourhood::TriangularVonNeumann, "rotate", 3),
        (TableNeighbourhood::TriangularMoore, "rotate_reflect", 6),
        (
            TableNeighbourhood::Blocks(BlockPath::Margolus),
            "rotate4reflect",
            8,
        ),
        (
            TableNeighbourhood::Blocks(BlockPath::Margolus),
            "permute",
            24,
        ),
    ];
    for (neighbours, symmetry, size) in rows {
        assert_eq!(images(neighbours, symmetry).len(), size, "{symmetry}");
    }
}

#[test]
fn sets_hold_states_of_all_words() {
    for state in [0, 1, 63, 64, 65, 127, 128, 255] {
        let set = StateSet::one(state);
        assert_eq!(set.iter().collect::<Vec<_>>(), [state]);
        assert!(StateSet::all(u16::from(state) + 1).contains(state));
        assert!(!StateSet::all(u16::from(state)).contains(state));
    }
}

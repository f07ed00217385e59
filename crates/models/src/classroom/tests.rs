use super::*;
use proptest::prelude::*;

/// Boards drawn cell by cell from seeds.
fn boards_of(width: u32, height: u32, seeds: &[u8]) -> ClassroomBoards {
    let boards = ClassroomRule::ALL.map(|rule| {
        let choices: Vec<State> = std::iter::once(0)
            .chain(rule.live_states().to_vec())
            .collect();
        let states: Vec<State> = seeds
            .iter()
            // About a third of the cells are alive.
            .map(|&seed| {
                if seed % 3 == 0 {
                    choices[usize::from(seed / 3) % choices.len()]
                } else {
                    0
                }
            })
            .collect();
        written(rule, width, height, &states)
    });
    ClassroomBoards::restore((width, height), 0, &boards, &boards).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The engines, the explanations and a plain implementation agree on every cell.
    #[test]
    fn explanations_agree_with_the_engines(
        (width, height, seeds) in (1u32..=14, 1u32..=12)
            .prop_flat_map(|(w, h)| (Just(w), Just(h), prop::collection::vec(any::<u8>(), (w * h) as usize))),
    ) {
        let mut boards = boards_of(width, height, &seeds);
        for _ in 0..3 {
            let mut plain = Vec::new();
            let mut explanations = Vec::new();
            for rule in ClassroomRule::ALL {
                let parsed: Rule = rule.name().parse().unwrap();
                let bounded = parsed.with_topology(Topology::Plane { width: width.into(), height: height.into() });
                let mut naive = engine::NaiveWorld::new(bounded);
                let board = board_of(&naive);
                for (cell, state) in boards.states(rule).into_iter().enumerate() {
                    let (x, y) = (cell as i64 % i64::from(width), cell as i64 / i64::from(width));
                    naive.set(Point::new(board.x + x, board.y + y), state).unwrap();
                }
                naive.advance(&1u8.into(), &mut |_| true).unwrap();
                let mut states = Vec::new();
                naive.states_in(board, &mut states);
                plain.push(states);
                let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
                explanations.push(cells.map(|(x, y)| boards.explain(rule, x, y)).collect::<Vec<_>>());
            }
            let before: Vec<_> = ClassroomRule::ALL.iter().map(|&rule| boards.states(rule)).collect();
            boards.step(1);
            for rule in ClassroomRule::ALL {
                let (now, explained) = (boards.states(rule), &explanations[rule.index()]);
                prop_assert_eq!(&now, &plain[rule.index()], "{}", rule);
                for (cell, explanation) in explained.iter().enumerate() {
                    prop_assert_eq!(explanation.before, before[rule.index()][cell]);
                    prop_assert_eq!(explanation.after, now[cell], "{} {}: {}", rule, cell, explanation.words);
                    let outcome = match (explanation.before, explanation.after) {
                        (0, 0) => CellOutcome::StaysDead,
                        (0, _) => CellOutcome::Born,
                        (_, 0) => CellOutcome::Dies,
                        (before, after) if before == after => CellOutcome::Lives,
                        _ => CellOutcome::Ages,
                    };
                    prop_assert_eq!(explanation.outcome, outcome);
                }
            }
        }
    }
}

#[test]
fn reasons_are_words() {
    let rows = [
        (
            "OO\nO.\n",
            ClassroomRule::Base,
            (1, 1),
            "n = 3: is born (birth with 3)",
        ),
        (
            "OO\nO.\n",
            ClassroomRule::Base,
            (0, 0),
            "n = 2: lives (survival with 2 or 3)",
        ),
        (
            "O.\n..\n",
            ClassroomRule::Base,
            (0, 0),
            "n = 0: dies (survival with 2 or 3)",
        ),
        (
            "O.\n..\n",
            ClassroomRule::Extended,
            (1, 1),
            "n = 1: stays dead (birth with 3)",
        ),
        (
            "O..\n...\n..O\n",
            ClassroomRule::Weighted,
            (1, 1),
            "F = 4: stays dead (birth with 5 or 6)",
        ),
        (
            "O.O\n...\nO..\n",
            ClassroomRule::Weighted,
            (1, 1),
            "F = 6: is born (birth with 5 or 6)",
        ),
        (
            "RB\nB.\n",
            ClassroomRule::Colorised,
            (1, 1),
            "n = 3, 1 red and 2 blue: is born blue (birth with 3, in the majority's colour)",
        ),
        (
            "RB\nB.\n",
            ClassroomRule::Colorised,
            (0, 0),
            "n = 2, 0 red and 2 blue: lives (survival with 2 or 3, colour kept)",
        ),
        (
            "14\n4.\n",
            ClassroomRule::Generations,
            (1, 1),
            "n = 3: is born (birth with 3)",
        ),
        (
            "14\n..\n",
            ClassroomRule::Generations,
            (1, 0),
            "n = 1: ages to 5 (from state 2 on a cell always ages)",
        ),
        (
            "7.\n..\n",
            ClassroomRule::Generations,
            (0, 0),
            "n = 0: dies (7 is the last state)",
        ),
        (
            "1.\n..\n",
            ClassroomRule::Generations,
            (0, 0),
            "n = 0: ages to 2 (survival with 2 or 3)",
        ),
    ];
    for (map, rule, (x, y), words) in rows {
        let mut boards = ClassroomBoards::new(4, 4).unwrap();
        boards
            .read(map.as_bytes(), &MapReadOptions::default())
            .unwrap();
        assert_eq!(boards.explain(rule, x, y).words, words, "{map}");
    }
}

#[test]
fn the_kernel_is_the_homeworks() {
    let boards = ClassroomBoards::new(5, 5).unwrap();
    let explanation = boards.explain(ClassroomRule::Weighted, 2, 2);
    let weights: Vec<u32> = explanation
        .neighbours
        .iter()
        .map(|neighbour| neighbour.weight)
        .collect();
    let rows = [
        1, 1, 2, 1, 1, 1, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 1, 1, 1, 2, 1, 1,
    ];
    assert_eq!(weights, rows);
    assert_eq!(weights.iter().sum::<u32>(), 36);
}

#[test]
fn a_map_is_read_for_all_five() {
    let mut boards = ClassroomBoards::new(3, 2).unwrap();
    boards
        .read(b"! a map\nRB.\n..R\n", &MapReadOptions::default())
        .unwrap();
    let texts = ClassroomRule::ALL.map(|rule| boards.text(rule));
    assert_eq!(
        texts,
        [
            "OO.\n..O\n",
            "RB.\n..R\n",
            "OO.\n..O\n",
            "OO.\n..O\n",
            "110\n001\n"
        ]
    );
    boards
        .read(b"052\n..O\n", &MapReadOptions::default())
        .unwrap();
    let texts = ClassroomRule::ALL.map(|rule| boards.text(rule));
    assert_eq!(
        texts,
        [
            ".OO\n..O\n",
            ".RR\n..R\n",
            ".OO\n..O\n",
            ".OO\n..O\n",
            "052\n001\n"
        ]
    );
    // Every line takes up a row.
    boards
        .read(
            b"! a map\nO..\n",
            &MapReadOptions {
                cs100: true,
                ..MapReadOptions::default()
            },
        )
        .unwrap();
    assert_eq!(boards.text(ClassroomRule::Base), "...\nO..\n");
}

#[test]
fn a_broken_map_says_where_and_changes_nothing() {
    let mut boards = ClassroomBoards::new(3, 2).unwrap();
    boards.read(b"OO.\n", &MapReadOptions::default()).unwrap();
    for (map, place) in [
        ("...\n.?.\n", (2, 2)),
        ("....\n", (1, 4)),
        ("...\n...\n..O\n", (3, 1)),
        ("RB8\n", (1, 3)),
        ("R1.\n", (1, 2)),
    ] {
        let error = boards
            .read(map.as_bytes(), &MapReadOptions::default())
            .unwrap_err();
        let at = error.place().map(|place| (place.line, place.column));
        assert_eq!(at, Some(place), "{map}: {error}");
        assert_eq!(boards.text(ClassroomRule::Base), "OO.\n...\n");
    }
}

#[test]
fn what_is_drawn_is_drawn_for_all_and_kept_as_the_start() {
    let mut boards = ClassroomBoards::new(4, 3).unwrap();
    boards.draw(ClassroomRule::Colorised, 1, 1, 3).unwrap();
    boards.draw(ClassroomRule::Generations, 2, 1, 5).unwrap();
    let all = |boards: &ClassroomBoards| {
        ClassroomRule::ALL.map(|rule| (boards.state(rule, 1, 1), boards.state(rule, 2, 1)))
    };
    let drawn = [(1, 1), (3, 2), (1, 1), (1, 1), (1, 5)];
    assert_eq!(all(&boards), drawn);
    // A live cell keeps its state when another rule's cell is drawn.
    boards.draw(ClassroomRule::Base, 1, 1, 1).unwrap();
    assert_eq!(all(&boards), drawn);
    assert_eq!(boards.next_state(ClassroomRule::Colorised, 1, 1), 0);
    assert_eq!(boards.next_state(ClassroomRule::Generations, 1, 1), 2);
    boards.step(3);
    assert_eq!(boards.round(), 3);
    // Drawing between rounds does not change the start.
    boards.draw(ClassroomRule::Base, 0, 0, 1).unwrap();
    boards.restart();
    assert_eq!((boards.round(), all(&boards)), (0, drawn));
    assert_eq!(boards.state(ClassroomRule::Base, 0, 0), 0);
    assert!(matches!(
        boards.draw(ClassroomRule::Base, 4, 0, 1),
        Err(ClassroomBoardError::Outside(..))
    ));
    assert!(matches!(
        boards.draw(ClassroomRule::Base, 0, 0, 2),
        Err(ClassroomBoardError::NoState(..))
    ));
}

#[test]
fn boards_are_restored() {
    let mut boards = ClassroomBoards::new(25, 25).unwrap();
    boards.open("colorised-meeting").unwrap();
    boards.step(7);
    let texts = |boards: &ClassroomBoards| ClassroomRule::ALL.map(|rule| boards.text(rule));
    let starts = ClassroomRule::ALL.map(|rule| boards.start_text(rule));
    let again = ClassroomBoards::restore((25, 25), 7, &texts(&boards), &starts).unwrap();
    assert_eq!(texts(&again), texts(&boards));
    let (mut one, mut other) = (boards, again);
    for boards in [&mut one, &mut other] {
        boards.step(5);
    }
    assert_eq!(texts(&one), texts(&other));
    one.restart();
    other.restart();
    assert_eq!(texts(&one), texts(&other));
}

#[test]
fn texts_are_what_maps_are_written_as() {
    let mut boards = ClassroomBoards::new(9, 7).unwrap();
    for (rule, entry) in ClassroomBoards::maps() {
        if boards.open(entry.name).is_err() {
            boards = ClassroomBoards::new(25, 25).unwrap();
            boards.open(entry.name).unwrap();
        }
        boards.step(2);
        let runs = boards
            .states(rule)
            .into_iter()
            .enumerate()
            .filter(|(_, state)| *state != 0);
        let width = boards.width() as usize;
        let runs = runs.map(|(cell, state)| Run {
            y: (cell / width) as i64,
            x: (cell % width) as i64,
            length: 1,
            state,
        });
        let pattern = Pattern {
            cells: Cells::from_runs(runs.collect()),
            ..Pattern::default()
        };
        let mut out = Vec::new();
        let board = Rect::new(0, 0, boards.width().into(), boards.height().into());
        classroom::write_map(&pattern, board, rule.alphabet(), &mut out).unwrap();
        assert_eq!(
            boards.text(rule),
            String::from_utf8(out).unwrap(),
            "{}",
            entry.name
        );
    }
}

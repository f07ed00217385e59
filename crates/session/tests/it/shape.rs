use crate::bench::SessionBench;

#[test]
fn rectangles_and_ellipses_are_drawn_and_undone_as_one() {
    let mut bench = SessionBench::new();
    bench.all("rectangle 1 4,3 0,0");
    assert_eq!(bench.picture(0, 0, 5, 4), "ooooo\no...o\no...o\nooooo");
    bench.all("rectangle filled 0 1,0 3,2");
    assert_eq!(bench.picture(0, 0, 5, 4), "o...o\no...o\no...o\nooooo");
    bench.all("undo; undo");
    assert_eq!(bench.population(), 0);
    bench.all("ellipse 1 0,0 4,4");
    assert_eq!(
        bench.picture(0, 0, 5, 5),
        ".ooo.\no...o\no...o\no...o\n.ooo."
    );
    bench.all("ellipse filled 1 0,0 4,4");
    assert_eq!(bench.population(), 21);
    let refused = bench.refused("rectangle filled 1 0,0 9999,9999");
    assert!(refused.contains("too many"), "{refused}");
    assert_eq!(
        bench.refused("ellipse 3 0,0 4,4"),
        "B3/S23 has 2 states, 0 to 1, and no 3"
    );
}

#[test]
fn a_flood_fills_what_is_enclosed_and_no_more() {
    let mut bench = SessionBench::new();
    bench.all("rectangle 1 0,0 4,4; draw 1 2,1 2,3; flood 1 1,1");
    assert_eq!(bench.population(), 16 + 3 + 3);
    bench.all("undo; set 2,2 0; flood 1 3,3");
    assert_eq!(
        bench.picture(0, 0, 5, 5),
        "ooooo\nooooo\nooooo\nooooo\nooooo"
    );
    // from a live cell, what is joined to it by edges
    bench.all("flood 0 4,4");
    assert_eq!(bench.population(), 0);
    bench.all("undo; set 5,5 1; flood 0 0,0");
    assert_eq!(bench.cells(), [(5, 5, 1)]);
    // a gap, or nothing at all around it
    bench.all("clear all; rectangle 1 0,0 4,4; set 4,2 0");
    for from in ["2,2", "90,0"] {
        let refused = bench.refused(&format!("flood 1 {from}"));
        assert!(refused.contains("no border"), "{refused}");
    }
    assert_eq!(bench.population(), 15);
    // a selection is a border, and so is the grid's edge
    bench.all("select 0,0 5x5; flood 1 2,2");
    assert_eq!(bench.population(), 25);
    let mut bench = SessionBench::new();
    bench.all("resize 6x4 torus; draw 1 0,-2 0,1; flood 1 1,0");
    assert_eq!(bench.population(), 24);
    assert_eq!(bench.refused("flood 1 9,9"), "9,9 lies outside the grid");
}

#[test]
fn hexagons_are_filled_across_their_edges() {
    let mut bench = SessionBench::new();
    bench.all("rule B2/S34H; rectangle 1 0,0 3,3; flood 1 1,1");
    assert_eq!(bench.population(), 16);
    // hexagons touch to the north-west as well, so this corner is no border
    bench.all("clear all; rectangle 1 0,0 3,3; set 0,0 0");
    assert!(bench.refused("flood 1 1,1").contains("no border"));
    bench.all("rule B3/S23; flood 1 1,1");
    assert_eq!(bench.population(), 15);
}

#[test]
fn copies_are_drawn_about_a_cell_a_box_or_the_selection() {
    let mut bench = SessionBench::new();
    let reply = bench.all("symmetry D4+ 0,0");
    assert_eq!(
        reply.note.as_deref(),
        Some("drawing with symmetry D4+ about 0,0")
    );
    bench.all("set 2,1 1");
    assert_eq!(
        bench.cells(),
        [(-2, -1, 1), (2, -1, 1), (-2, 1, 1), (2, 1, 1)]
    );
    bench.all("undo");
    assert_eq!(bench.population(), 0);
    // about the point between four cells
    bench.all("symmetry C4 0,0 2x2; draw 1 0,0 0,-1");
    assert_eq!(bench.picture(-1, -1, 4, 4), ".o..\n.ooo\nooo.\n..o.");
    bench.all("clear all; select 0,0 4x3; symmetry C2; flip 0,0");
    assert_eq!(bench.cells(), [(0, 0, 1), (3, 2, 1)]);
    bench.all("clear all; symmetry D2\\ 5,5; rectangle 1 0,0 1,2; symmetry C1; set 9,9 1");
    assert_eq!(
        bench.picture(0, 0, 3, 3),
        "ooo\noooo"[..3].to_string() + "\nooo\noo."
    );
    assert_eq!(bench.population(), 9);
    let refused = bench.refused("symmetry D5");
    assert!(refused.contains("D4+"), "{refused}");
}

/// A quarter turn takes cells to cells, whatever it is about.
#[test]
fn turned_copies_are_whole_cells() {
    for size in ["1x1", "2x1", "3x2", "4x4", "7x5", "5x8"] {
        for name in ["C4", "D2/", "D2\\", "D4x", "D8"] {
            let mut bench = SessionBench::new();
            bench.all(&format!("symmetry {name} -3,2 {size}; draw 1 0,0 4,1"));
            let all = bench.cells();
            // drawing a copy draws the same cells again
            let (x, y, _) = all[all.len() - 1];
            bench.all(&format!("set {x},{y} 0"));
            let less = all.len() - bench.cells().len();
            assert!((1..=8).contains(&less), "{name} {size}: {less}");
            bench.all(&format!("set {x},{y} 1"));
            assert_eq!(bench.cells(), all, "{name} {size}");
        }
    }
}

#[test]
fn an_object_is_selected_by_one_of_its_cells() {
    let mut bench = SessionBench::new();
    bench.all("paste 0,0 glider; paste 20,0 pulsar; paste 60,60 block");
    let box_of = |bench: &SessionBench| {
        let status = bench.session.status(&bench.viewer);
        let area = status.selection.expect("a selection");
        format!("{},{} {}x{}", area.x, area.y, area.width, area.height)
    };
    bench.all("select object 1,0");
    assert_eq!(box_of(&bench), "0,0 3x3");
    // near is enough, and parts that share neighbours are one object
    let pulsar = bench.session.world().bounds().is_some();
    assert!(pulsar);
    bench.all("select object 24,1");
    let of_pulsar = box_of(&bench);
    assert!(of_pulsar.ends_with("13x13"), "{of_pulsar}");
    bench.all("cursor 61,61; select object");
    assert_eq!(box_of(&bench), "60,60 2x2");
    assert_eq!(
        bench.refused("select object 1000,1000"),
        "no live cells at this cell"
    );
    // a part of the glider and a part of the block: both whole
    bench.all("select 2,2 59x59; select grow");
    assert_eq!(box_of(&bench).split(' ').next(), Some("0,0"));
    assert!(box_of(&bench).ends_with("62x62"), "{}", box_of(&bench));
}

/// Issue 31: one goes from part to part of a pattern.
#[test]
fn the_view_goes_from_object_to_object() {
    let mut bench = SessionBench::new();
    assert!(bench.refused("select next").starts_with("no live cells"));
    bench.all("paste 90,0 block; paste 0,0 glider; paste 40,-3 3o!; paste -20,50 pulsar");
    bench.all("select none; zoom 8");
    let look = |bench: &SessionBench| {
        let status = bench.session.status(&bench.viewer);
        let area = status.selection.expect("a selection");
        let middle = |from: &str, side: &str| {
            let (from, side): (i64, i64) = (from.parse().unwrap(), side.parse().unwrap());
            (from + side / 2).into()
        };
        let (x, y) = bench.viewer.viewport.centre();
        assert_eq!(x, middle(&area.x, &area.width), "in the middle");
        assert_eq!(y, middle(&area.y, &area.height), "in the middle");
        format!("{}x{}", area.width, area.height)
    };
    // from the top down and from left to right, and around
    for (command, sizes) in [
        ("select next", ["3x1", "3x3", "2x2", "13x13", "3x1"]),
        ("select previous", ["13x13", "2x2", "3x3", "3x1", "13x13"]),
    ] {
        for size in sizes {
            bench.all(command);
            assert_eq!(look(&bench), size, "{command}");
        }
    }
    // from a selection of one's own to what comes after it
    bench.all("select 1,1 1x1; select next");
    assert_eq!(look(&bench), "13x13");
    bench.all("select none; select previous");
    assert_eq!(look(&bench), "13x13");
}

#[test]
fn a_ship_is_pasted_with_its_heading_and_phase() {
    // the cells of each glider after 40 generations lie towards its heading
    for (heading, dx, dy) in [
        ("ne", 10, -10),
        ("SE", 10, 10),
        ("sw", -10, 10),
        ("nw", -10, -10),
    ] {
        let mut bench = SessionBench::new();
        bench.all(&format!("paste 0,0 glider {heading}"));
        let before = bench.cells();
        bench.all("step 40");
        let moved: Vec<_> = before
            .iter()
            .map(|(x, y, s)| (x + dx, y + dy, *s))
            .collect();
        assert_eq!(bench.cells(), moved, "{heading}");
    }
    let mut bench = SessionBench::new();
    bench.all("paste 0,0 lwss n");
    let rows = |bench: &SessionBench| bench.cells().iter().map(|c| c.1).min().unwrap_or_default();
    let start = rows(&bench);
    bench.all("step 40");
    assert_eq!(rows(&bench), start - 20);
    // a phase ahead is what running it gives
    let mut ahead = SessionBench::new();
    ahead.all("paste 0,0 glider +3; select all; copy");
    let mut run = SessionBench::new();
    run.all("open glider; step 3; select all; copy");
    let shape = |bench: &SessionBench| bench.session.clip().cloned();
    assert_eq!(shape(&ahead), shape(&run));
    assert_eq!(
        bench.refused("paste 0,0 glider n"),
        "glider cannot head n: it goes ne, se, sw or nw"
    );
    assert_eq!(
        bench.refused("clipboard block e"),
        "block does not move: it has no heading"
    );
    let refused = bench.refused("paste 0,0 no-such-ship ne");
    assert!(refused.starts_with("no-such-ship:"), "{refused}");
    let refused = bench.refused("paste 0,0 glider +99999");
    assert!(refused.contains("too far ahead"), "{refused}");
}

#[test]
fn the_view_goes_with_a_ship() {
    let mut bench = SessionBench::new();
    bench.all("open glider; zoom 8; paste 100,0 block; centre 1,1; cursor 1,1");
    let reply = bench.all("follow object");
    assert_eq!(
        reply.note.as_deref(),
        Some("the view goes 1,1 cells in 4 generations")
    );
    let centre = |bench: &mut SessionBench| {
        bench.session.frame(&mut bench.viewer);
        let (x, y) = bench.viewer.viewport.centre();
        format!("{x},{y}")
    };
    assert_eq!(centre(&mut bench), "1,1");
    bench.all("step 400");
    assert_eq!(centre(&mut bench), "101,101");
    // far, and back again; what the hand moves stays moved
    bench.all("step 40000");
    assert_eq!(centre(&mut bench), "10101,10101");
    bench.all("back 40000; centre 111,101");
    assert_eq!(centre(&mut bench), "111,101");
    bench.all("step 4");
    assert_eq!(centre(&mut bench), "112,102");
    let track = bench.session.status(&bench.viewer).viewer.track;
    assert_eq!(track.as_deref(), Some("1,1/4"));
    bench.all("follow toggle; step 40");
    assert_eq!(centre(&mut bench), "112,102");
    bench.all("follow -2,0/5; step 10");
    assert_eq!(centre(&mut bench), "108,102");
    assert_eq!(
        bench.refused("follow object 100,0"),
        "this object does not move: it has no heading"
    );
    assert!(bench.refused("follow 1,1/0").contains("1,-1/4"));
}

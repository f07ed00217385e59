use crate::bench::SessionBench;
use proptest::prelude::*;

#[test]
fn drawing_changes_cells_and_a_stroke_is_undone_as_one() {
    let mut bench = SessionBench::new();
    bench.all("draw 1 0,0 3,0; draw more 1 3,0 3,2");
    assert_eq!(bench.picture(0, 0, 5, 3), "oooo.\n...o.\n...o.");
    bench.all("draw 0 3,1");
    assert_eq!(bench.picture(0, 0, 5, 3), "oooo.\n.....\n...o.");
    bench.all("undo");
    assert_eq!(bench.picture(0, 0, 5, 3), "oooo.\n...o.\n...o.");
    bench.all("undo");
    assert_eq!(bench.population(), 0);
    assert_eq!(bench.refused("undo"), "nothing to undo");
    bench.all("redo; redo");
    assert_eq!(bench.picture(0, 0, 5, 3), "oooo.\n.....\n...o.");
    assert_eq!(bench.refused("redo"), "nothing to redo");
}

#[test]
fn a_stroke_over_itself_comes_back_to_what_was_there() {
    let mut bench = SessionBench::new();
    bench
        .all("rule Brian's Brain; set 1,0 2; draw 1 0,0 2,0; draw more 1 2,0 0,0; draw more 1 0,1");
    assert_eq!(bench.picture(0, 0, 3, 2), "ooo\no..");
    bench.all("undo");
    assert_eq!(bench.picture(0, 0, 3, 2), ".2.\n...");
}

#[test]
fn a_click_flips() {
    let mut bench = SessionBench::new();
    bench.all("flip 5,5");
    assert_eq!(bench.cells(), [(5, 5, 1)]);
    bench.all("flip 5,5");
    assert_eq!(bench.cells(), []);
    bench.all("rule WireWorld; pen 3; flip 5,5");
    assert_eq!(bench.cells(), [(5, 5, 3)]);
    bench.all("cursor 7,8; flip; nudge 1,0; flip");
    assert_eq!(bench.cells(), [(5, 5, 3), (7, 8, 3), (8, 8, 3)]);
}

#[test]
fn states_and_places_that_are_not_there_are_refused() {
    let mut bench = SessionBench::new();
    assert_eq!(
        bench.refused("set 0,0 2"),
        "B3/S23 has 2 states, 0 to 1, and no 2"
    );
    assert_eq!(
        bench.refused("pen 2"),
        "B3/S23 has 2 states, 0 to 1, and no 2"
    );
    bench.all("resize 10x10");
    assert_eq!(bench.refused("set 5,0 1"), "5,0 lies outside the grid");
    bench.all("draw 1 3,0 9,0");
    assert_eq!(bench.cells(), [(3, 0, 1), (4, 0, 1)]);
    assert!(bench.refused("draw 1 0,0 9999999,0").contains("too many"));
}

#[test]
fn cut_copy_and_paste() {
    let mut bench = SessionBench::new();
    let reply = bench.all("open glider; select all; copy");
    assert_eq!(
        reply.clip.as_deref(),
        Some("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n")
    );
    assert_eq!(reply.note.as_deref(), Some("copied 5 cells"));
    bench.all("paste 10,10");
    assert_eq!(bench.picture(10, 10, 3, 3), ".o.\n..o\nooo");
    assert_eq!(bench.population(), 10);
    let reply = bench.all("cut");
    assert_eq!(reply.note.as_deref(), Some("cut 5 cells"));
    assert_eq!(bench.population(), 5);
    bench.all("undo; undo");
    assert_eq!(bench.picture(0, 0, 3, 3), ".o.\n..o\nooo");
    assert_eq!(bench.population(), 5);
}

#[test]
fn pasted_cells_meet_what_is_there_as_the_mode_says() {
    let rows = [
        ("or", "ooo\nooo\n.o."),
        ("xor", "o.o\no.o\n.o."),
        ("copy", ".o.\nooo\n.o."),
        ("and", ".o.\n.o.\n..."),
    ];
    for (mode, expected) in rows {
        let mut bench = SessionBench::new();
        bench.all("draw 1 0,0 2,0; set 1,1 1");
        bench.all(&format!("paste 0,0 {mode} bo$3o$bo!"));
        assert_eq!(bench.picture(0, 0, 3, 3), expected, "{mode}");
        bench.all("undo");
        assert_eq!(bench.picture(0, 0, 3, 3), "ooo\n.o.\n...", "{mode}");
        bench.all(&format!("paste-mode {mode}; paste 0,0 bo$3o$bo!"));
        assert_eq!(bench.picture(0, 0, 3, 3), expected, "{mode}");
    }
}

#[test]
fn a_paste_takes_rle_apgcodes_names_and_files_as_text() {
    let mut bench = SessionBench::new();
    bench.all("paste 0,0 xp2_7; paste 10,0 bo$2bo$3o!; paste 20,0 or block");
    assert_eq!(bench.population(), 3 + 5 + 4);
    let wrong = bench.refused("clipboard 3o$?!");
    assert!(wrong.contains("1:4"), "{wrong}");
    assert_eq!(
        bench.refused("paste 0,0 nothing-of-that-name"),
        "nothing-of-that-name: no such file, and no built-in pattern of that name"
    );
    assert_eq!(
        SessionBench::new().refused("paste"),
        "the clipboard is empty"
    );
}

#[test]
fn what_falls_off_the_grid_in_a_paste_is_said() {
    let mut bench = SessionBench::new();
    bench.all("resize 10x10");
    let reply = bench.all("paste 3,3 3o$3o$3o!");
    assert_eq!(
        reply.note.as_deref(),
        Some("pasted 9 cells, 5 of them left out, outside the grid")
    );
    assert!(reply.undo);
    assert_eq!(bench.population(), 4);
}

#[test]
fn a_selection_is_mirrored_turned_and_moved() {
    let mut bench = SessionBench::new();
    bench.all("paste 0,0 2o$o$o!; select 0,0 2x3; mirror horizontal");
    assert_eq!(bench.picture(0, 0, 3, 3), "oo.\n.o.\n.o.");
    bench.all("mirror vertical");
    assert_eq!(bench.picture(0, 0, 3, 3), ".o.\n.o.\noo.");
    bench.all("undo; undo; rotate right");
    assert_eq!(
        bench.picture(-1, -1, 5, 5),
        ".....\n.ooo.\n...o.\n.....\n....."
    );
    bench.all("rotate left");
    assert_eq!(bench.picture(0, 0, 3, 3), "oo.\no..\no..");
    bench.all("shift 2,1");
    assert_eq!(
        bench.picture(0, 0, 5, 5),
        ".....\n..oo.\n..o..\n..o..\n....."
    );
    let area = bench.session.status(&bench.viewer).selection.unwrap();
    assert_eq!(
        [area.x, area.y, area.width, area.height],
        ["2", "1", "2", "3"]
    );
}

#[test]
fn filling_clearing_and_random_cells() {
    let mut bench = SessionBench::new();
    bench.all("select 0,0 4x3; fill 1");
    assert_eq!(bench.population(), 12);
    bench.all("select 1,1 2x9");
    assert_eq!(bench.session.status(&bench.viewer).selected, Some(4));
    bench.all("select 1,1 2x1; clear inside");
    assert_eq!(bench.picture(0, 0, 4, 3), "oooo\no..o\noooo");
    bench.all("select 0,0 2x2; clear outside");
    assert_eq!(bench.picture(0, 0, 4, 3), "oo..\no...\n....");
    bench.all("undo");
    assert_eq!(bench.picture(0, 0, 4, 3), "oooo\no..o\noooo");
    bench.all("select 0,0 50x40; random count 321 seed 5");
    assert_eq!(bench.population(), 321);
    let first = bench.cells();
    assert!(
        first
            .iter()
            .all(|(x, y, _)| (0..50).contains(x) && (0..40).contains(y))
    );
    bench.all("random count 321 seed 5");
    assert_eq!(bench.cells(), first);
    bench.all("random count 321");
    assert_ne!(bench.cells(), first);
    assert_eq!(
        bench.refused("random count 2001"),
        "50x40 has 2000 cells, not 2001"
    );
    bench.all("clear all");
    assert_eq!(bench.population(), 0);
}

#[test]
fn nothing_selected_is_said() {
    let mut bench = SessionBench::new();
    for text in [
        "cut",
        "copy",
        "mirror horizontal",
        "rotate left",
        "shift 1,1",
        "fill 1",
        "clear inside",
        "select shrink",
    ] {
        assert_eq!(bench.refused(text), "nothing is selected", "{text}");
    }
    assert!(bench.refused("select all").starts_with("no live cells"));
}

#[test]
fn an_edit_stops_the_run_unless_it_is_to_run_on() {
    let mut bench = SessionBench::new();
    bench.all("open gosper-glider-gun; run; flip 100,100");
    assert!(!bench.session.is_busy());
    bench.all("run-while-drawing on; run; flip 101,100");
    assert!(bench.session.is_busy());
}

#[test]
fn huge_selections_are_emptied_without_walking_over_them() {
    let mut bench = SessionBench::new();
    bench.all("set 0,0 1; set 1000000000,1000000000 1; select -2000000000,-2000000000 4000000000x4000000000; cut");
    assert_eq!(bench.population(), 0);
    bench.all("undo; select 1,1 4000000000x4000000000; clear outside");
    assert_eq!(bench.cells(), [(1_000_000_000, 1_000_000_000, 1)]);
    bench.all("rotate half");
    assert_eq!(bench.population(), 1);
}

proptest! {
    /// Any edits, all taken back, lead to where it began; made again, to where it was.
    #[test]
    fn undo_and_redo_lead_there_and_back(
        edits in proptest::collection::vec((0..9usize, -20..20i64, -20..20i64, 1..12u64, 1..12u64), 1..12),
    ) {
        let mut bench = SessionBench::new();
        bench.all("paste -3,-3 3o$obo$2bo!");
        let mut done = 0;
        for (kind, x, y, width, height) in edits {
            bench.all(&format!("select {x},{y} {width}x{height}"));
            let text = match kind {
                0 => format!("draw 1 {x},{y} {},{}", x + 5, y - 3),
                1 => format!("flip {x},{y}"),
                2 => "random 0.4".to_string(),
                3 => "rotate left".to_string(),
                4 => "clear outside".to_string(),
                5 => "cut".to_string(),
                6 => format!("paste {y},{x} xor 3o$bo!"),
                7 => "shift 3,-2".to_string(),
                _ => "step 3".to_string(),
            };
            bench.all(&text);
            done += 1;
        }
        let end = (bench.cells(), bench.generation());
        let mut undone = 0;
        while bench.one("undo").is_ok() {
            undone += 1;
            prop_assert!(undone <= done + 1);
        }
        // the first paste is taken back too
        prop_assert_eq!((bench.cells(), bench.generation()), (Vec::new(), 0));
        for _ in 0..undone {
            bench.all("redo");
        }
        prop_assert_eq!((bench.cells(), bench.generation()), end);
    }
}

#[test]
fn what_is_placed_turns_and_the_sheet_does_not() {
    let mut bench = SessionBench::new();
    bench.all("paste 50,50 bo$2bo$3o!; select 50,50 3x3; copy");
    let sheet = bench.cells();
    for (command, expected) in [
        ("paste-rotate right", "o..\no.o\noo."),
        ("paste-rotate left", ".o.\n..o\nooo"),
        ("paste-mirror horizontal", ".o.\no..\nooo"),
        ("paste-mirror vertical", "ooo\no..\n.o."),
        ("paste-rotate half", ".o.\n..o\nooo"),
    ] {
        bench.all(command);
        assert_eq!(bench.cells(), sheet, "{command}");
        bench.all("paste 0,0 copy");
        assert_eq!(bench.picture(0, 0, 3, 3), expected, "{command}");
        bench.all("undo");
    }
    let mut empty = SessionBench::new();
    assert!(empty.one("paste-rotate left").is_err());
}

#[test]
fn a_text_with_several_patterns_is_taken_one_by_one() {
    let mut bench = SessionBench::new();
    let post = "clipboard Two for you:\n> x = 3, y = 3\n> bo$2bo$3o!\nand 2o$2o! is a block";
    let mut one = |text: &str| bench.one(text).map(|reply| reply.note.unwrap_or_default());
    assert_eq!(
        one(post).expect("two patterns"),
        "5 cells ready to paste; paste-next takes the other pattern of the text"
    );
    assert_eq!(
        one("paste-next").expect("one more"),
        "4 cells ready to paste"
    );
    let refused = one("paste-next").expect_err("that was all");
    assert_eq!(
        refused.to_string(),
        "there are no more patterns in the text"
    );
    // one pattern in prose; and a text that is a pattern itself, wrong as it may be
    let prose = "clipboard what does bo$2bo$3o! do?";
    assert_eq!(one(prose).expect("a glider"), "5 cells ready to paste");
    let wrong = one("clipboard x = 3, y = 3\nbo$2bo$3?o!").expect_err("a wrong sign");
    assert!(wrong.to_string().contains("2:"), "{wrong}");
    let none = one("clipboard no pattern in here").expect_err("words");
    assert!(none.to_string().contains("no such file"), "{none}");
}

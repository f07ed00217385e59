use crate::bench::SessionBench;
use grid::Point;
use num_bigint::BigInt;
use render::{Content, DYING, Frame, Zoom};

/// The states that a frame shows, as text.
fn shown(frame: &Frame, x: i64, y: i64, width: i64, height: i64) -> String {
    let row = |y| -> String {
        let sign = |x| if frame.state(x, y) == 0 { '.' } else { 'o' };
        (x..x + width).map(sign).collect()
    };
    (y..y + height).map(row).collect::<Vec<_>>().join("\n")
}

fn mark(frame: &Frame, x: i64, y: i64) -> u8 {
    let Content::Cells {
        rect,
        marks: Some(marks),
        ..
    } = &frame.content
    else {
        return 0;
    };
    assert!(rect.contains(Point::new(x, y)));
    marks[((y - rect.y) * rect.width as i64 + x - rect.x) as usize]
}

#[test]
fn a_frame_shows_what_is_there() {
    let mut bench = SessionBench::new();
    bench.all("open glider; zoom 8; centre 0,0; step 4");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(
        shown(&frame, 0, 0, 5, 5),
        ".....\n..o..\n...o.\n.ooo.\n....."
    );
}

#[test]
fn zoom_keeps_what_is_under_the_pointer() {
    let mut bench = SessionBench::new();
    bench.all("zoom 8; centre 0,0");
    let before = bench.viewer.viewport.cell_at(100, 77);
    bench.all("zoom in at 100,77; zoom in at 100,77; zoom in at 100,77");
    assert_eq!(bench.viewer.viewport.cell_at(100, 77), before);
    for _ in 0..12 {
        bench.all("zoom out at 100,77");
    }
    assert!(matches!(bench.viewer.viewport.zoom, Zoom::Out(_)));
    let seen = bench.viewer.viewport.cell_at(100, 77);
    let off = (seen.0 - &before.0).magnitude().clone();
    assert!(off < 64u8.into(), "{off}");
}

#[test]
fn dying_cells_are_marked() {
    let mut bench = SessionBench::new();
    bench.all("draw 1 -1,0 1,0; zoom 8; centre 0,0; dying on");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(mark(&frame, -1, 0), DYING);
    assert_eq!(mark(&frame, 0, 0), 0);
    assert_eq!(mark(&frame, 1, 0), DYING);
    assert_eq!(mark(&frame, 0, 1), 0, "what is born is not dying");
    bench.all("dying off");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(mark(&frame, 1, 0), 0);
}

#[test]
fn ages_and_trails_are_marked_only_where_asked_for() {
    let mut bench = SessionBench::new();
    bench.all("draw 1 -1,0 1,0; zoom 8; centre 0,0; age on; step 5");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(mark(&frame, 0, 0), 64 + 5);
    assert_eq!(mark(&frame, 0, 1), 64);
    assert_eq!(mark(&frame, 1, 0), 0);
    bench.all("history on; age off; step 1");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(mark(&frame, 0, 0), 0);
    assert_eq!(mark(&frame, 0, 1), 63, "it died just now");
}

/// Issue 31: live cells are coloured by how often they change and after how long they repeat.
#[test]
fn heat_and_periods_are_marked_where_cells_repeat() {
    let mut bench = SessionBench::new();
    let seen = |bench: &mut SessionBench, cells: [(i64, i64); 2]| {
        let frame = bench.session.frame(&mut bench.viewer);
        cells.map(|(x, y)| mark(&frame, x, y))
    };
    let legend = |bench: &SessionBench| bench.session.status(&bench.viewer).settings.periods;
    bench.all("draw 1 -1,0 1,0; zoom 8; centre 0,0; colouring period");
    assert_eq!(seen(&mut bench, [(0, 0), (1, 0)]), [64, 65]);
    assert_eq!(legend(&bench), [1, 2]);
    bench.all("step");
    assert_eq!(seen(&mut bench, [(0, 0), (0, 1)]), [64, 65]);
    bench.all("colouring heat");
    assert_eq!(seen(&mut bench, [(0, 0), (0, 1)]), [64, 127]);
    assert!(legend(&bench).is_empty());
    // an edit is looked at anew: what flies away never comes back
    bench.all("paste 4,4 bo$2bo$3o!");
    assert_eq!(seen(&mut bench, [(0, 0), (0, 1)]), [0, 0]);
    bench.all("undo");
    assert_eq!(seen(&mut bench, [(0, 0), (0, 1)]), [64, 127]);
    // before it has settled nothing is known
    bench.all("new; draw 1 0,0 2,0; set 1,1 1; zoom 8; centre 0,0; colouring period");
    assert_eq!(seen(&mut bench, [(0, 0), (1, 1)]), [0, 0]);
    bench.all("step 20");
    let frame = bench.session.frame(&mut bench.viewer);
    let Content::Cells {
        marks: Some(marks), ..
    } = frame.content
    else {
        panic!("the traffic light repeats");
    };
    let count = |wanted| marks.iter().filter(|&&mark| mark == wanted).count();
    assert_eq!((count(64), count(65)), (4, 8));
    bench.all("back 19");
    assert_eq!(
        seen(&mut bench, [(0, 0), (1, 1)]),
        [0, 0],
        "it had not settled"
    );
    bench.all("colouring state");
    assert_eq!(
        bench.session.status(&bench.viewer).settings.colouring,
        "state"
    );
}

/// The choice of colouring goes with the pattern.
#[test]
fn colourings_are_saved() {
    for (command, saved) in [
        ("colouring heat", Some("colouring=heat")),
        ("colouring period", Some("colouring=period")),
        ("colouring age", Some("age=on")),
        ("colouring state", None),
    ] {
        let mut bench = SessionBench::new();
        bench.all("draw 1 -1,0 1,0");
        bench.all(command);
        let draft = bench.session.draft(&bench.viewer).unwrap();
        let text = String::from_utf8_lossy(&draft).into_owned();
        assert!(saved.is_none_or(|saved| text.contains(saved)), "{text}");
        let mut again = SessionBench::new();
        again
            .session
            .restore_draft(&mut again.viewer, &draft)
            .unwrap();
        let colouring =
            |bench: &SessionBench| bench.session.status(&bench.viewer).settings.colouring;
        assert_eq!(colouring(&again), colouring(&bench));
    }
}

#[test]
fn trails_of_long_steps_are_whole_or_switched_off_with_a_word() {
    let mut bench = SessionBench::new();
    bench.all("open glider; zoom 8; centre 25,25; history on; step 200");
    let seen = |bench: &mut SessionBench| {
        let frame = bench.session.frame(&mut bench.viewer);
        (5..45).filter(|&n| mark(&frame, n, n) > 0).count()
    };
    assert_eq!(seen(&mut bench), 40, "it has been everywhere on its way");
    let message = |bench: &SessionBench| bench.session.status(&bench.viewer).message;
    assert_eq!(message(&bench), None);
    bench.all("step 2000");
    assert_eq!(seen(&mut bench), 0);
    let words = message(&bench).expect("a word of it");
    assert!(words.contains("more than 1024 generations"), "{words}");
    bench.all("step 8; centre 550,550");
    assert_eq!(message(&bench), None);
    let frame = bench.session.frame(&mut bench.viewer);
    let Content::Cells {
        marks: Some(marks), ..
    } = frame.content
    else {
        panic!("cells with marks");
    };
    assert!(
        marks.iter().any(|&mark| (1..64).contains(&mark)),
        "it begins anew"
    );
}

#[test]
fn an_edit_leaves_the_ages_of_other_cells() {
    let mut bench = SessionBench::new();
    bench.all("open block; zoom 8; age on; history on; step 9; flip 5,0");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!((mark(&frame, 0, 0), mark(&frame, 5, 0)), (64 + 9, 64));
    bench.all("flip 0,0");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!((mark(&frame, 0, 0), mark(&frame, 1, 0)), (63, 64 + 9));
    bench.all("reset");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(mark(&frame, 0, 0), 64, "it begins anew");
}

#[test]
fn a_world_of_a_thousand_million_cells_across_is_seen_whole() {
    let mut bench = SessionBench::new();
    bench.all("set -500000000,0 1; set 500000000,3 1; set 0,200000000 1; fit");
    let frame = bench.session.frame(&mut bench.viewer);
    let Content::Density { levels } = &frame.content else {
        panic!("it is seen from far off");
    };
    assert_eq!(levels.iter().filter(|level| **level > 0).count(), 3);
    assert!(matches!(frame.viewport.zoom, Zoom::Out(k) if k >= 20));
}

#[test]
fn the_view_follows_what_lives() {
    let mut bench = SessionBench::new();
    bench.all("open glider; zoom 4; follow on; step 4000");
    let frame = bench.session.frame(&mut bench.viewer);
    assert_eq!(bench.generation(), 4000);
    assert!((0..3).any(|n| frame.state(1000 + n, 1000) + frame.state(1001 + n, 1001) > 0));
    bench.all("follow off; fit");
    assert!(!bench.viewer.follow);
}

#[test]
fn the_cell_cursor_moves_and_takes_the_view_along() {
    let mut bench = SessionBench::new();
    bench.all("zoom 8; cursor 3,4; nudge 1,0; nudge 0,-2");
    assert_eq!(bench.viewer.cursor, Some((4.into(), 2.into())));
    bench.all("nudge 1000,0");
    let (x, _) = bench.viewer.viewport.centre();
    assert_eq!(x, BigInt::from(1004));
    bench.all("cursor 0,0; set 0,0 1");
    assert_eq!(
        bench.session.status(&bench.viewer).viewer.cursor_state,
        Some(1)
    );
    bench.all("cursor off");
    assert_eq!(bench.session.status(&bench.viewer).viewer.cursor, None);
}

#[test]
fn two_viewers_see_the_same_world_from_where_they_stand() {
    let mut bench = SessionBench::new();
    let mut other = session::Viewer::new(100, 100);
    bench.all("open glider; zoom 20");
    let frame = bench.session.frame(&mut other);
    assert_eq!(shown(&frame, 0, 0, 3, 3), ".o.\n..o\nooo");
    bench.all("zoom 1:64; set 1,1 1");
    let frame = bench.session.frame(&mut other);
    assert_eq!(frame.state(1, 1), 1);
    assert!(matches!(other.viewport.zoom, Zoom::In(_)));
}

#[test]
fn colours_and_themes() {
    let mut bench = SessionBench::new();
    let before = bench.session.look_revision();
    bench.all("colour 1 #cc3311; theme blueprint");
    assert!(bench.session.look_revision() > before);
    let palette = bench.session.palette(&bench.viewer);
    assert_eq!(palette.states[1].to_string(), "#cc3311");
    assert_eq!(palette.theme.name, "blueprint");
    bench.all("colour 1 default; theme auto");
    assert_eq!(bench.session.palette(&bench.viewer).theme.name, "paper");
    bench.viewer.is_dark = true;
    assert_eq!(bench.session.palette(&bench.viewer).theme.name, "blueprint");
}

#[test]
fn picking_takes_a_cells_state() {
    let mut bench = SessionBench::new();
    bench.all("rule WireWorld; set 4,4 3; pick 4,4");
    assert_eq!(bench.viewer.pen, 3);
}

/// Issue 31: a key changed what its viewer did not see.
#[test]
fn a_command_of_a_key_waits_until_its_cells_are_in_view() {
    let selected = [
        "cut",
        "clear inside",
        "clear outside",
        "fill 0",
        "random 0.5",
        "mirror horizontal",
        "rotate left",
        "shift 1,0",
        "select shrink",
        "paste",
    ];
    let check = |begin: &str, command: &str, acts: bool| {
        let mut bench = SessionBench::new();
        bench.all("open glider; select all; copy; select none; zoom 8");
        bench.all(begin);
        let before = (bench.cells(), bench.session.status(&bench.viewer).selection);
        let view = bench.viewer.viewport.clone();
        let reply = bench.all(&format!("seen {command}"));
        let after = (bench.cells(), bench.session.status(&bench.viewer).selection);
        let note = reply.note.unwrap_or_default();
        assert_eq!(
            note.contains("out of view"),
            !acts,
            "{begin}; {command}: {note}"
        );
        if !acts {
            assert_eq!(after, before, "{begin}; {command}");
            assert_ne!(bench.viewer.viewport, view, "{begin}; {command}");
            let again = bench.all(&format!("seen {command}"));
            let note = again.note.unwrap_or_default();
            assert!(!note.contains("out of view"), "{begin}; {command}: {note}");
        }
    };
    for command in selected {
        check("select 0,0 5x5; centre 2,2", command, true);
        check("select 0,0 5x5; centre 2000,2", command, false);
        check("select 0,0 5x5; centre 2,-2000; zoom 1:4", command, false);
    }
    check("cursor 1,1; centre 1,1", "flip", true);
    check("cursor 1,1; centre 2000,1", "flip", false);
    check("cursor 1,1; centre 2000,1", "flip 1,1", true);
    check("cursor 1,1; centre 2000,1", "paste", false);
    check("centre 2000,1", "clear all", true);
}

#[test]
fn bookmarks_lead_to_a_generation_and_a_view_and_go_with_the_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = SessionBench::in_folder(folder.path());
    bench.all("open r-pentomino; zoom 8; step 100; centre 7,-3; bookmark first");
    bench.all("step 100; zoom 2; centre 50,60; bookmark later-2; step 7");
    bench.all("visit first");
    let seen = |bench: &mut SessionBench| {
        let status = bench.session.status(&bench.viewer);
        let (x, y) = bench.viewer.viewport.centre();
        format!("{} at {x},{y} {}", status.generation, status.viewer.zoom)
    };
    assert_eq!(seen(&mut bench), "100 at 7,-3 8");
    bench.all("visit later-2");
    assert_eq!(seen(&mut bench), "200 at 50,60 2");
    let names = bench.session.status(&bench.viewer).bookmarks;
    let names: Vec<_> = names
        .iter()
        .map(|(name, at)| format!("{name} {at}"))
        .collect();
    assert_eq!(names, ["first 100", "later-2 200"]);
    // saved at another generation, opened somewhere else
    bench.all("save kept.rle; step 5; new; open kept.rle");
    bench.all("step 3; visit later-2");
    assert_eq!(seen(&mut bench), "200 at 50,60 2");
    assert_eq!(
        bench.refused("visit first"),
        "generation 100 lies before the start"
    );
    bench.all("bookmark first off");
    assert_eq!(bench.refused("visit first"), "there is no bookmark first");
    assert!(bench.refused("bookmark it's").contains("one word"));
    // what cannot be read is kept, and said
    std::fs::write(
        folder.path().join("odd.rle"),
        "#C gridpaper: bookmark-a=5;1,2;8 bookmark-b=x\nx = 1, y = 1\no!\n",
    )
    .unwrap();
    bench.all("open odd.rle");
    assert_eq!(bench.session.status(&bench.viewer).bookmarks.len(), 1);
    bench.all("save odd2.rle");
    let text = std::fs::read_to_string(folder.path().join("odd2.rle")).unwrap();
    assert!(
        text.contains("bookmark-a=5;1,2;8") && text.contains("bookmark-b=x"),
        "{text}"
    );
}

use crate::bench::SessionBench;
use num_bigint::BigInt;
use pattern::Format;
use session::{CommandRefusal, Session, Viewer, file_access::FileAccess};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn asks(bench: &mut SessionBench, text: &str) -> (String, String) {
    match bench.one(text) {
        Err(CommandRefusal::Asks {
            question, command, ..
        }) => (question, command),
        other => panic!("{text} should ask: {other:?}"),
    }
}

/// Issue 31: a question was asked where undo can bring back what is replaced.
#[test]
fn unsaved_edits_that_are_replaced_come_back_by_undo() {
    for text in ["new", "open glider", "soup 10x10 0.5 seed 1"] {
        let mut bench = SessionBench::new();
        bench.all("open block; flip 9,9; name mine");
        let reply = bench.one(text).unwrap();
        assert!(reply.undo, "{text}");
        let note = reply.note.unwrap();
        assert!(note.contains("mine was not saved"), "{text}: {note}");
        let after = bench.cells();
        bench.all("flip 1,1; undo; undo");
        assert_eq!(bench.population(), 5, "{text}");
        assert_eq!(bench.session.title(), "mine");
        assert!(bench.session.is_unsaved());
        // its own history is there too, and the way forward
        bench.all("undo");
        assert_eq!(bench.population(), 4, "{text}");
        bench.all("redo; redo");
        assert_eq!(bench.cells(), after, "{text}");
    }
    // what was saved or only looked at is not kept
    let mut bench = SessionBench::new();
    bench.all("open glider; step 5");
    assert!(!bench.one("open block").unwrap().undo);
}

/// Each replaced world has a history, in which there are replaced worlds.
#[test]
fn worlds_replaced_one_after_the_other_stay_within_the_bound() {
    let mut file_access = FileAccess::default();
    file_access.limits.memory = 4 << 20;
    let mut bench = SessionBench::at(file_access);
    for seed in 0..300 {
        bench.all(&format!("soup 250x250 0.5 seed {seed}; name world {seed}"));
        // a limit for the world, and as much again for all else
        assert!(bench.session.bytes() <= 4 << 20, "{seed}");
    }
    // the newest of them are still there
    for seed in (297..299).rev() {
        bench.all("undo");
        assert_eq!(bench.session.title(), format!("world {seed}"));
    }
}

#[test]
fn what_is_too_large_for_undo_is_asked_about() {
    let mut file_access = FileAccess::default();
    file_access.limits.memory = 4 << 20;
    let mut bench = SessionBench::at(file_access);
    for side in (100..).step_by(100) {
        bench.all(&format!("anyway soup {side}x{side} 0.5 seed 1"));
        if bench.one("new").is_err() {
            break;
        }
    }
    assert!(bench.population() > 0);
    let (question, command) = asks(&mut bench, "new");
    assert!(question.contains("too large to be kept"), "{question}");
    assert_eq!(command, "anyway new");
    bench.all("anyway new");
    assert_eq!(bench.population(), 0);
}

#[test]
fn a_smaller_world_says_what_fell_outside() {
    let mut bench = SessionBench::new();
    bench.all("set 0,0 1; set 20,0 1; set 0,-30 1");
    let reply = bench.one("resize 20x20 torus").unwrap();
    assert_eq!(reply.note.unwrap(), "2 cells outside the grid were lost");
    assert!(reply.undo);
    assert_eq!(bench.population(), 1);
    assert_eq!(bench.session.status(&bench.viewer).rule, "B3/S23:T20,20");
    bench.all("undo");
    assert_eq!(bench.population(), 3);
    assert_eq!(bench.session.status(&bench.viewer).rule, "B3/S23");
    bench.all("resize 100x100; resize 64x64 sphere; resize unbounded");
    assert_eq!(bench.population(), 3);
}

#[test]
fn another_rule_keeps_the_cells_and_says_which_states_it_lacks() {
    let mut bench = SessionBench::new();
    bench.all(
        "resize 30x30 torus; rule Brian's Brain; set 0,0 1; set 1,0 2; rule WireWorld; set 2,0 3",
    );
    assert_eq!(bench.session.status(&bench.viewer).topology, "T30,30");
    let note = bench.one("rule B3/S23").unwrap().note.unwrap();
    assert!(note.contains("state 1"), "{note}");
    assert_eq!(bench.picture(0, 0, 3, 1), "ooo");
    bench.all("undo");
    assert_eq!(bench.picture(0, 0, 3, 1), "o23");
    let wrong = bench.refused("rule B3/S2x");
    assert!(wrong.contains("B3/S2x") || wrong.contains('x'), "{wrong}");
    assert_eq!(bench.picture(0, 0, 3, 1), "o23");
}

#[test]
fn saving_and_opening_gives_back_cells_and_settings() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = SessionBench::in_folder(folder.path());
    assert_eq!(bench.refused("save"), "it has no file yet");
    bench.all(
        "open gosper-glider-gun; step 60; rule B36/S23:T100,90; zoom 5; centre 7,-3; speed 12.5
         stride 4; theme blueprint; grid off; dying on; colour 1 #123456; name my gun
         author me; comment first\\nsecond",
    );
    for name in ["gun.rle", "gun.mc", "gun.cells", "gun.lif", "gun.rle.gz"] {
        let reply = bench.all(&format!("anyway save {name}"));
        assert_eq!(reply.file.as_deref(), Some(name));
        assert!(!bench.session.is_unsaved());
        let mut other = SessionBench::in_folder(folder.path());
        other.all(&format!("open {name}"));
        let (a, b) = (
            bench.session.status(&bench.viewer),
            other.session.status(&other.viewer),
        );
        assert_eq!(
            other.session.world().hash(),
            bench.session.world().hash(),
            "{name}"
        );
        assert_eq!((&b.rule, &b.bounds), (&a.rule, &a.bounds), "{name}");
        assert_eq!(b.generation, "60", "{name}");
        assert_eq!(b.settings, a.settings, "{name}");
        assert_eq!((b.speed, &b.stride), (a.speed, &a.stride), "{name}");
        assert_eq!(
            (&b.name, &b.author, &b.comments),
            (&a.name, &a.author, &a.comments),
            "{name}"
        );
        other.session.frame(&mut other.viewer);
        assert_eq!(b.viewer.zoom, "5", "{name}");
        assert_eq!(
            other.viewer.viewport.centre(),
            (BigInt::from(7), BigInt::from(-3)),
            "{name}"
        );
        let palette = other.session.palette(&other.viewer);
        assert_eq!(palette.states[1].to_string(), "#123456", "{name}");
    }
}

#[test]
fn a_file_that_is_not_ours_is_not_written_over_unasked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("there.rle"), "mine").unwrap();
    let mut bench = SessionBench::in_folder(folder.path());
    bench.all("open glider");
    let (question, command) = asks(&mut bench, "save there.rle");
    assert!(question.contains("there.rle"), "{question}");
    let kept = std::fs::read_to_string(folder.path().join("there.rle")).unwrap();
    assert_eq!(kept, "mine");
    bench.all(&command);
    bench.all("flip 9,9; save; revert");
    assert_eq!(bench.population(), 6);
    for name in ["../out.rle", "/x.rle", ".hidden", "a/b.rle"] {
        assert!(
            bench
                .refused(&format!("save {name}"))
                .contains("plain file name"),
            "{name}"
        );
    }
}

#[test]
fn a_broken_file_leaves_the_world_alone() {
    let mut bench = SessionBench::new();
    bench.all("open glider; flip 9,9");
    let before = bench.cells();
    let broken = b"x = 3, y = 3, rule = B3/S23\n3o$\n2?o!\n";
    let refused = bench
        .session
        .load(&mut bench.viewer, "broken.rle", broken, None, false);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "broken.rle:3:2: expected a cell, `$` or `!`, found `?`"
    );
    assert_eq!(bench.cells(), before);
    let good = b"x = 3, y = 1, rule = B3/S23\n3o!\n";
    let reply = bench
        .session
        .load(&mut bench.viewer, "good.rle", good, None, false);
    assert!(reply.unwrap().undo);
    assert_eq!(bench.population(), 3);
    assert_eq!(bench.session.title(), "good.rle");
}

#[test]
fn what_is_too_large_is_refused() {
    let mut file_access = FileAccess::default();
    file_access.limits.upload = 1000;
    let mut bench = SessionBench::at(file_access);
    let long = vec![b'o'; 2000];
    let refused = bench
        .session
        .load(&mut bench.viewer, "long.rle", &long, None, true);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("at most 1000 bytes")
    );
    assert!(
        bench
            .refused("resize 9000000000x9000000000")
            .starts_with("resize")
    );
    assert!(bench.refused("soup 100000x100000 0.5").contains("cells"));
    assert!(bench.refused("memory 999G").contains("2 GiB"));
}

#[test]
fn soups_have_exactly_what_was_asked_for() {
    let mut bench = SessionBench::new();
    bench.all("soup 40x30 count 77 seed 9");
    assert_eq!(bench.population(), 77);
    assert!(bench.session.is_unsaved());
    let first = bench.cells();
    bench.all("anyway soup 40x30 count 77 seed 9");
    assert_eq!(bench.cells(), first);
    bench.all("anyway soup 32x32 0.5 symmetry D8");
    let cells = bench.cells();
    assert!(
        cells
            .iter()
            .all(|(x, y, s)| cells.contains(&(-1 - x, *y, *s)))
    );
    assert!(
        bench
            .refused("anyway soup 10x10 count 101")
            .contains("100 cells")
    );
}

/// Issue 31: a world that slept comes back with its history.
#[test]
fn a_draft_brings_the_history_back() {
    let mut bench = SessionBench::new();
    // another pattern that is in no file, edits of each kind, and generations
    bench.all("draw 1 0,0 4,0; set 9,9 1; open blinker; draw 1 5,5 7,5");
    bench.all("select 0,0 20x20; random 0.5 seed 7; rule B36/S23; select none; step 30; step 40");
    bench.all("rule B3/S23; set -4,-4 1; step 5; back 3; undo");
    let draft = bench.session.draft_with_history(&bench.viewer).unwrap();
    assert!(draft.holds_documents);
    let mut other = SessionBench::new();
    let restored = other.session.restore_draft(&mut other.viewer, &draft.bytes);
    restored.unwrap();
    let about = |bench: &SessionBench| {
        let status = bench.session.status(&bench.viewer);
        let marks = status.timeline.iter().map(|mark| mark.generation.clone());
        let marks: Vec<String> = marks.collect();
        let cells = bench.session.world().hash();
        (
            status.generation,
            status.rule,
            cells,
            status.changes,
            marks,
            status.unsaved,
        )
    };
    assert_eq!(about(&other), about(&bench));
    assert!(about(&bench).3.done.len() > 6, "{:?}", about(&bench).3);
    // there and back again, step by step
    other.all("redo");
    bench.all("redo");
    assert_eq!(about(&other), about(&bench));
    for command in ["back 2", "undo"] {
        other.all(command);
        bench.all(command);
        assert_eq!(about(&other), about(&bench), "{command}");
    }
    let mut undone = 0;
    while !about(&bench).3.done.is_empty() {
        other.all("undo");
        bench.all("undo");
        assert_eq!(about(&other), about(&bench), "undo {undone}");
        undone += 1;
    }
    assert!(undone > 7, "{undone}");
    // the first pattern, with its own history
    assert_eq!(about(&other).2, SessionBench::new().session.world().hash());
    for redone in 0..undone {
        other.all("redo");
        bench.all("redo");
        assert_eq!(about(&other), about(&bench), "redo {redone}");
    }
}

/// What cannot be read of a history is left out, and the world is there all the same.
#[test]
fn a_broken_history_leaves_the_world() {
    let mut bench = SessionBench::new();
    bench.all("draw 1 0,0 4,0; set 9,9 1; step 5");
    let draft = bench.session.draft_with_history(&bench.viewer).unwrap();
    let text = String::from_utf8(draft.bytes).unwrap();
    for (what, instead, undos) in [
        ("", "", 3),
        ("--- history\n", "--- history\n[[[", 0),
        ("9,9,0", "9,9", 1),
        ("timeline = [0", "timeline = [7", 3),
        ("content = 0\n", "content = -1\n", 0),
    ] {
        let broken = text.replacen(what, instead, 1);
        assert!(text.contains(what), "{what} in {text}");
        let mut other = SessionBench::new();
        let outcome = other
            .session
            .restore_draft(&mut other.viewer, broken.as_bytes());
        assert!(outcome.is_ok(), "{what}: {outcome:?}");
        let status = other.session.status(&other.viewer);
        assert_eq!(status.changes.done.len(), undos, "{what}");
        assert_eq!(other.session.world().hash(), bench.session.world().hash());
    }
}

#[test]
fn a_draft_brings_everything_back() {
    let mut bench = SessionBench::new();
    bench.all(
        "open gosper-glider-gun; step 31; rule B3/S23:T80,80; flip 9,9; speed max; zoom 3; name n",
    );
    let draft = bench.session.draft(&bench.viewer).unwrap();
    assert_eq!(Session::draft_is_unsaved(&draft), Some(true));
    let mut other = Session::new(FileAccess::default(), 0);
    let mut viewer = Viewer::new(640, 480);
    other.restore_draft(&mut viewer, &draft).unwrap();
    assert_eq!(other.world().hash(), bench.session.world().hash());
    let (a, b) = (bench.session.status(&bench.viewer), other.status(&viewer));
    assert_eq!(
        (b.generation, b.rule, b.speed),
        (a.generation, a.rule, a.speed)
    );
    assert_eq!((b.name, b.unsaved), (a.name, true));
    for broken in [
        &b"nothing"[..],
        b"gridpaper draft 1\n",
        b"gridpaper draft 1\n[[[\n---\n3o!",
        // deeper than any stack
        format!(
            "gridpaper draft 1\nlabel = {}\n---\n3o!",
            "[".repeat(100_000)
        )
        .as_bytes(),
        b"",
    ] {
        assert!(other.restore_draft(&mut viewer, broken).is_err());
        assert_eq!(other.world().hash(), bench.session.world().hash());
    }
    // a quadtree is kept as one
    bench.all("anyway open gosper-glider-gun; goto 10^15; flip 0,0");
    let draft = bench.session.draft(&bench.viewer).unwrap();
    assert!(draft.len() < 1_000_000, "{}", draft.len());
    other.restore_draft(&mut viewer, &draft).unwrap();
    assert_eq!(other.world().hash(), bench.session.world().hash());
}

#[test]
fn classroom_maps_stand_on_their_board() {
    let mut bench = SessionBench::new();
    let map = b"OOO\n...\nO\n";
    bench
        .session
        .load(
            &mut bench.viewer,
            "map.cells",
            map,
            Some("rule = \"base\"\n".into()),
            true,
        )
        .unwrap();
    let status = bench.session.status(&bench.viewer);
    assert_eq!(status.topology, "P25,25");
    assert_eq!(bench.picture(-12, -12, 3, 3), "ooo\n...\no..");
}

#[test]
fn every_format_that_is_written_is_read_back_equal() {
    let mut bench = SessionBench::new();
    bench.all("open acorn; step 100");
    let mut written = 0;
    for format in Format::ALL {
        let Ok(saved) = bench.session.encode(&bench.viewer, format, "a") else {
            continue;
        };
        written += 1;
        let mut other = SessionBench::new();
        let sidecar = saved
            .sidecar
            .map(|(_, text)| String::from_utf8(text).unwrap());
        other
            .session
            .load(&mut other.viewer, "a", &saved.bytes, sidecar, true)
            .unwrap();
        assert_eq!(
            other.session.world().hash(),
            bench.session.world().hash(),
            "{format}"
        );
    }
    // MCell is read only, and an apgcode would need the period
    assert_eq!(written, Format::ALL.len() - 2);
}

/// A file of many megabytes takes a while, and a stop does not wait for it.
#[test]
fn saving_can_be_stopped() {
    let mut session = Session::new(FileAccess::default(), 1);
    let mut viewer = Viewer::new(100, 100);
    let command = "anyway soup 1500x1500 0.5".parse().unwrap();
    session.apply(&mut viewer, &command).unwrap();
    let saved = session.encode(&viewer, Format::Rle, "x.rle").unwrap();
    assert!(saved.bytes.len() > 1 << 20);
    session.set_stop_check(|| false);
    for name in ["x.rle", "x.rle.gz"] {
        let stopped = session.encode(&viewer, Format::Rle, name);
        assert!(
            matches!(stopped, Err(CommandRefusal::Stopped("save"))),
            "{name}"
        );
    }
}

/// Two blinkers, 100,000 cells apart: light crosses that in 512 steps of 195 generations.
const FAR_APART: &str = "3o99994b3o!";

/// A bench whose clock tells `each` more whenever it is asked.
fn timed_bench(each: Duration) -> SessionBench {
    let mut bench = SessionBench::new();
    let asked = AtomicU32::new(0);
    bench
        .session
        .set_clock(move || each * asked.fetch_add(1, Ordering::Relaxed));
    bench
}

/// Issue 31: a pattern that is seen from far off stood still at one generation a step.
#[test]
fn a_large_pattern_opens_with_a_step_that_suits_it() {
    let mut bench = timed_bench(Duration::ZERO);
    let note = bench.all(&format!("open {FAR_APART}")).note.unwrap();
    assert!(note.contains("steps of 128 generations"), "{note}");
    let status = bench.session.status(&bench.viewer);
    assert_eq!(
        (status.stride.as_str(), status.speed),
        ("128", Some(3840.0))
    );
    // the trial leaves no trace
    assert_eq!((status.generation.as_str(), status.can.back), ("0", false));
    assert_eq!(bench.population(), 6);
    bench.all("step 1");
    assert_eq!(bench.cells().len(), 6);
    // what is chosen later is kept by a draft
    bench.all("stride 1; speed 30");
    let draft = bench.session.draft(&bench.viewer).unwrap();
    let mut later = timed_bench(Duration::ZERO);
    later
        .session
        .restore_draft(&mut later.viewer, &draft)
        .unwrap();
    assert_eq!(later.session.status(&later.viewer).stride, "1");

    // where an engine is slow the step is short, and nothing is said of a step of one
    let mut slow = timed_bench(Duration::from_secs(1));
    assert_eq!(slow.all(&format!("open {FAR_APART}")).note, None);
    assert_eq!(slow.session.status(&slow.viewer).stride, "1");
    // neither of what is small, or names its own
    let mut bench = timed_bench(Duration::ZERO);
    assert_eq!(bench.all("open gosper-glider-gun").note, None);
    assert_eq!(bench.session.status(&bench.viewer).speed, Some(30.0));
    let own = format!("#C [[ STEP 4 ]]\n{FAR_APART}");
    let (session, viewer) = (&mut bench.session, &mut bench.viewer);
    session
        .load(viewer, "own.rle", own.as_bytes(), None, false)
        .unwrap();
    assert_eq!(session.status(viewer).stride, "4");
    // a session without a clock tries nothing
    let mut bench = SessionBench::new();
    assert_eq!(bench.all(&format!("open {FAR_APART}")).note, None);
}

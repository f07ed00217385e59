use crate::bench::SessionBench;
use num_bigint::BigUint;
use session::Command;
use std::time::Duration;

/// Lets time go by in pieces of 20 ms, with as much work in each as is due.
fn let_run(bench: &mut SessionBench, milliseconds: u64) {
    for _ in 0..milliseconds / 20 {
        bench.session.tick(Duration::from_millis(20), &mut || true);
    }
}

#[test]
fn it_runs_at_the_speed_that_was_asked_for() {
    let rows = [
        ("0.5", 4000, 2),
        ("1", 3000, 3),
        ("30", 1000, 30),
        ("250", 2000, 500),
    ];
    for (speed, milliseconds, expected) in rows {
        let mut bench = SessionBench::new();
        bench.all(&format!("open glider; speed {speed}; run"));
        let_run(&mut bench, milliseconds);
        let done = bench.generation();
        assert!((done - expected).abs() <= 1, "at {speed}: {done}");
        let measured = bench.session.status(&bench.viewer).measured;
        let wanted: f64 = speed.parse().unwrap();
        assert!(measured < wanted * 8.0 + 1.0, "{measured} at {speed}");
    }
}

#[test]
fn longer_steps_keep_the_speed() {
    let mut bench = SessionBench::new();
    bench.all("open glider; speed 100; stride 8; run");
    let_run(&mut bench, 1000);
    let done = bench.generation();
    assert_eq!(done % 8, 0);
    assert!((done - 100).abs() <= 8, "{done}");
}

#[test]
fn at_most_speed_it_runs_as_long_as_it_may() {
    let mut bench = SessionBench::new();
    bench.all("open glider; speed max; run");
    let mut left = 100;
    bench.session.tick(Duration::from_millis(1), &mut || {
        left -= 1;
        left > 0
    });
    assert!(bench.generation() > 10, "{}", bench.generation());
    assert!(bench.session.is_busy());
    bench.all("stop");
    let there = bench.generation();
    let_run(&mut bench, 100);
    assert_eq!(bench.generation(), there);
}

#[test]
fn hyperspeed_doubles_the_step() {
    let mut bench = SessionBench::new();
    bench.all("open gosper-glider-gun; speed max; hyper on; run");
    // further than tiles would come in a day
    let far = 1_000_000_000.into();
    while *bench.session.world().generation() < far {
        let mut left = 400;
        bench.session.tick(Duration::from_millis(16), &mut || {
            left -= 1;
            left > 0
        });
    }
    let status = bench.session.status(&bench.viewer);
    assert!(
        status.stride.parse::<u64>().unwrap() > 1,
        "{}",
        status.stride
    );
    assert_eq!(bench.session.world().engine(), "hashlife");
}

#[test]
fn steps_and_strides() {
    let mut bench = SessionBench::new();
    bench.all("open glider; step");
    assert_eq!(bench.generation(), 1);
    bench.all("stride up; stride up; step");
    assert_eq!(bench.generation(), 5);
    bench.all("stride down; step; step 100");
    assert_eq!(bench.generation(), 107);
    bench.all("stride 12; stride down; step");
    assert_eq!(bench.generation(), 115);
    bench.all("stride down; stride down; stride down; stride down; stride down; step");
    assert_eq!(bench.generation(), 116);
}

#[test]
fn steps_that_are_asked_for_quickly_add_up() {
    let mut bench = SessionBench::new();
    bench.all("open glider");
    for (text, expected) in [("step 3", 9), ("back 2", 3), ("step", 6)] {
        for _ in 0..3 {
            let command: Command = text.parse().unwrap();
            bench.session.apply(&mut bench.viewer, &command).unwrap();
        }
        bench.session.finish_going();
        assert_eq!(bench.generation(), expected, "{text}");
    }
}

#[test]
fn going_far_is_done_in_pieces_and_can_be_given_up() {
    let mut bench = SessionBench::new();
    bench.all("engine tiles; open gosper-glider-gun");
    let command: Command = "goto 5000000".parse().unwrap();
    bench.session.apply(&mut bench.viewer, &command).unwrap();
    let way = bench.session.status(&bench.viewer).going.unwrap();
    assert_eq!((way.from.as_str(), way.to.as_str()), ("0", "5000000"));
    let mut left = 30;
    bench.session.tick(Duration::ZERO, &mut || {
        left -= 1;
        left > 0
    });
    let part = bench.generation();
    assert!(part > 0 && part < 5_000_000, "{part}");
    let reply = bench.all("cancel");
    assert_eq!(reply.note, Some(format!("stopped at generation {part}")));
    bench.all("engine auto; goto 10^12");
    // each 30 generations a glider leaves, of five cells
    bench.all("step 30");
    let later = bench.session.world().population().clone();
    bench.all("back 30");
    assert_eq!(later - bench.session.world().population(), 5u8.into());
    assert_eq!(
        bench.session.world().generation(),
        &1_000_000_000_000_i64.into()
    );
}

#[test]
fn going_back_leads_to_what_was_there() {
    let mut bench = SessionBench::new();
    bench.all("open acorn");
    let mut seen = Vec::new();
    for _ in 0..40 {
        seen.push(bench.session.world().hash());
        bench.all("step");
    }
    for n in (0..40).rev() {
        bench.all("back");
        assert_eq!(bench.generation(), n);
        assert_eq!(bench.session.world().hash(), seen[n as usize]);
    }
    assert_eq!(bench.refused("back"), "generation -1 lies before the start");
    bench.all("goto 33");
    assert_eq!(bench.session.world().hash(), seen[33]);
    bench.all("goto 7");
    assert_eq!(bench.session.world().hash(), seen[7]);
    bench.all("step 30; reset");
    assert_eq!(bench.session.world().hash(), seen[0]);
    assert_eq!(bench.generation(), 0);
}

#[test]
fn the_past_before_an_edit_stays_what_it_was() {
    let mut bench = SessionBench::new();
    bench.all("open glider; step 10");
    let old = bench.cells();
    bench.all("step 10; set 50,50 1; set 51,50 1; set 52,50 1; step 6");
    assert_eq!(bench.population(), 8);
    bench.all("back 3");
    assert_eq!((bench.generation(), bench.population()), (23, 8));
    bench.all("back 13");
    assert_eq!((bench.generation(), bench.cells()), (10, old));
    bench.all("undo");
    assert_eq!((bench.generation(), bench.population()), (26, 8));
    bench.all("undo");
    assert_eq!(
        (bench.generation(), bench.population()),
        (20, 8),
        "the run after the edit"
    );
    bench.all("undo; undo; undo");
    assert_eq!((bench.generation(), bench.population()), (20, 5));
    bench.all("undo");
    assert_eq!(bench.generation(), 0, "both steps are one run");
}

#[test]
fn rules_that_look_at_the_parity_of_time_go_back_rightly() {
    for rule in ["B03/S23", "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15:T20,20"] {
        let mut bench = SessionBench::new();
        bench.all(&format!(
            "rule {rule}; select -5,-5 10x10; random count 30 seed 3; step 7"
        ));
        let there = (bench.cells(), bench.generation());
        bench.all("step 4; back 4");
        assert_eq!((bench.cells(), bench.generation()), there, "{rule}");
    }
}

#[test]
fn a_long_run_is_come_back_from_without_starting_anew() {
    let mut bench = SessionBench::new();
    bench.all("open acorn; speed 1000; run");
    for _ in 0..500 {
        bench.session.tick(Duration::from_millis(10), &mut || true);
    }
    let there = bench.generation();
    let hash = bench.session.world().hash();
    bench.all("stop; step 2; back 2");
    assert_eq!(
        (bench.generation(), bench.session.world().hash()),
        (there, hash)
    );
    // scenes lie a second apart: the way back is short
    let command: Command = "back 3".parse().unwrap();
    bench.session.apply(&mut bench.viewer, &command).unwrap();
    let begun = bench.generation();
    assert!(there - begun < 1500, "{begun} of {there}");
}

#[test]
fn engines_change_with_what_is_asked_of_them() {
    let mut bench = SessionBench::new();
    bench.all("open gosper-glider-gun; step 10");
    assert_eq!(bench.session.world().engine(), "tiles");
    // of ten million generations tiles would take minutes
    bench.all("step 10^7");
    assert_eq!(bench.session.world().engine(), "hashlife");
    let status = bench.session.status(&bench.viewer);
    assert!(status.why.contains("after tiles"), "{}", status.why);
    // a glider of five cells every thirty generations
    bench.all("step 10; step 1; back 1");
    assert_eq!(bench.generation(), 10_000_020);
    assert_eq!(bench.population(), 36 + 5 * (10_000_020 / 30));
    bench.all("open blinker; engine naive; step 1; resize 50x50; engine torus; step 1");
    assert_eq!(bench.session.world().engine(), "torus");
    let before = bench.cells();
    bench.all("engine auto");
    assert_eq!(bench.cells(), before);
    assert_eq!(
        SessionBench::new().refused("engine torus"),
        "torus does not take an unbounded plane: it needs a grid, as in `:T100,50`"
    );
}

#[test]
fn a_world_that_outgrows_its_memory_stops_and_loses_nothing() {
    let mut bench = SessionBench::new();
    // each generation doubles in width: Replicator fills the plane
    bench.all("memory 1M; rule B1357/S1357; engine tiles; draw 1 0,0 5,0; speed max; run");
    let mut rounds = 0;
    while bench.session.is_busy() && rounds < 2000 {
        let mut left = 50;
        bench.session.tick(Duration::from_millis(1), &mut || {
            left -= 1;
            left > 0
        });
        rounds += 1;
    }
    assert!(!bench.session.is_busy());
    let status = bench.session.status(&bench.viewer);
    let message = status.message.expect("it says why it stopped");
    assert!(message.contains("1 MiB"), "{message}");
    assert!(bench.session.world().population() > BigUint::ZERO);
    let there = (bench.generation(), bench.session.world().hash());
    bench.all("back 1; reset");
    assert_eq!(bench.population(), 6);
    bench.all(&format!("memory 1G; goto {}", there.0));
    assert_eq!((bench.generation(), bench.session.world().hash()), there);
}

#[test]
fn the_plot_has_what_went_by() {
    let mut bench = SessionBench::new();
    bench.all("open r-pentomino; speed 1000; run");
    let_run(&mut bench, 1103);
    let points = bench.session.plot().points();
    assert_eq!(points[0], (0.into(), 5u8.into()));
    let last = &points[points.len() - 1];
    assert_eq!(i64::try_from(&last.0).unwrap(), bench.generation());
    assert!(points.len() > 20);
    bench.all("stop; goto 1103");
    let last = bench.session.plot().points().last().cloned();
    assert_eq!(last, Some((1103.into(), 116u8.into())));
}

#[test]
fn a_step_says_what_it_changed() {
    let mut bench = SessionBench::new();
    bench.all("open acorn");
    let change = |bench: &SessionBench| bench.session.status(&bench.viewer).change;
    assert_eq!(change(&bench), None);
    for step in ["step 1", "step 16", "back 1", "goto 40", "goto 40", "reset"] {
        let before: std::collections::BTreeSet<_> = bench.cells().into_iter().collect();
        bench.all(step);
        let after: std::collections::BTreeSet<_> = bench.cells().into_iter().collect();
        let (born, died) = (
            after.difference(&before).count(),
            before.difference(&after).count(),
        );
        let words = match (born, died) {
            (0, 0) => format!("nothing changed, population {}", after.len()),
            _ => format!("{born} born, {died} died, population {}", after.len()),
        };
        assert_eq!(change(&bench), Some(words), "{step}");
    }
    // an edit is no step, and of very many cells nobody is told
    bench.all("soup 1000x1000 0.5 seed 3; step 1");
    assert_eq!(change(&bench), None);
}

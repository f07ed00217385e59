//! A census that is stopped, or killed between two units, goes on to the same end.

use crate::{DiceWorker, contents, count, identity};
use batch::{CensusRunError, CensusStore, SoupRange, UnitPlan, UnitWorker, run_units};
use census::UnitReport;
use dice::Dice;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WHOLE: SoupRange = SoupRange {
    first: 0,
    soups: 400,
};

fn counted_at_once() -> String {
    let mut store = CensusStore::in_memory().unwrap();
    count(&mut store, "a", &[WHOLE]);
    contents(&store)
}

#[test]
fn a_census_that_is_killed_between_units_goes_on_to_the_same_end() {
    let expected = counted_at_once();
    let mut dice = Dice::new(5);
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        for visit in 0.. {
            let mut store = CensusStore::open_or_create(&path).unwrap();
            let census = store.open_census(&identity("a")).unwrap();
            // even with other lengths of units
            let unit = u64::from(10 + dice.below(30));
            let gaps = store.missing(census, WHOLE).unwrap();
            let mut missing: Vec<SoupRange> = UnitPlan::new(gaps, unit).collect();
            if missing.is_empty() {
                assert!(visit > 1, "it was to be killed");
                assert_eq!(contents(&store), expected);
                break;
            }
            missing.truncate(1 + dice.below(6) as usize);
            count(&mut store, "a", &missing);
        }
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let expected = counted_at_once();
    for threads in [1, 2, 8] {
        let mut store = CensusStore::in_memory().unwrap();
        let census = store.open_census(&identity("a")).unwrap();
        let plan = UnitPlan::new(store.missing(census, WHOLE).unwrap(), 15);
        let stop = AtomicBool::new(false);
        let mut soups = 0;
        let counted = run_units(
            &mut store,
            census,
            plan,
            NonZero::new(threads).unwrap(),
            &|| Box::new(DiceWorker),
            &stop,
            &mut |progress| {
                assert!(progress.soups >= soups && progress.planned == 400);
                soups = progress.soups;
            },
        );
        assert_eq!((counted.unwrap(), soups), (400, 400));
        assert_eq!(contents(&store), expected);
    }
}

#[test]
fn a_stopped_run_finishes_the_units_under_way() {
    let stop = AtomicBool::new(false);
    let mut store = CensusStore::in_memory().unwrap();
    let census = store.open_census(&identity("a")).unwrap();
    let plan = UnitPlan::new(store.missing(census, WHOLE).unwrap(), 10);
    let threads = NonZero::new(2).unwrap();
    let done = AtomicU64::new(0);
    struct StoppingWorker<'a>(&'a AtomicBool, &'a AtomicU64);
    impl UnitWorker for StoppingWorker<'_> {
        fn count(
            &mut self,
            range: SoupRange,
            on_soups: &mut dyn FnMut(u64),
        ) -> Result<UnitReport, String> {
            if self.1.fetch_add(1, Ordering::Relaxed) == 4 {
                self.0.store(true, Ordering::Relaxed);
            }
            DiceWorker.count(range, on_soups)
        }
    }
    // the factory's workers live as long as what they borrow
    let (stop, done): (&'static AtomicBool, &'static AtomicU64) =
        (Box::leak(Box::new(stop)), Box::leak(Box::new(done)));
    let factory = || -> Box<dyn UnitWorker> { Box::new(StoppingWorker(stop, done)) };
    let counted = run_units(
        &mut store,
        census,
        plan,
        threads,
        &factory,
        stop,
        &mut |_| (),
    );
    let counted = counted.unwrap();
    assert!((50..=60).contains(&counted), "{counted}");
    assert_eq!(store.totals().unwrap().soups, counted);
}

#[test]
fn a_unit_that_cannot_be_counted_ends_the_run() {
    struct FailingWorker;
    impl UnitWorker for FailingWorker {
        fn count(
            &mut self,
            range: SoupRange,
            on_soups: &mut dyn FnMut(u64),
        ) -> Result<UnitReport, String> {
            match range.first {
                50 => Err("it explodes".into()),
                _ => DiceWorker.count(range, on_soups),
            }
        }
    }
    let mut store = CensusStore::in_memory().unwrap();
    let census = store.open_census(&identity("a")).unwrap();
    let plan = UnitPlan::new(store.missing(census, WHOLE).unwrap(), 10);
    let stop = AtomicBool::new(false);
    let threads = NonZero::<usize>::MIN;
    let factory = || -> Box<dyn UnitWorker> { Box::new(FailingWorker) };
    let ended = run_units(
        &mut store,
        census,
        plan,
        threads,
        &factory,
        &stop,
        &mut |_| (),
    );
    let error = ended.unwrap_err();
    assert!(matches!(error, CensusRunError::Unit { .. }));
    assert_eq!(error.to_string(), "soups 50 to 59: it explodes");
    assert_eq!(store.totals().unwrap().soups, 50);
}

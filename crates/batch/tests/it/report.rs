//! The page of a store.

use crate::{DiceWorker, count, identity};
use batch::{CensusIdentity, CensusStore, SoupRange, UnitWorker as _, report};

#[test]
fn the_page_has_all_sections_and_no_scripts() {
    let mut store = CensusStore::in_memory().unwrap();
    count(&mut store, "se<ed", &[SoupRange::new(0, 300)]);
    let page = report::html(&report::CensusReport::from_store(&store).unwrap());
    for piece in [
        "prefers-color-scheme: dark",
        "<section id=objects>",
        "<section id=lifespans>",
        "<section id=longest>",
        "<section id=odd>",
        "<section id=soups>",
        "C1/se&lt;ed",
        "xs4_33",
        "<svg class=cells",
    ] {
        assert!(page.contains(piece), "{piece}");
    }
    for foreign in ["<script", "http:", "https:", "<ed", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.matches("<tr>").count() > 50);
}

#[test]
fn commands_have_the_options_of_the_census() {
    let mut store = CensusStore::in_memory().unwrap();
    let identity = CensusIdentity::new("b36s23", "D8_4", "a", "apgsearch");
    let census = store.open_census(&identity).unwrap();
    let unit = DiceWorker.count(SoupRange::new(0, 200), &mut |_| ());
    store.insert(census, &unit.unwrap(), 1.0).unwrap();
    let page = report::html(&report::CensusReport::from_store(&store).unwrap());
    for piece in [
        "Census of b36s23, D8_4 soups",
        " --rule b36s23</code>",
        " --rule b36s23 --symmetry D8_4 --settle apgsearch</code>",
        "200 soups a second and core",
    ] {
        assert!(page.contains(piece), "{piece}");
    }
}

#[test]
fn an_empty_store_has_a_page_too() {
    let mut store = CensusStore::in_memory().unwrap();
    store.open_census(&identity("a")).unwrap();
    let page = report::html(&report::CensusReport::from_store(&store).unwrap());
    assert!(page.contains("0 objects of 0 kinds from 0 soups"));
}

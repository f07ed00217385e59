//! The page of a store.

use crate::{count, identity};
use batch::{CensusStore, SoupRange, report};

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
fn an_empty_store_has_a_page_too() {
    let mut store = CensusStore::in_memory().unwrap();
    store.open_census(&identity("a")).unwrap();
    let page = report::html(&report::CensusReport::from_store(&store).unwrap());
    assert!(page.contains("0 objects of 0 kinds from 0 soups"));
}

//! `docs/reference` is what the code gives.

use crate::{CliTestFolder, out};
use std::path::Path;

#[test]
fn the_reference_in_the_book_is_what_the_code_gives() {
    let folder = CliTestFolder::new();
    let made = folder.path("");
    out(&["completions", "--reference", &made]);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let mut pages = folder.names();
    assert!(pages.len() > 5, "{pages:?}");
    for page in &pages {
        let made = std::fs::read_to_string(folder.path(page)).unwrap();
        let kept = std::fs::read_to_string(kept.join(page)).unwrap_or_default();
        let different = made
            .lines()
            .zip(kept.lines())
            .find(|(made, kept)| made != kept);
        assert!(
            made == kept,
            "docs/reference/{page} is not what the code gives: `cargo xtask reference` writes it \
             anew\n{different:?}"
        );
    }
    // and nothing lies there that the code no longer gives
    pages.push("README.md".into());
    for entry in std::fs::read_dir(kept).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            pages.contains(&name),
            "docs/reference/{name} is not made by anything"
        );
    }
}

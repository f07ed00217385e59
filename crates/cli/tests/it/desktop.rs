//! What the Debian package says to a desktop of pattern files.

use pattern::Format;

const ENTRY: &str = include_str!("../../debian/gridpaper.desktop");
const TYPES: &str = include_str!("../../debian/gridpaper.xml");

/// The values of an XML attribute, in order.
fn values(key: &str) -> Vec<&'static str> {
    let parts = TYPES.split(key).skip(1);
    parts.filter_map(|part| part.split('"').nth(1)).collect()
}

#[test]
fn every_pattern_file_opens_from_the_file_manager() {
    let globs = values("glob pattern=");
    for format in Format::ALL {
        for extension in format.extensions() {
            // that is any text
            if *extension != "txt" {
                let glob = format!("*.{extension}");
                assert!(globs.contains(&glob.as_str()), "{glob}");
            }
        }
    }
    for glob in globs {
        assert!(Format::from_path(glob.as_ref()).is_some(), "{glob}");
    }
}

#[test]
fn the_entry_names_the_types_that_are_there() {
    let line = ENTRY
        .lines()
        .find_map(|line| line.strip_prefix("MimeType="));
    let named: Vec<&str> = line.unwrap().split_terminator(';').collect();
    assert_eq!(named, values("mime-type type="));
}

//! Pattern files from public collections, if they are there: `GRIDPAPER_DATA` names the
//! folder, `../shared/data` beside the project is looked at else.

use num_bigint::BigUint;
use pattern::{Format, Pattern, losses, read, read_as, write};
use std::path::{Path, PathBuf};

/// The data folder, where it has a collection of patterns.
#[track_caller]
fn folder() -> Option<PathBuf> {
    prerequisite::data("patterns")?;
    Some(prerequisite::data_folder())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn converted(pattern: &Pattern, format: Format) -> Pattern {
    let mut bytes = Vec::new();
    write(pattern, format, &mut bytes).unwrap();
    read_as(&bytes, format).unwrap_or_else(|error| panic!("{format}: {error}"))
}

#[test]
fn all_files_load_and_convert() {
    let Some(folder) = folder() else { return };
    let mut paths = Vec::new();
    files(&folder.join("patterns"), &mut paths);
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.display();
        let (pattern, own) =
            read(&std::fs::read(&path).unwrap()).unwrap_or_else(|e| panic!("{name}:{e}"));
        let named = Format::from_path(&path);
        assert_eq!(named, Some(own), "{name}");
        let large = pattern.cells.population() > BigUint::from(2_000_000u32);
        for format in Format::ALL {
            let lost = losses(&pattern, format);
            let by_name = format == Format::Apgcode || !format.is_written();
            if by_name || lost.iter().any(|loss| loss.is_of_cells()) {
                continue;
            }
            if large && format != Format::Macrocell {
                continue;
            }
            let bounds = pattern
                .cells
                .bounds()
                .and_then(|b| b.to_rect())
                .unwrap_or_default();
            let row_by_row = matches!(format, Format::Plaintext | Format::Classroom);
            if row_by_row && u128::from(bounds.width) * u128::from(bounds.height) > 20_000_000 {
                continue;
            }
            let again = converted(&pattern, format);
            if row_by_row {
                assert_eq!(
                    again.cells.hash(),
                    pattern.cells.hash(),
                    "{name} as {format}"
                );
                assert_eq!(again.cells.population(), pattern.cells.population());
            } else {
                assert!(again.cells == pattern.cells, "{name} as {format}");
            }
            if format == Format::Rle || format == Format::Macrocell {
                assert_eq!(again.rule, pattern.rule, "{name} as {format}");
                assert_eq!(again.generation, pattern.generation, "{name} as {format}");
            }
        }
    }
}

#[test]
fn populations_and_bounds_are_golly_s() {
    let Some(folder) = folder() else { return };
    let text = std::fs::read(folder.join("pattern_populations.json")).unwrap();
    let cases: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let name = case["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.join("patterns").join(name)).unwrap();
        let (pattern, _) = read(&bytes).unwrap_or_else(|error| panic!("{name}:{error}"));
        let first = &case["checks"][0];
        let population: BigUint = first["population"].to_string().parse().unwrap();
        assert_eq!(pattern.cells.population(), population, "{name}");
        assert_eq!(
            first["gen"].to_string(),
            pattern.generation.to_string(),
            "{name}"
        );
        let bounds = pattern.cells.bounds().and_then(|bounds| bounds.to_rect());
        let Some(sides) = first["bbox_ltrb"].as_array() else {
            assert_eq!(bounds, None, "{name}");
            continue;
        };
        let [left, top, right, bottom] = [0, 1, 2, 3].map(|i| sides[i].as_i64().unwrap());
        let bounds = bounds.unwrap();
        assert_eq!(bounds.width, right.abs_diff(left) + 1, "{name}");
        assert_eq!(bounds.height, bottom.abs_diff(top) + 1, "{name}");
        let bounded = case["rule"].as_str().is_some_and(|rule| rule.contains(':'));
        if !bounded {
            assert_eq!((bounds.x, bounds.y), (left, top), "{name}");
        }
    }
}

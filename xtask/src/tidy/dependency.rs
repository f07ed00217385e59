//! Which crate of the workspace may depend on which.

use super::Complaint;
use serde_json::Value;

/// Every crate, and all that it may use: ARCHITECTURE.md draws the same.
const ALLOWED: &[(&str, &[&str])] = &[
    ("gridpaper-grid", &[]),
    ("gridpaper-rule", &["gridpaper-grid"]),
    ("gridpaper-pattern", &["gridpaper-grid"]),
    // `prerequisite` by a feature for the tests of the crates above
    (
        "gridpaper-kernel",
        &["gridpaper-grid", "gridpaper-rule", "gridpaper-prerequisite"],
    ),
    ("gridpaper-jit", &["gridpaper-kernel"]),
    (
        "gridpaper-engine",
        &[
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-kernel",
            "gridpaper-jit",
        ],
    ),
    (
        "gridpaper-gpu",
        &[
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-kernel",
            "gridpaper-engine",
        ],
    ),
    (
        "gridpaper-census",
        &[
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-kernel",
            "gridpaper-engine",
            "gridpaper-dice",
        ],
    ),
    (
        "gridpaper-search",
        &[
            "gridpaper-census",
            "gridpaper-dice",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
        ],
    ),
    ("gridpaper-parts", &["gridpaper-dice"]),
    (
        "gridpaper-batch",
        &[
            "gridpaper-census",
            "gridpaper-grid",
            "gridpaper-parts",
            "gridpaper-pattern",
            "gridpaper-rule",
            "gridpaper-search",
        ],
    ),
    (
        "gridpaper-source",
        &[
            "gridpaper-census",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
        ],
    ),
    (
        "gridpaper",
        &[
            "gridpaper-census",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
            "gridpaper-source",
            "gridpaper-render",
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-laser",
            "gridpaper-dice",
        ],
    ),
    (
        "gridpaper-render",
        &[
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
            "gridpaper-laser",
        ],
    ),
    (
        "gridpaper-session",
        &[
            "gridpaper-census",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-source",
            "gridpaper-engine",
            "gridpaper-render",
            "gridpaper-plot",
        ],
    ),
    (
        "gridpaper-models",
        &[
            "gridpaper-search",
            "gridpaper-batch",
            "gridpaper-census",
            "gridpaper-dice",
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-cage",
            "gridpaper-matches",
            "gridpaper-arena",
            "gridpaper-laser",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
        ],
    ),
    (
        "gridpaper-tui",
        &[
            "gridpaper-census",
            "gridpaper-models",
            "gridpaper-dice",
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-cage",
            "gridpaper-matches",
            "gridpaper-arena",
            "gridpaper-tournament",
            "gridpaper-laser",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-source",
            "gridpaper-engine",
            "gridpaper-render",
            "gridpaper-session",
            "gridpaper-plot",
        ],
    ),
    (
        "gridpaper-wire",
        &[
            "gridpaper-dice",
            "gridpaper-games",
            "gridpaper-grid",
            "gridpaper-laser",
            "gridpaper-matches",
            "gridpaper-players",
            "gridpaper-models",
            "gridpaper-census",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
            "gridpaper-source",
            "gridpaper-render",
            "gridpaper-plot",
            "gridpaper-session",
        ],
    ),
    (
        "gridpaper-web",
        &[
            "gridpaper-wire",
            "gridpaper-census",
            "gridpaper-models",
            "gridpaper-laser",
            "gridpaper-dice",
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-cage",
            "gridpaper-matches",
            "gridpaper-arena",
            "gridpaper-tournament",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-source",
            "gridpaper-engine",
            "gridpaper-render",
            "gridpaper-session",
            "gridpaper-plot",
        ],
    ),
    ("gridpaper-dice", &[]),
    ("gridpaper-games", &["gridpaper-dice"]),
    ("gridpaper-laser", &["gridpaper-grid", "gridpaper-dice"]),
    ("gridpaper-players", &["gridpaper-games"]),
    (
        "gridpaper-matches",
        &["gridpaper-games", "gridpaper-players", "gridpaper-dice"],
    ),
    ("gridpaper-cage", &[]),
    (
        "gridpaper-arena",
        &[
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-matches",
            "gridpaper-cage",
        ],
    ),
    (
        "gridpaper-tournament",
        &[
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-cage",
            "gridpaper-matches",
            "gridpaper-arena",
            "gridpaper-parts",
            "gridpaper-plot",
        ],
    ),
    (
        "gridpaper-cli",
        &[
            "gridpaper-search",
            "gridpaper-models",
            "gridpaper-dice",
            "gridpaper-laser",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-source",
            "gridpaper-parts",
            "gridpaper-census",
            "gridpaper-batch",
            "gridpaper-engine",
            "gridpaper-gpu",
            "gridpaper-render",
            "gridpaper-session",
            "gridpaper-tui",
            "gridpaper-web",
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-cage",
            "gridpaper-matches",
            "gridpaper-arena",
            "gridpaper-tournament",
            "gridpaper-plot",
        ],
    ),
    (
        "gridpaper-benches",
        &[
            "gridpaper-dice",
            "gridpaper-laser",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-engine",
            "gridpaper-render",
            "gridpaper-games",
            "gridpaper-players",
            "gridpaper-cage",
            "gridpaper-matches",
            "gridpaper-arena",
        ],
    ),
    (
        "gridpaper-fuzz-targets",
        &[
            "gridpaper-search",
            "gridpaper-batch",
            "gridpaper-parts",
            "gridpaper-census",
            "gridpaper-dice",
            "gridpaper-laser",
            "gridpaper-grid",
            "gridpaper-rule",
            "gridpaper-pattern",
            "gridpaper-session",
            "gridpaper-web",
            "gridpaper-games",
            "gridpaper-matches",
            "gridpaper-arena",
            "gridpaper-tournament",
        ],
    ),
    ("gridpaper-plot", &[]),
    ("gridpaper-prerequisite", &[]),
    ("xtask", FOR_TESTS),
];

/// What tests of any crate may use.
const FOR_TESTS: &[&str] = &["gridpaper-dice", "gridpaper-prerequisite"];

/// Holds what `cargo metadata` says against the table, dependencies for tests and for
/// builds included.
pub(super) fn check(metadata: &Value) -> Vec<Complaint> {
    let packages = metadata["packages"].as_array().map_or(&[][..], |p| p);
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_string();
    let ours: Vec<String> = packages.iter().map(name).collect();
    let mut complaints = Vec::new();
    if packages.is_empty() {
        complaints.push("cargo metadata lists no crate".into());
    }
    for package in packages {
        let from = name(package);
        let Some((_, allowed)) = ALLOWED.iter().find(|(crate_, _)| *crate_ == from) else {
            complaints.push(format!(
                "the crate {from} is not listed: add it to xtask/src/tidy/dependency.rs and \
                 in ARCHITECTURE.md"
            ));
            continue;
        };
        let dependencies = package["dependencies"].as_array().map_or(&[][..], |d| d);
        for dependency in dependencies {
            let to = name(dependency);
            // a crate's own tests may turn on one of its features
            let is_for_tests =
                (FOR_TESTS.contains(&to.as_str()) || from == to) && dependency["kind"] == "dev";
            if ours.contains(&to) && !allowed.contains(&to.as_str()) && !is_for_tests {
                complaints.push(format!("{from} uses {to}: arrows only go down"));
            }
        }
        complaints.extend(lints(package, &from));
    }
    complaints
}

/// Whether the crate takes the workspace's lints, which hold `unsafe` and `unwrap`.
fn lints(package: &Value, name: &str) -> Option<Complaint> {
    let manifest = package["manifest_path"].as_str()?;
    let text = std::fs::read_to_string(manifest).ok()?;
    let takes = text.contains("[lints]\nworkspace = true");
    (!takes).then(|| format!("{name} does not take the workspace's lints"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, uses: &[&str]) -> Value {
        let dependencies: Vec<_> = uses.iter().map(|name| json!({"name": name})).collect();
        json!({"name": name, "dependencies": dependencies})
    }

    #[test]
    fn an_arrow_that_goes_up_is_found() {
        let metadata = json!({"packages": [
            package("gridpaper-grid", &["gridpaper-engine"]),
            package("gridpaper-engine", &["gridpaper-grid", "thiserror"]),
        ]});
        let expected = ["gridpaper-grid uses gridpaper-engine: arrows only go down"];
        assert_eq!(check(&metadata), expected);
    }

    #[test]
    fn arrows_that_go_down_are_fine() {
        let metadata = json!({"packages": [
            package("gridpaper-grid", &[]),
            package("gridpaper-rule", &["gridpaper-grid"]),
            package("gridpaper-cli", &["gridpaper-rule", "clap"]),
        ]});
        assert_eq!(check(&metadata), Vec::<String>::new());
    }

    #[test]
    fn what_is_for_tests_is_used_by_tests_alone() {
        for &used in FOR_TESTS {
            let of_kind = |kind: Value| {
                let mut package = package("gridpaper-grid", &[used]);
                package["dependencies"][0]["kind"] = kind;
                check(&json!({"packages": [package, self::package(used, &[])]}))
            };
            assert_eq!(of_kind("dev".into()), Vec::<String>::new());
            assert_eq!(of_kind(Value::Null).len(), 1);
            assert_eq!(of_kind("build".into()).len(), 1);
        }
    }

    #[test]
    fn a_crate_that_is_not_listed_is_found() {
        let metadata = json!({"packages": [package("gridpaper-attic", &[])]});
        assert_eq!(check(&metadata).len(), 1);
    }

    #[test]
    fn metadata_without_crates_is_an_error() {
        assert_eq!(check(&json!({})).len(), 1);
    }
}

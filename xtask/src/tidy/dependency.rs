//! Which crate of the workspace may depend on which.

use super::Complaint;
use serde_json::Value;

/// Every crate, and all that it may use, without the `gridpaper-` before each name:
/// ARCHITECTURE.md draws the same.
#[rustfmt::skip]
const ALLOWED: &[(&str, &str)] = &[
    ("grid", ""),
    ("rule", "grid"),
    ("pattern", "grid"),
    // `prerequisite` by a feature for the tests of the crates above
    ("kernel", "grid rule prerequisite"),
    ("jit", "kernel"),
    ("engine", "grid rule pattern kernel jit"),
    ("gpu", "grid rule pattern kernel engine"),
    ("census", "grid rule pattern kernel engine dice"),
    ("search", "census dice grid rule pattern engine"),
    ("parts", "dice"),
    ("batch", "census grid parts pattern rule search"),
    ("source", "census grid rule pattern engine"),
    ("gridpaper", "census grid rule pattern engine source render games players laser dice"),
    ("render", "grid rule pattern engine laser"),
    ("session", "census grid rule pattern source engine render plot"),
    ("models", "search batch census dice games players cage matches arena laser grid rule pattern engine"),
    ("tui", "census models dice games players cage matches arena tournament laser grid rule pattern source engine render session plot"),
    ("wire", "models search census dice games grid laser matches players rule pattern engine source render plot session"),
    ("web", "wire census models laser dice games players cage matches arena tournament grid rule pattern source engine render session plot"),
    ("dice", ""),
    ("games", "dice"),
    ("laser", "grid dice"),
    ("players", "games"),
    ("matches", "games players dice"),
    ("cage", ""),
    ("arena", "games players matches cage"),
    ("tournament", "parts games players cage matches arena plot"),
    ("cli", "parts search models dice laser grid rule pattern source census batch engine gpu render session tui web games players cage matches arena tournament plot"),
    ("benches", "dice laser grid rule pattern engine render games players cage matches arena"),
    ("fuzz-targets", "parts search batch census dice laser grid rule pattern session web games matches arena tournament"),
    ("plot", ""),
    ("prerequisite", ""),
    ("xtask", "dice prerequisite"),
];

/// What tests of any crate may use.
const FOR_TESTS: &[&str] = &["dice", "prerequisite"];

/// Holds what `cargo metadata` says against the table, dependencies for tests and for
/// builds included.
pub(super) fn check(metadata: &Value) -> Vec<Complaint> {
    let packages = metadata["packages"].as_array().map_or(&[][..], |p| p);
    let name = |value: &Value| {
        let name = value["name"].as_str().unwrap_or_default();
        name.strip_prefix("gridpaper-").unwrap_or(name).to_string()
    };
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
            let is_allowed = allowed.split(' ').any(|name| name == to);
            if ours.contains(&to) && !is_allowed && !is_for_tests {
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
        let expected = ["grid uses engine: arrows only go down"];
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

//! Names of objects by their apgcode. The table `names.tsv` holds the names of apgsearch 1.x (by
//! way of PKTwentyTwo/apgsearch-Py3) and those of LifeWiki's lists of common still lifes and
//! oscillators.

use std::collections::HashMap;
use std::sync::LazyLock;

/// An object's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectName {
    /// The apgcode.
    pub code: &'static str,
    /// The name, in lower case but for names of people.
    pub name: &'static str,
    /// The rule that the object is known from: B3/S23, or another of which it has its code.
    pub rule: &'static str,
    /// Who calls it so: `apgsearch` or `LifeWiki`.
    pub source: &'static str,
}

static NAMES: LazyLock<Vec<ObjectName>> = LazyLock::new(|| {
    let lines = include_str!("names.tsv").lines().skip(1);
    let name = |line: &'static str| {
        let mut fields = line.split('\t');
        let code = fields.next()?;
        let name = fields.next()?;
        let rule = fields.next().filter(|rule| !rule.is_empty());
        Some(ObjectName {
            code,
            name,
            rule: rule.unwrap_or("B3/S23"),
            source: fields.next()?,
        })
    };
    lines.filter_map(name).collect()
});

static BY_CODE: LazyLock<HashMap<&str, ObjectName>> =
    LazyLock::new(|| NAMES.iter().map(|name| (name.code, *name)).collect());

/// All names, in the order of the table.
#[must_use]
pub fn object_names() -> &'static [ObjectName] {
    &NAMES
}

/// The name of the object with this code, if it has one.
///
/// ```
/// assert_eq!(census::object_name("xs4_33"), Some("block"));
/// assert_eq!(census::object_name("xs5_33"), None);
/// ```
#[must_use]
pub fn object_name(code: &str) -> Option<&'static str> {
    BY_CODE.get(code).map(|name| name.name)
}

/// The names that contain a word, whatever its case, and the objects whose code contains it.
///
/// ```
/// let found = census::search_names("Eater");
/// assert!(found.iter().any(|name| name.code == "xs7_178c"));
/// ```
#[must_use]
pub fn search_names(word: &str) -> Vec<&'static ObjectName> {
    let word = word.to_lowercase();
    let has =
        |name: &&ObjectName| name.name.to_lowercase().contains(&word) || name.code.contains(&word);
    NAMES.iter().filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_one_name() {
        assert_eq!(NAMES.len(), BY_CODE.len());
        assert_eq!(NAMES.len(), include_str!("names.tsv").lines().count() - 1);
        let bomber = BY_CODE["xq48_07z8ca7zy1e531"];
        assert_eq!((bomber.name, bomber.rule), ("bomber", "B36/S23"));
    }
}

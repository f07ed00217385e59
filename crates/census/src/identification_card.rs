//! What a pattern is, as a card: a title, rows of facts, the objects that it consists of, and
//! which of its cells repeat how often. Own method.
//!
//! Pages, screens and the command line show the same card.

use crate::identify::{Identification, ObjectCount, PatternKind, PeriodMap, PopulationRange};
use crate::library_match::find_in_library;
use pattern::Cells;
use rule::Rule;

/// What is known of a pattern, in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdentificationCard {
    /// Its name, or what kind of thing it is.
    pub title: String,
    /// The apgcode.
    pub code: Option<String>,
    /// Facts: what, and the value, which may have several lines.
    pub rows: Vec<(&'static str, String)>,
    /// The objects that it consists of or leaves, the most frequent first.
    pub objects: Vec<ObjectCount>,
    /// How often each of its cells repeats, of what stays in its place.
    pub map: Option<PeriodMap>,
}

impl IdentificationCard {
    /// The card of a finding.
    ///
    /// ```
    /// use census::{IdentificationCard, IdentifyOptions, identify};
    ///
    /// let rule = "B3/S23".parse()?;
    /// let toad = pattern::Pattern::from_text("b3o$3o!")?.cells;
    /// let found = identify(&rule, &toad, &IdentifyOptions::default(), &mut |_| true)?;
    /// let card = IdentificationCard::of(&found);
    /// assert_eq!((&card.title[..], card.code.as_deref()), ("toad", Some("xp2_7e")));
    /// assert_eq!(card.rows[0], ("kind", "oscillator".to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(found: &Identification) -> Self {
        let kind = found.kind.name().replace('_', " ");
        let mut rows = FactRows(Vec::new());
        rows.push("kind", Some(kind.clone()));
        rows.push("apgcode", found.apgcode.clone());
        rows.push("rule", Some(found.rule.clone()));
        rows.push("period", found.period.map(|period| period.to_string()));
        let later = found.generation.filter(|&generation| generation > 0);
        rows.push("from generation", later.map(|from| from.to_string()));
        rows.push("speed", speed_words(found));
        rows.push("mod", mod_words(found));
        let symmetry = found.kinetic_symmetry.as_ref();
        let symmetry = symmetry.or(found.static_symmetry.as_ref());
        rows.push("symmetry", symmetry.cloned());
        rows.push("population", found.population.map(range_words));
        rows.push("alive", found.alive.map(range_words));
        let cells = found.rotor.zip(found.stator);
        let cells = cells.map(|(rotor, stator)| format!("{rotor} and {stator} cells"));
        rows.push("rotor, stator", cells);
        let changes = found.rotor != Some(0);
        rows.push("heat", found.heat.filter(|_| changes).map(decimal));
        rows.push("temperature", found.temperature.map(decimal));
        rows.push("volatility", volatility_words(found).filter(|_| changes));
        rows.push("box", found.bounding_box.map(|(w, h)| format!("{w} x {h}")));
        rows.push("density", found.density.map(decimal));
        let phoenix = found.phoenix.filter(|&is_phoenix| is_phoenix);
        let phoenix = phoenix.map(|_| "every live cell dies in each generation".to_string());
        rows.push("phoenix", phoenix);
        rows.push("consists of", object_words(&found.pseudo_parts));
        rows.push(
            "lifespan",
            found.lifespan.map(|lifespan| lifespan.to_string()),
        );
        let left = found.final_population;
        rows.push("cells left", left.map(|cells| cells.to_string()));
        rows.push("leaves", object_words(&found.census));
        rows.push("emits", object_words(&found.emission));
        let growth = found.growth_per_period;
        rows.push(
            "grows by",
            growth.map(|cells| format!("{cells} cells a period")),
        );
        let power = found.growth_power.filter(|power| power.abs() >= 0.005);
        rows.push(
            "grows as",
            power.map(|power| format!("generation ^ {power:.2}")),
        );
        rows.push("reached", found.reached.clone());
        let objects = match found.census.is_empty() {
            true => &found.pseudo_parts,
            false => &found.census,
        };
        Self {
            title: found.name.clone().unwrap_or(kind),
            code: found.apgcode.clone(),
            rows: rows.0,
            objects: objects.clone(),
            map: found.period_map.clone(),
        }
    }

    /// The card of a finding, with the pattern of the built-in library that it is, if it is one.
    ///
    /// ```
    /// use census::{IdentificationCard, IdentifyOptions, LIBRARY_ROW, identify};
    ///
    /// let rule = "B3/S23".parse()?;
    /// let blinker = pattern::Pattern::from_text("3o!")?.cells;
    /// let found = identify(&rule, &blinker, &IdentifyOptions::default(), &mut |_| true)?;
    /// let card = IdentificationCard::in_library(&found, &rule, &blinker);
    /// assert_eq!(card.rows.last(), Some(&(LIBRARY_ROW, "blinker".to_string())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_library(found: &Identification, rule: &Rule, cells: &Cells) -> Self {
        let mut card = Self::of(found);
        let repeats = matches!(
            found.kind,
            PatternKind::StillLife | PatternKind::Oscillator | PatternKind::Spaceship
        );
        let period = found.period.filter(|_| repeats).unwrap_or(1);
        let name = find_in_library(rule, cells, period);
        card.rows
            .extend(name.map(|name| (LIBRARY_ROW, name.to_owned())));
        card
    }
}

/// The row that names the library's pattern, which faces open.
pub const LIBRARY_ROW: &str = "in the library";

/// The rows that have something to say.
struct FactRows(Vec<(&'static str, String)>);

impl FactRows {
    fn push(&mut self, name: &'static str, value: Option<String>) {
        self.0.extend(value.map(|value| (name, value)));
    }
}

/// At most four digits after the point.
fn decimal(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn range_words(range: PopulationRange) -> String {
    let PopulationRange { min, max, mean } = range;
    match min == max {
        true => min.to_string(),
        false => format!("{min} to {max}, mean {}", decimal(mean)),
    }
}

fn speed_words(found: &Identification) -> Option<String> {
    let speed = found.speed.as_ref()?;
    Some(match &found.direction {
        Some(direction) => format!("{speed}, to {direction}"),
        None => speed.clone(),
    })
}

fn mod_words(found: &Identification) -> Option<String> {
    let modulus = found.modulus?;
    Some(match found.mod_transform.filter(|&map| map != "id") {
        Some(map) => format!("{modulus}, then {map}"),
        None => modulus.to_string(),
    })
}

fn volatility_words(found: &Identification) -> Option<String> {
    let volatility = decimal(found.volatility?);
    Some(match found.strict_volatility {
        Some(strict) => format!("{volatility}, strict {}", decimal(strict)),
        None => volatility,
    })
}

/// A line each.
fn object_words(objects: &[ObjectCount]) -> Option<String> {
    let lines = objects.iter().map(|object| {
        let name = object.name.as_ref().unwrap_or(&object.code);
        match &object.direction {
            Some(direction) => format!("{} {name} to {direction}", object.count),
            None => format!("{} {name}", object.count),
        }
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_at_most() {
        let rows = [
            (42.666_666, "42.6667"),
            (4.0, "4"),
            (0.8, "0.8"),
            (0.0, "0"),
        ];
        for (number, text) in rows {
            assert_eq!(decimal(number), text);
        }
    }
}

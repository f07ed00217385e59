//! What a pattern is, as text and as JSON.

use crate::table;
use census::{Identification, ObjectCount, PatternPart, PopulationRange};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// All that is known, as one object: what has no meaning for the pattern's kind is absent.
pub(super) fn json(found: &Identification, seconds: f64) -> Value {
    let mut object = fields(found);
    object.insert("limits".into(), json!(found.limits));
    if !found.parts.is_empty() {
        let parts: Vec<Value> = found.parts.iter().map(part).collect();
        object.insert("parts".into(), json!(parts));
    }
    object.insert("seconds".into(), json!(seconds));
    Value::Object(object)
}

fn part(part: &PatternPart) -> Value {
    let mut object = Map::new();
    let rect = part.rect;
    object.insert("x".into(), json!(rect.x));
    object.insert("y".into(), json!(rect.y));
    object.extend(fields(&part.identification));
    Value::Object(object)
}

fn fields(found: &Identification) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            object.insert(key.into(), value);
        }
    };
    let sides = |(width, height)| json!({"width": width, "height": height});
    put("kind", json!(found.kind.name()));
    put("rule", json!(found.rule));
    put("generation", json!(found.generation));
    put("period", json!(found.period));
    put("dx", json!(found.dx));
    put("dy", json!(found.dy));
    put("speed", json!(found.speed));
    put("direction", json!(found.direction));
    put("mod", json!(found.modulus));
    put("mod_transform", json!(found.mod_transform));
    put("static_symmetry", json!(found.static_symmetry));
    put("kinetic_symmetry", json!(found.kinetic_symmetry));
    put("population", range(found.population));
    put("alive", range(found.alive));
    put("heat", json!(found.heat));
    put("temperature", json!(found.temperature));
    put("volatility", json!(found.volatility));
    put("strict_volatility", json!(found.strict_volatility));
    put("rotor", json!(found.rotor));
    put("stator", json!(found.stator));
    put("box", found.bounding_box.map_or(Value::Null, sides));
    let boxes: Vec<Value> = found.phase_boxes.iter().copied().map(sides).collect();
    put("phase_boxes", filled(boxes));
    put("density", json!(found.density));
    let periods = found.period_counts.iter();
    let periods: Map<String, Value> = periods
        .map(|(period, cells)| (period.to_string(), json!(cells)))
        .collect();
    put("period_map", filled_map(periods));
    put("phoenix", json!(found.phoenix));
    put("apgcode", json!(found.apgcode));
    put("name", json!(found.name));
    put("strict", json!(found.strict));
    put(
        "pseudo_parts",
        filled(found.pseudo_parts.iter().map(count).collect()),
    );
    put("lifespan", json!(found.lifespan));
    put("final_population", json!(found.final_population));
    let mut census = Map::new();
    for object in &found.census {
        // a code may stand once for each direction of its ships
        let so_far = census
            .get(&object.code)
            .and_then(Value::as_u64)
            .unwrap_or(0);
        census.insert(object.code.clone(), json!(so_far + object.count));
    }
    put("census", filled_map(census));
    put(
        "emission",
        filled(found.emission.iter().map(count).collect()),
    );
    put("growth_per_period", json!(found.growth_per_period));
    put("growth_power", json!(found.growth_power));
    put("reached", json!(found.reached));
    object
}

fn range(range: Option<PopulationRange>) -> Value {
    range.map_or(
        Value::Null,
        |range| json!({"min": range.min, "max": range.max, "mean": range.mean}),
    )
}

fn count(object: &ObjectCount) -> Value {
    let mut fields = Map::new();
    fields.insert("code".into(), json!(object.code));
    if let Some(name) = &object.name {
        fields.insert("name".into(), json!(name));
    }
    if let Some(direction) = &object.direction {
        fields.insert("direction".into(), json!(direction));
    }
    fields.insert("count".into(), json!(object.count));
    Value::Object(fields)
}

/// The list, or nothing for an empty one.
fn filled(list: Vec<Value>) -> Value {
    if list.is_empty() {
        Value::Null
    } else {
        Value::Array(list)
    }
}

fn filled_map(map: Map<String, Value>) -> Value {
    if map.is_empty() {
        Value::Null
    } else {
        Value::Object(map)
    }
}

/// All that is known, a line each; with `all` the boxes of phases and the period of each cell.
pub(super) fn text(found: &Identification, all: bool) -> String {
    let mut text = table::aligned(rows(found, all));
    for part in &found.parts {
        let (rect, identification) = (part.rect, &part.identification);
        text += &format!("\npart at ({}, {})\n", rect.x, rect.y);
        text += &table::aligned(rows(identification, all));
    }
    text
}

fn rows(found: &Identification, all: bool) -> Vec<[String; 2]> {
    let mut rows = Vec::new();
    let mut put = |key: &str, value: Option<String>| {
        let lines = value.iter().flat_map(|value| value.lines());
        for (i, line) in lines.enumerate() {
            let key = if i == 0 { key } else { "" };
            rows.push([key.to_string(), line.to_string()]);
        }
    };
    let kind = found.kind.name().replace('_', " ");
    put("kind", Some(kind));
    put("name", found.name.clone());
    put("apgcode", found.apgcode.clone());
    put("rule", Some(found.rule.clone()));
    put("period", text_of(found.period));
    put(
        "from generation",
        text_of(found.generation.filter(|&generation| generation > 0)),
    );
    let direction = found
        .direction
        .as_ref()
        .map_or(String::new(), |to| format!(", to {to}"));
    put(
        "speed",
        found
            .speed
            .as_ref()
            .map(|speed| format!("{speed}{direction}")),
    );
    let transform = found.mod_transform.filter(|&map| map != "id");
    let transform = transform.map_or(String::new(), |map| format!(", then {map}"));
    put("mod", found.modulus.map(|m| format!("{m}{transform}")));
    let symmetry = found
        .kinetic_symmetry
        .as_ref()
        .or(found.static_symmetry.as_ref());
    put("symmetry", symmetry.cloned());
    put("population", found.population.map(range_text));
    put("alive", found.alive.map(range_text));
    let has_rotor = found.rotor.is_some_and(|rotor| rotor > 0);
    put(
        "rotor, stator",
        found
            .rotor
            .zip(found.stator)
            .map(|(r, s)| format!("{r} and {s} cells")),
    );
    put(
        "heat",
        found
            .heat
            .filter(|_| has_rotor || found.rotor.is_none())
            .map(decimal),
    );
    put("temperature", found.temperature.map(decimal));
    let strict = found
        .strict_volatility
        .map_or(String::new(), |s| format!(", strict {}", decimal(s)));
    let volatility = found.volatility.filter(|_| has_rotor);
    put(
        "volatility",
        volatility.map(|v| format!("{}{strict}", decimal(v))),
    );
    put("box", found.bounding_box.map(sides_text));
    put("density", found.density.map(decimal));
    if found.phoenix == Some(true) {
        put(
            "phoenix",
            Some("every live cell dies in each generation".into()),
        );
    }
    put("consists of", objects_text(&found.pseudo_parts));
    put("lifespan", text_of(found.lifespan));
    put("cells left", text_of(found.final_population));
    put("leaves", objects_text(&found.census));
    put("emits", objects_text(&found.emission));
    put(
        "grows by",
        found
            .growth_per_period
            .map(|cells| format!("{cells} cells a period")),
    );
    put(
        "grows as",
        found
            .growth_power
            .map(|power| format!("generation ^ {power:.2}")),
    );
    put("reached", found.reached.clone());
    if all {
        let boxes: Vec<String> = found.phase_boxes.iter().copied().map(sides_text).collect();
        put("phases", (!boxes.is_empty()).then(|| boxes.join(", ")));
        let counts = found.period_counts.iter();
        let counts: Vec<String> = counts
            .map(|(period, cells)| format!("{cells} of period {period}"))
            .collect();
        put("cells", (!counts.is_empty()).then(|| counts.join(", ")));
        put("map", found.period_map.as_ref().map(ToString::to_string));
    }
    rows
}

fn text_of(number: Option<impl Display>) -> Option<String> {
    number.map(|number| number.to_string())
}

/// At most four digits after the point.
fn decimal(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn range_text(range: PopulationRange) -> String {
    match range.min == range.max {
        true => range.min.to_string(),
        false => format!(
            "{} to {}, mean {}",
            range.min,
            range.max,
            decimal(range.mean)
        ),
    }
}

fn sides_text((width, height): (u64, u64)) -> String {
    format!("{width} x {height}")
}

fn objects_text(objects: &[ObjectCount]) -> Option<String> {
    let lines = objects.iter().map(|object| {
        let name = object.name.as_ref().unwrap_or(&object.code);
        let direction = object
            .direction
            .as_ref()
            .map_or(String::new(), |to| format!(" to {to}"));
        format!("{} {name}{direction}\n", object.count)
    });
    (!objects.is_empty()).then(|| lines.collect())
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

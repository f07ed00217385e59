//! What a pattern is, as text and as JSON.

use crate::table;
use census::{Identification, ObjectCount, PatternKind, PatternPart, PopulationRange};
use models::identification::IdentificationCard;
use rule::Rule;
use search::BlockRule;
use serde_json::{Map, Value, json};

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
    put(
        "search",
        filled(searches(found).into_iter().map(Value::from).collect()),
    );
    object
}

/// A map by its name in a search.
fn turn(map: Option<&str>) -> Option<&'static str> {
    Some(match map? {
        "rot180" => "R180",
        "flip-x" => "F|",
        "flip-y" => "F-",
        "diag" => "F\\",
        "antidiag" => "F/",
        "rot90" => "R90",
        "rot270" => "R270",
        _ => return None,
    })
}

/// Commands that go on from what repeats: one that finds what has its size, period and symmetry,
/// and one that finds its parents. None under rules that searches do not take.
fn searches(found: &Identification) -> Vec<String> {
    let rule = found.rule.parse::<Rule>().ok();
    let is_searched = rule.is_some_and(|rule| BlockRule::new(&rule).is_ok());
    let (Some(period), Some(symmetry), true) = (found.period, found.search_symmetry, is_searched)
    else {
        return Vec::new();
    };
    let size = match (&found.flight_map, found.bounding_box) {
        (Some(flight), _) => (flight.width as u64, flight.height as u64),
        (None, Some(size)) => size,
        (None, None) => return Vec::new(),
    };
    let cells = found.population.map_or(0, |population| population.min);
    let sides = format!("--size {}x{}", size.0, size.1);
    let mut command = match found.kind {
        PatternKind::StillLife => {
            format!("gridpaper search still {sides} --min-cells {cells} --max-cells {cells}")
        }
        PatternKind::Oscillator => match found.modulus.zip(turn(found.mod_transform)) {
            Some((modulus, turn)) => {
                format!("gridpaper search osc --period {modulus} --transform '{turn}' {sides}")
            }
            None => format!("gridpaper search osc --period {period} {sides}"),
        },
        PatternKind::Spaceship => {
            let (dx, dy) = (found.dx.unwrap_or(0), found.dy.unwrap_or(0));
            format!("gridpaper search ship --velocity '({dx},{dy})c/{period}' {sides}")
        }
        _ => return Vec::new(),
    };
    if symmetry != "C1" {
        command += &format!(" --symmetry '{symmetry}'");
    }
    let rule = match found.rule.as_str() {
        source::DEFAULT_RULE => String::new(),
        rule => format!(" --rule '{rule}'"),
    };
    let code = found.apgcode.iter().filter(|code| code.starts_with('x'));
    let parents = code.map(|code| format!("gridpaper search predecessor {code}{rule}"));
    std::iter::once(command + &rule).chain(parents).collect()
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
    let mut put = |key: &str, value: &str| {
        for (i, line) in value.lines().enumerate() {
            let key = if i == 0 { key } else { "" };
            rows.push([key.to_string(), line.to_string()]);
        }
    };
    for (key, value) in IdentificationCard::of(found).rows {
        put(key, &value);
        if let Some(name) = found.name.as_ref().filter(|_| key == "kind") {
            put("name", name);
        }
    }
    put("search", &searches(found).join("\n"));
    if all {
        let boxes: Vec<String> = found.phase_boxes.iter().map(sides_text).collect();
        put("phases", &boxes.join(", "));
        let counts = found.period_counts.iter();
        let counts: Vec<String> = counts
            .map(|(period, cells)| format!("{cells} of period {period}"))
            .collect();
        put("cells", &counts.join(", "));
        if let Some(map) = &found.period_map {
            put("map", &map.to_string());
        }
    }
    rows
}

fn sides_text((width, height): &(u64, u64)) -> String {
    format!("{width} x {height}")
}

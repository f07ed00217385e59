//! The numbers of something that repeats as a whole, by the definitions of LifeWiki's articles
//! "Heat", "Volatility", "Rotor", "Mod" and "Kinetic symmetry".

use super::ash::named_counts;
use super::motion::greatest_divisor;
use super::symmetry::group_of;
use super::{
    FlightMap, Identification, KineticSymmetry, METHUSELAH, PatternKind, PeriodMap,
    PopulationRange, RuleContext, SymmetryClass, direction_text, speed_text,
};
use crate::{LatticeIsometry, PeriodicOrbit, StateBox, object_name};
use rule::{Lattice, Topology};
use std::collections::BTreeMap;

pub(super) fn of_death(generation: u64) -> Identification {
    Identification {
        kind: PatternKind::Dies,
        generation: Some(generation),
        lifespan: Some(generation),
        final_population: Some(0),
        ..Identification::default()
    }
}

/// `populations` are those of the generations from 0 to one period after the orbit's start.
pub(super) fn of_orbit(
    context: &mut RuleContext,
    orbit: &PeriodicOrbit,
    populations: &[u64],
) -> Identification {
    let mut found = Identification {
        generation: Some(orbit.generation),
        period: Some(orbit.period()),
        ..Identification::default()
    };
    if orbit.generation > 0 {
        found.lifespan = Some(orbit.generation);
        found.final_population = populations.get(orbit.generation as usize).copied();
    }
    let is_free = !touches_edge(context, orbit);
    let objects = match is_free {
        true => context.classifier.objects_of_orbit(orbit),
        false => Vec::new(),
    };
    if orbit.generation > 0 {
        found.census = named_counts(&objects.iter().cloned().collect());
    }
    if orbit.generation >= METHUSELAH {
        found.kind = PatternKind::Methuselah;
        found.apgcode = is_free.then(|| context.classifier.code_of_orbit(orbit));
        return found;
    }
    found.kind = match (orbit.is_moving(), orbit.period()) {
        (true, _) => PatternKind::Spaceship,
        (false, 1) => PatternKind::StillLife,
        (false, _) => PatternKind::Oscillator,
    };
    found.population = Some(range(orbit, |state| state != 0));
    if context.rule.states() > 2 {
        found.alive = Some(range(orbit, |state| state == 1));
    }
    let size = |phase: &StateBox| (phase.width() as u64, phase.height() as u64);
    found.phase_boxes = orbit.phases.iter().map(size).collect();
    found.heat = Some(heat(orbit));
    set_modulus(&mut found, context, orbit);
    set_symmetry(&mut found, context, orbit);
    if orbit.is_moving() {
        found.dx = Some(orbit.dx);
        found.dy = Some(orbit.dy);
        found.speed = Some(speed_text(orbit.dx, orbit.dy, orbit.period()));
        found.direction = Some(direction_text(orbit.dx, orbit.dy));
        let area = |&(width, height): &(u64, u64)| (width * height, width);
        found.bounding_box = found.phase_boxes.iter().copied().min_by_key(area);
        found.flight_map = FlightMap::of(orbit);
    } else {
        set_cells(&mut found, orbit);
    }
    match is_free {
        true => set_names(&mut found, context, orbit, objects),
        false => {
            found.reached = Some("the edge of the grid: its period is one of this grid".into())
        }
    }
    found
}

fn range(orbit: &PeriodicOrbit, counts: impl Fn(u8) -> bool) -> PopulationRange {
    let count = |phase: &StateBox| phase.states().iter().filter(|&&s| counts(s)).count() as u64;
    let counts: Vec<u64> = orbit.phases.iter().map(count).collect();
    PopulationRange {
        min: counts.iter().copied().min().unwrap_or(0),
        max: counts.iter().copied().max().unwrap_or(0),
        mean: counts.iter().sum::<u64>() as f64 / counts.len() as f64,
    }
}

/// Cells that change from each phase to the next, in the fixed plane.
fn heat(orbit: &PeriodicOrbit) -> f64 {
    let last = orbit.phases[0].translated(orbit.dx, orbit.dy);
    let following = orbit.phases.iter().skip(1).chain([&last]);
    let changes = orbit.phases.iter().zip(following).map(|(before, after)| {
        let changed = before.cells().filter(|&(p, state)| after.get(p) != state);
        let born = after.cells().filter(|&(p, _)| before.get(p) == 0);
        changed.count() + born.count()
    });
    changes.sum::<usize>() as f64 / orbit.phases.len() as f64
}

fn set_modulus(found: &mut Identification, context: &RuleContext, orbit: &PeriodicOrbit) {
    let first = &orbit.phases[0];
    let period = orbit.phases.len();
    let images: Vec<_> = context
        .isometries
        .iter()
        .map(|map| (map, map.image(first)))
        .collect();
    let cycle = context.rule.time_period();
    for age in (cycle..period)
        .step_by(cycle)
        .filter(|&age| period.is_multiple_of(age))
    {
        let fits = |(_, image): &&(_, StateBox)| image.is_congruent(&orbit.phases[age]);
        if let Some((map, _)) = images.iter().find(fits) {
            found.modulus = Some(age as u64);
            found.mod_transform = map.name();
            return;
        }
    }
    found.modulus = Some(period as u64);
}

fn set_symmetry(found: &mut Identification, context: &RuleContext, orbit: &PeriodicOrbit) {
    let first = &orbit.phases[0];
    if context.rule.lattice() == Lattice::Hexagonal {
        let fixed = group_of(first, &LatticeIsometry::HEXAGONAL, |image| {
            image.is_congruent(first)
        });
        let any = |image: &StateBox| orbit.phases.iter().any(|phase| phase.is_congruent(image));
        let kinetic = group_of(first, &LatticeIsometry::HEXAGONAL, any);
        let (fixed, kinetic) = (hexagonal_class(&fixed), hexagonal_class(&kinetic));
        found.static_symmetry = Some(fixed.clone());
        found.kinetic_symmetry = Some(match fixed == kinetic || orbit.is_moving() {
            true => fixed,
            false => format!("{fixed}/{kinetic}"),
        });
        return;
    }
    // Of the rules of this family, the cells that are not dying make the figure.
    let figure = match context.rule.family() {
        "Generations" => Some(orbit.figure(|state| state == 1)),
        _ => None,
    };
    let figure = figure.as_ref().unwrap_or(orbit);
    let class = SymmetryClass::of(&figure.phases[0]);
    found.search_symmetry = Some(SymmetryClass::search_name(&figure.phases[0]));
    found.static_symmetry = Some(class.to_string());
    found.kinetic_symmetry = Some(match (orbit.is_moving(), found.mod_transform) {
        (false, _) => KineticSymmetry::of(figure).to_string(),
        (true, Some(map)) => {
            let generations = found.modulus.unwrap_or(1);
            format!("{class}, {map} after {generations}")
        }
        (true, None) => class.to_string(),
    });
}

/// Classes of figures on hexagons are told by their groups alone: `C3`, `D6`.
fn hexagonal_class(group: &[LatticeIsometry]) -> String {
    let rotations = group.iter().filter(|map| map.is_rotation()).count();
    match rotations == group.len() {
        true => format!("C{rotations}"),
        false => format!("D{}", group.len()),
    }
}

/// What is counted cell by cell, of an object that stays.
fn set_cells(found: &mut Identification, orbit: &PeriodicOrbit) {
    let map = PeriodMap::of(orbit);
    let counts = map.counts();
    let active: u64 = counts.values().sum();
    let stator = counts.get(&1).copied().unwrap_or(0);
    let rotor = active - stator;
    let full = match orbit.period() {
        1 => 0,
        period => counts.get(&period).copied().unwrap_or(0),
    };
    found.rotor = Some(rotor);
    found.stator = Some(stator);
    found.volatility = Some(rotor as f64 / active as f64);
    found.strict_volatility = Some(full as f64 / active as f64);
    found.bounding_box = Some((map.width as u64, map.height as u64));
    let mean = found.population.map_or(0.0, |population| population.mean);
    let heat = found.heat.unwrap_or(0.0);
    found.density = Some(mean / (map.width * map.height) as f64);
    if rotor > 0 {
        found.temperature = Some(heat / rotor as f64);
    }
    if orbit.period() > 1 {
        let states_are_two = orbit
            .phases
            .iter()
            .all(|phase| phase.states().iter().all(|&s| s < 2));
        found.phoenix = Some(states_are_two && stator == 0 && is_near(heat, 2.0 * mean));
    }
    found.period_counts = counts;
    found.period_map = Some(map);
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn set_names(
    found: &mut Identification,
    context: &mut RuleContext,
    orbit: &PeriodicOrbit,
    objects: Vec<(String, u64)>,
) {
    let code = context.classifier.code_of_orbit(orbit);
    let is_strict = objects.len() == 1 && objects[0].1 == 1;
    found.strict = Some(is_strict);
    let known = object_name(&code).map(str::to_owned);
    found.name = known.or_else(|| library_name(context, orbit));
    if !is_strict {
        let objects: BTreeMap<String, u64> = objects.into_iter().collect();
        found.pseudo_parts = named_counts(&objects);
        if found.name.is_none() {
            found.name = joined_names(found);
        }
    }
    found.apgcode = Some(code);
}

/// `block and 2 beehives`, where all parts have names.
fn joined_names(found: &Identification) -> Option<String> {
    let parts = found.pseudo_parts.iter().map(|part| {
        let name = part.name.as_ref()?;
        Some(match part.count {
            1 => name.clone(),
            count => format!("{count} {name}s"),
        })
    });
    let parts: Option<Vec<String>> = parts.collect();
    Some(parts?.join(" and "))
}

/// The name in the built-in library: of a pattern of the same rule that is one of the phases,
/// turned or not.
fn library_name(context: &RuleContext, orbit: &PeriodicOrbit) -> Option<String> {
    let rule = context.rule.with_topology(Topology::Unbounded);
    let text = rule.to_string();
    let sizes = |cells: &StateBox| {
        (
            cells.width().min(cells.height()),
            cells.width().max(cells.height()),
        )
    };
    for entry in pattern::library::all() {
        if entry.rule().unwrap_or("B3/S23") != text {
            continue;
        }
        let Some(cells) = StateBox::from_pattern(&entry.pattern().cells, 1 << 14) else {
            continue;
        };
        let population = cells.population();
        for map in &context.isometries {
            let image = map.image(&cells);
            let is_phase = |phase: &&StateBox| {
                sizes(phase) == sizes(&image)
                    && phase.population() == population
                    && phase.is_congruent(&image)
            };
            if orbit.phases.iter().any(|phase| is_phase(&phase)) {
                return Some(entry.title().to_lowercase());
            }
        }
    }
    None
}

/// Whether a grid's edge is near enough to matter.
fn touches_edge(context: &RuleContext, orbit: &PeriodicOrbit) -> bool {
    let (width, height) = context.rule.topology().size();
    let reach = 2 * i64::from(context.rule.radius().max(1));
    let is_near = |low: i64, length: usize, side: u64| {
        let first = -((side / 2) as i64);
        side > 0 && (low - first < reach || first + side as i64 - low - (length as i64) < reach)
    };
    let mut phases = orbit.phases.iter();
    phases.any(|phase| {
        is_near(phase.x, phase.width(), width) || is_near(phase.y, phase.height(), height)
    })
}

/// The least common multiple; `None` past 2^64.
pub(super) fn common_multiple(a: u64, b: u64) -> Option<u64> {
    (a / greatest_divisor(a, b)).checked_mul(b)
}

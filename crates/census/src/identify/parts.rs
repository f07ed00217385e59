//! The objects of a pattern one by one.

use super::eventual::PatternEnd;
use super::{
    Identification, IdentifyOptions, PatternPart, RuleContext, ash, end_on_plane, figures,
};
use crate::{OrbitLimits, PeriodicOrbit, StateBox, split_object};
use engine::{Tiles, World};
use grid::{Point, Rect};

/// Runs the world, which is at generation 0, to the generation at which it has settled, and cuts it
/// into objects, row by row from the top.
pub(super) fn identify(
    context: &mut RuleContext,
    options: &IdentifyOptions,
    world: &mut Tiles,
    settled: u64,
    control: &mut dyn FnMut(u64) -> bool,
) -> Vec<PatternPart> {
    let advanced = world.advance(&settled.into(), &mut |_| control(settled));
    if advanced.is_err() {
        return Vec::new();
    }
    let first = world.cells();
    let clusters = ash::clusters(&context.rule, world, ash::ENVELOPE, &mut || true);
    let passed = ash::ENVELOPE.next_multiple_of(context.rule.time_period() as u64);
    let mut objects = Vec::new();
    for cluster in clusters {
        split(
            context,
            StateBox::from_cells(cluster.into_iter()),
            &mut objects,
        );
    }
    let earlier = objects
        .iter()
        .map(|(_, orbit)| Some(orbit.as_ref()?.at(-(passed as i64))));
    let earlier: Option<Vec<StateBox>> = earlier.collect();
    let (generation, cells) = match earlier.filter(|earlier| StateBox::union(earlier) == first) {
        Some(earlier) => (0, earlier),
        None => (
            passed,
            objects.into_iter().map(|(cells, _)| cells).collect(),
        ),
    };
    let part = |cells: StateBox| {
        let mut identification = match end_on_plane(context, &cells, options, control) {
            PatternEnd::Orbit { orbit, populations } => {
                figures::of_orbit(context, &orbit, &populations)
            }
            PatternEnd::Death { generation } => figures::of_death(generation),
            PatternEnd::Limit | PatternEnd::Interruption => Identification::default(),
        };
        identification.rule = context.rule.to_string();
        PatternPart {
            rect: Rect::new(
                cells.x,
                cells.y,
                cells.width() as u64,
                cells.height() as u64,
            ),
            generation,
            identification,
        }
    };
    let mut parts: Vec<PatternPart> = cells.into_iter().map(part).collect();
    parts.sort_by_key(|part| Point::new(part.rect.x, part.rect.y));
    parts
}

/// Adds the true objects of a cluster in their places, and their orbits where they have one.
fn split(
    context: &mut RuleContext,
    cluster: StateBox,
    objects: &mut Vec<(StateBox, Option<PeriodicOrbit>)>,
) {
    let limits = OrbitLimits {
        area: (4 * cluster.area()).max(1 << 14),
        ..OrbitLimits::default()
    };
    let mut waiting = vec![cluster];
    while let Some(cells) = waiting.pop() {
        let Ok(orbit) = PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits) else {
            objects.push((cells, None));
            continue;
        };
        match split_object(&mut context.stepper, &orbit) {
            parts if parts.len() > 1 => waiting.extend(parts),
            _ => objects.push((cells, Some(orbit))),
        }
    }
}

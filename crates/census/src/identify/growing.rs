//! What grows for ever: the part that never comes to rest is followed over one period of the
//! growth. If it is where it was, it is a gun; if it has moved, a puffer or a rake. Own method;
//! the codes are those of [`crate::growth`].

use super::ash::{self, AshTally, ClusterCells, ship_direction, tally};
use super::{Identification, ObjectCount, PatternKind, RuleContext, direction_text, speed_text};
use crate::{GrowthClass, GrowthTester, LinearGrowth, StateBox, object_name};
use engine::{Tiles, World};
use grid::Point;
use pattern::{Cells, Run};
use std::collections::BTreeMap;

/// Generations over which the growth has to be regular.
const REGULAR: usize = 2000;

/// The longest period of growth that is looked for in the population.
const LONGEST_PERIOD: usize = 1500;

/// Generations that tell engine and ash apart: few, so that a ship is parted from its gun.
const SHORT_ENVELOPE: u64 = 8;

/// Generations after which an engine has its debris at rest, as in apgsearch.
const LONG_ENVELOPE: u64 = 1280;

/// Restless clusters as near as this belong to one engine.
const ENGINE_GAP: i64 = 24;

/// Growth by another law than a linear one is tested from this generation on.
const SLOW_TEST: usize = 20_000;

/// What the world is, if it grows; it is left as it was.
pub(super) fn identify(
    context: &mut RuleContext,
    world: &mut Tiles,
    start: &Cells,
    populations: &[u64],
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<Identification> {
    let Some(period) = regular_period(populations) else {
        if populations.len() < SLOW_TEST {
            return None;
        }
        return by_slope(context, start, populations, control);
    };
    let before = world.snapshot();
    let growth = linear_growth(context, world, control);
    let _ = world.restore(&before);
    let period = growth
        .as_ref()
        .map_or(period as u64, |growth| growth.period);
    let mut found = Identification {
        kind: PatternKind::Growing,
        period: Some(period),
        growth_per_period: gain(populations, period),
        growth_power: Some(1.0),
        ..Identification::default()
    };
    if let Some(growth) = growth {
        let code = growth.to_string();
        found.name = object_name(&code).map(str::to_owned);
        found.apgcode = Some(code);
    }
    for times in [1, 2, 4] {
        let engine = engine_of(context, world, times * period);
        let _ = world.restore(&before);
        if let Some(engine) = engine {
            set_engine(&mut found, engine, times * period);
            found.growth_per_period = gain(populations, times * period);
            break;
        }
    }
    Some(found)
}

/// The least period by which the population has grown by the same, again and again.
fn regular_period(populations: &[u64]) -> Option<usize> {
    let end = populations.len();
    let is_regular = |&p: &usize| {
        let length = REGULAR + 2 * p;
        if length > end {
            return false;
        }
        let window = &populations[end - length..];
        let gain = |at: usize| window[at + p] as i64 - window[at] as i64;
        (0..REGULAR).all(|at| gain(at) == gain(at + p)) && (0..p).map(gain).sum::<i64>() > 0
    };
    (1..LONGEST_PERIOD).find(is_regular)
}

fn gain(populations: &[u64], period: u64) -> Option<i64> {
    let (last, rest) = populations.split_last()?;
    let earlier = rest.get((rest.len() as u64).checked_sub(period)? as usize)?;
    Some(*last as i64 - *earlier as i64)
}

/// The growth of the restless part of the world, or else of all of it.
fn linear_growth(
    context: &mut RuleContext,
    world: &mut Tiles,
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<LinearGrowth> {
    let clusters = ash::clusters(&context.rule, world, LONG_ENVELOPE);
    let restless = tally(context, clusters).restless;
    let mut tester = GrowthTester::new(&context.rule);
    let candidates = restless.iter().map(to_cells).chain([world.cells()]);
    for cells in candidates {
        let class = tester.test_linear(&cells, &mut || control(0));
        if let Some(GrowthClass::Linear(growth)) = class {
            return Some(growth);
        }
    }
    None
}

fn to_cells(cluster: &ClusterCells) -> Cells {
    let runs = cluster.iter().map(|&(p, state)| Run {
        y: p.y,
        x: p.x,
        length: 1,
        state,
    });
    Cells::from_runs(runs.collect())
}

/// What grows, and what it makes in one period.
struct GrowthEngine {
    /// How each part of it has moved.
    motions: Vec<(i64, i64)>,
    emission: Vec<ObjectCount>,
}

/// Compares the world with itself a period later; `None` where the restless parts differ.
fn engine_of(context: &mut RuleContext, world: &mut Tiles, period: u64) -> Option<GrowthEngine> {
    let now = world.snapshot();
    let early = look(context, world);
    world.restore(&now).ok()?;
    world.advance(&period.into(), &mut |_| true).ok()?;
    let late = look(context, world);
    let (early_groups, mut late_groups) =
        (groups(early.tally.restless), groups(late.tally.restless));
    if early_groups.is_empty() {
        return None;
    }
    let mut motions = Vec::new();
    for group in early_groups {
        let moved = |other: &StateBox| (other.x - group.x, other.y - group.y);
        let matching = late_groups
            .iter()
            .enumerate()
            .filter(|(_, other)| other.is_congruent(&group));
        let distance = |&(_, other): &(usize, &StateBox)| {
            let (dx, dy) = moved(other);
            dx.abs() + dy.abs()
        };
        let (at, other) = matching.min_by_key(distance)?;
        motions.push(moved(other));
        late_groups.swap_remove(at);
    }
    let mut emission = Vec::new();
    for ((code, direction), count) in late.counts {
        let key = (code, direction);
        let earlier = early.counts.get(&key).copied().unwrap_or(0);
        if count > earlier {
            emission.push(ObjectCount {
                name: object_name(&key.0).map(str::to_owned),
                code: key.0,
                direction: key.1,
                count: count - earlier,
            });
        }
    }
    Some(GrowthEngine { motions, emission })
}

/// The objects of a world by code and direction.
struct DirectedTally {
    counts: BTreeMap<(String, Option<String>), u64>,
    tally: AshTally,
}

fn look(context: &mut RuleContext, world: &mut Tiles) -> DirectedTally {
    let mut counts = BTreeMap::new();
    let mut all = AshTally::default();
    for cluster in ash::clusters(&context.rule, world, SHORT_ENVELOPE) {
        let found = tally(context, vec![cluster.clone()]);
        let is_ship = |(code, &count): (&String, &u64)| count == 1 && code.starts_with("xq");
        let direction = match found.objects.len() == 1 && found.objects.iter().all(is_ship) {
            true => ship_direction(context, &cluster),
            false => None,
        };
        for (code, count) in found.objects {
            *counts.entry((code, direction.clone())).or_default() += count;
        }
        all.restless.extend(found.restless);
    }
    DirectedTally { counts, tally: all }
}

/// Clusters that are near each other as one.
fn groups(clusters: Vec<ClusterCells>) -> Vec<StateBox> {
    let mut groups: Vec<StateBox> = Vec::new();
    for cluster in clusters {
        let mut cells: Vec<(Point, u8)> = cluster;
        loop {
            let own = StateBox::from_cells(cells.iter().copied());
            let near = groups.iter().position(|group| is_near(group, &own));
            let Some(near) = near else {
                groups.push(own);
                break;
            };
            cells.extend(groups.swap_remove(near).cells());
        }
    }
    groups
}

fn is_near(a: &StateBox, b: &StateBox) -> bool {
    let gap = |a: i64, a_length: usize, b: i64, b_length: usize| {
        (b - a - a_length as i64).max(a - b - b_length as i64)
    };
    gap(a.x, a.width(), b.x, b.width()) < ENGINE_GAP
        && gap(a.y, a.height(), b.y, b.height()) < ENGINE_GAP
}

fn set_engine(found: &mut Identification, engine: GrowthEngine, period: u64) {
    let only_ships = engine
        .emission
        .iter()
        .all(|object| object.code.starts_with("xq"));
    let only_ships = only_ships && !engine.emission.is_empty();
    let moving = engine
        .motions
        .iter()
        .copied()
        .find(|&motion| motion != (0, 0));
    found.kind = match (moving, only_ships) {
        (None, true) => PatternKind::Gun,
        (Some(_), true) => PatternKind::Rake,
        (Some(_), false) => PatternKind::Puffer,
        (None, false) => PatternKind::Growing,
    };
    found.period = Some(period);
    let all_alike = engine.motions.iter().all(|&motion| Some(motion) == moving);
    if let Some((dx, dy)) = moving.filter(|_| all_alike) {
        found.dx = Some(dx);
        found.dy = Some(dy);
        found.speed = Some(speed_text(dx, dy, period));
        found.direction = Some(direction_text(dx, dy));
    }
    found.emission = engine.emission;
}

/// Growth that is not linear, by apgsearch's slopes.
fn by_slope(
    context: &mut RuleContext,
    start: &Cells,
    populations: &[u64],
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<Identification> {
    let power = growth_power(populations)?;
    if power < 0.1 {
        return None;
    }
    if power > 1.8 {
        return Some(Identification {
            kind: PatternKind::Breeder,
            growth_power: Some(power),
            ..Identification::default()
        });
    }
    let age = populations.len() as u64;
    match GrowthTester::new(&context.rule).test(start, &mut || control(age)) {
        GrowthClass::Other { code, slope } => Some(Identification {
            kind: match code {
                "zz_QUADRATIC" => PatternKind::Breeder,
                _ => PatternKind::Growing,
            },
            apgcode: Some(code.into()),
            growth_power: Some(slope),
            ..Identification::default()
        }),
        _ => None,
    }
}

/// What is known of a pattern that has reached a limit.
pub(super) fn by_power(
    context: &mut RuleContext,
    start: &Cells,
    populations: &[u64],
    reached: &str,
    control: &mut dyn FnMut(u64) -> bool,
) -> Identification {
    if reached != "interrupted"
        && let Some(found) = by_slope(context, start, populations, control)
    {
        return Identification {
            reached: Some(summary(populations, reached)),
            ..found
        };
    }
    let power = growth_power(populations);
    let kind = match power {
        Some(power) if power > 1.8 => PatternKind::Breeder,
        Some(power) if power > 0.5 => PatternKind::Growing,
        _ => PatternKind::Unknown,
    };
    Identification {
        kind,
        growth_power: power,
        reached: Some(summary(populations, reached)),
        ..Identification::default()
    }
}

fn summary(populations: &[u64], reached: &str) -> String {
    let age = populations.len().saturating_sub(1);
    let (first, last) = (populations.first(), populations.last());
    let (first, last) = (first.copied().unwrap_or(0), last.copied().unwrap_or(0));
    format!("{reached}: no period in {age} generations, population {first} -> {last}")
}

/// The slope of the population in a plot with logarithmic axes, over the later half.
fn growth_power(populations: &[u64]) -> Option<f64> {
    let from = populations.len() / 2;
    if populations.len() < 64 {
        return None;
    }
    let points = (from.max(1)..populations.len())
        .map(|at| ((at as f64).ln(), (populations[at].max(1) as f64).ln()));
    let (mut count, mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (a, b) in points {
        count += 1.0;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    Some((count * xy - x * y) / (count * xx - x * x))
}

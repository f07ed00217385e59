//! What grows for ever: the part that never comes to rest is followed over one period of the
//! growth. If it is where it was, it is a gun; if it has moved, a puffer or a rake. Own method;
//! the codes are those of [`crate::growth`].

use super::ash::{ClusterStates, ship_direction, tally};
use super::ash_world::AshWorld;
use super::{Identification, ObjectCount, PatternKind, RuleContext, direction_text, speed_text};
use crate::{GrowthClass, GrowthTester, LatticeIsometry, LinearGrowth, StateBox, object_name};
use grid::Point;
use pattern::{Cells, Run};
use std::collections::BTreeMap;

/// Generations over which the growth has to be regular.
const REGULAR: usize = 2000;

/// The longest period of growth that is looked for in the population.
const LONGEST_PERIOD: usize = 1500;

/// Generations that tell engine and ash apart: few, so that a ship is parted from its gun, and
/// fewer for a dense stream of ships.
const SHORT_ENVELOPES: [u64; 3] = [8, 4, 2];

/// Restless clusters whose growth is tested.
const TESTED_CLUSTERS: usize = 2;

/// Cells of a cluster that is likely to grow.
const LARGE_CLUSTER: usize = 64;

/// Generations after which an engine has its debris at rest, as in apgsearch.
const LONG_ENVELOPE: u64 = 1280;

/// Restless clusters as near as this belong to one engine.
const ENGINE_GAP: i64 = 24;

/// Growth by another law than a linear one is tested from this generation on.
const SLOW_TEST: usize = 20_000;

/// What the world is, if it grows; it is left as it was. `is_ever_more` says whether growth that
/// is not linear is worth a test.
pub(super) fn identify(
    context: &mut RuleContext,
    world: &mut AshWorld<'_>,
    start: &Cells,
    populations: &[u64],
    is_ever_more: bool,
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<Identification> {
    let Some(period) = regular_period(populations) else {
        if populations.len() < SLOW_TEST || !is_ever_more {
            return None;
        }
        return by_slope(context, start, populations, control);
    };
    let before = world.checkpoint();
    world.restore(&before);
    let growth = linear_growth(context, world, control);
    let period = growth
        .as_ref()
        .map_or(period as u64, |growth| growth.period);
    let mut found = Identification {
        kind: PatternKind::Growing,
        period: Some(period),
        growth_power: Some(1.0),
        ..Identification::default()
    };
    if let Some(growth) = growth {
        let code = growth.to_string();
        found.name = object_name(&code).map(str::to_owned);
        found.apgcode = Some(code);
    }
    let age = populations.len() as u64 - 1;
    for envelope in SHORT_ENVELOPES {
        if !control(age) {
            found.reached = Some(summary(populations, "interrupted"));
            break;
        }
        let looks = [0, 1, 2, 4].map(|times| {
            world.restore(&before);
            world.advance(times * period);
            look(context, world, envelope)
        });
        let [now, rest @ ..] = &looks;
        let repeats = |late: &DirectedTally| motions(now, late, &[LatticeIsometry::SQUARE[0]]);
        let found_engine = [1, 2, 4]
            .into_iter()
            .zip(rest)
            .find_map(|(times, late)| Some((times, late, repeats(late)?)));
        if let Some((times, late, motions)) = found_engine {
            set_engine(&mut found, now, late, motions, times * period);
            // A glide: half of the period takes it half as far, reflected.
            if times == 2 {
                halve_glide(&mut found, context, now, &rest[0], period);
            }
            break;
        }
    }
    world.restore(&before);
    found.growth_per_period = found
        .period
        .and_then(|period| mean_gain(populations, period));
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

/// The mean over all phases of what is gained in a period.
fn mean_gain(populations: &[u64], period: u64) -> Option<f64> {
    let period = period as usize;
    let window = populations.get(populations.len().checked_sub(2 * period)?..)?;
    let (early, late) = window.split_at(period);
    let sum = |part: &[u64]| part.iter().sum::<u64>() as f64;
    Some((sum(late) - sum(early)) / period as f64)
}

/// The growth of the restless part of the world, or else of all of it.
fn linear_growth(
    context: &mut RuleContext,
    world: &mut AshWorld<'_>,
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<LinearGrowth> {
    let age = world.generation();
    let mut clusters = world.clusters(&context.rule, LONG_ENVELOPE, &mut || control(age));
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
    let mut tester = GrowthTester::new(&context.rule);
    let mut is_linear = |cells: &Cells| {
        let class = tester.test_linear(cells, &mut || control(age));
        match class {
            Some(GrowthClass::Linear(growth)) => Some(growth),
            _ => None,
        }
    };
    // what is large is tested at once: that takes less than a search for its period
    let mut tested = 0;
    for cluster in clusters {
        if tested == TESTED_CLUSTERS {
            break;
        }
        let cells = to_cells(&cluster);
        let is_large = cluster.len() >= LARGE_CLUSTER;
        if is_large && let Some(growth) = is_linear(&cells) {
            return Some(growth);
        }
        if tally(context, vec![cluster]).restless.is_empty() {
            continue;
        }
        tested += 1;
        if !is_large && let Some(growth) = is_linear(&cells) {
            return Some(growth);
        }
    }
    is_linear(&world.cells())
}

fn to_cells(cluster: &ClusterStates) -> Cells {
    let runs = cluster.iter().map(|&(p, state)| Run {
        y: p.y,
        x: p.x,
        length: 1,
        state,
    });
    Cells::from_runs(runs.collect())
}

/// How each restless part has moved, where each is there again as one of the maps makes it;
/// the part nearest to where it was.
fn motions(
    early: &DirectedTally,
    late: &DirectedTally,
    maps: &[LatticeIsometry],
) -> Option<Vec<(i64, i64)>> {
    let mut others: Vec<&StateBox> = late.restless.iter().collect();
    let mut motions = Vec::new();
    for group in &early.restless {
        let moved = |other: &StateBox| (other.x - group.x, other.y - group.y);
        let is_image =
            |other: &StateBox| maps.iter().any(|map| map.image(group).is_congruent(other));
        let matching = others
            .iter()
            .enumerate()
            .filter(|(_, other)| is_image(other));
        let distance = |&(_, other): &(usize, &&StateBox)| {
            let (dx, dy) = moved(other);
            dx.abs() + dy.abs()
        };
        let (at, other) = matching.min_by_key(distance)?;
        motions.push(moved(other));
        others.swap_remove(at);
    }
    (!motions.is_empty()).then_some(motions)
}

/// What there is more of later.
fn emission(early: &DirectedTally, late: &DirectedTally) -> Vec<ObjectCount> {
    let more = late.counts.iter().filter_map(|(key, &count)| {
        let earlier = early.counts.get(key).copied().unwrap_or(0);
        let (code, direction) = key;
        (count > earlier).then(|| ObjectCount {
            name: object_name(code).map(str::to_owned),
            code: code.clone(),
            direction: direction.clone(),
            count: count - earlier,
        })
    });
    more.collect()
}

/// The objects of a world by code and direction.
struct DirectedTally {
    counts: BTreeMap<(String, Option<String>), u64>,
    /// What is not periodic alone, near parts as one.
    restless: Vec<StateBox>,
}

fn look(context: &mut RuleContext, world: &mut AshWorld<'_>, envelope: u64) -> DirectedTally {
    let mut counts = BTreeMap::new();
    let mut restless = Vec::new();
    for cluster in world.clusters(&context.rule, envelope, &mut || true) {
        let found = tally(context, vec![cluster.clone()]);
        let is_ship = |(code, &count): (&String, &u64)| count == 1 && code.starts_with("xq");
        let direction = match found.objects.len() == 1 && found.objects.iter().all(is_ship) {
            true => ship_direction(context, &cluster),
            false => None,
        };
        for (code, count) in found.objects {
            *counts.entry((code, direction.clone())).or_default() += count;
        }
        restless.extend(found.restless);
    }
    DirectedTally {
        counts,
        restless: groups(restless),
    }
}

/// Clusters that are near each other as one.
fn groups(clusters: Vec<ClusterStates>) -> Vec<StateBox> {
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

fn set_engine(
    found: &mut Identification,
    early: &DirectedTally,
    late: &DirectedTally,
    motions: Vec<(i64, i64)>,
    period: u64,
) {
    found.emission = emission(early, late);
    let is_ship = |object: &ObjectCount| object.code.starts_with("xq");
    let only_ships = !found.emission.is_empty() && found.emission.iter().all(is_ship);
    let moving = motions.iter().copied().find(|&motion| motion != (0, 0));
    found.kind = match (moving, only_ships) {
        (None, true) => PatternKind::Gun,
        (Some(_), true) => PatternKind::Rake,
        (Some(_), false) => PatternKind::Puffer,
        (None, false) => PatternKind::Growing,
    };
    found.period = Some(period);
    if let Some((dx, dy)) = moving.filter(|&first| motions.iter().all(|&motion| motion == first)) {
        set_motion(found, dx, dy, period);
    }
}

fn set_motion(found: &mut Identification, dx: i64, dy: i64, period: u64) {
    found.dx = Some(dx);
    found.dy = Some(dy);
    found.speed = Some(speed_text(dx, dy, period));
    found.direction = Some(direction_text(dx, dy));
}

/// Where one map takes the engine to where it is after half of its period, that is its period.
fn halve_glide(
    found: &mut Identification,
    context: &RuleContext,
    early: &DirectedTally,
    middle: &DirectedTally,
    period: u64,
) {
    let (Some(dx), Some(dy)) = (found.dx, found.dy) else {
        return;
    };
    let fits = |map: &&LatticeIsometry| motions(early, middle, &[**map]).is_some();
    let Some(map) = context.isometries.iter().find(fits) else {
        return;
    };
    if dx % 2 == 0 && dy % 2 == 0 {
        set_motion(found, dx / 2, dy / 2, period);
        found.period = Some(period);
        found.modulus = Some(period);
        found.mod_transform = map.name();
        found.emission = emission(early, middle);
    }
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
    of_class(GrowthTester::new(&context.rule).test(start, &mut || control(age)))
}

/// Whether the population is twice the first one again and again, after generations whose number
/// doubles: as that of replicators is, which are worth a test at once.
pub(super) fn seems_to_replicate(populations: &[u64]) -> bool {
    let doubles = |&p: &usize| {
        let ages = [p, 2 * p, 4 * p, 8 * p];
        ages.iter()
            .all(|&age| populations[age] == 2 * populations[0])
    };
    (1..=(populations.len() - 1) / 8).any(|p| doubles(&p))
}

/// Growth of what seems to be a replicator, by the slope over a million generations.
pub(super) fn by_replication(
    context: &mut RuleContext,
    start: &Cells,
    age: u64,
    control: &mut dyn FnMut(u64) -> bool,
) -> Option<Identification> {
    of_class(GrowthTester::new(&context.rule).test_replicator(start, &mut || control(age)))
}

/// Growth that is not linear.
fn of_class(class: GrowthClass) -> Option<Identification> {
    match class {
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
    if let Some(found) = by_slope(context, start, populations, control) {
        return Identification {
            reached: Some(summary(populations, reached)),
            ..found
        };
    }
    by_trend(populations, reached)
}

/// What its population alone tells of a pattern that has reached a limit.
pub(super) fn by_trend(populations: &[u64], reached: &str) -> Identification {
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
    let mut text =
        format!("{reached}: no period in {age} generations, population {first} -> {last}");
    if let Some(power) = growth_power(populations) {
        // no minus before what is rounded to zero
        let power = (100.0 * power).round() / 100.0 + 0.0;
        text += &format!(", slope {power:.2}");
    }
    text
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

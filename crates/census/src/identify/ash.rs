//! The clusters of a world: cells that have been live within some generations, and are near to
//! each other, belong together.

use super::{ObjectCount, RuleContext, direction_text};
use crate::point_set::{PointMap, PointSet};
use crate::separate::take_cluster;
use crate::{
    ClusterEffort, ClusterObjects, OrbitLimits, PeriodicOrbit, StateBox, cluster_zone, object_name,
};
use engine::{Tiles, World};
use grid::{Point, State};
use rule::Rule;
use std::collections::BTreeMap;

/// Generations whose cells belong to a cluster, of a world at rest.
pub(super) const ENVELOPE: u64 = 60;

/// The live cells of one cluster with their states.
pub(super) type ClusterStates = Vec<(Point, State)>;

/// Runs the world on by `generations`, and gives the clusters of the cells at the end. One of a
/// world whose rule depends on the generation is left at one that its cycle begins at.
///
/// `keep_going` is asked now and then; after `false` there are no clusters.
pub(super) fn clusters(
    rule: &Rule,
    world: &mut Tiles,
    generations: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Vec<ClusterStates> {
    let mut envelope: PointSet = PointSet::default();
    let mut live: ClusterStates = Vec::new();
    let cycle = rule.time_period() as u64;
    let generations = generations.next_multiple_of(cycle);
    for age in 0..=generations {
        if age % 32 == 31 && !keep_going() {
            return Vec::new();
        }
        if age > 0 {
            let _ = world.advance(&1u8.into(), &mut |_| true);
        }
        live.clear();
        world.cells().for_each_run(&mut |run| {
            let cells = 0..run.length as i64;
            live.extend(cells.map(|at| (Point::new(run.x + at, run.y), run.state)));
        });
        envelope.extend(live.iter().map(|&(p, _)| p));
    }
    cut_by_definition(&cluster_zone(rule), &live, envelope)
}

/// The clusters of live cells in their envelope, in the order of their first live cells.
pub(super) fn cut_by_definition(
    zone: &[(i64, i64)],
    live: &[(Point, State)],
    mut envelope: PointSet,
) -> Vec<ClusterStates> {
    let states: PointMap<State> = live.iter().copied().collect();
    let mut clusters = Vec::new();
    for &(start, _) in live {
        if !envelope.remove(&start) {
            continue;
        }
        let found = take_cluster(start, zone, &mut envelope);
        let cells = found
            .iter()
            .filter_map(|p| states.get(p).map(|&state| (*p, state)));
        clusters.push(cells.collect());
    }
    clusters
}

/// The objects of clusters by code, and the clusters that are not periodic.
#[derive(Debug, Default)]
pub(super) struct AshTally {
    pub(super) objects: BTreeMap<String, u64>,
    pub(super) restless: Vec<ClusterStates>,
}

pub(super) fn tally(context: &mut RuleContext, clusters: Vec<ClusterStates>) -> AshTally {
    let mut tally = AshTally::default();
    let effort = ClusterEffort {
        period: 4096,
        growth: false,
    };
    for cluster in clusters {
        match context.classifier.classify_states(&cluster, effort) {
            ClusterObjects::Periodic(objects) => {
                for (code, count) in objects {
                    *tally.objects.entry(code).or_default() += count;
                }
            }
            _ => tally.restless.push(cluster),
        }
    }
    tally
}

/// The counts with names, the most frequent first.
pub(super) fn named_counts(objects: &BTreeMap<String, u64>) -> Vec<ObjectCount> {
    let count = |(code, &count): (&String, &u64)| ObjectCount {
        name: object_name(code).map(str::to_owned),
        direction: None,
        code: code.clone(),
        count,
    };
    let mut counts: Vec<ObjectCount> = objects.iter().map(count).collect();
    counts.sort_by(|a, b| (b.count, &a.code).cmp(&(a.count, &b.code)));
    counts
}

/// The direction of the single ship that a cluster is.
pub(super) fn ship_direction(context: &mut RuleContext, cluster: &ClusterStates) -> Option<String> {
    let cells = StateBox::from_cells(cluster.iter().copied());
    let limits = OrbitLimits::default();
    let orbit = PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits).ok()?;
    orbit
        .is_moving()
        .then(|| direction_text(orbit.dx, orbit.dy))
}

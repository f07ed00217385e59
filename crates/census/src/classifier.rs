//! What one cluster of ash is: the objects in it, or how it grows. Own method; what counts as one
//! object is apgsearch's.

use crate::growth::{GrowthClass, GrowthTester};
use crate::separate::take_cluster;
use crate::{
    BoxStepper, LatticeIsometry, OrbitLimits, PeriodicOrbit, StateBox, cluster_zone,
    rule_isometries, split_object,
};
use grid::{Point, State};
use pattern::{Cells, Run};
use rule::Rule;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Clusters, and codes, remembered before all are forgotten.
const MAX_REMEMBERED: usize = 1 << 16;

/// Generations whose cells make the envelope of a cluster that is too large for a code.
const ENVELOPE_PERIODS: u64 = 8;

/// A cluster that spans more cells than this is not looked at for a period.
const MAX_PERIODIC_AREA: u64 = 1 << 20;

/// A periodic object's box is taken to stay below this many times its first one...
const MAX_SWELLING: usize = 4;

/// ... or below this: what falls apart is known by its gliders leaving.
const LEAST_AREA: usize = 1 << 14;

/// What a cluster is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterObjects {
    /// Periodic: the apgcodes of its true objects with their number, by code. What is too large
    /// for a code stands as `ov_…`.
    Periodic(Vec<(String, u64)>),
    /// Growing for ever: its code, `yl…` for linear growth and `zz_…` for other.
    Growing(String),
    /// Neither was found.
    Pathological,
}

/// How much is tried before a cluster counts as pathological.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterEffort {
    /// The longest period.
    pub period: u64,
    /// Whether growth is tested.
    pub growth: bool,
}

impl Default for ClusterEffort {
    fn default() -> Self {
        Self {
            period: 1024,
            growth: true,
        }
    }
}

/// Classifies clusters under one rule, and remembers what it has seen.
///
/// ```
/// use census::{ClusterEffort, ClusterObjects, ObjectClassifier};
/// use grid::Point;
///
/// let mut classifier = ObjectClassifier::new(&"B3/S23".parse()?);
/// let block = |x: i64, y: i64| [0, 1, 2, 3].map(|at| Point::new(x + at % 2, y + at / 2));
/// let bi_block = [block(40, 7), block(43, 7)].concat();
/// let objects = classifier.classify(&bi_block, ClusterEffort::default());
/// assert_eq!(objects, ClusterObjects::Periodic(vec![("xs4_33".into(), 2)]));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[derive(Debug)]
pub struct ObjectClassifier {
    stepper: BoxStepper,
    isometries: Vec<LatticeIsometry>,
    growth: GrowthTester,
    clusters: HashMap<StateBox, (ClusterEffort, ClusterObjects)>,
    /// The true objects of each code.
    splits: HashMap<String, Vec<(String, u64)>>,
}

impl ObjectClassifier {
    /// For a rule on the endless plane; its topology is not looked at.
    #[must_use]
    pub fn new(rule: &Rule) -> Self {
        Self {
            stepper: BoxStepper::new(rule),
            isometries: rule_isometries(rule),
            growth: GrowthTester::new(rule),
            clusters: HashMap::new(),
            splits: HashMap::new(),
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        self.stepper.rule()
    }

    /// What the live cells of one cluster, all in state 1, are. For a rule that depends on the
    /// generation, the cells are those of a generation that all its cycles begin at, such as 0.
    pub fn classify(&mut self, live: &[Point], effort: ClusterEffort) -> ClusterObjects {
        let live: Vec<_> = live.iter().map(|&p| (p, 1)).collect();
        self.classify_states(&live, effort)
    }

    /// [`ObjectClassifier::classify`] for cells in any states.
    pub fn classify_states(
        &mut self,
        live: &[(Point, State)],
        effort: ClusterEffort,
    ) -> ClusterObjects {
        if spanned_area(live) > MAX_PERIODIC_AREA {
            let run = |&(p, state): &(Point, State)| Run {
                y: p.y,
                x: p.x,
                length: 1,
                state,
            };
            return self.growth_of(&Cells::from_runs(live.iter().map(run).collect()), effort);
        }
        let cells = StateBox::from_cells(live.iter().copied());
        let (x, y) = match self.rule().phases() {
            1 => (cells.x, cells.y),
            _ => (cells.x & !1, cells.y & !1),
        };
        let cells = cells.translated(-x, -y);
        if let Some((known, objects)) = self.clusters.get(&cells)
            && (*known == effort || matches!(objects, ClusterObjects::Periodic(_)))
        {
            return objects.clone();
        }
        let limits = OrbitLimits {
            period: effort.period,
            area: (MAX_SWELLING * cells.area()).max(LEAST_AREA),
            ..OrbitLimits::default()
        };
        let objects = match PeriodicOrbit::find(&mut self.stepper, &cells, 0, &limits) {
            Ok(orbit) => ClusterObjects::Periodic(self.objects(&orbit, true)),
            Err(_) => self.growth_of(&cells.to_pattern(), effort),
        };
        if self.clusters.len() >= MAX_REMEMBERED {
            self.clusters.clear();
        }
        self.clusters.insert(cells, (effort, objects.clone()));
        objects
    }

    fn growth_of(&mut self, cells: &Cells, effort: ClusterEffort) -> ClusterObjects {
        if !effort.growth {
            return ClusterObjects::Pathological;
        }
        match self.growth.test(cells, &mut || true) {
            GrowthClass::Linear(growth) => ClusterObjects::Growing(growth.to_string()),
            GrowthClass::Other { code, .. } => ClusterObjects::Growing(code.into()),
            GrowthClass::Unknown => ClusterObjects::Pathological,
        }
    }

    /// The true objects of a periodic object, by code, with their number.
    ///
    /// ```
    /// use census::{ObjectClassifier, OrbitLimits, PeriodicOrbit, decode};
    ///
    /// let mut classifier = ObjectClassifier::new(&"B3/S23".parse()?);
    /// let objects = decode("xp2_rbzw23").and_then(|cells| classifier.true_objects(&cells));
    /// let beacon_and_block = vec![("xp2_318c".to_owned(), 1), ("xs4_33".to_owned(), 1)];
    /// assert_eq!(objects, Some(beacon_and_block));
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    pub fn true_objects(&mut self, cells: &StateBox) -> Option<Vec<(String, u64)>> {
        let limits = OrbitLimits::default();
        let orbit = PeriodicOrbit::find(&mut self.stepper, cells, 0, &limits).ok()?;
        Some(self.objects(&orbit, true))
    }

    /// The canonical code of a periodic object, whole.
    pub fn code(&mut self, cells: &StateBox) -> Option<String> {
        let limits = OrbitLimits::default();
        let orbit = PeriodicOrbit::find(&mut self.stepper, cells, 0, &limits).ok()?;
        Some(orbit.canonical(self.stepper.rule(), &self.isometries).code)
    }

    /// The true objects of one, by code, with their number.
    pub fn objects_of_orbit(&mut self, orbit: &PeriodicOrbit) -> Vec<(String, u64)> {
        self.objects(orbit, true)
    }

    /// The canonical code of one, whole.
    #[must_use]
    pub fn code_of_orbit(&self, orbit: &PeriodicOrbit) -> String {
        orbit.canonical(self.stepper.rule(), &self.isometries).code
    }

    /// `recluster` says whether what is too large for a code may be cut by its envelope.
    fn objects(&mut self, orbit: &PeriodicOrbit, recluster: bool) -> Vec<(String, u64)> {
        let canonical = orbit.canonical(self.stepper.rule(), &self.isometries);
        if let Some(known) = self.splits.get(&canonical.code) {
            return known.clone();
        }
        if canonical.code.starts_with("ov_") {
            let parts = match recluster {
                true => self.envelope_clusters(orbit),
                false => Vec::new(),
            };
            return match parts.len() {
                0 | 1 => vec![(canonical.code, 1)],
                _ => self.count(parts, false, &canonical.code),
            };
        }
        // The code's own phase, so that one code is always cut in one way.
        let limits = OrbitLimits::default();
        let cells = &canonical.cells;
        let parts = match PeriodicOrbit::find(&mut self.stepper, cells, 0, &limits) {
            Ok(orbit) => split_object(&mut self.stepper, &orbit),
            Err(_) => Vec::new(),
        };
        let objects = match parts.len() {
            0 | 1 => vec![(canonical.code.clone(), 1)],
            _ => self.count(parts, recluster, &canonical.code),
        };
        if self.splits.len() >= MAX_REMEMBERED {
            self.splits.clear();
        }
        self.splits.insert(canonical.code, objects.clone());
        objects
    }

    /// The objects of all parts; the whole's code where one of them is not periodic.
    fn count(&mut self, parts: Vec<StateBox>, recluster: bool, whole: &str) -> Vec<(String, u64)> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for part in parts {
            let limits = OrbitLimits::default();
            let Ok(orbit) = PeriodicOrbit::find(&mut self.stepper, &part, 0, &limits) else {
                return vec![(whole.into(), 1)];
            };
            for (code, count) in self.objects(&orbit, recluster) {
                *counts.entry(code).or_default() += count;
            }
        }
        counts.into_iter().collect()
    }

    /// The clusters of an object's envelope over some periods, each with its live cells.
    fn envelope_clusters(&self, orbit: &PeriodicOrbit) -> Vec<StateBox> {
        let mut envelope: HashSet<Point> = HashSet::new();
        for round in 0..ENVELOPE_PERIODS as i64 {
            for phase in &orbit.phases {
                let moved = phase
                    .cells()
                    .map(|(p, _)| p.offset(round * orbit.dx, round * orbit.dy));
                envelope.extend(moved);
            }
            if !orbit.is_moving() {
                break;
            }
        }
        let zone = cluster_zone(self.stepper.rule());
        let first = &orbit.phases[0];
        let mut parts = Vec::new();
        for (start, _) in first.cells() {
            if !envelope.remove(&start) {
                continue;
            }
            let found = take_cluster(start, &zone, &mut envelope);
            let live = found.iter().map(|&p| (p, first.get(p)));
            parts.push(StateBox::from_cells(live));
        }
        parts
    }
}

/// The cells of the box around all, live or not.
fn spanned_area(live: &[(Point, State)]) -> u64 {
    let side = |low: Option<i64>, high: Option<i64>| match (low, high) {
        (Some(low), Some(high)) => high.abs_diff(low) + 1,
        _ => 0,
    };
    let (x, y) = (
        || live.iter().map(|(p, _)| p.x),
        || live.iter().map(|(p, _)| p.y),
    );
    side(x().min(), x().max()).saturating_mul(side(y().min(), y().max()))
}

//! Symmetry classes of objects: Catagolue's sixteen (LifeWiki, "Symmetry"), and pairs of them for
//! symmetry in space and in time (Extrementhusiast, "Names of Time Symmetries", ConwayLife forums,
//! 2015).

use crate::{LatticeIsometry, PeriodicOrbit, StateBox};
use std::fmt;

/// A symmetry class of figures on squares: the group, and what lies at its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymmetryClass {
    name: &'static str,
    /// Its group in searches, with one of two axes where there are two.
    search: &'static str,
}

/// Each class with the group's name in searches by SAT solvers (LLS).
const CLASSES: [SymmetryClass; 16] = [
    class("C1", "C1"),
    class("C2_1", "C2"),
    class("C2_2", "C2"),
    class("C2_4", "C2"),
    class("C4_1", "C4"),
    class("C4_4", "C4"),
    class("D2_+1", "D2|"),
    class("D2_+2", "D2|"),
    class("D2_x", "D2\\"),
    class("D4_+1", "D4+"),
    class("D4_+2", "D4+"),
    class("D4_+4", "D4+"),
    class("D4_x1", "D4X"),
    class("D4_x4", "D4X"),
    class("D8_1", "D8"),
    class("D8_4", "D8"),
];

const fn class(name: &'static str, search: &'static str) -> SymmetryClass {
    SymmetryClass { name, search }
}

impl SymmetryClass {
    /// All sixteen.
    pub const ALL: [Self; 16] = CLASSES;

    /// The class of a figure's box that has exactly the symmetries `group`, of those of the
    /// square.
    fn of_group(group: &[LatticeIsometry], width: usize, height: usize) -> Self {
        let [
            _,
            half_turn,
            flip_x,
            flip_y,
            diagonal,
            antidiagonal,
            quarter_turn,
            _,
        ] = LatticeIsometry::SQUARE.map(|map| group.contains(&map));
        let (odd_width, odd_height) = (width % 2 == 1, height % 2 == 1);
        let centre = match (odd_width, odd_height) {
            (true, true) => 0,
            (false, false) => 2,
            _ => 1,
        };
        // Of squares: a cell or a corner of cells at the centre.
        let square = usize::from(!odd_width);
        let at = if quarter_turn && flip_x {
            14 + square
        } else if quarter_turn {
            4 + square
        } else if flip_x && flip_y {
            9 + centre
        } else if diagonal && antidiagonal {
            12 + square
        } else if half_turn {
            1 + centre
        } else if flip_x {
            6 + usize::from(!odd_width)
        } else if flip_y {
            6 + usize::from(!odd_height)
        } else if diagonal || antidiagonal {
            8
        } else {
            0
        };
        CLASSES[at]
    }

    /// The class of the cells as they are.
    ///
    /// ```
    /// use census::{SymmetryClass, decode};
    ///
    /// let class = |code| decode(code).map(|cells| SymmetryClass::of(&cells).to_string());
    /// assert_eq!(class("xs6_696"), Some("D4_+2".into())); // a beehive
    /// assert_eq!(class("xs7_178c"), Some("C1".into())); // an eater
    /// ```
    #[must_use]
    pub fn of(cells: &StateBox) -> Self {
        let group = group_of(cells, &LatticeIsometry::SQUARE, |image| {
            image.is_congruent(cells)
        });
        Self::of_group(&group, cells.width(), cells.height())
    }

    /// Its name: `C1`, `D4_+2`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The name of the cells' group in a search, with the direction of its axis: `D4+`, `D2/`.
    ///
    /// ```
    /// use census::{SymmetryClass, decode};
    ///
    /// let name = |code| decode(code).map(|cells| SymmetryClass::search_name(&cells));
    /// assert_eq!(name("xs7_178c"), Some("C1")); // an eater
    /// assert_eq!(name("xs7_2596"), Some("D2/")); // a loaf
    /// assert_eq!(name("xs6_696"), Some("D4+")); // a beehive
    /// ```
    #[must_use]
    pub fn search_name(cells: &StateBox) -> &'static str {
        let [_, _, flip_x, _, diagonal, ..] =
            LatticeIsometry::SQUARE.map(|map| map.image(cells).is_congruent(cells));
        match Self::of(cells).search {
            "D2|" if !flip_x => "D2-",
            "D2\\" if !diagonal => "D2/",
            name => name,
        }
    }
}

impl fmt::Display for SymmetryClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The maps of `maps` whose image of the cells `fits`.
pub(super) fn group_of(
    cells: &StateBox,
    maps: &[LatticeIsometry],
    fits: impl Fn(&StateBox) -> bool,
) -> Vec<LatticeIsometry> {
    maps.iter()
        .copied()
        .filter(|map| fits(&map.image(cells)))
        .collect()
}

/// The symmetry of an object that stays: of one phase, and of all in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KineticSymmetry {
    /// The class of each phase.
    pub fixed: SymmetryClass,
    /// The class of the maps that take one phase to some phase; the same class where time adds
    /// nothing.
    pub kinetic: SymmetryClass,
}

impl KineticSymmetry {
    /// Of an object that does not move.
    ///
    /// ```
    /// use census::{BoxStepper, KineticSymmetry, OrbitLimits, PeriodicOrbit, decode};
    ///
    /// let mut stepper = BoxStepper::new(&"B3/S23".parse()?);
    /// let blinker = decode("xp2_7").ok_or("no cells")?;
    /// let orbit = PeriodicOrbit::find(&mut stepper, &blinker, 0, &OrbitLimits::default());
    /// let symmetry = KineticSymmetry::of(&orbit.map_err(|_| "not periodic")?);
    /// assert_eq!(symmetry.to_string(), "D4_+1/D8_1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(orbit: &PeriodicOrbit) -> Self {
        let first = &orbit.phases[0];
        let is_phase = |image: &StateBox| orbit.phases.iter().any(|p| p.is_congruent(image));
        let group = group_of(first, &LatticeIsometry::SQUARE, is_phase);
        let images: Vec<StateBox> = group.iter().map(|map| map.image(first)).collect();
        let isometric = orbit
            .phases
            .iter()
            .filter(|phase| images.iter().any(|i| i.is_congruent(phase)));
        // The centre of all is that of the box around the phases that are images of the first.
        let (mut left, mut top, mut right, mut bottom) = (i64::MAX, i64::MAX, i64::MIN, i64::MIN);
        for phase in isometric {
            (left, top) = (left.min(phase.x), top.min(phase.y));
            right = right.max(phase.x + phase.width() as i64);
            bottom = bottom.max(phase.y + phase.height() as i64);
        }
        Self {
            fixed: SymmetryClass::of(first),
            kinetic: SymmetryClass::of_group(
                &group,
                (right - left) as usize,
                (bottom - top) as usize,
            ),
        }
    }

    /// The pairs of two different classes that there are: 27.
    ///
    /// ```
    /// assert_eq!(census::KineticSymmetry::proper_pairs().len(), 27);
    /// ```
    #[must_use]
    pub fn proper_pairs() -> Vec<Self> {
        let find = |name: &str| CLASSES.iter().copied().find(|class| class.name == name);
        let table = [
            ("C1", "C2_1 C2_2 C2_4 C4_1 C4_4 D2_+1 D2_+2 D2_x"),
            ("C2_1", "C4_1 D4_+1 D4_x1"),
            ("C2_2", "D4_+2"),
            ("C2_4", "C4_4 D4_+4 D4_x4"),
            ("C4_1", "D8_1"),
            ("C4_4", "D8_4"),
            ("D2_+1", "D4_+1 D4_+2"),
            ("D2_+2", "D4_+2 D4_+4"),
            ("D2_x", "D4_x1 D4_x4"),
            ("D4_+1", "D8_1"),
            ("D4_+4", "D8_4"),
            ("D4_x1", "D8_1"),
            ("D4_x4", "D8_4"),
        ];
        let pairs = table
            .into_iter()
            .flat_map(|(fixed, classes)| classes.split(' ').map(move |kinetic| (fixed, kinetic)));
        let pair = |(fixed, kinetic)| {
            Some(Self {
                fixed: find(fixed)?,
                kinetic: find(kinetic)?,
            })
        };
        pairs.filter_map(pair).collect()
    }
}

impl fmt::Display for KineticSymmetry {
    /// `D4_+1/D8_1`, or one class where time adds nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fixed == self.kinetic {
            true => write!(f, "{}", self.fixed),
            false => write!(f, "{}/{}", self.fixed, self.kinetic),
        }
    }
}

//! What lives in a world: soups of random cells are run until they settle, what is left is cut
//! into objects, and each object gets the name that the field counts it by.
//!
//! A census is cut into units of soups. A unit is a pure function of its description
//! ([`CensusSettings`], first soup, number of soups): so units run anywhere, in any order, and
//! what they report can be merged. (A running census as an object with state lost: it could not
//! be stopped, cut or checked.) The crate starts no threads and opens no files.
#![forbid(unsafe_code)]

pub mod apgcode;
pub mod classifier;
pub mod given_soups;
pub mod growth;
pub mod haul;
mod identification_card;
pub mod identify;
pub mod isometry;
pub mod library_match;
pub mod name;
mod object_kind;
mod point_set;
pub mod probe;
pub mod separate;
pub mod settle;
pub mod soup;
pub mod state_box;
pub mod stepper;
pub mod unit;

pub use apgcode::{AperiodicCause, CanonicalObject, OrbitLimits, PeriodicOrbit, decode};
pub use classifier::{ClusterEffort, ClusterObjects, ObjectClassifier};
pub use given_soups::{GivenSoups, GivenSoupsError};
pub use growth::{GrowthClass, GrowthTester, LinearGrowth};
pub use haul::{Haul, HaulError};
pub use identification_card::{IdentificationCard, LIBRARY_ROW};
pub use identify::{
    FlightMap, Identification, IdentifyOptions, KineticSymmetry, ObjectCount, PatternKind,
    PatternPart, PeriodMap, PopulationRange, SymmetryClass, direction_text, identify, speed_text,
};
pub use isometry::{LatticeIsometry, rule_isometries, rule_repeats};
pub use library_match::find_in_library;
pub use name::{ObjectName, object_name, object_names, search_names};
pub use object_kind::{ObjectClass, ObjectKind};
pub use separate::{cluster_zone, split_object};
pub use soup::{HashSoupSymmetry, HashSoupSymmetryError, SoupName, SoupNameError};
pub use state_box::StateBox;
pub use stepper::BoxStepper;
pub use unit::{
    CensusError, CensusSettings, CensusUnitRunner, LongLivedSoup, OddSoup, PlacedObject,
    SettlingMethod, SoupExplanation, UnitReport,
};

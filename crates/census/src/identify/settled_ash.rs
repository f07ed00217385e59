//! What is told of a pattern that has settled.

use super::ash::{self, AshTally, named_counts};
use super::ash_world::AshWorld;
use super::figures::common_multiple;
use super::{Identification, METHUSELAH, PatternKind, RuleContext};
use crate::{OrbitLimits, PeriodicOrbit, StateBox};

/// What is known of a pattern that has settled.
pub(super) fn with_lifespan(lifespan: u64, tally: &AshTally) -> Identification {
    Identification {
        kind: match lifespan {
            METHUSELAH.. => PatternKind::Methuselah,
            _ => PatternKind::Settling,
        },
        lifespan: Some(lifespan),
        census: named_counts(&tally.objects),
        ..Identification::default()
    }
}

/// Of objects that all stay, which have been what they are from the start: their common period.
pub(super) fn set_common_period(
    found: &mut Identification,
    context: &mut RuleContext,
    world: &mut AshWorld<'_>,
) {
    let limits = OrbitLimits::default();
    let mut period = Some(1);
    for cluster in world.clusters(&context.rule, ash::ENVELOPE, &mut || true) {
        let cells = StateBox::from_cells(cluster.into_iter());
        let Ok(orbit) = PeriodicOrbit::find(&mut context.stepper, &cells, 0, &limits) else {
            return;
        };
        if orbit.is_moving() {
            return;
        }
        period = period.and_then(|period| common_multiple(period, orbit.period()));
    }
    found.kind = PatternKind::Oscillator;
    found.period = period;
    found.lifespan = None;
    found.strict = Some(false);
    found.pseudo_parts = std::mem::take(&mut found.census);
}

//! Playing what a pattern's scripts say: the camera's way, labels, and the generations at which a
//! running world stops, begins again or changes its pace.
//!
//! Own method: a running world is stepped up to the next such generation exactly, whatever its
//! step size.

use crate::session::Session;
use crate::session::playback::USUAL_SPEED;
use crate::viewer::Viewer;
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive as _, One as _};
use std::sync::Arc;

impl Session {
    /// Moves a viewer who goes the way of the script to where that is in this generation.
    pub(crate) fn go_on_tour(&self, viewer: &mut Viewer) {
        if !viewer.is_touring {
            return;
        }
        let Some((place, zoom)) = self.presentation.camera(self.world.generation()) else {
            return;
        };
        if let Some(zoom) = zoom {
            viewer.viewport.zoom = zoom;
        }
        let (middle_x, middle_y) = &self.presentation_middle;
        let cell =
            |middle: &BigInt, to: f64| middle + BigInt::from_f64(to.floor()).unwrap_or_default();
        let (x, y) = (cell(middle_x, place.0), cell(middle_y, place.1));
        viewer.viewport = viewer.viewport.centred_on(&x, &y);
    }

    /// No more generations than lead to the next one that the script names.
    pub(super) fn up_to_mark(&self, generations: BigUint) -> BigUint {
        let now = self.world.generation();
        let mark = self.presentation.next_mark(now);
        let left = mark.and_then(|mark| (mark - now).to_biguint());
        left.map_or(generations.clone(), |left| left.min(generations))
    }

    /// Whether the script names the present generation.
    pub(super) fn is_at_mark(&self) -> bool {
        self.presentation.is_mark(self.world.generation())
    }

    /// Does what the script says of generations after this one up to the present.
    pub(super) fn reach_mark(&mut self, before: &BigInt) {
        let now = self.world.generation().clone();
        let is_reached = |mark: &BigInt| before < mark && *mark <= now;
        for waypoint in &self.presentation.waypoints {
            if is_reached(&waypoint.generation) {
                self.playback.speed = waypoint.speed.unwrap_or(self.playback.speed);
                if let Some(stride) = &waypoint.stride {
                    self.playback.stride.clone_from(stride);
                }
            }
        }
        if self.presentation.stop.as_ref().is_some_and(is_reached) {
            self.playback.halt();
            self.message = Some(format!("stopped at generation {now}, as its script says"));
        } else if self.presentation.repeat.as_ref().is_some_and(is_reached) {
            self.begin_again();
        }
    }

    /// Goes on running from the first generation.
    fn begin_again(&mut self) {
        let selection = self.selection;
        let start = self.start();
        let checkpoint = self.timeline.before(&start).map(Arc::clone);
        let is_back =
            checkpoint.is_some_and(|checkpoint| self.restore("loop", &checkpoint).is_ok());
        if !is_back {
            return self.playback.halt();
        }
        self.selection = selection;
        let is_paced = self.presentation.waypoints.iter();
        if is_paced.clone().any(|it| it.speed.is_some()) {
            self.playback.speed = self.pattern_settings.speed.unwrap_or(USUAL_SPEED);
        }
        if is_paced.clone().any(|it| it.stride.is_some()) {
            let stride = self.pattern_settings.stride.clone();
            self.playback.stride = stride.unwrap_or_else(BigUint::one);
        }
    }
}

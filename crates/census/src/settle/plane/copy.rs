//! A plane's cells, to come back to: the rows of the tiles that hold some. Own method.

use super::SoupPlane;
use super::escape::Escape;
use crate::settle::tile::TileRows;

/// The cells of a plane of two states, and the gliders that were taken out.
#[derive(Clone, Debug)]
pub(crate) struct PlaneCopy {
    generation: u64,
    places: Vec<(i32, i32)>,
    rows: Vec<TileRows>,
    escapes: Vec<Escape>,
}

impl PlaneCopy {
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }
}

impl SoupPlane {
    pub(crate) fn copy(&self) -> PlaneCopy {
        let is_live = |rows: &TileRows| rows.0.iter().fold(0, |all, row| all | row) != 0;
        let tiles = self.places.iter().zip(&self.rows);
        let live = || tiles.clone().filter(|(_, rows)| is_live(rows));
        PlaneCopy {
            generation: self.generation,
            places: live().map(|(place, _)| (place.x, place.y)).collect(),
            rows: live().map(|(_, rows)| *rows).collect(),
            escapes: self.escapes.clone(),
        }
    }

    /// Goes back to a copy. Gliders that had been taken out are so again if `with_escapes` says it,
    /// else they are missing.
    pub(crate) fn restore(&mut self, copy: &PlaneCopy, with_escapes: bool) {
        self.clear();
        self.generation = copy.generation;
        for (&(x, y), rows) in copy.places.iter().zip(&copy.rows) {
            let tile = self.tile_at(x, y);
            self.rows[tile as usize] = *rows;
        }
        self.touch_all();
        if with_escapes {
            self.escapes.clone_from(&copy.escapes);
            self.is_escape_doubtful = copy.escapes.iter().any(Escape::is_doubtful);
            for tile in 1..self.places.len() as u32 {
                self.watch_if_ahead(tile);
            }
        }
    }
}

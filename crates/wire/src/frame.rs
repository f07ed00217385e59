//! Frames as bytes: a line of JSON that says what they show, and then planes as they are.
//!
//! ```text
//! 4 bytes   n, the length of the header, the lowest byte first
//! n bytes   the header, JSON; blanks behind it, so that what follows begins at a multiple of 8
//! the rest  kind "bits":    h rows of ceil(w/8) bytes, the first cell the highest bit
//!           kind "bytes":   w*h states
//!           kind "density": width*height levels, 0 where nothing lives
//!           and, if "marks", w*h bytes more
//! ```
//!
//! `x y w h` are the cells of the first two kinds. `board` is the grid that the world is
//! bounded by, with null for a side that has no end; it is left out where there is none.
//! `rulers` has the coordinates along the upper and the left edge where they are shown: pairs of
//! a pixel and a label. `compared` says of another world that is laid over this one what it is, and
//! how many cells (or pixels, of a density, which has marks then too) are live in both, in this one
//! alone and in that one alone; `together` is whether the two step together, or null where that one may
//! not be changed; it is null where that one was not seen in this view yet. `lattice` is `hexagonal` or `triangular`, and is left out where cells are squares.

use crate::compared_world::WorldComparison;
use num_bigint::{BigInt, BigUint};
use render::{Content, Frame, RulerMark, SheetRulers, States};
use rule::{Lattice, Topology};
use serde_json::{Value, json};

/// Header fields that do not come from the frame itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameHeaderFields<'a> {
    /// The last command of the tab that the frame shows.
    pub(crate) id: u64,
    pub(crate) generation: &'a BigInt,
    /// Where it is known without counting; the status has it always.
    pub(crate) population: Option<&'a BigUint>,
    pub(crate) revision: u64,
    /// The rulers along the view's edges, where they are shown.
    pub(crate) rulers: Option<&'a SheetRulers>,
    /// The other world that is laid over this one; its marks take the place of the frame's.
    pub(crate) comparison: Option<&'a WorldComparison<'a>>,
    /// There is another world, even if it was not seen in this view yet.
    pub(crate) is_comparing: bool,
}

/// Encodes a frame; see the module for the format.
pub(crate) fn encode(frame: &Frame, fields: &FrameHeaderFields<'_>) -> Vec<u8> {
    let view = &frame.viewport;
    let mut header = json!({
        "id": fields.id,
        "left": view.left.to_string(),
        "top": view.top.to_string(),
        "zoom": view.zoom.to_string(),
        "width": view.width,
        "height": view.height,
        "marks": false,
        "generation": fields.generation.to_string(),
        "population": fields.population.map(BigUint::to_string),
        "revision": fields.revision,
    });
    match view.lattice {
        Lattice::Square => {}
        Lattice::Hexagonal => header["lattice"] = "hexagonal".into(),
        Lattice::Triangular => header["lattice"] = "triangular".into(),
    }
    if let Some(board) = board(&frame.topology) {
        header["board"] = board;
    }
    if let Some(rulers) = fields.rulers {
        header["rulers"] = json!({
            "columns": marks(&rulers.columns),
            "rows": marks(&rulers.rows),
        });
    }
    if fields.is_comparing {
        header["compared"] = Value::Null;
    }
    let compared = fields.comparison.map(|other| {
        header["compared"] = json!({
            "id": other.id,
            "title": other.title,
            "generation": other.generation.to_string(),
            "both": other.cells.both,
            "here": other.cells.first,
            "there": other.cells.second,
            "cells": other.cells.is_of_cells,
            "together": other.is_together,
        });
        header["marks"] = true.into();
        &other.cells.marks
    });
    let none = Vec::new();
    let (plane, marks) = match &frame.content {
        Content::Cells {
            rect,
            states,
            marks,
        } => {
            header["x"] = rect.x.to_string().into();
            header["y"] = rect.y.to_string().into();
            header["w"] = rect.width.into();
            header["h"] = rect.height.into();
            header["marks"] = (compared.is_some() || marks.is_some()).into();
            let (kind, plane) = match states {
                States::Bits(bits) => ("bits", bits),
                States::Bytes(bytes) => ("bytes", bytes),
            };
            header["kind"] = kind.into();
            (plane, compared.or(marks.as_ref()).unwrap_or(&none))
        }
        Content::Density { levels } => {
            header["kind"] = "density".into();
            (levels, compared.unwrap_or(&none))
        }
    };
    let mut header = header.to_string();
    let end = (4 + header.len()).next_multiple_of(8);
    header.extend(std::iter::repeat_n(' ', end - 4 - header.len()));
    let mut bytes = Vec::with_capacity(4 + header.len() + plane.len() + marks.len());
    // A header has a few hundred bytes, and the digits of numbers that fit into memory.
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(plane);
    bytes.extend_from_slice(marks);
    bytes
}

/// The marks of a ruler: pixel and label.
fn marks(marks: &[RulerMark]) -> Value {
    marks
        .iter()
        .map(|mark| json!([mark.pixel, mark.label]))
        .collect()
}

/// Where the paper ends.
fn board(topology: &Topology) -> Option<Value> {
    let (width, height) = topology.size();
    let first = |side: u64| (side > 0).then(|| (-((side / 2) as i64)).to_string());
    let length = |side: u64| (side > 0).then(|| side.to_string());
    (width > 0 || height > 0).then(|| {
        json!({
            "x": first(width),
            "y": first(height),
            "width": length(width),
            "height": length(height),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{EngineChoice, Options};
    use render::Viewport;
    use rule::Rule;

    /// The header, and what follows.
    fn decoded(bytes: &[u8]) -> (Value, &[u8]) {
        let (length, rest) = bytes.split_at(4);
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let (header, planes) = rest.split_at(length);
        assert_eq!((4 + length) % 8, 0, "words of the planes are aligned");
        (serde_json::from_slice(header).unwrap(), planes)
    }

    fn shown(rule: &str, cells: &str, viewport: &Viewport) -> Vec<u8> {
        let rule: Rule = rule.parse().unwrap();
        let pattern = pattern::read(cells.as_bytes()).unwrap().0;
        let opened = engine::open(
            EngineChoice::Auto,
            &rule,
            &pattern,
            None,
            &Options::default(),
        );
        let world = opened.unwrap().world;
        let fields = FrameHeaderFields {
            id: 17,
            generation: world.generation(),
            population: Some(&world.population()),
            revision: 3,
            rulers: Some(&viewport.rulers((7, 14))),
            comparison: None,
            is_comparing: false,
        };
        encode(&Frame::of(world.as_ref(), viewport), &fields)
    }

    #[test]
    fn cells_of_two_states_are_bits() {
        let viewport = Viewport::new(160, 80);
        let bytes = shown("B3/S23", "x = 3, y = 3\nbo$2bo$3o!", &viewport);
        let (header, planes) = decoded(&bytes);
        assert_eq!(header["kind"], "bits");
        assert_eq!(
            (&header["id"], &header["population"]),
            (&17.into(), &"5".into())
        );
        assert_eq!(
            (&header["width"], &header["height"]),
            (&160.into(), &80.into())
        );
        assert!(header.get("board").is_none());
        let side = |name: &str| header[name].as_u64().unwrap() as usize;
        let corner = |name: &str| header[name].as_str().unwrap().parse::<i64>().unwrap();
        let (w, h) = (side("w"), side("h"));
        assert_eq!(planes.len(), w.div_ceil(8) * h);
        let mut live = Vec::new();
        for row in 0..h {
            for column in 0..w {
                if planes[row * w.div_ceil(8) + column / 8] >> (7 - column % 8) & 1 == 1 {
                    live.push((corner("x") + column as i64, corner("y") + row as i64));
                }
            }
        }
        assert_eq!(live, [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)]);
    }

    #[test]
    fn more_states_are_bytes_and_boards_are_told() {
        let viewport = Viewport::new(160, 80);
        let bytes = shown("/2/3:T9,0", "x = 2, y = 1, rule = /2/3\nAB!", &viewport);
        let (header, planes) = decoded(&bytes);
        assert_eq!(header["kind"], "bytes");
        let cells = header["w"].as_u64().unwrap() * header["h"].as_u64().unwrap();
        assert_eq!(planes.len() as u64, cells);
        assert_eq!(planes.iter().filter(|&&state| state > 0).count(), 2);
        assert_eq!(
            header["board"],
            json!({ "x": "-4", "y": null, "width": "9", "height": null })
        );
    }

    #[test]
    fn from_far_off_there_are_levels() {
        let viewport = Viewport {
            zoom: "1:4".parse().unwrap(),
            ..Viewport::new(160, 80)
        };
        let bytes = shown("B3/S23", "x = 3, y = 3\nbo$2bo$3o!", &viewport);
        let (header, planes) = decoded(&bytes);
        assert_eq!(
            (&header["kind"], &header["zoom"]),
            (&"density".into(), &"1:4".into())
        );
        assert_eq!(planes.len(), 160 * 80);
        let columns = header["rulers"]["columns"].as_array().unwrap();
        assert!(columns.contains(&json!([76, "0"])), "{columns:?}");
    }
}

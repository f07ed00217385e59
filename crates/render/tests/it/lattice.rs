//! Hexagons and triangles in pictures.

use crate::world;
use engine::EngineChoice;
use grid::Rect;
use render::{Frame, Palette, Picture, PictureStyle, Theme, Viewport, Zoom};
use rule::Lattice;

const HEXAGONS: &str = "B2/S34H";
const TRIANGLES: &str = "B456/S34L";

/// These cells, painted without lines.
fn painted(rule: &str, zoom: Zoom, cells: &[(i64, i64, u8)]) -> (Picture, String) {
    let world = world(EngineChoice::Auto, rule, cells);
    let lattice = world.rule().lattice();
    let view = Viewport {
        zoom,
        lattice,
        ..Viewport::new(48, 44)
    };
    let view = view.centred_on(&0.into(), &0.into());
    let frame = Frame::of(world.as_ref(), &view);
    let style = PictureStyle {
        grid: false,
        gap: false,
        ..PictureStyle::default()
    };
    let palette = Palette::of(world.rule(), &Theme::PAPER);
    let svg = render::svg(&frame, &palette, &style);
    (frame.paint(&palette, &style), svg)
}

/// How many pixels of each row have ink, rows without any left out.
fn ink(picture: &Picture) -> Vec<usize> {
    let rows = picture.pixels.chunks(picture.width as usize);
    let of_row = rows.map(|row| row.iter().filter(|&&p| p == Theme::PAPER.ink).count());
    of_row.filter(|&count| count > 0).collect()
}

#[test]
fn a_hexagon_is_a_hexagon() {
    let (picture, svg) = painted(HEXAGONS, Zoom::In(12), &[(0, 0, 1)]);
    let rows = [4, 8, 12, 12, 12, 12, 12, 12, 12, 12, 8, 4];
    assert_eq!(ink(&picture).iter().sum::<usize>(), 12 * 10, "its area");
    assert!(ink(&picture).len() >= rows.len(), "{:?}", ink(&picture));
    assert!(svg.contains("M24 ") && svg.contains('L'), "{svg}");
}

#[test]
fn a_triangle_is_a_triangle() {
    for (cell, is_up) in [((0, 0, 1), false), ((1, 0, 1), true)] {
        let (picture, svg) = painted(TRIANGLES, Zoom::In(10), &[cell]);
        let rows = ink(&picture);
        assert!((16..=17).contains(&rows.len()), "{rows:?}");
        assert_eq!(rows.is_sorted(), is_up, "{rows:?}");
        assert!(rows.iter().any(|&count| count >= 19), "{rows:?}");
        assert_eq!(svg.matches("<path").count(), 1, "{svg}");
    }
}

#[test]
fn far_out_what_lies_on_a_diagonal_of_hexagons_stands_upright() {
    // Half a step to the right for each row: straight down, as hexagons are drawn.
    let cells: Vec<_> = (-64..64).map(|y: i64| (y.div_euclid(2), y, 1)).collect();
    for zoom in [Zoom::In(1), Zoom::In(3), Zoom::Out(1), Zoom::Out(2)] {
        let (picture, _) = painted(HEXAGONS, zoom, &cells);
        let sheet = Theme::PAPER.sheet;
        let columns: Vec<usize> = (0..48)
            .filter(|&x| (0..44).any(|y| picture.pixel(x, y) != sheet))
            .map(|x| x as usize)
            .collect();
        let wide = columns.last().unwrap() - columns[0];
        assert!(wide <= 5, "{zoom}: {columns:?}");
    }
}

#[test]
fn triangles_keep_their_height_far_out() {
    let cells: Vec<_> = (-16..16)
        .flat_map(|y| (-16..16).map(move |x| (x, y, 1)))
        .collect();
    for (zoom, wide, high) in [
        (Zoom::In(1), 32, 44),
        (Zoom::Out(1), 16, 32),
        (Zoom::Out(2), 8, 16),
    ] {
        let (picture, _) = painted(TRIANGLES, zoom, &cells);
        let sheet = Theme::PAPER.sheet;
        let rows = (0..44).filter(|&y| (0..48).any(|x| picture.pixel(x, y) != sheet));
        let columns = (0..48).filter(|&x| (0..44).any(|y| picture.pixel(x, y) != sheet));
        let (rows, columns) = (rows.count() as i64, columns.count() as i64);
        assert!((rows - high).abs() <= 1, "{zoom}: {rows} rows");
        assert!((columns - wide).abs() <= 1, "{zoom}: {columns} columns");
    }
}

#[test]
fn what_fits_is_all_seen_and_its_cells_are_found_again() {
    for lattice in [Lattice::Square, Lattice::Hexagonal, Lattice::Triangular] {
        for rect in [
            Rect::new(0, 0, 3, 3),
            Rect::new(-7, 5, 40, 90),
            Rect::new(3, 3, 5000, 900),
        ] {
            let view = Viewport::fitting_on(lattice, &rect.into(), 640, 480);
            let pixels = view.pixel_bounds(&rect.into());
            assert!(
                pixels.left >= 0.into() && pixels.top >= 0.into(),
                "{view:?}"
            );
            assert!(
                pixels.right <= 640.into() && pixels.bottom <= 480.into(),
                "{view:?}"
            );
            if let (Some(cells), Some(seen)) = (view.pixel_cells(), view.cells()) {
                for (px, py) in [(0, 0), (639, 0), (0, 479), (639, 479), (320, 240)] {
                    let cell = cells.at(px, py);
                    assert!(seen.contains(cell), "{lattice:?} {px} {py}");
                    assert_eq!(view.cell_at(px, py), (cell.x.into(), cell.y.into()));
                }
            }
            let (x, y) = view.centre();
            let near = view.zoomed(Zoom::In(20), 320, 240);
            let (nx, ny) = near.centre();
            if let Zoom::In(_) = view.zoom {
                let off = |a: num_bigint::BigInt, b: num_bigint::BigInt| a - b;
                for far in [off(nx, x), off(ny, y)] {
                    assert!(far <= 1.into() && far >= (-1).into(), "{lattice:?} {far}");
                }
            }
        }
    }
}

#[test]
fn outside_a_grid_of_hexagons_there_is_no_paper() {
    let world = world(EngineChoice::Auto, "B2/S34H:P4,4", &[(0, 0, 1)]);
    let view = Viewport::new(120, 120).with_lattice(Lattice::Hexagonal);
    let frame = Frame::of(world.as_ref(), &view);
    let palette = Palette::of(world.rule(), &Theme::PAPER);
    let picture = frame.paint(&palette, &PictureStyle::default());
    let cells = view.pixel_cells().unwrap();
    for (px, py) in (0..120).flat_map(|py| (0..120).map(move |px| (px, py))) {
        let is_outside = picture.pixel(px, py) == Theme::PAPER.surround;
        let cell = cells.at(px.into(), py.into());
        assert_eq!(is_outside, !Rect::new(-2, -2, 4, 4).contains(cell));
    }
}

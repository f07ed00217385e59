//! Where cells are on the screen.

use num_bigint::BigInt;
use pattern::Bounds;
use render::{Viewport, Zoom};

fn places() -> Vec<BigInt> {
    let far = BigInt::from(10).pow(30);
    let near = [-1000, -65, -64, -63, -8, -1, 0, 1, 7, 63, 64, 65, 12_345];
    let near = near.into_iter().map(BigInt::from);
    near.chain([far.clone(), -far]).collect()
}

/// The cells under a pixel: the first one, and how many each way.
fn under(view: &Viewport, px: i64, py: i64) -> (BigInt, BigInt, BigInt) {
    let (x, y) = view.cell_at(px, py);
    let side = match view.zoom {
        Zoom::In(_) => BigInt::from(1),
        Zoom::Out(power) => BigInt::from(1) << power,
    };
    (x, y, side)
}

/// Whether all cells under the one are under the other.
fn lies_in(small: &(BigInt, BigInt, BigInt), large: &(BigInt, BigInt, BigInt)) -> bool {
    let along = |a: &BigInt, b: &BigInt| a >= b && a + &small.2 <= b + &large.2;
    along(&small.0, &large.0) && along(&small.1, &large.1)
}

#[test]
fn a_zoom_keeps_what_is_under_the_pointer_all_the_way_and_back() {
    let pointers = [(0, 0), (319, 7), (639, 479), (-20, 900), (123, 234)];
    for (i, x) in places().into_iter().enumerate() {
        for (px, py) in pointers {
            let y = &x * 3 + i;
            let mut view = Viewport::new(640, 480).centred_on(&x, &y);
            while view.zoom != Zoom::In(64) {
                view = view.zoomed(view.zoom.closer(), px, py);
            }
            let start = under(&view, px, py);
            for _ in 0..17 + 60 {
                let was = under(&view, px, py);
                view = view.zoomed(view.zoom.farther(), px, py);
                let now = under(&view, px, py);
                assert!(lies_in(&was, &now), "out to {}: {was:?} {now:?}", view.zoom);
                assert!(lies_in(&start, &now), "from the start to {}", view.zoom);
            }
            assert_eq!(view.zoom, Zoom::Out(60));
            for _ in 0..60 + 17 {
                let was = under(&view, px, py);
                view = view.zoomed(view.zoom.closer(), px, py);
                let now = under(&view, px, py);
                assert!(lies_in(&now, &was), "in to {}: {was:?} {now:?}", view.zoom);
            }
            // from where pixels are whole cells, the way back leads to the very cell
            let near = view.zoomed(Zoom::In(1), px, py);
            assert_eq!(under(&near, px, py), under(&view, px, py));
        }
    }
}

#[test]
fn between_whole_pixels_a_cell_any_zoom_keeps_the_cell() {
    for x in places() {
        for from in 1..=64 {
            let view = Viewport {
                left: &x * 5,
                top: &x * 7,
                zoom: Zoom::In(from),
                width: 100,
                height: 80,
                lattice: rule::Lattice::Square,
            };
            for to in 1..=64 {
                let zoomed = view.zoomed(Zoom::In(to), 33, 44);
                assert_eq!(
                    zoomed.cell_at(33, 44),
                    view.cell_at(33, 44),
                    "{from} to {to}"
                );
            }
        }
    }
}

#[test]
fn pixels_and_cells_agree() {
    let zooms = [1, 2, 3, 8, 20, 64].map(Zoom::In);
    let outs = [1, 2, 5, 62, 63, 64, 65, 100].map(Zoom::Out);
    for zoom in zooms.into_iter().chain(outs) {
        for place in places() {
            let view = Viewport {
                left: place.clone(),
                top: &place - 17,
                zoom,
                width: 64,
                height: 48,
                lattice: rule::Lattice::Square,
            };
            for (px, py) in [(0, 0), (1, 1), (63, 47), (-5, 70)] {
                let (x, y) = view.cell_at(px, py);
                let (left, top) = view.pixel_of(&x, &y);
                let wide = match zoom {
                    Zoom::In(pixels) => i64::from(pixels),
                    Zoom::Out(_) => 1,
                };
                let covers = |start: BigInt, p: i64| {
                    (0..wide).contains(&(i64::try_from(p - start).unwrap()))
                };
                assert!(covers(left, px) && covers(top, py), "{zoom} at {place}");
            }
            // the pixels of a far view are those of the engine
            if let Zoom::Out(scale) = zoom {
                let far = view.density_view();
                let (x, y) = view.cell_at(0, 0);
                assert_eq!(far, engine::View::over(&x, &y, 64, 48, scale));
            }
        }
    }
}

#[test]
fn a_cell_in_the_middle_is_in_the_middle() {
    for place in places() {
        for zoom in [
            Zoom::In(1),
            Zoom::In(7),
            Zoom::In(20),
            Zoom::Out(1),
            Zoom::Out(70),
        ] {
            for (width, height) in [(1, 1), (64, 48), (641, 3)] {
                let blank = Viewport {
                    zoom,
                    ..Viewport::new(width, height)
                };
                let view = blank.centred_on(&place, &-&place);
                let (x, y, side) = under(&view, i64::from(width / 2), i64::from(height / 2));
                assert_eq!(view.centre(), (x.clone(), y.clone()));
                assert!(lies_in(&(place.clone(), -&place, 1.into()), &(x, y, side)));
                let other = view.resized(width + 33, height * 3);
                assert_eq!(other.centre(), view.centre());
                assert_eq!(other.resized(width, height), view);
                assert_eq!(view.panned(5, -9).panned(-5, 9), view);
                let (here, moved) = (view.cell_at(10, 10), view.panned(4, 3));
                assert_eq!(moved.cell_at(6, 7), here);
            }
        }
    }
}

#[test]
fn bounds_fit_whole_and_in_the_middle() {
    let sides: Vec<BigInt> = [1, 2, 3, 17, 30, 31, 32, 61, 300, 628, 640, 641, 5000]
        .into_iter()
        .map(BigInt::from)
        .chain([20, 30, 120].map(|power| BigInt::from(10).pow(power)))
        .collect();
    for width in &sides {
        for height in &sides {
            for place in places() {
                let bounds = Bounds {
                    x: place.clone(),
                    y: &place * 2,
                    width: width.to_biguint().unwrap(),
                    height: height.to_biguint().unwrap(),
                };
                let view = Viewport::fitting(&bounds, 640, 480);
                let first = view.pixel_of(&bounds.x, &bounds.y);
                let last = view.pixel_of(&(&bounds.x + width - 1), &(&bounds.y + height - 1));
                let wide = match view.zoom {
                    Zoom::In(pixels) => pixels,
                    Zoom::Out(_) => 1,
                };
                for (first, last, room) in [(first.0, last.0, 640), (first.1, last.1, 480)] {
                    let after = room - (&last + wide);
                    let said = format!("{bounds:?} {view:?}");
                    assert!(first >= 1.into() && after >= 1.into(), "{said}");
                    let off: BigInt = first - after;
                    assert!(*off.magnitude() <= 1_u32.into(), "{said}");
                }
                // one step closer it would not fit, or would be larger than anybody needs
                let closer = view.zoom.closer();
                if view.zoom != Zoom::In(20) {
                    let pixels = match closer {
                        Zoom::In(pixels) => (width * pixels, height * pixels),
                        Zoom::Out(power) => (width >> power, height >> power),
                    };
                    assert!(
                        pixels.0 > 590.into() || pixels.1 > 430.into(),
                        "{bounds:?} {view:?}"
                    );
                }
            }
        }
    }
    // too small for margins
    let bounds = grid::Rect::new(-5, -5, 9, 9).into();
    for (width, height) in [(1, 1), (2, 2), (3, 9), (0, 0)] {
        let view = Viewport::fitting(&bounds, width, height);
        assert_eq!((view.width, view.height), (width, height));
    }
}

#[test]
fn cells_are_those_seen_also_partly() {
    let view = Viewport {
        left: (-7).into(),
        top: 8.into(),
        zoom: Zoom::In(4),
        width: 10,
        height: 8,
        lattice: rule::Lattice::Square,
    };
    assert_eq!(view.cells(), Some(grid::Rect::new(-2, 2, 3, 2)));
    let far = Viewport {
        left: BigInt::from(10).pow(20),
        ..view.clone()
    };
    assert_eq!(far.cells(), None);
    let out = Viewport {
        zoom: Zoom::Out(1),
        ..view
    };
    assert_eq!(out.cells(), None);
}

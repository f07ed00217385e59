//! The content of frames, compared with single-cell queries.

use crate::{GLIDER, point, soup, world};
use engine::{EngineChoice, World};
use grid::Point;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use render::{Content, DYING, Frame, States, Viewport, Zoom, density_level};

fn viewport(left: i64, top: i64, zoom: Zoom, width: u32, height: u32) -> Viewport {
    Viewport {
        left: left.into(),
        top: top.into(),
        zoom,
        width,
        height,
        lattice: rule::Lattice::Square,
    }
}

/// Every engine that takes the rule, with the cells in it.
fn worlds(rule: &str, cells: &[(i64, i64, u8)]) -> Vec<Box<dyn World>> {
    let bounded = rule.contains(':');
    let kinds = [
        EngineChoice::Naive,
        EngineChoice::Tiles,
        if bounded {
            EngineChoice::Torus
        } else {
            EngineChoice::Hashlife
        },
    ];
    kinds.map(|kind| world(kind, rule, cells)).into()
}

#[test]
fn every_cell_is_the_one_that_is_there() {
    for rule in ["B3/S23", "345/2/4", "B3/S23:T130,129", "Immigration:P65,64"] {
        let states = rule.parse::<rule::Rule>().unwrap().states();
        for (x, y) in [(-70, -66), (-1, -1), (60, 61)] {
            let soup = soup(7, x, y, 70, states);
            for world in worlds(rule, &soup) {
                for zoom in [1, 2, 3, 5, 8, 64] {
                    for corner in [-65, -64, -63, -1, 0, 1, 63, 64, 65] {
                        let start = corner * i64::from(zoom) - 3;
                        let view = viewport(start, start + 1, Zoom::In(zoom), 133, 65);
                        same_cells(world.as_ref(), &view);
                    }
                }
            }
        }
    }
}

fn same_cells(world: &dyn World, view: &Viewport) {
    let frame = Frame::of(world, view);
    let Content::Cells {
        rect,
        states,
        marks,
    } = &frame.content
    else {
        panic!("cells are near enough to be seen: {view:?}");
    };
    assert_eq!(Some(*rect), view.cells());
    assert!(marks.is_none());
    let is_two_state = world.rule().states() == 2;
    assert_eq!(matches!(states, States::Bits(_)), is_two_state);
    for y in rect.y..rect.bottom() {
        for x in rect.x..rect.right() {
            let there = world.get(Point::new(x, y));
            assert_eq!(
                frame.state(x, y),
                there,
                "{x}, {y} of {} in {view:?}",
                world.engine()
            );
        }
    }
    assert_eq!(frame.state(rect.x - 1, rect.y), 0);
    assert_eq!(frame.state(rect.right(), rect.y), 0);
    // every corner pixel belongs to a cell that the frame has
    for (px, py) in [(0, 0), (view.width - 1, 0), (0, view.height - 1)] {
        let (x, y) = view.cell_at(px.into(), py.into());
        let seen = Point::new(x.to_i64().unwrap(), y.to_i64().unwrap());
        assert!(rect.contains(seen));
    }
}

#[test]
fn densities_count_what_lives() {
    for rule in ["B3/S23", "345/2/4", "B3/S23:T130,129"] {
        let states = rule.parse::<rule::Rule>().unwrap().states();
        let mut soup = soup(11, -64, -65, 129, states);
        let topology = *rule.parse::<rule::Rule>().unwrap().topology();
        soup.retain(|cell| topology.contains(point(cell)));
        for world in worlds(rule, &soup) {
            for power in [1, 2, 3, 4, 6, 7, 9] {
                for (left, top) in [(-40, -33), (-1, -1), (0, 0), (3, -9)] {
                    let view = viewport(left, top, Zoom::Out(power), 65, 33);
                    let frame = Frame::of(world.as_ref(), &view);
                    let Content::Density { levels } = &frame.content else {
                        panic!("far off there are no cells to be seen");
                    };
                    let mut counts = vec![0; 65 * 33];
                    for (x, y, _) in &soup {
                        // the row of pixels 0 begins at the row of cells 1
                        let (px, py) = ((x >> power) - left, ((y - 1) >> power) - top);
                        if (0..65).contains(&px) && (0..33).contains(&py) {
                            counts[(py * 65 + px) as usize] += 1;
                        }
                    }
                    for (i, (&seen, &count)) in levels.iter().zip(&counts).enumerate() {
                        let exact = density_level(f64::from(count), power);
                        assert!(
                            seen.abs_diff(exact) <= 1 && (seen == 0) == (count == 0),
                            "pixel {i} of {} at 1:2^{power}: {seen}, not {exact}",
                            world.engine()
                        );
                    }
                }
            }
        }
    }
}

/// A glider that flew 10^30 cells: no coordinate of it fits a machine word.
#[test]
fn far_out_everything_is_seen_as_at_home() {
    let mut world = world(EngineChoice::Hashlife, "B3/S23", &GLIDER);
    let cells = BigInt::from(10).pow(30);
    let generations = cells.to_biguint().unwrap() * 4_u32;
    world.advance(&generations, &mut |_| true).unwrap();
    for zoom in [1, 2, 5, 20] {
        let view = Viewport {
            zoom: Zoom::In(zoom),
            ..Viewport::new(101, 63)
        };
        let view = view.centred_on(&(&cells + 1), &(&cells + 1)).panned(1, -3);
        assert_eq!(view.cells(), None);
        let frame = Frame::of(world.as_ref(), &view);
        let Content::Density { levels } = &frame.content else {
            panic!("coordinates that do not fit are not given");
        };
        for py in 0..63_i64 {
            for px in 0..101_i64 {
                let (x, y) = view.cell_at(px, py);
                let (x, y) = ((x - &cells).to_i64(), (y - &cells).to_i64());
                let lives = GLIDER.iter().any(|c| (Some(c.0), Some(c.1)) == (x, y));
                let seen = levels[(py * 101 + px) as usize];
                assert_eq!(seen, if lives { 255 } else { 0 }, "{px}, {py} at {zoom}");
            }
        }
    }
    // from home, it is one dark spot among 2^100 cells a pixel
    let far = Viewport {
        zoom: Zoom::Out(100),
        ..Viewport::new(64, 64)
    };
    let far = far.centred_on(&0.into(), &0.into());
    let Content::Density { levels } = Frame::of(world.as_ref(), &far).content else {
        panic!("far off there are no cells to be seen");
    };
    let seen: Vec<usize> = (0..64 * 64).filter(|&i| levels[i] > 0).collect();
    let (px, py) = far.pixel_of(&cells, &cells);
    let place: BigInt = py * 64 + px;
    assert_eq!(seen, [place.to_usize().unwrap()]);
    // and the whole of it fits
    let fitted = Viewport::fitting(&world.bounds().unwrap(), 640, 480);
    let frame = Frame::of(world.as_ref(), &fitted);
    let live = frame.dots().iter().filter(|&&dot| dot).count();
    assert_eq!(live, 5 * 20 * 20);
}

#[test]
fn the_dying_are_marked() {
    let world = world(EngineChoice::Tiles, "B3/S23", &GLIDER);
    let view = Viewport::new(200, 160);
    let mut frame = Frame::of(world.as_ref(), &view);
    frame.mark_dying(world.as_ref());
    let Content::Cells {
        rect,
        marks: Some(marks),
        ..
    } = &frame.content
    else {
        panic!("cells with marks were asked for");
    };
    let marked = (0..marks.len()).filter(|&i| marks[i] == DYING);
    let place = |i: usize| {
        let (row, column) = (i as i64 / rect.width as i64, i as i64 % rect.width as i64);
        (rect.x + column, rect.y + row, 1)
    };
    let marked: Vec<_> = marked.map(place).collect();
    // in the next generation the glider has (0, 1), (2, 1), (1, 2), (2, 2), (1, 3)
    assert_eq!(marked, [(1, 0, 1), (0, 2, 1)]);
    assert!(marks.iter().all(|&mark| mark == 0 || mark == DYING));
    assert!(marked.iter().all(|cell| world.get(point(cell)) == 1));
}

/// Marks are made a row at a time where they can be; the cells are those told one by one.
#[test]
fn marks_are_what_is_told_cell_by_cell() {
    for rule in [
        "B3/S23",
        "345/2/4:T65,63",
        "B3/S23:K64*,33",
        "B013/S2",
        "BBM:T64,64",
        "R5,C2,M1,S34..58,B34..45,NM:P90,80",
    ] {
        let parsed: rule::Rule = rule.parse().unwrap();
        let mut cells = soup(13, -33, -40, 66, parsed.states());
        cells.retain(|cell| parsed.topology().contains(point(cell)));
        let world = world(EngineChoice::Tiles, rule, &cells);
        for (left, top) in [(-50, -45), (-10, 3), (400, 0)] {
            let view = viewport(left, top, Zoom::In(1), 77, 70);
            let mut frame = Frame::of(world.as_ref(), &view);
            frame.mark_dying(world.as_ref());
            let Content::Cells {
                rect,
                marks: Some(marks),
                ..
            } = &frame.content
            else {
                panic!("cells with marks were asked for");
            };
            let mut told = vec![0; marks.len()];
            render::for_each_dying(world.as_ref(), *rect, &mut |p| {
                told[((p.y - rect.y) * 77 + p.x - rect.x) as usize] = DYING;
            });
            assert_eq!(*marks, told, "{rule} from {left}, {top}");
            assert_eq!(told.contains(&DYING), left < 400, "{rule}");
        }
    }
}

//! Pixels, SVG and characters, compared with the cells.

use crate::{GLIDER, soup, world};
use engine::{EngineChoice, World};
use grid::Point;
use num_traits::ToPrimitive;
use render::{Frame, Palette, Picture, PictureStyle, Rgb, Theme, Viewport, Zoom, svg, text};

const PAPER: Theme = Theme::PAPER;

fn view(zoom: Zoom, width: u32, height: u32) -> Viewport {
    let view = Viewport {
        zoom,
        ..Viewport::new(width, height)
    };
    view.centred_on(&0.into(), &0.into())
}

fn palette(world: &dyn World) -> Palette {
    Palette::of(world.rule(), &PAPER)
}

/// The colour of a pixel, as slowly as it can be said.
fn expected(world: &dyn World, view: &Viewport, style: PictureStyle, px: u32, py: u32) -> Rgb {
    let Zoom::In(zoom) = view.zoom else {
        panic!("only near by")
    };
    let zoom = i64::from(zoom);
    let (x, y) = (
        view.left.to_i64().unwrap() + i64::from(px),
        view.top.to_i64().unwrap() + i64::from(py),
    );
    let cell = Point::new(x.div_euclid(zoom), y.div_euclid(zoom));
    let (on_x, on_y) = (x.rem_euclid(zoom) == 0, y.rem_euclid(zoom) == 0);
    let topology = world.rule().topology();
    let seen = |p: Point| topology.contains(p);
    let ruled = zoom >= 4;
    // the line that closes a grid belongs to it
    let on_paper = seen(cell)
        || ruled
            && [(on_x, (-1, 0)), (on_y, (0, -1)), (on_x && on_y, (-1, -1))]
                .iter()
                .any(|(on, (dx, dy))| *on && seen(cell.offset(*dx, *dy)));
    if !on_paper {
        return PAPER.surround;
    }
    let state = world.get(cell);
    let on_line = ruled && (on_x || on_y);
    if state != 0 && !(style.gap && on_line) {
        return palette(world).states[usize::from(state)];
    }
    if style.grid && on_line {
        let major = i64::from(style.major);
        let strong = |on: bool, c: i64| on && major > 0 && c.rem_euclid(major) == 0;
        return if strong(on_x, cell.x) || strong(on_y, cell.y) {
            PAPER.rule_bold
        } else {
            PAPER.rule
        };
    }
    PAPER.sheet
}

fn styles() -> Vec<PictureStyle> {
    let mut styles = Vec::new();
    for grid in [false, true] {
        for gap in [false, true] {
            for major in [0, 1, 5, 10] {
                styles.push(PictureStyle { grid, major, gap });
            }
        }
    }
    styles
}

fn cases() -> Vec<(Box<dyn World>, Viewport)> {
    let mut cases = Vec::new();
    for rule in [
        "B3/S23",
        "345/2/4",
        "B3/S23:T17,12",
        "Immigration:P0,9",
        "B3/S23:S8",
    ] {
        let parsed: rule::Rule = rule.parse().unwrap();
        let cells = soup(9, -9, -7, 17, parsed.states());
        let cells: Vec<_> = cells
            .into_iter()
            .filter(|c| parsed.topology().contains(Point::new(c.0, c.1)))
            .collect();
        for zoom in [1, 3, 4, 8, 11] {
            for (dx, dy) in [(0, 0), (-13, 5), (41, 38)] {
                let view = view(Zoom::In(zoom), 90, 70).panned(dx, dy);
                cases.push((world(EngineChoice::Tiles, rule, &cells), view));
            }
        }
    }
    cases
}

#[test]
fn every_pixel_is_paper_line_or_cell() {
    for (world, view) in cases() {
        let frame = Frame::of(world.as_ref(), &view);
        for style in styles() {
            let picture = frame.paint(&palette(world.as_ref()), &style);
            for py in 0..view.height {
                for px in 0..view.width {
                    let expected = expected(world.as_ref(), &view, style, px, py);
                    let rule = world.rule();
                    assert_eq!(
                        picture.pixel(px, py),
                        expected,
                        "{px}, {py} of {rule} {view:?} {style:?}"
                    );
                }
            }
        }
    }
}

/// Paints the rectangles of an SVG: as much of it as is written here.
fn rasterised(text: &str, width: u32, height: u32) -> Picture {
    let mut picture = Picture::filled(width, height, Rgb::default());
    let mut fill = |x: i64, y: i64, w: i64, h: i64, colour: Rgb| {
        for y in y.max(0)..(y + h).min(height.into()) {
            for x in x.max(0)..(x + w).min(width.into()) {
                picture.pixels[(y * i64::from(width) + x) as usize] = colour;
            }
        }
    };
    for line in text.lines().skip(1).filter(|line| *line != "</svg>") {
        let attribute = |name: &str| {
            let start = line.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            line[start..].split('"').next().unwrap()
        };
        let number = |name| attribute(name).parse::<i64>().unwrap();
        let colour: Rgb = attribute("fill").parse().unwrap();
        if line.starts_with("<rect") {
            fill(
                number("x"),
                number("y"),
                number("width"),
                number("height"),
                colour,
            );
            continue;
        }
        for part in attribute("d").split('M').skip(1) {
            // x y h width v height h -width z
            let numbers = part.replace(['h', 'v', 'z'], " ");
            let numbers: Vec<i64> = numbers
                .split_whitespace()
                .map(|n| n.parse().unwrap())
                .collect();
            assert_eq!(numbers[4], -numbers[2], "the way back: {part}");
            fill(numbers[0], numbers[1], numbers[2], numbers[3], colour);
        }
    }
    picture
}

#[test]
fn svg_is_the_painted_picture() {
    for (world, view) in cases() {
        let mut frame = Frame::of(world.as_ref(), &view);
        frame.mark_dying(world.as_ref());
        let palette = palette(world.as_ref());
        for style in styles() {
            let text = svg(&frame, &palette, &style);
            let drawn = rasterised(&text, view.width, view.height);
            assert!(
                drawn == frame.paint(&palette, &style),
                "{view:?} {style:?}\n{text}"
            );
        }
    }
    let world = world(EngineChoice::Tiles, "B3/S23", &soup(2, -40, -30, 77, 2));
    for power in [1, 3] {
        let view = view(Zoom::Out(power), 60, 50);
        let frame = Frame::of(world.as_ref(), &view);
        let palette = palette(world.as_ref());
        let text = svg(&frame, &palette, &PictureStyle::default());
        assert!(rasterised(&text, 60, 50) == frame.paint(&palette, &PictureStyle::default()));
    }
}

#[test]
fn marks_have_their_colours() {
    let world = world(EngineChoice::Tiles, "B3/S23", &GLIDER);
    let mut frame = Frame::of(world.as_ref(), &view(Zoom::In(1), 11, 9));
    frame.mark_dying(world.as_ref());
    let render::Content::Cells {
        rect,
        marks: Some(marks),
        ..
    } = &mut frame.content
    else {
        panic!("marks were asked for");
    };
    let mut mark = |x: i64, y: i64, mark: u8| {
        marks[((y - rect.y) * rect.width as i64 + x - rect.x) as usize] = mark;
    };
    mark(-1, 0, 63);
    mark(-2, 0, 1);
    mark(2, 1, 64);
    let palette = palette(world.as_ref());
    let picture = frame.paint(&palette, &PictureStyle::default());
    let at = |x: i64, y: i64| picture.pixel((x + 5) as u32, (y + 4) as u32);
    assert_eq!(at(1, 0), PAPER.dying);
    assert_eq!(at(2, 2), PAPER.ink);
    assert_eq!(at(-1, 0), palette.history[63]);
    assert_eq!(at(-2, 0), palette.history[1]);
    assert_eq!(at(2, 1), palette.ages[0]);
    assert_eq!(at(0, 0), PAPER.sheet);
}

#[test]
fn characters_are_what_is_drawn() {
    let glider = world(EngineChoice::Tiles, "B3/S23", &GLIDER);
    let frame = Frame::of(glider.as_ref(), &view(Zoom::In(1), 6, 5).panned(2, 2));
    let palette = palette(glider.as_ref());
    assert_eq!(
        text::letters(&frame),
        [".O....", "..O...", "OOO...", "......", "......"].map(|line| {
            // the view begins one column to the left of the glider
            format!(".{}", &line[..5])
        })
    );
    assert_eq!(
        text::half_blocks(&frame, &palette, false),
        ["  ▀▄  ", " ▀▀▀  ", "      "]
    );
    assert_eq!(text::braille(&frame), ["⠠⠵⠀", "⠀⠀⠀"]);
    let coloured = text::half_blocks(&frame, &palette, true);
    assert_eq!(coloured.len(), 3);
    let (ink, sheet) = ("38;2;29;36;51", "48;2;251;248;239");
    assert!(
        coloured[0].contains(ink) && coloured[0].contains(sheet),
        "{:?}",
        coloured[0]
    );
    assert!(coloured.iter().all(|line| line.ends_with("\x1b[0m")));
    assert_eq!(coloured[0].matches('▀').count(), 6);

    // twice as large, the same again
    let large = Frame::of(glider.as_ref(), &view(Zoom::In(2), 12, 10).panned(3, 4));
    let lines = text::letters(&large);
    for (y, line) in text::letters(&frame).iter().enumerate() {
        let doubled: String = line.chars().flat_map(|c| [c, c]).collect();
        assert_eq!(lines[2 * y], doubled);
        assert_eq!(lines[2 * y + 1], doubled);
    }

    let cells = [(0, 0, 1), (1, 0, 24), (2, 0, 25), (0, 1, 199)];
    let many = world(EngineChoice::Tiles, "R2,C200,M1,S6..11,B6..9,NM", &cells);
    let frame = Frame::of(many.as_ref(), &view(Zoom::In(1), 4, 2).panned(1, 1));
    assert_eq!(text::letters(&frame), [" . A XpA", " .wG . ."]);

    // braille against dots, one by one
    let soup = world(EngineChoice::Tiles, "B3/S23", &soup(4, -20, -20, 41, 2));
    for zoom in [Zoom::In(1), Zoom::In(3), Zoom::Out(2)] {
        let frame = Frame::of(soup.as_ref(), &view(zoom, 33, 27));
        let dots = frame.dots();
        let lines = text::braille(&frame);
        assert_eq!((lines.len(), lines[0].chars().count()), (7, 17));
        let order = [[0, 3], [1, 4], [2, 5], [6, 7]];
        for y in 0..27 {
            let line: Vec<char> = lines[y / 4].chars().collect();
            for x in 0..33 {
                let bit = line[x / 2] as u32 >> order[y % 4][x % 2] & 1;
                assert_eq!(bit == 1, dots[y * 33 + x], "{x}, {y} at {zoom}");
            }
        }
        let blocks = text::half_blocks(&frame, &palette, false);
        let live = |c: char| match c {
            ' ' => 0,
            '█' => 2,
            _ => 1,
        };
        let count: usize = blocks.iter().flat_map(|line| line.chars().map(live)).sum();
        assert_eq!(count, dots.iter().filter(|&&dot| dot).count());
    }
}

use super::*;

const LEVEL: &str = r"9 7
    W W W W W W W SvW
    L>. . B/. . B\. S<
    W . . . . . . . W
    W . W T<. . B\. W
    L>. M\M/. . . T>S<
    W . . . . . . . .
    W L^L^W . W . . S^";

fn board(text: &str) -> (Board, Light) {
    let board: Board = text.parse().unwrap();
    let light = Light::of(&board);
    (board, light)
}

#[test]
fn every_size_shows_pieces_and_light() {
    let (board, light) = board(LEVEL);
    for (size, expected) in [
        (LaserTileSize::Small, SMALL),
        (LaserTileSize::Medium, MEDIUM),
        (LaserTileSize::Large, LARGE),
    ] {
        let drawing = LaserDrawing::of(&board, &light, size);
        let text = drawing.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, expected, "{size:?} is\n{text}");
        let (columns, rows) = size.extent(9, 7);
        assert!(drawing.rows().all(|row| row.len() == columns));
        assert_eq!(drawing.rows().len(), rows);
    }
}

#[test]
fn halves_make_lines() {
    // a half to the north is a half to the south of the line turned upside down, and so on
    let turned = |bits: usize| (bits << 1 | bits >> 3) & 15;
    for (bits, sign) in [(1, '╵'), (5, '│'), (3, '└'), (7, '├'), (15, '┼')] {
        let mut all = vec![(bits, sign)];
        for turns in ["╵╶╷╴", "│─│─", "└┌┐┘", "├┬┤┴", "┼┼┼┼"]
        {
            if !turns.starts_with(sign) {
                continue;
            }
            let mut bits = bits;
            for sign in turns.chars() {
                all.push((bits, sign));
                bits = turned(bits);
            }
        }
        assert!(
            all.iter().all(|&(bits, sign)| LINES[bits] == sign),
            "{all:?}"
        );
    }
}

#[test]
fn walls_grow_together_and_leave_corners_open() {
    let (board, light) = board("2 2\nW W\nW .");
    let drawing = LaserDrawing::of(&board, &light, LaserTileSize::Large);
    assert_eq!(
        drawing.text(),
        "▒▒▒▒▒▒▒▒▒\n▒▒▒▒▒▒▒▒▒\n▒▒▒▒\n▒▒▒▒  ·\n▒▒▒▒\n"
    );
}

#[test]
fn a_part_is_the_whole_through_a_window() {
    let (board, light) = board(LEVEL);
    for size in LaserTileSize::ALL {
        let whole = LaserDrawing::of(&board, &light, size);
        let part = LaserDrawing::of_part(&board, &light, size, Rect::new(2, 1, 5, 30));
        let corner = Point::new(2, 1);
        let ((x, y), (dx, dy)) = (whole.corner(corner).unwrap(), part.corner(corner).unwrap());
        for (row, of_whole) in part.rows().zip(whole.rows().skip(y - dy)) {
            // at the edges half of what stands there belongs to tiles that are not drawn
            let inner = dx..row.len() - dx;
            let width = inner.len();
            assert_eq!(
                row[inner][..width - 1],
                of_whole[x..x + width - 1],
                "{size:?}"
            );
        }
    }
}

#[test]
fn places_and_characters_find_each_other() {
    let (board, light) = board(LEVEL);
    for size in LaserTileSize::ALL {
        for drawing in [
            LaserDrawing::of(&board, &light, size),
            LaserDrawing::of(&board, &light, size).with_rulers(),
        ] {
            for cell in 0..board.cells() {
                let place = board.place(cell);
                let (x, y) = drawing.corner(place).unwrap();
                assert_eq!(drawing.tile_at(x, y), Some(place));
                assert_eq!(drawing.tile_at(x + 1, y), Some(place));
                let tile = board.tile(cell);
                if let Some(sign) = tile.text().chars().nth(1) {
                    let row = drawing.rows().nth(y).unwrap();
                    assert_eq!(row[x + 1].sign, sign, "{size:?} {place:?}");
                }
            }
            assert_eq!(drawing.corner(Point::new(9, 0)), None);
        }
    }
}

#[test]
fn marks_and_rulers_are_seen() {
    let (board, light) = board("4 2\nL>. . M/\nW W . . ");
    let mut drawing = LaserDrawing::of(&board, &light, LaserTileSize::Medium);
    drawing.mark(Point::new(3, 0), LaserTileMark::Selected);
    drawing.mark(Point::new(2, 1), LaserTileMark::Cursor);
    drawing.mark(Point::new(9, 1), LaserTileMark::Cursor);
    assert_eq!(
        drawing.with_rulers().text(),
        "    0   1   2   3\n0  L>─────────(M/ )\n1 ▒▒▒▒▒▒▒▒[ · ] ·\n"
    );
    let mut drawing = LaserDrawing::of(&board, &light, LaserTileSize::Small);
    drawing.mark(Point::new(3, 0), LaserTileMark::Selected);
    let row = drawing.rows().next().unwrap();
    let marked = row.iter().map(|glyph| glyph.mark.is_some());
    assert_eq!(marked.filter(|&is| is).count(), 2);
    // a number that would touch the next one is left out
    let wide = Board::new(12, 1).unwrap();
    let drawing = LaserDrawing::of(&wide, &Light::of(&wide), LaserTileSize::Small);
    let text = drawing.with_rulers().text();
    assert!(text.starts_with("   0         5        10\n"), "{text}");
}

#[test]
fn colours_add_nothing_but_colour() {
    let (board, light) = board(LEVEL);
    let drawing = LaserDrawing::of(&board, &light, LaserTileSize::Large);
    for theme in Theme::ALL {
        let mut text = String::new();
        let coloured = drawing.ansi(&theme, |Rgb { r, g, b }| format!("2;{r};{g};{b}"));
        for part in coloured.split('\x1b') {
            let plain = match part.strip_prefix('[') {
                Some(sequence) => sequence.split_once('m').unwrap().1,
                None => part,
            };
            text.push_str(plain);
        }
        let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
        assert_eq!(lines.collect::<String>(), drawing.text());
        for role in [
            GlyphRole::Light,
            GlyphRole::DarkSensor,
            GlyphRole::Mirror,
            GlyphRole::Ruler,
        ] {
            assert!(role.colour(&theme).contrast(theme.sheet) >= 4.5, "{role:?}");
        }
    }
}

#[test]
fn the_largest_that_fits_is_taken() {
    for (tiles, available, size) in [
        ((10, 10), (80, 21), Some(LaserTileSize::Large)),
        ((10, 11), (80, 21), Some(LaserTileSize::Medium)),
        ((20, 10), (80, 21), Some(LaserTileSize::Small)),
        ((40, 21), (80, 21), Some(LaserTileSize::Small)),
        ((41, 21), (80, 21), None),
        ((40, 22), (80, 21), None),
    ] {
        assert_eq!(LaserTileSize::fitting(tiles, available), size, "{tiles:?}");
    }
}

const SMALL: &[&str] = &[
    r"▒▒▒▒▒▒▒▒▒▒▒▒▒▒Sv▒▒",
    r"L>─┼──B/────B\──*<",
    r"▒▒ │ · · · · │ ·▒▒",
    r"▒▒ │▒▒T< · ·B\──▒▒",
    r"L>─┼M\M/ · · │T>S<",
    r"▒▒ │ │ · · · │ · ·",
    r"▒▒L^L^▒▒ ·▒▒ │ ·S^",
];
const MEDIUM: &[&str] = &[
    r"▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ Sv  ▒▒▒▒",
    r" L>───┼──────B/──────────B\──────*<",
    r"▒▒▒▒  │   ·   ·   ·   ·   │   ·  ▒▒▒▒",
    r"▒▒▒▒  │  ▒▒▒ T<   ·   ·  B\──────▒▒▒▒",
    r" L>───┼──M\  M/   ·   ·   │  T>  S<",
    r"▒▒▒▒  │   │   ·   ·   ·   │   ·   ·",
    r"▒▒▒▒ L^  L^  ▒▒▒  ·  ▒▒▒  │   ·  S^",
];
const LARGE: &[&str] = &[
    r"▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     ▒▒▒▒",
    r"▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ Sv  ▒▒▒▒",
    r"      │       │",
    r" L>───┼──────B/──────────B\──────*<",
    r"      │                   │",
    r"▒▒▒▒  │   ·   ·   ·   ·   │   ·  ▒▒▒▒",
    r"▒▒▒▒  │                   │      ▒▒▒▒",
    r"▒▒▒▒  │  ▒▒▒ T<   ·   ·  B\──────▒▒▒▒",
    r"      │                   │",
    r" L>───┼──M\  M/   ·   ·   │  T>  S<",
    r"      │   │               │",
    r"▒▒▒▒  │   │   ·   ·   ·   │   ·   ·",
    r"▒▒▒▒  │   │               │",
    r"▒▒▒▒ L^  L^  ▒▒▒  ·  ▒▒▒  │   ·  S^",
    r"▒▒▒▒         ▒▒▒     ▒▒▒  │",
];

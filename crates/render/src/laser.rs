//! Drawings of a laser board in characters.
//!
//! A board is drawn as rows of [`Glyph`]s, each a character and its role; the command line
//! writes them, plain or in colour, and the terminal's laser screen shows them, so both draw
//! the same. Colour carries no information of its own: pieces keep the two characters of a
//! level file, a lit sensor has a star for its letter, and light is drawn with box characters,
//! each half of which is one half-beam of the tile.
//!
//! ```text
//! ▒▒▒▒*v▒▒▒▒     ▒▒▒▒▒▒▒▒ *v  ▒▒▒▒▒▒▒▒     a wall, a lit sensor, two walls;
//! L>──M/ ·▒▒      L>──────M/   ·  ▒▒▒▒     a laser, its beam, a mirror
//! ```
//!
//! There are three sizes, because a screen has few rows: the largest that fits shows the most,
//! and the smallest has the geometry of the files. (A single size with one character for each
//! piece was rejected: a mirror and a splitter would have looked the same, or needed characters
//! that fonts lack.)

use crate::{Rgb, Theme};
use ::laser::{Board, Direction, Light, Piece, Tile};
use grid::{Point, Rect};
use std::fmt::Write as _;

/// The size of a tile in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaserTileSize {
    /// Two columns and one row, as in a level's file.
    Small,
    /// Four columns and one row, and a column more at the end.
    Medium,
    /// Four columns and two rows, and one of each more at the end.
    Large,
}

impl LaserTileSize {
    /// All of them, the largest first.
    pub const ALL: [Self; 3] = [Self::Large, Self::Medium, Self::Small];

    /// Columns and rows from one tile to the next.
    ///
    /// ```
    /// use render::laser::LaserTileSize;
    ///
    /// assert_eq!(LaserTileSize::Large.pitch(), (4, 2));
    /// ```
    #[must_use]
    pub const fn pitch(self) -> (usize, usize) {
        match self {
            Self::Small => (2, 1),
            Self::Medium => (4, 1),
            Self::Large => (4, 2),
        }
    }

    /// Columns and rows before the first tile, and as many behind the last: what stands
    /// between two tiles belongs to both.
    ///
    /// ```
    /// use render::laser::LaserTileSize;
    ///
    /// assert_eq!(LaserTileSize::Medium.margin(), (1, 0));
    /// ```
    #[must_use]
    pub const fn margin(self) -> (usize, usize) {
        match self {
            Self::Small => (0, 0),
            Self::Medium => (1, 0),
            Self::Large => (1, 1),
        }
    }

    /// Columns and rows of a drawing of `width` x `height` tiles.
    ///
    /// ```
    /// use render::laser::LaserTileSize;
    ///
    /// assert_eq!(LaserTileSize::Large.extent(10, 5), (10 * 4 + 1, 5 * 2 + 1));
    /// ```
    #[must_use]
    pub const fn extent(self, width: usize, height: usize) -> (usize, usize) {
        let (across, down) = self.pitch();
        // what stands before the first tile is part of the pitch
        (
            width * across + self.margin().0,
            height * down + self.margin().1,
        )
    }

    /// The largest size at which this many tiles fit into this many columns and rows.
    ///
    /// ```
    /// use render::laser::LaserTileSize;
    ///
    /// assert_eq!(LaserTileSize::fitting((25, 20), (80, 24)), Some(LaserTileSize::Small));
    /// assert_eq!(LaserTileSize::fitting((100, 20), (80, 24)), None);
    /// ```
    #[must_use]
    pub fn fitting(tiles: (usize, usize), available: (usize, usize)) -> Option<Self> {
        Self::ALL.into_iter().find(|size| {
            let (columns, rows) = size.extent(tiles.0, tiles.1);
            columns <= available.0 && rows <= available.1
        })
    }
}

/// A character of a drawing, and what it is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// One column wide.
    pub sign: char,
    /// Its role.
    pub role: GlyphRole,
    /// The user's mark at the tile.
    pub mark: Option<LaserTileMark>,
}

/// The role of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GlyphRole {
    /// Nothing: the board's ground.
    Ground,
    /// A dot where a tile is empty.
    Empty,
    /// A wall.
    Wall,
    /// Light.
    Light,
    /// A laser.
    Laser,
    /// A sensor without light.
    DarkSensor,
    /// A sensor with light.
    LitSensor,
    /// A mirror.
    Mirror,
    /// A splitter.
    Splitter,
    /// A T-mirror.
    TMirror,
    /// A number at the edge.
    Ruler,
}

/// A mark of the user interface at a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaserTileMark {
    /// The next key is for this tile.
    Cursor,
    /// This piece is in hand.
    Selected,
    /// A hint would move this piece.
    HintFrom,
    /// A hint would move it here.
    HintTo,
}

impl LaserTileMark {
    /// The signs around a tile that has it, where there is room for them.
    ///
    /// ```
    /// use render::laser::LaserTileMark;
    ///
    /// assert_eq!(LaserTileMark::Selected.brackets(), ('(', ')'));
    /// ```
    #[must_use]
    pub const fn brackets(self) -> (char, char) {
        match self {
            Self::Cursor => ('[', ']'),
            Self::Selected => ('(', ')'),
            Self::HintFrom | Self::HintTo => ('{', '}'),
        }
    }

    /// Its colour in a theme.
    ///
    /// ```
    /// use render::Theme;
    /// use render::laser::LaserTileMark;
    ///
    /// assert_eq!(LaserTileMark::HintTo.colour(&Theme::PAPER), Theme::PAPER.accent);
    /// ```
    #[must_use]
    pub const fn colour(self, theme: &Theme) -> Rgb {
        match self {
            Self::Cursor | Self::Selected => theme.selection,
            Self::HintFrom | Self::HintTo => theme.accent,
        }
    }
}

impl GlyphRole {
    /// Its colour in a theme.
    ///
    /// ```
    /// use render::Theme;
    /// use render::laser::GlyphRole;
    ///
    /// assert_eq!(GlyphRole::Light.colour(&Theme::PAPER), Theme::PAPER.red);
    /// ```
    #[must_use]
    pub const fn colour(self, theme: &Theme) -> Rgb {
        match self {
            Self::Ground | Self::Empty => theme.rule_bold,
            Self::Wall => theme.pencil,
            Self::Light | Self::Laser | Self::LitSensor => theme.red,
            Self::DarkSensor => theme.blue,
            Self::Mirror | Self::Splitter | Self::TMirror => theme.ink,
            Self::Ruler => theme.text_soft,
        }
    }

    /// Whether it is set in bold: what can be moved, and what it is about.
    ///
    /// ```
    /// use render::laser::GlyphRole;
    ///
    /// assert!(GlyphRole::Mirror.is_bold() && !GlyphRole::Wall.is_bold());
    /// ```
    #[must_use]
    pub const fn is_bold(self) -> bool {
        !matches!(
            self,
            Self::Ground | Self::Empty | Self::Wall | Self::Light | Self::Ruler
        )
    }

    /// Whether it is drawn faint on terminals without colours.
    #[must_use]
    pub const fn is_faint(self) -> bool {
        matches!(self, Self::Ground | Self::Empty | Self::Wall | Self::Ruler)
    }

    fn of(tile: Tile, is_lit: bool) -> Self {
        match tile {
            Tile::Empty => Self::Empty,
            Tile::Wall => Self::Wall,
            Tile::Laser(_) => Self::Laser,
            Tile::Sensor(_) if is_lit => Self::LitSensor,
            Tile::Sensor(_) => Self::DarkSensor,
            Tile::Hardware(piece) => match piece {
                Piece::MirrorFalling | Piece::MirrorRising => Self::Mirror,
                Piece::SplitterFalling | Piece::SplitterRising => Self::Splitter,
                Piece::TNorth | Piece::TEast | Piece::TSouth | Piece::TWest => Self::TMirror,
            },
        }
    }
}

/// A board and its light, or a part of both, in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaserDrawing {
    size: LaserTileSize,
    /// Columns and rows that rulers take.
    rulers: (usize, usize),
    /// The tiles that are drawn.
    part: Rect,
    columns: usize,
    glyphs: Vec<Glyph>,
}

const NOTHING: Glyph = Glyph {
    sign: ' ',
    role: GlyphRole::Ground,
    mark: None,
};

/// The four halves of a line in one character, by the bits of [`Directions`]: north, east,
/// south, west.
const LINES: [char; 16] = [
    '·', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼',
];

impl LaserDrawing {
    /// All of a board, and the light that was traced on it.
    ///
    /// ```
    /// use render::laser::{LaserDrawing, LaserTileSize};
    /// let board: laser::Board = "3 2\nL>. M\\\nW W Sv".parse()?;
    /// let light = laser::Light::of(&board);
    /// let drawing = LaserDrawing::of(&board, &light, LaserTileSize::Small);
    /// assert_eq!(drawing.text(), "L>──M\\\n▒▒▒▒Sv\n");
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn of(board: &Board, light: &Light, size: LaserTileSize) -> Self {
        let all = Rect::new(0, 0, board.width().into(), board.height().into());
        Self::of_part(board, light, size, all)
    }

    /// The tiles of a rectangle; what lies outside the board is left out.
    ///
    /// ```
    /// use grid::Rect;
    /// use laser::{Board, Light};
    /// use render::laser::{LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "3 2\nL>. M\\\nW W Sv".parse()?;
    /// let part = Rect::new(2, 0, 1, 2);
    /// let drawing = LaserDrawing::of_part(&board, &Light::of(&board), LaserTileSize::Small, part);
    /// assert_eq!(drawing.text(), "M\\\nSv\n");
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn of_part(board: &Board, light: &Light, size: LaserTileSize, part: Rect) -> Self {
        let all = Rect::new(0, 0, board.width().into(), board.height().into());
        let part = part.intersection(&all);
        let (columns, rows) = size.extent(part.width as usize, part.height as usize);
        let mut drawing = Self {
            size,
            rulers: (0, 0),
            part,
            columns,
            glyphs: vec![NOTHING; columns * rows],
        };
        for y in part.y..part.bottom() {
            for x in part.x..part.right() {
                let place = Point::new(x, y);
                if let Some(cell) = board.index(place) {
                    drawing.tile(board, light, cell);
                }
            }
        }
        drawing
    }

    /// Its rows, all of the same length.
    ///
    /// ```
    /// use laser::{Board, Light};
    /// use render::laser::{GlyphRole, LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "2 1\nL>W".parse()?;
    /// let drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Small);
    /// let row = drawing.rows().next().expect("one row of tiles");
    /// assert_eq!((row.len(), row[2].role), (4, GlyphRole::Wall));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Glyph]> {
        // no rows at all where nothing was drawn
        self.glyphs.chunks(self.columns.max(1))
    }

    /// Marks a tile; where it is not drawn, nothing happens.
    ///
    /// ```
    /// use grid::Point;
    /// use laser::{Board, Light};
    /// use render::laser::{LaserDrawing, LaserTileMark, LaserTileSize};
    ///
    /// let board: Board = "2 1\nM/W".parse()?;
    /// let mut drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Medium);
    /// drawing.mark(Point::new(0, 0), LaserTileMark::Selected);
    /// assert!(drawing.text().starts_with("(M/ )"), "{}", drawing.text());
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn mark(&mut self, place: Point, mark: LaserTileMark) {
        let Some((column, row)) = self.corner(place) else {
            return;
        };
        let own = self.size.pitch().0 - self.size.margin().0;
        for x in column..column + own {
            self.glyphs[row * self.columns + x].mark = Some(mark);
        }
        if self.size.margin().0 > 0 {
            let (before, behind) = mark.brackets();
            for (x, sign) in [(column - 1, before), (column + own, behind)] {
                self.glyphs[row * self.columns + x] = Glyph {
                    sign,
                    role: GlyphRole::Ground,
                    mark: Some(mark),
                };
            }
        }
    }

    /// The first column and the row of a tile's own characters.
    ///
    /// ```
    /// use grid::Point;
    /// use laser::{Board, Light};
    /// use render::laser::{LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "2 2\nM/W\n. .".parse()?;
    /// let drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Large);
    /// assert_eq!(drawing.corner(Point::new(1, 1)), Some((5, 3)));
    /// assert_eq!(drawing.corner(Point::new(2, 0)), None);
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn corner(&self, place: Point) -> Option<(usize, usize)> {
        if !self.part.contains(place) {
            return None;
        }
        let ((across, down), margin) = (self.size.pitch(), self.size.margin());
        let x = self.rulers.0 + margin.0 + (place.x - self.part.x) as usize * across;
        let y = self.rulers.1 + margin.1 + (place.y - self.part.y) as usize * down;
        Some((x, y))
    }

    /// The tile that a column and a row belong to; what stands between two tiles belongs to
    /// the one before it.
    ///
    /// ```
    /// use grid::Point;
    /// use laser::{Board, Light};
    /// use render::laser::{LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "2 1\nM/W".parse()?;
    /// let drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Small);
    /// assert_eq!(drawing.tile_at(3, 0), Some(Point::new(1, 0)));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn tile_at(&self, column: usize, row: usize) -> Option<Point> {
        let ((across, down), margin) = (self.size.pitch(), self.size.margin());
        let (column, row) = (
            column.checked_sub(self.rulers.0)?.saturating_sub(margin.0),
            row.checked_sub(self.rulers.1)?.saturating_sub(margin.1),
        );
        let x = self.part.x + (column / across) as i64;
        let y = self.part.y + (row / down) as i64;
        let place = Point::new(x, y);
        self.part.contains(place).then_some(place)
    }

    /// The drawing as plain text, blanks at the ends of lines left out.
    ///
    /// ```
    /// use laser::{Board, Light};
    /// use render::laser::{LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "3 1\nL>. S<".parse()?;
    /// let drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Small);
    /// assert_eq!(drawing.text(), "L>──*<\n"); // the sensor is lit
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in self.rows() {
            let line: String = row.iter().map(|glyph| glyph.sign).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The drawing in a theme's colours, ink and paper, as ANSI sequences; each line ends
    /// plain. `colour` writes a colour as the terminal takes it behind `38;` and `48;`:
    /// `2;R;G;B`, or `5;` and an index.
    ///
    /// ```
    /// use laser::{Board, Light};
    /// use render::Theme;
    /// use render::laser::{LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "1 1\nW".parse()?;
    /// let drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Small);
    /// let text = drawing.ansi(&Theme::PAPER, |colour| format!("2;{};{};{}", colour.r, colour.g, colour.b));
    /// assert!(text.starts_with("\x1b[48;2;251;248;239m") && text.ends_with("\x1b[0m\n"));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn ansi(&self, theme: &Theme, colour: impl Fn(Rgb) -> String) -> String {
        let mut text = String::new();
        let paper = format!("\x1b[48;{}m", colour(theme.sheet));
        for row in self.rows() {
            text.push_str(&paper);
            let mut last = None;
            for glyph in row {
                let look = glyph.style(theme);
                if last != Some(look) && glyph.sign != ' ' {
                    let (ink, is_bold) = look;
                    let weight = if is_bold { 1 } else { 22 };
                    let _ = write!(text, "\x1b[{weight};38;{}m", colour(ink));
                    last = Some(look);
                }
                text.push(glyph.sign);
            }
            text.push_str("\x1b[0m\n");
        }
        text
    }

    /// Columns and rows that the rulers take beside tiles up to the column and the row before
    /// these.
    ///
    /// ```
    /// use render::laser::LaserDrawing;
    ///
    /// assert_eq!(LaserDrawing::ruler_extent((40, 11)), (3, 1)); // rows 0 to 10, and a blank
    /// ```
    #[must_use]
    pub fn ruler_extent(end: (usize, usize)) -> (usize, usize) {
        (end.1.saturating_sub(1).to_string().len() + 1, 1)
    }

    /// The same with the numbers of columns above, each fifth where there is little room, and
    /// those of rows at the left.
    ///
    /// ```
    /// use laser::{Board, Light};
    /// use render::laser::{LaserDrawing, LaserTileSize};
    ///
    /// let board: Board = "2 1\nM/W".parse()?;
    /// let drawing = LaserDrawing::of(&board, &Light::of(&board), LaserTileSize::Medium).with_rulers();
    /// let text = drawing.text();
    /// assert!(text.lines().next().unwrap().contains('1'), "the columns are 0 and 1");
    /// assert!(text.lines().last().unwrap().starts_with('0'));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn with_rulers(&self) -> Self {
        let (across, down) = self.size.pitch();
        let (margin, above) = self.size.margin();
        let (left, _) = Self::ruler_extent((0, self.part.bottom().max(0) as usize));
        let most = left - 1;
        let columns = self.columns + left;
        let mut glyphs = vec![NOTHING; columns];
        let widest = (self.part.right() - 1).max(0).to_string().len();
        // a number needs a blank before the next one
        let step = if widest < across { 1 } else { 5 };
        for x in self.part.x..self.part.right() {
            // its last digit stands over the middle of the tile
            let number = format!("{x:>2}");
            let column = left + margin + (x - self.part.x) as usize * across;
            if x % step == 0 && column + number.len() <= columns {
                put(&mut glyphs[column..], &number);
            }
        }
        for (index, row) in self.rows().enumerate() {
            let mut line = vec![NOTHING; left];
            let tile = index.checked_sub(above).filter(|y| y % down == 0);
            let y = tile.map(|y| self.part.y + (y / down) as i64);
            if let Some(y) = y.filter(|&y| y < self.part.bottom()) {
                put(&mut line, &format!("{y:>most$}"));
            }
            glyphs.extend(line);
            glyphs.extend(row);
        }
        Self {
            rulers: (left, 1),
            columns,
            glyphs,
            ..*self
        }
    }

    /// Draws one tile, and its share of what stands between it and its neighbours.
    fn tile(&mut self, board: &Board, light: &Light, cell: usize) {
        let place = board.place(cell);
        let Some((column, row)) = self.corner(place) else {
            return;
        };
        let tile = board.tile(cell);
        if tile == Tile::Wall {
            return self.wall(board, place, (column, row));
        }
        let is_lit = light.is_lit(board, cell);
        let role = GlyphRole::of(tile, is_lit);
        let halves = light.half_beams(board, cell);
        let mut signs = tile.text().chars();
        let mut put = |x: usize, y: usize, sign: char, role: GlyphRole| {
            let glyph = &mut self.glyphs[y * self.columns + x];
            (glyph.sign, glyph.role) = (sign, role);
        };
        if tile == Tile::Empty {
            let role = if halves.is_empty() {
                role
            } else {
                GlyphRole::Light
            };
            put(column + 1, row, LINES[usize::from(halves.bits())], role);
            if halves.contains(Direction::West) {
                put(column, row, '─', GlyphRole::Light);
            }
        } else {
            let letter = signs.next().filter(|_| !is_lit).unwrap_or('*');
            put(column, row, letter, role);
            put(column + 1, row, signs.next().unwrap_or(' '), role);
        }
        let (across, down) = self.size.margin();
        for half in halves.iter() {
            match half {
                Direction::North if down > 0 => put(column + 1, row - 1, '│', GlyphRole::Light),
                Direction::South if down > 0 => put(column + 1, row + 1, '│', GlyphRole::Light),
                Direction::West if across > 0 => put(column - 1, row, '─', GlyphRole::Light),
                Direction::East if across > 0 => {
                    put(column + 2, row, '─', GlyphRole::Light);
                    put(column + 3, row, '─', GlyphRole::Light);
                }
                _ => {}
            }
        }
    }

    /// Draws a wall. Walls beside each other grow together, and with the board's edge.
    fn wall(&mut self, board: &Board, place: Point, (column, row): (usize, usize)) {
        let is_wall = |dx, dy| {
            let tile = board.at(place.offset(dx, dy));
            tile.is_none_or(|tile| tile == Tile::Wall)
        };
        let (across, down) = self.size.margin();
        let own = self.size.pitch().0 - across;
        let (left, top) = (column - across, row - down);
        for y in top..=row + down {
            let dy = (y > row) as i64 - i64::from(y < row);
            for x in left..column + own + across {
                let dx = i64::from(x >= column + own) - i64::from(x < column);
                if is_wall(dx, 0) && is_wall(0, dy) && is_wall(dx, dy) {
                    self.glyphs[y * self.columns + x] = Glyph {
                        sign: '▒',
                        role: GlyphRole::Wall,
                        mark: None,
                    };
                }
            }
        }
    }
}

/// Writes a ruler's number.
fn put(glyphs: &mut [Glyph], number: &str) {
    for (glyph, sign) in glyphs.iter_mut().zip(number.chars()) {
        *glyph = Glyph {
            sign,
            role: GlyphRole::Ruler,
            mark: None,
        };
    }
}

impl Glyph {
    /// Its colour in a theme, and whether it is bold.
    ///
    /// ```
    /// use render::Theme;
    /// use render::laser::{Glyph, GlyphRole, LaserTileMark};
    ///
    /// let mirror = Glyph { sign: 'M', role: GlyphRole::Mirror, mark: None };
    /// assert_eq!(mirror.style(&Theme::PAPER), (Theme::PAPER.ink, true));
    /// let marked = Glyph { mark: Some(LaserTileMark::Cursor), ..mirror };
    /// assert_eq!(marked.style(&Theme::PAPER).0, Theme::PAPER.selection);
    /// ```
    #[must_use]
    pub const fn style(&self, theme: &Theme) -> (Rgb, bool) {
        match self.mark {
            Some(mark) => (mark.colour(theme), true),
            None => (self.role.colour(theme), self.role.is_bold()),
        }
    }
}

#[cfg(test)]
mod tests;

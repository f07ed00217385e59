use crate::{Viewport, Zoom, deaths, density};
use engine::World;
use grid::{Point, Rect, State};
use rule::Topology;

/// The content of a viewport, which a front end draws or receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What is looked at.
    pub viewport: Viewport,
    /// The shape of the world: outside a grid there is no paper.
    pub topology: Topology,
    /// The cells or densities.
    pub content: Content,
}

/// The cells or densities of a viewport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// At `In`, where coordinates fit an `i64`: every cell.
    Cells {
        /// The visible cells, also those visible in part.
        rect: Rect,
        /// Their states.
        states: States,
        /// Optional marks, a byte each, row by row. 0: none. 1 to 63: a dead cell that has
        /// lived, 1 the longest ago and 63 just now. 64 to 127: a live cell, 64 just born and
        /// 127 old. [`DYING`](crate::DYING): a live cell that is empty in the next generation.
        marks: Option<Vec<u8>>,
    },
    /// At `Out`, and at `In` too far out for an `i64`: the density under each pixel.
    Density {
        /// A byte for each pixel of the viewport, row by row: 0 without live cells, else 1 to
        /// 255, the fourth root of the live share, so that a lone cell far off remains visible.
        levels: Vec<u8>,
    },
}

/// States of the cells of a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum States {
    /// Of two states: a bit each, row by row, rows padded to whole bytes, the first cell the
    /// highest bit.
    Bits(Vec<u8>),
    /// A byte each, row by row.
    Bytes(Vec<State>),
}

impl Frame {
    /// The frame of a world in a viewport, without marks. Cells lie as the viewport's lattice
    /// says, which is squares unless [`Viewport::with_lattice`] was given that of the rule.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Content, Frame, Viewport, Zoom};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?;
    /// let near = Viewport::new(64, 48);
    /// assert!(matches!(Frame::of(&world, &near).content, Content::Cells { .. }));
    /// let far = near.zoomed(Zoom::Out(3), 0, 0);
    /// assert!(matches!(Frame::of(&world, &far).content, Content::Density { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(world: &dyn World, viewport: &Viewport) -> Self {
        let content = match viewport.cells() {
            Some(rect) if world.rule().states() == 2 => {
                let mut bits = Vec::new();
                world.bits_in(rect, &mut bits);
                Content::Cells {
                    rect,
                    states: States::Bits(bits),
                    marks: None,
                }
            }
            Some(rect) => {
                let mut states = Vec::new();
                world.states_in(rect, &mut states);
                Content::Cells {
                    rect,
                    states: States::Bytes(states),
                    marks: None,
                }
            }
            None => Content::Density {
                levels: density::levels(world, viewport),
            },
        };
        Self {
            viewport: viewport.clone(),
            topology: *world.rule().topology(),
            content,
        }
    }

    /// The state of a cell; 0 where none is seen.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Frame, Viewport};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(2, -1), 1)?;
    /// let frame = Frame::of(&world, &Viewport::new(64, 48));
    /// assert_eq!((frame.state(2, -1), frame.state(0, 0)), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self, x: i64, y: i64) -> State {
        let Content::Cells { rect, states, .. } = &self.content else {
            return 0;
        };
        if !rect.contains(Point::new(x, y)) {
            return 0;
        }
        let (column, row) = (x.abs_diff(rect.x) as usize, y.abs_diff(rect.y) as usize);
        states.get(rect.width as usize, column, row)
    }

    /// Marks the cells that are live now and empty in the next generation, over other marks.
    ///
    /// ```
    /// use engine::World;
    /// use render::{Content, DYING, Frame, Viewport};
    ///
    /// let mut world = engine::Tiles::new("B3/S23".parse()?)?;
    /// world.set(grid::Point::new(0, 0), 1)?; // alone
    /// let mut frame = Frame::of(&world, &Viewport::new(64, 48));
    /// frame.mark_dying(&world);
    /// let Content::Cells { marks: Some(marks), .. } = frame.content else {
    ///     panic!("cells, with marks");
    /// };
    /// assert_eq!(marks.iter().filter(|&&mark| mark == DYING).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mark_dying(&mut self, world: &dyn World) {
        let Content::Cells { rect, marks, .. } = &mut self.content else {
            return;
        };
        let rect = *rect;
        let area = (rect.width * rect.height) as usize;
        let marks = marks.get_or_insert_with(|| vec![0; area]);
        deaths::mark(world, rect, marks);
    }

    /// How many pixels a cell is wide, where cells are seen.
    pub(crate) fn pixels_a_cell(&self) -> u32 {
        match self.viewport.zoom {
            Zoom::In(pixels) => pixels,
            Zoom::Out(_) => 1,
        }
    }
}

impl States {
    /// The state of a cell of a rectangle that is so wide, counted from its top-left cell.
    ///
    /// ```
    /// use render::States;
    ///
    /// let bits = States::Bits(vec![0b0100_0000, 0b1000_0000]); // two rows of three cells
    /// assert_eq!((bits.get(3, 1, 0), bits.get(3, 0, 1), bits.get(3, 2, 1)), (1, 1, 0));
    /// ```
    #[must_use]
    pub fn get(&self, width: usize, column: usize, row: usize) -> State {
        match self {
            Self::Bits(bits) => bits[row * width.div_ceil(8) + column / 8] >> (7 - column % 8) & 1,
            Self::Bytes(states) => states[row * width + column],
        }
    }
}

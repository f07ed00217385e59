//! The view of a world and its images: viewport, frame, colours, and output as PNG, GIF, SVG
//! and text.
//!
//! The decision that shapes this crate: everything is a pure function of a world and a
//! [`Viewport`]. A [`Frame`] holds the view as plain bytes, cell states at close range and
//! densities far off, and every front end draws from it: a page receives its bytes, a terminal
//! converts it to characters, a file is painted here. The alternative, a canvas that is updated
//! by change events, was rejected: it has to be correct after every kind of change, and a slow
//! browser would have to process all of them.
//!
//! The board of the laser puzzle is drawn here too, in characters: [`laser`].
//!
//! No state, no clock, no files.
//!
//! ```
//! use engine::World;
//! use render::{Frame, Palette, PictureStyle, Theme, Viewport};
//! let mut world = engine::Tiles::new("B3/S23".parse()?)?;
//! world.set(grid::Point::new(0, 0), 1)?;
//! let frame = Frame::of(&world, &Viewport::new(64, 48));
//! assert_eq!(frame.state(0, 0), 1);
//! let palette = Palette::of(world.rule(), &Theme::PAPER);
//! let picture = frame.paint(&palette, &PictureStyle::default());
//! assert_eq!(picture.pixel(32, 24), Theme::PAPER.ink);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod cell_geometry;
mod colour;
mod colouring;
mod comparison;
mod deaths;
mod density;
mod frame;
mod icon;
mod icon_painting;
mod image;
pub mod laser;
mod palette;
mod picture;
mod ruler;
mod shaped_cells;
mod svg;
pub mod text;
mod viewport;
mod zoom;

pub use cell_geometry::CellGeometry;
pub use colour::{Rgb, RgbError, Theme};
pub use colouring::CellColouring;
pub use comparison::FrameComparison;
pub use deaths::DYING;
pub use deaths::for_each_dying;
pub use density::density_level;
pub use frame::{Content, Frame, States};
pub use icon::StateIcons;
pub use image::{AnimationTiming, GifWriter, PngWriter, png};
pub use palette::Palette;
pub use picture::{Picture, PictureStyle};
pub use ruler::{RulerMark, SheetRulers};
pub use svg::{svg, svg_with_icons};
pub use viewport::{PixelBounds, PixelCells, Viewport};
pub use zoom::{Zoom, ZoomError};

//! Small pictures of checkpoints, for the timeline.

use crate::clock::WireClock;
use pattern::interrupt::ContinueCheck;
use render::{Frame, Palette, PictureStyle, Viewport};
use session::WorldCopy;
use std::sync::Arc;
use std::time::Duration;

/// Columns and rows of pixels.
const SIZE: (u32, u32) = (112, 80);

/// Larger checkpoints have no picture: to open one would take too long.
const MOST_BYTES: u64 = 32 << 20;

/// The memory of a world that is opened for its picture.
const MEMORY: u64 = 256 << 20;

/// The longest time that a picture may take.
const LONGEST: Duration = Duration::from_secs(2);

/// A checkpoint, and the colours of its picture.
pub struct ThumbnailScene {
    /// The checkpoint.
    pub copy: WorldCopy,
    /// Its colours.
    pub palette: Palette,
}

/// The picture of all live cells as PNG; nothing where it would take too long.
pub fn draw(scene: &ThumbnailScene, clock: &WireClock) -> Option<Vec<u8>> {
    if scene.copy.bytes() > MOST_BYTES {
        return None;
    }
    let end = clock() + LONGEST;
    let clock = Arc::clone(clock);
    let go_on: Arc<ContinueCheck> = Arc::new(move || clock() < end);
    let drawn = pattern::interrupt::interruptible(&go_on, || {
        let world = scene.copy.open(MEMORY).ok()?;
        let lattice = world.rule().lattice();
        let (width, height) = SIZE;
        let viewport = match world.bounds() {
            Some(bounds) => Viewport::fitting_on(lattice, &bounds, width, height),
            None => Viewport::new(width, height).with_lattice(lattice),
        };
        let frame = Frame::of(world.as_ref(), &viewport);
        let style = PictureStyle {
            grid: false,
            ..PictureStyle::default()
        };
        Some(render::png(&frame.paint(&scene.palette, &style)))
    });
    drawn.ok().flatten()
}

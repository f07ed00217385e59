//! Pictures of worlds for notebooks and files: SVG where there are few cells, PNG where there are
//! many, GIF for films. Own method; the painting is the crate `render`'s.

use gridpaper::World;
use gridpaper::render::{self, GifWriter, Palette, PictureStyle, Theme, Viewport};
use num_traits::ToPrimitive;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The longest side of a picture whose size nobody gave.
const LONGEST: u32 = 640;
/// Pixels a cell in a picture of few cells.
const CELL: u32 = 12;
/// The longest side that may be asked for.
const MOST: u32 = 16_384;
/// Cells across up to which a notebook shows an SVG.
const MOST_SVG_SIDE: u64 = 500;
/// Live cells up to which it does: each is an element of the document.
const MOST_SVG_CELLS: u64 = 5_000;

/// Size and colours.
pub(crate) struct PictureOptions {
    width: Option<u32>,
    height: Option<u32>,
    pub(crate) theme: Theme,
}

impl PictureOptions {
    pub(crate) fn new(width: Option<u32>, height: Option<u32>, theme: &str) -> PyResult<Self> {
        let theme = Theme::find(theme).ok_or_else(|| {
            let names: Vec<_> = Theme::ALL.iter().map(|theme| theme.name).collect();
            PyValueError::new_err(format!("no theme {theme}: expected {}", names.join(" or ")))
        })?;
        for side in [width, height].into_iter().flatten() {
            if side == 0 || side > MOST {
                let message = format!("a side of {side} pixels: give 1 to {MOST}");
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(Self {
            width,
            height,
            theme,
        })
    }

    /// What shows all of these cells.
    pub(crate) fn viewport(&self, world: &World, bounds: Option<&gridpaper::Bounds>) -> Viewport {
        let lattice = world.rule().lattice();
        let side = |cells: Option<u64>, other: Option<u64>| {
            let cells = cells.unwrap_or(u64::MAX).saturating_add(2);
            let most = cells.max(other.unwrap_or(u64::MAX).saturating_add(2));
            match most.saturating_mul(CELL.into()) <= LONGEST.into() {
                true => (cells * u64::from(CELL)) as u32,
                false => (cells as f64 / most as f64 * f64::from(LONGEST))
                    .ceil()
                    .max(16.0) as u32,
            }
        };
        match bounds {
            Some(bounds) => {
                let (across, down) = (bounds.width.to_u64(), bounds.height.to_u64());
                let width = self.width.unwrap_or_else(|| side(across, down));
                let height = self.height.unwrap_or_else(|| side(down, across));
                Viewport::fitting_on(lattice, bounds, width, height)
            }
            None => {
                let width = self.width.unwrap_or(8 * CELL);
                Viewport::new(width, self.height.unwrap_or(8 * CELL)).with_lattice(lattice)
            }
        }
    }
}

pub(crate) fn svg(world: &World, options: &PictureOptions) -> String {
    let frame = world.frame(&options.viewport(world, world.bounds().as_ref()));
    let palette = Palette::of(world.rule(), &options.theme);
    render::svg(&frame, &palette, &PictureStyle::default())
}

pub(crate) fn png(world: &World, options: &PictureOptions) -> Vec<u8> {
    let frame = world.frame(&options.viewport(world, world.bounds().as_ref()));
    let palette = Palette::of(world.rule(), &options.theme);
    render::png(&frame.paint(&palette, &PictureStyle::default()))
}

/// A film of `frames` generations, `step` apart; `goes_on` is asked before each and may end it.
/// The world is moved on.
pub(crate) fn gif(
    world: &mut World,
    options: &PictureOptions,
    frames: u32,
    step: u64,
    hundredths: u16,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<u8>, GifError> {
    let start = world.snapshot();
    let mut bounds = world.bounds();
    for _ in 1..frames {
        if !goes_on() {
            return Err(GifError::Stopped);
        }
        world.run(step)?;
        bounds = match (bounds, world.bounds()) {
            (Some(a), Some(b)) => Some(union(&a, &b)),
            (a, b) => a.or(b),
        };
    }
    world.restore(&start)?;
    let viewport = options.viewport(world, bounds.as_ref());
    let palette = Palette::of(world.rule(), &options.theme);
    let states = world.rule().states();
    let paint = |world: &World| {
        let frame = world.frame(&viewport);
        let picture = frame.paint(&palette, &PictureStyle::default());
        (frame, picture)
    };
    let (frame, first) = paint(world);
    let colours = palette.colours(states, &frame.content);
    let mut file = Vec::new();
    let mut writer = GifWriter::new(&mut file, &first, &colours, hundredths)?;
    writer.push(&first)?;
    for _ in 1..frames {
        if !goes_on() {
            return Err(GifError::Stopped);
        }
        world.run(step)?;
        writer.push(&paint(world).1)?;
    }
    writer.finish()?;
    Ok(file)
}

/// Why there is no film.
pub(crate) enum GifError {
    Stopped,
    World(gridpaper::Error),
    Io(std::io::Error),
}

impl From<gridpaper::Error> for GifError {
    fn from(error: gridpaper::Error) -> Self {
        Self::World(error)
    }
}

impl From<std::io::Error> for GifError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

fn union(a: &gridpaper::Bounds, b: &gridpaper::Bounds) -> gridpaper::Bounds {
    let end = |start: &num_bigint::BigInt, side: &num_bigint::BigUint| {
        start + num_bigint::BigInt::from(side.clone())
    };
    let (x, y) = ((&a.x).min(&b.x).clone(), (&a.y).min(&b.y).clone());
    let right = end(&a.x, &a.width).max(end(&b.x, &b.width));
    let bottom = end(&a.y, &a.height).max(end(&b.y, &b.height));
    gridpaper::Bounds {
        width: (right - &x).magnitude().clone(),
        height: (bottom - &y).magnitude().clone(),
        x,
        y,
    }
}

/// What a notebook shows: an SVG of few cells, a PNG of many, and never both, since it keeps all
/// that it is given.
pub(crate) enum NotebookPicture {
    Svg(String),
    Png(Vec<u8>),
}

/// The kinds of pictures that a notebook takes.
pub(crate) struct PictureKinds {
    svg: bool,
    png: bool,
}

impl PictureKinds {
    pub(crate) fn new(
        include: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let wants = |kind: &str| -> PyResult<bool> {
            let is_in =
                |set: Option<&Bound<'_, PyAny>>| set.map(|set| set.contains(kind)).transpose();
            Ok(is_in(include)?.unwrap_or(true) && !is_in(exclude)?.unwrap_or(false))
        };
        Ok(Self {
            svg: wants("image/svg+xml")?,
            png: wants("image/png")?,
        })
    }

    pub(crate) fn picture(&self, world: &World) -> Option<NotebookPicture> {
        let is_small = world.bounds().is_none_or(|bounds| {
            let sides = [bounds.width.to_u64(), bounds.height.to_u64()];
            let few = world
                .population()
                .to_u64()
                .is_some_and(|cells| cells <= MOST_SVG_CELLS);
            few && sides
                .iter()
                .all(|side| side.is_some_and(|side| side <= MOST_SVG_SIDE))
        });
        let options = PictureOptions {
            width: None,
            height: None,
            theme: Theme::PAPER,
        };
        if is_small && self.svg {
            Some(NotebookPicture::Svg(svg(world, &options)))
        } else if self.png {
            Some(NotebookPicture::Png(png(world, &options)))
        } else {
            None
        }
    }
}

/// A notebook's bundle.
pub(crate) fn bundle<'py>(
    py: Python<'py>,
    text: &str,
    picture: Option<NotebookPicture>,
) -> PyResult<Bound<'py, PyDict>> {
    let bundle = PyDict::new(py);
    bundle.set_item("text/plain", text)?;
    match picture {
        Some(NotebookPicture::Svg(svg)) => bundle.set_item("image/svg+xml", svg)?,
        Some(NotebookPicture::Png(png)) => {
            bundle.set_item("image/png", PyBytes::new(py, &png))?;
        }
        None => {}
    }
    Ok(bundle)
}

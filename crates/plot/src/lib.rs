//! What a plot shows, before it is drawn: points, scales and ticks.
//!
//! A plot is drawn as SVG, in the terminal and on the page, each with its own pens. What they
//! have in common is computed here: which points are kept of a long series ([`PlotSeries`]),
//! which part of them a column shows ([`resampled`]), and where the ticks of an axis stand
//! ([`AxisScale`] for real numbers, [`CountAxis`] for counts of any size). A run has several
//! quantities ([`RunSeries`]), which become curves on common axes ([`PlotDrawing`]). A plotting library
//! was the alternative; none takes numbers of any size, and each has its own look.
//!
//! ```
//! use plot::{AxisScale, PlotSeries};
//! let mut series = PlotSeries::default();
//! series.push(0.into(), 5u8.into());
//! series.push(1.into(), 8u8.into());
//! assert_eq!(series.points().len(), 2);
//! assert_eq!(plot::resampled(series.points(), 2), [Some(5.0), Some(8.0)]);
//! let scale = AxisScale::over([-3.0, 4.0]).expect("there are values");
//! assert_eq!(scale.ticks(4), [-2.0, 0.0, 2.0, 4.0]);
//! ```
#![forbid(unsafe_code)]

mod axis;
mod count_axis;
mod curve;
mod quantity;
mod resampling;
mod series;

pub use axis::AxisScale;
pub use count_axis::CountAxis;
pub use curve::{PlotCurve, PlotDrawing};
pub use quantity::{PlotView, RunQuantity, RunSeries};
pub use resampling::resampled;
pub use series::PlotSeries;

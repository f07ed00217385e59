//! Numbers one can trust: how strong the players of a tournament are, and how sure that is.
//!
//! [`BradleyTerryFit`] is the rating that counts: all results at once, in any order, with intervals that
//! know that the two games of a pair belong together. [`LiveRatings`] goes game by game, for a
//! table that moves while it is watched. [`Standings`] puts both side by side, with what
//! [`Timing`] knows of the clock.
//!
//! The unit is everywhere that of [`matches::Elo`]: a player who is `d` stronger is expected
//! to take a share of `1 / (1 + 10^(-d/400))` of the points, draws being half a point each.
//!
//! ```
//! use games::{Outcome, Seat};
//! use tournament::rating::{BradleyTerryFit, Meeting};
//!
//! let mut meeting = Meeting::between([0, 1]);
//! // player 0 wins with the first seat, and draws with the second: twenty times
//! for _ in 0..20 {
//!     meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
//! }
//! let fit = BradleyTerryFit::new(2, &[meeting]);
//! let better = fit.superiority(0, 1).unwrap();
//! assert!(better > 0.99);
//! ```

mod bradley_terry;
mod information;
mod likelihood;
mod live_ratings;
mod matrix;
mod meeting;
#[cfg(test)]
mod simulation;
mod standings;
mod timing;

pub use bradley_terry::{BradleyTerryFit, Rating};
pub(crate) use information::PairSelector;
pub use live_ratings::{LiveRatings, RatingEstimate};
pub use meeting::Meeting;
pub use standings::{ParticipantStatistics, Standings, StandingsRow};
pub use timing::Timing;

//! Cellular automata, and the games and puzzles that live on a grid.
//!
//! This crate is the front of Gridpaper's libraries: it re-exports what most programs need, and
//! each of the crates below can be used by itself. The decision that shapes it: one owned
//! [`World`], with numbers of any size where they are needed and plain integers everywhere else;
//! which engine runs it is chosen while it runs. Threads are started and memory is bounded as the
//! [`WorldBuilder`] says. Engines step by step, kernels and node stores stay behind it.
//!
//! # A world
//!
//! ```
//! use gridpaper::World;
//!
//! let mut world = World::open("gosper-glider-gun")?;
//! world.run(1_000_000_000_000_u64)?;
//! assert_eq!(world.population().to_string(), "166666666713");
//! # Ok::<(), gridpaper::Error>(())
//! ```
//!
//! # A rule
//!
//! ```
//! use gridpaper::{Rule, World};
//!
//! let rule: Rule = "B36/S23:T64,64".parse()?;
//! assert_eq!(rule.states(), 2);
//! let mut world = World::builder().pattern_text("glider")?.rule("HighLife:T64,64").build()?;
//! world.run(256_u64)?;
//! assert_eq!(world.population(), 5_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A pattern to a picture
//!
//! ```
//! # #[cfg(feature = "render")] {
//! use gridpaper::{Pattern, World, render};
//!
//! let glider = Pattern::parse("bob$2bo$3o!")?;
//! let world = World::new(&glider)?;
//! let picture = world.picture(160, 120, &render::Theme::PAPER);
//! let png: Vec<u8> = render::png(&picture);
//! assert!(png.starts_with(b"\x89PNG"));
//! # }
//! # Ok::<(), gridpaper::Error>(())
//! ```
//!
//! # Two players
//!
//! ```
//! # #[cfg(feature = "games")] {
//! use gridpaper::games::{Game as _, JointMove, Outcome, Seat, Turn, mnk::Mnk};
//! use gridpaper::players::{self, Clock, NullObserver};
//!
//! let game = Mnk::TICTACTOE;
//! let open = |player| players::open(&game, player, &Clock::system());
//! let mut seats = [open("perfect")?, open("random")?];
//! let mut position = game.start();
//! while let Turn::One(seat) = game.turn(&position) {
//!     let player = &mut seats[seat as usize];
//!     let thought = player.think(&game, &position, seat, &mut NullObserver);
//!     game.apply(&mut position, JointMove::One(thought.choice));
//! }
//! assert_ne!(game.turn(&position), Turn::Over(Outcome::Win(Seat::Second)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! # Features
//!
//! All are on by default: `census` (what a world holds, by name and kind; soups by their names),
//! `render` (pictures), `games` (board games and players), `laser` (the puzzle). Without them the
//! crate brings in 34 others.
#![forbid(unsafe_code)]

mod error;
mod pattern_input;
mod world;

#[cfg(feature = "census")]
pub use census::{Identification, IdentifyOptions, PatternKind};
pub use engine::{EngineChoice as Engine, Snapshot, View};
pub use error::Error;
pub use grid::{CellHash, Point, Rect, State, Symmetry};
pub use pattern::{Bounds, Cells, Format, Run};
pub use pattern_input::Pattern;
pub use rule::{Rule, RuleError, Topology};
pub use world::{LiveCell, PutMode, RunProgress, World, WorldBuilder};

/// Pattern files and the built-in library.
pub use pattern as patterns;
/// Rule families, named rules and rule files.
pub use rule as rules;

#[cfg(feature = "games")]
pub use games;
#[cfg(feature = "laser")]
pub use laser;
#[cfg(feature = "games")]
pub use players;
#[cfg(feature = "render")]
pub use render;

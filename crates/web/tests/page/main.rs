//! The page in a real browser: Debian's Chromium, driven by its chromedriver; and its Firefox, where
//! there is a driver for it.
//!
//! `cargo xtask test` installs both where it can. Where the page is looked at, its pixels
//! are: a picture of the window is taken and read.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod appearance;
mod arena;
mod browser;
mod census;
mod classroom;
mod drawing;
mod firefox;
mod frame_rate;
mod laser;
mod lattice;
mod pages;
mod phone;
mod pictures;
mod play;
mod reconnection;
mod replays;
mod search;
mod soak;
mod webdriver;
mod world;
mod worlds;

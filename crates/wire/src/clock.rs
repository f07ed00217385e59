//! The time, given by whoever carries the messages: a page without a server has no clock of the
//! system.

use std::sync::Arc;
use std::time::Duration;

/// The time since some moment; it never goes back.
pub type WireClock = Arc<dyn Fn() -> Duration + Send + Sync>;

//! Limits on time, nodes and depth of a search.

use crate::{PlayerError, PlayerSpec, SearchObserver};
use std::time::{Duration, Instant};

/// A player's own limits for one move. The first that is reached ends the search; without any,
/// it ends when it is complete or the observer stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerLimits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions searched; playouts, for players that play games to their end.
    pub nodes: Option<u64>,
    /// Turns ahead.
    pub depth: Option<u32>,
}

impl PlayerLimits {
    /// A time limit alone.
    ///
    /// ```
    /// use players::PlayerLimits;
    ///
    /// let limits = PlayerLimits::of_time(50);
    /// assert_eq!((limits.time.unwrap().as_millis(), limits.nodes), (50, None));
    /// ```
    #[must_use]
    pub fn of_time(milliseconds: u64) -> Self {
        Self {
            time: Some(Duration::from_millis(milliseconds)),
            ..Self::default()
        }
    }

    /// Takes `ms`, `depth` and one of `nodes` and `playouts` out of a player's options;
    /// `default` if there are none of them.
    ///
    /// # Errors
    /// A value is no number above 0.
    ///
    /// ```
    /// use players::{PlayerLimits, PlayerSpec};
    ///
    /// let default = PlayerLimits::of_time(50);
    /// let mut spec = PlayerSpec::new("mcts:playouts=1000,c=0.5");
    /// assert_eq!(PlayerLimits::read(&mut spec, default)?.nodes, Some(1000));
    /// assert_eq!(PlayerLimits::read(&mut PlayerSpec::new("mcts"), default)?, default);
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    pub fn read(spec: &mut PlayerSpec<'_>, default: Self) -> Result<Self, PlayerError> {
        let time = spec.number("ms")?.map(Duration::from_millis);
        let nodes = spec.number("nodes")?;
        let playouts = spec.number("playouts")?;
        let depth = spec
            .number("depth")?
            .map(|n| n.min(u64::from(u32::MAX)) as u32);
        let limits = Self {
            time,
            nodes: nodes.or(playouts),
            depth,
        };
        Ok(if limits == Self::default() {
            default
        } else {
            limits
        })
    }

    /// The options that [`PlayerLimits::read`] reads: `ms=50,depth=4`; `nodes` under the name
    /// that the player gives it.
    ///
    /// ```
    /// use players::PlayerLimits;
    ///
    /// let limits = PlayerLimits { nodes: Some(1000), depth: Some(4), ..PlayerLimits::of_time(50) };
    /// assert_eq!(limits.text("playouts"), "ms=50,playouts=1000,depth=4");
    /// ```
    #[must_use]
    pub fn text(&self, nodes: &str) -> String {
        let time = self.time.map(|t| format!("ms={}", t.as_millis()));
        let nodes = self.nodes.map(|n| format!("{nodes}={n}"));
        let depth = self.depth.map(|n| format!("depth={n}"));
        let all: Vec<String> = [time, nodes, depth].into_iter().flatten().collect();
        all.join(",")
    }
}

/// Counts the positions of one search and decides when to stop.
///
/// Reading the clock costs as much as a few positions, so it is read about every tenth of a
/// millisecond.
///
/// ```
/// use players::{Clock, NullObserver, PlayerLimits};
///
/// let mut clock = Clock::start(PlayerLimits { nodes: Some(10), ..PlayerLimits::default() });
/// assert!(clock.goes_on::<u16>(9, &mut NullObserver));
/// assert!(!clock.goes_on::<u16>(1, &mut NullObserver));
/// assert!(clock.is_stopped());
/// ```
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    limits: PlayerLimits,
    nodes: u64,
    next_look: u64,
    stride: u64,
    stopped: bool,
}

impl Clock {
    /// Starts now.
    ///
    /// ```
    /// use players::{Clock, PlayerLimits};
    ///
    /// let clock = Clock::start(PlayerLimits::of_time(50));
    /// assert_eq!((clock.nodes(), clock.is_stopped()), (0, false));
    /// ```
    #[must_use]
    pub fn start(limits: PlayerLimits) -> Self {
        Self {
            started: Instant::now(),
            limits,
            nodes: 0,
            next_look: 1,
            stride: 1,
            stopped: false,
        }
    }

    /// Counts further positions; returns whether to go on.
    ///
    /// ```
    /// use players::{Clock, PlayerLimits};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let is_stopped = AtomicBool::new(true);
    /// let mut clock = Clock::start(PlayerLimits::default());
    /// assert!(!clock.goes_on::<u16>(1, &mut &is_stopped)); // the observer says so
    /// ```
    #[inline]
    pub fn goes_on<M>(&mut self, positions: u64, observer: &mut dyn SearchObserver<M>) -> bool {
        self.nodes += positions;
        if self.nodes >= self.next_look {
            self.look(observer);
        }
        !self.stopped
    }

    #[cold]
    fn look<M>(&mut self, observer: &mut dyn SearchObserver<M>) {
        let spent = self.started.elapsed();
        let is_late = self.limits.time.is_some_and(|time| spent >= time);
        let is_enough = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        self.stopped |= is_late || is_enough || !observer.goes_on();
        let rate = self.nodes as f64 / spent.as_secs_f64().max(1e-6);
        self.stride = ((rate * 1e-4) as u64).clamp(1, self.stride.saturating_mul(2));
        self.next_look = self.nodes + self.stride;
        if let Some(most) = self.limits.nodes {
            self.next_look = self.next_look.min(most.max(self.nodes + 1));
        }
    }

    /// Whether it has stopped the search.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Positions counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long ago it was started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

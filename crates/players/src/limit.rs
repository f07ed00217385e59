//! Limits on time, nodes and depth of a search.

use crate::{Clock, PlayerError, PlayerSpec, SearchObserver};
use std::time::Duration;

/// A limit on the time of one move, and the clock that measures it. Two are equal if they are
/// equally long.
#[derive(Clone, Debug)]
pub struct TimeLimit {
    /// How long a player may think.
    pub duration: Duration,
    /// What measures it.
    pub clock: Clock,
}

impl PartialEq for TimeLimit {
    fn eq(&self, other: &Self) -> bool {
        self.duration == other.duration
    }
}

impl Eq for TimeLimit {}

/// A player's own limits for one move. The first that is reached ends the search; without any,
/// it ends when it is complete or the observer stops it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerLimits {
    /// Time by a clock.
    pub time: Option<TimeLimit>,
    /// Positions searched; playouts, for players that play games to their end.
    pub nodes: Option<u64>,
    /// Turns ahead.
    pub depth: Option<u32>,
}

impl PlayerLimits {
    /// A time limit alone.
    ///
    /// ```
    /// use players::{Clock, PlayerLimits};
    ///
    /// let limits = PlayerLimits::of_time(50, &Clock::system());
    /// assert_eq!((limits.time.unwrap().duration.as_millis(), limits.nodes), (50, None));
    /// ```
    #[must_use]
    pub fn of_time(milliseconds: u64, clock: &Clock) -> Self {
        Self {
            time: Some(TimeLimit {
                duration: Duration::from_millis(milliseconds),
                clock: clock.clone(),
            }),
            ..Self::default()
        }
    }

    /// Takes `ms`, `depth` and one of `nodes` and `playouts` out of a player's options;
    /// `default` if there are none of them. Time is measured by the clock of the options.
    ///
    /// # Errors
    /// A value is no number above 0.
    ///
    /// ```
    /// use players::{Clock, PlayerLimits, PlayerSpec};
    ///
    /// let clock = Clock::system();
    /// let default = PlayerLimits::of_time(50, &clock);
    /// let mut spec = PlayerSpec::new("mcts:playouts=1000,c=0.5", &clock);
    /// assert_eq!(PlayerLimits::read(&mut spec, default.clone())?.nodes, Some(1000));
    /// let mut spec = PlayerSpec::new("mcts", &clock);
    /// assert_eq!(PlayerLimits::read(&mut spec, default.clone())?, default);
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    pub fn read(spec: &mut PlayerSpec<'_>, default: Self) -> Result<Self, PlayerError> {
        let milliseconds = spec.number("ms")?;
        let nodes = spec.number("nodes")?;
        let playouts = spec.number("playouts")?;
        let depth = spec
            .number("depth")?
            .map(|n| n.min(u64::from(u32::MAX)) as u32);
        let limits = Self {
            time: milliseconds.and_then(|ms| Self::of_time(ms, spec.clock()).time),
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
    /// use players::{Clock, PlayerLimits};
    ///
    /// let time = PlayerLimits::of_time(50, &Clock::system());
    /// let limits = PlayerLimits { nodes: Some(1000), depth: Some(4), ..time };
    /// assert_eq!(limits.text("playouts"), "ms=50,playouts=1000,depth=4");
    /// ```
    #[must_use]
    pub fn text(&self, nodes: &str) -> String {
        let time = self.time.as_ref();
        let time = time.map(|limit| format!("ms={}", limit.duration.as_millis()));
        let nodes = self.nodes.map(|n| format!("{nodes}={n}"));
        let depth = self.depth.map(|n| format!("depth={n}"));
        let all: Vec<String> = [time, nodes, depth].into_iter().flatten().collect();
        all.join(",")
    }
}

/// Counts the positions of one search and decides when to stop.
///
/// Reading a clock costs as much as a few positions, so it is read about every tenth of a
/// millisecond; without a time limit the observer is asked every sixteen positions.
///
/// ```
/// use players::{NullObserver, PlayerLimits, SearchBudget};
///
/// let ten = PlayerLimits { nodes: Some(10), ..PlayerLimits::default() };
/// let mut budget = SearchBudget::start(&ten);
/// assert!(budget.goes_on::<u16>(9, &mut NullObserver));
/// assert!(!budget.goes_on::<u16>(1, &mut NullObserver));
/// assert!(budget.is_stopped());
/// ```
#[derive(Debug)]
pub struct SearchBudget {
    /// The time limit, and when its clock showed the start.
    time: Option<(TimeLimit, Duration)>,
    max_nodes: Option<u64>,
    nodes: u64,
    next_check: u64,
    stride: u64,
    stopped: bool,
}

/// How often, in positions, the observer is asked where no clock is read.
const STRIDE_WITHOUT_CLOCK: u64 = 16;

/// How rarely, in positions, at most: a clock may stand still.
const MAX_STRIDE: u64 = 1 << 14;

impl SearchBudget {
    /// Starts now.
    ///
    /// ```
    /// use players::{Clock, PlayerLimits, SearchBudget};
    ///
    /// let budget = SearchBudget::start(&PlayerLimits::of_time(50, &Clock::system()));
    /// assert_eq!((budget.nodes(), budget.is_stopped()), (0, false));
    /// ```
    #[must_use]
    pub fn start(limits: &PlayerLimits) -> Self {
        let time = limits.time.as_ref();
        Self {
            time: time.map(|limit| (limit.clone(), limit.clock.now())),
            max_nodes: limits.nodes,
            nodes: 0,
            next_check: 1,
            stride: 1,
            stopped: false,
        }
    }

    /// Counts further positions; returns whether to go on.
    ///
    /// ```
    /// use players::{PlayerLimits, SearchBudget};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let is_stopped = AtomicBool::new(true);
    /// let mut budget = SearchBudget::start(&PlayerLimits::default());
    /// assert!(!budget.goes_on::<u16>(1, &mut &is_stopped)); // the observer says so
    /// ```
    #[inline]
    pub fn goes_on<M>(&mut self, positions: u64, observer: &mut dyn SearchObserver<M>) -> bool {
        self.nodes += positions;
        if self.nodes >= self.next_check {
            self.check(observer);
        }
        !self.stopped
    }

    #[cold]
    fn check<M>(&mut self, observer: &mut dyn SearchObserver<M>) {
        match &self.time {
            None => self.stride = STRIDE_WITHOUT_CLOCK,
            Some((limit, started)) => {
                let spent = limit.clock.now().saturating_sub(*started);
                self.stopped |= spent >= limit.duration;
                let rate = self.nodes as f64 / spent.as_secs_f64().max(1e-6);
                self.stride = ((rate * 1e-4) as u64).clamp(1, (self.stride * 2).min(MAX_STRIDE));
            }
        }
        let is_enough = self.max_nodes.is_some_and(|most| self.nodes >= most);
        self.stopped |= is_enough || !observer.goes_on();
        self.next_check = self.nodes + self.stride;
        if let Some(most) = self.max_nodes {
            self.next_check = self.next_check.min(most.max(self.nodes + 1));
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

    /// What is left of the time limit, where there is one.
    ///
    /// ```
    /// use players::{Clock, PlayerLimits, SearchBudget};
    ///
    /// let limits = PlayerLimits::of_time(50, &Clock::stopped());
    /// assert_eq!(SearchBudget::start(&limits).time_left(), limits.time);
    /// ```
    #[must_use]
    pub fn time_left(&self) -> Option<TimeLimit> {
        self.time.as_ref().map(|(limit, started)| {
            let spent = limit.clock.now().saturating_sub(*started);
            TimeLimit {
                duration: limit.duration.saturating_sub(spent),
                clock: limit.clock.clone(),
            }
        })
    }
}

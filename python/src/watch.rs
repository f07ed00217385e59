//! What Rust asks of Python while it works: whether a signal came, and who wants to know how far
//! the work is. Own method: Python is attached to at most twenty times a second.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Time between two questions.
const INTERVAL: Duration = Duration::from_millis(50);

/// Looks after signals and progress on a thread that is detached from Python.
pub(crate) struct SignalWatch {
    asked: Instant,
    progress: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl SignalWatch {
    /// `progress` is called with what `tell` of [`SignalWatch::goes_on`] says.
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self {
            asked: Instant::now(),
            progress,
            raised: None,
        }
    }

    /// `progress` is what Python calls by that name, and `total` how much there is to do, where that is
    /// known.
    pub(crate) fn of<'py>(
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
        total: impl IntoPyObject<'py>,
    ) -> PyResult<Self> {
        let Some(progress) = progress else {
            return Ok(Self::new(None));
        };
        let adapt = py.import("gridpaper._progress")?.getattr("function")?;
        Ok(Self::new(adapt.call1((progress, total))?.extract()?))
    }

    /// Whether anybody is told.
    pub(crate) fn is_told(&self) -> bool {
        self.progress.is_some()
    }

    /// Whether to go on; false once a signal's handler or the progress function has raised.
    pub(crate) fn goes_on<T>(&mut self, tell: impl FnOnce() -> T) -> bool
    where
        T: for<'py> IntoPyObject<'py>,
    {
        if self.raised.is_some() {
            return false;
        }
        if self.asked.elapsed() < INTERVAL {
            return true;
        }
        self.tell(tell());
        self.asked = Instant::now();
        self.raised.is_none()
    }

    /// Tells the progress function, whatever the time.
    pub(crate) fn tell<T>(&mut self, done: T)
    where
        T: for<'py> IntoPyObject<'py>,
    {
        let answered = Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.bind(py).call1((done,))?;
            }
            Ok(())
        });
        self.raised = answered.err();
    }

    /// What was raised meanwhile.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}

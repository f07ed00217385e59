//! The way to an engine that is compiled in or not: `gpu`, whose crate stands above this one.

use crate::{UnsupportedError, World};
use rule::Rule;
use std::sync::OnceLock;

/// Opens an empty world of a rule on a device, in so many bytes.
pub type GpuWorldMaker = fn(&Rule, u64) -> Result<Box<dyn World>, UnsupportedError>;

static MAKER: OnceLock<GpuWorldMaker> = OnceLock::new();

/// Makes [`EngineChoice::Gpu`](crate::EngineChoice::Gpu) an engine of this process. The first
/// maker stays.
///
/// ```no_run
/// use engine::{EngineChoice, Options, UnsupportedError};
///
/// engine::register_gpu(|rule, _memory| {
///     Err(UnsupportedError { engine: "gpu", what: format!("{rule}: no device here") })
/// });
/// let (rule, nothing) = ("B3/S23:T64,64".parse()?, pattern::Pattern::default());
/// let refused = engine::open(EngineChoice::Gpu, &rule, &nothing, None, &Options::default());
/// assert!(refused.unwrap_err().to_string().ends_with("no device here"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register_gpu(maker: GpuWorldMaker) {
    MAKER.get_or_init(|| maker);
}

/// Whether this process has the engine `gpu`, with a device or without one.
#[must_use]
pub fn has_gpu() -> bool {
    MAKER.get().is_some()
}

pub(crate) fn open_on_gpu(rule: &Rule, memory: u64) -> Result<Box<dyn World>, UnsupportedError> {
    let Some(maker) = MAKER.get() else {
        let what = format!("{rule}: this program was built without it, by its feature `gpu`");
        return Err(UnsupportedError {
            engine: "gpu",
            what,
        });
    };
    maker(rule, memory)
}

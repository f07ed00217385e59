//! The strictness of a sandbox and its resource limits.

#[cfg(target_os = "linux")]
use crate::{Layer, LayerState};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// Which layers have to be active.
///
/// ```
/// use cage::CageMode;
///
/// assert_eq!("strict".parse(), Ok(CageMode::Strict));
/// assert_eq!(CageMode::default(), CageMode::Best);
/// assert!("loose".parse::<CageMode>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CageMode {
    /// Every layer, or the program is not started.
    Strict,
    /// As many layers as this machine has; the report lists the missing ones. One of the two
    /// that keep a program from inspecting other processes (ptrace(2), process_vm_readv(2)) has
    /// to be active, or the program is not started.
    #[default]
    Best,
    /// No layer except the supervisor, which only cleans up. A program that kills its
    /// supervisor can leave processes behind.
    Off,
}

#[cfg(target_os = "linux")]
impl CageMode {
    /// The missing layer for which a program is not started in this mode, and why it is
    /// missing.
    pub(crate) fn lacking(self, states: &[(Layer, LayerState)]) -> Option<(Layer, String)> {
        let mut missing = states.iter().filter_map(|(layer, state)| match state {
            LayerState::Missing(why) => Some((*layer, why.clone())),
            _ => None,
        });
        match self {
            Self::Strict => missing.next(),
            // landlock refuses to trace processes outside its domain (Linux, landlock(7),
            // "Ptrace restrictions"), the seccomp filter refuses to trace at all
            Self::Best => {
                let holds = |&(layer, ref state): &(Layer, LayerState)| {
                    matches!(layer, Layer::Files | Layer::Calls) && *state == LayerState::Holds
                };
                let is_untraceable = states.iter().any(holds);
                missing.find(|(layer, _)| *layer == Layer::Calls && !is_untraceable)
            }
            Self::Off => None,
        }
    }
}

impl FromStr for CageMode {
    type Err = CageModeError;

    fn from_str(text: &str) -> Result<Self, CageModeError> {
        match text {
            "strict" => Ok(Self::Strict),
            "best" => Ok(Self::Best),
            "off" => Ok(Self::Off),
            _ => Err(CageModeError(text.into())),
        }
    }
}

impl fmt::Display for CageMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Strict => "strict",
            Self::Best => "best",
            Self::Off => "off",
        })
    }
}

/// The text is not a mode.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no cage: take strict, best or off")]
pub struct CageModeError(String);

/// Resource limits. Each is per process, except `processes`.
///
/// ```
/// use cage::ResourceLimits;
///
/// let limits = ResourceLimits { memory: 1 << 30, ..ResourceLimits::default() };
/// assert_eq!((limits.processes, limits.files), (1, 256));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Address space in bytes.
    pub memory: u64,
    /// Total CPU time; `None` is no limit.
    pub cpu: Option<Duration>,
    /// Number of processes at a time, its own included. At 1 it cannot start another and goes
    /// on; above, it is ended when it exceeds the limit. Threads do not count; each process may
    /// have 1024 of them where the supervisor is notified of new ones.
    pub processes: u32,
    /// Largest file that it may write, in bytes.
    pub file_size: u64,
    /// Number of open files.
    pub files: u32,
}

impl Default for ResourceLimits {
    /// 4 GiB, no limit of time, one process, files of at most 16 MiB, 256 of them open.
    fn default() -> Self {
        Self {
            memory: 4 << 30,
            cpu: None,
            processes: 1,
            file_size: 16 << 20,
            files: 256,
        }
    }
}

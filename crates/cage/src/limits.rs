//! How strict a cage is, and how much a program may use in it.

#[cfg(target_os = "linux")]
use crate::{Layer, LayerState};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// How much of the cage there has to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CageMode {
    /// Every layer, or the program is not started.
    Strict,
    /// As many layers as this machine has; the report tells which are missing. One of the two
    /// that keep a program from looking into others (ptrace(2), process_vm_readv(2)) has to be
    /// there, or the program is not started.
    #[default]
    Best,
    /// No layer but the warden, which only cleans up. A program that ends its warden can leave
    /// processes behind.
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
            // landlock refuses to trace what is outside of it (Linux, landlock(7), "Ptrace
            // restrictions"), the filter of calls refuses to trace at all
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

/// A word that is no mode.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no cage: take strict, best or off")]
pub struct CageModeError(String);

/// How much a program may use. Each is a limit for one process, except `processes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Address space in bytes.
    pub memory: u64,
    /// Time on a processor, all in all; `None` is no limit.
    pub cpu: Option<Duration>,
    /// How many processes there may be of it at a time, itself counted. At 1 it cannot start
    /// another and goes on; at more it is ended when it wants more than that. Threads are no processes; each may have 1024, where the warden hears of them.
    pub processes: u32,
    /// The longest file it may write, in bytes.
    pub file_size: u64,
    /// How many files it may have open.
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

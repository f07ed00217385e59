//! Bounded grids on a graphics processor: a rule's circuit printed as a compute shader.
//!
//! | file | what it holds |
//! |---|---|
//! | `padded_planes` | the cells as bit planes with a margin, as shaders and this side see them |
//! | `margin` | which cell of the grid each cell of the margin is, in every topology |
//! | `step_shader` | a circuit as WGSL; the shader that fills margins |
//! | `rule_space` | the same soup under many rules, on the processor |
//! | `rule_space_shader` | the same on a device (feature `device`) |
//! | `device` (feature `device`) | finding a device, and what to tell a user where there is none |
//! | `gpu_world` (feature `device`) | the engine `gpu`: a world whose cells live on the device |
//!
//! Shaders are text, so most of this needs no device, and tests hold the text against the
//! validator of naga. WGSL is the W3C's "WebGPU Shading Language"; 32 cells stand in a word, and
//! a thread steps one word of some rows, as bit-sliced programs do on processors.
#![forbid(unsafe_code)]

#[cfg(feature = "device")]
mod device;
#[cfg(feature = "device")]
mod gpu_world;
mod margin;
mod padded_planes;
mod rule_space;
mod rule_space_shader;
mod step_shader;

#[cfg(feature = "device")]
pub use device::{GpuDevice, GpuError};
#[cfg(feature = "device")]
pub use gpu_world::{GpuWorld, open_world};
pub use margin::{MarginCells, MarginSource, MarginWord};
pub use padded_planes::{GridLayout, PaddedPlanes};
pub use rule_space::{SOUP_SIDE, SoupCounts, SoupRows, SpaceRule, run_soup};
pub use rule_space_shader::rule_space_shader;
#[cfg(feature = "device")]
pub use rule_space_shader::run_soups_on_device;
pub use step_shader::{RuleShaders, ShaderError, ShaderProgram, margin_shader};

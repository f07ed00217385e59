//! Shaders against naga's validator, which needs no device; worlds on a device against the oracle.

#[cfg(feature = "device")]
mod device;
mod shader;

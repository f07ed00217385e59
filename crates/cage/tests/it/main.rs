//! Programs in cages, good ones and bad ones.

#[cfg(target_os = "linux")]
mod abuse;
#[cfg(target_os = "linux")]
mod ending;
#[cfg(target_os = "linux")]
mod ordinary;
#[cfg(target_os = "linux")]
mod prison;

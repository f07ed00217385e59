//! Programs in cages, good ones and bad ones.

#[cfg(target_os = "linux")]
mod abuse;
#[cfg(target_os = "linux")]
mod ending;
#[cfg(target_os = "linux")]
mod harness;
#[cfg(target_os = "linux")]
mod ordinary_programs;
#[cfg(target_os = "linux")]
mod trace;

#[cfg(not(target_os = "linux"))]
#[test]
fn programs_are_put_into_cages() {
    let why = "cages are for Linux, and their tests too";
    prerequisite::missing(prerequisite::Prerequisite::Cage, why);
}

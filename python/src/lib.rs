//! Gridpaper's libraries as the Python module `gridpaper._core`, which the package `gridpaper` (in
//! the folder beside this one) shows to people: their types and sentences are in `_core.pyi`.
//!
//! The decision that shapes it: every class is frozen and holds what changes behind a lock, and
//! the lock is waited for only while detached from Python. So all work lets other threads of
//! Python run, and two threads that share a world wait for each other and for nothing else. A
//! method that takes the world `&mut` lost: two threads get an exception from it then. Arrays are
//! made by numpy over memory that Rust has filled, so numpy is no dependency of the build, and
//! imported when an array is wanted. Own method; the seam is pyo3's.
#![forbid(unsafe_code)]

mod algebra;
mod cell_list;
mod census;
mod census_plan;
mod encoding;
mod error;
mod guard;
mod identification;
mod laser;
mod library;
mod match_play;
mod part_file;
mod part_state;
mod pattern;
mod picture;
mod position;
mod rule;
mod search;
mod search_plan;
mod vector_position;
mod watch;
mod window;
mod world;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<world::PyWorld>()?;
    module.add_class::<pattern::PyPattern>()?;
    module.add_class::<rule::PyRule>()?;
    module.add_class::<identification::PyIdentification>()?;
    module.add_class::<library::PyEntry>()?;
    module.add_class::<census::PyCensus>()?;
    module.add_class::<census_plan::PyCensusPlan>()?;
    module.add_class::<search_plan::PySearchPlan>()?;
    module.add_class::<part_file::PyPartFile>()?;
    module.add_class::<search::PyQuestion>()?;
    module.add_class::<laser::PyBoard>()?;
    module.add_class::<laser::PySolverAnswer>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<position::PyPlayer>()?;
    module.add_class::<position::PyThought>()?;
    module.add_class::<vector_position::PyVectorPosition>()?;
    module.add_class::<match_play::PyMatchResult>()?;
    module.add_function(wrap_pyfunction!(library::library_entries, module)?)?;
    module.add_function(wrap_pyfunction!(library::library_search, module)?)?;
    module.add_function(wrap_pyfunction!(library::library_find, module)?)?;
    module.add_function(wrap_pyfunction!(library::soup, module)?)?;
    module.add_function(wrap_pyfunction!(pattern::restore_pattern, module)?)?;
    module.add_function(wrap_pyfunction!(world::restore_world, module)?)?;
    module.add_function(wrap_pyfunction!(position::restore_position, module)?)?;
    module.add_function(wrap_pyfunction!(position::games_known, module)?)?;
    module.add_function(wrap_pyfunction!(position::players_of, module)?)?;
    module.add_function(wrap_pyfunction!(match_play::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(cell_list::cell_list_moved, module)?)?;
    module.add_function(wrap_pyfunction!(census::count_soups, module)?)?;
    module.add_function(wrap_pyfunction!(census::restore_census, module)?)?;
    module.add_function(wrap_pyfunction!(census::object_name, module)?)?;
    module.add_function(wrap_pyfunction!(census_plan::restore_census_plan, module)?)?;
    module.add_function(wrap_pyfunction!(search_plan::restore_search_plan, module)?)?;
    module.add_function(wrap_pyfunction!(part_file::merge_parts, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_still, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_osc, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_ship, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_predecessor, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_orphan, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_agar, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_fill, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_verify, module)?)?;
    module.add_function(wrap_pyfunction!(laser::laser_levels, module)?)?;
    module.add_function(wrap_pyfunction!(laser::laser_level, module)?)?;
    module.add_function(wrap_pyfunction!(laser::laser_generate, module)?)?;
    Ok(())
}

//! What every reader is held to.

use pattern::{Format, Pattern, losses, read_as, write};

/// Reads; what could be read is written in the formats that hold any cells, and must come
/// back the same.
pub(crate) fn reader(bytes: &[u8], format: Format) {
    let Ok(pattern) = read_as(bytes, format) else {
        return;
    };
    let _ = (
        pattern.cells.bounds(),
        pattern.cells.max_state(),
        pattern.cells.hash(),
    );
    again(&pattern, Format::Macrocell);
    // A tree of a few nodes can have more runs than anybody could write.
    if pattern.cells.as_tree().is_none() || pattern.cells.population() < 100_000u32.into() {
        again(&pattern, Format::Rle);
    }
}

fn again(pattern: &Pattern, format: Format) {
    if losses(pattern, format)
        .iter()
        .any(|loss| loss.is_of_cells())
    {
        return;
    }
    let mut bytes = Vec::new();
    write(pattern, format, &mut bytes).expect("memory takes everything");
    let again = read_as(&bytes, format).expect("what is written can be read");
    assert_eq!(again.cells, pattern.cells);
    assert_eq!(again.generation, pattern.generation);
}

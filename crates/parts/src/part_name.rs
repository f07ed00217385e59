//! The names of parts. Own method.

use crate::{UnitSet, UnitShard};

/// The longest name of a part with the units in it.
const MAX_NAME: usize = 60;

/// A part's name says which units it has, so that two processes with different shares never write
/// the same file.
///
/// ```
/// let (shard, units) = ("2/3".parse()?, "17,40-43".parse()?);
/// assert_eq!(parts::part_name(shard, None), "2-of-3.gpart");
/// assert_eq!(parts::part_name(parts::UnitShard::WHOLE, Some(&units)), "units-17,40-43.gpart");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn part_name(shard: UnitShard, units: Option<&UnitSet>) -> String {
    let shards = shard.to_string().replace('/', "-of-");
    let Some(units) = units else {
        return format!("{shards}.gpart");
    };
    let words = units.to_string();
    let words = match words.len() <= MAX_NAME {
        true => words,
        false => {
            let hash = words
                .bytes()
                .fold(0, |hash: u64, byte| dice::mix(hash ^ u64::from(byte)));
            let first = units.runs().first().map_or(0, |run| run.0);
            let last = units.runs().last().map_or(0, |run| run.1);
            format!("{first}-to-{last}-{hash:016x}")
        }
    };
    match shard == UnitShard::WHOLE {
        true => format!("units-{words}.gpart"),
        false => format!("{shards}-units-{words}.gpart"),
    }
}

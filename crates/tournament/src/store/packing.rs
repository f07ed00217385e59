//! Compact encoding of turns and times in the store.

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use matches::{Fault, RecordedTurn};
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use std::io::{Read, Write};
use std::time::Duration;
use thiserror::Error;

/// Why a stored game cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StoredGameError {
    /// Its moves cannot be unpacked.
    #[error("its moves cannot be unpacked")]
    Moves,
    /// Its times are truncated, or too many.
    #[error("its times do not fit its moves")]
    Times,
    /// Its result is none.
    #[error("its result is none")]
    Outcome,
    /// A fault is of an unknown kind.
    #[error("its verdict is of an unknown kind")]
    Verdict,
    /// A bot's properties cannot be read.
    #[error("what a bot told of itself cannot be read")]
    About,
    /// A player is unknown, or the same in both seats.
    #[error("its players are not two of this tournament's")]
    Players,
}

/// Encoded moves: text, or deflated text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PackedMoves {
    Text(String),
    Deflated(Vec<u8>),
}

impl PackedMoves {
    pub(super) fn pack(turns: &[RecordedTurn]) -> Self {
        let mut text = String::with_capacity(turns.len() * 8);
        for (i, turn) in turns.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            text.push_str(&turn.text);
        }
        if text.len() < WORTHWHILE {
            return Self::Text(text);
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
        let deflated = encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish());
        match deflated {
            Ok(bytes) if bytes.len() < text.len() => Self::Deflated(bytes),
            _ => Self::Text(text),
        }
    }

    /// The turns, each as text.
    pub(super) fn unpack(value: ValueRef<'_>) -> Result<Vec<String>, StoredGameError> {
        let text = match value {
            ValueRef::Text(text) => {
                String::from_utf8(text.into()).map_err(|_| StoredGameError::Moves)?
            }
            ValueRef::Blob(bytes) => {
                let mut text = String::new();
                let mut decoder = DeflateDecoder::new(bytes).take(MOST);
                decoder
                    .read_to_string(&mut text)
                    .map_err(|_| StoredGameError::Moves)?;
                text
            }
            _ => return Err(StoredGameError::Moves),
        };
        Ok(words(&text))
    }
}

/// Shorter texts are stored uncompressed, so that any tool can read them.
const WORTHWHILE: usize = 120;

/// The deflate level. On full duels level 6 saves a sixth of the bytes, and takes three to nine
/// times as long.
const LEVEL: u32 = 3;

/// Maximum length of unpacked moves; protects against decompression bombs.
const MOST: u64 = 64 << 20;

/// Splits at single blanks.
pub(super) fn words(text: &str) -> Vec<String> {
    match text {
        "" => Vec::new(),
        _ => text.split(' ').map(String::from).collect(),
    }
}

impl ToSql for PackedMoves {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Text(text) => ToSqlOutput::Borrowed(text.as_str().into()),
            Self::Deflated(bytes) => ToSqlOutput::Owned(Value::Blob(bytes.clone())),
        })
    }
}

/// Encodes times in turn order, the first seat's before the second's; empty if none was timed.
pub(super) fn pack_times(turns: &[RecordedTurn]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if turns.iter().all(|turn| turn.spent == [None; 2]) {
        return bytes;
    }
    for spent in turns.iter().flat_map(|turn| turn.spent) {
        let mut number = spent.map_or(0, |spent| {
            u64::try_from(spent.as_micros()).map_or(u64::MAX, |n| n.saturating_add(1))
        });
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes
}

/// Decodes [`pack_times`], in whole microseconds, two per turn.
pub(super) fn unpack_times(
    bytes: &[u8],
    turns: usize,
) -> Result<Vec<[Option<Duration>; 2]>, StoredGameError> {
    // each time has a byte at least: a wild number of turns is found before it takes memory
    if !bytes.is_empty() && turns.saturating_mul(2) > bytes.len() {
        return Err(StoredGameError::Times);
    }
    let mut times = vec![[None; 2]; turns];
    if bytes.is_empty() {
        return Ok(times);
    }
    let mut rest = bytes.iter();
    for spent in times.iter_mut().flatten() {
        let (mut number, mut shift) = (0u64, 0);
        loop {
            let &byte = rest.next().ok_or(StoredGameError::Times)?;
            if shift > 63 {
                return Err(StoredGameError::Times);
            }
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        *spent = number.checked_sub(1).map(Duration::from_micros);
    }
    match rest.next() {
        None => Ok(times),
        Some(_) => Err(StoredGameError::Times),
    }
}

/// A fault's details in the columns that all kinds share.
pub(super) fn fault_columns(fault: &Fault) -> (Option<&str>, Option<&str>, Option<i64>) {
    match fault {
        Fault::NotStarted(why) | Fault::Crashed(why) | Fault::Caged(why) => (Some(why), None, None),
        Fault::Late { limit } => (None, None, Some(limit.as_micros() as i64)),
        Fault::Closed | Fault::Deaf => (None, None, None),
        Fault::Flood { bytes } => (None, None, Some(*bytes as i64)),
        Fault::Malformed { line, problem } => (Some(line), Some(problem), None),
        Fault::Illegal { text, problem } => (Some(text), Some(problem), None),
    }
}

/// Rebuilds a fault from its kind and columns.
pub(super) fn fault_from_columns(
    kind: &str,
    detail: Option<String>,
    problem: Option<String>,
    number: Option<i64>,
) -> Result<Fault, StoredGameError> {
    Ok(match (kind, detail, problem, number) {
        ("not-started", Some(why), None, None) => Fault::NotStarted(why),
        ("crashed", Some(how), None, None) => Fault::Crashed(how),
        ("caged", Some(why), None, None) => Fault::Caged(why),
        ("late", None, None, Some(limit)) => Fault::Late {
            limit: Duration::from_micros(limit as u64),
        },
        ("closed", None, None, None) => Fault::Closed,
        ("deaf", None, None, None) => Fault::Deaf,
        ("flood", None, None, Some(bytes)) => Fault::Flood {
            bytes: bytes as u64,
        },
        ("malformed", Some(line), Some(problem), None) => Fault::Malformed { line, problem },
        ("illegal", Some(text), Some(problem), None) => Fault::Illegal { text, problem },
        _ => return Err(StoredGameError::Verdict),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    fn turn(text: &str, spent: [Option<u64>; 2]) -> RecordedTurn {
        RecordedTurn {
            text: text.into(),
            spent: spent.map(|n| n.map(Duration::from_micros)),
        }
    }

    fn value(moves: &PackedMoves) -> Value {
        match moves {
            PackedMoves::Text(text) => Value::Text(text.clone()),
            PackedMoves::Deflated(bytes) => Value::Blob(bytes.clone()),
        }
    }

    #[test]
    fn moves_come_back() {
        let mut dice = Dice::new(3);
        for turns in [0, 1, 2, 9, 60, 200, 1000] {
            let turns: Vec<_> = (0..turns)
                .map(|_| {
                    turn(
                        &format!("{:08b}/{:08b}", dice.below(256), dice.below(256)),
                        [None; 2],
                    )
                })
                .collect();
            let packed = PackedMoves::pack(&turns);
            let length = turns.len() * 18;
            match &packed {
                PackedMoves::Text(_) => assert!(length < 2 * WORTHWHILE),
                PackedMoves::Deflated(bytes) => {
                    assert!(bytes.len() < length / 2, "{}", bytes.len())
                }
            }
            let back = PackedMoves::unpack((&value(&packed)).into()).unwrap();
            assert!(back.iter().eq(turns.iter().map(|turn| &turn.text)));
        }
    }

    #[test]
    fn broken_moves_are_refused() {
        for value in [Value::Null, Value::Integer(3), Value::Blob(vec![7; 20])] {
            assert_eq!(
                PackedMoves::unpack((&value).into()),
                Err(StoredGameError::Moves)
            );
        }
    }

    #[test]
    fn times_come_back_to_the_microsecond() {
        let edges = [
            0,
            1,
            126,
            127,
            128,
            16_382,
            16_383,
            50_000,
            1 << 40,
            u64::MAX >> 11,
        ];
        let turns: Vec<_> = edges
            .into_iter()
            .flat_map(|n| {
                [
                    [Some(n), None],
                    [None, Some(n)],
                    [Some(n), Some(n)],
                    [None; 2],
                ]
            })
            .map(|spent| turn("a1", spent))
            .collect();
        let bytes = pack_times(&turns);
        let back = unpack_times(&bytes, turns.len()).unwrap();
        assert!(back.iter().eq(turns.iter().map(|turn| &turn.spent)));
        for wrong in [turns.len() - 1, turns.len() + 1] {
            assert_eq!(unpack_times(&bytes, wrong), Err(StoredGameError::Times));
        }
        assert_eq!(unpack_times(&[0xff; 40], 1), Err(StoredGameError::Times));
        assert_eq!(
            unpack_times(&[1; 40], usize::MAX),
            Err(StoredGameError::Times)
        );
        assert!(pack_times(&[turn("a1", [None; 2])]).is_empty());
        assert_eq!(unpack_times(&[], 2), Ok(vec![[None; 2]; 2]));
    }

    #[test]
    fn faults_come_back() {
        let word = || "cut `off`".to_string();
        let faults = [
            Fault::NotStarted(word()),
            Fault::Late {
                limit: Duration::from_micros(50_500),
            },
            Fault::Crashed(word()),
            Fault::Closed,
            Fault::Deaf,
            Fault::Flood { bytes: 1 << 40 },
            Fault::Malformed {
                line: word(),
                problem: String::new(),
            },
            Fault::Illegal {
                text: String::new(),
                problem: word(),
            },
            Fault::Caged(word()),
        ];
        for fault in faults {
            let (detail, problem, number) = fault_columns(&fault);
            let back = fault_from_columns(
                fault.kind(),
                detail.map(String::from),
                problem.map(String::from),
                number,
            );
            assert_eq!(back, Ok(fault));
        }
        assert_eq!(
            fault_from_columns("tired", None, None, None),
            Err(StoredGameError::Verdict)
        );
    }
}

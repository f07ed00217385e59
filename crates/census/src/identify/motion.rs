//! Speeds as the field writes them: `2c/4 = c/2`, `c/4 diagonal`, `(2,1)c/6`.

/// The speed of something that is moved by (`dx`, `dy`) in `period` generations: as counted, and
/// reduced where that is shorter.
///
/// ```
/// assert_eq!(census::speed_text(0, 2, 4), "2c/4 = c/2");
/// assert_eq!(census::speed_text(1, -1, 4), "c/4 diagonal");
/// assert_eq!(census::speed_text(2, 4, 12), "(4,2)c/12 = (2,1)c/6");
/// ```
#[must_use]
pub fn speed_text(dx: i64, dy: i64, period: u64) -> String {
    let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
    let (most, least) = (dx.max(dy), dx.min(dy));
    let common = greatest_divisor(greatest_divisor(most, least), period).max(1);
    let text = |common: u64| {
        let (most, least, period) = (most / common, least / common, period / common);
        let distance = match (most, least) {
            (1, 0 | 1) => String::new(),
            _ if least == 0 || least == most => most.to_string(),
            _ => format!("({most},{least})"),
        };
        match period {
            1 => format!("{distance}c"),
            _ => format!("{distance}c/{period}"),
        }
    };
    let kind = if most == least { " diagonal" } else { "" };
    match common {
        1 => format!("{}{kind}", text(1)),
        _ => format!("{} = {}{kind}", text(1), text(common)),
    }
}

/// Where something goes: one of the eight directions of the compass, or the vector.
///
/// ```
/// assert_eq!(census::direction_text(1, 1), "SE"); // y goes down
/// assert_eq!(census::direction_text(2, -1), "(2,-1)");
/// ```
#[must_use]
pub fn direction_text(dx: i64, dy: i64) -> String {
    if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return format!("({dx},{dy})");
    }
    let vertical = ["N", "", "S"][(dy.signum() + 1) as usize];
    let horizontal = ["W", "", "E"][(dx.signum() + 1) as usize];
    format!("{vertical}{horizontal}")
}

/// Euclid's algorithm; the other where one is 0.
pub(super) fn greatest_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => greatest_divisor(b, a % b),
    }
}

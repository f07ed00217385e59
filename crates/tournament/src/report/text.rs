//! Formatting of numbers, times and untrusted text.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

/// Escapes text for elements and attributes. Control characters and bidirectional controls
/// become a replacement character.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(sign),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            _ if sign.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(sign),
        }
    }
    escaped
}

/// Truncates a text to `most` characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most.max(1) - 1).chain(['…']).collect()
}

/// `8½`, `12`, `½`: from half points.
pub(super) fn points(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".into(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// A probability that is never shown as certain.
pub(super) fn percent(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent > 99.5 => "> 99 %".into(),
        percent if percent < 0.5 => "< 1 %".into(),
        percent => format!("{percent:.0} %"),
    }
}

/// `+35`, `−12`, `0`.
pub(super) fn signed(number: f64) -> String {
    match number.round() {
        0.0 => "0".into(),
        n if n < 0.0 => format!("−{:.0}", -n),
        n => format!("+{n:.0}"),
    }
}

/// `1 game`, `2 games`.
pub(super) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// `12 345`, with narrow blanks that do not break.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        // four digits are read at a glance
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// `812 µs`, `4.1 ms`, `50 ms`.
pub(super) fn time(time: Duration) -> String {
    let nanos = time.as_nanos() as f64;
    let (value, unit) = match nanos {
        ..1e3 => (nanos, "ns"),
        ..1e6 => (nanos / 1e3, "µs"),
        ..1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    let is_whole = value.fract() == 0.0 || value >= 9.95;
    format!("{value:.*}\u{202f}{unit}", usize::from(!is_whole))
}

/// `2026-11-21 14:55`, in universal time. Years of more than four digits are as long as
/// they are; what lies before 1970 is 1970.
pub(super) fn moment(moment: SystemTime) -> String {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.unwrap_or_default().as_secs();
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let mut text = String::new();
    let (month, day) = (month + 1, days + 1);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    // writing to a string cannot fail
    let _ = write!(text, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (1_795_272_900, "2026-11-21 14:55"),
            (4_107_542_399, "2100-02-28 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
            (1_798_761_599, "2026-12-31 23:59"),
            (1_798_761_600, "2027-01-01 00:00"),
        ] {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(moment(then), expected, "{seconds}");
        }
    }

    #[test]
    fn text_in_a_page_is_escaped() {
        let hostile = "<b a='\"'>&\u{202e}\u{1b}";
        let expected = "&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{fffd}\u{fffd}";
        assert_eq!(escape(hostile), expected);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 1, 2, 17].map(points), ["0", "½", "1", "8½"]);
        assert_eq!([-0.2, 12.4, -12.6].map(signed), ["0", "+12", "−13"]);
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        let micros = [0, 7, 812, 4100, 50_000, 1_000_000, 1_234_000];
        let times = micros.map(|n| time(Duration::from_micros(n)).replace('\u{202f}', " "));
        let expected = ["0 ns", "7 µs", "812 µs", "4.1 ms", "50 ms", "1 s", "1.2 s"];
        assert_eq!(times, expected);
    }
}

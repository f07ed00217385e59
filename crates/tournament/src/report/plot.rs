//! SVG plots. X coordinates are shares of the width, so that text keeps its size.

use super::text::{counted, cut, escape, signed, time};
use super::{RatingSnapshot, Report};
use plot::AxisScale;
use std::fmt::Write as _;
use std::time::Duration;

/// The colour and dash style of the player at this rank.
pub(super) fn style(place: usize) -> String {
    let dash = ["none", "7 3", "2 3", "9 3 2 3"][place / 8 % 4];
    format!("--c:var(--p{});--d:{dash}", place % 8)
}

/// A row: name, plot, and numbers.
fn row(name: &str, picture: &str, numbers: &str) -> String {
    format!(
        "<div class=plot-row><span class=who>{name}</span>\
         <svg class=track height=26 aria-hidden=true>{picture}</svg>\
         <span class=numbers>{numbers}</span></div>\n"
    )
}

fn lines(places: impl Iterator<Item = f64>, class: &str) -> String {
    places.fold(String::new(), |mut text, x| {
        let _ = write!(
            text,
            "<line class={class} x1={x:.2}% x2={x:.2}% y1=0 y2=100% />"
        );
        text
    })
}

/// The tick labels below the rows.
fn axis(labels: impl Iterator<Item = (f64, String)>) -> String {
    let labels = labels.fold(String::new(), |mut text, (x, label)| {
        let anchor = match x {
            ..4.0 => "start",
            96.0.. => "end",
            _ => "middle",
        };
        let _ = write!(
            text,
            "<text x={x:.2}% y=15 text-anchor={anchor}>{label}</text>"
        );
        text
    });
    row("", &labels, "")
}

/// Each player's rating with its interval.
pub(super) fn ratings(report: &Report) -> Option<String> {
    let rows = || {
        let rows = report.standings.rows.iter();
        rows.filter_map(|row| Some((row, row.rating?)))
    };
    let scale = AxisScale::over(rows().flat_map(|(_, r)| [r.elo - r.error, r.elo + r.error]))?;
    let scale = scale.reaching(10.0);
    let ticks = scale.ticks(6);
    let grid = lines(ticks.iter().map(|&t| scale.percent(t)), "rule");
    let mut text = String::from("<figure class=rows>\n");
    let mut group = None;
    for (row_of, rating) in rows() {
        if group.is_some_and(|group| group != row_of.group) {
            text += "<p class=soft>these have met nobody of those above</p>\n";
        }
        group = Some(row_of.group);
        let at = |x| scale.percent(x);
        let (low, high) = (at(rating.elo - rating.error), at(rating.elo + rating.error));
        let middle = at(rating.elo);
        let picture = format!(
            "{grid}<line class=whisker x1={low:.2}% x2={high:.2}% y1=13 y2=13 />\
             <line class=whisker x1={low:.2}% x2={low:.2}% y1=8 y2=18 />\
             <line class=whisker x1={high:.2}% x2={high:.2}% y1=8 y2=18 />\
             <circle class=dot cx={middle:.2}% cy=13 r=5 />"
        );
        let numbers = format!("{} ± {:.0}", signed(rating.elo), rating.error);
        let name = format!("{} <bdi>{}</bdi>", row_of.place, escape(&row_of.name));
        text += &row(&name, &picture, &numbers);
    }
    text += &axis(ticks.iter().map(|&t| (scale.percent(t), signed(t))));
    text += "<figcaption>Elo's scale, the mean of all is 0. The bars hold the truth in 95 of \
             100 tournaments.</figcaption></figure>\n";
    Some(text)
}

/// How long moves took, on a scale where each step is ten times the one before.
pub(super) fn times(report: &Report) -> Option<String> {
    let rows = || {
        let rows = report.standings.rows.iter();
        rows.filter_map(|row| Some((row, row.times?)))
    };
    // a microsecond is the least that is kept
    let log = |time: Duration| (time.as_secs_f64() * 1e6).max(1.0).log10();
    let limits = report.limits.into_iter().flatten();
    let shown = rows().flat_map(|(_, times)| times);
    rows().next()?;
    let scale = AxisScale::over(shown.chain(limits).map(log))?;
    let decades = scale.decades();
    let grid = lines(decades.clone().map(|d| scale.percent(d.into())), "rule");
    let mut bounds = String::new();
    if let Some([first, each]) = report.limits {
        bounds += &lines([scale.percent(log(each))].into_iter(), "limit");
        if first != each {
            bounds += &lines([scale.percent(log(first))].into_iter(), "\"limit first\"");
        }
    }
    let mut text = String::from("<figure class=rows>\n");
    for (row_of, spent) in rows() {
        let [a, b, c, d] = spent.map(|time| scale.percent(log(time)));
        let picture = format!(
            "{grid}{bounds}<line class=whisker x1={a:.2}% x2={c:.2}% y1=13 y2=13 />\
             <line class=thin x1={c:.2}% x2={d:.2}% y1=13 y2=13 />\
             <circle class=dot cx={a:.2}% cy=13 r=5 />\
             <line class=whisker x1={b:.2}% x2={b:.2}% y1=8 y2=18 />\
             <line class=whisker x1={c:.2}% x2={c:.2}% y1=8 y2=18 />\
             <circle class=ring cx={d:.2}% cy=13 r=3.5 />"
        );
        let [median, ninety, most, slowest] = spent.map(time);
        let numbers = format!("{median} · {ninety} · {most} · {slowest}");
        let name = format!("{} <bdi>{}</bdi>", row_of.place, escape(&row_of.name));
        text += &row(&name, &picture, &numbers);
    }
    let label = |d: i32| {
        let micros = 10f64.powi(d) as u64;
        (scale.percent(d.into()), time(Duration::from_micros(micros)))
    };
    text += &axis(decades.map(label));
    text += "<figcaption>The dot is the median, the strokes are what 90 and 99 of 100 moves \
             keep within, the ring is the slowest move; the numbers say the same.";
    if let Some([first, each]) = report.limits {
        let _ = write!(
            text,
            " The red line is how long a bot may think, {}",
            time(each)
        );
        if first != each {
            let _ = write!(
                text,
                "; the dashed one is for its first move, {}",
                time(first)
            );
        }
        text += ". Players of this program keep limits of their own.";
    }
    text += "</figcaption></figure>\n";
    Some(text)
}

/// Maximum number of players in the rating plot.
const MOST_LINES: usize = 12;
/// The height of that picture.
const HEIGHT: f64 = 280.0;
/// The least distance of two labels.
const LABEL: f64 = 17.0;

/// How live ratings went.
pub(super) fn rating_history(report: &Report) -> Option<String> {
    let rating_history = &report.rating_history;
    let (first, last) = (rating_history.first()?.pairs, rating_history.last()?.pairs);
    if rating_history.len() < 2 || first >= last {
        return None;
    }
    let rows: Vec<_> = report.standings.rows.iter().take(MOST_LINES).collect();
    let rating =
        |moment: &RatingSnapshot, player: usize| moment.ratings.get(player).copied().flatten();
    let all = rating_history.iter().flat_map(|moment| {
        let rows = rows.iter();
        rows.filter_map(|row| rating(moment, row.player))
    });
    let scale = AxisScale::over(all)?.reaching(10.0);
    let y = |value: f64| HEIGHT * (1.0 - scale.percent(value) / 100.0);
    let x = |pairs: u64| 1000.0 * (pairs - first) as f64 / (last - first) as f64;

    let (mut paths, mut labels) = (String::new(), Vec::new());
    for (place, row) in rows.iter().enumerate() {
        let mut path = String::new();
        let mut end = None;
        for moment in rating_history {
            if let Some(value) = rating(moment, row.player) {
                let sign = if path.is_empty() { 'M' } else { 'L' };
                let _ = write!(path, "{sign}{:.1} {:.1}", x(moment.pairs), y(value));
                end = Some(y(value));
            }
        }
        if let Some(end) = end {
            let style = style(place);
            let _ = write!(paths, "<path class=course style=\"{style}\" d=\"{path}\"/>");
            labels.push((end, place, row));
        }
    }
    // labels below each other, each as near to the end of its line as possible
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places: Vec<f64> = labels.iter().map(|label| label.0.max(8.0)).collect();
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + LABEL);
    }
    let mut lowest = HEIGHT - 4.0;
    for place in places.iter_mut().rev() {
        *place = place.min(lowest);
        lowest = *place - LABEL;
    }
    let mut names = String::new();
    for (at, (end, place, row)) in places.into_iter().zip(&labels) {
        let (style, name) = (style(*place), escape(&cut(&row.name, 20)));
        let _ = write!(
            names,
            "<g style=\"{style}\"><path class=course d=\"M0 {end:.1}L9 {at:.1}\"/>\
             <text x=13 y={:.1}>{}<tspan class=wide> {name}</tspan></text></g>",
            at + 4.0,
            row.place
        );
    }

    let mut grid = String::new();
    let mut left = String::new();
    for tick in scale.ticks(6) {
        let at = y(tick);
        let _ = write!(grid, "<path class=rule d=\"M0 {at:.1}H1000\"/>");
        let _ = write!(
            left,
            "<text x=38 y={:.1} text-anchor=end>{tick:.0}</text>",
            at + 4.0
        );
    }
    let more = match report.standings.rows.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!(" The {more} players below have no line."),
    };
    let (from, to) = (counted(first, "pair"), counted(last, "pair"));
    Some(format!(
        "<figure class=over><div class=course-row><svg class=axis width=42 height={HEIGHT} \
         aria-hidden=true>{left}</svg><svg class=field height={HEIGHT} viewBox=\"0 0 1000 {HEIGHT}\" \
         preserveAspectRatio=none role=img aria-label=\"ratings over the tournament\">{grid}{paths}\
         </svg><svg class=ends height={HEIGHT} aria-hidden=true>{names}</svg></div>\
         <p class=ends-of-axis><span>after {from}</span><span>after {to}</span></p>\
         <figcaption>Glicko-2, game by game in the order in which they were played: how the \
         tournament went, and not what it says in the end.{more}</figcaption></figure>\n"
    ))
}

//! The page.

use super::{CensusReport, ReportedObject, picture};
use crate::{LifespanHistogram, ObjectKind, RootedSoup};
use census::soup::hash_soup;
use census::{HashSoupSymmetry, object_name};
use std::fmt::Write as _;

/// Writes a report as one page. All texts of the store are escaped.
///
/// ```
/// use batch::{CensusStore, report};
///
/// let store = CensusStore::in_memory()?;
/// let page = report::html(&report::CensusReport::from_store(&store)?);
/// assert!(page.starts_with("<!doctype html>") && !page.contains("<script"));
/// # Ok::<(), batch::CensusStoreError>(())
/// ```
#[must_use]
pub fn html(report: &CensusReport) -> String {
    let sections = [
        ("objects", "Objects", objects(report, &report.common)),
        ("rarest", "The rarest", objects(report, &report.rare)),
        ("kinds", "Kinds", kinds(report)),
        (
            "lifespans",
            "Lifespans",
            lifespans(&report.totals.lifespans),
        ),
        ("longest", "The longest lived", longest(report)),
        ("odd", "Odd soups", odd(report)),
        ("soups", "Soups", soups(report)),
        ("censuses", "What was counted", censuses(report)),
    ];
    let (mut links, mut body) = (String::new(), String::new());
    for (id, title, section) in &sections {
        if let Some(section) = section {
            let _ = write!(links, "<a href=\"#{id}\">{}</a> ", title.to_lowercase());
            let _ = write!(
                body,
                "<section id={id}><h2>{title}</h2>\n{section}</section>\n"
            );
        }
    }
    let totals = &report.totals;
    let title = match report.censuses.first() {
        Some(census) => {
            let identity = &census.identity;
            escape(&format!(
                "Census of {}, {} soups",
                identity.rule, identity.symmetry
            ))
        }
        None => "An empty census".into(),
    };
    let seconds: f64 = report.censuses.iter().map(|census| census.seconds).sum();
    let pace = match seconds > 0.0 {
        true => format!(
            "{} soups a second and core",
            grouped((totals.soups as f64 / seconds) as u64)
        ),
        false => String::new(),
    };
    let terms = definitions(&[
        ("soups", grouped(totals.soups)),
        ("objects", grouped(totals.objects())),
        ("kinds", grouped(totals.tally.len() as u64)),
        ("objects a soup", ratio(totals.objects(), totals.soups)),
        ("pace", pace),
        ("not settled", grouped(totals.unsettled)),
    ]);
    let lead = format!(
        "{} objects of {} kinds from {} soups",
        grouped(totals.objects()),
        grouped(totals.tally.len() as u64),
        grouped(totals.soups)
    );
    let (style, store) = (include_str!("style.css"), escape(&report.store));
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
         <header><h1>{title}</h1>\n<p class=lead>{lead}</p>\n{terms}<nav>{links}</nav></header>\n\
         {body}<footer>made of <code>{store}</code> by gridpaper</footer></main>\n</body>\n</html>\n"
    )
}

fn definitions(pairs: &[(&str, String)]) -> String {
    let mut text = String::from("<dl>");
    for (key, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(text, "<div><dt>{key}</dt><dd>{value}</dd></div>");
    }
    text + "</dl>\n"
}

fn objects(report: &CensusReport, objects: &[ReportedObject]) -> Option<String> {
    if objects.is_empty() {
        return None;
    }
    let totals = &report.totals;
    let all = totals.objects();
    let mut text = String::from(
        "<div class=scroll tabindex=0><table><thead><tr><th>#<th class=picture><th class=left>object\
         <th>count<th class=more>a soup<th class=more>1 in<th class=\"left more\">in soup</thead><tbody>\n",
    );
    for object in objects {
        let code = &object.code;
        let words = match object_name(code) {
            Some(name) => escape(name),
            None => match ObjectKind::of(code).period {
                Some(period) if period > 1 => {
                    format!("{}, period {period}", ObjectKind::of(code).class)
                }
                _ => ObjectKind::of(code).class.to_string(),
            },
        };
        let sample = object
            .sample
            .as_ref()
            .map_or(String::new(), |soup| escape(&soup_name(report, soup)));
        let _ = writeln!(
            text,
            "<tr><td>{}<td class=picture>{}<td class=\"left words\">{words}<code>{}</code><td>{}\
             <td class=more>{}<td class=more>{}<td class=\"left more\"><code>{sample}</code>",
            object.rank,
            picture::object(code).unwrap_or_default(),
            escape(&shortened(code)),
            grouped(object.count),
            ratio(object.count, totals.soups),
            grouped((all as f64 / object.count.max(1) as f64).round() as u64),
        );
    }
    Some(text + "</tbody></table></div>\n")
}

fn kinds(report: &CensusReport) -> Option<String> {
    let mut rows = std::collections::BTreeMap::new();
    for (code, count) in &report.totals.tally {
        let row: &mut (u64, u64) = rows.entry(ObjectKind::of(code).class).or_default();
        row.0 += 1;
        row.1 += count;
    }
    if rows.is_empty() {
        return None;
    }
    let mut text = String::from(
        "<div class=scroll tabindex=0><table><thead><tr><th class=left>kind<th>different\
         <th>objects</thead><tbody>\n",
    );
    for (class, (different, count)) in rows {
        let _ = writeln!(
            text,
            "<tr><td class=left>{class}<td>{}<td>{}",
            grouped(different),
            grouped(count)
        );
    }
    Some(text + "</tbody></table></div>\n")
}

/// A bar for each hundred generations, up to where one soup in a thousand is left.
fn lifespans(lifespans: &LifespanHistogram) -> Option<String> {
    let last = lifespans.quantile(0.999)? / LifespanHistogram::BIN;
    let most = lifespans.bins.values().copied().max()?.max(1);
    let bars = last + 1;
    let mut path = String::new();
    for (&bin, &count) in lifespans.bins.range(..=last) {
        let height = 200.0 * count as f64 / most as f64;
        let _ = write!(path, "M{bin}.1 200v-{height:.2}h.8v{height:.2}z");
    }
    let quantile = |share| lifespans.quantile(share).map_or(String::new(), grouped);
    let terms = definitions(&[
        (
            "mean",
            lifespans
                .mean()
                .map_or(String::new(), |mean| grouped(mean.round() as u64)),
        ),
        ("median", quantile(0.5)),
        ("90 % within", quantile(0.9)),
        ("99 % within", quantile(0.99)),
        ("longest", grouped(lifespans.longest)),
    ]);
    Some(format!(
        "{terms}<figure><svg class=histogram viewBox=\"0 0 {bars} 200\" \
         preserveAspectRatio=none role=img aria-label=\"soups by lifespan; the numbers stand above\">\
         <path class=bar d=\"{path}\"/></svg><p class=\"soft ends\"><span>0</span>\
         <span>{} generations</span></p><figcaption>Soups by the generations until they settle, \
         a bar for each hundred; the highest is {} soups. One soup in a thousand lives longer than \
         the right end.</figcaption></figure>\n",
        grouped(bars * LifespanHistogram::BIN),
        grouped(most),
    ))
}

fn longest(report: &CensusReport) -> Option<String> {
    if report.long_lived.is_empty() {
        return None;
    }
    let mut text = String::from(
        "<div class=scroll tabindex=0><table><thead><tr><th>generations<th>cells left\
         <th class=left>to watch it</thead><tbody>\n",
    );
    let rule = rule_option(report);
    for (soup, lived) in &report.long_lived {
        let name = escape(&soup_name(report, soup));
        let command = match is_given(report) {
            true => name,
            false => format!("<code>gridpaper view {name}{rule}</code>"),
        };
        let _ = writeln!(
            text,
            "<tr><td>{}<td>{}<td class=\"left words\">{command}",
            grouped(lived.lifespan),
            grouped(lived.population),
        );
    }
    Some(text + "</tbody></table></div>\n")
}

fn odd(report: &CensusReport) -> Option<String> {
    if report.odd.is_empty() {
        return None;
    }
    let mut text = String::from(
        "<div class=scroll tabindex=0><table><thead><tr><th class=left>what<th class=left>to see \
         why</thead><tbody>\n",
    );
    let options = options(report);
    for (soup, what) in &report.odd {
        let (root, index) = (escape(&soup.root), soup.index);
        let command = match is_given(report) {
            true => escape(&soup_name(report, soup)),
            false => {
                format!("<code>gridpaper census explain {root} {index}{options}</code>")
            }
        };
        let _ = writeln!(
            text,
            "<tr><td class=left>{}<td class=\"left words\">{command}",
            escape(what),
        );
    }
    Some(text + "</tbody></table></div>\n")
}

fn soups(report: &CensusReport) -> Option<String> {
    let symmetry: HashSoupSymmetry = symmetry(report).parse().ok()?;
    if symmetry.is_given() {
        return None;
    }
    let mut text = String::new();
    for (object, soup) in report.soups() {
        let seed = format!("{}{}", soup.root, soup.index);
        let picture = picture::draw(&hash_soup(&symmetry, &seed), None);
        let code = &object.code;
        let name = escape(object_name(code).unwrap_or(&shortened(code)));
        let soup = escape(&soup_name(report, soup));
        let _ = writeln!(
            text,
            "<figure>{picture}<figcaption>{name}<br><code>{soup}</code></figcaption></figure>"
        );
    }
    (!text.is_empty()).then(|| {
        format!(
            "<p class=soft>One soup of each of the rarest objects.</p>\n<div class=all>{text}</div>\n"
        )
    })
}

fn censuses(report: &CensusReport) -> Option<String> {
    if report.censuses.is_empty() {
        return None;
    }
    let mut text = String::from(
        "<div class=scroll tabindex=0><table><thead><tr><th class=left>root<th>soups<th>units\
         <th class=left>settled by<th class=left>counted by</thead><tbody>\n",
    );
    for census in &report.censuses {
        let identity = &census.identity;
        let _ = writeln!(
            text,
            "<tr><td class=\"left words\">{}<td>{}<td>{}<td class=left>{}<td class=left>{}",
            escape(&identity.root),
            grouped(census.soups),
            grouped(census.units),
            escape(&identity.settling),
            escape(&identity.version),
        );
    }
    Some(text + "</tbody></table></div>\n")
}

fn symmetry(report: &CensusReport) -> &str {
    report
        .censuses
        .first()
        .map_or("C1", |census| &census.identity.symmetry)
}

/// Whether the soups were given, so that no command can make them.
fn is_given(report: &CensusReport) -> bool {
    let symmetry = symmetry(report).parse();
    symmetry.is_ok_and(|symmetry: HashSoupSymmetry| symmetry.is_given())
}

/// The rule as an option of a command, where it is another than Life.
fn rule_option(report: &CensusReport) -> String {
    let rule = report.censuses.first().map(|census| &census.identity.rule);
    let rule = rule.filter(|rule| *rule != "b3s23");
    rule.map_or(String::new(), |rule| format!(" --rule {}", escape(rule)))
}

/// The options that say how the soups were run, where they are not the usual ones.
fn options(report: &CensusReport) -> String {
    let mut options = rule_option(report);
    let Some(census) = report.censuses.first() else {
        return options;
    };
    let identity = &census.identity;
    for (option, value, usual) in [
        ("symmetry", &identity.symmetry, "C1"),
        ("settle", &identity.settling, "exact"),
    ] {
        if value != usual {
            let _ = write!(options, " --{option} {}", escape(value));
        }
    }
    options
}

/// A soup's name as PATTERN: `C1/seed17`.
fn soup_name(report: &CensusReport, soup: &RootedSoup) -> String {
    format!("{}/{}{}", symmetry(report), soup.root, soup.index)
}

/// A code that is too long for a table is cut.
fn shortened(code: &str) -> String {
    const MOST: usize = 60;
    match code.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &code[..end]),
        None => code.into(),
    }
}

/// Escapes text for elements and attributes; control characters become a replacement character.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{fffd}'),
            _ if sign.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(sign),
        }
    }
    escaped
}

/// `12 345`, with narrow blanks that do not break.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Three digits of a ratio, whatever its size.
fn ratio(part: u64, whole: u64) -> String {
    let ratio = part as f64 / whole.max(1) as f64;
    match ratio {
        0.0 => "0".into(),
        1.0.. => format!("{ratio:.2}"),
        0.001.. => format!("{ratio:.4}"),
        _ => format!("{ratio:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_written_for_people() {
        assert_eq!(
            escape("<a b=\"c\">&\u{202e}"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}"
        );
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(
            [ratio(3, 2), ratio(1, 100), ratio(1, 1_000_000)],
            ["1.50", "0.0100", "1.00e-6"]
        );
        assert_eq!(shortened(&"x".repeat(70)).chars().count(), 61);
    }
}

//! The page.

use super::text::{counted, cut, escape, grouped, moment, percent, points, signed, time};
use super::{Report, board, plot};
use crate::rating::Meeting;
use crate::store::StoredGame;
use matches::{Elo, replay};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

/// Renders a report as one page. All names and texts are escaped.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let text = "game = 'tictactoe'\npairs = 1\n\
/// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
/// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
/// # let mut runner = tournament::TournamentRunner::open(plan)?;
/// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
/// # let store = runner.store();
/// use tournament::report::{Report, html};
///
/// let page = html(&Report::from_store(store)?);
/// assert!(page.starts_with("<!doctype html>") && page.contains("heuristic"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn html(report: &Report) -> String {
    let sections = [
        ("standings", "Standings", standings(report)),
        ("ratings", "Ratings", plot::ratings(report)),
        ("meetings", "Who met whom", meetings(report)),
        ("course", "Ratings on the way", plot::rating_history(report)),
        ("times", "Time for a move", plot::times(report)),
        ("faults", "Faults", faults(report)),
        ("players", "Players", players(report)),
        ("runs", "Where and when", runs(report)),
        ("games", "Games", games(report)),
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
    let title = match report.title.trim() {
        "" => "a tournament".into(),
        title => escape(title),
    };
    let terms = definitions(&report.settings);
    let pairs = counted(report.standings.pairs, "pair");
    let games = counted(report.count, "game");
    let players = counted(report.players.len() as u64, "player");
    let style = include_str!("style.css");
    let made = report.runs.last().map_or(String::new(), |run| {
        format!(
            "<footer>played and written by {}</footer>",
            escape(&run.program)
        )
    });
    format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
         <header><h1><bdi>{title}</bdi></h1>\n<p class=lead>{players}, {games} in {pairs}</p>\n\
         {terms}<nav>{links}</nav></header>\n{body}{made}</main>\n</body>\n</html>\n"
    )
}

fn definitions(pairs: &[(String, String)]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let mut text = String::from("<dl>");
    for (key, value) in pairs {
        let (key, value) = (escape(key), escape(value));
        let _ = write!(text, "<div><dt>{key}</dt><dd><bdi>{value}</bdi></dd></div>");
    }
    text + "</dl>\n"
}

fn standings(report: &Report) -> Option<String> {
    let standings = &report.standings;
    if standings.rows.is_empty() {
        return None;
    }
    let has_faults = standings.rows.iter().any(|row| row.faults > 0);
    let faults = if has_faults { "<th>faults" } else { "" };
    let mut text = format!(
        "<div class=scroll tabindex=0><table class=standings><thead><tr><th>#<th class=left>player\
         <th>rating<th class=more>better<th class=more>games<th class=more>won<th class=more>drawn\
         <th class=more>lost<th>points{}<th class=more>Glicko-2<th class=more>Weng-Lin\
         </thead><tbody>\n",
        faults.replace("<th>", "<th class=more>")
    );
    for (i, row) in standings.rows.iter().enumerate() {
        if i > 0 && row.group != standings.rows[i - 1].group && row.games() > 0 {
            text += "<tr class=gap><td colspan=12>these have met nobody of those above: their \
                     ratings do not compare with the others\n";
        }
        let rating = row.rating.map_or("not known".into(), |rating| {
            format!("<b>{}</b> ± {:.0}", signed(rating.elo), rating.error)
        });
        let better = row.superiority.map_or(String::new(), percent);
        let (games, score) = (row.games(), row.score);
        let half = points(2 * score.wins + score.draws);
        let share = match games {
            0 => String::new(),
            _ => format!(
                " <small class=share>{:.0} %</small>",
                100.0 * row.points() / games as f64
            ),
        };
        let live = |estimate: Option<crate::rating::RatingEstimate>, digits| {
            estimate.map_or(String::new(), |estimate| {
                let (rating, error) = (estimate.rating, 2.0 * estimate.deviation);
                format!("{rating:.digits$} ± {error:.digits$}").replace('-', "−")
            })
        };
        let faults = match (has_faults, row.faults) {
            (false, _) => String::new(),
            (true, 0) => "<td class=more>".into(),
            (true, faults) => format!("<td class=more><a href=\"#faults\">{faults}</a>"),
        };
        // on a narrow page the columns become a line under the name
        let mut small = format!(
            "{} · {}–{}–{}",
            counted(games, "game"),
            score.wins,
            score.draws,
            score.losses
        );
        if !better.is_empty() {
            let _ = write!(small, " · better {better}");
        }
        if row.faults > 0 {
            let _ = write!(small, " · {}", counted(row.faults, "fault"));
        }
        let _ = writeln!(
            text,
            "<tr><td>{}<td class=left><i class=chip style=\"{}\"></i><bdi>{}</bdi>\
             <span class=less>{small}</span><td class=rating>{rating}<td class=more>{better}\
             <td class=more>{}<td class=more>{}<td class=more>{}<td class=more>{}\
             <td>{half}{share}{faults}<td class=more>{}<td class=more>{}",
            row.rating.map_or(String::new(), |_| row.place.to_string()),
            plot::style(i),
            escape(&row.name),
            grouped(games),
            grouped(score.wins),
            grouped(score.draws),
            grouped(score.losses),
            live(row.glicko, 0),
            live(row.weng_lin, 1),
        );
    }
    text += "</tbody></table></div>\n<p class=soft>Rating: Bradley and Terry's model fitted to \
             all games at once, on Elo's scale, with the interval that holds the truth in 95 of \
             100 tournaments. Better: how likely it is that a player is stronger than the next \
             one.";
    if let Some(seat) = standings.first_seat {
        let (elo, error) = (signed(seat.elo), seat.error);
        let _ = write!(text, " The first seat is worth {elo} ± {error:.0}.");
    }
    text += "</p>\n";
    Some(text)
}

/// The cross table.
fn meetings(report: &Report) -> Option<String> {
    // who has met nobody has no place, and would be an empty line and column
    let rows = report.standings.rows.iter();
    let rows: Vec<_> = rows.filter(|row| row.games() > 0).collect();
    let mut met: HashMap<[usize; 2], Meeting> = HashMap::new();
    for meeting in &report.meetings {
        let turned = meeting.reversed();
        met.insert(turned.players, turned);
        met.insert(meeting.players, meeting.clone());
    }
    if met.is_empty() {
        return None;
    }
    let game_of: HashMap<[usize; 2], i64> = report
        .games
        .iter()
        .rev()
        .flat_map(|game| {
            let [a, b] = game.players;
            [([a, b], game.id), ([b, a], game.id)]
        })
        .collect();
    let mut text = String::from(
        "<div class=scroll tabindex=0><table class=cross><thead><tr><th>#<th class=left>player",
    );
    for row in &rows {
        let _ = write!(text, "<th title=\"{}\">{}", escape(&row.name), row.place);
    }
    text += "</thead><tbody>\n";
    for row in &rows {
        let name = escape(&cut(&row.name, 24));
        let _ = write!(
            text,
            "<tr><th>{}<th class=left><bdi>{name}</bdi>",
            row.place
        );
        for column in &rows {
            if row.player == column.player {
                text += "<td class=self>";
                continue;
            }
            let Some(meeting) = met.get(&[row.player, column.player]) else {
                text += "<td>";
                continue;
            };
            let score = meeting.score();
            let half = 2 * score.wins + score.draws;
            let games = 2 * meeting.count();
            let lead = half as f64 / games.max(1) as f64 - 1.0;
            let colour = if lead < 0.0 { "--down" } else { "--up" };
            let elo = Elo::from_pairs(&meeting.by_points());
            let label = format!(
                "{} against {}: won {}, drawn {}, lost {}; Elo {elo}",
                row.name, column.name, score.wins, score.draws, score.losses
            );
            let link = game_of.get(&[row.player, column.player]);
            let (open, close) = link.map_or((String::new(), ""), |id| {
                (format!("<a href=\"#game-{id}\">"), "</a>")
            });
            let _ = write!(
                text,
                "<td style=\"background:rgb(var({colour}) / {:.2})\" title=\"{}\">{open}{}{close}\
                 <small>of {}</small>",
                0.34 * lead.abs(),
                escape(&label),
                points(half),
                grouped(games),
            );
        }
        text.push('\n');
    }
    text += "</tbody></table></div>\n<p class=soft>Points of the player of the row against that \
             of the column. Blue: more than half of them, red: less. What is underlined leads to \
             a game.</p>\n";
    Some(text)
}

fn faults(report: &Report) -> Option<String> {
    if report.faults.is_empty() {
        let none = "<p>Nobody lost a game by a fault.</p>\n";
        return (report.count > 0).then(|| none.into());
    }
    let shown: BTreeSet<i64> = report.games.iter().map(|game| game.id).collect();
    let mut text = String::from(
        "<div class=scroll tabindex=0><table class=faults><thead><tr><th class=left>player\
         <th class=left>fault<th>games<th class=left>one of them</thead><tbody>\n",
    );
    for fault in &report.faults {
        let words = escape(&cut(&fault.example, 300));
        let words = match shown.contains(&fault.game) {
            true => format!(
                "<a href=\"#game-{}\">game {}</a>: {words}",
                fault.game, fault.game
            ),
            false => format!("game {}: {words}", fault.game),
        };
        let _ = writeln!(
            text,
            "<tr><td class=left><bdi>{}</bdi><td class=left>{}<td>{}<td class=\"left words\">{words}",
            name(report, fault.player),
            escape(&fault.kind),
            grouped(fault.count),
        );
    }
    Some(text + "</tbody></table></div>\n")
}

/// A player's name, escaped.
fn name(report: &Report, player: usize) -> String {
    let name = report.players.get(player).map(|player| &player.name);
    escape(name.map_or("?", String::as_str))
}

fn players(report: &Report) -> Option<String> {
    let mut text = String::new();
    for row in &report.standings.rows {
        let player = report.players.get(row.player)?;
        let about = definitions(&player.about);
        let (name, played) = (escape(&player.name), escape(&player.text));
        let _ = writeln!(
            text,
            "<div class=player><h3><bdi>{name}</bdi></h3><p><code><bdi>{played}</bdi></code></p>{about}</div>"
        );
    }
    (!text.is_empty()).then_some(text)
}

fn runs(report: &Report) -> Option<String> {
    if report.runs.is_empty() {
        return None;
    }
    let mut text = String::from(
        "<div class=scroll tabindex=0><table><thead><tr><th class=left>begun (UTC)<th>pairs\
         <th>at a time<th class=left>cage<th class=left>machine<th class=left>program\
         </thead><tbody>\n",
    );
    for run in &report.runs {
        let _ = writeln!(
            text,
            "<tr><td class=left>{}<td>{}<td>{}<td class=left>{}<td class=\"left words\">{}, {}, {}\
             <td class=left>{}",
            moment(run.started),
            grouped(run.pairs),
            run.jobs,
            escape(&run.cage),
            escape(&run.cpu),
            counted(run.cores, "core"),
            escape(&run.os),
            escape(&run.program),
        );
    }
    text += "</tbody></table></div>\n";
    if let Some([first, each]) = report.limits {
        let _ = writeln!(
            text,
            "<p class=soft>Bots had {} for the first move of a game and {} for each after it.</p>",
            time(first),
            time(each)
        );
    }
    Some(text)
}

fn games(report: &Report) -> Option<String> {
    if report.games.is_empty() {
        return None;
    }
    let shown = report.games.len() as u64;
    let store = escape(&report.store);
    let mut text = match report.count.saturating_sub(shown) {
        0 => String::new(),
        _ => format!(
            "<p>Here are {} of {}: one for each fault, and one of each two who met. All of \
             them are in <code>{store}</code>.</p>\n",
            grouped(shown),
            grouped(report.count)
        ),
    };
    text += "<p class=soft>The text of a game is a file of its own: save it, and \
             <code>gridpaper replay FILE</code> shows it.</p>\n";
    for game in &report.games {
        text += &one_game(report, game);
    }
    Some(text)
}

fn one_game(report: &Report, game: &StoredGame) -> String {
    let [first, second] = game.players.map(|player| name(report, player));
    let record = &game.record;
    let outcome = record.outcome.to_string();
    let ending = match record.ending.kind() {
        "rules" => String::new(),
        kind => format!(", {}", escape(kind)),
    };
    let (pair, turns) = (record.pair, counted(record.turns.len() as u64, "turn"));
    let picture = board::last(record).unwrap_or_default();
    let words = escape(&replay::result(record));
    let replay = escape(replay::text(record).trim_end());
    format!(
        "<details id=game-{id}><summary><bdi>{first}</bdi> against <bdi>{second}</bdi>, pair \
         {pair}: <b>{outcome}</b>{ending}, {turns}</summary><div class=game>{picture}\
         <div><p><bdi>{words}</bdi></p><pre tabindex=0>{replay}\n</pre></div></div></details>\n",
        id = game.id,
    )
}

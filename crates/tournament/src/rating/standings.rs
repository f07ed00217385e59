//! The standings: one row per player.

use super::{BradleyTerryFit, LiveRatings, Meeting, Rating, RatingEstimate, Timing};
use matches::Score;
use std::fmt;
use std::time::Duration;

/// A participant's data besides results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParticipantStatistics {
    /// Its name in the plan.
    pub name: String,
    /// Number of games it lost by a fault, or would have lost if the other had none.
    pub faults: u64,
    /// The times of its moves.
    pub timing: Timing,
}

/// A tournament's standings, the best player first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// A row for each player, sorted by rating. Players of different groups
    /// ([`BradleyTerryFit::groups`]) are not mixed, the largest group comes first, and those who have
    /// not played come last.
    pub rows: Vec<StandingsRow>,
    /// Number of pairs of games.
    pub pairs: u64,
    /// [`BradleyTerryFit::first_seat`].
    pub first_seat: Option<Rating>,
}

/// One player's row.
#[derive(Clone, Debug, PartialEq)]
pub struct StandingsRow {
    /// The rank from 1, within the group; meaningless for a player without games, who is a
    /// group alone.
    pub place: usize,
    /// The player's number, as meetings have it.
    pub player: usize,
    /// The player's name.
    pub name: String,
    /// The number of its group, 0 if all players are comparable.
    pub group: usize,
    /// Games won, drawn and lost.
    pub score: Score,
    /// Lost games that were lost by a fault.
    pub faults: u64,
    /// The Bradley-Terry rating on Elo's scale; `None` before the first game.
    pub rating: Option<Rating>,
    /// The probability that it is stronger than the next row's player, from 0 to 1; `None` in a
    /// group's last row.
    pub superiority: Option<f64>,
    /// Glicko-2; `None` before the first game and where no live ratings are kept.
    pub glicko: Option<RatingEstimate>,
    /// Weng and Lin's rating; as for Glicko-2.
    pub weng_lin: Option<RatingEstimate>,
    /// [`Timing::PERCENTILES`]: the time for a move that 50, 90, 99 and 100 of 100 moves keep
    /// within; `None` where none was timed.
    pub times: Option<[Duration; 4]>,
}

impl StandingsRow {
    /// Number of games played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.score.wins + self.score.draws + self.score.losses
    }

    /// Points, a draw being half a point.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.score.wins as f64 + self.score.draws as f64 / 2.0
    }
}

impl Standings {
    /// From the players, all their meetings in any order, and the live ratings where they
    /// are kept.
    ///
    /// # Panics
    /// A meeting names a player who is not in the list.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::{Meeting, ParticipantStatistics, Standings};
    ///
    /// let player = |name: &str| ParticipantStatistics { name: name.into(), ..Default::default() };
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Draw, Outcome::Win(Seat::First)]);
    /// let standings = Standings::new(&[player("anna"), player("ben")], &[meeting], None);
    /// assert_eq!((standings.rows[0].name.as_str(), standings.rows[0].points()), ("ben", 1.5));
    /// ```
    #[must_use]
    pub fn new(
        players: &[ParticipantStatistics],
        meetings: &[Meeting],
        live: Option<&LiveRatings>,
    ) -> Self {
        let fit = BradleyTerryFit::new(players.len(), meetings);
        let mut scores = vec![Score::default(); players.len()];
        for meeting in meetings {
            let [a, b] = meeting.players;
            for (player, score) in [(a, meeting.score()), (b, meeting.reversed().score())] {
                scores[player].wins += score.wins;
                scores[player].draws += score.draws;
                scores[player].losses += score.losses;
            }
        }
        let mut rows = Vec::with_capacity(players.len());
        for (group, members) in fit.groups().iter().enumerate() {
            let mut members = members.clone();
            members.sort_by(|&a, &b| {
                let elo = |i| fit.rating(i).map_or(f64::NEG_INFINITY, |rating| rating.elo);
                elo(b).total_cmp(&elo(a)).then_with(|| a.cmp(&b))
            });
            for (i, &player) in members.iter().enumerate() {
                let entry = &players[player];
                let live = live.filter(|_| fit.games(player) > 0);
                rows.push(StandingsRow {
                    place: i + 1,
                    player,
                    name: entry.name.clone(),
                    group,
                    score: scores[player],
                    faults: entry.faults,
                    rating: fit.rating(player),
                    superiority: members
                        .get(i + 1)
                        .and_then(|&next| fit.superiority(player, next)),
                    glicko: live.map(|live| live.glicko(player)),
                    weng_lin: live.map(|live| live.weng_lin(player)),
                    times: entry.timing.percentiles(),
                });
            }
        }
        Self {
            rows,
            pairs: meetings.iter().map(Meeting::count).sum(),
            first_seat: fit.first_seat(),
        }
    }

    /// How many groups of players there are that have played and cannot be compared.
    ///
    /// ```
    /// use games::Outcome;
    /// use tournament::rating::{Meeting, ParticipantStatistics, Standings};
    ///
    /// let players = vec![ParticipantStatistics::default(); 4];
    /// let mut meetings = [Meeting::between([0, 1]), Meeting::between([2, 3])];
    /// for meeting in &mut meetings {
    ///     meeting.add([Outcome::Draw, Outcome::Draw]);
    /// }
    /// assert_eq!(Standings::new(&players, &meetings, None).groups(), 2);
    /// ```
    #[must_use]
    pub fn groups(&self) -> usize {
        let played = self.rows.iter().filter(|row| row.games() > 0);
        played.map(|row| row.group + 1).max().unwrap_or(0)
    }

    /// The table as text, no line longer than `width` characters if that can be done with 40
    /// of them: long names are cut, columns are left out, the least telling ones first, and
    /// then names are cut once more.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    ///
    /// let mut results = tournament::TournamentResults::new(["anna".into(), "ben".into()]);
    /// results.add_pair([0, 1], [Outcome::Win(Seat::First), Outcome::Draw]);
    /// let table = results.standings().text(80);
    /// assert!(table.lines().all(|line| line.chars().count() <= 80));
    /// assert!(table.find("anna") < table.find("ben"));
    /// ```
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        let mut columns: Vec<FilledColumn> = COLUMNS
            .iter()
            .map(|column| FilledColumn {
                made: column,
                cells: self.rows.iter().map(column.cell).collect(),
            })
            .filter(|column| column.made.rank == 0 || column.cells.iter().any(|c| !c.is_empty()))
            .collect();
        let total = |columns: &[FilledColumn]| {
            let widths = columns.iter().map(FilledColumn::width).sum::<usize>();
            widths + 2 * columns.len().saturating_sub(1)
        };
        if total(&columns) > width {
            cut(&mut columns, NAME);
        }
        while total(&columns) > width {
            let last = columns.iter().map(|column| column.made.rank).max();
            let Some(last) = last.filter(|&rank| rank > 0) else {
                break;
            };
            columns.retain(|column| column.made.rank < last);
        }
        let over = total(&columns).saturating_sub(width);
        let names = columns.iter().find(|column| column.made.is_left);
        if let Some(wide) = names.map(FilledColumn::width).filter(|_| over > 0) {
            cut(&mut columns, wide.saturating_sub(over).max(8));
        }

        let mut text = String::new();
        let mut line = |cells: &dyn Fn(&FilledColumn) -> String| {
            let cells: Vec<String> = columns
                .iter()
                .map(|column| column.padded(&cells(column)))
                .collect();
            text += cells.join("  ").trim_end();
            text.push('\n');
        };
        line(&|column| column.made.title.to_string());
        for (i, row) in self.rows.iter().enumerate() {
            let is_new = i > 0 && row.group != self.rows[i - 1].group && row.games() > 0;
            if is_new {
                line(&|_| String::new());
            }
            line(&|column| column.cells[i].clone());
        }
        if self.groups() > 1 {
            text += "players of different groups have not met: their ratings do not compare\n";
        }
        text
    }
}

impl fmt::Display for Standings {
    /// [`Standings::text`] for a terminal of 80 columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(80).trim_end())
    }
}

/// What a column of the table shows.
struct StandingsColumn {
    title: &'static str,
    /// 0 for what is always there; those with the highest are left out first.
    rank: u8,
    is_left: bool,
    cell: fn(&StandingsRow) -> String,
}

/// A column that is filled.
struct FilledColumn {
    made: &'static StandingsColumn,
    cells: Vec<String>,
}

impl FilledColumn {
    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|cell| cell.chars().count());
        cells
            .max()
            .unwrap_or(0)
            .max(self.made.title.chars().count())
    }

    fn padded(&self, cell: &str) -> String {
        let width = self.width();
        if self.made.is_left {
            format!("{cell:<width$}")
        } else {
            format!("{cell:>width$}")
        }
    }
}

/// Maximum characters of a name when space is short.
const NAME: usize = 24;

const COLUMNS: [StandingsColumn; 16] = [
    right("#", 0, |row| {
        row.rating.map_or(String::new(), |_| row.place.to_string())
    }),
    StandingsColumn {
        title: "player",
        rank: 0,
        is_left: true,
        cell: |row| row.name.clone(),
    },
    right("rating", 0, |row| {
        row.rating
            .map_or(String::new(), |rating| rating.to_string())
    }),
    right("sure", 3, |row| {
        row.superiority.map_or(String::new(), percent)
    }),
    right("games", 2, |row| row.games().to_string()),
    right("won", 6, |row| row.score.wins.to_string()),
    right("drawn", 6, |row| row.score.draws.to_string()),
    right("lost", 6, |row| row.score.losses.to_string()),
    right("points", 1, |row| format!("{:.1}", row.points())),
    right("faults", 4, |row| match row.faults {
        0 => String::new(),
        faults => faults.to_string(),
    }),
    right("median", 7, |row| time(row, 0)),
    right("90 %", 9, |row| time(row, 1)),
    right("99 %", 8, |row| time(row, 2)),
    right("slowest", 5, |row| time(row, 3)),
    right("glicko-2", 10, |row| {
        row.glicko.map_or(String::new(), |glicko| {
            format!("{:.0} ± {:.0}", glicko.rating, 2.0 * glicko.deviation)
        })
    }),
    right("weng-lin", 11, |row| {
        row.weng_lin.map_or(String::new(), |weng_lin| {
            format!("{:.1} ± {:.1}", weng_lin.rating, 2.0 * weng_lin.deviation)
        })
    }),
];

const fn right(
    title: &'static str,
    rank: u8,
    cell: fn(&StandingsRow) -> String,
) -> StandingsColumn {
    StandingsColumn {
        title,
        rank,
        is_left: false,
        cell,
    }
}

/// A probability that is never shown as certain.
fn percent(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent > 99.5 => ">99 %".to_string(),
        percent if percent < 0.5 => "<1 %".to_string(),
        percent => format!("{percent:.0} %"),
    }
}

/// One of the row's times with two or three digits, or nothing.
fn time(row: &StandingsRow, which: usize) -> String {
    let Some(times) = row.times else {
        return String::new();
    };
    let nanos = times[which].as_nanos() as f64;
    let (value, unit) = match nanos {
        ..1e3 => (nanos, "ns"),
        ..1e6 => (nanos / 1e3, "µs"),
        ..1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    if value < 9.95 && unit != "ns" {
        format!("{value:.1} {unit}")
    } else {
        format!("{value:.0} {unit}")
    }
}

/// Truncates names to `width` characters.
fn cut(columns: &mut [FilledColumn], width: usize) {
    let names = columns.iter_mut().filter(|column| column.made.is_left);
    for name in names.flat_map(|column| &mut column.cells) {
        if name.chars().count() > width {
            *name = name.chars().take(width - 1).chain(['…']).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Outcome, Seat};

    const FIRST: Outcome = Outcome::Win(Seat::First);
    const SECOND: Outcome = Outcome::Win(Seat::Second);

    fn entry(name: &str, faults: u64, micros: u64) -> ParticipantStatistics {
        ParticipantStatistics {
            name: name.to_string(),
            faults,
            timing: (1..=micros).map(Duration::from_micros).collect(),
        }
    }

    /// Four players of whom one has not played: names, results, live ratings.
    fn league() -> (Vec<ParticipantStatistics>, Vec<Meeting>, LiveRatings) {
        let entries = vec![
            entry("random", 0, 9),
            entry("mcts:ms=50", 0, 180),
            entry("a bot with quite a long name of its own", 3, 2000),
            entry("late", 0, 0),
        ];
        let mut live = LiveRatings::new(4);
        let mut meetings = Vec::new();
        for (players, [won, even, lost]) in [
            ([1, 0], [18, 2, 0]),
            ([2, 0], [9, 8, 3]),
            ([1, 2], [8, 9, 3]),
        ] {
            let mut meeting = Meeting::between(players);
            let [a, b] = players;
            for (count, outcomes) in [
                (won, [FIRST, SECOND]),
                (even, [Outcome::Draw, FIRST]),
                (lost, [SECOND, FIRST]),
            ] {
                for _ in 0..count {
                    meeting.add(outcomes);
                    live.add_game([a, b], outcomes[0]);
                    live.add_game([b, a], outcomes[1]);
                }
            }
            meetings.push(meeting);
        }
        (entries, meetings, live)
    }

    #[test]
    fn the_best_come_first_and_everything_is_counted() {
        let (entries, meetings, live) = league();
        let standings = Standings::new(&entries, &meetings, Some(&live));
        let order: Vec<usize> = standings.rows.iter().map(|row| row.player).collect();
        assert_eq!(order, [1, 2, 0, 3]);
        assert_eq!(standings.pairs, 60);
        assert_eq!(standings.groups(), 1);
        let best = &standings.rows[0];
        assert_eq!(
            (best.score.wins, best.score.draws, best.score.losses),
            (52, 11, 17)
        );
        assert_eq!((best.games(), best.points()), (80, 57.5));
        assert!(best.superiority.unwrap() > 0.9);
        assert!(best.glicko.unwrap().deviation < 200.0);
        let [median, .., slowest] = best.times.unwrap();
        assert_eq!((median.as_micros(), slowest.as_micros()), (90, 180));
        let late = &standings.rows[3];
        assert_eq!(
            (late.rating, late.superiority, late.glicko, late.times),
            (None, None, None, None)
        );
        assert_eq!(
            standings.rows[2].superiority, None,
            "nobody comparable comes next"
        );
    }

    #[test]
    fn the_table_fits_its_width() {
        let (entries, meetings, live) = league();
        let standings = Standings::new(&entries, &meetings, Some(&live));
        for width in 40..200 {
            let text = standings.text(width);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            assert_eq!(text.lines().count(), 5);
        }
        assert!(standings.text(200).contains("weng-lin"));
        assert!(!standings.text(80).contains("weng-lin"));
        assert!(standings.text(40).contains("a bot with"));
    }

    #[test]
    fn the_standings_are_readable() {
        let (entries, meetings, live) = league();
        let standings = Standings::new(&entries, &meetings, Some(&live));
        assert_eq!(standings.text(110).trim_end(), WIDE.trim());
        assert_eq!(standings.to_string(), MEDIUM.trim());
        let untimed: Vec<ParticipantStatistics> = ["a", "b"].map(|name| entry(name, 0, 0)).to_vec();
        assert_eq!(
            Standings::new(&untimed, &[], None).to_string(),
            EMPTY.trim()
        );
    }

    const WIDE: &str = "
#  player                       rating  sure  games  won  drawn  lost  points  faults  median    99 %  slowest
1  mcts:ms=50                +111 ± 67  95 %     80   52     11    17    57.5           90 µs  179 µs   180 µs
2  a bot with quite a long…   +10 ± 70  98 %     80   33     17    30    41.5       3  1.0 ms  2.0 ms   2.0 ms
3  random                    -121 ± 70           80   16     10    54    21.0          5.0 µs  9.0 µs   9.0 µs
   late                                           0    0      0     0     0.0
";
    const MEDIUM: &str = "
#  player                       rating  sure  games  points  faults  slowest
1  mcts:ms=50                +111 ± 67  95 %     80    57.5           180 µs
2  a bot with quite a long…   +10 ± 70  98 %     80    41.5       3   2.0 ms
3  random                    -121 ± 70           80    21.0           9.0 µs
   late                                           0     0.0
";
    const EMPTY: &str = "
#  player  rating  games  won  drawn  lost  points
   a                   0    0      0     0     0.0
   b                   0    0      0     0     0.0
";

    #[test]
    fn groups_stand_apart() {
        let entries: Vec<ParticipantStatistics> = ["a", "b", "c", "d", "e"]
            .map(|name| entry(name, 0, 0))
            .to_vec();
        let mut meetings = [Meeting::between([0, 1]), Meeting::between([3, 4])];
        meetings
            .iter_mut()
            .for_each(|meeting| meeting.add([FIRST, Outcome::Draw]));
        let standings = Standings::new(&entries, &meetings, None);
        assert_eq!(standings.groups(), 2);
        let names: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "d", "e", "c"]);
        assert_eq!(standings.rows[2].place, 1);
        let text = standings.text(80);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[3], "");
        assert!(
            lines[7].starts_with("players of different groups have not met"),
            "{text}"
        );
    }

    #[test]
    fn no_probability_is_shown_as_certain() {
        for (probability, words) in [
            (1.0, ">99 %"),
            (0.9949, "99 %"),
            (0.5, "50 %"),
            (0.001, "<1 %"),
        ] {
            assert_eq!(percent(probability), words);
        }
    }
}

//! The reference of the book, `docs/reference`, made from what the code itself goes by: the
//! definitions that read the arguments, the tables of families, formats, games, patterns,
//! levels, commands and keys.
//!
//! `cargo xtask reference` writes the pages anew, and a test fails where they are not what the
//! code gives. (Pages by hand lost: they would be wrong a week later, and nobody would know.)

use super::CliArguments;
use crate::destination::is_written;
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, CommandFactory as _};
use games::{AnyGame, with_game};
use num_bigint::BigInt;
use pattern::{Cells, Format, FormatLoss, Pattern, library};
use players::Roster as _;
use std::fmt::Write as _;

/// What stands above each page.
const MADE: &str = "<!-- made by `cargo xtask reference` from the code: change it there -->\n\n";

/// All pages, each with the name of its file.
pub(super) fn pages() -> Vec<(&'static str, String)> {
    let pages = [
        ("commands.md", commands()),
        ("rules.md", rules()),
        ("formats.md", formats()),
        ("patterns.md", patterns()),
        ("games.md", games_and_players()),
        ("levels.md", levels()),
        ("keys.md", keys()),
    ];
    let with_note = |(name, page): (&'static str, String)| (name, format!("{MADE}{page}"));
    pages.into_iter().map(with_note).collect()
}

/// A text in which nothing is a sign of Markdown's, but what stands between back ticks.
fn plain(text: &str) -> String {
    let pieces: Vec<_> = text.split('`').collect();
    let are_pairs = pieces.len() % 2 == 1;
    let mut out = String::with_capacity(text.len());
    for (at, piece) in pieces.into_iter().enumerate() {
        if are_pairs && at % 2 == 1 {
            out.push_str(&code(piece));
            continue;
        }
        if !are_pairs && at > 0 {
            out.push_str("\\`");
        }
        for sign in piece.chars() {
            if "\\*_<>[]|#".contains(sign) {
                out.push('\\');
            }
            out.push(sign);
        }
    }
    out
}

/// A text as it stands, for a table as well.
fn code(text: &str) -> String {
    match text.contains('`') {
        true => format!("`` {} ``", text.replace('|', "\\|")),
        false => format!("`{}`", text.replace('|', "\\|")),
    }
}

/// Several texts as they stand, with commas between them.
fn codes<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let codes: Vec<_> = texts.into_iter().map(code).collect();
    codes.join(", ")
}

/// A table; the headings, then the rows.
fn table<const WIDTH: usize>(
    headings: [&str; WIDTH],
    rows: impl IntoIterator<Item = [String; WIDTH]>,
) -> String {
    let mut text = format!("| {} |\n|{}\n", headings.join(" | "), "---|".repeat(WIDTH));
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

fn commands() -> String {
    let mut whole = CliArguments::command();
    whole.build();
    let mut text = String::from(
        "# Commands\n\n\
         Options stand anywhere after the command. Data goes to standard output and talk to \
         standard error. Exit codes: 0 done, 1 the answer is no, 2 wrong arguments or input that \
         cannot be read, 130 after Ctrl-C.\n",
    );
    let listed = |command: &&Command| !command.is_hide_set();
    let _ = write!(
        text,
        "\n{}\n",
        table(
            ["command", ""],
            whole.get_subcommands().filter(listed).map(|command| {
                let name = command.get_name();
                let about = command.get_about().map(said).unwrap_or_default();
                [format!("[`{name}`](#gridpaper-{name})"), about]
            }),
        )
    );
    if let Some(after) = whole.get_after_help() {
        let _ = writeln!(text, "{}.", said(after));
    }
    for command in whole.get_subcommands().filter(listed) {
        one_command(&mut text, command, 2);
    }
    text
}

/// A command, and those under it.
fn one_command(text: &mut String, command: &Command, depth: usize) {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let _ = write!(text, "\n{} {}\n", "#".repeat(depth), name.replace('-', " "));
    let about = command.get_long_about().or_else(|| command.get_about());
    if let Some(about) = about {
        let _ = write!(text, "\n{}\n", paragraphs(&about.to_string()));
    }
    let usage = command.clone().render_usage().to_string();
    let usage: Vec<_> = usage
        .trim_start_matches("Usage:")
        .lines()
        .map(str::trim)
        .collect();
    let _ = write!(text, "\n```text\n{}\n```\n", usage.join("\n"));
    let shown: Vec<_> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version"))
        .collect();
    let (places, options): (Vec<_>, Vec<_>) =
        shown.into_iter().partition(|arg| arg.is_positional());
    for arg in places.iter().chain(&options) {
        let _ = write!(text, "\n- {}", one_argument(arg));
    }
    text.push('\n');
    if let Some(after) = command
        .get_after_long_help()
        .or_else(|| command.get_after_help())
    {
        let _ = write!(text, "\n```text\n{}\n```\n", after.to_string().trim_end());
    }
    for under in command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        one_command(text, under, depth + 1);
    }
}

/// An argument or option: how it is written, what it is for, what it may be.
fn one_argument(arg: &Arg) -> String {
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<_> = values.iter().map(|name| format!("<{name}>")).collect();
    let mut names: Vec<_> = arg
        .get_short()
        .map(|short| format!("-{short}"))
        .into_iter()
        .collect();
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    let mut written = names.join(", ");
    if takes_value && !values.is_empty() {
        if !written.is_empty() {
            written.push(' ');
        }
        written.push_str(&values.join(" "));
    }
    let help = arg.get_long_help().or_else(|| arg.get_help());
    let help = help.map(|help| paragraphs(&help.to_string()).replace('\n', "\n  "));
    let mut text = format!("{}: {}", code(&written), help.unwrap_or_default());
    let possible = arg.get_possible_values();
    let possible: Vec<_> = possible
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(clap::builder::PossibleValue::get_name)
        .collect();
    if takes_value && !possible.is_empty() {
        let _ = write!(text, "; one of {}", codes(possible));
    }
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .filter_map(|value| value.to_str())
        .collect();
    if takes_value && !defaults.is_empty() {
        let _ = write!(text, " (default {})", codes(defaults));
    }
    text
}

/// Help in one paragraph.
fn said(help: &StyledStr) -> String {
    let text = help.to_string();
    plain(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Help with its paragraphs, each in one line.
fn paragraphs(help: &str) -> String {
    let paragraphs: Vec<_> = help
        .split("\n\n")
        .map(|paragraph| plain(&paragraph.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect();
    paragraphs.join("\n\n")
}

/// A text with a capital to begin with.
fn sentence(text: &str) -> String {
    let mut signs = text.chars();
    let first = signs.next().map(|sign| sign.to_uppercase().to_string());
    plain(&(first.unwrap_or_default() + signs.as_str()))
}

fn rules() -> String {
    let mut text = String::from(
        "# Rules\n\n\
         A rule is a notation, a name, or a file. `gridpaper rules NAME` says a rule in words, and \
         `--explain` what it becomes. Rules of your own: \
         [a rule of your own](../rules-of-your-own.md).\n\n## Families\n",
    );
    for family in rule::families() {
        let _ = write!(
            text,
            "\n### {}\n\n{}.\n\n- written {}\n- for example {}\n",
            plain(family.name),
            sentence(family.about),
            plain(family.notation),
            code(family.example),
        );
    }
    text.push_str(
        "\n## The shape of the world\n\n\
         After any rule; without one of them the world is the endless plane, or what the rule \
         itself asks for.\n\n",
    );
    text.push_str(&table(
        ["written", "the world"],
        SHAPES.map(|(written, world)| [code(written), world.into()]),
    ));
    text.push_str("\n## Named rules\n\nCase, blanks and punctuation do not matter.\n\n");
    text.push_str(&table(
        ["name", "rule", "known for"],
        rule::named_rules()
            .iter()
            .map(|named| [code(named.name), code(named.rule), plain(named.about)]),
    ));
    text
}

/// What may follow a rule: an example, and the shape that it makes.
#[rustfmt::skip]
const SHAPES: [(&str, &str); 9] = [
    (":P30,20", "a plane of 30 columns and 20 rows, with nothing but dead cells outside"),
    (":T30,20", "a torus: each edge joined to the opposite one"),
    (":T0,20", "a side of 0 is endless: a strip, with its upper edge joined to the lower one"),
    (":T30+5,20", "the upper and the lower edge joined with a shift of 5"),
    (":T30,20+5", "the left and the right edge joined with a shift of 5"),
    (":K30*,20", "a Klein bottle: the upper and the lower edge joined with a twist"),
    (":K30,20*", "a Klein bottle: the left and the right edge joined with a twist"),
    (":C30,20", "a cross-surface: both pairs of edges joined with a twist"),
    (":S30", "a sphere: the upper edge joined to the left one, the right to the lower one"),
];

fn formats() -> String {
    let mut text = String::from(
        "# File formats\n\n\
         A file's format is told by its content, gzipped or not; `convert` and `--out` go by the \
         ending of the name, or by `--format`. What a format cannot carry is said when a pattern is \
         written, and cells are never lost: a format that cannot hold them is refused.\n\n",
    );
    text.push_str(&table(
        [
            "`--format`",
            "endings",
            "what it is",
            "read or written",
            "states",
            "cannot carry",
        ],
        Format::ALL.map(|format| {
            let endings: Vec<_> = format
                .extensions()
                .iter()
                .map(|e| format!(".{e}"))
                .collect();
            let endings = codes(endings.iter().map(String::as_str));
            let (access, states, lost) = match is_written(format) {
                true => (
                    "read and written",
                    most_states(format).to_string(),
                    lost(format),
                ),
                false => ("read only", String::new(), String::new()),
            };
            [
                code(format.name()),
                endings,
                about(format).into(),
                access.into(),
                states,
                lost,
            ]
        }),
    ));
    text.push_str(
        "\nA pattern that is asked for by PATTERN is, in this order of trying, a file of one of these \
         formats, `-` for standard input, the name of a [built-in pattern](patterns.md), an apgcode \
         such as `xp2_7`, or RLE text itself such as `'bo$2bo$3o!'`.\n\n\
         Other formats: levels of the laser puzzle ([the laser puzzle](../laser.md#files)), replays \
         ([the arena](../arena.md#replays)), tournaments ([the \
         arena](../arena.md#tournaments)), rules of one's own ([a rule of your \
         own](../rules-of-your-own.md#all-that-may-stand-in-a-file)), and `.rule` files as Golly has \
         them, with `@TABLE` or `@TREE`.\n",
    );
    text
}

fn about(format: Format) -> &'static str {
    match format {
        Format::Rle => {
            "run-length encoding, of two states and of many; an `@RULE` block may follow"
        }
        Format::Plaintext => "rows of `.` and `O`, `!` before comments",
        Format::Classroom => "the classroom's rows of `.`, `O`, `R`, `B` and digits",
        Format::Life105 => "Life 1.05: blocks of `.` and `*`, each with its place",
        Format::Life106 => "Life 1.06: a line for each live cell",
        Format::Macrocell => {
            "a quadtree whose equal parts stand once, for what is huge and regular"
        }
        Format::MCell => "MCell's own",
        Format::Apgcode => "a name that tells the cells, `xq4_153`",
    }
}

/// A pattern that says all that a pattern can say.
fn talkative(highest: u8) -> Pattern {
    let run = pattern::Run {
        y: 0,
        x: 0,
        length: 3,
        state: highest,
    };
    Pattern {
        cells: Cells::from_runs(vec![run]),
        rule: Some("B36/S23".into()),
        position: Some(grid::Point::new(-3, 4)),
        generation: BigInt::from(5),
        name: Some("name".into()),
        author: Some("author".into()),
        comments: vec!["comment".into()],
        rule_block: Some("@RULE x\n".into()),
        ..Pattern::default()
    }
}

/// How many states a format has signs for.
fn most_states(format: Format) -> u16 {
    let fits = |highest: &u8| {
        let losses = pattern::losses(&talkative(*highest), format);
        !losses.contains(&FormatLoss::States)
    };
    (1..=u8::MAX)
        .take_while(fits)
        .last()
        .map_or(2, |highest| u16::from(highest) + 1)
}

fn lost(format: Format) -> String {
    let losses = pattern::losses(&talkative(1), format);
    let losses: Vec<_> = losses
        .iter()
        .filter(|loss| !loss.is_of_cells())
        .map(|loss| plain(&loss.to_string()))
        .collect();
    losses.join(", ")
}

fn patterns() -> String {
    let mut text = String::from(
        "# Built-in patterns\n\n\
         Their names stand wherever a PATTERN is asked for; case, blanks and dashes do not matter. \
         `gridpaper patterns WORD` looks for one.\n",
    );
    for kind in library::KINDS {
        let entries = library::all().iter().filter(|entry| entry.kind == kind);
        let rows = entries.map(|entry| {
            [
                code(entry.name),
                code(entry.rule().unwrap_or("B3/S23")),
                plain(entry.description()),
                plain(entry.author()),
            ]
        });
        let table = table(["name", "rule", "what it does", "by"], rows);
        let _ = write!(text, "\n## {kind}\n\n{table}");
    }
    text
}

/// One game of each family, to say which players it has.
const EXAMPLES: [&str; 4] = ["tictactoe", "mnk:15,15,5", "stones", "duel"];

fn games_and_players() -> String {
    let mut text = String::from(
        "# Games and players\n\n\
         What the games are: [games on squared paper](../games.md). A player's options follow its \
         name after a colon, `mcts:ms=50`; [the players](../games.md#the-players) has them. A \
         program of your own is a player, `cmd:./my-bot`: see [bots](../bots.md).\n\n## Games\n\n",
    );
    text.push_str(&table(
        ["game", "with options"],
        AnyGame::families().map(|(name, options)| {
            let options = if options.is_empty() {
                String::new()
            } else {
                code(options)
            };
            [code(name), options]
        }),
    ));
    text.push_str("\n## Who plays what\n\n");
    text.push_str(&table(
        [
            "game",
            "players",
            "the one to play against where none is named",
        ],
        EXAMPLES.map(|name| {
            let game: AnyGame = name.parse().expect("the examples are games");
            with_game!(&game, |game| [
                code(name),
                codes(players::players_of(game)),
                code(&game.champion()),
            ])
        }),
    ));
    text
}

fn levels() -> String {
    let mut text = String::from(
        "# Built-in levels\n\n\
         Levels of [the laser puzzle](../laser.md). Their names stand wherever a LEVEL is asked for. \
         The fewest moves are proven.\n",
    );
    let solvable = laser::level::solvable().count();
    let others = laser::level::all().len() - solvable;
    let _ = write!(
        text,
        "\nThere are {solvable} levels to solve, and {others} boards that are only to be looked at, last in the list.\n\n## With a purpose\n\n"
    );
    let (packed, named): (Vec<&laser::level::BuiltinLevel>, Vec<_>) = laser::level::all()
        .iter()
        .partition(|entry| entry.grade.is_some());
    text.push_str(&table(
        ["name", "what it is for", "fewest moves"],
        named.into_iter().map(|entry| {
            let fewest = entry
                .fewest
                .map_or(String::new(), |moves| moves.to_string());
            [code(entry.name), plain(entry.purpose), fewest]
        }),
    ));
    text.push_str("\n## The pack\n\nEach has one solution.\n\n");
    text.push_str(&table(
        ["difficulty", "levels", "fewest moves"],
        laser::generator::Grade::ALL.map(|grade| {
            let of_grade: Vec<_> = packed
                .iter()
                .filter(|entry| entry.grade == Some(grade))
                .collect();
            let names = of_grade.first().zip(of_grade.last());
            let names =
                names.map(|(first, last)| format!("{} to {}", code(first.name), code(last.name)));
            let moves = || of_grade.iter().filter_map(|entry| entry.fewest);
            let moves = moves().min().zip(moves().max());
            let moves = moves.map(|(least, most)| format!("{least} to {most}"));
            [
                grade.to_string(),
                names.unwrap_or_default(),
                moves.unwrap_or_default(),
            ]
        }),
    ));
    text
}

fn keys() -> String {
    use session::command::{ALL, Group, KEYS};
    let mut text = String::from(
        "# Keys and commands\n\n\
         A key sends a command, and so does a button; both faces, the page and the terminal, have \
         the same. `?` lists them where you are.\n\n\
         ## Worlds\n",
    );
    for group in Group::ALL {
        let _ = write!(text, "\n### {}\n\n", group.title());
        text.push_str(&table(
            ["command", "keys", "what it does"],
            ALL.iter()
                .filter(|entry| entry.group == group)
                .map(|entry| {
                    let written = format!("{} {}", entry.name, entry.usage);
                    let is_its = |command: &str| command.split(' ').next() == Some(entry.name);
                    let keys = KEYS.iter().filter(|key| is_its(key.command));
                    let keys: Vec<_> = keys
                        .map(|key| {
                            let rest = key.command[entry.name.len()..].trim();
                            match rest.is_empty() {
                                true => code(key.keys),
                                false => format!("{} ({})", code(key.keys), plain(rest)),
                            }
                        })
                        .collect();
                    [code(written.trim()), keys.join(", "), plain(entry.help)]
                }),
        ));
    }
    text.push_str("\n## The laser puzzle\n\n");
    text.push_str(&table(
        ["command", "short", "keys", "what it does"],
        laser::play::command::ALL.iter().map(|entry| {
            let written = format!("{} {}", entry.name, entry.usage);
            let keys = laser::play::command::KEYS
                .iter()
                .filter(|key| key.command == entry.name);
            let short = if entry.short.is_empty() {
                String::new()
            } else {
                code(entry.short)
            };
            let keys = codes(keys.map(|key| key.keys));
            [code(written.trim()), short, keys, plain(entry.help)]
        }),
    ));
    text
}

#[cfg(test)]
mod tests;

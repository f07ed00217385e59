//! Bots of every kind for the arena's tests: a few good ones, and one for each thing that a
//! bot can do wrong. The first word that it is given says which.
#![allow(
    clippy::unwrap_used,
    reason = "a bot of a test that cannot go on may crash"
)]

mod batch;

use games::Dice;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

fn main() -> ExitCode {
    if let Some(code) = cage::run_supervisor_if_requested() {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        // no bot
        ["batch", game, first, second, games] => {
            batch::batch(game, [first, second], games.parse().unwrap());
        }
        // what is allowed
        ["zeros"] => contest(|rows| line(&vec![0; rows], "\n")),
        ["random", seed] => {
            let mut dice = Dice::new(seed.parse().unwrap());
            contest(|rows| {
                let mut answer = vec![0; rows];
                answer[dice.below(rows as u32) as usize] = 1;
                line(&answer, "\n")
            });
        }
        ["crlf"] => contest(|rows| line(&vec![0; rows], "  \r\n")),
        ["drip"] => contest(|rows| {
            // a line in many parts
            for byte in line(&vec![0; rows], "").bytes() {
                say(&[byte]);
            }
            "\n".into()
        }),
        ["twice"] => contest(|rows| line(&vec![0; rows], "\n").repeat(2)),
        ["loud"] => contest(|rows| {
            complain(200_000);
            line(&vec![0; rows], "\n")
        }),
        ["last-words"] => {
            contest(|rows| line(&vec![0; rows], "\n"));
            complain(300_000);
        }
        ["text", ref words @ ..] => {
            text(words, |legal| legal.first().cloned());
        }
        ["remarks", ref words @ ..] => text(words, |legal| {
            say(b"# it is my turn\n# what shall I do\n");
            legal.first().cloned()
        }),
        ["sit", player] => {
            let external = arena::bot::ExternalPlayer::new(player);
            arena::bot::serve(&external, io::stdin().lock(), io::stdout().lock()).unwrap();
        }
        // what is not
        ["late", turn] => at_turn(turn, || {
            std::thread::sleep(Duration::from_millis(400));
            "0 0 0 0 0 0 0 0\n".into()
        }),
        ["rest"] => rest(),
        ["rest-when-met"] => {
            // the other end is opened by the test that waits for this bot
            drop(std::fs::File::open("pipe").unwrap());
            rest();
        }
        ["unfinished"] => contest(|_| "0 0 0 0 0 0 0 0".into()),
        ["say", turn, words] => at_turn(turn, || format!("{words}\n")),
        ["garbage"] => contest(|_| {
            say(b"0 \xff\xfe 0 \0 0\x1b[31m 0\n");
            String::new()
        }),
        ["overspend"] => contest(|rows| line(&vec![1; rows], "\n")),
        ["crash", turn] => at_turn(turn, || {
            eprintln!("thinking hard\nout of ideas\n");
            std::process::exit(3)
        }),
        ["leave", turn] => at_turn(turn, || std::process::exit(0)),
        ["abort", turn] => at_turn(turn, || std::process::abort()),
        ["close", turn] => at_turn(turn, || {
            let error = Command::new("sh")
                .args(["-c", "exec 1>&-; exec sleep 600"])
                .exec();
            panic!("{error}")
        }),
        ["flood"] => loop {
            say(b"0 0 1 1 1 0 0 0 ");
        },
        ["chatter"] => {
            let lines = line(&[0; 2], "\n").repeat(16_000);
            loop {
                say(lines.as_bytes());
            }
        }
        // all of it printed before anything is read, in parts of a size: lines like `3*A1`,
        // which is A1 three times
        ["ahead", size, ref lines @ ..] => {
            let lines = lines.iter().map(|line| {
                let (times, line) = line.split_once('*').unwrap();
                format!("{line}\n").repeat(times.parse().unwrap())
            });
            ahead(&lines.collect::<String>(), size);
        }
        ["ahead-long", size, length] => {
            ahead(&("0".repeat(length.parse().unwrap()) + "\n"), size);
        }
        ["bomb"] => bomb(),
        ["chatter-of-remarks"] => text(&[], |_| {
            loop {
                say(b"# and another thing\n");
            }
        }),
        ["deaf"] => {
            let mut line = String::new();
            io::stdin().read_line(&mut line).unwrap();
            say(b"name deaf\n");
            rest();
        }
        ["blind"] => {
            // knows what to say without reading, and says it now and then
            loop {
                say(b"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        ["snoop"] => {
            let _ = std::net::TcpStream::connect("127.0.0.1:9");
            let _ = Command::new("sleep").arg("0").status();
            contest(|rows| line(&vec![0; rows], "\n"));
        }
        ["hoard"] => {
            let hoard = vec![0u8; 100 << 30];
            contest(|_| line(&hoard[..8], "\n"));
        }
        ["forker"] => {
            leave_a_child(Stdio::null());
            contest(|rows| line(&vec![0; rows], "\n"));
        }
        ["held-open", turn] => at_turn(turn, || {
            // its child holds its output when it has gone
            leave_a_child(Stdio::inherit());
            std::process::exit(7)
        }),
        ["outlive"] => {
            contest(|rows| line(&vec![0; rows], "\n"));
            rest();
        }
        ["greet", words] => {
            let mut line = String::new();
            io::stdin().read_line(&mut line).unwrap();
            say(format!("{words}\n").as_bytes());
            text(&[], |legal| legal.first().cloned());
        }
        ["text-twice", ref words @ ..] => text(words, |legal| {
            let m = legal.first().cloned()?;
            Some(format!("{m}\nand B2"))
        }),
        ["text-say", answer] => text(&[], |_| Some(answer.into())),
        _ => {
            eprintln!("no such bot: {words:?}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Prints at once. A bot whose output nobody wants ends.
fn say(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Prints a text in parts of this many bytes, and reads to the end of the input after that.
fn ahead(text: &str, size: &str) {
    for part in text.as_bytes().chunks(size.parse().unwrap()) {
        say(part);
    }
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
}

/// Shells that start two shells each, and wait: 256 in the end, if nobody stops them.
fn bomb() {
    let script =
        "bomb() { test $1 = 0 && exec sleep 600; bomb $(($1-1)) & bomb $(($1-1)); }; bomb 8";
    let error = Command::new("sh").args(["-c", script]).exec();
    panic!("{error}")
}

/// Longer than any test.
fn rest() {
    std::thread::sleep(Duration::from_secs(600));
}

/// Writes this many bytes to stderr.
fn complain(bytes: usize) {
    let line = "woe is me, for my position is not what it was\n";
    let text: String = line.chars().cycle().take(bytes).collect();
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Starts an orphan in a session of its own.
#[expect(
    clippy::zombie_processes,
    reason = "to be left behind is what it is for"
)]
fn leave_a_child(output: Stdio) {
    Command::new("setsid")
        .args(["sleep", "600"])
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
}

/// An answer of the contest.
fn line(rows: &[u8], end: &str) -> String {
    let words: Vec<String> = rows.iter().map(u8::to_string).collect();
    words.join(" ") + end
}

/// Plays the contest's protocol to the end of its input: `answer` gives what is printed, for
/// a number of rows.
fn contest(mut answer: impl FnMut(usize) -> String) {
    let mut input = io::stdin().lock();
    let mut next = || {
        let mut line = String::new();
        let read = input.read_line(&mut line);
        read.is_ok_and(|length| length > 0).then_some(line)
    };
    let mut head = [0; 4];
    for number in &mut head {
        let Some(line) = next() else { return };
        *number = line.trim().parse().unwrap();
    }
    let [rows, _, _, goals] = head;
    for _ in 0..goals {
        next();
    }
    // two lines of mana before the rows
    while (0..rows + 2).all(|_| next().is_some()) {
        say(answer(rows).as_bytes());
    }
}

/// Plays zeros on eight rows, and once something else.
fn at_turn(turn: &str, other: impl Fn() -> String) {
    let mut left: u32 = turn.parse().unwrap();
    contest(|rows| {
        left = left.wrapping_sub(1);
        match left {
            0 => other(),
            _ => line(&vec![0; rows], "\n"),
        }
    });
}

/// Plays the text protocol with these words in the greeting: `choose` has the legal moves,
/// where they are asked for, else the first place that is empty.
fn text(words: &[&str], mut choose: impl FnMut(&[String]) -> Option<String>) {
    let mut input = io::stdin().lock();
    let mut line = String::new();
    let mut legal: Vec<String> = Vec::new();
    let mut is_duel = false;
    loop {
        line.clear();
        if !input.read_line(&mut line).is_ok_and(|length| length > 0) {
            return;
        }
        let line = line.trim_end();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "gridpaper" => say(format!("name zoo {}\n", words.join(" ")).as_bytes()),
            "game" => is_duel = rest.starts_with("duel"),
            "position" => {
                let lines: Vec<String> = (0..rest.parse().unwrap())
                    .map(|_| {
                        let mut line = String::new();
                        input.read_line(&mut line).unwrap();
                        line
                    })
                    .collect();
                legal.clear();
                if is_duel {
                    let rows = lines.iter().filter(|l| !l.contains(' ')).count();
                    legal.push("0".repeat(rows));
                } else {
                    legal.extend(first_empty(&lines));
                }
            }
            "moves" if rest.starts_with("many ") => {}
            "moves" => legal = rest.split(' ').map(str::to_owned).collect(),
            "go" => match choose(&legal) {
                Some(answer) => say(format!("{answer}\n").as_bytes()),
                None => std::process::exit(4),
            },
            "end" if !words.contains(&"again") => return,
            _ => {}
        }
    }
}

/// The first empty place of a board of rows, `A1` in the top left corner.
fn first_empty(rows: &[String]) -> Option<String> {
    for (y, row) in rows.iter().enumerate() {
        if let Some(x) = row.find('.') {
            return Some(format!("{}{}", char::from(b'A' + x as u8), y + 1));
        }
    }
    None
}

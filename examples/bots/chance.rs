//! A bot that plays any game by chance, in Gridpaper's text protocol.
//!
//!     rustc -O chance.rs
//!     gridpaper match stones random 'cmd[text]:./chance' --games 10
//!
//! It asks for the legal moves and takes one of them. All that the protocol has is in
//! docs/bots.md; a bot that thinks would look at `position` where this one picks.

use std::io::{self, BufRead, Write};

/// Dice: xorshift (Marsaglia, 2003).
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}

/// A move of the duel, for boards that have too many moves to be listed.
fn any_column(position: &[String], dice: &mut Xorshift) -> String {
    let facts = |name: &str| position.iter().position(|line| line.starts_with(name));
    let rows = facts("turn ").unwrap_or(0);
    let mana = facts("mana ").and_then(|at| position[at].split(' ').nth(1)?.parse().ok());
    let mut column = vec![b'0'; rows];
    for _ in 0..dice.below(mana.unwrap_or(0) + 1) {
        // the same row twice costs no more than once
        column[dice.below(rows)] = b'1';
    }
    String::from_utf8(column).expect("zeros and ones are text")
}

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let mut dice = Xorshift(1);
    let mut position = Vec::new();
    let mut moves = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        let line = line.trim_end();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let answer = match word {
            // `again`: many games in this process; `moves`: list the legal moves
            "gridpaper" => "name chance-rs again moves".to_owned(),
            "go" => match moves.first().map(String::as_str) {
                Some("many") => any_column(&position, &mut dice),
                _ => moves[dice.below(moves.len())].clone(),
            },
            "seed" => {
                // a seed of 0 would stay 0 for ever
                dice.0 = rest.parse().unwrap_or(1).max(1);
                continue;
            }
            "position" => {
                let count = rest.parse().unwrap_or(0);
                position = lines.by_ref().take(count).collect::<Result<_, _>>()?;
                continue;
            }
            "moves" => {
                moves = rest.split(' ').map(str::to_owned).collect();
                continue;
            }
            // game, seat, pace and end need nothing from this bot
            _ => continue,
        };
        // standard output is written at the end of each line, unless it is told otherwise
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}

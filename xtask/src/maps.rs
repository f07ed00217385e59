//! `cargo xtask maps`: random MAP rules held against Golly.
//!
//! Golly's batch program runs random soups under random MAP rules of each length (86, 22 and 6
//! base64 digits); the rule crate's test `map::golly_agrees` reads the table that comes of it
//! and runs the same soups. `--record` writes a smaller table into that crate instead, which
//! the test reads where Golly is not installed.

use crate::cargo::{cargo, target};
use crate::peers::GollyProgram;
use dice::Dice;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Rules of each length in a whole run.
const CASES: usize = 500;

/// Rules of each length in the table that is kept.
const RECORDED: usize = 40;

/// The table that is kept, seen from the root.
const FILE: &str = "crates/rule/tests/it/map_golly.txt";

/// Names the table for the test.
const VARIABLE: &str = "GRIDPAPER_MAPS";

/// Base64 digits, and the bits that count among theirs: one for each configuration of the
/// neighbours and the cell.
const LENGTHS: [(usize, usize); 3] = [(86, 512), (22, 128), (6, 32)];

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Cells on each side of a soup.
const SIDE: usize = 12;

const GENERATIONS: u64 = 4;

/// Makes a table, and holds ours against it or keeps it.
pub(crate) fn run(root: &Path, record: bool) -> ExitCode {
    let outcome = match record {
        true => table(root, RECORDED).and_then(|table| write(&root.join(FILE), &table)),
        false => check(root),
    };
    crate::told(outcome.map_err(|why| format!("maps: {why}")))
}

fn check(root: &Path) -> Result<(), String> {
    let table = table(root, CASES)?;
    let file = target(root)?.join("maps.txt");
    write(&file, &table)?;
    let mut command = cargo(root);
    command.args(["test", "--package", "gridpaper-rule", "--test", "it"]);
    command.args(["--", "--exact", "map::golly_agrees", "--nocapture"]);
    let status = command.env(VARIABLE, &file).status();
    match status.map_err(|error| error.to_string())? {
        status if status.success() => Ok(()),
        status => Err(status.to_string()),
    }
}

fn write(file: &Path, table: &str) -> Result<(), String> {
    std::fs::write(file, table).map_err(|error| format!("{}: {error}", file.display()))
}

/// What Golly makes of so many rules of each length: a line for each.
fn table(root: &Path, cases: usize) -> Result<String, String> {
    let missing = "no bgolly here: install Debian's package golly, or set GRIDPAPER_BGOLLY";
    let golly = GollyProgram::find().ok_or(missing)?;
    let folder = target(root)?.join("maps");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (soup, after) = (folder.join("soup.rle"), folder.join("after.rle"));
    let mut table = format!(
        "# bgolly {}: rule, soup, populations of generations 1 to {GENERATIONS}, and the last\n\
         # made by `cargo xtask maps --record`\n",
        golly.version
    );
    // The words of every rule and soup come of one seed, so that a table can be made again.
    let mut words = Dice::new(27);
    for (digits, bits) in LENGTHS {
        for _ in 0..cases {
            let rule = rule(&mut words, digits, bits);
            let cells = cells(&mut words);
            let text = format!("x = {SIDE}, y = {SIDE}, rule = {rule}\n{cells}\n");
            write(&soup, &text)?;
            let steps = golly.command("QuickLife", None, &soup, GENERATIONS, Some(1));
            // bgolly wants the file last, so what is added stands before the rest.
            let mut command = Command::new(steps.get_program());
            command.arg("-o").arg(&after).args(steps.get_args());
            let output = command.output().map_err(|error| error.to_string())?;
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let populations = populations(&said).map_err(|why| format!("{rule}: {why}"))?;
            let last = std::fs::read_to_string(&after);
            let last = picture(&last.map_err(|error| format!("{}: {error}", after.display()))?);
            let _ = writeln!(table, "{rule} {cells} {populations} {last}");
        }
    }
    println!(
        "maps: bgolly {}, {cases} rules of each length",
        golly.version
    );
    Ok(table)
}

/// The populations that it prints as `generation: 1,234`, but for that of the soup.
fn populations(said: &str) -> Result<String, String> {
    let lines = said.lines().filter_map(|line| line.split_once(": "));
    let told: Vec<(String, String)> = lines
        .map(|(generation, population)| (generation.into(), population.replace(',', "")))
        .collect();
    let generations = told.iter().map(|(generation, _)| generation.as_str());
    let wanted: Vec<String> = (0..=GENERATIONS).map(|n| n.to_string()).collect();
    if !generations.eq(wanted.iter().map(String::as_str)) {
        return Err(format!("bgolly does not tell every generation: {said}"));
    }
    let populations: Vec<String> = told.into_iter().skip(1).map(|(_, told)| told).collect();
    Ok(populations.join(","))
}

/// The cells of an RLE, in one word.
fn picture(rle: &str) -> String {
    let lines = rle.lines().filter(|line| !line.starts_with(['x', '#']));
    lines.collect()
}

fn rule(words: &mut Dice, digits: usize, bits: usize) -> String {
    let next: Vec<bool> = (0..digits * 6)
        .map(|at| at < bits && words.coin())
        .collect();
    let digit = |six: &[bool]| {
        let value = six
            .iter()
            .fold(0, |value, &bit| value << 1 | usize::from(bit));
        char::from(ALPHABET[value])
    };
    let digits: String = next.chunks(6).map(digit).collect();
    format!("MAP{digits}")
}

/// A soup that is half full, as the cells of an RLE without counts.
fn cells(words: &mut Dice) -> String {
    let mut row = || -> String {
        let cell = |_| if words.coin() { 'o' } else { 'b' };
        (0..SIDE).map(cell).collect()
    };
    let rows: Vec<String> = (0..SIDE).map(|_| row()).collect();
    rows.join("$") + "!"
}

#[cfg(test)]
mod tests {
    use super::{cells, picture, populations, rule};
    use dice::Dice;

    #[test]
    fn what_golly_prints_is_read() {
        let said = "This is bgolly 3.3\n0: 76\n1: 71\n2: 63\n3: 1,069\n4: 76\n";
        assert_eq!(populations(said).unwrap(), "71,63,1069,76");
        assert!(populations("This is bgolly 3.3\n0: 76\n4: 76\n").is_err());
        assert_eq!(picture("x = 3, y = 2, rule = B3/S23\n3o$\nbo!\n"), "3o$bo!");
    }

    #[test]
    fn rules_have_their_length_and_no_bits_past_the_last_configuration() {
        let mut words = Dice::new(1);
        for (digits, bits) in super::LENGTHS {
            let rule = rule(&mut words, digits, bits);
            assert_eq!(rule.len(), 3 + digits);
            let last = rule.bytes().last().unwrap();
            let value = super::ALPHABET.iter().position(|&digit| digit == last);
            assert_eq!(value.unwrap() % (1 << (digits * 6 - bits)), 0, "{rule}");
        }
        assert_eq!(cells(&mut words).len(), 12 * 13);
    }
}

//! Conformance checks: violations are reported, and only violations.

use arena::MatchConditions;
use arena::bot::{BotSpec, CheckStep, FindingSeverity, check};
use std::path::Path;

fn examine(game: &str, bot: &str) -> (FindingSeverity, Vec<CheckStep>) {
    // enough for any machine, but where it is waited for in vain
    let is_slow = bot.contains("late") || bot == "cmd:ZOO text";
    let time_control = if is_slow { "1500,300" } else { "60000,30000" };
    let conditions = MatchConditions {
        time_control: Some(time_control.parse().unwrap()),
        ..MatchConditions::default()
    };
    let zoo = env!("CARGO_BIN_EXE_gridpaper-zoo");
    cage::use_supervisor_program(Path::new(zoo));
    let bot: BotSpec = bot.replace("ZOO", zoo).parse().unwrap();
    let mut steps = Vec::new();
    let verdict = check(&game.parse().unwrap(), &bot, &conditions, &mut |step| {
        steps.push(step.clone());
    });
    (verdict.unwrap(), steps)
}

/// All at the same time: most of an examination is waiting.
fn examine_all(bots: &[(&'static str, &'static str)]) -> Vec<(FindingSeverity, Vec<CheckStep>)> {
    let examine = |&(game, bot)| std::thread::spawn(move || examine(game, bot));
    let examinations: Vec<_> = bots.iter().map(examine).collect();
    let ended = examinations
        .into_iter()
        .map(|thread| thread.join().unwrap());
    ended.collect()
}

/// All that was found, a line each.
fn findings(steps: &[CheckStep]) -> String {
    let mut text = String::new();
    for step in steps {
        for finding in &step.findings {
            text += &format!(
                "{}: {}: {}\n",
                step.title, finding.severity, finding.message
            );
        }
    }
    text
}

const DUEL: &str = "duel:turns=8";

#[test]
fn each_violation_is_reported() {
    use FindingSeverity::{Ok, Warning, Wrong};
    let rows = [
        (
            DUEL,
            "cmd:ZOO crlf",
            Ok,
            "carriage return, which is left out",
        ),
        (
            DUEL,
            "cmd:ZOO crlf",
            Ok,
            "end with blanks, which do not matter",
        ),
        (
            DUEL,
            "cmd:ZOO zeros",
            Ok,
            "were the goals read: ok: it answered the same 8 times",
        ),
        (
            DUEL,
            "cmd:ZOO drip",
            Ok,
            "8 turns are over: ok: half of its answers took",
        ),
        (DUEL, "cmd:ZOO late 5", Wrong, "ms, and had 300 ms"),
        (
            DUEL,
            "cmd:ZOO crash 5",
            Wrong,
            "turn 5: wrong: its process ended: exit code 3; its last words: out of ideas",
        ),
        (
            DUEL,
            "cmd:ZOO leave 1",
            Wrong,
            "turn 1: wrong: its process ended: exit code 0",
        ),
        (
            DUEL,
            "cmd:ZOO twice",
            Wrong,
            "turn 1: wrong: it said `0 0 0 0 0 0 0 0` after its answer",
        ),
        (
            DUEL,
            "cmd:ZOO overspend",
            Wrong,
            "turn 1: wrong: played `1 1 1 1 1 1 1 1`: that costs 8 mana, and there is 6",
        ),
        (
            DUEL,
            "cmd:ZOO say 2 '+1 0 0 0 0 0 0 0'",
            Wrong,
            "turn 2: wrong: answered `+1 0 0 0 0 0 0 0`",
        ),
        (DUEL, "cmd:ZOO chatter", Wrong, "turn 1: wrong: "),
        (
            DUEL,
            "cmd:ZOO loud",
            Warning,
            "writes much to standard error",
        ),
        (
            DUEL,
            "cmd:ZOO outlive",
            Warning,
            "it went on for 1000 ms after its input had been closed",
        ),
        // good as long as the game that was asked about, and no longer
        (
            DUEL,
            "cmd:ZOO say 9 '0 0'",
            Warning,
            "turn 9: warning: answered `0 0`",
        ),
        (
            DUEL,
            "cmd:ZOO random 3",
            Warning,
            "that costs 1 mana, and there is 0",
        ),
        (DUEL, "cmd:./no-such-bot", Wrong, "did not start"),
        (
            "tictactoe",
            "cmd[text]:ZOO text-say 'A1\u{1b}[31m'",
            Wrong,
            "turn 1: wrong: answered `A1\u{fffd}[31m`",
        ),
        (
            "tictactoe",
            "cmd[text]:ZOO text",
            Ok,
            "it plays one game in a process",
        ),
        (
            "tictactoe",
            "cmd[text]:ZOO text-twice",
            Wrong,
            "turn 1: wrong: it said `and B2` after its answer",
        ),
        (
            "tictactoe",
            "cmd[text]:ZOO text-say Z9",
            Wrong,
            "turn 1: wrong: played `Z9`: Z9 is off the board",
        ),
        (
            "tictactoe",
            "cmd[text]:ZOO greet hello",
            Wrong,
            "the bot starts: wrong: did not start: greeted with `hello`",
        ),
        (
            "tictactoe",
            "cmd[text]:ZOO greet 'name zoo hungry'",
            Warning,
            "`hungry` after its name means nothing",
        ),
        (
            "tictactoe",
            "cmd:ZOO text",
            Wrong,
            "the bot starts: wrong: ",
        ),
        (
            "mnk:6,5,4",
            "cmd:ZOO sit random",
            Ok,
            "its name: gridpaper random",
        ),
    ];
    let bots: Vec<_> = rows.iter().map(|&(game, bot, ..)| (game, bot)).collect();
    let found = examine_all(&bots);
    for ((game, bot, verdict, words), (found, steps)) in rows.into_iter().zip(found) {
        let findings = findings(&steps);
        assert!(
            findings.contains(words),
            "{game} {bot}: no `{words}` in\n{findings}"
        );
        assert_eq!(found, verdict, "{game} {bot}:\n{findings}");
        // none of it paints the author's terminal
        let heard = steps.iter().flat_map(|step| &step.received);
        assert!(
            !heard
                .chain([&findings.replace('\n', "")])
                .any(|text| text.contains(char::is_control))
        );
    }
}

#[test]
fn good_bots_have_nothing_to_change() {
    let bots = [
        (DUEL, "cmd:ZOO zeros"),
        (DUEL, "cmd[text]:ZOO text again moves"),
        ("tictactoe", "cmd[text]:ZOO text again moves"),
        ("tictactoe", "cmd[text]:ZOO remarks again"),
        ("tictactoe", "cmd[text]:ZOO sit perfect"),
        ("mnk:15,15,5", "cmd:ZOO sit random"),
        ("stones:plies=20", "cmd:ZOO sit material"),
        (DUEL, "cmd:ZOO sit random"),
    ];
    for ((game, bot), (verdict, steps)) in bots.into_iter().zip(examine_all(&bots)) {
        assert_eq!(
            verdict,
            FindingSeverity::Ok,
            "{game} {bot}:\n{}",
            findings(&steps)
        );
        assert!(steps.iter().any(|step| step.title.contains("second seat")));
    }
}

#[test]
fn a_protocol_that_the_game_does_not_have_is_refused() {
    let bot = "cmd[contest]:./bot".parse().unwrap();
    let game = "stones".parse().unwrap();
    let refused = check(&game, &bot, &MatchConditions::default(), &mut |_| ());
    assert_eq!(
        refused.unwrap_err().to_string(),
        "bots of stones speak text, not contest"
    );
}

//! Programs as players, and our players as programs: `cmd:`, `gridpaper bot`.

use crate::{CliTestFolder, json, out, text, with_input};

/// One of our players as a program of its own.
fn sitting(player: &str) -> String {
    format!(
        "cmd[text]:{} bot sit {player}",
        env!("CARGO_BIN_EXE_gridpaper")
    )
}

#[test]
fn a_player_over_pipes_plays_as_it_does_at_home() {
    // the same seeds, so the same games
    for game in ["tictactoe", "stones", "duel"] {
        let line = |second: &str| {
            let line = ["match", game, "random", second, "--games", "4", "--json"];
            let report = json(&[&line[..], &["--settled"]].concat());
            assert_eq!(report["second_faults"], 0, "{report}");
            (report["pairs"].clone(), report["mean_plies"].clone())
        };
        assert_eq!(line("random"), line(&sitting("random")), "{game}");
    }
}

#[test]
fn a_fault_is_told_kept_and_loses_the_game() {
    let folder = CliTestFolder::new();
    let path = folder.path("games.replay");
    let line = [
        "match",
        "duel",
        "random",
        "cmd:sh -c 'echo who is there >&2; exit 3'",
        "--games",
        "2",
        "--cage",
        "off",
        "--record",
        &path,
        "--json",
    ];
    let output = with_input(&line, b"");
    let talk = text(&output.stderr);
    assert!(talk.contains("exit code 3"), "{talk}");
    assert!(talk.contains("it said: who is there"), "{talk}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["first_wins"], &report["second_faults"]),
        (&2.into(), &2.into())
    );
    out(&["replay", &path, "--check"]);
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept.contains("fault second crashed"), "{kept}");
}

#[test]
fn what_cannot_play_is_told_before_the_first_game() {
    let rows = [
        (["match", "stones", "random", "cmd:"], "there is no command"),
        (
            ["match", "stones", "random", "cmd[contest]:sh"],
            "bots of stones speak text, not contest",
        ),
        (
            ["match", "duel", "random", "cmd[fast]:b"],
            "`fast`: take text",
        ),
    ];
    for (line, expected) in rows {
        let output = with_input(&line, b"");
        assert_eq!(output.status.code(), Some(2), "{line:?}");
        let talk = text(&output.stderr);
        assert!(talk.contains(expected), "{line:?}: {talk}");
    }
}

#[test]
fn a_check_finds_nothing_at_our_own_players_and_much_at_others() {
    let ours = format!("{} bot sit random", env!("CARGO_BIN_EXE_gridpaper"));
    for game in ["duel", "stones", "mnk:9,9,5"] {
        // whatever else this machine does meanwhile
        let talk = out(&["bot", "check", "--pace", "20000,20000", game, &ours]);
        assert!(talk.contains("it keeps the protocol"), "{game}: {talk}");
    }
    let output = with_input(&["bot", "check", "duel", "echo", "1 1 1"], b"");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(
        text(&output.stdout).contains("wrong"),
        "{}",
        text(&output.stdout)
    );
    assert!(text(&output.stderr).contains("departs from the protocol"));
}

/// Issue 28: with the cage off nothing said what that means.
#[test]
fn without_a_cage_it_is_told_what_may_be_left_behind() {
    const TOLD: &str = "note: the cage is off: a bot may change all that you may, and leave files \
                        and running programs behind\n";
    let folder = CliTestFolder::new();
    let plan = folder.path("plan.toml");
    let text_of_plan = |cage: &str| {
        format!(
            "game = \"tictactoe\"\npairs = 1\ncage = \"{cage}\"\n\
             [[player]]\nname = \"a\"\nplayer = \"random\"\n\
             [[player]]\nname = \"b\"\nplayer = \"cmd:sh -c 'exit 3'\"\n"
        )
    };
    let bot = "cmd:sh -c 'exit 3'";
    for (mode, times) in [("off", 1), ("best", 0)] {
        std::fs::write(&plan, text_of_plan(mode)).unwrap();
        let rows: [&[&str]; 4] = [
            &[
                "match",
                "tictactoe",
                "random",
                bot,
                "--games",
                "2",
                "--cage",
                mode,
            ],
            &[
                "play",
                "tictactoe",
                "--first",
                "random",
                "--second",
                bot,
                "--cage",
                mode,
            ],
            &["bot", "check", "--cage", mode, "tictactoe", bot],
            &["tournament", &plan, "--plain"],
        ];
        for line in rows {
            let output = with_input(line, b"");
            let talk = text(&output.stderr);
            assert_eq!(talk.matches(TOLD).count(), times, "{line:?}: {talk}");
        }
    }
    // with nobody to whom it matters nothing is told
    let line = [
        "match",
        "tictactoe",
        "random",
        "random",
        "--games",
        "2",
        "--cage",
        "off",
    ];
    let output = with_input(&line, b"");
    assert!(!text(&output.stderr).contains("cage"));
}

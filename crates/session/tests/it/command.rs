use proptest::prelude::*;
use session::command::{ALL, Group, KEYS};
use session::{Command, CommandRefusal, Session, Viewer, file_access::FileAccess};
use std::collections::HashSet;

#[test]
fn examples_parse_and_are_written_so_that_they_parse_again() {
    for entry in ALL {
        assert!(!entry.examples.is_empty(), "{} has no example", entry.name);
        for text in entry.examples {
            let command: Command = match text.parse() {
                Ok(command) => command,
                Err(error) => panic!("{text}: {error}"),
            };
            let written = command.to_string();
            assert_eq!(written.parse(), Ok(command), "{text} is written {written}");
            assert_eq!(written.split(' ').next(), Some(entry.name), "{text}");
        }
    }
}

#[test]
fn names_are_told_apart_and_groups_stand_together() {
    let names: HashSet<_> = ALL.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), ALL.len());
    let groups: Vec<_> = ALL.iter().map(|entry| entry.group).collect();
    let places: Vec<_> = groups
        .iter()
        .map(|g| Group::ALL.iter().position(|a| a == g))
        .collect();
    assert!(places.is_sorted());
}

#[test]
fn keys_send_commands_that_are_there_and_no_key_sends_two() {
    let keys: HashSet<_> = KEYS.iter().map(|key| key.keys).collect();
    assert_eq!(keys.len(), KEYS.len());
    for key in KEYS {
        match key.command.strip_suffix(' ') {
            Some(name) => assert!(session::command::entry(name).is_some(), "{}", key.keys),
            None => assert!(key.command.parse::<Command>().is_ok(), "{}", key.keys),
        }
    }
}

/// Golly's keys do what they do in Golly (its default preferences).
#[test]
fn whoever_comes_from_golly_finds_the_keys() {
    for (keys, command) in [
        ("Enter", "toggle"),
        ("Space", "step"),
        ("+ = ", "speed faster"),
        ("- _", "speed slower"),
        ("z Ctrl-Z", "undo"),
        ("Shift-Z Shift-Ctrl-Z", "redo"),
        ("Ctrl-X", "cut"),
        ("Ctrl-C", "copy"),
        ("Ctrl-V", "paste"),
        ("Delete", "clear inside"),
        ("Shift-Delete", "clear outside"),
        ("a Ctrl-A", "select all"),
        ("k", "select none"),
        ("s", "select shrink"),
        ("x", "mirror horizontal"),
        ("y", "mirror vertical"),
        (">", "rotate right"),
        ("<", "rotate left"),
        ("F2", "tool draw"),
        ("F3", "tool pick"),
        ("F4", "tool select"),
        ("F5", "tool pan"),
        ("t", "follow toggle"),
        ("f", "fit"),
        ("m", "centre 0,0"),
        ("]", "zoom in"),
        ("[", "zoom out"),
        ("1", "zoom 1"),
        ("2", "zoom 2"),
        ("4", "zoom 4"),
        ("8", "zoom 8"),
        ("6", "zoom 16"),
        ("3", "zoom 32"),
        ("l", "grid toggle"),
        ("Ctrl-N", "new"),
        ("Ctrl-O", "open "),
        ("Ctrl-S", "save"),
        ("?", "help"),
    ] {
        for key in keys.split_whitespace() {
            let bound = KEYS.iter().find(|bound| bound.keys == key);
            assert_eq!(bound.map(|bound| bound.command), Some(command), "{key}");
        }
    }
}

#[test]
fn what_is_no_command_says_what_is_wrong_and_what_may_help() {
    let rows = [
        ("", "a command is missing", "help lists the commands"),
        ("stepp", "`stepp` is no command", "did you mean step?"),
        ("gunn", "`gunn` is no command", "did you mean run?"),
        (
            "frobnicate 3",
            "`frobnicate` is no command",
            "help lists the commands",
        ),
        (
            "step ten",
            "step: `ten` is not a number of generations",
            "step [N]",
        ),
        ("step 10 11", "step: `11` is one word too many", "step [N]"),
        ("goto", "goto needs a generation", "goto N"),
        (
            "set 3 4",
            "set: `3` is not a cell such as 3,4",
            "set X,Y STATE",
        ),
        ("set 3,4", "set needs a state, 0 to 255", "set X,Y STATE"),
        (
            "random 1.5",
            "random: `1.5` is not a density from 0 to 1, or count N",
            "random DENSITY|count N [seed S]",
        ),
        (
            "speed 0.01",
            "speed: `0.01` is not a speed from 0.1, max, faster or slower",
            "speed N|max|faster|slower",
        ),
        (
            "memory lots",
            "memory: `lots` is not a size such as 4G or 512M",
            "memory BYTES",
        ),
        (
            "theme pink",
            "theme: `pink` is not paper, blueprint, contrast, sepia, night or auto",
            "theme paper|blueprint|contrast|sepia|night|auto",
        ),
        (
            "step 10^99999999",
            "step: `10^99999999` is not a number of generations",
            "step [N]",
        ),
    ];
    for (text, error, hint) in rows {
        let refused = text.parse::<Command>().unwrap_err();
        assert_eq!(refused.to_string(), error);
        assert_eq!(refused.hint().as_deref(), Some(hint), "{text}");
    }
    let sphere = "resize 3x4 sphere".parse::<Command>().unwrap_err();
    assert!(sphere.to_string().contains("square"), "{sphere}");
}

#[test]
fn every_example_is_done_or_refused_with_a_reason_on_an_empty_sheet_and_on_a_full_one() {
    for begin in ["new", "open gosper-glider-gun"] {
        for entry in ALL {
            for text in entry.examples {
                let mut session = Session::new(FileAccess::default(), 0);
                let mut viewer = Viewer::new(300, 200);
                let begin: Command = begin.parse().unwrap();
                session.apply(&mut viewer, &begin).unwrap();
                let command: Command = text.parse().unwrap();
                let before = session.world().hash();
                match session.apply(&mut viewer, &command) {
                    Ok(_) => {}
                    Err(CommandRefusal::Asks {
                        question,
                        command,
                        yes,
                    }) => {
                        assert!(!question.is_empty() && !yes.is_empty());
                        let again: Command = command.parse().unwrap();
                        session.apply(&mut viewer, &again).unwrap();
                    }
                    Err(refusal) => {
                        assert!(!refusal.to_string().is_empty());
                        assert_eq!(session.world().hash(), before, "{text} was refused");
                    }
                }
                session.frame(&mut viewer);
            }
        }
    }
}

proptest! {
    #[test]
    fn no_text_is_too_strange_to_be_parsed_or_refused(text in ".{0,40}") {
        let _ = text.parse::<Command>();
    }

    #[test]
    fn any_words_after_a_name_are_parsed_or_refused(
        place in 0..ALL.len(),
        words in "[-0-9,x:*a-z ]{0,30}",
    ) {
        let text = format!("{} {words}", ALL[place].name);
        if let Ok(command) = text.parse::<Command>() {
            let written = command.to_string();
            prop_assert_eq!(written.parse(), Ok(command), "{} is written {}", text, written);
        }
    }
}

/// Nothing in a text may be as deep as the text is long: five thousand of these overflowed
/// the stack.
#[test]
fn anyway_may_be_said_more_than_once() {
    let new = Command::Anyway(Box::new(Command::New));
    for times in [1, 2, 5_000, 100_000] {
        let text = "anyway ".repeat(times) + "new";
        assert_eq!(text.parse(), Ok(new.clone()), "{times} times");
    }
    for (text, refused) in [
        ("anyway ", "anyway needs a command"),
        (&*"anyway ".repeat(100_000), "anyway needs a command"),
        (&*("anyway ".repeat(100_000) + "nw"), "`nw` is no command"),
    ] {
        let error = text.parse::<Command>().unwrap_err();
        assert_eq!(error.to_string(), refused);
    }
}

/// Words as long as a message are compared with no name.
#[test]
fn a_long_word_is_near_to_no_command() {
    let error = "stop".repeat(1 << 20).parse::<Command>().unwrap_err();
    assert_eq!(error.hint(), Some("help lists the commands".into()));
}

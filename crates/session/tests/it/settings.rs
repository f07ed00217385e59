//! Settings, there and back, and what becomes of broken ones.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

use crate::bench::SessionBench;
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Format, Pattern};
use proptest::prelude::*;
use render::{Rgb, Zoom};
use session::settings::{Presentation, Settings, SettingsWarning, carries_comments};

fn read(lines: &[&str]) -> (Settings, Vec<String>, Vec<SettingsWarning>) {
    let mut comments: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let (settings, warnings) = Settings::from_comments(&mut comments);
    (settings, comments, warnings)
}

/// Lines, what is written for them, what stays a comment, and how many warnings.
fn check(lines: &[&str], written: &[&str], left: &[&str], warnings: usize) {
    let (settings, comments, said) = read(lines);
    assert_eq!(settings.to_comments(), written, "{lines:?}");
    assert_eq!(comments, left, "{lines:?}");
    assert_eq!(said.len(), warnings, "{lines:?}: {said:?}");
}

#[test]
fn scripts_are_read_and_written() {
    let rows: &[(&str, &str)] = &[
        ("[[ ZOOM 8 ]]", "[[ ZOOM 8 ]]"),
        ("[[ z 8 x 3 y -4 ]]", "[[ ZOOM 8 X 3 Y -4 ]]"),
        ("[[ Z -4 ]]", "[[ ZOOM 0.25 ]]"),
        ("[[ Z 0.0625 ]]", "[[ ZOOM 0.0625 ]]"),
        ("[[ Z 0.2 ]]", "[[ ZOOM 0.25 ]]"),
        ("[[ ZOOM 128 ]]", "[[ ZOOM 64 ]]"),
        ("[[Y 7]]", "[[ X 0 Y 7 ]]"),
        ("[[ GPS 30 STEP 2 ]]", "[[ GPS 30 STEP 2 ]]"),
        ("[[ GRID GRIDMAJOR 10 ]]", "[[ GRID GRIDMAJOR 10 ]]"),
        ("[[ COLOR 2 255 0 1 ]]", "[[ COLOR 2 255 0 1 ]]"),
        ("[[ COLOUR 2 #ff0001 ]]", "[[ COLOR 2 255 0 1 ]]"),
    ];
    for (line, written) in rows {
        check(&[line], &[written], &[], 0);
    }
}

#[test]
fn what_no_script_can_say_is_on_a_line_of_our_own() {
    let rows: &[&str] = &[
        "gridpaper: zoom=1:32",
        "gridpaper: place=123456789012345678901234567890,-5",
        "gridpaper: speed=0.5",
        "gridpaper: speed=max",
        "gridpaper: stride=18446744073709551616",
        "gridpaper: theme=paper",
        "gridpaper: grid=off",
        "gridpaper: major=100",
        "gridpaper: dying=on age=off history=on follow=off",
        "gridpaper: from-a-later-version=1,2,3",
    ];
    for line in rows {
        check(&[line], &[line], &[], 0);
    }
}

#[test]
fn nothing_foreign_is_lost() {
    // words that are not known stay where they were, with what belongs to them
    check(
        &[
            "a ship",
            "[[ THEME 6 TRACK 0 -1/3 X 30 Z 2 GRID AUTOSTART LOOP 2700 ]]",
        ],
        &[
            "[[ ZOOM 2 X 30 Y 0 TRACK 0 -1/3 GRID ]]",
            "[[ THEME 6 AUTOSTART LOOP 2700 ]]",
        ],
        &["a ship"],
        0,
    );
    // a later moment's view is no beginning's
    check(
        &["[[ Z 4 ]]", "[[ T 300 X -280 Y 60 Z 2 ]]", "[[ GPS 5 ]]"],
        &["[[ ZOOM 4 ]]", "[[ T 300 X -280 Y 60 Z 2 ]]", "[[ GPS 5 ]]"],
        &[],
        0,
    );
    // nor are words in quotes, or the names of things that have colours
    check(
        &["[[ LABEL 1 2 4 \"GRID ZOOM 3\" COLOR GRID 1 2 3 COLOR LABEL LightBlue ]]"],
        &["[[ LABEL 1 2 4 \"GRID ZOOM 3\" COLOR GRID 1 2 3 COLOR LABEL LightBlue ]]"],
        &[],
        0,
    );
    // over several lines, with words around it
    check(
        &["look: [[ GPS 7", "TITLE \"x\"", "LOOP 9 ]] fine", "end"],
        &["[[ GPS 7 ]]", "[[ TITLE \"x\"", "LOOP 9 ]]"],
        &["look:  fine", "end"],
        0,
    );
}

#[test]
fn broken_settings_are_told_and_kept() {
    check(&["[[ ZOOM 8", "GPS 3"], &[], &["[[ ZOOM 8", "GPS 3"], 1);
    check(&["[[", "[[ GPS 3 ]]"], &["[[ GPS 3 ]]"], &["[["], 1);
    check(&["gridpaper: well"], &[], &["gridpaper: well"], 0);
    check(&["[[ ZOOM big ]]"], &["[[ ZOOM big ]]"], &[], 1);
    check(&["[[ ZOOM", "]]"], &["[[ ZOOM ]]"], &[], 1);
    check(&["[[ GPS 0 STEP 1.5 ]]"], &["[[ GPS 0 STEP 1.5 ]]"], &[], 2);
    check(
        &["[[ COLOR 2 300 0 0 ]]"],
        &["[[ COLOR 2 300 0 0 ]]"],
        &[],
        1,
    );
    check(
        &["[[ COLOR ]]", "[[ COLOR 3 ]]"],
        &["[[ COLOR ]]", "[[ COLOR 3 ]]"],
        &[],
        1,
    );
    check(
        &["gridpaper: speed=fast stride=0 grid=maybe"],
        &["gridpaper: grid=maybe speed=fast stride=0"],
        &[],
        3,
    );
    let (settings, _, warnings) = read(&["[[ GPS 5 ]]", "gridpaper: speed=fast"]);
    assert_eq!(settings.speed, Some(5.0));
    assert_eq!(
        warnings[0].to_string(),
        "the setting `speed` does not take `fast`; it is kept as it is"
    );
}

#[test]
fn a_place_is_counted_from_the_middle_of_what_lives() {
    let bounds = Bounds {
        x: 10.into(),
        y: (-20).into(),
        width: 5u8.into(),
        height: 4u8.into(),
    };
    let mut settings = Settings::default();
    settings.look_at(&(15.into(), (-18).into()), Some(&bounds));
    assert_eq!(settings.to_comments(), ["[[ X 3 Y 0 ]]"]);
    let seen = settings.centre(Some(&bounds));
    assert_eq!(seen, Some((BigInt::from(15), BigInt::from(-18))));
    assert_eq!(settings.centre(None), Some((3.into(), 0.into())));
    assert_eq!(Settings::default().centre(None), None);
}

fn map() -> Pattern {
    Pattern {
        rule: Some("B36/S23:T100,80".into()),
        name: Some("two".into()),
        author: Some("me".into()),
        comments: vec!["first".into(), "second".into()],
        ..Pattern::from_text("2o$2o!").unwrap()
    }
}

#[test]
fn what_a_format_cannot_tell_lies_beside_it() {
    let settings = Settings {
        zoom: Some(Zoom::In(8)),
        grid: Some(true),
        colours: [(
            1,
            Rgb {
                r: 213,
                g: 94,
                b: 0,
            },
        )]
        .into(),
        ..Settings::default()
    };
    for format in [
        Format::Rle,
        Format::Macrocell,
        Format::Plaintext,
        Format::Life105,
        Format::Life106,
        Format::Classroom,
    ] {
        let mut pattern = map();
        pattern.cells = pattern.cells.translated(-7, 12);
        pattern.position = Some(grid::Point::new(-7, 12));
        let whole = pattern.clone();
        let beside = settings.pack(&mut pattern, format);
        let mut bytes = Vec::new();
        pattern::write(&pattern, format, &mut bytes).unwrap();
        let mut back = pattern::read_as(&bytes, format).unwrap();
        let (again, warnings) = Settings::unpack(&mut back, beside.as_deref());
        assert_eq!(warnings, [], "{format}");
        assert_eq!(again, settings, "{format}");
        assert_eq!(back.cells, whole.cells, "{format}");
        assert_eq!(back.rule, whole.rule, "{format}");
        assert_eq!(back.name, whole.name, "{format}");
        assert_eq!(back.author, whole.author, "{format}");
        assert_eq!(back.comments, whole.comments, "{format}");
        // a file that tells all has nothing beside it
        assert_eq!(
            beside.is_none(),
            matches!(format, Format::Rle | Format::Macrocell)
        );
    }
    // in the middle of a grid is elsewhere than at its (0, 0)
    let mut placed = Pattern {
        position: Some(grid::Point::new(0, 0)),
        ..map()
    };
    let beside = Settings::default().pack(&mut placed, Format::Plaintext);
    let mut back = Pattern::from_text("2o$2o!").unwrap();
    let _ = Settings::unpack(&mut back, beside.as_deref());
    assert_eq!(back.position, Some(grid::Point::new(0, 0)));
    let mut plain = Pattern::from_text("2o$2o!").unwrap();
    assert_eq!(
        Settings::default().pack(&mut plain, Format::Classroom),
        None
    );
    assert!(!carries_comments(Format::Classroom));
}

#[test]
fn a_broken_file_beside_leaves_the_pattern_alone() {
    let check = |text: &str, warnings: &[&str]| {
        let mut pattern = map();
        let (_, said) = Settings::from_toml(text, &mut pattern);
        let said: Vec<String> = said.iter().map(ToString::to_string).collect();
        for (said, expected) in said.iter().zip(warnings) {
            assert!(said.contains(expected), "{text}: {said}");
        }
        assert_eq!(said.len(), warnings.len(), "{text}: {said:?}");
        assert_eq!(pattern, map(), "{text}");
    };
    check("grid = true\nzoom = \n", &["line 2: "]);
    check("\u{0}", &["line 1: "]);
    check("zoom = 8\nspeed = -1\n", &["`speed` does not take `-1`"]);
    check("zoom = \"1:3\"\n", &["`zoom` does not take `1:3`"]);
    check("colours = 3\n", &["`colours`"]);
    check(
        "[colours]\n300 = \"#000000\"\n2 = \"red\"\n",
        &["colours.2", "colours.300"],
    );
    check("comments = [1]\nrule = 7\n", &["comments", "rule"]);
    check(
        "generation = \"x\"\ncorner = \"far\"\n",
        &["corner", "generation"],
    );
    check("corner = \"9223372036854775807,0\"\n", &["corner"]);
    check("later = [1, 2]\n", &[]);
}

#[test]
fn what_is_beside_a_file_counts_for_more_than_what_is_in_it() {
    let mut pattern = map();
    pattern.comments.push("[[ GPS 5 ZOOM 3 ]]".into());
    let (settings, _) = Settings::unpack(&mut pattern, Some("zoom = \"20\"\n"));
    assert_eq!(settings.zoom, Some(Zoom::In(20)));
    assert_eq!(settings.speed, Some(5.0));
    assert_eq!(pattern.comments, ["first", "second"]);
}

fn any_settings() -> impl Strategy<Value = Settings> {
    let zoom = prop_oneof![
        (1u32..=64).prop_map(Zoom::In),
        (1u32..=200).prop_map(Zoom::Out)
    ];
    let place = (any::<i64>(), -5000i64..5000).prop_map(|(x, y)| (x.into(), y.into()));
    let speed = prop_oneof![
        (1u32..100).prop_map(f64::from),
        0.1f64..1e9,
        Just(f64::INFINITY)
    ];
    let stride = (1u128..1 << 100).prop_map(BigUint::from);
    let theme = prop_oneof![Just("paper".to_string()), Just("blueprint".to_string())];
    let colour = any::<[u8; 3]>().prop_map(|[r, g, b]| Rgb { r, g, b });
    let colours = prop::collection::btree_map(any::<u8>(), colour, 0..20);
    let switches = prop::array::uniform5(any::<Option<bool>>());
    let option = |of| prop::option::of(of);
    (
        option(zoom.boxed().prop_map(Some).boxed()).prop_map(Option::flatten),
        prop::option::of(place),
        prop::option::of(speed),
        prop::option::of(stride),
        prop::option::of(theme),
        colours,
        prop::option::of(0u32..200),
        switches,
    )
        .prop_map(
            |(zoom, place, speed, stride, theme, colours, major, switches)| {
                let [grid, dying, age, history, follow] = switches;
                Settings {
                    zoom,
                    place,
                    speed,
                    stride,
                    theme,
                    colours,
                    major,
                    grid,
                    dying,
                    age,
                    history,
                    follow,
                    ..Settings::default()
                }
            },
        )
}

proptest! {
    #[test]
    fn all_settings_come_back(settings in any_settings()) {
        let mut comments = settings.to_comments();
        for line in &comments {
            prop_assert!(line.starts_with("gridpaper:") || line.len() <= 70, "{}", line);
        }
        let (again, warnings) = Settings::from_comments(&mut comments);
        prop_assert_eq!(&again, &settings);
        prop_assert!(comments.is_empty() && warnings.is_empty());
        let text = settings.to_toml(&map(), Format::Rle);
        let mut pattern = map();
        let (again, warnings) = Settings::from_toml(&text, &mut pattern);
        prop_assert_eq!(&again, &settings);
        prop_assert!(warnings.is_empty() && pattern == map());
    }

    /// Whatever stands in comments: nothing is lost, and twice is once.
    #[test]
    fn noise_comes_to_rest(
        lines in prop::collection::vec("gridpaper:( [a-z]{1,3}=[a-z0-9]{0,3}){0,3}|([a-zA-Z0-9\"#=:. -]|\\[\\[[a-zA-Z0-9\"#. -]{0,4}(GPS|Z|COLOR 1|T|X|POI|LABEL|STOP|\"a b\"| ){0,3}[0-9 -]{0,6}\\]\\]){0,9}", 0..6)
    ) {
        let mut comments = lines;
        let (first, _) = Settings::from_comments(&mut comments);
        comments.extend(first.to_comments());
        let _ = Presentation::of(&first).camera(&7.into());
        let once = comments.clone();
        let (second, _) = Settings::from_comments(&mut comments);
        comments.extend(second.to_comments());
        prop_assert_eq!(once, comments);
    }

    #[test]
    fn any_text_may_lie_beside_a_pattern(text in "\\PC{0,60}") {
        let mut pattern = map();
        let _ = Settings::from_toml(&text, &mut pattern);
        prop_assert_eq!(pattern.cells, map().cells);
    }
}

/// Issue 28: no depth of a text is a depth of the stack.
#[test]
fn settings_may_be_as_deep_as_they_like_and_are_not_read() {
    let deep = 100_000;
    let rows = [
        "zoom = ".to_string() + &"[".repeat(deep),
        "zoom = ".to_string() + &"[".repeat(deep) + &"]".repeat(deep),
        "zoom = ".to_string() + &"{a=".repeat(deep) + "1" + &"}".repeat(deep),
        "a.".repeat(deep) + "a = 1",
        "[".to_string() + &"a.".repeat(deep) + "a]",
    ];
    for text in rows {
        let (settings, warnings) = Settings::unpack(&mut Pattern::default(), Some(&text));
        assert!(settings.is_empty());
        let [SettingsWarning::Toml { line: 1, problem }] = &warnings[..] else {
            panic!("{:.40}: {} warnings", text, warnings.len());
        };
        assert!((1..200).contains(&problem.len()), "{problem:.300}");
    }
}

/// LifeViewer's word for a view that moves, as it is written in the files that people share.
#[test]
fn a_track_is_read_followed_and_written_again() {
    let read = |text: &str| {
        let mut comments = vec![format!("[[ {text} ]]")];
        let (settings, warnings) = Settings::from_comments(&mut comments);
        let track = settings.track.map(|motion| motion.to_string());
        (track.unwrap_or_default(), warnings.len(), settings)
    };
    for (text, track) in [
        ("TRACK 0 -1/3", "0,-1/3"),
        ("track 1/4 1/6 GPS 10", "3,2/12"),
        ("TRACK 0.182 0.182", "91,91/500"),
        ("TRACK -1 .5", "-2,1/2"),
        ("TRACK 0 0", ""),
    ] {
        let (found, warnings, settings) = read(text);
        assert_eq!((found.as_str(), warnings), (track, 0), "{text}");
        let mut comments = settings.to_comments();
        let (again, _) = Settings::from_comments(&mut comments);
        assert_eq!(again, settings, "{text}");
    }
    for text in [
        "TRACK",
        "TRACK 1",
        "TRACK a b",
        "TRACK 1/0 0",
        "TRACK 0.1234567 0",
    ] {
        let (found, warnings, settings) = read(text);
        assert_eq!((found.as_str(), warnings), ("", 1), "{text}");
        assert_eq!(settings.script.len(), 1, "{text} is kept");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut bench = SessionBench::in_folder(folder.path());
    let file = "#C [[ ZOOM 4 TRACK 1/4 1/4 ]]\nx = 3, y = 3\nbo$2bo$3o!\n";
    std::fs::write(folder.path().join("ship.rle"), file).unwrap();
    bench.all("open ship.rle; step 40");
    bench.session.frame(&mut bench.viewer);
    let (x, y) = bench.viewer.viewport.centre();
    assert_eq!((x, y), (11.into(), 11.into()));
    bench.all("save again.rle");
    let text = std::fs::read_to_string(folder.path().join("again.rle")).unwrap();
    assert!(text.contains("TRACK 1/4 1/4"), "{text}");
}

/// Opens a file whose only script is this, with a row of three cells from 100,100 on.
fn presented(script: &str) -> (SessionBench, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = SessionBench::in_folder(folder.path());
    let file = format!("#CXRLE Pos=100,100\n#C {script}\nx = 3, y = 1\n3o!\n");
    std::fs::write(folder.path().join("told.rle"), file).unwrap();
    bench.all("open told.rle");
    (bench, folder)
}

/// Lets it run for so many seconds, in tenths of one.
fn run_for(bench: &mut SessionBench, seconds: u32) {
    for _ in 0..10 * seconds {
        bench
            .session
            .tick(std::time::Duration::from_millis(100), &mut || true);
    }
}

#[test]
fn a_script_starts_stops_and_repeats_the_world() {
    let (mut bench, _folder) = presented("[[ AUTOSTART STEP 7 STOP 50 ]]");
    assert!(bench.session.status(&bench.viewer).running);
    run_for(&mut bench, 5);
    let status = bench.session.status(&bench.viewer);
    assert_eq!((status.generation.as_str(), status.running), ("50", false));
    let message = status.message.unwrap_or_default();
    assert!(message.contains("as its script says"), "{message}");
    // it can be run on
    bench.all("run");
    run_for(&mut bench, 1);
    assert!(bench.generation() > 50);

    let (mut bench, _folder) = presented("[[ LOOP 10 ]]");
    assert!(!bench.session.status(&bench.viewer).running);
    bench.all("run");
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..200 {
        bench
            .session
            .tick(std::time::Duration::from_millis(20), &mut || true);
        seen.insert(bench.generation());
    }
    assert!(bench.session.status(&bench.viewer).running);
    assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&9)));
    // all of it is one change
    bench.all("stop; undo");
    assert_eq!(bench.generation(), 0);
    assert!(bench.refused("undo").contains("nothing to undo"));
}

#[test]
fn a_script_moves_the_camera_until_somebody_looks_elsewhere() {
    let script = "[[ X 0 Y 0 ZOOM 8 T 100 X 50 Y -20 ZOOM 2 GPS 5 ]]";
    let (mut bench, _folder) = presented(script);
    let look = |bench: &mut SessionBench| {
        bench.session.frame(&mut bench.viewer);
        (bench.viewer.viewport.centre(), bench.viewer.viewport.zoom)
    };
    // the middle of the cells is 101,100
    assert_eq!(look(&mut bench), ((101.into(), 100.into()), Zoom::In(8)));
    bench.all("step 50");
    assert_eq!(look(&mut bench), ((126.into(), 90.into()), Zoom::In(4)));
    bench.all("run");
    run_for(&mut bench, 3);
    assert_eq!(look(&mut bench), ((151.into(), 80.into()), Zoom::In(2)));
    assert_eq!(bench.session.status(&bench.viewer).speed, Some(5.0));
    bench.all("stop; centre 7,7; step 1");
    assert_eq!(look(&mut bench).0, (7.into(), 7.into()));
}

#[test]
fn a_script_names_points_labels_and_a_theme_and_is_written_as_it_was() {
    let script = "[[ THEME 6 POI X 5 Y 6 ZOOM 3 \"Here it is\" LABELT 0 9 0 LABEL 1 -2 8 \"three\" ANGLE 5 ]]";
    let (mut bench, folder) = presented(script);
    let status = bench.session.status(&bench.viewer);
    assert_eq!(status.settings.theme, "blueprint");
    assert!(status.settings.age && status.settings.history);
    assert_eq!(
        status.bookmarks,
        [("here-it-is".to_string(), String::new())]
    );
    bench.all("zoom 8");
    let labels = bench.session.status(&bench.viewer).labels;
    assert_eq!(labels.len(), 1);
    assert_eq!((labels[0].text.as_str(), labels[0].size), ("three", 16.0));
    assert_eq!(labels[0].place, ["102", "98"]);
    bench.all("step 10; visit here-it-is");
    assert_eq!(bench.viewer.viewport.centre(), (106.into(), 106.into()));
    assert_eq!(
        (bench.viewer.viewport.zoom, bench.generation()),
        (Zoom::In(3), 10)
    );
    assert!(bench.session.status(&bench.viewer).labels.is_empty());
    bench.all("save again.rle");
    let text = std::fs::read_to_string(folder.path().join("again.rle")).unwrap();
    for word in ["THEME 6", "LABEL 1 -2 8", "Here it is"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    for word in ["bookmark-", "theme=", "age="] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    let (mut bench, _folder) = presented("nothing");
    assert!(bench.all("open told.rle").note.is_none());
    let (mut bench, _folder) = presented(script);
    let note = bench.all("open told.rle").note.unwrap();
    assert!(note.contains("ANGLE") && !note.contains("LABEL"), "{note}");
}

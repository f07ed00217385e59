//! `gridpaper render`.

use crate::{CliTestCase, CliTestFolder, command, out, text, with_input};
use std::process::Stdio;

const GLIDER: &str = "bo$2bo$3o!";

/// Standard output as it is, of a command line that must go well.
fn bytes(line: &[&str]) -> Vec<u8> {
    let output = with_input(line, b"");
    assert!(
        output.status.success(),
        "{line:?}: {}",
        text(&output.stderr)
    );
    output.stdout
}

/// Width and height that a PNG tells.
fn png_size(file: &[u8]) -> (u32, u32) {
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// How many pictures an APNG says that it has.
fn apng_pictures(file: &[u8]) -> u32 {
    let at = file.windows(4).position(|w| w == b"acTL").unwrap();
    u32::from_be_bytes(file[at + 4..at + 8].try_into().unwrap())
}

#[test]
fn text_is_the_pattern() {
    let rows: &[(&[&str], &str)] = &[
        (&[GLIDER], " ▀▄\n▀▀▀\n"),
        (&[GLIDER, "--characters", "letters"], ".O.\n..O\nOOO\n"),
        (&[GLIDER, "--characters", "braille"], "⠬⠆\n"),
        (
            &[GLIDER, "--characters", "letters", "--zoom", "2"],
            "..OO..\n..OO..\n....OO\n....OO\nOOOOOO\nOOOOOO\n",
        ),
        (&[GLIDER, "--gens", "1"], "▀▄█\n ▀ \n"),
        // all generations in one frame, one below the other
        (
            &[
                GLIDER,
                "--gens",
                "0..2",
                "--every",
                "2",
                "--characters",
                "letters",
            ],
            ".O.\n..O\nOOO\n...\n\n...\n..O\nO.O\n.OO\n",
        ),
        (&["x = 3, y = 1, rule = 345/2/4\nA.C!"], "A.C\n"),
        (
            &[
                "x = 3, y = 1, rule = B3/S23:T5,3\n3o!",
                "--gens",
                "0..1",
                "--characters",
                "letters",
            ],
            "...\nOOO\n...\n\n.O.\n.O.\n.O.\n",
        ),
        // far out it is the same
        (&[GLIDER, "--gens", "4*10^30"], " ▀▄\n▀▀▀\n"),
        (&["!"], " \n"),
    ];
    for (line, expected) in rows {
        let line = [&["render", line[0], "-", "--format", "txt"], &line[1..]].concat();
        assert_eq!(out(&line), *expected, "{line:?}");
    }
    // two cells a pixel: the rows of pixels begin at the row of cells 1
    let far = ["render", GLIDER, "-", "--format", "txt", "--zoom", "1:2"];
    assert_eq!(out(&far), "⠓\n");
}

#[test]
fn pictures_are_as_large_as_they_should_be() {
    let size = |line: &[&str]| {
        let line = [&["render", GLIDER, "-", "--format", "png"], line].concat();
        png_size(&bytes(&line))
    };
    // a cell around, at 20 pixels a cell
    assert_eq!(size(&[]), (100, 100));
    assert_eq!(size(&["--zoom", "10"]), (50, 50));
    assert_eq!(size(&["--zoom", "1"]), (11, 11));
    assert_eq!(size(&["--zoom", "1:4"]), (9, 10));
    assert_eq!(size(&["--size", "640x480"]), (640, 480));
    assert_eq!(
        size(&["--size", "7x5", "--zoom", "64", "--view", "-9,10^40"]),
        (7, 5)
    );
    let soup = "x = 2, y = 1\no6000bo!";
    let line = ["render", soup, "-", "--format", "png"];
    let (width, height) = png_size(&bytes(&line));
    assert!(
        (800..=1600).contains(&width) && height < 20,
        "{width} x {height}"
    );
}

#[test]
fn moving_pictures_hold_all_generations() {
    let folder = CliTestFolder::new();
    let film = |name: &str, more: &[&str]| {
        let path = folder.path(name);
        out(&[&["render", "gosper-glider-gun", &path, "--zoom", "4"], more].concat());
        std::fs::read(path).unwrap()
    };
    let apng = film(
        "gun.apng",
        &["--gens", "0..30", "--every", "3", "--grid", "--dying"],
    );
    assert_eq!(apng_pictures(&apng), 11);
    let one = film("one.apng", &["--gens", "12"]);
    assert_eq!(apng_pictures(&one), 1);
    let gif = film("gun.GIF", &["--gens", "0..30", "--fps", "25"]);
    assert_eq!(&gif[..6], b"GIF89a");
    // the control block of each picture: its size, flags, then 4 hundredths of a second
    let blocks = gif
        .windows(6)
        .filter(|w| w[..3] == *b"\x21\xf9\x04" && w[4..] == *b"\x04\x00");
    assert_eq!(blocks.count(), 31);
    assert_eq!(gif, film("again.gif", &["--gens", "0..30", "--fps", "25"]));
    assert_eq!(
        folder.names(),
        ["again.gif", "gun.GIF", "gun.apng", "one.apng"]
    );
}

#[test]
fn svg_shows_what_was_asked_for() {
    let svg = |more: &[&str]| out(&[&["render", GLIDER, "-", "--format", "svg"], more].concat());
    let (rule, strong, ink, dying) = ("#d5e0ea", "#a9c1d8", "#1d2433", "#878b93");
    let plain = svg(&[]);
    assert!(plain.starts_with("<svg xmlns=") && plain.ends_with("</svg>\n"));
    assert!(plain.contains(ink) && plain.contains("#fbf8ef"));
    assert!(
        ![rule, strong, dying]
            .iter()
            .any(|colour| plain.contains(colour)),
        "{plain}"
    );
    let ruled = svg(&["--grid"]);
    assert!(ruled.contains(rule) && ruled.contains(strong) && !ruled.contains(dying));
    assert!(!svg(&["--grid", "--major", "0"]).contains(strong));
    assert!(svg(&["--dying"]).contains(dying));
    let dark = svg(&["--theme", "blueprint"]);
    assert!(dark.contains("#17283d") && !dark.contains(ink));
    let ages = [
        "render",
        "x = 3, y = 1, rule = 345/2/4\nABC!",
        "-",
        "--format",
        "svg",
    ];
    let faded = out(&ages);
    let glowing = out(&[&ages[..], &["--palette", "glowing"]].concat());
    assert_ne!(faded, glowing);
    assert_eq!(out(&[&ages[..], &["--palette", "rule"]].concat()), faded);
}

/// Issue 31: cells are coloured by age, heat and period in every kind of picture.
#[test]
fn cells_are_coloured_by_what_they_do() {
    let (ink, red) = ("#1d2433", "#b8322a");
    let svg = |pattern: &str, more: &[&str]| {
        out(&[&["render", pattern, "-", "--format", "svg"], more].concat())
    };
    let blinker = "x = 3, y = 1, rule = B3/S23\n3o!";
    let heat = svg(blinker, &["--colouring", "heat"]);
    // its middle never changes, its ends do in each generation
    assert!(heat.contains("#878b93") && heat.contains(red) && !heat.contains(ink));
    let periods = svg(blinker, &["--colouring", "period", "--gens", "7"]);
    assert!(periods.contains(ink) && periods.contains("#e69f00"));
    let ages = |gens: &str| svg(blinker, &["--colouring", "age", "--gens", gens]);
    let colours = |svg: String| svg.matches("<path").count();
    assert_eq!(
        colours(ages("0")) + 1,
        colours(ages("1")),
        "all are newborn"
    );
    assert!(!ages("0").contains(ink) && ages("100").contains(ink));
    assert_eq!(
        ages("10^30"),
        ages("100"),
        "no cell is older than the oldest"
    );
    let around = ["--zoom", "8", "--size", "320x320", "--view", "5,5"];
    let trails = svg(
        GLIDER,
        &[&["--trails", "--gens", "40"], &around[..]].concat(),
    );
    assert!(trails.matches("<path").count() > 20, "its way fades");
    // what flies away has the colours of its states, and it is said
    let output = with_input(
        &[
            "render",
            GLIDER,
            "-",
            "--format",
            "svg",
            "--colouring",
            "heat",
        ],
        b"",
    );
    assert_eq!(text(&output.stdout), svg(GLIDER, &[]));
    assert!(text(&output.stderr).contains("do not all come back"));
    // on a torus it comes back: each of its cells changes now and then
    let torus = "x = 3, y = 3, rule = B3/S23:T8,8\nbo$2bo$3o!";
    assert!(!svg(torus, &["--colouring", "heat"]).contains(ink));
    // a GIF's table of colours, and a PNG's
    let has = |file: &[u8], colour: [u8; 3]| file.windows(3).any(|three| three == colour);
    for format in ["gif", "apng"] {
        let film = |colouring| {
            let line = ["render", blinker, "-", "--format", format, "--gens", "0..3"];
            bytes(&[&line[..], &["--colouring", colouring]].concat())
        };
        assert!(has(&film("heat"), [0xb8, 0x32, 0x2a]), "{format}");
        assert!(!has(&film("state"), [0xb8, 0x32, 0x2a]), "{format}");
    }
    let png = ["render", blinker, "-", "--format", "png"];
    assert_ne!(
        bytes(&[&png[..], &["--colouring", "heat"]].concat()),
        bytes(&png)
    );
    // icons of a rule's file, in pictures
    let own = "x = 2, y = 1, rule = Own\nAB!\n@RULE Own\n@TABLE\nn_states:3\nneighborhood:vonNeumann\n\
               symmetries:none\n1,0,0,0,0,2\n@ICONS\ncircles\n";
    for format in ["png", "gif", "svg"] {
        let drawn = |zoom: &str, more: &[&str]| {
            bytes(
                &[
                    &["render", own, "-", "--format", format, "--zoom", zoom],
                    more,
                ]
                .concat(),
            )
        };
        assert_ne!(drawn("16", &["--icons"]), drawn("16", &[]), "{format}");
    }
    let small = ["render", own, "-", "--format", "png", "--zoom", "4"];
    assert_eq!(bytes(&[&small[..], &["--icons"]].concat()), bytes(&small));
    // the themes
    for (theme, sheet) in [
        ("contrast", "#ffffff"),
        ("sepia", "#faf3e6"),
        ("night", "#0b0c0e"),
    ] {
        assert!(svg(GLIDER, &["--theme", theme]).contains(sheet), "{theme}");
    }
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = CliTestFolder::new();
    let (gif, png) = (folder.path("a.gif"), folder.path("a.png"));
    let (nowhere, odd) = (folder.path("no/a.png"), folder.path("a.jpeg"));
    let rows: &[(&[&str], &str)] = &[
        (&[GLIDER, &odd], "its ending tells no picture"),
        (&[GLIDER, "-"], "--format must tell"),
        (&[GLIDER, &nowhere], "there is no folder"),
        (
            &[GLIDER, &png, "--gens", "0..9"],
            "one such file shows one generation",
        ),
        (&[GLIDER, &gif, "--gens", "9..0"], "0 comes before 9"),
        (
            &[GLIDER, &gif, "--gens", "0..10^9"],
            "hint: --every 10000001",
        ),
        (&[GLIDER, &gif, "--every", "0"], "--every 0"),
        (&[GLIDER, &gif, "--zoom", "1:3"], "try 1:2 or 1:4"),
        (&[GLIDER, &gif, "--zoom", "65"], "1 to 64 pixels wide"),
        (&[GLIDER, &gif, "--size", "0x5"], "at least 1 pixel"),
        (
            &[GLIDER, &png, "--size", "100000x100000"],
            "100000 x 100000 pixels",
        ),
        (&[GLIDER, &gif, "--size", "70000x5"], "at most 65535 long"),
        (&[GLIDER, &gif, "--fps", "0"], "0.1 to 50"),
        (&[GLIDER, &gif, "--view", "here"], "a column and a row"),
        (&[GLIDER, &gif, "--palette", "puce"], "distinct"),
        (&[GLIDER, &gif, "--theme", "pink"], "blueprint"),
        (&[GLIDER, &gif, "--major", "5"], "--grid"),
        (&["o10000000000bo!", &png, "--zoom", "4"], "all in all"),
        (&["no-such-thing", &png], "no-such-thing"),
    ];
    for (line, talk) in rows {
        let row = CliTestCase {
            line: &[&["render"], *line].concat(),
            input: "",
            code: 2,
            out: &[],
            talk: &[talk],
        };
        row.check();
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_broken_pipe_is_no_error() {
    let line = [
        "render",
        "r-pentomino",
        "-",
        "--format",
        "txt",
        "--gens",
        "0..2000",
    ];
    let mut child = command(&line)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let talk = text(&output.stderr);
    assert_eq!((output.status.code(), talk.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_picture() {
    let folder = CliTestFolder::new();
    let path = folder.path("long.gif");
    let line = [
        "render",
        "r-pentomino",
        &path,
        "--gens",
        "0..90000",
        "--size",
        "300x300",
        "--view",
        "0,0",
        "--zoom",
        "1",
    ];
    let mut child = command(&line)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // until the file is begun, under a temporary name
    let names = loop {
        let names = folder.names();
        let has_ended = child.try_wait().unwrap();
        assert_eq!(has_ended, None, "it ends without a picture");
        if !names.is_empty() {
            break names;
        }
        std::thread::yield_now();
    };
    assert!(
        names.len() == 1 && names[0].starts_with(".gridpaper-"),
        "{names:?}"
    );
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(130));
    assert_eq!(folder.names(), [""; 0]);
}

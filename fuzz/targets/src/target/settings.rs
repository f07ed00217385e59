//! The settings beside a world, and those in its comments: what is understood of them is
//! written so that it is understood again, and what is not stands between nobody and the cells.

use super::{bytes_of, words_of};
use crate::Target;
use pattern::{Format, Pattern, library};
use session::settings::{Presentation, Settings};

pub(super) const SETTINGS: Target = Target {
    name: "settings",
    check: |bytes| check(&String::from_utf8_lossy(bytes)),
    seeds: || bytes_of(SEEDS),
    words: || words_of(SEEDS.iter().copied()),
    gate_runs: 3000,
};

const SEEDS: &[&str] = &[
    "# how gridpaper shows the pattern beside this file\nrule = \"B36/S23:T100,80\"\n\
     zoom = \"8\"\nplace = \"3,-4\"\ngrid = true\ncorner = \"-3,12\"\ngeneration = \"1000\"\n\
     name = \"a gun\"\nauthor = \"me\"\ncomments = [\"one\", \"two\"]\nscript = [\"[[ X ]]\"]\n\
     [colours]\n1 = \"#d55e00\"\n2 = \"#0072b2\"\n",
    "speed = \"max\"\nstride = \"2^10\"\ntheme = \"blueprint\"\nmajor = 5\ndying = true\n\
     age = true\nhistory = false\nfollow = true\nrule-file = \"@RULE X\"\nmine = 7\n",
    "[[ ZOOM 8 X 3 Y -4 GPS 30 STEP 4 GRID GRIDMAJOR 10 THEME 1 ]]\n\
     [[ COLOR 1 255 0 0 LABEL 1 2 8 \"here\" ]]\ngridpaper: dying=on age=on\n",
    "gridpaper: speed=0.5 stride=100 theme=paper zoom=1:8 place=1,2 follow=on mine=7\n",
];

fn check(text: &str) {
    // beside the file
    for format in [Format::Plaintext, Format::Rle] {
        let glider = library::find("glider").map(library::LibraryPattern::pattern);
        let mut pattern = glider.unwrap_or_default();
        let population = pattern.cells.population();
        let (settings, warnings) = Settings::from_toml(text, &mut pattern);
        assert!(
            warnings
                .iter()
                .all(|warning| !warning.to_string().is_empty())
        );
        assert_eq!(pattern.cells.population(), population);
        let written = settings.to_toml(&pattern, format);
        let mut again = pattern.clone();
        again.comments.clear();
        let (read, _) = Settings::from_toml(&written, &mut again);
        let once = Settings {
            unknown: read.unknown.clone(),
            ..settings
        };
        assert_eq!(read, once, "{written}");
        assert_eq!(read.to_toml(&pattern, format), written);
    }
    // inside it
    let mut comments: Vec<String> = text.lines().map(str::to_string).collect();
    let (settings, warnings) = Settings::from_comments(&mut comments);
    assert!(
        warnings
            .iter()
            .all(|warning| !warning.to_string().is_empty())
    );
    // what the scripts play is found out, whatever they say
    let presentation = Presentation::of(&settings);
    for generation in [0, 1, 1000] {
        let _ = presentation.camera(&generation.into());
    }
    let lines = settings.to_comments();
    let mut written = lines.clone();
    let (read, _) = Settings::from_comments(&mut written);
    // of a setting that was understood once and once not, what was understood is written
    let once = Settings {
        unknown: read.unknown.clone(),
        ..settings.clone()
    };
    assert_eq!(read, once, "{lines:?}");
    assert_eq!(read.to_comments(), lines);
    assert_eq!(written, Vec::<String>::new());
    let mut pattern = Pattern {
        comments,
        ..Pattern::default()
    };
    let _ = settings.pack(&mut pattern, Format::Rle);
}

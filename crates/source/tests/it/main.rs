//! What a person means by a pattern, and the way onto the sheet and back.

use engine::{EngineChoice, Options};
use num_bigint::BigUint;
use pattern::{Format, Pattern};
use rule::Rule;
use source::rule_file::{RuleFiles, RuleResolutionError};
use source::{PatternSourceError, Source};

#[test]
fn a_pattern_is_a_file_a_name_a_code_or_cells() {
    let folder = tempfile::tempdir().unwrap();
    // a file goes before all others, whatever it is called
    let path = folder.path().join("glider");
    std::fs::write(&path, "x = 2, y = 2\n2o$2o!\n").unwrap();
    let file = source::open(path.as_os_str()).unwrap();
    assert_eq!(file.pattern.cells.population(), 4u8.into());
    assert_eq!(file.folder.as_deref(), Some(folder.path()));
    let rows = [
        ("Gosper Glider Gun", Format::Rle, 36u8),
        ("xq4_153", Format::Apgcode, 5),
        ("3o", Format::Rle, 3),
        ("bo$2bo$3o!", Format::Rle, 5),
        ("#Life 1.06\n0 0\n", Format::Life106, 1),
    ];
    for (text, format, population) in rows {
        let source = source::open(text.as_ref()).unwrap();
        assert_eq!(source.format, format, "{text}");
        assert_eq!(
            source.pattern.cells.population(),
            population.into(),
            "{text}"
        );
        assert_eq!(source.folder, None);
    }
}

#[test]
fn what_is_no_pattern_is_told_with_a_hint() {
    let check = |text: &str, message: &str, hint: Option<&str>| {
        let error = source::open(text.as_ref()).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.hint().as_deref(), hint, "{text}");
    };
    check(
        "glidre",
        "glidre: no such file, and no built-in pattern of that name",
        Some("did you mean glider?"),
    );
    check(
        "zzzzzz",
        "zzzzzz: no such file, and no built-in pattern of that name",
        Some("`gridpaper patterns` lists the built-in ones; RLE text ends with `!`"),
    );
    check("no/such.rle", "no/such.rle: no such file", None);
    check(
        "3o$%!",
        "PATTERN:1:4: expected a cell, `$` or `!`, found `%`",
        None,
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.rule");
    std::fs::write(&path, "@RULE a\n").unwrap();
    let error = source::open(path.as_os_str()).unwrap_err();
    assert!(error.hint().unwrap().starts_with("this is a rule's file"));
    let error = source::open_file(&path, 3, u64::MAX).unwrap_err();
    assert!(matches!(
        error,
        PatternSourceError::TooLong {
            bytes: 8,
            most: 3,
            ..
        }
    ));
}

#[test]
fn a_classroom_map_stands_at_the_top_left_of_its_board() {
    let read = |text: &str| Source::read(text.as_bytes(), "map").unwrap();
    let base = source::default_board("base".parse().unwrap());
    assert_eq!(base.topology().size(), (25, 25));
    let placed = source::on_its_board(read("!\n.O\n"), &base).unwrap();
    let corner = placed.pattern.cells.bounds().unwrap().to_rect().unwrap();
    assert_eq!((corner.x, corner.y), (-11, -12));
    // what has a place of its own keeps it
    let there = source::on_its_board(read("#CXRLE Pos=1,2\nx=1,y=1\no!"), &base).unwrap();
    let corner = there.pattern.cells.bounds().unwrap().to_rect().unwrap();
    assert_eq!((corner.x, corner.y), (1, 2));
    let wide = source::on_its_board(read(&format!("!\n{}O\n", ".".repeat(30))), &base);
    let wide = wide.unwrap_err();
    assert_eq!(
        wide.to_string(),
        "map: the map has 31 columns and 1 rows, the board 25 and 25"
    );
    assert_eq!(
        wide.hint().as_deref(),
        Some("--size 31x1 makes room for it")
    );
    // other rules have no such board
    let life: Rule = "B3/S23".parse().unwrap();
    assert_eq!(source::default_board(life.clone()), life);
}

#[test]
fn a_world_becomes_a_pattern_again_with_its_words() {
    let gun = source::open("gosper-glider-gun".as_ref()).unwrap();
    let rule: Rule = gun.rule_text().parse().unwrap();
    let opened = engine::open(
        EngineChoice::Tiles,
        &rule,
        &gun.pattern,
        None,
        &Options::default(),
    );
    let mut world = opened.unwrap().world;
    world.advance(&BigUint::from(30u8), &mut |_| true).unwrap();
    let taken = source::snapshot(world.as_ref(), &gun.pattern);
    assert_eq!(taken.name, gun.pattern.name);
    assert_eq!(taken.comments, gun.pattern.comments);
    assert_eq!(taken.generation, 30.into());
    assert_eq!(taken.rule.as_deref(), Some("B3/S23"));
    let mut bytes = Vec::new();
    pattern::write(&taken, Format::Rle, &mut bytes).unwrap();
    let (back, _) = pattern::read(&bytes).unwrap();
    assert_eq!(back.cells, world.cells());
    // a block of another rule does not go along
    let brought = Pattern {
        rule_block: Some("@RULE Other\n@TABLE\nn_states:2\n".into()),
        ..Pattern::default()
    };
    assert_eq!(source::snapshot(world.as_ref(), &brought).rule_block, None);
}

#[test]
fn rule_files_are_found_and_missed_with_words() {
    let folder = tempfile::tempdir().unwrap();
    let none = RuleFiles::none();
    assert!(none.read("highlife", "rule").is_ok());
    let missing = none.read("Nowhere-known", "rule").unwrap_err();
    assert_eq!(
        missing.to_string(),
        "rule: no rule is named `Nowhere-known`"
    );
    let files = none.first_in(folder.path()).unwrap();
    let missing = files.read("Nowhere-known", "rule").unwrap_err();
    assert!(
        matches!(&missing, RuleResolutionError::NotFound { name, .. } if name == "Nowhere-known")
    );
    assert!(
        missing
            .to_string()
            .contains("there is no Nowhere-known.rule or ")
    );
    std::fs::write(
        folder.path().join("Bad.rule"),
        "@RULE Bad\n@TABLE\nn_states:x\n",
    )
    .unwrap();
    let broken = files.read("Bad", "rule").unwrap_err();
    assert!(broken.to_string().contains("Bad.rule:3:"), "{broken}");
    // words that are typed may be a path, those in a file may not
    let path = folder.path().join("Bad.rule");
    let path = path.to_str().unwrap();
    assert!(matches!(
        files.read(path, "rule"),
        Err(RuleResolutionError::NotFound { .. } | RuleResolutionError::Text { .. })
    ));
    let typed = files.clone().for_typed().read(path, "rule");
    assert!(matches!(typed, Err(RuleResolutionError::Table { .. })));
    assert!(matches!(
        RuleFiles::none().first_in(&folder.path().join("none")),
        Err(RuleResolutionError::NoFolder(_))
    ));
}

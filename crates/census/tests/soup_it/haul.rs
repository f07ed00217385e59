//! Hauls: written, read back, and read where they are wrong.

use crate::runner;
use census::SettlingMethod;
use census::haul::{Haul, HaulError};

fn haul() -> Haul {
    let report = runner("B3/S23", "C1", SettlingMethod::Apgsearch)
        .run(0, 30, &mut |_| true)
        .unwrap();
    Haul {
        version: "gridpaper-test".into(),
        root: "census_seed_a".into(),
        rule: "b3s23".into(),
        symmetry: "C1".into(),
        soups: report.soups,
        tally: report.tally,
        samples: report.samples,
    }
}

#[test]
fn a_haul_is_read_as_it_was_written() {
    let haul = haul();
    let text = haul.to_string();
    assert_eq!(text.parse::<Haul>().unwrap(), haul);
    let head = "@VERSION gridpaper-test\n@MD5 ";
    assert!(text.starts_with(head), "{text}");
    // with the line of a sender, and the line ends of another system
    let sent = format!("payosha256:get_token 1234\n{text}").replace('\n', "\r\n");
    assert_eq!(sent.parse::<Haul>().unwrap(), haul);
}

#[test]
fn equal_counts_are_listed_from_the_last_code() {
    let mut haul = haul();
    haul.tally = [("xs4_33", 2), ("xp2_7", 2), ("xq4_153", 3), ("xs0_0", 9)]
        .map(|(code, count)| (code.to_owned(), count))
        .into();
    let text = haul.to_string();
    assert!(text.contains("@NUM_OBJECTS 7\n\n@CENSUS TABLE\nxq4_153 3\nxs4_33 2\nxp2_7 2\n\n"));
}

#[test]
fn mistakes_are_named_with_their_place() {
    let text = haul().to_string();
    let error = |from: &str, to: &str| text.replace(from, to).parse::<Haul>().unwrap_err();
    let line = error("\nxs4_252 ", "\nxs4_252 many");
    assert!(matches!(line, HaulError::Line { line: 11.., .. }), "{line}");
    // cut anywhere but between two lines of samples
    let samples = text.find("@SAMPLE_SOUPIDS\n").unwrap();
    let cut = (0..text.len()).filter(|&end| end < samples || !text[..end].ends_with('\n'));
    for end in cut.filter(|&end| end > samples || end % 7 == 0) {
        assert!(text[..end].parse::<Haul>().is_err(), "{end}");
    }
    assert_eq!(error("@RULE", "@RULES"), HaulError::Missing("@RULE"));
    assert!(matches!(
        error("@ROOT c", "@ROOT d"),
        HaulError::Hash { .. }
    ));
    assert!(matches!(
        error("@NUM_OBJECTS ", "@NUM_OBJECTS 9"),
        HaulError::Sum { .. }
    ));
}

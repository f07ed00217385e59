//! The text of a census's haul, soups that are given as a text, and the names of soups. What is read
//! comes back when it is written, and every soup that has a name can be made.

use super::{bytes_of, owned};
use crate::Target;
use census::haul::Haul;
use census::soup::hash_soup;
use census::{GivenSoups, SoupName};

pub(super) const HAUL: Target = Target {
    name: "haul",
    check,
    seeds: || {
        let haul = Haul {
            version: "gridpaper-1".into(),
            root: "first".into(),
            rule: "b3s23".into(),
            symmetry: "C1".into(),
            soups: 20,
            tally: [("xs4_33".into(), 130), ("xq4_153".into(), 41)].into(),
            samples: [("xq4_153".into(), vec![0, 3, 17])].into(),
        };
        let mut seeds = vec![haul.to_string().into_bytes()];
        seeds.extend(bytes_of(&[
            "C1/first17",
            "D8_4/x0",
            "x = 3, y = 1\n3o!\n\n#C a glider\nbo$2bo$\n3o!\n",
            "iC1/n_GcpqZ62YqD3310086454",
        ]));
        seeds
    },
    words: || {
        owned(&[
            "@VERSION",
            "@MD5",
            "@ROOT",
            "@RULE",
            "@SYMMETRY",
            "@NUM_SOUPS",
            "@NUM_OBJECTS",
            "@CENSUS TABLE",
            "@SAMPLE_SOUPIDS",
            "xs4_33",
            "xp2_7",
            "18446744073709551615",
            "C1/",
            "ii",
            "D4_+1/",
            "1x256/",
            "Mateon1_",
        ])
    },
    gate_runs: 2000,
};

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(haul) = text.parse::<Haul>() {
        // empty soups are no objects, and are not written
        let written = haul.to_string();
        let again = written.parse::<Haul>().map(|again| again.to_string());
        assert_eq!(again, Ok(written));
    }
    if let Ok(given) = text.parse::<GivenSoups>() {
        assert!(!given.soups.is_empty());
    }
    if let Ok(soup) = text.trim().parse::<SoupName>() {
        assert_eq!(soup.to_string().parse().as_ref(), Ok(&soup));
        let _ = hash_soup(&soup.symmetry, &soup.seed);
    }
}

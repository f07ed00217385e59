//! The corpus of every target, and a fixed number of mutations of it: what the gate runs.
#![allow(clippy::unwrap_used)] // a test may panic wherever it likes

use fuzz_targets::{Mutator, TARGETS, find};

/// The files of a target that are kept, its seeds, and mutations that are the same each time.
fn replay_corpus(name: &str) {
    let target = find(name).unwrap();
    let corpus = target.corpus().unwrap();
    assert!(!corpus.is_empty());
    let mut mutator = Mutator::new(28, (target.words)());
    let mutations: Vec<Vec<u8>> = (0..target.gate_runs)
        .map(|_| mutator.next(&corpus))
        .collect();
    for input in corpus.iter().chain(&mutations) {
        let checked = std::panic::catch_unwind(|| (target.check)(input));
        if let Err(panic) = checked {
            println!("{name}: the input was {:?}", String::from_utf8_lossy(input));
            std::panic::resume_unwind(panic);
        }
    }
}

/// One test a target, so that they run side by side.
macro_rules! replay_each {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                replay_corpus(stringify!($name));
            }
        )*

        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
    };
}

replay_each! {
    detect, rle, plaintext, classroom, life105, life106, macrocell, mcell, apgcode, rulestring,
    rule_file, own_rule, game, haul, part, search_file, replay, level, command, message, draft, settings, plan, session,
}

/// The targets, the tests above, libFuzzer's binaries and the folders of the corpus go together.
#[test]
fn every_target_is_replayed_and_has_a_binary() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, REPLAYED);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(folder.join("../Cargo.toml")).unwrap();
    let binaries = manifest.split("[[bin]]\nname = \"").skip(1);
    let binaries: Vec<&str> = binaries.filter_map(|b| b.split('"').next()).collect();
    assert_eq!(binaries, names);
    let kept = std::fs::read_dir(folder.join("corpus")).unwrap();
    for entry in kept {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(names.contains(&name.as_str()), "{name} is no target");
    }
}

/// The corpus stays small: what is kept was found, and everything else is made.
#[test]
fn the_corpus_is_small() {
    let kept = TARGETS.iter().flat_map(|target| target.kept().unwrap());
    let bytes: usize = kept.map(|(_, bytes)| bytes.len()).sum();
    assert!(bytes < 300 << 10, "{bytes} bytes");
}

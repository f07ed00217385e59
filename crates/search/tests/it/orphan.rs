//! A published orphan has no parent, and the proof of that holds.

use search::{
    FillPattern, PredecessorQuestion, ProblemSolver, SatOptions, SatSearch, SearchAnswer,
    SearchFlow, verify_proof,
};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Bytes that are kept for the check.
#[derive(Clone, Default)]
struct SharedBytes(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_published_orphan_has_no_parent() {
    let orphan = FillPattern::parse(include_str!("../data/garden-of-eden-5.rle"), 2);
    let orphan = orphan.expect("a pattern");
    assert_eq!((orphan.width(), orphan.height()), (11, 11));
    let question = PredecessorQuestion::new(
        "B3/S23".parse().expect("Life"),
        orphan.width(),
        orphan.cells(0, 2),
    );
    let proof = SharedBytes::default();
    let problem = question.problem().expect("a question");
    let mut search = SatSearch::with_proof(problem, SatOptions::default(), Box::new(proof.clone()));
    let answer = search.solve(&mut |_, _| SearchFlow::Continue);
    assert_eq!(answer, SearchAnswer::Exhausted);
    let mut formula = Vec::new();
    search.write_formula(&mut formula, &[]).expect("memory");
    let proof = proof.0.lock().expect("one thread");
    println!("{} bytes of proof", proof.len());
    let verified = verify_proof(&mut &formula[..], &mut &proof[..]).expect("a proof");
    assert!(verified.lemmas > 1000, "{verified:?}");
}

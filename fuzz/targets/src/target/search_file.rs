//! The files of searches: drawings with free cells, saved searches, formulas with their proofs.
//! What is read comes back when it is written, and a proof holds for what it was made for.

use super::{bytes_of, owned};
use crate::Target;
use search::{FillPattern, RowSearchState, SavedRun, Velocity, verify_proof};

pub(super) const SEARCH_FILE: Target = Target {
    name: "search_file",
    check,
    seeds: || {
        bytes_of(&[
            "x = 3, y = 3, rule = B3/S23\n3?$3?$3?!\n.o.$.o.$.o.!",
            "engine cells\ncase 0 of 2\nkey xq4_153\nexclude 0 3=1 4=0\n\
             state options auto live 7\nstate nodes 12 open\nstate path +3 -5! +6",
            "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n%1 0\n0\n",
            "(1,2)c/6",
        ])
    },
    words: || {
        owned(&[
            "p cnf ",
            " 0\n",
            "d ",
            "exclude ",
            "state ",
            "case 1 of 8",
            "key ",
            "engine sat",
            "path +",
            "c/",
            "diagonal",
            "4294967295",
            "?",
            "$",
            "!",
            "o",
            "x = ",
            "rule = ",
        ])
    },
    gate_runs: 2000,
};

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(drawing) = FillPattern::parse(&text, 2) {
        let cells = u64::from(drawing.width()) * u64::from(drawing.height());
        if cells * u64::from(drawing.generations()) < 1 << 12 {
            let _ = drawing.history_problem(&"B3/S23".parse().expect("Life"));
        }
    }
    if let Ok(saved) = text.parse::<SavedRun>() {
        assert_eq!(saved.to_string().parse().as_ref(), Ok(&saved));
    }
    if let Ok(velocity) = text.trim().parse::<Velocity>() {
        let again = velocity.to_string().parse::<Velocity>();
        assert_eq!(
            again.map(|again| again.to_string()),
            Ok(velocity.to_string())
        );
    }
    if let Ok(state) = RowSearchState::from_bytes(bytes) {
        assert_eq!(
            RowSearchState::from_bytes(&state.to_bytes()).as_ref(),
            Ok(&state)
        );
    }
    let (formula, proof) = text.split_once('%').unwrap_or((&text, ""));
    let _ = verify_proof(&mut formula.as_bytes(), &mut proof.as_bytes());
}

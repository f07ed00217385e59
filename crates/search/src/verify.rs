//! Checks a DRAT proof against a formula, forwards: each clause of the proof must follow by unit
//! propagation (RUP; Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF
//! formulas", 2003) or must be harmless by resolution on its first literal (RAT; Järvisalo, Heule
//! and Biere, "Inprocessing rules", 2012). It shares no code with the solvers. As in `drat-trim`,
//! what has followed for all time is not taken back when a clause is deleted.

use std::collections::HashMap;
use std::io::{self, BufRead};
use thiserror::Error;

/// Variables have at most this number.
const MAX_VARIABLE: u32 = 1 << 24;

/// What a proof that holds consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifiedProof {
    /// Clauses of the formula.
    pub clauses: u64,
    /// Clauses of the proof that were checked, up to the contradiction.
    pub lemmas: u64,
    /// How many of them needed resolution.
    pub by_resolution: u64,
}

/// A proof does not hold, or cannot be read.
#[derive(Debug, Error)]
pub enum ProofError {
    /// A clause does not follow.
    #[error("line {line} of the proof: the clause does not follow from those before it")]
    NotImplied {
        /// The line, from 1.
        line: u64,
    },
    /// The proof ends before the contradiction.
    #[error("the proof ends at line {line} without a contradiction")]
    Unfinished {
        /// Its last line.
        line: u64,
    },
    /// Not a literal.
    #[error("line {line} of the {file}: `{word}` is no literal")]
    Literal {
        /// `formula` or `proof`.
        file: &'static str,
        /// The line, from 1.
        line: u64,
        /// What stands there.
        word: String,
    },
    /// The formula does not begin with its size.
    #[error(
        "line {line} of the formula: `p cnf VARIABLES CLAUSES` is missing before the first clause"
    )]
    Header {
        /// The line, from 1.
        line: u64,
    },
    /// The formula has another number of clauses than it says.
    #[error("the formula has {found} clauses and says {said}")]
    ClauseCount {
        /// As in its header.
        said: u64,
        /// As in its lines.
        found: u64,
    },
    /// A clause without its end.
    #[error("line {line} of the {file}: the last clause has no 0 at its end")]
    OpenClause {
        /// `formula` or `proof`.
        file: &'static str,
        /// The last line.
        line: u64,
    },
    /// It cannot be read.
    #[error("the {file} cannot be read: {error}")]
    Read {
        /// `formula` or `proof`.
        file: &'static str,
        /// Why.
        error: io::Error,
    },
}

/// Whether a proof in DRAT text shows that a formula in DIMACS has no solution.
///
/// ```
/// let formula = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
/// let proof = search::verify_proof(&mut formula.as_bytes(), &mut "1 0\n0\n".as_bytes())?;
/// assert_eq!(proof.clauses, 4);
/// let wrong = search::verify_proof(&mut "p cnf 2 1\n1 2 0\n".as_bytes(), &mut "1 2 0\n-1 0\n0\n".as_bytes());
/// assert_eq!(wrong.unwrap_err().to_string(), "line 2 of the proof: the clause does not follow from those before it");
/// # Ok::<(), search::ProofError>(())
/// ```
///
/// # Errors
/// The first line that does not hold, or that is not in the format.
pub fn verify_proof(
    formula: &mut dyn BufRead,
    proof: &mut dyn BufRead,
) -> Result<VerifiedProof, ProofError> {
    let mut clauses = ClauseDatabase::default();
    let mut count = VerifiedProof::default();
    let mut said = None;
    let mut input = ClauseLines::new("formula", formula);
    while let Some(words) = input.clause()? {
        if let ["p", "cnf", _, clauses] = words.split_whitespace().collect::<Vec<_>>()[..] {
            said = clauses.parse::<u64>().ok();
            continue;
        }
        if said.is_none() {
            return Err(ProofError::Header { line: input.line });
        }
        let literals = input.literals(&words)?;
        count.clauses += 1;
        clauses.add(literals);
    }
    let said = said.ok_or(ProofError::Header { line: input.line })?;
    if said != count.clauses {
        return Err(ProofError::ClauseCount {
            said,
            found: count.clauses,
        });
    }
    let mut input = ClauseLines::new("proof", proof);
    while !clauses.is_contradictory {
        let Some(words) = input.clause()? else {
            return Err(ProofError::Unfinished { line: input.line });
        };
        if let Some(deleted) = words.strip_prefix('d') {
            let literals = input.literals(deleted)?;
            clauses.delete(&literals);
            continue;
        }
        let literals = input.literals(&words)?;
        count.lemmas += 1;
        if !clauses.follows(&literals) {
            if !clauses.is_resolution_harmless(&literals) {
                return Err(ProofError::NotImplied { line: input.line });
            }
            count.by_resolution += 1;
        }
        clauses.add(literals);
    }
    Ok(count)
}

/// The clauses of a file, one at a time.
struct ClauseLines<'a> {
    file: &'static str,
    input: &'a mut dyn BufRead,
    line: u64,
    /// Words of the line that were not given out yet.
    rest: Vec<String>,
}

impl<'a> ClauseLines<'a> {
    fn new(file: &'static str, input: &'a mut dyn BufRead) -> Self {
        Self {
            file,
            input,
            line: 0,
            rest: Vec::new(),
        }
    }

    /// The words of the next clause without its 0, or the header; `None` at the end.
    fn clause(&mut self) -> Result<Option<String>, ProofError> {
        let mut words = String::new();
        loop {
            if self.rest.is_empty() {
                let mut text = Vec::new();
                let read = self.input.read_until(b'\n', &mut text);
                let length = read.map_err(|error| ProofError::Read {
                    file: self.file,
                    error,
                })?;
                if length == 0 {
                    return if words.is_empty() {
                        Ok(None)
                    } else {
                        Err(ProofError::OpenClause {
                            file: self.file,
                            line: self.line,
                        })
                    };
                }
                self.line += 1;
                let text = String::from_utf8_lossy(&text);
                if text.starts_with('c') {
                    continue;
                }
                if text.starts_with('p') && words.is_empty() {
                    return Ok(Some(text.trim().to_owned()));
                }
                self.rest = text.split_whitespace().rev().map(str::to_owned).collect();
            }
            while let Some(word) = self.rest.pop() {
                if word == "0" {
                    return Ok(Some(words));
                }
                words.push_str(&word);
                words.push(' ');
            }
        }
    }

    /// The literals of a clause, each once.
    fn literals(&self, words: &str) -> Result<Vec<i32>, ProofError> {
        let mut literals: Vec<i32> = Vec::new();
        for word in words.split_whitespace() {
            let literal = word
                .parse::<i32>()
                .ok()
                .filter(|literal| *literal != 0 && literal.unsigned_abs() <= MAX_VARIABLE)
                .ok_or_else(|| ProofError::Literal {
                    file: self.file,
                    line: self.line,
                    word: word.chars().take(40).collect(),
                })?;
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        Ok(literals)
    }
}

/// A clause, and whether it still counts.
struct StoredClause {
    literals: Box<[i32]>,
    is_deleted: bool,
}

/// The clauses so far, and what follows from them by unit propagation.
#[derive(Default)]
struct ClauseDatabase {
    clauses: Vec<StoredClause>,
    /// By a sum over its literals: the clauses that may be the one.
    places: HashMap<u64, Vec<u32>>,
    /// For each literal the clauses that look whether it becomes false.
    watches: Vec<Vec<u32>>,
    /// For each literal: true, false or unknown.
    values: Vec<Option<bool>>,
    trail: Vec<i32>,
    /// How much of the trail has been propagated.
    propagated: usize,
    is_contradictory: bool,
}

fn index_of(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

fn sum_of(literals: &[i32]) -> u64 {
    let mixed = literals.iter().map(|&literal| {
        (literal as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    });
    mixed.fold(0, |sum, word| sum.wrapping_add(word.wrapping_mul(word | 1)))
}

impl ClauseDatabase {
    fn value(&self, literal: i32) -> Option<bool> {
        self.values.get(index_of(literal)).copied().flatten()
    }

    fn assign(&mut self, literal: i32) {
        self.values[index_of(literal)] = Some(true);
        self.values[index_of(-literal)] = Some(false);
        self.trail.push(literal);
    }

    fn reserve(&mut self, literals: &[i32]) {
        let length = literals.iter().map(|&l| index_of(l.abs()) + 2).max();
        if length.is_some_and(|length| length > self.values.len()) {
            self.values.resize(length.unwrap_or(0), None);
            self.watches.resize_with(self.values.len(), Vec::new);
        }
    }

    /// Adds a clause, and what follows for all time.
    fn add(&mut self, mut literals: Vec<i32>) {
        self.reserve(&literals);
        if literals.iter().any(|literal| literals.contains(&-literal)) {
            return;
        }
        // those that are not false come first: two of them are watched
        literals.sort_by_key(|&literal| self.value(literal) == Some(false));
        let open = literals
            .iter()
            .take_while(|&&l| self.value(l) != Some(false));
        let open = open.count();
        let id = self.clauses.len() as u32;
        self.places.entry(sum_of(&literals)).or_default().push(id);
        if open >= 2 {
            for &literal in &literals[..2] {
                self.watches[index_of(literal)].push(id);
            }
        }
        let first = literals.first().copied();
        self.clauses.push(StoredClause {
            literals: literals.into(),
            is_deleted: false,
        });
        match (open, first) {
            (0, _) => self.is_contradictory = true,
            (1, Some(first)) if self.value(first).is_none() => {
                self.assign(first);
                self.is_contradictory |= !self.propagate();
            }
            _ => {}
        }
    }

    fn delete(&mut self, literals: &[i32]) {
        let Some(ids) = self.places.get_mut(&sum_of(literals)) else {
            return;
        };
        let is_it = |&id: &u32| {
            let clause = &self.clauses[id as usize].literals;
            clause.len() == literals.len() && literals.iter().all(|l| clause.contains(l))
        };
        if let Some(place) = ids.iter().position(is_it) {
            let id = ids.swap_remove(place);
            self.clauses[id as usize].is_deleted = true;
        }
    }

    /// Draws conclusions from what was assigned; `false` where they contradict each other.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let falsified = index_of(-literal);
            let mut watchers = std::mem::take(&mut self.watches[falsified]);
            let mut kept = 0;
            let mut is_consistent = true;
            for index in 0..watchers.len() {
                let id = watchers[index];
                if is_consistent && !self.visit(id, -literal, &mut is_consistent) {
                    continue;
                }
                watchers[kept] = id;
                kept += 1;
            }
            watchers.truncate(kept);
            self.watches[falsified] = watchers;
            if !is_consistent {
                return false;
            }
        }
        true
    }

    /// A clause of which a watched literal became false. Whether it is still watched there.
    fn visit(&mut self, id: u32, falsified: i32, is_consistent: &mut bool) -> bool {
        let values = &self.values;
        let value = |literal: i32| values[index_of(literal)];
        let clause = &mut self.clauses[id as usize];
        if clause.is_deleted {
            return false;
        }
        let literals = &mut clause.literals;
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let other = literals[0];
        if value(other) == Some(true) {
            return true;
        }
        let free = (2..literals.len()).find(|&place| value(literals[place]) != Some(false));
        if let Some(place) = free {
            literals.swap(1, place);
            let watched = literals[1];
            self.watches[index_of(watched)].push(id);
            return false;
        }
        if value(other).is_none() {
            self.assign(other);
        } else {
            *is_consistent = false;
        }
        true
    }

    /// Assumes that all of these are false. `false` where that is contradictory.
    fn refute(&mut self, literals: &[i32]) -> bool {
        for &literal in literals {
            match self.value(literal) {
                Some(true) => return false,
                Some(false) => {}
                None => self.assign(-literal),
            }
        }
        self.propagate()
    }

    /// Takes back all assumptions since the trail had this length.
    fn undo(&mut self, length: usize) {
        for literal in self.trail.drain(length..) {
            self.values[index_of(literal)] = None;
            self.values[index_of(-literal)] = None;
        }
        self.propagated = length;
    }

    /// Whether a clause follows by unit propagation.
    fn follows(&mut self, literals: &[i32]) -> bool {
        self.reserve(literals);
        let length = self.trail.len();
        let is_consistent = self.refute(literals);
        self.undo(length);
        !is_consistent
    }

    /// Whether all resolvents on the first literal follow by unit propagation.
    fn is_resolution_harmless(&mut self, literals: &[i32]) -> bool {
        let Some(&pivot) = literals.first() else {
            return false;
        };
        let length = self.trail.len();
        self.refute(literals);
        let assumed = self.trail.len();
        let mut is_harmless = true;
        for index in 0..self.clauses.len() {
            let clause = &self.clauses[index];
            if clause.is_deleted || !clause.literals.contains(&-pivot) {
                continue;
            }
            let others = clause.literals.iter().copied();
            let others: Vec<i32> = others.filter(|&literal| literal != -pivot).collect();
            let is_consistent = self.refute(&others);
            self.undo(assumed);
            if is_consistent {
                is_harmless = false;
                break;
            }
        }
        self.undo(length);
        is_harmless
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(formula: &str, proof: &str) -> String {
        match verify_proof(&mut formula.as_bytes(), &mut proof.as_bytes()) {
            Ok(proof) => format!("{} {} {}", proof.clauses, proof.lemmas, proof.by_resolution),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn proofs_are_judged() {
        let square = "c two variables\np cnf 2 4\n1 2 0 1 -2\n0\n-1 2 0\n-1 -2 0\n";
        let rows = [
            (square, "1 0\n0\n", "4 1 0"),
            // a contradiction needs no line of its own
            (square, "2 0\n", "4 1 0"),
            (
                square,
                "d 1 2 0\n1 0\n",
                "line 2 of the proof: the clause does not follow from those before it",
            ),
            (
                square,
                "",
                "the proof ends at line 0 without a contradiction",
            ),
            (square, "1 x 0\n", "line 1 of the proof: `x` is no literal"),
            (
                square,
                "1 2",
                "line 1 of the proof: the last clause has no 0 at its end",
            ),
            (
                square,
                "99999999 0\n",
                "line 1 of the proof: `99999999` is no literal",
            ),
            (
                "1 2 0\n",
                "0\n",
                "line 1 of the formula: `p cnf VARIABLES CLAUSES` is missing before the first clause",
            ),
            (
                "p cnf 1 2\n1 0\n",
                "0\n",
                "the formula has 1 clauses and says 2",
            ),
            ("p cnf 1 2\n1 0\n-1 0\n", "", "2 0 0"),
            ("p cnf 1 1\n0\n", "", "1 0 0"),
            (
                "p cnf 2 1\n1 2 0\n",
                "1 0\n0\n",
                "line 2 of the proof: the clause does not follow from those before it",
            ),
            // the definition 3 = (1 and 2) is harmless, and says nothing about 1
            (
                "p cnf 2 1\n1 2 0\n",
                "3 -1 -2 0\n-3 1 0\n-3 2 0\n-1 0\n0\n",
                "line 4 of the proof: the clause does not follow from those before it",
            ),
        ];
        for (formula, proof, expected) in rows {
            assert_eq!(said(formula, proof), expected, "{formula} {proof}");
        }
    }

    #[test]
    fn deleted_clauses_are_gone() {
        let formula = "p cnf 4 5\n1 2 0\n-1 3 0\n-2 3 0\n-3 4 0\n-3 -4 0\n";
        assert_eq!(said(formula, "3 0\n"), "5 1 0");
        assert_eq!(said(formula, "d 1 -3 0\n3 0\n"), "5 1 0", "no such clause");
        let expected = "line 2 of the proof: the clause does not follow from those before it";
        assert_eq!(said(formula, "d 3 -1 0\n3 0\n"), expected);
    }

    #[test]
    fn random_formulas_are_refuted_by_proofs_of_the_engine() {
        use crate::{PeriodicQuestion, ProblemSolver, SatOptions, SatSearch, SearchFlow};
        use std::sync::{Arc, Mutex};

        #[derive(Clone, Default)]
        struct Text(Arc<Mutex<Vec<u8>>>);
        impl io::Write for Text {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().expect("one thread").extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for (rule, period, width, height) in [
            ("B3/S23", 3, 4, 4),
            ("B3/S23", 4, 4, 3),
            ("B2/S/3", 2, 3, 3),
        ] {
            let question =
                PeriodicQuestion::new(rule.parse().expect("a rule"), period, width, height);
            let problem = question.problem().expect("a question");
            let text = Text::default();
            let sink = Box::new(text.clone());
            let mut search = SatSearch::with_proof(problem, SatOptions::default(), sink);
            while let crate::SearchAnswer::Found(states) =
                search.solve(&mut |_, _| SearchFlow::Continue)
            {
                let states: Vec<_> = (0..).zip(states).collect();
                search.exclude(&states);
            }
            assert!(search.proof_error().is_none());
            let mut formula = Vec::new();
            search
                .write_formula(&mut formula, &["a test"])
                .expect("a vector");
            let proof = text.0.lock().expect("one thread").clone();
            verify_proof(&mut &formula[..], &mut &proof[..]).expect("a proof");
            // the proof of another formula
            let weaker = String::from_utf8(formula).expect("text");
            let weaker = weaker.replacen(" 0\n", " 9999 0\n", usize::MAX);
            assert!(verify_proof(&mut weaker.as_bytes(), &mut &proof[..]).is_err());
        }
    }
}

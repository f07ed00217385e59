//! `@TABLE`: an ordered list of transitions; the first one that matches decides.
//!
//! Source: "Golly Help: File Formats", the section on rule tables.

use super::neighbours::{TableNeighbourhood, TableSymmetry};
use super::states::StateSet;
use super::text::{RuleFileLine, RuleFileSection};
use super::{RuleFileError, RuleFileProblem};
use grid::State;
use std::collections::HashMap;

/// A table as written.
#[derive(Clone, Debug)]
pub(super) struct RuleFileTable {
    pub(super) states: u16,
    pub(super) neighbours: TableNeighbourhood,
    pub(super) symmetry: TableSymmetry,
    /// The states of each variable.
    pub(super) variables: Vec<StateSet>,
    pub(super) transitions: Vec<TableTransition>,
}

/// One transition as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableTransition {
    /// The cell itself and the ring around it, in the neighbourhood's order.
    pub(super) inputs: Vec<TransitionEntry>,
    /// The next state, or one for each cell of a block.
    pub(super) outputs: Vec<TransitionEntry>,
}

/// What stands between two commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TransitionEntry {
    State(State),
    /// The variable of this number; the same state wherever it stands in a transition.
    Variable(usize),
}

impl RuleFileTable {
    pub(super) fn read(section: &RuleFileSection<'_>) -> Result<Self, RuleFileError> {
        // What Golly takes where the table does not say
        let mut reader = Reader {
            table: Self {
                states: 8,
                neighbours: TableNeighbourhood::VonNeumann,
                symmetry: TableSymmetry::Ring {
                    turns: 4,
                    mirror: None,
                },
                variables: Vec::new(),
                transitions: Vec::new(),
            },
            neighbourhood: None,
            symmetry: SymmetryHeader::None,
            names: HashMap::new(),
            highest: 0,
        };
        for &line in &section.lines {
            if let Some(text) = line.content() {
                reader.line(line, text)?;
            }
        }
        if let (SymmetryHeader::None, Some((line, value))) = (reader.symmetry, reader.neighbourhood)
        {
            reader.look_up(line, value, DEFAULT)?;
        }
        reader.resolve_symmetry()?;
        Ok(reader.table)
    }
}

/// A table that is being read.
struct Reader<'a> {
    table: RuleFileTable,
    /// The neighbourhood as it is written.
    neighbourhood: Option<(RuleFileLine<'a>, &'a str)>,
    symmetry: SymmetryHeader<'a>,
    names: HashMap<&'a str, usize>,
    /// The highest state that has been named.
    highest: State,
}

/// The symmetry of the header, which is resolved once the neighbourhood is known.
#[derive(Clone, Copy)]
enum SymmetryHeader<'a> {
    /// No line gives it.
    None,
    /// Its name, not yet looked up.
    Named(RuleFileLine<'a>, &'a str),
    /// It has been looked up.
    Resolved,
}

/// The symmetry of a table that gives none, as in Golly.
const DEFAULT: &str = "rotate4";

impl<'a> Reader<'a> {
    fn line(&mut self, line: RuleFileLine<'a>, text: &'a str) -> Result<(), RuleFileError> {
        let rest = text.strip_prefix("var");
        if let Some(rest) = rest
            && rest.starts_with(char::is_whitespace)
        {
            return self.variable(line, rest);
        }
        let header = text.split_once(':').filter(|(key, _)| is_word(key.trim()));
        let Some((key, value)) = header else {
            return self.transition(line, text);
        };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "n_states" => {
                let states = line.state_count(value)?;
                if u16::from(self.highest) >= states {
                    let state = self.highest.into();
                    return Err(line.at(value, RuleFileProblem::NoState { state, states }));
                }
                self.table.states = states;
            }
            "neighborhood" | "neighbourhood" => {
                let read = TableNeighbourhood::read(value);
                let unknown = || {
                    let problem = RuleFileProblem::Neighbourhood {
                        found: value.into(),
                        known: TableNeighbourhood::names(),
                    };
                    line.at(value, problem)
                };
                let read = read.ok_or_else(unknown)?;
                // the transitions above have been read by another one
                if read != self.table.neighbours && !self.table.transitions.is_empty() {
                    return Err(line.at(
                        key,
                        RuleFileProblem::MisplacedHeader("the first transition"),
                    ));
                }
                self.table.neighbours = read;
                self.neighbourhood = Some((line, value));
            }
            "symmetries" => self.symmetry = SymmetryHeader::Named(line, value),
            _ => {
                let what = "n_states, neighborhood or symmetries before the colon";
                return Err(line.expected(key, what));
            }
        }
        Ok(())
    }

    /// `a={0,1,b}` or `a=b`.
    fn variable(&mut self, line: RuleFileLine<'a>, text: &'a str) -> Result<(), RuleFileError> {
        let Some((name, states)) = text.split_once('=') else {
            return Err(line.expected(text.trim(), "a variable's name, = and its states"));
        };
        let name = name.trim();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "{},".contains(c)) {
            return Err(line.expected(name, "a variable's name"));
        }
        let mut states = states.trim();
        if let Some(inner) = states.strip_prefix('{') {
            let Some(inner) = inner.strip_suffix('}') else {
                let end = &states[states.len()..];
                return Err(line.expected(end, "} at the end of the variable's states"));
            };
            states = inner;
        }
        let mut set = StateSet::default();
        let mut any = false;
        for word in words(states) {
            any = true;
            set = set.union(match self.entry(line, word)? {
                TransitionEntry::State(state) => StateSet::one(state),
                TransitionEntry::Variable(i) => self.table.variables[i],
            });
        }
        if !any {
            return Err(line.expected(states, "at least one state"));
        }
        if self
            .names
            .insert(name, self.table.variables.len())
            .is_some()
        {
            return Err(line.at(name, RuleFileProblem::DuplicateVariable(name.into())));
        }
        self.table.variables.push(set);
        Ok(())
    }

    fn transition(&mut self, line: RuleFileLine<'a>, text: &'a str) -> Result<(), RuleFileError> {
        self.resolve_symmetry()?;
        let neighbours = self.table.neighbours;
        let expected = neighbours.offsets().len() + neighbours.outputs();
        let mut parts: Vec<&str> = words(text).collect();
        if parts.len() == 1 && expected > 1 {
            // the form without commas: a character each
            let whole = parts[0];
            let ends = whole.char_indices().map(|(at, c)| (at, at + c.len_utf8()));
            parts = ends.map(|(from, to)| &whole[from..to]).collect();
        }
        if parts.len() != expected {
            let last = parts.get(expected).copied();
            let problem = RuleFileProblem::Entries {
                found: parts.len(),
                expected,
                neighbourhood: neighbours.name(),
            };
            return Err(line.at(last.unwrap_or(text), problem));
        }
        let entries: Result<Vec<TransitionEntry>, _> =
            parts.iter().map(|word| self.entry(line, word)).collect();
        let mut inputs = entries?;
        let outputs = inputs.split_off(neighbours.offsets().len());
        for (output, word) in outputs.iter().zip(&parts[inputs.len()..]) {
            if let TransitionEntry::Variable(i) = *output
                && !inputs.contains(output)
                && self.table.variables[i].iter().nth(1).is_some()
            {
                return Err(line.at(word, RuleFileProblem::Unbound((*word).into())));
            }
        }
        self.table
            .transitions
            .push(TableTransition { inputs, outputs });
        Ok(())
    }

    fn entry(
        &mut self,
        line: RuleFileLine<'_>,
        word: &str,
    ) -> Result<TransitionEntry, RuleFileError> {
        if let Some(&variable) = self.names.get(word) {
            return Ok(TransitionEntry::Variable(variable));
        }
        if !word.bytes().all(|b| b.is_ascii_digit()) {
            return Err(line.at(word, RuleFileProblem::UnknownWord(word.into())));
        }
        let state = line.number(word, "a state")?;
        let states = self.table.states;
        if state >= states.into() {
            return Err(line.at(word, RuleFileProblem::NoState { state, states }));
        }
        let state = state as State;
        self.highest = self.highest.max(state);
        Ok(TransitionEntry::State(state))
    }

    /// Resolves the symmetry of the header, once the neighbourhood is known.
    fn resolve_symmetry(&mut self) -> Result<(), RuleFileError> {
        if let SymmetryHeader::Named(line, name) = self.symmetry {
            self.look_up(line, name, name)?;
            self.symmetry = SymmetryHeader::Resolved;
        }
        Ok(())
    }

    /// Looks up a symmetry; what is wrong with it is wrong at `place`.
    fn look_up(
        &mut self,
        line: RuleFileLine<'_>,
        place: &str,
        name: &str,
    ) -> Result<(), RuleFileError> {
        let neighbours = self.table.neighbours;
        let known = neighbours.symmetries();
        let Some(found) = known
            .iter()
            .find(|known| known.0.eq_ignore_ascii_case(name))
        else {
            let allowed: Vec<_> = known.iter().map(|known| known.0).collect();
            let (neighbourhood, allowed) = (neighbours.name(), allowed.join(", "));
            let problem = match self.symmetry {
                SymmetryHeader::None => RuleFileProblem::NoSymmetry {
                    default: DEFAULT,
                    neighbourhood,
                    allowed,
                },
                _ => RuleFileProblem::Symmetry {
                    symmetry: name.into(),
                    neighbourhood,
                    allowed,
                },
            };
            return Err(line.at(place, problem));
        };
        self.table.symmetry = found.1;
        Ok(())
    }
}

/// Whether this can be what stands before a header's colon. A transition of blocks may have
/// a colon too, between the block and what it becomes.
fn is_word(key: &str) -> bool {
    !key.contains(|c: char| c == ',' || c.is_whitespace())
        && !key.starts_with(|c: char| c.is_ascii_digit())
}

/// What stands between commas, blanks and colons.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| ",:".contains(c) || c.is_whitespace());
    parts.filter(|part| !part.is_empty())
}

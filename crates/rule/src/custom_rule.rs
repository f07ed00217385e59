//! User-defined rules: a short text, or an implementation of a Rust trait, compiled to a
//! [`Rule`] like any other.
//!
//! The text names the states, draws the neighbourhood, and gives the next state of a cell as
//! one expression; `docs/rules-of-your-own.md` describes it in full. It is compiled to a table
//! by evaluating the expression for every state and all counts that can occur. (To evaluate it
//! for each cell of a world would need no table and no limit on the number of cases, and be
//! about a hundred times slower than all other rules.)
//!
//! [`CustomRule::read`] reads the text; [`Automaton`] is the same in Rust. A rule of two
//! states may change the empty plane, as B0 does: see [`Rule::background`].
//!
//! ```
//! use rule::{CustomRule, Site};
//! let own = CustomRule::read("
//!     rule sparks
//!     states
//!       0 resting  .  black
//!       1 firing   O  white
//!       2 tired    o  #3050c0
//!     neighbourhood moore
//!     next
//!       if self == resting and count(firing) == 2 { firing }
//!       else if self == firing { tired }
//!       else { resting }
//! ")?;
//! let two_above = |dx: i32, dy: i32| u8::from(dy == -1 && dx >= 0);
//! assert_eq!(own.rule.next(Site::default(), two_above), 1);
//! assert_eq!(own.states[2].name, "tired");
//! # Ok::<(), rule::CustomRuleError>(())
//! ```

mod automaton;
mod compiler;
mod error;
mod expression;
mod header;
mod parser;
mod token;

pub use automaton::Automaton;
pub use error::{AutomatonError, CustomRuleError, CustomRuleProblem};

use crate::{
    ColourEntry, CountTable, Lattice, Rule, RuleAppearance, RuleDefinition, Topology, Transition,
    background,
};
use compiler::CompileObstacle;
use error::CustomRuleFault;
use expression::RuleProgram;
use grid::State;
use header::CustomRuleHeader;

/// What [`Rule::family`] says of them.
pub(crate) const FAMILY: &str = "Own";

/// A user-defined rule, with the names and colours of its states.
#[derive(Clone, Debug)]
pub struct CustomRule {
    /// What it means. Its text is its name.
    pub rule: Rule,
    /// The states in order, from 0.
    pub states: Vec<CustomState>,
}

/// How a state is called and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomState {
    /// 0 is the empty plane's.
    pub number: State,
    /// Its name in the expression.
    pub name: String,
    /// The character that stands for it in a drawing of cells, if one was chosen.
    pub letter: Option<char>,
    /// Red, green, blue, if a colour was chosen.
    pub colour: Option<[u8; 3]>,
}

impl CustomRule {
    /// Reads the text of a rule.
    ///
    /// # Errors
    /// When the text is malformed, when a next state does not exist, when an empty plane of
    /// more than two states would not stay empty, and when there are more than 2^24 cases: the
    /// number of states times, for each class of states that is counted separately, the number
    /// of its sums.
    ///
    /// ```
    /// use rule::{CustomRule, CustomRuleProblem};
    ///
    /// let text = "rule spread\nstates\n 0 empty\n 1 full\nneighbourhood moore\nnext\n ";
    /// let spread = CustomRule::read(&format!("{text} if count(full) > 0 {{ full }} else {{ self }}"))?;
    /// assert_eq!(spread.rule.to_string(), "spread");
    /// let error = CustomRule::read(&format!("{text} crowded")).unwrap_err();
    /// assert_eq!(error.problem, CustomRuleProblem::UnknownName("crowded".into()));
    /// # Ok::<(), rule::CustomRuleError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, CustomRuleError> {
        // an editor's mark, no part of the text
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        read(text).map_err(|fault| fault.within(text))
    }
}

impl Rule {
    /// Parses the text of a user-defined rule. [`CustomRule::read`] also returns the names of its
    /// states.
    ///
    /// # Errors
    /// As [`CustomRule::read`].
    ///
    /// ```
    /// let rule = rule::Rule::from_source(
    ///     "rule spread\nstates\n 0 empty\n 1 full\nneighbourhood moore\nnext\n
    ///     if count(full) > 0 { full } else { self }",
    /// )?;
    /// assert_eq!(rule.next(rule::Site::default(), |dx, _| u8::from(dx == 1)), 1);
    /// # Ok::<(), rule::CustomRuleError>(())
    /// ```
    pub fn from_source(text: &str) -> Result<Self, CustomRuleError> {
        CustomRule::read(text).map(|own| own.rule)
    }
}

fn read(text: &str) -> Result<CustomRule, CustomRuleFault> {
    let header = CustomRuleHeader::read(text)?;
    let program = parser::program(text, header.end, &header)?;
    rule(header, &program)
}

fn rule(header: CustomRuleHeader, program: &RuleProgram) -> Result<CustomRule, CustomRuleFault> {
    let CustomRuleHeader {
        name,
        states,
        neighbourhood,
        lattice,
        ..
    } = header;
    let last = states.len() - 1;
    let total: i64 = neighbourhood
        .cells()
        .iter()
        .map(|cell| i64::from(cell.weight))
        .sum();
    let next = |own: State, counts: &[i64]| {
        let value = program.next(own, counts);
        let state = State::try_from(value).ok();
        let state = state.filter(|&state| usize::from(state) <= last);
        state.ok_or_else(|| {
            let problem = CustomRuleProblem::Outcome {
                value,
                own: states[usize::from(own)].name.clone(),
                last,
            };
            let seen = counts.iter().zip(&program.counted).map(|(count, set)| {
                let names = states.iter().zip(set).filter(|(_, counted)| **counted);
                let names: Vec<&str> = names.map(|(state, _)| state.name.as_str()).collect();
                format!("count({}) is {count}", names.join(", "))
            });
            let seen: Vec<String> = seen.collect();
            let fault = CustomRuleFault::new(program.decisive(own, counts).span.start, problem);
            match seen.is_empty() {
                true => fault,
                false => fault.hint(format!("so it is where {}", seen.join(" and "))),
            }
        })
    };
    let table = compiler::table(
        neighbourhood,
        last as u16 + 1,
        &program.counted,
        program.parts,
        next,
    );
    let table = table.map_err(|obstacle| match obstacle {
        CompileObstacle::Next(fault) => fault,
        CompileObstacle::TooLarge(entries) => {
            let most = compiler::MAX_ENTRIES;
            CustomRuleFault::new(header.end, CustomRuleProblem::TooLarge { entries, most })
                .hint("count fewer kinds of states apart, or in a smaller neighbourhood")
        }
        CompileObstacle::TooLong(cases, parts) => {
            let most = compiler::MAX_STEPS;
            let problem = CustomRuleProblem::TooLong { cases, parts, most };
            CustomRuleFault::new(header.end, problem)
                .hint("write it shorter, or count fewer kinds of states apart")
        }
        CompileObstacle::Background(state) => {
            let name = states[usize::from(state)].name.clone();
            let empty: Vec<i64> = program
                .counted
                .iter()
                .map(|set| if set[0] { total } else { 0 })
                .collect();
            let place = program.decisive(0, &empty).span.start;
            CustomRuleFault::new(place, CustomRuleProblem::Background(name))
                .hint("with nothing around, state 0 has to stay state 0")
        }
    })?;
    let definition = RuleDefinition {
        lattice,
        ..definition(name, table)
    };
    let rule = Rule::new(definition, Topology::Unbounded).with_appearance(appearance(&states));
    Ok(CustomRule { rule, states })
}

/// Builds the rule of a table. With two states the background may change.
fn definition(text: String, table: CountTable) -> RuleDefinition {
    let states = table.rows.len() as u16;
    let tables = vec![Transition::Count(table)];
    if states == 2 {
        return background::two_state(text, FAMILY, tables);
    }
    RuleDefinition {
        text,
        family: FAMILY,
        states,
        tables: vec![tables],
        lattice: Lattice::Square,
        background: vec![0],
    }
}

/// The names and colours in the form that all rules share.
fn appearance(states: &[CustomState]) -> RuleAppearance {
    let names = states.iter().map(|s| (s.number, s.name.clone()));
    let colours = states.iter().filter_map(|s| Some((s.number, s.colour?)));
    RuleAppearance {
        names: names.collect(),
        colours: colours
            .map(|(number, colour)| ColourEntry::Flat(number, colour))
            .collect(),
        icons: None,
    }
}

/// A description of such a rule, which does not repeat its text.
pub(crate) fn describe(rule: &Rule) -> Vec<String> {
    let mut lines = Vec::new();
    for table in rule.definition.tables.iter().flatten() {
        if let Transition::Count(table) = table {
            let cells = table.neighbourhood.cells().len();
            let radius = table.neighbourhood.radius();
            lines.push(format!(
                "looks at {cells} cells at a distance of up to {radius}"
            ));
        }
    }
    let name = |state: u16| {
        Some(format!(
            "{state} {}",
            rule.appearance()?.name(state as State)?
        ))
    };
    let names: Vec<String> = (0..rule.states()).filter_map(name).collect();
    if !names.is_empty() {
        lines.push(format!("states: {}", names.join(", ")));
    }
    lines
}

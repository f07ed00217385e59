use grid::State;
use std::fmt;
use thiserror::Error;

/// Why the text of a `.rule` file was refused, and where.
///
/// Printed as `line:column: what was wrong`.
///
/// ```
/// let error = rule::Rule::from_file("@RULE X\n@TABLE\nn_states:1\n").unwrap_err();
/// assert_eq!(error.line, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFileError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What was wrong, and what was expected.
    pub problem: RuleFileProblem,
}

impl fmt::Display for RuleFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for RuleFileError {}

/// What the text of a `.rule` file got wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleFileProblem {
    /// Something else should stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The file has neither a table nor a tree.
    #[error("the file has neither a @TABLE nor a @TREE")]
    NoTable,
    /// A number of states that is not taken.
    #[error("{0} states, expected 2 to 256")]
    StateCount(String),
    /// A state that the rule does not have.
    #[error("state {state} is not one of the {states} states, expected 0 to {}", .states - 1)]
    NoState {
        /// As given.
        state: u64,
        /// How many there are.
        states: u16,
    },
    /// A word that stands for nothing.
    #[error("`{0}` is no state, and no variable of that name stands above")]
    UnknownWord(String),
    /// A variable's name is taken.
    #[error("the variable `{0}` has been given its states before")]
    DuplicateVariable(String),
    /// A neighbourhood that is not known.
    #[error("the neighbourhood `{found}` is not taken, expected {known}")]
    Neighbourhood {
        /// As given.
        found: String,
        /// Those that are taken.
        known: String,
    },
    /// A symmetry that the neighbourhood does not have.
    #[error("the symmetry `{symmetry}` does not go with {neighbourhood}, expected {allowed}")]
    Symmetry {
        /// As given.
        symmetry: String,
        /// The neighbourhood's name.
        neighbourhood: &'static str,
        /// Those that it has.
        allowed: String,
    },
    /// No symmetry is given, and the neighbourhood does not have the default one.
    #[error(
        "no line tells the symmetries, and the usual one, `{default}`, does not go with \
         {neighbourhood}; expected a line `symmetries:` and one of {allowed}"
    )]
    NoSymmetry {
        /// The usual one.
        default: &'static str,
        /// The neighbourhood's name.
        neighbourhood: &'static str,
        /// Those that it has.
        allowed: String,
    },
    /// A line of the header that would change what has been read.
    #[error("this line stands below {0}, which has been read without it")]
    MisplacedHeader(&'static str),
    /// A transition of the wrong length.
    #[error("the transition has {found} entries, {neighbourhood} takes {expected}")]
    Entries {
        /// As given.
        found: usize,
        /// The neighbourhood's inputs and the next state.
        expected: usize,
        /// The neighbourhood's name.
        neighbourhood: &'static str,
    },
    /// The next state is a variable that nothing gives a value.
    #[error("the next state is `{0}`, which none of the cells seen binds to one state")]
    Unbound(String),
    /// Variables that repeat multiply the transitions.
    #[error("the variables make more than {0} transitions of this table, too many to hold")]
    TooManyTransitions(usize),
    /// An empty plane that does not stay empty.
    #[error(
        "a cell of state 0 among cells of state 0 becomes {0}: an empty plane that changes is \
         not taken"
    )]
    Background(State),
    /// A tree for a neighbourhood that trees do not have.
    #[error("{0} neighbours, a tree has 4 or 8")]
    Neighbours(String),
    /// A node's line is too short or too long.
    #[error("the node has {found} children, expected {expected}: one a state")]
    Children {
        /// As given.
        found: usize,
        /// The number of states.
        expected: usize,
    },
    /// A node that stands nowhere above.
    #[error("node {0} does not stand above this one; nodes count from 0")]
    NoNode(u64),
    /// A node's child is not one level below it.
    #[error("node {node} has depth {depth}, expected {expected}")]
    Depth {
        /// The child.
        node: u64,
        /// Its depth.
        depth: u64,
        /// The parent's, less one.
        expected: u64,
    },
    /// More nodes than can be counted.
    #[error("the tree has more than {0} nodes and states, too many to hold")]
    TooManyNodes(u32),
    /// The number of nodes differs from the header's.
    #[error("the tree has {found} nodes, its header tells {told}")]
    Nodes {
        /// Those that are there.
        found: usize,
        /// As the header has it.
        told: u64,
    },
}

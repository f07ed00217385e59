use super::compiler::{self, CompileObstacle};
use super::error::AutomatonError;
use super::{definition, header};
use crate::{Neighbourhood, Rule, Topology};
use grid::State;

/// A rule written in Rust: its states, its neighbourhood and its transition function.
///
/// [`Rule::from_automaton`] compiles it to a [`Rule`], which all engines run as fast as any
/// other: `next` is called once for every case, and never during a simulation.
///
/// Greenberg and Hastings' model of an excitable medium (1978):
///
/// ```
/// use rule::{Automaton, Neighbourhood, Rule, Site};
///
/// struct Waves;
///
/// impl Automaton for Waves {
///     fn name(&self) -> &str {
///         "waves"
///     }
///     fn states(&self) -> u16 {
///         3
///     }
///     fn neighbourhood(&self) -> Neighbourhood {
///         Neighbourhood::from_weights(1, |dx, dy| i32::from(dx.abs() + dy.abs() == 1))
///     }
///     fn counted(&self) -> Vec<Vec<u8>> {
///         vec![vec![1]] // the excited ones alone
///     }
///     fn next(&self, own: u8, counts: &[i64]) -> u8 {
///         match own {
///             0 => u8::from(counts[0] > 0),
///             1 => 2,
///             _ => 0,
///         }
///     }
/// }
///
/// let waves = Rule::from_automaton(&Waves)?;
/// let beside_one = |dx: i32, dy: i32| u8::from((dx, dy) == (1, 0));
/// assert_eq!(waves.next(Site::default(), beside_one), 1);
/// # Ok::<(), rule::AutomatonError>(())
/// ```
pub trait Automaton {
    /// The rule's text: letters, digits, `-` and `_`, and no other rule's name.
    fn name(&self) -> &str;

    /// How many states a cell can have, 2 to 256. 0 is the empty plane's.
    fn states(&self) -> u16;

    /// Which cells count, and how much each.
    fn neighbourhood(&self) -> Neighbourhood;

    /// The sets of states that are counted. Where it is not given, one count of all that
    /// are not in state 0.
    fn counted(&self) -> Vec<Vec<State>> {
        vec![(1..self.states()).map(|state| state as State).collect()]
    }

    /// The next state of a cell in state `own`. `counts[k]` is the sum of the weights of
    /// the cells around whose state is in the k-th set of [`counted`](Self::counted).
    ///
    /// A cell of state 0 with only such cells around it must stay in state 0, unless there
    /// are just two states: cells are then shown relative to the plane, see
    /// [`Rule::background`].
    fn next(&self, own: State, counts: &[i64]) -> State;
}

impl Rule {
    /// The rule that an [`Automaton`] describes.
    ///
    /// # Errors
    /// When the name or the number of states is invalid, when a counted or resulting state does
    /// not exist, when an empty plane of more than two states would not stay empty, and when
    /// there are more than 2^24 cases: the number of states times, for each class of states
    /// that is counted separately, the number of its sums.
    ///
    /// ```
    /// use rule::{Automaton, AutomatonError, Neighbourhood, Rule};
    ///
    /// struct Life;
    ///
    /// impl Automaton for Life {
    ///     fn name(&self) -> &str { "Life" }
    ///     fn states(&self) -> u16 { 2 }
    ///     fn neighbourhood(&self) -> Neighbourhood {
    ///         Neighbourhood::from_weights(1, |dx, dy| i32::from((dx, dy) != (0, 0)))
    ///     }
    ///     fn next(&self, own: u8, counts: &[i64]) -> u8 {
    ///         u8::from(counts[0] == 3 || own == 1 && counts[0] == 2)
    ///     }
    /// }
    ///
    /// let taken = Rule::from_automaton(&Life).unwrap_err();
    /// assert_eq!(taken, AutomatonError::NameOfRule("Life".into(), "B3/S23".into()));
    /// ```
    pub fn from_automaton(automaton: &impl Automaton) -> Result<Self, AutomatonError> {
        let name = automaton.name();
        if !header::is_rule_name(name) {
            return Err(AutomatonError::Name(name.into()));
        }
        if let Some(rule) = header::known(name) {
            return Err(AutomatonError::NameOfRule(name.into(), rule.to_string()));
        }
        let states = automaton.states();
        if !(2..=256).contains(&states) {
            return Err(AutomatonError::StateCount(states));
        }
        let mut counted = Vec::new();
        for set in automaton.counted() {
            let mut members = vec![false; usize::from(states)];
            for state in set {
                let member = members.get_mut(usize::from(state));
                *member.ok_or(AutomatonError::Counted(state))? = true;
            }
            counted.push(members);
        }
        let next = |own: State, counts: &[i64]| {
            let next = automaton.next(own, counts);
            if u16::from(next) < states {
                return Ok(next);
            }
            Err(AutomatonError::Outcome {
                own,
                counts: counts.to_vec(),
                next,
            })
        };
        let table = compiler::table(automaton.neighbourhood(), states, &counted, 1, next);
        let table = table.map_err(|obstacle| match obstacle {
            CompileObstacle::Next(error) => error,
            CompileObstacle::Background(state) => AutomatonError::Background(state),
            CompileObstacle::TooLarge(entries) => AutomatonError::TooLarge {
                entries,
                most: compiler::MAX_ENTRIES,
            },
            CompileObstacle::TooLong(cases, parts) => AutomatonError::TooLong {
                cases,
                parts,
                most: compiler::MAX_STEPS,
            },
        })?;
        Ok(Self::new(
            definition(name.into(), table),
            Topology::Unbounded,
        ))
    }
}

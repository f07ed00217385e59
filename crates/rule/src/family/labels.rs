//! History, Super and Investigator: extra states that label the cells of a two-state rule.
//!
//! The suffixes `History` (7 states), `Super` (26) and `Investigator` (21) take a rule of
//! two states and radius 1 and give its cells labels: trails, marks, colours, walls, and
//! devices that force their neighbours on or off. The states are those of Golly's
//! algorithm "Super" (Golly Help, Algorithms: Super); what its help leaves open, the
//! colour of a cell whose parents differ, was found from Golly's own results.
//!
//! ```text
//! B3/S23History  LifeHistory  B3/S23Super  B2/S34HSuper  B3/S23Investigator
//! ```
//!
//! In the first two, odd states are on and even ones off:
//!
//! ```text
//!  0 off        1 on, leaves 2     6 wall: on cells that touch it go off
//!  2 trail      3 on, leaves 4     4 mark: becomes 3
//!               5 on, leaves 4
//!  8 mark: becomes 7, which leaves 8; 9 leaves 10, 11 leaves 12 (trails)
//! 13 15 … 25 on, leave nothing; 14 to 24 even: labels that fade, or turn into each other
//! ```

use crate::error::{RuleFault, RuleProblem};
use crate::file::{LookupTable, NeighbourFold};
use crate::{ConfigurationTable, RuleDefinition, Transition};
use grid::State;

/// The suffixes, their families' names, and how many states they have.
const KINDS: [(&str, LabelKind, u16); 3] = [
    ("History", LabelKind::History, 7),
    ("Super", LabelKind::Super, 26),
    ("Investigator", LabelKind::Investigator, 21),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LabelKind {
    History,
    Super,
    Investigator,
}

/// Reads the text if it has one of the suffixes, and something before it.
pub(super) fn read(text: &str) -> Option<Result<RuleDefinition, RuleFault>> {
    let (base, suffix, kind, states) = split(text)?;
    // It would have labels already. (And were each suffix taken off in turn, a long row of
    // them would fill the stack.)
    if split(base).is_some() {
        return Some(Err(RuleFault::new(base.len(), RuleProblem::Labels(suffix))));
    }
    let labelled = |rule: RuleDefinition| {
        // where the suffix stands in what was typed, which may be a name
        labelled(&rule, suffix, kind, states).map_err(|problem| RuleFault::new(base.len(), problem))
    };
    Some(super::read(base).and_then(labelled))
}

/// The rule before a suffix, and the suffix.
fn split(text: &str) -> Option<(&str, &'static str, LabelKind, u16)> {
    KINDS.into_iter().find_map(|(suffix, kind, states)| {
        let (base, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
        let found = !base.is_empty() && end.eq_ignore_ascii_case(suffix);
        found.then_some((base, suffix, kind, states))
    })
}

/// The rule in words: what the labels do, then the rule under them.
pub(crate) fn describe(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (suffix, kind, _) in KINDS {
        let Some(base) = text.strip_suffix(suffix) else {
            continue;
        };
        let about = match kind {
            LabelKind::History => {
                "odd states are on, even ones off; what goes off leaves a trail (2, or 4 where \
                 it was marked), and cells that touch a wall (6) go off"
            }
            LabelKind::Super => {
                "odd states are on, even ones off; labels and trails stay behind, the new-born \
                 take the colour that their three parents share, and cells that touch a wall \
                 (6) go off"
            }
            LabelKind::Investigator => {
                "some cells are devices, which never change or blink, and turn the cells around \
                 them on or off"
            }
        };
        lines.push(about.into());
        let base: Result<crate::Rule, _> = base.parse();
        let words = base.map(|base| base.explain()).unwrap_or_default();
        lines.push(format!(
            "all else follows\n  {}",
            words.replace('\n', "\n  ")
        ));
    }
    lines
}

fn labelled(
    base: &RuleDefinition,
    suffix: &'static str,
    kind: LabelKind,
    states: u16,
) -> Result<RuleDefinition, RuleProblem> {
    let refused = || RuleProblem::Labels(suffix);
    let [places] = &base.tables[..] else {
        return Err(refused());
    };
    let [table] = &places[..] else {
        return Err(refused());
    };
    if base.states != 2 || table.radius() > 1 || base.family == "Wolfram" {
        return Err(refused());
    }
    let rule = BaseRule::new(table);
    let around = rule.around.clone();
    let table = match kind {
        LabelKind::Investigator => LookupTable::from_fold(&DeviceFold { rule }, &around, states),
        LabelKind::History | LabelKind::Super => {
            let all = kind == LabelKind::Super;
            LookupTable::from_fold(&MarkFold { rule, all }, &around, states)
        }
    };
    Ok(RuleDefinition {
        text: format!("{}{suffix}", base.text),
        family: suffix,
        states,
        tables: vec![vec![Transition::Lookup(table)]],
        lattice: base.lattice,
        background: base.background.clone(),
    })
}

/// The two-state rule under the labels.
struct BaseRule {
    around: Vec<(i32, i32)>,
    /// By the cell itself.
    next: [ResidualTable; 2],
}

/// The rule's next states as a function of the cells not yet seen: bit i is the next state when
/// the binary digits of i are those cells, the first of them the most significant digit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ResidualTable {
    bits: [u64; 4],
    cells: u32,
}

impl BaseRule {
    fn new(table: &Transition) -> Self {
        let next = |alive: &dyn Fn((i32, i32)) -> bool| {
            table.next(|dx, dy| u8::from(alive((dx, dy)))) == 1
        };
        let moore = ConfigurationTable::OFFSETS
            .into_iter()
            .filter(|&cell| cell != (0, 0));
        let matters = |cell: &(i32, i32)| {
            let others: Vec<_> = ConfigurationTable::OFFSETS
                .into_iter()
                .filter(|other| other != cell)
                .collect();
            (0..256_u32).any(|seen| {
                let alive = |with: bool| {
                    next(&|c| match others.iter().position(|o| *o == c) {
                        Some(i) => seen >> i & 1 == 1,
                        None => with,
                    })
                };
                alive(false) != alive(true)
            })
        };
        let around: Vec<_> = moore.filter(matters).collect();
        let rest = |own: bool| {
            let cells = around.len() as u32;
            let mut bits = [0; 4];
            for seen in 0..1_usize << cells {
                let alive = |cell| match around.iter().position(|c| *c == cell) {
                    Some(i) => seen >> (cells as usize - 1 - i) & 1 == 1,
                    None => own && cell == (0, 0),
                };
                bits[seen / 64] |= u64::from(next(&alive)) << (seen % 64);
            }
            ResidualTable { bits, cells }
        };
        let next = [rest(false), rest(true)];
        Self { around, next }
    }
}

impl ResidualTable {
    /// After a look at the first of the cells.
    fn see(self, alive: bool) -> Self {
        let cells = self.cells - 1;
        let kept = 1_usize << cells;
        let mut bits = [0; 4];
        for i in 0..kept {
            let from = i + if alive { kept } else { 0 };
            bits[i / 64] |= (self.bits[from / 64] >> (from % 64) & 1) << (i % 64);
        }
        Self { bits, cells }
    }

    /// Whether no states of the cells not yet seen can make the next state 1.
    fn is_never(self) -> bool {
        self.bits == [0; 4]
    }

    fn is_alive(self) -> bool {
        self.bits[0] & 1 == 1
    }
}

/// History and Super.
struct MarkFold {
    rule: BaseRule,
    /// All 26 states; else the first 7.
    all: bool,
}

/// The state of a [`MarkFold`].
#[derive(Clone, PartialEq, Eq, Hash)]
struct MarkFoldState {
    own: State,
    rest: ResidualTable,
    /// A wall touches the cell.
    wall: bool,
    /// The parents that would determine the colour of a birth here.
    parents: ParentColours,
    /// A neighbour by which this label changes.
    touched: bool,
}

/// What the colour of a new cell depends on, of its parents.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct ParentColours {
    /// Their one state but for those in 7.
    with_trail: UniqueState,
    /// Their one state but for those in 3.
    without_trail: UniqueState,
    /// One is neither 7 nor 13 or higher.
    some_leave_trails: bool,
}

/// One state, none yet, or several.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
enum UniqueState {
    #[default]
    None,
    One(State),
    Several,
}

impl UniqueState {
    fn and(self, state: State) -> Self {
        match self {
            Self::None => Self::One(state),
            Self::One(one) if one == state => self,
            _ => Self::Several,
        }
    }
}

impl ParentColours {
    fn and(mut self, state: State) -> Self {
        if state != 7 {
            self.with_trail = self.with_trail.and(state);
        }
        if state != 3 {
            self.without_trail = self.without_trail.and(state);
        }
        self.some_leave_trails |= state != 7 && state < 13;
        self
    }

    /// The colour of their child. Where they differ, a mark of the other kind does not
    /// count; else the child takes the first colour with or without a trail.
    fn colour(self) -> State {
        match (self.with_trail, self.without_trail) {
            (UniqueState::One(trail @ (9 | 11)), _) => trail,
            (_, UniqueState::One(plain @ 13..)) => plain,
            _ if self.some_leave_trails => 1,
            _ => 13,
        }
    }
}

const WALL: State = 6;

impl MarkFold {
    /// Whether an off cell's next state depends on the colour of its parents.
    fn depends_on_parent_colour(&self, own: State) -> bool {
        self.all && own.is_multiple_of(2) && !matches!(own, 4 | WALL | 8)
    }

    /// Whether a wall does anything to a cell in this state.
    fn is_affected_by_walls(own: State) -> bool {
        own % 2 == 1 || own == 8 || own >= 14
    }

    /// Whether a label changes when it is beside a cell in that state.
    fn is_changed_by(own: State, state: State) -> bool {
        match own {
            16 => state % 2 == 1 || state == 14,
            18 => state == 22,
            20 => state == 18,
            22 => state == 20,
            24 => state % 2 == 1,
            _ => false,
        }
    }

    /// The state that an on cell leaves behind when it dies.
    fn trail_of(own: State) -> State {
        match own {
            1 => 2,
            3 | 5 => 4,
            7 => 8,
            9 => 10,
            11 => 12,
            _ => 0,
        }
    }
}

impl NeighbourFold for MarkFold {
    type Seen = MarkFoldState;

    fn begin(&self, own: State) -> MarkFoldState {
        MarkFoldState {
            own,
            rest: self.rule.next[usize::from(own % 2)],
            wall: false,
            parents: ParentColours::default(),
            touched: false,
        }
        .normalized(self)
    }

    fn see(&self, mut seen: MarkFoldState, _: usize, state: State) -> MarkFoldState {
        let on = state % 2 == 1;
        seen.rest = seen.rest.see(on);
        seen.wall |= state == WALL && Self::is_affected_by_walls(seen.own);
        seen.touched |= Self::is_changed_by(seen.own, state);
        if on {
            seen.parents = seen.parents.and(state);
        }
        seen.normalized(self)
    }

    fn end(&self, seen: &MarkFoldState) -> State {
        let own = seen.own;
        let alive = seen.rest.is_alive();
        match own {
            WALL => WALL,
            // On a wall's side, what lives dies, and most labels are wiped out.
            7 | 8 | 13.. if seen.wall => 0,
            _ if own % 2 == 1 && alive && !seen.wall => own,
            _ if own % 2 == 1 => Self::trail_of(own),
            4 if alive => 3,
            8 if alive => 7,
            _ if alive && self.all => seen.parents.colour(),
            _ if alive => 1,
            14 => 0,
            16 if seen.touched => 14,
            18 if seen.touched => 22,
            20 | 24 if seen.touched => 18,
            22 if seen.touched => 20,
            _ => own,
        }
    }
}

impl MarkFoldState {
    /// Normalises the state: clears fields that can no longer change the result, so that equal
    /// states share a node.
    fn normalized(mut self, marks: &MarkFold) -> Self {
        if self.own == WALL || self.wall {
            self.rest.bits = [0; 4];
            self.touched = false;
        }
        if self.rest.is_never() || !marks.depends_on_parent_colour(self.own) {
            self.parents = ParentColours::default();
        }
        self
    }
}

/// Investigator: cells that force others on or off, and never change but by blinking.
struct DeviceFold {
    rule: BaseRule,
}

/// The state of a [`DeviceFold`].
#[derive(Clone, PartialEq, Eq, Hash)]
struct DeviceFoldState {
    own: State,
    rest: ResidualTable,
    /// A neighbour turns this cell over, whatever the rule says.
    forced: bool,
    /// A catalyst is among those that count.
    catalyst: bool,
    /// An ordinary live cell is.
    ordinary: bool,
}

impl DeviceFold {
    fn counts(own: State, state: State) -> bool {
        let always = matches!(state, 1 | 2 | 4 | 6 | 8 | 10 | 12 | 15 | 16);
        let for_births = matches!(state, 17 | 19);
        let for_survival = matches!(state, 18 | 20);
        always || if own == 0 { for_births } else { for_survival }
    }

    fn forces(own: State, state: State) -> bool {
        match own {
            0 => matches!(state, 8 | 9 | 12 | 13 | 14),
            _ => matches!(state, 2 | 3 | 6 | 7 | 14 | 16),
        }
    }
}

impl NeighbourFold for DeviceFold {
    type Seen = DeviceFoldState;

    fn begin(&self, own: State) -> DeviceFoldState {
        DeviceFoldState {
            own,
            rest: self.rule.next[usize::from(own == 1)],
            forced: false,
            catalyst: false,
            ordinary: false,
        }
        .normalized()
    }

    fn see(&self, mut seen: DeviceFoldState, _: usize, state: State) -> DeviceFoldState {
        seen.rest = seen.rest.see(Self::counts(seen.own, state));
        seen.forced |= Self::forces(seen.own, state);
        seen.catalyst |= matches!(state, 15 | 16);
        seen.ordinary |= state == 1;
        seen.normalized()
    }

    fn end(&self, seen: &DeviceFoldState) -> State {
        let alive = seen.rest.is_alive();
        match seen.own {
            0 => u8::from(seen.forced || alive && (seen.ordinary || !seen.catalyst)),
            1 => u8::from(alive && !seen.forced),
            blinking @ (6 | 10 | 12 | 19) => blinking + 1,
            blinking @ (7 | 11 | 13 | 20) => blinking - 1,
            device => device,
        }
    }
}

impl DeviceFoldState {
    /// Normalises the state, as [`MarkFold`] does.
    fn normalized(mut self) -> Self {
        if self.own > 1 || self.forced {
            self.rest.bits = [0; 4];
            self.forced &= self.own <= 1;
        }
        if self.own != 0 || self.rest.is_never() || self.ordinary {
            self.catalyst = false;
        }
        if self.own != 0 || self.rest.is_never() {
            self.ordinary = false;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::assertions::{assert_refused, assert_rewritten, next_state};

    #[test]
    fn spellings() {
        assert_rewritten(&[
            ("LifeHistory", "B3/S23History"),
            ("b3s23history", "B3/S23History"),
            ("LifeSuper", "B3/S23Super"),
            ("B2/S34Hsuper", "B2/S34HSuper"),
            ("23/3Investigator", "B3/S23Investigator"),
        ]);
        assert_refused(&[
            ("345/2/4History", 7, "History states need"),
            ("W30Super", 3, "Super states need"),
            ("BurstHistory", 5, "History states need"),
            ("B03/S23History", 7, "History states need"),
            ("R2,C2,S2,B3,NMSuper", 14, "Super states need"),
        ]);
    }

    #[test]
    fn cells_leave_trails_and_marks_stay() {
        let rows: &[(&str, [[u8; 3]; 3], u8)] = &[
            ("LifeHistory", [[1, 1, 0], [0, 0, 0], [0, 1, 0]], 1),
            ("LifeHistory", [[0, 0, 0], [0, 1, 0], [0, 1, 0]], 2),
            ("LifeHistory", [[1, 1, 0], [0, 4, 0], [0, 1, 0]], 3),
            ("LifeHistory", [[0, 0, 0], [0, 5, 0], [0, 0, 0]], 4),
            ("LifeHistory", [[1, 1, 0], [0, 1, 0], [0, 0, 6]], 2),
            ("LifeHistory", [[1, 1, 0], [0, 6, 0], [0, 1, 0]], 6),
            // Colours: the parents' own, where they agree.
            ("LifeSuper", [[15, 15, 0], [0, 0, 0], [0, 15, 0]], 15),
            ("LifeSuper", [[15, 13, 0], [0, 2, 0], [0, 15, 0]], 13),
            ("LifeSuper", [[9, 9, 0], [0, 0, 0], [0, 7, 0]], 9),
            ("LifeSuper", [[9, 9, 0], [0, 0, 0], [0, 3, 0]], 1),
            ("LifeSuper", [[19, 19, 0], [0, 0, 0], [0, 3, 0]], 19),
            ("LifeSuper", [[11, 19, 0], [0, 0, 0], [0, 11, 0]], 1),
            // Labels.
            ("LifeSuper", [[0, 0, 0], [0, 14, 0], [0, 0, 0]], 0),
            ("LifeSuper", [[0, 0, 0], [0, 16, 0], [0, 14, 0]], 14),
            ("LifeSuper", [[0, 0, 0], [0, 24, 0], [1, 0, 0]], 18),
            // Devices.
            ("LifeInvestigator", [[0, 0, 0], [0, 0, 0], [0, 9, 0]], 1),
            ("LifeInvestigator", [[1, 1, 0], [0, 1, 0], [0, 3, 0]], 0),
            ("LifeInvestigator", [[15, 15, 0], [0, 0, 0], [0, 15, 0]], 0),
            ("LifeInvestigator", [[15, 15, 0], [0, 0, 0], [0, 1, 0]], 1),
            ("LifeInvestigator", [[0, 0, 0], [0, 6, 0], [0, 0, 0]], 7),
        ];
        for (rule, drawing, expected) in rows {
            let rows: Vec<&[u8]> = drawing.iter().map(|row| &row[..]).collect();
            assert_eq!(next_state(rule, &rows), *expected, "{rule} {drawing:?}");
        }
    }
}

//! Backtracking over variables of two values with constraints that are looked up in tables.
//!
//! A constraint of up to ten variables has a descriptor: a number that says which of them have
//! which value, or how many of them where only that matters. A variable that gets a value adds a
//! weight to the descriptors of its constraints, and what then follows stands in a table. The idea
//! is that of D. I. Bell's `lifesrc` (1992); the descriptors are our own. Clauses are watched by two
//! literals as in Chaff (Moskewicz and others, "Chaff: Engineering an Efficient SAT Solver", 2001).

/// A variable's value: not known, false or true.
pub(super) const UNKNOWN: u8 = 0;
pub(super) const FALSE: u8 = 1;
pub(super) const TRUE: u8 = 2;

/// How many variables a constraint has at most.
pub(super) const POSITIONS: usize = 10;
/// Set in a table's entry where the constraint cannot hold.
pub(super) const CONFLICT: u32 = 1 << 31;

/// A variable and the value that makes the literal true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal(u32);

impl Literal {
    pub(super) fn new(variable: u32, is_true: bool) -> Self {
        Self(variable << 1 | u32::from(is_true))
    }

    pub(super) fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// The value that the variable has where the literal is true.
    pub(super) fn value(self) -> u8 {
        FALSE + (self.0 & 1) as u8
    }
}

/// That a variable is in a constraint, and what it adds to the descriptor: when false, when true.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    constraint: u32,
    weights: [u16; 2],
}

/// Why a variable has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It follows from those before.
    Implied,
    /// It was guessed: the other value is still to be tried.
    Guessed,
    /// The other value has been tried.
    Flipped,
}

/// Two lists of which the first is not less, compared from the front.
struct OrderConstraint {
    /// Pairs of variables; the constant variables stand for known cells.
    pairs: Vec<(u32, u32)>,
    /// The pairs before are known and equal.
    equal: usize,
}

/// Bounds of numbers of live cells.
#[derive(Default)]
pub(super) struct CellCounts {
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) most_in_first: bool,
    /// In each generation, the cells that may be live.
    pub(super) open: Vec<u32>,
    /// In each generation, the cells that are live.
    pub(super) live: Vec<u32>,
    /// For each variable the generation, how many cells it stands for, and its value when they
    /// are live.
    pub(super) members: Vec<Option<(u32, u32, u8)>>,
}

/// A table that constraints share, and the weights of its positions.
#[derive(Clone, Debug)]
pub(super) struct TableShape {
    pub(super) base: u32,
    pub(super) weights: [[u16; 2]; POSITIONS],
}

#[derive(Default)]
pub(super) struct Core {
    values: Vec<u8>,
    causes: Vec<Cause>,
    tables: Vec<u32>,
    descriptors: Vec<u32>,
    constraints: Vec<[u32; POSITIONS]>,
    /// Where each variable's occurrences begin, once the constraints are complete.
    starts: Vec<u32>,
    occurrences: Vec<Occurrence>,
    pending_occurrences: Vec<(u32, Occurrence)>,
    /// Variables for which more is to be done than their occurrences.
    is_special: Vec<bool>,
    clauses: Vec<Vec<Literal>>,
    /// By literal the clauses that watch it.
    watches: Vec<Vec<u32>>,
    order_constraints: Vec<OrderConstraint>,
    /// Order constraint, its `equal` before, and how long the trail was.
    order_trail: Vec<(u32, u32, u32)>,
    counts: Option<CellCounts>,
    trail: Vec<u32>,
    /// The variables of the trail before this one are counted in the descriptors.
    head: usize,
    /// Where the guesses stand in the trail.
    guesses: Vec<u32>,
    /// No assignment is left.
    is_refuted: bool,
    retreats: u64,
}

impl Core {
    pub(super) fn new_variable(&mut self) -> u32 {
        self.values.push(UNKNOWN);
        self.causes.push(Cause::Implied);
        self.is_special.push(false);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.len() as u32 - 1
    }

    pub(super) fn variables(&self) -> usize {
        self.values.len()
    }

    pub(super) fn value(&self, variable: u32) -> u8 {
        self.values[variable as usize]
    }

    /// Adds a table's entries; gives where they begin.
    pub(super) fn add_table(&mut self, entries: &[u32]) -> u32 {
        let base = self.tables.len() as u32;
        self.tables.extend_from_slice(entries);
        base
    }

    /// Adds a constraint; positions without a variable are not looked at by its table.
    pub(super) fn add_constraint(
        &mut self,
        shape: &TableShape,
        variables: [Option<u32>; POSITIONS],
    ) {
        let constraint = self.constraints.len() as u32;
        let first = self.pending_occurrences.len();
        let filler = variables.iter().flatten().next().copied().unwrap_or(0);
        self.constraints
            .push(variables.map(|v| v.unwrap_or(filler)));
        self.descriptors.push(shape.base);
        for (position, variable) in variables.into_iter().enumerate() {
            let Some(variable) = variable else { continue };
            let weights = shape.weights[position];
            let mut own = self.pending_occurrences[first..].iter_mut();
            let merged = own.find(|(v, _)| *v == variable);
            if let Some((_, occurrence)) = merged {
                occurrence.weights[0] += weights[0];
                occurrence.weights[1] += weights[1];
            } else {
                let occurrence = Occurrence {
                    constraint,
                    weights,
                };
                self.pending_occurrences.push((variable, occurrence));
            }
        }
    }

    /// At least one of the literals is true. Goes back to where that is still possible.
    pub(super) fn add_clause(&mut self, mut literals: Vec<Literal>) {
        if literals
            .iter()
            .any(|l| literals.contains(&Literal(l.0 ^ 1)))
        {
            return;
        }
        literals.sort_by_key(|l| l.0);
        literals.dedup();
        if let [literal] = literals[..] {
            if self.guesses.is_empty() {
                self.is_refuted |= !self.assign(literal.variable(), literal.value());
                return;
            }
            // a constant in addition, so that there are two to watch
            let constant = self.trail[0];
            literals.push(Literal::new(constant, self.value(constant) == FALSE));
        }
        if literals.is_empty() {
            self.is_refuted = true;
            return;
        }
        while literals.iter().all(|&l| self.is_false(l)) {
            if !self.retreat() {
                return;
            }
        }
        // those that are not false first, then those that became false last: they are free again
        // before the others
        let position = |l: Literal| self.trail.iter().rposition(|&v| v == l.variable());
        literals.sort_by_cached_key(|&l| {
            let is_false = self.is_false(l);
            let position = if is_false { position(l) } else { None };
            (is_false, std::cmp::Reverse(position))
        });
        let clause = self.clauses.len() as u32;
        for literal in &literals[..2] {
            self.watches[literal.0 as usize].push(clause);
            self.is_special[literal.variable() as usize] = true;
        }
        if self.is_false(literals[1]) {
            self.assign(literals[0].variable(), literals[0].value());
        }
        self.clauses.push(literals);
    }

    /// The first list is not less than the second.
    pub(super) fn add_order(&mut self, pairs: Vec<(u32, u32)>) {
        self.order_constraints
            .push(OrderConstraint { pairs, equal: 0 });
    }

    pub(super) fn set_counts(&mut self, counts: CellCounts) {
        for (variable, member) in counts.members.iter().enumerate() {
            self.is_special[variable] |= member.is_some();
        }
        self.counts = Some(counts);
    }

    /// After the last constraint and before the first guess: what follows from nothing.
    pub(super) fn finish(&mut self) {
        // by variable, and for each in the order of the constraints, in which they were added
        let pending = std::mem::take(&mut self.pending_occurrences);
        self.starts = vec![0; self.values.len() + 1];
        for &(variable, _) in &pending {
            self.starts[variable as usize + 1] += 1;
        }
        for variable in 0..self.values.len() {
            self.starts[variable + 1] += self.starts[variable];
        }
        let mut places = self.starts.clone();
        let unset = Occurrence {
            constraint: 0,
            weights: [0; 2],
        };
        self.occurrences = vec![unset; pending.len()];
        for (variable, occurrence) in pending {
            let place = &mut places[variable as usize];
            self.occurrences[*place as usize] = occurrence;
            *place += 1;
        }
        for constraint in 0..self.constraints.len() {
            if !self.conclude(constraint) {
                self.is_refuted = true;
            }
        }
        if self
            .counts
            .as_ref()
            .is_some_and(|counts| !counts.are_possible())
        {
            self.is_refuted = true;
        }
        if !self.is_refuted && !self.propagate() {
            self.is_refuted = true;
        }
    }

    pub(super) fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    pub(super) fn refute(&mut self) {
        self.is_refuted = true;
    }

    /// How often it went back.
    pub(super) fn retreats(&self) -> u64 {
        self.retreats
    }

    /// How many guesses are open.
    pub(super) fn guesses(&self) -> usize {
        self.guesses.len()
    }

    pub(super) fn assigned(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        let clauses: usize = self
            .clauses
            .iter()
            .map(|clause| 4 * clause.len() + 40)
            .sum();
        (self.values.len() * 40
            + self.constraints.len() * 44
            + self.occurrences.len() * 8
            + self.tables.len() * 4
            + clauses) as u64
    }

    /// The guesses and flips in their order.
    pub(super) fn path(&self) -> impl Iterator<Item = (u32, bool, Cause)> {
        let causes = self.trail.iter().map(|&v| (v, self.causes[v as usize]));
        causes
            .filter(|&(_, cause)| cause != Cause::Implied)
            .map(|(v, cause)| (v, self.value(v) == TRUE, cause))
    }

    /// Takes a value for a variable that has none.
    pub(super) fn guess(&mut self, variable: u32, is_true: bool) {
        self.guesses.push(self.trail.len() as u32);
        self.put(variable, if is_true { TRUE } else { FALSE }, Cause::Guessed);
    }

    /// Takes a step of a saved path.
    pub(super) fn repeat(&mut self, variable: u32, is_true: bool, cause: Cause) -> bool {
        let value = if is_true { TRUE } else { FALSE };
        match (self.value(variable), cause) {
            (UNKNOWN, Cause::Guessed) => self.guess(variable, is_true),
            (UNKNOWN, _) => self.put(variable, value, cause),
            (now, _) if now != value => return false,
            _ => {}
        }
        true
    }

    /// Goes back to the last guess and takes its other value; false where there is none.
    pub(super) fn retreat(&mut self) -> bool {
        self.retreats += 1;
        let Some(guess) = self.guesses.pop() else {
            self.is_refuted = true;
            return false;
        };
        let variable = self.trail[guess as usize];
        let other = FALSE + TRUE - self.value(variable);
        self.undo(guess as usize);
        self.put(variable, other, Cause::Flipped);
        true
    }

    /// Draws all conclusions; false where a constraint cannot hold.
    pub(super) fn propagate(&mut self) -> bool {
        loop {
            while self.head < self.trail.len() {
                let variable = self.trail[self.head] as usize;
                self.head += 1;
                if !self.count(variable) {
                    return false;
                }
            }
            let before = self.trail.len();
            if !self.compare() {
                return false;
            }
            if self.trail.len() == before {
                return true;
            }
        }
    }

    fn is_false(&self, literal: Literal) -> bool {
        let value = self.value(literal.variable());
        value != UNKNOWN && value != literal.value()
    }

    fn put(&mut self, variable: u32, value: u8, cause: Cause) {
        self.values[variable as usize] = value;
        self.causes[variable as usize] = cause;
        self.trail.push(variable);
    }

    /// False where the variable has the other value.
    pub(super) fn assign(&mut self, variable: u32, value: u8) -> bool {
        let now = self.value(variable);
        if now == UNKNOWN {
            self.put(variable, value, Cause::Implied);
        }
        now == UNKNOWN || now == value
    }

    /// Counts a variable in its constraints and looks up what follows. After a conflict the rest
    /// is counted all the same, so that undoing is simple.
    #[inline]
    fn count(&mut self, variable: usize) -> bool {
        let which = usize::from(self.values[variable] - FALSE);
        let range = self.starts[variable] as usize..self.starts[variable + 1] as usize;
        let mut holds = true;
        for occurrence in &self.occurrences[range] {
            let constraint = occurrence.constraint as usize;
            let descriptor = self.descriptors[constraint] + u32::from(occurrence.weights[which]);
            self.descriptors[constraint] = descriptor;
            let entry = self.tables[descriptor as usize];
            if entry == 0 || !holds {
                continue;
            }
            if entry & CONFLICT != 0 {
                holds = false;
                continue;
            }
            let variables = &self.constraints[constraint];
            let mut forced = entry & ((1 << POSITIONS) - 1);
            while forced != 0 {
                let position = forced.trailing_zeros() as usize;
                forced &= forced - 1;
                let target = variables[position];
                if self.values[target as usize] == UNKNOWN {
                    self.values[target as usize] =
                        FALSE + (entry >> (POSITIONS + position) & 1) as u8;
                    self.causes[target as usize] = Cause::Implied;
                    self.trail.push(target);
                }
            }
        }
        if self.is_special[variable] {
            holds &= self.count_special(variable, holds);
        }
        holds
    }

    /// What follows from a constraint as it is; false where it cannot hold.
    fn conclude(&mut self, constraint: usize) -> bool {
        let entry = self.tables[self.descriptors[constraint] as usize];
        if entry & CONFLICT != 0 {
            return false;
        }
        for position in 0..POSITIONS {
            if entry >> position & 1 == 1 {
                let value = FALSE + (entry >> (POSITIONS + position) & 1) as u8;
                let variable = self.constraints[constraint][position];
                // where it has the other value already, counting it finds the conflict
                self.assign(variable, value);
            }
        }
        true
    }

    fn count_special(&mut self, variable: usize, holds: bool) -> bool {
        let mut holds = holds;
        let value = self.values[variable];
        if let Some(counts) = &mut self.counts
            && let Some((generation, cells, live)) = counts.members[variable]
        {
            let generation = generation as usize;
            if value == live {
                counts.live[generation] += cells;
            } else {
                counts.open[generation] -= cells;
            }
            holds &= counts.are_possible();
            if holds && value == live && counts.first_is_full(generation) {
                let spare = counts.most - counts.live[0];
                let dead = |(v, member): (usize, &Option<(u32, u32, u8)>)| match *member {
                    Some((0, cells, live)) if cells > spare => Some((v, FALSE + TRUE - live)),
                    _ => None,
                };
                let dead: Vec<_> = counts.members.iter().enumerate().filter_map(dead).collect();
                for (v, value) in dead {
                    if self.values[v] == UNKNOWN {
                        self.put(v as u32, value, Cause::Implied);
                    }
                }
            }
        }
        holds && self.visit_clauses(Literal::new(variable as u32, value == FALSE))
    }

    /// The clauses that watch a literal that is false now look for another one.
    fn visit_clauses(&mut self, literal: Literal) -> bool {
        let mut watching = std::mem::take(&mut self.watches[literal.0 as usize]);
        let mut holds = true;
        let mut kept = 0;
        for index in 0..watching.len() {
            let clause = watching[index];
            let literals = &mut self.clauses[clause as usize];
            if literals[0] == literal {
                literals.swap(0, 1);
            }
            let other = literals[0];
            let values = &self.values;
            let is_false = |l: &Literal| {
                let value = values[l.variable() as usize];
                value != UNKNOWN && value != l.value()
            };
            let free = (2..literals.len()).find(|&i| !is_false(&literals[i]));
            if holds
                && values[other.variable() as usize] != other.value()
                && let Some(free) = free
            {
                literals.swap(1, free);
                let watched = literals[1];
                self.watches[watched.0 as usize].push(clause);
                self.is_special[watched.variable() as usize] = true;
                continue;
            }
            watching[kept] = clause;
            kept += 1;
            holds = holds && self.assign(other.variable(), other.value());
        }
        watching.truncate(kept);
        self.watches[literal.0 as usize] = watching;
        holds
    }

    /// Goes along the lists that are compared; false where a first one is less.
    fn compare(&mut self) -> bool {
        for index in 0..self.order_constraints.len() {
            loop {
                let order = &mut self.order_constraints[index];
                let Some(&(a, b)) = order.pairs.get(order.equal) else {
                    break;
                };
                let (a_value, b_value) = (self.values[a as usize], self.values[b as usize]);
                if a_value != UNKNOWN && a_value == b_value {
                    let length = self.trail.len() as u32;
                    self.order_trail
                        .push((index as u32, order.equal as u32, length));
                    order.equal += 1;
                    continue;
                }
                match (a_value, b_value) {
                    (FALSE, TRUE) => return false,
                    (FALSE, UNKNOWN) => self.put(b, FALSE, Cause::Implied),
                    (UNKNOWN, TRUE) => self.put(a, TRUE, Cause::Implied),
                    _ => break,
                }
            }
        }
        true
    }

    /// Takes back all that was assigned from a place of the trail on.
    fn undo(&mut self, length: usize) {
        for index in (length..self.trail.len()).rev() {
            let variable = self.trail[index] as usize;
            let value = self.values[variable];
            if index < self.head {
                let which = usize::from(value - FALSE);
                let range = self.starts[variable] as usize..self.starts[variable + 1] as usize;
                for occurrence in &self.occurrences[range] {
                    self.descriptors[occurrence.constraint as usize] -=
                        u32::from(occurrence.weights[which]);
                }
                if let Some(counts) = &mut self.counts
                    && let Some((generation, cells, live)) = counts.members[variable]
                {
                    if value == live {
                        counts.live[generation as usize] -= cells;
                    } else {
                        counts.open[generation as usize] += cells;
                    }
                }
            }
            self.values[variable] = UNKNOWN;
        }
        self.trail.truncate(length);
        self.head = self.head.min(length);
        while let Some(&(index, equal, assigned)) = self.order_trail.last()
            && assigned as usize > length
        {
            self.order_constraints[index as usize].equal = equal as usize;
            self.order_trail.pop();
        }
    }
}

impl CellCounts {
    fn are_possible(&self) -> bool {
        self.open.iter().all(|&open| open >= self.least)
            && self.live.iter().any(|&live| live <= self.most)
            && !(self.most_in_first && self.live[0] > self.most)
    }

    fn first_is_full(&self, generation: usize) -> bool {
        let only = self.most_in_first || self.live.len() == 1;
        // not at every cell: the list of the others is long
        only && generation == 0 && self.most - self.live[0] <= 1
    }
}

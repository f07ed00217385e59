use grid::State;

/// A set of states, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StateSet([u64; 4]);

impl StateSet {
    /// Those from 0 up to and without `states`.
    pub(super) fn all(states: u16) -> Self {
        let mut set = Self::default();
        (0..states).for_each(|state| set.insert(state as State));
        set
    }

    pub(super) fn one(state: State) -> Self {
        let mut set = Self::default();
        set.insert(state);
        set
    }

    pub(super) fn insert(&mut self, state: State) {
        self.0[usize::from(state >> 6)] |= 1 << (state & 63);
    }

    pub(super) fn contains(&self, state: State) -> bool {
        self.0[usize::from(state >> 6)] >> (state & 63) & 1 == 1
    }

    pub(super) fn union(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }

    pub(super) fn without(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
        self
    }

    /// In rising order.
    pub(super) fn iter(self) -> impl Iterator<Item = State> {
        self.0.into_iter().zip(0..).flat_map(|(word, high)| {
            let next = |left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
            let first = (word != 0).then_some(word);
            std::iter::successors(first, next)
                .map(move |left| high << 6 | left.trailing_zeros() as State)
        })
    }
}

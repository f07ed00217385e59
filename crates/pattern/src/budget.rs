use crate::error::{PatternFault, PatternProblem};

/// The memory that a reader has allocated, and its limit.
///
/// Lists grow through [`ReadBudget::reserve`], in the place of `Vec`'s own doubling, so that the
/// count is that of capacities.
#[derive(Debug)]
pub(crate) struct ReadBudget {
    most: u64,
    used: u64,
}

impl ReadBudget {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, used: 0 }
    }

    /// Counts bytes that are about to be allocated.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), PatternProblem> {
        let used = self.used.saturating_add(bytes as u64);
        if used > self.most {
            return Err(PatternProblem::NeedsMemory(self.most));
        }
        self.used = used;
        Ok(())
    }

    /// The same, for what a line at `offset` needs.
    pub(crate) fn take_at(&mut self, bytes: usize, offset: usize) -> Result<(), PatternFault> {
        self.take(bytes)
            .map_err(|problem| PatternFault::new(offset, problem))
    }

    /// Counts a line of free text that is kept, at `offset`.
    pub(crate) fn take_line(&mut self, line: &[u8], offset: usize) -> Result<(), PatternFault> {
        // What is no UTF-8 becomes a character of three bytes. The string itself stands in a
        // list that may have twice the room, and allocators round up.
        let text = if line.is_ascii() { 1 } else { 3 } * line.len();
        self.take_at(text + 2 * size_of::<String>() + 16, offset)
    }

    /// Reserves capacity for `more` further elements: doubles it, or grows less where the limit
    /// is near.
    pub(crate) fn reserve<T>(
        &mut self,
        list: &mut Vec<T>,
        more: usize,
    ) -> Result<(), PatternProblem> {
        let free = list.capacity() - list.len();
        if free >= more {
            return Ok(());
        }
        let least = more - free;
        let size = size_of::<T>();
        let left = (self.most - self.used) / size as u64;
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let added = least.max(list.capacity()).min(left).max(least);
        self.take(added.saturating_mul(size))?;
        list.reserve_exact(free + added);
        Ok(())
    }

    /// A list with capacity for the expected number of elements, or for half of what the budget
    /// has left.
    pub(crate) fn list<T>(&mut self, likely: usize) -> Vec<T> {
        let left = (self.most - self.used) / 2 / size_of::<T>() as u64;
        let likely = likely.min(usize::try_from(left).unwrap_or(usize::MAX));
        match self.take(likely.saturating_mul(size_of::<T>())) {
            Ok(()) => Vec::with_capacity(likely),
            Err(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_up_to_the_limit() {
        let mut budget = ReadBudget::new(1000);
        let mut list: Vec<u64> = budget.list(1 << 40);
        assert_eq!(list.capacity(), 62);
        for n in 0.. {
            if budget.reserve(&mut list, 1).is_err() {
                break;
            }
            list.push(n);
        }
        assert_eq!((list.len(), list.capacity()), (125, 125));
        assert_eq!(budget.take(1), Err(PatternProblem::NeedsMemory(1000)));
    }
}

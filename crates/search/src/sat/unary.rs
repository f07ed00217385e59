//! Numbers of true literals in unary: the totalizer of Bailleux and Boufkhad, "Efficient CNF
//! encoding of Boolean cardinality constraints" (2003), with sums that are shared.

use super::clauses::{ClauseStore, TRUE};
use std::collections::HashMap;

/// A number in unary: literal `k` says that it is greater than `k`.
pub(crate) type UnaryNumber = Vec<i32>;

/// Sums of unary numbers; the same sum is asked for once.
#[derive(Default)]
pub(crate) struct UnaryAdder {
    sums: HashMap<(UnaryNumber, UnaryNumber, usize), UnaryNumber>,
}

impl UnaryAdder {
    /// The sum of two numbers, exact below `limit`: its last literal says at least `limit`.
    pub(crate) fn add(
        &mut self,
        store: &mut ClauseStore,
        a: &[i32],
        b: &[i32],
        limit: usize,
    ) -> UnaryNumber {
        let known = |number: &[i32]| {
            number
                .iter()
                .take_while(|&&literal| literal == TRUE)
                .count()
        };
        let base = known(a) + known(b);
        let open = |number: &[i32]| {
            let literals = number.iter().copied();
            literals.filter(|literal| literal.abs() != TRUE).collect()
        };
        let (a, b): (UnaryNumber, UnaryNumber) = (open(a), open(b));
        let mut sum = vec![TRUE; base.min(limit)];
        let limit = limit - sum.len();
        if a.is_empty() || b.is_empty() || limit == 0 {
            sum.extend(a.into_iter().chain(b).take(limit));
            return sum;
        }
        let key = if a <= b { (a, b, limit) } else { (b, a, limit) };
        if let Some(known) = self.sums.get(&key) {
            sum.extend(known);
            return sum;
        }
        let (a, b, limit) = &key;
        let length = (a.len() + b.len()).min(*limit);
        let result: UnaryNumber = (0..length).map(|_| store.variable()).collect();
        // literal k of a number as 1-based "at least k", with at least 0 and more than all
        let at_least = |number: &[i32], k: usize| match k {
            0 => TRUE,
            k => number.get(k - 1).copied().unwrap_or(-TRUE),
        };
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let reached = at_least(&result, (i + j).min(length));
                store.add([-at_least(a, i), -at_least(b, j), reached]);
                if i + j < length {
                    let exceeded = at_least(&result, i + j + 1);
                    store.add([at_least(a, i + 1), at_least(b, j + 1), -exceeded]);
                }
            }
        }
        sum.extend(&result);
        self.sums.insert(key, result);
        sum
    }

    /// How many of the literals are true, exact below `limit`.
    pub(crate) fn count(
        &mut self,
        store: &mut ClauseStore,
        literals: &[i32],
        limit: usize,
    ) -> UnaryNumber {
        match *literals {
            [] => Vec::new(),
            [literal] if literal == -TRUE => Vec::new(),
            [literal] => vec![literal],
            _ => {
                let (left, right) = literals.split_at(literals.len() / 2);
                let left = self.count(store, left, limit);
                let right = self.count(store, right, limit);
                self.add(store, &left, &right, limit)
            }
        }
    }
}

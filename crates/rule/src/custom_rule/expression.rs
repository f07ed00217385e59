//! The expression tree and its interpreter: the slow, obvious semantics from which the table is
//! built.

use super::token::SourceSpan;
use grid::State;

/// What is written under `next`.
#[derive(Clone, Debug)]
pub(super) struct RuleProgram {
    /// Those of `let`, in order; each may use the ones before.
    pub(super) named: Vec<Expression>,
    pub(super) result: Expression,
    /// The sets of states that are counted, one entry a state.
    pub(super) counted: Vec<Vec<bool>>,
    /// About how many steps it takes to work it out: its words.
    pub(super) parts: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) span: SourceSpan,
    pub(super) node: ExpressionNode,
    pub(super) kind: ExpressionKind,
    /// No value lies outside these bounds. A condition is 0 or 1.
    pub(super) least: i64,
    pub(super) most: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpressionKind {
    Number,
    Condition,
}

// Chains are lists and not nests, so that the depth is that of the brackets alone.
#[derive(Clone, Debug)]
pub(super) enum ExpressionNode {
    Constant(i64),
    Own,
    /// The index of its set.
    Count(usize),
    /// The index of its `let`.
    Named(usize),
    /// Terms, each with whether it is taken away.
    Sum(Vec<(bool, Expression)>),
    Product(Vec<Expression>),
    Least(Vec<Expression>),
    Most(Vec<Expression>),
    Compare(Comparison, Box<[Expression; 2]>),
    /// A value, and ranges with both their ends.
    In(Box<Expression>, Vec<[Expression; 2]>),
    Not(Box<Expression>),
    All(Vec<Expression>),
    Any(Vec<Expression>),
    /// Conditions with their values, and the value where none holds.
    If(Vec<[Expression; 2]>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub(super) fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Unequal => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Greater => a > b,
            Self::AtLeast => a >= b,
        }
    }

    /// Whether any two values within the bounds can hold.
    pub(super) fn is_possible(self, a: &Expression, b: &Expression) -> bool {
        match self {
            Self::Equal => a.least <= b.most && b.least <= a.most,
            Self::Unequal => a.least != a.most || b.least != b.most || a.least != b.least,
            Self::Less | Self::AtMost => self.holds(a.least, b.most),
            Self::Greater | Self::AtLeast => self.holds(a.most, b.least),
        }
    }
}

impl RuleProgram {
    /// The next state of a cell, whether or not there is one of that number.
    pub(super) fn next(&self, own: State, counts: &[i64]) -> i64 {
        self.result.value(&self.values(own, counts))
    }

    /// The part that gave the next state: the end of the choices that were taken.
    pub(super) fn decisive(&self, own: State, counts: &[i64]) -> &Expression {
        let values = self.values(own, counts);
        let mut part = &self.result;
        while let ExpressionNode::If(arms, otherwise) = &part.node {
            let arm = arms
                .iter()
                .find(|[condition, _]| condition.value(&values) != 0);
            part = arm.map_or(otherwise, |[_, value]| value);
        }
        part
    }

    fn values<'a>(&self, own: State, counts: &'a [i64]) -> ExpressionContext<'a> {
        let mut values = ExpressionContext {
            own: i64::from(own),
            counts,
            named: Vec::with_capacity(self.named.len()),
        };
        for named in &self.named {
            let value = named.value(&values);
            values.named.push(value);
        }
        values
    }
}

/// The state of a cell and its counts.
struct ExpressionContext<'a> {
    own: i64,
    counts: &'a [i64],
    named: Vec<i64>,
}

impl Expression {
    /// Sums and products that fit no 64 bits stop at the greatest or least number.
    fn value(&self, values: &ExpressionContext<'_>) -> i64 {
        let of = |e: &Expression| e.value(values);
        let holds = |e: &Expression| e.value(values) != 0;
        match &self.node {
            ExpressionNode::Constant(value) => *value,
            ExpressionNode::Own => values.own,
            ExpressionNode::Count(index) => values.counts[*index],
            ExpressionNode::Named(index) => values.named[*index],
            ExpressionNode::Sum(terms) => terms.iter().fold(0, |sum: i64, (minus, term)| {
                if *minus {
                    sum.saturating_sub(of(term))
                } else {
                    sum.saturating_add(of(term))
                }
            }),
            ExpressionNode::Product(factors) => factors
                .iter()
                .fold(1, |product: i64, factor| product.saturating_mul(of(factor))),
            ExpressionNode::Least(of_all) => of_all.iter().map(of).min().unwrap_or(0),
            ExpressionNode::Most(of_all) => of_all.iter().map(of).max().unwrap_or(0),
            ExpressionNode::Compare(comparison, sides) => {
                i64::from(comparison.holds(of(&sides[0]), of(&sides[1])))
            }
            ExpressionNode::In(value, ranges) => {
                let value = of(value);
                let within = |[from, to]: &[Expression; 2]| of(from) <= value && value <= of(to);
                i64::from(ranges.iter().any(within))
            }
            ExpressionNode::Not(condition) => i64::from(!holds(condition)),
            ExpressionNode::All(conditions) => i64::from(conditions.iter().all(holds)),
            ExpressionNode::Any(conditions) => i64::from(conditions.iter().any(holds)),
            ExpressionNode::If(arms, otherwise) => {
                let arm = arms.iter().find(|[condition, _]| holds(condition));
                of(arm.map_or(otherwise, |[_, value]| value))
            }
        }
    }
}

//! Reads what is written under `next`: a parser by recursive descent.

use super::error::{CustomRuleFault, CustomRuleProblem as Problem, nearest};
use super::expression::{Comparison, Expression, ExpressionKind, ExpressionNode, RuleProgram};
use super::header::CustomRuleHeader;
use super::token::{SourceSpan, SourceToken, WORDS, tokens};
use std::collections::HashMap;

/// How deep brackets and choices may lie within each other.
const MAX_DEPTH: usize = 60;

/// The greatest number that can be written.
const MAX_NUMBER: i64 = 1_000_000_000;

/// Reads from `start` to the end of the text.
pub(super) fn program(
    text: &str,
    start: usize,
    header: &CustomRuleHeader,
) -> Result<RuleProgram, CustomRuleFault> {
    let mut parser = ExpressionParser {
        text,
        header,
        tokens: tokens(text, start),
        at: 0,
        depth: 0,
        names: HashMap::new(),
        named: Vec::new(),
        counted: Vec::new(),
        sets: HashMap::new(),
        weights: header
            .neighbourhood
            .cells()
            .iter()
            .fold((0, 0), |sum, cell| {
                let weight = i64::from(cell.weight);
                (sum.0 + weight.min(0), sum.1 + weight.max(0))
            }),
    };
    while parser.eat_word("let") {
        parser.definition()?;
    }
    let result = parser.number()?;
    if parser.token() != SourceToken::End {
        let hint = match parser.token() {
            SourceToken::Word("else") => {
                Some("an `else` stands right after the `}` of its `if`".into())
            }
            SourceToken::Word("let") => Some("every `let` stands before the expression".into()),
            SourceToken::Word(word) => nearest(word, ["and", "or", "in"]),
            _ => None,
        };
        let fault = parser.expected("an operator or the end of the file");
        return Err(CustomRuleFault {
            hint: fault.hint.or(hint),
            ..fault
        });
    }
    Ok(RuleProgram {
        parts: parser.tokens.len(),
        named: parser.named,
        result,
        counted: parser.counted,
    })
}

struct ExpressionParser<'a> {
    text: &'a str,
    header: &'a CustomRuleHeader,
    tokens: Vec<(SourceSpan, SourceToken<'a>)>,
    /// The token that is read next.
    at: usize,
    depth: usize,
    /// Those of `let`, each with its place in `named`.
    names: HashMap<&'a str, usize>,
    named: Vec<Expression>,
    counted: Vec<Vec<bool>>,
    /// Where each set stands in `counted`.
    sets: HashMap<Vec<bool>, usize>,
    /// The sums of all weights below 0 and of all above.
    weights: (i64, i64),
}

impl<'a> ExpressionParser<'a> {
    fn token(&self) -> SourceToken<'a> {
        self.tokens[self.at].1
    }

    fn span(&self) -> SourceSpan {
        self.tokens[self.at].0.clone()
    }

    fn start(&self) -> usize {
        self.tokens[self.at].0.start
    }

    /// The token, which is taken; the end stays.
    fn take(&mut self) -> SourceToken<'a> {
        let token = self.token();
        if token != SourceToken::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = matches!(self.token(), SourceToken::Mark(m) if m == mark);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.token(), SourceToken::Word(w) if w == word);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, mark: &str, what: &'static str) -> Result<(), CustomRuleFault> {
        if self.eat(mark) {
            return Ok(());
        }
        Err(self.expected(what))
    }

    /// From a place to the end of what was taken last.
    fn since(&self, start: usize) -> SourceSpan {
        start..self.tokens[self.at - 1].0.end
    }

    /// The text of a piece on one line, shortened where it is long.
    fn quoted(&self, span: &SourceSpan) -> String {
        let words: Vec<_> = self.text[span.clone()].split_whitespace().collect();
        let line = words.join(" ");
        match line.char_indices().nth(40) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }

    fn expected(&self, expected: &'static str) -> CustomRuleFault {
        let hint = match self.token() {
            SourceToken::Mark("=") => "`==` compares",
            SourceToken::Stray('&') => "it is written `and`",
            SourceToken::Stray('|') => "it is written `or`",
            SourceToken::Stray('!') => "it is written `not`, and `!=` for not equal",
            SourceToken::Stray('/' | '%') => {
                "there is no division: compare with a multiple instead"
            }
            SourceToken::Stray(';') => "nothing stands between parts: leave it out",
            SourceToken::Stray('#') => "a comment starts with `//`",
            SourceToken::Stray('?') => "a choice is written `if … { … } else { … }`",
            _ => "",
        };
        let problem = match self.token() {
            SourceToken::Stray(c) => Problem::Character(c),
            SourceToken::End => Problem::Expected {
                expected,
                found: "the end of the file".into(),
            },
            _ => Problem::Expected {
                expected,
                found: format!("`{}`", &self.text[self.span()]),
            },
        };
        let fault = CustomRuleFault::new(self.start(), problem);
        if hint.is_empty() {
            return fault;
        }
        fault.hint(hint)
    }

    /// `let NAME = EXPRESSION`, without the `let`.
    fn definition(&mut self) -> Result<(), CustomRuleFault> {
        let start = self.start();
        let SourceToken::Word(name) = self.token() else {
            return Err(self.expected("a name"));
        };
        if WORDS.contains(&name) {
            return Err(CustomRuleFault::new(start, Problem::Reserved(name.into())));
        }
        if self.header.state(name).is_some() || self.names.contains_key(name) {
            return Err(CustomRuleFault::new(start, Problem::NameTaken(name.into())));
        }
        self.take();
        self.need("=", "`=`")?;
        let value = self.expression()?;
        self.names.insert(name, self.named.len());
        self.named.push(value);
        Ok(())
    }

    fn number(&mut self) -> Result<Expression, CustomRuleFault> {
        let found = self.expression()?;
        self.is_number(found)
    }

    fn is_number(&self, found: Expression) -> Result<Expression, CustomRuleFault> {
        if found.kind == ExpressionKind::Number {
            return Ok(found);
        }
        let problem = Problem::NotANumber(self.quoted(&found.span));
        Err(CustomRuleFault::new(found.span.start, problem)
            .hint("`if CONDITION { 1 } else { 0 }` makes a number of a condition"))
    }

    fn is_condition(&self, found: Expression) -> Result<Expression, CustomRuleFault> {
        if found.kind == ExpressionKind::Condition {
            return Ok(found);
        }
        let start = found.span.start;
        let text = self.quoted(&found.span);
        if matches!(self.token(), SourceToken::Mark("=") | SourceToken::Stray(_)) {
            return Err(self.expected("a comparison"));
        }
        let hint = format!("compare it, as in `{text} == 3`");
        Err(CustomRuleFault::new(start, Problem::NotACondition(text)).hint(hint))
    }

    fn expression(&mut self) -> Result<Expression, CustomRuleFault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(CustomRuleFault::new(
                self.start(),
                Problem::TooDeep(MAX_DEPTH),
            ));
        }
        let found = self.any()?;
        self.depth -= 1;
        Ok(found)
    }

    fn any(&mut self) -> Result<Expression, CustomRuleFault> {
        self.chain("or", Self::all, ExpressionNode::Any)
    }

    fn all(&mut self) -> Result<Expression, CustomRuleFault> {
        self.chain("and", Self::negation, ExpressionNode::All)
    }

    fn chain(
        &mut self,
        word: &str,
        part: impl Fn(&mut Self) -> Result<Expression, CustomRuleFault>,
        node: impl Fn(Vec<Expression>) -> ExpressionNode,
    ) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let first = part(self)?;
        let is_here = |token| matches!(token, SourceToken::Word(w) if w == word);
        if !is_here(self.token()) {
            return Ok(first);
        }
        let mut parts = vec![self.is_condition(first)?];
        while self.eat_word(word) {
            let next = part(self)?;
            parts.push(self.is_condition(next)?);
        }
        Ok(condition(self.since(start), node(parts)))
    }

    fn negation(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let mut is_negated = false;
        let mut is_any = false;
        while self.eat_word("not") {
            is_negated = !is_negated;
            is_any = true;
        }
        let found = self.comparison()?;
        if !is_any {
            return Ok(found);
        }
        let found = self.is_condition(found)?;
        let span = self.since(start);
        Ok(if is_negated {
            condition(span, ExpressionNode::Not(Box::new(found)))
        } else {
            Expression { span, ..found }
        })
    }

    fn comparison(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let left = self.sum()?;
        let found = if self.eat_word("in") {
            let left = self.is_number(left)?;
            self.ranges(start, left)?
        } else if let Some(comparison) = self.eat_comparison() {
            let left = self.is_number(left)?;
            let right = self.sum()?;
            let right = self.is_number(right)?;
            if !comparison.is_possible(&left, &right) {
                return Err(self.never(
                    &left,
                    &right,
                    right.span.clone(),
                    [right.least, right.most],
                ));
            }
            let sides = Box::new([left, right]);
            condition(
                self.since(start),
                ExpressionNode::Compare(comparison, sides),
            )
        } else {
            return Ok(left);
        };
        let at = self.start();
        if self.eat_comparison().is_some() || self.eat_word("in") {
            return Err(CustomRuleFault::new(at, Problem::Chain)
                .hint("write `NUMBER in 2..3`, or two comparisons with `and` between them"));
        }
        Ok(found)
    }

    fn eat_comparison(&mut self) -> Option<Comparison> {
        let comparison = match self.token() {
            SourceToken::Mark("==") => Comparison::Equal,
            SourceToken::Mark("!=") => Comparison::Unequal,
            SourceToken::Mark("<") => Comparison::Less,
            SourceToken::Mark("<=") => Comparison::AtMost,
            SourceToken::Mark(">") => Comparison::Greater,
            SourceToken::Mark(">=") => Comparison::AtLeast,
            _ => return None,
        };
        self.take();
        Some(comparison)
    }

    /// What follows `in`.
    fn ranges(&mut self, start: usize, left: Expression) -> Result<Expression, CustomRuleFault> {
        let mut ranges = Vec::new();
        loop {
            let at = self.start();
            let from = self.sum()?;
            let from = self.is_number(from)?;
            let to = if self.eat("..") {
                let to = self.sum()?;
                self.is_number(to)?
            } else {
                from.clone()
            };
            if from.least > to.most {
                let problem = Problem::Backwards(from.least, to.most);
                return Err(
                    CustomRuleFault::new(at, problem).hint("a range goes from its least number up")
                );
            }
            if left.least > to.most || left.most < from.least {
                return Err(self.never(&left, &from, self.since(at), [from.least, to.most]));
            }
            ranges.push([from, to]);
            if !self.eat(",") {
                break;
            }
        }
        Ok(condition(
            self.since(start),
            ExpressionNode::In(Box::new(left), ranges),
        ))
    }

    fn never(
        &self,
        left: &Expression,
        right: &Expression,
        span: SourceSpan,
        ends: [i64; 2],
    ) -> CustomRuleFault {
        let operand_text = |span: &SourceSpan, [least, most]: [i64; 2]| {
            let text = self.quoted(span);
            match least == most {
                true if text == least.to_string() => format!("here stands {text}"),
                true => format!("`{text}` is {least}"),
                false => format!("`{text}` is {least} to {most}"),
            }
        };
        let counts = [left, right]
            .iter()
            .any(|e| matches!(e.node, ExpressionNode::Count(_)));
        let problem = Problem::NeverTrue {
            left: operand_text(&left.span, [left.least, left.most]),
            right: operand_text(&span, ends),
        };
        let fault = CustomRuleFault::new(left.span.start, problem);
        if !counts {
            return fault;
        }
        let (lowest, highest) = self.weights;
        fault.hint(match lowest {
            0 => format!("all weights around a cell come to {highest}"),
            _ => format!("the weights around a cell come to {lowest} at least, {highest} at most"),
        })
    }

    fn sum(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let first = self.product()?;
        if !matches!(self.token(), SourceToken::Mark("+" | "-")) {
            return Ok(first);
        }
        let first = self.is_number(first)?;
        let (mut least, mut most) = (first.least, first.most);
        let mut terms = vec![(false, first)];
        loop {
            let minus = self.eat("-");
            if !minus && !self.eat("+") {
                break;
            }
            let term = self.product()?;
            let term = self.is_number(term)?;
            let (low, high) = if minus {
                (
                    least.saturating_sub(term.most),
                    most.saturating_sub(term.least),
                )
            } else {
                (
                    least.saturating_add(term.least),
                    most.saturating_add(term.most),
                )
            };
            (least, most) = (low, high);
            terms.push((minus, term));
        }
        Ok(number(
            self.since(start),
            ExpressionNode::Sum(terms),
            [least, most],
        ))
    }

    fn product(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let first = self.signed()?;
        if !matches!(self.token(), SourceToken::Mark("*")) {
            return Ok(first);
        }
        let first = self.is_number(first)?;
        let mut bounds = [first.least, first.most];
        let mut factors = vec![first];
        while self.eat("*") {
            let factor = self.signed()?;
            let factor = self.is_number(factor)?;
            let corners = bounds.map(|b| {
                let (x, y) = (
                    b.saturating_mul(factor.least),
                    b.saturating_mul(factor.most),
                );
                [x.min(y), x.max(y)]
            });
            bounds = [
                corners[0][0].min(corners[1][0]),
                corners[0][1].max(corners[1][1]),
            ];
            factors.push(factor);
        }
        Ok(number(
            self.since(start),
            ExpressionNode::Product(factors),
            bounds,
        ))
    }

    fn signed(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let mut is_signed = false;
        let mut is_minus = false;
        while self.eat("-") {
            is_signed = true;
            is_minus = !is_minus;
        }
        let found = self.primary()?;
        if !is_signed {
            return Ok(found);
        }
        let found = self.is_number(found)?;
        let bounds = match is_minus {
            true => [found.most.saturating_neg(), found.least.saturating_neg()],
            false => [found.least, found.most],
        };
        Ok(number(
            self.since(start),
            ExpressionNode::Sum(vec![(is_minus, found)]),
            bounds,
        ))
    }

    fn primary(&mut self) -> Result<Expression, CustomRuleFault> {
        let span = self.span();
        match self.token() {
            SourceToken::Number(value) => {
                self.take();
                if value > MAX_NUMBER {
                    return Err(CustomRuleFault::new(
                        span.start,
                        Problem::LongNumber(MAX_NUMBER),
                    ));
                }
                Ok(number(span, ExpressionNode::Constant(value), [value; 2]))
            }
            SourceToken::Mark("(") => {
                self.take();
                let found = self.expression()?;
                self.need(")", "`)` or an operator")?;
                let span = self.since(span.start);
                Ok(Expression { span, ..found })
            }
            SourceToken::Word("self") => {
                self.take();
                let last = self.header.states.len() as i64 - 1;
                Ok(number(span, ExpressionNode::Own, [0, last]))
            }
            SourceToken::Word("count") => self.count(),
            SourceToken::Word("min") => {
                let parts = self.arguments("`(` after `min`")?;
                let least = parts.iter().map(|p| p.least).min().unwrap_or(0);
                let most = parts.iter().map(|p| p.most).min().unwrap_or(0);
                Ok(number(
                    self.since(span.start),
                    ExpressionNode::Least(parts),
                    [least, most],
                ))
            }
            SourceToken::Word("max") => {
                let parts = self.arguments("`(` after `max`")?;
                let least = parts.iter().map(|p| p.least).max().unwrap_or(0);
                let most = parts.iter().map(|p| p.most).max().unwrap_or(0);
                Ok(number(
                    self.since(span.start),
                    ExpressionNode::Most(parts),
                    [least, most],
                ))
            }
            SourceToken::Word("if") => self.choice(),
            SourceToken::Word(word) if !WORDS.contains(&word) => {
                if let Some(state) = self.header.state(word) {
                    self.take();
                    let state = state as i64;
                    return Ok(number(span, ExpressionNode::Constant(state), [state; 2]));
                }
                if let Some(&index) = self.names.get(word) {
                    self.take();
                    let named = &self.named[index];
                    return Ok(Expression {
                        span,
                        node: ExpressionNode::Named(index),
                        kind: named.kind,
                        least: named.least,
                        most: named.most,
                    });
                }
                let mut names: Vec<&str> = self.names.keys().copied().collect();
                names.sort_unstable_by_key(|name| self.names[name]);
                names.extend(WORDS);
                Err(self.unknown(word, &names))
            }
            _ => Err(self.expected("a number, a state, `self`, `count`, `if` or `(`")),
        }
    }

    fn unknown(&self, word: &str, others: &[&str]) -> CustomRuleFault {
        let states = self.header.states.iter().map(|state| state.name.as_str());
        let names: Vec<&str> = states.chain(others.iter().copied()).collect();
        let fault = CustomRuleFault::new(self.start(), Problem::UnknownName(word.into()));
        let states = self.header.states.iter().map(|state| state.name.as_str());
        match nearest(word, names) {
            Some(hint) => fault.hint(hint),
            None => {
                let list: Vec<&str> = states.take(8).collect();
                fault.hint(format!("the states are {}", list.join(", ")))
            }
        }
    }

    /// What stands between the brackets of `min` and `max`.
    fn arguments(&mut self, what: &'static str) -> Result<Vec<Expression>, CustomRuleFault> {
        self.take();
        self.need("(", what)?;
        let mut parts = Vec::new();
        loop {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(CustomRuleFault::new(
                    self.start(),
                    Problem::TooDeep(MAX_DEPTH),
                ));
            }
            let part = self.sum()?;
            self.depth -= 1;
            parts.push(self.is_number(part)?);
            if !self.eat(",") {
                break;
            }
        }
        self.need(")", "`,` or `)`")?;
        Ok(parts)
    }

    /// `count(STATE, FIRST..LAST, …)`
    fn count(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        self.take();
        self.need("(", "`(` after `count`")?;
        let mut set = vec![false; self.header.states.len()];
        loop {
            let at = self.start();
            let from = self.state()?;
            let to = if self.eat("..") { self.state()? } else { from };
            if from > to {
                let problem = Problem::Backwards(from as i64, to as i64);
                return Err(
                    CustomRuleFault::new(at, problem).hint("a range goes from its least number up")
                );
            }
            set[from..=to].fill(true);
            if !self.eat(",") {
                break;
            }
        }
        self.need(")", "`,`, `..` or `)`")?;
        let next = self.counted.len();
        let index = *self.sets.entry(set).or_insert_with_key(|set| {
            self.counted.push(set.clone());
            next
        });
        let (lowest, highest) = self.weights;
        Ok(number(
            self.since(start),
            ExpressionNode::Count(index),
            [lowest, highest],
        ))
    }

    /// A state by its name or number.
    fn state(&mut self) -> Result<usize, CustomRuleFault> {
        let last = self.header.states.len() - 1;
        match self.token() {
            SourceToken::Number(state) => {
                let known = usize::try_from(state).ok().filter(|&s| s <= last);
                let known = known.ok_or_else(|| {
                    CustomRuleFault::new(self.start(), Problem::NoState { state, last })
                })?;
                self.take();
                Ok(known)
            }
            SourceToken::Word(word) if !WORDS.contains(&word) => match self.header.state(word) {
                Some(state) => {
                    self.take();
                    Ok(state)
                }
                None => Err(self.unknown(word, &[])),
            },
            _ => Err(self.expected("the name or the number of a state")),
        }
    }

    /// `if CONDITION { VALUE } else if … else { VALUE }`
    fn choice(&mut self) -> Result<Expression, CustomRuleFault> {
        let start = self.start();
        let mut arms: Vec<[Expression; 2]> = Vec::new();
        loop {
            let at = self.start();
            self.take();
            let found = self.expression()?;
            let holds = self.is_condition(found)?;
            let value = self.block()?;
            let value = self.is_like(&arms, value)?;
            arms.push([holds, value]);
            if !self.eat_word("else") {
                return Err(CustomRuleFault::new(at, Problem::NoElse)
                    .hint("say what the cell becomes otherwise: `else { … }`"));
            }
            if self.token() == SourceToken::Word("if") {
                continue;
            }
            let value = self.block()?;
            let otherwise = self.is_like(&arms, value)?;
            let values = || arms.iter().map(|[_, v]| v).chain([&otherwise]);
            let least = values().map(|v| v.least).min().unwrap_or(0);
            let most = values().map(|v| v.most).max().unwrap_or(0);
            return Ok(Expression {
                kind: otherwise.kind,
                least,
                most,
                span: self.since(start),
                node: ExpressionNode::If(arms, Box::new(otherwise)),
            });
        }
    }

    fn block(&mut self) -> Result<Expression, CustomRuleFault> {
        self.need("{", "`{` or an operator")?;
        let found = self.expression()?;
        self.need("}", "`}` or an operator")?;
        Ok(found)
    }

    /// All values of a choice are of the first one's kind.
    fn is_like(
        &self,
        arms: &[[Expression; 2]],
        value: Expression,
    ) -> Result<Expression, CustomRuleFault> {
        match arms.first().map(|[_, first]| first.kind) {
            Some(ExpressionKind::Number) => self.is_number(value),
            Some(ExpressionKind::Condition) => self.is_condition(value),
            None => Ok(value),
        }
    }
}

fn number(span: SourceSpan, node: ExpressionNode, [least, most]: [i64; 2]) -> Expression {
    Expression {
        span,
        node,
        kind: ExpressionKind::Number,
        least,
        most,
    }
}

fn condition(span: SourceSpan, node: ExpressionNode) -> Expression {
    Expression {
        span,
        node,
        kind: ExpressionKind::Condition,
        least: 0,
        most: 1,
    }
}

//! The rule panel: an input, the rule's description, and the rules that were used and the named ones.
//! Rules of the family B…/S… are made at random, or changed in one condition. Own method.

use super::{PanelContext, PanelRequest, ScrollRows, field, window, wrapped};
use crate::input::TextInput;
use dice::Dice;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};

/// As many rules that were used are listed.
const RECENT: usize = 5;

/// The typed or selected rule.
#[derive(Debug, Default)]
pub(crate) struct RuleBox {
    input: TextInput,
    /// The selected row of the list, if any.
    chosen: Option<usize>,
    rows: ScrollRows,
    /// The length of the list.
    count: usize,
    /// How many numbers were drawn.
    draws: u64,
}

impl RuleBox {
    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        match event.code {
            KeyCode::Enter => {
                let text = self.text(context);
                return match text.trim() {
                    "" => PanelRequest::Close,
                    text => PanelRequest::SendAndClose(format!("rule {text}")),
                };
            }
            KeyCode::Char('r') if event.modifiers.contains(KeyModifiers::CONTROL) => {
                let rule = random_rule(&mut self.numbers(context));
                self.write(rule);
            }
            KeyCode::Char('e') if event.modifiers.contains(KeyModifiers::CONTROL) => {
                let shown = match self.text(context) {
                    text if text.trim().is_empty() => context.status.rule.clone(),
                    text => text,
                };
                let rule = context.session.describe_rule(&shown);
                let changed = rule.ok().and_then(|(rule, _)| {
                    changed_rule(&rule.to_string(), &mut self.numbers(context))
                });
                if let Some(changed) = changed {
                    self.write(changed);
                }
            }
            KeyCode::Up | KeyCode::BackTab => self.choose(-1, context),
            KeyCode::Down => self.choose(1, context),
            KeyCode::Tab => match self.chosen {
                // The selected rule is copied into the input for editing.
                Some(_) => {
                    self.input = TextInput::new(self.text(context));
                    self.chosen = None;
                }
                None => self.choose(1, context),
            },
            _ => {
                self.input.key(event);
                self.chosen = None;
                self.rows = ScrollRows::default();
            }
        }
        PanelRequest::Stay
    }

    fn write(&mut self, rule: String) {
        self.input = TextInput::new(rule);
        (self.chosen, self.rows) = (None, ScrollRows::default());
    }

    /// Numbers that differ from world to world and from key to key.
    fn numbers(&mut self, context: &PanelContext<'_>) -> Dice {
        self.draws += 1;
        Dice::of_part(context.session.revision(), self.draws)
    }

    pub(crate) fn paste(&mut self, text: &str) {
        self.input.insert(text);
        self.chosen = None;
    }

    pub(crate) fn choose(&mut self, rows: i32, context: &PanelContext<'_>) {
        let count = self.found(context).len();
        let next = match self.chosen {
            None if rows > 0 => Some(0),
            None => None,
            Some(0) if rows < 0 => None,
            Some(row) => Some(row.saturating_add_signed(rows as isize)),
        };
        self.chosen = next.filter(|_| count > 0).map(|row| row.min(count - 1));
    }

    /// Handles a click. Returns whether it was on the selected row.
    pub(crate) fn click(&mut self, at: Position) -> bool {
        let row = self.rows.at(at, self.count);
        let is_again = row.is_some() && row == self.chosen;
        self.chosen = row.or(self.chosen);
        is_again
    }

    /// The selected rule, else the typed text.
    fn text(&self, context: &PanelContext<'_>) -> String {
        let chosen = self
            .chosen
            .and_then(|row| self.found(context).into_iter().nth(row));
        chosen.map_or_else(|| self.input.text().to_string(), |(name, _)| name)
    }

    /// The rules whose name or description contains the typed text.
    fn found(&self, context: &PanelContext<'_>) -> Vec<(String, String)> {
        let wanted = self.input.text().trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let used = context.history.iter().rev();
        let used = used.filter_map(|entry| entry.words.strip_prefix("rule "));
        let mut all: Vec<(String, String)> = Vec::new();
        for rule in used {
            if all.len() < RECENT && all.iter().all(|(known, _)| known != rule) {
                all.push((rule.to_string(), "used before".into()));
            }
        }
        all.extend(crate::line::rules(context.session.file_access()));
        let (named, told): (Vec<_>, Vec<_>) = all.into_iter().partition(|(name, _)| has(name));
        let told = told.into_iter().filter(|(_, about)| has(about));
        named.into_iter().chain(told).collect()
    }

    pub(crate) fn draw(
        &mut self,
        buffer: &mut Buffer,
        area: Rect,
        context: &PanelContext<'_>,
    ) -> Position {
        let ink = context.ink;
        let hint = "enter takes it · ↑ ↓ choose · ctrl-r random · ctrl-e one change · esc";
        let inner = window(buffer, area, (78, 24), ("rule", hint), ink);
        let now = format!("now {}", context.status.rule);
        let at = field(buffer, inner, "▸ ", &self.input, &now, ink);
        let columns = usize::from(inner.width);
        let text = self.text(context);
        let is_blank = text.trim().is_empty();
        let shown = if is_blank {
            &context.status.rule
        } else {
            &text
        };
        let (words, style) = match context.session.describe_rule(shown) {
            Ok((_, words)) => (words, ink.text()),
            // An unfinished rule is invalid most of the time.
            Err(refusal) => {
                let hint = refusal.hint().map(|hint| format!("\nhint: {hint}"));
                (format!("{refusal}{}", hint.unwrap_or_default()), ink.soft())
            }
        };
        let mut words = wrapped(&words, columns);
        let most = usize::from(inner.height / 2).saturating_sub(1);
        if words.len() > most {
            words.truncate(most);
            if let Some(last) = words.last_mut() {
                last.push_str(" …");
            }
        }
        for (row, line) in words.iter().enumerate() {
            buffer.set_stringn(inner.x, inner.y + 2 + row as u16, line, columns, style);
        }
        let found = self.found(context);
        self.count = found.len();
        let start = inner.y + 3 + words.len() as u16;
        let list = Rect {
            y: start,
            height: inner.bottom().saturating_sub(start),
            ..inner
        };
        let top = self
            .rows
            .showing(self.chosen.unwrap_or(0), list, self.count);
        let seen = found.iter().enumerate().skip(top);
        for ((row, (name, about)), y) in seen.zip(list.y..list.bottom()) {
            let is_chosen = self.chosen == Some(row);
            let style = if is_chosen { ink.chosen() } else { ink.text() };
            let soft = if is_chosen { ink.chosen() } else { ink.soft() };
            let mark = if is_chosen { "▸" } else { " " };
            buffer.set_stringn(inner.x, y, " ".repeat(columns), columns, style);
            buffer.set_stringn(inner.x, y, format!("{mark} {name:<24}"), columns, style);
            let x = inner.x + 28;
            buffer.set_stringn(x, y, about, columns.saturating_sub(28), soft);
        }
        at
    }
}

/// A rule of counts: births from 2 or 3 on, since with fewer nearly everything explodes.
fn random_rule(numbers: &mut Dice) -> String {
    let first = if numbers.below(5) > 0 { 3 } else { 2 };
    let mut some = |from: u32, percent: u32| -> String {
        let digits = (from..=8).filter(|_| numbers.below(100) < percent);
        digits.map(|digit| digit.to_string()).collect()
    };
    let (births, survivals) = (some(first + 1, 30), some(0, 40));
    format!("B{first}{births}/S{survivals}")
}

/// A rule of counts with one condition more or fewer; none of another kind.
fn changed_rule(rule: &str, numbers: &mut Dice) -> Option<String> {
    let (rule, grid) = rule.split_at(rule.find(':').unwrap_or(rule.len()));
    let (births, survivals) = rule.strip_prefix('B')?.split_once("/S")?;
    let is_counts = |digits: &str| digits.bytes().all(|digit| (b'0'..=b'8').contains(&digit));
    if !is_counts(births) || !is_counts(survivals) {
        return None;
    }
    let toggled = |digits: &str, digit: u32| -> String {
        let has = |digit: u32| digits.contains(&digit.to_string());
        let kept = (0..=8).filter(|&known| has(known) != (known == digit));
        kept.map(|digit| digit.to_string()).collect()
    };
    Some(match numbers.coin() {
        true => format!(
            "B{}/S{survivals}{grid}",
            toggled(births, 1 + numbers.below(8))
        ),
        false => format!("B{births}/S{}{grid}", toggled(survivals, numbers.below(9))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_made_at_random_and_changed_in_one_condition() {
        let mut numbers = Dice::new(1);
        for _ in 0..200 {
            let rule = random_rule(&mut numbers);
            assert!(rule.parse::<rule::Rule>().is_ok(), "{rule}");
            let changed = changed_rule(&format!("{rule}:T9,9"), &mut numbers).unwrap();
            assert!(changed.parse::<rule::Rule>().is_ok(), "{changed}");
            let length = (changed.len() as i64) - (rule.len() as i64) - 5;
            assert_eq!(length.abs(), 1, "{rule} {changed}");
        }
        assert_eq!(changed_rule("B2-a/S12", &mut numbers), None);
        assert_eq!(changed_rule("/2/3", &mut numbers), None);
    }
}

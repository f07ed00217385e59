//! A bot that is examined: its process, and a talk that remembers what was said.

use super::{CheckStep, Examination, FindingSeverity};
use crate::bot::post_mortem::cut;
use crate::bot::process::{BotProcess, ProcessTransport};
use crate::bot::{BotGame, KEPT, Language, LineTransport, Protocol};
use crate::{Fault, TimeControl};
use cage::{ExitCause, LayerState};
use std::time::{Duration, Instant};

/// More than this is worth a remark when it ends.
const SLOW_LEAVING: Duration = Duration::from_millis(100);

/// So many lines that nobody asked for are kept of one step.
const MOST_HEARD: usize = 20;

/// A bot that sits at the board.
pub(super) struct BotUnderTest<'g, G: BotGame> {
    pub(super) game: &'g G,
    pub(super) pace: TimeControl,
    pub(super) language: Box<dyn Language<G>>,
    process: BotProcess,
}

/// A talk that writes down what is said.
pub(super) struct RecordingTransport<'a> {
    talk: ProcessTransport<'a>,
    said: Vec<String>,
    heard: Vec<String>,
    notes: Vec<(String, String)>,
    has_returns: bool,
}

impl LineTransport for RecordingTransport<'_> {
    fn say(&mut self, lines: &str) -> Result<(), Fault> {
        self.said.extend(lines.lines().map(String::from));
        self.talk.say(lines)
    }

    fn hear(&mut self) -> Result<String, Fault> {
        let line = self.talk.hear()?;
        self.has_returns |= self.talk.had_return();
        self.heard.push(line.clone());
        Ok(line)
    }

    fn remark(&mut self, line: &str) {
        self.talk.remark(line);
    }

    fn note(&mut self, key: &str, value: &str) {
        self.notes.push((key.into(), value.into()));
        self.talk.note(key, value);
    }
}

impl RecordingTransport<'_> {
    /// Writes into the step what was heard, and what is to be said of it.
    fn report(mut self, step: &mut CheckStep, limit: Duration, fault: Option<&Fault>) {
        if !self.heard.is_empty() {
            let spent = self.talk.spent();
            step.spent = Some(spent);
            step.limit = Some(limit);
            if spent > limit && fault.is_none() {
                let (spent, limit) = (spent.as_millis(), limit.as_millis());
                let words = format!("it answered after {spent} ms, and had {limit} ms");
                step.find(FindingSeverity::Wrong, words);
            } else if spent > limit / 2 && fault.is_none() {
                let words = "it took more than half of its time: a busy machine may be slower";
                step.find(FindingSeverity::Warning, words);
            }
        }
        if self.has_returns {
            let words = "its lines end with a carriage return, which is left out";
            step.find(FindingSeverity::Ok, words);
        }
        if self.heard.iter().any(|line| line.ends_with([' ', '\t'])) {
            let words = "its lines end with blanks, which do not matter";
            step.find(FindingSeverity::Ok, words);
        }
        for (key, value) in &self.notes {
            match key.as_str() {
                "unknown word" => step.find(
                    FindingSeverity::Warning,
                    format!("`{}` after its name means nothing here", cut(value)),
                ),
                key => step.find(FindingSeverity::Ok, format!("its {key}: {}", cut(value))),
            }
        }
        step.said.append(&mut self.said);
        step.heard.extend(self.heard.iter().map(|line| shown(line)));
        if let Some(fault) = fault {
            step.find(FindingSeverity::Wrong, fault.to_string());
        }
    }
}

impl<'g, G: BotGame> BotUnderTest<'g, G> {
    /// Does something of the protocol, and writes down in a step what was said and what
    /// came back. It waits much longer than the bot may take; what is late shows in the step.
    pub(super) fn talk<T>(
        &mut self,
        step: &mut CheckStep,
        limit: Duration,
        part: impl FnOnce(&mut dyn Language<G>, &mut RecordingTransport<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.talk_since(Instant::now(), step, limit, part)
    }

    fn talk_since<T>(
        &mut self,
        started: Instant,
        step: &mut CheckStep,
        limit: Duration,
        part: impl FnOnce(&mut dyn Language<G>, &mut RecordingTransport<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut goes_on = || true;
        let patience = 2 * limit + Duration::from_secs(2);
        let mut spy = RecordingTransport {
            talk: self.process.talk(patience, &mut goes_on).since(started),
            said: Vec::new(),
            heard: Vec::new(),
            notes: Vec::new(),
            has_returns: false,
        };
        let result = part(self.language.as_mut(), &mut spy);
        spy.report(step, limit, result.as_ref().err());
        result
    }

    /// Waits, and tells of lines that nobody asked for: all but remarks are wrong.
    pub(super) fn listen(&mut self, step: &mut CheckStep, wait: Duration, when: &str) {
        std::thread::sleep(wait);
        let mut goes_on = || true;
        let mut talk = self.process.talk(Duration::ZERO, &mut goes_on);
        let mut lines = Vec::new();
        let mut flood = None;
        loop {
            match talk.unasked() {
                Ok(Some(line)) if line.starts_with('#') => talk.remark(&line),
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break,
                Err(fault) => {
                    flood = Some(fault);
                    break;
                }
            }
        }
        let words = match (&lines[..], flood) {
            (_, Some(fault)) => format!("it {fault}, {when}"),
            ([], None) => return,
            ([line], None) => format!("it said `{}` {when}", cut(line)),
            ([line, ..], None) => format!(
                "it said {} lines {when}, the first is `{}`",
                lines.len(),
                cut(line)
            ),
        };
        step.find(FindingSeverity::Wrong, words);
        lines.truncate(MOST_HEARD);
        step.heard.extend(lines.iter().map(|line| shown(line)));
    }
}

impl Examination<'_> {
    /// Starts the bot and greets it.
    pub(super) fn seat<'g, G: BotGame>(
        &mut self,
        game: &'g G,
        title: &str,
    ) -> Option<BotUnderTest<'g, G>> {
        let mut step = CheckStep::new(title);
        let started = Instant::now();
        let cage = self.bot.cage(self.conditions);
        let process = match BotProcess::start(&cage, &self.bot.program(self.conditions)) {
            Ok(process) => process,
            Err(fault) => {
                step.find(FindingSeverity::Wrong, fault.to_string());
                self.tell(step);
                return None;
            }
        };
        for (layer, state) in process.layers() {
            if let LayerState::Missing(why) = state {
                step.find(
                    FindingSeverity::Ok,
                    format!("its cage has no {layer}: {why}"),
                );
            }
        }
        let mut table = BotUnderTest {
            game,
            pace: self.conditions.pace.unwrap_or_else(|| game.pace()),
            language: game.language(self.protocol),
            process,
        };
        let limit = table.pace.first;
        let greeted = table.talk_since(started, &mut step, limit, |language, talk| {
            language.greet(game, talk)
        });
        self.tell(step);
        match greeted {
            Ok(()) => Some(table),
            Err(_) => {
                self.dismiss(table, "it is ended");
                None
            }
        }
    }

    /// Says nothing more, waits for the bot to end, and tells what is to be known then.
    pub(super) fn dismiss<G: BotGame>(&mut self, mut table: BotUnderTest<'_, G>, title: &str) {
        let mut step = CheckStep::new(title);
        let patience = self.patience;
        if self.protocol == Protocol::Gomocup {
            let mut goes_on = || true;
            // it may be gone already, and that is all right
            let _ = table.process.talk(patience, &mut goes_on).say("END\r\n");
            step.said.push("END".into());
        }
        let started = Instant::now();
        let ended = table.process.end(patience);
        let spent = started.elapsed();
        if let Some(ended) = ended {
            step.spent = Some(spent);
            match ended.how {
                ExitCause::Killed => {
                    self.patience = patience / 2;
                    step.find(
                        FindingSeverity::Warning,
                        format!(
                            "it went on for {} ms after its input had been closed, and was ended; \
                             a bot ends by itself when it has no more to read",
                            patience.as_millis()
                        ),
                    );
                }
                ExitCause::Code(0) if spent > SLOW_LEAVING => step.find(
                    FindingSeverity::Warning,
                    format!("it took {} ms to end", spent.as_millis()),
                ),
                ExitCause::Code(0) => {}
                ExitCause::Code(code) => step.find(
                    FindingSeverity::Warning,
                    format!("its exit code is {code}; 0 says that all went well"),
                ),
                ExitCause::Signal(signal) => {
                    step.find(
                        FindingSeverity::Warning,
                        format!("it ended by signal {signal}"),
                    );
                }
            }
            if ended.left > 0 {
                let words = format!("it left {} processes behind, ended with it", ended.left);
                step.find(FindingSeverity::Warning, words);
            }
        }
        let remains = &mut table.process.remains;
        for note in remains.take_notes() {
            step.find(FindingSeverity::Warning, note);
        }
        let complaints = remains.complaints.take();
        if complaints.len() > KEPT {
            let words = format!(
                "it writes much to standard error: of each game only the last {} KiB are kept",
                KEPT >> 10
            );
            step.find(FindingSeverity::Warning, words);
        } else if let Some(line) = complaints.lines().rfind(|line| !line.trim().is_empty()) {
            let words = format!("standard error ends with: {}", cut(line));
            step.find(FindingSeverity::Ok, words);
        }
        self.tell(step);
    }
}

/// A bot's line as its author is shown it: what would not be seen, or would paint the
/// terminal, as a program's text has it.
fn shown(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}

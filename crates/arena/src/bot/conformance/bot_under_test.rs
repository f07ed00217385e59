//! The bot under test: its process, and a transport that records the conversation.

use super::{CheckStep, ConformanceCheck, FindingSeverity};
use crate::bot::post_mortem::cut;
use crate::bot::process::{BotProcess, ProcessTransport};
use crate::bot::{BotGame, Language, LineTransport, MAX_STDERR_BYTES, Protocol};
use cage::{ExitCause, LayerState};
use matches::{Fault, TimeControl};
use std::time::{Duration, Instant};

/// An exit that takes longer is reported.
const SLOW_EXIT: Duration = Duration::from_millis(100);

/// Maximum number of unrequested lines kept per step.
const MAX_KEPT_LINES: usize = 20;

/// A running bot under test.
pub(super) struct BotUnderTest<'g, G: BotGame> {
    pub(super) game: &'g G,
    pub(super) time_control: TimeControl,
    pub(super) language: Box<dyn Language<G>>,
    process: BotProcess,
}

/// A transport that records all lines.
pub(super) struct RecordingTransport<'a> {
    transport: ProcessTransport<'a>,
    sent: Vec<String>,
    received: Vec<String>,
    notes: Vec<(String, String)>,
    has_returns: bool,
}

impl LineTransport for RecordingTransport<'_> {
    fn send(&mut self, lines: &str) -> Result<(), Fault> {
        self.sent.extend(lines.lines().map(String::from));
        self.transport.send(lines)
    }

    fn receive(&mut self) -> Result<String, Fault> {
        let line = self.transport.receive()?;
        self.has_returns |= self.transport.had_carriage_return();
        self.received.push(line.clone());
        Ok(line)
    }

    fn comment(&mut self, line: &str) {
        self.transport.comment(line);
    }

    fn set_property(&mut self, key: &str, value: &str) {
        self.notes.push((key.into(), value.into()));
        self.transport.set_property(key, value);
    }
}

impl RecordingTransport<'_> {
    /// Adds the received lines and their findings to the step.
    fn report(mut self, step: &mut CheckStep, limit: Duration, fault: Option<&Fault>) {
        if !self.received.is_empty() {
            let spent = self.transport.spent();
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
        if self.received.iter().any(|line| line.ends_with([' ', '\t'])) {
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
        step.sent.append(&mut self.sent);
        step.received
            .extend(self.received.iter().map(|line| escape_control(line)));
        if let Some(fault) = fault {
            step.find(FindingSeverity::Wrong, fault.to_string());
        }
    }
}

impl<'g, G: BotGame> BotUnderTest<'g, G> {
    /// Runs a part of the protocol and records it in a step. The timeout is much longer than
    /// the limit, so that late answers are seen and reported.
    pub(super) fn exchange<T>(
        &mut self,
        step: &mut CheckStep,
        limit: Duration,
        part: impl FnOnce(&mut dyn Language<G>, &mut RecordingTransport<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.exchange_since(Instant::now(), step, limit, part)
    }

    fn exchange_since<T>(
        &mut self,
        started: Instant,
        step: &mut CheckStep,
        limit: Duration,
        part: impl FnOnce(&mut dyn Language<G>, &mut RecordingTransport<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut goes_on = || true;
        let timeout = 2 * limit + Duration::from_secs(2);
        let mut recorder = RecordingTransport {
            transport: self
                .process
                .transport(timeout, &mut goes_on)
                .with_start(started),
            sent: Vec::new(),
            received: Vec::new(),
            notes: Vec::new(),
            has_returns: false,
        };
        let result = part(self.language.as_mut(), &mut recorder);
        recorder.report(step, limit, result.as_ref().err());
        result
    }

    /// Waits, and reports unrequested lines: all but comments are wrong.
    pub(super) fn expect_silence(&mut self, step: &mut CheckStep, wait: Duration, when: &str) {
        std::thread::sleep(wait);
        let mut goes_on = || true;
        let mut transport = self.process.transport(Duration::ZERO, &mut goes_on);
        let mut lines = Vec::new();
        let mut flood = None;
        loop {
            match transport.try_receive() {
                Ok(Some(line)) if line.starts_with('#') => transport.comment(&line),
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
        lines.truncate(MAX_KEPT_LINES);
        step.received
            .extend(lines.iter().map(|line| escape_control(line)));
    }
}

impl ConformanceCheck<'_> {
    /// Starts the bot and greets it.
    pub(super) fn start_bot<'g, G: BotGame>(
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
                self.report_step(step);
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
        let mut bot = BotUnderTest {
            game,
            time_control: self
                .conditions
                .time_control
                .unwrap_or_else(|| game.time_control()),
            language: game.language(self.protocol),
            process,
        };
        let limit = bot.time_control.first;
        let greeted = bot.exchange_since(started, &mut step, limit, |language, transport| {
            language.greet(game, transport)
        });
        self.report_step(step);
        match greeted {
            Ok(()) => Some(bot),
            Err(_) => {
                self.stop_bot(bot, "it is ended");
                None
            }
        }
    }

    /// Closes the bot's input, waits for its exit, and reports on it.
    pub(super) fn stop_bot<G: BotGame>(&mut self, mut bot: BotUnderTest<'_, G>, title: &str) {
        let mut step = CheckStep::new(title);
        let exit_grace = self.exit_grace;
        if self.protocol == Protocol::Gomocup {
            let mut goes_on = || true;
            // it may have exited already, which is no fault
            let _ = bot
                .process
                .transport(exit_grace, &mut goes_on)
                .send("END\r\n");
            step.sent.push("END".into());
        }
        let started = Instant::now();
        let ended = bot.process.end(exit_grace);
        let spent = started.elapsed();
        if let Some(ended) = ended {
            step.spent = Some(spent);
            match ended.cause {
                ExitCause::Killed => {
                    self.exit_grace = exit_grace / 2;
                    step.find(
                        FindingSeverity::Warning,
                        format!(
                            "it went on for {} ms after its input had been closed, and was ended; \
                             a bot ends by itself when it has no more to read",
                            exit_grace.as_millis()
                        ),
                    );
                }
                ExitCause::Code(0) if spent > SLOW_EXIT => step.find(
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
            if ended.killed_descendants > 0 {
                let words = format!(
                    "it left {} processes behind, ended with it",
                    ended.killed_descendants
                );
                step.find(FindingSeverity::Warning, words);
            }
        }
        let post_mortem = &mut bot.process.post_mortem;
        for note in post_mortem.take_notes() {
            step.find(FindingSeverity::Warning, note);
        }
        let stderr = post_mortem.stderr.take();
        if stderr.len() > MAX_STDERR_BYTES {
            let words = format!(
                "it writes much to standard error: of each game only the last {} KiB are kept",
                MAX_STDERR_BYTES >> 10
            );
            step.find(FindingSeverity::Warning, words);
        } else if let Some(line) = stderr.lines().rfind(|line| !line.trim().is_empty()) {
            let words = format!("standard error ends with: {}", cut(line));
            step.find(FindingSeverity::Ok, words);
        }
        self.report_step(step);
    }
}

/// A bot's line with control characters escaped.
fn escape_control(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        match c.is_control() {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    escaped
}

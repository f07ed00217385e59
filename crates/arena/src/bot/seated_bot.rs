//! A bot as a [`Side`]: its process and the protocol that it speaks.

use super::overhead::overhead;
use super::process::BotProcess;
use super::{BotGame, BotGameSetup, BotSpec, BotSpecError, Language, Protocol};
use crate::MatchConditions;
use cage::{Cage, ExitCause, ExitReport, Layer, LayerState, Program};
use games::{Outcome, Seat};
use matches::{Fault, MoveReply, ProcessReport, Side, TimeControl};
use players::{SearchObserver, Thought};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time for a bot to exit after its game: at first, and at least.
const EXIT_GRACE: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(4)];
/// The same when the game was aborted.
const ABORT_GRACE: Duration = Duration::from_millis(100);
/// Time for a bot to read that a game has ended.
const END_TIMEOUT: Duration = Duration::from_millis(50);

/// A bot as a side of a game.
///
/// Its process starts with its first game. If its protocol shows that it plays many games, the
/// process stays for them; else, and after every fault, the next game starts another.
///
/// Start and greeting have the time of a game's first move ([`TimeControl::first`]). A protocol
/// without a greeting does not wait for the start, so it counts towards the first move.
pub(crate) struct SeatedBot<G: BotGame> {
    spec: BotSpec,
    protocol: Protocol,
    time_control: TimeControl,
    cage: Cage,
    program: Program,
    session: Option<BotSession<G>>,
    /// The game in progress.
    progress: Option<BotGameProgress>,
    /// How long to wait for its exit after a game. Halved each time that it did not exit by
    /// itself, so that thousands of games do not each wait in vain.
    exit_grace: Duration,
}

/// A running process and its protocol.
struct BotSession<G: BotGame> {
    process: BotProcess,
    language: Box<dyn Language<G>>,
    cage: String,
}

/// The state of the current game.
#[derive(Default)]
struct BotGameProgress {
    moves: u64,
    report: ProcessReport,
}

impl BotSpec {
    /// Creates a side of this bot. Its process starts with its first game.
    ///
    /// # Errors
    /// Bots of this game do not speak its protocol.
    pub(crate) fn open<G: BotGame>(
        &self,
        game: &G,
        conditions: &MatchConditions,
    ) -> Result<SeatedBot<G>, BotSpecError> {
        let protocol = self.protocol.unwrap_or(G::PROTOCOLS[0]);
        if !G::PROTOCOLS.contains(&protocol) {
            let known: Vec<_> = G::PROTOCOLS.iter().map(|p| p.name()).collect();
            return Err(BotSpecError::Protocol {
                game: game.name(),
                known: known.join(" and "),
                protocol,
            });
        }
        Ok(SeatedBot {
            spec: self.clone(),
            protocol,
            time_control: conditions
                .time_control
                .unwrap_or_else(|| game.time_control()),
            cage: self.cage(conditions),
            program: self.program(conditions),
            session: None,
            progress: None,
            exit_grace: EXIT_GRACE[0],
        })
    }

    /// Its sandbox: that of the conditions, with the bot's own limits.
    #[must_use]
    pub(crate) fn cage(&self, conditions: &MatchConditions) -> Cage {
        let mut cage = conditions.cage.clone();
        cage.readable.extend(self.readable.iter().cloned());
        cage.limits.memory = self.memory.unwrap_or(cage.limits.memory);
        cage.limits.processes = self.processes.unwrap_or(cage.limits.processes);
        cage
    }

    /// The program and its working folder. A path is resolved from the current folder, then
    /// from the bot's own folder. Without an explicit folder it is that of the program's path,
    /// and the current one for a name without a path and for an installed program: an absolute
    /// path into a folder `bin`.
    #[must_use]
    pub(crate) fn program(&self, conditions: &MatchConditions) -> Program {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let (name, arguments) = match self.command.split_first() {
            Some((name, arguments)) => (name.as_str(), arguments),
            None => ("", &[][..]),
        };
        let own = self.folder.as_ref().map(|folder| here.join(folder));
        let path = name.contains('/').then(|| {
            let from_here = here.join(name);
            match &own {
                Some(folder) if !from_here.exists() => folder.join(name),
                _ => from_here,
            }
        });
        // an interpreter is in a `bin` folder, its bot is not
        let is_installed = Path::new(name).is_absolute() && in_bin(Path::new(name));
        let beside = || path.as_deref().and_then(Path::parent).map(PathBuf::from);
        let beside = || beside().filter(|_| !is_installed);
        Program {
            folder: own.or_else(beside).unwrap_or(here),
            program: path.map_or_else(|| name.into(), PathBuf::into_os_string),
            arguments: arguments.iter().map(Into::into).collect(),
            cores: conditions.cores.clone(),
        }
    }
}

impl<G: BotGame> SeatedBot<G> {
    /// Ends its process and collects its report.
    fn stop_process(&mut self, grace: Duration) -> Option<ExitReport> {
        let mut session = self.session.take()?;
        let ended = session.process.end(grace);
        if let Some(ended) = &ended
            && ended.killed_descendants > 0
        {
            let processes = if ended.killed_descendants == 1 {
                "process"
            } else {
                "processes"
            };
            let note = format!(
                "left {} {processes} behind, ended with it",
                ended.killed_descendants
            );
            session.process.post_mortem.note(&note);
        }
        self.collect_report(&mut session);
        ended
    }

    /// Adds what is known of its process to the current game's report.
    fn collect_report(&mut self, session: &mut BotSession<G>) {
        let Some(progress) = &mut self.progress else {
            return;
        };
        let post_mortem = &mut session.process.post_mortem;
        let report = &mut progress.report;
        report.about = post_mortem.about.clone();
        report.about.push(("cage".into(), session.cage.clone()));
        report.notes.extend(post_mortem.take_notes());
        report.stderr += &post_mortem.stderr.take();
    }

    fn start(&mut self, game: &G) -> Result<BotSession<G>, Fault> {
        let process = BotProcess::start(&self.cage, &self.program)?;
        Ok(BotSession {
            cage: describe_layers(process.layers()),
            process,
            language: game.language(self.protocol),
        })
    }
}

impl<G: BotGame> Side<G> for SeatedBot<G> {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        seed: u64,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault> {
        overhead();
        if self.progress.is_some() {
            // a game was aborted: the bot's state is unknown
            self.stop_process(ABORT_GRACE);
        }
        self.progress = Some(BotGameProgress::default());
        let started = Instant::now();
        let is_new = self.session.is_none();
        if is_new {
            self.session = Some(self.start(game)?);
        }
        let Some(session) = &mut self.session else {
            unreachable!("it has just been started");
        };
        let setup = BotGameSetup {
            seat,
            seed,
            time_control: self.time_control,
        };
        let mut goes_on = || watch.goes_on();
        let transport = session
            .process
            .transport(self.time_control.first, &mut goes_on);
        let mut transport = transport.with_start(started);
        let greeted = match is_new {
            true => session.language.greet(game, &mut transport),
            false => Ok(()),
        };
        let result =
            greeted.and_then(|()| session.language.begin(game, state, &setup, &mut transport));
        if result.is_err() {
            self.stop_process(Duration::ZERO);
        }
        result
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        _: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move> {
        let (Some(session), Some(progress)) = (&mut self.session, &mut self.progress) else {
            let fault = Fault::NotStarted("it was not told of a game".into());
            return MoveReply {
                thought: Err(fault),
                spent: Duration::ZERO,
            };
        };
        let mut goes_on = || watch.goes_on();
        let limit = self.time_control.limit(progress.moves);
        let mut transport = session.process.transport(limit, &mut goes_on);
        let answer = session.language.ask(game, state, &mut transport);
        let spent = transport.spent();
        progress.moves += 1;
        if answer.is_err() {
            self.stop_process(Duration::ZERO);
        }
        MoveReply {
            thought: answer.map(Thought::plain),
            spent,
        }
    }

    fn end(&mut self, game: &G, state: &G::State, outcome: Outcome) -> ProcessReport {
        if let Some(mut session) = self.session.take() {
            let mut goes_on = || true;
            let mut transport = session.process.transport(END_TIMEOUT, &mut goes_on);
            let stays = session.language.end(game, state, outcome, &mut transport);
            if stays {
                session.process.refresh();
                self.collect_report(&mut session);
                self.session = Some(session);
            } else {
                self.session = Some(session);
                self.stop_after_game();
            }
        }
        let mut report = self.progress.take().unwrap_or_default().report;
        let about = &mut report.about;
        about.push(("protocol".into(), self.protocol.name().into()));
        about.extend(overhead().map(|overhead| ("overhead".into(), overhead.to_string())));
        report
    }
}

impl<G: BotGame> SeatedBot<G> {
    /// Ends a process that plays only one game.
    fn stop_after_game(&mut self) {
        let grace = self.exit_grace;
        let Some(ended) = self.stop_process(grace) else {
            return;
        };
        let note = match ended.cause {
            ExitCause::Killed => {
                self.exit_grace = (grace / 2).max(EXIT_GRACE[1]);
                let grace = grace.as_millis();
                Some(format!("outlived the game by {grace} ms and was ended"))
            }
            cause => {
                self.exit_grace = (2 * grace).min(EXIT_GRACE[0]);
                let words = super::post_mortem::describe_exit(cause);
                (cause != ExitCause::Code(0))
                    .then(|| format!("after the game it ended with {words}"))
            }
        };
        if let Some(progress) = &mut self.progress {
            progress.report.notes.extend(note);
        }
    }
}

impl<G: BotGame> Drop for SeatedBot<G> {
    fn drop(&mut self) {
        self.stop_process(ABORT_GRACE);
    }
}

/// Whether a program is in a `bin` or `sbin` folder: `/usr/bin/python3`.
fn in_bin(program: &Path) -> bool {
    let folder = program.parent().and_then(Path::file_name);
    folder.is_some_and(|name| name == "bin" || name == "sbin")
}

/// Describes a sandbox's layers: active ones, then missing ones.
fn describe_layers(layers: &[(Layer, LayerState)]) -> String {
    let names = |holds: bool| {
        let wanted = layers
            .iter()
            .filter(move |(_, state)| (*state == LayerState::Holds) == holds);
        wanted.map(|(layer, state)| match state {
            LayerState::Missing(why) => format!("{layer} ({why})"),
            _ => layer.to_string(),
        })
    };
    let holds: Vec<_> = names(true).collect();
    let lacks: Vec<_> = names(false).collect();
    let is_off = layers.iter().all(|(_, state)| *state == LayerState::Off);
    match (holds.is_empty(), lacks.is_empty()) {
        (true, _) if is_off => "none".into(),
        (true, _) => format!("none; without {}", lacks.join(", ")),
        (_, true) => holds.join(", "),
        _ => format!("{}; without {}", holds.join(", "), lacks.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cage_is_described_by_what_holds_and_what_is_missing() {
        let describe = |state: fn(Layer) -> LayerState| {
            let all = Layer::ALL.map(|layer| (layer, state(layer)));
            describe_layers(&all)
        };
        assert_eq!(describe(|_| LayerState::Off), "none");
        assert!(describe(|_| LayerState::Holds).starts_with("process group, "));
        let why = || LayerState::Missing("too old".into());
        let missing = describe(|_| LayerState::Missing("too old".into()));
        assert!(missing.starts_with("none; without process group (too old), "));
        let some = describe_layers(&[(Layer::Group, LayerState::Holds), (Layer::Files, why())]);
        assert_eq!(some, "process group; without landlock (too old)");
    }

    #[test]
    fn a_bot_runs_in_its_own_folder_and_an_interpreter_in_ours() {
        let here = std::env::current_dir().unwrap();
        let rows = [
            ("cmd:bots/deep/bot", here.join("bots/deep")),
            ("cmd:/opt/somebody/bot", PathBuf::from("/opt/somebody")),
            ("cmd:/usr/bin/python3 bot.py", here.clone()),
            ("cmd:python3 bot.py", here.clone()),
            (
                "cmd[folder=bots]:/usr/bin/python3 bot.py",
                here.join("bots"),
            ),
            ("cmd:bin/bot", here.join("bin")),
        ];
        for (text, folder) in rows {
            let bot: BotSpec = text.parse().unwrap();
            assert_eq!(
                bot.program(&MatchConditions::default()).folder,
                folder,
                "{text}"
            );
        }
    }
}

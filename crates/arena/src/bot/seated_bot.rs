//! A bot at the board: its process, and the language that it speaks.

use super::overhead::overhead;
use super::process::BotProcess;
use super::{BotGame, BotSpec, BotSpecError, Language, Protocol, Setting};
use crate::{Fault, MatchConditions, MoveReply, ProcessReport, Side, TimeControl};
use cage::{Cage, ExitCause, ExitReport, Layer, LayerState, Program};
use games::{Outcome, Seat};
use players::{SearchObserver, Thought};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a bot may take to end when its game has: at first, and at least.
const PATIENCE: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(4)];
/// The same, where nobody waits for it any more.
const LEAVING: Duration = Duration::from_millis(100);
/// How long a bot may take to read that a game has ended.
const FAREWELL: Duration = Duration::from_millis(50);

/// A bot at the board.
///
/// Its process starts with its first game. Where its language has found out that it plays
/// many games it stays for them; else, and after every fault, the next game starts another.
///
/// To start and to greet it has as long as for the first move of a game ([`TimeControl::first`]);
/// where its protocol has no greeting nothing waits for its start, and so the start is part
/// of its first move.
pub struct SeatedBot<G: BotGame> {
    spec: BotSpec,
    protocol: Protocol,
    pace: TimeControl,
    cage: Cage,
    program: Program,
    running: Option<BotSession<G>>,
    /// The game that has begun and not ended.
    sitting: Option<BotGameProgress>,
    /// How long it is waited for when a game has ended. Half as long each time that it was
    /// in vain: thousands of games must not each wait for a bot that never goes by itself.
    patience: Duration,
}

/// A process and its language.
struct BotSession<G: BotGame> {
    process: BotProcess,
    language: Box<dyn Language<G>>,
    cage: String,
}

/// What came of a game so far.
#[derive(Default)]
struct BotGameProgress {
    moves: u64,
    aftermath: ProcessReport,
}

impl BotSpec {
    /// A side of this bot. Its process starts with its first game.
    ///
    /// # Errors
    /// Bots of this game do not speak its protocol.
    pub fn open<G: BotGame>(
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
            pace: conditions.pace.unwrap_or_else(|| game.pace()),
            cage: self.cage(conditions),
            program: self.program(conditions),
            running: None,
            sitting: None,
            patience: PATIENCE[0],
        })
    }

    /// What it runs in: the cage that conditions ask for, with this bot's own bounds.
    #[must_use]
    pub fn cage(&self, conditions: &MatchConditions) -> Cage {
        let mut cage = conditions.cage.clone();
        cage.readable.extend(self.readable.iter().cloned());
        cage.bounds.memory = self.memory.unwrap_or(cage.bounds.memory);
        cage.bounds.processes = self.processes.unwrap_or(cage.bounds.processes);
        cage
    }

    /// What is run, and in which folder. A program that a path names is looked for from
    /// here, and from the bot's own folder where it is not found. Where no folder is named it
    /// is that of such a program, and the current one for a program without a path and for
    /// one that is installed: an absolute path into a folder `bin`.
    #[must_use]
    pub fn program(&self, conditions: &MatchConditions) -> Program {
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
        // an interpreter lies in a folder of programs, and its bot does not
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
    /// Ends its process, and keeps what is to be known of it.
    fn retire(&mut self, grace: Duration) -> Option<ExitReport> {
        let mut running = self.running.take()?;
        let ended = running.process.end(grace);
        if let Some(ended) = &ended
            && ended.left > 0
        {
            let processes = if ended.left == 1 {
                "process"
            } else {
                "processes"
            };
            let note = format!("left {} {processes} behind, ended with it", ended.left);
            running.process.remains.note(&note);
        }
        self.keep(&mut running);
        ended
    }

    /// Keeps what is to be known of its process in this game.
    fn keep(&mut self, running: &mut BotSession<G>) {
        let Some(sitting) = &mut self.sitting else {
            return;
        };
        let remains = &mut running.process.remains;
        let aftermath = &mut sitting.aftermath;
        aftermath.about = remains.about.clone();
        aftermath.about.push(("cage".into(), running.cage.clone()));
        aftermath.notes.extend(remains.take_notes());
        aftermath.complaints += &remains.complaints.take();
    }

    fn start(&mut self, game: &G) -> Result<BotSession<G>, Fault> {
        let process = BotProcess::start(&self.cage, &self.program)?;
        Ok(BotSession {
            cage: layers(process.layers()),
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
        if self.sitting.is_some() {
            // a game was broken off: who knows what the bot makes of another one now
            self.retire(LEAVING);
        }
        self.sitting = Some(BotGameProgress::default());
        let started = Instant::now();
        let is_new = self.running.is_none();
        if is_new {
            self.running = Some(self.start(game)?);
        }
        let Some(running) = &mut self.running else {
            unreachable!("it has just been started");
        };
        let setting = Setting {
            seat,
            seed,
            pace: self.pace,
        };
        let mut goes_on = || watch.goes_on();
        let talk = running.process.talk(self.pace.first, &mut goes_on);
        let mut talk = talk.since(started);
        let greeted = match is_new {
            true => running.language.greet(game, &mut talk),
            false => Ok(()),
        };
        let begun = greeted.and_then(|()| running.language.begin(game, state, &setting, &mut talk));
        if begun.is_err() {
            self.retire(Duration::ZERO);
        }
        begun
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        _: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move> {
        let (Some(running), Some(sitting)) = (&mut self.running, &mut self.sitting) else {
            let fault = Fault::NotStarted("it was not told of a game".into());
            return MoveReply {
                thought: Err(fault),
                spent: Duration::ZERO,
            };
        };
        let mut goes_on = || watch.goes_on();
        let limit = self.pace.limit(sitting.moves);
        let mut talk = running.process.talk(limit, &mut goes_on);
        let answer = running.language.ask(game, state, &mut talk);
        let spent = talk.spent();
        sitting.moves += 1;
        if answer.is_err() {
            self.retire(Duration::ZERO);
        }
        MoveReply {
            thought: answer.map(Thought::plain),
            spent,
        }
    }

    fn end(&mut self, game: &G, state: &G::State, outcome: Outcome) -> ProcessReport {
        if let Some(mut running) = self.running.take() {
            let mut goes_on = || true;
            let mut talk = running.process.talk(FAREWELL, &mut goes_on);
            let stays = running.language.end(game, state, outcome, &mut talk);
            if stays {
                running.process.refresh();
                self.keep(&mut running);
                self.running = Some(running);
            } else {
                self.running = Some(running);
                self.see_off();
            }
        }
        let mut aftermath = self.sitting.take().unwrap_or_default().aftermath;
        let about = &mut aftermath.about;
        about.push(("protocol".into(), self.protocol.name().into()));
        about.extend(overhead().map(|overhead| ("overhead".into(), overhead.to_string())));
        aftermath
    }
}

impl<G: BotGame> SeatedBot<G> {
    /// Its game has ended, and it should.
    fn see_off(&mut self) {
        let grace = self.patience;
        let Some(ended) = self.retire(grace) else {
            return;
        };
        let note = match ended.how {
            ExitCause::Killed => {
                self.patience = (grace / 2).max(PATIENCE[1]);
                let grace = grace.as_millis();
                Some(format!("outlived the game by {grace} ms and was ended"))
            }
            how => {
                self.patience = (2 * grace).min(PATIENCE[0]);
                let words = super::post_mortem::how(how);
                (how != ExitCause::Code(0)).then(|| format!("after the game it ended with {words}"))
            }
        };
        if let Some(sitting) = &mut self.sitting {
            sitting.aftermath.notes.extend(note);
        }
    }
}

impl<G: BotGame> Drop for SeatedBot<G> {
    fn drop(&mut self) {
        self.retire(LEAVING);
    }
}

/// Whether a program lies in a folder of programs: `/usr/bin/python3`.
fn in_bin(program: &Path) -> bool {
    let folder = program.parent().and_then(Path::file_name);
    folder.is_some_and(|name| name == "bin" || name == "sbin")
}

/// The layers of a cage in words: those that hold, and those that do not.
fn layers(layers: &[(Layer, LayerState)]) -> String {
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
    fn a_cage_is_told_by_what_holds_and_what_is_missing() {
        let told = |state: fn(Layer) -> LayerState| {
            let all = Layer::ALL.map(|layer| (layer, state(layer)));
            layers(&all)
        };
        assert_eq!(told(|_| LayerState::Off), "none");
        assert!(told(|_| LayerState::Holds).starts_with("process group, "));
        let why = || LayerState::Missing("too old".into());
        let missing = told(|_| LayerState::Missing("too old".into()));
        assert!(missing.starts_with("none; without process group (too old), "));
        let some = layers(&[(Layer::Group, LayerState::Holds), (Layer::Files, why())]);
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

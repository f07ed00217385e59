//! A session: a script of commands with their worlds, a line each, and what its owner does
//! between them.
//!
//! A line is a command, as a face sends it, or one of
//!
//! | line | what is done |
//! |---|---|
//! | `tick MS ASKS` | so much time goes by, and work ends when it has asked so often |
//! | `arrive ASKS` | it goes to the generation that it is on its way to, in so many ticks |
//! | `frame`, `status` | a face looks at it |
//! | `draft` | it is written as a draft, and restored from it |
//! | `other COMMAND` | the command comes from a second viewer |
//!
//! Lines that are none of these are passed over. A script is text so that a mutation of one line
//! leaves the others what they were, and so that a finding says by itself what was done.

use super::command::examples;
use super::{bytes_of, words_of};
use crate::Target;
use grid::Rect;
use session::file_access::{FileAccess, SessionLimits};
use session::{Command, Session, Viewer};
use std::time::Duration;

pub(super) const SESSION: Target = Target {
    name: "session",
    check: |bytes| check(&String::from_utf8_lossy(bytes)),
    seeds: || {
        let all = examples().join("\n");
        let lines: Vec<&str> = examples();
        // commands in small parts too, so that what one does is not undone by the next
        let parts = lines.chunks(6).map(|part| part.join("\n").into_bytes());
        let mut seeds: Vec<Vec<u8>> = parts.collect();
        seeds.push(all.into_bytes());
        seeds.extend(bytes_of(SCRIPTS));
        seeds
    },
    words: || {
        let own = [
            "frame\n",
            "status\n",
            "draft\n",
            "tick 16 3\n",
            "arrive 4\n",
            "other ",
        ];
        let lines = examples().into_iter().map(|line| format!("\n{line}\n"));
        let mut words = words_of(examples());
        words.extend(lines.chain(own.map(str::to_string)));
        words
    },
    gate_runs: 400,
};

const SCRIPTS: &[&str] = &[
    "open glider\nstep 4\narrive 10\nselect all\ncopy\npaste 3,4 xor\nundo\nredo\nframe\nstatus",
    "soup 16x12 0.5 seed 7\nrun\ntick 1000 50\nstop\nback\narrive 5\ndraft\nreset",
    "rule B3/S23:T16,16\ndraw 1 0,0 7,7\nrun-while-drawing on\nrun\ntick 100 9\ndraw more 1 3,4 5,6\nundo",
    "open gosper-glider-gun\nengine hashlife\nstep 2^64\narrive 3\ncancel\nengine tiles\ntick 16 3",
    "rule Wireworld\ndraw 1 0,0 9,0\nset 3,0 2\nage on\nhistory on\nstep 3\narrive 9\nframe",
    "resize 9x7 klein\nrandom 0.5 seed 1\nselect 0,0 4x4\nrotate left\nmirror vertical\nshift 2,-1\nclear outside\nundo\nundo\nredo",
    "rule B2/S34H:C8,6\nsoup 8x6 count 9 seed 3\nfill 1\nstep\narrive 2\nresize unbounded",
    "engine naive\nopen bo$2bo$3o!\nstep 5\narrive 9\nmemory 1M\nengine torus\nengine auto",
    "open colorised-glider\nother zoom 1:64\nother fit\nother cursor 3,4\nother flip\ndying on\nframe\nstep\narrive 1",
    "rule M0,2,8,3,1,5,6,7,4,9,10,11,12,13,14,15\ndraw 1 0,0 3,3\nstep 3\narrive 3\nback 2\narrive 3\nrule B3/S23",
    "rule R2,C4,M0,S6..11,B6..9,NM\nsoup 20x20 0.4 seed 2\nhyper on\nspeed max\nrun\ntick 500 40\nstop",
    "select 0,0 3x3\nfill 1\ncut\nclipboard 3o$o$bo!\nselect 100,100 2x2\npaste\nselect shrink\ngoto 100\ntick 1 2\nname x\nnew\nanyway new\nundo",
];

/// No script is followed further than this.
const MOST_LINES: usize = 60;

/// Worlds with more cells than this are not counted and compared.
const FEW_CELLS: u32 = 20_000;

/// Cells further out are not looked at one by one.
const FARTHEST: i64 = 1 << 61;

/// What this target's sessions may reach: no files, and little memory, so that limits are met.
pub(super) fn file_access() -> FileAccess {
    let mut file_access = FileAccess::default();
    file_access.limits = SessionLimits {
        upload: 64 << 10,
        memory: 16 << 20,
        grid: 1 << 16,
        undo: 1 << 20,
    };
    file_access
}

/// What a world is, where it is small enough to be told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WorldFacts {
    rule: String,
    generation: String,
    population: String,
    bounds: Option<pattern::Bounds>,
    hash: Option<String>,
}

pub(super) fn facts(session: &Session) -> WorldFacts {
    let world = session.world();
    let population = world.population();
    let is_small = population <= FEW_CELLS.into();
    WorldFacts {
        rule: world.rule().to_string(),
        generation: world.generation().to_string(),
        population: population.to_string(),
        bounds: world.bounds(),
        hash: is_small.then(|| format!("{:?}", world.hash())),
    }
}

fn check(script: &str) {
    let mut scripted = ScriptedSession {
        session: Session::new(file_access(), 7),
        viewers: [Viewer::new(64, 48), Viewer::new(33, 17)],
    };
    for line in script.lines().take(MOST_LINES) {
        scripted.follow(line.trim());
    }
    scripted.look();
    scripted.is_counted();
    scripted.comes_back_from_draft();
    let [viewer, _] = &mut scripted.viewers;
    let stopped = scripted.session.apply(viewer, &Command::Stop);
    assert!(stopped.is_ok() && !scripted.session.is_busy());
}

/// A session and those who watch it.
struct ScriptedSession {
    session: Session,
    viewers: [Viewer; 2],
}

impl ScriptedSession {
    fn follow(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "tick" => {
                let (ms, asks) = rest.split_once(' ').unwrap_or((rest, "10"));
                self.tick(number(ms).min(10_000), number(asks).min(200));
            }
            "arrive" => {
                for _ in 0..number(rest).min(20) {
                    self.tick(0, 20);
                }
            }
            "frame" | "status" => self.look(),
            "draft" => self.comes_back_from_draft(),
            "other" => self.apply(rest, 1),
            _ => self.apply(line, 0),
        }
    }

    fn apply(&mut self, text: &str, by: usize) {
        let Ok(command) = text.parse::<Command>() else {
            return;
        };
        let before = facts(&self.session);
        let content = self.session.content();
        match self.session.apply(&mut self.viewers[by], &command) {
            Ok(reply) => {
                self.is_counted();
                if reply.undo {
                    self.can_be_undone(text, &before, by);
                }
            }
            Err(refusal) => {
                assert!(!refusal.to_string().is_empty());
                let after = facts(&self.session);
                assert_eq!(after, before, "{text} was refused: {refusal}");
                assert_eq!(self.session.content(), content, "{text} was refused");
            }
        }
        if command == Command::Stop {
            assert!(!self.session.is_busy());
        }
    }

    /// What was undone is as it was before, and what was done again as it was after.
    fn can_be_undone(&mut self, text: &str, before: &WorldFacts, by: usize) {
        let after = facts(&self.session);
        for (command, expected) in [(Command::Undo(1), before), (Command::Redo(1), &after)] {
            let done = self.session.apply(&mut self.viewers[by], &command);
            // a world that is nearly too large for its memory may not go back
            if let Err(refusal) = done {
                assert!(
                    !matches!(
                        refusal,
                        session::CommandRefusal::NothingToUndo
                            | session::CommandRefusal::NothingToRedo
                    ),
                    "{command} after {text}: {refusal}"
                );
                return;
            }
            assert_eq!(&facts(&self.session), expected, "{command} after {text}");
        }
    }

    /// Lets time go by, and work end when it has asked so often.
    fn tick(&mut self, ms: u64, asks: u64) {
        let before = self.session.world().generation().clone();
        let mut asked = 0;
        self.session.tick(Duration::from_millis(ms), &mut || {
            asked += 1;
            asked <= asks
        });
        assert!(
            self.session.world().generation() >= &before,
            "time ran backwards"
        );
        self.is_counted();
    }

    /// The population is the number of the cells that are told, and the hash is theirs.
    fn is_counted(&self) {
        let world = self.session.world();
        let population = world.population();
        assert_eq!(world.bounds().is_none(), population == 0_u32.into());
        if population > FEW_CELLS.into() {
            return;
        }
        let cells = world.cells();
        assert_eq!(cells.population(), population);
        assert_eq!(cells.bounds(), world.bounds());
        assert_eq!(cells.hash(), world.hash());
        assert!(u16::from(cells.max_state()) < world.rule().states());
        // hashing tells single cells up to here, and of those beyond their number and bounds
        let is_near = |rect: &Rect| {
            rect.x.min(rect.y) >= -FARTHEST && rect.right().max(rect.bottom()) <= FARTHEST
        };
        let rect = world.bounds().and_then(|bounds| bounds.to_rect());
        if let Some(rect) = rect.filter(is_near) {
            let mut live = 0_u64;
            world.runs_in(rect, &mut |run| live += run.length);
            assert_eq!(
                population,
                live.into(),
                "{} tells in {rect:?}",
                world.engine()
            );
        }
    }

    /// Both viewers see it, and are told how it stands.
    fn look(&mut self) {
        for viewer in &mut self.viewers {
            self.session.frame(viewer);
            let status = self.session.status(viewer);
            let told = serde_json::to_string(&status).expect("a status is JSON");
            assert!(told.starts_with('{'));
            let _ = (self.session.palette(viewer), self.session.style());
        }
    }

    /// A draft of it is restored as what it is.
    fn comes_back_from_draft(&mut self) {
        let [viewer, _] = &self.viewers;
        let Ok(draft) = self.session.draft(viewer) else {
            return;
        };
        let mut limits = file_access();
        // a draft may be longer than what may be uploaded here
        limits.limits.upload = 64 << 20;
        let mut other = Session::new(limits, 7);
        let mut onlooker = Viewer::new(64, 48);
        if let Err(refusal) = other.restore_draft(&mut onlooker, &draft) {
            panic!("its own draft is refused: {refusal}");
        }
        assert_eq!(facts(&other), facts(&self.session), "restored from a draft");
    }
}

fn number(text: &str) -> u64 {
    text.trim().parse().unwrap_or(1)
}

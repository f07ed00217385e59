use arena::Entrant;
use session::file_access::FileAccess;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of a server.
#[derive(Debug)]
pub struct Options {
    /// Where it listens. An address that other machines reach brings a token with it.
    pub address: IpAddr,
    /// At which port.
    pub port: Port,
    /// The session's file access and limits; they hold for requests of pages.
    pub file_access: FileAccess,
    /// What is on the sheet at first.
    pub start: Start,
    /// Where drafts, games and tournaments are kept; none for keeping nothing.
    pub state: Option<StateFolder>,
    /// Programs that visitors may play against, by name. A visitor starts no other.
    pub bots: Vec<AllowedBot>,
    /// For what is random and is given no seed of its own.
    pub seed: u64,
    /// How long after the last tab has gone a world leaves memory, until it is opened again.
    pub sleep_after: Duration,
}

impl Options {
    /// On this machine alone, at the usual port or the next free one, with a gun running
    /// and no autosave.
    #[must_use]
    pub fn new(file_access: FileAccess) -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: Port::From(Port::USUAL),
            file_access,
            start: Start::default(),
            state: None,
            bots: Vec::new(),
            seed: 0,
            sleep_after: Duration::from_secs(600),
        }
    }
}

/// The folder of what outlives a server. One server has it at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFolder {
    /// The person named it: while another server has it, there is no server.
    Named(PathBuf),
    /// The usual one: while another server has it, there is a server that keeps nothing.
    Usual(PathBuf),
}

/// A program that the server's owner lets visitors play against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedBot {
    /// What pages call it.
    pub name: String,
    /// The program, and how it is spoken to.
    pub entrant: Entrant,
}

/// Which port a server listens at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// This one, or none. 0 is any that is free.
    Exactly(u16),
    /// This one or, where it is taken, one of the next.
    From(u16),
}

impl Port {
    /// The usual one.
    pub const USUAL: u16 = 8731;
}

/// What is on the sheet at first.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Which cells.
    pub sheet: StartSheet,
    /// A rule that was asked for, instead of theirs.
    pub rule: Option<String>,
}

/// Which cells are on the sheet at first.
#[derive(Clone, Debug, Default)]
pub enum StartSheet {
    /// Those of the draft of last time. Without a draft, a gun that runs, or an empty sheet
    /// where a rule was asked for.
    #[default]
    LastDraft,
    /// A name for [`FileAccess`]: a file, a built-in pattern, an apgcode, or RLE text.
    Named(String),
    /// A file outside the reach of [`FileAccess`].
    File(StartFile),
}

/// A file's bytes.
#[derive(Clone, Debug)]
pub struct StartFile {
    /// The file's name, or what the pattern is called.
    pub name: String,
    /// What is in the file.
    pub bytes: Vec<u8>,
    /// What is in the file beside it that holds the world's settings.
    pub sidecar: Option<String>,
}

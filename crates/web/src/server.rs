//! The server: start, run and shutdown.

use crate::guard::{self, RequestGuard};
use crate::listener::{ConnectionLimits, LimitedListener};
use crate::options::{Options, Port, Start, StartFile, StartSheet, StateFolder};
use crate::pages::PageContext;
use crate::panic_containment;
use crate::route::{self, WorkbenchService};
use crate::workbench::{self, WorkbenchSetup};
use crate::worlds::{FIRST_DRAFT, FIRST_PATTERN, Worlds, WorldsSetup};
use futures_util::future::join_all;
use session::command::Command;
use session::draft::{DraftFile, FolderLock};
use session::{CommandRefusal, Session, Viewer};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::Notify;

/// Limits on connections: a browser has a handful for each tab. All pages have room, and most
/// systems allow a process 1024 files. A head is a packet or two; a browser that opens a connection
/// in advance opens another one later.
const CONNECTIONS: ConnectionLimits = ConnectionLimits {
    connections: 800,
    stall_timeout: Duration::from_secs(30),
    head: Duration::from_secs(5),
};

/// The number of ports tried when the usual one is taken.
const PORTS: u16 = 100;

/// How long the workbench may take at shutdown to finish its work and write its draft: a shutdown
/// takes less than a second in all.
const LAST_DRAFT_TIMEOUT: Duration = Duration::from_millis(700);

/// The limit from the same moment for the last responses and the other pages.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(850);

/// Why a server does not come about.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BindError {
    /// The port is taken, or not this person's to take.
    #[error("{address}: {error}")]
    Address {
        /// Where it was to listen.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// All ports that were tried are taken.
    #[error("the ports from {from} to {to} are all taken")]
    Ports {
        /// The first.
        from: u16,
        /// The last.
        to: u16,
    },
    /// No place for drafts.
    #[error("{}: {error}", folder.display())]
    State {
        /// Where they were to be.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The folder that was named is another server's.
    #[error("{}: another server keeps its work there", folder.display())]
    StateTaken {
        /// The folder.
        folder: PathBuf,
    },
    /// What was asked for cannot be put on the sheet.
    #[error(transparent)]
    Start(#[from] CommandRefusal),
    /// The system has no randomness for a token.
    #[error("no token could be made: {0}")]
    Token(getrandom::Error),
}

impl BindError {
    /// What may help.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Address { .. } => Some("--port 0 takes any that is free".into()),
            Self::Ports { .. } => Some("--port says which to take".into()),
            Self::State { .. } | Self::StateTaken { .. } => {
                Some("--state names another folder, --no-autosave none".into())
            }
            Self::Start(refusal) => refusal.hint(),
            Self::Token(_) => None,
        }
    }
}

/// Why a server ended by itself.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServerRunError {
    /// The system gives no thread or no socket.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A fault of the program; the draft is as it was kept last.
    #[error("the workbench has broken down: this is a fault of gridpaper's own")]
    Workbench,
    /// It was stopped, and something was still being worked out.
    #[error("stopped in the middle of something long: the draft is as it was kept last")]
    Unfinished,
}

/// A server that has its port and its session, and is ready to run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<String>,
    first: WorkbenchSetup,
    worlds: WorldsSetup,
    pages: PageContext,
    notes: Vec<String>,
    stop: Arc<Notify>,
    limits: ConnectionLimits,
    /// Held until the last writer has ended.
    state_lock: Option<FolderLock>,
}

/// Stops a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Lets the server keep its draft, close its tabs and end.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the port, puts on the sheet what was asked for, and finds a place for drafts.
    ///
    /// # Errors
    /// When there is no such port to have, no place for drafts, or no such pattern.
    pub fn bind(options: Options) -> Result<Self, BindError> {
        let mut notes = Vec::new();
        let listener = bind_port(options.address, options.port, &mut notes)?;
        let address = listener.local_addr();
        let address = address.map_err(|error| BindError::Address {
            address: (options.address, 0).into(),
            error,
        })?;
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(guard::new_token().map_err(BindError::Token)?),
        };
        let (state, state_lock) = match lock_state_folder(options.state, &mut notes)? {
            Some((folder, lock)) => (Some(folder), Some(lock)),
            None => (None, None),
        };
        let draft = state
            .as_deref()
            .map(|folder| DraftFile::claim(folder, FIRST_DRAFT, true).map_err(state_error(folder)))
            .transpose()?;
        let worlds = WorldsSetup {
            file_access: options.file_access.clone(),
            seed: options.seed,
            state: state.clone(),
            sleep_after: options.sleep_after,
        };
        let pages = PageContext::new(options.bots, state, options.seed);
        let session = Session::new(options.file_access, options.seed);
        let first = prepare_workbench(session, options.start, draft, options.seed, &mut notes)?;
        let stop = Arc::new(Notify::new());
        Ok(Self {
            listener,
            address,
            token,
            first,
            worlds,
            pages,
            notes,
            stop,
            limits: CONNECTIONS,
            state_lock,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a browser opens: with the token, where there is one. A server that listens at
    /// all addresses is called by that of its own machine.
    #[must_use]
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        let token = self.token.as_ref().map(|token| format!("?token={token}"));
        format!("http://{address}/{}", token.unwrap_or_default())
    }

    /// What the person who started it should know: another port than the usual one, a draft
    /// that came back.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What stops it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// When the system gives no threads, or the workbench breaks down.
    pub fn run(mut self) -> Result<(), ServerRunError> {
        panic_containment::install_hook();
        let _state_lock = self.state_lock.take();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime
            .worker_threads(2)
            .thread_name("web")
            .enable_all()
            .build()?;
        let outcome = runtime.block_on(self.serve());
        // what still hangs on a connection is not waited for
        runtime.shutdown_background();
        outcome
    }

    async fn serve(self) -> Result<(), ServerRunError> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let limited = LimitedListener::new(listener, self.limits);
        let drained = limited.drained();
        let guard = RequestGuard::new(self.address, self.token);
        let file_access = self.worlds.file_access.clone();
        let worlds = Arc::new(Worlds::start(self.worlds, self.first)?);
        let service = route::router(
            WorkbenchService::new(guard, Arc::clone(&worlds), file_access),
            &self.pages,
        );
        let closing = Arc::new(Notify::new());
        let closed = Arc::clone(&closing);
        let serving = axum::serve(limited, service)
            .with_graceful_shutdown(async move { closed.notified().await });
        let serving = tokio::spawn(serving.into_future());
        self.stop.notified().await;
        let ends = worlds.stop();
        self.pages.has_ended.store(true, Ordering::Relaxed);
        let last_drafts = async {
            let ended = tokio::time::timeout(LAST_DRAFT_TIMEOUT, join_all(ends)).await;
            closing.notify_one();
            worlds.save_index();
            ended
        };
        // Tabs receive a close message, which they get after the server has released them;
        // unresponsive ones are dropped.
        let closing_connections = async {
            let _ = serving.await;
            drained.await;
        };
        let pages = self.pages.clone();
        let threads = tokio::task::spawn_blocking(move || pages.join_threads());
        let (ended, _, _) = tokio::join!(
            last_drafts,
            tokio::time::timeout(SHUTDOWN_TIMEOUT, closing_connections),
            tokio::time::timeout(SHUTDOWN_TIMEOUT, threads),
        );
        match ended {
            Ok(ended) if ended.iter().all(|end| matches!(end, Ok(Ok(())))) => Ok(()),
            Ok(_) => Err(ServerRunError::Workbench),
            Err(_) => Err(ServerRunError::Unfinished),
        }
    }
}

fn bind_port(
    address: IpAddr,
    port: Port,
    notes: &mut Vec<String>,
) -> Result<TcpListener, BindError> {
    let bind = |port: u16| {
        let address = SocketAddr::new(address, port);
        TcpListener::bind(address).map_err(|error| BindError::Address { address, error })
    };
    let first = match port {
        Port::Exactly(port) => return bind(port),
        Port::From(port) => port,
    };
    let last = first.saturating_add(PORTS - 1);
    for port in first..=last {
        match bind(port) {
            Err(BindError::Address { error, .. }) if error.kind() == io::ErrorKind::AddrInUse => {}
            Ok(listener) if port != first => {
                notes.push(format!("port {first} is taken; this is port {port}"));
                return Ok(listener);
            }
            outcome => return outcome,
        }
    }
    Err(BindError::Ports {
        from: first,
        to: last,
    })
}

/// The folder for what outlives the server, with the lock on it; none where nothing is kept.
fn lock_state_folder(
    state: Option<StateFolder>,
    notes: &mut Vec<String>,
) -> Result<Option<(PathBuf, FolderLock)>, BindError> {
    let (folder, is_named) = match state {
        None => return Ok(None),
        Some(StateFolder::Named(folder)) => (folder, true),
        Some(StateFolder::Usual(folder)) => (folder, false),
    };
    match FolderLock::acquire(&folder, "server").map_err(state_error(&folder))? {
        Some(lock) => Ok(Some((folder, lock))),
        None if is_named => Err(BindError::StateTaken { folder }),
        None => {
            notes.push(format!(
                "another server keeps its work in {}, so this one keeps nothing: --state names \
                 a folder for it",
                folder.display()
            ));
            Ok(None)
        }
    }
}

fn state_error(folder: &Path) -> impl FnOnce(io::Error) -> BindError {
    let folder = folder.to_path_buf();
    |error| BindError::State { folder, error }
}

/// Fills the sheet with the requested pattern, else the last draft, else a gun.
fn prepare_workbench(
    mut session: Session,
    start: Start,
    draft: Option<DraftFile>,
    seed: u64,
    notes: &mut Vec<String>,
) -> Result<WorkbenchSetup, BindError> {
    workbench::lend_clock(&mut session);
    let mut viewer = Viewer::new(1280, 720);
    let first_note = notes.len();
    let restores_draft = matches!(start.sheet, StartSheet::LastDraft) && start.rule.is_none();
    match start.sheet {
        StartSheet::LastDraft => {}
        StartSheet::Named(name) => {
            let reply = session.apply(&mut viewer, &Command::Open(name))?;
            notes.extend(reply.note);
        }
        StartSheet::File(StartFile {
            name,
            bytes,
            sidecar,
        }) => {
            let reply = session.load(&mut viewer, &name, &bytes, sidecar, true)?;
            notes.extend(reply.note);
        }
    }
    if let Some(rule) = start.rule {
        session.apply(&mut viewer, &Command::Anyway(Box::new(Command::Rule(rule))))?;
        session.mark_saved();
    }
    let was_restored = match &draft {
        Some(place) if restores_draft => restore_last_draft(&mut session, place, notes),
        Some(place) => {
            set_aside(place, notes);
            false
        }
        None => false,
    };
    let starts_running = restores_draft && !was_restored;
    if starts_running {
        session.apply(&mut viewer, &Command::Open(FIRST_PATTERN.into()))?;
    }
    let note = (notes.len() > first_note).then(|| notes[first_note..].join("; "));
    Ok(WorkbenchSetup {
        session,
        note,
        starts_running,
        was_touched: was_restored,
        draft,
        draft_is_due: false,
        seed,
    })
}

/// Restores the last draft. Returns whether it is on the sheet now.
fn restore_last_draft(session: &mut Session, place: &DraftFile, notes: &mut Vec<String>) -> bool {
    let bytes = match place.read() {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return false,
        Err(error) => {
            notes.push(format!("the draft of last time cannot be read: {error}"));
            return false;
        }
    };
    let mut viewer = Viewer::new(1280, 720);
    match session.restore_draft(&mut viewer, &bytes) {
        Ok(_) => {
            let generation = session.world().generation();
            let title = session.title();
            notes.push(format!(
                "{title} is as you left it, at generation {generation}"
            ));
            true
        }
        Err(refusal) => {
            notes.push(format!(
                "the draft of last time cannot be taken up: {refusal}"
            ));
            keep_draft_aside(place, notes);
            false
        }
    }
}

/// Makes room for a new draft: edits of last time that no file has are kept.
fn set_aside(place: &DraftFile, notes: &mut Vec<String>) {
    let Ok(Some(bytes)) = place.read() else {
        return;
    };
    if Session::draft_is_unsaved(&bytes) != Some(false) {
        keep_draft_aside(place, notes);
    }
}

fn keep_draft_aside(place: &DraftFile, notes: &mut Vec<String>) {
    notes.push(match place.set_aside() {
        Ok(path) => format!("unsaved work of last time is kept in {}", path.display()),
        Err(error) => format!("unsaved work of last time cannot be put aside: {error}"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::file_access::FileAccess;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    /// Issue 28: 900 idle connections shut newcomers out for 27 seconds.
    #[test]
    fn idle_connections_shut_nobody_out() {
        let mut options = Options::new(FileAccess::default());
        options.port = Port::Exactly(0);
        let mut server = Server::bind(options).unwrap();
        let hour = Duration::from_secs(3600);
        server.limits = ConnectionLimits {
            connections: 20,
            stall_timeout: hour,
            head: hour,
        };
        let (address, stopper) = (server.address(), server.stopper());
        let running = std::thread::spawn(move || server.run());
        // they say nothing, or half of something, and there are more than may be
        let idle: Vec<TcpStream> = (0..50)
            .map(|number| {
                let mut idle = TcpStream::connect(address).unwrap();
                if number % 2 == 0 {
                    // it may have had to go already
                    let _ = idle.write_all(b"GET / HTTP/1.1\r\nHo");
                }
                idle
            })
            .collect();
        for _ in 0..3 {
            let mut newcomer = TcpStream::connect(address).unwrap();
            let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n");
            newcomer.write_all(request.as_bytes()).unwrap();
            let mut answer = [0; 12];
            newcomer.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"HTTP/1.1 200");
        }
        drop(idle);
        stopper.stop();
        running.join().unwrap().unwrap();
    }
}

//! A listener with limits: a number of connections, a timeout for stalled reads and writes, and
//! eviction of idle connections for new ones.
//!
//! All stalls are handled here: a handshake that never ends, half a message and a browser that
//! never reads all show as a read or a write that makes no progress. The time that the server
//! itself takes does not count, see [`Peer`].
//!
//! There is no limit for each address: on this machine all peers have the same one.

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use futures_util::task::AtomicWaker;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// Limits on connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// The number of open connections. A further one evicts the one that has been idle for longest;
    /// where none is idle it is closed at once.
    pub(crate) connections: usize,
    /// How long a read or a write may make no progress.
    pub(crate) stall_timeout: Duration,
    /// How long a request's head may take, from the connection's beginning for the first one,
    /// from its first byte for others.
    pub(crate) head: Duration,
}

/// A TCP listener that applies [`ConnectionLimits`].
#[derive(Debug)]
pub(crate) struct LimitedListener {
    listener: TcpListener,
    limits: ConnectionLimits,
    permits: Arc<Semaphore>,
    pool: Arc<ConnectionPool>,
}

impl LimitedListener {
    pub(crate) fn new(listener: TcpListener, limits: ConnectionLimits) -> Self {
        let permits = Arc::new(Semaphore::new(limits.connections));
        Self {
            listener,
            limits,
            permits,
            pool: Arc::default(),
        }
    }

    /// A permit for one more connection; evicts an idle one if there is none left.
    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        let permits = Arc::clone(&self.permits);
        match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => Some(permit),
            Err(_) if self.pool.evict() => permits.acquire_owned().await.ok(),
            Err(_) => None,
        }
    }

    /// Completes when no connection is left. Call it once no more are accepted.
    pub(crate) fn drained(&self) -> impl Future<Output = ()> + use<> {
        let permits = Arc::clone(&self.permits);
        let all = u32::try_from(self.limits.connections).unwrap_or(u32::MAX);
        async move {
            // it fails only on a closed semaphore, and this one is never closed
            let _ = permits.acquire_many(all).await;
        }
    }
}

impl Listener for LimitedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of files: others will close theirs. What a peer did is over.
                    if error.kind() != io::ErrorKind::ConnectionAborted {
                        self.pool.evict();
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                    continue;
                }
            };
            let Some(permit) = self.permit().await else {
                continue;
            };
            // Commands and frames are small and wanted at once. Slower is no reason to refuse.
            let _ = stream.set_nodelay(true);
            let member = PoolMember::new(&self.pool, permit);
            let is_local = address.ip().to_canonical().is_loopback();
            member.peer.0.is_local.store(is_local, Ordering::Relaxed);
            return (Connection::new(stream, self.limits, member), address);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// All open connections.
#[derive(Debug, Default)]
struct ConnectionPool {
    members: Mutex<BTreeMap<u64, Peer>>,
    next_id: AtomicU64,
    /// A logical clock of activity, for finding the least recently active connection.
    ticks: AtomicU64,
}

impl ConnectionPool {
    fn members(&self) -> MutexGuard<'_, BTreeMap<u64, Peer>> {
        // what is in there is put in and taken out whole
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection that has been idle for longest. Whether there is one.
    fn evict(&self) -> bool {
        let members = self.members();
        let idle = members.values().filter(|peer| peer.is_idle());
        let oldest = idle.min_by_key(|peer| peer.0.last_active.load(Ordering::Relaxed));
        oldest.map(Peer::evict).is_some()
    }
}

/// A connection's entry in the pool, with its permit. Both end when it is dropped.
#[derive(Debug)]
struct PoolMember {
    pool: Arc<ConnectionPool>,
    id: u64,
    peer: Peer,
    _permit: OwnedSemaphorePermit,
}

impl PoolMember {
    fn new(pool: &Arc<ConnectionPool>, permit: OwnedSemaphorePermit) -> Self {
        let member = Self {
            pool: Arc::clone(pool),
            id: pool.next_id.fetch_add(1, Ordering::Relaxed),
            peer: Peer::default(),
            _permit: permit,
        };
        member.touch();
        pool.members().insert(member.id, member.peer.clone());
        member
    }

    /// Something has come.
    fn touch(&self) {
        let tick = self.pool.ticks.fetch_add(1, Ordering::Relaxed);
        self.peer.0.last_active.store(tick, Ordering::Relaxed);
    }
}

impl Drop for PoolMember {
    fn drop(&mut self) {
        self.pool.members().remove(&self.id);
    }
}

/// The state of a connection that request handlers share. While the server works on a request, or
/// has output that the peer has not read, the peer may be silent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peer(Arc<PeerState>);

#[derive(Debug, Default)]
struct PeerState {
    /// Requests whose heads have come and whose answers have not been made.
    requests: AtomicUsize,
    /// Whether part of an answer waits until the peer takes more.
    is_writing: AtomicBool,
    /// How many requests there have been.
    heads: AtomicU64,
    /// Whether it has become a WebSocket.
    is_upgraded: AtomicBool,
    /// The tick of the pool at which something came last.
    last_active: AtomicU64,
    /// Whether it has to make place for another one.
    is_evicted: AtomicBool,
    /// The task that reads from the connection.
    reader: AtomicWaker,
    /// Whether it is on this machine.
    is_local: AtomicBool,
}

impl Peer {
    /// Whether the peer is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.0.is_local.load(Ordering::Relaxed)
    }

    /// Marks a request as in progress until the returned guard is dropped.
    pub(crate) fn at_work(&self) -> PeerWorkGuard {
        self.0.requests.fetch_add(1, Ordering::Relaxed);
        self.0.heads.fetch_add(1, Ordering::Relaxed);
        PeerWorkGuard(self.clone())
    }

    /// Marks the connection as upgraded to a WebSocket: it carries no more requests.
    pub(crate) fn upgrade(&self) {
        self.0.is_upgraded.store(true, Ordering::Relaxed);
    }

    fn is_at_work(&self) -> bool {
        let is_answering = self.0.is_writing.load(Ordering::Relaxed);
        is_answering || self.0.requests.load(Ordering::Relaxed) > 0
    }

    fn is_upgraded(&self) -> bool {
        self.0.is_upgraded.load(Ordering::Relaxed)
    }

    fn is_evicted(&self) -> bool {
        self.0.is_evicted.load(Ordering::Acquire)
    }

    /// Whether no request is under way, and it is no WebSocket.
    fn is_idle(&self) -> bool {
        !self.is_at_work() && !self.is_upgraded() && !self.is_evicted()
    }

    fn evict(&self) {
        self.0.is_evicted.store(true, Ordering::Release);
        self.0.reader.wake();
    }
}

impl Connected<IncomingStream<'_, LimitedListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, LimitedListener>) -> Self {
        stream.io().member.peer.clone()
    }
}

/// See [`Peer::at_work`].
#[derive(Debug)]
pub(crate) struct PeerWorkGuard(Peer);

impl Drop for PeerWorkGuard {
    fn drop(&mut self) {
        self.0.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection that ends with an error when it stands still, when a request's head does not
/// come to its end, or when it has to make place.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    member: PoolMember,
    reading: StallTimeout,
    writing: StallTimeout,
    /// How long a head that has begun may take.
    heading: StallTimeout,
    /// Whether a head is waited for, or for the rest of one.
    wants_head: bool,
    /// How many heads had come when that was looked at.
    heads: u64,
}

impl Connection {
    fn new(stream: TcpStream, limits: ConnectionLimits, member: PoolMember) -> Self {
        Self {
            stream,
            member,
            reading: StallTimeout::new(limits.stall_timeout),
            writing: StallTimeout::new(limits.stall_timeout),
            heading: StallTimeout::new(limits.head),
            wants_head: true,
            heads: 0,
        }
    }

    /// Clears the head timeout when a request's head has arrived.
    fn update_heads(&mut self) {
        let peer = &self.member.peer;
        let heads = peer.0.heads.load(Ordering::Relaxed);
        if peer.is_upgraded() || std::mem::replace(&mut self.heads, heads) != heads {
            self.wants_head = false;
            self.heading.since = None;
        }
    }

    /// Records received bytes; outside a request they begin the next head.
    fn note_received(&mut self) {
        self.member.touch();
        let peer = &self.member.peer;
        self.wants_head |= !peer.is_at_work() && !peer.is_upgraded();
    }

    fn check_write<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        let is_writing = &self.member.peer.0.is_writing;
        is_writing.store(outcome.is_pending(), Ordering::Relaxed);
        if outcome.is_ready() {
            self.writing.since = None;
            return outcome;
        }
        if self.member.peer.is_evicted() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        ready!(self.writing.poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.member.peer.0.reader.register(context.waker());
        if this.member.peer.is_evicted() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let outcome = Pin::new(&mut this.stream).poll_read(context, into);
        this.update_heads();
        if outcome.is_ready() || this.member.peer.is_at_work() {
            this.reading.since = None;
        }
        if outcome.is_ready() {
            this.note_received();
            return outcome;
        }
        if this.wants_head && this.heading.poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        ready!(this.reading.poll(context));
        if this.member.peer.is_at_work() {
            // it began after this was asked; ask again later
            this.reading.since = None;
            let _ = this.reading.poll(context);
            return Poll::Pending;
        }
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.check_write(outcome, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.check_write(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// How long something has been waited for.
#[derive(Debug)]
struct StallTimeout {
    length: Duration,
    /// Since when; none while nothing is waited for.
    since: Option<Instant>,
    /// Made when something is first waited for, and moved on afterwards.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl StallTimeout {
    fn new(length: Duration) -> Self {
        Self {
            length,
            since: None,
            alarm: None,
        }
    }

    /// Ready when it has ended.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let now = Instant::now();
        let end = *self.since.get_or_insert(now) + self.length;
        let alarm = self
            .alarm
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(end)));
        if alarm.deadline() != end {
            alarm.as_mut().reset(end);
        }
        alarm.as_mut().poll(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    async fn pair(limits: ConnectionLimits) -> (Connection, TcpStream, LimitedListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut door = LimitedListener::new(listener, limits);
        let (ours, theirs) = tokio::join!(door.accept(), TcpStream::connect(address));
        (ours.0, theirs.unwrap(), door)
    }

    const BRIEF: ConnectionLimits = ConnectionLimits {
        connections: 1,
        stall_timeout: Duration::from_millis(30),
        head: HOUR,
    };

    const HOUR: Duration = Duration::from_secs(3600);

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
    }

    #[test]
    fn silence_ends_a_connection_unless_the_server_is_at_work() {
        runtime().block_on(async {
            let (mut ours, mut theirs, _door) = pair(BRIEF).await;
            let work = ours.member.peer.at_work();
            let mut byte = [0];
            let long = tokio::time::timeout(BRIEF.stall_timeout * 4, ours.read(&mut byte)).await;
            assert!(long.is_err(), "it ended while the server was at work");
            drop(work);
            theirs.write_all(b"x").await.unwrap();
            assert_eq!(ours.read(&mut byte).await.unwrap(), 1);
            let error = ours.read(&mut byte).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn a_reader_that_never_reads_ends_it_too() {
        runtime().block_on(async {
            let (mut ours, _theirs, _door) = pair(BRIEF).await;
            let _work = ours.member.peer.at_work();
            let error = ours.write_all(&vec![0; 64 << 20]).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn one_too_many_is_closed_and_a_place_comes_back() {
        runtime().block_on(async {
            let (ours, _theirs, mut door) = pair(BRIEF).await;
            let _work = ours.member.peer.at_work();
            let address = door.local_addr().unwrap();
            let accepting = tokio::spawn(async move { door.accept().await });
            let mut further = TcpStream::connect(address).await.unwrap();
            assert_eq!(further.read(&mut [0]).await.unwrap(), 0);
            drop(ours);
            let _next = TcpStream::connect(address).await.unwrap();
            accepting.await.unwrap();
        });
    }

    /// Accepts for ever; greets each connection and then reads until it ends. `prepare` is
    /// told of each, with its number.
    fn greet(mut door: LimitedListener, prepare: fn(usize, &Peer)) {
        tokio::spawn(async move {
            for number in 0.. {
                let (mut connection, _) = door.accept().await;
                prepare(number, &connection.member.peer);
                tokio::spawn(async move {
                    connection.write_all(b"h").await?;
                    while connection.read(&mut [0]).await? > 0 {}
                    io::Result::Ok(())
                });
            }
        });
    }

    async fn is_greeted(stream: &mut TcpStream) -> bool {
        matches!(stream.read(&mut [0]).await, Ok(1))
    }

    const TWO: ConnectionLimits = ConnectionLimits {
        connections: 2,
        stall_timeout: HOUR,
        head: HOUR,
    };

    async fn door(limits: ConnectionLimits) -> (LimitedListener, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (LimitedListener::new(listener, limits), address)
    }

    #[test]
    fn the_one_that_was_idle_for_longest_makes_place() {
        runtime().block_on(async {
            let (door, address) = door(TWO).await;
            greet(door, |_, _| {});
            let mut first = TcpStream::connect(address).await.unwrap();
            assert!(is_greeted(&mut first).await);
            let mut second = TcpStream::connect(address).await.unwrap();
            assert!(is_greeted(&mut second).await);
            // many more than there are places, one after the other: each finds one
            for _ in 0..20 {
                let mut next = TcpStream::connect(address).await.unwrap();
                assert!(is_greeted(&mut next).await, "a newcomer was shut out");
                assert!(
                    !is_greeted(&mut first).await,
                    "the oldest one is there still"
                );
                (first, second) = (second, next);
            }
            drop((first, second));
        });
    }

    #[test]
    fn what_is_at_work_or_a_socket_makes_no_place() {
        runtime().block_on(async {
            let (door, address) = door(TWO).await;
            greet(door, |number, peer| match number {
                0 => std::mem::forget(peer.at_work()),
                _ => peer.upgrade(),
            });
            let mut first = TcpStream::connect(address).await.unwrap();
            assert!(is_greeted(&mut first).await);
            let mut second = TcpStream::connect(address).await.unwrap();
            assert!(is_greeted(&mut second).await);
            let mut further = TcpStream::connect(address).await.unwrap();
            assert!(!is_greeted(&mut further).await);
        });
    }

    #[test]
    fn an_answer_that_waits_to_be_taken_is_work() {
        runtime().block_on(async {
            let limits = ConnectionLimits {
                stall_timeout: HOUR,
                ..BRIEF
            };
            let (mut ours, _theirs, _door) = pair(limits).await;
            assert!(ours.member.peer.is_idle());
            let peer = ours.member.peer.clone();
            let all = vec![0; 64 << 20];
            let mut writing = std::pin::pin!(ours.write_all(&all));
            assert!(futures_util::poll!(writing.as_mut()).is_pending());
            assert!(!peer.is_idle());
        });
    }

    /// On a clock that goes on when everybody waits.
    #[tokio::test(start_paused = true)]
    async fn half_a_head_ends_a_connection_soon() {
        let limits = ConnectionLimits {
            head: Duration::from_secs(5),
            ..TWO
        };
        let begun = Instant::now();
        let (mut ours, mut theirs, _door) = pair(limits).await;
        theirs.write_all(b"G").await.unwrap();
        let mut byte = [0];
        assert_eq!(ours.read(&mut byte).await.unwrap(), 1);
        let error = ours.read(&mut byte).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() < Duration::from_secs(60));
        // so does none at all
        let begun = Instant::now();
        let (mut ours, mut theirs, _door) = pair(limits).await;
        let error = ours.read(&mut byte).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() < Duration::from_secs(60));
        drop((ours, theirs));
        // after a whole one it may be silent for longer, until the next one begins
        let begun = Instant::now();
        (ours, theirs, _) = pair(limits).await;
        theirs.write_all(b"G").await.unwrap();
        assert_eq!(ours.read(&mut byte).await.unwrap(), 1);
        drop(ours.member.peer.at_work());
        let long = tokio::time::timeout(HOUR / 2, ours.read(&mut byte)).await;
        assert!(long.is_err(), "it ended between two requests");
        theirs.write_all(b"G").await.unwrap();
        assert_eq!(ours.read(&mut byte).await.unwrap(), 1);
        let error = ours.read(&mut byte).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() < HOUR / 2 + Duration::from_secs(60));
    }
}

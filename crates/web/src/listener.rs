//! Connections that cannot be held for nothing: there are only so many of them, and one on
//! which nothing moves for a while is closed.
//!
//! This is the one place for it. A handshake that never ends, half a message, a browser
//! that never reads: each is a connection on which a read or a write does not come on.
//! What the server itself takes long for does not count, see [`Peer`].

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// What connections may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many there may be at once; a further one is closed as it comes.
    pub(crate) connections: usize,
    /// How long one may stand still.
    pub(crate) patience: Duration,
}

/// Takes connections in.
#[derive(Debug)]
pub(crate) struct Door {
    listener: TcpListener,
    limits: Limits,
    places: Arc<Semaphore>,
}

impl Door {
    pub(crate) fn new(listener: TcpListener, limits: Limits) -> Self {
        let places = Arc::new(Semaphore::new(limits.connections));
        Self {
            listener,
            limits,
            places,
        }
    }

    /// Ends when nobody is connected any more. To be waited for when nobody else is let in.
    pub(crate) fn emptied(&self) -> impl Future<Output = ()> + use<> {
        let places = Arc::clone(&self.places);
        let all = u32::try_from(self.limits.connections).unwrap_or(u32::MAX);
        async move {
            // it fails only where the places are closed, and nobody closes them
            let _ = places.acquire_many(all).await;
        }
    }
}

impl Listener for Door {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of files: others will close theirs. What a peer did is over.
                    if error.kind() != io::ErrorKind::ConnectionAborted {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                    continue;
                }
            };
            let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
                continue;
            };
            // Commands and frames are small and wanted at once. Slower is no reason to refuse.
            let _ = stream.set_nodelay(true);
            return (
                Connection::new(stream, self.limits.patience, place),
                address,
            );
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Whether the server is at work for a connection. While it is, the connection may be
/// silent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peer(Arc<AtomicUsize>);

impl Peer {
    /// Work for the connection, until what is given back is dropped.
    pub(crate) fn at_work(&self) -> Work {
        self.0.fetch_add(1, Ordering::Relaxed);
        Work(self.clone())
    }

    fn is_at_work(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        stream.io().peer.clone()
    }
}

/// See [`Peer::at_work`].
#[derive(Debug)]
pub(crate) struct Work(Peer);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection that ends with an error when it stands still.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    peer: Peer,
    reading: Patience,
    writing: Patience,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(stream: TcpStream, patience: Duration, place: OwnedSemaphorePermit) -> Self {
        Self {
            stream,
            peer: Peer::default(),
            reading: Patience::new(patience),
            writing: Patience::new(patience),
            _place: place,
        }
    }

    fn written<T>(
        &mut self,
        outcome: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.writing.since = None;
            return outcome;
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
        let outcome = Pin::new(&mut this.stream).poll_read(context, into);
        if outcome.is_ready() || this.peer.is_at_work() {
            this.reading.since = None;
        }
        if outcome.is_ready() {
            return outcome;
        }
        ready!(this.reading.poll(context));
        if this.peer.is_at_work() {
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
        this.written(outcome, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.written(outcome, context)
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
struct Patience {
    length: Duration,
    /// Since when; none while nothing is waited for.
    since: Option<Instant>,
    /// Made when something is first waited for, and moved on afterwards.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Patience {
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

    async fn pair(limits: Limits) -> (Connection, TcpStream, Door) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut door = Door::new(listener, limits);
        let (ours, theirs) = tokio::join!(door.accept(), TcpStream::connect(address));
        (ours.0, theirs.unwrap(), door)
    }

    const BRIEF: Limits = Limits {
        connections: 1,
        patience: Duration::from_millis(30),
    };

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
            let work = ours.peer.at_work();
            let mut byte = [0];
            let long = tokio::time::timeout(BRIEF.patience * 4, ours.read(&mut byte)).await;
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
            let _work = ours.peer.at_work();
            let error = ours.write_all(&vec![0; 64 << 20]).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn one_too_many_is_closed_and_a_place_comes_back() {
        runtime().block_on(async {
            let (ours, _theirs, mut door) = pair(BRIEF).await;
            let address = door.local_addr().unwrap();
            let accepting = tokio::spawn(async move { door.accept().await });
            let mut further = TcpStream::connect(address).await.unwrap();
            assert_eq!(further.read(&mut [0]).await.unwrap(), 0);
            drop(ours);
            let _next = TcpStream::connect(address).await.unwrap();
            accepting.await.unwrap();
        });
    }
}

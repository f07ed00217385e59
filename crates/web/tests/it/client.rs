//! A server in a thread, a tab, and plain HTTP. Nothing here waits for time to go by: all
//! waits are for something to happen, and fail when it does not.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use session::file_access::FileAccess;
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message, protocol::CloseFrame};
use web::{Options, Port, Server, ServerRunError, Stopper};

/// Longer than anything takes, on a machine that does ten things at once.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// A server that runs until it is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) url: String,
    stopper: Stopper,
    thread: Option<JoinHandle<Result<(), ServerRunError>>>,
}

impl TestServer {
    pub(crate) fn start(options: Options) -> Self {
        let server = Server::bind(options).unwrap();
        let (address, url, stopper) = (server.address(), server.url(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self {
            address,
            url,
            stopper,
            thread,
        }
    }

    pub(crate) fn stop(mut self) -> Result<(), ServerRunError> {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stopper.stop();
    }
}

/// At any free port, with no files.
pub(crate) fn options() -> Options {
    Options {
        port: Port::Exactly(0),
        ..Options::new(FileAccess::default())
    }
}

/// A frame, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReceivedFrame {
    pub(crate) header: Value,
    pub(crate) planes: Vec<u8>,
}

impl ReceivedFrame {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let (length, rest) = bytes.split_at(4);
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let (header, planes) = rest.split_at(length);
        let header = serde_json::from_slice(header).unwrap();
        Self {
            header,
            planes: planes.to_vec(),
        }
    }

    /// The live cells of a frame of bits, row by row.
    pub(crate) fn live(&self) -> Vec<(i64, i64)> {
        assert_eq!(self.header["kind"], "bits");
        let corner = |name: &str| self.header[name].as_str().unwrap().parse::<i64>().unwrap();
        let side = |name: &str| self.header[name].as_u64().unwrap() as usize;
        let (x, y, w, h) = (corner("x"), corner("y"), side("w"), side("h"));
        let stride = w.div_ceil(8);
        assert_eq!(self.planes.len(), stride * h);
        let cells = (0..h).flat_map(|row| (0..w).map(move |column| (column, row)));
        cells
            .filter(|(column, row)| {
                self.planes[row * stride + column / 8] >> (7 - column % 8) & 1 == 1
            })
            .map(|(column, row)| (x + column as i64, y + row as i64))
            .collect()
    }
}

/// What a tab hears.
#[derive(Debug)]
pub(crate) enum TabEvent {
    Told(Value),
    Frame(ReceivedFrame),
    Closed(Option<CloseFrame>),
}

/// A tab that keeps the protocol.
pub(crate) struct TestTab {
    pub(crate) socket: WebSocketStream<TcpStream>,
    id: u64,
    /// Frames that came while something else was waited for.
    pub(crate) frames: Vec<ReceivedFrame>,
    /// The last of its kind.
    pub(crate) status: Value,
    pub(crate) look: Value,
    pub(crate) welcome: Value,
}

impl TestTab {
    /// One that has been welcomed.
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let mut tab = Self::with(address, &[]).await.unwrap();
        tab.until(|tab| (!tab.welcome.is_null() && !tab.look.is_null()).then_some(()))
            .await;
        tab
    }

    /// A tab with a view of this size.
    pub(crate) async fn of(address: SocketAddr, width: u32, height: u32) -> Self {
        let mut tab = Self::open(address).await;
        tab.send(json!({ "size": [width, height] })).await;
        tab
    }

    /// One that looks at a world of its own, `world=ID&key=KEY`.
    pub(crate) async fn open_at(address: SocketAddr, world: &str) -> Self {
        let mut tab = Self::at(address, &format!("/live?{world}"), &[])
            .await
            .unwrap();
        tab.until(|tab| (!tab.welcome.is_null() && !tab.look.is_null()).then_some(()))
            .await;
        tab
    }

    /// With headers of its own.
    pub(crate) async fn with(
        address: SocketAddr,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, Error> {
        Self::at(address, "/live", headers).await
    }

    async fn at(
        address: SocketAddr,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, Error> {
        let mut request = format!("ws://{address}{path}").into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(address).await?;
        let shaken = tokio_tungstenite::client_async(request, stream);
        let (socket, _) = timeout(DEADLINE, shaken)
            .await
            .expect("no answer to a handshake")?;
        Ok(Self {
            socket,
            id: 0,
            frames: Vec::new(),
            status: Value::Null,
            look: Value::Null,
            welcome: Value::Null,
        })
    }

    pub(crate) async fn send(&mut self, message: Value) {
        let text = Message::text(message.to_string());
        self.socket.send(text).await.unwrap();
    }

    /// The next thing that is said.
    pub(crate) async fn receive(&mut self) -> TabEvent {
        loop {
            let message = timeout(DEADLINE, self.socket.next())
                .await
                .expect("nothing is said");
            match message {
                Some(Ok(Message::Text(text))) => {
                    let received: Value = serde_json::from_str(&text).unwrap();
                    let keeps = [
                        ("status", &mut self.status),
                        ("look", &mut self.look),
                        ("welcome", &mut self.welcome),
                    ];
                    for (name, kept) in keeps {
                        if let Some(value) = received.get(name) {
                            kept.clone_from(value);
                        }
                    }
                    return TabEvent::Told(received);
                }
                Some(Ok(Message::Binary(bytes))) => {
                    return TabEvent::Frame(ReceivedFrame::read(&bytes));
                }
                Some(Ok(Message::Close(frame))) => return TabEvent::Closed(frame),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return TabEvent::Closed(None),
            }
        }
    }

    /// Listens until what is looked for is there.
    pub(crate) async fn until<T>(&mut self, mut found: impl FnMut(&Self) -> Option<T>) -> T {
        loop {
            if let Some(found) = found(self) {
                return found;
            }
            match self.receive().await {
                TabEvent::Frame(frame) => self.frames.push(frame),
                TabEvent::Told(_) => {}
                TabEvent::Closed(frame) => panic!("closed: {frame:?}"),
            }
        }
    }

    /// Sends a command and waits for the reply.
    pub(crate) async fn command(&mut self, text: &str) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(json!({ "do": text, "id": id })).await;
        loop {
            match self.receive().await {
                TabEvent::Told(received) if received["reply"]["id"] == id => {
                    return received["reply"].clone();
                }
                TabEvent::Told(_) => {}
                TabEvent::Frame(frame) => self.frames.push(frame),
                TabEvent::Closed(frame) => panic!("closed: {frame:?}"),
            }
        }
    }

    /// A command that is done.
    pub(crate) async fn expect_ok(&mut self, text: &str) -> Value {
        let reply = self.command(text).await;
        assert_eq!(reply["ok"], true, "{text}: {reply}");
        reply
    }

    /// Asks for a frame that shows the last command. There must be no credit left before.
    pub(crate) async fn frame(&mut self) -> ReceivedFrame {
        loop {
            self.send(json!({ "credit": 1 })).await;
            let frame = self.next_frame().await;
            if frame.header["id"].as_u64().unwrap() >= self.id {
                return frame;
            }
        }
    }

    pub(crate) async fn next_frame(&mut self) -> ReceivedFrame {
        let heard = self.frames.len();
        self.until(|tab| tab.frames.get(heard).cloned()).await
    }

    /// Waits for a status in which this holds.
    pub(crate) async fn status_with(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        self.until(|tab| holds(&tab.status).then(|| tab.status.clone()))
            .await
    }

    pub(crate) async fn closing(&mut self) -> Option<CloseFrame> {
        loop {
            if let TabEvent::Closed(frame) = self.receive().await {
                return frame;
            }
        }
    }
}

/// The generation in a status.
pub(crate) fn generation(status: &Value) -> u64 {
    status["generation"]
        .as_str()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) code: u16,
    /// In lower case, as they came.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl HttpAnswer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// Sends a request as it is written, `Host` and the end of the connection added.
pub(crate) async fn request(address: SocketAddr, head: &str, body: &[u8]) -> HttpAnswer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let host = if head.contains("Host:") {
        String::new()
    } else {
        format!("Host: {address}\r\n")
    };
    let length = format!("Content-Length: {}\r\n", body.len());
    let head = format!("{head}\r\n{host}{length}Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    // a server that refuses may close before all is sent
    let _ = stream.write_all(body).await;
    answer(&mut stream).await
}

pub(crate) async fn get(address: SocketAddr, path: &str) -> HttpAnswer {
    request(address, &format!("GET {path} HTTP/1.1"), b"").await
}

pub(crate) async fn post(address: SocketAddr, path: &str, body: &[u8]) -> HttpAnswer {
    request(address, &format!("POST {path} HTTP/1.1"), body).await
}

pub(crate) async fn answer(stream: &mut TcpStream) -> HttpAnswer {
    let mut bytes = Vec::new();
    let read = timeout(DEADLINE, stream.read_to_end(&mut bytes)).await;
    let _ = read.expect("no answer");
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    HttpAnswer {
        code: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head,
        body: bytes[end + 4..].to_vec(),
    }
}

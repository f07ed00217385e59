//! Many games at once, and many who watch: what the test does for a few moves, and the bench
//! for ten minutes.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// Longer than anything takes.
const DEADLINE: Duration = Duration::from_secs(60);

/// How long something goes on.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "the test counts moves, and the bench has a time")]
pub(crate) enum LoadLength {
    /// Until each game has this many moves.
    Moves(usize),
    /// For a time.
    Time(Duration),
}

/// What is to happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadPlan {
    /// Games at once, of two clients each.
    pub(crate) games: usize,
    /// Who watches each of them.
    pub(crate) watchers: usize,
    /// For how long moves are made.
    pub(crate) length: LoadLength,
    /// Between a game's move and its next.
    pub(crate) pause: Duration,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct LoadResult {
    /// From each move that was sent until its own client had the table with it.
    pub(crate) trips: Vec<Duration>,
    /// Tables received by all clients.
    pub(crate) heard: u64,
}

impl LoadPlan {
    /// Plays and watches; a client that misses a version panics.
    pub(crate) async fn run(self, address: SocketAddr) -> LoadResult {
        let mut games = JoinSet::new();
        for number in 0..self.games {
            games.spawn(self.game(address, number));
        }
        let mut found = LoadResult::default();
        while let Some(game) = games.join_next().await {
            let game = game.unwrap();
            found.trips.extend(game.trips);
            found.heard += game.heard;
        }
        found
    }

    async fn game(self, address: SocketAddr, number: usize) -> LoadResult {
        let made = made(address).await;
        let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
        let mut first = LoadClient::open(address, id, key).await;
        let mut second = LoadClient::open(address, id, "").await;
        second
            .send(json!({ "do": "sit", "seat": 1, "id": 0 }))
            .await;
        let (end, has_ended) = watch::channel(None);
        let mut watchers = JoinSet::new();
        for _ in 0..self.watchers {
            let mut watcher = LoadClient::open(address, id, "").await;
            let mut has_ended = has_ended.clone();
            watchers.spawn(async move {
                loop {
                    let last: Option<u64> = *has_ended.borrow();
                    if last.is_some_and(|last| watcher.version >= last) {
                        return watcher.heard;
                    }
                    tokio::select! {
                        () = watcher.receive() => {}
                        changed = has_ended.changed() => changed.unwrap(),
                    }
                }
            });
        }
        let mut found = LoadResult::default();
        let begun = Instant::now();
        // so that not all move at the same moment
        tokio::time::sleep(self.pause * (number as u32 % 16) / 16).await;
        loop {
            let is_over = match self.length {
                LoadLength::Moves(most) => found.trips.len() >= most,
                LoadLength::Time(most) => begun.elapsed() >= most,
            };
            if is_over {
                break;
            }
            let turns = first.turns();
            if first.table()["outcome"].is_string() {
                first.send(json!({ "do": "rematch", "id": 1 })).await;
                second.send(json!({ "do": "rematch", "id": 1 })).await;
                first.until(|table| table["outcome"].is_null()).await;
                second.until(|table| table["outcome"].is_null()).await;
                // the seats are exchanged
                std::mem::swap(&mut first, &mut second);
                continue;
            }
            let (mover, other) = match turns % 2 {
                0 => (&mut first, &mut second),
                _ => (&mut second, &mut first),
            };
            let received = mover.table();
            let moves = received["moves"].as_array().unwrap();
            let text = moves[(turns * 31 + number) % moves.len()].clone();
            let sent = Instant::now();
            mover
                .send(json!({ "do": "move", "text": text, "id": 2 }))
                .await;
            mover.until_turns(turns + 1).await;
            found.trips.push(sent.elapsed());
            other.until_turns(turns + 1).await;
            tokio::time::sleep(self.pause).await;
        }
        end.send_replace(Some(first.version.max(second.version)));
        while let Some(heard) = watchers.join_next().await {
            found.heard += heard.unwrap();
        }
        found.heard += first.heard + second.heard;
        found
    }
}

/// A new table, from the server's reply.
async fn made(address: SocketAddr) -> Value {
    let body = json!({ "game": "stones", "seats": ["me", "open"] }).to_string();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /play/tables HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    timeout(DEADLINE, read).await.expect("no answer").unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

/// A client that holds what it hears against what it heard before, and reads as little of it
/// as it can.
struct LoadClient {
    socket: WebSocketStream<TcpStream>,
    /// The last table, as text.
    text: String,
    version: u64,
    heard: u64,
}

impl LoadClient {
    async fn open(address: SocketAddr, id: &str, key: &str) -> Self {
        let request = format!("ws://{address}/play/{id}/live?key={key}");
        let request = request.into_client_request().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let shaken = tokio_tungstenite::client_async(request, stream);
        let (socket, _) = timeout(DEADLINE, shaken).await.expect("no answer").unwrap();
        let mut client = Self {
            socket,
            text: String::new(),
            version: 0,
            heard: 0,
        };
        client.receive().await;
        client
    }

    async fn send(&mut self, message: Value) {
        let text = Message::text(message.to_string());
        self.socket.send(text).await.unwrap();
    }

    /// Listens until a table comes.
    async fn receive(&mut self) {
        loop {
            let message = timeout(DEADLINE, self.socket.next()).await;
            let Some(Ok(message)) = message.expect("nothing is said") else {
                panic!("the server let go");
            };
            let Message::Text(text) = message else {
                continue;
            };
            if text.starts_with("{\"error\"") {
                panic!("{text}");
            }
            if !text.starts_with("{\"table\"") {
                continue;
            }
            let version = number_after(&text, "\"version\":");
            assert!(
                self.heard == 0 || version == self.version + 1,
                "version {version} came after {}",
                self.version
            );
            self.heard += 1;
            self.version = version;
            self.text = text.as_str().into();
            return;
        }
    }

    fn table(&self) -> Value {
        let received: Value = serde_json::from_str(&self.text).unwrap();
        received["table"].clone()
    }

    /// How many turns were played.
    fn turns(&self) -> usize {
        let start = self.text.find("\"history\":[").unwrap() + "\"history\":[".len();
        let rest = &self.text[start..];
        let list = &rest[..rest.find(']').unwrap()];
        match list.is_empty() {
            true => 0,
            false => list.matches(',').count() + 1,
        }
    }

    async fn until_turns(&mut self, turns: usize) {
        while self.turns() != turns {
            self.receive().await;
        }
    }

    async fn until(&mut self, holds: impl Fn(&Value) -> bool) {
        while !holds(&self.table()) {
            self.receive().await;
        }
    }
}

/// The number behind the last of these words.
fn number_after(text: &str, words: &str) -> u64 {
    let start = text.rfind(words).unwrap() + words.len();
    let rest = &text[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap();
    rest[..end].parse().unwrap()
}

//! A page at a table, as tests have it.

use crate::client::{DEADLINE, HttpAnswer, TabEvent, get, request};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// A page at a table.
pub(crate) struct TableTestPage {
    pub(crate) socket: WebSocketStream<TcpStream>,
    id: u64,
    /// The latest table.
    pub(crate) table: Value,
    /// The seat that the server assigned.
    pub(crate) seat: Value,
    /// The key of its seat, once it has been given one.
    pub(crate) key: String,
    /// Every version received, in order.
    pub(crate) versions: Vec<u64>,
}

/// What a new table is to be: `make(address, json!({...}))` gives its ID and the maker's key.
pub(crate) async fn make(address: SocketAddr, wanted: Value) -> (String, String) {
    let answer = post(address, &wanted).await;
    assert_eq!(answer.code, 200, "{wanted}: {}", answer.text());
    let received = answer.json();
    let text = |name: &str| received[name].as_str().unwrap_or_default().to_string();
    (text("id"), text("key"))
}

pub(crate) async fn post(address: SocketAddr, wanted: &Value) -> HttpAnswer {
    let head = "POST /play/tables HTTP/1.1\r\nContent-Type: application/json";
    request(address, head, wanted.to_string().as_bytes()).await
}

/// A replay of the game as it stands.
pub(crate) async fn replay(address: SocketAddr, id: &str) -> matches::replay::Replay {
    let answer = get(address, &format!("/play/{id}/replay")).await;
    assert_eq!(answer.code, 200);
    let text = answer.text();
    let mut games = matches::replay::read_text(&text);
    let replay = games.next().unwrap().unwrap();
    assert!(games.next().is_none());
    replay.check().unwrap();
    replay
}

impl TableTestPage {
    /// A page with a key, or without one.
    pub(crate) async fn open(address: SocketAddr, id: &str, key: &str) -> Self {
        let mut page = Self::connect(address, id, key).await;
        while page.table.is_null() {
            page.receive().await;
        }
        page
    }

    pub(crate) async fn connect(address: SocketAddr, id: &str, key: &str) -> Self {
        let request = format!("ws://{address}/play/{id}/live?key={key}");
        let request = request.into_client_request().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        let shaken = tokio_tungstenite::client_async(request, stream);
        let (socket, _) = timeout(DEADLINE, shaken).await.unwrap().unwrap();
        Self {
            socket,
            id: 0,
            table: Value::Null,
            seat: Value::Null,
            key: key.into(),
            versions: Vec::new(),
        }
    }

    /// The next thing that is said; tables and seats are noted.
    pub(crate) async fn receive(&mut self) -> TabEvent {
        loop {
            let message = timeout(DEADLINE, self.socket.next()).await;
            let received: Value = match message.expect("nothing is said") {
                Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Close(frame))) => return TabEvent::Closed(frame),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => return TabEvent::Closed(None),
            };
            if let Some(table) = received.get("table") {
                self.versions.push(table["version"].as_u64().unwrap());
                self.table = table.clone();
            }
            if let Some(you) = received.get("you") {
                self.seat = you["seat"].clone();
                if let Some(key) = you["key"].as_str() {
                    self.key = key.into();
                }
            }
            return TabEvent::Told(received);
        }
    }

    pub(crate) async fn send(&mut self, text: impl Into<String>) {
        assert!(self.try_send(text).await, "the server has closed the page");
    }

    /// Sends, and returns whether the server has not closed the page yet.
    pub(crate) async fn try_send(&mut self, text: impl Into<String>) -> bool {
        let sent = self.socket.send(Message::text(text.into())).await;
        sent.is_ok()
    }

    /// Listens until what is looked for is there.
    pub(crate) async fn until(&mut self, found: impl Fn(&Self) -> bool) {
        while !found(self) {
            if let TabEvent::Closed(frame) = self.receive().await {
                panic!("closed: {frame:?}");
            }
        }
    }

    /// Waits for a number of turns.
    pub(crate) async fn turns(&mut self, turns: usize) {
        self.until(|page| page.history().len() == turns).await;
    }

    /// Says something and waits for the one answer to it: its kind, and the answer.
    pub(crate) async fn ask(&mut self, mut action: Value) -> (String, Value) {
        self.id += 1;
        action["id"] = self.id.into();
        self.send(action.to_string()).await;
        loop {
            let TabEvent::Told(received) = self.receive().await else {
                panic!("closed instead of an answer to {action}");
            };
            let kinds = received.as_object().unwrap().iter();
            let mut kinds = kinds.filter(|(_, answer)| answer["id"] == self.id);
            if let Some((kind, answer)) = kinds.next() {
                return (kind.clone(), answer.clone());
            }
        }
    }

    /// Something that is done.
    pub(crate) async fn expect_ok(&mut self, action: Value) -> Value {
        let (kind, answer) = self.ask(action.clone()).await;
        assert_ne!(kind, "error", "{action}: {answer}");
        answer
    }

    /// Something that is refused; the words.
    pub(crate) async fn refused(&mut self, action: Value) -> String {
        let (kind, answer) = self.ask(action.clone()).await;
        assert_eq!(kind, "error", "{action}: {answer}");
        answer["error"].as_str().unwrap().to_string()
    }

    pub(crate) async fn play(&mut self, text: &str) {
        self.expect_ok(json!({ "do": "move", "text": text })).await;
    }

    pub(crate) fn history(&self) -> Vec<&str> {
        let history = self.table["history"].as_array().unwrap();
        history.iter().map(|turn| turn.as_str().unwrap()).collect()
    }

    /// The first legal move of the seat to move.
    pub(crate) fn legal(&self) -> Vec<String> {
        let moves = self.table["moves"].as_array().unwrap();
        moves
            .iter()
            .map(|text| text.as_str().unwrap().to_string())
            .collect()
    }

    /// Whether versions came one after the other, from wherever they began.
    pub(crate) fn missed_nothing(&self) -> bool {
        self.versions.windows(2).all(|two| two[1] == two[0] + 1)
    }

    /// The close that comes.
    pub(crate) async fn closing(&mut self) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            match self.receive().await {
                TabEvent::Told(received) => heard.push(received),
                TabEvent::Frame(_) => {}
                TabEvent::Closed(_) => return heard,
            }
        }
    }
}

//! What the tests ask of a browser, in the words of W3C's WebDriver (<https://www.w3.org/TR/webdriver2/>),
//! over one connection to its driver. Own method: a request is a line, three headers and JSON.
//!
//! (`fantoccini` lost: with what it needs it took 14 seconds of one core to compile, a
//! hundredth of the whole gate.)

use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Mutex;

/// Under this name an answer has the number of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What a driver said when it did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WebDriverError {
    #[error("the driver does not answer: {0}")]
    Connection(#[from] std::io::Error),
    #[error("the driver's answer cannot be read: {0}")]
    Unreadable(String),
    #[error("{0}")]
    Refused(Value),
}

type Answer<T> = Result<T, WebDriverError>;

/// A browser that is driven. Copies drive the same one.
#[derive(Clone, Debug)]
pub(crate) struct WebDriverClient {
    connection: Arc<Mutex<BufReader<TcpStream>>>,
    /// The driver's address: geckodriver takes no other name for it.
    host: Arc<str>,
    session: Arc<str>,
}

impl WebDriverClient {
    /// Has the driver at this address, `http://HOST:PORT`, start a browser.
    pub(crate) async fn start(url: &str, capabilities: Map<String, Value>) -> Answer<Self> {
        let host = url.trim_start_matches("http://");
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        let mut client = Self {
            connection: Arc::new(Mutex::new(BufReader::new(stream))),
            host: host.into(),
            session: "".into(),
        };
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let begun = client.request("POST", "/session", Some(body)).await?;
        let session = begun["sessionId"].as_str();
        client.session = session
            .ok_or(WebDriverError::Refused(begun.clone()))?
            .into();
        Ok(client)
    }

    /// Ends the browser.
    pub(crate) async fn close(self) -> Answer<()> {
        self.ask("DELETE", "", None).await.map(drop)
    }

    pub(crate) async fn goto(&self, url: &str) -> Answer<()> {
        self.post("/url", json!({ "url": url })).await.map(drop)
    }

    pub(crate) async fn refresh(&self) -> Answer<()> {
        self.post("/refresh", json!({})).await.map(drop)
    }

    /// What a script returns.
    pub(crate) async fn execute(&self, script: &str, arguments: Vec<Value>) -> Answer<Value> {
        let body = json!({ "script": script, "args": arguments });
        self.post("/execute/sync", body).await
    }

    /// What a script gives to its last argument, a function.
    pub(crate) async fn execute_async(&self, script: &str, arguments: Vec<Value>) -> Answer<Value> {
        let body = json!({ "script": script, "args": arguments });
        self.post("/execute/async", body).await
    }

    /// The first element that a selector of CSS finds.
    pub(crate) async fn find(&self, selector: &str) -> Answer<WebElement> {
        let body = json!({ "using": "css selector", "value": selector });
        self.element(self.post("/element", body).await?)
    }

    /// The element that has the focus.
    pub(crate) async fn active_element(&self) -> Answer<WebElement> {
        self.element(self.ask("GET", "/element/active", None).await?)
    }

    fn element(&self, found: Value) -> Answer<WebElement> {
        let Some(id) = found[ELEMENT].as_str() else {
            return Err(WebDriverError::Refused(found));
        };
        Ok(WebElement {
            client: self.clone(),
            path: format!("/element/{id}"),
        })
    }

    /// Moves and presses the mouse, and leaves it where it is.
    pub(crate) async fn perform(&self, actions: &[MouseAction]) -> Answer<()> {
        let actions: Vec<Value> = actions.iter().map(MouseAction::json).collect();
        let mouse = json!({
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": actions,
        });
        let body = json!({ "actions": [mouse] });
        self.post("/actions", body).await.map(drop)
    }

    /// The window's contents as PNG.
    pub(crate) async fn screenshot(&self) -> Answer<Vec<u8>> {
        let picture = self.ask("GET", "/screenshot", None).await?;
        let bytes = picture.as_str().and_then(decode_base64);
        bytes.ok_or(WebDriverError::Unreadable("a screenshot".into()))
    }

    pub(crate) async fn set_window_size(&self, width: u32, height: u32) -> Answer<()> {
        let body = json!({ "width": width, "height": height });
        self.post("/window/rect", body).await.map(drop)
    }

    /// The name of the window that is driven.
    pub(crate) async fn window(&self) -> Answer<String> {
        Ok(text(&self.ask("GET", "/window", None).await?))
    }

    /// Opens a tab, and tells its name.
    pub(crate) async fn new_tab(&self) -> Answer<String> {
        let opened = self.post("/window/new", json!({ "type": "tab" })).await?;
        Ok(text(&opened["handle"]))
    }

    pub(crate) async fn switch_to_window(&self, name: &str) -> Answer<()> {
        let body = json!({ "handle": name });
        self.post("/window", body).await.map(drop)
    }

    pub(crate) async fn close_window(&self) -> Answer<()> {
        self.ask("DELETE", "/window", None).await.map(drop)
    }

    /// Asks for something that is the driver's own, or is written here too seldom for a name.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer<Value> {
        self.ask("POST", path, Some(body)).await
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Answer<Value> {
        let path = format!("/session/{}{path}", self.session);
        self.request(method, &path, body).await
    }

    async fn request(&self, method: &str, path: &str, body: Option<Value>) -> Answer<Value> {
        let body = body.map_or_else(String::new, |body| body.to_string());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        let mut connection = self.connection.lock().await;
        connection.write_all((head + &body).as_bytes()).await?;
        let mut status = String::new();
        connection.read_line(&mut status).await?;
        let mut length = None;
        loop {
            let mut line = String::new();
            connection.read_line(&mut line).await?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok();
            }
        }
        let length = length.ok_or_else(|| WebDriverError::Unreadable(status.clone()))?;
        let mut answer = vec![0; length];
        connection.read_exact(&mut answer).await?;
        drop(connection);
        let answer: Value = serde_json::from_slice(&answer)
            .map_err(|error| WebDriverError::Unreadable(error.to_string()))?;
        match status.split(' ').nth(1) {
            Some("200") => Ok(answer["value"].clone()),
            _ => Err(WebDriverError::Refused(answer["value"].clone())),
        }
    }
}

/// An element of the document.
#[derive(Debug)]
pub(crate) struct WebElement {
    client: WebDriverClient,
    path: String,
}

impl WebElement {
    pub(crate) async fn click(&self) -> Answer<()> {
        self.post("click", json!({})).await
    }

    /// Empties a field.
    pub(crate) async fn clear(&self) -> Answer<()> {
        self.post("clear", json!({})).await
    }

    /// Types text, in which the characters of [`Key`] are keys.
    pub(crate) async fn send_keys(&self, text: &str) -> Answer<()> {
        self.post("value", json!({ "text": text })).await
    }

    async fn post(&self, what: &str, body: Value) -> Answer<()> {
        let path = format!("{}/{what}", self.path);
        self.client.post(&path, body).await.map(drop)
    }
}

/// What is done with a mouse. Places are pixels of the window.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MouseAction {
    MoveTo(f64, f64),
    Down,
    Up,
}

impl MouseAction {
    fn json(&self) -> Value {
        match self {
            Self::MoveTo(x, y) => {
                json!({ "type": "pointerMove", "duration": 0, "origin": "viewport", "x": x, "y": y })
            }
            Self::Down => json!({ "type": "pointerDown", "button": 0 }),
            Self::Up => json!({ "type": "pointerUp", "button": 0 }),
        }
    }
}

/// Keys that are no characters, as WebDriver's table of them has them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    /// Lets go of Shift and its like.
    Null,
    Tab,
    Enter,
    Shift,
    Control,
    Escape,
    PageUp,
    End,
    Home,
    Left,
    Up,
    Right,
    Down,
    Delete,
}

impl From<Key> for char {
    fn from(key: Key) -> char {
        match key {
            Key::Null => '\u{e000}',
            Key::Tab => '\u{e004}',
            Key::Enter => '\u{e007}',
            Key::Shift => '\u{e008}',
            Key::Control => '\u{e009}',
            Key::Escape => '\u{e00c}',
            Key::PageUp => '\u{e00e}',
            Key::End => '\u{e010}',
            Key::Home => '\u{e011}',
            Key::Left => '\u{e012}',
            Key::Up => '\u{e013}',
            Key::Right => '\u{e014}',
            Key::Down => '\u{e015}',
            Key::Delete => '\u{e017}',
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// RFC 4648, section 4.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let sextet = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for letters in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut bits = 0;
        for &letter in letters {
            bits = bits << 6 | u32::from(sextet(letter)?);
        }
        let missing = 4 - letters.len();
        bits <<= 6 * missing;
        bytes.extend(&bits.to_be_bytes()[1..4 - missing]);
    }
    Some(bytes)
}

#[test]
fn base64_is_decoded() {
    let rows = [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo")];
    for (text, bytes) in rows {
        assert_eq!(decode_base64(text).unwrap(), bytes.as_bytes(), "{text}");
    }
    assert_eq!(decode_base64("+/8="), Some(vec![0xfb, 0xff]));
    assert_eq!(decode_base64("?"), None);
}

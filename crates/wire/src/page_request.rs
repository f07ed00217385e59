//! What a page asks for once, a file or a picture, of a world that has no server.
//!
//! The addresses and their parameters are the server's, so that the page is the same one.

use crate::clock::WireClock;
use crate::news::NewsSink;
use crate::world_host::WorldHost;
use crate::{clip, identification, library, reply, rule_box, thumbnail};
use pattern::Format;
use serde_json::{Value, json};
use session::{CommandRefusal, PictureExtent};
use std::sync::Arc;
use std::time::Duration;

/// A request as a page makes it: an address below the page's, and what comes with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageRequest {
    path: String,
    query: Vec<(String, String)>,
    body: Vec<u8>,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The media type.
    pub media_type: &'static str,
    /// The name of a file that is to be kept, and what it leaves out.
    pub download: Option<(String, String)>,
    /// The content.
    pub bytes: Vec<u8>,
}

impl PageAnswer {
    fn new(media_type: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            media_type,
            download: None,
            bytes: bytes.into(),
        }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            ..Self::new("application/json", body.to_string())
        }
    }

    /// A file that is to be kept.
    pub(crate) fn file(name: String, bytes: Vec<u8>) -> Self {
        Self {
            download: Some((name, String::new())),
            ..Self::new("text/plain", bytes)
        }
    }

    /// An order for another machine.
    pub(crate) fn job(bytes: Vec<u8>) -> Self {
        Self::new("application/octet-stream", bytes)
    }

    pub(crate) fn problem(status: u16, error: impl ToString, hint: Option<&str>) -> Self {
        Self::json(status, &reply::problem(error, hint))
    }

    /// Its status, media type, file name and losses as a line of JSON, and then the content.
    ///
    /// ```
    /// # use {session::*, std::{sync::Arc, time::Duration}, wire::*};
    /// # struct Nobody;
    /// # impl NewsSink for Nobody { fn put(&self, _: TabNews) {} fn takes_frame(&self) -> bool { true } }
    /// # let session = Session::new(file_access::FileAccess::default(), 1);
    /// # let mut host = WorldHost::<Nobody>::new(session, Arc::new(|| Duration::ZERO));
    /// let answer = PageRequest::read("/rule.json?text=B36%2FS23", Vec::new()).answer(&mut host);
    /// let bytes = answer.to_bytes();
    /// let end = bytes.iter().position(|&byte| byte == b'\n').expect("a line");
    /// let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    /// assert!(text(&bytes[..end]).contains(r#""download":null"#));
    /// assert!(text(&bytes[end + 1..]).contains(r#""family":"#));
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (name, note) = self.download.clone().unzip();
        let head = json!({
            "status": self.status,
            "type": self.media_type,
            "download": name,
            "note": note,
        });
        let mut bytes = format!("{head}\n").into_bytes();
        bytes.extend_from_slice(&self.bytes);
        bytes
    }
}

impl PageRequest {
    /// Reads an address, `PATH?NAME=VALUE&...` with the escapes of forms.
    ///
    /// ```
    /// let request = wire::PageRequest::read("/rule.json?text=B3%2FS23&x=a+b", Vec::new());
    /// assert_eq!(request.value("text"), Some("B3/S23"));
    /// assert_eq!(request.value("x"), Some("a b"));
    /// assert_eq!(request.value("y"), None);
    /// ```
    #[must_use]
    pub fn read(address: &str, body: Vec<u8>) -> Self {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescaped(name), unescaped(value))
        });
        Self {
            path: unescaped(path),
            query: pairs.collect(),
            body,
        }
    }

    /// Reads an address, a line feed, and what comes with it.
    pub(crate) fn of_bytes(input: &[u8]) -> Self {
        let end = input.iter().position(|&byte| byte == b'\n');
        let (address, body) = input.split_at(end.unwrap_or(input.len()));
        let body = body.get(1..).unwrap_or_default().to_vec();
        Self::read(&String::from_utf8_lossy(address), body)
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// The value of a parameter.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let pair = self.query.iter().find(|(known, _)| known == name);
        pair.map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.parse().ok()
    }

    /// What a picture is to show: `whole=1` and `zoom=8`.
    fn picture_extent(&self) -> PictureExtent {
        PictureExtent {
            is_whole: self.is_set("whole"),
            zoom: self.value("zoom").and_then(|zoom| zoom.parse().ok()),
        }
    }

    fn is_set(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| value != "0")
    }

    /// Answers it. See the example of [`PageAnswer::to_bytes`].
    pub fn answer<Sink: NewsSink>(&self, host: &mut WorldHost<Sink>) -> PageAnswer {
        let tab = self.number("tab");
        let png = |picture: &render::Picture| PageAnswer::new("image/png", render::png(picture));
        match self.path.as_str() {
            "/library.json" => PageAnswer::new("application/json", library::list()),
            "/rule.json" => {
                let text = self.value("text").unwrap_or_default();
                let file_access = host.session.file_access();
                PageAnswer::json(200, &rule_box::explain(file_access, text))
            }
            "/rules.json" => {
                let word = self.value("word").unwrap_or_default();
                let file_access = host.session.file_access();
                PageAnswer::json(200, &rule_box::complete(file_access, word))
            }
            "/formats.json" => {
                let offers = reply::format_offers(&host.session.format_offers());
                PageAnswer::json(200, &offers)
            }
            "/clipboard.json" => match host.session.clip() {
                Some(clip) => PageAnswer::new("application/json", clip::to_json(clip)),
                None => PageAnswer::problem(404, "the clipboard is empty", None),
            },
            "/plot.csv" => {
                let csv = host.session.run_series().csv();
                PageAnswer::new("text/csv; charset=utf-8", csv)
            }
            "/picture.png" => png(&host.picture(tab, &self.picture_extent())),
            "/picture.svg" => {
                let is_printed = self.value("print").is_some();
                let svg = host.svg(tab, is_printed, &self.picture_extent());
                PageAnswer::new("image/svg+xml", svg)
            }
            "/icons.png" => {
                let side = self.number("side").unwrap_or_default();
                let side = u32::try_from(side).unwrap_or_default();
                let icons = host.icons(tab, side);
                let none = "this rule has no icons of this size";
                icons.map_or_else(|| PageAnswer::problem(404, none, None), |icons| png(&icons))
            }
            "/identify.jsonl" => {
                let found = identification::answer(&host.session, host.clock());
                PageAnswer::new("application/jsonl", format!("{found}\n"))
            }
            "/timeline.png" => self.thumbnail(host, tab),
            "/open" => self.open(host),
            "/save" => self.save(host),
            path => self.library_picture(path),
        }
    }

    fn library_picture(&self, path: &str) -> PageAnswer {
        let name = path.strip_prefix("/library/");
        let name = name.and_then(|name| name.strip_suffix(".png"));
        let theme = self.value("theme").unwrap_or("paper");
        match name.and_then(|name| library::picture(name, theme)) {
            Some(picture) => PageAnswer::new("image/png", &*picture),
            None => PageAnswer::problem(404, "there is nothing here", None),
        }
    }

    fn thumbnail<Sink: NewsSink>(&self, host: &WorldHost<Sink>, tab: Option<u64>) -> PageAnswer {
        let id = self.number("id").unwrap_or(u64::MAX);
        let Some(scene) = host.thumbnail(tab, id) else {
            return PageAnswer::problem(404, "this generation is not kept any more", None);
        };
        // what is drawn here cannot be interrupted
        let stopped: WireClock = Arc::new(|| Duration::ZERO);
        match thumbnail::draw(&scene, &stopped) {
            Some(png) => PageAnswer::new("image/png", png),
            None => {
                let words = "this generation is too large for a small picture";
                PageAnswer::problem(404, words, None)
            }
        }
    }

    fn open<Sink: NewsSink>(&self, host: &mut WorldHost<Sink>) -> PageAnswer {
        let file_access = host.session.file_access();
        let most = file_access.limits.upload;
        if self.body.len() as u64 > most {
            let words = format!(
                "the file has {} bytes, and at most {most} are taken here",
                self.body.len()
            );
            let hint = "gzip makes most files smaller";
            return PageAnswer::problem(413, words, Some(hint));
        }
        let name = self.value("name").unwrap_or_default();
        let sidecar = self.value("sidecar").map(String::from);
        let outcome = match file_access.read(name, &self.body, sidecar) {
            Ok(found) => host.load(found, self.is_set("anyway")),
            Err(error) => Err(CommandRefusal::from(error)),
        };
        PageAnswer::json(reply::code(&outcome), &reply::outcome(&outcome))
    }

    fn save<Sink: NewsSink>(&self, host: &mut WorldHost<Sink>) -> PageAnswer {
        let wanted = self.value("format").unwrap_or_default();
        let format = Format::from_name(wanted).filter(|format| format.is_written());
        let Some(format) = format else {
            let words = format!("`{wanted}` is no format that can be written");
            return PageAnswer::problem(400, words, None);
        };
        let name = reply::file_name(self.value("name").unwrap_or_default(), format);
        let saved = match host.save(format, &name, self.value("shared").is_some()) {
            Ok(saved) => saved,
            Err(refusal) => {
                return PageAnswer::problem(422, &refusal, refusal.hint().as_deref());
            }
        };
        let (name, bytes) = match (self.is_set("sidecar"), saved.sidecar) {
            (false, _) => (saved.name, saved.bytes),
            (true, Some(sidecar)) => sidecar,
            (true, None) => {
                let words = "this format holds the settings itself";
                return PageAnswer::problem(404, words, None);
            }
        };
        PageAnswer {
            download: Some((name, saved.losses.join("; "))),
            ..PageAnswer::new("application/octet-stream", bytes)
        }
    }
}

/// A text of a form: `+` is a blank, and `%` begins two hexadecimal digits. What is no escape
/// stays as it is.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = match (first, after) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                digit(high).zip(digit(low))
            }
            _ => None,
        };
        match escape {
            Some((high, low)) => bytes.push((high * 16 + low) as u8),
            None => bytes.push(if *first == b'+' { b' ' } else { *first }),
        }
        rest = &after[if escape.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_forms() {
        let rows = [
            ("a+b%20c", "a b c"),
            ("%C3%A4%e2%82%ac", "ä€"),
            ("100%", "100%"),
            ("%4", "%4"),
            ("%zz", "%zz"),
            ("%ff", "\u{fffd}"),
            ("", ""),
        ];
        for (text, expected) in rows {
            assert_eq!(unescaped(text), expected, "{text}");
        }
    }

    struct Nobody;

    impl NewsSink for Nobody {
        fn put(&self, _: crate::news::TabNews) {}

        fn takes_frame(&self) -> bool {
            true
        }
    }

    /// Each address that the page asks for is answered as the server answers it.
    #[test]
    fn what_a_page_asks_for_is_answered() {
        let session = session::Session::new(session::file_access::FileAccess::default(), 1);
        let mut host = WorldHost::<Nobody>::new(session, Arc::new(|| Duration::ZERO));
        let mut answer = |address: &str, body: &[u8]| {
            let answer = PageRequest::read(address, body.to_vec()).answer(&mut host);
            let text = String::from_utf8_lossy(&answer.bytes).into_owned();
            (answer.status, answer.media_type, text)
        };
        let opened = answer("/open?name=x.rle", b"x = 3, y = 2\nb3o$3o!");
        assert_eq!((opened.0, &opened.2[..]), (200, "{\"ok\":true}"));
        let rows = [
            ("/identify.jsonl", 200, "\"title\":\"toad\""),
            ("/formats.json", 200, "\"rle\""),
            ("/clipboard.json", 404, "the clipboard is empty"),
            ("/plot.csv", 200, "generation,population"),
            ("/picture.svg?print=1", 200, "<svg"),
            (
                "/picture.svg?whole=1&zoom=10",
                200,
                "width=\"60\" height=\"40\"",
            ),
            ("/picture.png", 200, "PNG"),
            ("/library/glider.png?theme=blueprint", 200, "PNG"),
            ("/library/no-pattern.png", 404, "there is nothing here"),
            ("/library.json", 200, "gosper-glider-gun"),
            ("/rules.json?word=high", 200, "HighLife"),
            ("/rule.json?text=B9", 200, "\"ok\":false"),
            ("/icons.png?side=7", 404, "no icons of this size"),
            ("/timeline.png?id=99", 404, "not kept any more"),
            ("/save?format=rle&name=a/b", 200, "b3o$3o!"),
            (
                "/save?format=rle&sidecar=1",
                404,
                "holds the settings itself",
            ),
            ("/save?format=nothing", 400, "no format that can be written"),
            ("/elsewhere", 404, "there is nothing here"),
        ];
        for (address, status, part) in rows {
            let (found, media_type, text) = answer(address, b"");
            assert_eq!(found, status, "{address}");
            assert!(text.contains(part), "{address}: {media_type} {text:.200}");
        }
        assert_eq!(answer("/open?name=x.rle", b"\xff\xfe").0, 422);
    }
}

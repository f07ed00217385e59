//! Who is let in.

use crate::client::{TestServer, TestTab, get, options, request};
use futures_util::SinkExt as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::{Error, Message};
use web::{BindError, Options, Port, Server};

fn code(outcome: Result<TestTab, Error>) -> u16 {
    match outcome {
        Ok(_) => 101,
        Err(Error::Http(response)) => response.status().as_u16(),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn pages_of_others_get_nothing() {
    let server = TestServer::start(options());
    let own = format!("http://{}", server.address);
    let port = server.address.port();
    let localhost = format!("http://localhost:{port}");
    for (origin, expected) in [
        (own.as_str(), 101),
        (localhost.as_str(), 403),
        ("http://evil.example", 403),
        ("http://127.0.0.1:1", 403),
        ("null", 403),
    ] {
        let tab = TestTab::with(server.address, &[("origin", origin)]).await;
        assert_eq!(code(tab), expected, "{origin}");
    }
    for (host, expected) in [
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        (format!("127.0.0.1:{port}"), 200),
        (format!("evil.example:{port}"), 403),
        ("192.0.2.7".to_string(), 403),
    ] {
        let head = format!("GET /library.json HTTP/1.1\r\nHost: {host}");
        let answer = request(server.address, &head, b"").await;
        assert_eq!(answer.code, expected, "{host}");
    }
    let head = "POST /open?name=a.rle&anyway=1 HTTP/1.1\r\nOrigin: http://evil.example";
    let answer = request(server.address, head, b"3o!").await;
    assert_eq!(answer.code, 403);
    assert!(answer.json()["hint"].is_string());
}

#[tokio::test]
async fn a_server_for_others_wants_its_token() {
    let everywhere = Options {
        address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        ..options()
    };
    let server = TestServer::start(everywhere);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server.address.port()));
    let (place, token) = server.url.split_once("?token=").unwrap();
    assert_eq!(place, format!("http://{address}/"));
    assert_eq!(get(address, "/").await.code, 403);
    assert_eq!(
        get(
            address,
            &format!("/?token={}", token.replace(|_| true, "0"))
        )
        .await
        .code,
        403
    );
    assert_eq!(code(TestTab::with(address, &[]).await), 403);
    let answer = get(address, &format!("/?token={token}")).await;
    assert_eq!(answer.code, 200);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.contains("httponly") && cookie.contains("samesite=strict"),
        "{cookie}"
    );
    let cookie = format!("gridpaper-{}={token}", address.port());
    assert_eq!(
        code(TestTab::with(address, &[("cookie", &cookie)]).await),
        101
    );
}

#[tokio::test]
async fn a_server_on_this_machine_wants_none() {
    let server = TestServer::start(options());
    assert!(!server.url.contains("token"));
    let answer = get(server.address, "/").await;
    assert_eq!(answer.code, 200);
    assert!(answer.header("set-cookie").is_none());
}

#[tokio::test]
async fn answers_carry_what_keeps_a_page_safe() {
    let server = TestServer::start(options());
    for path in [
        "/",
        "/library.json",
        "/page/main.js",
        "/nothing",
        "/save?format=rle",
    ] {
        let answer = get(server.address, path).await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(answer.header("x-frame-options"), Some("deny"), "{path}");
        assert_eq!(
            answer.header("referrer-policy"),
            Some("no-referrer"),
            "{path}"
        );
    }
    // the token is in the address that a refused request came to: not to be passed on either
    let head = "GET / HTTP/1.1\r\nHost: evil.example";
    let answer = request(server.address, head, b"").await;
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
}

#[tokio::test]
async fn only_the_page_is_served() {
    let server = TestServer::start(options());
    for path in [
        "/page/../Cargo.toml",
        "/page/%2e%2e/Cargo.toml",
        "/page/..%2fCargo.toml",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/package.json",
        "/page/tsconfig.json",
        "/Cargo.toml",
    ] {
        assert_eq!(get(server.address, path).await.code, 404, "{path}");
    }
}

#[test]
fn a_port_that_is_taken_is_told_or_passed_over() {
    let first = Server::bind(options()).unwrap();
    let taken = first.address().port();
    let bound = |port| Server::bind(Options { port, ..options() });
    let Err(error) = bound(Port::Exactly(taken)) else {
        panic!("a port was taken twice");
    };
    assert!(matches!(error, BindError::Address { .. }));
    assert!(error.hint().is_some());
    let second = bound(Port::From(taken)).unwrap();
    assert!(second.address().port() > taken);
    assert!(
        second.notes()[0].contains(&taken.to_string()),
        "{:?}",
        second.notes()
    );
}

/// Issue 28: no depth of a text is a depth of the stack.
#[tokio::test]
async fn json_may_be_as_deep_as_it_likes_and_is_refused() {
    let server = TestServer::start(options());
    for path in ["/play/tables", "/arena/cups"] {
        for part in ["[", "{\"game\":"] {
            // as much as is taken at once
            let deep = part.repeat((64 << 10) / part.len());
            let head = format!("POST {path} HTTP/1.1\r\nContent-Type: application/json");
            let answer = request(server.address, &head, deep.as_bytes()).await;
            assert_eq!(answer.code, 400, "{path} {part}");
            let received = answer.text();
            assert!(received.len() < 300, "{path} {part}: {received:.300}");
        }
    }
    for path in ["/laser/live", "/classroom/live", "/arena/live", "/live"] {
        let url = format!("ws://{}{path}", server.address);
        let stream = TcpStream::connect(server.address).await.unwrap();
        let (mut socket, _) = client_async(url, stream).await.unwrap();
        let deep = "[".repeat(64 << 10);
        socket.send(Message::text(deep)).await.unwrap();
        drop(socket);
    }
    assert_eq!(get(server.address, "/").await.code, 200);
}

/// Issue 31: a wrong address showed JSON to a person.
#[tokio::test]
async fn a_wrong_address_is_a_page_for_a_person_and_json_for_a_program() {
    let server = TestServer::start(options());
    let person = "GET /nowhere HTTP/1.1\r\nAccept: text/html,application/xhtml+xml";
    let page = request(server.address, person, b"").await;
    assert_eq!(page.code, 404);
    assert!(
        page.header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
    let text = page.text();
    assert!(text.contains("there is nothing here") && text.contains("<a href=\"/\">"));
    let program = get(server.address, "/nowhere").await;
    assert_eq!(
        (program.code, program.json()["ok"].clone()),
        (404, false.into())
    );
    let evil = "GET / HTTP/1.1\r\nAccept: text/html\r\nHost: <b>x</b>";
    let page = request(server.address, evil, b"").await;
    assert_eq!(page.code, 403);
    assert!(page.text().contains("&lt;b&gt;") && !page.text().contains("<b>"));
}

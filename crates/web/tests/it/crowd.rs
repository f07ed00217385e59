//! Fifty connections at once, most of them bad ones: a good one notices nothing, and what
//! they cost does not grow.

use crate::client::{ReceivedFrame, TestServer, TestTab, options};
use futures_util::SinkExt as _;
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

/// How many of each bad kind.
const EACH: usize = 7;

/// What those see that do not read, at a cell a pixel: 256 kB a frame.
const SIZE: [u32; 2] = [1920, 1080];

/// Frames that the good one looks at: with frames queued for each that does not read, the
/// memory of this process would grow by 270 MB in that time.
const FRAMES: usize = 150;

/// What it may grow by: the frames that are on their way, and what TCP holds.
const MOST_GROWTH: u64 = 96 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_company_costs_a_good_tab_nothing() {
    let server = TestServer::start(options());
    let address = server.address;
    let mut good = TestTab::of(address, 640, 480).await;
    good.expect_ok("anyway soup 256x256 0.3 seed 1").await;
    good.expect_ok("zoom 1").await;
    good.expect_ok("centre 0,0").await;
    good.expect_ok("speed max").await;
    good.expect_ok("run").await;

    let mut crowd = JoinSet::new();
    for _ in 0..EACH {
        crowd.spawn(never_reads(address));
        crowd.spawn(half_a_handshake(address));
        crowd.spawn(half_a_message(address));
        crowd.spawn(says_too_much(address));
        crowd.spawn(says_nonsense(address));
        crowd.spawn(comes_from_elsewhere(address));
        crowd.spawn(says_nothing(address));
    }
    // all of them are there before it is looked at what they cost
    watched(&mut good, FRAMES / 3).await;
    let before = resident();
    let seen = watched(&mut good, FRAMES).await;
    let after = resident();
    assert!(seen.header["revision"].as_u64() > Some(FRAMES as u64));
    assert!(
        after < before + MOST_GROWTH,
        "{} MiB more for {FRAMES} frames",
        (after - before) >> 20
    );
    // commands are answered, the page is served, others may come
    good.expect_ok("stop").await;
    assert_eq!(good.expect_ok("cursor 3,4").await["ok"], true);
    assert_eq!(crate::client::get(address, "/library.json").await.code, 200);
    let mut further = TestTab::of(address, 640, 480).await;
    further.expect_ok("fit").await;
    further.frame().await;
    crowd.shutdown().await;
    drop((good, further));
    server.stop().unwrap();
}

/// Looks at so many frames, each paid for when the one before is seen; gives the last.
async fn watched(tab: &mut TestTab, frames: usize) -> ReceivedFrame {
    let mut last = None;
    for _ in 0..frames {
        tab.send(json!({ "credit": 1 })).await;
        last = Some(tab.next_frame().await);
        tab.frames.clear();
    }
    last.unwrap()
}

/// Bytes of memory that this process has, client and server; 0 where the system does not
/// tell.
fn resident() -> u64 {
    let received = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = received
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    pages * 4096
}

/// Pays for frames for ever, and never takes one.
async fn never_reads(address: SocketAddr) {
    let Ok(mut tab) = TestTab::with(address, &[]).await else {
        return;
    };
    let [width, height] = SIZE;
    tab.send(json!({ "size": [width, height] })).await;
    tab.send(json!({ "do": "zoom 1", "id": 1 })).await;
    loop {
        let credit = Message::text(json!({ "credit": 4 }).to_string());
        if tab.socket.send(credit).await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn half_a_handshake(address: SocketAddr) {
    let Ok(mut stream) = TcpStream::connect(address).await else {
        return;
    };
    let head = format!("GET /live HTTP/1.1\r\nHost: {address}\r\nUpgrade: webso");
    let _ = stream.write_all(head.as_bytes()).await;
    std::future::pending().await
}

async fn half_a_message(address: SocketAddr) {
    let Ok(mut tab) = TestTab::with(address, &[]).await else {
        return;
    };
    // a text of 64 KiB, masked, of which five letters come
    let begun = [
        0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4, b'h', b'a', b'l', b'f', b' ',
    ];
    let _ = tab.socket.get_mut().write_all(&begun).await;
    std::future::pending().await
}

async fn says_too_much(address: SocketAddr) {
    let text = format!("{{\"do\":\"{}\",\"id\":1}}", "x".repeat(3 << 20));
    loop {
        let Ok(mut tab) = TestTab::with(address, &[]).await else {
            return;
        };
        let _ = tab.socket.send(Message::text(text.clone())).await;
        tab.closing().await;
    }
}

async fn says_nonsense(address: SocketAddr) {
    loop {
        let Ok(mut tab) = TestTab::with(address, &[]).await else {
            return;
        };
        while tab.socket.send(Message::text("{\"jump\":")).await.is_ok() {
            if let crate::client::TabEvent::Closed(_) = tab.receive().await {
                break;
            }
        }
    }
}

async fn comes_from_elsewhere(address: SocketAddr) {
    loop {
        let tab = TestTab::with(address, &[("origin", "http://evil.example")]).await;
        assert!(tab.is_err(), "a page from elsewhere was let in");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn says_nothing(address: SocketAddr) {
    let _tab = TestTab::with(address, &[]).await;
    std::future::pending().await
}

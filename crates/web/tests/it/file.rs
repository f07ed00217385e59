//! Files in and out, pictures, rules in words.

use crate::client::{HttpAnswer, TestServer, TestTab, generation, get, options, request};
use pattern::Format;
use session::file_access::FileAccess;
use std::net::SocketAddr;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use web::Options;

async fn post(address: SocketAddr, path: &str, body: &[u8]) -> HttpAnswer {
    request(address, &format!("POST {path} HTTP/1.1"), body).await
}

/// A server that takes no file longer than this.
fn with_upload(most: u64) -> Options {
    let mut file_access = FileAccess::default();
    file_access.limits.upload = most;
    Options {
        port: web::Port::Exactly(0),
        ..Options::new(file_access)
    }
}

#[tokio::test]
async fn a_file_that_is_too_large_is_told() {
    let server = TestServer::start(with_upload(1000));
    let long = "o".repeat(1001);
    let answer = post(
        server.address,
        "/open?name=long.rle&anyway=1",
        long.as_bytes(),
    )
    .await;
    assert_eq!(answer.code, 413);
    let received = answer.json();
    assert_eq!(received["ok"], false);
    let words = received["error"].as_str().unwrap();
    assert!(words.contains("1001") && words.contains("1000"), "{words}");
    // and where the length is not told beforehand
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST /open?name=long.rle HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..3 {
        let chunk = format!("{:x}\r\n{}\r\n", 500, "o".repeat(500));
        stream.write_all(chunk.as_bytes()).await.unwrap();
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
    let answer = crate::client::answer(&mut stream).await;
    assert_eq!(answer.code, 413);
    assert!(answer.json()["error"].as_str().unwrap().contains("1000"));
    // one that fits is taken
    let answer = post(server.address, "/open?name=short.rle&anyway=1", b"3o!").await;
    assert_eq!((answer.code, &answer.json()["ok"]), (200, &true.into()));
}

#[tokio::test]
async fn a_broken_file_leaves_the_world_alone() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("anyway open acorn").await;
    let before = tab.status_with(|status| status["title"] == "Acorn").await;
    let broken = b"x = 3, y = 3, rule = B3/S23\nbo$2b?o$3o!";
    let answer = post(server.address, "/open?name=broken.rle&anyway=1", broken).await;
    assert_eq!(answer.code, 422);
    let words = answer.json()["error"].as_str().unwrap().to_string();
    assert!(words.contains("broken.rle:2:"), "{words}");
    tab.expect_ok("cursor 0,0").await;
    tab.status_with(|status| !status["viewer"]["cursor"].is_null())
        .await;
    assert_eq!(tab.status["population"], before["population"]);
    assert_eq!(tab.status["title"], before["title"]);
}

#[tokio::test]
async fn unsaved_work_comes_back_by_undo() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("stop").await;
    tab.expect_ok("flip 100,100").await;
    let answer = post(server.address, "/open?name=a.rle", b"3o!").await;
    assert_eq!(answer.code, 200);
    assert_eq!(answer.json()["undo"], true);
    tab.status_with(|status| status["population"] == "3").await;
    tab.expect_ok("undo").await;
    tab.status_with(|status| status["unsaved"] == true).await;
}

#[tokio::test]
async fn what_is_saved_reads_back_equal() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("anyway open acorn").await;
    tab.expect_ok("step 100").await;
    let status = tab
        .status_with(|status| status["generation"] == "100")
        .await;
    let mut hashes = Vec::new();
    for format in Format::ALL.into_iter().filter(|format| format.is_written()) {
        let path = format!(
            "/save?format={}&name=a%20b",
            format.name().replace(' ', "%20")
        );
        let answer = get(server.address, &path).await;
        if answer.code == 422 {
            // what it cannot hold it says
            assert!(answer.json()["error"].is_string());
            continue;
        }
        assert_eq!(answer.code, 200, "{path}: {}", answer.text());
        let disposition = answer.header("content-disposition").unwrap();
        assert!(disposition.starts_with("attachment;") && disposition.contains("a%20b."));
        let (pattern, _) = pattern::read(&answer.body).unwrap();
        assert_eq!(
            status["population"],
            pattern.cells.population().to_string().as_str()
        );
        hashes.push(pattern.cells.hash());
    }
    assert!(hashes.len() >= 4, "{} formats", hashes.len());
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    assert_eq!(get(server.address, "/save?format=doc").await.code, 400);
    // settings that rle holds have no file of their own; beside cells they have
    assert_eq!(
        get(server.address, "/save?format=rle&name=x&sidecar=1")
            .await
            .code,
        404
    );
    let beside = get(server.address, "/save?format=cells&name=x&sidecar=1").await;
    let beside = if beside.code == 400 {
        get(server.address, "/save?format=plaintext&name=x&sidecar=1").await
    } else {
        beside
    };
    assert_eq!(beside.code, 200, "{}", beside.text());
    assert!(
        beside
            .header("content-disposition")
            .unwrap()
            .contains(".toml")
    );
}

#[tokio::test]
async fn pictures_are_pictures() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 320, 200).await;
    tab.expect_ok("stop").await;
    let number = tab.welcome["tab"].as_u64().unwrap();
    let png = get(server.address, &format!("/picture.png?tab={number}")).await;
    assert_eq!(png.header("content-type"), Some("image/png"));
    let side = |at: usize| u32::from_be_bytes(png.body[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (320, 200));
    let svg = get(server.address, &format!("/picture.svg?tab={number}")).await;
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    assert!(svg.text().contains("<svg"));
    let one = get(server.address, "/library/glider.png?theme=blueprint").await;
    assert_eq!(
        (one.code, one.header("content-type")),
        (200, Some("image/png"))
    );
    let tag = one.header("etag").unwrap();
    let head = format!("GET /library/glider.png?theme=blueprint HTTP/1.1\r\nIf-None-Match: {tag}");
    assert_eq!(request(server.address, &head, b"").await.code, 304);
    assert_eq!(get(server.address, "/library/no-such.png").await.code, 404);
    let list = get(server.address, "/library.json").await.json();
    assert_eq!(
        list.as_array().unwrap().len(),
        pattern::library::all().len()
    );
}

#[tokio::test]
async fn rules_are_told_in_words() {
    let server = TestServer::start(options());
    let received = get(server.address, "/rule.json?text=B36%2FS23")
        .await
        .json();
    assert_eq!(
        (&received["ok"], &received["name"]),
        (&true.into(), &"B36/S23".into())
    );
    let received = get(server.address, "/rule.json?text=B3/Z").await.json();
    assert_eq!(received["ok"], false);
    let found = get(server.address, "/rules.json?word=highl").await.json();
    assert_eq!(found[0]["text"], "HighLife");
}

/// Issue 31: a large pattern opens with a step size that suits it, and the reply says so.
#[tokio::test]
async fn a_large_pattern_opens_with_long_steps() {
    let server = TestServer::start(options());
    let mut tab = TestTab::open(server.address).await;
    // a machine that does something else meanwhile may call the engine slow
    let note = loop {
        let reply = tab.expect_ok("open 3o99994b3o!").await;
        if let Some(note) = reply["note"].as_str() {
            break note.to_string();
        }
    };
    assert!(note.starts_with("steps of "), "{note}");
    let status = tab.status_with(|status| status["stride"] != "1").await;
    assert_eq!(generation(&status), 0);
    tab.expect_ok("open glider").await;
    tab.status_with(|status| status["stride"] == "1").await;
}

/// Issue 31: the library names one's own files too.
#[tokio::test]
async fn a_page_is_told_of_the_files_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.rle"), "3o!").unwrap();
    // what is no pattern by its name is not listed
    std::fs::write(folder.path().join("notes.pdf"), "no pattern").unwrap();
    for (file_access, files) in [
        (FileAccess::for_folder(folder.path()), vec!["mine.rle"]),
        (FileAccess::default(), Vec::new()),
    ] {
        let server = TestServer::start(Options {
            port: web::Port::Exactly(0),
            ..Options::new(file_access)
        });
        let tab = TestTab::of(server.address, 64, 48).await;
        assert_eq!(tab.welcome["files"], serde_json::json!(files));
        assert_eq!(tab.welcome["folder"], !files.is_empty());
    }
}

//! Work outlives the server, however that ends.

use crate::client::{TestServer, TestTab, get, options};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use web::{BindError, Options, Server, Start, StartSheet, StateFolder};

/// Where the child that is a server keeps its draft.
const STATE: &str = "GRIDPAPER_TEST_STATE";

/// Not a test: what the test below starts this program again for.
#[test]
#[ignore = "a server that the test below it starts and kills"]
fn a_server_that_is_killed() {
    let state = std::env::var_os(STATE).expect("the test names its folder");
    let server = Server::bind(Options {
        state: Some(StateFolder::Named(state.into())),
        ..options()
    })
    .unwrap();
    // a line of its own: what runs tests writes its own words before it
    println!("\naddress {}", server.address());
    server.run().unwrap();
}

/// A server in a process of its own, which is killed when it is dropped.
struct ServerProcess {
    child: Child,
    address: SocketAddr,
}

impl ServerProcess {
    fn start(state: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "draft::a_server_that_is_killed",
            "--ignored",
            "--nocapture",
        ]);
        command.env(STATE, state).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut addresses = lines.map_while(Result::ok);
        let address = addresses.find_map(|line| line.strip_prefix("address ").map(str::to_string));
        let address = address
            .expect("the server says where it is")
            .parse()
            .unwrap();
        Self { child, address }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // SIGKILL, on a system that has it: nothing can be done before the end
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Waits until there is a draft with this in it.
fn wait_for_draft(folder: &Path, word: &str) {
    let begun = Instant::now();
    let path = folder.join("serve.draft");
    while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains(word)) {
        assert!(
            begun.elapsed() < crate::client::DEADLINE,
            "no draft with {word}"
        );
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn work_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let first = ServerProcess::start(folder.path());
    let mut tab = TestTab::of(first.address, 640, 480).await;
    tab.expect_ok("anyway new").await;
    tab.expect_ok("rule B36/S23").await;
    tab.expect_ok("paste 5,6 or bo$2bo$3o!").await;
    tab.expect_ok("comment not saved anywhere").await;
    wait_for_draft(folder.path(), "not saved anywhere");
    drop(first);

    let second = ServerProcess::start(folder.path());
    let mut tab = TestTab::of(second.address, 640, 480).await;
    tab.expect_ok("zoom 8").await;
    tab.expect_ok("centre 0,0").await;
    let cells = [(6, 6), (7, 7), (5, 8), (6, 8), (7, 8)];
    assert_eq!(tab.frame().await.live(), cells);
    let status = tab.status_with(|status| status["rule"] == "B36/S23").await;
    assert_eq!(status["unsaved"], true);
    assert_eq!(status["running"], false);
    assert_eq!(status["comments"][0], "not saved anywhere");
    assert!(
        tab.welcome["note"].is_string(),
        "it is told that it came back"
    );
}

#[tokio::test]
async fn a_server_that_is_stopped_keeps_the_last_stroke() {
    let folder = tempfile::tempdir().unwrap();
    let with_state = || Options {
        state: Some(StateFolder::Named(folder.path().into())),
        ..options()
    };
    let server = TestServer::start(with_state());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("anyway new").await;
    tab.expect_ok("flip 3,4").await;
    server.stop().unwrap();
    let server = TestServer::start(with_state());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.status_with(|status| status["population"] == "1").await;
    server.stop().unwrap();

    // another pattern is asked for: what no file has is put aside
    let asked = Options {
        start: Start {
            sheet: StartSheet::Named("acorn".into()),
            rule: None,
        },
        ..with_state()
    };
    let server = Server::bind(asked).unwrap();
    let received = server.notes().join("\n");
    let path = received.rsplit(' ').next().unwrap();
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(kept.contains("x = 1, y = 1"), "{kept}");
}

#[tokio::test]
async fn looking_keeps_no_draft() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Options {
        state: Some(StateFolder::Named(folder.path().into())),
        ..options()
    });
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("zoom in").await;
    tab.expect_ok("pan 10,10").await;
    server.stop().unwrap();
    assert!(!folder.path().join("serve.draft").exists());
}

#[test]
fn a_broken_draft_is_kept_and_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("serve.draft"), "half a dra").unwrap();
    let server = Server::bind(Options {
        state: Some(StateFolder::Named(folder.path().into())),
        ..options()
    });
    let notes = server.unwrap().notes().join("\n");
    let path = notes.rsplit(' ').next().unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "half a dra");
}

/// Issue 28: a second server on a folder started with only a note.
#[test]
fn a_folder_has_one_server_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let bound = |state: StateFolder| {
        Server::bind(Options {
            state: Some(state),
            ..options()
        })
    };
    let path = folder.path().to_path_buf();
    let first = bound(StateFolder::Named(path.clone())).unwrap();
    let Err(error) = bound(StateFolder::Named(path.clone())) else {
        panic!("two servers have one folder");
    };
    assert!(matches!(error, BindError::StateTaken { .. }), "{error}");
    let received = format!("{}: another server keeps its work there", path.display());
    assert_eq!(error.to_string(), received);
    assert!(error.hint().unwrap().contains("--state"));
    // where nobody named it, there is a server that keeps nothing, and says so
    let second = bound(StateFolder::Usual(path.clone())).unwrap();
    let notes = second.notes().join("\n");
    assert!(notes.contains("this one keeps nothing"), "{notes}");
    // which is in nobody's way
    drop(first);
    let third = bound(StateFolder::Usual(path)).unwrap();
    assert_eq!(third.notes(), [] as [String; 0]);
    drop((second, third));
}

#[tokio::test]
async fn a_server_without_its_usual_folder_writes_nothing_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let first = TestServer::start(Options {
        state: Some(StateFolder::Named(path.clone())),
        ..options()
    });
    // when it answers it has made all that it makes
    assert_eq!(get(first.address, "/").await.code, 200);
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    let second = TestServer::start(Options {
        state: Some(StateFolder::Usual(path.clone())),
        ..options()
    });
    let mut tab = TestTab::of(second.address, 640, 480).await;
    tab.expect_ok("anyway new").await;
    tab.expect_ok("flip 3,4").await;
    second.stop().unwrap();
    assert_eq!(names(), before);
    first.stop().unwrap();
}

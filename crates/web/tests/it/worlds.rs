//! Worlds as documents: addresses, keys, sleep.

use crate::client::{TestServer, TestTab, get, options, post};
use serde_json::Value;
use session::draft::FolderLock;
use session::file_access::FileAccess;
use std::time::Duration;
use web::{Options, Port, StateFolder};

/// A world for a newcomer: its address and key.
pub(crate) async fn placed(server: &TestServer, query: &str) -> (String, String) {
    let answer = post(server.address, &format!("/worlds?{query}"), b"").await;
    let answer = answer.json();
    let text = |name: &str| answer[name].as_str().unwrap().to_string();
    (text("world"), text("key"))
}

async fn about(server: &TestServer, query: &str) -> Value {
    let answer = get(server.address, &format!("/world.json?{query}")).await;
    answer.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_newcomer_has_a_world_of_his_own() {
    let server = TestServer::start(options());
    let (first, key) = placed(&server, "").await;
    let mut tab = TestTab::open_at(server.address, &format!("world={first}&key={key}")).await;
    tab.command("anyway new").await;
    tab.command("draw 1 0,0 2,0").await;
    // the first is being looked at
    let (second, _) = placed(&server, "").await;
    let (third, _) = placed(&server, "").await;
    assert!(first != second && second != third);
    let mut other = TestTab::open_at(server.address, &format!("world={second}")).await;
    other.command("anyway new").await;
    other.command("draw 1 5,5").await;
    let saved = |world: &str| format!("/save?format=rle&world={world}");
    let ours = get(server.address, &saved(&first)).await;
    assert!(ours.text().contains("3o!"));
    let theirs = get(server.address, &saved(&second)).await;
    assert!(!theirs.text().contains("3o!"));
    // who comes back has what he had, unless it is looked at
    assert_eq!(placed(&server, &format!("last={third}")).await.0, third);
    assert_ne!(placed(&server, &format!("last={second}")).await.0, second);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_open_a_world_and_an_invitation_to_watch_changes_nothing() {
    let server = TestServer::start(options());
    let (world, draw) = placed(&server, "new=1").await;
    let found = about(&server, &format!("world={world}&key={draw}")).await;
    assert_eq!(found["rights"], "draw");
    let watch = found["watch"].as_str().unwrap().to_string();
    let found = about(&server, &format!("world={world}&key={watch}")).await;
    assert_eq!(found["rights"], "watch");
    assert_eq!(found["draw"], Value::Null, "it does not tell the other key");
    let query = format!("world={world}&key={watch}");
    let mut watcher = TestTab::open_at(server.address, &query).await;
    let refused = watcher.command("draw 1 0,0").await;
    assert_eq!(refused["ok"], false);
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .contains("invited to watch")
    );
    for theirs in ["zoom in", "pan 3,4", "follow on", "tool pan", "fit"] {
        assert_eq!(watcher.command(theirs).await["ok"], true, "{theirs}");
    }
    // an overlay is his own too, of a world that he may see
    let (other, key) = placed(&server, "new=1").await;
    for (command, words) in [
        (format!("compare {other} {key}"), None),
        ("compare off".to_string(), None),
        (
            format!("compare {other} {watch}"),
            Some("only with its key"),
        ),
        (format!("compare {world}"), Some("this is the same")),
        ("compare 0123".into(), Some("no open world 0123")),
        ("compare".into(), Some("compare with what")),
        (
            format!("compare {other} {key} x"),
            Some("compare with what"),
        ),
        ("compare together".into(), Some("invited to watch")),
        ("compare together maybe x".into(), Some("compare with what")),
    ] {
        let reply = watcher.command(&command).await;
        assert_eq!(reply["ok"], words.is_none(), "{command}: {reply}");
        let error = reply["error"].as_str().unwrap_or_default();
        assert!(error.contains(words.unwrap_or_default()), "{error}");
    }
    // these are everybody's
    for shared in ["theme blueprint", "grid toggle", "colour 1 #ff0000", "run"] {
        assert_eq!(watcher.command(shared).await["ok"], false, "{shared}");
    }
    let refused = post(server.address, &format!("/open?name=x.rle&{query}"), b"3o!").await;
    assert_eq!(refused.code, 403);
    for wrong in ["key=0123", "world=0123", "world=../../x"] {
        let query = match wrong.starts_with("key") {
            true => format!("world={world}&{wrong}"),
            false => wrong.to_string(),
        };
        let answer = get(server.address, &format!("/world.json?{query}")).await;
        assert!(
            [403, 404].contains(&answer.code),
            "{wrong}: {}",
            answer.code
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_world_sleeps_and_wakes_as_it_was() {
    for keeps in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let server = TestServer::start(Options {
            port: Port::Exactly(0),
            sleep_after: Duration::ZERO,
            state: keeps.then(|| StateFolder::Named(folder.path().into())),
            ..Options::new(FileAccess::default())
        });
        let (world, _) = placed(&server, "new=1").await;
        let query = format!("world={world}");
        let mut tab = TestTab::open_at(server.address, &query).await;
        tab.command("draw 1 0,0 2,0").await;
        tab.command("step 3").await;
        drop(tab);
        loop {
            let list = get(server.address, "/worlds.json").await;
            let list = list.json();
            let listed = list["worlds"].as_array().unwrap();
            let ours = listed.iter().find(|w| w["id"] == world.as_str()).unwrap();
            if ours["awake"] == false {
                assert_eq!(ours["generation"], "3");
                break;
            }
            tokio::task::yield_now().await;
        }
        let mut tab = TestTab::open_at(server.address, &query).await;
        assert_eq!(tab.command("step 0").await["ok"], true);
        let saved = get(server.address, &format!("/save?format=rle&{query}")).await;
        let saved = saved.text();
        assert!(saved.contains("o$o$o!"), "{saved}");
        // with its history: the run and the stroke are undone and redone
        let saved_after = async |tab: &mut TestTab, commands: &[&str]| {
            for command in commands {
                assert_eq!(tab.command(command).await["ok"], true, "{command}");
            }
            let saved = get(server.address, &format!("/save?format=rle&{query}")).await;
            saved.text()
        };
        let undone = saved_after(&mut tab, &["undo"]).await;
        assert!(undone.contains("3o!"), "{undone}");
        let undone = saved_after(&mut tab, &["undo"]).await;
        assert!(!undone.contains("o!"), "{undone}");
        let redone = saved_after(&mut tab, &["redo", "redo"]).await;
        assert!(redone.contains("o$o$o!"), "{redone}");
        drop(tab);
        if keeps {
            server.stop().unwrap();
            let server = TestServer::start(Options {
                port: Port::Exactly(0),
                state: Some(StateFolder::Named(folder.path().into())),
                ..Options::new(FileAccess::default())
            });
            let saved = get(server.address, &format!("/save?format=rle&{query}")).await;
            let saved = saved.text();
            assert!(
                saved.contains("o$o$o!"),
                "after the server began anew: {saved}"
            );
            let mut tab = TestTab::open_at(server.address, &query).await;
            assert_eq!(tab.command("undo").await["ok"], true);
            let saved = get(server.address, &format!("/save?format=rle&{query}")).await;
            assert!(saved.text().contains("3o!"), "{}", saved.text());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_world_is_cloned_closed_and_opened_again() {
    let server = TestServer::start(options());
    let (world, _) = placed(&server, "new=1").await;
    let mut tab = TestTab::open_at(server.address, &format!("world={world}")).await;
    tab.command("draw 1 0,0 2,0").await;
    let answer = post(server.address, &format!("/world/clone?world={world}"), b"").await;
    let clone = answer.json();
    let clone = clone["world"].as_str().unwrap().to_string();
    tab.command("step 1").await;
    let saved = get(server.address, &format!("/save?format=rle&world={clone}")).await;
    assert!(saved.text().contains("3o!"));
    let is_listed = async || {
        let list = get(server.address, "/worlds.json").await;
        list.text().contains(&clone)
    };
    // its thread says what is in it after it has answered
    while !is_listed().await {
        tokio::task::yield_now().await;
    }
    post(server.address, &format!("/world/close?world={clone}"), b"").await;
    assert!(!is_listed().await);
    post(server.address, &format!("/world/reopen?world={clone}"), b"").await;
    assert!(is_listed().await);
}

/// A tab that is opened and closed leaves nothing in the list.
#[tokio::test(flavor = "multi_thread")]
async fn a_world_in_which_nothing_was_done_is_not_listed() {
    let server = TestServer::start(options());
    let (world, _) = placed(&server, "new=1").await;
    let listed = async || {
        let list = get(server.address, "/worlds.json").await;
        list.text().contains(&world)
    };
    let tab = TestTab::open_at(server.address, &format!("world={world}")).await;
    assert!(listed().await);
    drop(tab);
    while listed().await {
        tokio::task::yield_now().await;
    }
    let mut tab = TestTab::open_at(server.address, &format!("world={world}")).await;
    tab.expect_ok("draw 1 0,0").await;
    drop(tab);
    assert!(listed().await);
}

/// A tab that was opened and closed left a draft of nothing on disk.
#[tokio::test(flavor = "multi_thread")]
async fn a_world_in_which_nothing_was_done_leaves_no_draft() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Options {
        port: Port::Exactly(0),
        sleep_after: Duration::ZERO,
        state: Some(StateFolder::Named(folder.path().into())),
        ..Options::new(FileAccess::default())
    });
    let (world, _) = placed(&server, "new=1").await;
    let tab = TestTab::open_at(server.address, &format!("world={world}")).await;
    let kind = format!("world-{world}");
    let is_asleep = || {
        let lock = FolderLock::acquire(folder.path(), &kind);
        lock.unwrap().is_some()
    };
    assert!(!is_asleep());
    drop(tab);
    while !is_asleep() {
        tokio::task::yield_now().await;
    }
    assert!(!folder.path().join(format!("{kind}.draft")).exists());
}

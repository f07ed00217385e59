//! Tables that outlive their server.

use super::{TableTestPage, make, replay};
use crate::client::{TestServer, get, options};
use games::Seat;
use matches::Ending;
use serde_json::json;
use std::path::Path;
use web::{Options, StateFolder};

fn options_with_state(state: &Path) -> Options {
    Options {
        state: Some(StateFolder::Named(state.into())),
        ..options()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_come_back_with_the_server() {
    let state = tempfile::tempdir().unwrap();
    let server = TestServer::start(options_with_state(state.path()));
    let address = server.address;
    let wanted =
        json!({ "game": "tictactoe", "seats": ["me", "perfect"], "name": "Ada", "public": true });
    let (going, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &going, &key).await;
    page.play("A1").await;
    page.turns(2).await;
    let before = page.table.clone();
    let (over, second) = make(
        address,
        json!({ "game": "stones", "seats": ["open", "me"], "turns": ["d4"] }),
    )
    .await;
    TableTestPage::open(address, &over, &second)
        .await
        .expect_ok(json!({ "do": "resign" }))
        .await;
    server.stop().unwrap();
    // the page is let go, and not told that the table is gone
    let last = page.closing().await;
    assert!(
        last.iter().all(|received| received.get("gone").is_none()),
        "{last:?}"
    );

    let server = TestServer::start(options_with_state(state.path()));
    let address = server.address;
    let mut page = TableTestPage::open(address, &going, &key).await;
    assert_eq!(page.seat, 0);
    assert!(page.table["version"].as_u64() > before["version"].as_u64());
    for same in [
        "game", "history", "times", "views", "turn", "opening", "public", "hints",
    ] {
        assert_eq!(page.table[same], before[same], "{same}");
    }
    assert_eq!(page.table["seats"][0]["name"], "Ada");
    assert_eq!(
        get(address, "/play/tables.json").await.json()["tables"][0]["id"],
        going
    );
    // and goes on
    let legal = page.legal();
    page.play(&legal[0]).await;
    page.turns(4).await;
    let other = TableTestPage::open(address, &over, "").await;
    assert_eq!(
        (&other.table["outcome"], &other.table["ending"]),
        (&json!("first"), &json!("resigned"))
    );
    let kept = replay(address, &over).await.record;
    assert_eq!(kept.ending, Ending::Resigned(Seat::Second));
    assert_eq!(kept.opening, ["d4"]);
    server.stop().unwrap();
}

#[tokio::test]
async fn a_damaged_table_is_set_aside_and_costs_no_other() {
    let state = tempfile::tempdir().unwrap();
    let server = TestServer::start(options_with_state(state.path()));
    let (one, _) = make(
        server.address,
        json!({ "game": "stones", "seats": ["me", "open"] }),
    )
    .await;
    let (two, _) = make(
        server.address,
        json!({ "game": "duel", "seats": ["me", "open"] }),
    )
    .await;
    server.stop().unwrap();
    let path = |id: &str, ending: &str| state.path().join("play").join(format!("{id}.{ending}"));
    let text = std::fs::read_to_string(path(&one, "json")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(path(&one, "json"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
    std::fs::write(path(&one, "json"), text.replace("stones", "stoned")).unwrap();
    let server = TestServer::start(options_with_state(state.path()));
    let address = server.address;
    TableTestPage::open(address, &two, "").await;
    let mut gone = TableTestPage::connect(address, &one, "").await;
    assert_eq!(gone.closing().await, [json!({ "gone": true })]);
    assert!(path(&one, "damaged").exists() && !path(&one, "json").exists());
    server.stop().unwrap();
}

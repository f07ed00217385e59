//! What the server's owner is held to, and what visitors are held from.

use crate::client::{TestServer, options};
use crate::page::{TableTestPage, make, post, replay};
use serde_json::json;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use web::{AllowedBot, Options};

/// All of it, one after the other: each looks at this process's children.
pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        an_allowed_bot_plays().await;
        a_bot_goes_when_its_game_does().await;
        no_visitor_starts_a_program().await;
    });
    println!("allowed bots play, visitors start nothing: ok");
}

/// This very program, as a bot.
fn allowed() -> Options {
    let program = std::env::current_exe().unwrap();
    let text = format!("cmd[text]:'{}' {}", program.display(), crate::BOT);
    Options {
        bots: vec![AllowedBot {
            name: "mine".into(),
            entrant: text.parse().unwrap(),
        }],
        ..options()
    }
}

async fn an_allowed_bot_plays() {
    let server = TestServer::start(allowed());
    let address = server.address;
    let games = crate::client::get(address, "/play/games.json").await.json();
    assert_eq!(games["bots"], json!([{ "name": "bot:mine" }]));
    let wanted = json!({ "game": "tictactoe", "seats": ["bot:mine", "me"] });
    let (id, key) = make(address, wanted).await;
    let before = children();
    let mut page = TableTestPage::open(address, &id, &key).await;
    page.turns(1).await;
    assert_eq!(page.history(), ["A1"]);
    // one process for the whole game
    let started = children();
    assert!(started.len() > before.len());
    // both take what is first: A1 B1 C1 A2 B2 C2, and A3 ends it
    for turns in [3, 5] {
        let legal = page.legal();
        page.play(&legal[0]).await;
        page.turns(turns).await;
        assert_eq!(children(), started);
    }
    page.expect_ok(json!({ "do": "back" })).await;
    page.turns(3).await;
    for turns in [5, 7] {
        let legal = page.legal();
        page.play(&legal[0]).await;
        page.turns(turns).await;
    }
    assert_eq!(page.table["outcome"], "first");
    let kept = replay(address, &id).await.record;
    assert_eq!(kept.players, ["bot:mine", "human"]);
    assert_eq!(kept.ending, matches::Ending::Rules);
    nobody_but(&before).await;
    // the rematch has a process of its own
    page.expect_ok(json!({ "do": "rematch" })).await;
    page.until(|page| page.seat == 0).await;
    page.play("B2").await;
    page.turns(2).await;
    server.stop().unwrap();
    nobody_but(&before).await;
}

async fn a_bot_goes_when_its_game_does() {
    let server = TestServer::start(allowed());
    let address = server.address;
    let before = children();
    let wanted = json!({ "game": "stones", "seats": ["me", "bot:mine"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    let legal = page.legal();
    page.play(&legal[0]).await;
    page.turns(2).await;
    assert!(children().len() > before.len());
    page.expect_ok(json!({ "do": "player", "seat": 1, "player": "random" }))
        .await;
    nobody_but(&before).await;
    page.expect_ok(json!({ "do": "player", "seat": 1, "player": "bot:mine" }))
        .await;
    let legal = page.legal();
    page.play(&legal[0]).await;
    page.turns(4).await;
    assert!(children().len() > before.len());
    page.expect_ok(json!({ "do": "resign" })).await;
    nobody_but(&before).await;
    server.stop().unwrap();
}

/// Waits until no process is left but these.
async fn nobody_but(before: &BTreeSet<u32>) {
    let begun = Instant::now();
    while !children().is_subset(before) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "processes are left behind"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Texts that would start a program in a terminal, or look as if they did.
const PROGRAMS: &[&str] = &[
    "cmd:touch FILE",
    " cmd:touch FILE",
    "cmd[text]:touch FILE",
    "cmd[protocol=gomocup,folder=/]:touch FILE",
    "CMD:touch FILE",
    "cmd",
    "cmd[",
    "bot:cmd:touch FILE",
    "bot:other",
    "bot:",
    "gomocup:touch FILE",
    "touch FILE",
    "./touch FILE",
    "random:cmd:touch FILE",
    "\u{a0}cmd:touch FILE",
    "me\ncmd:touch FILE",
];

/// The processes that this one has started, and theirs.
fn children() -> BTreeSet<u32> {
    let mut found = BTreeSet::from([std::process::id()]);
    loop {
        let before = found.len();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let name = entry.file_name();
            let Some(id) = name.to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            // `id (name) state parent ...`; a name may have anything in it
            let received = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let rest = received.rsplit_once(") ").map_or("", |parts| parts.1);
            let parent = rest
                .split(' ')
                .nth(1)
                .and_then(|parent| parent.parse().ok());
            if parent.is_some_and(|parent| found.contains(&parent)) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

async fn no_visitor_starts_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("touched");
    // one is allowed, and is not started by naming another
    let allowed = format!("cmd[text]:touch {}", file.display());
    let server = TestServer::start(Options {
        bots: vec![AllowedBot {
            name: "mine".into(),
            entrant: allowed.parse().unwrap(),
        }],
        ..options()
    });
    let address = server.address;
    let before = children();
    // a small game: a hint takes no time
    let wanted = json!({ "game": "tictactoe", "seats": ["me", "random"], "public": true });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    for text in PROGRAMS {
        let text = text.replace("FILE", &file.display().to_string());
        for seats in [[text.as_str(), "me"], ["me", text.as_str()]] {
            let refused = post(address, &json!({ "game": "tictactoe", "seats": seats })).await;
            assert!(
                matches!(refused.code, 403 | 422),
                "{text}: {}",
                refused.code
            );
            assert_eq!(refused.json()["ok"], false);
            if text.trim_start().to_lowercase().starts_with("cmd") {
                let received = refused.json();
                let error = received["error"].as_str().unwrap();
                assert!(
                    error.ends_with("would start a program, which no page can do"),
                    "{error}"
                );
                assert!(
                    received["hint"].as_str().unwrap().contains("--bot"),
                    "{received}"
                );
            }
        }
        let game = post(address, &json!({ "game": text, "seats": ["me", "open"] })).await;
        assert_eq!(game.code, 422, "{text}");
        page.refused(json!({ "do": "player", "seat": 1, "player": text }))
            .await;
        page.refused(json!({ "do": "analyse", "player": text }))
            .await;
        page.refused(json!({ "do": "move", "text": text })).await;
        page.refused(json!({ "do": "preview", "text": text })).await;
        page.refused(json!({ "do": text })).await;
        // names are only names
        let _ = page.ask(json!({ "do": "name", "name": text })).await;
        let _ = page.ask(json!({ "do": "hint", "player": text })).await;
    }
    // an allowed bot is for seats, and not for advice
    page.refused(json!({ "do": "analyse", "player": "bot:mine" }))
        .await;
    let legal = page.legal();
    page.play(&legal[0]).await;
    page.turns(2).await;
    // the pages' own threads have had their say by now
    assert_eq!(children(), before);
    assert!(!file.exists());
    server.stop().unwrap();
}

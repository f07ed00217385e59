//! The arena page's API: tournaments that visitors set up, and their limits.

use crate::client::{DEADLINE, HttpAnswer, TestServer, get, options, request};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use web::{AllowedBot, Options, StateFolder};

/// Somebody who watches a tournament, or the list.
struct TournamentTestWatcher {
    socket: WebSocketStream<TcpStream>,
    cup: Value,
    board: Value,
}

impl TournamentTestWatcher {
    async fn open(address: SocketAddr, path: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let url = format!("ws://{address}{path}");
        let shaken = tokio_tungstenite::client_async(url, stream);
        let (socket, _) = timeout(DEADLINE, shaken).await.unwrap().unwrap();
        Self {
            socket,
            cup: Value::Null,
            board: Value::Null,
        }
    }

    async fn send(&mut self, message: Value) {
        let text = Message::text(message.to_string());
        self.socket.send(text).await.unwrap();
    }

    /// The next thing that is said; nothing at the end.
    async fn receive(&mut self) -> Option<Value> {
        loop {
            let message = timeout(DEADLINE, self.socket.next())
                .await
                .expect("nothing is said");
            match message {
                Some(Ok(Message::Text(text))) => {
                    let received: Value = serde_json::from_str(&text).unwrap();
                    for (name, kept) in [("cup", &mut self.cup), ("board", &mut self.board)] {
                        if let Some(value) = received.get(name) {
                            kept.clone_from(value);
                        }
                    }
                    return Some(received);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    async fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            self.receive().await.expect("it is not closed");
        }
    }

    async fn until_stand(&mut self, stand: &str) {
        self.until(|watcher| watcher.cup["stand"] == stand).await;
    }
}

async fn post(address: SocketAddr, entry: &Value) -> HttpAnswer {
    let body = entry.to_string();
    request(address, "POST /arena/cups HTTP/1.1", body.as_bytes()).await
}

/// Sets a tournament up: its address.
async fn make(address: SocketAddr, entry: Value) -> String {
    let answer = post(address, &entry).await;
    assert_eq!(answer.code, 200, "{}", answer.text());
    let id = answer.json()["id"].as_str().unwrap().to_string();
    format!("/arena/{id}")
}

fn quick() -> Value {
    json!({
        "game": "tictactoe",
        "name": "spring cup",
        "players": [{ "player": "random" }, { "player": "heuristic" }, { "player": "random", "name": "other" }],
        "pairs": 4,
    })
}

/// One that takes longer than any test.
fn slow() -> Value {
    json!({
        "game": "stones",
        "players": [{ "player": "mcts:ms=20" }, { "player": "mcts:ms=20,playouts=9999999", "name": "other" }],
        "pairs": 1000,
    })
}

fn with_state(folder: &Path) -> Options {
    Options {
        state: Some(StateFolder::Named(folder.into())),
        ..options()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_played_told_and_kept() {
    let server = TestServer::start(options());
    let address = server.address;
    let path = make(address, quick()).await;
    let mut watcher = TournamentTestWatcher::open(address, &format!("{path}/live")).await;
    watcher.until_stand("over").await;
    let cup = &watcher.cup;
    assert_eq!((&cup["games"], &cup["planned"]), (&24.into(), &24.into()));
    let rows = cup["table"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["name"], "heuristic");
    assert!(rows[0]["rating"]["elo"].as_f64() > rows[1]["rating"]["elo"].as_f64());
    assert!(rows[0]["rating"]["error"].is_number() && rows[0]["sure"].is_number());
    assert!(cup["table"]["first_seat"]["elo"].is_number());

    // the list has it, and its games, by player
    let list = get(address, "/arena/cups.json").await.json();
    assert_eq!(
        (&list["cups"][0]["name"], &list["cups"][0]["leader"]),
        (&"spring cup".into(), &"heuristic".into())
    );
    let games = get(address, &format!("{path}/games.json")).await.json();
    assert_eq!(games["games"].as_array().unwrap().len(), 24);
    let query = format!("{path}/games.json?player=heuristic&against=other");
    let games = get(address, &query).await.json();
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), 8);
    for game in games {
        let mut players = [0, 1].map(|seat| game["players"][seat].as_str().unwrap());
        players.sort_unstable();
        assert_eq!(players, ["heuristic", "other"]);
    }
    assert_eq!(
        get(address, &format!("{path}/games.json?player=nobody"))
            .await
            .code,
        422
    );

    // a game opens as a replay that holds
    let id = &games[0]["id"];
    let replay = get(address, &format!("{path}/replay?game={id}")).await;
    let text = replay.text();
    let read: Vec<_> = matches::replay::read_text(&text).collect();
    read[0].as_ref().unwrap().check().unwrap();
    assert_eq!(
        get(address, &format!("{path}/replay?game=25")).await.code,
        404
    );

    // every number is the one that the store has for any other program
    let kept = get(address, &format!("{path}/tournament.json"))
        .await
        .json();
    for (row, kept) in rows.iter().zip(kept["players"].as_array().unwrap()) {
        for name in [
            "name", "place", "games", "wins", "draws", "losses", "points", "faults",
        ] {
            assert_eq!(row[name].to_string(), kept[name].to_string(), "{name}");
        }
        let number = |value: &Value| value.as_f64();
        assert_eq!(number(&row["sure"]), number(&kept["superiority"]));
        for (received, kept) in
            [("elo", "rating"), ("error", "rating_error")].map(|(received, exact)| {
                let exact = number(&kept[exact]);
                (number(&row["rating"][received]), exact.map(f64::round))
            })
        {
            assert_eq!(received, kept, "{row}");
        }
        for (place, name) in ["p50", "p99", "most"].into_iter().enumerate() {
            let received = number(&row["times"][place]);
            let seconds = number(&kept["times"][name]);
            let micros = seconds.map(|seconds| (seconds * 1e6).round());
            assert_eq!(received.map(f64::round), micros, "{name}: {row}");
        }
    }
    let all = get(address, &format!("{path}/games.json")).await.json();
    for line in all["games"].as_array().unwrap() {
        let games = kept["games"].as_array().unwrap();
        let kept = games.iter().find(|game| game["game"] == line["id"]);
        let kept = kept.unwrap();
        assert_eq!(line["outcome"], kept["outcome"]);
        assert_eq!(line["ending"], kept["ending"]);
        assert_eq!(line["turns"], kept["plies"]);
        assert_eq!(
            line["players"],
            json!([kept["first"], kept["second"]]),
            "{kept}"
        );
    }

    // and all of it as files
    for (name, part) in [
        ("report.html", "spring cup"),
        ("players.csv", "heuristic"),
        ("games.csv", "first_seconds"),
        ("tournament.json", "\"round-robin\""),
    ] {
        let answer = get(address, &format!("{path}/{name}")).await;
        assert_eq!(answer.code, 200, "{name}");
        assert!(
            answer
                .header("content-disposition")
                .unwrap()
                .starts_with("attachment")
        );
        assert!(answer.text().contains(part), "{name}");
    }
    for name in ["cup.json", "cup.sqlite", "..%2F..", "report"] {
        assert_eq!(
            get(address, &format!("{path}/{name}")).await.code,
            404,
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_visitors_watch_the_same_and_either_stops_it() {
    let server = TestServer::start(options());
    let address = server.address;
    let path = make(address, slow()).await;
    let mut one = TournamentTestWatcher::open(address, &format!("{path}/live")).await;
    let mut two = TournamentTestWatcher::open(address, &format!("{path}/live")).await;
    one.until_stand("running").await;
    two.until_stand("running").await;
    // the running board
    for watcher in [&mut one, &mut two] {
        watcher.until(|watcher| !watcher.board.is_null()).await;
        assert_eq!(
            watcher.board["diagram"]["cells"].as_str().unwrap().len(),
            361
        );
        let players = watcher.board["players"].as_array().unwrap();
        assert!(
            players.iter().any(|player| player == "mcts:ms=20")
                && players.iter().any(|player| player == "other")
        );
    }
    two.send(json!({ "do": "stop", "id": 5 })).await;
    while two.receive().await.unwrap() != json!({ "done": { "id": 5 } }) {}
    one.until_stand("stopped").await;
    two.until_stand("stopped").await;
    assert_eq!(one.cup, two.cup);
    one.send(json!({ "do": "go", "id": 6 })).await;
    two.until_stand("running").await;
    one.send(json!({ "do": "stop", "id": 7 })).await;
    two.until_stand("stopped").await;

    // no message
    one.send(json!({ "do": "start", "program": "/bin/true" }))
        .await;
    while one.receive().await.unwrap()["error"].is_null() {}
    // nothing there
    let mut nobody = TournamentTestWatcher::open(address, "/arena/0123456789abcdef/live").await;
    assert_eq!(nobody.receive().await.unwrap(), json!({ "gone": true }));
    assert_eq!(nobody.receive().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_plays_at_a_time_and_few_wait() {
    let server = TestServer::start(options());
    let address = server.address;
    let first = make(address, slow()).await;
    let mut watcher = TournamentTestWatcher::open(address, &format!("{first}/live")).await;
    watcher.until_stand("running").await;
    let second = make(address, quick()).await;
    for _ in 0..7 {
        make(address, quick()).await;
    }
    let full = post(address, &quick()).await;
    assert_eq!(full.code, 503, "{}", full.text());
    let list = get(address, "/arena/cups.json").await.json();
    let stands: Vec<_> = list["cups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cup| cup["stand"].clone())
        .collect();
    assert_eq!(stands.iter().filter(|stand| *stand == "waiting").count(), 8);
    assert_eq!(stands.last().unwrap(), "running");
    // one that waits can be taken out of the line, and the next gets its turn
    let mut waiting = TournamentTestWatcher::open(address, &format!("{second}/live")).await;
    waiting.until_stand("waiting").await;
    waiting.send(json!({ "do": "stop", "id": 1 })).await;
    waiting.until_stand("stopped").await;
    waiting.send(json!({ "do": "go", "id": 2 })).await;
    waiting.until_stand("waiting").await;
    watcher.send(json!({ "do": "stop", "id": 1 })).await;
    waiting.until_stand("over").await;
    // what is over does not begin again
    waiting.send(json!({ "do": "go", "id": 3 })).await;
    let received = loop {
        let received = waiting.receive().await.unwrap();
        if !received["error"].is_null() {
            break received;
        }
    };
    assert_eq!(
        (&received["error"]["id"], &received["error"]["error"]),
        (&3.into(), &"it is over".into())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tournaments_are_there_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(with_state(folder.path()));
    let over = make(server.address, quick()).await;
    let mut watcher = TournamentTestWatcher::open(server.address, &format!("{over}/live")).await;
    watcher.until_stand("over").await;
    let table = watcher.cup["table"].clone();
    let stopped = make(server.address, slow()).await;
    let mut watcher = TournamentTestWatcher::open(server.address, &format!("{stopped}/live")).await;
    watcher.until_stand("running").await;
    server.stop().unwrap();
    // damage beside them is left alone
    std::fs::create_dir(folder.path().join("arena/damaged")).unwrap();
    std::fs::write(folder.path().join("arena/damaged/cup.json"), "{").unwrap();

    let server = TestServer::start(with_state(folder.path()));
    let list = get(server.address, "/arena/cups.json").await.json();
    let stands: Vec<_> = list["cups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cup| cup["stand"].clone())
        .collect();
    assert_eq!(stands, ["stopped", "over"]);
    let mut watcher = TournamentTestWatcher::open(server.address, &format!("{over}/live")).await;
    watcher.until_stand("over").await;
    assert_eq!(watcher.cup["table"], table);
    let mut watcher = TournamentTestWatcher::open(server.address, &format!("{stopped}/live")).await;
    watcher.until_stand("stopped").await;
    // the thread of the server before lets go of it within its next look
    loop {
        watcher.send(json!({ "do": "go", "id": 1 })).await;
        watcher
            .until(|watcher| {
                ["running", "failed"]
                    .iter()
                    .any(|stand| watcher.cup["stand"] == *stand)
            })
            .await;
        if watcher.cup["stand"] == "running" {
            break;
        }
        watcher.cup = Value::Null;
    }
    watcher.send(json!({ "do": "stop", "id": 2 })).await;
    watcher.until_stand("stopped").await;
}

/// The processes that this one has started and that are still there.
#[cfg(target_os = "linux")]
fn children() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let lists = tasks
        .filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .map(String::from)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_starts_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness");
    let mut options = options();
    options.bots = vec![AllowedBot {
        name: "mine".into(),
        entrant: "cmd[text]:./no-such-program".parse().unwrap(),
    }];
    let server = TestServer::start(options);
    let address = server.address;
    let command = format!("touch {}", witness.display());
    let texts = [
        format!("cmd:{command}"),
        format!("cmd[text]:{command}"),
        format!("CMD:{command}"),
        format!("cmd[folder=/]:{command}"),
        format!("bot:{command}"),
        format!("bot:cmd:{command}"),
        format!("bot:mine;{command}"),
        format!("$({command})"),
    ];
    let fields = [
        "/game",
        "/kind",
        "/players/0/player",
        "/players/1/player",
        "/champion",
        "/pairs",
        "/rounds",
        "/games",
        "/seed",
        "/settled",
    ];
    for text in &texts {
        for field in fields {
            let mut entry = quick();
            match entry.pointer_mut(field) {
                Some(place) => *place = text.as_str().into(),
                None => entry[&field[1..]] = text.as_str().into(),
            }
            let answer = post(address, &entry).await;
            assert!(
                (400..500).contains(&answer.code),
                "{field} {text}: {}",
                answer.text()
            );
        }
        for more in ["command", "store", "bot", "cage", "opening", "jobs"] {
            let mut entry = quick();
            entry[more] = text.as_str().into();
            assert_eq!(post(address, &entry).await.code, 400, "{more}");
            let mut entry = quick();
            entry["players"][0][more] = text.as_str().into();
            assert_eq!(post(address, &entry).await.code, 400, "{more}");
        }
        let coded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        for path in [
            format!("/arena/{coded}"),
            format!("/arena/{coded}/replay?game=1"),
            format!("/arena/{coded}/report.html"),
            format!("/arena/{coded}/games.json?player={coded}"),
            format!("/replays?play={coded}&cup={coded}"),
        ] {
            get(address, &path).await;
        }
        let file = format!("gridpaper replay 1\ngame {text}\nfirst {text}\nsecond {text}\n");
        let answer = request(
            address,
            &format!("POST /replays/read?game={coded} HTTP/1.1"),
            file.as_bytes(),
        )
        .await;
        assert_eq!(answer.code, 400);
        request(address, "POST /replays/read HTTP/1.1", file.as_bytes()).await;
        // a replay that reads, of players that are programs, starts none either
        let mut record = crate::replays::games("tictactoe", ["random", "random"], 1).remove(0);
        record.players = [text.clone(), text.clone()];
        let read = request(
            address,
            "POST /replays/read HTTP/1.1",
            matches::replay::text(&record).as_bytes(),
        )
        .await;
        assert_eq!(read.json()["shown"]["players"][0], text.as_str());
    }
    // names are words
    let mut entry = quick();
    entry["name"] = texts[0].as_str().into();
    entry["players"][2]["name"] = texts[0].as_str().into();
    entry["name"] = "words".into();
    let path = make(address, entry).await;
    let mut watcher = TournamentTestWatcher::open(address, &format!("{path}/live")).await;
    watcher.until_stand("over").await;
    // an allowed bot whose program is gone fails in words that name no path
    let mut entry = quick();
    entry["players"][2] = json!({ "player": "bot:mine" });
    let path = make(address, entry).await;
    let mut watcher = TournamentTestWatcher::open(address, &format!("{path}/live")).await;
    watcher.until_stand("failed").await;
    watcher
        .until(|watcher| !watcher.cup["error"].is_null())
        .await;
    assert_eq!(watcher.cup["error"], "bot:mine: its program is not there");
    assert!(!witness.exists());
    assert_eq!(children(), Vec::<String>::new());
}

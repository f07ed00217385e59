//! The page in Firefox: Debian's `firefox-esr`, driven by `geckodriver`, which Debian does not have
//! (`cargo install geckodriver` builds it). One test goes through the rooms; where one of the two
//! programs is missing it says so.

use crate::browser::BrowserTestServer;
use crate::webdriver::MouseAction;
use crate::webdriver::WebDriverClient;
use prerequisite::{Prerequisite, is_met, missing};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a condition may take to come true.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where Debian and others have it.
const PROGRAMS: [&str; 2] = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/// What leads to a room, and what is there when it works.
const ROOMS: [(&str, &str); 6] = [
    (
        "/play",
        "document.querySelectorAll('#room input[type=radio]').length > 5",
    ),
    (
        "/replays",
        "document.querySelectorAll('#room button').length > 0",
    ),
    (
        "/arena",
        "document.querySelectorAll('#room button').length > 1",
    ),
    (
        "/census",
        "document.querySelectorAll('#census-symmetry option').length > 3",
    ),
    (
        "/classroom",
        "document.querySelectorAll('#room [role=grid] canvas').length === 5",
    ),
    (
        "/laser?level=easy-01",
        "document.querySelectorAll('#room [role=gridcell]').length > 8",
    ),
];

/// A geckodriver, and the browser that it starts. Both end when this is dropped.
struct GeckoDriver {
    child: Child,
    url: String,
}

impl GeckoDriver {
    fn start() -> Self {
        let child = Command::new("geckodriver")
            .args(["--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // a group of its own, so that its browser can be ended with it
            .process_group(0)
            .spawn()
            .unwrap();
        let mut driver = Self {
            child,
            url: String::new(),
        };
        let output = driver.child.stdout.take().unwrap();
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let place = lines.find_map(|line| {
            let (_, place) = line.split_once("Listening on ")?;
            Some(place.trim().to_string())
        });
        // it ends when nobody reads what it writes
        std::thread::spawn(move || lines.for_each(drop));
        driver.url = format!("http://{}", place.unwrap());
        driver
    }
}

impl Drop for GeckoDriver {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
    }
}

async fn eval(client: &WebDriverClient, expression: &str) -> Value {
    let script = format!("return ({expression});");
    client.execute(&script, Vec::new()).await.unwrap()
}

async fn until(client: &WebDriverClient, condition: &str) {
    let begun = Instant::now();
    loop {
        // an error is a document that goes while it is looked at
        let script = format!("return !!({condition});");
        let found = client.execute(&script, Vec::new()).await;
        if matches!(found, Ok(Value::Bool(true))) {
            return;
        }
        assert!(
            begun.elapsed() < PATIENCE,
            "never true: {condition} ({found:?})"
        );
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

async fn click(client: &WebDriverClient, (x, y): (f64, f64)) {
    let mouse = [
        MouseAction::MoveTo(x, y),
        MouseAction::Down,
        MouseAction::Up,
    ];
    client.perform(&mouse).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rooms_work_in_firefox() {
    if !is_met(Prerequisite::Firefox) {
        return;
    }
    let Some(program) = PROGRAMS.into_iter().find(|path| Path::new(path).exists()) else {
        return missing(Prerequisite::Firefox, "firefox-esr is not installed");
    };
    let server = BrowserTestServer::new("", None);
    let driver = GeckoDriver::start();
    let options = json!({
        "binary": program,
        "args": ["-headless", "--width=1280", "--height=800"],
        "prefs": { "intl.accept_languages": "de, en", "app.update.disabledForTesting": true },
    });
    let mut capabilities = serde_json::Map::new();
    capabilities.insert("moz:firefoxOptions".into(), options);
    let client = WebDriverClient::start(&driver.url, capabilities)
        .await
        .unwrap();
    let url = |path: &str| format!("{}{path}", server.url.trim_end_matches('/'));

    // cells are drawn, stepped and told of
    client.goto(&url("/?canvas=2d")).await.unwrap();
    until(
        &client,
        "document.querySelector('#sheet').dataset.revision !== undefined",
    )
    .await;
    until(&client, "document.documentElement.lang === 'de'").await;
    // the gun of a first visit runs
    until(
        &client,
        "document.getElementById('run').title === 'anhalten'",
    )
    .await;
    eval(&client, "document.getElementById('run').click()").await;
    until(
        &client,
        "document.getElementById('run').title === 'laufen lassen'",
    )
    .await;
    let before = "Number(document.getElementById('population').textContent)";
    let population = eval(&client, before).await;
    let place = eval(
        &client,
        "(() => {
            const box = document.getElementById('sheet').getBoundingClientRect();
            return [box.left + 80, box.bottom - 60];
        })()",
    )
    .await;
    click(
        &client,
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap()),
    )
    .await;
    until(&client, &format!("{before} === {population} + 1")).await;
    let generation = eval(&client, "document.getElementById('generation').textContent").await;
    eval(&client, "document.getElementById('step').click()").await;
    until(
        &client,
        &format!("document.getElementById('generation').textContent !== {generation}"),
    )
    .await;
    until(
        &client,
        "document.getElementById('voice').textContent.includes('gestorben')",
    )
    .await;

    for (path, condition) in ROOMS {
        client.goto(&url(path)).await.unwrap();
        until(&client, condition).await;
    }
    // the last one is the puzzle: a hint shows at its cells
    eval(&client, "document.querySelector('[data-do=hint]').click()").await;
    until(
        &client,
        "document.querySelector('[aria-label*=\"Hinweis: nach hier\"]')",
    )
    .await;
    client.close().await.unwrap();
}

//! How many frames a second the page draws, and what that costs it. For one core:
//!
//! ```console
//! $ taskset -c 1 cargo nextest run -p gridpaper-web --run-ignored only --no-capture -E 'test(frame_rate)'
//! ```

use crate::browser::{BrowserPage, BrowserSetup};
use serde_json::Value;

/// Takes the time of what the page does for a frame: on its arrival and when it is drawn.
const STOPWATCH: &str = "(() => {
    const told = (window.told = { frames: 0, draws: 0, spent: 0 });
    const listen = EventTarget.prototype.addEventListener;
    const timed = (act) => (value) => {
        const begun = performance.now();
        act(value);
        told.spent += performance.now() - begun;
    };
    WebSocket.prototype.addEventListener = function (kind, act, options) {
        if (kind !== 'message') return listen.call(this, kind, act, options);
        const arrive = timed(act);
        return listen.call(this, kind, (event) => {
            if (typeof event.data !== 'string') told.frames += 1;
            arrive(event);
        }, options);
    };
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (act) => {
        told.draws += 1;
        return request.call(window, timed(act));
    };
})()";

const SECONDS: u32 = 8;

async fn measure(name: &str, path: &str, flags: &[&str], before: &[&str], commands: &[&str]) {
    let page = BrowserPage::open(&BrowserSetup {
        path,
        flags,
        size: (1920, 1080),
        ..BrowserSetup::default()
    })
    .await;
    page.before_documents(STOPWATCH).await;
    page.go(path).await;
    for command in before.iter().chain(commands) {
        page.command(command).await;
        if let Some(generation) = command.strip_prefix("goto ") {
            let there =
                format!("document.getElementById('sheet').dataset.generation === '{generation}'");
            page.until(&there).await;
        }
    }
    let script = format!(
        "const done = arguments[arguments.length - 1];
        const generation = () => Number(document.getElementById('sheet').dataset.generation);
        setTimeout(() => {{
            Object.assign(told, {{ frames: 0, draws: 0, spent: 0 }});
            const [begun, from] = [performance.now(), generation()];
            setTimeout(() => {{
                const seconds = (performance.now() - begun) / 1000;
                done([told.draws / seconds, told.spent / Math.max(told.draws, 1), (generation() - from) / seconds]);
            }}, {SECONDS}000);
        }}, 2000);"
    );
    let told = page.client.execute_async(&script, Vec::new()).await;
    let figures: Vec<f64> = told
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    let kind = page
        .eval("document.getElementById('sheet').dataset.drawing")
        .await;
    println!(
        "{name}, {kind}: {:.1} frames a second, {:.2} ms of the page a frame, {:.1} generations a second",
        figures[0], figures[1], figures[2]
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement; the module says how to run it"]
async fn frame_rate() {
    let emulated: &[&str] = &["--enable-unsafe-swiftshader"];
    let soup = ["anyway soup 512x512 0.5 seed 1", "fit", "speed 60", "run"];
    let aged = [
        "anyway soup 512x512 0.5 seed 1",
        "fit",
        "age on",
        "speed 60",
        "run",
    ];
    let near = [
        "anyway soup 512x512 0.5 seed 1",
        "zoom 4",
        "speed 60",
        "run",
    ];
    let breeder = ["anyway open 20-cell-quadratic-growth", "goto 14000"];
    measure("soup", "/", emulated, &[], &soup).await;
    measure("soup with ages", "/", emulated, &[], &aged).await;
    measure("soup, 4 pixels a cell", "/", emulated, &[], &near).await;
    measure(
        "breeder",
        "/",
        emulated,
        &breeder,
        &["fit", "speed 60", "run"],
    )
    .await;
    measure("soup", "/?canvas=webgl2", emulated, &[], &soup).await;
}

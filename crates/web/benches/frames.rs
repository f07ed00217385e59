//! Frames a second of a 1920 x 1080 view of a running soup of 4096 x 4096, through the
//! server and its socket to a client that reads them: a cell a pixel, and all of it from
//! farther off. The server sends at most 60 a second, so the thread that steps the world,
//! makes the frames and encodes them is asked how long it was busy too.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench is no part of what is offered"
)]

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use session::file_access::FileAccess;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use web::{Options, Port, Server};

/// Each row is measured so long.
const LENGTH: Duration = Duration::from_secs(5);

fn main() {
    // `cargo test` runs benches too, to see that they run
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let length = if is_bench {
        LENGTH
    } else {
        Duration::from_millis(200)
    };
    let options = Options {
        port: Port::Exactly(0),
        ..Options::new(FileAccess::default())
    };
    let server = Server::bind(options).unwrap();
    let (address, stopper) = (server.address(), server.stopper());
    let running = std::thread::spawn(move || server.run());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(measure(address, length));
    stopper.stop();
    running.join().unwrap().unwrap();
}

async fn measure(address: SocketAddr, length: Duration) {
    let stream = TcpStream::connect(address).await.unwrap();
    let url = format!("ws://{address}/live");
    let (socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
    let mut client = FrameBenchClient { socket, id: 0 };
    client.send(json!({ "size": [1920, 1080] })).await;
    client.expect_ok("anyway soup 4096x4096 0.35 seed 1").await;
    client.expect_ok("anyway rule B3/S23:T4096,4096").await;
    client.expect_ok("centre 0,0").await;
    println!(
        "{:>6} {:>7} {:>11} {:>14} {:>10}",
        "zoom", "speed", "frames/s", "generations/s", "busy"
    );
    for zoom in ["1", "1:4"] {
        for speed in ["60", "max"] {
            client.expect_ok(&format!("zoom {zoom}")).await;
            client.expect_ok(&format!("speed {speed}")).await;
            client.expect_ok("run").await;
            let (frames, generations, busy) = client.watch(length).await;
            println!("{zoom:>6} {speed:>7} {frames:>11.1} {generations:>14.1} {busy:>9.0}%");
        }
    }
}

struct FrameBenchClient {
    socket: WebSocketStream<TcpStream>,
    id: u64,
}

impl FrameBenchClient {
    async fn send(&mut self, message: Value) {
        self.socket
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
    }

    async fn expect_ok(&mut self, text: &str) {
        self.id += 1;
        self.send(json!({ "do": text, "id": self.id })).await;
        loop {
            if let Message::Text(text) = self.socket.next().await.unwrap().unwrap() {
                let received: Value = serde_json::from_str(&text).unwrap();
                if received["reply"]["id"] == self.id {
                    assert_eq!(received["reply"]["ok"], true, "{received}");
                    return;
                }
            }
        }
    }

    /// Frames and generations a second, and the part of the time that the workbench's
    /// thread had a processor, in hundredths.
    async fn watch(&mut self, length: Duration) -> (f64, f64, f64) {
        self.send(json!({ "credit": 2 })).await;
        // what was under way is over with the first frames
        for _ in 0..3 {
            self.frame().await;
        }
        let (begun, before, first) = (Instant::now(), processor_time(), self.frame().await);
        let (mut frames, mut last) = (0, first);
        while begun.elapsed() < length {
            last = self.frame().await;
            frames += 1;
        }
        let seconds = begun.elapsed().as_secs_f64();
        let busy = (processor_time() - before) / seconds * 100.0;
        (f64::from(frames) / seconds, (last - first) / seconds, busy)
    }

    /// The generation that the next frame shows; it is paid for again at once.
    async fn frame(&mut self) -> f64 {
        loop {
            if let Message::Binary(bytes) = self.socket.next().await.unwrap().unwrap() {
                self.send(json!({ "credit": 1 })).await;
                let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
                let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
                return header["generation"].as_str().unwrap().parse().unwrap();
            }
        }
    }
}

/// Seconds that the thread called `workbench` has run; 0 where the system does not tell.
fn processor_time() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let received =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
    let times = received.filter_map(|line| {
        let (name, rest) = line.rsplit_once(") ")?;
        let mut fields = rest.split(' ').skip(11);
        let user: f64 = fields.next()?.parse().ok()?;
        let system: f64 = fields.next()?.parse().ok()?;
        // in hundredths of a second, on every Linux there is
        name.ends_with("(workbench")
            .then_some((user + system) / 100.0)
    });
    times.sum()
}

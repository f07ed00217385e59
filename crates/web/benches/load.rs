//! A server under load: 50 games at once between two clients each, and 200 who watch, all on
//! this machine.
//!
//! `cargo bench -p gridpaper-web --bench load -- [SECONDS] [PAUSE]`: for so many seconds (10)
//! each game has a move each PAUSE milliseconds (250). Every client must be told every version
//! of its table, or it all ends with what was missed. Printed are how long a move takes from
//! when it is sent until its own client has the table with it, and, each five seconds, the
//! memory that the server has; it runs in a process of its own, this program started again.
//!
//! Ten minutes on two cores, client and server together, ahead of what else they had to do
//! and built as tests are: 118171 moves, 737323 tables, none missed; p50 1.2 ms, p90 3.6 ms,
//! p99 11.2 ms, max 153 ms; the server had 58 to 60 MB from the fifth second to the last.
//! (Behind four compilers for those two cores: none missed, p50 2.5 ms, p99 156 ms.)

#![allow(
    clippy::unwrap_used,
    reason = "a bench ends where something goes wrong, as tests do"
)]

#[path = "../tests/it/play/load.rs"]
mod load;

use load::{LoadLength, LoadPlan};
use session::file_access::FileAccess;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use web::{Options, Port, Server};

/// Runs a server until its standard input is closed.
const SERVER: &str = "--as-server";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == SERVER) {
        return serve();
    }
    let mut numbers = words.iter().filter_map(|word| word.parse::<u64>().ok());
    let time = Duration::from_secs(numbers.next().unwrap_or(10));
    let pause = Duration::from_millis(numbers.next().unwrap_or(250));
    let mut server = Command::new(std::env::current_exe().unwrap())
        .arg(SERVER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut received = BufReader::new(server.stdout.take().unwrap());
    received.read_line(&mut line).unwrap();
    let address: SocketAddr = line.trim().parse().unwrap();
    let load = LoadPlan {
        games: 50,
        watchers: 4,
        length: LoadLength::Time(time),
        pause,
    };
    println!("{load:?}");
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build().unwrap();
    let process = server.id();
    let begun = Instant::now();
    let found = runtime.block_on(async {
        let sampled = tokio::spawn(async move {
            loop {
                println!(
                    "{:>6.1} s  {:>8} kB",
                    begun.elapsed().as_secs_f64(),
                    resident(process)
                );
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
        });
        let found = load.run(address).await;
        sampled.abort();
        found
    });
    println!(
        "{:>6.1} s  {:>8} kB",
        begun.elapsed().as_secs_f64(),
        resident(process)
    );
    let mut trips = found.trips;
    trips.sort();
    let at = |share: f64| trips[((trips.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} moves, {} tables told, none missed; a move's round trip: p50 {:.2} ms, p90 {:.2} ms, \
         p99 {:.2} ms, p99.9 {:.2} ms, max {:.2} ms",
        trips.len(),
        found.heard,
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0),
    );
    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
}

/// Serves, and says where.
fn serve() {
    let options = Options {
        port: Port::Exactly(0),
        ..Options::new(FileAccess::default())
    };
    let server = Server::bind(options).unwrap();
    println!("{}", server.address());
    let stopper = server.stopper();
    std::thread::spawn(move || {
        // it ends with whoever started it, however that ends
        let _ = std::io::stdin().read(&mut [0]);
        stopper.stop();
    });
    server.run().unwrap();
}

/// The memory of a process in kB; 0 where the system does not tell.
fn resident(process: u32) -> u64 {
    let received = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mut lines = received.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok())
        .unwrap_or(0)
}

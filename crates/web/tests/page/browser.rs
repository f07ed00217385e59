//! A server of its own, a browser of its own, and what a person does with a page.

use crate::webdriver::Key;
use crate::webdriver::MouseAction;
use crate::webdriver::WebDriverClient;
use serde_json::{Value, json};
use session::file_access::FileAccess;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use web::{Options, Port, Server, StartSheet, StateFolder, Stopper};

/// How long a condition may take to come true, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// Chromium without what draws windows, from Debian's package of that name: the same browser to
/// a page, and started in a third of the time. Where it is not installed, `chromium` does.
const SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// What a test begins with.
pub(crate) struct BrowserSetup<'a> {
    /// What is on the sheet.
    pub(crate) pattern: &'a str,
    /// What comes after the server's address.
    pub(crate) path: &'a str,
    pub(crate) size: (u32, u32),
    pub(crate) flags: &'a [&'a str],
    pub(crate) state: Option<&'a Path>,
    /// Whether the browser takes itself for a phone of that size.
    pub(crate) phone: bool,
}

impl Default for BrowserSetup<'_> {
    fn default() -> Self {
        Self {
            pattern: "bo!",
            path: "/?canvas=2d",
            size: (1000, 800),
            flags: &[],
            state: None,
            phone: false,
        }
    }
}

/// A server in this process. It stops when it is dropped.
pub(crate) struct BrowserTestServer {
    stopper: Stopper,
    pub(crate) url: String,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl BrowserTestServer {
    pub(crate) fn new(pattern: &str, state: Option<&Path>) -> Self {
        Self::on_port(0, pattern, state)
    }

    pub(crate) fn on_port(port: u16, pattern: &str, state: Option<&Path>) -> Self {
        let sheet = match pattern {
            "" => StartSheet::LastDraft,
            pattern => StartSheet::Named(pattern.to_string()),
        };
        Self::with_sheet(port, sheet, state)
    }

    pub(crate) fn with_sheet(port: u16, sheet: StartSheet, state: Option<&Path>) -> Self {
        let mut options = Options::new(FileAccess::default());
        options.port = Port::Exactly(port);
        options.state = state.map(|folder| StateFolder::Named(folder.to_path_buf()));
        options.start.sheet = sheet;
        Self::with_options(options)
    }

    /// One that may read the files of a folder.
    pub(crate) fn with_folder(folder: &Path) -> Self {
        let mut options = Options::new(FileAccess::for_folder(folder));
        options.port = Port::Exactly(0);
        Self::with_options(options)
    }

    fn with_options(options: Options) -> Self {
        let server = Server::bind(options).unwrap();
        let (stopper, url) = (server.stopper(), server.url());
        let thread = std::thread::spawn(move || server.run().unwrap());
        Self {
            stopper,
            url,
            thread: Some(thread),
        }
    }
}

impl Drop for BrowserTestServer {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A chromedriver, and whatever it starts. All of it ends when this is dropped.
struct ChromeDriver {
    child: Child,
    url: String,
}

impl ChromeDriver {
    /// It takes a free port for itself, and now and then loses it to somebody else at once.
    fn new() -> Self {
        let started = (0..50).find_map(|_| Self::start());
        started.expect("chromedriver finds a port")
    }

    fn start() -> Option<Self> {
        let child = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // a group of its own, so that its browser can be ended with it
            .process_group(0)
            .spawn()
            .expect("chromedriver is installed: Debian's chromium-driver has it");
        let mut driver = Self {
            child,
            url: String::new(),
        };
        let lines = BufReader::new(driver.child.stdout.take()?).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        driver.url = format!("http://127.0.0.1:{}", port?);
        Some(driver)
    }
}

impl Drop for ChromeDriver {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
    }
}

/// Looks in the page, each few milliseconds, whether a condition is true: a question from here
/// passes four processes. It gives what it found last after a second.
fn wait_script(condition: &str) -> String {
    format!(
        "const done = arguments[arguments.length - 1];
        const end = performance.now() + 1000;
        const look = () => {{
            let found;
            try {{
                found = !!({condition});
            }} catch (error) {{
                found = String(error);
            }}
            if (found === true || performance.now() > end) done(found);
            else setTimeout(look, 8);
        }};
        look();"
    )
}

/// A folder for a browser's profile: in memory, where the machine has such a place, since a
/// browser that starts writes much that nobody reads.
fn profile_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// A page in a browser. Fields are dropped in order: the browser goes before its server.
pub(crate) struct BrowserPage {
    pub(crate) client: WebDriverClient,
    _driver: ChromeDriver,
    _profile: tempfile::TempDir,
    pub(crate) server: Arc<BrowserTestServer>,
}

impl BrowserPage {
    pub(crate) async fn open(setup: &BrowserSetup<'_>) -> Self {
        let server = BrowserTestServer::new(setup.pattern, setup.state);
        Self::at(Arc::new(server), setup).await
    }

    /// Another person's browser, with nothing in common but the server.
    pub(crate) async fn beside(&self, setup: &BrowserSetup<'_>) -> Self {
        Self::at(Arc::clone(&self.server), setup).await
    }

    /// A browser at a server that is there already.
    pub(crate) async fn at(server: Arc<BrowserTestServer>, setup: &BrowserSetup<'_>) -> Self {
        let driver = ChromeDriver::new();
        let profile = profile_folder();
        let (width, height) = setup.size;
        let mut flags: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--force-device-scale-factor=1",
            // fewer processes start sooner: these and the next are of no use to a short life
            "--in-process-gpu",
            "--enable-features=NetworkServiceInProcess2",
            "--disable-features=SpareRendererForSitePerProcess,OptimizationHints,MediaRouter,Translate",
        ]
        .map(str::to_string)
        .to_vec();
        flags.push(format!("--user-data-dir={}", profile.path().display()));
        flags.push(format!("--window-size={width},{height}"));
        flags.extend(setup.flags.iter().map(ToString::to_string));
        let mut chrome = json!({ "args": flags });
        let has_shell = Path::new(SHELL).exists();
        if has_shell {
            chrome["binary"] = SHELL.into();
        }
        if setup.phone {
            chrome["mobileEmulation"] = json!({
                "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1, "touch": true },
            });
        }
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".into(), chrome);
        if has_shell {
            capabilities.insert("browserName".into(), "chrome-headless-shell".into());
        }
        let client = WebDriverClient::start(&driver.url, capabilities)
            .await
            .expect("chromium starts: Debian's chromium has it");
        let page = Self {
            client,
            _driver: driver,
            _profile: profile,
            server,
        };
        page.go(setup.path).await;
        page
    }

    /// Goes to a path of the server's, and waits until the sheet is drawn; in another room,
    /// until its document is there.
    pub(crate) async fn go(&self, path: &str) {
        let url = format!("{}{path}", self.server.url.trim_end_matches('/'));
        self.client.goto(&url).await.unwrap();
        self.until(
            "document.querySelector('#room') ? document.readyState === 'complete'
                : document.querySelector('#sheet').dataset.revision !== undefined",
        )
        .await;
    }

    /// Tells the driver what is in no standard.
    async fn told(&self, path: &str, body: Value) {
        let done = self.client.post(path, body).await;
        done.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Takes the network away from the page, or gives it back. Sockets that are open stay so.
    pub(crate) async fn offline(&self, offline: bool) {
        let body = json!({ "network_conditions": {
            "offline": offline, "latency": 0, "download_throughput": -1, "upload_throughput": -1,
        }});
        // chromedriver's own word, which is none of the standard's
        self.told("/chromium/network_conditions", body).await;
    }

    /// Has the browser tell what a system's settings would: features of media queries and values.
    pub(crate) async fn emulate(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> = features
            .iter()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        let body = json!({
            "cmd": "Emulation.setEmulatedMedia",
            "params": { "features": features },
        });
        self.told("/goog/cdp/execute", body).await;
    }

    /// Does a script in each document that is opened from now on, before its own.
    pub(crate) async fn before_documents(&self, script: &str) {
        let body = json!({
            "cmd": "Page.addScriptToEvaluateOnNewDocument",
            "params": { "source": script },
        });
        self.told("/goog/cdp/execute", body).await;
    }

    /// Shows the page as a printer gets it, or as a screen does again.
    pub(crate) async fn print_media(&self, on: bool) {
        let media = if on { "print" } else { "" };
        let body = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "media": media } });
        self.told("/goog/cdp/execute", body).await;
    }

    pub(crate) async fn close(self) {
        self.client.clone().close().await.unwrap();
    }

    /// What an expression of the page comes to.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        let value = self.client.execute(&script, Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    pub(crate) async fn text(&self, id: &str) -> String {
        let value = self
            .eval(&format!("document.getElementById('{id}').textContent"))
            .await;
        value.as_str().unwrap_or_default().trim().to_string()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until<'a>(&'a self, condition: &'a str) -> impl Future<Output = ()> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let script = wait_script(condition);
            let begun = Instant::now();
            loop {
                // an error is a document that goes while it is looked at: the next is asked
                let found = self.client.execute_async(&script, Vec::new()).await;
                if matches!(&found, Ok(Value::Bool(true))) {
                    return;
                }
                if begun.elapsed() > PATIENCE {
                    let said = self.eval("document.body.innerText").await;
                    panic!("{place}: never true: {condition} ({found:?}); the page says {said}");
                }
                if found.is_err() {
                    tokio::time::sleep(Duration::from_millis(25)).await;
                }
            }
        }
    }

    /// Waits until an element has this text.
    #[track_caller]
    pub(crate) fn until_text<'a>(
        &'a self,
        id: &'a str,
        text: &'a str,
    ) -> impl Future<Output = ()> + 'a {
        let condition = format!("document.getElementById('{id}').textContent.trim() === {text:?}");
        let place = std::panic::Location::caller();
        async move {
            let script = wait_script(&condition);
            let begun = Instant::now();
            loop {
                let found = self.client.execute_async(&script, Vec::new()).await;
                if found.unwrap_or_else(|error| panic!("{place}: {error}")) == Value::Bool(true) {
                    return;
                }
                let there = self.text(id).await;
                assert!(
                    begun.elapsed() < PATIENCE,
                    "{place}: {id} says {there}, not {text}"
                );
            }
        }
    }

    /// Sends keys to whatever has the focus.
    pub(crate) async fn keys(&self, keys: &str) {
        let active = self.client.active_element().await.unwrap();
        active.send_keys(keys).await.unwrap();
    }

    /// Writes a command into the page's own line, as a person does, and waits until the
    /// sheet shows what came of it.
    pub(crate) async fn command(&self, command: &str) {
        self.run_command(command).await;
        self.until("document.getElementById('prompt').hidden").await;
        self.settle().await;
    }

    /// The same, for a command that asks: the question stands where the line is.
    pub(crate) async fn run_command(&self, command: &str) {
        self.eval("document.getElementById('sheet').focus()").await;
        self.keys(":").await;
        self.until("document.activeElement.id === 'prompt-text'")
            .await;
        // typed at once: a key takes six messages, and most commands are not about typing
        self.eval(&format!(
            "(() => {{
                const line = document.getElementById('prompt-text');
                line.setRangeText({command:?}, 0, line.value.length, 'end');
                line.dispatchEvent(new InputEvent('input', {{ bubbles: true }}));
            }})()"
        ))
        .await;
        self.keys(&char::from(Key::Enter).to_string()).await;
    }

    /// Waits until the sheet shows what this tab has sent.
    pub(crate) async fn settle(&self) {
        // two frames of the window: what was sent is answered, and what came is drawn
        let script = "const done = arguments[arguments.length - 1];
            requestAnimationFrame(() => requestAnimationFrame(() => done(true)));";
        self.client.execute_async(script, Vec::new()).await.unwrap();
    }

    /// A sheet at 20 pixels a cell with the cell (0, 0) in its middle.
    pub(crate) async fn near(&self) {
        self.command("zoom 20").await;
        self.command("centre 0,0").await;
        self.until(
            "(() => {
                const sheet = document.getElementById('sheet');
                const off = Number(sheet.dataset.left) + sheet.clientWidth / 2 - 10;
                return sheet.dataset.zoom === '20' && Math.abs(off) < 11;
            })()",
        )
        .await;
    }

    /// The middle of a cell, in pixels of the window.
    pub(crate) async fn pixel_of(&self, x: i64, y: i64) -> (f64, f64) {
        let script = format!(
            "(() => {{
                const sheet = document.getElementById('sheet');
                const box = sheet.getBoundingClientRect();
                const zoom = Number(sheet.dataset.zoom);
                const {{ lattice, left, top }} = sheet.dataset;
                // Rows of hexagons are shifted; the heights of triangles and hexagons in a row.
                const column = lattice === 'hexagonal' ? {x} - {y} / 2 : {x};
                const part = {{ hexagonal: 0.866, triangular: 1.732 }}[lattice] ?? 1;
                return [box.left + (column + 0.5) * zoom - Number(left),
                        box.top + ({y} + 0.5) * Math.round(zoom * part) - Number(top)];
            }})()"
        );
        let place = self.eval(&script).await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Presses at the first cell, moves to the others, and lets go.
    pub(crate) async fn drag(&self, cells: &[(i64, i64)]) {
        let mut mouse = Vec::new();
        for (place, (x, y)) in cells.iter().enumerate() {
            let (x, y) = self.pixel_of(*x, *y).await;
            mouse.push(MouseAction::MoveTo(x, y));
            if place == 0 {
                mouse.push(MouseAction::Down);
            }
        }
        mouse.push(MouseAction::Up);
        self.client.perform(&mouse).await.unwrap();
    }

    pub(crate) async fn click_cell(&self, x: i64, y: i64) {
        self.drag(&[(x, y)]).await;
    }

    /// Presses a button that sends this command.
    pub(crate) async fn press(&self, command: &str) {
        let shown = format!(
            "[...document.querySelectorAll('[data-do={command:?}]')].find((b) => b.getClientRects().length > 0)"
        );
        self.until(&format!("{shown} && !{shown}.disabled")).await;
        self.eval(&format!("{shown}.click()")).await;
    }

    /// Opens the drawer at a panel, and waits until it stands there.
    pub(crate) async fn panel(&self, name: &str) {
        self.eval("document.querySelector('.top [data-panel=library]').click()")
            .await;
        self.eval(&format!("document.getElementById('tab-{name}').click()"))
            .await;
        self.until(&format!(
            "(() => {{
                const [drawer, panel] = ['drawer', 'panel-{name}'].map((id) => document.getElementById(id));
                const box = panel.getBoundingClientRect();
                return !drawer.inert && box.width > 0 && box.right <= innerWidth + 1
                    && drawer.getAnimations().length === 0;
            }})()"
        ))
        .await;
    }

    /// The window as it looks.
    pub(crate) async fn look(&self) -> WindowPicture {
        self.settle().await;
        let bytes = self.client.screenshot().await.unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        WindowPicture {
            width: info.width as usize,
            channels: info.color_type.samples(),
            pixels,
        }
    }

    /// The cells of a rectangle as the pixels in their middles show them: `o` where it is
    /// dark on light, `.` where it is paper.
    pub(crate) async fn cells(&self, x: i64, y: i64, width: i64, height: i64) -> String {
        let corner = self.pixel_of(x, y).await;
        let right = self.pixel_of(x + 1, y).await;
        let below = self.pixel_of(x, y + 1).await;
        let look = self.look().await;
        let row = |row: i64| -> String {
            let sign = |column: i64| {
                let px = corner.0
                    + (right.0 - corner.0) * column as f64
                    + (below.0 - corner.0) * row as f64;
                let py = corner.1 + (below.1 - corner.1) * row as f64;
                if look.brightness(px, py) < 380 {
                    'o'
                } else {
                    '.'
                }
            };
            (0..width).map(sign).collect()
        };
        (0..height).map(row).collect::<Vec<_>>().join("\n")
    }

    /// Waits until the pixels show these cells.
    pub(crate) async fn until_cells(&self, x: i64, y: i64, expected: &str) {
        let rows: Vec<&str> = expected.lines().collect();
        let (width, height) = (rows[0].len() as i64, rows.len() as i64);
        let begun = Instant::now();
        loop {
            let seen = self.cells(x, y, width, height).await;
            if seen == expected {
                return;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{expected}\nis not what is seen:\n{seen}"
            );
        }
    }
}

/// A picture of the window.
pub(crate) struct WindowPicture {
    width: usize,
    channels: usize,
    pixels: Vec<u8>,
}

impl WindowPicture {
    pub(crate) fn colour(&self, x: f64, y: f64) -> [u8; 3] {
        let place = (y as usize * self.width + x as usize) * self.channels;
        [
            self.pixels[place],
            self.pixels[place + 1],
            self.pixels[place + 2],
        ]
    }

    /// 0 for black, 765 for white.
    pub(crate) fn brightness(&self, x: f64, y: f64) -> u32 {
        self.colour(x, y).iter().map(|c| u32::from(*c)).sum()
    }
}

//! A terminal of its own for the program: keys go in as bytes, and what the screen shows is
//! read back, as a person would read it.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Far longer than any of it takes, even on a busy machine: only a broken test waits it out.
const PATIENCE: Duration = Duration::from_secs(60);

/// The screen that the program draws, and whether it has said all.
struct TerminalTestScreen {
    parser: vt100::Parser,
    is_over: bool,
    /// Nobody reads it any more.
    is_closing: bool,
}

/// The program in a terminal. It is killed when this goes away.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    shown: Arc<(Mutex<TerminalTestScreen>, Condvar)>,
    reader: Option<JoinHandle<()>>,
    /// Held for as long as the terminal is there.
    master: Option<Box<dyn MasterPty + Send>>,
}

impl Terminal {
    /// Starts the program in a terminal of so many columns and rows.
    pub(crate) fn start(line: &[&str], columns: u16, rows: u16) -> Self {
        Self::start_as("xterm-256color", line, columns, rows)
    }

    /// Starts the program in a terminal that says it is of this kind.
    pub(crate) fn start_as(kind: &str, line: &[&str], columns: u16, rows: u16) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gridpaper"));
        command.args(line);
        command.env("TERM", kind);
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).unwrap();
        // the last one that holds the program's end, besides the program
        drop(pair.slave);
        let shown = TerminalTestScreen {
            parser: vt100::Parser::new(
                NonZero::new(rows).unwrap(),
                NonZero::new(columns).unwrap(),
                0,
            ),
            is_over: false,
            is_closing: false,
        };
        let shown = Arc::new((Mutex::new(shown), Condvar::new()));
        let mut said = pair.master.try_clone_reader().unwrap();
        let writes = Arc::clone(&shown);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                // a terminal whose program is gone ends with an error on some systems
                let read = said.read(&mut bytes).unwrap_or(0);
                let (screen, changed) = &*writes;
                let mut screen = screen.lock().unwrap();
                screen.parser.process(&bytes[..read]);
                screen.is_over = read == 0;
                changed.notify_all();
                if read == 0 || screen.is_closing {
                    return;
                }
            }
        });
        Self {
            child,
            keys: pair.master.take_writer().unwrap(),
            shown,
            reader: Some(reader),
            master: Some(pair.master),
        }
    }

    /// Presses keys: what a terminal sends for them.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the screen shows all of these, and gives what it shows.
    pub(crate) fn wait_for(&self, texts: &[&str]) -> String {
        let has_all = |text: &str| texts.iter().all(|wanted| text.contains(wanted));
        self.shows(&has_all, &format!("{texts:?}"))
    }

    /// Waits until what the screen shows is so, and gives it.
    pub(crate) fn wait_until(&self, is_so: impl Fn(&str) -> bool) -> String {
        self.shows(&is_so, "what is waited for")
    }

    fn shows(&self, is_so: &dyn Fn(&str) -> bool, what: &str) -> String {
        let (shown, changed) = &*self.shown;
        let end = Instant::now() + PATIENCE;
        let mut screen = shown.lock().unwrap();
        loop {
            let text = screen.parser.screen().contents();
            if is_so(&text) {
                return text;
            }
            let left = end.saturating_duration_since(Instant::now());
            let is_late = left.is_zero() || screen.is_over;
            assert!(!is_late, "no {what} on the screen:\n{text}");
            screen = changed.wait_timeout(screen, left).unwrap().0;
        }
    }

    /// Closes the terminal under the program, as a window is closed, and gives its exit code.
    /// A key is pressed before, so that something is drawn.
    pub(crate) fn close(mut self, key: &str) -> u32 {
        self.shown.0.lock().unwrap().is_closing = true;
        self.press(key);
        self.reader.take().unwrap().join().unwrap();
        self.keys = Box::new(std::io::sink());
        self.master = None;
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < end, "it goes on");
            std::thread::yield_now();
        }
    }

    /// Waits until the program has ended, and gives its exit code; the terminal must then be
    /// as it was.
    pub(crate) fn end(mut self) -> u32 {
        let (shown, changed) = &*self.shown;
        let screen = shown.lock().unwrap();
        let (screen, late) = changed
            .wait_timeout_while(screen, PATIENCE, |screen| !screen.is_over)
            .unwrap();
        assert!(
            !late.timed_out(),
            "it goes on:\n{}",
            screen.parser.screen().contents()
        );
        assert!(
            !screen.parser.screen().alternate_screen(),
            "the other screen is still shown"
        );
        assert!(
            !screen.parser.screen().hide_cursor(),
            "the cursor is still hidden"
        );
        drop(screen);
        self.child.wait().unwrap().exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // one that has ended already cannot be killed, and need not be
        let _ = self.child.kill();
    }
}

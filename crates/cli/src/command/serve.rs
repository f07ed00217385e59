//! `gridpaper serve`: the workbench as a page in the browser.

use crate::argument::MemoryArgument;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::rule_file::RuleFolder;
use arena::Entrant;
use arena::bot::BotSpecError;
use clap::{Args, ValueHint};
use session::file_access::FileAccess;
use session::settings::sidecar_name;
use source::rule_file;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use web::{AllowedBot, Options, Port, Server, Start, StartFile, StartSheet, StateFolder};

/// Serve the pages to the browsers on this machine
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// What is on the sheet at first; without it what was there last time, or a gun
    #[arg(value_hint = ValueHint::FilePath)]
    pattern: Option<OsString>,

    /// Listen at this port, 0 for any that is free; without it 8731, or one of the next
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Listen at this address; at one that other machines reach, the printed URL has a
    /// token, and without that nobody is let in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    address: AddressArgument,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// The folder that the page may open files from and save files to; without it the one
    /// that PATTERN lies in, or else the current one
    #[arg(id = "files", long = "folder", value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: Option<PathBuf>,

    /// Run this rule instead of the one the pattern names: a notation, a name, or the path
    /// of a .rule or .gridrule file
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    rules: RuleFolder,

    /// Where the work is kept while it goes on, so that it outlives a crash; one server has
    /// it at a time. Without it ~/.local/state/gridpaper, unless another server has that
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    state: Option<PathBuf>,

    /// Keep no draft of the work
    #[arg(long, conflicts_with = "state")]
    no_autosave: bool,

    /// Let visitors play against this program, and have it in tournaments: a name and a bot,
    /// 'mine=cmd:./my-bot --flag'; may be given more than once
    #[arg(long = "bot", value_name = "NAME=BOT", value_parser = bot)]
    bots: Vec<AllowedBot>,

    /// How much memory all that is held may take: the world, which has half of it, what can be
    /// undone and gone back to, and the clipboard
    #[arg(long, value_name = "BYTES", default_value = "4G")]
    memory: MemoryArgument,
}

/// A bot that visitors may meet, with its name.
fn bot(text: &str) -> Result<AllowedBot, String> {
    let (name, entrant) = text
        .split_once('=')
        .ok_or("a bot has a name here: mine=cmd:./my-bot")?;
    let is_plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.');
    if name.is_empty() || name.len() > 40 || !name.chars().all(is_plain) {
        return Err(format!(
            "`{name}` is no name for a bot: letters, digits, -, _ and ., up to 40 of them"
        ));
    }
    let entrant: Entrant = entrant.parse().map_err(|e: BotSpecError| e.to_string())?;
    if !entrant.is_bot() {
        return Err(format!(
            "`{entrant}` is no bot: cmd:./my-bot is one. Players of this program are there anyway"
        ));
    }
    Ok(AllowedBot {
        name: name.into(),
        entrant,
    })
}

/// An address of this machine; `localhost` will do.
#[derive(Clone, Copy, Debug)]
struct AddressArgument(IpAddr);

impl FromStr for AddressArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("localhost") {
            return Ok(Self(Ipv4Addr::LOCALHOST.into()));
        }
        let bare = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let address = bare.unwrap_or(text).parse();
        address
            .map(Self)
            .map_err(|_| "expected an address such as 127.0.0.1 or ::1".into())
    }
}

/// Interval at which Ctrl-C is polled.
const GLANCE: Duration = Duration::from_millis(50);

impl ServeArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let server = Server::bind(self.options()?);
        let server = server.map_err(|e| CliFailure::wrong(&e).with_hint(e.hint()))?;
        for line in server.notes() {
            note(line);
        }
        if !server.address().ip().is_loopback() {
            note("other machines can reach this: whoever has the address can use it");
        }
        let url = server.url();
        output::line(&url)?;
        if self.open
            && let Err(error) = show(&url)
        {
            note(format_args!("no browser could be opened: {error}"));
        }
        let interrupts = InterruptGuard::new();
        let stopper = server.stopper();
        std::thread::scope(|scope| {
            let serving = scope.spawn(|| server.run());
            while !serving.is_finished() {
                if interrupts.asked_to_stop() {
                    stopper.stop();
                }
                std::thread::sleep(GLANCE);
            }
            serving.join()
        })
        .map_err(|_| CliFailure::wrong("the server has broken down: a fault of gridpaper's own"))?
        .map_err(CliFailure::wrong)
    }

    fn options(&self) -> Result<Options, CliFailure> {
        let asked = self.pattern.as_deref();
        let file = asked
            .map(Path::new)
            .filter(|path| *path != "-" && path.exists());
        let folder = self.folder(file)?;
        let mut file_access = FileAccess::for_folder(&folder);
        file_access.limits.memory = self.memory.0;
        if let Some(rules) = self.rules.folder()? {
            file_access.rules.insert(0, rules.to_path_buf());
        }
        let sheet = match (asked, file) {
            (Some(_), Some(file)) => from_file(file, &folder)?,
            (Some(asked), None) if asked == "-" => StartSheet::File(piped()?),
            (Some(asked), None) => StartSheet::Named(asked.to_string_lossy().into_owned()),
            (None, _) => StartSheet::LastDraft,
        };
        let rule = self
            .rule
            .as_deref()
            .map(|rule| typed_rule(rule, &mut file_access));
        Ok(Options {
            address: self.address.0,
            port: self.port.map_or(Port::From(Port::USUAL), Port::Exactly),
            start: Start { sheet, rule },
            state: match &self.state {
                Some(folder) => Some(StateFolder::Named(folder.clone())),
                None if self.no_autosave => None,
                None => own_state().map(StateFolder::Usual),
            },
            seed: seed(),
            bots: self.bots.clone(),
            ..Options::new(file_access)
        })
    }

    /// The folder that the page may open from and save to.
    fn folder(&self, file: Option<&Path>) -> Result<PathBuf, CliFailure> {
        if let Some(folder) = &self.folder {
            return match folder.is_dir() {
                true => Ok(folder.clone()),
                false => Err(CliFailure::wrong(format_args!(
                    "--folder {}: no such folder",
                    folder.display()
                ))),
            };
        }
        let beside = file
            .and_then(Path::parent)
            .filter(|folder| !folder.as_os_str().is_empty());
        Ok(beside.map_or_else(|| PathBuf::from("."), Path::to_path_buf))
    }
}

/// A file in the page's folder is opened there, so that it can be saved again; any other is
/// read once.
fn from_file(file: &Path, folder: &Path) -> Result<StartSheet, CliFailure> {
    let name = file
        .file_name()
        .map_or_else(Default::default, OsStr::to_string_lossy);
    let lies_there = match (file.canonicalize(), folder.join(&*name).canonicalize()) {
        (Ok(file), Ok(there)) => file == there,
        _ => false,
    };
    if lies_there && !name.starts_with('.') && !name.contains(char::REPLACEMENT_CHARACTER) {
        return Ok(StartSheet::Named(name.into_owned()));
    }
    let bytes = std::fs::read(file).map_err(|e| CliFailure::io(file.display(), &e))?;
    let beside = file.with_file_name(sidecar_name(&name));
    Ok(StartSheet::File(StartFile {
        name: name.into_owned(),
        bytes,
        // most files have none
        sidecar: std::fs::read_to_string(beside).ok(),
    }))
}

fn piped() -> Result<StartFile, CliFailure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|e| CliFailure::io("standard input", &e))?;
    let name = "standard input".into();
    Ok(StartFile {
        name,
        bytes,
        sidecar: None,
    })
}

/// A typed rule: a path is replaced by its name, and its folder is added to the rule folders,
/// since the page knows no paths.
fn typed_rule(text: &str, file_access: &mut FileAccess) -> String {
    let path = Path::new(text);
    let Some(name) = path
        .file_stem()
        .filter(|_| rule_file::is_path(path) && path.is_file())
    else {
        return text.to_string();
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    file_access
        .rules
        .insert(0, folder.unwrap_or(Path::new(".")).to_path_buf());
    name.to_string_lossy().into_owned()
}

/// `gridpaper` where the XDG directories put what programs keep for next time.
pub(super) fn own_state() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let state = match set("XDG_STATE_HOME").map(PathBuf::from) {
        // the specification has it absolute, or else ignored
        Some(state) if state.is_absolute() => state,
        _ => Path::new(&set("HOME")?).join(".local/state"),
    };
    Some(state.join("gridpaper"))
}

/// A random seed for soups without a given one.
pub(super) fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    // Before 1970 all soups are the same.
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// Opens the browser, without a shell between: it would read the URL its own way.
fn show(url: &str) -> io::Result<()> {
    let (program, before): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(url);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut opener = command.spawn()?;
    // A thread waits for it, so that it does not become a zombie.
    std::thread::spawn(move || opener.wait());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let read = |text: &str| {
            text.parse::<AddressArgument>()
                .ok()
                .map(|a| a.0.to_string())
        };
        assert_eq!(read("localhost").as_deref(), Some("127.0.0.1"));
        assert_eq!(read("0.0.0.0").as_deref(), Some("0.0.0.0"));
        assert_eq!(read("[::1]").as_deref(), Some("::1"));
        assert_eq!(read("::1").as_deref(), Some("::1"));
        assert_eq!(read("example.org"), None);
    }

    #[test]
    fn a_file_in_the_folder_is_opened_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rle");
        std::fs::write(&file, "3o!").unwrap();
        let there = from_file(&file, folder.path()).unwrap();
        assert!(matches!(there, StartSheet::Named(name) if name == "a.rle"));
        std::fs::write(folder.path().join("a.rle.toml"), "x").unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let StartSheet::File(given) = from_file(&file, elsewhere.path()).unwrap() else {
            panic!("it lies in another folder");
        };
        assert_eq!(
            (given.name.as_str(), given.sidecar.as_deref()),
            ("a.rle", Some("x"))
        );
    }

    #[test]
    fn a_path_to_a_rule_becomes_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Mine.rule");
        std::fs::write(&path, "@RULE Mine").unwrap();
        let mut file_access = FileAccess::default();
        assert_eq!(typed_rule(path.to_str().unwrap(), &mut file_access), "Mine");
        assert_eq!(file_access.rules, [folder.path()]);
        assert_eq!(typed_rule("B36/S23", &mut file_access), "B36/S23");
        assert_eq!(file_access.rules.len(), 1);
    }
}

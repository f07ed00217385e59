//! Program lookup: where a program is, and what it has to read to run.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A program's location and what it needs.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ProgramLocation {
    /// Absolute; symbolic links are kept, since Python locates its libraries relative to the
    /// link.
    pub(crate) path: PathBuf,
    /// Paths that it has to read besides the system's.
    pub(crate) reads: Vec<PathBuf>,
    /// Folders of programs that belong to it, for `PATH`.
    pub(crate) homes: Vec<PathBuf>,
}

/// The system's program and library folders: everything in them may be read and run.
pub(crate) const SYSTEM: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
];

/// Finds a program.
pub(crate) fn find(name: &OsStr, folder: &Path) -> io::Result<ProgramLocation> {
    let path = if name.as_bytes().contains(&b'/') {
        let near = std::path::absolute(name)?;
        let far = folder.join(name);
        if near.exists() || !far.exists() {
            near
        } else {
            far
        }
    } else {
        in_path(name, folder).ok_or(io::ErrorKind::NotFound)?
    };
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    if !is_executable(&path) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut found = ProgramLocation {
        path: path.clone(),
        ..ProgramLocation::default()
    };
    let mut next = Some(path);
    // a bound on scripts run by scripts
    for _ in 0..4 {
        let Some(path) = next.take() else { break };
        found.add(&path);
        if let Ok(path) = path.canonicalize() {
            found.add(&path);
        }
        next = interpreter(&path, folder)?;
    }
    Ok(found)
}

/// Whether this user may execute it.
fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

fn in_path(name: &OsStr, folder: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    for place in std::env::split_paths(&path) {
        let Ok(place) = std::path::absolute(place) else {
            continue;
        };
        let here = place.join(name);
        if !is_executable(&here) {
            continue;
        }
        if !place.ends_with("shims") {
            return Some(here);
        }
        if let Some(behind) = behind_shim(&place, name, folder) {
            return Some(behind);
        }
    }
    None
}

/// What pyenv's shim would run: the version of `PYENV_VERSION`, the folder's `.python-version`
/// or the global one. `None` if that is the system's, which comes later in `PATH`.
fn behind_shim(shims: &Path, name: &OsStr, folder: &Path) -> Option<PathBuf> {
    let root = shims.parent()?;
    let chosen = std::env::var("PYENV_VERSION").ok();
    let files = folder
        .ancestors()
        .map(|above| above.join(".python-version"));
    let files = files.chain([root.join("version")]);
    let chosen = chosen.or_else(|| files.into_iter().find_map(|f| read(&f)))?;
    chosen
        .split([':', ' ', '\n'])
        .map(|version| root.join("versions").join(version).join("bin").join(name))
        .find(|path| is_executable(path))
}

fn read(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The interpreter in a script's first line after `#!`; `None` without such a line.
fn interpreter(script: &Path, folder: &Path) -> io::Result<Option<PathBuf>> {
    let Some(line) = first_line(script) else {
        return Ok(None);
    };
    let words = line.split(|b| b" \t".contains(b));
    let mut words = words.filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let named = |name: &[u8], why: &str| {
        let name = String::from_utf8_lossy(name);
        let words = format!("its first line names {}, {why}", name.escape_debug());
        io::Error::new(io::ErrorKind::NotFound, words)
    };
    let path = Path::new(OsStr::from_bytes(first));
    let uses_env = path.ends_with("env");
    let is_name = |word: &&[u8]| !word.starts_with(b"-") && !word.contains(&b'=');
    let name = if uses_env {
        words.find(is_name)
    } else {
        Some(first)
    };
    let Some(name) = name else { return Ok(None) };
    if name.ends_with(b"\r") {
        // the kernel and `env` take it as part of the name
        return Err(named(name, "and the carriage return is not to be there"));
    }
    if uses_env {
        // if there is none, `env` reports it
        return Ok(in_path(OsStr::from_bytes(name), folder));
    }
    match path.exists() {
        true => Ok(Some(path.to_path_buf())),
        false => Err(named(name, "which is not there")),
    }
}

/// The text after `#!`, up to the length that kernels read.
fn first_line(script: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let file = File::open(script).ok()?;
    file.take(256).read_to_end(&mut head).ok()?;
    let mut lines = head.strip_prefix(b"#!")?.split(|&b| b == b'\n');
    lines.next().map(<[u8]>::to_vec)
}

impl ProgramLocation {
    fn add(&mut self, program: &Path) {
        if SYSTEM.iter().any(|folder| program.starts_with(folder)) {
            return;
        }
        let mut reads = vec![program.to_path_buf()];
        if let Some(home) = program.parent().filter(|home| home.ends_with("bin")) {
            reads.push(home.to_path_buf());
            let owner = std::env::var_os("HOME").map(PathBuf::from);
            let root = home.parent().filter(|&root| owner.as_deref() != Some(root));
            let parts = [
                "lib",
                "lib64",
                "libexec",
                "share",
                "include",
                "conf",
                "pyvenv.cfg",
            ];
            reads.extend(
                root.iter()
                    .flat_map(|root| parts.map(|part| root.join(part))),
            );
            if !self.homes.iter().any(|known| known == home) {
                self.homes.push(home.to_path_buf());
            }
        }
        for path in reads {
            if path.exists() && !self.reads.contains(&path) {
                self.reads.push(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    struct ProgramFixture(PathBuf);

    impl ProgramFixture {
        fn new(name: &str) -> Self {
            let name = format!("gridpaper-cage-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).expect("a folder");
            Self(path.canonicalize().expect("it is there"))
        }

        fn file(&self, path: &str, text: &str, mode: u32) -> PathBuf {
            let path = self.0.join(path);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
            std::fs::write(&path, text).expect("a file");
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, mode).expect("ours");
            path
        }
    }

    impl Drop for ProgramFixture {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_name_is_looked_for_and_a_path_is_taken() {
        let folder = ProgramFixture::new("names");
        let bot = folder.file("bot", "", 0o755);
        let found = find(OsStr::new("sh"), &folder.0).expect("there is a shell");
        assert!(found.path.is_absolute() && found.path.ends_with("sh"));
        assert_eq!(
            find(bot.as_os_str(), Path::new("/")).expect("ours").path,
            bot
        );
        let near = find(OsStr::new("./bot"), &folder.0).expect("in its folder");
        assert_eq!(near.path.canonicalize().expect("there"), bot);
        assert_eq!(near.homes, [] as [PathBuf; 0]);
    }

    #[test]
    fn what_is_no_program_is_said_to_be_none() {
        let folder = ProgramFixture::new("none");
        folder.file("plain", "", 0o644);
        let kind = |name: &str| find(OsStr::new(name), &folder.0).map_err(|e| e.kind());
        assert_eq!(kind("./plain"), Err(io::ErrorKind::PermissionDenied));
        assert_eq!(kind("./gone"), Err(io::ErrorKind::NotFound));
        assert_eq!(kind("no-such-program-here"), Err(io::ErrorKind::NotFound));
        assert!(kind("/").is_err());
    }

    #[test]
    fn a_program_reads_what_is_beside_its_bin_and_a_script_what_its_interpreter_reads() {
        let folder = ProgramFixture::new("prefix");
        let tool = folder.file("own/bin/tool", "", 0o755);
        folder.file("own/lib/parts", "", 0o644);
        folder.file("own/secret", "", 0o644);
        let script = format!("#! {} -x\n", tool.display());
        let script = folder.file("bots/script", &script, 0o755);
        let found = find(script.as_os_str(), Path::new("/")).expect("a script");
        let own = folder.0.join("own");
        let expected = [script.clone(), tool, own.join("bin"), own.join("lib")];
        assert_eq!(found.path, script);
        assert_eq!(found.reads, expected);
        assert_eq!(found.homes, [own.join("bin")]);
    }

    #[test]
    fn a_script_whose_interpreter_is_not_there_is_told_of() {
        let folder = ProgramFixture::new("interpreters");
        let find = |text: &str| {
            let script = folder.file("script", text, 0o755);
            find(script.as_os_str(), &folder.0).map_err(|error| error.to_string())
        };
        let rows = [
            (
                "#!/no/such/thing -x\n",
                "/no/such/thing, which is not there",
            ),
            (
                "#!/bin/sh\r\necho\r\n",
                "/bin/sh\\r, and the carriage return",
            ),
            ("#!/usr/bin/env sh\r\n", " sh\\r, and the carriage return"),
            (
                "#!/usr/bin/env -S sh\r\n",
                " sh\\r, and the carriage return",
            ),
        ];
        for (text, words) in rows {
            let error = find(text).expect_err(text);
            assert!(error.starts_with("its first line names "), "{error}");
            assert!(error.contains(words), "{error}");
        }
        for text in [
            "#!/bin/sh\n",
            "#! /bin/sh -e\n",
            "#!/usr/bin/env -S A=1 sh -e\n",
            "#!/usr/bin/env no-such-thing\n",
            "#!\n",
            "echo\n",
            "",
        ] {
            assert!(find(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_python_behind_a_shim_is_the_one_that_its_folder_asks_for() {
        let folder = ProgramFixture::new("shims");
        for version in ["3.1", "3.2"] {
            folder.file(&format!("env/versions/{version}/bin/py"), "", 0o755);
        }
        folder.file("env/version", "3.1\n", 0o644);
        folder.file("new/.python-version", "3.2\n", 0o644);
        folder.file("old/.python-version", "system\n", 0o644);
        let behind = |at: &str| {
            let shims = folder.0.join("env/shims");
            behind_shim(&shims, OsStr::new("py"), &folder.0.join(at))
        };
        let versions = folder.0.join("env/versions");
        assert_eq!(behind("none"), Some(versions.join("3.1/bin/py")));
        assert_eq!(behind("new/deeper"), Some(versions.join("3.2/bin/py")));
        assert_eq!(behind("old"), None);
    }
}

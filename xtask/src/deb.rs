//! `cargo xtask deb`: a Debian package of the one binary, with its man pages, completions for
//! three shells, and the book.
//!
//! A package is an `ar` archive of two tar files, so it is written here and needs neither root
//! nor Debian's tools. (`dpkg-deb` was the alternative: it is not there on other systems, and
//! two ways to make one file are one too many.) Owners, modes and times come from here and not
//! from the disk, so the same commit gives the same package.

use crate::cargo::{cargo, target};
use flate2::{Compression, GzBuilder};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The package's name, and the binary's.
const NAME: &str = "gridpaper";
/// The crate that the binary is built from.
const PACKAGE: &str = "gridpaper-cli";
/// Debian's own number of a version, after the program's.
const REVISION: u32 = 1;

pub(crate) fn run(root: &Path) -> ExitCode {
    match make(root) {
        Ok(package) => {
            println!("deb: {}", package.display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("deb: {why}");
            ExitCode::FAILURE
        }
    }
}

/// A file of the package.
struct DebFile {
    /// Where it goes, without the `/` at the beginning.
    place: String,
    /// Whether it is a program.
    is_program: bool,
    bytes: Vec<u8>,
}

impl DebFile {
    fn new(place: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            place: place.into(),
            is_program: false,
            bytes: bytes.into(),
        }
    }
}

fn make(root: &Path) -> Result<PathBuf, String> {
    let target = target(root)?;
    succeed(cargo(root).args(["build", "--release", "--package", PACKAGE]))?;
    let built = target.join("release").join(NAME);
    let folder = target.join("debian");
    fs::create_dir_all(&folder).map_err(|e| told(&folder, &e))?;
    let binary = without_symbols(&built, &folder)?;
    let time = time_of(root);
    let version = format!("{}-{REVISION}", env!("CARGO_PKG_VERSION"));
    let files = files(root, &folder, binary, &version, time)?;

    let architecture = architecture()?;
    let control = control(&files, &version, architecture);
    let control = zipped(&tar(&[DebFile::new("control", control)], time)?);
    let data = zipped(&tar(&files, time)?);
    let members: [(&str, &[u8]); 3] = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", &control),
        ("data.tar.gz", &data),
    ];
    let package = folder.join(format!("{NAME}_{version}_{architecture}.deb"));
    fs::write(&package, archive(&members, time)).map_err(|e| told(&package, &e))?;
    Ok(package)
}

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn succeed(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|e| format!("{name}: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{name}: {}", output.status)),
    }
}

/// The binary without what only a debugger reads. `strip` comes with every linker.
fn without_symbols(built: &Path, folder: &Path) -> Result<Vec<u8>, String> {
    let stripped = folder.join(NAME);
    succeed(Command::new("strip").arg("-o").arg(&stripped).arg(built))?;
    fs::read(&stripped).map_err(|e| told(&stripped, &e))
}

/// Seconds since 1970 of the last commit, or what `SOURCE_DATE_EPOCH` says; 0 where neither is
/// known.
fn time_of(root: &Path) -> u64 {
    if let Some(time) = std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .and_then(|t| t.parse().ok())
    {
        return time;
    }
    let output = Command::new("git")
        .args(["log", "-1", "--format=%ct"])
        .current_dir(root)
        .output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    text.ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// What Debian calls the machine that this is built for.
fn architecture() -> Result<&'static str, String> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        "riscv64" => Ok("riscv64"),
        other => Err(format!("Debian's name for {other} is not known here")),
    }
}

/// All files of the package, in order.
fn files(
    root: &Path,
    folder: &Path,
    binary: Vec<u8>,
    version: &str,
    time: u64,
) -> Result<Vec<DebFile>, String> {
    let program = folder.join(NAME);
    let said = |arguments: &[&str]| succeed(Command::new(&program).args(arguments));
    let mut files = vec![
        DebFile {
            is_program: true,
            ..DebFile::new(format!("usr/bin/{NAME}"), binary)
        },
        DebFile::new(
            format!("usr/share/bash-completion/completions/{NAME}"),
            said(&["completions", "bash"])?,
        ),
        DebFile::new(
            format!("usr/share/zsh/vendor-completions/_{NAME}"),
            said(&["completions", "zsh"])?,
        ),
        DebFile::new(
            format!("usr/share/fish/vendor_completions.d/{NAME}.fish"),
            said(&["completions", "fish"])?,
        ),
    ];
    let manual = folder.join("man");
    // what lies there may come from another version
    let _ = fs::remove_dir_all(&manual);
    said(&["completions", "--man", &manual.to_string_lossy()])?;
    for (name, bytes) in contents(&manual, "1")? {
        files.push(DebFile::new(
            format!("usr/share/man/man1/{name}.gz"),
            zipped(&bytes),
        ));
    }
    let docs = format!("usr/share/doc/{NAME}");
    let read = |name: &str| fs::read(root.join(name)).map_err(|e| told(Path::new(name), &e));
    let changes = format!(
        "{NAME} ({version}) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n \
         -- {}  {}\n",
        maintainer(),
        date(time)
    );
    files.push(DebFile::new(
        format!("{docs}/changelog.Debian.gz"),
        zipped(changes.as_bytes()),
    ));
    files.push(DebFile::new(
        format!("{docs}/changelog.gz"),
        zipped(&read("CHANGELOG.md")?),
    ));
    let copyright = copyright(&String::from_utf8_lossy(&read("LICENSE-MIT")?));
    files.push(DebFile::new(format!("{docs}/copyright"), copyright));
    for place in [
        "docs",
        "docs/reference",
        "docs/images",
        "examples/bots",
        "rules",
        "tournaments",
    ] {
        for ending in ["md", "png", "svg", "py", "rs", "c", "gridrule", "toml"] {
            for (name, bytes) in contents(&root.join(place), ending)? {
                files.push(DebFile::new(format!("{docs}/{place}/{name}"), bytes));
            }
        }
    }
    files.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(files)
}

/// The files of a folder with this ending, by name.
fn contents(folder: &Path, ending: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| told(folder, &e))? {
        let path = entry.map_err(|e| told(folder, &e))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_file() && path.extension().is_some_and(|its| its == ending) {
            found.push((name, fs::read(&path).map_err(|e| told(&path, &e))?));
        }
    }
    found.sort();
    Ok(found)
}

/// Who made the package: as Debian's own tools ask, by `DEBFULLNAME` and `DEBEMAIL`.
fn maintainer() -> String {
    let said = |name: &str, otherwise: &str| std::env::var(name).unwrap_or(otherwise.into());
    let name = said("DEBFULLNAME", "The Gridpaper authors");
    let address = said("DEBEMAIL", "gridpaper@localhost.localdomain");
    format!("{name} <{address}>")
}

/// What the package is, for `dpkg`.
fn control(files: &[DebFile], version: &str, architecture: &str) -> String {
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    let binary = files.iter().find(|file| file.is_program);
    let libc = binary.and_then(|file| libc_needed(&file.bytes));
    let libc = libc.map_or("libc6".into(), |(major, minor)| {
        format!("libc6 (>= {major}.{minor})")
    });
    format!(
        "Package: {NAME}\n\
         Version: {version}\n\
         Section: science\n\
         Priority: optional\n\
         Architecture: {architecture}\n\
         Depends: {libc}, libgcc-s1\n\
         Installed-Size: {}\n\
         Maintainer: {}\n\
         Description: worlds on squared paper: run them, watch them, search them, play them\n \
         Runs cellular automata of all well-known families, on a page to draw on, in\n \
         the terminal, or from a pattern file to any generation, with exact answers;\n \
         plays games on the same paper, against people, its own players and bots in any\n \
         language; and solves, proves and makes puzzles of lasers and mirrors.\n",
        bytes.div_ceil(1024),
        maintainer(),
    )
}

/// The newest version of the C library that a binary asks for: it names those of the symbols
/// that it uses, `GLIBC_2.34`.
fn libc_needed(binary: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"GLIBC_";
    let places = binary.windows(MARK.len()).enumerate();
    let places = places.filter(|(_, bytes)| *bytes == MARK);
    let versions = places.filter_map(|(at, _)| {
        let rest = &binary[at + MARK.len()..];
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let length = rest
            .iter()
            .take(16)
            .take_while(|byte| is_part(byte))
            .count();
        let mut parts = std::str::from_utf8(&rest[..length]).ok()?.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    });
    versions.max()
}

/// The licences in the form that Debian's tools read.
fn copyright(mit: &str) -> String {
    let holder = mit
        .lines()
        .find_map(|line| line.strip_prefix("Copyright (c) "));
    let body: Vec<String> = mit
        .lines()
        .skip_while(|line| !line.starts_with("Permission"))
        .map(|line| match line.trim() {
            "" => " .".into(),
            line => format!(" {line}"),
        })
        .collect();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: {NAME}\n\n\
         Files: *\n\
         Copyright: {}\n\
         License: Expat or Apache-2.0\n\n\
         License: Expat\n{}\n\n\
         License: Apache-2.0\n \
         On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.\n",
        holder.unwrap_or("the Gridpaper authors"),
        body.join("\n")
    )
}

/// The time as Debian's change logs have it, `Sat, 21 Nov 2026 12:00:00 +0000`.
fn date(time: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let days = time / 86400;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    let seconds = time % 86400;
    format!(
        "{}, {:02} {} {year} {:02}:{:02}:{:02} +0000",
        DAYS[(days % 7) as usize],
        left + 1,
        MONTHS[month],
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// A tar file with these files and the folders that they lie in, all of them root's.
fn tar(files: &[DebFile], time: u64) -> Result<Vec<u8>, String> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |place: &str, kind: tar::EntryType, mode: u32, bytes: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(time);
        header.set_size(bytes.len() as u64);
        let path = format!("./{place}");
        let name = &mut header.as_old_mut().name;
        if path.len() > name.len() {
            return Err(format!("{place}: a name of more than {} bytes", name.len()));
        }
        // `set_path` would take the `./` away, with which all of Debian's packages begin
        name[..path.len()].copy_from_slice(path.as_bytes());
        let named = header
            .set_username("root")
            .and(header.set_groupname("root"));
        header.set_cksum();
        named
            .and_then(|()| archive.append(&header, bytes))
            .map_err(|e| format!("{place}: {e}"))
    };
    add("", tar::EntryType::Directory, 0o755, &[])?;
    let mut made: Vec<&str> = Vec::new();
    for file in files {
        for (at, _) in file.place.match_indices('/') {
            let folder = &file.place[..at];
            if !made.contains(&folder) {
                made.push(folder);
                add(&format!("{folder}/"), tar::EntryType::Directory, 0o755, &[])?;
            }
        }
        let mode = if file.is_program { 0o755 } else { 0o644 };
        add(&file.place, tar::EntryType::Regular, mode, &file.bytes)?;
    }
    archive.into_inner().map_err(|e| format!("tar: {e}"))
}

/// Gzipped as well as it gets, with no name and no time in it.
fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzBuilder::new().write(Vec::new(), Compression::best());
    let why = "a vector takes whatever is written";
    out.write_all(bytes).expect(why);
    out.finish().expect(why)
}

/// An `ar` archive: for each member a header of 60 bytes (`ar(5)`), then its bytes, filled up
/// to an even number.
fn archive(members: &[(&str, &[u8])], time: u64) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let size = bytes.len();
        let header = format!(
            "{name:<16}{time:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            0, 0, 100_644
        );
        out.extend(header.into_bytes());
        out.extend_from_slice(bytes);
        if size % 2 == 1 {
            out.push(b'\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_as_ar_has_it() {
        let out = archive(&[("a", b"odd"), ("b", b"even")], 7);
        let expected = "!<arch>\n\
            a               7           0     0     100644  3         `\nodd\n\
            b               7           0     0     100644  4         `\neven";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_tar_has_folders_before_what_lies_in_them() {
        let program = DebFile {
            is_program: true,
            ..DebFile::new("usr/bin/a", "#!/bin/sh\n")
        };
        let bytes = tar(&[program, DebFile::new("usr/share/b", "b")], 9).unwrap();
        let mut archive = tar::Archive::new(&bytes[..]);
        let found: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let path = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
                (path, entry.header().mode().unwrap())
            })
            .collect();
        let expected = [
            ("./", 0o755),
            ("./usr/", 0o755),
            ("./usr/bin/", 0o755),
            ("./usr/bin/a", 0o755),
            ("./usr/share/", 0o755),
            ("./usr/share/b", 0o644),
        ];
        assert_eq!(found, expected.map(|(path, mode)| (path.to_owned(), mode)));
    }

    #[test]
    fn the_newest_library_is_found() {
        assert_eq!(
            libc_needed(b"xGLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE"),
            Some((2, 34))
        );
        assert_eq!(libc_needed(b"static"), None);
    }

    #[test]
    fn dates_are_written_as_debian_does() {
        let rows = [
            (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
            (1_795_291_506, "Sat, 21 Nov 2026 20:05:06 +0000"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 +0000"),
        ];
        for (time, expected) in rows {
            assert_eq!(date(time), expected);
        }
    }

    #[test]
    fn the_licence_is_said_in_debians_form() {
        let text = copyright(
            "MIT License\n\nCopyright (c) 2026 us\n\nPermission is\ngiven\n\nNO WARRANTY\n",
        );
        assert!(text.contains("Copyright: 2026 us\n"), "{text}");
        assert!(
            text.contains("License: Expat\n Permission is\n given\n .\n NO WARRANTY\n"),
            "{text}"
        );
    }
}

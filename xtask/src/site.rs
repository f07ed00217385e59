//! `cargo xtask site OUT`: the page as files for any web host, with the worlds in it.
//!
//! The folder has the workbench with the program as WebAssembly (`wasm/`) in a worker, a document
//! for each room that says what needs a machine, the element `<grid-paper>` for other pages, and
//! the book where mdBook is installed. `wasm/` is a workspace of its own, and the gate does not
//! build it.
//!
//! - The target `wasm32-unknown-unknown` of the installed compiler is used where it is there
//!   (`rustup target add wasm32-unknown-unknown`).
//! - `--debian` uses a compiler of Debian's packages instead, which come with the sources of its
//!   library: they are fetched by `apt-get download` and unpacked beside what is built, never
//!   installed.
//! - `--check` runs the tests of `wasm/tests` afterwards, in Node and in Chromium.
//! - esbuild, from npm, makes few scripts of the page's many modules (`wasm/bundle.mjs`).
//! - `--programs FOLDER` takes programs that were compiled before.

mod debian;

use crate::book;
use crate::cargo::{cargo, output, target};
use crate::wasm::{TARGET, has_target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of the site, which part of `wasm/` each has, and what of the target: a page loads the
/// one it needs, and a browser without SIMD the plain one.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("gridpaper.wasm", "worlds", SIMD),
    ("rooms.wasm", "rooms", SIMD),
    ("gridpaper-plain.wasm", "worlds", ""),
    ("rooms-plain.wasm", "rooms", ""),
];

const SIMD: &str = "-C target-feature=+simd128";

/// The most memory that the program may have, in bytes: what it may hold, and as much again for what
/// it makes of it.
const MOST_MEMORY: u64 = 2 << 30;

/// What other pages include, besides scripts.
const ELEMENT: [&str; 2] = ["grid-paper.d.ts", "package.json"];

/// What no host needs to serve: a page that is opened from a disk has these.
const ON_DISK: &str = "page/disk/";

/// The first page of the book.
const BOOK: &str = "book/docs/index.html";

/// Rooms that need a machine, and what each is for.
const MACHINE_ROOMS: [(&str, &str); 1] = [("arena", "tournaments between players and bots")];

/// What was asked for.
struct SiteOrder<'a> {
    out: PathBuf,
    is_debian: bool,
    is_checked: bool,
    programs: Option<&'a str>,
}

/// Makes the site.
///
/// # Errors
/// When something is missing, and what would bring it; or a check fails.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let order = order(words)?;
    let programs = match order.programs {
        Some(path) => PathBuf::from(path),
        None => compiled(root, order.is_debian)?,
    };
    write(root, &order.out, &programs)?;
    println!("site: {}", order.out.join("index.html").display());
    if order.is_checked {
        return check(root, &order.out);
    }
    Ok(())
}

fn order<'a>(words: &[&'a str]) -> Result<SiteOrder<'a>, String> {
    const USAGE: &str = "usage: cargo xtask site OUT [--debian] [--check] [--programs FOLDER]";
    let (mut out, mut programs) = (None, None);
    let (mut is_debian, mut is_checked) = (false, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--debian" => is_debian = true,
            "--check" => is_checked = true,
            "--programs" => programs = Some(*words.next().ok_or(USAGE)?),
            word if word.starts_with('-') || out.is_some() => return Err(USAGE.into()),
            word => out = Some(PathBuf::from(word)),
        }
    }
    let out = out.ok_or(USAGE)?;
    Ok(SiteOrder {
        out: std::path::absolute(out).map_err(|e| e.to_string())?,
        is_debian,
        is_checked,
        programs,
    })
}

/// Compiles the programs, and tells where they are.
fn compiled(root: &Path, is_debian: bool) -> Result<PathBuf, String> {
    let place = target(root)?.join("site");
    let build = place.join("build");
    for (name, part, features) in PROGRAMS {
        compile(root, &build, (part, features), is_debian)?;
        let made = build.join(TARGET).join("release/gridpaper_wasm.wasm");
        copy(&made, &place.join(name))?;
    }
    Ok(place)
}

fn compile(
    root: &Path,
    build: &Path,
    (part, features): (&str, &str),
    is_debian: bool,
) -> Result<(), String> {
    let mut command = cargo(&root.join("wasm"));
    command
        .args(["build", "--release", "--target", TARGET])
        .args(["--no-default-features", "--features", part])
        .env("CARGO_TARGET_DIR", build)
        .env(
            "RUSTFLAGS",
            format!("{features} -C link-arg=--max-memory={MOST_MEMORY}"),
        );
    // what the gate compiles with is not for this target
    for name in ["RUSTC_WORKSPACE_WRAPPER", "RUSTC_WRAPPER", "RUSTDOC"] {
        command.env_remove(name);
    }
    if is_debian {
        command
            .env("RUSTC", debian::compiler(&target(root)?.join("site"))?)
            .env("RUSTC_BOOTSTRAP", "1")
            .arg("-Zbuild-std=std,panic_abort");
    } else if !has_target()? {
        return Err(format!(
            "the compiler has no standard library for {TARGET}: `rustup target add {TARGET}` \
             fetches it; on Debian, `cargo xtask site OUT --debian` takes a compiler of its packages"
        ));
    }
    match command.status().is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err("the program does not compile for WebAssembly".into()),
    }
}

fn write(root: &Path, out: &Path, programs: &Path) -> Result<(), String> {
    let from = root.join("wasm/site");
    let place = |error: std::io::Error| format!("{}: {error}", out.display());
    fs::create_dir_all(out).map_err(place)?;
    output(
        cargo(root)
            .args(["run", "--quiet", "--package", "gridpaper-web"])
            .args(["--example", "static_files", "--"])
            .arg(out),
    )?;
    for (name, ..) in PROGRAMS {
        copy(&programs.join(name), &out.join("page").join(name))?;
    }
    for name in ELEMENT {
        copy(&from.join(name), &out.join(name))?;
    }
    for (name, about) in MACHINE_ROOMS {
        let path = out.join(format!("{name}.html"));
        let document = fs::read_to_string(&path).map_err(place)?;
        fs::write(&path, machine_room(&document, name, about)?).map_err(place)?;
    }
    let esbuild = crate::browser::fetch_esbuild(root)?;
    output(
        Command::new("node")
            .arg(root.join("wasm/bundle.mjs"))
            .args([out, &from, &esbuild]),
    )?;
    match book::build(root) {
        Ok(book) => add_book(&book, out)?,
        Err(why) => println!("site: without the book: {why}"),
    }
    let path = out.join("service-worker.js");
    let worker = fs::read_to_string(&path).map_err(place)?;
    fs::write(&path, service_worker(&worker, out)?).map_err(place)
}

/// Copies the book and what its chapters link to, and puts a link to it into the help of each room.
fn add_book(book: &Path, out: &Path) -> Result<(), String> {
    let place = |error: std::io::Error| format!("{}: {error}", out.display());
    // the folder has the book, and beside it what it links to
    copy_folder(book.parent().unwrap_or(book), &out.join("book"))?;
    for entry in fs::read_dir(out).map_err(place)? {
        let path = entry.map_err(place)?.path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let document = fs::read_to_string(&path).map_err(place)?;
            fs::write(&path, with_book(&document)).map_err(place)?;
        }
    }
    Ok(())
}

/// A document with a link to the book in its help, where it has one.
fn with_book(document: &str) -> String {
    let title = "<h2 id=\"help-title\">help</h2>";
    document.replace(
        title,
        &format!("{title}\n    <a href=\"{BOOK}\">the book</a>"),
    )
}

/// A room's document with a few words in place of the room.
fn machine_room(document: &str, name: &str, about: &str) -> Result<String, String> {
    let begins = document.find("</header>").map(|at| at + "</header>".len());
    let ends = document.find("<noscript>");
    let (Some(begins), Some(ends)) = (begins, ends) else {
        return Err(format!("{name}.html has no header, or no end"));
    };
    let words = format!(
        "\n<main class=\"no-world\">\n<h1>{name}</h1>\n<p>{about}</p>\n<p>This room needs gridpaper \
         on a machine: install it and run <code>gridpaper serve</code>, which opens the same page \
         with all its rooms.</p>\n<p><a href=\"index.html\">to the worlds, which run here</a></p>\n\
         </main>\n"
    );
    let head = document[..begins].replace(
        &format!("page/{name}/main.js"),
        "page/shared/navigation-alone.js",
    );
    Ok(head + &words + &document[ends..])
}

/// The service worker with the names of the files that it keeps, and a version made of them.
fn service_worker(text: &str, out: &Path) -> Result<String, String> {
    let mut names = Vec::new();
    list(out, out, &mut names)?;
    let is_kept = |name: &str| {
        let is_apart = name.starts_with("book/") || name.starts_with(ON_DISK);
        !is_apart && !["service-worker.js", "grid-paper.single.js"].contains(&name)
    };
    names.retain(|name| is_kept(name));
    names.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in &names {
        let bytes = fs::read(out.join(name)).map_err(|e| format!("{name}: {e}"))?;
        for byte in name.bytes().chain(bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    // which of the programs it keeps is its own choice
    names.retain(|name| !name.ends_with(".wasm"));
    let files = serde_json::to_string(&names).map_err(|e| e.to_string())?;
    Ok(text
        .replace("SITE_FILES", &files)
        .replace("SITE_VERSION", &format!("\"{hash:016x}\"")))
}

fn list(root: &Path, folder: &Path, names: &mut Vec<String>) -> Result<(), String> {
    let place = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(place)? {
        let path = entry.map_err(place)?.path();
        if path.is_dir() {
            list(root, &path, names)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            names.push(name.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    }
    let copied = fs::copy(from, to);
    copied
        .map(drop)
        .map_err(|e| format!("{}: {e}", from.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let mut names = Vec::new();
    list(from, from, &mut names)?;
    names
        .iter()
        .try_for_each(|name| copy(&from.join(name), &to.join(name)))
}

/// Runs the tests of a site that was made.
fn check(root: &Path, out: &Path) -> Result<(), String> {
    let cases = target(root)?.join("site/cases.txt");
    let native = output(
        cargo(root)
            .args(["run", "--quiet", "--package", "gridpaper-wire"])
            .args(["--example", "cases"]),
    )?;
    fs::write(&cases, native).map_err(|e| format!("{}: {e}", cases.display()))?;
    let tests = root.join("wasm/tests");
    let axe = crate::browser::fetch_axe(root)?;
    // a processor of before SIMD is one without SSE4.1
    let runs = [
        (&[][..], "machine.mjs"),
        (&["--no-enable-sse4-1"], "machine.mjs"),
        (&[], "page.mjs"),
    ];
    for (flags, name) in runs {
        println!("==> node {} {name}", flags.concat());
        let status = Command::new("node")
            .args(flags)
            .arg(tests.join(name))
            .args([out, &cases, &axe])
            .status()
            .map_err(|e| format!("node: {e}"))?;
        if !status.success() {
            return Err(format!("the tests of {name} fail"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_that_needs_a_machine_says_so() {
        let document = "<head><script src=\"page/arena/main.js\"></script></head><header>nav</header>\
                        <form>cups</form><noscript>no</noscript></body>";
        let made = machine_room(document, "arena", "cups").unwrap();
        assert!(made.contains("nav</header>\n<main"));
        assert!(made.contains("gridpaper serve"));
        assert!(!made.contains("<form>"));
        assert!(!made.contains("arena/main.js"));
        assert!(machine_room("nothing", "arena", "").is_err());
    }

    #[test]
    fn the_help_of_a_room_has_a_link_to_the_book() {
        let document = "<div><h2 id=\"help-title\">help</h2><label>";
        let made = with_book(document);
        assert!(made.contains("<a href=\"book/docs/index.html\">the book</a><label>"));
        assert_eq!(with_book("<h2>help</h2>"), "<h2>help</h2>");
        for page in ["index.html", "shell.html"] {
            let path = crate::root().join("crates/web/page").join(page);
            let document = fs::read_to_string(path).unwrap();
            assert!(with_book(&document).contains(BOOK), "{page}");
        }
    }

    #[test]
    fn the_words_of_an_order_are_read() {
        let made = order(&["out", "--debian", "--programs", "made"]).unwrap();
        assert!(made.is_debian && !made.is_checked);
        assert_eq!(made.programs, Some("made"));
        assert!(made.out.is_absolute());
        for words in [&[][..], &["a", "b"], &["a", "--fast"], &["a", "--programs"]] {
            assert!(order(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn a_service_worker_names_every_file_but_itself() {
        let folder = std::env::temp_dir().join(format!("gridpaper-site-{}", std::process::id()));
        fs::create_dir_all(folder.join("page")).unwrap();
        let program = PROGRAMS[0].0;
        for name in ["index.html", "page/main.js", program, "service-worker.js"] {
            fs::write(folder.join(name), name).unwrap();
        }
        let text = "const F = SITE_FILES; const V = SITE_VERSION;";
        let made = service_worker(text, &folder).unwrap();
        assert!(made.starts_with("const F = [\"index.html\",\"page/main.js\"]; const V = \""));
        for name in ["index.html", program] {
            let before = service_worker(text, &folder).unwrap();
            fs::write(folder.join(name), "other").unwrap();
            assert_ne!(service_worker(text, &folder).unwrap(), before, "{name}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}

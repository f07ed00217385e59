//! Embeds the page: generates a table of all files under `page/` that a browser requests, so that a
//! new module needs no registration.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Extensions of embedded files; other files there (types, the pinned type checker) are not.
const ENDINGS: &[&str] = &["html", "css", "js", "svg", "png", "webmanifest", "woff2"];

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var(name).map_err(io::Error::other);
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("page");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    let mut named = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).map_err(io::Error::other)?;
        named.push((name.to_string_lossy().replace('\\', "/"), file));
    }
    // by the whole name: paths would be sorted folder by folder
    named.sort();
    let mut table = String::from("&[\n");
    for (name, file) in &named {
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "({name:?}, include_bytes!({:?})),",
            file.display().to_string()
        );
    }
    table.push(']');
    fs::write(Path::new(&variable("OUT_DIR")?).join("page.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|e| ENDINGS.iter().any(|known| e == *known))
        {
            files.push(path);
        }
    }
    Ok(())
}

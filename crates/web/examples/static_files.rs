//! Writes the page's files into a folder, for a host that serves files alone: `cargo xtask site`
//! runs it.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("usage: static_files FOLDER"));
    };
    for (name, bytes) in web::static_files() {
        let path = Path::new(&folder).join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)?;
    }
    Ok(())
}

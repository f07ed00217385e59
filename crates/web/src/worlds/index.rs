//! The list of worlds on disk.

use super::{FIRST_DRAFT, WorldKeys};
use crate::guard::new_token;
use serde::{Deserialize, Serialize};
use session::draft::DraftFile;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What the names of drafts begin with, before a world's id.
const DRAFT_PREFIX: &str = "world-";

/// What is kept of a world beside its draft.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct WorldRecord {
    pub(super) id: String,
    pub(super) draw: String,
    pub(super) watch: String,
    pub(super) title: String,
    pub(super) generation: String,
    /// Seconds since 1970 when somebody looked at it last.
    pub(super) used: u64,
    /// Whether the server began with it.
    #[serde(default)]
    pub(super) is_first: bool,
    #[serde(default)]
    pub(super) is_closed: bool,
}

impl WorldRecord {
    pub(super) fn new(is_first: bool) -> Result<Self, getrandom::Error> {
        let mut record = Self {
            id: new_token()?,
            draw: new_token()?,
            watch: new_token()?,
            title: "untitled".into(),
            generation: "0".into(),
            used: 0,
            is_first,
            is_closed: false,
        };
        record.touch();
        Ok(record)
    }

    pub(super) fn keys(&self) -> WorldKeys {
        WorldKeys {
            id: self.id.clone(),
            draw: self.draw.clone(),
            watch: self.watch.clone(),
        }
    }

    /// Somebody looks at it now.
    pub(super) fn touch(&mut self) {
        self.used = now();
    }

    /// How long ago somebody looked at it.
    pub(super) fn age(&self) -> Duration {
        Duration::from_secs(now().saturating_sub(self.used))
    }

    /// What its draft is called.
    pub(super) fn draft_kind(&self) -> String {
        match self.is_first {
            true => FIRST_DRAFT.into(),
            false => format!("{DRAFT_PREFIX}{}", self.id),
        }
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

/// The file.
#[derive(Debug)]
pub(super) struct WorldIndex(Option<PathBuf>);

impl WorldIndex {
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self(folder.map(|folder| folder.join("worlds.json")))
    }

    /// The worlds of last time; those that were closed are gone for good. A list that cannot be
    /// read is kept under another name.
    pub(super) fn read(&self) -> Vec<WorldRecord> {
        let Some(path) = &self.0 else {
            return Vec::new();
        };
        let Ok(bytes) = std::fs::read(path) else {
            return Vec::new();
        };
        let Ok(records) = serde_json::from_slice::<Vec<WorldRecord>>(&bytes) else {
            let kept = path.with_extension("kept.json");
            // without it, the worlds' drafts are still there
            let _ = std::fs::rename(path, kept);
            return Vec::new();
        };
        let (closed, open): (Vec<_>, Vec<_>) = records
            .into_iter()
            .filter(|record| is_token(&record.id))
            .partition(|record| record.is_closed && !record.is_first);
        for record in &closed {
            self.discard_draft(record);
        }
        self.discard_locks();
        open
    }

    /// Removes the draft of a world that is gone for good.
    pub(super) fn discard_draft(&self, record: &WorldRecord) {
        self.discard(&record.draft_kind());
    }

    fn discard(&self, kind: &str) {
        if let Some(folder) = self.0.as_deref().and_then(Path::parent) {
            // a file that stays is in nobody's way
            let _ = DraftFile::discard(folder, kind);
        }
    }

    /// Removes the locks of worlds that have no draft: they were looked at, and nothing was done.
    fn discard_locks(&self) {
        let folder = self.0.as_deref().and_then(Path::parent);
        let files = folder.and_then(|folder| std::fs::read_dir(folder).ok());
        for file in files.into_iter().flatten().flatten() {
            let path = file.path();
            let kind = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
            let is_world = path.extension() == Some(OsStr::new("lock"))
                && kind.strip_prefix(DRAFT_PREFIX).is_some_and(is_token);
            if is_world && !path.with_extension("draft").exists() {
                self.discard(kind);
            }
        }
    }

    /// Writes the list, readable for the server's owner alone. A list that cannot be written
    /// costs addresses after a restart, and no cells.
    pub(super) fn write(&self, records: &[WorldRecord]) {
        let Some(path) = &self.0 else { return };
        let Ok(text) = serde_json::to_vec_pretty(records) else {
            return;
        };
        let beside = path.with_extension("new");
        let written = write_private(&beside, &text).and_then(|()| std::fs::rename(&beside, path));
        if let Err(error) = written {
            eprintln!("gridpaper: {}: {error}", path.display());
        }
    }
}

fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::File::options();
    options.create(true).write(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)?.write_all(bytes)
}

/// Whether a text is what [`new_token`] makes, and so can be part of a file's name.
fn is_token(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_outlive_the_server_and_closed_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let index = WorldIndex::new(Some(folder.path()));
        assert!(index.read().is_empty());
        let (first, kept) = (
            WorldRecord::new(true).unwrap(),
            WorldRecord::new(false).unwrap(),
        );
        let mut closed = WorldRecord::new(false).unwrap();
        closed.is_closed = true;
        let draft = folder.path().join(format!("world-{}.draft", closed.id));
        std::fs::write(&draft, "x").unwrap();
        let lock = folder.path().join(format!("world-{}.lock", kept.id));
        std::fs::write(&lock, "").unwrap();
        std::fs::write(folder.path().join("server.lock"), "").unwrap();
        index.write(&[first.clone(), kept.clone(), closed]);
        let ids: Vec<String> = index.read().into_iter().map(|record| record.id).collect();
        assert_eq!(ids, [first.id, kept.id]);
        assert!(!draft.exists() && !lock.exists());
        assert!(folder.path().join("server.lock").exists());
    }

    #[test]
    fn a_broken_list_is_kept_and_names_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let index = WorldIndex::new(Some(folder.path()));
        std::fs::write(folder.path().join("worlds.json"), "[{").unwrap();
        assert!(index.read().is_empty());
        let kept = folder.path().join("worlds.kept.json");
        assert_eq!(std::fs::read(kept).unwrap(), b"[{");
        let mut outside = WorldRecord::new(false).unwrap();
        outside.id = "../../elsewhere".into();
        index.write(&[outside]);
        assert!(index.read().is_empty());
    }
}

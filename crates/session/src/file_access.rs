//! What a session may access: the built-in library, rule folders, files, and resource limits.
//!
//! A session in a terminal may open any path; a page in a browser gets plain names in one folder,
//! or no files at all. All access goes through [`FileAccess`], so that no command can bypass the
//! check.

use crate::settings::{MAX_SIDECAR_BYTES, sidecar_name};
use pattern::{Format, Pattern};
use rule::Rule;
use source::rule_file::{RuleFiles, RuleResolutionError, own_folder};
use source::{PatternSourceError, Source, bytes_words, io_words, rule_text};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use thiserror::Error;

/// Which files are accessible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Files {
    /// Any path, as in a terminal.
    Anywhere,
    /// Plain names in one folder: no paths, no hidden files.
    Folder(PathBuf),
    /// No files.
    #[default]
    Nowhere,
}

/// Reading a pattern is limited to this fraction of the memory.
const READING_FRACTION: u64 = 4;

/// Resource limits of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionLimits {
    /// The largest file that is opened, dropped or pasted, in bytes.
    pub upload: u64,
    /// The most bytes that a session may hold: its world (at most half of them), the undo
    /// history, checkpoints, and the clipboard.
    pub memory: u64,
    /// The most cells of a bounded grid that is stored cell by cell.
    pub grid: u64,
    /// The most bytes of the undo history.
    pub undo: u64,
}

impl Default for SessionLimits {
    /// 256 MiB, 4 GiB, 2^34 cells and 256 MiB.
    fn default() -> Self {
        Self {
            upload: 256 << 20,
            memory: 4 << 30,
            grid: 1 << 34,
            undo: 256 << 20,
        }
    }
}

/// What a session may access, and the files that it has read or written.
#[derive(Clone, Debug, Default)]
pub struct FileAccess {
    /// Folders that are searched for rule files, after the pattern's own folder.
    pub rules: Vec<PathBuf>,
    /// Which files are accessible.
    pub files: Files,
    /// The resource limits.
    pub limits: SessionLimits,
    /// The files that were opened or written here, with their stamps at that time.
    known: BTreeMap<PathBuf, Option<Stamp>>,
}

/// A file's identity and version; it changes when another program writes the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    /// `None` where there is no file.
    fn of(path: &Path) -> Option<Self> {
        let facts = path.metadata().ok()?;
        Some(Self {
            bytes: facts.len(),
            modified: facts.modified().ok(),
        })
    }
}

/// A pattern with its origin.
#[derive(Clone, Debug)]
pub struct LocatedPattern {
    /// The pattern, as it was read.
    pub pattern: Pattern,
    /// The format it was read from.
    pub format: Format,
    /// The name for messages: the file's name, or the typed text.
    pub name: String,
    /// The file's folder, if it is a file.
    pub folder: Option<PathBuf>,
    /// The file's path, if it is a file.
    pub path: Option<PathBuf>,
    /// The text of the file's sidecar, if any.
    pub sidecar: Option<String>,
}

impl LocatedPattern {
    fn new(source: Source, path: Option<PathBuf>, sidecar: Option<String>) -> Self {
        Self {
            name: source.label().to_string(),
            pattern: source.pattern,
            format: source.format,
            folder: source.folder,
            path,
            sidecar,
        }
    }
}

/// Why a file cannot be opened or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileAccessError {
    /// There is no such pattern, or it cannot be read.
    #[error(transparent)]
    Source(#[from] PatternSourceError),
    /// The dropped or pasted data is too long.
    #[error("{name}: {}, and at most {} are taken", bytes_words(*bytes), bytes_words(*most))]
    TooLong {
        /// The name for messages.
        name: String,
        /// Its length in bytes.
        bytes: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// This session has no file access.
    #[error("no files can be saved here")]
    NoFiles,
    /// The name is a path, hidden, or empty.
    #[error("`{0}` is no plain file name")]
    Name(String),
    /// A file of that name exists, and was not opened here.
    #[error("{0} is there already, and was not opened or saved here")]
    Exists(String),
    /// Another program has changed the file since it was opened.
    #[error("{0} was changed by another program since it was opened")]
    Changed(String),
    /// The file cannot be written.
    #[error("{name}: {}", io_words(error))]
    Io {
        /// The file's name, as it was given.
        name: String,
        /// The cause.
        error: io::Error,
    },
}

impl FileAccessError {
    /// Whether the user can override this by confirming.
    #[must_use]
    pub fn is_question(&self) -> bool {
        matches!(self, Self::Exists(_) | Self::Changed(_))
    }

    /// A hint for the user.
    ///
    /// ```
    /// let error = session::file_access::FileAccessError::NoFiles;
    /// assert_eq!(error.hint().as_deref(), Some("download it, or copy it as RLE"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Source(error) => error.hint(),
            Self::Name(_) => Some("a name such as `my gun.rle`, without a folder".into()),
            Self::NoFiles => Some("download it, or copy it as RLE".into()),
            _ => None,
        }
    }
}

impl FileAccess {
    /// Access for a terminal: any path, and the user's rule folder.
    ///
    /// ```
    /// use session::file_access::{FileAccess, Files};
    ///
    /// assert_eq!(FileAccess::for_terminal().files, Files::Anywhere);
    /// ```
    #[must_use]
    pub fn for_terminal() -> Self {
        Self {
            rules: own_folder().into_iter().collect(),
            files: Files::Anywhere,
            ..Self::default()
        }
    }

    /// Access for a web page: plain names in one folder, and the user's rule folder.
    ///
    /// ```
    /// use session::file_access::FileAccess;
    ///
    /// let mut access = FileAccess::for_folder("patterns");
    /// assert!(access.write("../escape.rle", b"o!", None, false).is_err());
    /// ```
    #[must_use]
    pub fn for_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            files: Files::Folder(folder.into()),
            ..Self::for_terminal()
        }
    }

    /// Locates a pattern by a text: an accessible file, a built-in name, an apgcode, or RLE text,
    /// in that order. A file's sidecar is read too.
    ///
    /// # Errors
    /// When it is none of these, too long, or broken.
    ///
    /// ```
    /// use session::file_access::FileAccess;
    ///
    /// let mut access = FileAccess::default();
    /// assert_eq!(access.open("acorn")?.pattern.cells.population(), 7u8.into());
    /// assert_eq!(access.open("3o!")?.name, "untitled");
    /// assert!(access.open("Cargo.toml").is_err(), "by default there are no files");
    /// # Ok::<(), session::file_access::FileAccessError>(())
    /// ```
    pub fn open(&mut self, text: &str) -> Result<LocatedPattern, FileAccessError> {
        let Some(path) = self.find_existing(text) else {
            self.check_length(text, text.len() as u64)?;
            let source = source::named(text)?;
            let label = match pattern::library::find(text) {
                Some(entry) => entry.name,
                None if source::looks_like_apgcode(text) => text,
                // Typed cells have no name yet.
                None => "untitled",
            };
            return Ok(LocatedPattern::new(source.labelled(label), None, None));
        };
        let length = path.metadata().map_or(0, |facts| facts.len());
        self.check_length(text, length)?;
        let mut source = source::open_file(&path, self.limits.upload, self.reading_limit())?;
        if let Files::Folder(_) = self.files {
            // The folder's path is not disclosed.
            source = source.labelled(text);
        }
        let beside = sidecar_path(&path);
        let sidecar = beside
            .metadata()
            .is_ok_and(|f| f.len() <= MAX_SIDECAR_BYTES);
        let sidecar = sidecar.then(|| std::fs::read(&beside).ok()).flatten();
        let sidecar = sidecar.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        self.remember(&path);
        if sidecar.is_some() {
            self.remember(&beside);
        }
        Ok(LocatedPattern::new(source, Some(path), sidecar))
    }

    /// Reads dropped, uploaded or pasted bytes; `name` is used in messages.
    ///
    /// # Errors
    /// When they are too long, in no known format, or malformed.
    ///
    /// ```
    /// use session::file_access::FileAccess;
    ///
    /// let mut access = FileAccess::default();
    /// let found = access.read("block.cells", b"OO\nOO\n", None)?;
    /// assert_eq!(found.pattern.cells.population(), 4u8.into());
    /// access.limits.upload = 5;
    /// assert!(access.read("block.cells", b"OO\nOO\n", None).is_err());
    /// # Ok::<(), session::file_access::FileAccessError>(())
    /// ```
    pub fn read(
        &self,
        name: &str,
        bytes: &[u8],
        sidecar: Option<String>,
    ) -> Result<LocatedPattern, FileAccessError> {
        self.check_length(name, bytes.len() as u64)?;
        let limits = source::limits(self.limits.upload, self.reading_limit());
        let source = Source::read_with_limits(bytes, name, limits)?;
        Ok(LocatedPattern::new(source, None, sidecar))
    }

    /// Reads data that this session wrote itself: of any length, and with half of the memory.
    pub(crate) fn read_own(
        &self,
        name: &str,
        bytes: &[u8],
        sidecar: Option<String>,
    ) -> Result<LocatedPattern, FileAccessError> {
        let limits = source::limits(bytes.len() as u64, self.limits.memory / 2);
        let source = Source::read_with_limits(bytes, name, limits)?;
        Ok(LocatedPattern::new(source, None, sidecar))
    }

    /// The memory limit for reading: the current world is still held meanwhile.
    fn reading_limit(&self) -> u64 {
        self.limits.memory / READING_FRACTION
    }

    /// Writes a file and its sidecar atomically, and returns the file's path.
    ///
    /// Without sidecar text, an earlier sidecar that was opened or written here is removed as
    /// outdated.
    ///
    /// # Errors
    /// When the file cannot be written, or when it exists and was not opened here or has changed
    /// since, unless `anyway`. Nothing is written in that case.
    ///
    /// ```
    /// use session::file_access::{FileAccess, FileAccessError};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut access = FileAccess::for_folder(folder.path());
    /// access.write("a.rle", b"o!", None, false)?;
    /// let mut other = FileAccess::for_folder(folder.path());
    /// let refused = other.write("a.rle", b"2o!", None, false);
    /// assert!(matches!(refused, Err(FileAccessError::Exists(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(
        &mut self,
        name: &str,
        bytes: &[u8],
        sidecar: Option<&[u8]>,
        anyway: bool,
    ) -> Result<PathBuf, FileAccessError> {
        let path = self.target_path(name)?;
        let beside = sidecar_path(&path);
        if !anyway {
            self.check_unchanged(&path, name)?;
            if sidecar.is_some() {
                self.check_unchanged(&beside, &sidecar_name(name))?;
            }
        }
        if let Files::Folder(folder) = &self.files {
            std::fs::create_dir_all(folder).map_err(|error| FileAccessError::Io {
                name: folder.display().to_string(),
                error,
            })?;
        }
        write_atomically(&path, bytes).map_err(|error| FileAccessError::Io {
            name: name.to_string(),
            error,
        })?;
        self.remember(&path);
        match sidecar {
            Some(text) => {
                write_atomically(&beside, text).map_err(|error| FileAccessError::Io {
                    name: sidecar_name(name),
                    error,
                })?;
                self.remember(&beside);
            }
            None => {
                let is_ours = self.known.remove(&canonical(&beside)).is_some();
                if is_ours {
                    // It may have been removed already.
                    let _ = std::fs::remove_file(&beside);
                }
            }
        }
        Ok(path)
    }

    /// The sorted names of the pattern files that may be opened, in the folder or in the current
    /// directory. Hidden files and sidecars are left out.
    ///
    /// ```
    /// use session::file_access::FileAccess;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut access = FileAccess::for_folder(folder.path());
    /// access.write("a.cells", b"O\n", Some(b"grid = true"), false)?;
    /// assert_eq!(access.names(), ["a.cells"], "a sidecar is no pattern");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let folder = match &self.files {
            Files::Anywhere => Path::new("."),
            Files::Folder(folder) => folder,
            Files::Nowhere => return Vec::new(),
        };
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = files
            .filter(|file| file.path().is_file())
            .filter_map(|file| file.file_name().into_string().ok())
            .filter(|name| is_plain(name));
        let mut names: Vec<String> = names.collect();
        names.sort();
        let all = names.clone();
        names.retain(|name| {
            let owner = name.strip_suffix(".toml");
            owner.is_none_or(|owner| !all.iter().any(|name| name == owner))
        });
        names
    }

    /// Parses a typed rule; `folder` is the folder of the current pattern, whose rule files count
    /// too.
    ///
    /// # Errors
    /// When the text is not a rule, no file has that name, or the file is malformed.
    ///
    /// ```
    /// use session::file_access::FileAccess;
    ///
    /// let pattern = pattern::Pattern::default();
    /// let rule = FileAccess::default().parse_rule("highlife", &pattern, None)?;
    /// assert_eq!(rule.to_string(), "B36/S23");
    /// # Ok::<(), source::rule_file::RuleResolutionError>(())
    /// ```
    pub fn parse_rule(
        &self,
        text: &str,
        pattern: &Pattern,
        folder: Option<&Path>,
    ) -> Result<Rule, RuleResolutionError> {
        let files = self.rule_files(pattern, "the pattern", folder);
        match self.files {
            Files::Anywhere => files.for_typed().read(text, "rule"),
            _ => files.read(text, "rule"),
        }
    }

    /// The rule that a pattern names or contains, else B3/S23; classroom rules get their board.
    ///
    /// # Errors
    /// As [`FileAccess::parse_rule`].
    pub(crate) fn rule_of(&self, found: &LocatedPattern) -> Result<Rule, RuleResolutionError> {
        let files = self.rule_files(&found.pattern, &found.name, found.folder.as_deref());
        let rule = files.read(rule_text(&found.pattern), &found.name)?;
        Ok(source::default_board(rule))
    }

    /// The sorted names of the rules that have a file in the folders.
    ///
    /// ```
    /// use session::file_access::FileAccess;
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("East.rule"), "@RULE East\n")?;
    /// let mut access = FileAccess::default();
    /// access.rules.push(folder.path().into());
    /// assert_eq!(access.rule_names(), ["East"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn rule_names(&self) -> Vec<String> {
        let files = RuleFiles::none().then_in(&self.rules);
        files.all().into_iter().map(|(name, _)| name).collect()
    }

    fn rule_files<'a>(
        &self,
        pattern: &'a Pattern,
        name: &'a str,
        folder: Option<&Path>,
    ) -> RuleFiles<'a> {
        let beside: Vec<PathBuf> = folder.into_iter().map(Path::to_path_buf).collect();
        RuleFiles::none()
            .with_block(pattern.rule_block.as_deref(), name)
            .then_in(&beside)
            .then_in(&self.rules)
    }

    /// The path of an existing, accessible file of that name.
    fn find_existing(&self, text: &str) -> Option<PathBuf> {
        match &self.files {
            Files::Anywhere => Some(PathBuf::from(text)).filter(|path| path.exists()),
            Files::Folder(folder) => {
                let path = folder.join(is_plain(text).then_some(text)?);
                // A symbolic link may lead out of the folder.
                let real = path.canonicalize().ok()?;
                let within = real.starts_with(folder.canonicalize().ok()?);
                (within && real.is_file()).then_some(path)
            }
            Files::Nowhere => None,
        }
    }

    /// The path to write a file of that name to.
    fn target_path(&self, name: &str) -> Result<PathBuf, FileAccessError> {
        match &self.files {
            Files::Anywhere => {
                let path = Path::new(name);
                let is_file = path.file_name().is_some() && !name.ends_with(['/', '\\']);
                let path = is_file.then(|| path.to_path_buf());
                path.ok_or_else(|| FileAccessError::Name(name.into()))
            }
            Files::Folder(folder) if is_plain(name) => Ok(folder.join(name)),
            Files::Folder(_) => Err(FileAccessError::Name(name.into())),
            Files::Nowhere => Err(FileAccessError::NoFiles),
        }
    }

    fn check_length(&self, name: &str, bytes: u64) -> Result<(), FileAccessError> {
        let most = self.limits.upload;
        if bytes <= most {
            return Ok(());
        }
        let name = match name.char_indices().nth(40) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name.to_string(),
        };
        Err(FileAccessError::TooLong { name, bytes, most })
    }

    /// Checks that the file does not exist, or is unchanged since it was last read or written
    /// here.
    fn check_unchanged(&self, path: &Path, name: &str) -> Result<(), FileAccessError> {
        let now = Stamp::of(path);
        match self.known.get(&canonical(path)) {
            _ if now.is_none() => Ok(()),
            None => Err(FileAccessError::Exists(name.into())),
            Some(then) if *then == now => Ok(()),
            Some(_) => Err(FileAccessError::Changed(name.into())),
        }
    }

    fn remember(&mut self, path: &Path) {
        self.known.insert(canonical(path), Stamp::of(path));
    }
}

/// Whether a name has no path separators and is not hidden.
fn is_plain(name: &str) -> bool {
    let elsewhere = |c: char| matches!(c, '/' | '\\' | ':') || c.is_control();
    !name.is_empty() && !name.starts_with('.') && name.trim() == name && !name.contains(elsewhere)
}

/// The path of a file's sidecar.
fn sidecar_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(sidecar_name(&name))
}

/// The canonical path of a file.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Writes to a temporary file in the same folder and renames it, so that no reader sees a partial
/// file and a failure keeps the old one.
fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device cannot be replaced by renaming.
    if path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        return std::fs::write(path, bytes);
    }
    // Follows symbolic links, so that the target is replaced and not the link.
    let target = canonical(path);
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gridpaper-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask applies, as for any new file; the crate's default mode is for secret files. A
        // replaced file keeps its mode.
        let mode = target.metadata().map(|m| m.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode.unwrap_or(0o666)));
    }
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "x = 2, y = 2\n2o$2o!\n";

    fn in_folder() -> (tempfile::TempDir, FileAccess) {
        let folder = tempfile::tempdir().unwrap();
        let file_access = FileAccess {
            files: Files::Folder(folder.path().join("patterns")),
            ..FileAccess::default()
        };
        (folder, file_access)
    }

    #[test]
    fn a_page_may_use_plain_names_only() {
        let (folder, mut file_access) = in_folder();
        std::fs::write(folder.path().join("outside.rle"), BLOCK).unwrap();
        let path = file_access
            .write("a gun.rle", BLOCK.as_bytes(), None, false)
            .unwrap();
        std::fs::write(path.with_file_name(".hidden"), BLOCK).unwrap();
        assert_eq!(
            file_access.open("a gun.rle").unwrap().path,
            Some(path.clone())
        );
        assert_eq!(file_access.names(), ["a gun.rle"]);
        let outside = folder.path().join("outside.rle");
        let outside = outside.to_str().unwrap();
        for name in [
            "../outside.rle",
            outside,
            ".hidden",
            "",
            " ",
            "a/b.rle",
            "c:b",
            ".",
        ] {
            assert!(file_access.open(name).is_err(), "{name}");
            let refused = file_access.write(name, b"", None, true);
            assert!(matches!(refused, Err(FileAccessError::Name(_))), "{name}");
        }
        assert_eq!(std::fs::read_to_string(outside).unwrap(), BLOCK);
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_refused() {
        let (folder, mut file_access) = in_folder();
        std::fs::write(folder.path().join("outside.rle"), BLOCK).unwrap();
        let path = file_access
            .write("in.rle", BLOCK.as_bytes(), None, false)
            .unwrap();
        let link = path.with_file_name("link.rle");
        std::os::unix::fs::symlink(folder.path().join("outside.rle"), link).unwrap();
        assert!(file_access.open("link.rle").is_err());
    }

    #[test]
    fn foreign_files_are_overwritten_only_on_request() {
        let (_folder, mut file_access) = in_folder();
        let path = file_access.write("a.rle", b"1", None, false).unwrap();
        file_access.write("a.rle", b"2", None, false).unwrap();
        let mut other = FileAccess {
            files: file_access.files.clone(),
            ..FileAccess::default()
        };
        let refused = other.write("a.rle", b"33", None, false).unwrap_err();
        assert!(matches!(&refused, FileAccessError::Exists(name) if name == "a.rle"));
        assert!(refused.is_question());
        assert_eq!(std::fs::read(&path).unwrap(), b"2");
        other.write("a.rle", b"33", None, true).unwrap();
        let changed = file_access.write("a.rle", b"4", None, false).unwrap_err();
        assert!(matches!(changed, FileAccessError::Changed(_)));
        std::fs::remove_file(&path).unwrap();
        file_access.write("a.rle", b"4", None, false).unwrap();
    }

    #[test]
    fn settings_go_with_their_file() {
        let (_folder, mut file_access) = in_folder();
        let path = file_access
            .write("a.cells", b"O\n", Some(b"grid = true"), false)
            .unwrap();
        let found = file_access.open("a.cells").unwrap();
        assert_eq!(found.sidecar.as_deref(), Some("grid = true"));
        assert_eq!(file_access.names(), ["a.cells"]);
        file_access.write("a.cells", b"O\n", None, false).unwrap();
        assert_eq!(file_access.open("a.cells").unwrap().sidecar, None);
        // A sidecar of unknown origin is left alone.
        let foreign = path.with_file_name("b.cells.toml");
        std::fs::write(&foreign, "other").unwrap();
        let refused = file_access.write("b.cells", b"O\n", Some(b""), false);
        assert!(matches!(refused, Err(FileAccessError::Exists(name)) if name == "b.cells.toml"));
        file_access.write("b.cells", b"O\n", None, false).unwrap();
        assert_eq!(std::fs::read_to_string(&foreign).unwrap(), "other");
    }

    #[test]
    fn long_files_are_refused_before_reading() {
        let (_folder, mut file_access) = in_folder();
        file_access
            .write("a.rle", BLOCK.as_bytes(), None, false)
            .unwrap();
        file_access.limits.upload = 10;
        let long = "o".repeat(100) + "!";
        for refused in [file_access.open("a.rle"), file_access.open(&long)] {
            assert!(matches!(
                refused,
                Err(FileAccessError::TooLong { most: 10, .. })
            ));
        }
        let refused = file_access
            .read("b.rle", BLOCK.as_bytes(), None)
            .unwrap_err();
        assert_eq!(
            refused.to_string(),
            "b.rle: 20 bytes, and at most 10 bytes are taken"
        );
    }

    #[test]
    fn without_files_there_is_the_library() {
        let mut file_access = FileAccess::default();
        assert_eq!(file_access.open("glider").unwrap().name, "glider");
        assert_eq!(file_access.open("xs4_33").unwrap().format, Format::Apgcode);
        assert!(matches!(
            file_access.write("a.rle", b"", None, true),
            Err(FileAccessError::NoFiles)
        ));
        assert!(file_access.open("Cargo.toml").is_err());
    }

    #[test]
    fn rules_come_from_files_and_boards_from_the_classroom() {
        let folder = tempfile::tempdir().unwrap();
        let east = "@RULE East\n@TABLE\nn_states:3\nneighborhood:oneDimensional\n\
                    symmetries:none\nvar a={0,1,2}\nvar b={0,1,2}\nvar c={0,1,2}\na,b,c,b\n";
        let path = folder.path().join("East.rule");
        std::fs::write(&path, east).unwrap();
        let mut file_access = FileAccess {
            rules: vec![folder.path().to_path_buf()],
            ..FileAccess::default()
        };
        assert_eq!(file_access.rule_names(), ["East"]);
        let nothing = Pattern::default();
        let rule = file_access.parse_rule("East:T9,9", &nothing, None).unwrap();
        assert_eq!(rule.to_string(), "East:T9,9");
        // A typed text cannot refer to a path.
        let typed = path.to_str().unwrap();
        assert!(file_access.parse_rule(typed, &nothing, None).is_err());
        file_access.files = Files::Anywhere;
        assert!(file_access.parse_rule(typed, &nothing, None).is_ok());
        let found = file_access.open("colorised-glider").unwrap();
        let board = file_access.rule_of(&found).unwrap();
        assert_eq!(board.topology().size(), (25, 25));
    }
}

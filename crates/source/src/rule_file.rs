//! Where a rule's file may be: in the pattern itself, next to it, in folders that are
//! named, in the person's own folder. `.rule` files hold tables; `.gridrule` files hold
//! rules of one's own. The reading itself is the crate `rule`'s.

use crate::{Source, io_words};
use rule::{Rule, RuleAppearance, RuleError, Topology};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a rule cannot be had.
///
/// What it says begins with the place: where the text stood, or the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RuleResolutionError {
    /// A folder of rule files that is not there.
    #[error("{}: no such folder", .0.display())]
    NoFolder(PathBuf),
    /// The text is in no notation that is known.
    #[error("{place}: {error}")]
    Text {
        /// Where the text stood.
        place: String,
        /// What is wrong with it.
        error: Box<RuleError>,
    },
    /// No rule and no file is called so.
    #[error("{place}: {error}{}", nowhere(name, folders))]
    NotFound {
        /// Where the name stood.
        place: String,
        /// What the notations have to say.
        error: Box<RuleError>,
        /// The rule's name.
        name: String,
        /// Where files were looked for.
        folders: Vec<PathBuf>,
    },
    /// A pattern's own block is broken.
    #[error("{pattern}, in the @RULE block: {error}")]
    Block {
        /// What the pattern is called.
        pattern: String,
        /// What is wrong, with its line.
        error: Box<rule::RuleFileError>,
    },
    /// A `.rule` file is broken.
    #[error("{}:{error}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line.
        error: Box<rule::RuleFileError>,
    },
    /// A `.gridrule` file is broken.
    #[error("{}:{error}", path.display())]
    Own {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line.
        error: Box<rule::OwnRuleError>,
    },
    /// A file cannot be read.
    #[error("{}: {}", path.display(), io_words(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

impl RuleResolutionError {
    /// What to try instead.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Text { error, .. } | Self::NotFound { error, .. } => error.hint.clone(),
            Self::Own { error, .. } => error.hint.clone(),
            _ => None,
        }
    }
}

/// Where there is no file of that name.
fn nowhere(name: &str, folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return String::new();
    }
    let folders: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    format!(
        ", and there is no {name}.rule or {name}.gridrule in {}",
        folders.join(" or ")
    )
}

/// The places where a rule's file may be, the first one first.
#[derive(Clone, Debug, Default)]
pub struct RuleFiles<'a> {
    /// The pattern's own `@RULE` block, and what messages call the pattern.
    block: Option<(&'a str, &'a str)>,
    folders: Vec<PathBuf>,
    /// Whether a path may stand in place of a rule: a person's own words may lead to any
    /// file, those in a pattern may not.
    takes_paths: bool,
}

impl<'a> RuleFiles<'a> {
    /// No files at all: only what is built in.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// For a rule that comes without a pattern: the person's own folder, and any path.
    #[must_use]
    pub fn of_person() -> Self {
        Self {
            block: None,
            folders: own_folder().into_iter().collect(),
            takes_paths: true,
        }
    }

    /// For a pattern's rule: what it brings along, then what lies next to it, then the
    /// person's own folder.
    #[must_use]
    pub fn of(source: &'a Source) -> Self {
        let beside = source.folder.clone();
        Self {
            folders: beside.into_iter().chain(own_folder()).collect(),
            ..Self::none()
        }
        .with_block(source.pattern.rule_block.as_deref(), source.label())
    }

    /// With the `@RULE` block of a pattern, and what messages call the pattern.
    #[must_use]
    pub fn with_block(mut self, block: Option<&'a str>, pattern: &'a str) -> Self {
        self.block = block.map(|block| (block, pattern));
        self
    }

    /// For a rule that was typed: a path may stand in its place.
    #[must_use]
    pub fn for_typed(mut self) -> Self {
        self.takes_paths = true;
        self
    }

    /// With another folder before the others.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn first_in(mut self, folder: &Path) -> Result<Self, RuleResolutionError> {
        if !folder.is_dir() {
            return Err(RuleResolutionError::NoFolder(folder.to_path_buf()));
        }
        self.folders.insert(0, folder.to_path_buf());
        Ok(self)
    }

    /// With other folders after those it has; those that are not there are passed over.
    #[must_use]
    pub fn then_in(mut self, folders: &[PathBuf]) -> Self {
        self.folders.extend_from_slice(folders);
        self
    }

    /// Reads a rule's text, or the file of that name. `place` says where the text stood.
    ///
    /// The pattern's own block comes before all names that are known; those come before
    /// files. What ends as a rule's file does is its path.
    ///
    /// # Errors
    /// When the text is no rule's, no file has that name, or its file is broken.
    pub fn read(&self, text: &str, place: &str) -> Result<Rule, RuleResolutionError> {
        let (name, shape) = match text.trim().split_once(':') {
            Some((name, shape)) => (name.trim_end(), Some(shape)),
            None => (text.trim(), None),
        };
        let found = match self.own_block(name)? {
            Some(rule) => rule,
            None if self.takes_paths && is_path(name) => at_path(Path::new(name))?,
            None => match text.parse::<Rule>() {
                Ok(rule) => return Ok(rule),
                Err(error) => match self.in_folders(name)? {
                    Some(rule) => rule,
                    None => return Err(self.not_found(error, name, place)),
                },
            },
        };
        let found = self.completed(found, name)?;
        let Some(shape) = shape else {
            return Ok(found);
        };
        match shape.parse::<Topology>() {
            Ok(topology) => Ok(found.with_topology(topology)),
            Err(error) => Err(RuleResolutionError::Text {
                place: place.into(),
                error: error.into(),
            }),
        }
    }

    /// The names of all rules that have a file in the folders, and the files, by name; of
    /// one name the one that is taken.
    #[must_use]
    pub fn all(&self) -> Vec<(String, PathBuf)> {
        let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
        for folder in &self.folders {
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
            // of two kinds of file by one name, `.rule` is taken
            paths.sort_by_key(|path| path.extension().is_some_and(|ending| ending == OWN));
            for path in paths {
                let name = path.file_stem().and_then(|name| name.to_str());
                let name = name.filter(|name| is_path(&path) && !name.ends_with("-shared"));
                if let Some(name) = name {
                    found.entry(name.to_string()).or_insert(path);
                }
            }
        }
        found.into_iter().collect()
    }

    fn own_block(&self, name: &str) -> Result<Option<Rule>, RuleResolutionError> {
        let Some((block, pattern)) = self.block else {
            return Ok(None);
        };
        if rule::rule_name(block).ok() != Some(name) {
            return Ok(None);
        }
        let rule = Rule::from_file(block);
        rule.map(Some).map_err(|error| RuleResolutionError::Block {
            pattern: pattern.into(),
            error: error.into(),
        })
    }

    fn in_folders(&self, name: &str) -> Result<Option<Rule>, RuleResolutionError> {
        let Some((path, text)) = self.file(name, "rule")? else {
            let own = self.file(name, OWN)?;
            return own.map(|(path, text)| own_rule(&path, &text)).transpose();
        };
        let rule = Rule::from_file_called(name, &text);
        rule.map(Some).map_err(|error| broken_table(path, error))
    }

    /// With the names and colours of the file that a group of rules shares: `Foo-shared`
    /// for `Foo-x`.
    fn completed(&self, rule: Rule, name: &str) -> Result<Rule, RuleResolutionError> {
        let mut look = rule.look().cloned().unwrap_or_default();
        let is_complete = |look: &RuleAppearance| {
            !look.names.is_empty() && !look.colours.is_empty() && look.icons.is_some()
        };
        // the longest part of the name that ends before a dash first
        for (dash, _) in name.rmatch_indices('-') {
            if is_complete(&look) {
                break;
            }
            let shared = format!("{}-shared", &name[..dash]);
            if let Some((path, text)) = self.file(&shared, "rule")? {
                let shared = RuleAppearance::read(&text);
                look.fill_from(shared.map_err(|error| broken_table(path, error))?);
            }
        }
        Ok(rule.with_look(look))
    }

    /// The first file of that name and ending.
    fn file(
        &self,
        name: &str,
        ending: &str,
    ) -> Result<Option<(PathBuf, String)>, RuleResolutionError> {
        // a name that leads elsewhere is no name of a file here
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
            return Ok(None);
        }
        for folder in &self.folders {
            let path = folder.join(format!("{name}.{ending}"));
            if path.is_file() {
                let text = file_text(&path)?;
                return Ok(Some((path, text)));
            }
        }
        Ok(None)
    }

    fn not_found(&self, error: RuleError, name: &str, place: &str) -> RuleResolutionError {
        let place = place.to_string();
        let error = Box::new(error);
        if !error.is_unknown_name() {
            return RuleResolutionError::Text { place, error };
        }
        RuleResolutionError::NotFound {
            place,
            error,
            name: name.into(),
            folders: self.folders.clone(),
        }
    }
}

/// The ending of rules of one's own.
const OWN: &str = "gridrule";

/// Whether this is no rule's text: it ends as a rule's file does.
#[must_use]
pub fn is_path(text: impl AsRef<Path>) -> bool {
    let ending = text.as_ref().extension();
    ending.is_some_and(|e| e == OWN || e == "rule")
}

/// The rule in the file at that path, of either kind: the text tells.
fn at_path(path: &Path) -> Result<Rule, RuleResolutionError> {
    let text = file_text(path)?;
    if rule::rule_name(&text).is_err() {
        let own = own_rule(path, &text);
        // what is neither kind is told by the reader that its ending asks for
        if own.is_ok() || path.extension().is_some_and(|ending| ending == OWN) {
            return own;
        }
    }
    Rule::from_file(&text).map_err(|error| broken_table(path.into(), error))
}

fn broken_table(path: PathBuf, error: rule::RuleFileError) -> RuleResolutionError {
    let error = Box::new(error);
    RuleResolutionError::Table { path, error }
}

fn own_rule(path: &Path, text: &str) -> Result<Rule, RuleResolutionError> {
    Rule::from_source(text).map_err(|error| RuleResolutionError::Own {
        path: path.into(),
        error: error.into(),
    })
}

fn file_text(path: &Path) -> Result<String, RuleResolutionError> {
    let bytes = std::fs::read(path).map_err(|error| RuleResolutionError::Io {
        path: path.into(),
        error,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `gridpaper/rules` where the XDG directories put a person's own data.
#[must_use]
pub fn own_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = match set("XDG_DATA_HOME").map(PathBuf::from) {
        // the specification has it absolute, or else ignored
        Some(data) if data.is_absolute() => data,
        _ => Path::new(&set("HOME")?).join(".local/share"),
    };
    Some(data.join("gridpaper").join("rules"))
}

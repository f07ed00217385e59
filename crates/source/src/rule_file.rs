//! Finds the file of a rule: in the pattern itself, next to it, in named folders, or in the
//! user's own folder. `.rule` files hold transition tables; `.gridrule` files hold user-defined
//! rules. The crate `rule` parses both.

use crate::{Source, address_hint, address_words, io_words, is_address};
use rule::{Rule, RuleAppearance, RuleError, Topology};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a rule cannot be resolved.
///
/// Messages begin with the place: where the text stood, or the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RuleResolutionError {
    /// The folder of rule files does not exist.
    #[error("{}: no such folder", .0.display())]
    NoFolder(PathBuf),
    /// The text matches no known notation.
    #[error("{place}: {error}")]
    Text {
        /// Where the text stood.
        place: String,
        /// The parse error.
        error: Box<RuleError>,
    },
    /// The text is an address, and nothing is fetched.
    #[error("{place}: {}", address_words(address))]
    Address {
        /// Where the text stood.
        place: String,
        /// The address.
        address: String,
    },
    /// There is no rule and no file of that name.
    #[error("{place}: {error}{}", searched_folders(name, folders))]
    NotFound {
        /// Where the name stood.
        place: String,
        /// The parse error of the notations.
        error: Box<RuleError>,
        /// The rule's name.
        name: String,
        /// The folders that were searched.
        folders: Vec<PathBuf>,
    },
    /// The pattern's own `@RULE` block is malformed.
    #[error("{pattern}, in the @RULE block: {error}")]
    Block {
        /// The pattern's name.
        pattern: String,
        /// The error with its line.
        error: Box<rule::RuleFileError>,
    },
    /// A `.rule` file is malformed.
    #[error("{}:{error}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The error with its line.
        error: Box<rule::RuleFileError>,
    },
    /// A `.gridrule` file is malformed.
    #[error("{}:{error}", path.display())]
    Custom {
        /// The file.
        path: PathBuf,
        /// The error with its line.
        error: Box<rule::CustomRuleError>,
    },
    /// A file cannot be read.
    #[error("{}: {}", path.display(), io_words(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

impl RuleResolutionError {
    /// A hint for the user.
    ///
    /// ```
    /// let error = source::RuleFiles::none().read("HighLive", "--rule").unwrap_err();
    /// assert!(error.hint().unwrap().contains("HighLife"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Text { error, .. } | Self::NotFound { error, .. } => error.hint.clone(),
            Self::Custom { error, .. } => error.hint.clone(),
            Self::Address { address, .. } => Some(address_hint(address).into()),
            _ => None,
        }
    }
}

/// Describes where a file was searched for.
fn searched_folders(name: &str, folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return String::new();
    }
    let folders: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    format!(
        ", and there is no {name}.rule or {name}.gridrule in {}",
        folders.join(" or ")
    )
}

/// The search path for rule files, in order.
///
/// ```
/// use source::RuleFiles;
///
/// let folder = tempfile::tempdir()?;
/// let table = "@RULE Snow\n@TABLE\nn_states:2\nneighborhood:Moore\nsymmetries:permute\n";
/// std::fs::write(folder.path().join("Snow.rule"), table)?;
/// let files = RuleFiles::none().first_in(folder.path()).expect("it is there");
/// assert_eq!(files.read("Snow:T9,9", "--rule").expect("a table").to_string(), "Snow:T9,9");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleFiles<'a> {
    /// The pattern's own `@RULE` block, and the pattern's name for messages.
    block: Option<(&'a str, &'a str)>,
    folders: Vec<PathBuf>,
    /// Whether a path may stand for a rule: allowed for the user's own input, but not in
    /// patterns.
    takes_paths: bool,
}

impl<'a> RuleFiles<'a> {
    /// No files at all: built-in rules only.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// For a rule without a pattern: the user's rule folder, and any path.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// assert_eq!(RuleFiles::for_user().read("Life", "--rule")?.to_string(), "B3/S23");
    /// # Ok::<(), source::RuleResolutionError>(())
    /// ```
    #[must_use]
    pub fn for_user() -> Self {
        Self {
            block: None,
            folders: own_folder().into_iter().collect(),
            takes_paths: true,
        }
    }

    /// For a pattern's rule: its own block, then its folder, then the user's rule folder.
    ///
    /// ```
    /// use source::{RuleFiles, Source};
    ///
    /// let text = "x = 1, y = 1, rule = Snow\no!\n@RULE Snow\n@TABLE\nn_states:2\n\
    ///             neighborhood:Moore\nsymmetries:permute\n";
    /// let snow = Source::typed(text)?;
    /// assert_eq!(RuleFiles::of(&snow).read(snow.rule_text(), snow.label())?.to_string(), "Snow");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(source: &'a Source) -> Self {
        let beside = source.folder.clone();
        Self {
            folders: beside.into_iter().chain(own_folder()).collect(),
            ..Self::none()
        }
        .with_block(source.pattern.rule_block.as_deref(), source.label())
    }

    /// Sets the pattern's `@RULE` block and its name for messages.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// let block = "@RULE Snow\n@TABLE\nn_states:2\nneighborhood:Moore\nsymmetries:permute\n";
    /// let files = RuleFiles::none().with_block(Some(block), "flake.rle");
    /// assert!(files.read("Snow", "flake.rle").is_ok());
    /// ```
    #[must_use]
    pub fn with_block(mut self, block: Option<&'a str>, pattern: &'a str) -> Self {
        self.block = block.map(|block| (block, pattern));
        self
    }

    /// For a typed rule: a path may stand for it.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("Snow.rule");
    /// let table = "@RULE Snow\n@TABLE\nn_states:2\nneighborhood:Moore\nsymmetries:permute\n";
    /// std::fs::write(&path, table)?;
    /// let text = path.to_str().expect("the folder's name is text");
    /// assert!(RuleFiles::none().for_typed().read(text, "--rule").is_ok());
    /// assert!(RuleFiles::none().read(text, "a pattern").is_err(), "patterns name no files");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn for_typed(mut self) -> Self {
        self.takes_paths = true;
        self
    }

    /// Puts another folder first.
    ///
    /// # Errors
    /// When the folder does not exist.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// assert!(RuleFiles::none().first_in("no/such/folder".as_ref()).is_err());
    /// ```
    pub fn first_in(mut self, folder: &Path) -> Result<Self, RuleResolutionError> {
        if !folder.is_dir() {
            return Err(RuleResolutionError::NoFolder(folder.to_path_buf()));
        }
        self.folders.insert(0, folder.to_path_buf());
        Ok(self)
    }

    /// Appends folders; those that do not exist are skipped.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// let missing = ["no/such/folder".into()];
    /// assert!(RuleFiles::none().then_in(&missing).all().is_empty());
    /// ```
    #[must_use]
    pub fn then_in(mut self, folders: &[PathBuf]) -> Self {
        self.folders.extend_from_slice(folders);
        self
    }

    /// Parses a rule's text, or the file of that name. `place` says where the text stood.
    ///
    /// The pattern's own block takes precedence over known names, and those over files. A text
    /// with the extension of a rule file is a path.
    ///
    /// # Errors
    /// When the text is not a rule, no file has that name, or its file is malformed.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// assert_eq!(RuleFiles::none().read("Day & Night", "--rule")?.to_string(), "B3678/S34678");
    /// assert!(RuleFiles::none().read("no rule", "--rule").is_err());
    /// # Ok::<(), source::RuleResolutionError>(())
    /// ```
    pub fn read(&self, text: &str, place: &str) -> Result<Rule, RuleResolutionError> {
        if is_address(text) {
            let (place, address) = (place.to_string(), text.to_string());
            return Err(RuleResolutionError::Address { place, address });
        }
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

    /// The names of all rules that have a file in the folders, with the file that takes
    /// precedence.
    ///
    /// ```
    /// use source::RuleFiles;
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("Snow.rule"), "")?;
    /// let files = RuleFiles::none().then_in(&[folder.path().into()]);
    /// assert_eq!(files.all()[0].0, "Snow");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn all(&self) -> Vec<(String, PathBuf)> {
        let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
        for folder in &self.folders {
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
            // `.rule` takes precedence over `.gridrule`.
            paths.sort_by_key(|path| path.extension().is_some_and(|ending| ending == EXTENSION));
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
            let own = self.file(name, EXTENSION)?;
            return own
                .map(|(path, text)| custom_rule(&path, &text))
                .transpose();
        };
        let rule = Rule::from_file_called(name, &text);
        rule.map(Some).map_err(|error| broken_table(path, error))
    }

    /// Adds the names and colours of a shared file: `Foo-shared` for `Foo-x`.
    fn completed(&self, rule: Rule, name: &str) -> Result<Rule, RuleResolutionError> {
        let mut appearance = rule.appearance().cloned().unwrap_or_default();
        let is_complete = |appearance: &RuleAppearance| {
            !appearance.names.is_empty()
                && !appearance.colours.is_empty()
                && appearance.icons.is_some()
        };
        // The longest prefix that ends before a dash comes first.
        for (dash, _) in name.rmatch_indices('-') {
            if is_complete(&appearance) {
                break;
            }
            let shared = format!("{}-shared", &name[..dash]);
            if let Some((path, text)) = self.file(&shared, "rule")? {
                let shared = RuleAppearance::read(&text);
                appearance.fill_from(shared.map_err(|error| broken_table(path, error))?);
            }
        }
        Ok(rule.with_appearance(appearance))
    }

    /// The first file of that name and extension.
    fn file(
        &self,
        name: &str,
        ending: &str,
    ) -> Result<Option<(PathBuf, String)>, RuleResolutionError> {
        // Names with path separators, and hidden ones, are not looked up.
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

/// The extension of user-defined rules.
const EXTENSION: &str = "gridrule";

/// Whether a text has the extension of a rule file.
///
/// ```
/// use source::rule_file::is_path;
///
/// assert!(is_path("rules/Snow.rule") && is_path("mine.gridrule"));
/// assert!(!is_path("B3/S23"));
/// ```
#[must_use]
pub fn is_path(text: impl AsRef<Path>) -> bool {
    let ending = text.as_ref().extension();
    ending.is_some_and(|e| e == EXTENSION || e == "rule")
}

/// Reads the rule file at a path, of either kind, by its contents.
fn at_path(path: &Path) -> Result<Rule, RuleResolutionError> {
    let text = file_text(path)?;
    if rule::rule_name(&text).is_err() {
        let own = custom_rule(path, &text);
        // Where both fail, the extension chooses whose error is reported.
        if own.is_ok() || path.extension().is_some_and(|ending| ending == EXTENSION) {
            return own;
        }
    }
    Rule::from_file(&text).map_err(|error| broken_table(path.into(), error))
}

fn broken_table(path: PathBuf, error: rule::RuleFileError) -> RuleResolutionError {
    let error = Box::new(error);
    RuleResolutionError::Table { path, error }
}

fn custom_rule(path: &Path, text: &str) -> Result<Rule, RuleResolutionError> {
    Rule::from_source(text).map_err(|error| RuleResolutionError::Custom {
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

/// `gridpaper/rules` in the user's data directory, by the XDG base directory specification.
///
/// ```
/// let folder = source::rule_file::own_folder(); // none without a home
/// assert!(folder.is_none_or(|folder| folder.ends_with("gridpaper/rules")));
/// ```
#[must_use]
pub fn own_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = match set("XDG_DATA_HOME").map(PathBuf::from) {
        // The specification says that relative paths are to be ignored.
        Some(data) if data.is_absolute() => data,
        _ => Path::new(&set("HOME")?).join(".local/share"),
    };
    Some(data.join("gridpaper").join("rules"))
}

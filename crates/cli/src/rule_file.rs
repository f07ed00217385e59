//! Where `.rule` files are: in the pattern itself, in the folder that `--rules` names, next
//! to the pattern, in the person's own folder. `.gridrule` files, which hold rules of one's
//! own, are in the same folders, or where their path leads. The reading is `rule`'s.

use crate::failure::Failure;
use crate::source::Source;
use clap::{Args, ValueHint};
use rule::{Look, Rule, RuleError, Topology};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The option that names a folder of rule files.
#[derive(Debug, Args)]
pub(crate) struct RuleFolder {
    /// Look for .rule and .gridrule files here first; then next to the pattern, and in your
    /// own folder, ~/.local/share/gridpaper/rules
    #[arg(long = "rules", value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: Option<PathBuf>,
}

impl RuleFolder {
    /// Those files, and before them the ones in this folder.
    pub(crate) fn before<'a>(&self, files: RuleFiles<'a>) -> Result<RuleFiles<'a>, Failure> {
        match &self.folder {
            Some(folder) => files.first_in(folder),
            None => Ok(files),
        }
    }
}

/// The places where a rule's file may be, the first one first.
#[derive(Debug)]
pub(crate) struct RuleFiles<'a> {
    /// The pattern's own `@RULE` block, and what messages call the pattern.
    block: Option<(&'a str, &'a str)>,
    folders: Vec<PathBuf>,
    /// Whether a path may stand in place of a rule: a person's own words may lead to any
    /// file, those in a pattern may not.
    takes_paths: bool,
}

impl<'a> RuleFiles<'a> {
    /// For a rule that comes without a pattern.
    pub(crate) fn of_person() -> Self {
        Self {
            block: None,
            folders: own_folder().into_iter().collect(),
            takes_paths: true,
        }
    }

    /// For a pattern's rule.
    pub(crate) fn of(source: &'a Source) -> Self {
        let block = source.pattern.rule_block.as_deref();
        let beside = source.folder.clone();
        Self {
            block: block.map(|block| (block, source.label())),
            folders: beside.into_iter().chain(own_folder()).collect(),
            takes_paths: false,
        }
    }

    /// For a rule that was typed, with the files of a pattern.
    pub(crate) fn for_typed(mut self) -> Self {
        self.takes_paths = true;
        self
    }

    /// With another folder before the others.
    fn first_in(mut self, folder: &Path) -> Result<Self, Failure> {
        if !folder.is_dir() {
            let folder = folder.display();
            return Err(Failure::wrong(format_args!(
                "--rules {folder}: no such folder"
            )));
        }
        self.folders.insert(0, folder.to_path_buf());
        Ok(self)
    }

    /// Reads a rule's text, or the file of that name. `place` says where the text stood.
    ///
    /// The pattern's own block comes before all names that are known; those come before
    /// files. What ends as a rule's file does is its path.
    pub(crate) fn read(&self, text: &str, place: &str) -> Result<Rule, Failure> {
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
                    None => return Err(self.not_found(&error, name, place)),
                },
            },
        };
        let found = self.completed(found, name)?;
        let Some(shape) = shape else {
            return Ok(found);
        };
        match shape.parse::<Topology>() {
            Ok(topology) => Ok(found.with_topology(topology)),
            Err(error) => Err(refusal(&error, place)),
        }
    }

    /// The names of all rules that have a file in the folders, and the files, by name; of
    /// one name the one that is taken.
    pub(crate) fn all(&self) -> Vec<(String, PathBuf)> {
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

    fn own_block(&self, name: &str) -> Result<Option<Rule>, Failure> {
        let Some((block, label)) = self.block else {
            return Ok(None);
        };
        if rule::rule_name(block).ok() != Some(name) {
            return Ok(None);
        }
        let rule = Rule::from_file(block);
        rule.map(Some)
            .map_err(|e| Failure::wrong(format_args!("{label}, in the @RULE block: {e}")))
    }

    fn in_folders(&self, name: &str) -> Result<Option<Rule>, Failure> {
        let Some((path, text)) = self.file(name, "rule")? else {
            let own = self.file(name, OWN)?;
            return own.map(|(path, text)| own_rule(&path, &text)).transpose();
        };
        let rule = Rule::from_file_called(name, &text);
        rule.map(Some)
            .map_err(|e| Failure::wrong(format_args!("{}:{e}", path.display())))
    }

    /// With the names and colours of the file that a group of rules shares: `Foo-shared`
    /// for `Foo-x`.
    fn completed(&self, rule: Rule, name: &str) -> Result<Rule, Failure> {
        let mut look = rule.look().cloned().unwrap_or_default();
        let is_complete = |look: &Look| {
            !look.names.is_empty() && !look.colours.is_empty() && look.icons.is_some()
        };
        // the longest part of the name that ends before a dash first
        for (dash, _) in name.rmatch_indices('-') {
            if is_complete(&look) {
                break;
            }
            let shared = format!("{}-shared", &name[..dash]);
            if let Some((path, text)) = self.file(&shared, "rule")? {
                let shared = Look::read(&text);
                look.fill_from(
                    shared.map_err(|e| Failure::wrong(format_args!("{}:{e}", path.display())))?,
                );
            }
        }
        Ok(rule.with_look(look))
    }

    /// The first file of that name and ending.
    fn file(&self, name: &str, ending: &str) -> Result<Option<(PathBuf, String)>, Failure> {
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

    fn not_found(&self, error: &RuleError, name: &str, place: &str) -> Failure {
        if !error.is_unknown_name() {
            return refusal(error, place);
        }
        let folders: Vec<String> = self
            .folders
            .iter()
            .map(|folder| folder.display().to_string())
            .collect();
        let nowhere = match folders.as_slice() {
            [] => String::new(),
            _ => format!(
                ", and there is no {name}.rule or {name}.gridrule in {}",
                folders.join(" or ")
            ),
        };
        Failure::wrong(format_args!("{place}: {error}{nowhere}")).with_hint(error.hint.clone())
    }
}

/// The ending of rules of one's own.
const OWN: &str = "gridrule";

/// Whether this is no rule's text: it ends as a rule's file does.
pub(crate) fn is_path(text: impl AsRef<Path>) -> bool {
    let ending = text.as_ref().extension();
    ending.is_some_and(|e| e == OWN || e == "rule")
}

/// The rule in the file at that path, of either kind: the text tells.
fn at_path(path: &Path) -> Result<Rule, Failure> {
    let text = file_text(path)?;
    if rule::rule_name(&text).is_err() {
        let own = own_rule(path, &text);
        // what is neither kind is told by the reader that its ending asks for
        if own.is_ok() || path.extension().is_some_and(|ending| ending == OWN) {
            return own;
        }
    }
    Rule::from_file(&text).map_err(|e| Failure::wrong(format_args!("{}:{e}", path.display())))
}

fn own_rule(path: &Path, text: &str) -> Result<Rule, Failure> {
    Rule::from_source(text).map_err(|e| {
        Failure::wrong(format_args!("{}:{e}", path.display())).with_hint(e.hint.clone())
    })
}

fn file_text(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|e| Failure::io(path.display(), &e))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn refusal(error: &RuleError, place: &str) -> Failure {
    Failure::wrong(format_args!("{place}: {error}")).with_hint(error.hint.clone())
}

/// `gridpaper/rules` where the XDG directories put a person's own data.
fn own_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = match set("XDG_DATA_HOME").map(PathBuf::from) {
        // the specification has it absolute, or else ignored
        Some(data) if data.is_absolute() => data,
        _ => Path::new(&set("HOME")?).join(".local/share"),
    };
    Some(data.join("gridpaper").join("rules"))
}

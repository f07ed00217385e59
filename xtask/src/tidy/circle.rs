//! No two files of a crate use each other, but for a module and one inside it.
//!
//! Files that use each other in a circle can only be read, moved and tested together. What both
//! need belongs in a file of its own, or they are one thing and one file. A module may use its
//! own parts and they may use it, since they are one thing already.
//!
//! Each file is read as tokens. Its `mod`, `use` and paths are resolved as the compiler does:
//! from the root, from the module or its parent, through imports and re-exports to the file that
//! defines the item. What a macro expands to, and which file the methods of a type stand in, is
//! not seen.

use super::Complaint;
use super::token::{self, TokenTree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Paths through more imports than this are given up.
const MAX_DEPTH: usize = 16;

/// Holds all sources of the workspace against the rule. Paths are relative to the root.
pub(super) fn check<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Complaint> {
    let files: BTreeMap<&str, &str> = files.filter(|(path, _)| path.ends_with(".rs")).collect();
    let mut complaints = Vec::new();
    for path in files.keys() {
        let folder = path
            .strip_suffix("/src/lib.rs")
            .or(path.strip_suffix("/src/main.rs"));
        let Some(folder) = folder else { continue };
        match ModuleTree::read(path, &files) {
            Err(complaint) => complaints.push(complaint),
            Ok(tree) => complaints.extend(tree.circles().iter().map(|circle| {
                let circle = circle.join(" -> ");
                format!("{folder}: files use each other in a circle: {circle}")
            })),
        }
    }
    complaints
}

/// The names in a path, in order.
type NamePath = Vec<String>;

/// A module of a crate, in a file of its own or inside another's.
#[derive(Debug, Default)]
struct SourceModule {
    file: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// What each imported name stands for; one name may stand for a type and a function.
    imports: BTreeMap<String, Vec<NamePath>>,
    globs: Vec<NamePath>,
    items: BTreeSet<String>,
    /// All paths that stand in the module, those of imports included.
    paths: BTreeSet<NamePath>,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PathTarget {
    Module(usize),
    /// An item of a module.
    Item(usize),
}

/// The modules of a crate; the first is its root.
#[derive(Debug, Default)]
struct ModuleTree {
    modules: Vec<SourceModule>,
}

impl ModuleTree {
    fn read(root: &str, files: &BTreeMap<&str, &str>) -> Result<Self, Complaint> {
        let mut tree = Self::default();
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.add_file(root, None, folder, files)?;
        Ok(tree)
    }

    /// Reads a file as a module; its children lie in `folder`.
    fn add_file(
        &mut self,
        file: &str,
        parent: Option<usize>,
        folder: &str,
        files: &BTreeMap<&str, &str>,
    ) -> Result<usize, Complaint> {
        let module = self.add_module(file, parent);
        let text = files.get(file).copied().unwrap_or_default();
        let tokens = token::read(file, text)?;
        self.read_tokens(module, &tokens, true, folder, files)?;
        Ok(module)
    }

    fn add_module(&mut self, file: &str, parent: Option<usize>) -> usize {
        self.modules.push(SourceModule {
            file: file.into(),
            parent,
            ..SourceModule::default()
        });
        self.modules.len() - 1
    }

    /// Reads what stands in a module. `is_outer` where no brackets are around it.
    fn read_tokens(
        &mut self,
        module: usize,
        tokens: &[TokenTree],
        is_outer: bool,
        folder: &str,
        files: &BTreeMap<&str, &str>,
    ) -> Result<(), Complaint> {
        let mut at = 0;
        while at < tokens.len() {
            if let TokenTree::Group(_, inner) = &tokens[at] {
                self.read_tokens(module, inner, false, folder, files)?;
                at += 1;
                continue;
            }
            let Some(word) = name(tokens, at) else {
                at += 1;
                continue;
            };
            let next = name(tokens, at + 1);
            match (word.as_str(), next) {
                ("mod", Some(child)) => {
                    self.read_module(module, &child, tokens.get(at + 2), folder, files)?;
                    at += 3;
                }
                ("use", _) if !is_sign(tokens, at + 1, '<') => {
                    at = self.read_use(module, tokens, at + 1, &[]);
                }
                ("macro_rules", _) => {
                    self.modules[module].items.extend(name(tokens, at + 2));
                    at += 3;
                }
                (
                    "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union",
                    Some(item),
                ) if is_outer => {
                    self.modules[module].items.insert(item);
                    at += 1;
                }
                _ => at = self.read_path(module, tokens, at),
            }
        }
        Ok(())
    }

    /// Reads `mod child;` or `mod child { ... }`. Of several for different platforms it takes the
    /// first.
    fn read_module(
        &mut self,
        module: usize,
        child: &str,
        body: Option<&TokenTree>,
        folder: &str,
        files: &BTreeMap<&str, &str>,
    ) -> Result<(), Complaint> {
        if self.modules[module].children.contains_key(child) {
            return Ok(());
        }
        let inside = format!("{folder}/{child}");
        let added = match body {
            Some(TokenTree::Group(_, body)) => {
                let file = self.modules[module].file.clone();
                let added = self.add_module(&file, Some(module));
                self.modules[module].children.insert(child.into(), added);
                return self.read_tokens(added, body, true, &inside, files);
            }
            _ => {
                let file = format!("{inside}.rs");
                if !files.contains_key(file.as_str()) {
                    return Ok(());
                }
                self.add_file(&file, Some(module), &inside, files)?
            }
        };
        self.modules[module].children.insert(child.into(), added);
        Ok(())
    }

    /// Reads the tree of a `use`, and returns where it ends.
    fn read_use(
        &mut self,
        module: usize,
        tokens: &[TokenTree],
        mut at: usize,
        prefix: &[String],
    ) -> usize {
        let mut path = prefix.to_vec();
        loop {
            if let Some(TokenTree::Group(_, inner)) = tokens.get(at) {
                let mut from = 0;
                while from < inner.len() {
                    from = self.read_use(module, inner, from, &path) + 1;
                }
                return at + 1;
            }
            if is_sign(tokens, at, '*') {
                self.modules[module].paths.insert(path.clone());
                self.modules[module].globs.push(path);
                return at + 1;
            }
            if let Some(word) = name(tokens, at) {
                path.push(word);
                at += 1;
            }
            if !is_colons(tokens, at) {
                break;
            }
            at += 2;
        }
        if path.last().is_some_and(|word| word == "self") && path.len() > 1 {
            path.pop();
        }
        let renamed = name(tokens, at).filter(|word| word == "as");
        let visible = match renamed {
            Some(_) => name(tokens, at + 1),
            None => path.last().cloned(),
        };
        if let Some(visible) = visible {
            let module = &mut self.modules[module];
            module.paths.insert(path.clone());
            module.imports.entry(visible).or_default().push(path);
        }
        match renamed {
            Some(_) => at + 2,
            None => at.max(1),
        }
    }

    /// Reads a path that begins with a name, and returns where it ends. A name alone counts where
    /// it may come through a glob: that of a type, or of something that is called.
    fn read_path(&mut self, module: usize, tokens: &[TokenTree], mut at: usize) -> usize {
        let is_member = at > 0 && (is_sign(tokens, at - 1, '.') || is_sign(tokens, at - 1, ':'));
        let is_member = is_member && !is_type_after_colon(tokens, at);
        let mut path = NamePath::new();
        while let Some(word) = name(tokens, at) {
            path.push(word);
            at += 1;
            if !is_colons(tokens, at) || name(tokens, at + 2).is_none() {
                break;
            }
            at += 2;
        }
        let is_called = matches!(tokens.get(at), Some(TokenTree::Group('(', _)));
        let is_type = path[0].starts_with(|c: char| c.is_ascii_uppercase());
        if !is_member && (path.len() > 1 || is_called || is_type) {
            self.modules[module].paths.insert(path);
        }
        at
    }

    /// What a path in a module leads to, where that is in this crate.
    fn resolve(&self, module: usize, path: &[String], depth: usize) -> Option<PathTarget> {
        let (first, rest) = path.split_first()?;
        let mut target = match first.as_str() {
            "crate" => PathTarget::Module(0),
            "self" => PathTarget::Module(module),
            "super" => PathTarget::Module(self.modules[module].parent?),
            name => self.lookup(module, name, path, depth)?,
        };
        for name in rest {
            let PathTarget::Module(at) = target else {
                break;
            };
            target = match name.as_str() {
                "super" => PathTarget::Module(self.modules[at].parent?),
                name => self
                    .lookup(at, name, &[], depth)
                    .unwrap_or(PathTarget::Item(at)),
            };
        }
        Some(target)
    }

    /// What a name means in a module. `path` is the one that is being resolved there: an import
    /// is not found by way of itself.
    fn lookup(
        &self,
        module: usize,
        name: &str,
        path: &[String],
        depth: usize,
    ) -> Option<PathTarget> {
        if depth > MAX_DEPTH {
            return None;
        }
        let SourceModule {
            children,
            imports,
            globs,
            items,
            ..
        } = &self.modules[module];
        if let Some(&child) = children.get(name) {
            return Some(PathTarget::Module(child));
        }
        let imported = imports.get(name).into_iter().flatten();
        let mut imported = imported.filter(|import| import[..] != *path);
        if let Some(found) = imported.find_map(|import| self.resolve(module, import, depth + 1)) {
            return Some(found);
        }
        if items.contains(name) {
            return Some(PathTarget::Item(module));
        }
        globs
            .iter()
            .find_map(|glob| match self.resolve(module, glob, depth + 1)? {
                PathTarget::Module(from) if from != module => {
                    self.lookup(from, name, &[], depth + 1)
                }
                _ => None,
            })
    }

    /// The files that each file uses, a module and those inside it left out.
    fn uses(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, module) in self.modules.iter().enumerate() {
            for path in &module.paths {
                let to = match self.resolve(from, path, 0) {
                    Some(PathTarget::Module(to) | PathTarget::Item(to)) => to,
                    None => continue,
                };
                if !self.is_inside(from, to) && !self.is_inside(to, from) {
                    let file = self.modules[to].file.as_str();
                    uses.entry(&module.file).or_default().insert(file);
                }
            }
        }
        uses
    }

    /// Whether a module's file is another's, or that of a module around it.
    fn is_inside(&self, inner: usize, outer: usize) -> bool {
        let around = std::iter::successors(Some(inner), |&at| self.modules[at].parent);
        let file = &self.modules[outer].file;
        around.into_iter().any(|at| self.modules[at].file == *file)
    }

    /// For each knot of files a shortest way from the first back to itself.
    fn circles(&self) -> Vec<Vec<&str>> {
        let uses = self.uses();
        let mut circles: Vec<Vec<&str>> = Vec::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for &file in uses.keys() {
            if known.contains(file) {
                continue;
            }
            if let Some(circle) = shortest_way_back(&uses, file) {
                known.extend(&circle);
                circles.push(circle);
            }
        }
        circles
    }
}

/// The shortest way from a file through those that it uses back to itself.
fn shortest_way_back<'a>(
    uses: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    file: &'a str,
) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([file]);
    while let Some(from) = queue.pop_front() {
        for &to in uses.get(from).into_iter().flatten() {
            if to == file {
                let back = std::iter::successors(Some(from), |at| before.get(at).copied());
                let mut way: Vec<&str> = std::iter::once(file).chain(back).collect();
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(to) {
                before.insert(to, from);
                queue.push_back(to);
            }
        }
    }
    None
}

/// The name that stands at a place.
fn name(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at)? {
        TokenTree::Name(name) => Some(name.clone()),
        _ => None,
    }
}

fn is_sign(tokens: &[TokenTree], at: usize, sign: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Sign(found)) if *found == sign)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_sign(tokens, at, ':') && is_sign(tokens, at + 1, ':')
}

/// Whether one colon alone stands before a place, as before the type of a field.
fn is_type_after_colon(tokens: &[TokenTree], at: usize) -> bool {
    is_sign(tokens, at - 1, ':') && (at < 2 || !is_sign(tokens, at - 2, ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "mod a; mod b; mod c; pub use a::One; use b::Two;";

    /// The complaints about a crate of these files, beside a root with modules `a`, `b` and `c`.
    fn complaints(folder: &str, files: &[(&str, &str)]) -> Vec<Complaint> {
        let mut all = vec![(format!("{folder}/src/lib.rs"), ROOT)];
        let named = files
            .iter()
            .map(|(name, text)| (format!("{folder}/src/{name}"), *text));
        all.extend(named);
        check(all.iter().map(|(path, text)| (path.as_str(), *text)))
    }

    #[test]
    fn planted_circles_are_found() {
        let one = "pub struct One;";
        let uses: &[(&str, &str)] = &[
            (
                "use crate::b::Two; pub struct One;",
                "use crate::a::One; pub struct Two;",
            ),
            // through what the root exports
            (
                "use crate::Two; pub struct One;",
                "use crate::One; pub struct Two;",
            ),
            (
                "pub struct One(crate::b::Two);",
                "pub struct Two(super::a::One);",
            ),
            (
                "use super::b; pub struct One; fn f() { b::g(); }",
                "use crate::{self as top}; pub fn g(x: top::One) {}",
            ),
            (
                "use crate::{c, b::{self as other, Two}}; pub struct One;",
                "pub fn g() { crate::a::f() }",
            ),
            // in tests and in the arguments of macros
            (
                "pub struct One; mod tests { use super::*; fn f() { assert!(crate::b::g()) } }",
                "use crate::a::*;",
            ),
            // by a glob alone
            (
                "use super::*; pub struct One; fn f(x: Two) {}",
                "use crate::One; pub struct Two;",
            ),
        ];
        for (a, b) in uses {
            let found = complaints("crates/x", &[("a.rs", a), ("b.rs", b), ("c.rs", "")]);
            let expected = "crates/x: files use each other in a circle: crates/x/src/a.rs -> \
                            crates/x/src/b.rs -> crates/x/src/a.rs";
            assert_eq!(found, [expected], "{a} {b}");
        }
        let three = [
            ("a.rs", "use crate::b::Two; pub struct One;"),
            ("b.rs", "use crate::c::Three; pub struct Two;"),
            ("c.rs", "use crate::One; pub struct Three;"),
        ];
        assert_eq!(complaints("crates/x", &three).len(), 1);
        // a part of `a` and another module
        let part = [
            ("a.rs", "mod part; pub struct One;"),
            ("a/part.rs", "use crate::b::Two;  pub struct Part;"),
            ("b.rs", "use crate::a::part::Part; pub struct Two;"),
            ("c.rs", one),
        ];
        assert_eq!(complaints("crates/x", &part).len(), 1);
    }

    #[test]
    fn what_only_looks_like_a_circle_is_none() {
        let uses: &[(&str, &str)] = &[
            ("use crate::b::Two; pub struct One;", "pub struct Two;"),
            (
                "use crate::b::Two; pub struct One;",
                "pub struct Two; // use crate::a::One;",
            ),
            (
                "use crate::b::Two; pub struct One;",
                "/// See [`crate::a::One`].\npub struct Two;",
            ),
            (
                "use crate::b::Two; pub struct One;",
                "const S: &str = \"crate::a::One\"; pub struct Two;",
            ),
            // another crate's module, and fields of that name
            (
                "use crate::b::Two; pub struct One;",
                "use other::a::One; pub struct Two; fn f(x: Two) { x.a; x.One() }",
            ),
        ];
        for (a, b) in uses {
            let found = complaints("crates/x", &[("a.rs", a), ("b.rs", b), ("c.rs", "")]);
            assert!(found.is_empty(), "{a} {b}: {found:?}");
        }
        let part = [
            ("a.rs", "mod part; use part::Part; pub struct One;"),
            (
                "a/part.rs",
                "use super::One; use crate::Two; pub struct Part;",
            ),
            ("b.rs", "pub struct Two;"),
            ("c.rs", "use crate::One;"),
        ];
        assert_eq!(complaints("crates/x", &part), Vec::<Complaint>::new());
    }
}

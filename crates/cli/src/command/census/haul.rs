//! `gridpaper census haul`: a store as the text that Catagolue takes.

use super::{broken, open};
use crate::failure::CliFailure;
use crate::output;
use batch::haul_of;
use census::HashSoupSymmetry;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// What the root of a haul has in it, since its counts are not those of apgsearch.
const MARK: &str = "gridpaper";

/// Write a census as the text that Catagolue takes; nothing is sent
#[derive(Debug, Args)]
pub(super) struct CensusHaulArgs {
    /// The store
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    store: PathBuf,

    /// Which root, where the store has several
    #[arg(long, value_name = "ROOT")]
    root: Option<String>,

    /// Write it although its root does not say that Gridpaper counted
    #[arg(long)]
    any_root: bool,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

impl CensusHaulArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        output::check_place(&self.out)?;
        let store = open(&self.store)?;
        let mut censuses = store.censuses().map_err(broken)?;
        let roots: Vec<String> = censuses
            .iter()
            .map(|census| census.identity.root.clone())
            .collect();
        if let Some(root) = &self.root {
            censuses.retain(|census| census.identity.root == *root);
        }
        let [census] = &censuses[..] else {
            let (store, count) = (self.store.display(), censuses.len());
            let message = match (&self.root, count) {
                (Some(root), _) => format!("--root {root}: {store} has no soups of it"),
                (None, 0) => format!("{store}: it has no census yet"),
                (None, _) => format!("{store}: a haul has one root, and this store has {count}"),
            };
            let hint = format!("choose one with --root: {}", roots.join(", "));
            return Err(CliFailure::wrong(message).with_hint((!roots.is_empty()).then_some(hint)));
        };
        let symmetry: Result<HashSoupSymmetry, _> = census.identity.symmetry.parse();
        if symmetry.is_ok_and(|symmetry| symmetry.is_ours()) {
            let message = format!("{}: no haul has such soups", census.identity.symmetry);
            let hint = "Catagolue takes soups of --symmetry, without --density and --size";
            return Err(CliFailure::wrong(message).with_hint(Some(hint.into())));
        }
        let identity = &census.identity;
        let is_marked = identity.root.contains(MARK) || !identity.version.starts_with(MARK);
        if !is_marked && !self.any_root {
            let message = format!(
                "{}: its root does not say that {MARK} counted, which takes no boat for a glider",
                identity.root
            );
            let hint =
                "count with a root that does, as in --seed gridpaper_mine_, or add --any-root";
            return Err(CliFailure::wrong(message).with_hint(Some(hint.into())));
        }
        let text = haul_of(&store, census).map_err(broken)?.to_string();
        output::to_file(&self.out, |out| {
            let written = out.write_all(text.as_bytes());
            written.map_err(|error| CliFailure::io(self.out.display(), &error))
        })
    }
}

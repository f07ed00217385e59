//! `gridpaper census show`: the table of a store.

use super::{broken, object_table, object_words, open, per_soup};
use crate::failure::CliFailure;
use crate::output;
use crate::table;
use batch::{CensusStore, CensusTotals, ObjectKind};
use clap::{Args, ValueHint};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Show the counts of a store
#[derive(Debug, Args)]
pub(super) struct CensusShowArgs {
    /// The store
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    store: PathBuf,

    /// Only this object, and the soups that have it
    #[arg(long, value_name = "CODE")]
    code: Option<String>,

    /// Only the N most frequent objects
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    top: Option<usize>,

    /// Print the table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CensusShowArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let store = open(&self.store)?;
        let mut totals = store.totals().map_err(broken)?;
        if let Some(code) = &self.code {
            let Some(&count) = totals.tally.get(code) else {
                let message = format!("{code} was not found in {} soups", totals.soups);
                return Err(CliFailure::No {
                    message,
                    hint: None,
                });
            };
            if !self.csv {
                return self.object(&store, &totals, code, count);
            }
            totals.tally.retain(|other, _| other == code);
        }
        let top = self.top.unwrap_or(usize::MAX);
        if self.csv {
            let text = csv(&totals, top);
            return output::to_stdout(|out| out.write_all(text.as_bytes()));
        }
        if self.json {
            let ranking = totals.ranking().into_iter().take(top);
            let counts: Map<String, Value> = ranking
                .map(|(code, count)| (code.to_string(), json!(count)))
                .collect();
            return output::line(json!({
                "soups": totals.soups,
                "objects": totals.objects(),
                "kinds": totals.tally.len(),
                "counts": counts,
                "unsettled": totals.unsettled,
            }));
        }
        let mut text = String::new();
        for census in store.censuses().map_err(broken)? {
            text += &format!(
                "{}: {} soups in {} units\n",
                census.identity, census.soups, census.units
            );
        }
        text += &format!(
            "{} objects of {} kinds from {} soups\n\n",
            totals.objects(),
            totals.tally.len(),
            totals.soups
        );
        text += &object_table(&totals, top);
        output::to_stdout(|out| out.write_all(text.as_bytes()))
    }

    /// One object and the soups that have it.
    fn object(
        &self,
        store: &CensusStore,
        totals: &CensusTotals,
        code: &str,
        count: u64,
    ) -> Result<(), CliFailure> {
        let symmetry = store.censuses().map_err(broken)?;
        let symmetry = symmetry
            .first()
            .map_or("C1", |census| &census.identity.symmetry);
        let samples = store.samples(code).map_err(broken)?;
        let samples = samples
            .iter()
            .map(|soup| format!("{symmetry}/{}{}", soup.root, soup.index));
        if self.json {
            return output::line(json!({
                "code": code,
                "name": census::object_name(code),
                "count": count,
                "soups": totals.soups,
                "samples": samples.collect::<Vec<_>>(),
            }));
        }
        let place = totals
            .ranking()
            .iter()
            .position(|(other, _)| *other == code);
        let mut rows = vec![
            ["code".to_string(), code.to_string()],
            ["name".into(), object_words(code)],
            ["count".into(), count.to_string()],
            ["a soup".into(), per_soup(count, totals.soups)],
            [
                "place".into(),
                format!(
                    "{} of {}",
                    place.map_or(0, |place| place + 1),
                    totals.tally.len()
                ),
            ],
        ];
        for (i, soup) in samples.enumerate() {
            let label = if i == 0 { "in soups" } else { "" };
            rows.push([label.to_string(), soup]);
        }
        let text = table::aligned(rows);
        output::to_stdout(|out| out.write_all(text.as_bytes()))
    }
}

/// `code,count,a soup,kind,period,name`, the most frequent first.
fn csv(totals: &CensusTotals, top: usize) -> String {
    let mut text = String::from("code,count,per_soup,kind,period,name\n");
    for (code, count) in totals.ranking().into_iter().take(top) {
        let kind = ObjectKind::of(code);
        let period = kind
            .period
            .map_or(String::new(), |period| period.to_string());
        let name = census::object_name(code).unwrap_or_default();
        let name = match name.contains([',', '"']) {
            true => format!("\"{}\"", name.replace('"', "\"\"")),
            false => name.to_string(),
        };
        let per_soup = count as f64 / totals.soups.max(1) as f64;
        text += &format!(
            "{code},{count},{per_soup},{},{period},{name}\n",
            kind.class.word()
        );
    }
    text
}

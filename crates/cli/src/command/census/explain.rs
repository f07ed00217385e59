//! `gridpaper census explain`: what became of one soup, object by object.

use super::{SoupArguments, object_words};
use crate::failure::CliFailure;
use crate::output;
use crate::table;
use census::{CensusUnitRunner, PlacedObject, SoupExplanation};
use clap::Args;
use serde_json::{Value, json};

/// Say what became of one soup: when it settled, and which objects lie where
#[derive(Debug, Args)]
pub(super) struct CensusExplainArgs {
    /// The root of the soups
    #[arg(value_name = "ROOT")]
    root: String,

    /// The number of the soup
    #[arg(value_name = "INDEX", allow_negative_numbers = true)]
    index: u64,

    #[command(flatten)]
    soup: SoupArguments,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CensusExplainArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let settings = self.soup.settings(&self.root)?;
        let name = format!("{}/{}{}", settings.symmetry, self.root, self.index);
        let mut runner = CensusUnitRunner::new(settings).map_err(CliFailure::wrong)?;
        let mut explanation = runner.explain(self.index);
        if explanation.odd.is_none() {
            explanation.lifespan = runner.exact_lifespan(self.index, explanation.lifespan);
        }
        if self.json {
            return output::line(self.object(&name, &explanation));
        }
        let text = self.text(&name, &explanation);
        output::to_stdout(|out| out.write_all(text.as_bytes()))
    }

    fn object(&self, name: &str, soup: &SoupExplanation) -> Value {
        let mut counts = serde_json::Map::new();
        for (code, count) in tally(soup) {
            counts.insert(code, json!(count));
        }
        let objects: Vec<Value> = soup.objects.iter().map(object).collect();
        json!({
            "soup": name,
            "rule": self.soup.rule,
            "lifespan": soup.lifespan,
            "generation": soup.generation,
            "population": soup.population,
            "period": soup.period,
            "odd": soup.odd,
            "counts": counts,
            "objects": objects,
        })
    }

    fn text(&self, name: &str, soup: &SoupExplanation) -> String {
        let objects: u64 = tally(soup).iter().map(|(_, count)| count).sum();
        let settled = match &soup.odd {
            Some(what) => format!("not as others do: {what}"),
            None => format!("at generation {}", soup.lifespan),
        };
        let mut text = format!(
            "soup        {name}\nsettled     {settled}\npopulation  {} at generation {}\n\
             period      {}\nobjects     {objects}\n\n",
            soup.population, soup.generation, soup.period,
        );
        let rows = soup.objects.iter().map(|placed| {
            let (x, y) = (placed.cells.x, placed.cells.y);
            let codes: Vec<String> = placed.codes.iter().map(code_words).collect();
            let names: Vec<String> = placed
                .codes
                .iter()
                .map(|(code, _)| object_words(code))
                .collect();
            let motion = match (placed.dx, placed.dy) {
                (0, 0) => String::new(),
                (dx, dy) => format!("moves by ({dx}, {dy}) in {}", placed.period),
            };
            [
                format!("({x}, {y})"),
                codes.join(" "),
                names.join(", "),
                motion,
            ]
        });
        text += &table::aligned(rows);
        text
    }
}

fn object(placed: &PlacedObject) -> Value {
    let cells = &placed.cells;
    let codes: Vec<Value> = placed
        .codes
        .iter()
        .map(|(code, count)| {
            json!({"code": code, "count": count, "name": census::object_name(code)})
        })
        .collect();
    json!({
        "x": cells.x,
        "y": cells.y,
        "width": cells.width(),
        "height": cells.height(),
        "period": placed.period,
        "dx": placed.dx,
        "dy": placed.dy,
        "codes": codes,
    })
}

/// The counts of all clusters together, in the order of their codes.
fn tally(soup: &SoupExplanation) -> Vec<(String, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for (code, count) in soup.objects.iter().flat_map(|placed| &placed.codes) {
        *counts.entry(code.clone()).or_insert(0) += count;
    }
    counts.into_iter().collect()
}

fn code_words((code, count): &(String, u64)) -> String {
    match count {
        1 => code.clone(),
        _ => format!("{count} x {code}"),
    }
}

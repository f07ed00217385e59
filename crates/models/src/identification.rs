//! What a pattern is, as a card: a title, rows of facts, the objects that it consists of, and
//! which of its cells repeat how often.
//!
//! The facts are the crate `census`'s; here they become words. Pages, screens and the command line
//! show the same card.

use crate::worker_pool::{JobHandle, WorkerPool};
use census::{
    Identification, IdentifyOptions, ObjectCount, PatternKind, PeriodMap, PopulationRange,
    find_in_library, identify,
};
use pattern::Cells;
use rule::Rule;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is to be identified.
#[derive(Clone, Debug)]
pub struct IdentificationSubject {
    /// The rule that the cells live under.
    pub rule: Rule,
    /// The cells, where they lie.
    pub cells: Cells,
}

/// How long a face looks before it says what is known by then.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What is known of a pattern, in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdentificationCard {
    /// Its name, or what kind of thing it is.
    pub title: String,
    /// The apgcode.
    pub code: Option<String>,
    /// Facts: what, and the value, which may have several lines.
    pub rows: Vec<(&'static str, String)>,
    /// The objects that it consists of or leaves, the most frequent first.
    pub objects: Vec<ObjectCount>,
    /// How often each of its cells repeats, of what stays in its place.
    pub map: Option<PeriodMap>,
}

impl IdentificationCard {
    /// The card of a finding.
    ///
    /// ```
    /// use census::{IdentifyOptions, identify};
    /// use models::identification::IdentificationCard;
    ///
    /// let rule = "B3/S23".parse()?;
    /// let toad = pattern::Pattern::from_text("b3o$3o!")?.cells;
    /// let found = identify(&rule, &toad, &IdentifyOptions::default(), &mut |_| true)?;
    /// let card = IdentificationCard::of(&found);
    /// assert_eq!((&card.title[..], card.code.as_deref()), ("toad", Some("xp2_7e")));
    /// assert_eq!(card.rows[0], ("kind", "oscillator".to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(found: &Identification) -> Self {
        let kind = found.kind.name().replace('_', " ");
        let mut rows = FactRows(Vec::new());
        rows.push("kind", Some(kind.clone()));
        rows.push("apgcode", found.apgcode.clone());
        rows.push("rule", Some(found.rule.clone()));
        rows.push("period", found.period.map(|period| period.to_string()));
        let later = found.generation.filter(|&generation| generation > 0);
        rows.push("from generation", later.map(|from| from.to_string()));
        rows.push("speed", speed_words(found));
        rows.push("mod", mod_words(found));
        let symmetry = found.kinetic_symmetry.as_ref();
        let symmetry = symmetry.or(found.static_symmetry.as_ref());
        rows.push("symmetry", symmetry.cloned());
        rows.push("population", found.population.map(range_words));
        rows.push("alive", found.alive.map(range_words));
        let cells = found.rotor.zip(found.stator);
        let cells = cells.map(|(rotor, stator)| format!("{rotor} and {stator} cells"));
        rows.push("rotor, stator", cells);
        let changes = found.rotor != Some(0);
        rows.push("heat", found.heat.filter(|_| changes).map(decimal));
        rows.push("temperature", found.temperature.map(decimal));
        rows.push("volatility", volatility_words(found).filter(|_| changes));
        rows.push("box", found.bounding_box.map(|(w, h)| format!("{w} x {h}")));
        rows.push("density", found.density.map(decimal));
        let phoenix = found.phoenix.filter(|&is_phoenix| is_phoenix);
        let phoenix = phoenix.map(|_| "every live cell dies in each generation".to_string());
        rows.push("phoenix", phoenix);
        rows.push("consists of", object_words(&found.pseudo_parts));
        rows.push(
            "lifespan",
            found.lifespan.map(|lifespan| lifespan.to_string()),
        );
        let left = found.final_population;
        rows.push("cells left", left.map(|cells| cells.to_string()));
        rows.push("leaves", object_words(&found.census));
        rows.push("emits", object_words(&found.emission));
        let growth = found.growth_per_period;
        rows.push(
            "grows by",
            growth.map(|cells| format!("{cells} cells a period")),
        );
        let power = found.growth_power;
        rows.push(
            "grows as",
            power.map(|power| format!("generation ^ {power:.2}")),
        );
        rows.push("reached", found.reached.clone());
        let objects = match found.census.is_empty() {
            true => &found.pseudo_parts,
            false => &found.census,
        };
        Self {
            title: found.name.clone().unwrap_or(kind),
            code: found.apgcode.clone(),
            rows: rows.0,
            objects: objects.clone(),
            map: found.period_map.clone(),
        }
    }
}

/// The row that names the library's pattern, which faces open.
pub const LIBRARY_ROW: &str = "in the library";

impl IdentificationSubject {
    /// Its card, with the pattern of the built-in library that it is, if it is one.
    ///
    /// ```
    /// use census::{IdentifyOptions, identify};
    /// use models::identification::{IdentificationSubject, LIBRARY_ROW};
    ///
    /// let cells = pattern::Pattern::from_text("b3o$3o!")?.cells;
    /// let subject = IdentificationSubject { rule: "B3/S23".parse()?, cells };
    /// let options = IdentifyOptions::default();
    /// let found = identify(&subject.rule, &subject.cells, &options, &mut |_| true)?;
    /// let last = subject.card(&found).rows.pop();
    /// assert_eq!(last, Some((LIBRARY_ROW, "toad".to_string())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn card(&self, found: &Identification) -> IdentificationCard {
        let mut card = IdentificationCard::of(found);
        let repeats = matches!(
            found.kind,
            PatternKind::StillLife | PatternKind::Oscillator | PatternKind::Spaceship
        );
        let period = found.period.filter(|_| repeats).unwrap_or(1);
        let name = find_in_library(&self.rule, &self.cells, period);
        card.rows
            .extend(name.map(|name| (LIBRARY_ROW, name.to_owned())));
        card
    }
}

/// The rows that have something to say.
struct FactRows(Vec<(&'static str, String)>);

impl FactRows {
    fn push(&mut self, name: &'static str, value: Option<String>) {
        self.0.extend(value.map(|value| (name, value)));
    }
}

/// At most four digits after the point.
fn decimal(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn range_words(range: PopulationRange) -> String {
    let PopulationRange { min, max, mean } = range;
    match min == max {
        true => min.to_string(),
        false => format!("{min} to {max}, mean {}", decimal(mean)),
    }
}

fn speed_words(found: &Identification) -> Option<String> {
    let speed = found.speed.as_ref()?;
    Some(match &found.direction {
        Some(direction) => format!("{speed}, to {direction}"),
        None => speed.clone(),
    })
}

fn mod_words(found: &Identification) -> Option<String> {
    let modulus = found.modulus?;
    Some(match found.mod_transform.filter(|&map| map != "id") {
        Some(map) => format!("{modulus}, then {map}"),
        None => modulus.to_string(),
    })
}

fn volatility_words(found: &Identification) -> Option<String> {
    let volatility = decimal(found.volatility?);
    Some(match found.strict_volatility {
        Some(strict) => format!("{volatility}, strict {}", decimal(strict)),
        None => volatility,
    })
}

/// A line each.
fn object_words(objects: &[ObjectCount]) -> Option<String> {
    let lines = objects.iter().map(|object| {
        let name = object.name.as_ref().unwrap_or(&object.code);
        match &object.direction {
            Some(direction) => format!("{} {name} to {direction}", object.count),
            None => format!("{} {name}", object.count),
        }
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A search on a thread that the face lends. Dropped, it ends.
#[derive(Debug)]
pub struct IdentificationJob {
    state: Arc<Mutex<IdentificationState>>,
    _handle: JobHandle,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq)]
pub enum IdentificationState {
    /// It has run the pattern up to this generation.
    Looking(u64),
    /// It is over.
    Found(Box<IdentificationCard>),
    /// No engine takes the pattern.
    Failed(String),
}

impl IdentificationJob {
    /// Begins to look, on a thread of the pool.
    ///
    /// ```
    /// use models::identification::{IdentificationJob, IdentificationState, IdentificationSubject};
    /// use models::worker_pool::WorkerPool;
    ///
    /// let pool = WorkerPool::new(Default::default());
    /// pool.spawn("identify", 1)?;
    /// let cells = pattern::Pattern::from_text("3o!")?.cells;
    /// let subject = IdentificationSubject { rule: "B3/S23".parse()?, cells };
    /// let job = IdentificationJob::start(&pool, subject);
    /// let card = loop {
    ///     match job.state() {
    ///         IdentificationState::Looking(_) => std::thread::yield_now(),
    ///         IdentificationState::Found(card) => break card,
    ///         IdentificationState::Failed(error) => return Err(error.into()),
    ///     }
    /// };
    /// assert_eq!(card.title, "blinker");
    /// assert_eq!(card.rows.last(), Some(&("in the library", "blinker".to_string())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(pool: &WorkerPool, subject: IdentificationSubject) -> Self {
        let state = Arc::new(Mutex::new(IdentificationState::Looking(0)));
        let writer = Arc::clone(&state);
        let handle = pool.begin(Some(PATIENCE), move |permit| {
            let set = |state| *writer.lock().unwrap_or_else(PoisonError::into_inner) = state;
            let mut control = |generation| {
                set(IdentificationState::Looking(generation));
                permit.goes_on()
            };
            let options = IdentifyOptions::default();
            let found = identify(&subject.rule, &subject.cells, &options, &mut control);
            set(match found {
                Ok(found) => IdentificationState::Found(subject.card(&found).into()),
                Err(error) => IdentificationState::Failed(error.to_string()),
            });
        });
        Self {
            state,
            _handle: handle,
        }
    }

    /// How far it is.
    ///
    /// ```
    /// use models::identification::{IdentificationJob, IdentificationState, IdentificationSubject};
    ///
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// let cells = pattern::Pattern::from_text("3o!")?.cells;
    /// let subject = IdentificationSubject { rule: "B3/S23".parse()?, cells };
    /// let job = IdentificationJob::start(&pool, subject);
    /// assert_eq!(job.state(), IdentificationState::Looking(0), "the pool has no thread");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> IdentificationState {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_at_most() {
        let rows = [
            (42.666_666, "42.6667"),
            (4.0, "4"),
            (0.8, "0.8"),
            (0.0, "0"),
        ];
        for (number, text) in rows {
            assert_eq!(decimal(number), text);
        }
    }
}

//! What a pattern is, as a card: a title, rows of facts, the objects that it consists of, and
//! which of its cells repeat how often.
//!
//! The facts are the crate `census`'s; here they become words. Pages, screens and the command line
//! show the same card.

use crate::worker_pool::{JobHandle, WorkerPool};
use census::{Identification, IdentifyOptions, ObjectCount, PatternKind, PeriodMap, identify};
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
    /// Facts: what, and the value.
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
    /// assert_eq!(card.rows[0], ("kind", "oscillator of period 2".to_string()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(found: &Identification) -> Self {
        let kind = kind_words(found);
        let mut rows = FactRows(Vec::new());
        rows.push("kind", Some(kind.clone()));
        rows.push("apgcode", found.apgcode.clone());
        rows.push("moves", motion_words(found));
        rows.push("symmetry", symmetry_words(found));
        rows.push("phases", phase_words(found));
        rows.push("population", population_words(found));
        rows.push("box", found.bounding_box.map(|(w, h)| format!("{w} x {h}")));
        rows.push("density", found.density.map(number));
        rows.push("heat", found.heat.map(heat_words));
        rows.push("temperature", found.temperature.map(number));
        rows.push("volatility", volatility_words(found));
        rows.push("cells", cell_words(found));
        rows.push("periods", period_words(found));
        rows.push("settles", settling_words(found));
        rows.push("growth", growth_words(found));
        rows.push("sends out", object_words(&found.emission));
        rows.push("made of", object_words(&found.pseudo_parts));
        rows.push("leaves", object_words(&found.census));
        rows.push("known so far", found.reached.clone());
        let objects = match found.census.is_empty() {
            true => found.pseudo_parts.clone(),
            false => found.census.clone(),
        };
        Self {
            title: found.name.clone().unwrap_or(kind),
            code: found.apgcode.clone(),
            rows: rows.0,
            objects,
            map: found.period_map.clone(),
        }
    }

    /// The card as lines of text: the title, and each fact behind its name.
    ///
    /// ```
    /// use models::identification::IdentificationCard;
    ///
    /// let card = IdentificationCard {
    ///     title: "block".into(),
    ///     rows: vec![("kind", "still life".into()), ("apgcode", "xs4_33".into())],
    ///     ..IdentificationCard::default()
    /// };
    /// assert_eq!(card.to_text(), "block\nkind     still life\napgcode  xs4_33\n");
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        let width = self.rows.iter().map(|(name, _)| name.len()).max();
        let mut text = format!("{}\n", self.title);
        for (name, value) in &self.rows {
            text += &format!("{name:<width$}  {value}\n", width = width.unwrap_or(0));
        }
        text
    }
}

/// The rows that have something to say.
struct FactRows(Vec<(&'static str, String)>);

impl FactRows {
    fn push(&mut self, name: &'static str, value: Option<String>) {
        self.0.extend(value.map(|value| (name, value)));
    }
}

fn kind_words(found: &Identification) -> String {
    let of_period = |what: &str| match found.period {
        Some(period) => format!("{what} of period {period}"),
        None => what.to_string(),
    };
    match found.kind {
        PatternKind::Empty => "no live cell".into(),
        PatternKind::StillLife => "still life".into(),
        PatternKind::Oscillator => of_period("oscillator"),
        PatternKind::Spaceship => of_period("spaceship"),
        PatternKind::Puffer => of_period("puffer"),
        PatternKind::Rake => of_period("rake"),
        PatternKind::Gun => of_period("gun"),
        PatternKind::Breeder => "breeder: it grows as the square of time".into(),
        PatternKind::Growing => "it grows without end".into(),
        PatternKind::Methuselah => "methuselah: it takes long to settle".into(),
        PatternKind::Settling => "it settles into several objects".into(),
        PatternKind::Dies => "it dies out".into(),
        PatternKind::Unknown => "not known within the limits".into(),
    }
}

/// At most two digits after the point, and none that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn heat_words(heat: f64) -> String {
    format!("{} cells change in a generation", number(heat))
}

fn motion_words(found: &Identification) -> Option<String> {
    let speed = found.speed.as_ref()?;
    let direction = found.direction.as_ref();
    Some(match direction {
        Some(direction) => format!("{speed}, to {direction}"),
        None => speed.clone(),
    })
}

fn symmetry_words(found: &Identification) -> Option<String> {
    let still = found.static_symmetry.as_ref()?;
    Some(match &found.kinetic_symmetry {
        Some(kinetic) if kinetic != still => format!("{still}; with time {kinetic}"),
        _ => still.clone(),
    })
}

fn phase_words(found: &Identification) -> Option<String> {
    let (modulus, period) = (found.modulus?, found.period?);
    (modulus < period).then(|| {
        let map = found.mod_transform.unwrap_or("another orientation");
        let generations = crate::counted(modulus, "generation");
        format!("after {generations} the same by {map}")
    })
}

fn population_words(found: &Identification) -> Option<String> {
    let range = found.population?;
    Some(match range.min == range.max {
        true => range.min.to_string(),
        false => format!(
            "{} to {}, {} on average",
            range.min,
            range.max,
            number(range.mean)
        ),
    })
}

fn volatility_words(found: &Identification) -> Option<String> {
    let volatility = number(found.volatility?);
    Some(match found.strict_volatility.map(number) {
        Some(strict) if strict != volatility => format!("{volatility}, strict {strict}"),
        _ => volatility,
    })
}

fn cell_words(found: &Identification) -> Option<String> {
    let (rotor, stator) = (found.rotor?, found.stator?);
    Some(format!(
        "{rotor} change (rotor), {stator} never do (stator)"
    ))
}

fn period_words(found: &Identification) -> Option<String> {
    let counts = &found.period_counts;
    if counts.len() < 2 {
        return None;
    }
    let each = counts.iter().map(|(period, cells)| {
        let cells = crate::counted(*cells, "cell");
        format!("{cells} of {period}")
    });
    Some(each.collect::<Vec<_>>().join(", "))
}

fn settling_words(found: &Identification) -> Option<String> {
    let lifespan = found.lifespan?;
    Some(match found.final_population {
        Some(cells) => format!("at generation {lifespan}, with {cells} cells"),
        None => format!("at generation {lifespan}"),
    })
}

fn growth_words(found: &Identification) -> Option<String> {
    if let Some(cells) = found.growth_per_period {
        let period = crate::counted(found.period.unwrap_or(1), "generation");
        return Some(format!("{cells:+} cells in {period}"));
    }
    let power = found.growth_power?;
    Some(format!("as the power {} of time", number(power)))
}

fn object_words(objects: &[ObjectCount]) -> Option<String> {
    if objects.is_empty() {
        return None;
    }
    let each = objects.iter().map(|object| {
        let name = object.name.as_ref().unwrap_or(&object.code);
        match &object.direction {
            Some(direction) => format!("{} {name} to {direction}", object.count),
            None => format!("{} {name}", object.count),
        }
    });
    Some(each.collect::<Vec<_>>().join(", "))
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
                Ok(found) => IdentificationState::Found(IdentificationCard::of(&found).into()),
                Err(error) => IdentificationState::Failed(error.to_string()),
            });
        });
        Self {
            state,
            _handle: handle,
        }
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> IdentificationState {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clone()
    }
}

//! Patterns by name as they are wanted: a ship with its heading, anything in a phase.

use crate::clip::Motion;
use crate::refusal::CommandRefusal;
use crate::ship_motion::ShipMotion;
use engine::{EngineChoice, Options, open};
use grid::{Point, Symmetry};
use pattern::{Cells, Pattern};
use rule::{Rule, Topology};

/// The eight headings and the signs of their distances, to the right and down.
const HEADINGS: [(&str, (i64, i64)); 8] = [
    ("n", (0, -1)),
    ("ne", (1, -1)),
    ("e", (1, 0)),
    ("se", (1, 1)),
    ("s", (0, 1)),
    ("sw", (-1, 1)),
    ("w", (-1, 0)),
    ("nw", (-1, -1)),
];

/// The longest period of a ship that is looked for.
const MAX_PERIOD: u64 = 512;

/// The most generations that a phase may lie ahead.
const MAX_PHASE: u64 = 10_000;

/// The most cells of a pattern that is run to find its heading.
const MAX_POPULATION: u64 = 1 << 16;

/// A name without its heading and phase, `glider ne +2`, or none where it has neither.
struct PlacedName<'a> {
    name: &'a str,
    heading: Option<(&'static str, (i64, i64))>,
    phase: u64,
}

impl<'a> PlacedName<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let mut parsed = Self {
            name: text.trim(),
            heading: None,
            phase: 0,
        };
        while let Some((name, word)) = parsed.name.rsplit_once(char::is_whitespace) {
            let heading = HEADINGS
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(word));
            let phase = word
                .strip_prefix('+')
                .and_then(|digits| digits.parse().ok());
            match (heading, phase) {
                (Some(heading), _) if parsed.heading.is_none() => parsed.heading = Some(*heading),
                (_, Some(phase)) if parsed.phase == 0 => parsed.phase = phase,
                _ => break,
            }
            parsed.name = name.trim_end();
        }
        (parsed.heading.is_some() || parsed.phase > 0).then_some(parsed)
    }
}

/// The pattern of a name, an apgcode or RLE, as the words after it say; the rule is the one that
/// it is to live under.
pub(crate) fn named_pattern(text: &str, rule: &Rule) -> Result<Pattern, CommandRefusal> {
    let Some(placed) = PlacedName::parse(text) else {
        return Ok(source::named(text)?.pattern);
    };
    let mut pattern = source::named(placed.name)?.pattern;
    let ship = || placed.name.to_string();
    if pattern.cells.population() > MAX_POPULATION.into() {
        return Err(CommandRefusal::NoHeading { ship: ship() });
    }
    if placed.phase > MAX_PHASE {
        return Err(CommandRefusal::TooFarPhase {
            phase: placed.phase,
            most: MAX_PHASE,
        });
    }
    let rule = rule.with_topology(Topology::Unbounded);
    if placed.phase > 0 {
        pattern.cells = Phases::of(&rule, &pattern)?.after(placed.phase)?;
    }
    if let Some((heading, wanted)) = placed.heading {
        let ShipMotion { dx, dy, .. } = Phases::of(&rule, &pattern)?
            .displacement()?
            .ok_or_else(|| CommandRefusal::NoHeading { ship: ship() })?;
        let along = Point::new(dx.signum(), dy.signum());
        // for an oblique ship the nearest of the eight is its longer way
        let along = match (dx.abs(), dy.abs()) {
            (x, y) if x == y || x == 0 || y == 0 => along,
            (x, y) if x > y => Point::new(along.x, 0),
            _ => Point::new(0, along.y),
        };
        let turned = Symmetry::ALL
            .iter()
            .find(|symmetry| symmetry.apply(along) == Point::new(wanted.0, wanted.1));
        let turned = turned.ok_or_else(|| CommandRefusal::WrongHeading {
            ship: ship(),
            heading,
            possible: match along.x == 0 || along.y == 0 {
                true => "n, e, s or w",
                false => "ne, se, sw or nw",
            },
        })?;
        if let Some(rect) = pattern.cells.bounds().and_then(|bounds| bounds.to_rect()) {
            pattern.cells = Motion::onto(rect, *turned, Point::default()).of(&pattern.cells);
        }
    }
    // what the file says of its place and size was said of the cells as they were
    pattern.position = None;
    pattern.size = None;
    Ok(pattern)
}

/// How cells move, if they are a ship.
pub(crate) fn motion_of(cells: Cells, rule: &Rule) -> Result<Option<ShipMotion>, CommandRefusal> {
    let pattern = Pattern {
        cells,
        ..Pattern::default()
    };
    Phases::of(&rule.with_topology(Topology::Unbounded), &pattern)?.displacement()
}

/// A pattern that is run for a few generations.
struct Phases {
    world: Box<dyn engine::World>,
}

impl Phases {
    fn of(rule: &Rule, pattern: &Pattern) -> Result<Self, CommandRefusal> {
        let opened = open(EngineChoice::Auto, rule, pattern, None, &Options::default())?;
        Ok(Self {
            world: opened.world,
        })
    }

    fn advance(&mut self, generations: u64) -> Result<(), CommandRefusal> {
        let advanced = self.world.advance(&generations.into(), &mut |_| true);
        advanced.map_err(|_| CommandRefusal::Stopped("paste"))
    }

    fn after(mut self, generations: u64) -> Result<Cells, CommandRefusal> {
        self.advance(generations)?;
        Ok(self.world.cells())
    }

    /// How far it has moved when it first looks as it does now, and after how many generations;
    /// nothing where it has not moved, or never does.
    fn displacement(mut self) -> Result<Option<ShipMotion>, CommandRefusal> {
        let Some((start, first)) = self.shape() else {
            return Ok(None);
        };
        for period in 1..=MAX_PERIOD {
            self.advance(1)?;
            if self.world.population() > MAX_POPULATION.into() {
                return Ok(None);
            }
            let Some((place, shape)) = self.shape() else {
                return Ok(None);
            };
            if shape == first {
                let (dx, dy) = (place.x - start.x, place.y - start.y);
                let motion = ShipMotion { dx, dy, period };
                return Ok(Some(motion).filter(|_| (dx, dy) != (0, 0)));
            }
        }
        Ok(None)
    }

    /// The corner of its box, and the cells as seen from there.
    fn shape(&self) -> Option<(Point, Cells)> {
        let rect = self.world.bounds()?.to_rect()?;
        let cells = self.world.cells().translated(-rect.x, -rect.y);
        Some((Point::new(rect.x, rect.y), cells))
    }
}

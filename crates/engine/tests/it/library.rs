//! The built-in patterns do what they claim.
//!
//! The form of a claim is told in `pattern::library`.

use engine::{EngineChoice, Options, World, open};
use grid::{CellHash, Point, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Cells, Pattern, library, library::LibraryPattern};
use rule::Rule;
use std::collections::BTreeMap;

/// Every kind there is, each with a test of its own below.
const KINDS: [&str; 9] = [
    "circuit",
    "growth",
    "gun",
    "methuselah",
    "oscillator",
    "puffer",
    "replicator",
    "spaceship",
    "still-life",
];

#[test]
fn circuits() {
    hold("circuit");
}

#[test]
fn growing_patterns() {
    hold("growth");
}

#[test]
fn guns() {
    hold("gun");
}

#[test]
fn methuselahs() {
    hold("methuselah");
}

#[test]
fn oscillators() {
    hold("oscillator");
}

#[test]
fn puffers() {
    hold("puffer");
}

#[test]
fn replicators() {
    hold("replicator");
}

#[test]
fn spaceships() {
    hold("spaceship");
}

#[test]
fn still_lifes() {
    hold("still-life");
}

#[test]
fn every_kind_has_its_test() {
    for entry in library::all() {
        assert!(
            KINDS.contains(&entry.kind),
            "{} is a {}",
            entry.name,
            entry.kind
        );
    }
}

/// A newcomer to a family finds something to run in it.
#[test]
fn each_family_has_its_patterns() {
    const LEAST: usize = 3;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in library::all() {
        let rule = rule_of(&entry.pattern()).unwrap();
        *counts.entry(rule.family()).or_default() += 1;
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let families = rule::families().iter().map(|family| family.name);
    let few: Vec<&str> = families.filter(|name| count(name) < LEAST).collect();
    assert!(
        few.is_empty(),
        "fewer than {LEAST} patterns of {few:?}: {counts:?}"
    );
}

#[test]
fn wrong_claims_are_caught() {
    let rows = [
        ("blinker", "still life"),
        ("block", "oscillator period 2"),
        ("pulsar", "oscillator period 6"),
        ("glider", "oscillator period 4"),
        ("glider", "spaceship period 8 dx 2 dy 2"),
        ("glider", "spaceship period 4 dx 1 dy -1"),
        ("gosper-glider-gun", "gun period 30 adds 6"),
        ("gosper-glider-gun", "gun period 60 adds 5"),
        ("pufferfish", "puffer period 12 dx 0 dy -5 adds 8 after 0"),
        ("pufferfish", "puffer period 12 dx 0 dy -6 adds 7 after 0"),
        ("highlife-replicator", "replicator period 12 copies 3"),
        ("highlife-replicator", "replicator period 6 copies 2"),
        ("r-pentomino", "methuselah settles 1000 population 116"),
        ("r-pentomino", "methuselah settles 1120 population 116"),
        ("r-pentomino", "methuselah settles 1103 population 115"),
        ("max", "grows to 3644 at 100"),
        ("diehard", "grows to 0 at 200"),
        ("glider", "arrives x 3 y 3 state 1 at 3"),
        ("glider", "arrives x 3 y 3 state 1 at 5"),
        ("glider", "arrives x 1 y 0 state 1 at 0"),
        ("glider", "keeps x 1 y 0 state 1 until 4"),
        ("glider", "keeps x 5 y 5 state 1 until 4"),
        ("glider", "flies"),
        ("glider", "spaceship period four dx 1 dy 1"),
    ];
    for (name, claim) in rows {
        let entry = library::find(name).unwrap();
        assert!(
            check(entry, claim).is_err(),
            "{name} is said to be a {claim}"
        );
    }
}

/// Each pattern of the kind has all its lines and does what it claims.
#[track_caller]
fn hold(kind: &str) {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for entry in library::all().iter().filter(|entry| entry.kind == kind) {
        seen += 1;
        if let Err(reason) = whole(entry) {
            wrong.push(format!("{}: {reason}", entry.name));
        }
    }
    assert!(seen > 0, "no {kind} in the library");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines that every entry must have, and the claim.
fn whole(entry: &LibraryPattern) -> Result<(), String> {
    let pattern = entry.pattern();
    let full = |text: Option<&str>| text.is_some_and(|text| !text.trim().is_empty());
    ensure(full(pattern.name.as_deref()), "no #N line")?;
    ensure(full(pattern.author.as_deref()), "no #O line")?;
    ensure(full(entry.source()), "no source line")?;
    ensure(
        full(pattern.comments.first().map(String::as_str)),
        "no line on what it does",
    )?;
    ensure(!entry.text.contains("://"), "a web address")?;
    let rect = pattern.cells.bounds().and_then(|b| b.to_rect());
    let rect = rect.ok_or("no cells")?;
    ensure(
        (rect.x, rect.y) == (0, 0),
        "it does not stand in its corner",
    )?;
    ensure(
        pattern.size == Some((rect.width, rect.height)),
        "its header gives another size",
    )?;
    check(entry, entry.claim().ok_or("no claim line")?)
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// Runs the pattern and holds it against a claim.
fn check(entry: &LibraryPattern, claim: &str) -> Result<(), String> {
    let (what, numbers) = numbered(claim)?;
    let number = |name: &str| {
        let found = numbers.get(name).copied();
        found.ok_or_else(|| format!("`{claim}` does not give {name}"))
    };
    let steps = |name: &str| {
        let n = u64::try_from(number(name)?);
        n.map_err(|_| format!("{name} is negative"))
    };
    let mut run = LibraryRun::of(entry)?;
    match what.as_str() {
        "still life" => returns(&mut run, 1, (0, 0)),
        "oscillator" => {
            let period = steps("period")?;
            ensure(period > 1, "that is a still life")?;
            returns(&mut run, period, (0, 0))
        }
        "spaceship" => {
            let moves = (number("dx")?, number("dy")?);
            ensure(moves != (0, 0), "that ship does not move")?;
            returns(&mut run, steps("period")?, moves)
        }
        "gun" => shoots(&mut run, steps("period")?, number("adds")?),
        "puffer" => {
            let moves = match numbers.contains_key("dx") {
                true => (number("dx")?, number("dy")?),
                false => (0, 0),
            };
            run.advance(steps("after")?);
            puffs(&mut run, steps("period")?, moves, number("adds")?)
        }
        "replicator" => copies(&mut run, steps("period")?, number("copies")?),
        "methuselah" => settles(&mut run, steps("settles")?, number("population")?),
        "grows" => grows(&mut run, steps("at")?, number("to")?),
        "arrives" | "keeps" => {
            let place = Point::new(number("x")?, number("y")?);
            let state = State::try_from(number("state")?).map_err(|e| e.to_string())?;
            match what.as_str() {
                "arrives" => arrives(&mut run, place, state, steps("at")?),
                _ => keeps(&mut run, place, state, steps("until")?),
            }
        }
        _ => Err(format!("`{claim}` is no claim that this test knows")),
    }
}

/// The words of a claim in front of its first number's name, and its numbers by name.
fn numbered(claim: &str) -> Result<(String, BTreeMap<&str, i64>), String> {
    let mut words = claim.split(' ').peekable();
    let mut what = vec![words.next().unwrap_or_default()];
    if words.peek() == Some(&"life") {
        what.extend(words.next());
    }
    let mut numbers = BTreeMap::new();
    while let Some(name) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{name} has no number"))?;
        let value = value
            .parse()
            .map_err(|_| format!("`{value}` is no number"))?;
        numbers.insert(name, value);
    }
    Ok((what.join(" "), numbers))
}

/// The rule that its header names, or the one that it brings with it.
fn rule_of(pattern: &Pattern) -> Result<Rule, String> {
    let name = pattern.rule.as_deref().ok_or("its header gives no rule")?;
    let Some(block) = &pattern.rule_block else {
        return name.parse().map_err(|e| format!("{name}: {e}"));
    };
    let rule = Rule::from_file(block).map_err(|e| format!("{name}: {e}"))?;
    ensure(
        rule.to_string() == name,
        "its header names another rule than it brings",
    )?;
    Ok(rule)
}

/// A built-in pattern, running.
struct LibraryRun {
    world: Box<dyn World>,
    start: Pattern,
}

impl LibraryRun {
    fn of(entry: &LibraryPattern) -> Result<Self, String> {
        let start = entry.pattern();
        let rule = rule_of(&start)?;
        let opened = open(EngineChoice::Auto, &rule, &start, None, &Options::default());
        let world = opened.map_err(|e| e.to_string())?.world;
        Ok(Self { world, start })
    }

    fn advance(&mut self, n: u64) {
        let done = self.world.advance(&BigUint::from(n), &mut |_| true);
        done.expect("nothing stops it");
    }

    fn population(&self) -> i64 {
        let n = self.world.population();
        n.try_into()
            .expect("no built-in pattern has that many cells")
    }

    /// Left, top, right and bottom edge.
    fn edges(&self) -> Result<[i64; 4], String> {
        let rect = self.world.bounds().and_then(|b| b.to_rect());
        let r = rect.ok_or("it has died out")?;
        Ok([r.x, r.y, r.x + r.width as i64, r.y + r.height as i64])
    }

    fn shape(&self) -> (CellHash, Option<(BigInt, BigInt)>) {
        let corner = self.world.bounds().map(|b| (b.x, b.y));
        (self.world.hash(), corner)
    }
}

/// The same shape after `period` generations, so far away, and not before; and once more
/// as far after as many again, since a rule may make odd generations another way.
fn returns(run: &mut LibraryRun, period: u64, (dx, dy): (i64, i64)) -> Result<(), String> {
    let (first, corner) = run.shape();
    let start = corner.ok_or("no cells")?;
    let from = |times: i64| (&start.0 + times * dx, &start.1 + times * dy);
    for generation in 1..=period {
        run.advance(1);
        let (now, corner) = run.shape();
        if now == first && generation < period {
            return Err(format!("it is back after {generation} generations"));
        }
        if generation == period {
            ensure(now == first, "it does not come back")?;
            let moved = corner.ok_or("it has died out")?;
            ensure(moved == from(1), "it is elsewhere")?;
            // A hash alone could lie.
            let back = run.start.cells.translated(dx, dy);
            ensure(
                cells(&run.world.cells()) == cells(&back),
                "its cells differ",
            )?;
            run.advance(period);
            let (again, corner) = run.shape();
            let same = again == first && corner == Some(from(2));
            return ensure(same, "it does not come back twice");
        }
    }
    Err("a period is at least 1".into())
}

/// How many periods in a row are looked at.
const PERIODS: usize = 6;

/// So many cells more after each period, and what stands in the gun's own box the same.
fn shoots(run: &mut LibraryRun, period: u64, adds: i64) -> Result<(), String> {
    ensure(adds > 0, "that gun does not shoot")?;
    let bounds = run.start.cells.bounds().and_then(|b| b.to_rect());
    let place = bounds.ok_or("no cells")?;
    // The first shots must have left the box.
    run.advance(period * PERIODS as u64);
    let look = |run: &LibraryRun| {
        let mut runs = Vec::new();
        run.world.runs_in(place, &mut |run| runs.push(run));
        runs
    };
    let first = look(run);
    for _ in 0..PERIODS {
        let before = run.population();
        run.advance(period);
        adds_to(before, run.population(), adds)?;
        ensure(look(run) == first, "the gun has changed")?;
    }
    Ok(())
}

fn adds_to(before: i64, after: i64, adds: i64) -> Result<(), String> {
    if after - before == adds {
        return Ok(());
    }
    Err(format!("a period adds {} cells", after - before))
}

/// So many cells more after each period, and its front so much further.
fn puffs(run: &mut LibraryRun, period: u64, (dx, dy): (i64, i64), adds: i64) -> Result<(), String> {
    ensure(adds > 0, "that puffer leaves nothing")?;
    for _ in 0..PERIODS {
        let (before, edges) = (run.population(), run.edges()?);
        run.advance(period);
        adds_to(before, run.population(), adds)?;
        let moved = run.edges()?;
        let front = |negative: usize, d: i64| if d < 0 { negative } else { negative + 2 };
        let x = front(0, dx);
        let y = front(1, dy);
        ensure(
            dx == 0 || moved[x] - edges[x] == dx,
            "its front is elsewhere",
        )?;
        ensure(
            dy == 0 || moved[y] - edges[y] == dy,
            "its front is elsewhere",
        )?;
    }
    Ok(())
}

/// Nothing but that many copies of the pattern.
fn copies(run: &mut LibraryRun, period: u64, count: i64) -> Result<(), String> {
    let original = cells(&run.start.cells);
    let (first, _) = original.first_key_value().ok_or("no cells")?;
    run.advance(period);
    let mut left = cells(&run.world.cells());
    let mut found = 0;
    // The first cell of what is left can only be the first cell of a copy.
    while let Some((&corner, _)) = left.first_key_value() {
        let (dy, dx) = (corner.0 - first.0, corner.1 - first.1);
        for (&(y, x), state) in &original {
            let taken = left.remove(&(y + dy, x + dx));
            ensure(taken == Some(*state), "something else than copies")?;
        }
        found += 1;
    }
    if found == count {
        return Ok(());
    }
    Err(format!("{found} copies"))
}

/// So many live cells, and periodic from then on, but not shortly before.
fn settles(run: &mut LibraryRun, at: u64, population: i64) -> Result<(), String> {
    // Populations swing with the oscillators in the ash; what moves and what stands does
    // not change them. All periods that come out of small patterns divide this one.
    const PERIOD: usize = 120;
    // Lifespans are counted in more than one way, a few generations apart.
    const SLACK: usize = 8;
    let lead = SLACK.min(usize::try_from(at).map_err(|e| e.to_string())?);
    run.advance(at - lead as u64);
    let mut seen = vec![run.population()];
    for _ in 0..lead + 2 * PERIOD {
        run.advance(1);
        seen.push(run.population());
    }
    let swings = |i: usize| seen[i] != seen[i + PERIOD];
    ensure((0..lead).any(swings), "it has settled before")?;
    ensure(!(lead..=lead + PERIOD).any(swings), "it has not settled")?;
    if seen[lead] == population {
        return Ok(());
    }
    Err(format!("{} cells are live then", seen[lead]))
}

/// So many live cells, more than half way there and more than at the start.
fn grows(run: &mut LibraryRun, at: u64, to: i64) -> Result<(), String> {
    let first = run.population();
    run.advance(at / 2);
    let half = run.population();
    run.advance(at - at / 2);
    let last = run.population();
    ensure(last > half && half > first, "it does not grow all the way")?;
    if last == to {
        return Ok(());
    }
    Err(format!("{last} cells are live then"))
}

/// The cell gets that state at a generation, and never had it before.
fn arrives(run: &mut LibraryRun, place: Point, state: State, at: u64) -> Result<(), String> {
    ensure(at > 0, "it is there from the start")?;
    for generation in 0..at {
        if run.world.get(place) == state {
            return Err(format!("it is there at generation {generation}"));
        }
        run.advance(1);
    }
    ensure(run.world.get(place) == state, "it is not there then")
}

/// The cell has that state from the start to a generation, while something happens.
fn keeps(run: &mut LibraryRun, place: Point, state: State, until: u64) -> Result<(), String> {
    ensure(until > 0, "nothing is watched")?;
    let first = run.world.hash();
    let mut moves = false;
    for generation in 0..=until {
        if run.world.get(place) != state {
            return Err(format!("it is in another state at generation {generation}"));
        }
        run.advance(1);
        moves |= run.world.hash() != first;
    }
    ensure(moves, "nothing happens around it")
}

/// Live cells by row and column.
fn cells(of: &Cells) -> BTreeMap<(i64, i64), State> {
    let mut cells = BTreeMap::new();
    of.for_each_run(&mut |run| {
        for i in 0..run.length as i64 {
            let at = Point::new(run.x + i, run.y);
            cells.insert((at.y, at.x), run.state);
        }
    });
    cells
}

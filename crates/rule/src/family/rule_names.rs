//! Rules that are better known by a name: `Life`, `Day & Night`, `Brian's Brain`.

use crate::error::{RuleFault, RuleProblem};

/// A rule that has a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedRule {
    /// The name as it is usually written.
    pub name: &'static str,
    /// The rule, in its canonical form.
    pub rule: &'static str,
    /// What it is known for, in a few words.
    pub about: &'static str,
}

/// All rules that can be called by name, by family and then by name.
///
/// A name is found whatever its case, spaces and punctuation.
///
/// ```
/// let brain = rule::named_rules().iter().find(|named| named.name == "Brian's Brain").unwrap();
/// let by_name: rule::Rule = "brians brain".parse()?;
/// assert_eq!(by_name.to_string(), brain.rule);
/// # Ok::<(), rule::RuleError>(())
/// ```
#[must_use]
pub fn named_rules() -> &'static [NamedRule] {
    NAMED
}

/// The rule that a name stands for.
pub(super) fn find(name: &str) -> Option<&'static NamedRule> {
    let wanted = plain(name);
    NAMED.iter().find(|named| plain(named.name) == wanted)
}

/// The error for an unknown name, with the nearest known one as a hint.
pub(super) fn unknown(name: &str) -> RuleFault {
    let fault = RuleFault::new(0, RuleProblem::UnknownName);
    let wanted = plain(name);
    let classroom = super::classroom::NAMES.iter().map(|n| n.0);
    let names = NAMED.iter().map(|named| named.name).chain(classroom);
    let length = wanted.chars().count();
    let most = (length / 3).max(1);
    // A distance is at least the difference of the lengths, and takes time to find: a name of a
    // rule file comes here too before its file is looked for.
    let near = names.filter_map(|name| {
        let plain = plain(name);
        let may_be_near = plain.chars().count().abs_diff(length) <= most;
        let distance = may_be_near.then(|| strsim::damerau_levenshtein(&plain, &wanted))?;
        (distance <= most).then_some((distance, name))
    });
    match near.min_by_key(|&(distance, _)| distance) {
        Some((_, name)) => fault.hint(format!("did you mean `{name}`?")),
        None => fault.hint("rules are written like `B3/S23`, or called by a name like `HighLife`"),
    }
}

/// Letters and digits alone, in lower case.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

const fn named(name: &'static str, rule: &'static str, about: &'static str) -> NamedRule {
    NamedRule { name, rule, about }
}

#[rustfmt::skip]
const NAMED: &[NamedRule] = &[
    named("Life", "B3/S23", "Conway's Game of Life"),
    named("Conway's Life", "B3/S23", "the same, in full"),
    named("2x2", "B36/S125", "blocks of 2 by 2 cells stay blocks"),
    named("34 Life", "B34/S34", "an early rival of Life, explosive"),
    named("Amoeba", "B357/S1358", "large blobs with moving edges"),
    named("Anneal", "B4678/S35678", "a majority vote with a twist at the border: regions smoothen"),
    named("AntiLife", "B0123478/S01234678", "Life with dead and alive exchanged"),
    named("Assimilation", "B345/S4567", "diamonds that fill up from inside"),
    named("Bacteria", "B34/S456", "slow growth round a core"),
    named("Blinkers", "B345/S2", "full of blinkers"),
    named("Bugs", "B3567/S15678", "large blobs that wander"),
    named("Coagulations", "B378/S235678", "grows into clots that never stop"),
    named("Coral", "B3/S45678", "grows slowly, in branches"),
    named("Corrosion of Conformity", "B3/S124", "eats slowly into full regions"),
    named("Dance", "B34/S35", "small dancing oscillators"),
    named("Day & Night", "B3678/S34678", "dead and alive play the same part"),
    named("Diamoeba", "B35678/S5678", "diamonds with boundaries that wave"),
    named("DotLife", "B3/S023", "Life where a lone cell lives"),
    named("DryLife", "B37/S23", "Life with one more birth, and a ship of its own"),
    named("EightLife", "B3/S238", "Life where the crowded live too"),
    named("Electrified Maze", "B45/S12345", "a maze that sparks"),
    named("Feux", "B1358/S0247", "chaos with small fires"),
    named("Flock", "B3/S12", "settles soon into dominoes"),
    named("Fredkin", "B1357/S02468", "every pattern makes eight copies of itself"),
    named("Gems", "B3457/S4568", "slow, with a rare slow ship"),
    named("Geology", "B3578/S24678", "layers and stains"),
    named("Gnarl", "B1/S1", "a single cell explodes in curls"),
    named("H-trees", "B1/S012345678", "a single cell grows a fractal tree"),
    named("HighLife", "B36/S23", "Life with a replicator"),
    named("Holstein", "B35678/S4678", "black and white patches of equal right"),
    named("HoneyLife", "B38/S238", "Life where a honeycomb's neighbour is born"),
    named("Iceballs", "B25678/S5678", "balls that freeze"),
    named("InverseLife", "B012345678/S34678", "births wherever a cell is not kept"),
    named("Invertamaze", "B028/S0124", "mazes that blink"),
    named("Land Rush", "B36/S234578", "grows over all land"),
    named("Life without Death", "B3/S012345678", "nothing dies: ladders and ink blots"),
    named("Inkspot", "B3/S012345678", "another name of Life without Death"),
    named("Live Free or Die", "B2/S0", "only the lonely live"),
    named("Long Life", "B345/S5", "oscillators of very long period"),
    named("LowDeath", "B368/S238", "HighLife with fewer deaths"),
    named("LowLife", "B3/S13", "few patterns last"),
    named("Maze", "B3/S12345", "grows into a maze"),
    named("Maze with Mice", "B37/S12345", "a maze with something running in it"),
    named("Mazectric", "B3/S1234", "a maze with long straight halls"),
    named("Mazectric with Mice", "B37/S1234", "long halls, and something running in them"),
    named("Morley", "B368/S245", "also Move: slow ships, puffers and guns"),
    named("Move", "B368/S245", "another name of Morley"),
    named("Neon Blobs", "B08/S4", "blobs on a blinking plane"),
    named("Oscillators", "B45/S1235", "many oscillators"),
    named("Pedestrian Life", "B38/S23", "Life with one more birth"),
    named("Persian Rug", "B234/S", "a block grows into a carpet"),
    named("Serviettes", "B234/S", "another name of Persian Rug"),
    named("Plow World", "B378/S012345678", "nothing dies, and ploughs cross the plane"),
    named("Pseudo Life", "B357/S238", "looks like Life, has its own glider"),
    named("Replicator", "B1357/S1357", "every pattern makes eight copies of itself"),
    named("Rings 'n' Slugs", "B56/S14568", "rings, and ships like slugs"),
    named("Seeds", "B2/S", "every cell lives one generation, all explodes"),
    named("SnowLife", "B3/S1237", "small snowy remains"),
    named("Slow Blob", "B367/S125678", "a blob that grows slowly"),
    named("Stains", "B3678/S235678", "stains that grow to a halt"),
    named("Star Trek", "B3/S0248", "small things flit about"),
    named("Virus", "B36/S235", "eats what stands still"),
    named("Vote", "B5678/S45678", "each cell follows the majority"),
    named("Vote 4/5", "B4678/S35678", "another name of Anneal"),
    named("Walled Cities", "B45678/S2345", "busy cities within walls"),
    named("Just Friends", "B2-a/S12", "births with two neighbours that do not touch"),
    named("tlife", "B3/S2-i34q", "Life where the T-tetromino is a ship"),
    named("Hexagonal Life", "B2/S34H", "a glider on six neighbours"),
    named("Banners", "2367/3457/5", "from the MCell collection of Generations rules"),
    named("Belzhab", "23/23/8", "from the MCell collection of Generations rules"),
    named("Belzhab Sediment", "145678/23/8", "from the MCell collection of Generations rules"),
    named("Bloomerang", "234/34678/24", "boomerangs in bloom"),
    named("Bombers", "345/24/25", "from the MCell collection of Generations rules"),
    named("Brain 6", "6/246/3", "from the MCell collection of Generations rules"),
    named("Brian's Brain", "/2/3", "everything moves"),
    named("Burst", "0235678/3468/9", "from the MCell collection of Generations rules"),
    named("Burst II", "235678/3468/9", "from the MCell collection of Generations rules"),
    named("Caterpillars", "124567/378/4", "from the MCell collection of Generations rules"),
    named("Chenille", "05678/24567/6", "from the MCell collection of Generations rules"),
    named("Circuit Genesis", "2345/1234/8", "from the MCell collection of Generations rules"),
    named("Cooties", "23/2/8", "from the MCell collection of Generations rules"),
    named("Ebb & Flow", "012478/36/18", "from the MCell collection of Generations rules"),
    named("Ebb & Flow II", "012468/37/18", "from the MCell collection of Generations rules"),
    named("Faders", "2/2/25", "from the MCell collection of Generations rules"),
    named("Fireworks", "2/13/21", "from the MCell collection of Generations rules"),
    named("Flaming Starbows", "347/23/8", "from the MCell collection of Generations rules"),
    named("Frogs", "12/34/3", "from the MCell collection of Generations rules"),
    named("Frost", "/1/25", "a single cell freezes the plane"),
    named("Glisserati", "035678/245678/7", "from the MCell collection of Generations rules"),
    named("Glissergy", "035678/245678/5", "from the MCell collection of Generations rules"),
    named("Lava", "12345/45678/8", "from the MCell collection of Generations rules"),
    named("Lines", "012345/458/3", "from the MCell collection of Generations rules"),
    named("Living on the Edge", "345/3/6", "from the MCell collection of Generations rules"),
    named("Meteor Guns", "01245678/3/8", "from the MCell collection of Generations rules"),
    named("Nova", "45678/2478/25", "from the MCell collection of Generations rules"),
    named("OrthoGo", "3/2/4", "from the MCell collection of Generations rules"),
    named("Prairie on Fire", "345/34/6", "from the MCell collection of Generations rules"),
    named("RainZha", "2/23/8", "from the MCell collection of Generations rules"),
    named("Rake", "3467/2678/6", "from the MCell collection of Generations rules"),
    named("SediMental", "45678/25678/4", "from the MCell collection of Generations rules"),
    named("Snake", "03467/25/6", "from the MCell collection of Generations rules"),
    named("SoftFreeze", "13458/38/6", "from the MCell collection of Generations rules"),
    named("Spirals", "2/234/5", "from the MCell collection of Generations rules"),
    named("Star Wars", "345/2/4", "ships and walls everywhere"),
    named("Sticks", "3456/2/6", "from the MCell collection of Generations rules"),
    named("Swirl", "23/34/8", "from the MCell collection of Generations rules"),
    named("ThrillGrill", "1234/34/48", "from the MCell collection of Generations rules"),
    named("Transers", "345/26/5", "from the MCell collection of Generations rules"),
    named("Transers II", "0345/26/6", "from the MCell collection of Generations rules"),
    named("Wanderers", "345/34678/5", "from the MCell collection of Generations rules"),
    named("Worms", "3467/25/6", "from the MCell collection of Generations rules"),
    named("Xtasy", "1456/2356/16", "from the MCell collection of Generations rules"),
    named("Bosco", "R5,C2,M1,S34..58,B34..45,NM", "ships that look like bugs, by Kellie Evans"),
    named("Bosco's Rule", "R5,C2,M1,S34..58,B34..45,NM", "another name of Bosco"),
    named("BugsMovie", "R10,C2,M1,S123..212,B123..170,NM", "large bugs"),
    named("Globe", "R8,C2,M0,S163..223,B74..252,NM", "rings that grow round"),
    named("Majority", "R4,C2,M1,S41..81,B41..81,NM", "each cell follows the majority of 81"),
    named("ModernArt", "R10,C255,M1,S2..3,B3..3,NM", "coloured squares"),
    named("Waffle", "R7,C2,M1,S100..200,B75..170,NM", "a grid of squares grows"),
    named("Bounce Gas", "M0,8,4,3,2,5,9,14,1,6,10,13,12,11,7,15", "the billiard ball machine's particles, in crowds too"),
    named("Sand", "M0,4,8,12,4,12,12,13,8,12,12,14,12,13,14,15", "grains fall, and pile up"),
    named("Immigration", "Immigration", "Life in two colours, by Don Woods"),
    named("QuadLife", "QuadLife", "Life in four colours"),
    named("BBM", "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", "the billiard ball machine, by Norman Margolus after Edward Fredkin"),
    named("Billiard Ball Machine", "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", "the same, in full"),
    named("Critters", "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0", "reversible, with ships, by Tommaso Toffoli and Norman Margolus"),
    named("Tron", "M15,1,2,3,4,5,6,7,8,9,10,11,12,13,14,0", "full and empty blocks trade places: growing squares of lines"),
    named("HPP Gas", "M0,8,4,12,2,10,9,14,1,6,5,13,3,11,7,15", "particles that move straight on and collide head-on"),
    named("Rule 30", "W30", "chaos from one cell"),
    named("Rule 90", "W90", "Sierpinski's triangle"),
    named("Rule 110", "W110", "can compute anything"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rule, RuleError};
    use std::collections::BTreeSet;

    #[test]
    fn each_name_stands_for_one_rule_in_its_canonical_form() {
        let mut seen = BTreeSet::new();
        for named in named_rules() {
            assert!(seen.insert(plain(named.name)), "{} twice", named.name);
            let rule: Rule = named.name.parse().unwrap();
            assert_eq!(rule.to_string(), named.rule, "{}", named.name);
            assert_eq!(rule, named.rule.parse().unwrap());
        }
        assert!(seen.len() >= 40);
    }

    #[test]
    fn spelling_is_loose_and_a_slip_gets_a_hint() {
        let rule = |text: &str| text.parse::<Rule>().unwrap().to_string();
        for day in ["Day & Night", "daynight", "DAY-NIGHT", "day  & night:P3,3"] {
            assert!(rule(day).starts_with("B3678/S34678"), "{day}");
        }
        assert_eq!(rule("brians brain"), "/2/3");
        let error = |text: &str| text.parse::<Rule>().unwrap_err();
        let hint = |text: &str| error(text).hint.unwrap();
        assert_eq!(hint("HihgLife"), "did you mean `HighLife`?");
        assert_eq!(hint("Generation"), "did you mean `generations`?");
        for other in [
            "Sharp-32",
            "TripATron",
            "Langtons-Loops",
            "Codd",
            "Banks-I",
            "",
        ] {
            assert!(error(other).is_unknown_name(), "{other}");
        }
        assert!(!RuleError::is_unknown_name(&error("B3/S2x")));
    }
}

//! The claims of the built-in library hold for what `identify` says of its patterns.
#![allow(clippy::unwrap_used)]

use census::{IdentifyOptions, PatternKind, identify};

/// The number after a word of a claim.
fn number(claim: &str, word: &str) -> Option<i64> {
    let mut words = claim.split(' ').skip_while(|&w| w != word).skip(1);
    words.next()?.parse().ok()
}

#[test]
fn what_repeats_does_so_as_the_library_claims() {
    check_claims(&["still", "oscillator", "spaceship"]);
}

#[test]
#[ignore = "takes half a minute; run it with --release"]
fn what_settles_and_grows_does_so_as_the_library_claims() {
    check_claims(&["methuselah", "gun", "puffer"]);
}

fn check_claims(kinds: &[&str]) {
    let mut wrong = Vec::new();
    for entry in pattern::library::all() {
        let Some(claim) = entry.claim() else { continue };
        let kind = claim.split(' ').next().unwrap();
        if !kinds.contains(&kind) {
            continue;
        }
        // the claim is about the number of its cells, which change colour once more
        if entry.name == "colorised-meeting" {
            continue;
        }
        let rule = entry.rule().unwrap_or("B3/S23").parse().unwrap();
        let cells = entry.pattern().cells;
        let found = identify(&rule, &cells, &IdentifyOptions::default(), &mut |_| true);
        let Ok(found) = found else {
            wrong.push(format!("{}: {}", entry.name, found.unwrap_err()));
            continue;
        };
        let period = found.period.map(|p| p as i64);
        let motion = (found.dx, found.dy);
        let claimed = (number(claim, "dx"), number(claim, "dy"));
        let lifespan = found.lifespan.map(|p| p as i64);
        let fits = match kind {
            "still" => found.kind == PatternKind::StillLife,
            "oscillator" => {
                found.kind == PatternKind::Oscillator && period == number(claim, "period")
            }
            "spaceship" => {
                found.kind == PatternKind::Spaceship
                    && period == number(claim, "period")
                    && motion == claimed
            }
            "methuselah" => {
                lifespan == number(claim, "settles")
                    && found.final_population.map(|p| p as i64) == number(claim, "population")
            }
            "gun" => found.kind == PatternKind::Gun && period == number(claim, "period"),
            // a glide counts as the period here, and in the claims does not
            "puffer" => {
                matches!(found.kind, PatternKind::Puffer | PatternKind::Rake)
                    && period.is_some_and(|p| number(claim, "period").unwrap() % p == 0)
            }
            _ => false,
        };
        if !fits {
            let reached = found.reached;
            let lifespan = found.lifespan;
            wrong.push(format!("{} ({rule}): {claim}, found {} {period:?} {motion:?} lifespan {lifespan:?} {:?} {reached:?}", entry.name, found.kind, found.final_population));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

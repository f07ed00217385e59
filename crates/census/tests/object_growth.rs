//! Patterns that grow for ever get the codes of apgsearch.
#![allow(clippy::unwrap_used)]

use census::{ClusterEffort, ClusterObjects, ObjectClassifier};
use pattern::Pattern;

#[test]
fn growth_has_the_codes_of_apgsearch() {
    for (rule, file, code) in [
        (
            "B3/S23",
            include_str!("data/block_layer.rle"),
            "yl144_1_16_afb5f3db909e60548f086e22ee3353ac",
        ),
        (
            "B3/S23",
            include_str!("data/glider_maker.rle"),
            "yl384_1_59_7aeb1999980c43b4945fb7fcdb023326",
        ),
        ("B36/S23", "3o$o2bo$o3bo$bo2bo$2b3o!", "zz_REPLICATOR"),
        // a methuselah is not periodic and does not grow
        ("B3/S23", "b2o$2o$bo!", "PATHOLOGICAL"),
    ] {
        let mut cells = Vec::new();
        Pattern::from_text(file)
            .unwrap()
            .cells
            .for_each_run(&mut |run| {
                cells.extend((0..run.length as i64).map(|at| grid::Point::new(run.x + at, run.y)));
            });
        let mut classifier = ObjectClassifier::new(&rule.parse().unwrap());
        let expected = match code {
            "PATHOLOGICAL" => ClusterObjects::Pathological,
            _ => ClusterObjects::Growing(code.into()),
        };
        assert_eq!(
            classifier.classify(&cells, ClusterEffort::default()),
            expected
        );
    }
}

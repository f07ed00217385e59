//! Two states and radius 1: which rules there is a kernel for.

use kernel::{BitKernel, InterpreterOnly};
use rule::Rule;

/// Of each kind: counts of all neighbours and of some, arrangements, two phases, of which one
/// or both are others than Life, rules that count upwards from nothing.
pub(crate) const RULES: &[&str] = &[
    "B3/S23",
    "B36/S23",
    "B3678/S34678",
    "B2/S",
    "B/S012345678",
    "B/S",
    "B1357/S1357",
    "B2/S34H",
    "B13/S012V",
    "B2-a/S12",
    "B2n3-y4c/S23-a4i",
    "MAPAemNy9TLICzlHcujWNhbDhiYVnlvLrxfWf8jLmAlnY02k35UdnhFKF7j8rSZI0Z4jXt3pZpMHdjePqWl6DFtKA",
    "W30",
    "B03/S23",
    "B024/S0123V",
    "B3/S23|B36/S23",
    "B3/S23|B2n3-y4c/S23-a4i",
];

#[test]
fn kernels_know_how_often_they_repeat() {
    for rule in RULES {
        let rule: Rule = rule.parse().unwrap();
        let kernel = BitKernel::compile(&rule, &InterpreterOnly).unwrap();
        assert_eq!(kernel.time_period(), rule.time_period(), "{rule}");
    }
    for rule in ["345/2/4", "R2,C0,M1,S3-5,B4-6,NM"] {
        assert!(BitKernel::compile(&rule.parse().unwrap(), &InterpreterOnly).is_none());
    }
}

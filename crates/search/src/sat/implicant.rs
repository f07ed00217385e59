//! Prime implicants of small Boolean functions: Quine, "The problem of simplifying truth
//! functions" (1952), and McCluskey (1956), over a table of all cubes in base 3.

/// A product of literals: the variables that it asks about, and the values that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube {
    /// Bit `i` is set where it asks about variable `i`.
    pub(crate) care: u16,
    /// The values, within `care`.
    pub(crate) value: u16,
}

/// All prime implicants of a function of `variables` (at most 10), given for every point; bit `i`
/// of a point is variable `i`.
pub(crate) fn prime_implicants(variables: u32, holds: impl Fn(u16) -> bool) -> Vec<Cube> {
    debug_assert!(variables <= 10);
    // A cube is a number in base 3: digit 0 and 1 ask for a value, digit 2 does not ask. Points
    // below a cube have smaller numbers, so one pass in order fills the table.
    let count = 3_usize.pow(variables);
    let powers: Vec<usize> = (0..variables).map(|i| 3_usize.pow(i)).collect();
    let mut implies = vec![false; count];
    let mut digits = vec![0_u8; variables as usize];
    let mut primes = Vec::new();
    for cube in 0..count {
        implies[cube] = match digits.iter().position(|&digit| digit == 2) {
            Some(free) => implies[cube - powers[free]] && implies[cube - 2 * powers[free]],
            None => holds(cube_of(&digits).value),
        };
        increment(&mut digits);
    }
    digits.fill(0);
    for cube in 0..count {
        let is_larger = |i: usize| implies[cube + (2 - usize::from(digits[i])) * powers[i]];
        let is_prime =
            implies[cube] && !(0..variables as usize).any(|i| digits[i] != 2 && is_larger(i));
        if is_prime {
            primes.push(cube_of(&digits));
        }
        increment(&mut digits);
    }
    primes
}

fn increment(digits: &mut [u8]) {
    for digit in digits {
        *digit = (*digit + 1) % 3;
        if *digit != 0 {
            return;
        }
    }
}

fn cube_of(digits: &[u8]) -> Cube {
    let bits = |wanted: &dyn Fn(u8) -> bool| {
        let set = digits
            .iter()
            .enumerate()
            .filter(|&(_, &digit)| wanted(digit));
        set.map(|(i, _)| 1 << i).sum()
    };
    Cube {
        care: bits(&|digit| digit != 2),
        value: bits(&|digit| digit == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_those_of_the_definition() {
        let mut dice = dice::Dice::new(33);
        for variables in [0, 1, 2, 4, 5] {
            for _ in 0..20 {
                let table: Vec<bool> = (0..1 << variables).map(|_| dice.below(3) > 0).collect();
                let holds = |point: u16| table[usize::from(point)];
                let points = 0..1_u16 << variables;
                let implies = |cube: Cube| {
                    let mut inside = points.clone().filter(|p| p & cube.care == cube.value);
                    inside.all(holds)
                };
                let mut expected = Vec::new();
                for care in points.clone() {
                    for value in points.clone().filter(|value| value & !care == 0) {
                        let wider = (0..variables).filter(|i| care >> i & 1 == 1).any(|i| {
                            implies(Cube {
                                care: care & !(1 << i),
                                value: value & !(1 << i),
                            })
                        });
                        if implies(Cube { care, value }) && !wider {
                            expected.push(Cube { care, value });
                        }
                    }
                }
                let mut primes = prime_implicants(variables, holds);
                primes.sort_unstable();
                expected.sort_unstable();
                assert_eq!(primes, expected);
            }
        }
    }

    #[test]
    fn life_has_330_clauses_a_cell() {
        let next = |point: u16| {
            let live = point & 1 == 1;
            let neighbours = (point >> 1 & 0xff).count_ones();
            neighbours == 3 || live && neighbours == 2
        };
        let violated = |point: u16| next(point) != (point >> 9 == 1);
        assert_eq!(prime_implicants(10, violated).len(), 330);
    }
}

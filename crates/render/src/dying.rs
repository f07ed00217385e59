use engine::World;
use grid::{Point, Rect, State};
use num_traits::ToPrimitive;
use rule::Site;

/// The cells of a rectangle that live now and are empty in the next generation, row by row:
/// what [`rule::Rule::next`] says of each, seen through the world's edges.
pub fn dying(world: &dyn World, rect: Rect, f: &mut dyn FnMut(Point)) {
    one_by_one(world, rect, f);
}

/// Every live cell asks the rule: slow, and obvious.
fn one_by_one(world: &dyn World, rect: Rect, f: &mut dyn FnMut(Point)) {
    let rule = world.rule();
    let topology = rule.topology();
    let generation = phase(world);
    world.runs_in(rect, &mut |run| {
        for x in (run.x..).take(run.length as usize) {
            let p = Point::new(x, run.y);
            let site = Site {
                generation,
                x: p.x,
                y: p.y,
            };
            let look = |dx: i32, dy: i32| -> State {
                let seen = topology.resolve(p.offset(dx.into(), dy.into()));
                seen.map_or(0, |q| world.get(q))
            };
            if rule.next(site, look) == 0 {
                f(p);
            }
        }
    });
}

/// The generation as far as rules look at it: its rest by four.
fn phase(world: &dyn World) -> u64 {
    let rest: num_bigint::BigInt = ((world.generation() % 4) + 4) % 4;
    rest.to_u64().expect("a rest is smaller than its divisor")
}

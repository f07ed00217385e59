use grid::{Point, State};
use rule::{Rule, Site};

/// Any rule, a cell a byte.
#[derive(Clone, Debug)]
pub(crate) struct CellKernel {
    rule: Rule,
}

impl CellKernel {
    /// Takes every rule.
    pub(crate) fn compile(rule: &Rule) -> Self {
        Self { rule: rule.clone() }
    }

    /// How far a cell sees.
    pub(crate) fn radius(&self) -> u32 {
        self.rule.radius()
    }

    /// `padded` holds (width + 2r) * (height + 2r) states row by row; `next` gets
    /// width * height. `origin` is the world cell of `next[0]` (for checkered rules),
    /// `generation` the one that is left.
    pub(crate) fn step(
        &self,
        generation: u64,
        origin: Point,
        width: usize,
        height: usize,
        padded: &[State],
        next: &mut [State],
    ) {
        let r = self.radius() as usize;
        let stride = width + 2 * r;
        for y in 0..height {
            for x in 0..width {
                let site = Site {
                    generation,
                    x: origin.x + x as i64,
                    y: origin.y + y as i64,
                };
                let centre = ((y + r) * stride + x + r) as isize;
                let look = |dx: i32, dy: i32| {
                    padded[(centre + dy as isize * stride as isize + dx as isize) as usize]
                };
                next[y * width + x] = self.rule.next(site, look);
            }
        }
    }
}

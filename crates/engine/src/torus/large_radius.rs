use super::TorusSheet;
use crate::fingerprint::Fingerprint;
use crate::query::{BlockCells, pack};
use grid::{Point, Rect, State};
use kernel::{GridSweep, LaneLayout, LaneRow, LargeRadiusKernel};
use rule::Topology;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Byte cells of rules that depend on sums over large neighbourhoods, in vector lanes: see
/// [`LargeRadiusKernel`].
pub(super) struct LargeRadiusSheet {
    /// One kernel for each thread.
    kernels: Vec<LargeRadiusKernel>,
    lanes: LaneLayout,
    width: usize,
    height: usize,
    /// Whether the grid's first column is odd, and its first row.
    corner: (bool, bool),
    beyond: LargeRadiusEdges,
    /// All ones where a row has cells of the grid.
    mask: LaneRow<u8>,
    now: LaneRow<State>,
    next: LaneRow<State>,
    /// The generation that is partly in `next`; the kernels know which rows.
    partial_step: Option<u64>,
}

/// Bytes of cells that are worth a thread of their own.
const CELLS_PER_THREAD: usize = 1 << 17;

/// The contents of the margin.
enum LargeRadiusEdges {
    /// Dead cells.
    Dead,
    /// The opposite edge: where in a row a cell beyond it is, and where the cell that it shows.
    Joined(Vec<(usize, usize)>),
    /// Precomputed sources, for each row from the highest to the lowest that is seen.
    Listed(Vec<Vec<EdgeCopySegment>>),
}

/// Adjacent cells beyond the edge that are copies of cells of the grid in a line.
#[derive(Clone, Copy, Debug)]
struct EdgeCopySegment {
    /// The first one's column in its row.
    to: usize,
    length: usize,
    /// The source of the first one: its row and column.
    row: usize,
    from: usize,
    /// The direction to the next source.
    step: (i64, i64),
}

impl LargeRadiusSheet {
    /// An empty sheet. The grid's sides are finite.
    pub(super) fn new(kernel: LargeRadiusKernel, topology: Topology, rect: Rect) -> Self {
        let (width, height) = (rect.width as usize, rect.height as usize);
        let lanes = kernel.lanes();
        let beyond = match topology {
            Topology::Plane { .. } => LargeRadiusEdges::Dead,
            Topology::Torus { shift: None, .. } => LargeRadiusEdges::Joined(joints(lanes, width)),
            _ => LargeRadiusEdges::Listed(list(lanes, topology, rect)),
        };
        let mut mask = LaneRow::new(lanes.bytes());
        mask.row_mut().copy_from_slice(&lanes.mask());
        Self {
            kernels: vec![kernel],
            lanes,
            width,
            height,
            corner: (rect.x & 1 == 1, rect.y & 1 == 1),
            beyond,
            mask,
            now: LaneRow::new(lanes.bytes() * height),
            next: LaneRow::new(lanes.bytes() * height),
            partial_step: None,
        }
    }

    fn at(&self, x: usize, y: usize) -> usize {
        y * self.lanes.bytes() + self.lanes.place(x as isize)
    }

    /// Steps one generation. Returns false if it was interrupted; the next call continues it,
    /// unless a cell was set since.
    fn step(&mut self, generation: u64, keep_going: &mut dyn FnMut() -> bool) -> bool {
        let Self {
            kernels,
            lanes,
            height,
            corner,
            beyond,
            mask,
            now,
            next,
            partial_step,
            ..
        } = self;
        let (lanes, height, corner) = (*lanes, *height, *corner);
        let (beyond, mask, seen) = (&*beyond, mask.row(), now.row());
        let bytes = lanes.bytes();
        let line = |y: usize| &seen[y * bytes..(y + 1) * bytes];
        let fill = |y: i64, to: &mut [State]| {
            let inside = usize::try_from(y).ok().filter(|y| *y < height);
            match (beyond, inside) {
                (LargeRadiusEdges::Joined(joints), _) => {
                    to.copy_from_slice(line(y.rem_euclid(height as i64) as usize));
                    for &(to_place, from) in joints {
                        to[to_place] = to[from];
                    }
                }
                (_, Some(y)) => to.copy_from_slice(line(y)),
                (_, None) => to.fill(0),
            }
            if let LargeRadiusEdges::Listed(rows) = beyond {
                for segment in &rows[(y + lanes.down as i64) as usize] {
                    segment.copy(lanes, seen, to);
                }
            }
        };
        // A part begins with the rows that its first one sees: there must be many more.
        let parts = kernels
            .len()
            .min(height / (8 * lanes.down + 8))
            .min(seen.len() / CELLS_PER_THREAD)
            .max(1);
        let rows = height.div_ceil(parts);
        let parts = next.row_mut().chunks_mut(rows * bytes);
        let mut parts = kernels.iter_mut().zip(parts).enumerate();
        let goes_on = partial_step.replace(generation) == Some(generation);
        let stop = AtomicBool::new(false);
        let whole = std::thread::scope(|scope| {
            let own = parts.next();
            let stop = &stop;
            let sweep = move |i: usize, next| GridSweep {
                generation,
                corner,
                first: i * rows,
                goes_on,
                mask,
                now: seen,
                next,
            };
            for (i, (kernel, next)) in parts {
                scope.spawn(move || {
                    let mut keep_going = || !stop.load(Ordering::Relaxed);
                    kernel.step(sweep(i, next), &fill, &mut keep_going)
                });
            }
            let whole = own
                .is_none_or(|(i, (kernel, next))| kernel.step(sweep(i, next), &fill, keep_going));
            stop.store(!whole, Ordering::Relaxed);
            whole
        });
        if whole {
            std::mem::swap(now, next);
            *partial_step = None;
        }
        whole
    }
}

/// The cells beyond the ends of a row, nearest first: beyond a grid narrower than that, they show
/// each other.
fn joints(lanes: LaneLayout, width: usize) -> Vec<(usize, usize)> {
    let (across, width) = (lanes.across as isize, width as isize);
    let place = |x: isize| lanes.place(x);
    let left = (1..=across).map(|d| (place(-d), place(width - d)));
    let right = (0..across).map(|d| (place(width + d), place(d)));
    left.chain(right).collect()
}

impl EdgeCopySegment {
    fn copy(&self, lanes: LaneLayout, cells: &[State], row: &mut [State]) {
        let bytes = lanes.bytes();
        let (mut to, mut from) = (self.to, self.from);
        let mut line = self.row;
        for _ in 0..self.length {
            row[to] = cells[line * bytes + from];
            to = lanes.right(to);
            match self.step {
                (1, _) => from = lanes.right(from),
                (-1, _) => from = lanes.left(from),
                (_, down) => line = line.wrapping_add_signed(down as isize),
            }
        }
    }
}

/// Looks up what is seen beyond the edges.
fn list(lanes: LaneLayout, topology: Topology, rect: Rect) -> Vec<Vec<EdgeCopySegment>> {
    let (across, down) = (lanes.across as i64, lanes.down as i64);
    let row = |y: i64| {
        let mut sides = [rect.x - across..rect.x, rect.right()..rect.right() + across];
        if y < rect.y || rect.bottom() <= y {
            sides[0].end = rect.right();
        }
        let mut segments = Vec::new();
        for side in sides {
            // The last stretch, where it begins, and the last cell it is a copy of.
            let mut open: Option<(EdgeCopySegment, Point)> = None;
            for x in side {
                let seen = topology.resolve(Point::new(x, y));
                if let (Some((segment, last)), Some(seen)) = (&mut open, seen) {
                    let step = (seen.x - last.x, seen.y - last.y);
                    let beside = step.0.abs() + step.1.abs() == 1;
                    if beside && (segment.length == 1 || segment.step == step) {
                        segment.step = step;
                        segment.length += 1;
                        *last = seen;
                        continue;
                    }
                }
                segments.extend(open.take().map(|(segment, _)| segment));
                open = seen.map(|seen| {
                    let segment = EdgeCopySegment {
                        to: lanes.place((x - rect.x) as isize),
                        length: 1,
                        row: (seen.y - rect.y) as usize,
                        from: lanes.place((seen.x - rect.x) as isize),
                        step: (1, 0),
                    };
                    (segment, seen)
                });
            }
            segments.extend(open.map(|(segment, _)| segment));
        }
        segments
    };
    (rect.y - down..rect.bottom() + down).map(row).collect()
}

impl TorusSheet for LargeRadiusSheet {
    fn get(&self, x: usize, y: usize) -> State {
        self.now.row()[self.at(x, y)]
    }

    fn put(&mut self, x: usize, y: usize, state: State) {
        let at = self.at(x, y);
        self.now.row_mut()[at] = state;
        self.partial_step = None;
    }

    fn advance(
        &mut self,
        phase: u64,
        generations: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> u64 {
        let mut done = 0;
        while done < generations && self.step(phase + done, keep_going) {
            done += 1;
        }
        done
    }

    fn generations_per_poll(&self) -> u64 {
        let rows = self.kernels[0].patience() / self.height;
        rows.max(1) as u64
    }

    fn set_threads(&mut self, threads: usize) {
        let kernel = self.kernels[0].clone();
        self.kernels.resize(threads.max(1), kernel);
        self.partial_step = None;
    }

    fn runs(&self, y: usize, from: usize, to: usize, f: &mut dyn FnMut(usize, usize, State)) {
        let row = &self.now.row()[y * self.lanes.bytes()..(y + 1) * self.lanes.bytes()];
        let mut place = self.lanes.place(from as isize);
        let mut partial_step = (0, 0);
        for x in from..to {
            let state = row[place];
            place = self.lanes.right(place);
            if state != partial_step.1 {
                if partial_step.1 != 0 {
                    f(partial_step.0, x - partial_step.0, partial_step.1);
                }
                partial_step = (x, state);
            }
        }
        if partial_step.1 != 0 {
            f(partial_step.0, to - partial_step.0, partial_step.1);
        }
    }

    fn live(&self, y: usize, words: &mut Vec<u64>) {
        let mut states = vec![0; self.width];
        self.states(y, 0, &mut states);
        pack(&states, words);
    }

    fn states(&self, y: usize, from: usize, states: &mut [State]) {
        let row = &self.now.row()[y * self.lanes.bytes()..(y + 1) * self.lanes.bytes()];
        let mut place = self.lanes.place(from as isize);
        for state in states {
            *state = row[place];
            place = self.lanes.right(place);
        }
    }

    fn erase(&mut self, rows: Range<usize>, from: usize, to: usize) {
        self.partial_step = None;
        for y in rows {
            let start = y * self.lanes.bytes();
            let mut place = self.lanes.place(from as isize);
            for _ in from..to {
                self.now.row_mut()[start + place] = 0;
                place = self.lanes.right(place);
            }
        }
    }

    fn print(&self, print: &mut Fingerprint) {
        let mut row = vec![0; self.width];
        for y in 0..self.height {
            self.states(y, 0, &mut row);
            print.add_bytes(&row);
        }
    }

    fn pack(&self) -> BlockCells {
        let mut all = vec![0; self.width * self.height];
        for (y, row) in all.chunks_exact_mut(self.width).enumerate() {
            self.states(y, 0, row);
        }
        BlockCells::Bytes(all)
    }

    fn unpack(&mut self, contents: &BlockCells) -> bool {
        let BlockCells::Bytes(bytes) = contents else {
            return false;
        };
        self.partial_step = None;
        for (y, row) in bytes.chunks_exact(self.width).enumerate() {
            let start = y * self.lanes.bytes();
            let mut place = self.lanes.place(0);
            for state in row {
                self.now.row_mut()[start + place] = *state;
                place = self.lanes.right(place);
            }
        }
        true
    }

    fn population(&self) -> u64 {
        self.now.row().iter().filter(|&&state| state != 0).count() as u64
    }

    fn bytes(&self) -> u64 {
        (self.now.row().len() + self.next.row().len()) as u64
    }

    fn describe(&self) -> String {
        // Bit planes are tried first.
        format!("{}: no small circuit does", self.kernels[0].describe())
    }
}

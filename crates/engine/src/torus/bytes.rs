use super::TorusSheet;
use crate::fingerprint::Fingerprint;
use crate::query::{BlockCells, pack};
use grid::{Point, Rect, State};
use kernel::CellKernel;
use rule::Topology;
use std::ops::Range;

/// Cells of any rule, a byte each, row by row.
pub(super) struct ByteSheet {
    kernel: CellKernel,
    topology: Topology,
    rect: Rect,
    width: usize,
    height: usize,
    now: Vec<State>,
    next: Vec<State>,
    /// A partial generation: its number, and the rows of it that are in `next`.
    partial_step: Option<(u64, usize)>,
    threads: usize,
}

/// Bytes of a band of rows with its margin, which should fit in a cache.
const BAND: usize = 1 << 17;

/// Cells between two polls: some 10 ms with the slowest tables.
const CELLS_PER_POLL: usize = 1 << 21;

/// Cells that are worth a thread of their own.
const CELLS_PER_THREAD: usize = 1 << 16;

impl ByteSheet {
    /// An empty sheet. The grid's sides are finite.
    pub(super) fn new(kernel: CellKernel, topology: Topology, rect: Rect) -> Self {
        let (width, height) = (rect.width as usize, rect.height as usize);
        Self {
            kernel,
            topology,
            rect,
            width,
            height,
            now: vec![0; width * height],
            next: vec![0; width * height],
            partial_step: None,
            threads: 1,
        }
    }

    /// Rows that are stepped together.
    fn band(&self) -> usize {
        let r = self.kernel.radius() as usize;
        let rows = BAND / (self.width + 2 * r);
        rows.saturating_sub(2 * r).max(6 * r).max(8)
    }

    /// Steps one generation. Returns false if it was interrupted; the next call continues it,
    /// unless a cell was set since.
    fn step(&mut self, generation: u64, keep_going: &mut dyn FnMut() -> bool) -> bool {
        let mut next = std::mem::take(&mut self.next);
        let threads = self.threads.min(next.len() / CELLS_PER_THREAD).max(1);
        // Each thread takes as many rows at a time as may be stepped between two polls.
        let rows = (CELLS_PER_POLL / self.width).max(1);
        let rows = rows.min(self.height.div_ceil(threads));
        let partial_step = self.partial_step.take();
        let partial_step = partial_step.filter(|(of, _)| *of == generation);
        let mut done = partial_step.map_or(0, |(_, rows)| rows);
        let sheet = &*self;
        let mut parts = next[done * self.width..].chunks_mut(threads * rows * self.width);
        let whole = parts.all(|part| {
            let top = done;
            done += part.len() / self.width;
            let mut slabs = part.chunks_mut(rows * self.width).enumerate();
            let (_, own) = slabs.next().expect("a chunk is not empty");
            std::thread::scope(|scope| {
                for (k, slab) in slabs {
                    scope.spawn(move || sheet.rows(generation, top + k * rows, slab));
                }
                sheet.rows(generation, top, own);
            });
            done == self.height || keep_going()
        });
        self.next = next;
        if whole {
            std::mem::swap(&mut self.now, &mut self.next);
        } else {
            self.partial_step = Some((generation, done));
        }
        whole
    }

    /// Steps some rows, from `top` on.
    fn rows(&self, generation: u64, top: usize, next: &mut [State]) {
        let r = i64::from(self.kernel.radius());
        let band = self.band();
        // Some rows of the grid with what is seen around them.
        let mut padded = Vec::new();
        for (i, out) in next.chunks_mut(band * self.width).enumerate() {
            let top = (top + i * band) as i64;
            let rows = out.len() / self.width;
            padded.clear();
            for y in top - r..top + rows as i64 + r {
                self.pad_row(y, &mut padded);
            }
            let origin = Point::new(self.rect.x, self.rect.y + top);
            self.kernel
                .step(generation, origin, self.width, rows, &padded, out);
        }
    }

    /// Appends row `y`, which may lie outside the grid, with its margin.
    fn pad_row(&self, y: i64, padded: &mut Vec<State>) {
        let (width, height) = (self.width as i64, self.height as i64);
        let r = i64::from(self.kernel.radius());
        let line = |y: i64| &self.now[(y * width) as usize..((y + 1) * width) as usize];
        match self.topology {
            Topology::Torus { shift: None, .. } => {
                let line = line(y.rem_euclid(height));
                // The usual case: no cell is seen more than twice in a row.
                if r <= width {
                    let r = r as usize;
                    padded.extend_from_slice(&line[self.width - r..]);
                    padded.extend_from_slice(line);
                    padded.extend_from_slice(&line[..r]);
                    return;
                }
                let around = |x: i64| line[x.rem_euclid(width) as usize];
                padded.extend((-r..0).map(around));
                padded.extend_from_slice(line);
                padded.extend((width..width + r).map(around));
            }
            _ => {
                let seen = |x: i64| {
                    let p = Point::new(self.rect.x + x, self.rect.y + y);
                    self.topology.resolve(p).map_or(0, |q| {
                        let (x, y) = (q.x - self.rect.x, q.y - self.rect.y);
                        self.now[(y * width + x) as usize]
                    })
                };
                padded.extend((-r..0).map(seen));
                if (0..height).contains(&y) {
                    padded.extend_from_slice(line(y));
                } else {
                    padded.extend((0..width).map(seen));
                }
                padded.extend((width..width + r).map(seen));
            }
        }
    }
}

impl TorusSheet for ByteSheet {
    fn get(&self, x: usize, y: usize) -> State {
        self.now[y * self.width + x]
    }

    fn put(&mut self, x: usize, y: usize, state: State) {
        self.now[y * self.width + x] = state;
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
        (CELLS_PER_POLL / (self.width * self.height)).max(1) as u64
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn runs(&self, y: usize, from: usize, to: usize, f: &mut dyn FnMut(usize, usize, State)) {
        let row = &self.now[y * self.width..(y + 1) * self.width][from..to];
        let mut start = from;
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] != 0 {
                f(start, run.len(), run[0]);
            }
            start += run.len();
        }
    }

    fn live(&self, y: usize, words: &mut Vec<u64>) {
        pack(&self.now[y * self.width..(y + 1) * self.width], words);
    }

    fn states(&self, y: usize, from: usize, states: &mut [State]) {
        let start = y * self.width + from;
        states.copy_from_slice(&self.now[start..start + states.len()]);
    }

    fn erase(&mut self, rows: Range<usize>, from: usize, to: usize) {
        self.partial_step = None;
        for y in rows {
            self.now[y * self.width + from..y * self.width + to].fill(0);
        }
    }

    fn print(&self, print: &mut Fingerprint) {
        print.add_bytes(&self.now);
    }

    fn pack(&self) -> BlockCells {
        BlockCells::Bytes(self.now.clone())
    }

    fn unpack(&mut self, contents: &BlockCells) -> bool {
        let BlockCells::Bytes(bytes) = contents else {
            return false;
        };
        self.now.copy_from_slice(bytes);
        self.partial_step = None;
        true
    }

    fn population(&self) -> u64 {
        self.now.iter().filter(|&&state| state != 0).count() as u64
    }

    fn bytes(&self) -> u64 {
        (self.now.len() + self.next.len()) as u64
    }

    fn describe(&self) -> String {
        // Bit planes are tried first.
        format!("{}: no small circuit does", self.kernel.describe())
    }
}

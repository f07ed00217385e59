//! The engine `gpu`: the cells of a bounded grid live on a device, in two buffers that are
//! stepped from one to the other. This side holds a copy, which is read back when somebody looks.

use crate::{
    GpuDevice, GridLayout, MarginCells, PaddedPlanes, RuleShaders, ShaderProgram, margin_shader,
};
use engine::{AdvanceCallback, AdvanceInterruption, MemoryLimitError, UnsupportedError, World};
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use pattern::{Bounds, Cells, Run};
use rule::Rule;
use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

/// The name of the engine.
const NAME: &str = "gpu";

/// How long the device may work before somebody is asked whether to go on. Desktops reset a
/// device that shows no picture for two seconds.
const LONGEST_BATCH: Duration = Duration::from_millis(40);

/// Opens an empty world on the machine's device, in at most so many bytes.
///
/// # Errors
/// When there is no device, or it does not take the rule or the grid.
///
/// ```
/// use engine::World;
///
/// let rule = "B3/S23:T100,100".parse()?;
/// match gpu::open_world(&rule, 1 << 30) {
///     Ok(world) => println!("{}", world.kernel()),
///     Err(error) => println!("{error}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_world(rule: &Rule, memory: u64) -> Result<Box<dyn World>, UnsupportedError> {
    let device = GpuDevice::shared().map_err(|error| refusal(format!("{rule}: {error}")))?;
    Ok(Box::new(GpuWorld::new(device, rule.clone(), memory)?))
}

fn refusal(what: String) -> UnsupportedError {
    UnsupportedError { engine: NAME, what }
}

/// A bounded grid on a device.
pub struct GpuWorld {
    device: &'static GpuDevice,
    rule: Rule,
    generation: BigInt,
    memory: u64,
    /// One for each generation after which the rule repeats.
    steps: Vec<StepPipeline>,
    margin: Option<MarginPipeline>,
    buffers: [wgpu::Buffer; 2],
    /// The buffer with the cells.
    current: usize,
    /// Generations of the next batch.
    batch: u64,
    /// What this side holds of the cells.
    host: RefCell<HostCopy>,
    /// What the device has failed in: it is not used again.
    fault: Option<String>,
}

struct HostCopy {
    planes: PaddedPlanes,
    /// The generation that these cells are of.
    generation: BigInt,
    freshness: Freshness,
}

/// Which side holds the present cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    Both,
    Host,
    Device,
}

struct StepPipeline {
    pipeline: wgpu::ComputePipeline,
    /// From the first buffer to the second, and back.
    bindings: [wgpu::BindGroup; 2],
    workgroups: [u32; 2],
    instructions: usize,
    rows: usize,
}

struct MarginPipeline {
    pipeline: wgpu::ComputePipeline,
    /// For each buffer.
    bindings: [wgpu::BindGroup; 2],
    workgroups: [u32; 2],
}

impl GpuWorld {
    /// An empty world at generation 0, whose copy on this side takes at most so many bytes.
    ///
    /// # Errors
    /// When the rule has no circuit of reasonable size, its topology has an infinite side, or the
    /// grid is larger than the device's buffers.
    ///
    /// ```
    /// use gpu::{GpuDevice, GpuWorld};
    ///
    /// if let Ok(device) = GpuDevice::shared() {
    ///     let error = GpuWorld::new(device, "B3/S23".parse()?, 1 << 30).unwrap_err();
    ///     assert!(error.to_string().contains("endless"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        device: &'static GpuDevice,
        rule: Rule,
        memory: u64,
    ) -> Result<Self, UnsupportedError> {
        let shaders = RuleShaders::new(&rule).map_err(|error| refusal(error.to_string()))?;
        let (layout, rect) = (shaders.layout, shaders.layout.rect);
        let bytes = 4 * layout.all_words() as u64;
        let limits = device.device.limits();
        let largest = limits
            .max_buffer_size
            .min(limits.max_storage_buffer_binding_size)
            .min(memory);
        if bytes > largest || bytes / 4 > u64::from(u32::MAX) {
            let what = format!(
                "a grid of {} x {} cells under this rule: it takes {} MiB, and at most {} MiB can \
                 be used at once",
                rect.width,
                rect.height,
                bytes.div_ceil(1 << 20),
                largest >> 20
            );
            return Err(refusal(what));
        }
        let margin = MarginCells::new(rule.topology(), &layout);
        let made = device.checked(|| {
            let buffers = ["cells", "next"].map(|label| device.buffer(label, bytes));
            let steps = shaders.steps.iter();
            let steps = steps.map(|program| StepPipeline::new(device, program, &buffers));
            let steps = steps.collect();
            let margin = MarginPipeline::new(device, &layout, &margin, &buffers);
            (buffers, steps, margin)
        });
        let (buffers, steps, margin) =
            made.map_err(|error| refusal(format!("{rule}: the device says: {error}")))?;
        Ok(Self {
            device,
            rule,
            generation: BigInt::ZERO,
            memory,
            steps,
            margin,
            buffers,
            current: 0,
            batch: 1,
            host: RefCell::new(HostCopy {
                planes: PaddedPlanes::new(layout),
                generation: BigInt::ZERO,
                freshness: Freshness::Host,
            }),
            fault: None,
        })
    }

    /// Reads what this side holds, after it has been read back.
    fn look<T>(&self, look: impl FnOnce(&PaddedPlanes) -> T) -> T {
        let mut host = self.host.borrow_mut();
        if host.freshness == Freshness::Device {
            self.read_back(&mut host);
        }
        look(&host.planes)
    }

    /// Changes what this side holds; the device gets it before it steps again.
    fn edit(&mut self) -> &mut PaddedPlanes {
        self.look(|_| ());
        let host = self.host.get_mut();
        host.freshness = Freshness::Host;
        host.generation.clone_from(&self.generation);
        &mut host.planes
    }

    fn read_back(&self, host: &mut HostCopy) {
        let bytes = bytemuck::cast_slice_mut(host.planes.words_mut());
        // A device that is lost leaves what was read last: `advance` has told of that.
        if self.device.read(&self.buffers[self.current], bytes).is_ok() {
            host.generation.clone_from(&self.generation);
            host.freshness = Freshness::Both;
        }
    }

    /// Brings the device the cells that this side has changed.
    fn send(&mut self) {
        let host = self.host.get_mut();
        if host.freshness != Freshness::Host {
            return;
        }
        let bytes: &[u8] = bytemuck::cast_slice(host.planes.words());
        self.device
            .queue
            .write_buffer(&self.buffers[self.current], 0, bytes);
        let mut encoder = self
            .device
            .device
            .create_command_encoder(&Default::default());
        self.fill_margin(&mut encoder, self.current);
        self.device.queue.submit([encoder.finish()]);
        self.host.get_mut().freshness = Freshness::Both;
    }

    fn fill_margin(&self, encoder: &mut wgpu::CommandEncoder, buffer: usize) {
        if let Some(margin) = &self.margin {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&margin.pipeline);
            pass.set_bind_group(0, &margin.bindings[buffer], &[]);
            pass.dispatch_workgroups(margin.workgroups[0], margin.workgroups[1], 1);
        }
    }

    /// Steps so many generations and waits for them; what went wrong, if anything did.
    fn step(&mut self, generations: u64) -> Result<(), String> {
        let period = self.steps.len() as u64;
        let first = (&self.generation % period as i64 + period as i64) % period as i64;
        let first = first.to_u64().unwrap_or(0);
        let mut encoder = self
            .device
            .device
            .create_command_encoder(&Default::default());
        let mut current = self.current;
        for generation in 0..generations {
            let step = &self.steps[((first + generation) % period) as usize];
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.bindings[current], &[]);
            pass.dispatch_workgroups(step.workgroups[0], step.workgroups[1], 1);
            drop(pass);
            current = 1 - current;
            self.fill_margin(&mut encoder, current);
        }
        self.device.queue.submit([encoder.finish()]);
        self.device.wait()?;
        self.current = current;
        Ok(())
    }
}

impl StepPipeline {
    fn new(device: &GpuDevice, program: &ShaderProgram, buffers: &[wgpu::Buffer; 2]) -> Self {
        let pipeline = device.pipeline(&program.text, "step");
        let [here, there] = buffers;
        let bindings =
            [[here, there], [there, here]].map(|buffers| device.bindings(&pipeline, &buffers));
        Self {
            pipeline,
            bindings,
            workgroups: program.workgroups,
            instructions: program.instructions,
            rows: program.rows,
        }
    }
}

impl MarginPipeline {
    /// None where all that is beyond the grid is dead and no shader writes there.
    fn new(
        device: &GpuDevice,
        layout: &GridLayout,
        margin: &MarginCells,
        buffers: &[wgpu::Buffer; 2],
    ) -> Option<Self> {
        if margin.words.is_empty() {
            return None;
        }
        let words = margin
            .words
            .iter()
            .flat_map(|word| [word.word, word.keep, word.first, word.count]);
        let sources = margin
            .sources
            .iter()
            .flat_map(|source| [source.word, source.bit | source.to_bit << 8]);
        let words = device.filled_buffer("margin", words);
        // a buffer holds something
        let sources = device.filled_buffer("sources", sources.chain([0, 0]));
        let (text, workgroups) = margin_shader(layout, margin.words.len());
        let pipeline = device.pipeline(&text, "fill");
        let bindings = [0, 1]
            .map(|side: usize| device.bindings(&pipeline, &[&buffers[side], &words, &sources]));
        Some(Self {
            pipeline,
            bindings,
            workgroups,
        })
    }
}

impl fmt::Debug for GpuWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuWorld")
            .field("rule", &self.rule.to_string())
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

impl World for GpuWorld {
    fn engine(&self) -> &'static str {
        NAME
    }

    fn kernel(&self) -> String {
        let step = &self.steps[0];
        let software = match self.device.is_software() {
            true => ", a program that stands in for a device",
            false => "",
        };
        format!(
            "a shader of {} instructions for {} rows of 32 cells on {}{software}",
            step.instructions,
            step.rows,
            self.device.name()
        )
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.look(|_| ());
        self.host.get_mut().generation.clone_from(&generation);
        self.generation = generation;
    }

    fn get(&self, p: Point) -> State {
        self.look(|cells| cells.get(p))
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state(NAME, &self.rule, state)?;
        match self.edit().set(p, state) {
            true => Ok(()),
            false => Err(refusal(format!(
                "the cell {}, {}: it lies outside the grid",
                p.x, p.y
            ))),
        }
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state(NAME, &self.rule, cells.max_state())?;
        let planes = self.edit();
        let grid = planes.layout().rect;
        cells.for_each_run(&mut |run| {
            let inside = Rect::new(run.x, run.y, run.length, 1).intersection(&grid);
            for x in inside.x..inside.right() {
                planes.set(Point::new(x, run.y), run.state);
            }
        });
        Ok(())
    }

    fn erase(&mut self, rect: Rect) {
        let planes = self.edit();
        let inside = rect.intersection(&planes.layout().rect);
        if inside == planes.layout().rect {
            planes.clear();
            return;
        }
        for y in inside.y..inside.bottom() {
            for x in inside.x..inside.right() {
                planes.set(Point::new(x, y), 0);
            }
        }
    }

    fn cells(&self) -> Cells {
        let mut runs = Vec::new();
        let grid = self.look(|cells| cells.layout().rect);
        self.runs_in(grid, &mut |run| runs.push(run));
        Cells::from_runs(runs)
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        self.look(|cells| cells.runs_in(rect, f));
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        if self.fault.is_some() {
            return Err(AdvanceInterruption);
        }
        self.send();
        let mut done = BigUint::ZERO;
        while done < *n {
            let left = (n - &done).to_u64().unwrap_or(u64::MAX);
            let generations = left.min(self.batch);
            let begun = Instant::now();
            if let Err(fault) = self.step(generations) {
                // The cells that were read last are what is left.
                let host = self.host.get_mut();
                host.freshness = Freshness::Host;
                self.generation.clone_from(&host.generation);
                self.fault = Some(fault);
                return Err(AdvanceInterruption);
            }
            let took = begun.elapsed();
            if took > LONGEST_BATCH {
                self.batch = (generations / 2).max(1);
            } else if generations == self.batch && took < LONGEST_BATCH / 4 {
                self.batch = (2 * self.batch).min(4096);
            }
            self.host.get_mut().freshness = Freshness::Device;
            self.generation += generations;
            done += generations;
            if done < *n && !control(&done) {
                return Err(AdvanceInterruption);
            }
        }
        Ok(())
    }

    /// A device that was lost is told as one that has no room: what is left of the world is what
    /// was read back last.
    fn memory_limit_error(&self) -> Option<MemoryLimitError> {
        self.fault.as_ref().map(|_| MemoryLimitError {
            engine: NAME,
            limit: self.memory,
        })
    }

    fn bytes(&self) -> u64 {
        3 * 4 * self.look_layout().all_words() as u64
    }

    fn population(&self) -> BigUint {
        self.look(PaddedPlanes::population).into()
    }

    fn bounds(&self) -> Option<Bounds> {
        self.look(PaddedPlanes::bounds).map(Bounds::from)
    }

    fn hash(&self) -> CellHash {
        self.look(PaddedPlanes::hash)
    }
}

impl GpuWorld {
    /// Where the words lie; nothing is read back for that.
    fn look_layout(&self) -> GridLayout {
        *self.host.borrow().planes.layout()
    }
}

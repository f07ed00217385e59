//! A rule's circuit as a compute shader in WGSL, and the shader that fills margins. Each thread
//! steps one word of some rows, so that what these rows have in common is worked out once: a gate
//! is the same gate in every row (see [`kernel::circuit`]). Own method.

use crate::GridLayout;
use kernel::RuleCircuit;
use kernel::circuit::{CircuitWire, Gate, ParityAxis};
use rule::Rule;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use thiserror::Error;

/// Threads of a workgroup: columns of words, and blocks of rows.
const WORKGROUP: [u32; 2] = [32, 4];

/// Threads of a workgroup that fills margins.
const MARGIN_WORKGROUP: u32 = 64;

/// The most workgroups in one direction that every device takes.
const MAX_WORKGROUPS: u32 = 65_535;

/// A rule that cannot be printed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShaderError {
    /// Its topology has an infinite side.
    #[error("{0} in an endless world: it needs a grid, as in `:T100,50`")]
    Endless(String),
    /// Looking each cell up is quicker than logic would be.
    #[error("{0}: it has no circuit of reasonable size")]
    NoCircuit(String),
}

/// A rule on its grid: where the cells lie, and the shaders that step them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleShaders {
    /// Where the cells lie.
    pub layout: GridLayout,
    /// One for each generation after which the rule repeats.
    pub steps: Vec<ShaderProgram>,
}

impl RuleShaders {
    /// Prints a rule.
    ///
    /// # Errors
    /// When its grid has an infinite side, or it has no circuit of reasonable size.
    ///
    /// ```
    /// use gpu::RuleShaders;
    ///
    /// let life = RuleShaders::new(&"B3/S23:T100,100".parse()?)?;
    /// assert_eq!((life.steps.len(), life.layout.planes), (1, 1));
    /// assert!(RuleShaders::new(&"B3/S23".parse()?).is_err(), "no edges");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rule: &Rule) -> Result<Self, ShaderError> {
        let rect = rule.topology().rect();
        let rect = rect.ok_or_else(|| ShaderError::Endless(rule.to_string()))?;
        let circuits = (0..rule.time_period() as u64)
            .map(|generation| RuleCircuit::synthesise(rule, generation))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| ShaderError::NoCircuit(rule.to_string()))?;
        let rows = circuits.iter().map(ShaderProgram::rows_per_thread).max();
        let layout = GridLayout {
            rect,
            planes: (u16::BITS - (rule.states() - 1).leading_zeros()) as usize,
            radius: rule.radius().max(1) as usize,
            spare_rows: rows.unwrap_or(1) - 1,
        };
        let steps = circuits.iter();
        let steps = steps.map(|made| ShaderProgram::print(made, &layout));
        Ok(Self {
            layout,
            steps: steps.collect(),
        })
    }
}

/// A shader that steps a grid by one generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderProgram {
    /// The WGSL text; its entry point is `step`. Binding 0 is read, binding 1 is written.
    pub text: String,
    /// The workgroups to be run.
    pub workgroups: [u32; 2],
    /// Logic instructions of a thread.
    pub instructions: usize,
    /// Rows that a thread steps.
    pub rows: usize,
}

impl ShaderProgram {
    /// Rows that a thread steps: fewer of larger circuits.
    ///
    /// ```
    /// use gpu::ShaderProgram;
    /// use kernel::RuleCircuit;
    ///
    /// let life = RuleCircuit::synthesise(&"B3/S23".parse()?, 0).expect("a small circuit");
    /// assert_eq!(ShaderProgram::rows_per_thread(&life), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows_per_thread(made: &RuleCircuit) -> usize {
        match made.circuit.gates().len() {
            0..=120 => 8,
            121..=500 => 4,
            501..=1500 => 2,
            _ => 1,
        }
    }

    /// The shader of a circuit for a grid of this layout, whose spare rows must be as many as a
    /// thread steps, less one.
    ///
    /// ```
    /// use gpu::{GridLayout, ShaderProgram};
    /// use kernel::RuleCircuit;
    ///
    /// let life = RuleCircuit::synthesise(&"B3/S23".parse()?, 0).expect("a small circuit");
    /// let rect = grid::Rect::new(-50, -50, 100, 100);
    /// let layout = GridLayout { rect, planes: 1, radius: 1, spare_rows: 7 };
    /// let shader = ShaderProgram::print(&life, &layout);
    /// assert!(shader.text.contains("@compute"));
    /// assert_eq!(shader.workgroups, [1, 4], "4 words, and 13 blocks of 8 rows");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn print(made: &RuleCircuit, layout: &GridLayout) -> Self {
        let rows = Self::rows_per_thread(made);
        let mut writer = ShaderWriter {
            made,
            layout,
            written: HashSet::new(),
            loaded: HashSet::new(),
            body: String::new(),
            instructions: 0,
        };
        for row in 0..rows as i32 {
            writer.write_row(row);
        }
        let blocks = layout.rect.height.div_ceil(rows as u64);
        let text = format!(
            "// One generation of {} x {} cells: {rows} rows a thread, {} instructions.\n\
             const WORDS: u32 = {}u;\n\
             const HEIGHT: u32 = {}u;\n\
             const STRIDE: u32 = {}u;\n\
             @group(0) @binding(0) var<storage, read> cells: array<u32>;\n\
             @group(0) @binding(1) var<storage, read_write> next: array<u32>;\n\
             @compute @workgroup_size({}, {})\n\
             fn step(@builtin(global_invocation_id) id: vec3<u32>) {{\n\
             \x20   let row = id.y * {rows}u;\n\
             \x20   if id.x >= WORDS || row >= HEIGHT {{ return; }}\n\
             \x20   let at = {}u + row * STRIDE + id.x;\n\
             {}}}\n",
            layout.rect.width,
            layout.rect.height,
            writer.instructions,
            layout.words(),
            layout.rect.height,
            layout.stride(),
            WORKGROUP[0],
            WORKGROUP[1],
            layout.first_word(),
            writer.body,
        );
        Self {
            text,
            workgroups: [
                layout.words().div_ceil(WORKGROUP[0] as usize) as u32,
                blocks.div_ceil(WORKGROUP[1].into()) as u32,
            ],
            instructions: writer.instructions,
            rows,
        }
    }
}

/// The shader that fills the margins of all planes, and its workgroups. Its entry point is `fill`.
/// Binding 0 is the cells, binding 1 the margin's words, binding 2 their sources.
///
/// ```
/// use gpu::{GridLayout, margin_shader};
///
/// let rect = grid::Rect::new(-50, -50, 100, 100);
/// let layout = GridLayout { rect, planes: 1, radius: 1, spare_rows: 7 };
/// let (text, workgroups) = margin_shader(&layout, 500);
/// assert!(text.contains("fn fill"));
/// assert_eq!(workgroups, [8, 1]);
/// ```
pub fn margin_shader(layout: &GridLayout, words: usize) -> (String, [u32; 2]) {
    let groups = words.div_ceil(MARGIN_WORKGROUP as usize) as u32;
    let across = groups.clamp(1, MAX_WORKGROUPS);
    let text = format!(
        "// The margin: what each of its cells shows is copied from the grid.\n\
         // The bits of a word that are cells of the grid are kept.\n\
         @group(0) @binding(0) var<storage, read_write> cells: array<atomic<u32>>;\n\
         @group(0) @binding(1) var<storage, read> words: array<vec4<u32>>;\n\
         @group(0) @binding(2) var<storage, read> sources: array<vec2<u32>>;\n\
         @compute @workgroup_size({MARGIN_WORKGROUP})\n\
         fn fill(@builtin(global_invocation_id) id: vec3<u32>) {{\n\
         \x20   let index = id.x + id.y * {}u;\n\
         \x20   if index >= {words}u {{ return; }}\n\
         \x20   let word = words[index];\n\
         \x20   for (var plane = 0u; plane < {}u; plane++) {{\n\
         \x20       let base = plane * {}u;\n\
         \x20       var bits = atomicLoad(&cells[base + word.x]) & word.y;\n\
         \x20       for (var i = word.z; i < word.z + word.w; i++) {{\n\
         \x20           let source = sources[i];\n\
         \x20           let cell = atomicLoad(&cells[base + source.x]) >> (source.y & 31u);\n\
         \x20           bits |= (cell & 1u) << (source.y >> 8u);\n\
         \x20       }}\n\
         \x20       atomicStore(&cells[base + word.x], bits);\n\
         \x20   }}\n\
         }}\n",
        across * MARGIN_WORKGROUP,
        layout.planes,
        layout.plane_words(),
    );
    (text, [across, groups.div_ceil(across).max(1)])
}

/// Writes the body of a shader.
struct ShaderWriter<'a> {
    made: &'a RuleCircuit,
    layout: &'a GridLayout,
    /// Gates that have a name, in the rows that they have one in.
    written: HashSet<(u32, i32)>,
    /// Words that have a name: plane, row, and words to the right.
    loaded: HashSet<(u8, i32, i32)>,
    body: String,
    instructions: usize,
}

impl ShaderWriter<'_> {
    /// Writes what the next states of a row need, and these.
    fn write_row(&mut self, row: i32) {
        let outputs: Vec<_> = self.made.next.iter().map(|wire| wire.below(row)).collect();
        let mut wanted = BTreeSet::new();
        for wire in &outputs {
            self.want(*wire, &mut wanted);
        }
        // Inputs come before what reads them, so going down from the last gate finds all.
        let mut all = BTreeSet::new();
        while let Some((gate, y)) = wanted.pop_last() {
            for input in self.made.circuit.gates()[gate as usize].inputs() {
                self.want(input.below(y), &mut wanted);
            }
            all.insert((gate, y));
        }
        for (gate, y) in all {
            self.write_gate(gate, y);
            self.written.insert((gate, y));
        }
        let stores: Vec<_> = outputs.iter().map(|&wire| name_of(wire)).collect();
        let _ = match row {
            0 => writeln!(self.body, "    {{"),
            _ => writeln!(self.body, "    if row + {row}u < HEIGHT {{"),
        };
        for (plane, value) in stores.iter().enumerate() {
            let offset = plane * self.layout.plane_words() + row as usize * self.layout.stride();
            let _ = writeln!(self.body, "        next[at + {offset}u] = {value};");
        }
        self.body.push_str("    }\n");
    }

    /// A gate whose value is needed and has no name yet.
    fn want(&self, wire: CircuitWire, wanted: &mut BTreeSet<(u32, i32)>) {
        let is_constant = wire.gate <= CircuitWire::ONES.gate;
        if !is_constant && !self.written.contains(&(wire.gate, wire.dy)) {
            wanted.insert((wire.gate, wire.dy));
        }
    }

    fn write_gate(&mut self, gate: u32, y: i32) {
        let of = |wire: CircuitWire| name_of(wire.below(y));
        let (value, instructions) = match self.made.circuit.gates()[gate as usize] {
            Gate::Constant(value) => (constant(value).to_string(), 0),
            Gate::Cell { plane, dx } => self.cell(plane, dx, y),
            Gate::Parity(axis) => (self.parity(axis, y), 1),
            Gate::Not(a) => (format!("~{}", of(a)), 1),
            Gate::And(a, b) => (format!("{} & {}", of(a), of(b)), 1),
            Gate::AndNot(a, b) => (format!("{} & ~{}", of(a), of(b)), 2),
            Gate::Or(a, b) => (format!("{} | {}", of(a), of(b)), 1),
            Gate::Xor(a, b) => (format!("{} ^ {}", of(a), of(b)), 1),
            Gate::Xor3([a, b, c]) => (format!("{} ^ {} ^ {}", of(a), of(b), of(c)), 2),
            Gate::Majority([a, b, c]) => {
                let (a, b, c) = (of(a), of(b), of(c));
                (format!("({a} & {b}) | ({c} & ({a} | {b}))"), 4)
            }
            Gate::Choose([a, b, c]) => {
                let (a, b, c) = (of(a), of(b), of(c));
                (format!("{c} ^ ({a} & ({b} ^ {c}))"), 3)
            }
        };
        self.instructions += instructions;
        let name = name_of(CircuitWire { gate, dy: y });
        let _ = writeln!(self.body, "    let {name} = {value};");
    }

    /// The cells that are `dx` to the right of those of this thread's word, `y` rows down.
    fn cell(&mut self, plane: u8, dx: i32, y: i32) -> (String, usize) {
        let (words, shift) = (dx.div_euclid(32), dx.rem_euclid(32));
        let here = self.word(plane, y, words);
        if shift == 0 {
            return (here, 0);
        }
        let east = self.word(plane, y, words + 1);
        (
            format!("({here} >> {shift}u) | ({east} << {}u)", 32 - shift),
            3,
        )
    }

    fn word(&mut self, plane: u8, y: i32, words: i32) -> String {
        let name = format!("w{plane}_{}_{}", signed(y), signed(words));
        if self.loaded.insert((plane, y, words)) {
            let plane_start = i64::from(plane) * self.layout.plane_words() as i64;
            let row_start = i64::from(y) * self.layout.stride() as i64;
            let offset = plane_start + row_start + i64::from(words);
            let sign = if offset < 0 { '-' } else { '+' };
            let offset = offset.unsigned_abs();
            let _ = writeln!(self.body, "    let {name} = cells[at {sign} {offset}u];");
        }
        name
    }

    /// Which cells stand in odd columns, or whether the row is odd.
    fn parity(&self, axis: ParityAxis, y: i32) -> String {
        match axis {
            ParityAxis::X if self.layout.rect.x % 2 == 0 => "0xaaaaaaaau".to_string(),
            ParityAxis::X => "0x55555555u".to_string(),
            ParityAxis::Y => {
                let first = (self.layout.rect.y + i64::from(y)).rem_euclid(2);
                format!("select(0u, 0xffffffffu, ((row + {first}u) & 1u) == 1u)")
            }
        }
    }
}

fn constant(value: bool) -> &'static str {
    if value { "0xffffffffu" } else { "0u" }
}

fn name_of(wire: CircuitWire) -> String {
    match wire {
        CircuitWire::ZERO => constant(false).to_string(),
        CircuitWire::ONES => constant(true).to_string(),
        CircuitWire { gate, dy } => format!("g{gate}_{}", signed(dy)),
    }
}

/// A number as part of a name.
fn signed(number: i32) -> String {
    match number {
        0.. => number.to_string(),
        _ => format!("m{}", number.unsigned_abs()),
    }
}

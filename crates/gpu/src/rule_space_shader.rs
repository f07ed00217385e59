//! A soup under many rules on a device: a workgroup for each rule, a thread for each row of its
//! torus. The same as [`crate::run_soup`], which it is held against.

#[cfg(feature = "device")]
use crate::{GpuDevice, SoupCounts, SoupRows, SpaceRule};

/// Rules that go to the device at once: few enough that it answers in between.
#[cfg(feature = "device")]
const RULES_AT_ONCE: usize = 8192;

/// The shader. Binding 0 is the soup and the number of generations, binding 1 the rules, binding 2
/// what came of them.
const SHADER: &str = "
struct Soup { generations: u32, rules: u32, rows: array<vec2<u32>, 64> }
@group(0) @binding(0) var<storage, read> soup: Soup;
@group(0) @binding(1) var<storage, read> rules: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> outcomes: array<vec2<u32>>;
var<workgroup> ones: array<vec2<u32>, 64>;
var<workgroup> twos: array<vec2<u32>, 64>;
var<workgroup> population: atomic<u32>;
var<workgroup> changed: atomic<u32>;

fn majority(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {
    return (a & b) | (c & (a | b));
}

fn either(bit: vec2<u32>, one: vec2<u32>, zero: vec2<u32>) -> vec2<u32> {
    return zero ^ (bit & (one ^ zero));
}

fn filled(counts: u32, count: u32) -> u32 {
    return 0u - ((counts >> count) & 1u);
}

// What a cell becomes whose neighbours and itself add up to `sum`.
fn chosen(rule: vec2<u32>, sum: u32, cell: vec2<u32>) -> vec2<u32> {
    let dead = vec2<u32>(filled(rule.x, sum));
    // a live cell is one of the sum
    let alive = vec2<u32>(filled(rule.y << 1u, sum));
    return dead ^ (cell & (dead ^ alive));
}

@compute @workgroup_size(64)
fn run(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) y: u32) {
    let rule = rules[group.x];
    var two_ago = soup.rows[y];
    var one_ago = two_ago;
    var cell = two_ago;
    if y == 0u {
        atomicStore(&population, 0u);
        atomicStore(&changed, 0u);
    }
    for (var done = 0u; done < soup.generations; done++) {
        two_ago = one_ago;
        one_ago = cell;
        let west = (cell << vec2(1u)) | (cell.yx >> vec2(31u));
        let east = (cell >> vec2(1u)) | (cell.yx << vec2(31u));
        ones[y] = cell ^ west ^ east;
        twos[y] = majority(cell, west, east);
        workgroupBarrier();
        let up = (y + 63u) % 64u;
        let down = (y + 1u) % 64u;
        let bit0 = ones[up] ^ ones[y] ^ ones[down];
        let carry = majority(ones[up], ones[y], ones[down]);
        let half = twos[up] ^ twos[y] ^ twos[down];
        let fours = majority(twos[up], twos[y], twos[down]);
        let bit1 = half ^ carry;
        let more = half & carry;
        let bit2 = fours ^ more;
        let bit3 = fours & more;
        let low = either(bit1,
            either(bit0, chosen(rule, 3u, cell), chosen(rule, 2u, cell)),
            either(bit0, chosen(rule, 1u, cell), chosen(rule, 0u, cell)));
        let high = either(bit1,
            either(bit0, chosen(rule, 7u, cell), chosen(rule, 6u, cell)),
            either(bit0, chosen(rule, 5u, cell), chosen(rule, 4u, cell)));
        let most = either(bit0, chosen(rule, 9u, cell), chosen(rule, 8u, cell));
        cell = either(bit3, most, either(bit2, high, low));
        workgroupBarrier();
    }
    let live = countOneBits(cell);
    let other = countOneBits(cell ^ two_ago);
    atomicAdd(&population, live.x + live.y);
    atomicAdd(&changed, other.x + other.y);
    workgroupBarrier();
    if y == 0u {
        outcomes[group.x] = vec2(atomicLoad(&population), atomicLoad(&changed));
    }
}
";

/// The text of the shader, for those who check it without a device.
#[must_use]
pub fn rule_space_shader() -> &'static str {
    SHADER
}

/// Runs a soup under each of the rules for so many generations, at least two. `control` is asked
/// now and then whether to go on, with the number of rules that are done.
///
/// # Errors
/// What the device said, or that it was stopped.
///
/// ```
/// use gpu::{GpuDevice, SpaceRule, run_soup, run_soups_on_device};
///
/// let mut blinker = [0; 64];
/// blinker[10] = 0b111;
/// let life = SpaceRule::at(96, 32);
/// if let Ok(device) = GpuDevice::shared() {
///     let outcomes = run_soups_on_device(device, &blinker, &[life], 50, &mut |_| true)?;
///     assert_eq!(outcomes, [run_soup(&blinker, life, 50)]);
/// }
/// # Ok::<(), String>(())
/// ```
#[cfg(feature = "device")]
pub fn run_soups_on_device(
    device: &GpuDevice,
    soup: &SoupRows,
    rules: &[SpaceRule],
    generations: u32,
    control: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<SoupCounts>, String> {
    let rows = soup
        .iter()
        .flat_map(|row| [*row as u32, (row >> 32) as u32]);
    let head = [generations.max(2), rules.len() as u32];
    let pipeline = device.checked(|| device.pipeline(SHADER, "run"))?;
    let soup = device.filled_buffer("soup", head.into_iter().chain(rows));
    let mut outcomes = Vec::with_capacity(rules.len());
    for part in rules.chunks(RULES_AT_ONCE) {
        let words = part
            .iter()
            .flat_map(|rule| [rule.born.into(), rule.kept.into()]);
        let listed = device.filled_buffer("rules", words);
        let told = device.buffer("outcomes", 8 * part.len() as u64);
        let bindings = device.bindings(&pipeline, &[&soup, &listed, &told]);
        let mut encoder = device.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(part.len() as u32, 1, 1);
        drop(pass);
        device.queue.submit([encoder.finish()]);
        let mut counts = vec![[0_u32; 2]; part.len()];
        device.read(&told, bytemuck::cast_slice_mut(&mut counts))?;
        outcomes.extend(counts.iter().map(|&[population, changed]| SoupCounts {
            population,
            changed,
        }));
        if outcomes.len() < rules.len() && !control(outcomes.len()) {
            return Err("stopped before the end".into());
        }
    }
    Ok(outcomes)
}

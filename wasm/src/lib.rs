//! Worlds as WebAssembly, for a page without a server: the messages of the crate `wire`, carried by
//! a few plain functions.
//!
//! Bytes go in by [`input`], which lends room for them, and come out by [`output`] and
//! [`output_length`]. The only thing that is imported is a clock. A panic ends the instance; then
//! [`last_words`] says why, and whoever runs it starts another one with the last [`draft`].
//!
//! A generator of bindings (wasm-bindgen) was rejected: all that crosses the border is a text or
//! bytes, and the page already has the words for them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wire::{ClassroomRoom, HostedWorld, reply};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The milliseconds since some moment.
    safe fn now() -> f64;
}

/// What a machine of the page holds.
#[derive(Default)]
struct Instance {
    worlds: BTreeMap<u32, HostedWorld>,
    classrooms: BTreeMap<u32, ClassroomRoom>,
    last: u32,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// What the last panic said.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// The time by the page's clock.
fn clock() -> Duration {
    Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
}

fn with<T>(act: impl FnOnce(&mut Instance) -> T) -> T {
    INSTANCE.with_borrow_mut(act)
}

/// Does something with a world; nothing where there is none of this number.
fn in_world<T: Default>(id: u32, act: impl FnOnce(&mut HostedWorld, String) -> T) -> T {
    with(|instance| {
        let text = String::from_utf8_lossy(&instance.input).into_owned();
        let world = instance.worlds.get_mut(&id);
        world.map(|world| act(world, text)).unwrap_or_default()
    })
}

/// Keeps what is to be read from outside, and says whether there is something.
fn put_out(bytes: Option<Vec<u8>>) -> u32 {
    let is_there = bytes.is_some();
    with(|instance| instance.output = bytes.unwrap_or_default());
    u32::from(is_there)
}

/// Makes room for a text that the next call reads, and returns where it is to be written.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: u32) -> *mut u8 {
    with(|instance| {
        instance.input.clear();
        instance.input.resize(length as usize, 0);
        instance.input.as_mut_ptr()
    })
}

/// Where the bytes stand that the last call has put out.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with(|instance| instance.output.as_ptr())
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> u32 {
    with(|instance| instance.output.len() as u32)
}

/// Opens an empty world that may hold so many MiB, with one tab, and returns its number.
#[unsafe(no_mangle)]
pub extern "C" fn open_world(mebibytes: u32, seed: f64) -> u32 {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut words) = LAST_WORDS.lock() {
            *words = panic.to_string();
        }
    }));
    engine::lend_clock(clock);
    with(|instance| {
        instance.last += 1;
        let world = HostedWorld::open(u64::from(mebibytes) << 20, seed.to_bits(), Arc::new(clock));
        instance.worlds.insert(instance.last, world);
        instance.last
    })
}

/// Closes a world.
#[unsafe(no_mangle)]
pub extern "C" fn close_world(world: u32) {
    with(|instance| instance.worlds.remove(&world));
}

/// Hands a tab's message, which is the input, to a world.
#[unsafe(no_mangle)]
pub extern "C" fn tell(world: u32) {
    in_world(world, |world, text| world.tell(&text));
}

/// Steps a world for at most so many milliseconds, and sends its tab what is due. Returns after
/// how many milliseconds there is something to do again: none while it runs, and a negative number
/// where nothing is to be done until something is told.
#[unsafe(no_mangle)]
pub extern "C" fn poll(world: u32, milliseconds: f64) -> f64 {
    let slice = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
    in_world(world, |world, _| Some(world.poll(slice))).unwrap_or(-1.0)
}

/// Puts out the next message for the tab: 1 for a text, 2 for a frame, 0 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn take(world: u32) -> u32 {
    let message = in_world(world, |world, _| world.take());
    let kind = message.as_ref().map_or(0, |(kind, _)| *kind);
    put_out(message.map(|(_, bytes)| bytes));
    kind
}

/// Answers a request, which is the input: an address, a line feed, and the body. Puts out a line of
/// JSON that says what it is, and then the content.
#[unsafe(no_mangle)]
pub extern "C" fn request(world: u32) -> u32 {
    let input = with(|instance| std::mem::take(&mut instance.input));
    let answer = with(|instance| {
        let world = instance.worlds.get_mut(&world)?;
        Some(world.request(&input))
    });
    put_out(answer)
}

/// Puts out a draft of a world, where one is due, and says whether it is; with `now`, where there is
/// anything to keep.
#[unsafe(no_mangle)]
pub extern "C" fn draft(world: u32, now: u32) -> u32 {
    put_out(in_world(world, |world, _| world.draft(now != 0)))
}

/// Restores a draft, which is the input. Says whether that succeeded.
#[unsafe(no_mangle)]
pub extern "C" fn restore(world: u32) -> u32 {
    let draft = with(|instance| std::mem::take(&mut instance.input));
    u32::from(in_world(world, |world, _| world.restore(&draft)))
}

/// Where the words stand that the last panic said. (What broke down may hold the output.)
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> *const u8 {
    LAST_WORDS
        .lock()
        .map_or(std::ptr::null(), |words| words.as_ptr())
}

/// How many bytes there are of them.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_length() -> u32 {
    LAST_WORDS.lock().map_or(0, |words| words.len() as u32)
}

/// Opens a classroom, puts out its welcome, and returns its number.
#[unsafe(no_mangle)]
pub extern "C" fn open_classroom() -> u32 {
    with(|instance| {
        instance.last += 1;
        instance
            .classrooms
            .insert(instance.last, ClassroomRoom::default());
        instance.output = ClassroomRoom::welcome().into();
        instance.last
    })
}

/// Closes a classroom.
#[unsafe(no_mangle)]
pub extern "C" fn close_classroom(room: u32) {
    with(|instance| instance.classrooms.remove(&room));
}

/// Hands a page's message, which is the input, to a classroom, and puts out the answer.
#[unsafe(no_mangle)]
pub extern "C" fn tell_classroom(room: u32) -> u32 {
    let answer = with(|instance| {
        let text = String::from_utf8_lossy(&instance.input);
        let told = instance.classrooms.get_mut(&room)?.tell(&text);
        told.unwrap_or_else(|error| Some(reply::to_malformed(error)))
    });
    put_out(answer.map(String::into_bytes))
}

/// Runs a case of the differential tests, which is the input: a line with the engine, the
/// generations and the rule, and then a pattern. Puts out the population and the hash of the cells.
#[unsafe(no_mangle)]
pub extern "C" fn run_case() -> u32 {
    let input = with(|instance| std::mem::take(&mut instance.input));
    engine::lend_clock(clock);
    put_out(Some(wire::run_case(&input).into_bytes()))
}

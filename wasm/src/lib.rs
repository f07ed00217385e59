//! Rooms as WebAssembly, for a page without a server: the messages of the crate `wire`, carried by
//! a few plain functions. A world is a room too.
//!
//! Bytes go in by [`input`], which lends room for them, and come out by [`output`] and
//! [`output_length`]. What is imported is a clock, and an ear for what long work reports before it
//! ends. A panic ends the instance; then [`last_words`] says why, and whoever runs it starts another
//! one with the last [`draft`].
//!
//! A generator of bindings (wasm-bindgen) was rejected: all that crosses the border is a text or
//! bytes, and the page already has the words for them.

mod heap;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wire::{Room, RoomNews, reply};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The milliseconds since some moment.
    safe fn now() -> f64;
    /// Hears so many bytes that stand there: a report of `run_job`, or a piece of a film.
    safe fn report(at: *const u8, length: usize);
}

/// What a machine of the page holds.
#[derive(Default)]
struct Instance {
    rooms: BTreeMap<u32, Box<dyn Room>>,
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

/// What the page has put in.
fn take_input() -> Vec<u8> {
    with(|instance| std::mem::take(&mut instance.input))
}

fn take_text() -> String {
    String::from_utf8_lossy(&take_input()).into_owned()
}

/// Does something with a room; nothing where there is none of this number.
fn in_room<T: Default>(id: u32, act: impl FnOnce(&mut dyn Room) -> T) -> T {
    with(|instance| {
        let room = instance.rooms.get_mut(&id);
        room.map(|room| act(room.as_mut())).unwrap_or_default()
    })
}

/// Keeps what is to be read from outside, and says whether there is something.
fn put_out(bytes: Option<Vec<u8>>) -> u32 {
    let is_there = bytes.is_some();
    with(|instance| instance.output = bytes.unwrap_or_default());
    u32::from(is_there)
}

/// What every call may need: words for a panic, and a clock.
fn prepare() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut words) = LAST_WORDS.lock() {
            *words = panic.to_string();
        }
    }));
    engine::lend_clock(clock);
}

/// A new room by its name, `world MEBIBYTES SEED NAME` for a world that may hold so much, and what
/// the page calls it.
fn room(order: &str) -> Option<Box<dyn Room>> {
    let mut words = order.split(' ');
    Some(match words.next()? {
        #[cfg(feature = "worlds")]
        "world" => {
            let memory = words.next()?.parse::<u64>().ok()? << 20;
            let seed = words.next()?.parse::<f64>().ok()?.to_bits();
            let world = wire::HostedWorld::open(memory, seed, Arc::new(clock));
            Box::new(world.named(words.next().unwrap_or_default()))
        }
        #[cfg(feature = "rooms")]
        "classroom" => Box::new(wire::ClassroomRoom::default()),
        #[cfg(feature = "rooms")]
        "laser" => Box::new(wire::LaserRoom::default()),
        #[cfg(feature = "rooms")]
        "replays" => Box::new(wire::ReplaysRoom),
        #[cfg(feature = "rooms")]
        // `play SEED` to set a game up, `play SEED KEY` for its table, which is restored next
        "play" => {
            let seed = words.next()?.parse::<f64>().ok()?.to_bits();
            let key = words.next().map(String::from);
            Box::new(wire::PlayRoom::new(Arc::new(clock), seed, key))
        }
        #[cfg(feature = "rooms")]
        // `census LANES`
        "census" => {
            let lanes = words.next()?.parse().ok()?;
            Box::new(wire::CensusRoom::new(Arc::new(clock), lanes))
        }
        #[cfg(feature = "rooms")]
        "search" => Box::new(wire::SearchRoom::default()),
        _ => return None,
    })
}

/// Makes room for bytes that the next call reads, and returns where they are to be written.
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

/// Opens the room that the input names, and returns its number: 0 where there is none of that name.
#[unsafe(no_mangle)]
pub extern "C" fn open_room() -> u32 {
    prepare();
    let Some(room) = room(&take_text()) else {
        return 0;
    };
    with(|instance| {
        instance.last += 1;
        instance.rooms.insert(instance.last, room);
        instance.last
    })
}

/// Closes a room.
#[unsafe(no_mangle)]
pub extern "C" fn close_room(room: u32) {
    with(|instance| instance.rooms.remove(&room));
}

/// Hands a page's message, which is the input, to a room. What is no message is put out with the
/// reason.
#[unsafe(no_mangle)]
pub extern "C" fn tell(room: u32) -> u32 {
    let text = take_text();
    let problem = in_room(room, |room| room.tell(&text).err());
    put_out(problem.map(|words| reply::to_malformed(words).into()))
}

/// Lets a room go on for at most so many milliseconds. Returns after how many milliseconds there is
/// something to do again: a negative number where nothing is to be done until something is told.
#[unsafe(no_mangle)]
pub extern "C" fn poll(room: u32, milliseconds: f64) -> f64 {
    let slice = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
    in_room(room, |room| Some(room.poll(slice))).unwrap_or(-1.0)
}

/// Puts out what a room has next: 1 for a text to the page, 2 for a frame, 3 for a job to be begun
/// and 4 for one to be ended, both behind the number of a lane and a line feed; 5 for the name of
/// another world whose draft is wanted; 0 where there is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn take(room: u32) -> u32 {
    let (kind, bytes) = match in_room(room, |room| room.take()) {
        None => (0, None),
        Some(RoomNews::Text(text)) => (1, Some(text.into_bytes())),
        Some(RoomNews::Frame(frame)) => (2, Some(frame)),
        Some(RoomNews::Work {
            lane,
            job: Some(job),
        }) => (3, Some(format!("{lane}\n{job}").into_bytes())),
        Some(RoomNews::Draft(world)) => (5, Some(world.into_bytes())),
        Some(RoomNews::Work { lane, job: None }) => (4, Some(format!("{lane}\n").into_bytes())),
    };
    put_out(bytes);
    kind
}

/// Hands a report of the job in a lane, which is the input, to a room.
#[unsafe(no_mangle)]
pub extern "C" fn hear(room: u32, lane: u32) {
    let text = take_text();
    in_room(room, |room| room.hear(lane, &text));
}

/// Hands the draft of another world that was wanted to a room: its name, a line feed and the draft
/// are the input; with `is_there` 0, there is no such draft.
#[unsafe(no_mangle)]
pub extern "C" fn lend(room: u32, is_there: u32) {
    let input = take_input();
    let end = input.iter().position(|&byte| byte == b'\n');
    let (world, draft) = input.split_at(end.unwrap_or(input.len()));
    let world = String::from_utf8_lossy(world);
    let draft = draft.get(1..).filter(|_| is_there != 0);
    in_room(room, |room| room.lend(&world, draft));
}

/// Answers a request, which is the input: an address, a line feed, and the body. Puts out a line of
/// JSON that says what it is, and then the content.
#[unsafe(no_mangle)]
pub extern "C" fn request(room: u32) -> u32 {
    let input = take_input();
    put_out(in_room(room, |room| Some(room.request(&input))))
}

/// Puts out a draft of a room, where one is due, and says whether it is; with `now`, where there is
/// anything to keep.
#[unsafe(no_mangle)]
pub extern "C" fn draft(room: u32, now: u32) -> u32 {
    put_out(in_room(room, |room| room.draft(now != 0)))
}

/// Restores a draft, which is the input. Says whether that succeeded.
#[unsafe(no_mangle)]
pub extern "C" fn restore(room: u32) -> u32 {
    let draft = take_input();
    u32::from(in_room(room, |room| room.restore(&draft)))
}

/// Does a job, which is the input; what it reports goes to the page's ear.
#[cfg(feature = "rooms")]
#[unsafe(no_mangle)]
pub extern "C" fn run_job() {
    prepare();
    let job = take_text();
    let begun = clock();
    let permit = models::worker_pool::JobPermit::timed(wire::LONGEST_WORK, move || {
        clock().saturating_sub(begun)
    });
    let time: wire::WireClock = Arc::new(clock);
    wire::run_job(&job, &permit, &time, &mut |text| {
        report(text.as_ptr(), text.len())
    });
}

/// Makes a film, whose order is the input; its pieces go to the page's ear.
#[cfg(feature = "worlds")]
#[unsafe(no_mangle)]
pub extern "C" fn make_film() {
    prepare();
    let job = take_input();
    let time: wire::WireClock = Arc::new(clock);
    wire::make_film_of_job(&job, &time, &mut |piece| {
        report(piece.as_ptr(), piece.len())
    });
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

/// Runs a case of the differential tests, which is the input: a line with the engine, the
/// generations and the rule, and then a pattern. Puts out the population and the hash of the cells.
#[cfg(feature = "worlds")]
#[unsafe(no_mangle)]
pub extern "C" fn run_case() -> u32 {
    prepare();
    put_out(Some(wire::run_case(&take_input()).into_bytes()))
}

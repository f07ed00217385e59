// The worker: it owns the machine, and gives each of its worlds a slice of the time in turn.
//
// What it is told: {open, memory, draft} with the number that the page gives a world, {close},
// {tell, text}, {classroom, text}, {ask, number, address, body}, {keep}. What it says: {ready}, {world, message},
// {answer, head, bytes}, {world, draft}, {fault}.

import { Machine } from "./machine.js";

/** How long a world is stepped before messages are looked at, in milliseconds. */
const SLICE = 12;

/** @type {Machine} */
let machine;
/** @type {Map<number, {inside: number, due: number}>} by the page's numbers */
const worlds = new Map();
/** @type {Map<number, number>} classrooms by the page's numbers */
const classrooms = new Map();
const turn = new MessageChannel();
let isDue = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

turn.port1.onmessage = () => {
  isDue = false;
  work();
};

/** @type {any[]} what came before the machine was there */
const early = [];

self.onmessage = ({ data }) => {
  if (!machine) early.push(data);
  else take(data);
};

void start();

async function start() {
  try {
    const module = await compile(new URL("gridpaper.wasm", import.meta.url));
    machine = new Machine(module);
    self.postMessage({ ready: true });
    for (const data of early.splice(0)) take(data);
  } catch (error) {
    self.postMessage({ fault: String(error), isStart: true });
  }
}

/** @param {URL} address */
async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  // a server that does not know the type of the file is asked for its bytes
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @param {any} data */
function take(data) {
  try {
    if (data.open !== undefined) open(data);
    else if (data.classroom !== undefined) teach(data.classroom, data.text);
    else if (data.close !== undefined) close(data.close);
    else if (data.tell !== undefined) tell(data.tell, data.text);
    else if (data.ask !== undefined) answer(data);
    else if (data.keep !== undefined) keep(true);
  } catch (error) {
    fail(error);
  }
  plan();
}

/** @param {{open: number, memory: number, draft: Uint8Array | null}} data */
function open({ open: world, memory, draft }) {
  const inside = machine.open(memory);
  worlds.set(world, { inside, due: 0 });
  if (!draft) return;
  const isRestored = machine.restore(inside, draft);
  if (!isRestored) self.postMessage({ world, unread: true });
}

/**
 * The first message opens the room.
 * @param {number} world
 * @param {string} [text]
 */
function teach(world, text) {
  const known = classrooms.get(world);
  if (known === undefined) {
    const { room, welcome } = machine.openClassroom();
    classrooms.set(world, room);
    self.postMessage({ world, message: welcome });
    return;
  }
  const message = text === undefined ? null : machine.tellClassroom(known, text);
  if (message !== null) self.postMessage({ world, message });
}

/** @param {number} world */
function close(world) {
  const room = classrooms.get(world);
  classrooms.delete(world);
  if (room !== undefined) machine.closeClassroom(room);
  const known = worlds.get(world);
  worlds.delete(world);
  if (known) machine.close(known.inside);
}

/**
 * @param {number} world
 * @param {string} text
 */
function tell(world, text) {
  const known = worlds.get(world);
  if (!known) return;
  machine.tell(known.inside, text);
  known.due = 0;
}

/** @param {{ask: number, number: number, address: string, body: Uint8Array | null}} data */
function answer({ ask: world, number, address, body }) {
  const known = worlds.get(world);
  if (!known) return;
  const { head, bytes } = machine.request(known.inside, address, body ?? new Uint8Array());
  known.due = 0;
  self.postMessage({ answer: number, head, bytes }, { transfer: [bytes.buffer] });
}

function work() {
  const now = performance.now();
  try {
    for (const [world, known] of worlds) {
      if (known.due > now) continue;
      const wait = machine.poll(known.inside, SLICE);
      known.due = wait < 0 ? Infinity : performance.now() + wait;
      for (const message of machine.messages(known.inside)) {
        const transfer = typeof message === "string" ? [] : [message];
        self.postMessage({ world, message }, { transfer });
      }
    }
    keep(false);
  } catch (error) {
    return fail(error);
  }
  return plan();
}

/** @param {boolean} now */
function keep(now) {
  for (const [world, { inside }] of worlds) {
    const draft = machine.draft(inside, now);
    if (draft) self.postMessage({ world, draft }, { transfer: [draft.buffer] });
  }
}

/** Comes back when the first world is due. */
function plan() {
  if (isDue || worlds.size === 0) return;
  const first = Math.min(...[...worlds.values()].map(({ due }) => due));
  const wait = first - performance.now();
  clearTimeout(timer);
  if (wait === Infinity) {
    // a draft may be due still
    timer = setTimeout(work, 2500);
    return;
  }
  if (wait > 1) {
    timer = setTimeout(work, wait);
    return;
  }
  isDue = true;
  turn.port2.postMessage(null);
}

/** @param {unknown} error */
function fail(error) {
  worlds.clear();
  classrooms.clear();
  self.postMessage({ fault: error instanceof Error ? error.message : String(error) });
}

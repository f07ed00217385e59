// The worker: it owns the machine, and gives each of its rooms a slice of the time in turn. A world
// is a room too.
//
// What it is told: first {module, jobs}, the program and where the script of its jobs is; then {open,
// order, draft} with the number that the page gives a room, {close},
// {tell, text}, {ask, number, address, body}, {lend, world, draft}, {keep}. What it says: {ready}, {room,
// message}, {answer, head, bytes}, {room, draft}, {room, wanted}, {fault}.

import { Lane } from "./lane.js";
import { Machine } from "./machine.js";

/** How long a room goes on before messages are looked at, in milliseconds. */
const SLICE = 12;

/** @type {Machine} */
let machine;
/** @type {WebAssembly.Module} */
let module;
let jobScript = "";
/** @type {Map<number, {inside: number, due: number, lanes: Map<number, Lane>}>} by the page's numbers */
const rooms = new Map();
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
  if (data.module) start(data.module, data.jobs);
  else if (!machine) early.push(data);
  else take(data);
};

/**
 * @param {WebAssembly.Module} program
 * @param {string} jobs
 */
function start(program, jobs) {
  try {
    [module, jobScript] = [program, jobs];
    machine = new Machine(module);
    self.postMessage({ ready: true });
    for (const data of early.splice(0)) take(data);
  } catch (error) {
    self.postMessage({ fault: String(error), isStart: true });
  }
}

/** @param {any} data */
function take(data) {
  try {
    if (data.open !== undefined) open(data);
    else if (data.close !== undefined) close(data.close);
    else if (data.tell !== undefined) tell(data.tell, data.text);
    else if (data.ask !== undefined) answer(data);
    else if (data.lend !== undefined) lend(data);
    else if (data.keep !== undefined) keep(true);
  } catch (error) {
    fail(error);
  }
  plan();
}

/** @param {{open: number, order: string, draft: Uint8Array | null}} data */
function open({ open: room, order, draft }) {
  const inside = machine.open(order);
  rooms.set(room, { inside, due: 0, lanes: new Map() });
  if (!draft) return;
  const isRestored = machine.restore(inside, draft);
  if (!isRestored) self.postMessage({ room, unread: true });
}

/** @param {number} room */
function close(room) {
  const known = rooms.get(room);
  rooms.delete(room);
  if (!known) return;
  for (const lane of known.lanes.values()) lane.close();
  machine.close(known.inside);
}

/**
 * @param {number} room
 * @param {string} text
 */
function tell(room, text) {
  const known = rooms.get(room);
  if (!known) return;
  const problem = machine.tell(known.inside, text);
  if (problem !== null) self.postMessage({ room, message: problem });
  known.due = 0;
}

/** @param {{lend: number, world: string, draft: Uint8Array | null}} data */
function lend({ lend: room, world, draft }) {
  const known = rooms.get(room);
  if (!known) return;
  machine.lend(known.inside, world, draft);
  known.due = 0;
}

/** @param {{ask: number, number: number, address: string, body: Uint8Array | null}} data */
function answer({ ask: room, number, address, body }) {
  const known = rooms.get(room);
  if (!known) return;
  const { head, bytes } = machine.request(known.inside, address, body ?? new Uint8Array());
  known.due = 0;
  self.postMessage({ answer: number, head, bytes }, { transfer: [bytes.buffer] });
}

function work() {
  const now = performance.now();
  try {
    for (const [room, known] of rooms) {
      if (known.due > now) continue;
      const wait = machine.poll(known.inside, SLICE);
      known.due = wait < 0 ? Infinity : performance.now() + wait;
      for (const message of machine.messages(known.inside)) {
        if (typeof message === "string") self.postMessage({ room, message });
        else if (message instanceof ArrayBuffer) self.postMessage({ room, message }, { transfer: [message] });
        else if ("wanted" in message) self.postMessage({ room, wanted: message.wanted });
        else order(known, message);
      }
    }
    keep(false);
  } catch (error) {
    return fail(error);
  }
  return plan();
}

/**
 * Has a job begun or ended.
 * @param {{inside: number, due: number, lanes: Map<number, Lane>}} known
 * @param {{lane: number, job: string | null}} message
 */
function order(known, { lane: number, job }) {
  let lane = known.lanes.get(number);
  if (job === null) return lane?.end();
  if (!lane) {
    lane = new Lane(module, jobScript, (report) => {
      try {
        machine.hear(known.inside, number, report);
        known.due = 0;
      } catch (error) {
        fail(error);
      }
      plan();
    });
    known.lanes.set(number, lane);
  }
  return lane.begin(job);
}

/** @param {boolean} now */
function keep(now) {
  for (const [room, { inside }] of rooms) {
    const draft = machine.draft(inside, now);
    if (draft) self.postMessage({ room, draft }, { transfer: [draft.buffer] });
  }
}

/** Comes back when the first room is due. */
function plan() {
  if (isDue || rooms.size === 0) return;
  const first = Math.min(...[...rooms.values()].map(({ due }) => due));
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
  for (const { lanes } of rooms.values()) for (const lane of lanes.values()) lane.close();
  rooms.clear();
  self.postMessage({ fault: error instanceof Error ? error.message : String(error) });
}

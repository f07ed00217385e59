// The classroom page: five rules on one map. The server computes the boards and explanations.

import { find, make, write } from "../element.js";
import { toClipboard } from "../clipboard.js";
import { downloadBlob } from "../download.js";
import { decodeLink, encodeLink } from "../shared/link-codec.js";
import { startShell } from "../shared/shell.js";
import { PageSocket } from "../shared/page-socket.js";
import { roomAddress } from "../shared/server.js";
import { recall, remember } from "../storage.js";
import { ClassroomBoard } from "./board.js";
import { setLabel } from "../translation.js";

/** @import { Reason, Rule } from "./board.js" */

const KEY = "classroom.lesson";

/** Rounds a second, by the slider's place. */
const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30];

/** What the pencil draws: in which rule's states, or that of the board that is drawn on. */
const PENCILS = [
  { words: "toggles the cell", rule: "", state: null },
  { words: "only looks", rule: "", state: undefined },
  { words: "dead", rule: "", state: 0 },
  { words: "alive", rule: "", state: 1 },
  { words: "red", rule: "colorised", state: 2 },
  { words: "blue", rule: "colorised", state: 3 },
  ...[2, 3, 4, 5, 6, 7].map((state) => ({ words: `age ${state}`, rule: "generations", state })),
];

/** @type {(welcome: any) => void} */
let resolveWelcome = () => {};
const welcomeMessage = new Promise((resolve) => {
  resolveWelcome = resolve;
});
/** @type {Record<string, (data: any) => void>} */
const handlers = { welcome: (data) => resolveWelcome(data) };
/** @type {any} */
let view = null;

const socket = new PageSocket("/classroom/live", {
  message: (data) => {
    for (const [name, value] of Object.entries(data)) handlers[name]?.(value);
  },
  open: (first) => {
    if (first) return;
    shell.say("the server is back");
    if (view) resume(view);
  },
  lost: (words) => {
    run(false);
    shell.say(words, { error: true, stays: true });
  },
});

const welcome = await welcomeMessage;

const shell = startShell({
  keys: [
    { keys: "Enter", words: "one round", act: () => step() },
    { keys: "r", words: "run or stop", act: () => run(!timer) },
    { keys: "Space", words: "on a board: draw at the cursor; elsewhere run or stop", act: () => run(!timer) },
    { keys: "Left, Right, Up, Down", words: "on a board: move the cursor, and see why the cell lives, dies or is born" },
    { keys: "t", words: "back to round 0", act: () => send({ restart: true }) },
    { keys: "s", words: "save the board that was pointed at last", act: () => save(at) },
    { keys: "o", words: "open a map", act: () => find("class-file", HTMLInputElement).click() },
    { keys: "+", words: "faster", act: () => speed(1) },
    { keys: "-", words: "slower", act: () => speed(-1) },
  ],
});

/** @param {object} message */
function send(message) {
  if (socket.send(message)) return true;
  shell.say("the server does not answer; trying again", { error: true });
  return false;
}

/** @param {any} kept */
function resume({ width, height, round, boards, start }) {
  send({ resume: { size: [width, height], round, boards, start } });
}

/** The state that a stroke draws, and by whose rule. */
let stroke = { rule: "base", state: /** @type {number | null} */ (0) };

const boards = welcome.rules.map(
  (/** @type {Rule} */ rule) =>
    new ClassroomBoard(rule, {
      point: (board, x, y) => ask(board, x, y),
      draw: (board, cells, first) => {
        const looks = find("class-pencil", HTMLSelectElement).selectedIndex === 1;
        if (first) stroke = strokeState(board, cells[0] ?? [0, 0]);
        if (!looks) send({ draw: { rule: stroke.rule, cells, state: stroke.state } });
        const [x, y] = cells.at(-1) ?? [0, 0];
        ask(board, x, y);
        if (!looks) find("class-map", HTMLSelectElement).value = "";
      },
      save: (board) => save(board),
      step: () => step(),
    }),
);
const place = find("class-boards", HTMLElement);
for (const board of boards) place.insertBefore(board.element, find("class-why", HTMLElement));
/** The board that was pointed at last. @type {ClassroomBoard} */
let at = boards[0];
/** @type {[number, number] | null} */
let asked = null;

/**
 * @param {ClassroomBoard} board
 * @param {[number, number]} cell
 */
function strokeState(board, [x, y]) {
  const pencil = PENCILS[find("class-pencil", HTMLSelectElement).selectedIndex] ?? PENCILS[0];
  if (pencil?.rule) return { rule: pencil.rule, state: pencil.state ?? null };
  const { name, states } = board.rule;
  if (pencil?.state === 0) return { rule: name, state: 0 };
  if (pencil?.state === 1) return { rule: name, state: states[0] ?? 1 };
  // on from the state that is there, and the whole stroke like its first cell
  const now = states.indexOf(board.states[y * board.width + x] ?? 0);
  return { rule: name, state: states[now + 1] ?? 0 };
}

/**
 * @param {ClassroomBoard} board
 * @param {number} x
 * @param {number} y
 */
function ask(board, x, y) {
  at = board;
  asked = [x, y];
  for (const one of boards) one.go(x, y);
  socket.send({ why: { x, y } });
}

handlers.view = (data) => {
  view = data;
  boards.forEach((/** @type {ClassroomBoard} */ board, /** @type {number} */ index) => board.show(data.width, data.height, data.boards[index]));
  write(find("class-round", HTMLElement), String(data.round));
  const size = find("class-size", HTMLInputElement);
  if (document.activeElement !== size) size.value = `${data.width}x${data.height}`;
  write(find("class-error", HTMLElement), "");
  if (data.words) shell.say(data.words);
  if (asked) {
    asked = [Math.min(asked[0], data.width - 1), Math.min(asked[1], data.height - 1)];
    socket.send({ why: { x: asked[0], y: asked[1] } });
  }
  awaitsRound = false;
};

handlers.why = (data) => {
  if (!asked || data.x !== asked[0] || data.y !== asked[1]) return;
  /** @type {Reason[]} */
  const reasons = data.reasons;
  boards.forEach((/** @type {ClassroomBoard} */ board, /** @type {number} */ index) => {
    const reason = reasons[index];
    board.explain(reason ? { x: data.x, y: data.y, reason } : null);
  });
  find("class-why-hint", HTMLElement).hidden = true;
  find("class-why-body", HTMLElement).hidden = false;
  write(find("class-why-head", HTMLElement), `why · ${data.x},${data.y}`);
  const rows = reasons.map((reason) =>
    make(
      "tr",
      { "data-rule": reason.rule, "data-words": reason.words, class: reason.rule === at.rule.name ? "is-at" : "" },
      make("th", { scope: "row" }, reason.rule),
      make("td", {}, `${reason.letter} = ${reason.count}`),
      make("td", {}, make("b", {}, outcomeWords(reason)), make("span", { class: "hint" }, ` ${reason.condition}`)),
    ),
  );
  find("class-reasons", HTMLElement).replaceChildren(...rows);
  const here = reasons.find((reason) => reason.rule === at.rule.name);
  if (here) showNeighbourhood(here);
  if (here && !timer && at.hasFocus) shell.tell(`${data.x},${data.y} ${here.before === 0 ? "dead" : "alive"}; ${here.words}`);
};

/** @param {Reason} reason */
function outcomeWords(reason) {
  if (reason.fate === "ages") return `ages to ${reason.after}`;
  if (reason.rule === "colorised" && reason.fate === "is born") return `is born ${reason.after === 2 ? "red" : "blue"}`;
  return reason.fate;
}

/** The neighbourhood, large. @param {Reason} reason */
function showNeighbourhood(reason) {
  const reach = Math.max(...reason.looks.map(([dx]) => dx));
  const squares = [];
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const look = reason.looks.find(([x, y]) => x === dx && y === dy);
      const state = look ? look[3] : reason.before;
      const counts = look && state !== 0 ? " counts" : "";
      const kind = state === 0 ? "" : reason.rule === "colorised" ? (state === 2 ? " red" : " blue") : " live";
      squares.push(make("span", { class: `near${look ? "" : " middle"}${kind}${counts}` }, look ? (state !== 0 || reason.letter === "F" ? String(look[2]) : "") : ""));
    }
  }
  const grid = find("class-near", HTMLElement);
  grid.style.setProperty("--side", String(2 * reach + 1));
  grid.replaceChildren(...squares);
  write(find("class-near-words", HTMLElement), `${reason.rule}: ${reason.words}`);
}

handlers.refused = (data) => {
  awaitsRound = false;
  run(false);
  write(find("class-error", HTMLElement), data.words);
  shell.say(data.words, { error: true });
};
handlers.error = (words) => shell.say(String(words), { error: true });

// Rounds.

/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
/** Whether a round was asked for and has not come. */
let awaitsRound = false;

function step() {
  run(false);
  send({ step: 1 });
}

/** @param {boolean} on */
function run(on) {
  clearInterval(timer);
  timer = undefined;
  const button = find("class-run", HTMLButtonElement);
  button.setAttribute("aria-pressed", String(on));
  setLabel(button, "aria-label", on ? "stop" : "run");
  document.getElementById("class-run-icon")?.setAttribute("href", on ? "#i-stop" : "#i-run");
  if (!on) return;
  awaitsRound = false;
  timer = setInterval(() => {
    if (awaitsRound) return;
    awaitsRound = socket.send({ step: 1 });
    if (!awaitsRound) run(false);
  }, 1000 / (SPEEDS[Number(find("class-speed", HTMLInputElement).value)] ?? 2));
}

/** @param {number} by */
function speed(by) {
  const slider = find("class-speed", HTMLInputElement);
  slider.value = String(Number(slider.value) + by);
  showSpeed();
}

function showSpeed() {
  const rounds = SPEEDS[Number(find("class-speed", HTMLInputElement).value)] ?? 2;
  write(find("class-speed-words", HTMLElement), rounds < 1 ? "½/s" : `${rounds}/s`);
  if (timer) run(true);
}

find("class-start", HTMLButtonElement).addEventListener("click", () => {
  run(false);
  send({ restart: true });
});
find("class-step", HTMLButtonElement).addEventListener("click", step);
find("class-run", HTMLButtonElement).addEventListener("click", () => run(!timer));
find("class-speed", HTMLInputElement).addEventListener("input", showSpeed);
showSpeed();

// Maps.

const select = find("class-map", HTMLSelectElement);
for (const rule of welcome.rules) {
  const maps = welcome.maps.filter((/** @type {{rule: string}} */ map) => map.rule === rule.name);
  if (maps.length === 0) continue;
  select.append(make("optgroup", { label: rule.name }, ...maps.map((/** @type {{name: string, about: string}} */ map) => make("option", { value: map.name, title: map.about }, map.name))));
}
select.addEventListener("change", () => {
  if (!select.value) return;
  run(false);
  send({ open: select.value });
  history.replaceState(null, "", `${roomAddress("/classroom")}?map=${select.value}`);
});
const pencil = find("class-pencil", HTMLSelectElement);
for (const { words } of PENCILS) pencil.append(make("option", {}, words));
find("class-size", HTMLInputElement).addEventListener("change", () => {
  const [, width, height] = /^\s*(\d+)\s*[x×, ]\s*(\d+)\s*$/.exec(find("class-size", HTMLInputElement).value) ?? [];
  if (width && height) send({ size: [Number(width), Number(height)] });
  else handlers.refused?.({ words: "a size is columns and rows, such as 25x25" });
});
find("class-clear", HTMLButtonElement).addEventListener("click", () => {
  const before = view;
  run(false);
  select.value = "";
  if (send({ clear: true })) shell.say("an empty map", { undo: () => resume(before) });
});

const file = find("class-file", HTMLInputElement);
find("class-open", HTMLButtonElement).addEventListener("click", () => file.click());
file.addEventListener("change", () => {
  const [first] = file.files ?? [];
  if (first) read(first);
  file.value = "";
});

/** @param {File} map */
async function read(map) {
  if (map.size > 60_000) return handlers.refused?.({ words: `${map.name} is too large for a map of ${welcome.largest} x ${welcome.largest}` });
  run(false);
  select.value = "";
  history.replaceState(null, "", roomAddress("/classroom"));
  const on = (/** @type {string} */ id) => find(id, HTMLInputElement).checked;
  return send({ read: { text: await map.text(), centre: on("class-centre"), cs100: on("class-cs100") } });
}

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [first] = event.dataTransfer?.files ?? [];
  if (first) read(first);
});

/** @param {ClassroomBoard} board */
function save(board) {
  const name = `${board.rule.name}-${view.round}.cells`;
  downloadBlob(new Blob([board.text ?? ""], { type: "text/plain" }), name);
  shell.say(`saved ${name}`);
}

find("class-share", HTMLButtonElement).addEventListener("click", async () => {
  const { width, height, start } = view;
  const address = `${new URL(roomAddress("/classroom"), location.href)}#b=${await encodeLink(JSON.stringify({ width, height, start }))}`;
  history.replaceState(null, "", address);
  if (await toClipboard(address)) shell.say("the link to this map is in the clipboard");
  else shell.say(address, { stays: true });
});

addEventListener("pagehide", () => {
  if (view) remember(KEY, JSON.stringify(view));
});
document.addEventListener("look", () => {
  for (const board of boards) board.paint();
});

/** Opens the map that the address names, else the stored one. */
async function openFromAddress() {
  const shared = new URLSearchParams(location.hash.slice(1)).get("b");
  if (shared) {
    try {
      const { width, height, start } = JSON.parse(await decodeLink(shared));
      return resume({ width, height, round: 0, boards: start, start });
    } catch {
      shell.say("the link is damaged: there is no map in it", { error: true });
    }
  }
  const named = new URLSearchParams(location.search).get("map");
  const before = recall(KEY);
  if (named) {
    select.value = named;
    send({ open: named });
  } else if (before) {
    try {
      return resume(JSON.parse(before));
    } catch {
      // what cannot be read was never kept
    }
  } else {
    select.value = "colorised-meeting";
    send({ open: "colorised-meeting" });
  }
  return undefined;
}

addEventListener("hashchange", openFromAddress);
await openFromAddress();

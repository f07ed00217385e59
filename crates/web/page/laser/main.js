// The laser page: levels to play, an editor, and a level generator. The server has the rules;
// the page draws.

import { find, make, write } from "../element.js";
import { toClipboard } from "../clipboard.js";
import { decodeLink, encodeLink } from "../shared/link-codec.js";
import { startShell } from "../shared/shell.js";
import { PageSocket } from "../shared/page-socket.js";
import { roomAddress } from "../shared/server.js";
import { EDIT_KEYS, Editor } from "./editor.js";
import { Levels } from "./levels.js";
import { nameOfTile, nameTiles, LaserBoardView } from "./board-view.js";

/** @typedef {"play" | "edit" | "make"} Mode */

/** Keys that the browser uses itself or that have another meaning here. */
const NOT_HERE = new Set(["Ctrl-R", "Ctrl-T", "?", "q"]);

/** The longest move list that is replayed after a reconnection. */
const MOST_KEPT = 3000;

/** @type {(welcome: any) => void} */
let resolveWelcome = () => {};
const welcomeMessage = new Promise((resolve) => {
  resolveWelcome = resolve;
});

/** @type {Record<string, (data: any) => void>} */
const handlers = { welcome: (data) => resolveWelcome(data) };

/** @type {any} the latest state of the game */
let view = null;
/** The level being played, to request it again after a reconnection. @type {{level?: string, text?: string, name?: string} | null} */
let wanted = null;
/** @type {Mode} */
let mode = "play";

const socket = new PageSocket("/laser/live", {
  message: (data) => {
    for (const [name, value] of Object.entries(data)) handlers[name]?.(value);
  },
  open: (first) => {
    if (first) return;
    shell.say("the server is back");
    if (wanted) {
      const kept = view && view.made.length <= MOST_KEPT ? { made: view.made, taken_back: view.taken_back } : {};
      socket.send({ play: { ...wanted, ...kept } });
    }
    if (mode === "edit") editor.send();
  },
  lost: (words) => shell.say(words, { error: true, stays: true }),
});

const welcome = await welcomeMessage;
nameTiles(welcome.tiles);

const act = (/** @type {string} */ command) => () => {
  if (mode === "edit") {
    if (command === "undo") editor.undo();
    if (command === "redo") editor.redo();
    return;
  }
  send(command);
};
/** @type {Map<string, string[]>} */
const byCommand = new Map();
for (const { keys, command } of welcome.keys) {
  if (!NOT_HERE.has(keys)) byCommand.set(command, [...(byCommand.get(command) ?? []), keys]);
}
const helpOf = (/** @type {string} */ name) =>
  welcome.commands.find((/** @type {{name: string}} */ one) => one.name === name)?.help ?? "";

const shell = startShell({
  keys: [
    ...[...byCommand].map(([command, keys]) => ({ keys: keys.join(", "), words: helpOf(command), group: "the game", act: act(command) })),
    { keys: "Left, Right, Up, Down", words: "move the cursor", group: "the board" },
    { keys: "Enter, Space", words: "take the piece at the cursor, or put the one in hand there", group: "the board" },
    { keys: "Tab, Shift-Tab", words: "to the next piece, or the one before", group: "the board" },
    { keys: "click, drag", words: "take a piece and put it down", group: "the board" },
    { keys: "n", words: "the next level", group: "this room", act: () => playNeighbour(1) },
    { keys: "p", words: "the level before", group: "this room", act: () => playNeighbour(-1) },
    { keys: "o", words: "all levels", group: "this room", act: () => find("laser-list", HTMLElement).querySelector("button")?.focus() },
    { keys: "e", words: "edit, or back to the game", group: "this room", act: () => go(mode === "edit" ? "play" : "edit") },
    ...EDIT_KEYS.map((key) => ({ ...key, group: "the editor" })),
  ],
});

/** @param {string} command */
function send(command) {
  if (!socket.send({ do: command })) shell.say("the server does not answer; trying again", { error: true });
}

const place = make("div", { class: "laser-place" });
const at = (/** @type {number} */ cell) => [cell % sheet.board.width, Math.floor(cell / sheet.board.width)];
const named = (/** @type {number} */ cell) => at(cell).join(",");
const cellOf = (/** @type {[number, number] | null} */ where) => (where ? where[1] * view.width + where[0] : null);
/** The move of the requested preview: late answers to other requests are dropped. */
let previewed = "";

const sheet = new LaserBoardView(place, {
  choose: (cell) => send(`select ${named(cell)}`),
  point: (cell) => {
    showCell(cell ?? sheet.cursor);
    const selected = cellOf(view?.selected ?? null);
    requestPreview(selected, cell);
  },
  here: (cell) => {
    showCell(cell);
    if (sheet.hasFocus) requestPreview(cellOf(view?.selected ?? null), cell);
  },
  lifts: (cell) => "MBT".includes(view?.tiles[cell]?.[0] ?? "."),
  carry: (from, to) => requestPreview(from, to),
  drop: (from, to) => send(`move ${named(from)} ${named(to)}`),
  dropNowhere: () => requestPreview(null, null),
});

/**
 * Requests the light that a move would give.
 * @param {number | null} from
 * @param {number | null} to
 */
function requestPreview(from, to) {
  const free = to !== null && /^[.MBT]/.test(sheet.board.tiles[to] ?? "W");
  if (from === null || to === null || from === to || !free) {
    previewed = "";
    sheet.clearPreview();
    return;
  }
  const asked = `${from} ${to}`;
  if (asked === previewed) return;
  previewed = asked;
  socket.send({ preview: { from: at(from), to: at(to) } });
}

handlers.preview = (data) => {
  const [from, to] = [data.from, data.to].map((where) => where[1] * data.width + where[0]);
  if (`${from} ${to}` === previewed) sheet.preview({ ...data, to });
};

/** @param {number} cell */
function showCell(cell) {
  const tile = sheet.board.tiles[cell];
  if (mode !== "edit" && tile) write(find("laser-here", HTMLElement), `${named(cell)} ${nameOfTile(tile)}`);
}

const levels = new Levels(welcome.levels, (name) => {
  go("play");
  play({ level: name });
});

/** @param {{level?: string, text?: string, name?: string}} what */
async function play(what) {
  wanted = what;
  socket.send({ play: what });
  if (what.level) history.replaceState(null, "", `${roomAddress("/laser")}?level=${what.level}`);
  else if (what.text) history.replaceState(null, "", `${roomAddress("/laser")}#b=${await encodeLink(what.text)}`);
}

let text = "";
/** The name of the level shown last; empty for a new one, which resets the cursor. */
let shown = "";

handlers.view = (data) => {
  const wasSolved = view?.solved && view.level === data.level && view.name === data.name;
  view = data;
  previewed = "";
  if (data.text) {
    text = data.text;
    shown = "";
  }
  const cursor = cellOf(data.cursor ?? null);
  sheet.show(data, {
    selected: cellOf(data.selected),
    hint: data.hint ? [data.hint[1] * data.width + data.hint[0], data.hint[3] * data.width + data.hint[2]] : null,
  });
  if (shown === "") {
    shown = data.name;
    const first = data.tiles.findIndex((/** @type {string} */ tile) => "MBT".includes(tile[0] ?? "."));
    sheet.go(Math.max(0, first), sheet.hasFocus);
  } else if (cursor !== null) sheet.go(cursor, sheet.hasFocus);
  levels.stand(data.level);
  if (data.level && data.solved && data.moves > 0) levels.solve(data.level, data.moves);
  showFacts(data);
  if (data.solution) showSolution(data.solution);
  else if (data.moves !== followed) showSolution([]);
  if (data.quiet) return;
  // the moves of a solution stand beside the board
  if (data.words && !data.solution) shell.say(data.words, { error: data.wrong });
  else shell.hush();
  if (data.solved && !wasSolved && data.moves > 0) {
    shell.say(data.state + (levels.beside(data.level, 1) && data.level ? " · n next level" : ""));
  }
};

/** @param {any} data */
function showFacts(data) {
  shell.title(data.name);
  write(find("laser-name", HTMLElement), data.name);
  write(find("laser-about", HTMLElement), data.about);
  const state = find("laser-state", HTMLElement);
  write(state, data.solvable === false && data.sensors > 0 ? "this level cannot be solved" : data.state);
  state.classList.toggle("is-solved", data.solved);
  write(find("laser-moves", HTMLElement), String(data.moves));
  const looking = data.searching ? "looking" : "not known";
  const least = data.at_least > 0 ? `at least ${data.at_least}` : looking;
  write(find("laser-fewest", HTMLElement), data.solvable === false || data.sensors === 0 ? "none" : data.fewest === null ? least : String(data.fewest));
  const best = data.level ? levels.best(data.level) : data.best;
  write(find("laser-best", HTMLElement), best ? String(best) : "–");
  const can = { undo: data.made.length > 0, redo: data.taken_back.length > 0, restart: data.made.length > 0 };
  for (const [name, is] of Object.entries(can)) {
    const button = document.querySelector(`#laser-play [data-do=${name}]`);
    // one that has the focus keeps it: it says why it does nothing
    if (button instanceof HTMLButtonElement) button.setAttribute("aria-disabled", String(!is));
  }
  find("laser-before", HTMLButtonElement).disabled = !data.level || !levels.beside(data.level, -1);
  find("laser-next", HTMLButtonElement).disabled = Boolean(data.level) && !levels.beside(data.level, 1);
  showCell(sheet.cursor);
}

/** The move count at which the shown solution still applies; -1 without one. */
let followed = -1;
/**
 * @typedef {object} SolutionStep
 * @property {[number, number, number, number]} step from where to where
 * @property {string} words
 */

/** @type {SolutionStep[]} the rest of the shown solution */
let remainingSteps = [];

/** @param {SolutionStep[]} steps */
function showSolution(steps) {
  remainingSteps = steps;
  followed = steps.length > 0 ? view.moves : -1;
  find("laser-way", HTMLElement).hidden = steps.length === 0;
  find("laser-way-list", HTMLElement).replaceChildren(...steps.map(({ words }) => make("li", {}, words)));
}

find("laser-way-go", HTMLButtonElement).addEventListener("click", () => {
  const [step, ...rest] = remainingSteps;
  if (!step) return;
  remainingSteps = rest;
  followed += 1;
  find("laser-way-list", HTMLElement).firstElementChild?.remove();
  if (rest.length === 0) find("laser-way", HTMLElement).hidden = true;
  const [x, y, to, down] = step.step;
  send(`move ${x},${y} ${to},${down}`);
});

handlers.unopened = (data) => {
  shell.say(`this level cannot be opened: ${data.words}`, { error: true, stays: true });
  if (!view) play({ level: levels.first() });
};
handlers.error = (words) => shell.say(String(words), { error: true });

/** @param {number} by */
function playNeighbour(by) {
  const next = levels.beside(view?.level ?? null, by);
  if (next) {
    go("play");
    play({ level: next });
  } else shell.say(`this is the ${by > 0 ? "last" : "first"} level`, { error: true });
}

/** @param {string} level */
async function link(level) {
  const address = `${new URL(roomAddress("/laser"), location.href)}#b=${await encodeLink(level)}`;
  if (await toClipboard(address)) shell.say("the link is in the clipboard");
  else shell.say(address, { stays: true });
}

const editor = new Editor(socket, shell, {
  play: (drawn) => {
    go("play");
    play({ text: drawn, name: "a level of one's own" });
  },
  link,
});
handlers.drawn = (data) => editor.drawn(data);
handlers.undrawn = (data) => editor.undrawn(data);
handlers.verdict = (data) => editor.judged(data);

/** @param {Mode} to */
function go(to) {
  if (to === mode) return;
  mode = to;
  find("room", HTMLElement).dataset.mode = to;
  for (const button of document.querySelectorAll(".laser-modes [data-mode]")) {
    if (button instanceof HTMLElement) button.setAttribute("aria-pressed", String(button.dataset.mode === to));
  }
  for (const name of ["play", "edit", "make"]) find(`laser-${name}`, HTMLElement).hidden = name !== to;
  find("laser-levels", HTMLElement).hidden = to === "edit";
  find("laser-step", HTMLElement).hidden = to !== "play";
  find("laser-board", HTMLElement).replaceChildren(to === "edit" ? editor.place : place);
  editor.open(to === "edit");
  if (to === "edit") {
    write(find("laser-name", HTMLElement), "a drawing of one's own");
    write(find("laser-about", HTMLElement), "walls, lasers and sensors stay; mirrors, splitters and T-mirrors are what a player moves");
    shell.title("editor");
  } else if (view) showFacts(view);
}

for (const button of document.querySelectorAll(".laser-modes [data-mode]")) {
  button.addEventListener("click", () => go(/** @type {Mode} */ (button instanceof HTMLElement ? button.dataset.mode : "play")));
}
for (const button of document.querySelectorAll("#laser-play [data-do]")) {
  button.addEventListener("click", () => send(button instanceof HTMLElement ? (button.dataset.do ?? "") : ""));
}
find("laser-before", HTMLButtonElement).addEventListener("click", () => playNeighbour(-1));
find("laser-next", HTMLButtonElement).addEventListener("click", () => playNeighbour(1));
find("laser-share", HTMLButtonElement).addEventListener("click", async () => {
  if (!view?.level && view?.solvable === false) return shell.say("this level cannot be solved, so it is not passed on as one", { error: true });
  if (!view?.level) return link(text);
  const address = `${new URL(roomAddress("/laser"), location.href)}?level=${view.level}`;
  if (await toClipboard(address)) shell.say("the link is in the clipboard");
  else shell.say(address, { stays: true });
});
find("laser-take", HTMLButtonElement).addEventListener("click", () => {
  go("edit");
  editor.take(text);
  shell.say("this level is in the editor", { undo: () => editor.undo() });
});

// Levels made to order.

const form = find("make-form", HTMLFormElement);
const words = find("make-words", HTMLElement);
const making = (/** @type {boolean} */ is) => {
  find("make-stop", HTMLButtonElement).disabled = !is;
  find("make-go", HTMLButtonElement).disabled = is;
};
for (const grade of welcome.grades) find("make-grade", HTMLSelectElement).append(make("option", { value: grade }, grade.replace("-", " ")));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const value = (/** @type {string} */ id) => String(/** @type {HTMLInputElement | null} */ (form.querySelector(`#make-${id}`))?.value ?? "");
  const seed = value("seed") === "" ? Math.floor(Math.random() * 1e9) : Number(value("seed"));
  const number = (/** @type {string} */ id) => Number(value(id));
  const recipe = { width: number("width"), height: number("height"), pieces: value("pieces"), walls: number("walls"), seed, difficulty: value("grade") || null };
  if (!socket.send({ generate: recipe })) return;
  making(true);
  write(words, `seed ${seed}: looking`);
});
find("make-stop", HTMLButtonElement).addEventListener("click", () => {
  socket.send({ cancel: true });
  making(false);
  write(words, "stopped");
});
handlers.making = ({ tries, nearest, reached }) => {
  if (!find("make-go", HTMLButtonElement).disabled) return;
  const placed = reached > 0 ? `, ${reached} pieces placed` : "";
  write(words, `${tries} boards begun${placed}${nearest ? `, the nearest was ${nearest}` : ""}`);
};
handlers.made = (data) => {
  if (!find("make-go", HTMLButtonElement).disabled) return;
  making(false);
  write(words, data.words);
  play({ text: data.text, name: `seed ${data.seed}` });
};
handlers.unmade = (data) => {
  making(false);
  write(words, data.words);
};

// A file dropped anywhere is a level for the editor.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  go("edit");
  editor.read(file);
});

find("laser-board", HTMLElement).replaceChildren(place);

/** Opens the level that the address names. */
async function openFromAddress() {
  const shared = new URLSearchParams(location.hash.slice(1)).get("b");
  if (shared) {
    try {
      return await play({ text: await decodeLink(shared), name: "a level from a link" });
    } catch {
      shell.say("the link is damaged: there is no level in it", { error: true });
    }
  }
  return play({ level: new URLSearchParams(location.search).get("level") ?? levels.first() });
}

addEventListener("hashchange", openFromAddress);
await openFromAddress();

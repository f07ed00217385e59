// The level editor: a drawing, its light, and the solver's verdict from the server.

import { find, make, write } from "../element.js";
import { downloadBlob } from "../file.js";
import { recall, remember } from "../storage.js";
import { strokes, UNIT } from "./tile-paths.js";
import { nameOfTile, LaserBoardView } from "./board-view.js";
import { emptyDrawing, levelText, resizedDrawing, rotatedTile } from "./level-text.js";

/** @import { Shell } from "../shared/shell.js" */
/** @import { PageSocket } from "../shared/page-socket.js" */
/** @import { Drawing } from "./level-text.js" */

/**
 * @typedef {object} Verdict
 * @property {number} id
 * @property {boolean} done
 * @property {boolean | null} solvable
 * @property {boolean | null} unique
 * @property {string} words
 */

const KEY = "laser.draft";

/** The length of the undo history. */
const MOST_UNDO = 500;

/** In the order of the keys that choose them. */
const TOOLS = [
  ["W", "."],
  ["L^", "L>", "Lv", "L<"],
  ["S^", "S>", "Sv", "S<"],
  ["M/", "M\\", "B/", "B\\"],
  ["T^", "T>", "Tv", "T<"],
];

/** The editor's keys on the board, with words for help. */
export const EDIT_KEYS = [
  { keys: "w, l, s, m, b, t", words: "the tool: wall, laser, sensor, mirror, splitter, T-mirror; again turns it" },
  { keys: "Enter, Space", words: "put the tool's tile at the cursor; the same tile again turns it" },
  { keys: "Delete, Backspace", words: "empty the tile at the cursor" },
  { keys: "x", words: "turn the tile at the cursor" },
  { keys: "u, r", words: "undo, redo" },
];

export class Editor {
  /** @type {Drawing} */
  drawing = emptyDrawing(9, 8);
  #tool = "W";
  /** @type {Drawing[]} */
  #undo = [];
  /** @type {Drawing[]} */
  #redo = [];
  #id = 0;
  #halves = "";
  /** @type {Verdict | null} */
  verdict = null;
  #isOpen = false;
  /** The tile that the current stroke draws. */
  #stroke = ".";
  /** @type {Map<string, HTMLInputElement>} */
  #tools = new Map();

  /**
   * @param {PageSocket} socket
   * @param {Shell} shell
   * @param {{play: (text: string) => void, link: (text: string) => void}} actions
   */
  constructor(socket, shell, actions) {
    this.socket = socket;
    this.shell = shell;
    this.actions = actions;
    this.place = make("div", { class: "laser-place" });
    this.sheet = new LaserBoardView(this.place, {
      choose: (cell) => this.#put(cell),
      paint: (cell, first) => this.#paint(cell, first),
      here: (cell) => this.#here(cell),
      point: (cell) => this.#here(cell ?? this.sheet.cursor),
      key: (event, cell) => this.#key(event, cell),
    });
    this.#fillTools();
    this.#listen();
    const draft = recall(KEY);
    if (draft) this.#submitText(draft);
  }

  /** @param {boolean} open */
  open(open) {
    this.#isOpen = open;
    if (!open) return;
    this.show();
    this.send();
  }

  /** Sends the drawing to the server, which answers with its light and a verdict. */
  send() {
    this.#id += 1;
    this.verdict = null;
    this.#submitted = null;
    if (this.socket.send({ draft: { id: this.#id, text: levelText(this.drawing) } })) this.#say("looking");
  }

  /** The id of a submitted text that the server has not answered. @type {number | null} */
  #submitted = null;

  /**
   * Submits a text to the server; it becomes the drawing if it is a level.
   * @param {string} text
   */
  #submitText(text) {
    this.#id += 1;
    this.#submitted = this.#id;
    this.verdict = null;
    write(find("edit-error", HTMLElement), "");
    this.socket.send({ draft: { id: this.#id, text } });
  }

  /** @param {string} text */
  take(text) {
    this.#submitText(text);
  }

  /** @param {any} data */
  drawn(data) {
    if (data.id !== this.#id) return;
    if (this.#submitted === data.id) {
      this.#submitted = null;
      this.#change({ width: data.width, height: data.height, tiles: data.tiles }, false);
    }
    this.#halves = data.halves;
    this.show();
  }

  /** @param {{id: number, words: string}} data */
  undrawn(data) {
    if (data.id !== this.#id) return;
    this.#submitted = null;
    write(find("edit-error", HTMLElement), data.words);
    if (this.#isOpen) this.shell.say(`this is no level: ${data.words}`, { error: true });
    // the drawing is unchanged: ask for its verdict again
    this.send();
    write(find("edit-error", HTMLElement), data.words);
  }

  /** @param {Verdict} verdict */
  judged(verdict) {
    if (verdict.id !== this.#id) return;
    this.verdict = verdict;
    this.#say(verdict.words);
  }

  show() {
    const { width, height, tiles } = this.drawing;
    const halves = this.#halves.length === tiles.length ? this.#halves : "0".repeat(tiles.length);
    this.sheet.show({ width, height, tiles, halves });
    const text = find("edit-text", HTMLTextAreaElement);
    if (document.activeElement !== text) text.value = levelText(this.drawing);
    find("edit-width", HTMLInputElement).value = String(width);
    find("edit-height", HTMLInputElement).value = String(height);
    find("edit-undo", HTMLButtonElement).disabled = this.#undo.length === 0;
    find("edit-redo", HTMLButtonElement).disabled = this.#redo.length === 0;
  }

  undo() {
    const before = this.#undo.pop();
    if (!before) return this.shell.say("there is nothing to undo", { error: true });
    this.#redo.push(this.drawing);
    return this.#set(before);
  }

  redo() {
    const next = this.#redo.pop();
    if (!next) return this.shell.say("there is nothing to redo", { error: true });
    this.#undo.push(this.drawing);
    return this.#set(next);
  }

  /** @param {string} words */
  #say(words) {
    const element = find("laser-verdict", HTMLElement);
    write(element, words);
    const { verdict } = this;
    element.dataset.verdict = !verdict ? "" : verdict.solvable === false ? "no" : verdict.unique ? "unique" : verdict.solvable ? "yes" : "";
    element.dataset.done = String(verdict?.done ?? false);
  }

  /**
   * @param {Drawing} drawing
   * @param {boolean} [tells] whether to send it to the server
   */
  #change(drawing, tells = true) {
    this.#undo.push(this.drawing);
    if (this.#undo.length > MOST_UNDO) this.#undo.shift();
    this.#redo = [];
    this.#set(drawing, tells);
  }

  /**
   * @param {Drawing} drawing
   * @param {boolean} [tells]
   */
  #set(drawing, tells = true) {
    this.drawing = drawing;
    remember(KEY, levelText(drawing));
    this.show();
    if (tells) this.send();
  }

  /** @param {number} cell */
  #put(cell) {
    const there = this.drawing.tiles[cell];
    this.#tile(cell, there === this.#tool && this.#tool.length > 1 ? rotatedTile(this.#tool) : this.#tool);
  }

  /**
   * @param {number} cell
   * @param {string} tile
   */
  #tile(cell, tile) {
    if (this.drawing.tiles[cell] === tile) return;
    this.#change({ ...this.drawing, tiles: this.drawing.tiles.map((before, at) => (at === cell ? tile : before)) });
    this.#here(cell);
  }

  /**
   * Drawing over a cell: a wall begun on a wall takes walls away.
   * @param {number} cell
   * @param {boolean} first
   */
  #paint(cell, first) {
    if (first) {
      const same = this.drawing.tiles[cell] === this.#tool;
      this.#stroke = !same ? this.#tool : this.#tool.length > 1 ? rotatedTile(this.#tool) : ".";
      return this.#tile(cell, this.#stroke);
    }
    // a stroke of lasers is hardly meant
    if (this.#stroke.length > 1 || this.drawing.tiles[cell] === this.#stroke) return undefined;
    // undo takes back the whole stroke
    const tiles = this.drawing.tiles.map((before, at) => (at === cell ? this.#stroke : before));
    this.#set({ ...this.drawing, tiles });
    return this.#here(cell);
  }

  /** @param {number} cell */
  #here(cell) {
    if (!this.#isOpen) return;
    const tile = this.drawing.tiles[cell];
    const x = cell % this.drawing.width;
    write(find("laser-here", HTMLElement), tile ? `${x},${Math.floor(cell / this.drawing.width)} ${nameOfTile(tile)}` : "");
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} cell
   */
  #key(event, cell) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "Delete" || key === "Backspace") {
      this.#tile(cell, ".");
      return true;
    }
    if (key === "x") {
      this.#tile(cell, rotatedTile(this.drawing.tiles[cell] ?? "."));
      return true;
    }
    if (/^[wlsmbt]$/.test(key)) {
      const letter = key.toUpperCase();
      this.#choose(this.#tool[0] === letter ? rotatedTile(this.#tool) : letter === "W" ? "W" : `${letter}${"MB".includes(letter) ? "/" : ">"}`);
      return true;
    }
    return false;
  }

  /** @param {string} tool */
  #choose(tool) {
    this.#tool = tool;
    const input = this.#tools.get(tool);
    if (input) input.checked = true;
    this.shell.tell(`tool: ${nameOfTile(tool)}`);
  }

  #fillTools() {
    const place = find("laser-tools", HTMLElement);
    for (const tool of TOOLS.flat()) {
      const input = make("input", {
        type: "radio",
        name: "laser-tool",
        value: tool,
        class: "visually-hidden",
        "aria-label": nameOfTile(tool),
        checked: tool === this.#tool,
        change: () => this.#choose(tool),
      });
      this.#tools.set(tool, input);
      place.append(make("label", { class: "laser-tool", title: nameOfTile(tool) }, input, picture(tool)));
    }
  }

  #listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => find(id, HTMLButtonElement).addEventListener("click", act);
    on("edit-undo", () => this.undo());
    on("edit-redo", () => this.redo());
    on("edit-clear", () => {
      this.#change(emptyDrawing(this.drawing.width, this.drawing.height));
      this.shell.say("a new drawing", { undo: () => this.undo() });
    });
    on("edit-play", () => this.#publish((text) => this.actions.play(text)));
    on("edit-share", () => this.#publish((text) => this.actions.link(text)));
    on("edit-save", () => downloadBlob(new Blob([levelText(this.drawing)], { type: "text/plain" }), "drawing.level"));
    on("edit-take", () => this.#submitText(find("edit-text", HTMLTextAreaElement).value));
    const file = find("edit-file", HTMLInputElement);
    on("edit-open", () => file.click());
    file.addEventListener("change", () => {
      const [first] = file.files ?? [];
      if (first) this.read(first);
      file.value = "";
    });
    for (const id of ["edit-width", "edit-height"]) {
      find(id, HTMLInputElement).addEventListener("change", () => {
        const [width, height] = ["edit-width", "edit-height"].map((one) => {
          const side = Math.round(Number(find(one, HTMLInputElement).value));
          return Math.min(Math.max(side || 1, 1), 64);
        });
        this.#change(resizedDrawing(this.drawing, width ?? 1, height ?? 1));
      });
    }
  }

  /** @param {File} file */
  async read(file) {
    if (file.size > 60_000) {
      this.shell.say("this file is too large for a level here: 64 columns and rows at most", { error: true });
      return;
    }
    this.#submitText(await file.text());
  }

  /**
   * Hands the drawing to `act` unless it is known to be unsolvable.
   * @param {(text: string) => void} act
   */
  #publish(act) {
    const { verdict } = this;
    if (verdict?.solvable === false) {
      this.shell.say(verdict.words.includes("sensor") ? "it has no sensor, so it is no level yet" : "this level cannot be solved, so it is not passed on as one", { error: true });
      return;
    }
    if (!verdict || (verdict.solvable === null && !verdict.done)) {
      this.shell.say("whether it can be solved is not known yet; wait a moment", { error: true });
      return;
    }
    act(levelText(this.drawing));
    if (verdict.solvable === null) this.shell.say("passed on; whether it can be solved is not known");
  }
}

/** A tool's tile, drawn as on the board. @param {string} tile */
function picture(tile) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${UNIT} ${UNIT}`);
  svg.setAttribute("aria-hidden", "true");
  for (const [name, line] of Object.entries(strokes([tile], 1, () => false))) {
    if (!line) continue;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", `laser-${name}`);
    path.setAttribute("d", line);
    svg.append(path);
  }
  return svg;
}

// The puzzle's board on the page: the drawing, and over it a grid of empty cells that are
// pressed, have the focus and are read aloud.

import { make } from "../element.js";
import { setLabel } from "../translation.js";
import { arrow, beams, frame, rules, strokes, UNIT } from "./tile-paths.js";

/**
 * A board as the server sends it.
 * @typedef {object} Board
 * @property {number} width
 * @property {number} height
 * @property {string[]} tiles as a level's file has them
 * @property {string} halves a hexadecimal digit a cell: the half-beams there
 */

/**
 * Marks over the board.
 * @typedef {object} Marks
 * @property {number | null} [selected] the piece in hand
 * @property {[number, number] | null} [hint] from where to where
 */

/**
 * @typedef {object} BoardViewEvents
 * @property {(cell: number) => void} choose clicked, or Enter or Space pressed there
 * @property {(cell: number | null) => void} [point] the pointer is there, or nowhere
 * @property {(cell: number) => boolean} [lifts] whether a drag that begins here takes a piece along
 * @property {(from: number, to: number) => void} [carry] a drag is over a cell
 * @property {(from: number, to: number) => void} [drop]
 * @property {() => void} [dropNowhere]
 * @property {(cell: number, first: boolean) => void} [paint] drawn over: where no drag carries
 * @property {(cell: number) => void} [here] the keyboard's cell has changed
 * @property {(event: KeyboardEvent, cell: number) => boolean} [key] whether it was meant for the cell
 */

/** From the bottom. */
const LAYERS = /** @type {const} */ ([
  "rules", "walls", "edges", "glow", "light", "ghost-glow", "ghost-light", "lasers", "rays", "sensors", "lit", "mirrors",
  "splitters", "tees", "selected", "over", "hint-from", "hint",
]);

const SVG = "http://www.w3.org/2000/svg";

/** The distance in pixels after which a press becomes a drag. */
const DRAG_THRESHOLD = 5;

/** Tile names for screen readers. @type {Map<string, string>} */
const names = new Map();

/** @param {{text: string, name: string}[]} tiles */
export function nameTiles(tiles) {
  for (const { text, name } of tiles) names.set(text, name);
}

/** @param {string} tile */
export function nameOfTile(tile) {
  return names.get(tile) ?? tile;
}

/** From this many rows or columns on, each fifth has its number. */
const MANY_LINES = 24;

/** The numbers of a board's columns or rows. @param {number} count */
function ruler(count) {
  const step = count < MANY_LINES ? 1 : 5;
  return Array.from({ length: count }, (_, at) => make("span", {}, at % step === 0 ? String(at) : ""));
}

export class LaserBoardView {
  /** @type {Board} */
  board = { width: 0, height: 0, tiles: [], halves: "" };
  cursor = 0;
  /** @type {Map<string, SVGPathElement>} */
  #layers = new Map();
  #svg = document.createElementNS(SVG, "svg");
  /** The numbers of columns and rows; each cell says its own to screen readers. */
  #rulers = {
    columns: make("div", { class: "laser-ruler is-columns", "aria-hidden": "true" }),
    rows: make("div", { class: "laser-ruler is-rows", "aria-hidden": "true" }),
  };
  #grid;
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {{cell: number, x: number, y: number, id: number, lifts: boolean, moved: boolean, last: number} | null} */
  #press = null;

  /**
   * @param {HTMLElement} place
   * @param {BoardViewEvents} events
   */
  constructor(place, events) {
    this.place = place;
    this.events = events;
    this.#svg.setAttribute("class", "laser-drawing");
    this.#svg.setAttribute("aria-hidden", "true");
    this.#svg.innerHTML =
      '<defs><pattern id="laser-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v8" class="laser-hatch"/></pattern></defs>';
    for (const layer of LAYERS) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", `laser-${layer}`);
      this.#svg.append(path);
      this.#layers.set(layer, path);
    }
    this.#grid = make("div", { class: "laser-grid", role: "grid", "aria-label": "level" });
    place.replaceChildren(make("div", { class: "laser-paper" }, this.#svg, ...Object.values(this.#rulers), this.#grid));
    this.#listen();
  }

  /**
   * @param {Board} board
   * @param {Marks} [marks]
   */
  show(board, marks = {}) {
    const before = this.board;
    this.board = board;
    const { width, height, tiles, halves } = board;
    const resized = before.width !== width || before.height !== height;
    if (resized) this.#rebuild();
    const lines = strokes(tiles, width, (cell) => (halves[cell] ?? "0") !== "0");
    for (const [name, path] of Object.entries(lines)) this.#draw(name, path);
    const light = beams(halves, width);
    this.#draw("light", light);
    this.#draw("glow", light);
    this.#showPreview(null);
    const { selected = null, hint = null } = marks;
    this.#draw("selected", selected === null ? "" : frame(selected, width, 2.500));
    this.#draw("hint", hint ? arrow(hint[0], hint[1], width) + frame(hint[1], width, 3) : "");
    this.#draw("hint-from", hint ? frame(hint[0], width, 3) : "");
    tiles.forEach((tile, cell) => {
      const element = this.#cells[cell];
      if (!element) return;
      const x = cell % width;
      const y = Math.floor(cell / width);
      const isDark = (halves[cell] ?? "0") === "0";
      const light = tile === "W" || tile[0] === "L" ? "" : tile[0] === "S" ? (isDark ? ", dark" : ", lit") : isDark ? "" : ", light";
      const said = [
        `${x},${y} ${nameOfTile(tile)}${light}`,
        cell === selected ? "in hand" : "",
        hint && cell === hint[0] ? "hint: from here" : "",
        hint && cell === hint[1] ? "hint: to here" : "",
      ];
      const label = said.filter(Boolean).join(", ");
      setLabel(element, "aria-label", label);
      const is = (/** @type {string} */ name, /** @type {boolean} */ on) => {
        if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
      };
      is("is-piece", "MBT".includes(tile[0] ?? "."));
      const chosen = String(cell === selected);
      if (element.getAttribute("aria-selected") !== chosen) element.setAttribute("aria-selected", chosen);
    });
  }

  /**
   * The light that a move would give, over the board as it stands.
   * @param {{halves: string, tiles: string[], to: number} | null} preview
   */
  preview(preview) {
    this.#showPreview(preview);
  }

  /** @param {number} cell */
  go(cell, focus = true) {
    const before = this.#cells[this.cursor];
    const next = this.#cells[cell];
    if (!next) return;
    if (before) before.tabIndex = -1;
    next.tabIndex = 0;
    this.cursor = cell;
    if (focus) next.focus({ preventScroll: false });
    this.events.here?.(cell);
  }

  focus() {
    this.#cells[this.cursor]?.focus();
  }

  get hasFocus() {
    return this.#grid.contains(document.activeElement);
  }

  /** @param {{halves: string, tiles: string[], to: number} | null} preview */
  #showPreview(preview) {
    const { width } = this.board;
    const path = preview ? beams(preview.halves, width) : "";
    this.#draw("ghost-light", path);
    this.#draw("ghost-glow", path);
    this.#draw("over", preview ? frame(preview.to, width, 2.500) : "");
    this.place.classList.toggle("is-preview", preview !== null);
    if (!preview) return;
    const lines = strokes(preview.tiles, width, (cell) => (preview.halves[cell] ?? "0") !== "0");
    for (const name of ["mirrors", "splitters", "tees", "lit"]) this.#draw(name, lines[/** @type {"lit"} */ (name)]);
  }

  /** Back to the board's own pieces after a preview. */
  clearPreview() {
    if (!this.place.classList.contains("is-preview")) return;
    const { tiles, width, halves } = this.board;
    const lines = strokes(tiles, width, (cell) => (halves[cell] ?? "0") !== "0");
    for (const name of ["mirrors", "splitters", "tees", "lit"]) this.#draw(name, lines[/** @type {"lit"} */ (name)]);
    this.#showPreview(null);
  }

  #rebuild() {
    const { width, height } = this.board;
    this.#svg.setAttribute("viewBox", `-1 -1 ${width * UNIT + 2} ${height * UNIT + 2}`);
    this.place.style.setProperty("--columns", String(width));
    this.place.style.setProperty("--rows", String(height));
    this.#draw("rules", rules(width, height));
    this.#rulers.columns.replaceChildren(...ruler(width));
    this.#rulers.rows.replaceChildren(...ruler(height));
    this.cursor = Math.min(this.cursor, width * height - 1);
    const had = this.hasFocus;
    this.#cells = [];
    const rows = [];
    for (let y = 0; y < height; y += 1) {
      const cells = [];
      for (let x = 0; x < width; x += 1) {
        const cell = make("div", { class: "laser-cell", role: "gridcell", tabindex: "-1", "data-cell": y * width + x });
        cells.push(cell);
        this.#cells.push(cell);
      }
      rows.push(make("div", { class: "laser-row", role: "row" }, ...cells));
    }
    this.#grid.replaceChildren(...rows);
    this.go(Math.max(0, this.cursor), had);
  }

  /**
   * @param {string} name
   * @param {string} path
   */
  #draw(name, path) {
    const layer = this.#layers.get(name);
    if (layer && layer.getAttribute("d") !== path) layer.setAttribute("d", path);
  }

  /** @param {{clientX: number, clientY: number}} at */
  #cellAt({ clientX, clientY }) {
    const box = this.#grid.getBoundingClientRect();
    const { width, height } = this.board;
    const x = Math.floor(((clientX - box.left) / box.width) * width);
    const y = Math.floor(((clientY - box.top) / box.height) * height);
    return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : null;
  }

  /**
   * The cells of a straight line after the first: a fast pointer skips some.
   * @param {number} from
   * @param {number} to
   */
  #between(from, to) {
    const { width } = this.board;
    const [ax, ay] = [from % width, Math.floor(from / width)];
    const [bx, by] = [to % width, Math.floor(to / width)];
    const steps = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      return Math.round(ay + (by - ay) * part) * width + Math.round(ax + (bx - ax) * part);
    });
  }

  #listen() {
    const grid = this.#grid;
    const { events } = this;
    grid.addEventListener("pointerdown", (event) => {
      const cell = this.#cellAt(event);
      if (cell === null || event.button !== 0) return;
      event.preventDefault();
      this.go(cell);
      const lifts = events.lifts?.(cell) ?? false;
      this.#press = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, lifts, moved: false, last: cell };
      if (lifts || events.paint) grid.setPointerCapture(event.pointerId);
      events.paint?.(cell, true);
    });
    grid.addEventListener("pointermove", (event) => {
      const cell = this.#cellAt(event);
      const press = this.#press;
      if (!press || press.id !== event.pointerId) {
        if (event.pointerType === "mouse") events.point?.(cell);
        return;
      }
      if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_THRESHOLD) return;
      press.moved = true;
      if (cell === null || cell === press.last) return;
      const from = press.last;
      press.last = cell;
      if (press.lifts) {
        events.carry?.(press.cell, cell);
        this.place.classList.add("is-carrying");
      } else for (const one of this.#between(from, cell)) events.paint?.(one, false);
    });
    const end = (/** @type {PointerEvent} */ event) => {
      const press = this.#press;
      if (!press || press.id !== event.pointerId) return;
      this.#press = null;
      this.place.classList.remove("is-carrying");
      const cell = this.#cellAt(event);
      if (event.type === "pointercancel") return events.dropNowhere?.();
      if (events.paint) return undefined;
      if (cell === press.cell) {
        if (press.moved && press.last !== press.cell) return events.dropNowhere?.();
        return events.choose(press.cell);
      }
      if (press.lifts && cell !== null) return events.drop?.(press.cell, cell);
      return events.dropNowhere?.();
    };
    grid.addEventListener("pointerup", end);
    grid.addEventListener("pointercancel", end);
    grid.addEventListener("pointerleave", () => {
      if (!this.#press) events.point?.(null);
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("focusin", () => this.place.classList.add("has-focus"));
    grid.addEventListener("focusout", () => this.place.classList.remove("has-focus"));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { width, height } = this.board;
    const [x, y] = [this.cursor % width, Math.floor(this.cursor / width)];
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const to = (/** @type {number} */ column, /** @type {number} */ row) => {
      done();
      const cell = Math.min(Math.max(row, 0), height - 1) * width + Math.min(Math.max(column, 0), width - 1);
      this.go(cell);
    };
    if (this.events.key?.(event, this.cursor)) return done();
    switch (event.key) {
      case "ArrowLeft":
        return to(x - 1, y);
      case "ArrowRight":
        return to(x + 1, y);
      case "ArrowUp":
        return to(x, y - 1);
      case "ArrowDown":
        return to(x, y + 1);
      case "Home":
        return to(0, y);
      case "End":
        return to(width - 1, y);
      case "Enter":
      case " ":
        done();
        return this.events.choose(this.cursor);
      case "Tab": {
        // from piece to piece, and on from the last one
        const cells = this.board.tiles.map((_, cell) => cell).filter((cell) => "MBT".includes(this.board.tiles[cell]?.[0] ?? "."));
        const next = event.shiftKey
          ? cells.filter((cell) => cell < this.cursor).at(-1)
          : cells.find((cell) => cell > this.cursor);
        if (next === undefined) return undefined;
        done();
        return this.go(next);
      }
      default:
        return undefined;
    }
  }
}

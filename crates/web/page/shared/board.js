// A game board, drawn from a diagram (src/pages/board.rs). It knows no game: the caller decides
// what choosing a cell does.
//
// Each layer is one SVG path over the whole board, so a board of any size has some twenty drawn
// elements and a turn changes a few attributes. (One element per piece was slower: thirty
// running boards of 19 by 19 have ten thousand.) A grid of empty cells over the drawing takes
// clicks and focus and is read by screen readers; a compact board has no such grid.

import { make } from "../element.js";
import { corners, cross, dot, piece, ring, square, isBlackAndWhite, isPencilled, UNIT } from "./board-paths.js";
import { setLabel } from "../translation.js";

/**
 * @typedef {object} Diagram
 * @property {string[]} columns labels from the left
 * @property {string[]} rows labels from the top
 * @property {string} cells a sign a cell, row by row from the top: `.`, `1` or `2`
 * @property {string} goals `1` for a cell that is worth something, else `0`; or nothing at all
 * @property {[string, string]} signs the seats' letters in text
 * @property {[string, string]} names what people call the seats: "black", "white"
 * @property {number[]} winning the cells that won the game
 * @property {{name: string, values: [string, string]}[]} facts what each seat has besides
 */

/** @typedef {"placed" | "born" | "died" | "turned"} Change */

/**
 * Marks shown besides the pieces; omitted ones are not shown.
 * @typedef {object} Extras
 * @property {Iterable<number>} [last] cells that the last turn changed
 * @property {number | null} [move] the cell that the last move chose
 * @property {{cells: string, changes: [number, Change][]} | null} [preview] what a move would
 *   lead to: the whole board's cells then, and those that differ. What is put somewhere may be
 *   told to die or to change sides there besides
 * @property {0 | 1} [mover] whose move the preview is
 * @property {{column: number, cells: ReadonlySet<number>, seat: 0 | 1} | null} [marked] a column
 *   that is being filled in, and the cells of the board that are marked in it
 * @property {ReadonlySet<number> | null} [legal] cells that can be chosen; null for all
 * @property {number | null} [hint] a cell to look at
 */

/**
 * @typedef {object} BoardOptions
 * @property {string} [label] what a screen reader calls it
 * @property {boolean} [compact] small and for looking only: no labels, nothing to press. It is
 *   as wide as its place
 * @property {(cell: number) => void} [choose] a cell was clicked, or Enter or Space pressed on it
 * @property {(cell: number | null) => void} [point] the pointer or the keyboard is on a cell, or
 *   on none any more
 * @property {() => number} [tallest] how high it may be at most, in pixels
 * @property {number} [largest] of a cell, in pixels
 */

/** A cell that is smaller than this many pixels is pointed at by one touch and chosen by a second. */
const TOUCH_TARGET = 28;

/** In pixels. */
const LARGEST_CELL = 128;

/** @typedef {"goals" | "last" | "winning" | "rules" | "first" | "second" | "ticks" | "move" | "moved" | "ghost-first" | "ghost-second" | "marked-first" | "marked-second" | "ring" | "cross" | "column" | "legal" | "hint"} Layer */

/** From the bottom. @type {Layer[]} */
const LAYERS = [
  "goals", "last", "winning", "rules", "column", "legal", "first", "second", "ticks", "move", "moved",
  "ghost-first", "ghost-second", "marked-first", "marked-second", "ring", "cross", "hint",
];

export class Board {
  /** @type {Diagram | null} */
  #diagram = null;
  /** @type {Extras} */
  #extras = {};
  /** @type {Map<Layer, SVGPathElement>} */
  #layers = new Map();
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {string[]} what each cell's label was made from: only changed labels are rewritten */
  #labelKeys = [];
  /** The cell with tabindex 0 (roving tabindex). */
  #stop = 0;
  /** Whether a person has put the focus somewhere: it stays there. */
  #isVisited = false;
  /** @type {number | null} */
  #touched = null;
  #size = 0;
  #shape = "";
  /** @type {ResizeObserver | null} */
  #observer = null;

  /**
   * @param {HTMLElement} place its width is how wide the board may be
   * @param {BoardOptions} [options]
   */
  constructor(place, options = {}) {
    this.place = place;
    this.options = options;
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("class", "board-drawing");
    this.root = make("div", { class: options.compact ? "board is-compact" : "board" });
    place.append(this.root);
    if (options.compact) {
      this.svg.setAttribute("role", "img");
      setLabel(this.svg, "aria-label", options.label ?? "board");
      this.root.append(this.svg);
      return;
    }
    this.svg.setAttribute("aria-hidden", "true");
    this.columns = make("div", { class: "board-columns", "aria-hidden": "true" });
    this.rows = make("div", { class: "board-rows", "aria-hidden": "true" });
    this.grid = make("div", { class: "board-cells", role: "grid", "aria-label": options.label ?? "board" });
    this.root.append(this.columns, this.rows, make("div", { class: "board-paper" }, this.svg, this.grid));
    this.#listen(this.grid);
    this.#observer = new ResizeObserver(() => this.fit());
    this.#observer.observe(place);
    addEventListener("resize", this.fit);
  }

  /** Removes the board from the page. */
  remove() {
    this.#observer?.disconnect();
    removeEventListener("resize", this.fit);
    this.root.remove();
  }

  /** @param {string} label */
  set label(label) {
    setLabel(this.grid ?? this.svg, "aria-label", label);
  }

  /** Whether a cell has the focus. */
  get hasFocus() {
    return this.grid?.contains(document.activeElement) ?? false;
  }

  /**
   * Draws a diagram.
   * @param {Diagram} diagram
   * @param {Extras} [extras]
   */
  show(diagram, extras = {}) {
    if (diagram.cells !== this.#diagram?.cells) this.#touched = null;
    const shape = `${diagram.columns.join()}/${diagram.rows.join()}/${diagram.goals}`;
    this.#diagram = diagram;
    this.#extras = extras;
    if (shape !== this.#shape) this.#layOut(diagram, shape);
    // who fills in a column begins in it
    if (extras.marked && !this.#isVisited) this.#setStop(Math.floor(diagram.rows.length / 2) * diagram.columns.length + extras.marked.column);
    this.#draw(diagram, extras);
    this.#labelCells(diagram, extras);
  }

  /**
   * The same board with other marks on it.
   * @param {Extras} extras in place of those that were shown
   */
  mark(extras) {
    if (this.#diagram) this.show(this.#diagram, extras);
  }

  /**
   * A cell as a move names it: its column's label, then its row's.
   * @param {number} cell
   */
  text(cell) {
    return this.#diagram ? cellText(this.#diagram, cell) : "";
  }

  /**
   * Gives a cell the focus; the one that had it last where none is named.
   * @param {number} [cell]
   */
  focus(cell = this.#stop) {
    this.#focusCell(Math.min(cell, this.#cells.length - 1));
  }

  /** Fits the cell size to the available space, in whole pixels. */
  fit = () => {
    const diagram = this.#diagram;
    if (!diagram || this.options.compact || !this.columns || !this.rows) return;
    const [wide, high] = [diagram.columns.length, diagram.rows.length];
    const longest = Math.max(...diagram.rows.map((label) => label.length));
    const room = { width: this.place.clientWidth, height: this.options.tallest?.() ?? Infinity };
    if (room.width === 0) return;
    let size = 0;
    let gutter = 0;
    // labels are smaller where cells are, which leaves more room for cells
    for (const font of [12, 10, 9]) {
      gutter = Math.ceil(longest * font * 0.6) + 6;
      const beside = Math.floor((room.width - gutter - 2) / wide);
      const below = Math.floor((room.height - font - 10) / high);
      size = Math.max(8, Math.min(beside, below, this.options.largest ?? LARGEST_CELL));
      this.root.style.setProperty("--label", `${font}px`);
      if (size >= font * 1.8) break;
    }
    this.#size = size;
    this.root.style.setProperty("--cell", `${size}px`);
    this.root.style.setProperty("--gutter", `${gutter}px`);
  };

  /**
   * Rebuilds the layers and cells for a board of another shape.
   * @param {Diagram} diagram
   * @param {string} shape
   */
  #layOut(diagram, shape) {
    this.#shape = shape;
    const [wide, high] = [diagram.columns.length, diagram.rows.length];
    this.svg.setAttribute("viewBox", `0 0 ${wide * UNIT} ${high * UNIT}`);
    this.#layers = new Map();
    const paths = LAYERS.map((layer) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("class", `board-${layer}`);
      this.#layers.set(layer, path);
      return path;
    });
    this.svg.replaceChildren(...paths);
    let rules = "";
    for (let x = 1; x < wide; x++) rules += `M${x * UNIT} 0V${high * UNIT}`;
    for (let y = 1; y < high; y++) rules += `M0 ${y * UNIT}H${wide * UNIT}`;
    this.#layer("rules", rules);
    const goals = [...diagram.goals].flatMap((goal, cell) => (goal === "1" ? [cell] : []));
    this.#layer("goals", goals.map((cell) => square(cell, wide, 0)).join(""));
    this.#layer("ticks", goals.map((cell) => corners(cell, wide)).join(""));
    if (!this.grid || !this.columns || !this.rows) return;
    this.root.style.setProperty("--wide", String(wide));
    this.root.style.setProperty("--high", String(high));
    this.columns.replaceChildren(...diagram.columns.map((label) => make("span", {}, label)));
    this.rows.replaceChildren(...diagram.rows.map((label) => make("span", {}, label)));
    this.#labelKeys = [];
    this.#touched = null;
    this.#isVisited = false;
    this.#cells = Array.from({ length: wide * high }, () => make("div", { class: "board-cell", role: "gridcell", tabindex: -1 }));
    const rows = diagram.rows.map((_, row) =>
      make("div", { class: "board-row", role: "row" }, ...this.#cells.slice(row * wide, (row + 1) * wide)),
    );
    this.grid.replaceChildren(...rows);
    // the middle is where most games begin
    this.#stop = Math.floor(high / 2) * wide + Math.floor(wide / 2);
    this.#cells[this.#stop].tabIndex = 0;
    this.fit();
  }

  /**
   * @param {Layer} layer
   * @param {string} path
   */
  #layer(layer, path) {
    const element = this.#layers.get(layer);
    if (element && element.getAttribute("d") !== path) element.setAttribute("d", path);
  }

  /**
   * @param {Diagram} diagram
   * @param {Extras} extras
   */
  #draw(diagram, extras) {
    const wide = diagram.columns.length;
    const pencilled = isPencilled(diagram);
    this.svg.classList.toggle("is-pencilled", pencilled);
    this.svg.classList.toggle("is-black-and-white", isBlackAndWhite(diagram));
    const all = (/** @type {Iterable<number>} */ cells, /** @type {(cell: number) => string} */ one) => Array.from(cells, one).join("");
    const of = (/** @type {string} */ cells, /** @type {string} */ sign) => [...cells].flatMap((at, cell) => (at === sign ? [cell] : []));
    const put = (/** @type {number} */ seat) => (/** @type {number} */ cell) => piece(cell, wide, seat, diagram);
    const preview = extras.preview ?? null;
    const cellsOf = (/** @type {Change} */ what) => new Set((preview?.changes ?? []).flatMap(([cell, change]) => (change === what ? [cell] : [])));
    const [placed, born, died, turned] = [cellsOf("placed"), cellsOf("born"), cellsOf("died"), cellsOf("turned")];
    // what changes sides is drawn as it will be, and not as it is
    this.#layer("first", all(of(diagram.cells, "1").filter((cell) => !turned.has(cell)), put(0)));
    this.#layer("second", all(of(diagram.cells, "2").filter((cell) => !turned.has(cell)), put(1)));
    const ghosts = new Set([...placed, ...born, ...turned]);
    const then = (/** @type {number} */ cell) => (died.has(cell) ? (extras.mover ?? 0) : Number(preview?.cells[cell]) - 1);
    this.#layer("ghost-first", all([...ghosts].filter((cell) => then(cell) === 0), put(0)));
    this.#layer("ghost-second", all([...ghosts].filter((cell) => then(cell) === 1), put(1)));
    this.#layer("ring", all(new Set([...placed, ...turned]), (cell) => ring(cell, wide)));
    this.#layer("cross", all(died, (cell) => cross(cell, wide)));
    this.#layer("last", all(extras.last ?? [], (cell) => square(cell, wide, 0)));
    this.#layer("winning", all(diagram.winning, (cell) => square(cell, wide, 1)));
    const move = extras.move ?? null;
    const gone = move !== null && diagram.cells[move] === ".";
    this.#layer("move", move !== null && !gone ? dot(move, wide, false, pencilled) : "");
    // what was put there and did not stay
    this.#layer("moved", move !== null && gone ? dot(move, wide, false, false) : "");
    this.#layer("hint", typeof extras.hint === "number" ? ring(extras.hint, wide) : "");
    const marked = extras.marked ?? null;
    const planned = marked ? all(marked.cells, put(marked.seat)) : "";
    this.#layer("marked-first", marked?.seat === 0 ? planned : "");
    this.#layer("marked-second", marked?.seat === 1 ? planned : "");
    const [left, high] = [(marked?.column ?? 0) * UNIT, diagram.rows.length * UNIT];
    this.#layer("column", marked ? `M${left} 0h${UNIT}v${high}h${-UNIT}z` : "");
    const legal = extras.legal ?? null;
    // not shown where every empty cell is legal
    const some = legal !== null && legal.size > 0 && legal.size < of(diagram.cells, ".").length;
    this.#layer("legal", some && !preview ? all(legal, (cell) => dot(cell, wide, true, false)) : "");
  }

  /**
   * Sets the cells' screen reader labels and marks those that can be chosen.
   * @param {Diagram} diagram
   * @param {Extras} extras
   */
  #labelCells(diagram, extras) {
    if (this.#cells.length === 0) return;
    const { preview, marked, legal } = extras;
    /** @type {Map<number, string>} */
    const changes = new Map();
    for (const [cell, what] of preview?.changes ?? []) {
      changes.set(cell, [changes.get(cell), CHANGE_WORDS[what]].filter(Boolean).join(", "));
    }
    const wide = diagram.columns.length;
    if (marked) this.grid?.setAttribute("aria-multiselectable", "true");
    else this.grid?.removeAttribute("aria-multiselectable");
    for (const [index, cell] of this.#cells.entries()) {
      const here = marked && index % wide === marked.column ? (marked.cells.has(index) ? "marked" : "free") : "";
      const open = this.options.choose && (legal?.has(index) ?? (marked ? here !== "" : true));
      const change = changes.get(index) ?? "";
      const key = `${diagram.cells[index]}${here}${open ? "+" : "-"}${change}${extras.move === index ? "!" : ""}${diagram.winning.includes(index) ? "w" : ""}${diagram.signs.join("")}`;
      if (key === this.#labelKeys[index]) continue;
      this.#labelKeys[index] = key;
      setLabel(cell, "aria-label", [...cellWords(diagram, index), ...(extras.move === index ? ["last move"] : []), ...(change ? [change] : [])].join(", "));
      cell.classList.toggle("is-open", open === true);
      if (here) cell.setAttribute("aria-selected", String(here === "marked"));
      else cell.removeAttribute("aria-selected");
    }
  }

  /** @param {HTMLElement} grid */
  #listen(grid) {
    const at = (/** @type {Event} */ event) => (event.target instanceof HTMLElement ? this.#cells.indexOf(event.target) : -1);
    const point = (/** @type {number | null} */ cell) => this.options.point?.(cell);
    grid.addEventListener("click", (event) => {
      const cell = at(event);
      if (cell < 0) return;
      this.#focusCell(cell);
      const byTouch = event instanceof PointerEvent && event.pointerType === "touch";
      if (byTouch && this.options.point && !this.#extras.marked && this.#size < TOUCH_TARGET && this.#touched !== cell) {
        this.#touched = cell;
        point(cell);
        return;
      }
      this.#touched = null;
      this.options.choose?.(cell);
    });
    grid.addEventListener("pointerover", (event) => {
      const cell = at(event);
      if (event.pointerType !== "touch" && cell >= 0) point(cell);
    });
    grid.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") point(null);
    });
    grid.addEventListener("focusin", (event) => {
      const cell = at(event);
      if (cell >= 0 && this.#cells[cell].matches(":focus-visible")) point(cell);
    });
    grid.addEventListener("focusout", (event) => {
      if (event.relatedTarget instanceof Node && grid.contains(event.relatedTarget)) return;
      // a finger that leaves for a button means the cell that it touched before
      if (this.#touched === null) point(null);
    });
    grid.addEventListener("keydown", (event) => {
      const cell = at(event);
      const to = cell < 0 ? null : this.#keyTarget(event, cell);
      if (to !== null) {
        event.preventDefault();
        this.#focusCell(to);
        point(to);
      } else if (cell >= 0 && (event.key === "Enter" || event.key === " ") && this.options.choose) {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        this.options.choose(cell);
      }
    });
  }

  /**
   * The cell that a navigation key moves to, or null.
   * @param {KeyboardEvent} event
   * @param {number} cell
   * @returns {number | null}
   */
  #keyTarget(event, cell) {
    const diagram = this.#diagram;
    if (!diagram || event.altKey) return null;
    const [wide, high] = [diagram.columns.length, diagram.rows.length];
    const [x, y] = [cell % wide, Math.floor(cell / wide)];
    const far = event.ctrlKey || event.metaKey;
    const within = (/** @type {number} */ x, /** @type {number} */ y) => Math.max(0, Math.min(high - 1, y)) * wide + Math.max(0, Math.min(wide - 1, x));
    switch (event.key) {
      case "ArrowLeft":
        return within(x - 1, y);
      case "ArrowRight":
        return within(x + 1, y);
      case "ArrowUp":
        return within(x, y - 1);
      case "ArrowDown":
        return within(x, y + 1);
      case "Home":
        return within(0, far ? 0 : y);
      case "End":
        return within(wide - 1, far ? high - 1 : y);
      case "PageUp":
        return within(x, 0);
      case "PageDown":
        return within(x, high - 1);
      default:
        return null;
    }
  }

  /** @param {number} cell */
  #focusCell(cell) {
    if (!this.#cells[cell]) return;
    this.#isVisited = true;
    this.#setStop(cell);
    this.#cells[cell].focus({ preventScroll: false });
  }

  /** @param {number} cell */
  #setStop(cell) {
    this.#cells[this.#stop]?.setAttribute("tabindex", "-1");
    this.#stop = cell;
    this.#cells[cell]?.setAttribute("tabindex", "0");
  }
}

/** @type {Record<Change, string>} */
const CHANGE_WORDS = {
  placed: "would be put here",
  born: "would be born",
  died: "would die",
  turned: "would change sides",
};

/**
 * @param {Diagram} diagram
 * @param {number} cell
 */
export function cellText(diagram, cell) {
  const wide = diagram.columns.length;
  return `${diagram.columns[cell % wide]}${diagram.rows[Math.floor(cell / wide)]}`;
}

/**
 * The cell that a move's text names, or null.
 * @param {Diagram} diagram
 * @param {string} text
 */
export function cellOf(diagram, text) {
  const wide = diagram.columns.length;
  for (const [x, column] of diagram.columns.entries()) {
    if (!text.startsWith(column)) continue;
    const y = diagram.rows.indexOf(text.slice(column.length));
    if (y >= 0) return y * wide + x;
  }
  return null;
}

/**
 * The word for a seat's pieces.
 * @param {Diagram} diagram
 * @param {0 | 1} seat
 */
export function signWord(diagram, seat) {
  return diagram.names[seat];
}

/**
 * @param {Diagram} diagram
 * @param {number} cell
 */
function cellWords(diagram, cell) {
  const at = diagram.cells[cell];
  const wide = diagram.columns.length;
  // "d4" is a name; "0" and "3" beside each other are not
  const numbers = /^\d/.test(diagram.columns[0]);
  const [column, row] = [diagram.columns[cell % wide], diagram.rows[Math.floor(cell / wide)]];
  const words = [numbers ? `column ${column} row ${row}` : `${column}${row}`];
  words.push(at === "." ? "empty" : signWord(diagram, at === "1" ? 0 : 1));
  if (diagram.goals[cell] === "1") words.push("goal");
  if (diagram.winning.includes(cell)) words.push("in the winning row");
  return words;
}

/**
 * A seat's piece by itself, to stand beside its name.
 * @param {Diagram} diagram
 * @param {0 | 1} seat
 */
export function seatSign(diagram, seat) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "seat-sign board-drawing");
  svg.classList.toggle("is-pencilled", isPencilled(diagram));
  svg.classList.toggle("is-black-and-white", isBlackAndWhite(diagram));
  svg.setAttribute("viewBox", `0 0 ${UNIT} ${UNIT}`);
  svg.setAttribute("role", "img");
  setLabel(svg, "aria-label", signWord(diagram, seat));
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("class", seat === 0 ? "board-first" : "board-second");
  path.setAttribute("d", piece(0, 1, seat, diagram));
  svg.append(path);
  return svg;
}

// Entering a move: one cell is chosen, or the cells of a column are marked and sent. It knows
// no rule: the server validates moves and computes previews.

import { make, write } from "../element.js";
import { cellOf } from "../shared/board.js";

/** @import { Change, Diagram } from "../shared/board.js" */
/** @import { Preview, Seat, Table } from "./table-connection.js" */

/** How long the pointer has to rest on a cell before a preview is requested. */
const HOVER_MS = 70;

/**
 * @typedef {object} MoveInputActions
 * @property {(text: string) => Promise<boolean>} move whether it was one
 * @property {(text: string) => Promise<Preview>} look what would come of it
 * @property {() => void} marked the board has to be redrawn
 * @property {(words: string) => void} tell announces to screen readers
 */

export class MoveInput {
  /** @type {Set<number>} cells of the column, in the board that is shown */
  marks = new Set();
  /** @type {Preview | null} */
  preview = null;
  /** @type {number | null} the cell that is pointed at */
  #at = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;
  /** @type {Map<string, Promise<Preview | null>>} for the position that is on the board */
  #previews = new Map();
  /** @type {{table: Table, seat: Seat, diagram: Diagram} | null} whose turn it is to put something in */
  #now = null;
  #position = "";
  #sending = false;

  /** @param {MoveInputActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.words = make("span", { class: "hand-words" });
    this.send = make("button", { type: "button", class: "strong", id: "send-column", title: "send (Ctrl-Enter)", click: () => this.sendColumn() }, "send");
    this.clear = make("button", { type: "button", id: "clear-column", click: () => this.#clear() }, "clear");
    this.put = make("button", { type: "button", class: "strong", id: "put-cell", click: () => this.#put() }, "put it here");
    this.root = make("div", { class: "hand" }, this.words, this.put, this.clear, this.send);
  }

  /**
   * @param {Table} table
   * @param {Seat | null} seat who is at this page, where the board is as it is now and shows
   *   that seat's view; else null
   * @param {Diagram} diagram
   */
  show(table, seat, diagram) {
    const position = `${table.history.length}/${table.history.at(-1)}`;
    if (position !== this.#position) {
      this.#position = position;
      this.#previews.clear();
      this.preview = null;
      this.marks.clear();
      this.#sending = false;
    }
    const word = seat === 0 ? "first" : "second";
    const asked = seat !== null && (table.turn === word || table.turn === "both") && table.outcome === null;
    this.#now = asked && !table.moved[seat] ? { table, seat, diagram } : null;
    if (!this.#now) this.preview = null;
    const column = this.column(table);
    const isColumn = column !== null && asked;
    this.send.hidden = this.clear.hidden = !isColumn;
    this.send.disabled = !this.#now || this.#sending;
    this.clear.disabled = !this.#now || this.marks.size === 0;
    this.put.hidden = true;
    if (isColumn) write(this.words, this.#columnWords(table, seat, diagram));
    else if (this.#now && this.preview) this.#previewWords();
    else write(this.words, this.#now ? "" : (this.#waiting(table, seat) ?? ""));
    // looked at again, since another position is on the board now
    if (this.#now && !this.preview && this.#at !== null && column === null) this.point(this.#at);
  }

  /** @param {Table} table */
  column(table) {
    return typeof table.input === "object" ? table.input.column : null;
  }

  /** Whether something can be put in now. */
  get isOpen() {
    return this.#now !== null;
  }

  /** What the board is to mark. */
  get marked() {
    const now = this.#now;
    const column = now && this.column(now.table);
    return now && typeof column === "number" ? { column, cells: this.marks, seat: now.seat } : null;
  }

  /** @returns {ReadonlySet<number> | null} */
  get legal() {
    const now = this.#now;
    if (!now?.table.moves || this.column(now.table) !== null) return null;
    return new Set(now.table.moves.flatMap((move) => cellOf(now.diagram, move) ?? []));
  }

  /**
   * A cell was chosen.
   * @param {number} cell
   * @param {string} text
   */
  async choose(cell, text) {
    const now = this.#now;
    if (!now || this.#sending) return;
    const column = this.column(now.table);
    if (column === null) {
      await this.#move(text);
    } else if (cell % now.diagram.columns.length === column) {
      if (!this.marks.delete(cell)) this.marks.add(cell);
      this.actions.marked();
    }
  }

  /** @param {number | null} cell */
  point(cell) {
    this.#at = cell;
    clearTimeout(this.#rest);
    const now = this.#now;
    if (!now || this.column(now.table) !== null) return;
    const legal = this.legal;
    if (cell === null || now.diagram.cells[cell] !== "." || (legal && !legal.has(cell))) {
      if (this.preview) {
        this.preview = null;
        this.actions.marked();
      }
      return;
    }
    const text = now.diagram.columns[cell % now.diagram.columns.length] + now.diagram.rows[Math.floor(cell / now.diagram.columns.length)];
    const known = this.#previews.has(text);
    this.#rest = setTimeout(() => this.#look(cell, text), known ? 0 : HOVER_MS);
  }

  /**
   * @param {number} cell
   * @param {string} text
   */
  async #look(cell, text) {
    const position = this.#position;
    const asked = this.#previews.get(text) ?? this.actions.look(text).catch(() => null);
    this.#previews.set(text, asked);
    const preview = await asked;
    if (position !== this.#position || this.#at !== cell || !this.#now) return;
    this.preview = preview;
    this.actions.marked();
    this.#previewWords();
    if (preview && preview.changes.length > 1) this.actions.tell(previewText(preview));
  }

  #previewWords() {
    const { preview } = this;
    write(this.words, preview && preview.changes.length > 1 ? previewText(preview) : "");
    // on touch screens the first touch shows the preview
    this.put.hidden = preview === null || !matchMedia("(pointer: coarse)").matches;
    write(this.put, `put it at ${preview?.move ?? ""}`);
  }

  #put() {
    if (this.preview) this.#move(this.preview.move);
  }

  /** Sends the column as it is marked. */
  async sendColumn() {
    const now = this.#now;
    const column = now && this.column(now.table);
    if (!now || typeof column !== "number" || this.#sending) return;
    const wide = now.diagram.columns.length;
    await this.#move(now.diagram.rows.map((_, row) => (this.marks.has(row * wide + column) ? "1" : "0")).join(""));
  }

  /**
   * A column by its text, to be sent as it is or changed.
   * @param {string} text
   */
  mark(text) {
    const now = this.#now;
    const column = now && this.column(now.table);
    if (!now || typeof column !== "number") return;
    const wide = now.diagram.columns.length;
    this.marks = new Set([...text].flatMap((sign, row) => (sign === "1" ? [row * wide + column] : [])));
    this.actions.marked();
  }

  #clear() {
    this.marks.clear();
    this.actions.marked();
  }

  /** @param {string} text */
  async #move(text) {
    this.#sending = true;
    this.send.disabled = true;
    const position = this.#position;
    const done = await this.actions.move(text);
    if (position === this.#position) this.#sending = false;
    if (!done) this.actions.marked();
  }

  /**
   * @param {Table} table
   * @param {Seat | null} seat
   * @param {Diagram} diagram
   */
  #columnWords(table, seat, diagram) {
    if (seat === null) return "";
    if (table.moved[seat]) return "sent; waiting for the other";
    // what a move costs, where it costs something, is the first that a game tells of its seats
    const facts = diagram.facts.slice(0, 1).map(({ name, values }) => `${name} ${values[seat]}`);
    return [`${this.marks.size} marked`, ...facts].join(", ");
  }

  /**
   * @param {Table} table
   * @param {Seat | null} seat
   */
  #waiting(table, seat) {
    return seat !== null && table.moved[seat] ? "sent; waiting for the other" : null;
  }
}

/**
 * A preview in words: "d4: 3 are born, 1 dies".
 * @param {Preview} preview
 */
export function previewText(preview) {
  const cells = (/** @type {Change} */ what) => preview.changes.flatMap(([cell, change]) => (change === what ? [cell] : []));
  const placed = new Set(cells("placed"));
  const others = (/** @type {Change} */ what) => cells(what).filter((cell) => !placed.has(cell)).length;
  const [born, died, turned] = [others("born"), others("died"), others("turned")];
  const words = [];
  if (cells("died").some((cell) => placed.has(cell))) words.push("it dies at once");
  if (cells("turned").some((cell) => placed.has(cell))) words.push("it changes sides at once");
  if (born > 0) words.push(`${born} ${born === 1 ? "is" : "are"} born`);
  if (died > 0) words.push(`${died} ${died === 1 ? "dies" : "die"}`);
  if (turned > 0) words.push(`${turned} ${turned === 1 ? "changes" : "change"} sides`);
  return `${preview.move}: ${words.join(", ") || "nothing else changes"}`;
}

// One rule's board: a canvas with the cells, the explained cell and the neighbours that count.
// Screen readers see a grid with one cell, the one at the cursor. (One element per cell was
// too slow: five boards of 64 x 64 have twenty thousand.)

import { icon, make, write } from "../element.js";
import { setLabel } from "../translation.js";

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} about
 * @property {number[]} states that are alive
 */

/**
 * Why a cell has its next state, from the server.
 * @typedef {object} Reason
 * @property {string} rule
 * @property {string} letter
 * @property {number} count
 * @property {number} before
 * @property {number} after
 * @property {string} fate
 * @property {string} condition
 * @property {string} words
 * @property {[number, number, number, number][]} looks dx, dy, weight, state
 */

/**
 * @typedef {object} BoardEvents
 * @property {(board: ClassroomBoard, x: number, y: number) => void} point
 * @property {(board: ClassroomBoard, cells: [number, number][], first: boolean) => void} draw
 * @property {(board: ClassroomBoard) => void} save
 * @property {() => void} step
 */

/** @param {string} sign */
export function stateOf(sign) {
  return { ".": 0, O: 1, R: 2, B: 3 }[sign] ?? Number(sign);
}

export class ClassroomBoard {
  width = 0;
  height = 0;
  /** @type {number[]} */
  states = [];
  cursor = [0, 0];
  /** @type {{x: number, y: number, reason: Reason} | null} */
  why = null;
  /** @type {[number, number] | null} */
  #stroke = null;
  #canvas = make("canvas", { "aria-hidden": "true" });
  #alive = make("span", { class: "hint" });
  #cell = make("div", { class: "classroom-cell", role: "gridcell", tabindex: "0" });
  #row = make("div", { class: "classroom-row", role: "row" }, this.#cell);

  /**
   * @param {Rule} rule
   * @param {BoardEvents} events
   */
  constructor(rule, events) {
    this.rule = rule;
    this.events = events;
    this.place = make("div", { class: "classroom-board", role: "grid", "data-rule": rule.name }, this.#canvas, this.#row);
    this.element = make(
      "section",
      { class: "leaf classroom-rule", "aria-label": rule.name },
      make(
        "div",
        { class: "classroom-rule-head" },
        make("h2", {}, rule.name),
        this.#alive,
        make("button", { type: "button", class: "plain square small", "aria-label": `save ${rule.name}`, title: "save (s)", click: () => events.save(this) }, icon("save")),
      ),
      this.place,
      make("p", { class: "hint" }, rule.about),
    );
    this.#listen();
    new ResizeObserver(() => this.paint()).observe(this.place);
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {string} text
   */
  show(width, height, text) {
    this.width = width;
    this.height = height;
    this.text = text;
    this.states = [...text.replaceAll("\n", "")].map(stateOf);
    this.place.setAttribute("aria-colcount", String(width));
    this.place.setAttribute("aria-rowcount", String(height));
    this.go(Math.min(this.cursor[0] ?? 0, width - 1), Math.min(this.cursor[1] ?? 0, height - 1));
    const alive = this.states.filter((state) => state !== 0).length;
    write(this.#alive, `${alive} alive`);
    setLabel(this.place, "aria-label", `${this.rule.name}, ${alive} alive`);
    this.place.dataset.text = text;
    this.place.style.setProperty("--columns", String(width));
    this.place.style.setProperty("--rows", String(height));
    this.paint();
  }

  /**
   * Puts the cursor on a cell.
   * @param {number} x
   * @param {number} y
   */
  go(x, y) {
    this.cursor = [x, y];
    const { width, height } = this;
    this.#row.setAttribute("aria-rowindex", String(y + 1));
    this.#cell.setAttribute("aria-colindex", String(x + 1));
    setLabel(this.#cell, "aria-label", `${x},${y} ${this.#name(x, y)}`);
    const { style } = this.#cell;
    style.left = `${(x / width) * 100}%`;
    style.top = `${(y / height) * 100}%`;
    style.width = `${100 / width}%`;
    style.height = `${100 / height}%`;
  }

  focus() {
    this.#cell.focus({ preventScroll: true });
  }

  get hasFocus() {
    return document.activeElement === this.#cell;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #name(x, y) {
    const state = this.states[y * this.width + x] ?? 0;
    if (state === 0) return "dead";
    if (this.rule.name === "colorised") return state === 2 ? "red" : "blue";
    return state === 1 ? "alive" : `age ${state}`;
  }

  /** @param {{x: number, y: number, reason: Reason} | null} why */
  explain(why) {
    this.why = why;
    if (why) {
      this.go(why.x, why.y);
      setLabel(this.#cell, "aria-label", `${why.x},${why.y} ${this.#name(why.x, why.y)}; ${why.reason.words}`);
    }
    this.paint();
  }

  paint() {
    const { width, height } = this;
    const ratio = devicePixelRatio || 1;
    const [wide, high] = [this.place.clientWidth, this.place.clientHeight];
    if (width === 0 || wide === 0) return;
    const canvas = this.#canvas;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    const pen = canvas.getContext("2d");
    if (!pen) return;
    const look = getComputedStyle(this.place);
    const colour = (/** @type {string} */ name) => look.getPropertyValue(`--${name}`).trim();
    const cell = canvas.width / width;
    const edge = (/** @type {number} */ at) => Math.round(at * cell);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const { why } = this;
    if (why) {
      pen.fillStyle = colour("look");
      for (const [dx, dy] of why.reason.looks) {
        const [x, y] = [why.x + dx, why.y + dy];
        if (x >= 0 && y >= 0 && x < width && y < height) pen.fillRect(edge(x), edge(y), edge(x + 1) - edge(x), edge(y + 1) - edge(y));
      }
    }
    const line = Math.max(1, Math.round(ratio));
    for (let x = 0; x <= width; x += 1) {
      pen.fillStyle = colour(x % 5 === 0 ? "rule-bold" : "rule");
      pen.fillRect(Math.min(edge(x), canvas.width - line), 0, line, canvas.height);
    }
    for (let y = 0; y <= height; y += 1) {
      pen.fillStyle = colour(y % 5 === 0 ? "rule-bold" : "rule");
      pen.fillRect(0, Math.min(edge(y), canvas.height - line), canvas.width, line);
    }
    const hair = cell > 5 ? line : 0;
    const colours = { red: colour("red"), blue: colour("blue"), ink: colour("ink") };
    this.states.forEach((state, at) => {
      if (state === 0) return;
      const [x, y] = [at % width, Math.floor(at / width)];
      const [left, top] = [edge(x) + line, edge(y) + line];
      const side = edge(x + 1) - edge(x) - line - hair;
      if (this.rule.name === "colorised" && state === 3) {
        // distinguished by shape as well as colour
        pen.fillStyle = colours.blue;
        pen.beginPath();
        pen.arc(left + side / 2, top + side / 2, side / 2, 0, Math.PI * 2);
        pen.fill();
        return;
      }
      const age = this.rule.name === "generations" ? state : 1;
      pen.fillStyle = this.rule.name === "colorised" ? colours.red : colours.ink;
      pen.globalAlpha = age === 1 ? 1 : 0.72 - age * 0.065;
      const inset = age === 1 ? 0 : (side * (age - 1)) / 22;
      pen.fillRect(left + inset, top + inset, side - 2 * inset, side - 2 * inset);
      pen.globalAlpha = 1;
    });
    if (why) {
      pen.strokeStyle = colour("accent");
      pen.lineWidth = Math.max(1.500 * ratio, cell / 9);
      for (const [dx, dy, , state] of why.reason.looks) {
        if (state === 0) continue;
        const [x, y] = [why.x + dx, why.y + dy];
        pen.strokeRect(edge(x) + line, edge(y) + line, edge(x + 1) - edge(x) - line, edge(y + 1) - edge(y) - line);
      }
      pen.strokeStyle = colour("mark");
      pen.lineWidth = Math.max(2 * ratio, cell / 6);
      pen.strokeRect(edge(why.x), edge(why.y), edge(why.x + 1) - edge(why.x) + line, edge(why.y + 1) - edge(why.y) + line);
    }
  }

  /** @param {{clientX: number, clientY: number}} at @returns {[number, number] | null} */
  #cellAt({ clientX, clientY }) {
    const box = this.#canvas.getBoundingClientRect();
    const x = Math.floor(((clientX - box.left) / box.width) * this.width);
    const y = Math.floor(((clientY - box.top) / box.height) * this.height);
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? [x, y] : null;
  }

  #listen() {
    const { place, events } = this;
    place.addEventListener("pointerdown", (event) => {
      const cell = this.#cellAt(event);
      if (!cell || event.button !== 0) return;
      event.preventDefault();
      this.focus();
      place.setPointerCapture(event.pointerId);
      this.#stroke = cell;
      this.go(cell[0], cell[1]);
      events.draw(this, [cell], true);
    });
    place.addEventListener("pointermove", (event) => {
      const cell = this.#cellAt(event);
      if (!cell) return;
      const [x, y] = cell;
      if (this.#stroke) {
        const line = between(this.#stroke, cell);
        if (line.length > 0) events.draw(this, line, false);
        this.#stroke = cell;
      } else if (event.pointerType !== "mouse") return;
      if (x !== this.cursor[0] || y !== this.cursor[1] || !this.why) {
        this.go(x, y);
        events.point(this, x, y);
      }
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      place.addEventListener(kind, () => {
        if (this.#stroke) events.point(this, this.cursor[0] ?? 0, this.cursor[1] ?? 0);
        this.#stroke = null;
      });
    }
    this.#cell.addEventListener("focus", () => {
      if (!this.#stroke) events.point(this, this.cursor[0] ?? 0, this.cursor[1] ?? 0);
    });
    place.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
      const [x = 0, y = 0] = this.cursor;
      const to = { ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1], Home: [0, y], End: [this.width - 1, y] }[event.key];
      if (!to && event.key !== " " && event.key !== "Enter") return undefined;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Enter") return events.step();
      if (!to) return events.draw(this, [[x, y]], true);
      this.go(Math.min(Math.max(to[0] ?? 0, 0), this.width - 1), Math.min(Math.max(to[1] ?? 0, 0), this.height - 1));
      return events.point(this, this.cursor[0] ?? 0, this.cursor[1] ?? 0);
    });
  }
}

/**
 * The cells of a line after the first.
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @returns {[number, number][]}
 */
function between([ax, ay], [bx, by]) {
  const steps = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
  return Array.from({ length: steps }, (_, step) => {
    const part = (step + 1) / steps;
    return [Math.round(ax + (bx - ax) * part), Math.round(ay + (by - ay) * part)];
  });
}

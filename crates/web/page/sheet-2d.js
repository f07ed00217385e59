// Draws frames on a plain canvas, where there is no WebGL2: the cells become a small picture
// that is stretched without smoothing, then the paper between them is laid over it.

import { channels, mix } from "./colour.js";
import { HOLLOW_FROM } from "./grid-lines.js";
import { cellOfPoint } from "./lattice.js";

/** @import { Frame } from "./frame.js" */
/** @import { Squares } from "./grid-lines.js" */
/** @import { Look } from "./types.js" */

export class Sheet2d {
  kind = "2d";

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("this browser has no canvas");
    this.canvas = canvas;
    this.context = context;
    this.small = document.createElement("canvas");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.small.getContext("2d"));
    /** @type {Look | null} */
    this.look = null;
    /** @type {Frame | null} */
    this.frame = null;
    this.tables = { states: new Uint32Array(256), ages: new Uint32Array(64), history: new Uint32Array(64), density: new Uint32Array(256), dying: 0 };
  }

  /** @param {Look} look */
  dress(look) {
    this.look = look;
    const pack = (/** @type {string} */ text) => {
      const [r, g, b] = channels(text);
      return new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0];
    };
    for (const name of /** @type {const} */ (["states", "ages", "history", "density"])) {
      const table = this.tables[name];
      for (const [i, text] of look[name].slice(0, table.length).entries()) table[i] = pack(text);
    }
    this.tables.dying = pack(look.dying);
    // Nothing alive is the sheet itself: lines show through it.
    this.tables.states[0] = 0;
    this.tables.density[0] = 0;
    this.tables.history[0] = 0;
    this.frame = null;
  }

  /**
   * @param {Frame} frame
   * @param {Squares} squares
   * @param {number} ratio device pixels a window pixel
   */
  draw(frame, squares, ratio) {
    const { context, canvas, look } = this;
    if (!look) return;
    if (frame !== this.frame) {
      this.frame = frame;
      this.#unpack(frame);
    }
    const sheet = look.states[0] ?? look.theme.sheet;
    const { width, height } = canvas;
    if (squares.shapes) {
      this.#shapes(squares, squares.shapes, sheet, ratio);
      return;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.imageSmoothingEnabled = false;
    context.fillStyle = sheet;
    context.fillRect(0, 0, width, height);
    // Everything is measured in device pixels from here on, and cells begin at whole ones.
    const cell = squares.cell * ratio;
    const [x, y] = [squares.x * ratio, squares.y * ratio];
    context.drawImage(this.small, x, y, this.small.width * cell, this.small.height * cell);
    if (squares.before > 0) {
      const line = Math.max(1, Math.round(ratio));
      const scaled = { ...squares, cell, x, y, before: squares.before * line, after: squares.after * line };
      if (frame.marks && squares.cell >= HOLLOW_FROM) this.#hollow(frame, scaled, sheet);
      this.#paper(scaled, sheet, line);
    }
    if (squares.edge) this.#desk(squares.edge, ratio);
  }

  /**
   * Hexagons and triangles: each pixel has the colour of its cell, or is part of a line where the
   * pixel to the left or above it belongs to another one.
   * @param {Squares} squares
   * @param {NonNullable<Squares["shapes"]>} shapes
   * @param {string} sheet
   * @param {number} ratio
   */
  #shapes(squares, shapes, sheet, ratio) {
    const { context, canvas, look } = this;
    const { width, height } = canvas;
    if (!look || width === 0 || height === 0) return;
    const pack = (/** @type {string} */ text) => new Uint32Array(new Uint8Array([...channels(text), 255]).buffer)[0];
    const paper = pack(sheet);
    const desk = pack(look.theme.desk ?? mix(look.theme.sheet, look.theme.text, 0.09));
    const line = squares.lines > 0 ? pack(mix(sheet, look.theme.rule, squares.lines)) : paper;
    const [columns, rows] = [this.small.width, this.small.height];
    const ink = new Uint32Array(this.pen.getImageData(0, 0, Math.max(columns, 1), Math.max(rows, 1)).data.buffer);
    const cells = { ...shapes, wide: squares.cell * ratio, high: shapes.row * ratio };
    const [left, top] = [squares.x * ratio, squares.y * ratio];
    const [first, above, end, below] = shapes.board;
    const picture = context.createImageData(width, height);
    const out = new Uint32Array(picture.data.buffer);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => cellOfPoint(cells, x + 0.5 - left, y + 0.5 - top);
    const upper = Array.from({ length: width }, (_, x) => at(x, -1));
    for (let y = 0; y < height; y += 1) {
      let before = at(-1, y);
      for (let x = 0; x < width; x += 1) {
        const cell = at(x, y);
        const over = upper[x];
        const border = cell.x !== before.x || cell.y !== before.y || cell.x !== over.x || cell.y !== over.y;
        upper[x] = cell;
        before = cell;
        let colour = paper;
        if (cell.x < first || cell.y < above || cell.x >= end || cell.y >= below) colour = desk;
        else if (border && shapes.ruled) colour = line;
        else if (cell.x >= 0 && cell.y >= 0 && cell.x < columns && cell.y < rows) colour = ink[cell.y * columns + cell.x] || paper;
        out[y * width + x] = colour;
      }
    }
    context.putImageData(picture, 0, 0);
  }

  /** @param {Frame} frame */
  #unpack(frame) {
    const { header, content, marks } = frame;
    const density = header.kind === "density";
    const width = density ? header.width : header.w;
    const height = density ? header.height : header.h;
    this.small.width = width;
    this.small.height = height;
    const picture = this.pen.createImageData(Math.max(width, 1), Math.max(height, 1));
    const out = new Uint32Array(picture.data.buffer);
    const { states, ages, history, dying } = this.tables;
    if (density) {
      for (let i = 0; i < width * height; i += 1) out[i] = this.tables.density[content[i]];
    } else {
      const stride = frame.stride;
      const bits = header.kind === "bits";
      for (let row = 0; row < height; row += 1) {
        for (let column = 0; column < width; column += 1) {
          const i = row * width + column;
          const state = bits ? (content[row * stride + (column >> 3)] >> (7 - (column & 7))) & 1 : content[i];
          const mark = marks ? marks[i] : 0;
          if (state === 0) out[i] = mark < 64 ? history[mark] : 0;
          else if (mark === 255) out[i] = dying;
          else out[i] = mark >= 64 ? ages[mark - 64] : states[state];
        }
      }
    }
    this.pen.putImageData(picture, 0, 0);
  }

  /**
   * The strips of paper between cells, and the lines on them.
   * @param {Squares} squares in device pixels
   * @param {string} sheet
   * @param {number} line how thick one is
   */
  #paper(squares, sheet, line) {
    const { context, look } = this;
    if (!look) return;
    const { width, height } = this.canvas;
    const { cell, before, after, lines, major } = squares;
    const columns = strips(squares.x, cell, width);
    const rows = strips(squares.y, cell, height);
    context.fillStyle = sheet;
    for (const { at } of columns) context.fillRect(at - after, 0, before + after, height);
    for (const { at } of rows) context.fillRect(0, at - after, width, before + after);
    if (lines <= 0) return;
    const strong = (/** @type {number} */ index, /** @type {number} */ first) => major > 0 && (index + first) % major === 0;
    for (const bold of [false, true]) {
      context.fillStyle = mix(sheet, bold ? look.theme.rule_bold : look.theme.rule, lines);
      for (const { at, index } of columns) if (strong(index, squares.majorX) === bold) context.fillRect(at, 0, line, height);
      for (const { at, index } of rows) if (strong(index, squares.majorY) === bold) context.fillRect(0, at, width, line);
    }
  }

  /**
   * @param {Frame} frame
   * @param {Squares} squares in device pixels
   * @param {string} sheet
   */
  #hollow(frame, squares, sheet) {
    const marks = /** @type {Uint8Array} */ (frame.marks);
    const { context } = this;
    const { cell, before, after } = squares;
    const middle = Math.floor(cell * 0.25);
    const near = (/** @type {number} */ first, /** @type {number} */ index) => Math.floor(first + index * cell + 0.5);
    context.fillStyle = sheet;
    for (let i = marks.indexOf(255); i >= 0; i = marks.indexOf(255, i + 1)) {
      const column = i % frame.header.w;
      const row = Math.floor(i / frame.header.w);
      const [x, y] = [near(squares.x, column), near(squares.y, row)];
      const less = before + after + 2 * middle;
      const width = near(squares.x, column + 1) - x - less;
      const height = near(squares.y, row + 1) - y - less;
      context.fillRect(x + before + middle, y + before + middle, width, height);
    }
  }

  /**
   * What lies around a sheet with edges.
   * @param {NonNullable<Squares["edge"]>} edge in window pixels
   * @param {number} ratio
   */
  #desk(edge, ratio) {
    const { context, look } = this;
    if (!look) return;
    const { width, height } = this.canvas;
    const whole = (/** @type {number} */ value) => Math.round(value * ratio);
    const [left, top] = [whole(edge.x), whole(edge.y)];
    const [right, bottom] = [whole(edge.x + edge.width), whole(edge.y + edge.height)];
    const line = Math.max(1, Math.round(ratio));
    context.fillStyle = look.theme.desk ?? mix(look.theme.sheet, look.theme.text, 0.09);
    context.fillRect(0, 0, width, top);
    context.fillRect(0, bottom, width, height);
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width, height);
    context.fillStyle = look.theme.rule_bold;
    context.fillRect(left, bottom, right - left + line, line);
    context.fillRect(right, top, line, bottom - top);
  }
}

/**
 * Where lines cross the canvas, and which cell each is the near edge of.
 * @param {number} first
 * @param {number} cell
 * @param {number} length
 */
function strips(first, cell, length) {
  const list = [];
  for (let index = Math.floor(-first / cell); first + index * cell < length + cell; index += 1) {
    list.push({ at: Math.floor(first + index * cell + 0.5), index });
  }
  return list;
}

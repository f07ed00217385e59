// Draws frames on a plain canvas, where there is no WebGL2: the cells become a small picture
// that is stretched without smoothing, then the paper between them is laid over it.

import { channels, mix } from "./colour.js";

/** @import { Frame } from "./frame.js" */
/** @import { Squares } from "./lines.js" */
/** @import { Look } from "./types.js" */

const HOLLOW_FROM = 8;

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
    const width = canvas.width / ratio;
    const height = canvas.height / ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    context.fillStyle = sheet;
    context.fillRect(0, 0, width, height);
    const { cell, x, y } = squares;
    context.drawImage(this.small, x, y, this.small.width * cell, this.small.height * cell);
    if (squares.before > 0) {
      if (frame.marks && cell >= HOLLOW_FROM) this.#hollow(frame, squares, sheet);
      this.#paper(squares, sheet, width, height);
    }
    if (squares.edge) this.#desk(squares.edge, width, height, look.theme.desk ?? mix(sheet, look.theme.text, 0.09));
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
   * @param {Squares} squares
   * @param {string} sheet
   * @param {number} width
   * @param {number} height
   */
  #paper(squares, sheet, width, height) {
    const { context, look } = this;
    if (!look) return;
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
      for (const { at, index } of columns) if (strong(index, squares.majorX) === bold) context.fillRect(at, 0, 1, height);
      for (const { at, index } of rows) if (strong(index, squares.majorY) === bold) context.fillRect(0, at, width, 1);
    }
  }

  /**
   * @param {Frame} frame
   * @param {Squares} squares
   * @param {string} sheet
   */
  #hollow(frame, squares, sheet) {
    const marks = /** @type {Uint8Array} */ (frame.marks);
    const { context } = this;
    const { cell, before, after, x, y } = squares;
    const middle = Math.floor(cell * 0.25);
    const side = cell - after - before - 2 * middle;
    context.fillStyle = sheet;
    for (let i = marks.indexOf(255); i >= 0; i = marks.indexOf(255, i + 1)) {
      const column = i % frame.header.w;
      const row = Math.floor(i / frame.header.w);
      context.fillRect(x + column * cell + before + middle, y + row * cell + before + middle, side, side);
    }
  }

  /**
   * @param {{x: number, y: number, width: number, height: number}} edge
   * @param {number} width
   * @param {number} height
   * @param {string} desk
   */
  #desk(edge, width, height, desk) {
    const { context } = this;
    context.fillStyle = desk;
    context.fillRect(0, 0, width, edge.y);
    context.fillRect(0, edge.y + edge.height, width, height);
    context.fillRect(0, 0, edge.x, height);
    context.fillRect(edge.x + edge.width, 0, width, height);
  }
}

/**
 * Where lines cross the window, and which cell each is the near edge of.
 * @param {number} first
 * @param {number} cell
 * @param {number} length
 */
function strips(first, cell, length) {
  const list = [];
  for (let index = Math.floor(-first / cell); first + index * cell < length + cell; index += 1) {
    list.push({ at: first + index * cell, index });
  }
  return list;
}

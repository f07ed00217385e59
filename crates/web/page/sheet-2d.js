// Draws frames on a plain canvas, where there is no WebGL2: the cells become a small picture
// that is stretched without smoothing, then the paper between them is laid over it. Where a cell is
// a pixel the picture is the sheet. Of a frame that lies where the last one lay, only the part
// that differs is unpacked and drawn.

import { channels, mix } from "./colour.js";
import { changedWords, partOf } from "./frame-change.js";
import { HOLLOW_FROM } from "./grid-lines.js";
import { cellOfPoint } from "./lattice.js";

/** @import { Frame } from "./frame.js" */
/** @import { Part } from "./frame-change.js" */
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
    /** The cells of the frame, a pixel each. */
    this.picture = new ImageData(1, 1);
    /** Whether the picture is opaque, to be put on the sheet as it is. */
    this.direct = false;
    /** What the canvas shows the frame with. */
    this.drawn = "";
    this.paper = 0;
    this.tables = { states: new Uint32Array(256), ages: new Uint32Array(64), history: new Uint32Array(64), density: new Uint32Array(256), compared: new Uint32Array(3), dying: 0 };
  }

  /** @param {Look} look */
  dress(look) {
    this.look = look;
    const pack = (/** @type {string} */ text) => {
      const [r, g, b] = channels(text);
      return new Uint32Array(new Uint8Array([r, g, b, 255]).buffer)[0];
    };
    for (const name of /** @type {const} */ (["states", "ages", "history", "density", "compared"])) {
      const table = this.tables[name];
      for (const [i, text] of look[name].slice(0, table.length).entries()) table[i] = pack(text);
    }
    this.tables.dying = pack(look.dying);
    // Nothing alive is the sheet itself: lines show through it.
    this.tables.states[0] = 0;
    this.tables.density[0] = 0;
    this.tables.history[0] = 0;
    this.paper = pack(look.states[0] ?? look.theme.sheet);
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
    // Everything is measured in device pixels from here on, and cells begin at whole ones.
    const cell = squares.cell * ratio;
    const [x, y] = [squares.x * ratio, squares.y * ratio];
    const { width, height } = canvas;
    const direct = !squares.shapes && cell === 1 && squares.before === 0 && Number.isInteger(x) && Number.isInteger(y);
    const how = JSON.stringify([squares, ratio, width, height]);
    const stays = how === this.drawn && direct === this.direct && this.frame !== null;
    if (stays && frame === this.frame) return;
    const part = this.#unpack(frame, direct, stays);
    this.drawn = how;
    if (part && part.right <= part.left) return;
    const sheet = look.states[0] ?? look.theme.sheet;
    if (squares.shapes) {
      this.#shapes(squares, squares.shapes, sheet, ratio);
      return;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (direct) {
      if (part) {
        context.putImageData(this.picture, x, y, part.left, part.top, part.right - part.left, part.bottom - part.top);
      } else {
        context.fillStyle = sheet;
        context.fillRect(0, 0, width, height);
        context.putImageData(this.picture, x, y);
      }
      if (squares.edge) this.#desk(squares.edge, ratio);
      return;
    }
    const line = Math.max(1, Math.round(ratio));
    const scaled = { ...squares, cell, x, y, before: squares.before * line, after: squares.after * line };
    const rim = scaled.before + scaled.after + 1;
    const area = part
      ? {
          left: Math.floor(x + part.left * cell) - rim,
          top: Math.floor(y + part.top * cell) - rim,
          right: Math.ceil(x + part.right * cell) + rim,
          bottom: Math.ceil(y + part.bottom * cell) + rim,
        }
      : { left: 0, top: 0, right: width, bottom: height };
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    context.clip();
    context.imageSmoothingEnabled = false;
    context.fillStyle = sheet;
    context.fillRect(0, 0, width, height);
    context.drawImage(this.small, x, y, this.small.width * cell, this.small.height * cell);
    if (squares.before > 0) {
      if (frame.marks && squares.cell >= HOLLOW_FROM) this.#hollow(frame, scaled, sheet);
      this.#paper(scaled, sheet, line, area);
    }
    if (squares.edge) this.#desk(squares.edge, ratio);
    context.restore();
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
    const ink = new Uint32Array(this.picture.data.buffer);
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

  /**
   * Makes the frame the picture. Returns the part of it that is new, which may be empty, or null
   * where all of it is.
   * @param {Frame} frame
   * @param {boolean} direct
   * @param {boolean} stays it is shown just as the last one was
   * @returns {Part | null}
   */
  #unpack(frame, direct, stays) {
    const before = this.frame;
    if (frame === before && direct === this.direct) return null;
    const words = stays && before ? changedWords(before, frame) : null;
    this.frame = frame;
    this.direct = direct;
    const { width, height } = frame;
    if (this.picture.width !== Math.max(width, 1) || this.picture.height !== Math.max(height, 1)) {
      this.picture = new ImageData(Math.max(width, 1), Math.max(height, 1));
      [this.small.width, this.small.height] = [width, height];
    }
    const part = words ? partOf(frame, words) : null;
    if (words) this.#unpackWords(frame, words);
    else this.#unpackAll(frame);
    if (direct) return part;
    if (!part) this.pen.putImageData(this.picture, 0, 0);
    else if (part.right > part.left) this.pen.putImageData(this.picture, 0, 0, part.left, part.top, part.right - part.left, part.bottom - part.top);
    return part;
  }

  /** @param {Frame} frame */
  #unpackAll(frame) {
    const { header, content, marks, width, height, stride } = frame;
    const out = new Uint32Array(this.picture.data.buffer);
    const none = this.direct ? this.paper : 0;
    const { states, ages, history, density, compared, dying } = this.tables;
    const bits = header.kind === "bits";
    out.fill(none);
    if (!marks && !bits) {
      const table = header.kind === "density" ? density : states;
      for (let i = 0; i < width * height; i += 1) if (content[i] !== 0) out[i] = table[content[i]];
      return;
    }
    if (!marks) {
      const ink = states[1];
      for (let row = 0, at = 0; row < height; row += 1) {
        for (let column = 0; column < width; column += 8, at += 1) {
          const byte = content[at];
          if (byte === 0) continue;
          const first = row * width + column;
          const most = Math.min(8, width - column);
          for (let k = 0; k < most; k += 1) if (byte & (128 >> k)) out[first + k] = ink;
        }
      }
      return;
    }
    for (let row = 0; row < height; row += 1) {
      for (let column = 0, i = row * width; column < width; column += 1, i += 1) {
        const mark = marks[i];
        const byte = bits ? content[row * stride + (column >> 3)] : content[i];
        if (byte === 0 && mark === 0) continue;
        if (mark >= 128 && mark < 131) {
          out[i] = compared[mark - 128];
          continue;
        }
        const state = bits ? (byte >> (7 - (column & 7))) & 1 : byte;
        if (state === 0) out[i] = (mark < 64 ? history[mark] : 0) || none;
        else if (mark === 255) out[i] = dying;
        else out[i] = mark >= 64 ? ages[mark - 64] : states[state];
      }
    }
  }

  /**
   * @param {Frame} frame without marks
   * @param {Int32Array} words the numbers of those that differ, of four bytes each
   */
  #unpackWords(frame, words) {
    const { header, content, width, stride } = frame;
    const out = new Uint32Array(this.picture.data.buffer);
    const none = this.direct ? this.paper : 0;
    const bits = header.kind === "bits";
    const ink = this.tables.states[1];
    const table = header.kind === "density" ? this.tables.density : this.tables.states;
    for (const word of words) {
      const end = Math.min(4 * word + 4, content.length);
      for (let at = 4 * word; at < end; at += 1) {
        const row = Math.floor(at / stride);
        const column = (at - row * stride) * (bits ? 8 : 1);
        const byte = content[at];
        const first = row * width + column;
        if (!bits) {
          out[first] = table[byte] || none;
          continue;
        }
        const most = Math.min(8, width - column);
        for (let k = 0; k < most; k += 1) out[first + k] = byte & (128 >> k) ? ink : none;
      }
    }
  }

  /**
   * The strips of paper between cells, and the lines on them.
   * @param {Squares} squares in device pixels
   * @param {string} sheet
   * @param {number} line how thick one is
   * @param {Part} area what is drawn, in device pixels
   */
  #paper(squares, sheet, line, area) {
    const { context, look } = this;
    if (!look) return;
    const { width, height } = this.canvas;
    const { cell, before, after, lines, major } = squares;
    const columns = strips(squares.x, cell, width).filter(({ at }) => at >= area.left - before && at <= area.right + after);
    const rows = strips(squares.y, cell, height).filter(({ at }) => at >= area.top - before && at <= area.bottom + after);
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

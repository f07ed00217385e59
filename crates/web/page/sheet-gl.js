// Draws frames with WebGL2: the frame is a texture of bits or bytes as it came, and each pixel
// of the window looks up its own cell. Nothing is unpacked on the way. Of a frame that lies where
// the last one lay, only the part that differs is sent and drawn.

import { channels, mix } from "./colour.js";
import { changedWords, partOf } from "./frame-change.js";
import { HOLLOW_FROM } from "./grid-lines.js";

/** @import { Frame } from "./frame.js" */
/** @import { Part } from "./frame-change.js" */
/** @import { Squares } from "./grid-lines.js" */
/** @import { Look } from "./types.js" */

const VERTEX = `#version 300 es
in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D cells;
uniform usampler2D marks;
uniform sampler2D colours; // rows: states, ages and what is compared, history, density
uniform int kind;          // 0 bits, 1 bytes, 2 density
uniform bool marked;
uniform ivec2 size;        // cells (or far pixels) of the frame
// All measures are device pixels: a cell begins at a whole one, so that lines stay crisp at
// any scale of the screen.
uniform float canvasHeight;
uniform float cell;
uniform vec2 origin;
uniform float line;        // how thick a line is
uniform float before;
uniform float after;
uniform bool roomy;        // a cell is large enough to be shown hollow
uniform float lines;
uniform int major;
uniform ivec2 majorAt;
uniform vec4 edge;         // left, top, right, bottom
uniform int lattice;       // 0 squares, 1 hexagons, 2 triangles
uniform float rowSize;     // of those: from a row to the next
uniform bool shaped;
uniform bool ruled;
uniform int odd;           // 1 where cell (0, 0) has its point above
uniform ivec4 board;       // left, top, right, bottom, in cells
uniform vec3 sheet, desk, rule, ruleBold, dying;
out vec4 colour;

// A cell of this world or of the one that is laid over it.
bool compared(int mark) { return mark >= 128 && mark < 131; }

vec3 named(int column, int row) { return texelFetch(colours, ivec2(column, row), 0).rgb; }

int modulo(int value, int by) { return ((value % by) + by) % by; }

vec2 start(vec2 index) { return floor(origin + index * cell + 0.5); }

// The hexagon or triangle at a point: page/lattice.js says how.
ivec2 shapeAt(vec2 point) {
  float row = floor(point.y / rowSize);
  float down = point.y / rowSize - row;
  float across = point.x / cell + (lattice == 1 ? row * 0.5 : 0.0);
  float column = floor(across);
  float right = across - column;
  ivec2 found = ivec2(column, row);
  if (!shaped) return found;
  if (lattice == 1) {
    float corner = (1.0 - 4.0 * min(right, 1.0 - right)) / 6.0;
    if (down < corner) return found + ivec2(right < 0.5 ? -1 : 0, -1);
    if (down >= 1.0 - corner) return found + ivec2(right < 0.5 ? 0 : 1, 1);
    return found;
  }
  float fromPoint = modulo(found.x + found.y + odd, 2) == 1 ? down : 1.0 - down;
  if (abs(right - 0.5) <= fromPoint) return found;
  return found + ivec2(right < 0.5 ? -1 : 1, 0);
}

int stateOf(ivec2 which) {
  if (kind != 0) return int(texelFetch(cells, which, 0).r);
  uint bits = texelFetch(cells, ivec2(which.x >> 3, which.y), 0).r;
  return int((bits >> uint(7 - (which.x & 7))) & 1u);
}

vec3 shapeColour(vec2 point) {
  ivec2 which = shapeAt(point);
  if (which.x < board.x || which.y < board.y || which.x >= board.z || which.y >= board.w) return desk;
  bool border = shapeAt(point - vec2(1.0, 0.0)) != which || shapeAt(point - vec2(0.0, 1.0)) != which;
  if (border && ruled) return lines > 0.0 ? mix(sheet, rule, lines) : sheet;
  if (which.x < 0 || which.y < 0 || which.x >= size.x || which.y >= size.y) return sheet;
  int state = stateOf(which);
  int mark = marked ? int(texelFetch(marks, which, 0).r) : 0;
  if (compared(mark)) return named(mark - 64, 1);
  if (state == 0) return mark > 0 && mark < 64 ? named(mark, 2) : sheet;
  if (mark == 255) return dying;
  return mark >= 64 && mark < 128 ? named(mark - 64, 1) : named(state, 0);
}

void main() {
  vec2 at = floor(vec2(gl_FragCoord.x, canvasHeight - gl_FragCoord.y));
  if (at.x < edge.x || at.y < edge.y || at.x >= edge.z || at.y >= edge.w) {
    bool border = at.x >= edge.x && at.y >= edge.y && at.x < edge.z + line && at.y < edge.w + line;
    colour = vec4(border ? ruleBold : desk, 1.0);
    return;
  }
  if (lattice > 0) {
    colour = vec4(shapeColour(at + 0.5 - origin), 1.0);
    return;
  }
  vec2 index = floor((at + 0.5 - origin) / cell);
  index -= vec2(lessThan(at, start(index)));
  index += vec2(greaterThanEqual(at, start(index + 1.0)));
  ivec2 which = ivec2(index);
  vec2 within = at - start(index);
  vec2 side = start(index + 1.0) - start(index);
  bool known = which.x >= 0 && which.y >= 0 && which.x < size.x && which.y < size.y;
  if (kind == 2) {
    int level = known ? int(texelFetch(cells, which, 0).r) : 0;
    int mark = known && marked ? int(texelFetch(marks, which, 0).r) : 0;
    vec3 far = level == 0 ? sheet : named(level, 3);
    colour = vec4(compared(mark) ? named(mark - 64, 1) : far, 1.0);
    return;
  }
  vec3 shown = sheet;
  if (lines > 0.0) {
    bool strongX = major > 0 && modulo(which.x + majorAt.x, major) == 0;
    bool strongY = major > 0 && modulo(which.y + majorAt.y, major) == 0;
    bool onX = within.x < line;
    bool onY = within.y < line;
    if ((onX && strongX) || (onY && strongY)) shown = mix(sheet, ruleBold, lines);
    else if (onX || onY) shown = mix(sheet, rule, lines);
  }
  if (known) {
    bool ink = within.x >= before && within.y >= before
      && within.x < side.x - after && within.y < side.y - after;
    int state = 0;
    if (kind == 0) {
      uint bits = texelFetch(cells, ivec2(which.x >> 3, which.y), 0).r;
      state = int((bits >> uint(7 - (which.x & 7))) & 1u);
    } else {
      state = int(texelFetch(cells, which, 0).r);
    }
    int mark = marked ? int(texelFetch(marks, which, 0).r) : 0;
    if (ink && compared(mark)) {
      shown = named(mark - 64, 1);
    } else if (ink && state > 0) {
      shown = named(state, 0);
      if (mark >= 64 && mark < 128) shown = named(mark - 64, 1);
      if (mark == 255) {
        // A cell about to die is hollow too, so that its colour is not all that tells it.
        float middle = floor(cell * 0.25);
        bool hollow = roomy && within.x >= before + middle && within.y >= before + middle
          && within.x < side.x - after - middle && within.y < side.y - after - middle;
        shown = hollow ? sheet : dying;
      }
    } else if (ink && mark > 0 && mark < 64) {
      shown = named(mark, 2);
    }
  }
  colour = vec4(shown, 1.0);
}
`;

/**
 * Whether the processor does what a graphics card would do: not every browser calls that a
 * performance caveat.
 * @param {WebGL2RenderingContext} gl
 */
function isEmulated(gl) {
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}

const LATTICES = { hexagonal: 1, triangular: 2 };
const KINDS = { bits: 0, bytes: 1, density: 2 };

export class SheetGl {
  kind = "webgl2";

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {boolean} software whether WebGL may be emulated on the processor: one core then draws
   *   1920 x 1080 pixels at most 12 times a second, even if the shader has nothing to do, and a
   *   2D canvas 60 times
   * @throws {Error} where there is no WebGL2
   */
  constructor(canvas, software) {
    const gl = canvas.getContext("webgl2", {
      alpha: false,
      antialias: false,
      depth: false,
      failIfMajorPerformanceCaveat: !software,
      // What was drawn can be read at any time: for pictures of the page, and its tests.
      preserveDrawingBuffer: true,
      powerPreference: "low-power",
    });
    if (!gl || (!software && isEmulated(gl))) throw new Error("no WebGL2");
    this.gl = gl;
    this.canvas = canvas;
    this.program = build(gl);
    gl.useProgram(this.program);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
    const corner = gl.getAttribLocation(this.program, "corner");
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.limit = /** @type {number} */ (gl.getParameter(gl.MAX_TEXTURE_SIZE));
    this.cells = texture(gl, 0);
    this.marks = texture(gl, 1);
    this.colours = texture(gl, 2);
    /** @type {Map<string, WebGLUniformLocation | null>} */
    this.places = new Map();
    gl.uniform1i(this.#at("cells"), 0);
    gl.uniform1i(this.#at("marks"), 1);
    gl.uniform1i(this.#at("colours"), 2);
    this.#upload(1, this.marks, new Uint8Array(1), 1, 1);
    /** @type {Frame | null} */
    this.frame = null;
    /** What the canvas shows the frame with. */
    this.drawn = "";
  }

  /** @param {Look} look */
  dress(look) {
    const { gl } = this;
    this.drawn = "";
    const table = new Uint8Array(256 * 4 * 4);
    for (const [row, list] of [look.states, [...look.ages, ...look.compared], look.history, look.density].entries()) {
      for (const [column, text] of list.slice(0, 256).entries()) {
        table.set([...channels(text), 255], (row * 256 + column) * 4);
      }
    }
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.colours);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, table);
    const sheet = look.states[0] ?? look.theme.sheet;
    this.#colour("sheet", sheet);
    this.#colour("desk", look.theme.desk ?? mix(look.theme.sheet, look.theme.text, 0.09));
    this.#colour("rule", look.theme.rule);
    this.#colour("ruleBold", look.theme.rule_bold);
    this.#colour("dying", look.dying);
  }

  /**
   * @param {Frame} frame
   * @param {Squares} squares
   * @param {number} ratio device pixels a window pixel
   */
  draw(frame, squares, ratio) {
    const { gl, canvas } = this;
    const { header } = frame;
    const density = header.kind === "density";
    const width = density ? header.width : header.w;
    const height = density ? header.height : header.h;
    const how = JSON.stringify([squares, ratio, canvas.width, canvas.height]);
    const stays = how === this.drawn;
    this.drawn = how;
    if (stays && frame === this.frame) return;
    const small = Math.max(frame.stride, height) <= this.limit;
    const words = stays && small && !squares.shapes && this.frame ? changedWords(this.frame, frame) : null;
    const part = words ? partOf(frame, words) : null;
    if (part && part.right <= part.left) {
      this.frame = frame;
      return;
    }
    if (part) {
      this.#uploadRows(frame, part);
      this.#clip(part, squares, ratio);
    } else if (frame !== this.frame) {
      this.#upload(0, this.cells, frame.content, frame.stride, height);
      if (frame.marks) this.#upload(1, this.marks, frame.marks, width, height);
    }
    this.frame = frame;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform1i(this.#at("kind"), KINDS[header.kind]);
    gl.uniform1i(this.#at("marked"), frame.marks ? 1 : 0);
    gl.uniform2i(this.#at("size"), Math.min(width, this.limit), Math.min(height, this.limit));
    gl.uniform1f(this.#at("canvasHeight"), canvas.height);
    const line = Math.max(1, Math.round(ratio));
    gl.uniform1f(this.#at("cell"), squares.cell * ratio);
    gl.uniform2f(this.#at("origin"), squares.x * ratio, squares.y * ratio);
    gl.uniform1f(this.#at("line"), line);
    gl.uniform1f(this.#at("before"), squares.before * line);
    gl.uniform1f(this.#at("after"), squares.after * line);
    gl.uniform1i(this.#at("roomy"), squares.cell >= HOLLOW_FROM ? 1 : 0);
    gl.uniform1f(this.#at("lines"), squares.lines);
    gl.uniform1i(this.#at("major"), squares.major);
    gl.uniform2i(this.#at("majorAt"), squares.majorX, squares.majorY);
    const { shapes } = squares;
    gl.uniform1i(this.#at("lattice"), shapes ? LATTICES[shapes.lattice] : 0);
    if (shapes) {
      gl.uniform1f(this.#at("rowSize"), shapes.row * ratio);
      gl.uniform1i(this.#at("shaped"), shapes.shaped ? 1 : 0);
      gl.uniform1i(this.#at("ruled"), shapes.ruled ? 1 : 0);
      gl.uniform1i(this.#at("odd"), shapes.odd);
      gl.uniform4i(this.#at("board"), ...shapes.board);
    }
    const edge = squares.edge ?? { x: -1e7, y: -1e7, width: 2e7, height: 2e7 };
    const whole = (/** @type {number} */ value) => Math.round(value * ratio);
    gl.uniform4f(this.#at("edge"), whole(edge.x), whole(edge.y), whole(edge.x + edge.width), whole(edge.y + edge.height));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.SCISSOR_TEST);
  }

  /**
   * Draws nothing outside of a part of the frame.
   * @param {Part} part
   * @param {Squares} squares
   * @param {number} ratio
   */
  #clip({ left, top, right, bottom }, squares, ratio) {
    const { gl, canvas } = this;
    const cell = squares.cell * ratio;
    const from = (/** @type {number} */ first, /** @type {number} */ index) => Math.floor(first * ratio + index * cell) - 1;
    const to = (/** @type {number} */ first, /** @type {number} */ index) => Math.ceil(first * ratio + index * cell) + 1;
    const [x, y] = [from(squares.x, left), to(squares.y, bottom)];
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, canvas.height - y, to(squares.x, right) - x, y - from(squares.y, top));
  }

  /**
   * @param {Frame} frame
   * @param {Part} part
   */
  #uploadRows({ content, stride }, { top, bottom }) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.cells);
    const rows = content.subarray(top * stride, bottom * stride);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, top, stride, bottom - top, gl.RED_INTEGER, gl.UNSIGNED_BYTE, rows);
  }

  /**
   * @param {number} unit
   * @param {WebGLTexture} target
   * @param {Uint8Array} data
   * @param {number} width
   * @param {number} height
   */
  #upload(unit, target, data, width, height) {
    const { gl, limit } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, target);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, width);
    gl.texImage2D(
      gl.TEXTURE_2D, 0, gl.R8UI, Math.min(width, limit), Math.min(height, limit), 0,
      gl.RED_INTEGER, gl.UNSIGNED_BYTE, data,
    );
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #colour(name, value) {
    const [r, g, b] = channels(value);
    this.gl.uniform3f(this.#at(name), r / 255, g / 255, b / 255);
  }

  /** @param {string} name */
  #at(name) {
    let place = this.places.get(name);
    if (place === undefined) {
      place = this.gl.getUniformLocation(this.program, name);
      this.places.set(name, place);
    }
    return place;
  }
}

/** @param {WebGL2RenderingContext} gl */
function build(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of /** @type {const} */ ([
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ])) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error("the graphics context was lost");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? "the shader does not link");
  }
  return program;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {number} unit
 */
function texture(gl, unit) {
  const made = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
    gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  }
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
    gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }
  return made;
}

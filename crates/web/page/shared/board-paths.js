// The marks of a game board as SVG path data (the `d` attribute). Each function draws one cell
// of UNIT by UNIT on a board `wide` cells across.

/** @import { Diagram } from "./board.js" */

/** A cell's side in the drawing's own measure. */
export const UNIT = 20;

/**
 * Whether the pieces are written with a pencil, O and X; else they are stones.
 * @param {Diagram} diagram
 */
export function isPencilled(diagram) {
  return diagram.names.join("") === "OX";
}

/**
 * Whether the stones are black and white ones.
 * @param {Diagram} diagram
 */
export function isBlackAndWhite(diagram) {
  return diagram.names[0] === "black" && diagram.names[1] === "white";
}

/**
 * @param {number} cell
 * @param {number} wide
 * @param {number} seat
 * @param {Diagram} diagram
 */
export function piece(cell, wide, seat, diagram) {
  const [x, y] = middle(cell, wide);
  if (isPencilled(diagram)) return seat === 0 ? pencilledO(x, y, cell) : pencilledX(x, y, cell);
  if (isBlackAndWhite(diagram)) return disc(x, y, 8);
  return seat === 0 ? disc(x, y, 8) : box(x, y, 7.2, 1.4);
}

/**
 * @param {number} cell
 * @param {number} wide
 * @param {number} margin
 */
export function square(cell, wide, margin) {
  const [x, y] = middle(cell, wide);
  return box(x, y, UNIT / 2 - margin, 0);
}

/**
 * Around a piece.
 * @param {number} cell
 * @param {number} wide
 */
export function ring(cell, wide) {
  const [x, y] = middle(cell, wide);
  return box(x, y, 9, 2.5);
}

/**
 * Over a piece.
 * @param {number} cell
 * @param {number} wide
 */
export function cross(cell, wide) {
  const [x, y] = middle(cell, wide);
  return `M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12`;
}

/**
 * On a piece, or where there is none.
 * @param {number} cell
 * @param {number} wide
 * @param {boolean} empty
 * @param {boolean} pencilled a pencilled piece gets a line under it: what is written over cannot be read
 */
export function dot(cell, wide, empty, pencilled) {
  const [x, y] = middle(cell, wide);
  if (pencilled && !empty) return box(x, y + 8.2, 5, 0, 0.5);
  return disc(x, y, empty ? 1.6 : 2.6);
}

/**
 * Marks in a cell's four corners.
 * @param {number} cell
 * @param {number} wide
 */
export function corners(cell, wide) {
  const [x, y] = middle(cell, wide);
  const mark = (/** @type {number} */ sx, /** @type {number} */ sy) => `M${x + sx * 9} ${y + sy * 5}v${sy * 4}h${sx * -4}`;
  return mark(-1, -1) + mark(1, -1) + mark(-1, 1) + mark(1, 1);
}

/**
 * @param {number} cell
 * @param {number} wide
 */
function middle(cell, wide) {
  return [((cell % wide) + 0.5) * UNIT, (Math.floor(cell / wide) + 0.5) * UNIT];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function disc(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} half
 * @param {number} round
 * @param {number} [high] half its height where it is no square
 */
function box(x, y, half, round, high = half) {
  if (round === 0) return `M${x - half} ${y - high}h${2 * half}v${2 * high}h${-2 * half}z`;
  const side = 2 * (half - round);
  const turn = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${round} ${round} 0 0 1 ${dx} ${dy}`;
  return `M${x - half + round} ${y - half}h${side}${turn(round, round)}v${side}${turn(-round, round)}h${-side}${turn(-round, -round)}v${-side}${turn(round, -round)}z`;
}

/** No two are alike, and each is the same every time. @param {number} cell @param {number} salt */
function wobble(cell, salt) {
  const turned = Math.imul(cell * 31 + salt * 17 + 7, 0x9e3779b1) >>> 8;
  return ((turned & 0xff) / 255 - 0.5) * 1.6;
}

/**
 * A stroke that comes back over its own beginning.
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 */
function pencilledO(x, y, cell) {
  const w = (/** @type {number} */ salt) => wobble(cell, salt);
  const p = (/** @type {number} */ dx, /** @type {number} */ dy) => `${round(x + dx)} ${round(y + dy)}`;
  return (
    `M${p(1.4 + w(1), -6.2)}` +
    `C${p(-3.6, -7.4 + w(2) * 0.5)} ${p(-7 + w(3) * 0.5, -2.6)} ${p(-6.2, 1.2 + w(4))}` +
    `C${p(-5.4, 5.4)} ${p(-1.6 + w(5) * 0.5, 7)} ${p(1.6, 6.1)}` +
    `C${p(5.6, 5)} ${p(7.2 + w(6) * 0.4, 1.2)} ${p(6, -2.2 + w(7) * 0.5)}` +
    `C${p(5, -5)} ${p(2, -6.6)} ${p(-1.6 + w(8) * 0.5, -5.6)}`
  );
}

/**
 * Two strokes, neither quite straight.
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 */
function pencilledX(x, y, cell) {
  const w = (/** @type {number} */ salt) => wobble(cell, salt);
  const p = (/** @type {number} */ dx, /** @type {number} */ dy) => `${round(x + dx)} ${round(y + dy)}`;
  return (
    `M${p(-6, -6 + w(1))}Q${p(w(2), -0.6 + w(3))} ${p(6, 6.2 + w(4) * 0.5)}` +
    `M${p(6 + w(5) * 0.5, -6.2)}Q${p(0.6 + w(6), w(7))} ${p(-6, 6 + w(8) * 0.5)}`
  );
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 100) / 100;
}

// How a cell sits in its square: the same for both ways of drawing.

import { floorDivide } from "./view.js";

/** @import { Bench } from "./bench.js" */
/** @import { Frame } from "./frame.js" */

/**
 * @typedef {object} Squares
 * @property {number} cell a cell's (or a far pixel's) side in window pixels
 * @property {number} x where the first cell's corner is shown
 * @property {number} y
 * @property {number} before pixels of paper in a square above and left of the ink
 * @property {number} after pixels of paper below and right of it
 * @property {number} lines how plain the grid lines are, 0 to 1
 * @property {number} major every so many lines one is stronger, 0 for none
 * @property {number} majorX how many lines before the first cell the last strong one is
 * @property {number} majorY
 * @property {{x: number, y: number, width: number, height: number} | null} edge the sheet's edges in window pixels
 */

/** From here on cells have a hair of paper around them, and the sheet its lines. */
const HAIR = 4;
/** From here on there is paper on both sides of a line. */
const ROOMY = 8;

/**
 * @param {Bench} bench
 * @param {Frame} frame
 * @returns {Squares}
 */
export function squares(bench, frame) {
  const { view, status } = bench;
  const density = frame.header.kind === "density";
  const { scale, x: dx, y: dy } = view.transform;
  const cell = density ? scale : view.cell;
  const corner = density ? { x: dx, y: dy } : view.pixelOf(frame.x, frame.y);
  const hair = !density && cell >= HAIR;
  const grid = hair && (status?.settings.grid ?? true);
  const roomy = grid && cell >= ROOMY;
  const major = status?.settings.major ?? 10;
  const modulo = (/** @type {bigint} */ value) =>
    major > 0 ? Number(value - floorDivide(value, BigInt(major)) * BigInt(major)) : 0;
  return {
    cell,
    x: corner.x,
    y: corner.y,
    before: hair ? (roomy ? 2 : 1) : 0,
    after: roomy ? 1 : 0,
    lines: grid ? Math.min(1, (cell - HAIR + 1) / 3) : 0,
    major,
    majorX: modulo(frame.x),
    majorY: modulo(frame.y),
    edge: edge(bench),
  };
}

/** @param {Bench} bench */
function edge({ view, status }) {
  const area = status?.grid;
  if (!area) return null;
  const from = view.pixelOf(BigInt(area.x), BigInt(area.y));
  // An endless side (0) has no edge; it is shown as one that is far away.
  const far = 1n << 100n;
  const width = BigInt(area.width) || far;
  const height = BigInt(area.height) || far;
  const to = view.pixelOf(BigInt(area.x) + width, BigInt(area.y) + height);
  const x = width === far ? -1e6 : from.x;
  const y = height === far ? -1e6 : from.y;
  return { x, y, width: to.x - x, height: to.y - y };
}

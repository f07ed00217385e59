// How a cell sits in its square: the same for both ways of drawing.

import { floorDivide } from "./view.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Frame } from "./frame.js" */
/** @import { FrameHeader } from "./types.js" */

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
/** From here on a cell that is about to die is drawn hollow. */
export const HOLLOW_FROM = 8;
/** From here on there is paper on both sides of a line. */
const ROOMY = 12;

/**
 * @param {Workbench} workbench
 * @param {Frame} frame
 * @returns {Squares}
 */
export function squares(workbench, frame) {
  const { view, status } = workbench;
  const { board } = frame.header;
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
    edge: board ? edge(workbench, board) : null,
  };
}

/**
 * @param {Workbench} workbench
 * @param {NonNullable<FrameHeader["board"]>} board
 */
function edge({ view }, board) {
  const beyond = 1e6;
  const corner = view.pixelOf(BigInt(board.x ?? 0), BigInt(board.y ?? 0));
  const end = view.pixelOf(
    BigInt(board.x ?? 0) + BigInt(board.width ?? 0),
    BigInt(board.y ?? 0) + BigInt(board.height ?? 0),
  );
  // A side without an end reaches past the window.
  const [left, right] = board.width === null ? [-beyond, beyond] : [corner.x, end.x];
  const [top, bottom] = board.height === null ? [-beyond, beyond] : [corner.y, end.y];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

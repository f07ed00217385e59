// How a cell sits in its square: the same for both ways of drawing.

import { isShaped } from "./lattice.js";
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
 * @property {Shapes | null} shapes where cells are hexagons or triangles
 */

/**
 * @typedef {object} Shapes
 * @property {"hexagonal" | "triangular"} lattice
 * @property {number} row pixels from a row to the next
 * @property {boolean} shaped whether cells are large enough for a shape
 * @property {number} odd 1 where the first cell is a triangle with its point above
 * @property {boolean} ruled whether there is something between cells
 * @property {[number, number, number, number]} board the cells of the world, from the frame's first: left, top, right, bottom
 */

/** From here on hexagons and triangles have something between them. */
const SHAPE_HAIR = 6;

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
    edge: board && view.lattice === "square" ? edge(workbench, board) : null,
    shapes: density ? null : shapes(workbench, frame),
  };
}

/**
 * @param {Workbench} workbench
 * @param {Frame} frame
 * @returns {Shapes | null}
 */
function shapes({ view }, frame) {
  const { lattice } = view;
  if (lattice === "square") return null;
  const { board } = frame.header;
  const far = 1_000_000;
  const within = (/** @type {bigint} */ value) => Math.max(-far, Math.min(far, Number(value)));
  const side = (/** @type {bigint} */ seen, /** @type {string | null | undefined} */ first, /** @type {string | null | undefined} */ length) =>
    length == null ? [-far, far] : [within(BigInt(first ?? 0) - seen), within(BigInt(first ?? 0) + BigInt(length) - seen)];
  const [left, right] = side(frame.x, board?.x, board?.width);
  const [top, bottom] = side(frame.y, board?.y, board?.height);
  return {
    lattice,
    row: view.row,
    shaped: isShaped(lattice, view.zoom.pixels),
    odd: Number((frame.x + frame.y) & 1n),
    ruled: view.cell >= SHAPE_HAIR,
    board: [left, top, right, bottom],
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

// The viewport. A frame fixes its position; pans and zooms that the server has not answered yet
// are shown at once, by translating and scaling the current frame.

import { cellOfPoint, isShaped, rowHalvings, rowPixels } from "./lattice.js";
import { closer, farther, ratio, readZoom, same } from "./zoom.js";

/** @import { FrameHeader } from "./types.js" */
/** @import { Zoom } from "./zoom.js" */

/**
 * @typedef {object} Pending
 * @property {number} id the command that does it
 * @property {number} scale
 * @property {number} x window pixels
 * @property {number} y
 * @property {Zoom | null} zoom
 */

export class View {
  left = 0n;
  top = 0n;
  /** @type {Zoom} */
  zoom = { pixels: 8, halvings: 0 };
  /** @type {import("./lattice.js").Lattice} */
  lattice = "square";
  /** @type {Pending[]} */
  pending = [];

  /** @param {FrameHeader} header */
  place(header) {
    this.left = BigInt(header.left);
    this.top = BigInt(header.top);
    this.zoom = readZoom(header.zoom);
    this.lattice = header.lattice ?? "square";
    this.pending = this.pending.filter((step) => step.id > header.id);
  }

  /**
   * Drops the prediction of a command that did nothing.
   * @param {number} id
   */
  settle(id) {
    const before = this.pending.length;
    this.pending = this.pending.filter((step) => step.id > id);
    return this.pending.length !== before;
  }

  /** Where the frame's pixels are shown: window pixel = scale * frame pixel + (x, y). */
  get transform() {
    let scale = 1;
    let x = 0;
    let y = 0;
    for (const step of this.pending) {
      scale *= step.scale;
      x = x * step.scale + step.x;
      y = y * step.scale + step.y;
    }
    return { scale, x, y };
  }

  /** The zoom once everything on its way has come back. */
  get target() {
    for (let i = this.pending.length - 1; i >= 0; i -= 1) {
      const zoom = this.pending[i].zoom;
      if (zoom) return zoom;
    }
    return this.zoom;
  }

  /** A cell's side in window pixels, as shown now. */
  get cell() {
    const { pixels, halvings } = this.zoom;
    return (pixels > 0 ? pixels : 2 ** -halvings) * this.transform.scale;
  }

  /**
   * The command that pans, shown at once.
   * @param {number} id
   * @param {number} dx how far the contents move to the right, in pixels
   * @param {number} dy
   */
  pan(id, dx, dy) {
    this.pending.push({ id, scale: 1, x: dx, y: dy, zoom: null });
  }

  /**
   * @param {number} id
   * @param {Zoom} zoom
   * @param {number} px the point that stays
   * @param {number} py
   */
  zoomTo(id, zoom, px, py) {
    const scale = ratio(this.target, zoom);
    this.pending.push({ id, scale, x: px - px * scale, y: py - py * scale, zoom });
  }

  /**
   * The (top-left-most) cell under a point of the window.
   * @param {number} px
   * @param {number} py
   */
  cellAt(px, py) {
    const { scale, x, y } = this.transform;
    const column = this.left + BigInt(Math.floor((px - x) / scale));
    const row = this.top + BigInt(Math.floor((py - y) / scale));
    const { pixels, halvings } = this.zoom;
    if (this.lattice !== "square") return this.#shapeAt(column, row);
    if (pixels > 0) return { x: floorDivide(column, BigInt(pixels)), y: floorDivide(row, BigInt(pixels)) };
    // Far off, rows of pixels begin one cell lower: quadtrees have their middle there.
    return { x: column << BigInt(halvings), y: (row << BigInt(halvings)) + 1n };
  }

  /**
   * The hexagon or triangle of a pixel of the sheet, counted from an even cell near it, so that
   * numbers are small and half a cell is exact.
   * @param {bigint} column
   * @param {bigint} row
   */
  #shapeAt(column, row) {
    const { lattice, zoom: { pixels, halvings } } = this;
    const hexagonal = lattice === "hexagonal";
    if (pixels === 0) {
      const x = (hexagonal ? column + (row >> 1n) : column) << BigInt(halvings);
      return { x, y: (row << BigInt(rowHalvings(lattice, halvings))) + 1n };
    }
    const [wide, high] = [pixels, rowPixels(lattice, pixels)];
    const even = (/** @type {bigint} */ value) => (value >> 1n) << 1n;
    const y = even(floorDivide(row, BigInt(high)));
    const shift = hexagonal ? (y >> 1n) * BigInt(wide) : 0n;
    const x = even(floorDivide(column + shift, BigInt(wide)));
    const u = Number(column + shift - x * BigInt(wide)) + 0.5;
    const v = Number(row - y * BigInt(high)) + 0.5;
    const found = cellOfPoint({ lattice, wide, high, shaped: isShaped(lattice, pixels), odd: 0 }, u, v);
    return { x: x + BigInt(found.x), y: y + BigInt(found.y) };
  }

  /** The distance from a row of cells to the next in window pixels, as shown now. */
  get row() {
    const { pixels } = this.zoom;
    return pixels > 0 ? rowPixels(this.lattice, pixels) * this.transform.scale : this.cell;
  }

  /**
   * Where a cell's top left corner is shown, in window pixels; far away is cut to a million.
   * @param {bigint} x
   * @param {bigint} y
   */
  pixelOf(x, y) {
    const { pixels, halvings } = this.zoom;
    const { scale, x: dx, y: dy } = this.transform;
    const { lattice } = this;
    if (lattice !== "square") {
      const down = pixels > 0 ? y * BigInt(rowPixels(lattice, pixels)) : (y - 1n) >> BigInt(rowHalvings(lattice, halvings));
      // Twice as far, since rows of hexagons are shifted by half a cell.
      let across = pixels > 0 ? 2n * x * BigInt(pixels) : 2n * (x >> BigInt(halvings));
      if (lattice === "hexagonal") across -= pixels > 0 ? y * BigInt(pixels) : down;
      return { x: (near(across - 2n * this.left) / 2) * scale + dx, y: near(down - this.top) * scale + dy };
    }
    const column = pixels > 0 ? x * BigInt(pixels) : x >> BigInt(halvings);
    const row = pixels > 0 ? y * BigInt(pixels) : (y - 1n) >> BigInt(halvings);
    return { x: near(column - this.left) * scale + dx, y: near(row - this.top) * scale + dy };
  }

  /** Whether a further zoom in this direction exists. */
  canZoom(/** @type {boolean} */ inwards) {
    const zoom = this.target;
    return !same(zoom, inwards ? closer(zoom) : farther(zoom));
  }
}

/**
 * @param {bigint} value
 * @param {bigint} by positive
 */
export function floorDivide(value, by) {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** @param {bigint} value */
function near(value) {
  const most = 1_000_000n;
  return Number(value > most ? most : value < -most ? -most : value);
}

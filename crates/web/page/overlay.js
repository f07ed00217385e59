// The overlay of the sheet: the selection and its handles, what is about to be pasted, the cell
// under the pointer, the keyboard's cell.

import { drawPeriods } from "./identify.js";
import { Icons } from "./icons.js";
import { isShaped, polygon } from "./lattice.js";
import { whole } from "./number.js";
import { drawLabel, drawRulers } from "./rulers.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { PastePlacement } from "./paste-placement.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Look, PeriodMap } from "./types.js" */

/**
 * @typedef {object} Cells a rectangle of cells
 * @property {bigint} x
 * @property {bigint} y
 * @property {bigint} width
 * @property {bigint} height
 */

const HANDLE = 7;

export class Overlay {
  /** @type {Cells | null} a selection that is being drawn */
  band = null;
  /** @type {{tool: string, from: {x: bigint, y: bigint}, to: {x: bigint, y: bigint}} | null} a shape that is being drawn */
  shape = null;
  /** @type {{x: bigint, y: bigint} | null} */
  hover = null;
  /** @type {PeriodMap | null} how often cells repeat, laid over them */
  periods = null;
  /** Whether the pointer's cell is outlined. */
  outlined = false;

  /**
   * @param {Workbench} workbench
   * @param {Sheet} sheet
   * @param {PastePlacement} placement
   */
  constructor(workbench, sheet, placement) {
    this.workbench = workbench;
    this.sheet = sheet;
    this.placement = placement;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "overlay-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    sheet.canvas.after(this.canvas);
    this.icons = new Icons(workbench, sheet);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    sheet.also(() => this.#draw());
  }

  /** The selection as it is shown now. */
  get selection() {
    return this.band ?? selection(this.workbench);
  }

  /**
   * Where a rectangle of cells is shown.
   * @param {Cells} cells
   */
  box(cells) {
    const { view } = this.workbench;
    const from = view.pixelOf(cells.x, cells.y);
    const right = view.pixelOf(cells.x + cells.width, cells.y);
    const below = view.pixelOf(cells.x, cells.y + cells.height);
    const least = view.cell < 1 ? 1 : 0;
    const [width, height] = [Math.max(right.x - from.x, least), Math.max(below.y - from.y, least)];
    // Rows of hexagons are shifted: how far the lower side lies to the right of the upper one.
    const shear = view.lattice === "hexagonal" ? below.x - from.x : 0;
    return { x: from.x, y: from.y, width, height, shear };
  }

  #draw() {
    const { canvas, context, sheet, workbench } = this;
    const { look, status } = workbench;
    if (canvas.width !== sheet.canvas.width || canvas.height !== sheet.canvas.height) {
      canvas.width = sheet.canvas.width;
      canvas.height = sheet.canvas.height;
    }
    context.setTransform(sheet.ratio, 0, 0, sheet.ratio, 0, 0);
    context.clearRect(0, 0, sheet.width, sheet.height);
    if (!look) return;
    const { theme } = look;
    this.icons.draw(context);
    if (this.periods) this.#lay(this.periods, theme);
    if (this.placement.active) {
      this.#place(theme);
    } else if (this.hover && this.outlined && workbench.view.cell >= 4) {
      this.#outline(this.hover, theme.pencil, 1);
    }
    for (const label of status?.labels ?? []) this.#label(label, theme);
    const symmetry = status?.viewer.symmetry;
    if (symmetry) this.#axes(symmetry, theme.accent);
    if (this.shape) this.#shape(this.shape, theme.accent);
    const chosen = this.selection;
    if (chosen) this.#select(chosen, theme.selection);
    const cursor = status?.viewer.cursor;
    drawRulers(context, workbench, this.hover);
    if (cursor && document.activeElement === sheet.element && sheet.element.dataset.keyboard) {
      this.#outline({ x: BigInt(cursor[0]), y: BigInt(cursor[1]) }, theme.accent, 2);
    }
  }

  /**
   * @param {PeriodMap} map
   * @param {Look["theme"]} theme
   */
  #lay(map, theme) {
    drawPeriods(this.context, map, theme, (x, y) => {
      const cell = this.box({ x: BigInt(map.x + x), y: BigInt(map.y + y), width: 1n, height: 1n });
      return [cell.x, cell.y, cell.width, cell.height];
    });
  }

  /**
   * A text of the pattern's script, centred on its cell.
   * @param {{place: [string, string], text: string, size: number}} label
   * @param {Look["theme"]} theme
   */
  #label({ place, text, size }, theme) {
    const { context } = this;
    const { x, y, width, height } = this.box({ x: BigInt(place[0]), y: BigInt(place[1]), width: 1n, height: 1n });
    context.save();
    context.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = size / 4;
    context.strokeStyle = theme.sheet ?? "";
    context.fillStyle = theme.text ?? "";
    for (const [index, line] of text.split("\n").entries()) {
      const [left, top] = [x + width / 2, y + height / 2 + index * size * 1.2];
      // legible on cells too
      context.strokeText(line, left, top);
      context.fillText(line, left, top);
    }
    context.restore();
  }

  /**
   * @param {{x: bigint, y: bigint}} cell
   * @param {string} colour
   * @param {number} width
   */
  #outline(cell, colour, width) {
    const { context } = this;
    const { x, y, width: w, height: h } = this.box({ ...cell, width: 1n, height: 1n });
    const { lattice, zoom } = this.workbench.view;
    if (lattice !== "square" && isShaped(lattice, zoom.pixels)) {
      const corners = polygon(lattice, w, h, true, ((cell.x ^ cell.y) & 1n) === 1n);
      context.beginPath();
      for (const corner of corners) context.lineTo(x + corner.x, y + corner.y);
      context.closePath();
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
      return;
    }
    const room = Math.max(0, 7 - w);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(x + 0.5 - room, y + 0.5 - room, w + 2 * room, h + 2 * room);
  }

  /**
   * @param {Cells} cells
   * @param {string} colour
   */
  #select(cells, colour) {
    const { context } = this;
    const { x, y, width, height, shear } = this.box(cells);
    // Slanted along the rows of hexagons.
    context.save();
    context.transform(1, 0, shear / height, 1, x, y);
    context.translate(-x, -y);
    context.fillStyle = colour;
    context.globalAlpha = 0.1;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.setLineDash([5, 3]);
    context.strokeRect(x + 0.5, y + 0.5, width, height);
    context.setLineDash([]);
    context.restore();
    if (this.band) return;
    const sheet = this.workbench.look?.theme.sheet ?? "#ffffff";
    for (const handle of handles({ x, y, width, height, shear })) {
      context.lineWidth = 1;
      context.fillStyle = sheet;
      context.strokeStyle = colour;
      const left = Math.round(handle.x - HANDLE / 2);
      const top = Math.round(handle.y - HANDLE / 2);
      context.fillRect(left, top, HANDLE, HANDLE);
      context.strokeRect(left + 0.5, top + 0.5, HANDLE, HANDLE);
    }
  }

  /**
   * The lines that copies are mirrored in; where there are none, the point they turn about.
   * @param {{name: string, centre: [string, string]}} symmetry
   * @param {string} colour
   */
  #axes({ name, centre }, colour) {
    const { context, sheet } = this;
    const { view } = this.workbench;
    // Twice the cell's place: an odd one lies on the line between two cells.
    const [cx, cy] = centre.map(BigInt);
    const from = view.pixelOf(cx >> 1n, cy >> 1n);
    const x = from.x + (view.cell * (1 + Number(cx & 1n))) / 2;
    const y = from.y + (view.cell * (1 + Number(cy & 1n))) / 2;
    const far = sheet.width + sheet.height + Math.abs(x) + Math.abs(y);
    /** @type {[number, number][]} */
    const directions = [];
    if (["D2|", "D4+", "D8"].includes(name)) directions.push([0, 1]);
    if (["D2-", "D4+", "D8"].includes(name)) directions.push([1, 0]);
    if (["D2\\", "D4x", "D8"].includes(name)) directions.push([1, 1]);
    if (["D2/", "D4x", "D8"].includes(name)) directions.push([1, -1]);
    context.save();
    context.strokeStyle = colour;
    context.globalAlpha = 0.7;
    context.lineWidth = 1;
    context.setLineDash([8, 4]);
    context.beginPath();
    for (const [dx, dy] of directions) {
      context.moveTo(x - far * dx, y - far * dy);
      context.lineTo(x + far * dx, y + far * dy);
    }
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.stroke();
    context.restore();
  }

  /**
   * A shape as it will be, in outline.
   * @param {{tool: string, from: {x: bigint, y: bigint}, to: {x: bigint, y: bigint}}} shape
   * @param {string} colour
   */
  #shape({ tool, from, to }, colour) {
    const { context } = this;
    const one = this.box({ ...from, width: 1n, height: 1n });
    const other = this.box({ ...to, width: 1n, height: 1n });
    const left = Math.min(one.x, other.x);
    const top = Math.min(one.y, other.y);
    const width = Math.max(one.x, other.x) + one.width - left;
    const height = Math.max(one.y, other.y) + one.height - top;
    context.save();
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    if (tool === "line" || tool === "measure") {
      context.moveTo(one.x + one.width / 2, one.y + one.height / 2);
      context.lineTo(other.x + other.width / 2, other.y + other.height / 2);
    } else if (tool === "ellipse") {
      context.ellipse(left + width / 2, top + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
    } else {
      context.rect(left, top, width, height);
    }
    context.stroke();
    context.restore();
    if (tool !== "measure") return;
    const theme = this.workbench.look?.theme;
    const words = `${whole(String(to.x - from.x))}, ${whole(String(to.y - from.y))}`;
    if (theme) drawLabel(context, theme, words, other.x + other.width / 2 + 12, other.y + other.height / 2 - 12);
  }

  /** @param {Record<string, string>} theme */
  #place(theme) {
    const { context, placement } = this;
    const { x, y, width, height, shear } = this.box(placement.cells);
    context.save();
    context.transform(1, 0, shear / height, 1, x, y);
    context.translate(-x, -y);
    context.fillStyle = theme.accent;
    context.globalAlpha = 0.12;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 0.75;
    if (placement.picture) {
      context.imageSmoothingEnabled = false;
      context.drawImage(placement.picture, x, y, width, height);
    }
    context.globalAlpha = 1;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.strokeRect(x + 0.5, y + 0.5, width, height);
    context.restore();
  }
}

/**
 * @param {Workbench} workbench
 * @returns {Cells | null}
 */
export function selection({ status }) {
  const area = status?.selection;
  if (!area) return null;
  return { x: BigInt(area.x), y: BigInt(area.y), width: BigInt(area.width), height: BigInt(area.height) };
}

/**
 * The eight handles of a box: their middles, and which sides each moves (-1 near, 1 far, 0 none).
 * @param {{x: number, y: number, width: number, height: number, shear: number}} box
 */
export function handles(box) {
  const list = [];
  for (const v of [-1, 0, 1]) {
    for (const h of [-1, 0, 1]) {
      if (h === 0 && v === 0) continue;
      list.push({ h, v, x: box.x + (box.width * (h + 1) + box.shear * (v + 1)) / 2, y: box.y + (box.height * (v + 1)) / 2 });
    }
  }
  return list;
}

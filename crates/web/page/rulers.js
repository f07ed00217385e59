// Coordinates along the sheet's upper and left edge. Where they stand comes with the frame.

import { whole } from "./number.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { RulerMarks } from "./types.js" */

/** How high the upper ruler is. */
const HEIGHT = 18;
const FONT = "11px system-ui, sans-serif";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Workbench} workbench
 * @param {{x: bigint, y: bigint} | null} hover the cell under the pointer
 */
export function drawRulers(context, { frame, look, view }, hover) {
  const rulers = frame?.header.rulers;
  if (!rulers || !look) return;
  const { theme } = look;
  const { width, height } = frame.header;
  context.save();
  context.font = FONT;
  context.textBaseline = "middle";
  const labels = (/** @type {RulerMarks} */ marks) => marks.map(([pixel, cell]) => ({ pixel, words: whole(cell) }));
  const columns = labels(rulers.columns);
  const rows = labels(rulers.rows);
  const wide = Math.ceil(Math.max(HEIGHT, ...rows.map(({ words }) => context.measureText(words).width + 12)));
  context.fillStyle = theme.desk;
  context.globalAlpha = 0.94;
  context.fillRect(0, 0, width, HEIGHT);
  context.fillRect(0, HEIGHT, wide, height - HEIGHT);
  context.globalAlpha = 1;
  // Pans and zooms that are ahead of the frame take the rulers along.
  const { scale, x: dx, y: dy } = view.transform;
  context.fillStyle = theme.text_soft;
  context.textAlign = "center";
  for (const { pixel, words } of columns) {
    const at = pixel * scale + dx;
    if (at < wide + context.measureText(words).width / 2) continue;
    context.fillText(words, at, HEIGHT / 2 - 1);
    context.fillRect(Math.round(at), HEIGHT - 4, 1, 4);
  }
  context.textAlign = "right";
  for (const { pixel, words } of rows) {
    const at = pixel * scale + dy;
    if (at < HEIGHT + 6) continue;
    context.fillText(words, wide - 6, at);
    context.fillRect(wide - 4, Math.round(at), 4, 1);
  }
  context.fillStyle = theme.rule_bold;
  context.fillRect(wide, HEIGHT, width - wide, 1);
  context.fillRect(wide, HEIGHT, 1, height - HEIGHT);
  if (hover) {
    const from = view.pixelOf(hover.x, hover.y);
    const side = (/** @type {number} */ length) => Math.max(2, length);
    context.fillStyle = theme.accent;
    if (from.x >= wide) context.fillRect(from.x, HEIGHT - 3, side(view.cell), 3);
    if (from.y >= HEIGHT) context.fillRect(wide - 3, from.y, 3, side(view.row));
  }
  context.restore();
}

/**
 * A few words on a slip of paper.
 * @param {CanvasRenderingContext2D} context
 * @param {Record<string, string>} theme
 * @param {string} words
 * @param {number} x the left edge
 * @param {number} y the middle
 */
export function drawLabel(context, theme, words, x, y) {
  context.save();
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  const width = context.measureText(words).width + 12;
  context.fillStyle = theme.sheet;
  context.fillRect(x, y - 10, width, 20);
  context.strokeStyle = theme.rule_bold;
  context.strokeRect(x + 0.5, y - 9.5, width - 1, 19);
  context.fillStyle = theme.text;
  context.fillText(words, x + 6, y);
  context.restore();
}

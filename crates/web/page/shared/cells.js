// Small pictures of cells, and drawings in which cells are live, dead or free.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Cells as a picture: live ones filled, open ones as a dot.
 * @param {string[]} rows a text each: `.` is dead, `?` open, all else live
 * @param {{scale: number, lines?: boolean}} how
 */
export function pictureOf(rows, { scale, lines = false }) {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `-0.1 -0.1 ${width + 0.2} ${height + 0.2}`);
  svg.setAttribute("width", String(width * scale));
  svg.setAttribute("height", String(height * scale));
  svg.setAttribute("class", "cell-picture");
  svg.setAttribute("aria-hidden", "true");
  const cells = rows.flatMap((row, y) => [...row].map((cell, x) => ({ cell, x, y })));
  const add = (/** @type {string} */ kind, /** @type {string} */ d) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", kind);
    path.setAttribute("d", d);
    path.setAttribute("fill", "currentColor");
    svg.append(path);
  };
  const square = ({ x = 0, y = 0 }, size = 1) => `M${x + (1 - size) / 2} ${y + (1 - size) / 2}h${size}v${size}h-${size}z`;
  add("open", cells.filter(({ cell }) => cell === "?").map((at) => square(at, 0.3)).join(""));
  add("live", cells.filter(({ cell }) => cell !== "?" && cell !== ".").map((at) => square(at)).join(""));
  if (lines) {
    const across = Array.from({ length: height + 1 }, (_, y) => `M0 ${y}h${width}`);
    const down = Array.from({ length: width + 1 }, (_, x) => `M${x} 0v${height}`);
    add("lines", [...across, ...down].join(""));
  }
  return svg;
}

/**
 * How large the cells of a picture are drawn.
 * @param {string[]} rows
 * @param {number} width the most pixels
 * @param {number} height
 * @param {number} largest the largest cell
 */
export function scaleOf(rows, width, height, largest) {
  return Math.max(1, Math.min(largest, Math.floor(width / (rows[0]?.length || 1)), Math.floor(height / (rows.length || 1))));
}

/**
 * Reads a drawing: run-length encoded, `b` as `.`, `?` for free cells.
 * @param {string} text
 * @returns {string[]} rows of equal length; none where it is no drawing
 */
export function readDrawing(text) {
  const rows = [""];
  const size = /^\s*x\s*=\s*(\d+)\s*,\s*y\s*=\s*(\d+)/imu.exec(text);
  const lines = text.split("\n").filter((line) => !/^\s*(#|x\s*=)/iu.test(line));
  for (const [, count, letter] of lines.join("").matchAll(/(\d*)\s*([^\d\s])/gu)) {
    const run = Number(count || 1);
    if (run > 64 || rows.length > 64) return [];
    if (letter === "!") break;
    else if (letter === "$") rows.push(...Array.from({ length: run }, () => ""));
    else rows[rows.length - 1] += (letter === "b" ? "." : letter).repeat(run);
  }
  while (rows.length < Math.min(64, Number(size?.[2] ?? 1))) rows.push("");
  const width = Math.max(...rows.map((row) => row.length), Number(size?.[1] ?? 0));
  return width > 64 || rows.length > 64 || width === 0 ? [] : rows.map((row) => row.padEnd(width, "."));
}

/**
 * The text of a drawing.
 * @param {string[]} rows
 */
export function writeDrawing(rows) {
  const runs = (/** @type {string} */ row) => row.replace(/(.)\1*/gu, (run, cell) => (run.length > 1 ? String(run.length) : "") + cell);
  return `${rows.map(runs).join("$")}!`;
}

// The population over time: small beside its number, large in the drawer.

import { find, write } from "./element.js";
import { whole } from "./number.js";
import { WORDS } from "./words.js";
import { setLabel } from "./translation.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Drawer } from "./drawer.js" */
/** @import { PlotPoints } from "./types.js" */

/**
 * @param {Workbench} workbench
 * @param {Drawer} drawer
 */
export function startPlot(workbench, drawer) {
  const small = find("spark", HTMLCanvasElement);
  const large = find("plot", HTMLCanvasElement);
  const empty = find("plot-empty", HTMLElement);
  const reading = find("plot-reading", HTMLElement);
  const table = find("plot-ends", HTMLElement);
  /** @type {PlotPoints} */
  let points = [];
  /** @type {number | null} */
  let pointed = null;

  const seen = () => drawer.open && drawer.panel === "plot";
  // Points are sent only while somebody can see them.
  const ask = () => workbench.connection.plot(!document.hidden && (seen() || small.clientWidth > 0));
  new ResizeObserver(ask).observe(small);
  document.addEventListener("visibilitychange", ask);

  const draw = () => {
    const theme = workbench.look?.theme;
    if (!theme) return;
    const values = points.map(([generation, population]) => [Number(generation), Number(population)]);
    trace(small, values, { ink: theme.text_soft, fill: null, rule: null, bold: null, pointed: null });
    if (!seen()) return;
    empty.hidden = points.length > 1;
    trace(large, values, { ink: theme.accent, fill: theme.accent, rule: theme.rule, bold: theme.rule_bold, pointed });
    const at = pointed === null ? points[points.length - 1] : points[pointed];
    write(reading, at ? `generation ${whole(at[0])}: population ${whole(at[1])}` : "");
    const sizes = points.map(([, population]) => BigInt(population));
    if (sizes.length > 0) {
      const least = sizes.reduce((a, b) => (b < a ? b : a));
      const most = sizes.reduce((a, b) => (b > a ? b : a));
      write(table, `least ${whole(String(least))}, most ${whole(String(most))}`);
    } else write(table, "");
    setLabel(large, "aria-label", `${reading.textContent}; ${table.textContent}`);
    write(empty, WORDS.noPlot);
  };
  workbench.on("plot", (list) => {
    points = list;
    draw();
  });
  workbench.on("look", draw);
  new ResizeObserver(draw).observe(large);
  drawer.onShow("plot", () => {
    ask();
    draw();
  });
  drawer.onHide(ask);

  const point = (/** @type {number | null} */ index) => {
    pointed = index === null || points.length === 0 ? null : Math.max(0, Math.min(points.length - 1, index));
    draw();
  };
  large.addEventListener("pointermove", (event) => {
    if (points.length < 2) return;
    const first = Number(points[0][0]);
    const span = Number(points[points.length - 1][0]) - first || 1;
    const wanted = first + (event.offsetX / large.clientWidth) * span;
    let best = 0;
    for (const [i, [generation]] of points.entries()) {
      if (Math.abs(Number(generation) - wanted) < Math.abs(Number(points[best][0]) - wanted)) best = i;
    }
    point(best);
  });
  large.addEventListener("pointerleave", () => point(null));
  large.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    point((pointed ?? points.length - 1) + step);
  });
}

/**
 * @typedef {object} Pens
 * @property {string} ink
 * @property {string | null} fill
 * @property {string | null} rule
 * @property {string | null} bold
 * @property {number | null} pointed
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number[][]} values
 * @param {Pens} pens
 */
function trace(canvas, values, pens) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (width === 0) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (pens.rule && pens.bold) squaredPaper(context, width, height, pens.rule, pens.bold);
  if (values.length < 2) return;
  const first = values[0][0];
  const span = values[values.length - 1][0] - first || 1;
  const most = Math.max(1, ...values.map(([, population]) => population));
  const place = (/** @type {number[]} */ value) => ({
    x: ((value[0] - first) / span) * (width - 2) + 1,
    y: height - 2 - (value[1] / most) * (height - 6),
  });
  context.beginPath();
  for (const value of values) {
    const { x, y } = place(value);
    context.lineTo(x, y);
  }
  context.strokeStyle = pens.ink;
  context.lineWidth = pens.fill ? 1.75 : 1.25;
  context.lineJoin = "round";
  context.stroke();
  if (pens.fill) {
    context.lineTo(width - 1, height);
    context.lineTo(1, height);
    context.globalAlpha = 0.1;
    context.fillStyle = pens.fill;
    context.fill();
    context.globalAlpha = 1;
  }
  if (pens.pointed !== null && values[pens.pointed]) {
    const { x, y } = place(values[pens.pointed]);
    context.fillStyle = pens.ink;
    context.fillRect(Math.round(x), 0, 1, height);
    context.beginPath();
    context.arc(x, y, 4, 0, 7);
    context.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 * @param {string} rule
 * @param {string} bold
 */
function squaredPaper(context, width, height, rule, bold) {
  const square = 8;
  for (const strong of [false, true]) {
    context.fillStyle = strong ? bold : rule;
    for (let i = 0; i * square < width; i += 1) if ((i % 10 === 0) === strong) context.fillRect(i * square, 0, 1, height);
    for (let i = 0; i * square < height; i += 1) if ((i % 10 === 0) === strong) context.fillRect(0, height - 1 - i * square, width, 1);
  }
}

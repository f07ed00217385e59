// The quantities of a run over its generations: the population small beside its number, and all
// large in the drawer. Axes and places come from the server; here they are drawn.

import { find, write } from "./element.js";
import { whole } from "./number.js";
import { saveLinked } from "./shared/server.js";
import { WORDS } from "./words.js";
import { setLabel } from "./translation.js";
import { addressOf } from "./world-address.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Drawer } from "./drawer.js" */
/** @import { PlotCurve, PlotDrawing, PlotMessage } from "./types.js" */

/** Pixels around the curves for the labels. */
const MARGIN = { left: 52, right: 10, top: 14, bottom: 34 };

/** The theme's colour and the dashes of each curve, so that colour alone tells nothing. */
const PENS = /** @type {Record<string, {colour: string, dash: number[]}>} */ ({
  population: { colour: "text", dash: [] },
  births: { colour: "accent", dash: [7, 3] },
  deaths: { colour: "red", dash: [3, 2] },
  width: { colour: "pencil", dash: [9, 3, 2, 3] },
  height: { colour: "text_soft", dash: [1, 2] },
});

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
  const csv = find("plot-csv", HTMLAnchorElement);
  const boxes = /** @type {HTMLInputElement[]} */ ([...find("plot-curves", HTMLElement).querySelectorAll("input")]);
  /** @type {PlotMessage} */
  let plot = { points: [] };
  /** @type {number | null} the point of the longest curve that is read */
  let pointed = null;

  const seen = () => drawer.open && drawer.panel === "plot";
  // Points are sent only while somebody can see them.
  const ask = () => {
    workbench.connection.plot(!document.hidden && (seen() || small.clientWidth > 0));
    workbench.connection.curves(!document.hidden && seen());
  };
  new ResizeObserver(ask).observe(small);
  document.addEventListener("visibilitychange", ask);

  const curves = () => plot.drawing?.curves ?? [];
  /** @returns {PlotCurve} */
  const longest = () => curves().reduce((a, b) => (b.places.length > a.places.length ? b : a), { name: "", places: [], values: [] });

  const draw = () => {
    const theme = workbench.look?.theme;
    if (!theme) return;
    drawSpark(small, plot.points, theme.text_soft);
    if (!seen()) return;
    empty.hidden = longest().places.length > 1;
    write(empty, WORDS.noPlot);
    const at = longest();
    const index = pointed === null ? at.values.length - 1 : Math.min(pointed, at.values.length - 1);
    drawCurves(large, plot.drawing ?? null, theme, pointed === null ? null : (at.places[index]?.[0] ?? null));
    const generation = at.values[index]?.[0];
    const values = curves().flatMap(({ name, values }) => {
      const value = values.find(([there]) => there === generation)?.[1];
      return value === undefined ? [] : [`${name} ${whole(value)}`];
    });
    write(reading, generation === undefined ? "" : `generation ${whole(generation)}: ${values.join(", ")}`);
    const sizes = plot.points.map(([, population]) => BigInt(population));
    if (sizes.length > 0) {
      const least = sizes.reduce((a, b) => (b < a ? b : a));
      const most = sizes.reduce((a, b) => (b > a ? b : a));
      write(table, `least ${whole(String(least))}, most ${whole(String(most))}`);
    } else write(table, "");
    setLabel(large, "aria-label", `${reading.textContent}; ${table.textContent}`);
  };
  workbench.on("plot", (message) => {
    plot = message;
    draw();
  });
  workbench.on("look", draw);
  workbench.on("status", ({ viewer }) => {
    const words = viewer.curves.split(" ");
    for (const box of boxes) box.checked = words.includes(box.value);
  });
  for (const box of boxes) {
    box.addEventListener("change", () => {
      const words = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      workbench.do(`curves ${words.join(" ")}`.trim());
    });
  }
  csv.addEventListener("click", (event) => saveLinked(event, addressOf("/plot.csv"), `${workbench.status?.title || WORDS.untitled}.csv`));
  new ResizeObserver(draw).observe(large);
  drawer.onShow("plot", () => {
    ask();
    draw();
  });
  drawer.onHide(ask);

  const point = (/** @type {number | null} */ index) => {
    const { values } = longest();
    pointed = index === null || values.length === 0 ? null : Math.max(0, Math.min(values.length - 1, index));
    draw();
  };
  large.addEventListener("pointermove", (event) => {
    const { places } = longest();
    if (places.length < 2) return;
    const part = (event.offsetX - MARGIN.left) / (large.clientWidth - MARGIN.left - MARGIN.right);
    let best = 0;
    for (const [i, [x]] of places.entries()) if (Math.abs(x - part) < Math.abs(places[best][0] - part)) best = i;
    point(best);
  });
  large.addEventListener("pointerleave", () => point(null));
  large.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    point((pointed ?? longest().values.length - 1) + step);
  });
}

/**
 * A canvas as large as it is shown, and what draws on it.
 * @param {HTMLCanvasElement} canvas
 */
function cleared(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (width === 0) return null;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context && { context, width, height };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {[string, string][]} points
 * @param {string} ink
 */
function drawSpark(canvas, points, ink) {
  const sheet = cleared(canvas);
  if (!sheet || points.length < 2) return;
  const { context, width, height } = sheet;
  const values = points.map(([generation, population]) => [Number(generation), Number(population)]);
  const first = values[0][0];
  const span = values[values.length - 1][0] - first || 1;
  const most = Math.max(1, ...values.map(([, population]) => population));
  context.beginPath();
  for (const [generation, population] of values) {
    context.lineTo(((generation - first) / span) * (width - 2) + 1, height - 2 - (population / most) * (height - 6));
  }
  context.strokeStyle = ink;
  context.lineWidth = 1.25;
  context.lineJoin = "round";
  context.stroke();
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {PlotDrawing | null} drawing
 * @param {Record<string, string>} theme
 * @param {number | null} pointed the part of the width that is read
 */
function drawCurves(canvas, drawing, theme, pointed) {
  const sheet = cleared(canvas);
  if (!sheet || !drawing) return;
  const { context, width, height } = sheet;
  const [wide, high] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  const x = (/** @type {number} */ part) => MARGIN.left + part * wide;
  const y = (/** @type {number} */ part) => MARGIN.top + (1 - part) * high;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const [part, label] of drawing.up) {
    context.fillStyle = theme.rule_bold;
    context.fillRect(MARGIN.left, Math.round(y(part)), wide, 1);
    context.fillStyle = theme.text_soft;
    context.textAlign = "right";
    context.fillText(whole(label), MARGIN.left - 6, y(part));
  }
  for (const [part, label] of drawing.across) {
    context.fillStyle = theme.rule_bold;
    context.fillRect(Math.round(x(part)), MARGIN.top, 1, high);
    context.fillStyle = theme.text_soft;
    context.textAlign = part > 0.95 ? "right" : "center";
    context.fillText(whole(label), part > 0.95 ? width - 2 : x(part), height - MARGIN.bottom + 10);
  }
  context.textAlign = "right";
  context.fillText(drawing.across_title, width - MARGIN.right, height - 9);
  context.textAlign = "left";
  if (drawing.up_title) context.fillText(drawing.up_title, 2, 6);
  for (const { name, places } of drawing.curves) {
    const pen = PENS[name];
    context.strokeStyle = theme[pen.colour];
    context.setLineDash(pen.dash);
    context.lineWidth = 1.75;
    context.lineJoin = "round";
    context.beginPath();
    for (const place of places) context.lineTo(x(place[0]), y(place[1]));
    context.stroke();
  }
  context.setLineDash([]);
  if (drawing.curves.length > 1) legend(context, drawing, theme, width);
  if (pointed === null) return;
  context.fillStyle = theme.text_soft;
  context.fillRect(Math.round(x(pointed)), MARGIN.top, 1, high);
  for (const { name, places } of drawing.curves) {
    const place = places.find(([part]) => part === pointed);
    if (!place) continue;
    context.fillStyle = theme[PENS[name].colour];
    context.beginPath();
    context.arc(x(place[0]), y(place[1]), 4, 0, 7);
    context.fill();
  }
}

/**
 * The curves' names beside a piece of their lines.
 * @param {CanvasRenderingContext2D} context
 * @param {PlotDrawing} drawing
 * @param {Record<string, string>} theme
 * @param {number} width
 */
function legend(context, drawing, theme, width) {
  let left = width - MARGIN.right;
  context.textAlign = "left";
  for (const { name } of [...drawing.curves].reverse()) {
    const pen = PENS[name];
    left -= context.measureText(name).width + 32;
    context.strokeStyle = theme[pen.colour];
    context.setLineDash(pen.dash);
    context.beginPath();
    context.moveTo(left, 6);
    context.lineTo(left + 20, 6);
    context.stroke();
    context.fillStyle = theme.text;
    context.fillText(name, left + 24, 6);
  }
  context.setLineDash([]);
}

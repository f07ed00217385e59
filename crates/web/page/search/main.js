// The search page: asks for a pattern, shows what is tried just now, and lists what was found.

import { find, make, write } from "../element.js";
import { whole } from "../number.js";
import { pictureOf, readDrawing, scaleOf, writeDrawing } from "../shared/cells.js";
import { Job } from "../shared/job.js";
import { HAS_SERVER, roomAddress } from "../shared/server.js";
import { startShell } from "../shared/shell.js";

/**
 * @typedef {object} Find a pattern that was found
 * @property {string} title
 * @property {string | null} code
 * @property {string} rle
 * @property {number | null} period
 * @property {number} population
 * @property {string[] | null} picture
 */

/**
 * @typedef {object} Run a search, as far as it is
 * @property {string} rule
 * @property {string} question
 * @property {string} words
 * @property {number | null} share
 * @property {string[]} partial
 * @property {boolean} isOver
 * @property {Find[]} found
 */

const SYMMETRIES = ["C1", "C2", "C4", "D2|", "D2-", "D2\\", "D2/", "D4+", "D4X", "D8"];

/** What a click makes of a cell. */
const NEXT = /** @type {Record<string, string>} */ ({ "?": "o", o: ".", ".": "?" });

const answer = find("search-answer", HTMLElement);
const result = find("search-result", HTMLElement);
const sheet = find("search-sheet", HTMLElement);
const known = find("search-known", HTMLDetailsElement);
const drawing = find("search-drawing", HTMLTextAreaElement);
const task = find("search-task", HTMLSelectElement);
const symmetry = find("search-symmetry", HTMLSelectElement);
const stop = find("search-stop", HTMLButtonElement);
const all = find("search-all", HTMLInputElement);
const input = (/** @type {string} */ name) => find(`search-${name}`, HTMLInputElement);
const text = (/** @type {string} */ name) => input(name).value.trim();

let id = new URLSearchParams(location.search).get("run") ?? "";

const job = new Job({ path: "/search", answer, pace: 300, query: () => (id ? { id } : null), show });

startShell({ keys: [] });
find("search-limit", HTMLElement).hidden = !HAS_SERVER;
symmetry.append(...SYMMETRIES.map((name) => make("option", { value: name, translate: "no" }, name)));
find("search-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void begin();
});
stop.addEventListener("click", () => void job.stop());
task.addEventListener("change", showFields);
drawing.addEventListener("input", showDrawing);
for (const name of ["width", "height"]) input(name).addEventListener("change", fitDrawing);
known.addEventListener("toggle", () => {
  if (known.open && drawing.value === "") fitDrawing();
});
find("search-clear", HTMLButtonElement).addEventListener("click", () => {
  drawing.value = "";
  showDrawing();
});
sheet.addEventListener("click", (event) => {
  const picture = event.target instanceof Element ? event.target.closest("svg") : null;
  const rows = readDrawing(drawing.value);
  if (!picture || rows.length === 0) return;
  const box = picture.getBoundingClientRect();
  const [x, y] = [Math.floor(((event.clientX - box.x) / box.width) * (rows[0]?.length ?? 1)), Math.floor(((event.clientY - box.y) / box.height) * rows.length)];
  const row = rows[y];
  if (row === undefined || row[x] === undefined) return;
  rows[y] = row.slice(0, x) + (NEXT[row[x]] ?? "?") + row.slice(x + 1);
  drawing.value = writeDrawing(rows);
  showDrawing();
});
takeAddress();
showFields();
void job.ask();

/** What the address asks for: a selection of a sheet comes so. */
function takeAddress() {
  // what comes from a sheet may be long, and stands behind the #
  const asked = new URLSearchParams([...new URLSearchParams(location.search), ...new URLSearchParams(location.hash.slice(1))]);
  for (const name of ["rule", "period", "velocity", "generations", "width", "height", "cells", "margin"]) {
    const value = asked.get(name);
    if (value !== null) input(name).value = value;
  }
  task.value = asked.get("task") ?? task.value;
  drawing.value = asked.get("drawing") ?? "";
  known.open = drawing.value !== "";
  showDrawing();
  if (asked.has("begin")) void begin();
}

/** Shows the fields that the task has. */
function showFields() {
  for (const part of document.querySelectorAll("#search-form [data-for]")) {
    if (part instanceof HTMLElement) part.hidden = !part.dataset.for?.split(" ").includes(task.value);
  }
  if (task.value === "predecessor" || task.value === "orphan") known.open = true;
}

/** Makes the drawing as large as the box, with what it has. */
function fitDrawing() {
  if (!known.open) return;
  const size = (/** @type {string} */ name) => Math.max(1, Math.min(64, Number(text(name)) || 1));
  const [width, height] = [size("width"), size("height")];
  const rows = readDrawing(drawing.value);
  const fitted = Array.from({ length: height }, (_, y) => (rows[y] ?? "").slice(0, width).padEnd(width, "?"));
  drawing.value = writeDrawing(fitted);
  showDrawing();
}

function showDrawing() {
  const rows = readDrawing(drawing.value);
  sheet.replaceChildren(...(rows.length > 0 ? [pictureOf(rows, { scale: scaleOf(rows, 420, 300, 22), lines: true })] : []));
}

async function begin() {
  const number = (/** @type {string} */ name) => Number(text(name)) || 0;
  const isPeriodic = !["predecessor", "orphan"].includes(task.value);
  const message = {
    task: task.value,
    rule: text("rule"),
    period: number(task.value === "predecessor" ? "generations" : "period"),
    velocity: text("velocity"),
    width: number("width"),
    height: number("height"),
    symmetry: symmetry.value,
    maxCells: text("cells") === "" ? null : number("cells"),
    drawing: isPeriodic && /^[\d?$!\s]*$/u.test(drawing.value) ? "" : drawing.value,
    freeMargin: isPeriodic && text("margin") !== "" ? number("margin") : null,
    all: all.checked,
    before: id || null,
  };
  const reply = await job.start(message);
  if (!reply) return;
  id = reply.id;
  history.replaceState(null, "", `${roomAddress("/search")}?${new URLSearchParams({ run: id })}`);
  await job.ask();
}

/** @param {Run} run */
function show(run) {
  result.hidden = false;
  stop.hidden = run.isOver;
  find("search-title", HTMLElement).textContent = run.question;
  const bar = find("search-bar", HTMLProgressElement);
  bar.hidden = run.isOver;
  if (run.share === null) bar.removeAttribute("value");
  else bar.value = run.share;
  write(find("search-words", HTMLElement), run.words);
  const partial = find("search-partial", HTMLElement);
  partial.hidden = run.partial.length === 0;
  partial.replaceChildren(pictureOf(run.partial, { scale: scaleOf(run.partial, 560, 320, 18), lines: true }));
  find("search-table", HTMLElement).hidden = run.found.length === 0;
  const rows = find("search-rows", HTMLTableSectionElement);
  rows.append(...run.found.slice(rows.dataset.run === id ? rows.rows.length : clear(rows)).map(rowOf));
}

/**
 * Empties the table for another search.
 * @param {HTMLTableSectionElement} rows
 */
function clear(rows) {
  rows.replaceChildren();
  rows.dataset.run = id;
  return 0;
}

/** @param {Find} found */
function rowOf(found) {
  const address = `${roomAddress("/")}?${new URLSearchParams({ rle: found.rle })}`;
  return make(
    "tr",
    {},
    make("td", {}, found.picture ? pictureOf(found.picture, { scale: scaleOf(found.picture, 110, 80, 6) }) : ""),
    make("td", {}, found.title, ...(found.code && found.code !== found.title ? [make("div", { class: "job-code", translate: "no" }, found.code)] : [])),
    make("td", { class: "number" }, found.period === null ? "" : whole(String(found.period))),
    make("td", { class: "number" }, whole(String(found.population))),
    make("td", {}, make("a", { href: address, "aria-label": `open it: ${found.title}` }, "open")),
  );
}

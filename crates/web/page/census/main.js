// The census page: starts one, asks how far it is, and shows the table of objects.

import { find, make, write } from "../element.js";
import { whole } from "../number.js";
import { pictureOf, scaleOf } from "../shared/cells.js";
import { Job } from "../shared/job.js";
import { roomAddress } from "../shared/server.js";
import { startShell } from "../shared/shell.js";

/**
 * @typedef {object} Row an object that was found
 * @property {string} code
 * @property {string | null} name
 * @property {string} kind
 * @property {number} count
 * @property {string | null} soup
 * @property {string[] | null} picture
 */

/**
 * @typedef {object} Run a census, as far as it is
 * @property {string} rule
 * @property {string} symmetry
 * @property {string} root
 * @property {number} soups
 * @property {number} planned
 * @property {number} objects
 * @property {number} kinds
 * @property {number} perSecond
 * @property {[number, number] | null} lifespans the mean and the longest
 * @property {boolean} isOver
 * @property {string | null} error
 * @property {Row[]} rows
 */

const SYMMETRIES = ["C1", "C2_1", "C2_2", "C2_4", "C4_1", "C4_4", "D2_+1", "D2_+2", "D2_x", "D4_+1", "D4_+2", "D4_+4", "D4_x1", "D4_x4", "D8_1", "D8_4", "8x32", "4x64", "2x128", "1x256"];

const form = find("census-form", HTMLFormElement);
const answer = find("census-answer", HTMLElement);
const result = find("census-result", HTMLElement);
const body = find("census-rows", HTMLTableSectionElement);
const search = find("census-search", HTMLInputElement);
const start = find("census-start", HTMLButtonElement);
const stop = find("census-stop", HTMLButtonElement);
const symmetry = find("census-symmetry", HTMLSelectElement);
const field = (/** @type {string} */ name) => find(`census-${name}`, HTMLInputElement);
// the rule of the world that one comes from
field("rule").value = new URLSearchParams(location.search).get("rule") || field("rule").value;

let sort = "count";
/** @type {Run | null} */
let shown = null;

const job = new Job({ path: "/census", answer, pace: 500, query: () => ({ search: search.value.trim() }), show });

startShell({
  keys: [
    {
      keys: "/",
      words: "search the objects",
      act: (event) => {
        event.preventDefault();
        search.focus();
      },
    },
  ],
});
symmetry.append(...SYMMETRIES.map((name) => make("option", { value: name }, name)));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const soups = Number(field("soups").value.replace(/[\s\u202f_,']/g, ""));
  if (!Number.isSafeInteger(soups) || soups < 1) return job.fail("soups is a number from 1 on");
  const message = { rule: field("rule").value.trim(), symmetry: symmetry.value, root: field("root").value.trim(), soups };
  if (await job.start(message)) await job.ask();
});
stop.addEventListener("click", () => void job.stop());
search.addEventListener("input", () => void job.ask());
for (const button of result.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    sort = button.getAttribute("data-sort") ?? "count";
    for (const head of result.querySelectorAll("[aria-sort]")) head.setAttribute("aria-sort", "none");
    button.closest("th")?.setAttribute("aria-sort", sort === "count" ? "descending" : "ascending");
    if (shown) showRows(shown);
  });
}
void job.ask();

/** @param {Run} run */
function show(run) {
  shown = run;
  result.hidden = false;
  stop.hidden = run.isOver;
  start.disabled = !run.isOver;
  write(find("census-title", HTMLElement), `${run.rule} ${run.symmetry}/${run.root}`);
  const bar = find("census-bar", HTMLProgressElement);
  bar.value = run.planned > 0 ? run.soups / run.planned : 0;
  bar.hidden = run.isOver;
  write(find("census-words", HTMLElement), run.error ?? words(run));
  showRows(run);
}

/** @param {Run} run */
function words(run) {
  const soups = run.isOver ? `${whole(String(run.soups))} soups` : `${whole(String(run.soups))} of ${whole(String(run.planned))} soups`;
  const parts = [soups, `${whole(String(run.objects))} objects of ${run.kinds} kinds`];
  // none are counted where the store has them all
  if (run.perSecond > 0) parts.push(`${whole(String(Math.round(run.perSecond)))} soups a second`);
  if (run.lifespans) parts.push(`lifespan ${Math.round(run.lifespans[0])} on average, ${whole(String(run.lifespans[1]))} at most`);
  return parts.join(" · ");
}

/** @param {Run} run */
function showRows(run) {
  const rows = [...run.rows];
  if (sort !== "count") {
    const key = (/** @type {Row} */ row) => (sort === "name" ? (row.name ?? row.code) : row.kind);
    rows.sort((a, b) => key(a).localeCompare(key(b)) || b.count - a.count);
  }
  find("census-none", HTMLElement).hidden = rows.length > 0 || run.kinds === 0;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
  body.replaceChildren(...rows.map((row) => rowOf(row, run)));
  const again = focused && body.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again instanceof HTMLElement) again.focus();
}

/**
 * @param {Row} row
 * @param {Run} run
 */
function rowOf(row, run) {
  const address = (/** @type {string} */ name) => `${roomAddress("/")}?${new URLSearchParams({ name, rule: run.rule })}`;
  const title = row.name ?? row.code;
  const object = row.picture ? make("a", { href: address(row.code), "data-key": row.code, title: "open it on a sheet" }, title) : title;
  const rate = row.count / Math.max(1, run.soups);
  return make(
    "tr",
    {},
    make("td", {}, row.picture ? pictureOf(row.picture, { scale: scaleOf(row.picture, 72, 60, 6) }) : ""),
    make("td", {}, object, ...(row.name ? [make("div", { class: "job-code" }, row.code)] : [])),
    make("td", {}, row.kind),
    make("td", { class: "number" }, whole(String(row.count))),
    make("td", { class: "number" }, rate >= 0.001 ? rate.toFixed(3) : `1 in ${whole(String(Math.round(1 / rate)))}`),
    make("td", {}, row.soup ? make("a", { href: address(row.soup), "data-key": `${row.code} ${row.soup}` }, row.soup) : ""),
  );
}

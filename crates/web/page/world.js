// The panel of the world: the sheet's size and topology, random cells, and bookmarks.

import { find, icon, make, write } from "./element.js";
import { whole } from "./number.js";
import { WORDS } from "./words.js";
import { setLabel } from "./translation.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Drawer } from "./drawer.js" */

/**
 * @param {Workbench} workbench
 * @param {Drawer} drawer
 */
export function startWorld(workbench, drawer) {
  startSize(workbench, drawer);
  startRandom(workbench);
  startBookmarks(workbench);
}

/**
 * @param {Workbench} workbench
 * @param {Drawer} drawer
 */
function startSize(workbench, drawer) {
  const form = find("size-form", HTMLFormElement);
  const shapes = find("size-shapes", HTMLElement);
  const measures = find("size-measures", HTMLElement);
  const width = find("size-width", HTMLInputElement);
  const height = find("size-height", HTMLInputElement);
  const words = find("size-words", HTMLElement);
  const answer = find("size-answer", HTMLElement);

  /** @type {Map<string, string>} what each shape means */
  const meanings = new Map();
  workbench.on("welcome", ({ topologies }) => {
    if (meanings.size > 0) return;
    for (const { name, words } of topologies) meanings.set(name, words);
    shapes.append(
      ...topologies.map(({ name }) =>
        make("label", { class: "choice" }, make("input", { type: "radio", name: "shape", value: name, checked: name === "unbounded" }), make("span", {}, name)),
      ),
    );
    adapt();
    follow();
  });
  const chosen = () => String(new FormData(form).get("shape") ?? "unbounded");
  const adapt = () => {
    const shape = chosen();
    measures.hidden = shape === "unbounded";
    const square = shape === "sphere";
    find("size-height-field", HTMLElement).hidden = square;
    write(find("size-width-label", HTMLElement), square ? WORDS.side : WORDS.columns);
    write(words, meanings.get(shape) ?? "");
  };
  form.addEventListener("change", adapt);
  adapt();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const shape = chosen();
    const across = width.value.trim();
    const down = shape === "sphere" ? across : height.value.trim();
    const command = shape === "unbounded" ? "resize unbounded" : `resize ${across}x${down} ${shape}`;
    await workbench.do(command, { at: answer });
  });

  let shown = "?";
  const follow = () => {
    const topology = workbench.status?.topology ?? "";
    if (topology === shown || meanings.size === 0 || form.contains(document.activeElement)) return;
    shown = topology;
    const letter = /^:?([PTKCS])(\d+)[^,]*(?:,(\d+))?/.exec(topology);
    const shape = letter ? { P: "plane", T: "torus", K: "klein", C: "cross", S: "sphere" }[letter[1]] : "unbounded";
    for (const input of shapes.querySelectorAll("input")) input.checked = input.value === shape;
    if (letter) {
      width.value = letter[2];
      height.value = letter[3] ?? letter[2];
    }
    adapt();
  };
  workbench.on("status", follow);
  drawer.onShow("world", follow);
}

/** @param {Workbench} workbench */
function startBookmarks(workbench) {
  const form = find("bookmark-form", HTMLFormElement);
  const name = find("bookmark-name", HTMLInputElement);
  const list = find("bookmarks", HTMLElement);
  const answer = find("bookmark-answer", HTMLElement);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await workbench.do(`bookmark ${name.value.trim()}`, { at: answer });
    if (reply.ok) name.value = "";
  });
  let shown = "";
  workbench.on("status", ({ bookmarks }) => {
    const key = JSON.stringify(bookmarks);
    if (key === shown) return;
    shown = key;
    list.replaceChildren(
      ...bookmarks.map(([mark, generation]) =>
        make(
          "li",
          {},
          make("button", { type: "button", class: "plain", "data-do": `visit ${mark}` }, make("span", {}, mark), make("span", { class: "hint" }, generation && WORDS.atGeneration(whole(generation)))),
          make("button", { type: "button", class: "plain square small", "data-do": `bookmark ${mark} off`, "aria-label": WORDS.forget(mark), title: WORDS.forget(mark) }, icon("close")),
        ),
      ),
    );
  });
}

/** @param {Workbench} workbench */
function startRandom(workbench) {
  const form = find("random-form", HTMLFormElement);
  const density = find("random-density", HTMLInputElement);
  const shown = find("random-density-text", HTMLElement);
  const count = find("random-count", HTMLInputElement);
  const seed = find("random-seed", HTMLInputElement);
  const size = find("random-size", HTMLElement);
  const width = find("random-width", HTMLInputElement);
  const height = find("random-height", HTMLInputElement);
  const answer = find("random-answer", HTMLElement);
  const value = (/** @type {string} */ name) => String(new FormData(form).get(name) ?? "");
  const adapt = () => {
    write(shown, WORDS.density(density.value));
    setLabel(density, "aria-valuetext", WORDS.density(density.value));
    const exact = value("how") === "count";
    find("random-density-field", HTMLElement).hidden = exact;
    find("random-count-field", HTMLElement).hidden = !exact;
    size.hidden = value("where") !== "new";
  };
  form.addEventListener("input", adapt);
  adapt();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const amount = value("how") === "count" ? `count ${count.value.trim()}` : String(Number(density.value) / 100);
    const from = seed.value.trim() ? ` seed ${seed.value.trim()}` : "";
    const command =
      value("where") === "new"
        ? `soup ${width.value.trim()}x${height.value.trim()} ${amount}${from}`
        : `random ${amount}${from}`;
    await workbench.do(command, { at: answer });
  });
}

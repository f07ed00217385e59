// The margin at the left: tools, the pen's state, undo and redo, zoom.

import { find, make, write } from "./element.js";
import { WORDS } from "./words.js";
import { setLabel } from "./translation.js";

/** @import { Workbench } from "./workbench.js" */

/** More states than this are chosen from a sheet of swatches that opens. */
const SHOWN = 7;

/** @param {Workbench} workbench */
export function startTools(workbench) {
  const margin = find("tools", HTMLElement);
  const fold = find("tools-fold", HTMLButtonElement);
  const swatches = find("swatches", HTMLElement);
  const all = find("all-swatches", HTMLElement);
  const more = find("more-swatches", HTMLButtonElement);
  const undo = find("undo", HTMLButtonElement);
  const redo = find("redo", HTMLButtonElement);
  const tools = [...margin.querySelectorAll("[data-tool]")];

  const setFolded = (/** @type {boolean} */ folded) => {
    margin.classList.toggle("is-open", !folded);
    fold.setAttribute("aria-expanded", String(!folded));
    drawFold();
  };
  const drawFold = () => {
    const tool = workbench.status?.viewer.tool ?? "draw";
    // Pan and draw have buttons of their own in the folded list.
    const folded = tool === "pan" || tool === "draw" ? "more" : tool;
    const shown = margin.classList.contains("is-open") ? "close" : folded;
    fold.querySelector("use")?.setAttribute("href", `#i-${shown}`);
    fold.classList.toggle("has-tool", shown === tool);
  };
  fold.addEventListener("click", () => setFolded(margin.classList.contains("is-open")));
  margin.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-tool]")) setFolded(true);
  });
  more.addEventListener("click", () => {
    all.hidden = !all.hidden;
    more.setAttribute("aria-expanded", String(!all.hidden));
    if (!all.hidden) all.querySelector("button")?.focus();
  });
  const shut = () => {
    all.hidden = true;
    more.setAttribute("aria-expanded", "false");
  };
  all.addEventListener("click", shut);
  all.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    shut();
    more.focus();
  });

  let dressed = "";
  const dress = () => {
    const { look, status } = workbench;
    if (!look || !status) return;
    const states = status.states;
    const { pen } = status.viewer;
    const key = JSON.stringify([states, look.states.slice(0, states), look.names, pen === 0]);
    if (key === dressed) return;
    dressed = key;
    const list = (/** @type {number} */ most) => Array.from({ length: Math.min(states, most) }, (_, i) => swatch(i));
    // With two states there is nothing to choose, unless the rubber was picked up.
    swatches.hidden = states <= 2 && pen !== 0;
    more.hidden = states <= SHOWN;
    swatches.replaceChildren(...list(SHOWN));
    all.replaceChildren(...list(states));
    if (states <= SHOWN) shut();
  };
  const swatch = (/** @type {number} */ state) => {
    const { look } = workbench;
    const name = look?.names[state] || WORDS.state(state);
    const colour = look?.states[state] ?? "#000000";
    const chip = make("span", { class: "chip" });
    chip.style.setProperty("--chip", colour);
    return make(
      "button",
      { type: "button", class: "swatch", "data-do": `pen ${state}`, "data-state": state, title: name === WORDS.state(state) ? name : `${state} ${name}`, "aria-label": name },
      chip,
      make("span", { class: "swatch-number", "aria-hidden": "true" }, String(state)),
    );
  };

  workbench.on("look", dress);
  workbench.on("status", (status) => {
    dress();
    for (const tool of tools) {
      const chosen = tool.getAttribute("data-tool") === status.viewer.tool;
      tool.setAttribute("aria-pressed", String(chosen));
    }
    drawFold();
    for (const button of margin.querySelectorAll("[data-state]")) {
      button.setAttribute("aria-pressed", String(Number(button.getAttribute("data-state")) === status.viewer.pen));
    }
    write(more, status.viewer.pen >= SHOWN ? String(status.viewer.pen) : "\u2026");
    for (const [button, what, word] of /** @type {const} */ ([
      [undo, status.can.undo, WORDS.undo],
      [redo, status.can.redo, WORDS.redo],
    ])) {
      button.disabled = what === null;
      const label = what ? `${word} ${what}` : word;
      setLabel(button, "title", label);
      setLabel(button, "aria-label", label);
    }
  });
}

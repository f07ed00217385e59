// Settings: what is shown and how, colours, the engine, and the world's own words.

import { find, make, write } from "./element.js";
import { bytes } from "./number.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Status } from "./types.js" */

/** Colours of more states than this are chosen by command. */
const COLOURS = 32;

/** @param {Workbench} workbench */
export function startSettings(workbench) {
  const panel = find("panel-settings", HTMLElement);
  const answer = find("settings-answer", HTMLElement);
  /** @type {[HTMLInputElement, (status: Status) => boolean][]} */
  const boxes = [...panel.querySelectorAll("input[data-setting]")].map((element) => {
    const box = /** @type {HTMLInputElement} */ (element);
    const command = box.dataset.setting ?? "";
    const key = command.replaceAll("-", "_");
    box.addEventListener("change", () => workbench.do(`${command} ${box.checked ? "on" : "off"}`, { at: answer }));
    return [box, (status) => Boolean(key === "hyper" ? status.hyper : key === "follow" ? status.viewer.follow : Reflect.get(status.settings, key))];
  });
  const theme = find("theme", HTMLSelectElement);
  const colouring = find("colouring", HTMLSelectElement);
  const engine = find("engine", HTMLSelectElement);
  const memory = find("memory", HTMLSelectElement);
  const major = find("major", HTMLInputElement);
  const symmetry = find("symmetry", HTMLSelectElement);
  const stride = find("stride", HTMLInputElement);
  colouring.addEventListener("change", () => workbench.do(`colouring ${colouring.value}`, { at: answer }));
  theme.addEventListener("change", () => workbench.do(`theme ${theme.value}`, { at: answer }));
  engine.addEventListener("change", () => workbench.do(`engine ${engine.value}`, { at: find("engine-answer", HTMLElement) }));
  memory.addEventListener("change", () => workbench.do(`memory ${memory.value}`, { at: find("engine-answer", HTMLElement) }));
  symmetry.addEventListener("change", () => workbench.do(`symmetry ${symmetry.value}`, { at: answer }));
  major.addEventListener("change", () => workbench.do(`major ${major.value}`, { at: answer }));

  stride.addEventListener("change", () => workbench.do(`stride ${stride.value.trim()}`, { at: find("engine-answer", HTMLElement) }));

  for (const [id, command] of [["world-name", "name"], ["world-author", "author"], ["world-comments", "comment"]]) {
    const input = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.getElementById(id));
    input.addEventListener("change", () => workbench.do(`${command} ${input.value.replaceAll("\n", "\\n")}`.trimEnd(), { at: find("world-answer", HTMLElement) }));
  }

  workbench.on("status", (status) => {
    for (const [box, value] of boxes) box.checked = value(status);
    set(theme, status.settings.theme);
    set(colouring, status.settings.colouring);
    set(major, String(status.settings.major));
    set(symmetry, status.viewer.symmetry?.name ?? "C1");
    set(stride, status.stride);
    set(engine, status.choice);
    write(find("engine-now", HTMLElement), [status.engine, status.kernel].filter(Boolean).join(": "));
    write(find("engine-why", HTMLElement), status.why);
    const room = bytes(status.memory, WORDS.bytes);
    const text = status.memory % 2 ** 30 === 0 ? `${status.memory / 2 ** 30}G` : String(status.memory);
    if (![...memory.options].some(({ value }) => value === text)) memory.append(make("option", { value: text }, room));
    set(memory, text);
    set(find("world-name", HTMLInputElement), status.name);
    set(find("world-author", HTMLInputElement), status.author);
    set(find("world-comments", HTMLTextAreaElement), status.comments.join("\n"));
  });
  startColours(workbench);
  startLegend(workbench);
}

/**
 * Writes a value into a field unless it has the focus.
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 * @param {string} value
 */
function set(control, value) {
  if (control !== document.activeElement && control.value !== value) control.value = value;
}

/**
 * Which colour stands for which period.
 * @param {Workbench} workbench
 */
function startLegend(workbench) {
  const legend = find("period-legend", HTMLElement);
  let shown = "";
  const show = () => {
    const { look, status } = workbench;
    if (!look || !status) return;
    const { periods } = status.settings;
    const key = JSON.stringify([periods, look.ages]);
    if (key === shown) return;
    shown = key;
    legend.hidden = periods.length === 0;
    legend.replaceChildren(
      ...periods.map((period, rank) => {
        const swatch = make("span", { class: "period-colour", "aria-hidden": "true" });
        swatch.style.background = look.ages[Math.min(rank, look.ages.length - 1)] ?? "";
        return make("span", { class: "period-entry" }, swatch, period === 1 ? WORDS.still : WORDS.ofPeriod(String(period)));
      }),
    );
  };
  workbench.on("look", show);
  workbench.on("status", show);
}

/** @param {Workbench} workbench */
function startColours(workbench) {
  const list = find("colours", HTMLElement);
  let dressed = "";
  const dress = () => {
    const { look, status } = workbench;
    if (!look || !status) return;
    const states = Math.min(status.states, COLOURS);
    const key = JSON.stringify([states, look.states.slice(0, states), look.names]);
    if (key === dressed || list.contains(document.activeElement)) return;
    dressed = key;
    list.replaceChildren(
      ...Array.from({ length: states }, (_, state) => {
        const name = look.names[state] || WORDS.state(state);
        const input = make("input", { type: "color", value: look.states[state], "aria-label": name });
        input.addEventListener("change", () => workbench.do(`colour ${state} ${input.value}`));
        return make(
          "li",
          {},
          make("label", { class: "colour" }, input, make("span", {}, name)),
          make("button", { type: "button", class: "plain small", "data-do": `colour ${state} default` }, "default"),
        );
      }),
    );
  };
  workbench.on("look", dress);
  workbench.on("status", dress);
  list.addEventListener("focusout", () => setTimeout(dress));
}

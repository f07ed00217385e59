// The bar at the bottom: run, step, speed, generation, population, and what is under the pointer.

import { find, write } from "./element.js";
import { exponent, rate, superscript, whole } from "./number.js";
import { WORDS } from "./words.js";
import { setLabel } from "./translation.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Status } from "./types.js" */

/** The slider's rungs: 0 is 0.1 generations a second, 100 is 1000, one more is as fast as it goes. */
const MAX = 101;

/** @param {number} rung */
export function speedOf(rung) {
  if (rung >= MAX) return "max";
  const exact = 10 ** (-1 + (rung * 4) / 100);
  return String(Number(exact.toPrecision(exact < 10 ? 2 : 3)));
}

/** @param {number | null} speed */
export function rungOf(speed) {
  if (speed === null) return MAX;
  return Math.max(0, Math.min(MAX - 1, Math.round(((Math.log10(speed) + 1) * 100) / 4)));
}

/**
 * @param {Workbench} workbench
 * @param {HTMLElement} sheet
 */
export function startTransport(workbench, sheet) {
  const run = find("run", HTMLButtonElement);
  const back = find("back", HTMLButtonElement);
  const slider = find("speed", HTMLInputElement);
  const speed = find("speed-text", HTMLElement);
  const stride = find("stride-text", HTMLElement);
  const generation = find("generation", HTMLElement);
  const population = find("population", HTMLElement);
  const rule = find("rule-name", HTMLElement);
  const cell = find("cell", HTMLElement);
  const zoom = find("zoom", HTMLElement);
  let sliding = false;

  slider.addEventListener("input", () => {
    sliding = true;
    const value = speedOf(Number(slider.value));
    write(speed, value === "max" ? WORDS.max : WORDS.perSecond(value));
    setLabel(slider, "aria-valuetext", speed.textContent ?? "");
    workbench.do(`speed ${value}`, { silent: true });
  });
  slider.addEventListener("change", () => {
    sliding = false;
  });
  slider.addEventListener("pointerup", () => sheet.focus({ preventScroll: true }));

  workbench.on("status", (status) => {
    const busy = status.running || status.going !== null;
    document.body.toggleAttribute("data-running", busy);
    setLabel(run, "aria-label", busy ? WORDS.stop : WORDS.run);
    setLabel(run, "title", busy ? WORDS.stop : WORDS.run);
    back.disabled = !status.can.back;
    if (!sliding) {
      slider.value = String(rungOf(status.speed));
      const asked = status.speed === null ? WORDS.max : WORDS.perSecond(rate(status.speed));
      write(speed, asked);
      setLabel(slider, "aria-valuetext", asked);
    }
    setLabel(slider, "title", status.running ? WORDS.really(rate(status.measured)) : "");
    const power = exponent(status.stride);
    write(stride, power !== null && power > 3 ? `2${superscript(power)}` : whole(status.stride));
    setLabel(stride, "title", status.hyper ? `${whole(status.stride)}, growing` : whole(status.stride));
    write(generation, whole(status.generation));
    write(population, status.population_text ?? whole(status.population));
    write(rule, status.rule);
    write(zoom, status.viewer.zoom.startsWith("1:") ? status.viewer.zoom : `${status.viewer.zoom}:1`);
    if (!hovered) showCursor(status);
  });

  let hovered = false;
  const showCursor = (/** @type {Status} */ status) => {
    const { cursor, cursor_state: state } = status.viewer;
    write(cell, cursor ? place(cursor[0], cursor[1], state ?? null) : "");
  };
  const place = (/** @type {string | bigint} */ x, /** @type {string | bigint} */ y, /** @type {number | null} */ state) => {
    const named = state ? ` ${workbench.look?.names[state] || WORDS.state(state)}` : "";
    return `${whole(String(x))}, ${whole(String(y))}${(workbench.status?.states ?? 2) > 2 ? named : ""}`;
  };
  sheet.addEventListener("hover", (event) => {
    const at = /** @type {CustomEvent<{x: bigint, y: bigint} | null>} */ (event).detail;
    hovered = at !== null;
    if (at) write(cell, place(at.x, at.y, workbench.frame?.state(at.x, at.y) ?? null));
    else if (workbench.status) showCursor(workbench.status);
  });

  startGoto(workbench);
  startVoice(workbench);
}

/**
 * The generation is a button: another can be gone to.
 * @param {Workbench} workbench
 */
function startGoto(workbench) {
  const button = find("generation-button", HTMLButtonElement);
  const form = find("goto", HTMLFormElement);
  const input = find("goto-number", HTMLInputElement);
  const answer = find("goto-answer", HTMLElement);
  const progress = find("going", HTMLElement);
  const bar = find("going-bar", HTMLProgressElement);
  const text = find("going-text", HTMLElement);

  const close = () => {
    form.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  button.addEventListener("click", () => {
    if (!form.hidden) return close();
    form.hidden = false;
    button.setAttribute("aria-expanded", "true");
    answer.replaceChildren();
    input.value = workbench.status?.generation ?? "0";
    input.focus();
    input.select();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
    button.focus();
  });
  form.addEventListener("focusout", (event) => {
    const to = event.relatedTarget;
    if (to instanceof Node && !form.contains(to) && to !== button) close();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await workbench.do(`goto ${input.value.replace(/[\s\u202f_']/g, "")}`, { at: answer });
    if (!reply.ok) return;
    close();
    button.focus();
  });
  workbench.on("status", ({ going, generation }) => {
    progress.hidden = going === null;
    if (!going) return;
    write(text, WORDS.goingTo(whole(going.to)));
    const [from, to, now] = [BigInt(going.from), BigInt(going.to), BigInt(generation)];
    bar.value = to === from ? 0 : Number(((now - from) * 1000n) / (to - from)) / 1000;
  });
}

/**
 * Tells a screen reader what a glance would: that it runs, where it stopped, what a step changed,
 * and what is at the keyboard's cell.
 * @param {Workbench} workbench
 */
function startVoice(workbench) {
  const voice = find("voice", HTMLElement);
  const sheet = find("sheet", HTMLElement);
  let was = false;
  let generation = "";
  let cell = "";
  workbench.on("status", (status) => {
    const { cursor, cursor_state } = status.viewer;
    if (status.running !== was) {
      was = status.running;
      write(voice, was ? WORDS.running : WORDS.stoppedAt(whole(status.generation), whole(status.population)));
    } else if (status.change && !status.going && status.generation !== generation && generation !== "") {
      write(voice, WORDS.changedAt(whole(status.generation), status.change));
    } else if (cursor && `${cursor} ${cursor_state}` !== cell && sheet.dataset.keyboard) {
      const name = workbench.look?.names[cursor_state ?? 0] ?? WORDS.state(cursor_state ?? 0);
      write(voice, WORDS.cellIs(cursor[0], cursor[1], name));
    }
    cell = cursor ? `${cursor} ${cursor_state}` : "";
    if (!status.going) generation = status.generation;
  });
}


// The moves that were made, and the board as it was after any of them.

import { icon, make, write } from "../element.js";
import { setLabel } from "../translation.js";

/** @import { Table } from "./table-connection.js" */

export class Moves {
  /** @type {string[]} */
  #shown = [];
  /** @type {HTMLButtonElement[]} one for each turn, and one for the start */
  #buttons = [];
  #both = false;

  /** @param {(turns: number) => void} go */
  constructor(go) {
    const step = (/** @type {string} */ name, /** @type {string} */ drawing, /** @type {(at: number, end: number) => number} */ to) =>
      make("button", { type: "button", class: "plain square", "aria-label": name, title: name, click: () => go(to(this.at, this.#shown.length)) }, icon(drawing));
    this.at = 0;
    this.first = step("to the start (home)", "start", () => 0);
    this.back = step("a turn back (left)", "back", (at) => at - 1);
    this.on = step("a turn on (right)", "step", (at) => at + 1);
    this.last = step("to now (end)", "start", (_, end) => end);
    this.last.classList.add("is-mirrored");
    this.count = make("span", { class: "moves-count" });
    this.list = make("ol", { class: "moves-list" });
    this.frame = make("div", { class: "moves-frame" }, this.list);
    this.root = make(
      "section",
      { class: "leaf moves", "aria-label": "moves" },
      make("div", { class: "moves-head" }, make("h2", {}, "moves"), this.count, make("span", { class: "moves-steps" }, this.first, this.back, this.on, this.last)),
      this.frame,
    );
    this.list.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) go(Number(button.dataset.turns));
    });
    // one stop for the Tab key, the arrows within
    this.list.addEventListener("keydown", (event) => {
      const to = { ArrowUp: this.at - (this.#both ? 1 : 2), ArrowDown: this.at + (this.#both ? 1 : 2), ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.#shown.length }[event.key];
      if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const at = Math.max(0, Math.min(this.#shown.length, to));
      this.#buttons[at]?.focus();
      go(at);
    });
  }

  /**
   * @param {Table} table
   * @param {number} at the turn that is shown
   */
  show(table, at) {
    const { history } = table;
    // a turn in which both moved is written with a slash between the moves
    const both = table.both || (history[0]?.includes("/") ?? false);
    if (this.#both !== both || this.#buttons.length === 0) {
      this.#both = both;
      this.#shown = [];
      this.#buttons = [];
      this.list.replaceChildren();
      this.list.classList.toggle("is-wide", both);
      const start = this.#button("start", 0, "moves-start");
      this.list.append(make("li", {}, start));
    }
    let same = 0;
    while (same < history.length && this.#shown[same] === history[same]) same++;
    for (const button of this.#buttons.splice(same + 1)) button.parentElement?.remove();
    for (let turn = same; turn < history.length; turn++) {
      const number = both ? turn + 1 : turn % 2 === 0 ? turn / 2 + 1 : null;
      const item = make("li", {}, this.#button(history[turn], turn + 1, "", number));
      this.list.append(item);
    }
    // who thought how long is known a little later than the move, where both move at once
    for (const [turn, times] of (table.times ?? []).entries()) {
      const timesText = times.flatMap((ms) => (ms === null ? [] : [`${(ms / 1000).toFixed(1)} s`])).join(" and ");
      const button = this.#buttons[turn + 1];
      if (button && timesText) setLabel(button, "title", timesText);
    }
    this.#shown = [...history];
    const before = this.#buttons[this.at];
    if (before) {
      before.removeAttribute("aria-current");
      before.tabIndex = -1;
    }
    this.at = at;
    const now = this.#buttons[at];
    if (now) {
      now.setAttribute("aria-current", "step");
      now.tabIndex = 0;
      this.#reveal(now);
    }
    write(this.count, history.length === 0 ? "none yet" : at === history.length ? String(at) : `${at} of ${history.length}`);
    this.first.disabled = this.back.disabled = at === 0;
    this.on.disabled = this.last.disabled = at === history.length;
  }

  /**
   * @param {string} text
   * @param {number} turns
   * @param {string} kind
   * @param {number | null} [number]
   */
  #button(text, turns, kind, number = null) {
    const parts = text.split("/");
    const words = make("span", { class: "move-text" }, ...parts.flatMap((part, place) => (place > 0 ? [make("wbr"), `/${part}`] : [part])));
    const button = make("button", { type: "button", class: `move ${kind}`, "data-turns": turns, tabindex: -1 }, make("span", { class: "move-number" }, number === null ? "" : String(number)), words);
    this.#buttons[turns] = button;
    return button;
  }

  /** Scrolls the list, and only the list. @param {HTMLElement} button */
  #reveal(button) {
    const [frame, box] = [this.frame.getBoundingClientRect(), button.getBoundingClientRect()];
    if (box.top < frame.top) this.frame.scrollTop += box.top - frame.top - 4;
    else if (box.bottom > frame.bottom) this.frame.scrollTop += box.bottom - frame.bottom + 4;
  }
}

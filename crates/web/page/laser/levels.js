// The list of levels, with the fewest moves in which this browser has solved each one.

import { find, make, write } from "../element.js";
import { recall, remember } from "../storage.js";
import { setLabel } from "../translation.js";

/**
 * A level as the server lists it.
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} about
 * @property {string | null} grade of the pack; null for the named ones
 * @property {number | null} fewest
 * @property {boolean} playable whether it can be solved at all
 */

const KEY = "laser.solved";

export class Levels {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** The fewest moves by name. @type {Record<string, number>} */
  #solved = {};
  /** @type {string | null} */
  #at = null;

  /**
   * @param {Entry[]} entries
   * @param {(name: string) => void} play
   */
  constructor(entries, play) {
    this.entries = entries;
    try {
      const stored = JSON.parse(recall(KEY) ?? "{}");
      for (const { name } of entries) if (Number.isInteger(stored[name])) this.#solved[name] = stored[name];
    } catch {
      // an unreadable record counts as none
    }
    const groups = new Map();
    for (const entry of entries) {
      const group = entry.grade ?? (entry.playable ? "one idea each" : "to look at");
      groups.set(group, [...(groups.get(group) ?? []), entry]);
    }
    const list = find("laser-list", HTMLElement);
    for (const [group, found] of groups) {
      const isPack = found[0].grade !== null;
      const buttons = found.map((/** @type {Entry} */ entry) => {
        const words = isPack ? entry.name.slice(entry.name.lastIndexOf("-") + 1) : entry.name;
        const button = make("button", { type: "button", class: "laser-level", translate: "no", title: entry.about, click: () => play(entry.name) }, words);
        this.#buttons.set(entry.name, button);
        return make("li", {}, button);
      });
      const count = make("span", { class: "hint", "data-group": group });
      list.append(
        make(
          "section",
          { class: isPack ? "laser-pack" : "laser-named" },
          make("h3", {}, group.replace("-", " "), " ", isPack ? count : ""),
          make("ul", {}, ...buttons),
        ),
      );
    }
    for (const { name } of entries) this.#mark(name);
    this.#count();
  }

  /** @param {string | null} name */
  stand(name) {
    const before = this.#at;
    this.#at = name;
    for (const one of [before, name]) if (one) this.#mark(one);
  }

  /** The fewest moves in which this browser has seen it solved. @param {string} name */
  best(name) {
    return this.#solved[name] ?? null;
  }

  /**
   * @param {string} name
   * @param {number} moves
   */
  solve(name, moves) {
    const before = this.#solved[name];
    if (before !== undefined && before <= moves) return;
    this.#solved[name] = moves;
    remember(KEY, JSON.stringify(this.#solved));
    this.#mark(name);
    this.#count();
  }

  /**
   * The level `by` places further in the list.
   * @param {string | null} name
   * @param {number} by
   */
  beside(name, by) {
    const at = this.entries.findIndex((entry) => entry.name === name);
    return (at < 0 ? this.entries[0] : this.entries[at + by])?.name ?? null;
  }

  /** The first that is not solved. */
  first() {
    const open = this.entries.find(({ name, playable }) => playable && this.#solved[name] === undefined);
    return (open ?? this.entries[0])?.name ?? "";
  }

  /** @param {string} name */
  #mark(name) {
    const button = this.#buttons.get(name);
    const entry = this.entries.find((one) => one.name === name);
    if (!button || !entry) return;
    const best = this.#solved[name];
    const isBest = best !== undefined && best === entry.fewest;
    button.classList.toggle("is-solved", best !== undefined);
    button.classList.toggle("is-best", isBest);
    if (name === this.#at) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    const done = best === undefined ? "" : `, solved in ${best}${isBest ? ", the fewest" : ""}`;
    setLabel(button, "aria-label", `${name}${done}`);
  }

  #count() {
    const playable = this.entries.filter((entry) => entry.playable);
    const solved = playable.filter(({ name }) => this.#solved[name] !== undefined).length;
    write(find("laser-solved", HTMLElement), `${solved} of ${playable.length} solved`);
    for (const element of document.querySelectorAll("[data-group]")) {
      if (!(element instanceof HTMLElement)) continue;
      const all = this.entries.filter(({ grade }) => grade === element.dataset.group);
      write(element, `${all.filter(({ name }) => this.#solved[name] !== undefined).length}/${all.length}`);
    }
  }
}

// Chooses who takes a seat: a person, a player with its time per move, or a player as text with
// options.

import { make, write } from "../element.js";

/** @import { GameOffer, Offers } from "./table-connection.js" */

const BY_TEXT = "text";

/** Milliseconds a move. @type {[string, number][]} */
const PACES = [
  ["at once", 20],
  ["quick", 100],
  ["half a second", 500],
  ["two seconds", 2000],
  ["eight seconds", 8000],
];

let count = 0;

export class Chooser {
  /** @type {GameOffer | null} */
  #game = null;

  /**
   * @param {string} label such as "first seat"
   * @param {{name: string, words: string, value: string}[]} people who may sit there besides
   *   players
   * @param {() => void} changed
   */
  constructor(label, people, changed) {
    this.people = people;
    this.number = ++count;
    this.who = make("select", { "aria-label": label, class: "chooser-who", change: () => this.#update(changed) });
    this.pace = make("select", { "aria-label": `${label}: time for a move`, class: "chooser-pace", change: changed });
    this.text = make("input", {
      "aria-label": `${label}: player`,
      class: "chooser-text",
      maxlength: 200,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "mcts:playouts=2000",
      input: changed,
    });
    this.words = make("p", { class: "hint chooser-words" });
    this.root = make("div", { class: "chooser" }, make("div", { class: "chooser-row" }, this.who, this.pace, this.text), this.words);
  }

  /**
   * @param {GameOffer | null} game the one that is played; null where it is none of those known
   * @param {Offers} offers
   */
  offer(game, offers) {
    const before = this.value;
    this.#game = game;
    const option = (/** @type {string} */ value, /** @type {string} */ name) => make("option", { value }, name);
    const groups = [...this.people.map(({ value, name }) => option(value, name))];
    const players = make("optgroup", { label: "players of the program" });
    const best = this.#best();
    const list = [...(game?.players ?? [])].sort((a, b) => Number(b.name === best) - Number(a.name === best));
    players.append(...list.map(({ name }) => option(name, name)));
    if (list.length > 0) groups.push(/** @type {any} */ (players));
    if (offers.bots.length > 0) {
      const bots = make("optgroup", { label: "bots of this server" });
      bots.append(...offers.bots.map(({ name }) => option(name, name.replace(/^bot:/, ""))));
      groups.push(/** @type {any} */ (bots));
    }
    groups.push(option(BY_TEXT, "a player, as text"));
    this.who.replaceChildren(...groups);
    this.value = before;
  }

  /** The seat as text for the server. */
  get value() {
    if (this.who.value === BY_TEXT) return this.text.value.trim();
    return this.pace.hidden || !this.pace.value ? this.who.value : `${this.who.value}:ms=${this.pace.value}`;
  }

  set value(text) {
    const values = [...this.who.options].map((option) => option.value);
    const [name, ...rest] = text.split(":");
    const ms = /^ms=(\d+)$/.exec(rest.join(":"))?.[1] ?? null;
    if (values.includes(text) && text !== BY_TEXT) this.who.value = text;
    else if (ms && values.includes(name)) this.who.value = name;
    else if (rest.length > 0 && !ms && name !== "bot") {
      this.who.value = BY_TEXT;
      this.text.value = text;
    } else {
      // what was chosen for another game may not be there for this one
      this.who.value = this.#best() ?? this.people[0]?.value ?? BY_TEXT;
    }
    this.#update(() => {}, ms ? Number(ms) : null);
  }

  /** Whether a player, and no person, is chosen. */
  get isPlayer() {
    return !this.people.some(({ value }) => value === this.who.value);
  }

  #best() {
    return this.#game?.champion.split(":")[0];
  }

  /**
   * Whether a player can be told how long it may think, and how long it does where it is not:
   * null for as long as it takes.
   * @param {string} name
   * @returns {{ms: number | null} | null}
   */
  #takesTime(name) {
    const player = this.#game?.players.find((player) => player.name === name);
    if (!player) return null;
    const [best, options] = this.#game?.champion.split(":") ?? [];
    const ms = /ms=(\d+)/.exec(options ?? "")?.[1];
    if (best === name) return ms ? { ms: Number(ms) } : typeof player.ms === "number" ? { ms: null } : null;
    return typeof player.ms === "number" ? { ms: player.ms } : null;
  }

  /**
   * @param {() => void} changed
   * @param {number | null} [chosenMs]
   */
  #update(changed, chosenMs = null) {
    const value = this.who.value;
    const usual = this.#takesTime(value);
    this.pace.hidden = usual === null;
    this.text.hidden = value !== BY_TEXT;
    if (usual !== null) {
      const at = chosenMs ?? usual.ms;
      const paces = [...PACES];
      if (at !== null && !paces.some(([, ms]) => ms === at)) paces.push([`${at} ms`, at]);
      paces.sort(([, a], [, b]) => a - b);
      this.pace.replaceChildren(
        ...(usual.ms === null ? [make("option", { value: "", selected: at === null }, "no limit")] : []),
        ...paces.map(([name, ms]) => make("option", { value: ms, selected: ms === at }, name)),
      );
    }
    const words =
      this.people.find((person) => person.value === value)?.words ??
      this.#game?.players.find((player) => player.name === value)?.words ??
      (value === BY_TEXT ? "a name, and its options after a colon" : "a program that this server's owner lets you play");
    write(this.words, words);
    changed();
  }
}

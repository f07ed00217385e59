// What a player thinks of the position: a hint, or its line and what the position is worth.

import { make } from "../element.js";
import { errorWords } from "../shared/page-socket.js";

/** @import { Advice, GameOffer, Seat, Table } from "./table-connection.js" */

/** @type {[string, number][]} */
const TIMES = [
  ["half a second", 500],
  ["a second", 1000],
  ["two seconds", 2000],
  ["five seconds", 5000],
];

/**
 * @typedef {object} AdviceActions
 * @property {(what: string, more?: Record<string, unknown>) => Promise<Advice>} ask
 * @property {(advice: Advice) => void} show on the board
 * @property {(text: string) => void} mark puts a column's text on the board, to be sent
 * @property {() => void} refresh
 */

export class AdvicePanel {
  #busy = false;
  /** @type {string | undefined} what was played when the advice was asked for */
  position;
  isColumn = false;
  /** @type {Map<string, boolean>} whether a player can be told how long to think */
  times = new Map();

  /** @param {AdviceActions} actions */
  constructor(actions) {
    this.actions = actions;
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, /** @type {string} */ id) =>
      make("button", { type: "button", click: act, id }, text);
    this.hintButton = button("hint", () => this.ask("hint"), "hint");
    this.analyseButton = button("analyse", () => this.ask("analyse"), "analyse");
    this.thoughtButton = button("its thinking", () => this.ask("thought"), "thought");
    this.player = make("select", { "aria-label": "who analyses", id: "analyse-player" });
    this.time = make("select", { "aria-label": "for how long", id: "analyse-time" }, ...TIMES.map(([name, ms]) => make("option", { value: ms, selected: ms === 1000 }, name)));
    this.result = make("div", { class: "advice-result", role: "status", "aria-live": "polite" });
    this.options = make("div", { class: "row advice-options" }, this.player, this.time);
    this.root = make(
      "section",
      { class: "leaf advice", "aria-label": "advice" },
      make("div", { class: "row" }, this.hintButton, this.analyseButton, this.thoughtButton),
      this.options,
      this.result,
    );
  }

  /** @param {GameOffer | null} game */
  offer(game) {
    const best = game?.champion.split(":")[0];
    const players = [...(game?.players ?? [])].sort((a, b) => Number(b.name === best) - Number(a.name === best));
    this.player.replaceChildren(...players.map(({ name }) => make("option", { value: name }, name)));
    this.player.hidden = players.length === 0;
    this.times = new Map(players.map((player) => [player.name, player.ms !== null && player.ms !== undefined]));
    if (best && game?.champion.includes("ms=")) this.times.set(best, true);
    this.#timed();
    this.player.onchange = () => this.#timed();
  }

  #timed() {
    this.time.hidden = !this.times.get(this.player.value);
  }

  /**
   * @param {Table} table
   * @param {Seat | null} mine
   * @param {boolean} now whether the board is shown as it is now
   */
  show(table, mine, now) {
    const people = table.seats.filter(({ kind }) => kind !== "player").length;
    // between two persons only where both said so when the game was set up
    const allowed = people < 2 || (mine !== null && table.hints);
    const word = mine === 0 ? "first" : "second";
    const myTurn = mine !== null && (table.turn === word || (table.turn === "both" && !table.moved[mine])) && table.outcome === null;
    this.root.hidden = !allowed;
    this.hintButton.hidden = mine === null;
    this.hintButton.disabled = !myTurn || !now || this.#busy;
    this.analyseButton.disabled = table.outcome !== null || !now || this.#busy;
    this.thoughtButton.hidden = !table.seats.some(({ kind }) => kind === "player") || table.history.length === 0;
    this.thoughtButton.disabled = this.#busy;
    this.options.hidden = this.player.options.length === 0 || (this.analyseButton.disabled && !this.#busy);
    const position = table.history.join(" ");
    if (this.position !== undefined && this.position !== position && !this.#busy) this.result.replaceChildren();
    this.position = position;
    this.isColumn = typeof table.input === "object";
  }

  /** @param {"hint" | "analyse" | "thought"} what */
  async ask(what) {
    if (this.#busy || this.root.hidden) return;
    if (what === "hint" && this.hintButton.disabled) return;
    if (what === "analyse" && this.analyseButton.disabled) return;
    this.#busy = true;
    for (const button of [this.hintButton, this.analyseButton, this.thoughtButton]) button.disabled = true;
    const position = this.position;
    this.result.replaceChildren(make("p", { class: "hint" }, what === "thought" ? "asking" : "thinking"));
    try {
      const more = what === "analyse" ? this.#asked() : {};
      const advice = await this.actions.ask(what, more);
      this.#busy = false;
      if (position !== this.position) this.result.replaceChildren();
      else {
        this.result.replaceChildren(...this.#rows(advice, what));
        if (what !== "thought") this.actions.show(advice);
      }
    } catch (error) {
      this.#busy = false;
      this.result.replaceChildren(make("p", { class: "error" }, errorWords(error)));
    }
    this.actions.refresh();
  }

  #asked() {
    /** @type {Record<string, unknown>} */
    const more = {};
    if (this.player.value) more.player = this.player.value;
    if (!this.time.hidden) more.ms = Number(this.time.value);
    return more;
  }

  /**
   * @param {Advice} advice
   * @param {string} what
   * @returns {HTMLElement[]}
   */
  #rows(advice, what) {
    const name = what === "hint" ? "hint" : what === "thought" ? "it played" : "best";
    const rows = [make("p", {}, `${name}: `, make("strong", { class: "move-text" }, advice.choice))];
    if (what === "hint" && this.isColumn) {
      rows[0].append(" ", make("button", { type: "button", class: "link", click: () => this.actions.mark(advice.choice) }, "mark it"));
    }
    if (advice.reason) rows.push(make("p", {}, advice.reason));
    if (advice.value) rows.push(make("p", {}, advice.value));
    if (typeof advice.share === "number") {
      const meter = make("meter", { min: 0, max: 1, value: advice.share, "aria-label": "its share of the point" });
      rows.push(make("p", { class: "advice-share" }, meter, `${Math.round(advice.share * 100)} %`));
    }
    if (advice.line.length > 1) rows.push(make("p", { class: "advice-line" }, make("span", { class: "hint" }, "line "), make("span", { class: "move-text" }, advice.line.join(" "))));
    const facts = [];
    if (advice.nodes > 0) facts.push(`${advice.nodes.toLocaleString("en")} ${advice.nodes === 1 ? "position" : "positions"}`);
    if (advice.depth > 0) facts.push(`${advice.depth} ${advice.depth === 1 ? "turn" : "turns"} ahead`);
    if (facts.length > 0) rows.push(make("p", { class: "hint" }, facts.join(", ")));
    return rows;
  }
}

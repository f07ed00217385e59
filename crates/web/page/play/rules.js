// The rules of a game: its goal, a turn, the end, and small boards beside them.

import { make, write } from "../element.js";
import { Board } from "../shared/board.js";
import { requestJson } from "../shared/page-socket.js";

/** @import { Diagram } from "../shared/board.js" */

/**
 * @typedef {object} GameRules
 * @property {string} title
 * @property {string} heading
 * @property {string} goal
 * @property {string} turn
 * @property {string[]} effects what a turn does to the board
 * @property {string} end
 * @property {{diagram: Diagram, caption: string}[]} pictures
 */

/**
 * @param {string} game with its options: "stones:adjacency=off"
 * @returns {Promise<GameRules>} throws with the server's words where there is no such game
 */
export function requestRules(game) {
  return requestJson(`/play/rules.json?${new URLSearchParams({ game })}`);
}

/**
 * @param {GameRules} rules
 * @returns {HTMLElement}
 */
export function rulesView(rules) {
  const part = (/** @type {string} */ name, /** @type {(Node | string)[]} */ ...words) => make("div", {}, make("dt", {}, name), make("dd", {}, ...words));
  const effects = rules.effects.map((effect) => make("li", {}, effect));
  return make(
    "div",
    { class: "rules" },
    make(
      "dl",
      { class: "rules-words" },
      part("goal", rules.goal),
      part("a turn", make("p", {}, rules.turn), ...(effects.length > 0 ? [make("ul", {}, ...effects)] : [])),
      part("end", rules.end),
    ),
    make("div", { class: "rules-pictures" }, ...rules.pictures.map(pictureOf)),
  );
}

/** @param {{diagram: Diagram, caption: string}} picture */
function pictureOf({ diagram, caption }) {
  const place = make("div", { class: "rules-board" });
  place.style.setProperty("--columns", String(diagram.columns.length));
  new Board(place, { compact: true, label: `a board: ${caption}` }).show(diagram);
  return make("figure", {}, place, make("figcaption", {}, caption));
}

/** The rules of one game in a dialog. */
export class RulesDialog {
  /** The game whose rules are in it. */
  #game = "";

  constructor() {
    this.title = make("h2", { id: "rules-title" });
    this.place = make("div", { class: "rules-place" });
    const close = make("button", { type: "button", click: () => this.root.close() }, "close");
    this.root = make("dialog", { class: "help rules-dialog", "aria-labelledby": "rules-title" }, make("div", { class: "help-head" }, this.title, close), this.place);
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.root.close();
    });
    document.body.append(this.root);
  }

  /** @param {string} game */
  async open(game) {
    if (this.#game !== game) {
      const rules = await requestRules(game);
      write(this.title, rules.heading);
      this.place.replaceChildren(rulesView(rules));
      this.#game = game;
    }
    if (!this.root.open) this.root.showModal();
  }
}

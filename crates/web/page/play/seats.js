// The two seats: occupant, presence, and the game's facts for each.

import { make, write } from "../element.js";
import { seatSign } from "../shared/board.js";
import { seatName } from "./setup.js";
import { setLabel } from "../translation.js";

/** @import { Diagram } from "../shared/board.js" */
/** @import { Seat, Table } from "./table-connection.js" */

/**
 * @typedef {object} SeatActions
 * @property {(seat: Seat) => void} sit
 * @property {() => void} rename
 * @property {() => void} leave
 * @property {(seat: Seat) => void} change puts another player there
 */

export class Seats {
  #signs = "";

  /** @param {SeatActions} actions */
  constructor(actions) {
    this.cards = /** @type {[SeatCard, SeatCard]} */ ([new SeatCard(0, actions), new SeatCard(1, actions)]);
    this.watchers = make("p", { class: "hint seats-watchers" });
    this.root = make(
      "section",
      { class: "leaf seats", "aria-label": "seats" },
      this.cards[0].root,
      this.cards[1].root,
      this.watchers,
    );
  }

  /**
   * @param {Table} table
   * @param {Seat | null} mine
   * @param {Diagram} diagram the one that is shown: its facts are those of the seats
   */
  show(table, mine, diagram) {
    const signs = diagram.names.join("");
    for (const card of this.cards) {
      if (signs !== this.#signs) card.sign.replaceChildren(seatSign(diagram, card.seat));
      card.show(table, mine, diagram);
    }
    this.#signs = signs;
    const others = table.watchers;
    this.watchers.hidden = others === 0;
    write(this.watchers, `${others} ${others === 1 ? "watches" : "watch"}`);
  }
}

class SeatCard {
  /**
   * @param {Seat} seat
   * @param {SeatActions} actions
   */
  constructor(seat, actions) {
    this.seat = seat;
    this.sign = make("span", { class: "seat-slot" });
    this.name = make("strong", { class: "seat-name" });
    this.state = make("span", { class: "seat-state" });
    this.facts = make("dl", { class: "seat-facts" });
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, kind = "link") =>
      make("button", { type: "button", class: kind, click: act }, text);
    this.sit = button("take this seat", () => actions.sit(seat), "strong");
    this.change = button("put a player here", () => actions.change(seat));
    this.rename = button("name", actions.rename);
    this.leave = button("give up", actions.leave);
    setLabel(this.rename, "title", "change your name");
    setLabel(this.leave, "title", "leave the seat to whoever comes");
    this.more = make("span", { class: "seat-more" }, this.sit, this.change, this.rename, this.leave);
    this.root = make(
      "div",
      { class: "seat", "data-seat": seat, role: "group", "aria-label": seat === 0 ? "first seat" : "second seat" },
      this.sign,
      make("div", { class: "seat-words" }, make("div", { class: "seat-line" }, this.name, this.state), this.facts, this.more),
    );
  }

  /**
   * @param {Table} table
   * @param {Seat | null} mine
   * @param {Diagram} diagram
   */
  show(table, mine, diagram) {
    const { seat } = this;
    const there = table.seats[seat];
    const me = mine === seat;
    const word = seat === 0 ? "first" : "second";
    write(this.name, me ? `${seatName(there)} (you)` : seatName(there));
    const toMove = (table.turn === word || table.turn === "both") && table.outcome === null;
    const away = there.kind === "person" && !there.here;
    let state = "";
    if (table.outcome === word) state = "wins";
    else if (there.thinking) state = "thinking";
    else if (toMove && table.moved[seat]) state = "has moved";
    else if (toMove) state = "to move";
    write(this.state, [state, away ? "away" : ""].filter(Boolean).join(", "));
    this.root.classList.toggle("is-to-move", toMove && !table.moved[seat]);
    this.root.classList.toggle("is-winner", table.outcome === word);
    this.root.classList.toggle("is-away", away);
    const side = diagram.names[seat];
    // O and X are their own words
    const facts = side === diagram.signs[seat] ? [] : [["plays", side]];
    facts.push(...diagram.facts.map(({ name, values }) => [name, values[seat]]));
    const factsText = JSON.stringify(facts);
    if (this.facts.dataset.told !== factsText) {
      this.facts.dataset.told = factsText;
      this.facts.replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    }
    this.facts.hidden = facts.length === 0;
    this.sit.hidden = there.kind !== "open" || mine !== null;
    this.change.hidden = mine === null || there.kind === "person";
    write(this.change, there.kind === "open" ? "put a player here" : "another player");
    this.rename.hidden = !me;
    this.leave.hidden = !me;
    this.more.hidden = [this.sit, this.change, this.rename, this.leave].every((one) => one.hidden);
  }
}

// The page of one table: the board, the seats, the moves and the actions.

import { toClipboard } from "../clipboard.js";
import { make, write } from "../element.js";
import { Board, cellOf, signWord } from "../shared/board.js";
import { HAS_SERVER, roomAddress, saveLinked } from "../shared/server.js";
import { startShell } from "../shared/shell.js";
import { errorWords, requestJson } from "../shared/page-socket.js";
import { recall, remember } from "../storage.js";
import { AdvicePanel } from "./advice.js";
import { Chooser } from "./chooser.js";
import { MoveInput } from "./move-input.js";
import { Moves } from "./moves.js";
import { RulesDialog } from "./rules.js";
import { Seats } from "./seats.js";
import { seatName, versus } from "./setup.js";
import { TableConnection, forgetTable, saveTable, savedSeatKey } from "./table-connection.js";

/** @import { Diagram, Extras } from "../shared/board.js" */
/** @import { Advice, GameOffer, Offers, PastPosition, Seat, Table } from "./table-connection.js" */
/** @import { Shell } from "../shared/shell.js" */

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
export function startTable(place, id) {
  new TablePage(place, id);
}

class TablePage {
  /** @type {Table | null} */
  #table = null;
  /** @type {Seat | null} */
  #mine = null;
  /** The turn that is looked at; null for now. @type {number | null} */
  #at = null;
  /** Boards of turns that are over, by all that was played until then. @type {Map<string, PastPosition>} */
  #boards = new Map();
  /** Whether the board is seen from the other side. */
  #turned = false;
  /** The cell whose move was refused: the reason stands until another is pointed at. */
  #refused = "";
  /** @type {number | null} a cell that somebody advised */
  #advised = null;
  /** @type {Offers | null} */
  #offers = null;
  /** @type {Promise<void>} */
  #offersRequest = Promise.resolve();

  /**
   * @param {HTMLElement} place
   * @param {string} id
   */
  constructor(place, id) {
    this.id = id;
    this.place = place;
    /** @type {Shell} */
    this.shell = startShell({ keys: this.#keys() });
    this.connection = new TableConnection(id, savedSeatKey(id), {
      table: (table) => this.#receiveTable(table),
      you: (seat, key) => this.#receiveSeat(seat, key),
      gone: () => this.#showGone(),
      lost: (text) => this.#showLost(text),
      open: (first) => {
        if (!first) this.shell.say("the server is back");
        this.root.classList.remove("is-lost");
      },
    });
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, /** @type {string} */ id, title = "") =>
      make("button", { type: "button", click: act, id, title: title || null }, text);
    this.status = make("p", { class: "table-status", role: "status", id: "play-status" });
    this.question = make("div", { class: "table-question", id: "play-question" });
    this.past = make("div", { class: "table-past", hidden: true }, make("span", {}), button("back to now", () => this.go(null), "to-now", "end"));
    this.error = make("p", { class: "error table-error", role: "alert", id: "play-error" });
    this.boardPlace = make("div", { class: "table-board", id: "play-board" });
    this.board = new Board(this.boardPlace, {
      label: "board",
      choose: (cell) => this.#choose(cell),
      point: (cell) => {
        if (cell !== null && this.board.text(cell) !== this.#refused) this.error.textContent = "";
        this.moveInput.point(cell);
      },
      tallest: () => this.#tallest(),
    });
    this.moveInput = new MoveInput({
      move: (text) => this.#move(text),
      look: (text) => this.connection.do("preview", { text }),
      marked: () => this.#draw(),
      tell: (text) => this.shell.tell(text),
    });
    this.seats = new Seats({
      sit: (seat) => this.#do("sit", { seat, name: recall("play.name") ?? "" }),
      rename: () => this.#rename(),
      leave: () => this.#do("leave"),
      change: (seat) => this.#change(seat),
    });
    this.seatForm = make("div", { class: "seat-form" });
    this.seats.root.append(this.seatForm);
    this.moves = new Moves((turns) => this.go(turns));
    this.advice = new AdvicePanel({
      ask: (what, more) => this.connection.do(what, more),
      show: (advice) => this.#advise(advice),
      mark: (text) => this.moveInput.mark(text),
      refresh: () => this.#show(),
    });
    this.back = button("take back", () => this.#do("back"), "take-back", "Ctrl-Z");
    this.resign = button("resign", () => this.#resign(), "resign");
    this.rematch = button("rematch", () => this.#do("rematch"), "rematch");
    this.turn = button("turn the board", () => this.#turnBoard(), "turn-board", "V");
    const [replay, file] = [`/play/${id}/replay`, `${id}.replay`];
    const save = (/** @type {MouseEvent} */ event) => void saveLinked(event, replay, file);
    this.save = make("a", { class: "button", href: replay, download: file, id: "save-replay", click: save }, "save as replay");
    this.look = make("a", { class: "button", href: `${roomAddress("/replays")}?play=${id}`, id: "look-through" }, "look through it");
    this.link = button("copy the link", () => this.#copy(), "copy-link");
    // nobody else comes to a table without a server
    this.link.hidden = !HAS_SERVER;
    this.acts = make("div", { class: "leaf row table-acts", role: "group", "aria-label": "the game" }, button("rules", () => this.#showRules(), "show-rules", "I"), this.back, this.resign, this.rematch, this.turn, this.look, this.save, this.link);
    this.rules = new RulesDialog();
    this.invitation = this.#invite();
    this.root = make(
      "div",
      { class: "table-room" },
      this.seats.root,
      make("section", { class: "leaf table-main", "aria-label": "the board" }, this.status, this.boardPlace, this.error, this.past, this.question, this.moveInput.root),
      make("div", { class: "table-side" }, this.invitation, this.acts, this.advice.root, this.moves.root),
    );
    this.root.hidden = true;
    this.waits = make("p", { class: "hint", role: "status" }, "asking for the table");
    place.replaceChildren(this.waits, this.root);
    this.#offersRequest = this.#requestOffers();
  }

  /** @returns {import("../shared/shell.js").PageKey[]} */
  #keys() {
    return [
      { group: "the board", keys: "Tab", words: "to the board, and on" },
      { group: "the board", keys: "Left, Right, Up, Down", words: "another cell, on the board" },
      { group: "the board", keys: "Home, End", words: "the ends of a row; with Ctrl, of the board" },
      { group: "the board", keys: "Enter or Space", words: "put it there; mark a cell of a column" },
      { group: "the board", keys: "Ctrl-Enter", words: "send the column", act: () => this.moveInput.sendColumn() },
      { group: "the board", keys: "b", words: "to the board", act: () => this.board.focus() },
      { group: "the game", keys: "Ctrl-Z", words: "take back", act: () => this.#press(this.back) },
      { group: "the game", keys: "i", words: "the rules", act: () => this.#showRules() },
      { group: "the game", keys: "h", words: "hint", act: () => this.advice.ask("hint") },
      { group: "the game", keys: "a", words: "analyse", act: () => this.advice.ask("analyse") },
      { group: "the game", keys: "v", words: "the other seat's view", act: () => this.#press(this.turn) },
      { group: "what was played", keys: "Left", words: "a turn back", act: () => this.go(this.#turns - 1) },
      { group: "what was played", keys: "Right", words: "a turn on", act: () => this.go(this.#turns + 1) },
      { group: "what was played", keys: "Home", words: "the start", act: () => this.go(0) },
      { group: "what was played", keys: "End", words: "now", act: () => this.go(null) },
    ];
  }

  /** @param {HTMLButtonElement} button */
  #press(button) {
    if (!button.hidden && !button.disabled) button.click();
  }

  /** How many turns there are on the board that is shown. */
  get #turns() {
    return this.#at ?? this.#table?.history.length ?? 0;
  }

  // messages from the server

  /** @param {Table} table */
  #receiveTable(table) {
    const before = this.#table;
    this.#table = table;
    if (before && before.history.length !== table.history.length) this.error.textContent = "";
    const position = table.history.join(" ");
    if (before?.history.join(" ") !== position) this.#advised = null;
    this.#boards.set(position, { turns: table.history.length, views: table.views });
    if (this.#at !== null && this.#at >= table.history.length) this.#at = null;
    if (this.root.hidden) {
      this.root.hidden = false;
      this.waits.remove();
      this.#offerGame();
    }
    if (before) this.#tellTurn(before, table);
    this.#show();
    this.#saveDescription(table);
  }

  /**
   * @param {Seat | null} seat
   * @param {string | null} key
   */
  #receiveSeat(seat, key) {
    this.#mine = seat;
    if (key) saveTable({ id: this.id, key, words: this.#table ? this.#describe(this.#table) : this.id });
    else if (seat === null && this.connection.hasKey) forgetTable(this.id);
    this.connection.hasKey ||= key !== null;
    if (this.#table) this.#show();
  }

  #showGone() {
    forgetTable(this.id);
    this.root.remove();
    this.place.replaceChildren(
      make(
        "section",
        { class: "leaf table-gone", role: "alert" },
        make("h2", {}, "there is no such table, or not any more"),
        make("p", {}, "a table that nobody comes to makes room for another"),
        make("p", {}, make("a", { href: roomAddress("/play") }, "a new game")),
      ),
    );
    this.shell.hush();
  }

  /** @param {string} text */
  #showLost(text) {
    this.root.classList.add("is-lost");
    this.shell.say(text, { error: true, stays: true });
  }

  // actions

  /**
   * @param {string} what
   * @param {Record<string, unknown>} [more]
   */
  async #do(what, more = {}) {
    this.error.textContent = "";
    try {
      await this.connection.do(what, more);
      return true;
    } catch (error) {
      write(this.error, errorWords(error));
      return false;
    }
  }

  /** @param {string} text */
  #move(text) {
    return this.#do("move", { text, version: this.#table?.version });
  }

  /** @param {number} cell */
  #choose(cell) {
    const table = this.#table;
    if (!table) return;
    const refused = this.#refusal(table, cell);
    if (refused) {
      this.#refused = this.board.text(cell);
      write(this.error, refused);
      return;
    }
    this.error.textContent = "";
    this.#refused = this.board.text(cell);
    this.moveInput.choose(cell, this.#refused);
  }

  /**
   * Why nothing can be put on a cell just now.
   * @param {Table} table
   * @param {number} cell
   */
  #refusal(table, cell) {
    if (this.#at !== null) return "this is how it was: go back to now first";
    if (table.outcome !== null) return "the game is over";
    if (this.#mine === null) return "you are watching";
    if (table.moved[this.#mine]) return "your move is made; the other's is waited for";
    if (!this.moveInput.isOpen) return this.#turned ? "this is the other seat's view: turn the board back first" : "it is the other's turn";
    const column = this.moveInput.column(table);
    const { columns } = this.#diagram() ?? { columns: [] };
    if (column !== null && cell % columns.length !== column) return `you write column ${columns[column]}: only its cells can be marked`;
    return null;
  }

  /** @param {number | null} turns */
  async go(turns) {
    const table = this.#table;
    if (!table) return;
    const end = table.history.length;
    const at = turns === null ? end : Math.max(0, Math.min(end, turns));
    this.#at = at === end ? null : at;
    this.moveInput.point(null);
    this.#show();
    if (this.#at !== null && !this.#past()) {
      const position = table.history.slice(0, at).join(" ");
      try {
        const past = await this.connection.do("past", { turns: at });
        this.#boards.set(position, past);
        this.#show();
      } catch (error) {
        write(this.error, errorWords(error));
      }
    }
  }

  /** The board that is looked at, where it is known. */
  #past() {
    const { history } = this.#table ?? { history: [] };
    return this.#boards.get(history.slice(0, this.#turns).join(" ")) ?? null;
  }

  async #showRules() {
    try {
      if (this.#table) await this.rules.open(this.#table.game);
    } catch (error) {
      this.shell.say(errorWords(error), { error: true });
    }
  }

  #turnBoard() {
    this.#turned = !this.#turned;
    this.#show();
  }

  async #copy() {
    const done = await toClipboard(location.href);
    this.shell.say(done ? "the link is in the clipboard" : location.href);
  }

  /** @param {Advice} advice */
  #advise(advice) {
    const diagram = this.#diagram();
    this.#advised = diagram && this.#table?.input === "cell" ? cellOf(diagram, advice.choice) : null;
    this.#draw();
  }

  #resign() {
    this.#confirm("resign, and lose this game?", [
      ["resign", () => this.#do("resign"), "strong"],
      ["play on", () => {}, ""],
    ]);
  }

  #rename() {
    const input = make("input", { maxlength: 40, value: recall("play.name") ?? "", "aria-label": "your name", autocomplete: "nickname" });
    this.#form([input], "change", async () => {
      remember("play.name", input.value.trim());
      return this.#do("name", { name: input.value.trim() });
    });
  }

  /** @param {Seat} seat */
  async #change(seat) {
    await this.#offersRequest;
    const chooser = new Chooser(seat === 0 ? "first seat" : "second seat", [], () => {});
    chooser.offer(this.#offer(), this.#offers ?? { games: [], bots: [] });
    const there = this.#table?.seats[seat];
    chooser.value = there?.kind === "player" ? there.name : (this.#offer()?.champion ?? "");
    this.#form([chooser.root], "sit down", () => this.#do("player", { seat, player: chooser.value }));
  }

  /**
   * A small form under the seats.
   * @param {HTMLElement[]} fields
   * @param {string} yes
   * @param {() => Promise<boolean>} act
   */
  #form(fields, yes, act) {
    const before = document.activeElement;
    const close = () => {
      this.seatForm.replaceChildren();
      if (before instanceof HTMLElement) before.focus();
    };
    const form = make("form", { class: "seat-form-box" }, ...fields, make("div", { class: "row" }, make("button", { class: "strong" }, yes), make("button", { type: "button", click: close }, "cancel")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await act()) close();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
    });
    this.seatForm.replaceChildren(form);
    form.querySelector("input, select")?.scrollIntoView({ block: "nearest" });
    const first = form.querySelector("select, input");
    if (first instanceof HTMLElement) first.focus();
  }

  // rendering

  #show() {
    const table = this.#table;
    if (!table) return;
    const diagram = this.#diagram();
    this.seats.show(table, this.#mine, diagram ?? table.views[0]);
    this.moves.show(table, this.#turns);
    this.advice.show(table, this.#mine, this.#at === null);
    write(this.status, this.#words(table));
    this.status.classList.toggle("is-over", table.outcome !== null);
    this.past.hidden = this.#at === null;
    this.moveInput.root.hidden = this.#at !== null;
    write(/** @type {HTMLElement} */ (this.past.firstElementChild), `the board after turn ${this.#at} of ${table.history.length}`);
    const [mine, over] = [this.#mine !== null, table.outcome !== null];
    this.back.hidden = !mine;
    const begun = table.history.length > (table.opening ?? 0);
    this.back.disabled = (!begun && !table.moved[this.#mine ?? 0]) || table.ending === "resigned";
    this.resign.hidden = !mine || over;
    this.rematch.hidden = !mine || !over;
    this.look.hidden = !over;
    this.rematch.classList.toggle("strong", over);
    this.turn.hidden = table.views[1] === null;
    this.turn.setAttribute("aria-pressed", String(this.#turned));
    const open = table.seats.some(({ kind }) => kind === "open");
    this.invitation.hidden = !open || !mine || over;
    this.link.hidden = !this.invitation.hidden;
    this.#showAsk(table);
    this.#draw();
    this.shell.title(`${table.title}, ${versus(table.seats)}`);
    this.root.dataset.turns = String(table.history.length);
    this.root.dataset.at = String(this.#turns);
    this.root.dataset.outcome = table.outcome ?? "";
    this.root.dataset.seat = String(this.#mine ?? "");
    this.root.dataset.turn = table.turn ?? "";
  }

  /** The view that is looked at: a person's own first. @returns {0 | 1} */
  get #view() {
    if (!this.#table?.views[1]) return 0;
    const own = this.#mine ?? 0;
    return this.#turned ? (own === 0 ? 1 : 0) : own;
  }

  /** @returns {Diagram | null} */
  #diagram() {
    const past = this.#past();
    return past ? (past.views[this.#view] ?? past.views[0]) : null;
  }

  #draw() {
    const table = this.#table;
    const diagram = this.#diagram();
    if (!table || !diagram) return;
    const own = table.views[1] === null || this.#view === this.#mine;
    this.moveInput.show(table, this.#at === null && own ? this.#mine : null, diagram);
    const last = table.history[this.#turns - 1];
    /** @type {Extras} */
    const extras = {
      last: this.#changed(table, diagram),
      move: last !== undefined && table.input === "cell" ? cellOf(diagram, last) : null,
      preview: this.moveInput.preview,
      mover: this.#mine ?? 0,
      marked: this.moveInput.marked,
      legal: this.moveInput.isOpen ? this.moveInput.legal : new Set(),
      hint: this.#at === null ? this.#advised : null,
    };
    this.board.show(diagram, extras);
    this.board.label = `board, ${this.#at === null ? "now" : `after turn ${this.#at}`}`;
    this.boardPlace.classList.toggle("is-past", this.#at !== null);
  }

  /**
   * What the turn before this board changed.
   * @param {Table} table
   * @param {Diagram} diagram
   */
  #changed(table, diagram) {
    const turns = this.#turns;
    if (turns === 0) return [];
    if (this.#at === null) return table.lasts?.[this.#view] ?? table.last;
    const before = this.#boards.get(table.history.slice(0, turns - 1).join(" "));
    const cells = (before?.views[this.#view] ?? before?.views[0])?.cells;
    return cells ? [...cells].flatMap((sign, cell) => (sign === diagram.cells[cell] ? [] : [cell])) : [];
  }

  /** @param {Table} table */
  #words(table) {
    if (table.outcome !== null) return this.#outcome(table);
    const mine = this.#mine;
    const person = (/** @type {Seat} */ seat) => (seat === mine ? "you" : seatName(table.seats[seat]));
    if (table.turn === "both") {
      if (mine !== null && !table.moved[mine]) return "your move; both move at once";
      const waits = /** @type {Seat[]} */ ([0, 1]).filter((seat) => !table.moved[seat]).map(person);
      return `waiting for ${waits.join(" and ")}`;
    }
    const seat = table.turn === "first" ? 0 : 1;
    if (seat === mine) return "your move";
    if (table.seats[seat].kind === "open") return "waiting for somebody to take the open seat";
    return table.seats[seat].thinking ? `${person(seat)} thinks` : `${person(seat)} to move`;
  }

  /** @param {Table} table */
  #outcome(table) {
    const won = table.outcome === "first" ? 0 : table.outcome === "second" ? 1 : null;
    const how = table.words ?? "";
    if (this.#mine === null || won === null) return how;
    // what comes after "O wins: "
    const [, why] = /: (.*)/.exec(how) ?? [];
    return [won === this.#mine ? "you win" : "you lose", why].filter(Boolean).join(": ");
  }

  /** @param {Table} table */
  #showAsk(table) {
    const asked = table.ask;
    const key = JSON.stringify([asked, this.#mine]);
    if (!asked || this.#mine === null) {
      if (this.question.dataset.asked) {
        delete this.question.dataset.asked;
        this.question.replaceChildren();
      }
      return;
    }
    if (this.question.dataset.asked === key) return;
    const what = asked.what === "back" ? "to take the last turn back" : "for a rematch";
    if (asked.from === this.#mine) {
      this.question.replaceChildren(make("p", { class: "question-words" }, `you asked ${what}; the other has not answered`));
    } else {
      this.#confirm(`${seatName(table.seats[asked.from])} asks ${what}`, [
        ["agree", () => this.#do("agree"), "strong"],
        ["decline", () => this.#do("decline"), ""],
      ], false);
    }
    this.question.dataset.asked = key;
  }

  /**
   * Asks in the page, under the board: above it, it would push away what is being pressed.
   * @param {string} text
   * @param {[string, () => void, string][]} answers
   * @param {boolean} [focus]
   */
  #confirm(text, answers, focus = true) {
    delete this.question.dataset.asked;
    const before = document.activeElement;
    const buttons = answers.map(([name, act, kind]) =>
      make("button", { type: "button", class: kind, click: () => {
        this.question.replaceChildren();
        if (focus && before instanceof HTMLElement) before.focus();
        act();
      } }, name),
    );
    const box = make("div", { class: "question", role: focus ? "alertdialog" : "group", "aria-label": text }, make("p", { class: "question-words", role: focus ? null : "status" }, text), make("div", { class: "row" }, ...buttons));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !focus) return;
      event.stopPropagation();
      buttons.at(-1)?.click();
    });
    this.question.replaceChildren(box);
    if (focus) buttons.at(-1)?.focus();
  }

  #invite() {
    const link = make("input", { readonly: true, value: location.href, "aria-label": "link to this game", id: "invite-link", focus: () => link.select() });
    return make(
      "section",
      { class: "leaf invitation", "aria-label": "invitation" },
      make("h2", {}, "a seat is open"),
      make("p", { class: "hint" }, HAS_SERVER ? "whoever opens this link can take it" : "a player of the program can take it"),
      make("div", { class: "row invitation-row", hidden: !HAS_SERVER }, link, make("button", { type: "button", id: "invite-copy", click: () => this.#copy() }, "copy")),
    );
  }

  #tallest() {
    if (matchMedia("(max-width: 760px)").matches) return Infinity;
    // the bar above, the words over the board and the line under it are seen with it
    return Math.max(260, innerHeight - 180);
  }

  async #requestOffers() {
    try {
      this.#offers = await requestJson("/play/games.json");
      this.#offerGame();
    } catch {
      // what can be chosen is not known: what is typed can be
    }
  }

  /** @returns {GameOffer | null} */
  #offer() {
    const game = this.#table?.game ?? "";
    const games = this.#offers?.games ?? [];
    const [kind] = game.split(":");
    return games.find(({ name }) => name === game) ?? games.find(({ name }) => name.split(":")[0] === kind) ?? null;
  }

  #offerGame() {
    if (!this.#table || !this.#offers) return;
    this.advice.offer(this.#offer());
    this.#show();
  }

  /**
   * Announces what was played, and the end.
   * @param {Table} before
   * @param {Table} table
   */
  #tellTurn(before, table) {
    const said = [];
    const turns = table.history.slice(before.history.length);
    const diagram = table.views[0];
    if (before.history.every((turn, at) => turn === table.history[at]) && turns.length > 0) {
      const seat = before.turn === "second" ? 1 : 0;
      if (before.turn === "both") said.push("both have moved");
      else turns.forEach((turn, at) => said.push(`${signWord(diagram, (seat + at) % 2 === 0 ? 0 : 1)} plays ${turn}`));
      for (const { name, values } of diagram.facts) said.push(`${name}: ${([0, 1]).map((at) => `${diagram.names[at]} ${values[at]}`).join(", ")}`);
    } else if (table.history.length < before.history.length) {
      said.push(`taken back to turn ${table.history.length}`);
    }
    if (before.outcome === null && table.outcome !== null) said.push(this.#outcome(table));
    if (said.length > 0) this.shell.tell(said.join("; "));
  }

  /** @param {Table} table */
  #describe(table) {
    return `${table.title}, ${versus(table.seats)}`;
  }

  /** @param {Table} table */
  #saveDescription(table) {
    const key = this.#mine === null ? null : savedSeatKey(this.id);
    if (key) saveTable({ id: this.id, key, words: this.#describe(table) });
  }
}

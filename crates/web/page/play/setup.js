// The form for a new game, and the list of games on this server.

import { field, make, write } from "../element.js";
import { errorWords, postJson, requestJson } from "../shared/page-socket.js";
import { Board, seatSign } from "../shared/board.js";
import { HAS_SERVER, tableAddress } from "../shared/server.js";
import { startShell } from "../shared/shell.js";
import { recall, remember } from "../storage.js";
import { Chooser } from "./chooser.js";
import { requestRules, rulesView } from "./rules.js";
import { forgetTable, saveTable, savedTables } from "./table-connection.js";

/** @import { Diagram } from "../shared/board.js" */
/** @import { GameOffer, Offers, SeatState } from "./table-connection.js" */

const ANOTHER = "another";
const BETWEEN_LISTS = 4000;

const ME = { name: "me", words: "you, at this page", value: "me" };
const OPEN = { name: "whoever has the link", words: "you get a link to send to somebody", value: "open" };

/** @param {HTMLElement} place */
export async function startSetup(place) {
  const shell = startShell({
    keys: [
      { keys: "Tab", words: "from one choice to the next" },
      { keys: "Left or Right", words: "another game, where the games are chosen" },
      { keys: "Enter", words: "begin" },
    ],
  });
  const rules = make("section", { class: "leaf setup-rules", id: "setup-rules", "aria-label": "how it is played" });
  const lists = make("div", { class: "setup-lists" }, rules);
  startLists(lists);
  /** @type {Offers} */
  let offers;
  try {
    offers = await requestJson("/play/games.json");
  } catch (error) {
    place.replaceChildren(make("p", { class: "leaf error", role: "alert" }, errorWords(error)));
    return;
  }
  // a position from another page (replays): the game and the turns that lead there
  const handed = new URLSearchParams(location.hash.slice(1));
  const turns = (handed.get("turns") ?? "").split(/[\s,]+/).filter(Boolean);
  const form = make("form", { class: "leaf setup", "aria-label": "a new game" });
  const text = make("input", {
    id: "game-text",
    "aria-label": "the game as text",
    maxlength: 200,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "mnk:7,7,5",
  });
  const another = make("div", { class: "setup-text", hidden: true }, text, make("p", { class: "hint" }, "a name, and its options after a colon: mnk:7,7,5, stones:plies=200, duel:16x16"));
  const cards = make("div", { class: "game-cards", role: "radiogroup", "aria-label": "game" });
  const choosers = [0, 1].map((seat) => new Chooser(seat === 0 ? "first seat" : "second seat", [ME, OPEN], () => shown()));
  const signs = [make("span", { class: "setup-sign" }), make("span", { class: "setup-sign" })];
  const name = make("input", { id: "person-name", maxlength: 40, autocomplete: "nickname", value: recall("play.name") ?? "", placeholder: "somebody" });
  const hints = make("input", { type: "checkbox", id: "hints" });
  const listed = make("input", { type: "checkbox", id: "listed" });
  const hintsRow = make("label", { class: "check" }, hints, "hints for both");
  const error = make("p", { class: "error setup-error", role: "alert" });
  const begin = make("button", { type: "submit", class: "strong", id: "begin" }, "begin");
  const swap = make("button", { type: "button", class: "link", click: () => swapped() }, "swap seats");

  const chosen = () => {
    const radio = cards.querySelector("input:checked");
    return radio instanceof HTMLInputElement ? radio.value : ANOTHER;
  };
  const gameText = () => (chosen() === ANOTHER ? text.value.trim() : chosen());
  /** @returns {GameOffer | null} */
  const offered = () => {
    const game = gameText();
    const [kind] = game.split(":");
    const family = (/** @type {GameOffer} */ offer) => offer.name.split(":")[0] === kind;
    return offers.games.find((offer) => offer.name === game) ?? offers.games.find(family) ?? null;
  };
  const shown = () => {
    const people = choosers.filter((chooser) => !chooser.isPlayer).length;
    hintsRow.hidden = people < 2;
    error.textContent = "";
  };
  let lastOffer = offered();
  const offer = (first = false) => {
    another.hidden = chosen() !== ANOTHER;
    const now = offered();
    if (now === lastOffer && !first) {
      showRules();
      return;
    }
    lastOffer = now;
    for (const [seat, chooser] of choosers.entries()) {
      chooser.offer(now, offers);
      const start = now?.start;
      signs[seat].replaceChildren(...(start ? [seatSign(start, seat === 0 ? 0 : 1)] : []));
    }
    shown();
    showRules();
  };
  let rulesShown = "";
  const showRules = async () => {
    const game = gameText();
    if (game === rulesShown) return;
    rulesShown = game;
    try {
      const now = await requestRules(game);
      if (game === rulesShown) rules.replaceChildren(make("h2", {}, now.heading), rulesView(now));
    } catch {
      // no such game, or not yet: the text is being typed
      if (game === rulesShown) rules.replaceChildren();
    }
  };
  const swapped = () => {
    const [first, second] = choosers.map((chooser) => chooser.value);
    choosers[0].value = second;
    choosers[1].value = first;
    shown();
  };

  const game = handed.get("game") ?? recall("play.game") ?? "tictactoe";
  const known = offers.games.some((offer) => offer.name === game);
  for (const offer of offers.games) cards.append(card(offer, offer.name === game));
  cards.append(card({ name: ANOTHER, title: "another", words: "any other, by its text" }, !known));
  if (!known) text.value = game;
  cards.addEventListener("change", () => {
    offer();
    if (chosen() === ANOTHER) text.focus();
  });
  text.addEventListener("input", () => offer());

  const row = (/** @type {number} */ seat) =>
    make(
      "div",
      { class: "setup-seat" },
      make("div", { class: "setup-seat-name" }, signs[seat], seat === 0 ? "first" : "second"),
      choosers[seat].root,
    );
  form.append(
    make("h2", {}, turns.length > 0 ? `a new game, from turn ${turns.length}` : "a new game"),
    cards,
    another,
    make("div", { class: "setup-head" }, make("h3", {}, "who sits where"), swap),
    row(0),
    row(1),
    make(
      "div",
      { class: "setup-foot" },
      field("your name", name),
      make("div", { class: "setup-checks" }, hintsRow, make("label", { class: "check", hidden: !HAS_SERVER }, listed, "listed here: others may watch")),
      begin,
    ),
    error,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    begin.disabled = true;
    error.textContent = "";
    remember("play.name", name.value.trim());
    if (chosen() !== ANOTHER) remember("play.game", chosen());
    const seats = choosers.map((chooser) => chooser.value);
    remember("play.seats", seats.join("\n"));
    try {
      const body = { game: gameText(), seats, name: name.value.trim(), public: listed.checked, hints: hints.checked, turns };
      const made = await postJson("/play/tables", body);
      if (made.key) saveTable({ id: made.id, key: made.key, words: offers.games.find((offer) => offer.name === gameText())?.title ?? gameText() });
      location.assign(tableAddress(made.id));
    } catch (problem) {
      write(error, errorWords(problem));
      begin.disabled = false;
    }
  });
  // the page is kept as it was while another is looked at
  addEventListener("pageshow", () => {
    begin.disabled = false;
  });
  offer(true);
  const before = (recall("play.seats") ?? "").split("\n");
  choosers[0].value = "me";
  choosers[1].value = offered()?.champion ?? "open";
  if (before.length === 2 && before.includes("me")) choosers.forEach((chooser, seat) => (chooser.value = before[seat]));
  shown();
  place.replaceChildren(make("div", { class: "setup-room" }, form, lists));
  shell.title("");
}

/**
 * @param {{name: string, title: string, words: string, start?: Diagram}} offer
 * @param {boolean} checked
 */
function card({ name, title, words, start }, checked) {
  const input = make("input", { type: "radio", name: "game", value: name, checked });
  const picture = make("span", { class: "game-picture", "aria-hidden": "true" });
  if (start) new Board(picture, { compact: true }).show(start);
  return make("label", { class: "game-card" }, picture, make("span", { class: "game-name" }, input, title), make("span", { class: "game-words" }, words));
}

/** @param {HTMLElement} place */
function startLists(place) {
  const rows = make("ul", { class: "table-list" });
  const none = make("p", { class: "hint" }, "nobody has listed a game");
  const mine = make("ul", { class: "table-list" });
  const own = make("section", { class: "leaf", "aria-label": "your games" }, make("h2", {}, "your games"), mine);
  const here = make("section", { class: "leaf", "aria-label": "games here", hidden: !HAS_SERVER }, make("h2", {}, "games here"), none, rows);
  place.append(here, own);
  const showOwn = () => {
    const list = savedTables();
    own.hidden = list.length === 0;
    mine.replaceChildren(
      ...list.map((table) => {
        const item = make("li", {}, make("a", { href: tableAddress(table.id) }, table.words));
        const drop = make("button", { type: "button", class: "link", "aria-label": `forget ${table.words}` }, "forget");
        drop.addEventListener("click", () => {
          forgetTable(table.id);
          showOwn();
        });
        item.append(drop);
        return item;
      }),
    );
  };
  showOwn();
  if (!HAS_SERVER) return;
  let listed = "";
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const { tables } = await requestJson("/play/tables.json");
      const text = JSON.stringify(tables);
      if (text === listed) return;
      listed = text;
      none.hidden = tables.length > 0;
      rows.replaceChildren(...tables.map(listedTable));
    } catch (error) {
      listed = "";
      rows.replaceChildren();
      none.hidden = false;
      write(none, errorWords(error));
    }
  };
  refresh();
  setInterval(refresh, BETWEEN_LISTS);
  document.addEventListener("visibilitychange", refresh);
}

/** @param {{id: string, title: string, seats: SeatState[], turns: number, over: boolean, watchers: number}} table */
function listedTable(table) {
  const open = table.seats.some((seat) => seat.kind === "open") && !table.over;
  const facts = [`${table.turns} ${table.turns === 1 ? "turn" : "turns"}`];
  if (table.over) facts.push("over");
  if (table.watchers > 0) facts.push(`${table.watchers} ${table.watchers === 1 ? "watches" : "watch"}`);
  return make(
    "li",
    {},
    make(
      "a",
      { href: tableAddress(table.id) },
      make("span", { class: "table-list-game" }, table.title),
      make("span", { class: "table-list-seats" }, versus(table.seats)),
    ),
    make("span", { class: "hint" }, facts.join(", ")),
    make("span", { class: "table-list-what" }, open ? "join" : "watch"),
  );
}

/** @param {SeatState[]} seats */
export function versus(seats) {
  return seats.map(seatName).join(" against ");
}

/** @param {SeatState} seat */
export function seatName(seat) {
  if (seat.kind === "open") return "an open seat";
  return seat.name.replace(/^bot:/, "") || "somebody";
}

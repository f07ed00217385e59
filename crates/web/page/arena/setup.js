// The form for a new tournament, and the list of all tournaments.

import { field, icon, make, write } from "../element.js";
import { startShell } from "../shared/shell.js";
import { PageSocket, errorWords, postJson, requestJson } from "../shared/page-socket.js";

const KINDS = [
  ["round-robin", "everybody meets everybody"],
  ["gauntlet", "one player meets all others"],
  ["swiss", "in rounds, against those with as many points"],
  ["league", "those meet from whom most is learnt"],
];

const ANOTHER = "another";

/** Where one begins: a game that is worth watching, with players that are quick at it. */
const FIRST = "stones";

/** The players that are there to begin with, at most. */
const FIRST_PLAYERS = 5;

/** How long those think about a move that think by the clock, so that a table fills within a minute or two. */
const FIRST_OPTIONS = /** @type {Record<string, string>} */ ({ alphabeta: "ms=10", mcts: "ms=10", regret: "ms=10", strong: "ms=10" });

/** @param {HTMLElement} place */
export async function startSetup(place) {
  const shell = startShell({
    keys: [
      { keys: "Tab", words: "from one choice to the next" },
      { keys: "Enter", words: "begin the tournament" },
      { keys: "a", words: "add a player", act: () => add?.() },
    ],
  });
  /** @type {(() => void) | null} */
  let add = null;
  const list = make("section", { class: "leaf cups", "aria-labelledby": "cups-title" });
  startList(list, shell);
  place.classList.add("arena-setup");
  /** @type {any} */
  let offers;
  try {
    offers = await requestJson("/play/games.json");
  } catch (error) {
    place.replaceChildren(make("p", { class: "leaf error", role: "alert" }, errorWords(error)), list);
    return;
  }
  const form = make("form", { class: "leaf cup-form", "aria-label": "a new tournament" });
  const game = make(
    "select",
    { id: "cup-game" },
    ...offers.games.map((/** @type {any} */ offer) => make("option", { value: offer.name }, `${offer.name}: ${offer.words}`)),
    make("option", { value: ANOTHER }, "another game"),
  );
  game.value = FIRST;
  const text = make("input", { id: "cup-game-text", maxlength: 200, spellcheck: "false", autocomplete: "off", placeholder: "mnk:7,7,5" });
  const textRow = field("the game as text", text);
  const kind = make("select", { id: "cup-kind" }, ...KINDS.map(([name, about]) => make("option", { value: name }, `${name.replace("-", " ")}: ${about}`)));
  const pairs = number("cup-pairs", "5", 5000);
  const rounds = number("cup-rounds", "", 15);
  const games = number("cup-games", "200", 10_000);
  const seed = number("cup-seed", "0", Number.MAX_SAFE_INTEGER);
  const name = make("input", { id: "cup-name", maxlength: 60, autocomplete: "off", placeholder: "spring cup" });
  const champion = make("select", { id: "cup-champion" });
  const settled = make("input", { type: "checkbox", id: "cup-settled" });
  const pairsRow = field("pairs of games for each meeting", pairs);
  const roundsRow = field("rounds", rounds);
  const gamesRow = field("games", games);
  const championRow = field("who meets all others", champion);
  const rows = make("ol", { class: "entrants" });
  const error = make("p", { class: "error", role: "alert" });

  const gameText = () => (game.value === ANOTHER ? text.value.trim() : game.value);
  /** The players that are offered for the game, or for its family. */
  const offered = () => {
    const now = gameText();
    const family = offers.games.find((/** @type {any} */ offer) => offer.name.split(":")[0] === now.split(":")[0]);
    const offer = offers.games.find((/** @type {any} */ offer) => offer.name === now) ?? family ?? offers.games[0];
    return [...offer.players, ...offers.bots.map((/** @type {any} */ bot) => ({ name: bot.name, words: "allowed by the server's owner" }))];
  };
  const entrants = () => [...rows.children].map((row) => entrantOf(row));
  const champions = () => {
    const before = champion.value;
    champion.replaceChildren(...entrants().map(({ player }, i) => make("option", { value: i }, `${i + 1} ${player}`)));
    champion.value = before || "0";
  };
  /**
   * @param {string} [player]
   * @param {string} [terms]
   */
  const addRow = (player, terms) => {
    const row = entrantRow(offered(), player, terms, () => {
      const before = row.previousElementSibling ?? row.nextElementSibling;
      row.remove();
      champions();
      const next = before?.querySelector("select");
      if (next instanceof HTMLElement) next.focus();
    });
    rows.append(row);
    champions();
    return row;
  };
  add = () => {
    const select = addRow().querySelector("select");
    if (select instanceof HTMLElement) select.focus();
  };
  const anew = () => {
    textRow.hidden = game.value !== ANOTHER;
    const names = offered().map(({ name: each }) => each);
    rows.replaceChildren();
    for (const each of names.filter((/** @type {string} */ each) => each !== "perfect").slice(0, FIRST_PLAYERS)) addRow(each, FIRST_OPTIONS[each]);
  };
  const kinds = () => {
    pairsRow.hidden = kind.value === "league";
    roundsRow.hidden = kind.value !== "swiss";
    gamesRow.hidden = kind.value !== "league";
    championRow.hidden = kind.value !== "gauntlet";
  };
  game.addEventListener("change", anew);
  text.addEventListener("change", anew);
  kind.addEventListener("change", kinds);
  rows.addEventListener("change", champions);
  form.append(
    make("h2", {}, "a new tournament"),
    make("div", { class: "cup-terms" }, field("game", game), textRow, field("kind", kind), pairsRow, roundsRow, gamesRow, championRow),
    make("fieldset", { class: "entrant-set" }, make("legend", {}, "players"), rows, make("button", { type: "button", id: "add-player", click: () => add?.() }, "add a player")),
    make(
      "details",
      { class: "cup-more" },
      make("summary", {}, "name, seed and more"),
      make("div", { class: "cup-terms" }, field("name", name), field("seed", seed)),
      make("label", { class: "check" }, settled, "end games that no move can change any more"),
    ),
    make("p", { class: "hint" }, "one tournament plays at a time, the others wait; nobody thinks longer than a second about a move"),
    make("div", { class: "row" }, make("button", { type: "submit", class: "strong", id: "begin" }, "begin"), error),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    const value = (/** @type {HTMLInputElement} */ input) => (input.value.trim() === "" ? undefined : Number(input.value));
    const entry = {
      name: name.value,
      game: gameText(),
      kind: kind.value,
      players: named(entrants()),
      champion: kind.value === "gauntlet" ? Number(champion.value) : undefined,
      pairs: kind.value === "league" ? undefined : value(pairs),
      rounds: kind.value === "swiss" ? value(rounds) : undefined,
      games: kind.value === "league" ? value(games) : undefined,
      seed: value(seed) ?? 0,
      settled: settled.checked,
    };
    try {
      const made = await postJson("/arena/cups", entry);
      location.assign(`/arena/${made.id}`);
    } catch (wrong) {
      write(error, errorWords(wrong));
    }
  });
  place.replaceChildren(form, list);
  anew();
  kinds();
}

/**
 * @param {string} id
 * @param {string} value
 * @param {number} most
 */
function number(id, value, most) {
  return make("input", { id, type: "number", min: 0, max: most, value, inputmode: "numeric" });
}

/**
 * @param {{name: string, words: string}[]} offers
 * @param {string | undefined} player
 * @param {string | undefined} terms its options
 * @param {() => void} remove
 */
function entrantRow(offers, player, terms, remove) {
  const select = make("select", { "aria-label": "player" }, ...offers.map((offer) => make("option", { value: offer.name, title: offer.words }, offer.name)));
  if (player) select.value = player;
  const options = make("input", { "aria-label": "its options", value: terms ?? "", maxlength: 120, spellcheck: "false", autocomplete: "off", placeholder: "options, ms=50" });
  const button = make("button", { type: "button", class: "plain square", "aria-label": "remove this player", title: "remove", click: remove }, icon("close"));
  return make("li", { class: "entrant" }, select, options, button);
}

/** @param {Element} row */
function entrantOf(row) {
  const select = row.querySelector("select");
  const input = row.querySelector("input");
  const options = input?.value.trim() ?? "";
  return { player: (select?.value ?? "") + (options ? `:${options}` : "") };
}

/**
 * Players who are twice the same are told apart by a number.
 * @param {{player: string}[]} entrants
 */
function named(entrants) {
  const counts = new Map();
  return entrants.map(({ player }) => {
    const count = (counts.get(player) ?? 0) + 1;
    counts.set(player, count);
    return count === 1 ? { player } : { player, name: `${player} ${count}` };
  });
}

/**
 * @param {HTMLElement} place
 * @param {import("../shared/shell.js").Shell} shell
 */
function startList(place, shell) {
  const rows = make("ul", { class: "cup-list", id: "cup-list" });
  const empty = make("p", { class: "hint" }, "none yet");
  place.append(make("h2", { id: "cups-title" }, "tournaments"), empty, rows);
  let lost = false;
  new PageSocket("/arena/live", {
    open: () => {
      if (lost) shell.say("the server is back");
      lost = false;
    },
    lost: (reason) => {
      if (!lost) shell.say(reason, { error: true, stays: true });
      lost = true;
    },
    message: ({ cups }) => {
      if (!cups) return;
      empty.hidden = cups.length > 0;
      const focused = document.activeElement instanceof HTMLAnchorElement ? document.activeElement.getAttribute("href") : null;
      rows.replaceChildren(...cups.map(line));
      if (focused) {
        const again = rows.querySelector(`a[href="${CSS.escape(focused)}"]`);
        if (again instanceof HTMLElement) again.focus({ preventScroll: true });
      }
    },
  });
}

/** @param {any} tournament */
function line(tournament) {
  const played = `${tournament.games ?? 0} of ${tournament.planned} games`;
  const parts = [tournament.game, tournament.kind.replace("-", " "), `${tournament.players} players`, played];
  if (tournament.leader && tournament.games > 0) parts.push(`${tournament.leader} leads`);
  return make(
    "li",
    {},
    make("a", { href: `/arena/${tournament.id}`, class: "cup-link" }, tournament.name),
    make("span", { class: `stand is-${tournament.stand}` }, tournament.stand),
    make("span", { class: "hint cup-words" }, parts.join(", ")),
  );
}

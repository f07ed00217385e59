// The games of a tournament, latest first, with links to the replays page.

import { field, make, write } from "../element.js";
import { errorWords, requestJson } from "../shared/page-socket.js";

/** The refresh interval while games are played, in ms. */
const REFRESH_MS = 2000;

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
export function startGames(place, id) {
  const anybody = () => make("option", { value: "" }, "anybody");
  const player = make("select", { id: "games-player" }, anybody());
  const against = make("select", { id: "games-against" }, anybody());
  const list = make("ol", { class: "played", id: "played" });
  const error = make("p", { class: "error", role: "alert" });
  const empty = make("p", { class: "hint" }, "none yet");
  const more = make("button", { type: "button", hidden: true, click: () => load(true) }, "more");
  place.append(
    make("h3", { id: "games-title" }, "games"),
    make("div", { class: "pair games-filter" }, field("of", player), field("against", against)),
    error,
    empty,
    list,
    more,
  );
  /** @type {any[]} */
  let games = [];
  let known = -1;
  let asked = 0;
  let isPaged = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const load = async (/** @type {boolean} */ further) => {
    const query = new URLSearchParams();
    if (player.value) query.set("player", player.value);
    if (against.value) query.set("against", against.value);
    const last = games[games.length - 1];
    if (further && last) query.set("before", String(last.id));
    const turn = ++asked;
    try {
      const page = await requestJson(`/arena/${id}/games.json?${query}`);
      if (turn !== asked) return;
      error.textContent = "";
      isPaged = further;
      const lines = page.games.map((/** @type {any} */ game) => line(id, game));
      games = further ? [...games, ...page.games] : page.games;
      const held = list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
      if (further) list.append(...lines);
      else list.replaceChildren(...lines);
      if (held) {
        const again = [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === held);
        again?.focus({ preventScroll: true });
      }
      more.hidden = !page.more;
      empty.hidden = games.length > 0;
    } catch (wrong) {
      write(error, errorWords(wrong));
    }
  };
  for (const select of [player, against]) select.addEventListener("change", () => load(false));
  return {
    /** @param {any} tournament from the server */
    update: (tournament) => {
      const names = tournament.players.map((/** @type {any} */ each) => each.name);
      if (player.options.length !== names.length + 1) {
        for (const select of [player, against]) {
          select.replaceChildren(anybody(), ...names.map((/** @type {string} */ name) => make("option", { value: name }, name)));
        }
      }
      if (tournament.games === known) return;
      known = tournament.games;
      // a list that was paged further stays as it is; refreshes are throttled
      if (isPaged) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          load(false);
        },
        games.length === 0 ? 0 : REFRESH_MS,
      );
    },
  };
}

/**
 * @param {string} id
 * @param {any} game
 */
function line(id, game) {
  const [first, second] = game.players;
  const words = { first: `${first} wins`, second: `${second} wins`, draw: "a draw" }[/** @type {"first" | "second" | "draw"} */ (game.outcome)];
  const ending = ["rules", "settled"].includes(game.ending) ? "" : `, ${game.ending}`;
  return make(
    "li",
    {},
    make("span", { class: "played-number" }, String(game.id)),
    make("a", { href: `/replays?cup=${id}&game=${game.id}` }, `${first} – ${second}`),
    make("span", { class: "hint" }, `${words}${ending}, ${game.turns} turns`),
  );
}

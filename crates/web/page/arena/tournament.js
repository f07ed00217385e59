// The page of one tournament: its standings, live board and games.

import { make, write } from "../element.js";
import { Board, seatSign } from "../shared/board.js";
import { startShell } from "../shared/shell.js";
import { PageSocket, errorWords } from "../shared/page-socket.js";
import { startGames } from "./games.js";
import { LastGame } from "./last-game.js";
import { standings } from "./standings.js";

const FILES = [
  ["report.html", "report"],
  ["players.csv", "table as csv"],
  ["games.csv", "games as csv"],
  ["tournament.json", "all as json"],
];

/** The button's text and the action it sends, by the tournament's status. */
const NEXT = /** @type {Record<string, [string, string]>} */ ({
  running: ["stop", "stop"],
  waiting: ["stop", "stop"],
  stopped: ["go on", "go"],
  failed: ["try again", "go"],
});

/**
 * @param {HTMLElement} place
 * @param {string} id
 */
export function startTournament(place, id) {
  const shell = startShell({
    keys: [
      { keys: "s", words: "stop, or go on", act: () => button.click() },
      { keys: "b", words: "the board large, or small", act: () => large(location.hash !== "#board") },
      { keys: "Escape", words: "the board small again", act: () => large(false) },
      { keys: "l", words: "the list of tournaments", act: () => location.assign("/arena") },
    ],
  });
  const title = make("h2", { id: "cup-title" });
  const facts = make("p", { class: "hint", id: "cup-facts" });
  const bar = make("progress", { id: "cup-progress", max: 1, value: 0, "aria-label": "games played" });
  const stand = make("span", { class: "stand", id: "cup-stand" });
  const count = make("span", { id: "cup-count" });
  const button = make("button", { type: "button", id: "cup-button", hidden: true });
  const error = make("p", { class: "error", role: "alert" });
  const table = make("div", { id: "standings", class: "standings" });
  const files = make("p", { class: "row cup-files" }, ...FILES.map(([file, words]) => make("a", { href: `/arena/${id}/${file}`, download: "" }, words)));
  const head = make(
    "section",
    { class: "leaf cup-head", "aria-labelledby": "cup-title" },
    make("div", { class: "row cup-line" }, title, stand, button),
    facts,
    make("div", { class: "row cup-line" }, bar, count),
    error,
    table,
    files,
  );
  const words = make("p", { id: "live-words", class: "hint" }, "the first game begins");
  const seats = make("p", { class: "row live-seats", id: "live-seats" });
  const compact = make("div", { class: "live-compact" });
  const whole = make("div", { class: "live-whole", hidden: true });
  const enlarge = make("a", { href: "#board", id: "enlarge" }, "large");
  const live = make(
    "section",
    { class: "leaf live", "aria-labelledby": "live-title" },
    make("div", { class: "row cup-line" }, make("h3", { id: "live-title" }, "on the board"), enlarge),
    seats,
    words,
    compact,
    whole,
  );
  const games = make("section", { class: "leaf cup-games", "aria-labelledby": "games-title" });
  place.classList.add("arena-cup");
  place.replaceChildren(head, live, games);
  const list = startGames(games, id);
  const small = new Board(compact, { compact: true, label: "the game on the board" });
  /** @type {Board | null} made when it is asked for */
  let big = null;
  /** @type {any} */
  let board = null;

  const draw = (/** @type {import("../shared/board.js").Diagram} */ diagram, /** @type {number | null} */ move, /** @type {[string, string]} */ players) => {
    if (seats.dataset.players !== players.join("\n")) {
      seats.dataset.players = players.join("\n");
      const seat = (/** @type {0 | 1} */ at) => make("span", { class: "live-seat" }, seatSign(diagram, at), players[at]);
      seats.replaceChildren(seat(0), seat(1));
    }
    if (big && !whole.hidden) big.show(diagram, { move });
    else small.show(diagram, { move });
  };
  const last = new LastGame(id, { words, show: draw });
  live.append(last.row);
  const show = () => {
    if (last.isShown) return last.draw();
    if (!board) return;
    const { players, turns, pair, leg, diagram } = board;
    write(words, `pair ${pair + 1}, game ${leg + 1}, ${turns} turns`);
    draw(diagram, null, players);
  };
  const large = (/** @type {boolean} */ on) => {
    if (on === (location.hash === "#board")) return;
    if (on) location.hash = "board";
    else {
      history.replaceState(null, "", location.pathname);
      place.dispatchEvent(new Event("board"));
    }
  };
  const resize = () => {
    const on = location.hash === "#board";
    place.classList.toggle("is-large", on);
    whole.hidden = !on;
    compact.hidden = on;
    write(enlarge, on ? "small" : "large");
    if (on && !big) big = new Board(whole, { label: "the game on the board", tallest: () => Math.max(280, innerHeight - 190) });
    show();
    big?.fit();
  };
  addEventListener("hashchange", resize);
  place.addEventListener("board", resize);
  enlarge.addEventListener("click", (event) => {
    if (location.hash !== "#board") return;
    event.preventDefault();
    large(false);
  });
  resize();

  let asked = 0;
  let action = "";
  button.addEventListener("click", () => {
    error.textContent = "";
    if (!button.hidden && !socket.send({ do: action, id: ++asked })) shell.say("the server does not answer", { error: true });
  });

  const showTournament = (/** @type {any} */ tournament) => {
    shell.title(tournament.name);
    write(title, tournament.name);
    write(stand, tournament.stand);
    stand.className = `stand is-${tournament.stand}`;
    const parts = [tournament.game, tournament.kind.replace("-", " "), `seed ${tournament.seed}`];
    if (tournament.round) parts.push(`round ${tournament.round[0]} of ${tournament.round[1]}`);
    write(facts, parts.join(", "));
    bar.max = Math.max(1, tournament.planned);
    bar.value = tournament.games ?? 0;
    write(count, progress(tournament));
    const next = NEXT[tournament.stand];
    button.hidden = !next;
    if (next) {
      write(button, next[0]);
      action = next[1];
    }
    write(error, tournament.error ?? "");
    table.replaceChildren(standings(tournament.table));
    files.hidden = !tournament.games;
    if (tournament.stand === "running") {
      last.hide();
    } else if (tournament.games > 0) {
      last.show().catch((/** @type {unknown} */ wrong) => write(words, errorWords(wrong)));
    } else {
      write(words, tournament.stand === "waiting" ? "other tournaments play first" : "no game was played yet");
    }
    list.update(tournament);
  };

  let lost = false;
  const socket = new PageSocket(`/arena/${id}/live`, {
    open: (first) => {
      if (!first && lost) shell.say("the server is back");
      lost = false;
    },
    lost: (reason) => {
      if (!lost) shell.say(reason, { error: true, stays: true });
      lost = true;
    },
    message: (message) => {
      if (message.gone) {
        socket.close();
        place.replaceChildren(
          make("section", { class: "leaf" }, make("p", {}, "there is no such tournament, or not any more"), make("p", {}, make("a", { href: "/arena" }, "the list of tournaments"))),
        );
      } else if (message.cup) {
        showTournament(message.cup);
      } else if (message.board) {
        board = message.board;
        last.hide();
        show();
      } else if (message.error) {
        const words = message.error.error ?? message.error;
        write(error, [words, message.error.hint].filter(Boolean).join(" – "));
      }
    },
  });
}

/** @param {any} tournament */
function progress(tournament) {
  const { games, planned, pace } = tournament;
  const parts = [`${games ?? 0} of ${planned} games`];
  if (pace) {
    parts.push(`${pace < 10 ? pace.toFixed(1) : Math.round(pace)} a second`);
    const left = (planned - games) / pace;
    if (left > 5) parts.push(`${span(left)} to go`);
  }
  return parts.join(", ");
}

/** @param {number} seconds */
function span(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

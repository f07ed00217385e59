// Shows a replay: boards, facts, the position in the game, moves, and the bots' output.

import { find, make, write } from "../element.js";
import { Board, seatSign } from "../shared/board.js";
import { setLabel } from "../translation.js";

/** @import { Playback, Game } from "./playback.js" */

/** Plies a second at both ends of the slider. */
const SLOWEST = 0.5;
const QUICKEST = 200;

/** @param {number} rung of the slider, from 0 to 100 */
export function speedOf(rung) {
  const exact = SLOWEST * (QUICKEST / SLOWEST) ** (rung / 100);
  return Number(exact.toPrecision(2));
}

export class Viewer {
  /** @type {Playback | null} */
  #playback = null;
  /** Both views side by side. */
  both = false;
  /** Whose view is shown where only one is. @type {0 | 1} */
  seat = 0;

  constructor() {
    // the transport below a board is in sight too
    const tallest = () => Math.max(240, innerHeight - 330);
    this.boards = [
      new Board(find("board-first", HTMLElement), { tallest, label: "the board" }),
      new Board(find("board-second", HTMLElement), { tallest, label: "the board as the second seat sees it" }),
    ];
    this.moves = find("moves", HTMLElement);
    this.scrub = find("scrub", HTMLInputElement);
    this.moves.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("[data-ply]") : null;
      if (!(item instanceof HTMLElement) || !this.#playback) return;
      this.#playback.stop();
      this.#playback.go(Number(item.dataset.ply));
    });
    this.moves.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };
      const step = steps[/** @type {keyof typeof steps} */ (event.key)];
      if (step === undefined || !this.#playback) return;
      event.preventDefault();
      this.#playback.step(step);
    });
  }

  get hasViews() {
    return Boolean(this.#playback?.game.boards[1]);
  }

  /** @param {Playback} playback */
  take(playback) {
    this.#playback = playback;
    const { game } = playback;
    find("viewer", HTMLElement).hidden = false;
    write(find("players", HTMLElement), `${game.players[0]} – ${game.players[1]}`);
    write(find("result", HTMLElement), `${game.title}: ${game.result}`);
    this.scrub.max = String(Math.max(0, playback.last));
    write(find("of", HTMLElement), `of ${playback.last}`);
    find("views", HTMLButtonElement).hidden = !this.hasViews;
    this.#list(game);
    showCheck(game);
    showBots(game);
    this.show();
  }

  show() {
    const playback = this.#playback;
    if (!playback) return;
    const { at, frame } = playback;
    const both = this.both && this.hasViews;
    const second = find("view-second", HTMLElement);
    second.hidden = !both;
    find("boards", HTMLElement).classList.toggle("are-two", both);
    const only = this.hasViews ? this.seat : 0;
    /** @type {[number, 0 | 1][]} */
    const shown = both ? [[0, 0], [1, 1]] : [[0, only]];
    for (const [place, seat] of shown) {
      const diagram = playback.diagram(seat);
      if (diagram) this.boards[place].show(diagram, { move: seat === 0 ? playback.lastCell() : null });
    }
    const caption = (/** @type {0 | 1} */ seat) => (this.hasViews ? `as ${["the first", "the second"][seat]} seat sees it` : "");
    write(find("caption-first", HTMLElement), caption(both ? 0 : only));
    write(find("caption-second", HTMLElement), caption(1));
    const views = find("views", HTMLButtonElement);
    views.setAttribute("aria-pressed", String(both));
    this.#facts();
    this.scrub.value = String(at);
    const words = this.#words();
    setLabel(this.scrub, "aria-valuetext", words);
    const ply = find("ply", HTMLInputElement);
    if (document.activeElement !== ply) ply.value = String(at);
    const play = find("play", HTMLButtonElement);
    play.classList.toggle("is-running", playback.running);
    setLabel(play, "aria-label", playback.running ? "pause" : "play");
    find("to-start", HTMLButtonElement).disabled = at === 0;
    find("ply-back", HTMLButtonElement).disabled = at === 0;
    find("ply-on", HTMLButtonElement).disabled = at === playback.last;
    const room = find("room", HTMLElement);
    room.dataset.ply = String(at);
    room.dataset.hash = frame?.hash ?? "";
    this.#mark();
  }

  /** Where one is, in words. */
  #words() {
    const playback = this.#playback;
    if (!playback) return "";
    const { at, frame, game } = playback;
    const part = at > 0 && at <= game.opening ? ", opening" : "";
    return frame?.text ? `turn ${at} of ${playback.last}: ${frame.text}${part}` : `the start, ${playback.last} turns follow`;
  }

  #facts() {
    const diagram = this.#playback?.diagram(0);
    const place = find("facts", HTMLElement);
    if (!diagram || diagram.facts.length === 0) return place.replaceChildren();
    const head = make("tr", {}, make("td"), ...diagram.facts.map(({ name }) => make("th", { scope: "col", class: "number" }, name)));
    const rows = [0, 1].map((seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, make("span", { class: "seat-name" }, seatSign(diagram, /** @type {0 | 1} */ (seat)), this.#playback?.game.players[seat] ?? "")),
        ...diagram.facts.map(({ values }) => make("td", { class: "number" }, values[seat])),
      ),
    );
    return place.replaceChildren(make("table", { class: "paper-table" }, head, ...rows));
  }

  /** @param {Game} game */
  #list(game) {
    const items = game.frames.slice(1).map((frame, i) => {
      const ply = i + 1;
      const times = frame.spent.map((time) => (time === null ? "" : duration(time))).filter(Boolean);
      return make(
        "li",
        { role: "option", id: `ply-${ply}`, "data-ply": ply, class: ply <= game.opening ? "is-opening" : null, "aria-selected": "false" },
        make("span", { class: "ply-number" }, String(ply)),
        make("span", { class: "ply-text" }, ...turnText(frame.text ?? "")),
        make("span", { class: "ply-time" }, ply <= game.opening ? "opening" : times.join(" / ")),
      );
    });
    const start = make(
      "li",
      { role: "option", id: "ply-0", "data-ply": 0, "aria-selected": "false" },
      make("span", { class: "ply-number" }, "0"),
      make("span", { class: "ply-text" }, "the start"),
    );
    this.moves.replaceChildren(start, ...items);
  }

  #mark() {
    const playback = this.#playback;
    if (!playback) return;
    this.moves.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    const item = document.getElementById(`ply-${playback.at}`);
    if (!item) return;
    item.setAttribute("aria-selected", "true");
    this.moves.setAttribute("aria-activedescendant", item.id);
    // scrolls the list, never the page
    const top = item.offsetTop - this.moves.offsetTop;
    if (top < this.moves.scrollTop || top + item.offsetHeight > this.moves.scrollTop + this.moves.clientHeight) {
      this.moves.scrollTop = top - this.moves.clientHeight / 2;
    }
  }
}

/**
 * A time with two or three digits.
 * @param {number} micros
 */
export function duration(micros) {
  if (micros < 1000) return `${micros} µs`;
  if (micros < 1e6) return `${(micros / 1000).toPrecision(3)} ms`;
  return `${(micros / 1e6).toPrecision(3)} s`;
}

/**
 * A turn, which may be broken between both seats' moves and nowhere else.
 * @param {string} text
 */
function turnText(text) {
  const [first, second] = text.split("/");
  return second === undefined ? [text] : [`${first}/`, make("wbr"), second];
}

/** @param {Game} game */
function showCheck(game) {
  const { check, problem, faults } = game;
  const lines = [];
  if (check.ok) {
    lines.push(make("p", {}, "played again: moves, result and last position are as the file says"));
    if (check.opening) lines.push(make("p", { class: "hint" }, `${check.opening}: seed ${game.seed}`));
  } else {
    lines.push(make("p", { class: "error" }, `line ${check.line}, column ${check.column}: ${check.error}`));
  }
  if (problem && !(problem.line && problem.line === check.line)) {
    const where = problem.line ? `line ${problem.line}, column ${problem.column}: ` : "";
    lines.push(make("p", { class: "error" }, where + problem.words));
  }
  faults.forEach((fault, seat) => {
    if (fault) lines.push(make("p", { class: "error" }, `the ${["first", "second"][seat]} seat, ${game.players[seat]}: ${fault}`));
  });
  find("check", HTMLElement).replaceChildren(...lines);
}

/** @param {Game} game */
function showBots(game) {
  const parts = game.aftermath.flatMap(({ about, notes, complaints }, seat) => {
    if (about.length === 0 && notes.length === 0 && !complaints) return [];
    /** @type {HTMLElement[]} */
    const lines = [make("h4", {}, `${game.players[seat]}, the ${["first", "second"][seat]} seat`)];
    if (about.length > 0) {
      const text = about.map(([name, value]) => `${name}: ${value}`).join("; ");
      lines.push(make("p", { class: "hint" }, text));
    }
    for (const note of notes) lines.push(make("p", { class: "error" }, note));
    if (complaints) {
      const label = `standard error of ${game.players[seat]}`;
      lines.push(make("pre", { class: "complaints", tabindex: 0, role: "region", "aria-label": label }, complaints));
    }
    return [make("div", { class: "bot" }, ...lines)];
  });
  find("bots", HTMLElement).hidden = parts.length === 0;
  find("bots-words", HTMLElement).replaceChildren(...parts);
}

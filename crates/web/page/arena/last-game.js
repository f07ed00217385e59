// The last game of a tournament that does not run, played again on the board.

import { make, write } from "../element.js";
import { Playback } from "../replays/playback.js";
import { requestJson } from "../shared/page-socket.js";

/** @import { Diagram } from "../shared/board.js" */

/** A game is shown within about this many seconds, but not quicker or slower than a person follows. */
const SECONDS = 12;
const SLOWEST = 1.5;
const QUICKEST = 12;

/**
 * @typedef {object} LastGameView
 * @property {HTMLElement} words where it says what is shown
 * @property {(diagram: Diagram, move: number | null, players: [string, string]) => void} show
 */

export class LastGame {
  /** @type {Playback | null} */
  #playback = null;
  /** The game that is shown or on its way; 0 for none. */
  #number = 0;
  #id;
  #view;

  /**
   * @param {string} id the tournament's
   * @param {LastGameView} view
   */
  constructor(id, view) {
    this.#id = id;
    this.#view = view;
    this.button = make("button", { type: "button", id: "replay-again", click: () => this.#playback?.toggle() });
    this.link = make("a", { id: "replay-whole" }, "step through it");
    this.row = make("p", { class: "row", id: "replay-row", hidden: true }, this.button, this.link);
  }

  get isShown() {
    return this.#playback !== null;
  }

  /** Games are played: the board is theirs. */
  hide() {
    this.#playback?.stop();
    this.#playback = null;
    this.#number = 0;
    this.row.hidden = true;
  }

  /** Shows the last game that the store has; the one that is shown already goes on. */
  async show() {
    const { games } = await requestJson(`/arena/${this.#id}/games.json`);
    const number = games[0]?.id ?? 0;
    if (number === 0 || number === this.#number) return;
    this.hide();
    this.#number = number;
    const replay = await fetch(`/arena/${this.#id}/replay?game=${number}`);
    if (!replay.ok) return;
    const { shown } = await requestJson("/replays/read", { method: "POST", body: await replay.blob() });
    // meanwhile another one may have been asked for, or none
    if (!shown || this.#number !== number) return;
    const playback = new Playback(shown, () => this.draw());
    playback.speed = Math.max(SLOWEST, Math.min(QUICKEST, playback.last / SECONDS));
    this.#playback = playback;
    this.link.href = `/replays?${new URLSearchParams({ cup: this.#id, game: String(number) })}`;
    this.row.hidden = false;
    // where motion is not wanted, the position at the end stands still
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) playback.go(playback.last);
    else playback.toggle();
  }

  draw() {
    const playback = this.#playback;
    const diagram = playback?.diagram(0);
    if (!playback || !diagram) return;
    const { game, at, last, running } = playback;
    const words = at === last ? `the last game, ${last} turns: ${game.result}` : `the last game, turn ${at} of ${last}`;
    write(this.#view.words, words);
    write(this.button, running ? "pause" : at === last ? "play it again" : "play on");
    this.#view.show(diagram, playback.lastCell(), game.players);
  }
}

// The playback of a recorded game: its positions, the current ply, and the timer.

import { cellOf } from "../shared/board.js";

/** @import { Diagram } from "../shared/board.js" */

/**
 * @typedef {object} Frame
 * @property {string} cells as the first seat sees them
 * @property {string | null} second as the second sees them, where that differs
 * @property {[string, string][]} facts
 * @property {number[]} winning the cells that won the game
 * @property {string | null} text
 * @property {[number | null, number | null]} spent in microseconds
 * @property {string} hash
 */

/**
 * @typedef {object} Game
 * @property {number} number
 * @property {string} game
 * @property {string} title the game's name for people
 * @property {[string, string]} players
 * @property {string} seed
 * @property {number} opening
 * @property {string[]} turns
 * @property {string} result
 * @property {[string | null, string | null]} faults
 * @property {{about: [string, string][], notes: string[], complaints: string}[]} aftermath
 * @property {any} check
 * @property {string | null} text
 * @property {[Diagram | null, Diagram | null]} boards
 * @property {Frame[]} frames
 * @property {{words: string, line?: number, column?: number} | null} problem
 */

/** The most frames a second; faster playback skips positions. */
const MOST_FRAMES = 30;

export class Playback {
  at = 0;
  /** Plies a second. */
  speed = 4;
  running = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #due = 0;

  /**
   * @param {Game} game
   * @param {() => void} changed
   */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
  }

  get last() {
    return this.game.frames.length - 1;
  }

  get frame() {
    return this.game.frames[this.at];
  }

  /** @param {number} ply */
  go(ply) {
    this.at = Math.max(0, Math.min(this.last, Math.round(ply)));
    if (this.at === this.last) this.stop();
    this.changed();
  }

  /** @param {number} plies */
  step(plies) {
    this.stop();
    this.go(this.at + plies);
  }

  toggle() {
    if (this.running) {
      this.stop();
      this.changed();
      return;
    }
    if (this.at === this.last) this.at = 0;
    this.running = this.last > 0;
    this.#due = performance.now();
    this.#tick();
    this.changed();
  }

  stop() {
    this.running = false;
    clearTimeout(this.#timer);
  }

  #tick() {
    const each = Math.max(1000 / this.speed, 1000 / MOST_FRAMES);
    this.#timer = setTimeout(() => {
      if (!this.running) return;
      const now = performance.now();
      const plies = Math.max(1, Math.round(((now - this.#due) * this.speed) / 1000));
      this.#due = now;
      this.go(this.at + plies);
      if (this.running) this.#tick();
    }, each);
  }

  /**
   * What a seat sees now.
   * @param {0 | 1} seat
   * @returns {Diagram | null}
   */
  diagram(seat) {
    const { boards } = this.game;
    const board = boards[seat] ?? boards[0];
    const { frame } = this;
    if (!board || !frame) return null;
    const facts = board.facts.map(({ name }, i) => ({ name, values: frame.facts[i] }));
    return { ...board, facts, winning: frame.winning, cells: (seat === 1 ? frame.second : null) ?? frame.cells };
  }

  /** The cell that the last turn names; null where it names none. */
  lastCell() {
    const board = this.game.boards[0];
    const text = this.frame?.text;
    return board && text ? cellOf(board, text) : null;
  }
}

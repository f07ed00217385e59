// The workbench as the page sees it: what was heard last, and one way to do something.

import { Connection } from "./connection.js";
import { bytes } from "./number.js";
import { View } from "./view.js";
import { WORDS } from "./words.js";

/** @import { Frame } from "./frame.js" */
/** @import { Look, PlotPoints, Reply, Status, Welcome } from "./types.js" */
/** @import { Zoom } from "./zoom.js" */

/**
 * @typedef {object} Heard what can be listened for
 * @property {Status} status
 * @property {Look} look
 * @property {Welcome} welcome
 * @property {Frame} frame
 * @property {PlotPoints} plot
 * @property {boolean} online
 * @property {{reply: Reply, at: HTMLElement | null, command: string}} reply
 * @property {string} error
 * @property {null} moved the view was panned or zoomed ahead of the server
 */

/**
 * Where an answer belongs: an element next to what was done; the quiet line without one.
 * @typedef {object} Doing
 * @property {HTMLElement | null} [at]
 * @property {boolean} [silent] say nothing when it worked
 */

/** How long a view may be shown ahead of the server after it answered. */
const SETTLES = 400;
/** An answer that takes longer shows that it is waited for. */
const WAITS = 350;

export class Bench {
  /** @type {Status | null} */
  status = null;
  /** @type {Look | null} */
  look = null;
  /** @type {Welcome | null} */
  welcome = null;
  /** @type {Frame | null} */
  frame = null;
  view = new View();
  online = false;
  #late = 0;

  /** @type {Map<string, ((value: any) => void)[]>} */
  #listeners = new Map();

  /** @param {string} address of the socket */
  constructor(address) {
    this.connection = new Connection(address, {
      connected: (online) => {
        this.online = online;
        if (!online) this.view.pending = [];
        this.#tell("online", online);
      },
      welcome: (welcome) => this.#tell("welcome", (this.welcome = welcome)),
      status: (status) => this.#tell("status", (this.status = status)),
      look: (look) => this.#tell("look", (this.look = look)),
      plot: (points) => this.#tell("plot", points),
      frame: (frame) => {
        this.frame = frame;
        this.view.place(frame.header);
        this.#tell("frame", frame);
      },
      error: (error) => this.#tell("error", error),
    });
  }

  /**
   * @template {keyof Heard} K
   * @param {K} kind
   * @param {(value: Heard[K]) => void} listener
   */
  on(kind, listener) {
    const list = this.#listeners.get(kind);
    if (list) list.push(listener);
    else this.#listeners.set(kind, [listener]);
  }

  /**
   * Does something: every button, key and gesture ends here.
   * @param {string} command
   * @param {Doing} [doing]
   * @returns {Promise<Reply>}
   */
  do(command, doing = {}) {
    const limit = this.welcome?.limits?.message;
    if (limit !== undefined && command.length > limit / 2 && new TextEncoder().encode(JSON.stringify(command)).length > limit - 64) {
      const reply = { ok: false, error: WORDS.tooLong(bytes(limit, WORDS.bytes)), hint: WORDS.tooLongHint };
      this.#tell("reply", { reply, at: doing.at ?? null, command });
      return Promise.resolve(reply);
    }
    const { id, reply } = this.connection.command(command);
    return this.#answered(command, id, reply, doing);
  }

  /**
   * Moves what is seen, at once.
   * @param {number} dx pixels to the right
   * @param {number} dy
   */
  pan(dx, dy) {
    if (dx === 0 && dy === 0) return;
    const command = `pan ${-dx},${-dy}`;
    const { id, reply } = this.connection.command(command);
    this.view.pan(id, dx, dy);
    this.#tell("moved", null);
    this.#answered(command, id, reply, { silent: true });
  }

  /**
   * Zooms about a point of the window, at once.
   * @param {Zoom} zoom
   * @param {string} word what `zoom` is told: in, out, or the zoom itself
   * @param {number} px
   * @param {number} py
   */
  zoom(zoom, word, px, py) {
    const command = `zoom ${word} at ${Math.round(px)},${Math.round(py)}`;
    const { id, reply } = this.connection.command(command);
    this.view.zoomTo(id, zoom, Math.round(px), Math.round(py));
    this.#tell("moved", null);
    this.#answered(command, id, reply, { silent: true });
  }

  /**
   * An answer that did not come over the socket (a file that was sent).
   * @param {string} command
   * @param {Reply} reply
   * @param {HTMLElement | null} at
   */
  answered(command, reply, at) {
    this.#tell("reply", { reply, at, command });
  }

  /**
   * @param {string} command
   * @param {number} id
   * @param {Promise<Reply>} promise
   * @param {Doing} doing
   */
  async #answered(command, id, promise, doing) {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#wait(1);
    }, WAITS);
    const reply = await promise;
    clearTimeout(timer);
    if (late) this.#wait(-1);
    const settle = () => this.view.settle(id) && this.#tell("moved", null);
    if (reply.ok) setTimeout(settle, SETTLES);
    else settle();
    if (!(doing.silent && reply.ok)) this.#tell("reply", { reply, at: doing.at ?? null, command });
    return reply;
  }

  /** @param {number} more answers that are waited for */
  #wait(more) {
    this.#late += more;
    document.body.toggleAttribute("data-waiting", this.#late > 0);
  }

  /**
   * @template {keyof Heard} K
   * @param {K} kind
   * @param {Heard[K]} value
   */
  #tell(kind, value) {
    for (const listener of this.#listeners.get(kind) ?? []) listener(value);
  }
}

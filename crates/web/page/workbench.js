// The page's model of the workbench: the latest messages from the server as events, and one
// method to send commands.

import { Connection } from "./connection.js";
import { bytes } from "./number.js";
import { View } from "./view.js";
import { WORDS } from "./words.js";

/** @import { Frame } from "./frame.js" */
/** @import { Look, PlotMessage, Reply, Status, Welcome } from "./types.js" */
/** @import { Zoom } from "./zoom.js" */

/**
 * @typedef {object} WorkbenchEvents the events and their payloads
 * @property {Status} status
 * @property {Look} look
 * @property {Welcome} welcome
 * @property {Frame} frame
 * @property {PlotMessage} plot
 * @property {boolean} online
 * @property {{reply: Reply, at: HTMLElement | null, command: string}} reply
 * @property {string} error
 * @property {null} moved the view was panned or zoomed ahead of the server
 */

/**
 * How a reply is shown: in the element `at`, or in the notification line without one.
 * @typedef {object} CommandOptions
 * @property {HTMLElement | null} [at]
 * @property {boolean} [silent] say nothing when it worked
 * @property {boolean} [key] a key sends it: cells out of view are brought into view and not changed
 */

/** How long, in ms, the view may stay ahead of the server after its reply. */
const SETTLE_MS = 400;
/** A reply that takes longer, in ms, shows the waiting state. */
const SLOW_REPLY_MS = 350;

export class Workbench {
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
        this.#emit("online", online);
      },
      welcome: (welcome) => this.#emit("welcome", (this.welcome = welcome)),
      status: (status) => this.#emit("status", (this.status = status)),
      look: (look) => this.#emit("look", (this.look = look)),
      plot: (plot) => this.#emit("plot", plot),
      frame: (frame) => {
        this.frame = frame;
        this.view.place(frame.header);
        this.#emit("frame", frame);
      },
      error: (error) => this.#emit("error", error),
    });
  }

  /**
   * @template {keyof WorkbenchEvents} K
   * @param {K} kind
   * @param {(value: WorkbenchEvents[K]) => void} listener
   */
  on(kind, listener) {
    const list = this.#listeners.get(kind);
    if (list) list.push(listener);
    else this.#listeners.set(kind, [listener]);
  }

  /**
   * Sends a command: every button, key and gesture ends here.
   * @param {string} command
   * @param {CommandOptions} [options]
   * @returns {Promise<Reply>}
   */
  do(command, options = {}) {
    const limit = this.welcome?.limits?.message;
    if (limit !== undefined && command.length > limit / 2 && new TextEncoder().encode(JSON.stringify(command)).length > limit - 64) {
      const reply = { ok: false, error: WORDS.tooLong(bytes(limit, WORDS.bytes)), hint: WORDS.tooLongHint };
      this.#emit("reply", { reply, at: options.at ?? null, command });
      return Promise.resolve(reply);
    }
    const { id, reply } = this.connection.command(options.key && this.#editsCells(command) ? `seen ${command}` : command);
    return this.#awaitReply(command, id, reply, options);
  }

  /** @param {string} command */
  #editsCells(command) {
    const group = this.welcome?.commands.find(({ name }) => name === command.split(" ")[0])?.group;
    return group === "draw" || group === "select";
  }

  /**
   * Pans the view at once, ahead of the server's frame.
   * @param {number} dx pixels to the right
   * @param {number} dy
   */
  pan(dx, dy) {
    if (dx === 0 && dy === 0) return;
    const command = `pan ${-dx},${-dy}`;
    const { id, reply } = this.connection.command(command);
    this.view.pan(id, dx, dy);
    this.#emit("moved", null);
    this.#awaitReply(command, id, reply, { silent: true });
  }

  /**
   * Zooms about a point of the window at once, ahead of the server's frame.
   * @param {Zoom} zoom
   * @param {string} word the argument of `zoom`: in, out, or a zoom level
   * @param {number} px
   * @param {number} py
   */
  zoom(zoom, word, px, py) {
    const command = `zoom ${word} at ${Math.round(px)},${Math.round(py)}`;
    const { id, reply } = this.connection.command(command);
    this.view.zoomTo(id, zoom, Math.round(px), Math.round(py));
    this.#emit("moved", null);
    this.#awaitReply(command, id, reply, { silent: true });
  }

  /**
   * Reports a reply that came over HTTP (of an uploaded file).
   * @param {string} command
   * @param {Reply} reply
   * @param {HTMLElement | null} at
   */
  reportReply(command, reply, at) {
    this.#emit("reply", { reply, at, command });
  }

  /**
   * @param {string} command
   * @param {number} id
   * @param {Promise<Reply>} promise
   * @param {CommandOptions} options
   */
  async #awaitReply(command, id, promise, options) {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#countWaiting(1);
    }, SLOW_REPLY_MS);
    const reply = await promise;
    clearTimeout(timer);
    if (late) this.#countWaiting(-1);
    const settle = () => this.view.settle(id) && this.#emit("moved", null);
    if (reply.ok) setTimeout(settle, SETTLE_MS);
    else settle();
    if (!(options.silent && reply.ok)) this.#emit("reply", { reply, at: options.at ?? null, command });
    return reply;
  }

  /** @param {number} more slow replies more (or fewer) */
  #countWaiting(more) {
    this.#late += more;
    document.body.toggleAttribute("data-waiting", this.#late > 0);
  }

  /**
   * @template {keyof WorkbenchEvents} K
   * @param {K} kind
   * @param {WorkbenchEvents[K]} value
   */
  #emit(kind, value) {
    for (const listener of this.#listeners.get(kind) ?? []) listener(value);
  }
}

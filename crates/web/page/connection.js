// The socket, or what stands for one: numbers for commands, promises for their answers, credit for frames, and coming
// back after the server was away.

import { decode } from "./frame.js";
import { openSocket } from "./shared/server.js";
import { WORDS } from "./words.js";

/** @import { Frame } from "./frame.js" */
/** @import { Look, PlotMessage, Reply, Status, Welcome } from "./types.js" */

/**
 * @typedef {object} Listener
 * @property {(online: boolean, first: boolean) => void} connected
 * @property {(welcome: Welcome) => void} welcome
 * @property {(status: Status) => void} status
 * @property {(look: Look) => void} look
 * @property {(plot: PlotMessage) => void} plot
 * @property {(frame: Frame) => void} frame
 * @property {(error: string) => void} error
 */

/** Frames that may be on their way: one that is drawn, one that travels. */
const CREDIT = 2;
const WAITS = [300, 700, 1500, 3000];

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #next = 1;
  #tries = 0;
  #opened = false;
  #ended = false;
  /** What the server has to know about this window. */
  #size = [800, 600];
  #dark = false;
  #plots = false;
  #curves = false;
  /** @type {Map<number, (reply: Reply) => void>} */
  #waiting = new Map();

  /**
   * @param {string} address
   * @param {Listener} listener
   */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
  }

  get online() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Comes back no more. */
  end() {
    this.#ended = true;
    this.#socket?.close();
  }

  open() {
    if (this.#ended) return;
    const socket = openSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#tries = 0;
      this.listener.connected(true, !this.#opened);
      this.#opened = true;
      this.#send({ dark: this.#dark });
      if (this.#plots) this.#send({ plot: true });
      if (this.#curves) this.#send({ curves: true });
      this.#send({ size: this.#size });
      this.credit(CREDIT);
    });
    socket.addEventListener("message", (event) => this.#receive(event.data));
    socket.addEventListener("close", () => {
      this.#drop();
      this.listener.connected(false, !this.#opened);
      const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
      this.#tries += 1;
      setTimeout(() => this.open(), wait);
    });
  }

  /**
   * @param {number} width CSS pixels
   * @param {number} height
   */
  size(width, height) {
    this.#size = [width, height];
    this.#send({ size: this.#size });
  }

  /**
   * Light or dark, where the theme is left to the page.
   * @param {boolean} dark
   */
  dark(dark) {
    if (this.#dark === dark) return;
    this.#dark = dark;
    this.#send({ dark });
  }

  /** @param {number} frames */
  credit(frames) {
    this.#send({ credit: frames });
  }

  /**
   * Subscribes to plot points while the plot is visible.
   * @param {boolean} plots
   */
  plot(plots) {
    if (this.#plots === plots) return;
    this.#plots = plots;
    this.#send({ plot: plots });
  }

  /**
   * Subscribes to the plot's curves on their axes while they are visible.
   * @param {boolean} curves
   */
  curves(curves) {
    if (this.#curves === curves) return;
    this.#curves = curves;
    this.#send({ curves });
  }

  /**
   * Sends a command.
   * @param {string} text
   * @returns {{id: number, reply: Promise<Reply>}}
   */
  command(text) {
    const id = this.#next;
    this.#next += 1;
    if (!this.#send({ do: text, id })) {
      return { id, reply: Promise.resolve({ ok: false, error: WORDS.offline }) };
    }
    return { id, reply: new Promise((resolve) => this.#waiting.set(id, resolve)) };
  }

  /** @param {object} message */
  #send(message) {
    if (!this.#socket || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** @param {string | ArrayBuffer} data */
  #receive(data) {
    if (typeof data !== "string") {
      try {
        this.listener.frame(decode(data));
      } catch (error) {
        // What cannot be drawn is done with all the same.
        this.credit(1);
        this.listener.error(String(error));
      }
      return;
    }
    const message = JSON.parse(data);
    if (message.reply) {
      const resolve = this.#waiting.get(message.reply.id);
      this.#waiting.delete(message.reply.id);
      resolve?.(message.reply);
    }
    if (message.welcome) this.listener.welcome(message.welcome);
    if (message.status) this.listener.status(message.status);
    if (message.look) this.listener.look(message.look);
    if (message.plot) this.listener.plot(message.plot);
    if (message.error) this.listener.error(message.error);
  }

  #drop() {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of waiting) resolve({ ok: false, error: WORDS.lost });
  }
}

// The WebSocket of a page: JSON texts both ways, with reconnection and backoff.

import { openSocket, request } from "./server.js";

const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 3000];

/**
 * @typedef {object} PageSocketListener
 * @property {(message: any) => void} message what the server says, one object at a time
 * @property {(first: boolean) => void} [open] connected, for the first time or again: state
 *   that the server has to know is sent here
 * @property {(words: string) => void} [lost] the connection is gone; it is tried again
 */

export class PageSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #attempts = 0;
  #opened = false;
  #closed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} path such as "/play/live?table=7"
   * @param {PageSocketListener} listener
   */
  constructor(path, listener) {
    this.address = path;
    this.listener = listener;
    this.#connect();
    // a hidden tab or a computer that slept reconnects at once
    addEventListener("online", () => this.#reconnectNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#reconnectNow();
    });
  }

  get online() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends a message. Returns false when the socket is not open.
   * @param {object} message
   */
  send(message) {
    if (!this.online) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Closes the socket; it does not reconnect. */
  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #reconnectNow() {
    if (this.#closed || !this.#timer) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  #connect() {
    this.#timer = undefined;
    const socket = openSocket(this.address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#attempts = 0;
      const first = !this.#opened;
      this.#opened = true;
      this.listener.open?.(first);
    });
    socket.addEventListener("message", (event) => this.listener.message(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (this.#closed) return;
      this.listener.lost?.(event.reason || "the server does not answer; trying again");
      const wait = RETRY_DELAYS_MS[Math.min(this.#attempts, RETRY_DELAYS_MS.length - 1)];
      this.#attempts += 1;
      this.#timer = setTimeout(() => this.#connect(), wait);
    });
  }
}

/**
 * Requests JSON over HTTP. Throws with the server's error text where the status is not ok.
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
export async function requestJson(path, how) {
  const response = await request(path, how).catch(() => {
    throw new Error("the server does not answer");
  });
  const answer = await response.json().catch(() => ({ error: "the server's answer cannot be read" }));
  if (!response.ok) throw new Error([answer.error, answer.hint].filter(Boolean).join(" – "));
  return answer;
}

/**
 * Sends a message and gives the answer; throws as `requestJson` does.
 * @param {string} path
 * @param {object} message
 * @returns {Promise<any>}
 */
export function postJson(path, message) {
  const headers = { "content-type": "application/json" };
  return requestJson(path, { method: "POST", headers, body: JSON.stringify(message) });
}

/**
 * What went wrong, in words.
 * @param {unknown} error
 */
export function errorWords(error) {
  return error instanceof Error ? error.message : String(error);
}

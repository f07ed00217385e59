// A long job of the server: it is started, asked how far it is while somebody looks, and stopped.

import { make } from "../element.js";
import { errorWords, postJson, requestJson } from "./page-socket.js";

/**
 * @typedef {object} JobOptions
 * @property {string} path the page's address, "/census"
 * @property {HTMLElement} answer the place for what the server refuses
 * @property {number} pace how long the page waits until it asks again, in milliseconds
 * @property {() => Record<string, string> | null} query what it asks; nothing where there is no job
 * @property {(run: any) => void} show
 */

export class Job {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {JobOptions} options */
  constructor(options) {
    this.options = options;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) void this.ask();
    });
  }

  /** @param {string} error */
  fail(error) {
    this.options.answer.replaceChildren(make("span", { class: "error" }, error));
  }

  /**
   * Starts a job. Gives the server's answer; nothing where it refuses.
   * @param {object} message
   */
  async start(message) {
    this.options.answer.replaceChildren();
    try {
      return await postJson(`${this.options.path}/start`, message);
    } catch (error) {
      this.fail(errorWords(error));
      return null;
    }
  }

  async stop() {
    await postJson(this.#address("stop"), {}).catch(() => null);
    await this.ask();
  }

  /** Asks how far it is, and again while it is under way and somebody looks. */
  async ask() {
    clearTimeout(this.#timer);
    if (!this.options.query()) return;
    const answer = await requestJson(this.#address("state.json")).catch(() => null);
    if (answer?.run) this.options.show(answer.run);
    if (answer && (!answer.run || answer.run.isOver)) return;
    if (!document.hidden) this.#timer = setTimeout(() => void this.ask(), this.options.pace);
  }

  /** @param {string} what */
  #address(what) {
    return `${this.options.path}/${what}?${new URLSearchParams(this.options.query() ?? {})}`;
  }
}

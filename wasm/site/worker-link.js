// A worker and the worlds in it, as a page sees them: started when it is first needed, and started
// again with the last draft after it broke down.

/** @import { Drafts } from "./drafts.js" */

/**
 * @typedef {object} WorldListener
 * @property {(message: string | ArrayBuffer) => void} message
 * @property {() => void} lost
 */

/** After so many faults in a row, with no command done between, the draft is put aside. */
const MOST_FAULTS = 2;

export class WorkerLink {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<string | null> | null} why it cannot be used */
  #started = null;
  /** @type {Map<number, WorldListener>} */
  #worlds = new Map();
  /** @type {Map<number, (answer: {head: any, bytes: Uint8Array<ArrayBuffer>}) => void>} */
  #asked = new Map();
  #next = 1;
  #faults = 0;
  #lastWords = "";
  /** @type {Drafts | null} */
  #drafts = null;
  #storeFailed = false;

  /** @param {URL} address of the worker's module */
  constructor(address) {
    this.address = address;
  }

  /**
   * Why there can be no world here; null where there can.
   * @returns {Promise<string | null>}
   */
  problem() {
    this.#started ??= this.#start();
    return this.#started;
  }

  /**
   * Opens a world, with its last draft where there are drafts. Returns what is to be said about it;
   * null where it cannot be opened.
   * @param {number} world
   * @param {number} memory
   * @param {Drafts | null} drafts
   * @param {WorldListener} listener
   */
  async ready(world, memory, drafts, listener) {
    if ((await this.problem()) !== null) return null;
    this.#drafts = drafts;
    const words = this.#lastWords;
    this.#lastWords = "";
    let note = "";
    let draft = drafts ? await drafts.read() : null;
    if (words && this.#faults >= MOST_FAULTS) {
      await drafts?.putAside().catch(() => {});
      draft = null;
      note = `the world broke down again: ${words}. The sheet is empty now, and the last draft is kept aside`;
    } else if (words) {
      note = `the world broke down: ${words}. The sheet is as it was last known, without its history`;
    }
    this.#worlds.set(world, listener);
    this.#worker?.postMessage({ open: world, memory, draft });
    return note;
  }

  /**
   * Opens a classroom. Returns whether that is possible.
   * @param {number} world
   * @param {WorldListener} listener
   */
  async openClassroom(world, listener) {
    if ((await this.problem()) !== null) return false;
    this.#worlds.set(world, listener);
    this.#worker?.postMessage({ classroom: world });
    return true;
  }

  /**
   * @param {number} world
   * @param {string} text
   */
  tellClassroom(world, text) {
    this.#worker?.postMessage({ classroom: world, text });
  }

  /**
   * @param {number} world
   * @param {string} text
   */
  tell(world, text) {
    this.#worker?.postMessage({ tell: world, text });
  }

  /** @param {number} world */
  close(world) {
    this.#worlds.delete(world);
    this.#worker?.postMessage({ close: world });
  }

  /** Ends the worker as it is: what computes too long does not read its messages. */
  end() {
    this.#fail("it was stopped");
  }

  /**
   * @param {number} world
   * @param {string} address
   * @param {BodyInit | null} body
   * @returns {Promise<{head: any, bytes: Uint8Array<ArrayBuffer>}>}
   */
  async ask(world, address, body) {
    const bytes = body === null ? null : new Uint8Array(await new Response(body).arrayBuffer());
    const number = this.#next;
    this.#next += 1;
    return new Promise((resolve) => {
      this.#asked.set(number, resolve);
      this.#worker?.postMessage({ ask: world, number, address, body: bytes });
    });
  }

  /** @returns {Promise<string | null>} */
  #start() {
    if (typeof WebAssembly === "undefined") {
      return Promise.resolve("this browser has no WebAssembly, or it is switched off: the world needs it to run in the page");
    }
    return new Promise((resolve) => {
      let worker;
      try {
        worker = new Worker(this.address, { type: "module" });
      } catch (error) {
        resolve(cannotStart(String(error)));
        return;
      }
      this.#worker = worker;
      worker.addEventListener("error", (event) => {
        resolve(cannotStart(event.message || "its files cannot be read"));
        this.#fail(event.message);
      });
      worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve(null);
        else if (data.isStart) resolve(cannotStart(data.fault));
        else if (data.fault !== undefined) this.#fail(data.fault);
        else this.#take(data);
      });
      addEventListener("pagehide", () => worker.postMessage({ keep: true }));
    });
  }

  /** @param {any} data */
  #take(data) {
    if (data.answer !== undefined) {
      this.#asked.get(data.answer)?.({ head: data.head, bytes: data.bytes });
      this.#asked.delete(data.answer);
    } else if (data.message !== undefined) {
      if (typeof data.message === "string" && data.message.startsWith('{"reply"')) this.#faults = 0;
      this.#worlds.get(data.world)?.message(data.message);
    } else if (data.draft) {
      void this.#keep(data.world, data.draft);
    } else if (data.unread) {
      this.#say(data.world, "the last draft cannot be opened here: it may be of a later version, or too large");
    }
  }

  /**
   * @param {number} world
   * @param {Uint8Array} draft
   */
  async #keep(world, draft) {
    try {
      await this.#drafts?.write(draft);
    } catch (error) {
      if (this.#storeFailed) return;
      this.#storeFailed = true;
      const why = error instanceof Error ? error.message : String(error);
      this.#say(world, `no draft can be kept: the browser’s store is full or forbidden (${why}). Save what you want to keep`);
    }
  }

  /**
   * @param {number} world
   * @param {string} error
   */
  #say(world, error) {
    this.#worlds.get(world)?.message(JSON.stringify({ error }));
  }

  /** @param {string} words */
  #fail(words) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#started = null;
    this.#faults += 1;
    this.#lastWords = words || "it ended";
    const broken = { head: { status: 503, type: "application/json" }, bytes: new TextEncoder().encode(JSON.stringify({ ok: false, error: "the world broke down" })) };
    for (const resolve of this.#asked.values()) resolve(broken);
    this.#asked.clear();
    const worlds = [...this.#worlds.values()];
    this.#worlds.clear();
    for (const { lost } of worlds) lost();
  }
}

/** @param {string} why */
function cannotStart(why) {
  return `the world cannot be started in this page: ${why}. Opened from a disk, a page may not start it: then it needs a web host, or \`gridpaper serve\``;
}

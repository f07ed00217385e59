// A worker and the rooms in it, as a page sees them: started when it is first needed, and started
// again with the last draft after it broke down.

import { compile, scriptAddress } from "./program.js";

/**
 * @typedef {object} RoomListener
 * @property {(message: string | ArrayBuffer) => void} message
 * @property {() => void} lost
 */

/**
 * Where drafts are kept.
 * @typedef {object} RoomDrafts
 * @property {() => Promise<Uint8Array | null>} read
 * @property {(draft: Uint8Array) => Promise<void>} write
 * @property {() => Promise<void>} putAside
 * @property {(world: string) => Promise<Uint8Array | null>} other the draft of another world
 */

/** After so many faults in a row, with no command done between, the draft is put aside. */
const MOST_FAULTS = 2;

export class WorkerLink {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<string | null> | null} why it cannot be used */
  #started = null;
  /** @type {Map<number, RoomListener>} */
  #rooms = new Map();
  /** @type {Map<number, (answer: {head: any, bytes: Uint8Array<ArrayBuffer>}) => void>} */
  #asked = new Map();
  #next = 1;
  #faults = 0;
  #lastWords = "";
  /** @type {RoomDrafts | null} */
  #drafts = null;
  #storeFailed = false;

  /** @type {Promise<WebAssembly.Module> | null} */
  #compiled = null;

  /**
   * @param {URL} folder of the page's files
   * @param {string} [program] that the worker runs
   */
  constructor(folder, program = "gridpaper") {
    this.folder = folder;
    this.program = program;
    addEventListener("pagehide", () => this.#worker?.postMessage({ keep: true }));
  }

  /**
   * Why there can be no room here; null where there can.
   * @returns {Promise<string | null>}
   */
  problem() {
    this.#started ??= this.#start();
    return this.#started;
  }

  /**
   * Opens a room, with its last draft where there are drafts. Returns what is to be said about it;
   * null where it cannot be opened.
   * @param {number} room
   * @param {string} order as the machine takes it
   * @param {RoomDrafts | null} drafts
   * @param {RoomListener} listener
   */
  async ready(room, order, drafts, listener) {
    if ((await this.problem()) !== null) return null;
    this.#drafts = drafts;
    const words = this.#lastWords;
    this.#lastWords = "";
    let note = "";
    let draft = drafts ? await drafts.read() : null;
    const isHopeless = words !== "" && this.#faults >= MOST_FAULTS;
    if (isHopeless) {
      await drafts?.putAside().catch(() => {});
      draft = null;
    }
    if (words && !order.startsWith("world ")) {
      note = `this broke down: ${words}`;
    } else if (isHopeless) {
      note = `the world broke down again: ${words}. The sheet is empty now, and the last draft is kept aside`;
    } else if (words) {
      note = `the world broke down: ${words}. The sheet is as it was last known, without its history`;
    }
    this.#rooms.set(room, listener);
    this.#worker?.postMessage({ open: room, order, draft });
    return note;
  }

  /**
   * @param {number} room
   * @param {string} text
   */
  tell(room, text) {
    this.#worker?.postMessage({ tell: room, text });
  }

  /** @param {number} room */
  close(room) {
    this.#rooms.delete(room);
    this.#worker?.postMessage({ close: room });
  }

  /** Ends the worker as it is: what computes too long does not read its messages. */
  end() {
    this.#fail("it was stopped");
  }

  /**
   * @param {number} room
   * @param {string} address
   * @param {BodyInit | null} body
   * @returns {Promise<{head: any, bytes: Uint8Array<ArrayBuffer>}>}
   */
  async ask(room, address, body) {
    const bytes = body === null ? null : new Uint8Array(await new Response(body).arrayBuffer());
    const number = this.#next;
    this.#next += 1;
    return new Promise((resolve) => {
      this.#asked.set(number, resolve);
      this.#worker?.postMessage({ ask: room, number, address, body: bytes });
    });
  }

  /**
   * Asks a world for a film, which a worker of its own makes. What is answered is the file, in pieces as it
   * is made, or why there is none.
   * @param {number} room
   * @param {string} address
   * @param {AbortSignal | null | undefined} signal that ends it
   * @returns {Promise<{head: any, body: BodyInit}>}
   */
  async film(room, address, signal) {
    const { head, bytes: film } = await this.ask(room, address, null);
    if (head.status !== 200) return { head, body: film };
    const worker = new Worker(await scriptAddress(this.folder, "job-worker.js"));
    const body = new ReadableStream({
      start: (stream) => {
        const fail = (/** @type {unknown} */ why) => {
          worker.terminate();
          stream.error(why);
        };
        signal?.addEventListener("abort", () => fail(signal.reason));
        worker.addEventListener("error", ({ message }) => fail(new Error(message || "its files cannot be read")));
        worker.addEventListener("message", ({ data }) => {
          if (data.piece) stream.enqueue(data.piece);
          else if (data.fault !== undefined) fail(new Error(data.fault));
          else {
            worker.terminate();
            stream.close();
          }
        });
      },
      cancel: () => worker.terminate(),
    });
    worker.postMessage({ module: await this.#compiled, film }, [film.buffer]);
    return { head, body };
  }

  /** @returns {Promise<string | null>} */
  async #start() {
    if (typeof WebAssembly === "undefined") {
      return "this browser has no WebAssembly, or it is switched off: the world needs it to run in the page";
    }
    try {
      this.#compiled ??= compile(this.folder, this.program);
      // what is wrong with it is told below
      this.#compiled.catch(() => {});
      const jobs = this.program === "rooms" ? await scriptAddress(this.folder, "job-worker.js") : "";
      const worker = new Worker(await scriptAddress(this.folder, "worker.js"));
      this.#worker = worker;
      const ready = this.#listen(worker);
      worker.postMessage({ module: await this.#compiled, jobs });
      return await ready;
    } catch (error) {
      this.#compiled = null;
      return cannotStart(String(error));
    }
  }

  /**
   * Listens to a worker, and gives what is wrong with it once it has begun.
   * @param {Worker} worker
   * @returns {Promise<string | null>}
   */
  #listen(worker) {
    return new Promise((resolve) => {
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
    });
  }

  /** @param {any} data */
  #take(data) {
    if (data.answer !== undefined) {
      this.#asked.get(data.answer)?.({ head: data.head, bytes: data.bytes });
      this.#asked.delete(data.answer);
    } else if (data.message !== undefined) {
      if (typeof data.message === "string" && /^\{"(reply|done)"/.test(data.message)) this.#faults = 0;
      this.#rooms.get(data.room)?.message(data.message);
    } else if (data.draft) {
      void this.#keep(data.room, data.draft);
    } else if (data.wanted !== undefined) {
      void this.#lend(data.room, data.wanted);
    } else if (data.unread) {
      this.#say(data.room, "the last draft cannot be opened here: it may be of a later version, or too large");
    }
  }

  /**
   * @param {number} room
   * @param {string} world
   */
  async #lend(room, world) {
    const draft = (await this.#drafts?.other(world)) ?? null;
    this.#worker?.postMessage({ lend: room, world, draft });
  }

  /**
   * @param {number} room
   * @param {Uint8Array} draft
   */
  async #keep(room, draft) {
    try {
      await this.#drafts?.write(draft);
    } catch (error) {
      if (this.#storeFailed) return;
      this.#storeFailed = true;
      const why = error instanceof Error ? error.message : String(error);
      this.#say(room, `no draft can be kept: the browser’s store is full or forbidden (${why}). Save what you want to keep`);
    }
  }

  /**
   * @param {number} room
   * @param {string} error
   */
  #say(room, error) {
    this.#rooms.get(room)?.message(JSON.stringify({ error }));
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
    const rooms = [...this.#rooms.values()];
    this.#rooms.clear();
    for (const { lost } of rooms) lost();
  }
}

/**
 * The order of a world.
 * @param {number} memory what it may hold, in whole MiB
 * @param {string} [name] what the page calls it
 */
export function worldOrder(memory, name = "") {
  return `world ${memory} ${Math.random()} ${name}`;
}

/** @param {string} why */
function cannotStart(why) {
  return `the world cannot be started in this page: ${why}. On a web host it may run, or with \`gridpaper serve\``;
}

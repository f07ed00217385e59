// The program as WebAssembly: texts and bytes go in and come out by its memory. It runs in a worker
// of a page and in Node.

/** A machine that broke down: what its last words were. */
export class MachineFault extends Error {}

export class Machine {
  /** @type {any} */
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  /** @type {(report: Uint8Array<ArrayBuffer>) => void} */
  #heard = () => {};

  /**
   * @param {WebAssembly.Module} module
   */
  constructor(module) {
    const report = (/** @type {number} */ at, /** @type {number} */ length) => {
      const bytes = new Uint8Array(this.#exports.memory.buffer, at, length).slice();
      this.#heard(bytes);
    };
    const imports = { page: { now: () => performance.now(), report } };
    this.#exports = new WebAssembly.Instance(module, imports).exports;
  }

  /** The bytes that its memory has grown to. */
  get bytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Opens a room, and returns its number.
   * @param {string} order its name, and `world MEBIBYTES SEED` for a world that may hold so much
   */
  open(order) {
    this.#put(this.#encoder.encode(order));
    const room = this.#run(() => this.#exports.open_room());
    if (room === 0) throw new MachineFault(`there is no room ${order} in this program`);
    return room;
  }

  /**
   * Opens a world with one tab, and returns its number.
   * @param {number} mebibytes that it may hold
   * @param {number} [seed] of what is random
   */
  openWorld(mebibytes, seed = Math.random()) {
    return this.open(`world ${mebibytes} ${seed}`);
  }

  /** @param {number} room */
  close(room) {
    this.#run(() => this.#exports.close_room(room));
  }

  /**
   * @param {number} room
   * @param {string} text a message of a page
   * @returns {string | null} the answer to what is no message
   */
  tell(room, text) {
    this.#put(this.#encoder.encode(text));
    const isMalformed = this.#run(() => this.#exports.tell(room)) === 1;
    return isMalformed ? this.#decoder.decode(this.#taken()) : null;
  }

  /**
   * Lets a room go on, and returns in how many milliseconds there is more to do: negative for never.
   * @param {number} room
   * @param {number} milliseconds
   * @returns {number}
   */
  poll(room, milliseconds) {
    return this.#run(() => this.#exports.poll(room, milliseconds));
  }

  /**
   * What a room has next: texts and frames for its page, jobs to be begun and ended, and the names of
   * other worlds whose drafts are wanted.
   * @param {number} room
   * @returns {Generator<string | ArrayBuffer | {lane: number, job: string | null} | {wanted: string}>}
   */
  *messages(room) {
    for (;;) {
      const kind = this.#run(() => this.#exports.take(room));
      if (kind === 0) return;
      const bytes = this.#taken();
      if (kind === 2) yield bytes.buffer;
      else if (kind === 1) yield this.#decoder.decode(bytes);
      else if (kind === 5) yield { wanted: this.#decoder.decode(bytes) };
      else {
        const [lane, ...job] = this.#decoder.decode(bytes).split("\n");
        yield { lane: Number(lane), job: kind === 3 ? job.join("\n") : null };
      }
    }
  }

  /**
   * Hands a room what the job in a lane reports.
   * @param {number} room
   * @param {number} lane
   * @param {string} report
   */
  hear(room, lane, report) {
    this.#put(this.#encoder.encode(report));
    this.#run(() => this.#exports.hear(room, lane));
  }

  /**
   * Does a job of a room.
   * @param {string} job
   * @param {(report: string) => void} heard
   */
  runJob(job, heard) {
    this.#heard = (bytes) => heard(this.#decoder.decode(bytes));
    this.#put(this.#encoder.encode(job));
    this.#run(() => this.#exports.run_job());
  }

  /**
   * Makes a film.
   * @param {Uint8Array} order as a world answers the request for it
   * @param {(piece: Uint8Array<ArrayBuffer>) => void} heard
   */
  makeFilm(order, heard) {
    this.#heard = heard;
    this.#put(order);
    this.#run(() => this.#exports.make_film());
  }

  /**
   * Hands a room the draft of another world that was wanted.
   * @param {number} room
   * @param {string} world
   * @param {Uint8Array | null} draft
   */
  lend(room, world, draft) {
    this.#put(this.#lines(world, draft ?? new Uint8Array()));
    this.#run(() => this.#exports.lend(room, draft ? 1 : 0));
  }

  /**
   * Answers a request of a page.
   * @param {number} world
   * @param {string} address
   * @param {Uint8Array} body
   * @returns {{head: {status: number, type: string, download: string | null, note: string | null}, bytes: Uint8Array<ArrayBuffer>}}
   */
  request(world, address, body) {
    this.#put(this.#lines(address, body));
    this.#run(() => this.#exports.request(world));
    const answer = this.#taken();
    const end = answer.indexOf(10);
    return { head: JSON.parse(this.#decoder.decode(answer.subarray(0, end))), bytes: answer.slice(end + 1) };
  }

  /**
   * The draft of a world, where one is due.
   * @param {number} world
   * @param {boolean} now whether it is wanted even if none is due
   * @returns {Uint8Array<ArrayBuffer> | null}
   */
  draft(world, now = false) {
    const there = this.#run(() => this.#exports.draft(world, now ? 1 : 0));
    return there === 0 ? null : this.#taken();
  }

  /**
   * @param {number} world
   * @param {Uint8Array} draft
   * @returns {boolean} whether that succeeded
   */
  restore(world, draft) {
    this.#put(draft);
    return this.#run(() => this.#exports.restore(world)) === 1;
  }

  /**
   * Runs a case of the tests: "POPULATION HASH".
   * @param {string} text
   */
  runCase(text) {
    this.#put(this.#encoder.encode(text));
    this.#run(() => this.#exports.run_case());
    return this.#decoder.decode(this.#taken());
  }

  /**
   * A line, and what follows.
   * @param {string} line
   * @param {Uint8Array} rest
   */
  #lines(line, rest) {
    const first = this.#encoder.encode(`${line}\n`);
    const whole = new Uint8Array(first.length + rest.length);
    whole.set(first);
    whole.set(rest, first.length);
    return whole;
  }

  /** @param {Uint8Array} bytes */
  #put(bytes) {
    const at = this.#run(() => this.#exports.input(bytes.length));
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #taken() {
    const { output, output_length: length, memory } = this.#exports;
    return new Uint8Array(memory.buffer, output(), length()).slice();
  }

  /**
   * @template T
   * @param {() => T} act
   * @returns {T}
   */
  #run(act) {
    try {
      return act();
    } catch (error) {
      throw new MachineFault(this.#lastWords() || String(error));
    }
  }

  #lastWords() {
    const { last_words: words, last_words_length: length, memory } = this.#exports;
    try {
      return this.#decoder.decode(new Uint8Array(memory.buffer, words(), length()).slice());
    } catch {
      // it cannot even say that
      return "";
    }
  }
}

// The program as WebAssembly: texts and bytes go in and come out by its memory. It runs in a worker
// of a page and in Node.

/** A machine that broke down: what its last words were. */
export class MachineFault extends Error {}

export class Machine {
  /** @type {any} */
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  /**
   * @param {WebAssembly.Module} module
   */
  constructor(module) {
    const imports = { page: { now: () => performance.now() } };
    this.#exports = new WebAssembly.Instance(module, imports).exports;
  }

  /** The bytes that its memory has grown to. */
  get bytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Opens a world with one tab, and returns its number.
   * @param {number} mebibytes that it may hold
   * @param {number} [seed] of what is random
   */
  open(mebibytes, seed = Math.random()) {
    return this.#run(() => this.#exports.open_world(mebibytes, seed));
  }

  /** @param {number} world */
  close(world) {
    this.#run(() => this.#exports.close_world(world));
  }

  /**
   * @param {number} world
   * @param {string} text a message of a tab
   */
  tell(world, text) {
    this.#put(this.#encoder.encode(text));
    this.#run(() => this.#exports.tell(world));
  }

  /**
   * Steps a world, and returns in how many milliseconds there is more to do: negative for never.
   * @param {number} world
   * @param {number} milliseconds
   * @returns {number}
   */
  poll(world, milliseconds) {
    return this.#run(() => this.#exports.poll(world, milliseconds));
  }

  /**
   * The messages for the tab of a world: texts, and frames as bytes.
   * @param {number} world
   * @returns {Generator<string | ArrayBuffer>}
   */
  *messages(world) {
    for (;;) {
      const kind = this.#run(() => this.#exports.take(world));
      if (kind === 0) return;
      const bytes = this.#taken();
      yield kind === 1 ? this.#decoder.decode(bytes) : bytes.buffer;
    }
  }

  /**
   * Answers a request of a page.
   * @param {number} world
   * @param {string} address
   * @param {Uint8Array} body
   * @returns {{head: {status: number, type: string, download: string | null, note: string | null}, bytes: Uint8Array<ArrayBuffer>}}
   */
  request(world, address, body) {
    const line = this.#encoder.encode(`${address}\n`);
    const whole = new Uint8Array(line.length + body.length);
    whole.set(line);
    whole.set(body, line.length);
    this.#put(whole);
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

  /** Opens a classroom: its number, and what it says first. */
  openClassroom() {
    const room = this.#run(() => this.#exports.open_classroom());
    return { room, welcome: this.#decoder.decode(this.#taken()) };
  }

  /** @param {number} room */
  closeClassroom(room) {
    this.#run(() => this.#exports.close_classroom(room));
  }

  /**
   * @param {number} room
   * @param {string} text
   * @returns {string | null} the answer
   */
  tellClassroom(room, text) {
    this.#put(this.#encoder.encode(text));
    const there = this.#run(() => this.#exports.tell_classroom(room));
    return there === 0 ? null : this.#decoder.decode(this.#taken());
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

// One of the few things that a room has done at a time: a worker with a machine of its own, which is
// started when there is something to do first, and ended with what is done in vain.

export class Lane {
  /** @type {Worker | null} */
  #worker = null;
  #isBusy = false;

  /**
   * @param {WebAssembly.Module} module
   * @param {string} script the address of the worker's script
   * @param {(report: string) => void} hear
   */
  constructor(module, script, hear) {
    this.module = module;
    this.script = script;
    this.hear = hear;
  }

  /**
   * Begins a job, in the place of what is done.
   * @param {string} job
   */
  begin(job) {
    this.end();
    this.#worker ??= this.#start();
    this.#isBusy = true;
    this.#worker.postMessage({ module: this.module, job });
  }

  /** Ends what is done: what computes does not read its messages. */
  end() {
    if (this.#isBusy) this.close();
  }

  close() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isBusy = false;
  }

  #start() {
    const worker = new Worker(this.script);
    worker.addEventListener("message", ({ data }) => {
      // one that was ended may have spoken before
      if (worker !== this.#worker) return;
      if (data.report !== undefined) this.hear(data.report);
      else if (data.fault !== undefined) this.#fail(data.fault);
      else this.#isBusy = false;
    });
    worker.addEventListener("error", (event) => {
      if (worker === this.#worker) this.#fail(event.message || "its files cannot be read");
    });
    return worker;
  }

  /** @param {string} why */
  #fail(why) {
    this.close();
    this.hear(JSON.stringify({ error: `this broke down, a fault of gridpaper's own: ${why}` }));
  }
}

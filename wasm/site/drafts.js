// Drafts of worlds and of games in the browser's own store, so that a page that is closed or breaks
// down comes back with them.

const NAME = "gridpaper";
const STORE = "drafts";

/** What a table's drafts are kept by begins with this. */
const TABLE = "table ";

/** The world of an address without one, which was the only one once. */
export const FIRST_WORLD = "1";

/** What the draft of the world is kept by that was closed last. */
const CLOSED = "closed world";

export class Drafts {
  /** @param {string} key what they are kept by */
  constructor(key = "world") {
    this.key = key;
  }

  /**
   * The drafts of a world.
   * @param {string} world
   */
  static ofWorld(world) {
    return new Drafts(world === FIRST_WORLD ? "world" : `world ${world}`);
  }

  /**
   * The draft of another world, where there is one.
   * @param {string} world
   */
  other(world) {
    return Drafts.ofWorld(world).read();
  }

  /** Takes the draft off the store, and keeps it apart in the place of the one that was closed before. */
  async close() {
    const draft = await this.read();
    await this.#run("readwrite", (store) => store.put({ key: this.key, draft }, CLOSED));
    await this.#run("readwrite", (store) => store.delete(this.key));
  }

  /** Puts the draft back, where it was the last that was closed. */
  async reopen() {
    const closed = await this.#run("readonly", (store) => store.get(CLOSED));
    if (closed?.key === this.key && closed.draft) await this.write(closed.draft);
  }

  /**
   * The drafts of a table.
   * @param {string} table
   */
  static ofTable(table) {
    return new Drafts(TABLE + table);
  }

  /**
   * Forgets the drafts of other tables.
   * @param {string[]} tables
   */
  async forgetOthers(tables) {
    const keys = await this.#run("readonly", (store) => store.getAllKeys());
    for (const key of keys) {
      const isOther = String(key).startsWith(TABLE) && !tables.includes(String(key).slice(TABLE.length));
      if (isOther) await this.#run("readwrite", (store) => store.delete(key));
    }
  }

  /** @type {Promise<IDBDatabase> | undefined} */
  #opened;

  /** @returns {Promise<Uint8Array | null>} */
  async read() {
    try {
      const kept = await this.#run("readonly", (store) => store.get(this.key));
      return kept instanceof Uint8Array ? kept : null;
    } catch {
      // nothing can be kept here, which is said when there is something to keep
      return null;
    }
  }

  /** @param {Uint8Array} draft */
  async write(draft) {
    await this.#run("readwrite", (store) => store.put(draft, this.key));
  }

  /** Puts the draft aside that cannot be opened. */
  async putAside() {
    const draft = await this.read();
    if (!draft) return;
    await this.#run("readwrite", (store) => store.put(draft, `${this.key} aside`));
    await this.#run("readwrite", (store) => store.delete(this.key));
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} act
   * @returns {Promise<any>}
   */
  async #run(mode, act) {
    this.#opened ??= promised(openStore());
    const database = await this.#opened;
    return promised(act(database.transaction(STORE, mode).objectStore(STORE)));
  }
}

function openStore() {
  const opening = indexedDB.open(NAME, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE));
  return opening;
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function promised(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser's store does not answer")));
    request.addEventListener("blocked", () => reject(new Error("the browser's store is in use")));
  });
}

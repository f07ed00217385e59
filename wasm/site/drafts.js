// Drafts of the world and of games in the browser's own store, so that a page that is closed or
// breaks down comes back with them.

const NAME = "gridpaper";
const STORE = "drafts";

/** What a table's drafts are kept by begins with this. */
const TABLE = "table ";

export class Drafts {
  /** @param {string} key what they are kept by */
  constructor(key = "world") {
    this.key = key;
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

// Drafts of the world in the browser's own store, so that a page that is closed or breaks down comes
// back with it.

const NAME = "gridpaper";
const STORE = "drafts";
const KEY = "world";

export class Drafts {
  /** @type {Promise<IDBDatabase> | undefined} */
  #opened;

  /** @returns {Promise<Uint8Array | null>} */
  async read() {
    try {
      const kept = await this.#run("readonly", (store) => store.get(KEY));
      return kept instanceof Uint8Array ? kept : null;
    } catch {
      // nothing can be kept here, which is said when there is something to keep
      return null;
    }
  }

  /** @param {Uint8Array} draft */
  async write(draft) {
    await this.#run("readwrite", (store) => store.put(draft, KEY));
  }

  /** Puts the draft aside that cannot be opened. */
  async putAside() {
    const draft = await this.read();
    if (!draft) return;
    await this.#run("readwrite", (store) => store.put(draft, `${KEY} aside`));
    await this.#run("readwrite", (store) => store.delete(KEY));
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

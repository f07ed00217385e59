// The connection to a table on the server: its message types, requests with replies, and the
// seats that this browser has stored.

import { PageSocket } from "../shared/page-socket.js";

/** @import { Change, Diagram } from "../shared/board.js" */

/** @typedef {0 | 1} Seat */

/**
 * @typedef {object} SeatState
 * @property {"open" | "person" | "player"} kind
 * @property {string} name
 * @property {boolean} here whether a page of that person's is connected
 * @property {boolean} thinking
 */

/**
 * @typedef {object} Table everything about a game, the same for everybody
 * @property {number} version
 * @property {string} id
 * @property {string} game
 * @property {string} title the game's name for people
 * @property {boolean} both whether both seats move at once
 * @property {"cell" | {column: number}} input how a move is put in by hand
 * @property {[Diagram, Diagram | null]} views as either seat sees the board; null where they are the same
 * @property {"first" | "second" | "both" | null} turn
 * @property {[boolean, boolean]} moved whether a seat's move waits for the other's
 * @property {null | "first" | "second" | "draw"} outcome
 * @property {null | "rules" | "resigned" | "fault"} ending
 * @property {string | null} words how it ended
 * @property {string[]} history
 * @property {[number | null, number | null][]} [times] milliseconds
 * @property {[SeatState, SeatState]} seats
 * @property {number} watchers
 * @property {{what: "back" | "rematch", from: Seat} | null} ask
 * @property {boolean} hints
 * @property {boolean} public
 * @property {number[]} last cells that the last turn changed, as the first seat sees them
 * @property {[number[], number[] | null]} [lasts] the same as either seat sees them
 * @property {number} [opening] the number of opening turns
 * @property {string[] | null} [moves] legal moves, where they are not too many
 */

/**
 * @typedef {object} Advice
 * @property {string} what
 * @property {string} choice
 * @property {string[]} line
 * @property {string | null} value
 * @property {number | null} share of the point, 0 to 1
 * @property {number} nodes
 * @property {number} depth
 * @property {string | null} reason
 */

/** @typedef {{move: string, cells: string, changes: [number, Change][]}} Preview */

/** @typedef {{turns: number, views: [Diagram, Diagram | null]}} PastPosition */

/** @typedef {{name: string, words: string, ms?: number | null}} PlayerOffer */

/**
 * @typedef {object} GameOffer
 * @property {string} name
 * @property {string} title the game's name for people
 * @property {string} words
 * @property {PlayerOffer[]} players
 * @property {string} champion
 * @property {boolean} both
 * @property {Diagram} [start]
 */

/** @typedef {{games: GameOffer[], bots: {name: string}[]}} Offers */

/**
 * @typedef {object} TableListener
 * @property {(table: Table) => void} table
 * @property {(seat: Seat | null, key: string | null) => void} you
 * @property {() => void} gone there is no such table, or not any more
 * @property {(words: string) => void} lost
 * @property {(first: boolean) => void} open
 */

/** The error of a request that the server refused. */
export class RequestRefused extends Error {
  /** @param {{error: string, hint?: string | null}} problem */
  constructor({ error, hint }) {
    super(hint ? `${error} – ${hint}` : error);
  }
}

export const LOST = "the connection was lost before an answer came";

/** A table's socket: each request gets exactly one reply. */
export class TableConnection {
  #next = 1;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();

  /**
   * @param {string} id the table's
   * @param {string | null} key of the seat, if this browser has one
   * @param {TableListener} listener
   */
  constructor(id, key, listener) {
    this.id = id;
    this.listener = listener;
    /** Whether the server was told that a seat is this browser's. */
    this.hasKey = key !== null;
    this.socket = new PageSocket(this.#path(key), {
      message: (message) => this.#receive(message),
      open: (first) => listener.open(first),
      lost: (words) => {
        for (const { reject } of this.#waiting.values()) reject(new Error(LOST));
        this.#waiting.clear();
        listener.lost(words);
      },
    });
  }

  /**
   * @param {string} what
   * @param {Record<string, unknown>} [more]
   * @returns {Promise<any>} `true`, or what was asked for; throws with the server's words
   */
  do(what, more = {}) {
    const id = this.#next++;
    if (!this.socket.send({ do: what, id, ...more })) {
      return Promise.reject(new Error("the server does not answer just now"));
    }
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** @param {string | null} key */
  #path(key) {
    return `/play/${this.id}/live${key ? `?key=${encodeURIComponent(key)}` : ""}`;
  }

  /** @param {any} message */
  #receive(message) {
    if (message.gone) {
      this.socket.close();
      this.listener.gone();
    } else if (message.table) {
      this.listener.table(message.table);
    } else if (message.you) {
      const { seat, key } = message.you;
      // with the key it is the same person who comes back
      if (key) this.socket.address = this.#path(key);
      this.listener.you(seat, key ?? null);
    } else if (typeof message.error !== "string") {
      const [kind, body] = Object.entries(message)[0] ?? ["", null];
      const waiting = this.#waiting.get(body?.id);
      if (!waiting) return;
      this.#waiting.delete(body.id);
      if (kind === "error") waiting.reject(new RequestRefused(body));
      else waiting.resolve(kind === "done" ? true : body);
    }
  }
}

/** Tables at which this browser has had a seat, in local storage. */

const STORAGE_KEY = "play.tables";
const MOST_SAVED = 12;

/** @typedef {{id: string, key: string, words: string}} SavedTable */

/** @returns {SavedTable[]} newest first */
export function savedTables() {
  try {
    const list = JSON.parse(localStorage.getItem(`gridpaper.${STORAGE_KEY}`) ?? "[]");
    return Array.isArray(list) ? list.filter((one) => one && typeof one.id === "string" && typeof one.key === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} id */
export function savedSeatKey(id) {
  return savedTables().find((one) => one.id === id)?.key ?? null;
}

/** @param {SavedTable} table */
export function saveTable(table) {
  storeTables([table, ...savedTables().filter(({ id }) => id !== table.id)].slice(0, MOST_SAVED));
}

/** @param {string} id */
export function forgetTable(id) {
  storeTables(savedTables().filter((one) => one.id !== id));
}

/** @param {SavedTable[]} tables */
function storeTables(tables) {
  try {
    localStorage.setItem(`gridpaper.${STORAGE_KEY}`, JSON.stringify(tables));
  } catch {
    // without storage the seat is lost with the tab
  }
}

// What carries the page's messages where there is no server: a worker with the program as
// WebAssembly. It has the functions of the server's module of this name, and is put in its place.

import { downloadBlob } from "../download.js";
import { Drafts, FIRST_WORLD } from "../drafts.js";
import { WorkerLink, worldOrder } from "../worker-link.js";

export const HAS_SERVER = false;

/** The version of links that are made here; later ones may say more. */
const LINK_VERSION = 1;

/** What the world may hold, in MiB. */
const MEMORY = 1024;

/** The world of the page, as its worker counts rooms. */
const WORLD = 1;

/** The rooms that are here besides worlds. */
const ROOMS = ["classroom", "laser", "play", "replays", "census", "search"];

/** What is asked of a table, with the key of a seat. */
const TABLE = /^\/play\/(\w+)\/(?:live|replay)(?:\?key=(.*))?$/;

/** What needs a machine, by the addresses that are asked for it. */
const NEEDS_MACHINE = /^\/(world\/run-on|arena)/;

/** How a world may be called in an address. */
const WORLD_NAME = /^\w{1,32}$/;

const NEEDS =
  "this needs gridpaper on a machine: install it and run `gridpaper serve`, which opens the same page with all its rooms";

/** Who listens to a room that is asked and not told. */
const NOBODY = { message: () => {}, lost: () => {} };

/** The folder of the site. */
const root = new URL("../../", import.meta.url);

/** What is wrong with the link that the page was opened by: said once. */
let unread = linkProblem();

// what shares worlds of a server, and lets them run on
const hidden = new CSSStyleSheet();
hidden.replaceSync("label:has(> #worlds-run-on), #share-invitations { display: none !important; }");
document.adoptedStyleSheets = [...document.adoptedStyleSheets, hidden];
if ("serviceWorker" in navigator && location.protocol !== "file:") {
  // without it the page is there only while its host can be reached
  navigator.serviceWorker.register(new URL("service-worker.js", root)).catch(() => {});
}

/** What stands for the socket: the page's messages to its world or room, and back. */
class InnerSocket extends EventTarget {
  binaryType = "arraybuffer";
  /** @type {number} as a WebSocket counts */
  readyState = WebSocket.CONNECTING;

  /** @param {string} address */
  constructor(address) {
    super();
    const room = roomOf(address);
    this.link = room ? roomLink : link;
    this.number = room ? numberOf(room) : WORLD;
    void this.#open(room, address);
  }

  /**
   * @param {string | undefined} room
   * @param {string} address
   */
  async #open(room, address) {
    const listener = {
      message: (/** @type {string | ArrayBuffer} */ message) => this.dispatchEvent(new MessageEvent("message", { data: message })),
      lost: () => this.#end(),
    };
    const note = await (room ? openRoom(room, address, listener) : openWorld(worldOf(address), listener));
    // the workbench says by itself why there is no world
    if (note === null) return this.#end(room ? ((await roomLink.problem()) ?? "") : "");
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
    for (const error of [note, unread].filter(Boolean)) this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ error }) }));
    unread = null;
    return undefined;
  }

  /** @param {string} text */
  send(text) {
    this.link.tell(this.number, text);
  }

  close() {
    this.#end();
  }

  #end(reason = "") {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent("close", { reason }));
  }
}

export const link = new WorkerLink(new URL("page/", root));

/** The rooms have a program of their own: who looks at worlds does not load it. */
const roomLink = new WorkerLink(new URL("page/", root), "rooms");

/**
 * The world that an address is about.
 * @param {string} address
 */
function worldOf(address) {
  const asked = new URLSearchParams(address.split("?")[1]).get("world") ?? "";
  return WORLD_NAME.test(asked) ? asked : FIRST_WORLD;
}

/**
 * @param {string} world
 * @param {import("../worker-link.js").RoomListener} listener
 */
function openWorld(world, listener) {
  return link.ready(WORLD, worldOrder(MEMORY, world), Drafts.ofWorld(world), listener);
}

/**
 * What is asked about the worlds that this browser keeps: which one to show, and what becomes of one.
 * @param {string} path
 * @param {string} address
 * @returns {Promise<Response | null>} null where it is something else
 */
async function askWorlds(path, address) {
  const world = worldOf(address);
  const own = { world, key: "" };
  switch (path) {
    case "/worlds":
    case "/world.json": {
      // the page is made while the program is on its way, and asks again when that fails
      const problem = await Promise.race([link.problem(), null]);
      if (problem) return json({ error: problem }, 404);
      if (path === "/worlds") return json({ ...own, world: placed(new URLSearchParams(address.split("?")[1])) });
      return json({ ...own, rights: "draw", draw: "", watch: "", token: "", runsOn: false });
    }
    case "/worlds.json":
      // the page knows by itself which ones it has been to
      return json({}, 404);
    case "/world/clone": {
      const copy = newName();
      const draft = world === namedWorld() ? (await link.ask(WORLD, "/draft", null)).bytes : await Drafts.ofWorld(world).read();
      if (draft) await Drafts.ofWorld(copy).write(draft);
      return json({ ...own, world: copy });
    }
    case "/world/close":
      await Drafts.ofWorld(world).close();
      return json(own);
    case "/world/reopen":
      await Drafts.ofWorld(world).reopen();
      return json(own);
    default:
      return null;
  }
}

/**
 * The world for an address without one: that which was shown last, or a new one.
 * @param {URLSearchParams} asked
 */
function placed(asked) {
  if (asked.has("new")) return newName();
  const last = asked.get("last") ?? "";
  return WORLD_NAME.test(last) ? last : FIRST_WORLD;
}

function newName() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => (byte % 36).toString(36)).join("");
}

/**
 * The room of an address, where it is one that is here.
 * @param {string} address
 */
function roomOf(address) {
  const [, name] = address.split(/[/?]/);
  return ROOMS.find((room) => room === name && address.startsWith(`/${room}/`));
}

/** @param {string} room */
function numberOf(room) {
  return ROOMS.indexOf(room) + 1;
}

/**
 * The rooms that are open, or on their way, and what is to be said of each.
 * @type {Map<string, Promise<string | null>>}
 */
const opened = new Map();

/**
 * Opens a room; for a table's address, the table. Returns what is to be said about it; null where it
 * cannot be opened.
 * @param {string} room
 * @param {string} address
 * @param {import("../worker-link.js").RoomListener} listener
 */
function openRoom(room, address, listener) {
  const [, table, key = ""] = TABLE.exec(address) ?? [];
  const seed = room === "play" ? ` ${Math.random()}` : "";
  // as many workers count as there are processors, and the room bounds them
  const lanes = room === "census" ? ` ${navigator.hardwareConcurrency || 1}` : "";
  const order = room + seed + lanes + (table ? ` ${decodeURIComponent(key)}` : "");
  const lost = () => {
    opened.delete(room);
    listener.lost();
  };
  const opening = roomLink.ready(numberOf(room), order, table ? Drafts.ofTable(table) : null, { ...listener, lost });
  opened.set(room, opening);
  return opening;
}

/**
 * Asks for something: a file, a picture, a change.
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(address, how) {
  const [path] = address.split("?");
  if (NEEDS_MACHINE.test(path)) return json({ ok: false, error: NEEDS }, 501);
  const answer = await askWorlds(path, address).catch((error) => json({ error: `the browser’s store is full or forbidden (${String(error)})` }, 507));
  if (answer) return answer;
  if (path.startsWith("/film.")) {
    const { head, body } = await link.film(WORLD, address, how?.signal);
    return new Response(body, { status: head.status, headers: { "content-type": head.type } });
  }
  const room = roomOf(path);
  if (room && (await (opened.get(room) ?? openRoom(room, address, NOBODY))) === null) {
    opened.delete(room);
    return json({ error: await roomLink.problem() }, 503);
  }
  const { head, bytes } = room ? await roomLink.ask(numberOf(room), address, how?.body ?? null) : await link.ask(WORLD, address, how?.body ?? null);
  if (path === "/play/tables" && head.status === 200) return keepTable(bytes);
  const headers = new Headers({ "content-type": head.type });
  if (head.download) headers.set("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(head.download)}`);
  if (head.note) headers.set("x-gridpaper-note", encodeURI(head.note));
  return new Response(bytes, { status: head.status, headers });
}

/**
 * Keeps a table that was made, so that the page that goes to it finds it.
 * @param {Uint8Array} bytes the answer
 */
async function keepTable(bytes) {
  const { id, key, stored } = JSON.parse(new TextDecoder().decode(bytes));
  const kept = Drafts.ofTable(id);
  const { savedTables } = await import("../play/table-connection.js");
  try {
    await kept.forgetOthers([id, ...savedTables().map((saved) => saved.id)]);
    await kept.write(new TextEncoder().encode(stored));
  } catch (error) {
    return json({ error: `no game can be kept: the browser’s store is full or forbidden (${String(error)})` }, 507);
  }
  return json({ id, key });
}

/**
 * @param {object} body
 * @param {number} [status]
 */
function json(body, status = 200) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

/**
 * @param {string} address
 * @returns {WebSocket}
 */
export function openSocket(address) {
  const socket = new InnerSocket(address);
  return /** @type {WebSocket} */ (/** @type {unknown} */ (socket));
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const image = /** @type {HTMLImageElement} */ (target);
    void fill(image, image.dataset.address ?? "");
  }
});

/**
 * Shows a picture that is asked for, once it is seen: each of them is drawn here.
 * @param {HTMLImageElement} image
 * @param {string} address
 */
export function showPicture(image, address) {
  image.dataset.address = address;
  if (image.loading === "lazy") seen.observe(image);
  else void fill(image, address);
}

/**
 * @param {HTMLImageElement} image
 * @param {string} address
 */
async function fill(image, address) {
  const response = await request(address);
  if (!response.ok) {
    image.dispatchEvent(new Event("error"));
    return;
  }
  const made = URL.createObjectURL(await response.blob());
  image.addEventListener("load", () => URL.revokeObjectURL(made), { once: true });
  image.src = made;
}

/**
 * Keeps a file that is asked for, when a link is clicked.
 * @param {MouseEvent} event
 * @param {string} address
 * @param {string} name
 */
export async function saveLinked(event, address, name) {
  event.preventDefault();
  const response = await request(address);
  if (response.ok) downloadBlob(await response.blob(), name);
}

/**
 * The address of a room, "/laser".
 * @param {string} path
 */
export function roomAddress(path) {
  return new URL(path === "/" ? "index.html" : `${path.slice(1)}.html`, root).href;
}

/**
 * The address of a world.
 * @param {string} world
 * @param {string} [query]
 */
export function worldAddress(world, query = "") {
  return `${location.pathname}?world=${world}${query.replace("?", "&")}`;
}

/** The world that the page's address names. */
export function namedWorld() {
  const named = new URLSearchParams(location.search).get("world") ?? "";
  return WORLD_NAME.test(named) ? named : undefined;
}

/**
 * The address of a table.
 * @param {string} table
 */
export function tableAddress(table) {
  return `${roomAddress("/play")}?table=${table}`;
}

/** The table that the page's address names. */
export function namedTable() {
  return new URLSearchParams(location.search).get("table");
}

/** What the page's address asks for: in the fragment, which no host gets to see. */
export function askedOf() {
  const asked = new URLSearchParams(location.search);
  if (linkProblem()) return asked;
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) asked.set(name, value);
  return asked;
}

/** What is wrong with the link that the page was opened by. */
function linkProblem() {
  const version = new URLSearchParams(location.hash.slice(1)).get("v");
  if (version === null || Number(version) <= LINK_VERSION) return null;
  return "this link was made by a later version of gridpaper: what it shows is not known here";
}

/**
 * A link that opens these cells.
 * @param {string} rle
 */
export function shareAddress(rle) {
  return `${roomAddress("/")}#v=${LINK_VERSION}&rle=${encodeURIComponent(rle)}`;
}

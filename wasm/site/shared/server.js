// What carries the page's messages where there is no server: a worker with the program as
// WebAssembly. It has the functions of the server's module of this name, and is put in its place.

import { downloadBlob } from "../download.js";
import { Drafts } from "../drafts.js";
import { WorkerLink } from "../worker-link.js";

export const HAS_SERVER = false;

/** The version of links that are made here; later ones may say more. */
const LINK_VERSION = 1;

/** What the world may hold, in MiB. */
const MEMORY = 1024;

/** The page's only world. */
const WORLD = 1;

/** What needs a machine, by the addresses that are asked for it. */
const NEEDS_MACHINE = /^\/(film\.|world\/|worlds\.json|play|replays|arena|census|search|laser)/;

const NEEDS =
  "this needs gridpaper on a machine: install it and run `gridpaper serve`, which opens the same page with all its rooms";

/** The folder of the site. */
const root = new URL("../../", import.meta.url);

const drafts = new Drafts();

/** What is wrong with the link that the page was opened by: said once. */
let unread = linkProblem();

// what lists and shares worlds of a server
const hidden = new CSSStyleSheet();
hidden.replaceSync("#worlds, #share-invitations { display: none !important; }");
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

  /**
   * @param {WorkerLink} link
   * @param {boolean} isClassroom
   */
  constructor(link, isClassroom) {
    super();
    this.link = link;
    this.isClassroom = isClassroom;
    void (isClassroom ? this.#openClassroom() : this.#open());
  }

  async #openClassroom() {
    const isOpen = await this.link.openClassroom(WORLD, this.#listener());
    if (!isOpen) return this.#end((await this.link.problem()) ?? "");
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
    return undefined;
  }

  #listener() {
    return {
      message: (/** @type {string | ArrayBuffer} */ message) => this.dispatchEvent(new MessageEvent("message", { data: message })),
      lost: () => this.#end(),
    };
  }

  async #open() {
    const note = await this.link.ready(WORLD, MEMORY, drafts, this.#listener());
    if (note === null) return this.#end();
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
    for (const error of [note, unread].filter(Boolean)) this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ error }) }));
    unread = null;
    return undefined;
  }

  /** @param {string} text */
  send(text) {
    if (this.isClassroom) this.link.tellClassroom(WORLD, text);
    else this.link.tell(WORLD, text);
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

export const link = new WorkerLink(new URL("../worker.js", import.meta.url));

/**
 * Asks for something: a file, a picture, a change.
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(address, how) {
  const [path] = address.split("?");
  if (path === "/worlds" || path === "/world.json") {
    const problem = await link.problem();
    if (problem) return json({ error: problem }, 503);
    return json({ world: String(WORLD), key: "", rights: "draw", draw: "", watch: "", token: "", runsOn: false });
  }
  if (NEEDS_MACHINE.test(path)) return json({ ok: false, error: NEEDS }, 501);
  const { head, bytes } = await link.ask(WORLD, address, how?.body ?? null);
  const headers = new Headers({ "content-type": head.type });
  if (head.download) headers.set("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(head.download)}`);
  if (head.note) headers.set("x-gridpaper-note", encodeURI(head.note));
  return new Response(bytes, { status: head.status, headers });
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
  const socket = new InnerSocket(link, address.startsWith("/classroom/"));
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
 * The address of a world: there is only one.
 * @param {string} _world
 * @param {string} [query]
 */
export function worldAddress(_world, query = "") {
  return `${location.pathname}${query}`;
}

/** The world that the page's address names: none. */
export function namedWorld() {
  return undefined;
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

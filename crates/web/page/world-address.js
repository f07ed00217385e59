// Which world this page shows: its address, the key that opens it, and what this browser knows of
// other worlds.

import { askedOf, namedWorld, request, worldAddress } from "./shared/server.js";

/** @typedef {{key: string, title: string}} KnownWorld */

/**
 * @typedef {object} WorldPlace
 * @property {string} world
 * @property {string} key
 * @property {"draw" | "watch"} rights
 * @property {string} draw the key of an invitation to draw
 * @property {string} watch that of an invitation to watch
 * @property {string} token what addresses of this server need for other machines
 * @property {boolean} runsOn
 */

const KNOWN = "gridpaper-worlds";
const LAST = "gridpaper-world";

/** The most worlds that a browser remembers. */
const MOST_KNOWN = 200;

/** @type {WorldPlace} */
export const place = { world: "", key: "", rights: "draw", draw: "", watch: "", token: "", runsOn: false };

/** @returns {Record<string, KnownWorld>} */
export function knownWorlds() {
  try {
    return JSON.parse(localStorage.getItem(KNOWN) ?? "{}");
  } catch {
    // nothing can be kept here, or somebody else kept it
    return {};
  }
}

/** @param {Record<string, KnownWorld>} known */
function keepKnown(known) {
  try {
    const entries = Object.entries(known);
    localStorage.setItem(KNOWN, JSON.stringify(Object.fromEntries(entries.slice(-MOST_KNOWN))));
  } catch {
    // then the browser remembers none
  }
}

/**
 * Remembers a world, as the one that this browser had last.
 * @param {string} world
 * @param {Partial<KnownWorld>} about
 */
export function rememberWorld(world, about) {
  const { [world]: before = { key: "", title: "" }, ...others } = knownWorlds();
  keepKnown({ ...others, [world]: { ...before, ...about } });
  try {
    localStorage.setItem(LAST, world);
  } catch {
    // as above
  }
}

/** The world that this browser had last. */
function lastWorld() {
  try {
    return localStorage.getItem(LAST) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} world */
export function forgetWorld(world) {
  const { [world]: _, ...others } = knownWorlds();
  keepKnown(others);
}

/**
 * An address of this page's world: of its picture, its file, its socket.
 * @param {string} path
 * @param {Record<string, string> | URLSearchParams} [parameters]
 */
export function addressOf(path, parameters = {}) {
  const query = new URLSearchParams(parameters);
  query.set("world", place.world);
  if (place.key) query.set("key", place.key);
  return `${path}?${query}`;
}

/** What makes a new tab a new world: it brings something to open, or asks for one. */
const BRINGS = ["rle", "name", "rule", "new"];

/** What stays in the address. */
const STAYS = ["canvas"];

/**
 * Finds the world of the page's address, or one for an address without a world.
 * @returns {Promise<string | null>} why there is none
 */
export async function findWorld() {
  const asked = askedOf();
  const named = namedWorld();
  if (named) {
    place.world = named;
    place.key = asked.get("key") ?? knownWorlds()[named]?.key ?? "";
  } else {
    const last = lastWorld();
    const query = new URLSearchParams({ last, key: knownWorlds()[last]?.key ?? "" });
    if (BRINGS.some((key) => asked.has(key))) query.set("new", "1");
    const answer = await ask(`/worlds?${query}`, "POST");
    if (answer.error) return answer.error;
    place.world = answer.world;
    place.key = answer.key;
  }
  const found = await ask(addressOf("/world.json"), "GET");
  if (found.error) return [found.error, found.hint].filter(Boolean).join("; ");
  place.rights = found.rights;
  place.draw = found.draw ?? "";
  place.watch = found.watch ?? "";
  place.token = found.token ?? "";
  place.runsOn = found.runsOn;
  rememberWorld(place.world, { key: place.key });
  const kept = new URLSearchParams([...asked].filter(([key]) => STAYS.includes(key)));
  history.replaceState(null, "", worldAddress(place.world, kept.size > 0 ? `?${kept}` : ""));
  return null;
}

/**
 * Asks again, after the connection was lost.
 * @returns {Promise<string | null>} why the server has this world no longer, if it says so
 */
export async function findLostWorld() {
  try {
    const response = await request(addressOf("/world.json"));
    if (![403, 404].includes(response.status)) return null;
    return String((await response.json()).error);
  } catch {
    // the server does not answer yet
    return null;
  }
}

/**
 * Opens a file in a new world.
 * @param {URLSearchParams} query of `/open`: what it is called
 * @param {string} text
 * @returns {Promise<string>} the world's address
 */
export async function openInNewWorld(query, text) {
  const made = await ask("/worlds?new=1", "POST");
  if (made.error) throw new Error(made.error);
  rememberWorld(made.world, { key: made.key });
  const named = new URLSearchParams(query);
  named.set("world", made.world);
  named.set("key", made.key);
  const opened = await ask(`/open?${named}`, "POST", text);
  if (opened.error) throw new Error([opened.error, opened.hint].filter(Boolean).join(" – "));
  return worldAddress(made.world);
}

/**
 * An invitation to this world.
 * @param {string} key that it brings
 */
export function invitation(key) {
  const query = new URLSearchParams({ key });
  if (place.token) query.set("token", place.token);
  return `${location.origin}${worldAddress(place.world, `?${query}`)}`;
}

/**
 * @param {string} address
 * @param {string} method
 * @param {string} [body]
 * @returns {Promise<any>} the answer, with `error` where it is none
 */
export async function ask(address, method, body) {
  try {
    const response = await request(address, { method, body });
    const answer = await response.json();
    return response.ok ? answer : { error: "", ...answer };
  } catch (error) {
    return { error: String(error) };
  }
}

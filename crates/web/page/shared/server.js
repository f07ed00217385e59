// What carries the page's messages: a server. This is the one module that knows; the page without a
// server has another one in its place (wasm/site), with the same functions.

/** What is not there without a server is hidden, or says so. */
export const HAS_SERVER = true;

/**
 * Asks for something: a file, a picture, a change.
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export function request(address, how) {
  return fetch(address, how);
}

/**
 * What carries messages both ways.
 * @param {string} address such as "/live?world=7"
 * @returns {WebSocket}
 */
export function openSocket(address) {
  const there = new URL(address, location.href);
  there.protocol = there.protocol.replace("http", "ws");
  return new WebSocket(there.href);
}

/**
 * Shows a picture that is asked for.
 * @param {HTMLImageElement} image
 * @param {string} address
 */
export function showPicture(image, address) {
  image.src = address;
}

/**
 * Keeps a file that is asked for, when a link is clicked.
 * @param {MouseEvent} event
 * @param {string} address
 * @param {string} name
 */
export function saveLinked(event, address, name) {
  const anchor = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  anchor.href = address;
  anchor.download = name;
}

/**
 * The address of a room, "/laser".
 * @param {string} path
 */
export function roomAddress(path) {
  return path;
}

/**
 * The address of a world.
 * @param {string} world
 * @param {string} [query]
 */
export function worldAddress(world, query = "") {
  return `/w/${world}${query}`;
}

/** The world that the page's address names. */
export function namedWorld() {
  return /^\/w\/([^/]+)$/.exec(location.pathname)?.[1];
}

/**
 * The address of a table.
 * @param {string} table
 */
export function tableAddress(table) {
  return `/play/${table}`;
}

/** The table that the page's address names. */
export function namedTable() {
  return location.pathname.split("/")[2];
}

/** What the page's address asks for. */
export function askedOf() {
  return new URLSearchParams(location.search);
}

/**
 * A link that opens these cells.
 * @param {string} rle
 */
export function shareAddress(rle) {
  return `${location.origin}/?rle=${encodeURIComponent(rle)}`;
}

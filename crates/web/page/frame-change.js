// What differs between two frames of the same place.

/** @import { Frame } from "./frame.js" */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Part of a frame or of a canvas */

/** Where more than this part of the words differs, all of them are called new. */
const MOST = 0.5;

/**
 * The numbers of the words of four bytes in which the content of two frames differs, or null where
 * that cannot be said: they show different places, or have marks.
 * @param {Frame} before
 * @param {Frame} after
 * @returns {Int32Array | null}
 */
export function changedWords(before, after) {
  const [old, now] = [before.content, after.content];
  if (before.marks || after.marks || old.length !== now.length || !isAlike(before.header, after.header)) return null;
  if (old.byteOffset % 4 !== 0 || now.byteOffset % 4 !== 0) return null;
  const length = now.length >> 2;
  const [a, b] = [new Uint32Array(old.buffer, old.byteOffset, length), new Uint32Array(now.buffer, now.byteOffset, length)];
  const most = Math.ceil(length * MOST);
  const words = new Int32Array(most + 1);
  let count = 0;
  for (let i = 0; i < length; i += 1) {
    if (a[i] === b[i]) continue;
    if (count === most) return null;
    words[count] = i;
    count += 1;
  }
  for (let i = 4 * length; i < now.length; i += 1) {
    if (old[i] === now[i]) continue;
    words[count] = length;
    return words.subarray(0, count + 1);
  }
  return words.subarray(0, count);
}

/**
 * The least rectangle with all that differs, in cells or pixels of a density; its right side lies
 * left of its left one where nothing does.
 * @param {Frame} frame
 * @param {Int32Array} words of its content
 * @returns {Part}
 */
export function partOf(frame, words) {
  const { width, height, stride } = frame;
  const cells = frame.header.kind === "bits" ? 8 : 1;
  let [left, top, right, bottom] = [stride, height, 0, 0];
  for (const word of words) {
    const row = Math.floor((4 * word) / stride);
    const column = 4 * word - row * stride;
    // a word at the end of a row may be the next one's beginning too
    const more = Math.floor((column + 3) / stride);
    if (row < top) top = row;
    if (row + more >= bottom) bottom = row + more + 1;
    if (more > 0) [left, right] = [0, stride];
    if (column < left) left = column;
    if (column + 4 > right) right = column + 4;
  }
  return { left: left * cells, top, right: Math.min(right * cells, width), bottom: Math.min(bottom, height) };
}

/**
 * @param {import("./types.js").FrameHeader} one
 * @param {import("./types.js").FrameHeader} other
 */
function isAlike(one, other) {
  const fields = /** @type {const} */ (["kind", "left", "top", "zoom", "width", "height", "x", "y", "w", "h", "lattice"]);
  return fields.every((field) => one[field] === other[field]);
}

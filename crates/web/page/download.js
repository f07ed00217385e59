// Files that the browser keeps.

import { make } from "./element.js";

/**
 * Gives a file to the browser to keep.
 * @param {Blob} blob
 * @param {string} name
 */
export function downloadBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

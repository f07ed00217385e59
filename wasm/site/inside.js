// What this copy of the page has inside, by the names of files: nothing where a host serves them.
// `bundle.mjs` puts another module in its place for copies without a host.

/**
 * @param {string} _name
 * @returns {Promise<string | null>} a script, or a program that is compressed and written as text
 */
export async function inside(_name) {
  return null;
}

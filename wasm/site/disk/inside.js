// What a copy on a disk has inside: each file stands in a script, which is loaded when it is wanted.
// Pages on a disk may load scripts, and nothing else.

/** @type {Record<string, string>} */
const files = (/** @type {any} */ (globalThis).gridpaperInside = {});

/**
 * @param {string} name
 * @returns {Promise<string | null>}
 */
export async function inside(name) {
  if (files[name] === undefined) {
    const script = document.createElement("script");
    script.src = new URL(`page/disk/${name}.js`, document.baseURI).href;
    await new Promise((resolve, reject) => {
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(`${name} is missing beside the page`)));
      document.head.append(script);
    });
  }
  return files[name] ?? null;
}

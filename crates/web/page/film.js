// A film of the world from one generation to another: the server makes it and sends it as it goes.

import { downloadBlob } from "./download.js";
import { find, make, write } from "./element.js";
import { request } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf } from "./world-address.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */

/** The number that stands in the place of the pictures done when an error follows. */
const FAILED = 0xffffffff;

/**
 * What pictures and films show, as parts of an address.
 * @returns {Record<string, string>}
 */
export function pictureExtent() {
  const zoom = find("picture-zoom", HTMLInputElement).value.trim();
  const isWhole = find("picture-what", HTMLSelectElement).value === "whole";
  return { ...(isWhole ? { whole: "1" } : {}), ...(zoom ? { zoom } : {}) };
}

/**
 * @param {Workbench} workbench
 * @param {Note} note
 */
export function startFilm(workbench, note) {
  const fold = find("film", HTMLDetailsElement);
  const [from, to, every, speed] = ["from", "to", "every", "speed"].map((name) => find(`film-${name}`, HTMLInputElement));
  const kind = find("film-kind", HTMLSelectElement);
  const answer = find("film-answer", HTMLElement);
  const begin = find("film-make", HTMLButtonElement);
  const progress = find("film-progress", HTMLElement);
  const text = find("film-progress-text", HTMLElement);
  const bar = find("film-bar", HTMLProgressElement);
  /** @type {AbortController | null} */
  let underWay = null;

  fold.addEventListener("toggle", () => {
    if (!fold.open || underWay) return;
    const now = BigInt(workbench.status?.generation ?? "0");
    from.value = String(now);
    to.value = String(now + 100n);
  });
  const fail = (/** @type {string} */ error, /** @type {string | undefined} */ hint) => {
    const parts = [make("span", { class: "error" }, error)];
    if (hint) parts.push(make("span", { class: "hint" }, hint));
    answer.replaceChildren(...parts);
  };
  const film = async () => {
    if (underWay) return;
    const number = (/** @type {HTMLInputElement} */ field) => field.value.replace(/[\s\u202f_']/g, "");
    const query = new URLSearchParams({ from: number(from), to: number(to), every: number(every), fps: number(speed), progress: "1", ...pictureExtent() });
    const tab = workbench.welcome?.tab;
    if (tab !== undefined) query.set("tab", String(tab));
    underWay = new AbortController();
    answer.replaceChildren();
    progress.hidden = false;
    begin.hidden = true;
    bar.removeAttribute("value");
    write(text, WORDS.filmBegins);
    try {
      const pictures = Number((BigInt(number(to)) - BigInt(number(from))) / BigInt(number(every))) + 1;
      const response = await request(addressOf(`/film.${kind.value}`, query), { signal: underWay.signal });
      if (!response.ok || !response.body) {
        const { error, hint } = await response.json().catch(() => ({ error: WORDS.saveFailed }));
        return fail(error, hint);
      }
      let last = 0;
      const pieces = await read(response.body, (done) => {
        last = done;
        bar.value = done / pictures;
        write(text, WORDS.filmAt(done, pictures));
      });
      if (typeof pieces === "string") return fail(pieces, undefined);
      if (last < pictures) return fail(WORDS.saveFailed, undefined);
      const name = `${(find("save-name", HTMLInputElement).value.trim() || WORDS.untitled)}.${kind.value}`;
      downloadBlob(new Blob(pieces, { type: `image/${kind.value}` }), name);
      note.say(WORDS.saved(name));
    } catch (error) {
      if (underWay.signal.aborted) note.say(WORDS.filmCancelled);
      else fail(error instanceof RangeError || error instanceof SyntaxError ? WORDS.filmNumbers : WORDS.offline, undefined);
    } finally {
      underWay = null;
      progress.hidden = true;
      begin.hidden = false;
    }
    return undefined;
  };
  begin.addEventListener("click", film);
  find("film-cancel", HTMLButtonElement).addEventListener("click", () => underWay?.abort());
  // Enter in a field of the film is not for the file around it.
  fold.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    void film();
  });
}

/**
 * Reads pieces, each after the number of pictures done and its length, four bytes each.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
 * @param {(done: number) => void} tell
 * @returns {Promise<Uint8Array<ArrayBuffer>[] | string>} the pieces, or what went wrong
 */
async function read(stream, tell) {
  const reader = stream.getReader();
  let rest = new Uint8Array(0);
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  for (;;) {
    const { done: isEnd, value } = await reader.read();
    if (isEnd) return pieces;
    const all = new Uint8Array(rest.length + value.length);
    all.set(rest);
    all.set(value, rest.length);
    let at = 0;
    const view = new DataView(all.buffer);
    while (at + 8 <= all.length && at + 8 + view.getUint32(at + 4, true) <= all.length) {
      const done = view.getUint32(at, true);
      const piece = all.slice(at + 8, at + 8 + view.getUint32(at + 4, true));
      if (done === FAILED) return new TextDecoder().decode(piece);
      pieces.push(piece);
      tell(done);
      at += 8 + piece.length;
    }
    rest = all.slice(at);
  }
}

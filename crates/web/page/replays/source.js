// The sources of a replay: a chosen or dropped file, pasted text, a table, a tournament's game,
// or the link itself.

import { find } from "../element.js";
import { startDrop } from "../shared/drop.js";
import { decodeLink } from "../shared/link-codec.js";
import { requestJson } from "../shared/page-socket.js";
import { request, roomAddress } from "../shared/server.js";

/** The longest link: some programs cut longer ones. */
export const LONGEST_LINK = 8 << 10;

/** What a link unpacks to is no longer than this, in characters. */
const LONGEST_TEXT = 1 << 20;

/**
 * A file of games.
 * @typedef {object} Source
 * @property {string} name what it is called on the page
 * @property {Blob} blob
 * @property {string} [path] the address that shows it again: "/replays?play=ID"
 */

/**
 * Lets the server parse a replay file.
 * @param {Source} source
 * @param {number | null} game
 */
export function readReplays(source, game) {
  const query = game === null ? "" : `?game=${game}`;
  return requestJson(`/replays/read${query}`, { method: "POST", body: source.blob });
}

/**
 * The replay that the address names.
 * @returns {Promise<Source | null>}
 */
export async function sourceFromAddress() {
  const query = new URLSearchParams(location.search);
  const play = query.get("play");
  const cup = query.get("cup");
  const ours = query.get("ours");
  const packed = new URLSearchParams(location.hash.slice(1)).get("r");
  if (ours) {
    const name = encodeURIComponent(ours);
    return { name: `a game of ${ours} that comes with gridpaper`, blob: await fetchBlob(`/replays/ours/${name}`), path: `${roomAddress("/replays")}?ours=${name}` };
  }
  if (play) {
    const blob = await fetchBlob(`/play/${encodeURIComponent(play)}/replay`);
    return { name: `the game at table ${play}`, blob, path: `${roomAddress("/replays")}?play=${encodeURIComponent(play)}` };
  }
  if (cup) {
    const game = query.get("game") ?? "1";
    const blob = await fetchBlob(`/arena/${encodeURIComponent(cup)}/replay?game=${encodeURIComponent(game)}`);
    return { name: `game ${game} of a tournament`, blob, path: `/replays?${new URLSearchParams({ cup, game })}` };
  }
  if (!packed) return null;
  try {
    return { name: "a game from a link", blob: new Blob([await decodeLink(packed, LONGEST_TEXT)]) };
  } catch {
    throw new Error("the link is damaged: its game cannot be read");
  }
}

/** @param {string} path */
async function fetchBlob(path) {
  const response = await request(path);
  if (response.ok) return response.blob();
  const problem = await response.json().catch(() => ({ error: "that game is gone" }));
  throw new Error([problem.error, problem.hint].filter(Boolean).join(" – "));
}

/**
 * Files by button, by drop and by paste.
 * @param {(source: Source) => void} take
 */
export function startSources(take) {
  const chooser = find("chooser", HTMLInputElement);
  find("open-file", HTMLButtonElement).addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    if (file) take({ name: file.name, blob: file });
    chooser.value = "";
  });
  const fold = find("paste-fold", HTMLButtonElement);
  const form = find("paste-form", HTMLFormElement);
  const text = find("paste-text", HTMLTextAreaElement);
  fold.addEventListener("click", () => {
    form.hidden = !form.hidden;
    fold.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) text.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value.trim()) take({ name: "a pasted game", blob: new Blob([text.value]) });
  });
  const carriesFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  startDrop(carriesFiles, ([file]) => {
    if (file) take({ name: file.name, blob: file });
  });
  document.addEventListener("paste", (event) => {
    const at = event.target instanceof Element && event.target.matches("input, textarea");
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (at || !pasted.startsWith("gridpaper replay")) return;
    event.preventDefault();
    take({ name: "a pasted game", blob: new Blob([pasted]) });
  });
}

// Actions on a position or game: copy a link, save a file, play on, open in the workbench.

import { errorWords } from "../shared/page-socket.js";
import { toClipboard } from "../clipboard.js";
import { find, make } from "../element.js";
import { downloadBlob } from "../download.js";
import { encodeLink } from "../shared/link-codec.js";
import { HAS_SERVER, roomAddress, shareAddress } from "../shared/server.js";
import { openInNewWorld } from "../world-address.js";
import { LONGEST_LINK } from "./source.js";

/** @import { Shell } from "../shared/shell.js" */
/** @import { Playback } from "./playback.js" */
/** @import { Source } from "./source.js" */

/**
 * @param {Shell} shell
 * @param {() => {playback: Playback, source: Source} | null} shown
 */
export function startActions(shell, shown) {
  const answer = find("acts-answer", HTMLElement);
  /**
   * @param {string} id
   * @param {(playback: Playback, source: Source) => unknown} act
   */
  const button = (id, act) => {
    find(id, HTMLButtonElement).addEventListener("click", async () => {
      const now = shown();
      if (!now) return;
      answer.replaceChildren();
      try {
        await act(now.playback, now.source);
      } catch (error) {
        answer.replaceChildren(make("p", { class: "error" }, errorWords(error)));
      }
    });
  };
  button("link", async (playback, source) => {
    const link = await linkToPosition(playback, source);
    const isCopied = await toClipboard(link);
    const field = make("input", { readonly: true, value: link, "aria-label": "the link" });
    answer.replaceChildren(field);
    field.select();
    shell.say(isCopied ? "the link is in the clipboard" : "copy the link from its field");
  });
  button("save", (playback) => {
    if (!playback.game.text) throw new Error("the game is too long to be saved from here: its file has it");
    const [first, second] = playback.game.players;
    const name = `${first}-${second}`.replaceAll(/[^\w.-]+/g, "_").slice(0, 60);
    downloadBlob(new Blob([playback.game.text]), `${name}.replay`);
  });
  // the play page asks who takes which seat
  button("play-on", (playback) => {
    const { game, turns } = playback.game;
    const handed = new URLSearchParams({ game, turns: turns.slice(0, playback.at).join(" ") });
    location.assign(`${roomAddress("/play")}#${handed}`);
  });
  button("to-worlds", toWorkbench);
}

/**
 * A link that shows this position.
 * @param {Playback} playback
 * @param {Source} source
 */
async function linkToPosition(playback, source) {
  const ply = `ply=${playback.at}`;
  if (source.path) return new URL(`${source.path}#${ply}`, location.href).href;
  const short = playback.game.text ? await encodeLink(playback.game.text) : null;
  if (!short || short.length > LONGEST_LINK) {
    throw new Error("the game is too long for a link: send its file");
  }
  return new URL(`${roomAddress("/replays")}#${ply}&r=${short}`, location.href).href;
}

/**
 * A position as a pattern: both seats' cells as the two colours of Immigration, which is Life
 * with colours. What the game adds to that rule, the workbench does not know.
 * @param {Playback} playback
 */
export function patternOf(playback) {
  const diagram = playback.diagram(0);
  if (!diagram) return "";
  const width = diagram.columns.length;
  /** @type {Record<string, string>} */
  const signs = { ".": ".", 1: "A", 2: "B" };
  const rows = diagram.rows.map((_, row) => {
    const cells = diagram.cells.slice(row * width, (row + 1) * width);
    return cells.replaceAll(/([.12])\1*/g, (run) => (run.length > 1 ? run.length : "") + signs[run[0]]);
  });
  const [first, second] = playback.game.players;
  const comment = `#C ${playback.game.game}, turn ${playback.at}: A is ${first}, B is ${second}`.replaceAll(/[^\x20-\x7e]/g, "?");
  return `${comment}\nx = ${width}, y = ${rows.length}, rule = Immigration\n${rows.join("$\n")}!\n`;
}

/**
 * Opens a position in a world of its own.
 * @param {Playback} playback
 */
async function toWorkbench(playback) {
  // without a server there is one world, which a link opens it in
  if (!HAS_SERVER) return location.assign(shareAddress(patternOf(playback)));
  const query = new URLSearchParams({ name: `turn ${playback.at}.rle` });
  return location.assign(await openInNewWorld(query, patternOf(playback)));
}

// Searches that begin with the selection: they go on in the page of searches, which has the cells in
// its address, behind the # that no server is sent.

import { roomAddress } from "./shared/server.js";
import { WORDS } from "./words.js";

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { Note } from "./note.js" */
/** @import { Workbench } from "./workbench.js" */

/** The longest side of a selection that is searched with. */
const LONGEST = 64;

/** What each search is asked with; one that begins at once has all that it needs. */
const SEARCHES = {
  predecessor: { text: WORDS.searchPredecessor, words: WORDS.searchPredecessorWords, asked: { generations: "1", begin: "1" } },
  osc: { text: WORDS.searchThrough, words: WORDS.searchThroughWords, asked: { margin: "2" } },
  orphan: { text: WORDS.searchOrphan, words: WORDS.searchOrphanWords, asked: { begin: "1" } },
};

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {Note} note
 * @returns {{text: string, words: string, keys: string, run: () => void}[]} entries of the palette
 */
export function startSelectionSearch(workbench, commands, note) {
  return Object.entries(SEARCHES).map(([task, { text, words, asked }]) => {
    const run = async () => {
      const cells = workbench.status?.selection;
      if (!cells) return note.say(WORDS.searchNothing, { error: true });
      const reply = await workbench.do("copy", { silent: true });
      if (!reply.ok || !reply.clip) return undefined;
      const [, width, height] = /x\s*=\s*(\d+),\s*y\s*=\s*(\d+)/u.exec(reply.clip) ?? ["", "0", "0"];
      if (Math.max(Number(width), Number(height)) > LONGEST) return note.say(WORDS.searchTooLarge(LONGEST), { error: true });
      const rule = /rule\s*=\s*(\S+)/u.exec(reply.clip)?.[1] ?? "B3/S23";
      location.assign(`${roomAddress("/search")}#${new URLSearchParams({ task, rule, drawing: reply.clip, ...asked })}`);
      return undefined;
    };
    commands.handle(`search ${task}`, () => void run());
    return { text, words, keys: "", run: () => void run() };
  });
}

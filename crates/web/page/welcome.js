// The first visit: a hint, until the first stroke, and a gun that runs.

import { find, write } from "./element.js";
import { isTouchDevice } from "./finger.js";
import { HAS_SERVER } from "./shared/server.js";
import { recall, remember } from "./storage.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */

/** What an address may bring to the sheet, or ask for besides. */
const BRINGS = ["rle", "name", "rule", "new", "world"];

/**
 * @param {Workbench} workbench
 * @param {HTMLElement} sheet
 * @param {URLSearchParams} asked
 */
export function startWelcome(workbench, sheet, asked) {
  const line = find("hint", HTMLElement);
  if (recall("drawn")) return;
  write(line, isTouchDevice ? WORDS.firstTouch : WORDS.firstStroke);
  line.hidden = false;
  sheet.addEventListener("stroke", () => {
    line.hidden = true;
    remember("drawn", "yes");
  }, { once: true });
  // a server has a gun run in a newcomer's world by itself
  let isAsked = HAS_SERVER || BRINGS.some((key) => asked.has(key));
  workbench.on("status", async ({ title, unsaved, generation }) => {
    if (isAsked) return;
    isAsked = true;
    if (unsaved || title !== WORDS.untitled || generation !== "0") return;
    await workbench.do("open gosper-glider-gun");
    await workbench.do("run");
  });
}

// Drawing with the keyboard: moving the session's cell cursor and toggling the cell under it.

/** @import { Workbench } from "./workbench.js" */
/** @import { Keys } from "./keys.js" */
/** @import { PastePlacement } from "./paste-placement.js" */
/** @import { Sheet } from "./sheet.js" */

/** The page's own keys, for the help. */
export const PAGE_KEYS = [
  { keys: "Shift-Enter", words: "toggle the cell at the cell cursor (Shift with arrows moves it)" },
  { keys: "Alt-Left, Alt-Right, Alt-Up, Alt-Down", words: "move the cell cursor by ten" },
  { keys: "F6", words: "go to the next part of the page" },
  { keys: "Esc then Tab", words: "leave the sheet for what comes after it" },
  { keys: "i", words: "identify: what the selection is, or all of it" },
  { keys: "Shift-I", words: "census: count what soups leave under this rule" },
  { keys: "Shift-S", words: "search with the selection: a predecessor, an oscillator, or whether it is an orphan" },
  { keys: ":", words: "write a command" },
  { keys: "Ctrl-K", words: "find a command, a panel or a pattern by a few letters" },
];

const WAYS = /** @type {const} */ ({ Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] });

/**
 * @param {Workbench} workbench
 * @param {Sheet} sheet
 * @param {Keys} keys
 * @param {PastePlacement} placement
 */
export function startCursor(workbench, sheet, keys, placement) {
  for (const [name, [dx, dy]] of Object.entries(WAYS)) {
    // What is being pasted is moved before the view is.
    for (const [held, by] of /** @type {const} */ ([["", 1], ["Shift-", 10]])) {
      keys.first(`${held}${name}`, () => {
        if (placement.active) placement.nudge(BigInt(dx * by), BigInt(dy * by));
        return placement.active;
      });
    }
    keys.first(`Alt-${name}`, () => {
      workbench.do(`nudge ${dx * 10},${dy * 10}`, { silent: true });
      return true;
    });
  }
  keys.first("Shift-Enter", () => {
    workbench.do("flip", { key: true });
    sheet.element.dispatchEvent(new CustomEvent("stroke"));
    return true;
  });
  keys.first("Enter", () => {
    if (!placement.active) return false;
    placement.putInView();
    return true;
  });
  keys.first("Esc", () => {
    const was = placement.active;
    placement.end();
    return was;
  });
}

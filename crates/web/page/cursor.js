// Drawing without a pointer: a cell that the keyboard moves, and turns over.

/** @import { Bench } from "./bench.js" */
/** @import { Keys } from "./keys.js" */
/** @import { Placing } from "./placing.js" */
/** @import { Sheet } from "./sheet.js" */

/** The page's own keys, for the help. */
export const PAGE_KEYS = [
  { keys: "Alt-Left, Alt-Right, Alt-Up, Alt-Down", words: "move the keyboard\u2019s cell; with Shift by ten" },
  { keys: "Alt-Enter", words: "turn the keyboard\u2019s cell over" },
  { keys: "F6", words: "go to the next part of the page" },
  { keys: "Esc, then Tab", words: "leave the sheet" },
  { keys: ":", words: "write a command" },
  { keys: "?", words: "this help" },
];

const WAYS = /** @type {const} */ ({ left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] });

/**
 * @param {Bench} bench
 * @param {Sheet} sheet
 * @param {Keys} keys
 * @param {Placing} placing
 */
export function startCursor(bench, sheet, keys, placing) {
  /** @type {{x: bigint, y: bigint} | null} where it is, ahead of the server */
  let here = null;
  bench.on("status", ({ viewer }) => {
    here = viewer.cursor && { x: BigInt(viewer.cursor[0]), y: BigInt(viewer.cursor[1]) };
  });
  const place = () => {
    const { view } = bench;
    const middle = view.cellAt(sheet.middle.x, sheet.middle.y);
    if (!here) return middle;
    const at = view.pixelOf(here.x, here.y);
    // One that was left behind, out of sight, starts again in the middle.
    return at.x < -view.cell || at.y < -view.cell || at.x > sheet.width || at.y > sheet.height ? middle : here;
  };
  const show = () => {
    sheet.element.dataset.keyboard = "true";
    sheet.later();
  };
  for (const [name, [dx, dy]] of Object.entries(WAYS)) {
    for (const [held, by] of /** @type {const} */ ([["", 1], ["Shift-", 10]])) {
      const move = () => {
        if (placing.active) {
          placing.nudge(BigInt(dx * by), BigInt(dy * by));
          return true;
        }
        const from = place();
        here = { x: from.x + BigInt(dx * by), y: from.y + BigInt(dy * by) };
        show();
        bench.do(`cursor ${here.x},${here.y}`, { silent: true });
        keepInSight(here);
        return true;
      };
      keys.first(`Alt-${held}${name}`, move);
      keys.first(`${held}${name}`, () => placing.active && move());
    }
  }
  const keepInSight = (/** @type {{x: bigint, y: bigint}} */ cell) => {
    const at = bench.view.pixelOf(cell.x, cell.y);
    const room = Math.max(bench.view.cell * 2, 24);
    const past = (/** @type {number} */ value, /** @type {number} */ length) =>
      value < room ? room - value : value > length - 2 * room ? length - 2 * room - value : 0;
    bench.pan(Math.round(past(at.x, sheet.width)), Math.round(past(at.y, sheet.height)));
  };
  keys.first("Alt-Enter", () => {
    const cell = place();
    show();
    bench.do(`flip ${cell.x},${cell.y}`, { silent: true });
    if (!here) bench.do(`cursor ${cell.x},${cell.y}`, { silent: true });
    return true;
  });
  keys.first("Enter", () => {
    if (placing.active) placing.put();
    return placing.active;
  });
  keys.first("Esc", () => {
    const was = placing.active;
    placing.end();
    return was;
  });
}

// The small bar that a selection has of its own.

import { find, write } from "./element.js";
import { whole } from "./number.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Overlay } from "./overlay.js" */
/** @import { Sheet } from "./sheet.js" */

/**
 * @param {Workbench} workbench
 * @param {Sheet} sheet
 * @param {Overlay} overlay
 */
export function startSelection(workbench, sheet, overlay) {
  const bar = find("selection-bar", HTMLElement);
  const size = find("selection-size", HTMLElement);
  const fill = find("fill-selection", HTMLButtonElement);
  sheet.also(() => {
    const cells = workbench.status?.selection ? overlay.selection : null;
    bar.hidden = !cells || overlay.band !== null;
    if (!cells || bar.hidden) return;
    fill.dataset.do = `fill ${workbench.status?.viewer.pen ?? 1}`;
    const live = workbench.status?.selected;
    const across = `${whole(String(cells.width))} \u00d7 ${whole(String(cells.height))}`;
    write(size, live === undefined ? across : WORDS.cellsSelected(across, whole(live)));
    const box = overlay.box(cells);
    const { offsetWidth: width, offsetHeight: height } = bar;
    const room = 10;
    const inside = (/** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ all) =>
      Math.round(Math.max(room, Math.min(all - length - room, at)));
    // Above the selection, else below it, else at the window's edge.
    let top = box.y - height - 12;
    if (top < room) top = box.y + box.height + 12;
    // The open drawer covers the window's right side.
    const drawer = document.getElementById("drawer");
    const covered = drawer?.classList.contains("is-open") && drawer.offsetWidth < sheet.width * 0.7 ? drawer.offsetWidth : 0;
    const left = inside(box.x + box.width / 2 - width / 2, width, sheet.width - covered);
    bar.style.setProperty("transform", `translate(${left}px, ${inside(top, height, sheet.height)}px)`);
  });
}

// Cells as the icons of a rule file. The server sends them as a column of pictures, in the colours
// of the theme; here they are laid over the cells.

import { showPicture } from "./shared/server.js";
import { addressOf } from "./world-address.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Sheet } from "./sheet.js" */

/** From here on cells are icons. */
const ICONS_FROM = 8;

export class Icons {
  /** @type {Map<number, HTMLImageElement>} by their side */
  #columns = new Map();

  /**
   * @param {Workbench} workbench
   * @param {Sheet} sheet
   */
  constructor(workbench, sheet) {
    this.workbench = workbench;
    let looks = 0;
    workbench.on("look", ({ icons }) => {
      looks += 1;
      this.#columns = new Map();
      for (const side of icons) {
        const column = new Image();
        column.addEventListener("load", () => sheet.later());
        showPicture(column, addressOf("/icons.png", { side: String(side), tab: String(workbench.welcome?.tab ?? 0), look: String(looks) }));
        this.#columns.set(side, column);
      }
    });
  }

  /** @param {CanvasRenderingContext2D} context */
  draw(context) {
    const { frame, look, view } = this.workbench;
    const { cell } = view;
    if (!frame || !look || this.#columns.size === 0 || cell < ICONS_FROM) return;
    if (frame.header.kind === "density" || view.lattice !== "square") return;
    // The smallest that need not be made larger, else the largest.
    const fits = look.icons.find((side) => side >= cell - 1) ?? look.icons[look.icons.length - 1];
    const column = this.#columns.get(fits);
    if (!column?.complete || column.naturalWidth === 0) return;
    const from = view.pixelOf(frame.x, frame.y);
    const side = cell - 1;
    context.save();
    context.imageSmoothingEnabled = side < fits;
    context.fillStyle = look.states[0];
    const { width, height } = frame;
    const states = column.naturalHeight / fits;
    for (let row = 0; row < height; row += 1) {
      for (let x = 0; x < width; x += 1) {
        const state = frame.stateAt(x, row);
        if (state === 0 || state >= states) continue;
        context.drawImage(column, 0, state * fits, fits, fits, from.x + x * cell + 1, from.y + row * cell + 1, side, side);
      }
    }
    context.restore();
  }
}

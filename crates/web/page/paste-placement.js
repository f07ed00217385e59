// Placing a paste: the clipboard's cells follow the pointer until they are put down.

import { find, icon, make } from "./element.js";
import { request } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf } from "./world-address.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */
/** @import { Cells } from "./overlay.js" */
/** @import { Sheet } from "./sheet.js" */

/** Canvases of more pixels a side are not to be had everywhere. */
const LARGEST = 8192;

/** What turns and mirrors, with its key and what it is called. */
const TURNS = [
  ["rotate left", "<", WORDS.rotateLeft],
  ["rotate right", ">", WORDS.rotateRight],
  ["mirror horizontal", "x", WORDS.mirrorHorizontal],
  ["mirror vertical", "y", WORDS.mirrorVertical],
];

/** @param {string[]} turn */
function turnButton([command, key, label]) {
  return make("button", { type: "button", "data-do": command, "aria-label": label, title: `${label} (${key})` }, key);
}

export class PastePlacement {
  active = false;
  /** @type {Cells} */
  cells = { x: 0n, y: 0n, width: 1n, height: 1n };
  /** @type {HTMLCanvasElement | null} a pixel a cell */
  picture = null;

  /**
   * @param {Workbench} workbench
   * @param {Sheet} sheet
   * @param {Note} note
   */
  constructor(workbench, sheet, note) {
    this.workbench = workbench;
    this.sheet = sheet;
    this.note = note;
    this.bar = find("placing-bar", HTMLElement);
    this.modes = ["or", "xor", "copy", "and"].map((mode) =>
      make("button", { type: "button", "data-do": `paste-mode ${mode}`, "aria-pressed": "false" }, mode),
    );
    this.next = make("button", { type: "button", hidden: "", click: () => this.#takeNext() }, WORDS.nextPattern);
    this.bar.append(
      make("button", { type: "button", class: "strong", title: WORDS.placingKeys, click: () => this.putInView() }, WORDS.placing),
      make("span", { class: "joined", role: "group", "aria-label": "how it joins what is there" }, ...this.modes),
      make("span", { class: "joined", role: "group", "aria-label": "turn what is placed" }, ...TURNS.map(turnButton)),
      this.next,
      make("button", { type: "button", class: "plain", "aria-label": WORDS.cancel, click: () => this.end() }, icon("close")),
    );
    workbench.on("status", (status) => {
      for (const button of this.modes) {
        button.setAttribute("aria-pressed", String(button.textContent === status.paste_mode));
      }
      this.next.hidden = status.clip_more === 0;
      if (this.active && status.clip) this.#size(...status.clip);
    });
  }

  /**
   * Begins: with what the clipboard holds, in the middle of what is seen or under the pointer.
   * @param {{x: bigint, y: bigint} | null} at
   */
  begin(at) {
    const { workbench, sheet } = this;
    const held = workbench.status?.clip;
    if (held) this.#size(...held);
    this.active = true;
    this.picture = null;
    this.#fetch();
    const { x, y } = sheet.middle;
    this.move(at ?? workbench.view.cellAt(x, y));
    if (!this.#isSeen) this.move(workbench.view.cellAt(x, y));
    this.bar.hidden = false;
    sheet.element.focus();
  }

  /** Asks what the clipboard's cells are, and paints them. */
  async #fetch() {
    const { workbench, sheet } = this;
    try {
      const response = await request(addressOf("/clipboard.json"));
      if (!response.ok) return;
      /** @type {{width: number, height: number, runs: [number, number, number, number][] | null}} */
      const { width, height, runs } = await response.json();
      if (!this.active || !workbench.look || !runs || Math.max(width, height) > LARGEST) return;
      const picture = document.createElement("canvas");
      picture.width = width;
      picture.height = height;
      const pen = picture.getContext("2d");
      if (!pen) return;
      for (const [x, y, length, state] of runs) {
        pen.fillStyle = workbench.look.states[state] ?? workbench.look.theme.ink;
        pen.fillRect(x, y, length, 1);
      }
      this.#size(width, height);
      this.picture = picture;
      sheet.later();
    } catch {
      // Its box alone is shown, then.
    }
  }

  /**
   * Its middle goes where the pointer is.
   * @param {{x: bigint, y: bigint}} cell
   */
  move(cell) {
    this.cells.x = cell.x - this.cells.width / 2n;
    this.cells.y = cell.y - this.cells.height / 2n;
    this.sheet.later();
  }

  /**
   * The view goes after it.
   * @param {bigint} dx
   * @param {bigint} dy
   */
  nudge(dx, dy) {
    this.cells.x += dx;
    this.cells.y += dy;
    this.#reveal();
    this.sheet.later();
  }

  /** Whether some of it is in the window. */
  get #isSeen() {
    const { cells: { x, y, width, height }, sheet, workbench: { view } } = this;
    const corners = [view.pixelOf(x, y), view.pixelOf(x + width, y), view.pixelOf(x, y + height), view.pixelOf(x + width, y + height)];
    const [across, down] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
    return Math.min(...across) < sheet.width && Math.max(...across) > 0 && Math.min(...down) < sheet.height && Math.max(...down) > 0;
  }

  /** Brings it into view where it is not, and tells whether it had to. */
  #reveal() {
    if (this.#isSeen) return false;
    const { x, y, width, height } = this.cells;
    this.workbench.do(`centre ${x + width / 2n},${y + height / 2n}`, { silent: true });
    return true;
  }

  /**
   * Turns or mirrors it; the cells beneath stay as they are.
   * @param {string} command
   */
  async turn(command) {
    this.#reveal();
    const reply = await this.workbench.do(`paste-${command}`);
    if (reply.ok) await this.#fetch();
    return reply;
  }

  /** Another pattern of the same text in its place. */
  async #takeNext() {
    const reply = await this.workbench.do("paste-next");
    if (reply.ok) await this.#fetch();
  }

  /** Puts it down, unless it was out of view. */
  putInView() {
    if (this.#reveal()) this.note.say(WORDS.pasteUnseen);
    else void this.put();
  }

  /** Puts it down. */
  async put() {
    const reply = await this.workbench.do(`paste ${this.cells.x},${this.cells.y}`);
    if (reply.ok) this.end();
  }

  end() {
    this.active = false;
    this.picture = null;
    this.bar.hidden = true;
    this.sheet.later();
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #size(width, height) {
    const { x, y, width: w, height: h } = this.cells;
    const middle = { x: x + w / 2n, y: y + h / 2n };
    this.cells.width = BigInt(width) || 1n;
    this.cells.height = BigInt(height) || 1n;
    this.move(middle);
  }
}

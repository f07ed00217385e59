// What one finger does: it pans until a person picks another tool. A mouse draws at once.

/** @import { Workbench } from "./workbench.js" */

/** Whether fingers are what this device is used with. */
export const isTouchDevice = matchMedia("(pointer: coarse)").matches;

export class Finger {
  /** Whether a person picked a tool since the page was opened. */
  #picked = false;
  /** @type {string | null} the tool of this tab, which a new connection does not know */
  #tool = isTouchDevice ? "pan" : null;

  /** @param {Workbench} workbench */
  constructor(workbench) {
    this.workbench = workbench;
    workbench.on("welcome", () => {
      if (this.#tool !== null) workbench.do(`tool ${this.#tool}`, { silent: true });
    });
    workbench.on("reply", ({ command, reply }) => {
      const tool = /^tool (\w+)$/.exec(command)?.[1];
      if (!tool || !reply.ok) return;
      this.#picked = true;
      this.#tool = tool;
    });
  }

  /** Whether a finger pans although the tool draws. */
  get pans() {
    return !this.#picked && this.workbench.status?.viewer.tool === "draw";
  }
}

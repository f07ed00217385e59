// The system clipboard: copies as RLE, pastes any pattern format.

import { downloadBlob } from "./download.js";
import { find, make } from "./element.js";
import { WORDS } from "./words.js";

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { CommandOptions, Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */
/** @import { Overlay } from "./overlay.js" */
/** @import { PastePlacement } from "./paste-placement.js" */

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {Note} note
 * @param {Overlay} overlay
 * @param {PastePlacement} placement
 */
export function startClipboard(workbench, commands, note, overlay, placement) {
  const take = async (/** @type {string} */ text, /** @type {CommandOptions} */ options = {}) => {
    if (!text.trim()) return note.say(WORDS.notText, { error: true });
    const reply = await workbench.do(`clipboard ${text}`, options);
    if (reply.ok) placement.begin(overlay.hover);
    return reply;
  };
  // Cells that a command names follow the pointer, unless it says where they go or how they meet
  // what is there.
  commands.handleWords("paste", (words, options) => (/^(-?\d+,|(or|xor|copy|and)\b)/.test(words) ? null : take(words, options)));

  // On some systems the middle button pastes what was selected last: here it pans.
  let middle = -Infinity;
  for (const kind of ["mouseup", "auxclick"]) {
    document.addEventListener(kind, (event) => {
      if (event instanceof MouseEvent && event.button === 1) middle = event.timeStamp;
    });
  }

  document.addEventListener("paste", (event) => {
    if (event.timeStamp - middle < 500) return event.preventDefault();
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea")) return;
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) take(text);
    else if (workbench.status?.can.paste) placement.begin(overlay.hover);
    else note.say(WORDS.notText, { error: true });
    return undefined;
  });

  for (const command of ["copy", "cut"]) {
    commands.handle(command, async (options) => {
      const reply = await workbench.do(command, options);
      if (reply.ok && reply.clip) await copyOut(reply.clip);
      return reply;
    });
  }
  commands.handle("paste", async () => {
    let text = "";
    try {
      text = await navigator.clipboard.readText();
    } catch {
      // Not allowed, or no such thing: what this session cut or copied is still there.
    }
    if (text.trim() && !sameClip(text)) await take(text);
    else if (workbench.status?.can.paste) placement.begin(null);
    else note.say(WORDS.clipboardClosed);
  });

  let lastCopied = "";
  const sameClip = (/** @type {string} */ text) => lastCopied !== "" && text.trim() === lastCopied.trim() && workbench.status?.can.paste;
  const copyOut = async (/** @type {string} */ text) => {
    lastCopied = text;
    await toClipboard(text);
  };

  find("save-selection", HTMLButtonElement).addEventListener("click", async () => {
    const reply = await workbench.do("copy", { silent: true });
    if (reply.ok && reply.clip) downloadBlob(new Blob([reply.clip], { type: "text/plain" }), "selection.rle");
  });
}

/**
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { class: "visually-hidden", "aria-hidden": "true" });
    area.value = text;
    const before = document.activeElement;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}

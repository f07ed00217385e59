// The system's clipboard: out as RLE, in as whatever a pattern can be written as.

import { find, make } from "./element.js";
import { hand } from "./file.js";
import { WORDS } from "./words.js";

/** @import { Acts } from "./act.js" */
/** @import { Bench } from "./bench.js" */
/** @import { Note } from "./note.js" */
/** @import { Overlay } from "./overlay.js" */
/** @import { Placing } from "./placing.js" */

/**
 * @param {Bench} bench
 * @param {Acts} acts
 * @param {Note} note
 * @param {Overlay} overlay
 * @param {Placing} placing
 */
export function startClipboard(bench, acts, note, overlay, placing) {
  const take = async (/** @type {string} */ text) => {
    if (!text.trim()) return note.say(WORDS.notText, { error: true });
    const reply = await bench.do(`clipboard ${text}`);
    if (reply.ok) placing.begin(overlay.hover);
    return undefined;
  };

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
    else if (bench.status?.can.paste) placing.begin(overlay.hover);
    else note.say(WORDS.notText, { error: true });
    return undefined;
  });

  for (const command of ["copy", "cut"]) {
    acts.own(command, async (doing) => {
      const reply = await bench.do(command, doing);
      if (reply.ok && reply.clip) await give(reply.clip);
      return reply;
    });
  }
  acts.own("paste", async () => {
    let text = "";
    try {
      text = await navigator.clipboard.readText();
    } catch {
      // Not allowed, or no such thing: what this session cut or copied is still there.
    }
    if (text.trim() && !sameClip(text)) await take(text);
    else if (bench.status?.can.paste) placing.begin(null);
    else note.say(WORDS.clipboardClosed);
  });

  let given = "";
  const sameClip = (/** @type {string} */ text) => given !== "" && text.trim() === given.trim() && bench.status?.can.paste;
  const give = async (/** @type {string} */ text) => {
    given = text;
    await toClipboard(text);
  };

  find("save-selection", HTMLButtonElement).addEventListener("click", async () => {
    const reply = await bench.do("copy", { silent: true });
    if (reply.ok && reply.clip) hand(new Blob([reply.clip], { type: "text/plain" }), "selection.rle");
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

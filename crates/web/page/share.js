// A link that opens this colony on any gridpaper, and one that watches this very session.

import { toClipboard } from "./clipboard.js";
import { find, make } from "./element.js";
import { popover } from "./popover.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */

/** Longer addresses are cut off on their way by some programs. */
const LONGEST = 16_000;

/** @param {Note} note */
export function startShare(note) {
  const paper = find("share-paper", HTMLElement);
  const link = find("share-link", HTMLInputElement);
  const answer = find("share-answer", HTMLElement);
  const copy = find("share-copy", HTMLButtonElement);
  const watch = find("share-watch", HTMLAnchorElement);
  const small = popover(find("share", HTMLButtonElement), paper, async () => {
    answer.replaceChildren();
    link.value = "";
    watch.href = location.origin;
    copy.disabled = true;
    try {
      const response = await fetch("/save?format=rle&name=shared&shared=1");
      if (!response.ok) throw new Error(WORDS.linkFailed);
      const address = `${location.origin}/?rle=${encodeURIComponent(await response.text())}`;
      if (address.length > LONGEST) {
        answer.replaceChildren(make("span", { class: "hint" }, WORDS.linkTooLong));
        return;
      }
      link.value = address;
      copy.disabled = false;
      link.select();
    } catch {
      answer.replaceChildren(make("span", { class: "error" }, WORDS.linkFailed));
    }
  });
  copy.addEventListener("click", async () => {
    if (await toClipboard(link.value)) note.say(WORDS.linkCopied);
    small.close();
  });
}

/**
 * What the page's own address asks for: done once, then taken off the address so that a reload
 * keeps the work.
 * @param {Workbench} workbench
 */
export function startAddress(workbench) {
  const asked = new URLSearchParams(location.search);
  let done = false;
  workbench.on("welcome", async () => {
    if (done) return;
    done = true;
    const kept = new URLSearchParams([...asked].filter(([key]) => key === "canvas"));
    history.replaceState(null, "", kept.size > 0 ? `/?${kept}` : "/");
    const text = asked.get("rle") ?? asked.get("name");
    if (text) await workbench.do(`open ${text}`);
    const rule = asked.get("rule");
    if (rule) await workbench.do(`rule ${rule}`);
  });
}

// A link that opens these cells on any gridpaper, and invitations to watch this world or to draw in it.

import { toClipboard } from "./clipboard.js";
import { find, make } from "./element.js";
import { popover } from "./popover.js";
import { request, shareAddress } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf, invitation, place } from "./world-address.js";

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
  const rest = find("share-invitations", HTMLElement);
  const watch = find("share-watch", HTMLInputElement);
  const draw = find("share-draw", HTMLInputElement);
  for (const field of [watch, draw]) {
    field.addEventListener("focus", () => field.select());
    find(`${field.id}-copy`, HTMLButtonElement).addEventListener("click", async () => {
      if (await toClipboard(field.value)) note.say(WORDS.linkCopied);
      small.close();
    });
  }
  const small = popover(find("share", HTMLButtonElement), paper, async () => {
    answer.replaceChildren();
    link.value = "";
    copy.disabled = true;
    rest.hidden = place.watch === "";
    watch.value = invitation(place.watch);
    draw.value = invitation(place.draw);
    try {
      const response = await request(addressOf("/save", { format: "rle", name: "shared", shared: "1" }));
      if (!response.ok) throw new Error(WORDS.linkFailed);
      const address = shareAddress(await response.text());
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
 * What the page's own address asked for: done once.
 * @param {Workbench} workbench
 * @param {URLSearchParams} asked
 */
export function startAddress(workbench, asked) {
  let done = false;
  workbench.on("welcome", async () => {
    if (done) return;
    done = true;
    const text = asked.get("rle") ?? asked.get("name");
    if (text) await workbench.do(`open ${text}`);
    const rule = asked.get("rule");
    if (rule) await workbench.do(`rule ${rule}`);
  });
}

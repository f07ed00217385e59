// A hint on the first visit, until the first stroke.

import { find, write } from "./element.js";
import { isTouchDevice } from "./finger.js";
import { recall, remember } from "./storage.js";
import { WORDS } from "./words.js";

/** @param {HTMLElement} sheet */
export function startWelcome(sheet) {
  const line = find("hint", HTMLElement);
  if (recall("drawn")) return;
  write(line, isTouchDevice ? WORDS.firstTouch : WORDS.firstStroke);
  line.hidden = false;
  sheet.addEventListener("stroke", () => {
    line.hidden = true;
    remember("drawn", "yes");
  }, { once: true });
}

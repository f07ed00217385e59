// Asks for confirmation before work would be lost, beside the control that was used.

import { make } from "./element.js";
import { WORDS } from "./words.js";

/** @import { Ask } from "./types.js" */

/**
 * @param {Ask} ask
 * @param {HTMLElement} at
 * @param {() => void} yes
 */
export function showQuestion(ask, at, yes) {
  const before = document.activeElement;
  const close = () => {
    box.remove();
    at.hidden = at.id === "question";
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
  const button = make("button", { type: "button", class: "strong", "data-do": ask.command, "data-handled": true }, ask.yes);
  button.addEventListener("click", () => {
    close();
    yes();
  });
  const leave = make("button", { type: "button", "data-leave": true, click: close }, WORDS.keep);
  const box = make(
    "div",
    { class: "question", role: "alertdialog", "aria-label": ask.question },
    make("p", {}, ask.question),
    make("div", { class: "row" }, button, leave),
  );
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  at.replaceChildren(box);
  at.hidden = false;
  leave.focus();
}

// Asks for confirmation before work would be lost: a dialog, so that nothing else is done meanwhile.

import { make } from "./element.js";
import { WORDS } from "./words.js";

/** @import { Ask } from "./types.js" */

/** Takes back a question that is open: what it asks about is not what it was. */
export function withdrawQuestion() {
  const box = document.querySelector("dialog.question-box");
  if (box instanceof HTMLDialogElement) box.close();
}

/**
 * Shows a question. Escape and the first button lose nothing.
 * @param {Ask} ask
 * @param {() => void} yes
 */
export function showQuestion(ask, yes) {
  const before = document.activeElement;
  const button = make("button", { type: "button", class: "strong", "data-do": ask.command, "data-handled": true }, ask.yes);
  const leave = make("button", { type: "button", "data-leave": true }, WORDS.cancel);
  const box = make(
    "dialog",
    { class: "question-box", role: "alertdialog", "aria-label": ask.question },
    make("p", {}, ask.question),
    make("div", { class: "row" }, leave, button),
  );
  button.addEventListener("click", () => {
    box.close();
    yes();
  });
  leave.addEventListener("click", () => box.close());
  // the keys of the sheet are not for what stands under the question
  box.addEventListener("keydown", (event) => event.stopPropagation());
  box.addEventListener("close", () => {
    box.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(box);
  box.showModal();
  leave.focus();
}

// The undo history.

import { find, make, write } from "./element.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */

/**
 * @param {Workbench} workbench
 * @param {Note} note
 */
export function startHistory(workbench, note) {
  const undo = find("history-undo", HTMLButtonElement);
  const redo = find("history-redo", HTMLButtonElement);
  const list = find("history-list", HTMLElement);
  workbench.on("status", ({ can }) => {
    undo.disabled = can.undo === null;
    redo.disabled = can.redo === null;
    write(undo, can.undo ? `${WORDS.undo} ${can.undo}` : WORDS.undo);
    write(redo, can.redo ? `${WORDS.redo} ${can.redo}` : WORDS.redo);
  });
  const show = () => {
    const items = note.said.map(({ text, error }) => make("li", { class: error ? "error" : "" }, text));
    list.replaceChildren(...(items.length > 0 ? items : [make("li", { class: "hint" }, WORDS.nothingHappened)]));
  };
  note.onSaid(show);
  show();
}

// The history: the changes, any of which can be returned to, and the messages.

import { find, make, write } from "./element.js";
import { whole } from "./number.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */
/** @import { ChangeEntry, ChangeList } from "./types.js" */

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
  startChanges(workbench);
}

/**
 * A row for each state of the world, the newest on top: a click goes to it.
 * @param {Workbench} workbench
 */
function startChanges(workbench) {
  const list = find("changes", HTMLElement);
  const answer = find("changes-answer", HTMLElement);
  let shown = "";
  workbench.on("status", ({ changes }) => {
    const key = JSON.stringify(changes);
    if (key === shown) return;
    shown = key;
    const focused = list.contains(document.activeElement);
    list.replaceChildren(...rows(changes, (command) => workbench.do(command, { at: answer })));
    // The row that had the focus is gone: it goes to where the world is now.
    if (focused) list.querySelector("[aria-current] button")?.dispatchEvent(new CustomEvent("take"));
  });
}

/**
 * @param {ChangeList} changes
 * @param {(command: string) => void} go
 */
function rows({ done, undone, older }, go) {
  const row = (/** @type {string} */ words, /** @type {string} */ where, /** @type {string} */ kind, /** @type {string | null} */ command) => {
    const button = make(
      "button",
      { type: "button", class: "plain row-button", click: command ? () => go(command) : null, take: () => button.focus() },
      make("span", {}, words),
      make("span", { class: "offer-words" }, where),
    );
    return make("li", { class: kind, "aria-current": command ? null : "step" }, button);
  };
  const named = (/** @type {ChangeEntry} */ { name, cells }) => (cells === null ? name : `${name}, ${WORDS.cells(cells)}`);
  const at = (/** @type {ChangeEntry} */ { generation }) => WORDS.atGeneration(whole(generation));
  const list = undone.map((change, i) => row(named(change), at(change), "is-undone", `redo ${i + 1}`)).reverse();
  list.push(...done.map((change, i) => row(named(change), at(change), "", i === 0 ? null : `undo ${i}`)));
  list.push(row(older > 0 ? WORDS.earlierChanges(older) : WORDS.noChanges, "", "", done.length === 0 ? null : `undo ${done.length}`));
  return list;
}

// The frame that all pages but the workbench share: the theme, the navigation, the notification
// line at the bottom, and the key help under `?`.

import { find, make, write } from "../element.js";
import { startNavigation } from "./navigation.js";
import { startThemeChoice } from "./theme-choice.js";

/**
 * A key binding of a page. `keys` names them as people read them ("Shift-H", "Ctrl-Z", "Left"), more
 * than one with commas or "or" between them; `words` says what they do.
 * @typedef {object} PageKey
 * @property {string} keys
 * @property {string} words
 * @property {string} [group] a heading in the help
 * @property {(event: KeyboardEvent) => void} [act] done where no field is being typed in
 */

const STAYS = 7000;
const ERROR_STAYS = 14000;

/**
 * @typedef {object} Shell
 * @property {(text: string, how?: {error?: boolean, stays?: boolean, undo?: (() => void) | null}) => void} say shows
 *   a notification
 * @property {() => void} hush hides the notification
 * @property {(text: string) => void} tell announces to screen readers only
 * @property {(text: string) => void} title shown beside the page's name and in the window title
 * @property {HTMLElement} actions the place in the top bar for the page's own buttons
 * @property {() => void} help
 */

/**
 * @param {{keys: PageKey[]}} page
 * @returns {Shell}
 */
export function startShell({ keys }) {
  startThemeChoice();
  startNavigation();
  const note = find("note", HTMLElement);
  const words = find("note-words", HTMLElement);
  const undo = find("note-undo", HTMLButtonElement);
  const name = document.title;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {(() => void) | null} */
  let back = null;
  const hush = () => {
    clearTimeout(timer);
    note.hidden = true;
  };
  /** @param {number} after */
  const leave = (after) => {
    clearTimeout(timer);
    if (!note.matches(":hover, :focus-within")) timer = setTimeout(hush, after);
  };
  find("note-close", HTMLButtonElement).addEventListener("click", hush);
  undo.addEventListener("click", () => {
    hush();
    back?.();
  });
  let stays = false;
  for (const kind of ["pointerenter", "focusin"]) note.addEventListener(kind, () => clearTimeout(timer));
  for (const kind of ["pointerleave", "focusout"]) {
    note.addEventListener(kind, () => {
      if (!stays) leave(STAYS);
    });
  }
  const dialog = find("help", HTMLDialogElement);
  fillHelp(find("help-list", HTMLElement), [...keys, { keys: "?", words: "this list" }]);
  const help = () => {
    if (!dialog.open) dialog.showModal();
  };
  find("help-button", HTMLButtonElement).addEventListener("click", help);
  find("help-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  listen([...keys, { keys: "?", words: "", act: help }]);
  return {
    say: (text, how = {}) => {
      clearTimeout(timer);
      // Shown first: a screen reader tells of changes only in what can be seen.
      note.hidden = false;
      write(words, text);
      note.classList.toggle("is-error", how.error ?? false);
      back = how.undo ?? null;
      undo.hidden = back === null;
      stays = how.stays ?? false;
      if (!stays) leave(how.error ? ERROR_STAYS : STAYS);
    },
    hush,
    tell: (text) => write(find("voice", HTMLElement), text),
    title: (text) => {
      write(find("room-title", HTMLElement), text);
      document.title = text ? `${text} · ${name}` : name;
    },
    actions: find("room-actions", HTMLElement),
    help,
  };
}

/**
 * @param {HTMLElement} list
 * @param {PageKey[]} keys
 */
function fillHelp(list, keys) {
  const groups = new Map();
  for (const key of keys) {
    const group = key.group ?? "keys";
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  for (const [group, rows] of groups) {
    const lines = rows.map((/** @type {PageKey} */ row) =>
      make(
        "div",
        { class: "help-row" },
        make("dt", {}, make("span", { class: "help-keys" }, ...names(row.keys).map((key) => make("kbd", {}, key)))),
        make("dd", {}, row.words),
      ),
    );
    list.append(make("section", {}, make("h3", {}, group), make("dl", {}, ...lines)));
  }
}

/** @param {string} keys */
function names(keys) {
  return keys.split(/(?:,\s+|\s+or\s+)/);
}

/** @param {PageKey[]} keys */
function listen(keys) {
  const actions = new Map();
  for (const key of keys) {
    if (key.act) for (const name of names(key.keys)) actions.set(name.toLowerCase(), key.act);
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const at = event.target instanceof HTMLElement ? event.target : document.body;
    if (document.querySelector("dialog[open]")) return;
    const types = at.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]");
    if (types) return;
    const name = nameOf(event);
    // a control that has the focus keeps the keys that press and move it
    if (["space", "enter"].includes(name) && at.closest("button, a, summary, input, [role=gridcell]")) return;
    if (/^(left|right|up|down|home|end)$/.test(name) && at.closest("input, [role=grid], [role=tablist], [role=radiogroup]")) return;
    const act = actions.get(name);
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

/** @type {Record<string, string>} */
const NAMES = { " ": "Space", ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down" };

/**
 * A pressed key as help names it, in small letters: "shift-ctrl-z", "left", "?".
 * @param {KeyboardEvent} event
 */
export function nameOf(event) {
  const key = NAMES[event.key] ?? event.key;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const shift = event.shiftKey && (letter || key.length > 1) ? "Shift-" : "";
  const ctrl = event.ctrlKey || event.metaKey ? "Ctrl-" : "";
  const alt = event.altKey ? "Alt-" : "";
  return `${shift}${ctrl}${alt}${key}`.toLowerCase();
}

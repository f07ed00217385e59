// The help: what mouse, finger and ten keys do; then every key and every command, from the server's
// lists, with search.

import { PAGE_KEYS } from "./cell-cursor.js";
import { find, make } from "./element.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */

/** What a newcomer wants first. */
const FIRST_STEPS = [
  {
    name: "the mouse",
    rows: [
      { keys: "click, drag", words: "draw, or what the tool at the left does" },
      { keys: "wheel", words: "zoom in and out at the pointer" },
      { keys: "right button, middle button, Space and drag", words: "move the view" },
      { keys: "Alt and click", words: "select a whole object" },
      { keys: "Shift and wheel", words: "move the view sideways" },
    ],
  },
  {
    name: "touch",
    rows: [
      { keys: "one finger", words: "move the view, until the pencil or another tool is picked" },
      { keys: "two fingers", words: "zoom in and out" },
      { keys: "tap", words: "draw a cell with the pencil; put down what is pasted" },
    ],
  },
  {
    name: "ten keys",
    rows: [
      { keys: "Enter", words: "run and stop" },
      { keys: "Space", words: "one step" },
      { keys: "Backspace", words: "one step back" },
      { keys: "+, -", words: "faster, slower" },
      { keys: "PageUp, PageDown", words: "longer steps, shorter steps" },
      { keys: "[, ]", words: "zoom out, zoom in" },
      { keys: "f", words: "fit the whole pattern into the view" },
      { keys: "Ctrl-Z", words: "undo" },
      { keys: "Ctrl-V", words: "paste cells that were copied here, or text from anywhere" },
      { keys: "Ctrl-K", words: "find a command, a panel or a pattern by a few letters" },
    ],
  },
];

/** @param {Workbench} workbench */
export function startHelp(workbench) {
  const dialog = find("help", HTMLDialogElement);
  const search = find("help-search", HTMLInputElement);
  const list = find("help-list", HTMLElement);

  const show = () => {
    const { welcome } = workbench;
    if (!welcome) return;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (/** @type {string[]} */ ...texts) => {
      const text = texts.join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const keysOf = (/** @type {string} */ name) =>
      welcome.keys.filter(({ command }) => command === name || command.startsWith(`${name} `));
    const sections = FIRST_STEPS.map(({ name, rows }) => ({ name, rows: rows.filter(({ keys, words: text }) => matches(name, keys, text)) }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ name, rows }) => group(name, rows.map(({ keys, words: text }) => row([caps(keys)], text, ""))));
    const pageKeys = PAGE_KEYS.filter(({ keys, words: text }) => matches(keys, text));
    if (pageKeys.length > 0) {
      sections.push(group("the page", pageKeys.map(({ keys, words: text }) => row([caps(keys)], text, ""))));
    }
    for (const name of new Set(welcome.commands.map((entry) => entry.group))) {
      const rows = welcome.commands
        .filter((entry) => entry.group === name)
        .filter((entry) => matches(entry.usage, entry.help, entry.group, ...keysOf(entry.name).map(({ keys }) => keys)))
        .map((entry) =>
          row(
            keysOf(entry.name).map(({ keys, command }) => caps(keys, command === entry.name ? "" : command.slice(entry.name.length + 1))),
            entry.help,
            `${entry.name} ${entry.usage}`.trimEnd(),
          ),
        );
      if (rows.length > 0) sections.push(group(name, rows));
    }
    list.replaceChildren(...(sections.length > 0 ? sections : [make("p", { class: "hint" }, WORDS.noCommands)]));
  };
  search.addEventListener("input", show);
  workbench.on("welcome", (welcome) => {
    find("help-version", HTMLElement).textContent = welcome.version;
    if (dialog.open) show();
  });
  find("help-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    open: () => {
      search.value = "";
      show();
      dialog.showModal();
      search.focus();
    },
  };
}

/**
 * @param {string} name
 * @param {HTMLElement[]} rows
 */
function group(name, rows) {
  return make("section", {}, make("h3", {}, name), make("dl", {}, ...rows));
}

/**
 * @param {HTMLElement[]} keys
 * @param {string} help
 * @param {string} usage
 */
function row(keys, help, usage) {
  return make(
    "div",
    { class: "help-row" },
    make("dt", {}, usage ? make("code", {}, usage) : "", ...keys),
    make("dd", {}, help),
  );
}

/**
 * @param {string} keys
 * @param {string} [what] what this key does of the command
 */
function caps(keys, what = "") {
  const parts = keys.split(/(?:,\s+|\s+or\s+)/).map((key) => make("kbd", {}, key));
  return make("span", { class: "help-keys" }, ...parts, what ? make("span", { class: "hint" }, what) : "");
}

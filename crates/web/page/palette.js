// The command palette: every command, panel and built-in pattern, found by a few letters.

import { find, make } from "./element.js";
import { request } from "./shared/server.js";
import { WORDS } from "./words.js";

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { Drawer, PanelName } from "./drawer.js" */
/** @import { Workbench } from "./workbench.js" */
/** @import { Welcome } from "./types.js" */

/** At most so many are listed. */
const MOST = 60;

/** @type {PanelName[]} */
const PANELS = ["library", "world", "rule", "settings", "plot", "history"];

/**
 * @typedef {object} PaletteEntry
 * @property {string} text what is searched first: the command as it is written
 * @property {string} words what it does
 * @property {string} keys
 * @property {() => void} run
 */

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {Drawer} drawer
 * @param {{open: () => void}} identify
 * @param {PaletteEntry[]} searches
 */
export function startPalette(workbench, commands, drawer, identify, searches) {
  const dialog = find("palette", HTMLDialogElement);
  const input = find("palette-text", HTMLInputElement);
  const list = find("palette-list", HTMLElement);
  /** @type {PaletteEntry[]} */
  let entries = [];
  /** @type {PaletteEntry[]} */
  let shown = [];
  let chosen = 0;

  const mark = () => {
    for (const [i, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(i === chosen));
      if (i !== chosen) continue;
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  };
  const take = (/** @type {PaletteEntry} */ entry) => {
    dialog.close();
    entry.run();
  };
  const show = () => {
    shown = search(entries, input.value);
    chosen = 0;
    const options = shown.map((entry, i) =>
      make(
        "li",
        { role: "option", id: `palette-${i}`, "aria-selected": "false", click: () => take(entry) },
        make("span", { class: "offer-text" }, entry.text),
        make("span", { class: "offer-words" }, entry.words),
        entry.keys ? make("kbd", {}, entry.keys) : "",
      ),
    );
    list.replaceChildren(...options);
    find("palette-none", HTMLElement).hidden = options.length > 0;
    if (options.length === 0) input.removeAttribute("aria-activedescendant");
    mark();
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length > 0) {
      event.preventDefault();
      chosen = (chosen + step + shown.length) % shown.length;
      mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (shown[chosen]) take(shown[chosen]);
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    open: async () => {
      const { welcome } = workbench;
      if (!welcome || dialog.open) return;
      const panels = PANELS.map((name) => ({ text: WORDS.showPanel(name), words: "", keys: "", run: () => drawer.show(name) }));
      const whatIsIt = { text: WORDS.identify, words: WORDS.identifyWords, keys: "i", run: identify.open };
      entries = [...ofCommands(welcome, commands), whatIsIt, ...searches, ...panels];
      input.value = "";
      show();
      dialog.showModal();
      input.focus();
      const patterns = await findPatterns();
      if (!dialog.open) return;
      entries.push(...patterns.map(({ name, title }) => ({ text: `open ${name}`, words: title, keys: "", run: () => void commands.perform(`open ${name}`) })));
      if (input.value) show();
    },
  };
}

/**
 * One entry for each way to write a command that needs no more words, and one for each command
 * that does; that one goes on in the command line.
 * @param {Welcome} welcome
 * @param {CommandHandlers} commands
 * @returns {PaletteEntry[]}
 */
function ofCommands({ commands: table, keys }, commands) {
  const keysOf = (/** @type {string} */ text) => keys.find(({ command }) => command === text)?.keys ?? "";
  const listed = table.flatMap(({ name, usage, help }) => {
    const whole = (/** @type {string} */ text) => ({ text, words: help, keys: keysOf(text), run: () => void commands.perform(text) });
    if (usage === "") return [whole(name)];
    const choices = usage.split(" ")[0].split("|").filter((word) => /^[a-z]+$/.test(word));
    const rest = { text: `${name} ${usage}`, words: help, keys: keysOf(`${name} `), run: () => commands.unfinished(`${name} `) };
    const needs = usage.split("|").length > choices.length || usage.includes(" ");
    const optional = usage.startsWith("[") ? [whole(name)] : [];
    return [...optional, ...choices.map((word) => whole(`${name} ${word}`)), ...(needs ? [rest] : [])];
  });
  // what a key does with words of its own
  const known = new Set(listed.map(({ text }) => text));
  const more = keys.filter(({ command }) => !command.endsWith(" ") && !known.has(command));
  const texts = new Set(more.map(({ command }) => command));
  return [...listed, ...[...texts].map((text) => {
    const help = table.find(({ name }) => name === text.split(" ")[0])?.help ?? "";
    return { text, words: help, keys: keysOf(text), run: () => void commands.perform(text, { key: true }) };
  })];
}

/**
 * The entries that have all words, those first in which a word begins the text.
 * @param {PaletteEntry[]} entries
 * @param {string} text
 */
function search(entries, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  /** @param {PaletteEntry} entry */
  const rank = (entry) => {
    const name = entry.text.toLowerCase();
    const all = `${name} ${entry.words.toLowerCase()} ${entry.keys.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return -1;
    if (words.every((word) => name.includes(word))) return name.startsWith(words[0] ?? "") ? 0 : 1;
    return 2;
  };
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry) })).filter(({ rank }) => rank >= 0);
  ranked.sort((one, other) => one.rank - other.rank);
  return ranked.slice(0, MOST).map(({ entry }) => entry);
}

/** @returns {Promise<{name: string, title: string}[]>} */
async function findPatterns() {
  try {
    const response = await request("/library.json");
    return await response.json();
  } catch {
    // without them the commands are there
    return [];
  }
}

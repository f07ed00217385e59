// The built-in library: pictures and search; before it what was opened last in this browser, and the
// files of the server's folder.

import { find, make, write } from "./element.js";
import { recall, remember } from "./storage.js";
import { request, showPicture } from "./shared/server.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Drawer } from "./drawer.js" */

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} title
 * @property {string} author
 * @property {string} kind
 * @property {string} rule
 * @property {string} description
 * @property {number} width
 * @property {number} height
 */

const RECENT_KEY = "patterns";
/** How many of the patterns that were opened last are remembered. */
const RECENT = 8;

/** @returns {string[]} */
function recent() {
  try {
    const stored = JSON.parse(recall(RECENT_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    // an unreadable record counts as none
    return [];
  }
}

/**
 * @param {Workbench} workbench
 * @param {Drawer} drawer
 */
export function startLibrary(workbench, drawer) {
  const search = find("library-search", HTMLInputElement);
  const kinds = find("library-kinds", HTMLElement);
  const list = find("library-list", HTMLElement);
  const empty = find("library-empty", HTMLElement);
  const answer = find("library-answer", HTMLElement);
  /** @type {Entry[] | null} */
  let entries = null;
  let kind = "";
  let theme = "paper";
  /** @type {Set<string>} */
  const files = new Set();

  const showOwn = () => {
    const search = find("library-search", HTMLInputElement).value.toLowerCase();
    // what was uploaded, or typed as cells, cannot be opened again by its name
    const opens = (/** @type {string} */ name) => files.has(name) || /^x[a-z]+\d/.test(name) || entries?.some((entry) => entry.name === name);
    const rows = [
      { id: "recent", names: recent().filter(opens) },
      { id: "files", names: [...files].sort() },
    ];
    for (const { id, names } of rows) {
      const found = names.filter((name) => name.toLowerCase().includes(search));
      find(`library-${id}-part`, HTMLElement).hidden = found.length === 0;
      find(`library-${id}`, HTMLElement).replaceChildren(
        ...found.map((name) => make("button", { type: "button", class: "tag", translate: "no", "data-do": `open ${name}` }, name)),
      );
    }
  };

  const load = async () => {
    if (entries) return;
    try {
      const response = await request("/library.json");
      entries = /** @type {Entry[]} */ (await response.json());
    } catch {
      write(empty, WORDS.offline);
      empty.hidden = false;
      return;
    }
    // in the order of the patterns: what people look for first
    const found = [...new Set(entries.map((entry) => entry.kind))];
    kinds.replaceChildren(
      ...["", ...found].map((name) =>
        make("button", { type: "button", class: "tag", "data-kind": name, "aria-pressed": String(name === kind), click: () => choose(name) }, name || "all"),
      ),
    );
    show();
  };

  const choose = (/** @type {string} */ name) => {
    kind = name;
    for (const button of kinds.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-kind") === kind));
    show();
  };

  const show = () => {
    if (!entries) return;
    showOwn();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = entries.filter((entry) => {
      if (kind && entry.kind !== kind) return false;
      const text = [entry.name, entry.title, entry.author, entry.kind, entry.rule, entry.description].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    list.replaceChildren(...shown.map(card));
    write(empty, WORDS.noPatterns);
    empty.hidden = shown.length > 0;
  };

  const card = (/** @type {Entry} */ entry) => {
    const picture = make("img", { alt: "", loading: "lazy", width: 160, height: 120 });
    showPicture(picture, `/library/${encodeURIComponent(entry.name)}.png?theme=${theme}`);
    const facts = [`${entry.width} \u00d7 ${entry.height}`, entry.rule === "B3/S23" ? "" : entry.rule].filter(Boolean).join(", ");
    const button = make(
      "button",
      { type: "button", class: "card", "data-do": `open ${entry.name}`, title: [entry.description, entry.author].filter(Boolean).join(" \u2013 ") },
      picture,
      make("span", { class: "card-title" }, entry.title || entry.name),
      make("span", { class: "card-facts" }, facts),
    );
    return make("li", {}, button);
  };

  workbench.on("welcome", (welcome) => {
    for (const name of welcome.files ?? []) files.add(name);
    showOwn();
  });
  workbench.on("reply", ({ reply, command }) => {
    if (!reply.ok) return;
    const [, name] = /^(?:anyway )?open ([^\n]{1,80})$/.exec(command) ?? [];
    if (name) remember(RECENT_KEY, JSON.stringify([name, ...recent().filter((other) => other !== name)].slice(0, RECENT)));
    if (name) showOwn();
  });
  // what was saved in the folder since
  workbench.on("status", ({ file }) => {
    if (!file || files.has(file) || !workbench.welcome?.folder) return;
    files.add(file);
    showOwn();
  });
  list.addEventListener("answered", () => answer.replaceChildren());
  search.addEventListener("input", show);
  drawer.onShow("library", load);
  workbench.on("look", (look) => {
    const name = look.theme.name ?? "paper";
    if (name === theme) return;
    theme = name;
    show();
  });
}

// The built-in library: pictures and search.

import { find, make, write } from "./element.js";
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

  const load = async () => {
    if (entries) return;
    try {
      const response = await fetch("/library.json");
      entries = /** @type {Entry[]} */ (await response.json());
    } catch {
      write(empty, WORDS.offline);
      empty.hidden = false;
      return;
    }
    const found = [...new Set(entries.map((entry) => entry.kind))].sort();
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
    const picture = make("img", { src: `/library/${encodeURIComponent(entry.name)}.png?theme=${theme}`, alt: "", loading: "lazy", width: 160, height: 120 });
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

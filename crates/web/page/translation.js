// The language of the page. Its texts are English where they stand, in documents and modules; a table
// of another language (texts/) has them as keys. All that is shown passes through `translated`: what
// a document has when the page begins, and what modules make, write and label later. (Names for
// texts, as keys of an English table too, were rejected: each text would be in two places, and a
// module could not be read without the table.)

import { recall, remember } from "./storage.js";

/** What the languages call themselves. */
const LANGUAGES = { en: "English", de: "Deutsch" };

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Record<Language, () => Promise<Record<string, string>>>} */
const TABLES = {
  en: async () => ({}),
  de: async () => (await import("./texts/de.js")).TEXTS,
};

/** The language that was chosen here, else the first of the browser's that there is. @returns {Language} */
function preferred() {
  const wanted = [recall("language") ?? "", ...navigator.languages].map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  const known = wanted.find((tag) => tag in LANGUAGES);
  return /** @type {Language} */ (known ?? "en");
}

export const language = preferred();

/** The attributes that are read by people. */
const ATTRIBUTES = ["title", "aria-label", "aria-valuetext", "placeholder", "alt"];

/** The most translations of filled-in texts that are kept. */
const MOST_KEPT = 2000;

const table = new Map(Object.entries(await TABLES[language]()));

/** Texts with something to fill in: what matches, and the translation's parts around it. */
const patterns = [...table].filter(([text]) => text.includes("{}")).map(([text, other]) => ({
  literal: text.length,
  matches: new RegExp(`^${text.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)")}$`, "su"),
  parts: other.split("{}"),
}));
// the one that says most comes first
patterns.sort((one, other) => other.literal - one.literal);

/** @type {Map<string, string>} */
const kept = new Map();

/**
 * A text in the page's language, as it is where the table does not have it.
 * @param {string} text
 * @returns {string}
 */
export function translated(text) {
  if (table.size === 0 || !/\p{L}{2}/u.test(text)) return text;
  const known = table.get(text) ?? kept.get(text);
  if (known !== undefined) return known;
  const found = filled(text) ?? joined(text, " · ") ?? joined(text, "; ") ?? joined(text, ", ") ?? text;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(text, found);
  return found;
}

/** A text that is one of the table's with something filled in. @param {string} text */
function filled(text) {
  for (const { matches, parts } of patterns) {
    const found = matches.exec(text);
    if (found) return parts.map((part, at) => part + (at + 1 < parts.length ? translated(found[at + 1] ?? "") : "")).join("");
  }
  return null;
}

/**
 * A list of texts.
 * @param {string} text
 * @param {string} separator
 */
function joined(text, separator) {
  return text.includes(separator) ? text.split(separator).map(translated).join(separator) : null;
}

/**
 * Sets what an element is called for who hears the page, and for who points at it.
 * @param {Element} element
 * @param {"aria-label" | "aria-valuetext" | "title"} attribute
 * @param {string} text
 */
export function setLabel(element, attribute, text) {
  const shown = translated(text);
  if (element.getAttribute(attribute) !== shown) element.setAttribute(attribute, shown);
}

/** Whether an attribute is read by people. @param {string} name */
export function isRead(name) {
  return ATTRIBUTES.includes(name);
}

/** The texts that the document came with. */
function translateDocument() {
  document.documentElement.lang = language;
  if (table.size === 0) return;
  document.title = translated(document.title);
  for (const attribute of ATTRIBUTES) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) setLabel(element, /** @type {"title"} */ (attribute), element.getAttribute(attribute) ?? "");
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (node.parentElement?.closest("script, style, code, textarea")) continue;
    const [, before = "", text = "", after = ""] = /^(\s*)(.*?)(\s*)$/su.exec(node.data) ?? [];
    if (text) node.data = before + translated(text.replace(/\s+/gu, " ")) + after;
  }
}

/** The list in the navigation where another language is chosen. */
function startChoice() {
  const choice = document.getElementById("language");
  if (!(choice instanceof HTMLSelectElement)) return;
  for (const [tag, name] of Object.entries(LANGUAGES)) {
    const option = document.createElement("option");
    [option.value, option.lang, option.selected] = [tag, tag, tag === language];
    // short in the bar, whole for who hears it
    option.append(tag.toUpperCase());
    option.setAttribute("aria-label", name);
    choice.append(option);
  }
  choice.hidden = false;
  choice.addEventListener("change", () => {
    remember("language", choice.value);
    location.reload();
  });
}

translateDocument();
startChoice();

// Making and finding elements. No style attributes: the page's security policy has none. Texts are
// shown in the page's language.

import { isRead, translated } from "./translation.js";

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes]
 *   true sets an attribute without a value, false and null leave it out, a function listens
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, isRead(name) ? translated(String(value)) : String(value));
    }
  }
  const isName = attributes.translate === "no";
  element.append(...children.map((child) => (typeof child === "string" && !isName ? translated(child) : child)));
  return element;
}

/**
 * One of the drawings at the top of index.html.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/**
 * The element of the page with this id.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function find(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/**
 * Writes a text only where it differs, so that nothing is laid out again for nothing.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function write(element, text) {
  const shown = translated(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/**
 * The words around a control.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {...Node} more
 */
export function field(label, control, ...more) {
  return make("label", { class: "field" }, make("span", { class: "field-label" }, label), control, ...more);
}

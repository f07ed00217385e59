// Autocompletion for a text box: a combobox after the ARIA Authoring Practices Guide.

import { make } from "./element.js";

/** @typedef {{text: string, words: string}} Offer */

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list where the offers are shown
 * @param {(word: string) => Promise<Offer[]> | Offer[]} ask
 * @param {(offer: Offer) => void} take
 */
export function complete(input, list, ask, take) {
  let chosen = -1;
  /** @type {Offer[]} */
  let offers = [];
  let asked = 0;

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("autocomplete", "off");
  input.setAttribute("spellcheck", "false");
  list.setAttribute("role", "listbox");

  const close = () => {
    asked += 1;
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    for (const [i, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(i === chosen));
      if (i === chosen) {
        input.setAttribute("aria-activedescendant", option.id);
        option.scrollIntoView({ block: "nearest" });
      }
    }
  };
  const accept = (/** @type {Offer} */ offer) => {
    close();
    take(offer);
  };
  const show = async () => {
    const number = (asked += 1);
    const found = await ask(input.value);
    if (number !== asked || document.activeElement !== input) return;
    offers = found;
    chosen = -1;
    list.replaceChildren(
      ...offers.map((offer, i) =>
        make(
          "li",
          { role: "option", id: `${list.id}-${i}`, "aria-selected": "false", pointerdown: (/** @type {Event} */ event) => event.preventDefault(), click: () => accept(offer) },
          make("span", { class: "offer-text" }, offer.text),
          make("span", { class: "offer-words" }, offer.words),
        ),
      ),
    );
    list.hidden = offers.length === 0;
    input.setAttribute("aria-expanded", String(offers.length > 0));
  };

  input.addEventListener("input", show);
  input.addEventListener("focus", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.hidden) {
      if (event.key === "ArrowDown") show();
    } else if (step) {
      event.preventDefault();
      chosen = (chosen + step + offers.length + (chosen < 0 && step < 0 ? 1 : 0)) % offers.length;
      mark();
    } else if (event.key === "Tab" && !list.hidden && offers.length > 0 && !event.shiftKey && input.dataset.tab) {
      event.preventDefault();
      accept(offers[Math.max(0, chosen)]);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      accept(offers[chosen]);
    } else if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      close();
    }
  });
  return { close };
}

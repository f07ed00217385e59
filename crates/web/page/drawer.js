// The drawer at the right (from below on a phone): one panel at a time.

import { find } from "./element.js";

/** @typedef {"library" | "world" | "rule" | "settings" | "plot" | "history"} PanelName */

export class Drawer {
  /** @type {Map<string, () => void>} */
  #opening = new Map();
  /** @type {(() => void)[]} */
  #hiding = [];
  /** @type {PanelName} */
  panel = "library";

  constructor() {
    this.element = find("drawer", HTMLElement);
    this.tabs = /** @type {HTMLButtonElement[]} */ ([...this.element.querySelectorAll("[role=tab]")]);
    for (const button of document.querySelectorAll("[data-panel]")) {
      button.addEventListener("click", () => {
        const name = /** @type {PanelName} */ (button.getAttribute("data-panel"));
        if (button.getAttribute("role") !== "tab" && this.open && this.panel === name) this.hide();
        else this.show(name, button.getAttribute("role") !== "tab");
      });
    }
    find("drawer-close", HTMLButtonElement).addEventListener("click", () => this.hide());
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get open() {
    return this.element.classList.contains("is-open");
  }

  /**
   * Called whenever this panel comes into sight.
   * @param {PanelName} name
   * @param {() => void} listener
   */
  onShow(name, listener) {
    this.#opening.set(name, listener);
  }

  /** @param {() => void} listener called when the drawer shuts */
  onHide(listener) {
    this.#hiding.push(listener);
  }

  /**
   * @param {PanelName} name
   * @param {boolean} [focus]
   */
  show(name, focus = true) {
    this.panel = name;
    this.element.classList.add("is-open");
    this.element.inert = false;
    for (const tab of this.tabs) {
      const chosen = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      const panel = find(`panel-${tab.dataset.panel}`, HTMLElement);
      panel.hidden = !chosen;
      if (chosen && focus) tab.focus({ preventScroll: true });
    }
    this.#mark();
    this.#opening.get(name)?.();
  }

  hide() {
    const within = this.element.contains(document.activeElement);
    this.element.classList.remove("is-open");
    this.element.inert = true;
    this.#mark();
    for (const listener of this.#hiding) listener();
    if (within) find("sheet", HTMLElement).focus();
  }

  #mark() {
    for (const button of document.querySelectorAll("[data-panel]:not([role=tab])")) {
      button.setAttribute("aria-expanded", String(this.open && button.getAttribute("data-panel") === this.panel));
    }
    document.body.toggleAttribute("data-drawer", this.open);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.hide();
      return;
    }
    const at = this.tabs.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (at < 0) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(/** @type {PanelName} */ (next.dataset.panel));
  }
}

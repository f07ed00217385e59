// Keyboard shortcuts, from the key list that the server sends.

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { Workbench } from "./workbench.js" */

/** Left to the browser, whatever the list says. */
const BROWSERS = new Set(["f5", "ctrl+r"]);

/** Keys by the names that lists of keys use. */
const NAMES = new Map(
  Object.entries({
    " ": "space", spacebar: "space", escape: "esc", return: "enter", arrowleft: "left", arrowright: "right",
    arrowup: "up", arrowdown: "down", "\u2190": "left", "\u2192": "right", "\u2191": "up", "\u2193": "down",
    pgup: "pageup", pgdn: "pagedown", del: "delete", ins: "insert", plus: "+", minus: "-", "\u2212": "-",
  }),
);

/**
 * A canonical name for a key with its modifiers.
 * @param {string} key
 * @param {{ctrl: boolean, alt: boolean, shift: boolean}} held
 */
function spell(key, held) {
  const lower = key.toLowerCase();
  const name = NAMES.get(lower) ?? lower;
  // Shift is part of a symbol, so it is named only for letters and named keys.
  const sign = name.length === 1 && !/[a-z]/.test(name);
  return `${held.ctrl ? "ctrl+" : ""}${held.alt ? "alt+" : ""}${held.shift && !sign ? "shift+" : ""}${name}`;
}

/**
 * "Shift-Ctrl-Z" and the like; several ways to press the same are parted by commas or "or".
 * @param {string} text
 * @returns {string[]}
 */
export function readKeys(text) {
  return text
    .split(/\s*(?:,\s+|\s+or\s+|\s+\/\s+|\s{2,})\s*/)
    .filter(Boolean)
    .map((part) => {
      const held = { ctrl: false, alt: false, shift: false };
      let rest = part.trim();
      for (let match = /^(ctrl|cmd|meta|alt|option|shift)[-+](?=.)/i.exec(rest); match; match = /^(ctrl|cmd|meta|alt|option|shift)[-+](?=.)/i.exec(rest)) {
        const name = match[1].toLowerCase();
        if (name === "shift") held.shift = true;
        else if (name === "alt" || name === "option") held.alt = true;
        else held.ctrl = true;
        rest = rest.slice(match[0].length);
      }
      return spell(rest, held);
    });
}

/** @param {KeyboardEvent} event */
export function readEvent(event) {
  // Some systems report AltGr as Ctrl and Alt.
  const graph = event.getModifierState("AltGraph");
  return spell(event.key, {
    ctrl: (event.ctrlKey || event.metaKey) && !graph,
    alt: event.altKey && !graph,
    shift: event.shiftKey,
  });
}

export class Keys {
  /** @type {Map<string, string>} */
  #commands = new Map();
  /** @type {Map<string, (event: KeyboardEvent) => boolean>} the page's own: true when it was for them */
  #first = new Map();
  /** @type {{ down: () => void, up: () => boolean } | null} */
  #space = null;
  /** Whether Esc let go of Tab: the next Tab leaves the sheet. */
  #released = false;

  /**
   * @param {Workbench} workbench
   * @param {CommandHandlers} commands
   * @param {HTMLElement} sheet
   */
  constructor(workbench, commands, sheet) {
    this.commands = commands;
    this.sheet = sheet;
    workbench.on("welcome", (welcome) => {
      this.#commands.clear();
      for (const { keys, command } of welcome.keys) {
        for (const key of readKeys(keys)) if (!this.#commands.has(key) && !BROWSERS.has(key)) this.#commands.set(key, command);
      }
    });
    document.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener("keyup", (event) => this.#lift(event));
    sheet.addEventListener("blur", () => {
      this.#released = false;
    });
  }

  /**
   * The page's own keys come before the list's.
   * @param {string} key
   * @param {(event: KeyboardEvent) => boolean} act
   */
  first(key, act) {
    for (const name of readKeys(key)) this.#first.set(name, act);
  }

  /**
   * The space bar is held for a pan: it does its command when it comes up unused.
   * @param {{down: () => void, up: () => boolean}} space
   */
  space(space) {
    this.#space = space;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const key = readEvent(event);
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (key !== "f6" && target.matches("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=color])")) return;
    const onSheet = target === this.sheet || target === document.body;
    // A button, a slider or a tab has its own use for these.
    if (!onSheet && /^(shift\+)?(enter|space|tab|left|right|up|down|home|end|pageup|pagedown|esc)$/.test(key)) return;
    if (key === "esc" && onSheet) this.#released = true;
    if (/^(shift\+)?tab$/.test(key) && (this.#released || target !== this.sheet)) return;
    if (key !== "esc") this.#released = false;
    if (!["shift", "control", "alt", "meta"].includes(key)) this.#lit(target);
    if (this.#first.get(key)?.(event)) {
      event.preventDefault();
      return;
    }
    const command = this.#commands.get(key);
    if (command === undefined) return;
    // the browser fires a paste event, which has the clipboard's contents
    if (key === "ctrl+v" && command === "paste") return;
    event.preventDefault();
    if (key === "space" && this.#space && !event.repeat) {
      this.#space.down();
      return;
    }
    this.commands.perform(command, { key: true });
  }

  /**
   * The sheet shows where the keyboard is once a key was pressed on it.
   * @param {HTMLElement} target
   */
  #lit(target) {
    if (target === this.sheet) this.sheet.dataset.keyboard = "true";
  }

  /** @param {KeyboardEvent} event */
  #lift(event) {
    if (event.key !== " " || !this.#space) return;
    const unused = this.#space.up();
    const command = this.#commands.get("space");
    if (unused && command) this.commands.perform(command);
  }
}

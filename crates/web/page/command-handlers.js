// Dispatches commands: most go to the server unchanged; some have a handler on the page (file
// choosers, the system clipboard, paste placement).

/** @import { Workbench, CommandOptions } from "./workbench.js" */
/** @import { Reply } from "./types.js" */

/** @typedef {(options: CommandOptions) => Promise<Reply | void> | void} CommandHandler */

/** @typedef {(words: string, options: CommandOptions) => Promise<Reply | void> | null} WordsHandler */

export class CommandHandlers {
  /** @type {Map<string, CommandHandler>} */
  #handlers = new Map();
  /** @type {Map<string, WordsHandler>} */
  #wordsHandlers = new Map();

  /**
   * Called with a command that still needs arguments.
   * @type {(text: string) => void}
   */
  unfinished = () => {};

  /** @param {Workbench} workbench */
  constructor(workbench) {
    this.workbench = workbench;
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
      if (!(button instanceof HTMLElement) || button.hasAttribute("data-handled")) return;
      const section = button.closest("section, form");
      const at = /** @type {HTMLElement | null} */ (section?.querySelector(".answer") ?? null);
      this.perform(button.dataset.do ?? "", { at });
      // After a click by hand the keys are the sheet's again; from the keyboard it stays here.
      if (event.detail > 0 && button.closest("#transport, #tools, #selection-bar, #note, #comparison")) {
        document.getElementById("sheet")?.focus({ preventScroll: true });
      }
    });
  }

  /**
   * Registers the page's handler for exactly `command`.
   * @param {string} command
   * @param {CommandHandler} handler
   */
  handle(command, handler) {
    this.#handlers.set(command, handler);
  }

  /**
   * Registers the page's handler for a command with words after its name. Where it gives null, the
   * command goes to the server.
   * @param {string} name
   * @param {WordsHandler} handler
   */
  handleWords(name, handler) {
    this.#wordsHandlers.set(name, handler);
  }

  /**
   * @param {string} command
   * @param {CommandOptions} [options]
   * @returns {Promise<Reply | void>}
   */
  async perform(command, options = {}) {
    const handler = this.#handlers.get(command.trim());
    if (handler) return handler(options);
    const [, name, words] = /^(\S+)\s+(.+)$/s.exec(command.trim()) ?? ["", "", ""];
    const handled = this.#wordsHandlers.get(name)?.(words, options);
    if (handled) return handled;
    // A key's command that ends in a blank wants words.
    if (command.endsWith(" ")) return this.unfinished(command);
    return this.workbench.do(command, options);
  }
}

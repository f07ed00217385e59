// The command line: any command, with completion.

import { complete } from "./completion.js";
import { find } from "./element.js";

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { Workbench } from "./workbench.js" */

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {HTMLElement} sheet
 */
export function startPrompt(workbench, commands, sheet) {
  const form = find("prompt", HTMLFormElement);
  const input = find("prompt-text", HTMLInputElement);
  const answer = find("prompt-answer", HTMLElement);
  /** @type {string[]} */
  const written = [];
  let at = -1;
  input.dataset.tab = "true";

  complete(
    input,
    find("prompt-list", HTMLElement),
    (text) => {
      const word = text.trimStart().toLowerCase();
      const name = word.split(" ")[0];
      const entries = workbench.welcome?.commands ?? [];
      const shown = word.includes(" ")
        ? entries.filter((entry) => entry.name === name)
        : entries.filter((entry) => word && entry.name.startsWith(name));
      return shown.slice(0, 8).map((entry) => ({ text: `${entry.name} ${entry.usage}`.trimEnd(), words: entry.help }));
    },
    (offer) => {
      const name = offer.text.split(" ")[0];
      const rest = input.value.trimStart().split(" ").slice(1).join(" ");
      input.value = offer.text === name ? name : `${name} ${rest}`;
    },
  );
  const close = () => {
    form.hidden = true;
    answer.replaceChildren();
    sheet.focus();
  };
  const open = (/** @type {string} */ text) => {
    form.hidden = false;
    input.value = text;
    input.focus();
    at = -1;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = input.value.trim().replace(/^[:/]\s*/, "");
    if (!text) return close();
    written.unshift(text);
    const reply = await commands.perform(text, { at: answer });
    if (!reply || reply.ok) close();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "ArrowUp" && (input.value === "" || at >= 0) && written.length > 0) {
      event.preventDefault();
      at = Math.min(at + 1, written.length - 1);
      input.value = written[at];
    }
  });
  find("prompt-close", HTMLButtonElement).addEventListener("click", close);
  return { open };
}

// Printing: the sheet as a drawing on white, with a caption. From the browser's own menu there is
// no time to fetch the drawing: then the canvas is printed as it is.

import { find, write } from "./element.js";
import { whole } from "./number.js";
import { request } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf } from "./world-address.js";

/** @import { Keys } from "./keys.js" */
/** @import { Note } from "./note.js" */
/** @import { Workbench } from "./workbench.js" */

/**
 * @param {Workbench} workbench
 * @param {Keys} keys
 * @param {Note} note
 */
export function startPrint(workbench, keys, note) {
  const image = find("print-sheet", HTMLImageElement);

  const caption = () => {
    const { status } = workbench;
    if (!status) return;
    write(find("print-title", HTMLElement), status.author ? `${status.title}, ${status.author}` : status.title);
    const facts = [
      WORDS.printRule(status.rule),
      WORDS.atGeneration(whole(status.generation)),
      WORDS.printPopulation(status.population_text ?? whole(status.population)),
    ];
    if (status.bounds) facts.push(`${whole(status.bounds.width)} \u00d7 ${whole(status.bounds.height)}`);
    write(find("print-words", HTMLElement), facts.join(" \u00b7 "));
    write(find("print-comments", HTMLElement), status.comments.join("\n"));
  };

  const print = async () => {
    try {
      const response = await request(addressOf("/picture.svg", { print: "1", tab: String(workbench.welcome?.tab ?? 0) }));
      URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(await response.blob());
      await image.decode();
    } catch {
      note.say(WORDS.printFailed, { error: true });
      return;
    }
    document.body.toggleAttribute("data-printing", true);
    window.print();
  };

  window.addEventListener("beforeprint", caption);
  window.addEventListener("afterprint", () => {
    document.body.toggleAttribute("data-printing", false);
    image.removeAttribute("src");
  });
  find("print-button", HTMLButtonElement).addEventListener("click", () => void print());
  keys.first("Ctrl-P", () => (void print(), true));
}

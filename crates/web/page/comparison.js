// Another world that is laid over this one: the caption of its three colours. The server compares, and
// says with each frame what it has found.

import { find, write } from "./element.js";
import { whole } from "./number.js";
import { WORDS } from "./words.js";

/** @import { ComparedWorld } from "./types.js" */
/** @import { Workbench } from "./workbench.js" */

/** @param {Workbench} workbench */
export function startComparison(workbench) {
  const caption = find("comparison", HTMLElement);
  const [both, here, there] = ["both", "here", "there"].map((part) => find(`compared-${part}`, HTMLElement));
  const together = find("compared-together", HTMLButtonElement);
  /** The command that laid it there: a server that was away does not know it. */
  let command = "";
  let isTogether = false;

  /** @param {ComparedWorld | undefined} compared */
  const show = (compared) => {
    if (!compared && caption.contains(document.activeElement)) find("sheet", HTMLElement).focus({ preventScroll: true });
    caption.hidden = !compared;
    if (!compared || !both || !here || !there) return;
    isTogether = compared.together ?? false;
    together.hidden = compared.together === null;
    together.setAttribute("aria-pressed", String(isTogether));
    const count = (/** @type {number} */ number) => (compared.cells ? whole(String(number)) : WORDS.comparedPixels(whole(String(number))));
    write(both, WORDS.comparedBoth(count(compared.both)));
    write(here, WORDS.comparedHere(count(compared.here)));
    write(there, WORDS.comparedThere(compared.title || WORDS.untitled, whole(compared.generation), count(compared.there)));
  };
  workbench.on("frame", ({ header: { compared } }) => {
    // null: the other world has not been seen in this view yet
    if (compared === null) return;
    if (!compared) command = "";
    if (compared || !caption.hidden) show(compared);
  });
  workbench.on("look", ({ compared }) => {
    for (const [place, name] of ["both", "here", "there"].entries()) {
      caption.style.setProperty(`--compared-${name}`, compared[place] ?? "");
    }
  });
  workbench.on("reply", ({ reply, command: done }) => {
    if (!reply.ok || !done.startsWith("compare ") || done.startsWith("compare together")) return;
    command = done === "compare off" ? "" : done;
  });
  workbench.on("online", (online) => {
    if (!online || !command) return;
    const wasTogether = isTogether;
    workbench.do(command);
    if (wasTogether) workbench.do("compare together on");
  });
}

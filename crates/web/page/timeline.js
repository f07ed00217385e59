// The timeline: small pictures of generations that can be returned to.

import { find, make, write } from "./element.js";
import { whole } from "./number.js";
import { showPicture } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf } from "./world-address.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Drawer } from "./drawer.js" */

/**
 * @param {Workbench} workbench
 * @param {Drawer} drawer
 */
export function startTimeline(workbench, drawer) {
  const list = find("timeline", HTMLElement);
  const empty = find("timeline-empty", HTMLElement);
  const answer = find("timeline-answer", HTMLElement);
  /** @type {Map<number, HTMLElement>} the rows by the numbers of their checkpoints */
  let rows = new Map();
  let colours = "";
  let looks = 0;

  /**
   * @param {number} id
   * @param {string} generation
   */
  const row = (id, generation) => {
    const tab = String(workbench.welcome?.tab ?? 0);
    const picture = make("img", { alt: "", loading: "lazy", width: 112, height: 80 });
    showPicture(picture, addressOf("/timeline.png", { id: String(id), tab, look: String(looks) }));
    // Too large for a picture, or gone meanwhile: the number is enough.
    picture.addEventListener("error", () => picture.remove());
    const go = () => void workbench.do(`goto ${generation}`, { at: answer });
    const words = make("span", {}, make("span", { class: "visually-hidden" }, WORDS.timelineGeneration), whole(generation));
    return make("li", {}, make("button", { type: "button", class: "plain", click: go }, picture, words));
  };

  const show = () => {
    const { status } = workbench;
    if (!status || !drawer.open || drawer.panel !== "history") return;
    const kept = new Map();
    for (const { id, generation } of status.timeline) kept.set(id, rows.get(id) ?? row(id, generation));
    const same = kept.size === rows.size && [...kept.keys()].every((id) => rows.has(id));
    if (!same) list.replaceChildren(...kept.values());
    rows = kept;
    const now = BigInt(status.generation);
    const last = status.timeline.filter(({ generation }) => BigInt(generation) <= now).pop()?.id;
    for (const [id, item] of rows) {
      if (id === last) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
    empty.hidden = rows.size > 0;
    write(empty, WORDS.noTimeline);
  };
  workbench.on("status", show);
  // Other colours: other pictures.
  workbench.on("look", ({ theme, states }) => {
    const key = JSON.stringify([theme.name, states]);
    if (key === colours) return;
    colours = key;
    looks += 1;
    rows = new Map();
    list.replaceChildren();
    show();
  });
  drawer.onShow("history", show);
}

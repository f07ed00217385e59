// The list of open worlds, and what can be done with one.

import { find, make } from "./element.js";
import { popover } from "./popover.js";
import { roomAddress, worldAddress } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf, ask, forgetWorld, knownWorlds, place, rememberWorld } from "./world-address.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */

/**
 * @typedef {object} ListedWorld
 * @property {string} id
 * @property {string} title
 * @property {string} [generation]
 * @property {number} [tabs]
 * @property {boolean} [running]
 * @property {boolean} [awake]
 */

/**
 * @param {Workbench} workbench
 * @param {Note} note
 */
export function startWorlds(workbench, note) {
  const list = find("worlds-list", HTMLElement);
  const runOn = find("worlds-run-on", HTMLInputElement);
  const paper = popover(find("worlds", HTMLButtonElement), find("worlds-paper", HTMLElement), () => {
    runOn.checked = place.runsOn;
    runOn.disabled = place.rights === "watch";
    fill();
  });
  workbench.on("status", ({ title }) => rememberTitle(title));
  runOn.addEventListener("change", async () => {
    const answer = await ask(addressOf("/world/run-on", { on: runOn.checked ? "1" : "0" }), "POST");
    if (answer.error) note.say(answer.error, { error: true });
    else place.runsOn = runOn.checked;
    runOn.checked = place.runsOn;
  });

  const fill = async () => {
    const answer = await ask("/worlds.json", "GET");
    // visitors see those that this browser has been to
    const own = Object.entries(knownWorlds()).map(([id, { title }]) => ({ id, title }));
    /** @type {ListedWorld[]} */
    const worlds = answer.worlds ?? own.reverse();
    // the button that had the focus goes with its row
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...worlds.map(row));
    if (hadFocus) find("worlds-run-on", HTMLInputElement).focus();
  };

  /** @param {ListedWorld} world */
  const row = (world) => {
    const here = world.id === place.world;
    const name = world.title || WORDS.untitled;
    const link = make("a", { href: worldAddress(world.id), target: "_blank", rel: "noopener" }, name);
    if (here) link.setAttribute("aria-current", "page");
    const about = world.generation === undefined ? "" : WORDS.worldIs(world.generation, world.tabs ?? 0, world.running ?? false, world.awake ?? false);
    const copy = make("button", { type: "button", class: "plain", "aria-label": `${WORDS.clone} ${name}` }, WORDS.clone);
    copy.addEventListener("click", () => clone(world));
    const compare = make("button", { type: "button", class: "plain", "aria-label": `${WORDS.compare} ${name}`, hidden: here }, WORDS.compare);
    compare.addEventListener("click", () => {
      paper.close();
      workbench.do(`compare ${world.id} ${knownWorlds()[world.id]?.key ?? ""}`.trim());
    });
    const close = make("button", { type: "button", class: "plain", "aria-label": `${WORDS.close} ${name}`, hidden: here }, WORDS.close);
    close.addEventListener("click", () => closeWorld(world));
    return make("li", { class: "world-row" }, link, make("span", { class: "hint" }, about), make("span", { class: "world-buttons" }, compare, copy, close));
  };

  /**
   * @param {string} path
   * @param {string} id
   */
  const of = (path, id) => `${path}?${new URLSearchParams({ world: id, key: knownWorlds()[id]?.key ?? "" })}`;

  /** @param {ListedWorld} world */
  const clone = async (world) => {
    const answer = await ask(of("/world/clone", world.id), "POST");
    if (answer.error) return note.say(answer.error, { error: true });
    rememberWorld(answer.world, { key: answer.key, title: world.title });
    window.open(worldAddress(answer.world), "_blank", "noopener");
    return fill();
  };

  /** @param {ListedWorld} world */
  const closeWorld = async (world) => {
    const answer = await ask(of("/world/close", world.id), "POST");
    if (answer.error) return note.say(answer.error, { error: true });
    const known = knownWorlds()[world.id];
    forgetWorld(world.id);
    await fill();
    const undo = make("button", { type: "button", class: "plain" }, WORDS.undo);
    undo.addEventListener("click", async () => {
      await ask(`/world/reopen?${new URLSearchParams({ world: world.id, key: known?.key ?? "" })}`, "POST");
      if (known) rememberWorld(world.id, known);
      rememberWorld(place.world, {});
      fill();
    });
    list.prepend(make("li", { class: "world-row" }, make("span", {}, WORDS.worldClosed(world.title || WORDS.untitled)), undo));
    undo.focus();
    return undefined;
  };
}

let remembered = "";

/** @param {string} title of this page's world */
function rememberTitle(title) {
  if (title === remembered) return;
  remembered = title;
  rememberWorld(place.world, { title });
}

/**
 * Says that there is no such world, and shows the ways on.
 * @param {string} why
 */
export function showNoWorld(why) {
  const top = find("top", HTMLElement);
  for (const part of [...top.children]) if (!part.matches(".brand, .rooms")) part.remove();
  for (const part of [...document.body.children]) if (part !== top && !part.matches("svg")) part.remove();
  document.body.append(
    make(
      "main",
      { class: "no-world" },
      make("h1", {}, WORDS.noWorld),
      make("p", {}, why),
      make("p", {}, make("a", { href: `${roomAddress("/")}?new=1` }, WORDS.newWorld), " · ", make("a", { href: roomAddress("/") }, WORDS.lastWorld)),
    ),
  );
}

// What can be done with a position and a game: a link, a file, a new game, the workbench.

import { toClipboard } from "../clipboard.js";
import { find, make } from "../element.js";
import { hand } from "../file.js";
import { packed } from "../room/link.js";
import { LONGEST_LINK } from "./source.js";

/** @import { Shell } from "../room/shell.js" */
/** @import { Film } from "./film.js" */
/** @import { Source } from "./source.js" */

/**
 * @param {Shell} shell
 * @param {() => {film: Film, source: Source} | null} shown
 */
export function startActs(shell, shown) {
  const answer = find("acts-answer", HTMLElement);
  /**
   * @param {string} id
   * @param {(film: Film, source: Source) => unknown} act
   */
  const button = (id, act) => {
    find(id, HTMLButtonElement).addEventListener("click", async () => {
      const now = shown();
      if (!now) return;
      answer.replaceChildren();
      try {
        await act(now.film, now.source);
      } catch (error) {
        answer.replaceChildren(make("p", { class: "error" }, error instanceof Error ? error.message : String(error)));
      }
    });
  };
  button("link", async (film, source) => {
    const link = await linkTo(film, source);
    const isCopied = await toClipboard(link);
    const field = make("input", { readonly: true, value: link, "aria-label": "the link" });
    answer.replaceChildren(field);
    field.select();
    shell.say(isCopied ? "the link is in the clipboard" : "copy the link from its field");
  });
  button("save", (film) => {
    if (!film.game.text) throw new Error("the game is too long to be saved from here: its file has it");
    const [first, second] = film.game.players;
    const name = `${first}-${second}`.replaceAll(/[^\w.-]+/g, "_").slice(0, 60);
    hand(new Blob([film.game.text]), `${name}.replay`);
  });
  // the room play asks who sits where
  button("play-on", (film) => {
    const { game, turns } = film.game;
    const handed = new URLSearchParams({ game, turns: turns.slice(0, film.at).join(" ") });
    location.assign(`/play#${handed}`);
  });
  button("to-worlds", (film) => toWorkbench(film, answer, false));
}

/**
 * An address that shows this position to whoever opens it.
 * @param {Film} film
 * @param {Source} source
 */
async function linkTo(film, source) {
  const ply = `ply=${film.at}`;
  if (source.path) return new URL(`${source.path}#${ply}`, location.href).href;
  const short = film.game.text ? await packed(film.game.text) : null;
  if (!short || short.length > LONGEST_LINK) {
    throw new Error("the game is too long for a link: send its file");
  }
  return new URL(`/replays#${ply}&r=${short}`, location.href).href;
}

/**
 * A position as a pattern: both seats' cells as the two colours of Immigration, which is Life
 * with colours. What the game adds to that rule, the workbench does not know.
 * @param {Film} film
 */
export function patternOf(film) {
  const diagram = film.diagram(0);
  if (!diagram) return "";
  const width = diagram.columns.length;
  /** @type {Record<string, string>} */
  const signs = { ".": ".", 1: "A", 2: "B" };
  const rows = diagram.rows.map((_, row) => {
    const cells = diagram.cells.slice(row * width, (row + 1) * width);
    return cells.replaceAll(/([.12])\1*/g, (run) => (run.length > 1 ? run.length : "") + signs[run[0]]);
  });
  const [first, second] = film.game.players;
  const comment = `#C ${film.game.game}, ply ${film.at}: A is ${first}, B is ${second}`.replaceAll(/[^\x20-\x7e]/g, "?");
  return `${comment}\nx = ${width}, y = ${rows.length}, rule = Immigration\n${rows.join("$\n")}!\n`;
}

/**
 * @param {Film} film
 * @param {HTMLElement} answer
 * @param {boolean} anyway
 */
async function toWorkbench(film, answer, anyway) {
  const query = new URLSearchParams({ name: `ply ${film.at}.rle` });
  if (anyway) query.set("anyway", "1");
  const response = await fetch(`/open?${query}`, { method: "POST", body: patternOf(film) });
  const told = await response.json();
  if (told.ok) {
    location.assign("/");
    return;
  }
  if (!told.ask) throw new Error([told.error, told.hint].filter(Boolean).join(" – "));
  const yes = make("button", { type: "button", click: () => toWorkbench(film, answer, true) }, told.ask.yes);
  const no = make("button", { type: "button", class: "plain", click: () => answer.replaceChildren() }, "leave it");
  answer.replaceChildren(make("div", { class: "question" }, make("p", {}, told.ask.question), make("div", { class: "row" }, yes, no)));
  yes.focus();
}

// What is it: the card of the selection, or of all cells. The server looks and sends a line each
// half second; who stops reading ends it.

import { find, make, write } from "./element.js";
import { whole } from "./number.js";
import { WORDS } from "./words.js";
import { addressOf } from "./world-address.js";

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { Drawer } from "./drawer.js" */
/** @import { Note } from "./note.js" */
/** @import { Overlay } from "./overlay.js" */
/** @import { IdentificationCard, Look, PeriodMap } from "./types.js" */
/** @import { Workbench } from "./workbench.js" */

/** The picture of a map is this wide at most, in pixels. */
const WIDEST = 264;

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {Drawer} drawer
 * @param {Note} note
 * @param {Overlay} overlay
 */
export function startIdentify(workbench, commands, drawer, note, overlay) {
  const begin = find("identify-begin", HTMLButtonElement);
  const progress = find("identify-progress", HTMLElement);
  const text = find("identify-progress-text", HTMLElement);
  const answer = find("identify-answer", HTMLElement);
  /** @type {AbortController | null} */
  let underWay = null;

  const lay = (/** @type {PeriodMap | null} */ map) => {
    overlay.periods = map;
    overlay.sheet.later();
  };
  const fail = (/** @type {string} */ error) => answer.replaceChildren(make("span", { class: "error" }, error));
  const identify = async () => {
    underWay?.abort();
    const mine = new AbortController();
    underWay = mine;
    lay(null);
    answer.replaceChildren();
    progress.hidden = false;
    write(text, WORDS.identifyBegins);
    try {
      const response = await fetch(addressOf("/identify.jsonl"), { signal: mine.signal });
      if (!response.ok || !response.body) {
        const { error } = await response.json().catch(() => ({ error: WORDS.offline }));
        return fail(error);
      }
      for await (const line of linesOf(response.body)) {
        if (line.generation !== undefined) write(text, WORDS.identifyAt(whole(String(line.generation))));
        if (line.error !== undefined) fail(line.error);
        if (line.card) show(line.card);
      }
    } catch {
      if (!mine.signal.aborted) fail(WORDS.offline);
    } finally {
      if (underWay === mine) {
        underWay = null;
        progress.hidden = true;
      }
    }
    return undefined;
  };
  const show = (/** @type {IdentificationCard} */ card) => {
    const parts = [make("h3", { tabindex: "-1" }, card.title)];
    const rows = card.rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, valueOf(name, value))]);
    const list = make("dl", { class: "facts" }, ...rows);
    answer.replaceChildren(...parts, list);
    if (card.map) answer.append(pictureOf(card.map));
    if (card.objects.length > 0) answer.append(listOf(card.objects));
  };
  const valueOf = (/** @type {string} */ name, /** @type {string} */ value) => {
    if (name === "apgcode") return copying(value);
    if (name !== "in the library") return value;
    return make("button", { type: "button", class: "plain", translate: "no", click: () => void commands.perform(`open ${value}`) }, value);
  };
  const copying = (/** @type {string} */ code) =>
    make(
      "button",
      {
        type: "button",
        class: "plain code",
        title: WORDS.copyCode,
        click: async () => {
          await navigator.clipboard?.writeText(code);
          note.say(WORDS.copied);
        },
      },
      code,
    );
  const listOf = (/** @type {IdentificationCard["objects"]} */ objects) =>
    make(
      "ul",
      { class: "bookmarks" },
      ...objects.map(({ code, name, count }) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", class: "plain", title: WORDS.pasteObject, click: () => void commands.perform(`paste ${code}`) },
            make("span", {}, name ?? code),
            make("span", { class: "hint" }, whole(String(count))),
          ),
        ),
      ),
    );
  const pictureOf = (/** @type {PeriodMap} */ map) => {
    const counts = new Map();
    for (const period of map.periods) if (period > 0) counts.set(period, (counts.get(period) ?? 0) + 1);
    const legend = [...counts].sort(([a], [b]) => a - b).map(([period, cells]) => WORDS.cellsOfPeriod(period, cells));
    const canvas = make("canvas", { class: "period-map", role: "img", "aria-label": WORDS.periodMap(legend.join(", ")) });
    const scale = Math.max(1, Math.min(12, Math.floor(WIDEST / map.width)));
    canvas.width = map.width * scale;
    canvas.height = map.height * scale;
    const context = canvas.getContext("2d");
    const theme = workbench.look?.theme;
    if (context && theme) drawPeriods(context, map, theme, (x, y) => [x * scale, y * scale, scale, scale]);
    const over = make("input", { type: "checkbox", id: "identify-over", change: () => lay(over.checked ? map : null) });
    return make("div", {}, canvas, make("p", { class: "hint" }, legend.join(", ")), make("label", { class: "choice" }, over, make("span", {}, WORDS.layOver)));
  };

  const open = () => {
    drawer.show("world", false);
    begin.scrollIntoView({ block: "nearest" });
    void identify();
  };
  begin.addEventListener("click", () => void identify());
  find("identify-stop", HTMLButtonElement).addEventListener("click", () => underWay?.abort());
  find("identify-selection", HTMLButtonElement).addEventListener("click", open);
  find("library-find", HTMLButtonElement).addEventListener("click", open);
  return { open };
}

/**
 * Fills the cells of a map: grey where nothing changes, the stronger the longer the period.
 * @param {CanvasRenderingContext2D} context
 * @param {PeriodMap} map
 * @param {Look["theme"]} theme
 * @param {(x: number, y: number) => [number, number, number, number]} boxOf
 */
export function drawPeriods(context, map, theme, boxOf) {
  const ranks = [...new Set(map.periods)].filter((period) => period > 1).sort((a, b) => a - b);
  context.save();
  for (const [at, period] of map.periods.entries()) {
    if (period === 0) continue;
    context.fillStyle = period === 1 ? theme.pencil : theme.accent;
    context.globalAlpha = period === 1 ? 0.5 : 0.35 + (0.6 * (ranks.indexOf(period) + 1)) / ranks.length;
    context.fillRect(...boxOf(at % map.width, Math.floor(at / map.width)));
  }
  context.restore();
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
 * @returns {AsyncGenerator<{generation?: number, card?: IdentificationCard, error?: string}>}
 */
async function* linesOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

// Files: opening by button and by drop, saving, the name in the top bar.

import { downloadBlob } from "./download.js";
import { find, make, write } from "./element.js";
import { pictureExtent, startFilm } from "./film.js";
import { popover } from "./popover.js";
import { showQuestion } from "./question.js";
import { startDrop } from "./shared/drop.js";
import { request, saveLinked } from "./shared/server.js";
import { WORDS } from "./words.js";
import { addressOf } from "./world-address.js";
import { setLabel } from "./translation.js";

/** @import { CommandHandlers } from "./command-handlers.js" */
/** @import { Workbench } from "./workbench.js" */
/** @import { Note } from "./note.js" */
/** @import { FormatOffer, Reply } from "./types.js" */

export { downloadBlob };

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {Note} note
 */
export function startFiles(workbench, commands, note) {
  startTitle(workbench);
  startOpening(workbench, commands);
  startSaving(workbench, commands, note);
  startFilm(workbench, note);
}

/** @param {Workbench} workbench */
function startTitle(workbench) {
  const title = find("title", HTMLButtonElement);
  const dot = find("unsaved", HTMLElement);
  const form = find("title-form", HTMLFormElement);
  const input = find("title-text", HTMLInputElement);
  workbench.on("status", (status) => {
    const name = status.title || WORDS.untitled;
    write(find("title-words", HTMLElement), name);
    dot.hidden = !status.unsaved;
    setLabel(title, "title", status.unsaved ? WORDS.unsaved : "");
    const shown = `${status.unsaved ? "\u2022 " : ""}${name} \u2013 gridpaper`;
    if (document.title !== shown) document.title = shown;
  });
  const close = (/** @type {boolean} */ back) => {
    form.hidden = true;
    title.hidden = false;
    if (back) title.focus();
  };
  title.addEventListener("click", () => {
    form.hidden = false;
    title.hidden = true;
    input.value = workbench.status?.name || workbench.status?.title || "";
    input.focus();
    input.select();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    workbench.do(`name ${input.value.trim()}`.trimEnd());
    close(true);
  });
  input.addEventListener("blur", () => close(false));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close(true);
  });
  // The server keeps everything; only when it cannot be reached would something be lost.
  window.addEventListener("beforeunload", (event) => {
    if (!workbench.online && workbench.status?.unsaved) event.preventDefault();
  });
}

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 */
function startOpening(workbench, commands) {
  const chooser = find("chooser", HTMLInputElement);
  commands.handle("open", () => chooser.click());
  // The keys are the sheet's again, so that Space does not open the same once more.
  const focusSheet = () => find("sheet", HTMLElement).focus({ preventScroll: true });
  chooser.addEventListener("cancel", focusSheet);
  workbench.on("reply", ({ command, reply }) => {
    const isTyping = document.activeElement?.matches("input:not([type=file]), textarea, select");
    if (reply.ok && /^(anyway )?open\b/.test(command) && !isTyping) focusSheet();
  });
  chooser.addEventListener("change", () => {
    take(workbench, [...(chooser.files ?? [])]);
    chooser.value = "";
  });
  // Text that is dragged into a text box is the box's own.
  const carries = (/** @type {DragEvent} */ event) => {
    const types = event.dataTransfer?.types ?? [];
    const inBox = event.target instanceof Element && event.target.matches("input, textarea");
    return types.includes("Files") || (types.includes("text/plain") && !inBox);
  };
  startDrop(carries, (files, text) => {
    if (files.length > 0) take(workbench, files);
    else if (text.trim()) workbench.do(`open ${text}`);
  });
}

/**
 * Sends a file, and the settings that were dropped along with it.
 * @param {Workbench} workbench
 * @param {File[]} files
 */
export async function take(workbench, files) {
  const file = files.find(({ name }) => !name.endsWith(".toml")) ?? files[0];
  if (!file) return;
  const beside = files.find(({ name }) => name === `${file.name}.toml`) ?? files.find((other) => other !== file && other.name.endsWith(".toml"));
  const query = new URLSearchParams({ name: file.name });
  if (beside) query.set("sidecar", await beside.text());
  const tab = workbench.welcome?.tab;
  if (tab !== undefined) query.set("tab", String(tab));
  const send = async (/** @type {boolean} */ anyway) => {
    if (anyway) query.set("anyway", "1");
    const reply = await post(addressOf("/open", query), file);
    if (reply.ask && !anyway) {
      // The answer yes sends the file again: a command could not carry it.
      showQuestion(reply.ask, () => send(true));
      return;
    }
    workbench.reportReply(`open ${file.name}`, reply, null);
  };
  await send(false);
}

/**
 * @param {string} address
 * @param {Blob} body
 * @returns {Promise<Reply>}
 */
async function post(address, body) {
  try {
    const response = await request(address, { method: "POST", body });
    const answer = await response.json();
    const reply = answer.reply ?? answer;
    return { ...reply, ok: reply.ok ?? response.ok };
  } catch {
    return { ok: false, error: WORDS.openFailed, hint: WORDS.offline };
  }
}

/**
 * @param {Workbench} workbench
 * @param {CommandHandlers} commands
 * @param {Note} note
 */
function startSaving(workbench, commands, note) {
  const form = find("save-form", HTMLFormElement);
  const name = find("save-name", HTMLInputElement);
  const format = find("save-format", HTMLSelectElement);
  const answer = find("save-answer", HTMLElement);
  /** @type {FormatOffer[]} */
  let offers = [];
  const losses = find("save-losses", HTMLElement);
  const chosen = () => offers.find((offer) => offer.name === format.value);
  const showLosses = () => {
    const left = chosen()?.losses ?? [];
    write(losses, WORDS.leavesOut(format.value, left));
    losses.hidden = left.length === 0;
  };
  /** Offers what can hold the world as it is now, and says why the others cannot. */
  const showFormats = async () => {
    const response = await request(addressOf("/formats.json")).catch(() => null);
    if (!response?.ok) return;
    offers = await response.json();
    const before = format.value;
    const able = offers.filter((offer) => offer.refusal === null);
    format.replaceChildren(...able.map((offer) => make("option", { value: offer.name, selected: offer.name === before }, labelOf(offer))));
    const refused = offers.filter((offer) => offer.refusal !== null);
    find("save-refusals", HTMLElement).replaceChildren(...refused.map((offer) => make("li", {}, `${offer.name}: ${offer.refusal}`)));
    find("save-refused", HTMLElement).hidden = refused.length === 0;
    showLosses();
  };
  format.addEventListener("change", showLosses);
  const paper = popover(find("save", HTMLButtonElement), form, () => {
    void showFormats();
    name.value = (workbench.status?.title || WORDS.untitled).replace(/\.[a-z0-9]{1,5}(\.gz)?$/i, "");
    answer.replaceChildren();
    name.select();
  });
  commands.handle("save", paper.open);
  const folder = find("save-folder", HTMLButtonElement);
  folder.addEventListener("click", async () => {
    const ending = chosen()?.extension ?? "txt";
    const plain = name.value.trim() || WORDS.untitled;
    const full = plain.endsWith(`.${ending}`) ? plain : `${plain}.${ending}`;
    const reply = await workbench.do(`save ${full} as ${format.value}`, { at: answer });
    if (reply.ok) paper.close();
  });
  workbench.on("welcome", (welcome) => {
    folder.hidden = !welcome.folder;
    if (format.options.length > 0) return;
    format.replaceChildren(...welcome.formats.map((entry) => make("option", { value: entry.name, selected: entry.name === "rle" }, labelOf(entry))));
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const query = new URLSearchParams({ format: format.value, name: name.value.trim() || WORDS.untitled });
    const tab = workbench.welcome?.tab;
    if (tab !== undefined) query.set("tab", String(tab));
    try {
      const response = await request(addressOf("/save", query));
      if (!response.ok) {
        const body = await response.json().catch(() => ({ error: WORDS.saveFailed }));
        note.answer({ ...(body.reply ?? body), ok: false }, answer);
        return;
      }
      const saved = nameOf(response) ?? `${name.value}.${format.value}`;
      downloadBlob(await response.blob(), saved);
      query.set("sidecar", "1");
      const beside = await request(addressOf("/save", query));
      if (beside.ok && beside.status !== 204) downloadBlob(await beside.blob(), nameOf(beside) ?? `${saved}.toml`);
      const lost = response.headers.get("x-gridpaper-note");
      paper.close();
      note.say([WORDS.saved(saved), lost].filter(Boolean).join(" \u2013 "));
    } catch {
      note.answer({ ok: false, error: WORDS.saveFailed, hint: WORDS.offline }, answer);
    }
  });
  for (const link of form.querySelectorAll("a[data-picture]")) {
    link.addEventListener("click", (event) => {
      const kind = /** @type {HTMLAnchorElement} */ (link).dataset.picture;
      const address = addressOf(`/picture.${kind}`, { tab: String(workbench.welcome?.tab ?? 0), ...pictureExtent() });
      saveLinked(/** @type {MouseEvent} */ (event), address, `${name.value.trim() || WORDS.untitled}.${kind}`);
      paper.close();
    });
  }
}

/** @param {{name: string, extension: string | null}} format */
function labelOf({ name, extension }) {
  return extension ? `${name} (.${extension})` : name;
}

/** @param {Response} response */
function nameOf(response) {
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition);
  if (encoded) return decodeURIComponent(encoded[1]);
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? null;
}

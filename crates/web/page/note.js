// The quiet line: what happened, what went wrong, and a way back. An answer that belongs to a
// form is written there instead.

import { find, make, write } from "./element.js";
import { showQuestion, withdrawQuestion } from "./question.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Reply } from "./types.js" */

const STAYS = 7000;
const ERROR_STAYS = 14000;

export class Note {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {{text: string, error: boolean}[]} past notifications, newest first */
  said = [];
  /** @type {(() => void)[]} */
  #listeners = [];

  /** @param {Workbench} workbench */
  constructor(workbench) {
    this.workbench = workbench;
    this.line = find("note", HTMLElement);
    this.words = find("note-words", HTMLElement);
    this.button = find("note-undo", HTMLButtonElement);
    this.shut = find("note-close", HTMLButtonElement);
    this.shut.addEventListener("click", () => this.hide());
    this.button.addEventListener("click", () => this.hide());
    for (const kind of ["pointerenter", "focusin"]) this.line.addEventListener(kind, () => clearTimeout(this.#timer));
    for (const kind of ["pointerleave", "focusout"]) this.line.addEventListener(kind, () => this.#leave(STAYS));
    workbench.on("reply", ({ reply, at }) => this.answer(reply, at));
    workbench.on("error", (error) => this.say(error, { error: true }));
    let lastNote = "";
    workbench.on("welcome", ({ note }) => {
      if (note && note !== lastNote) this.say(note);
      lastNote = note ?? "";
    });
    let offline = false;
    workbench.on("online", (online) => {
      document.body.toggleAttribute("data-offline", !online);
      if (!online) this.say(WORDS.offline, { error: true, stays: true });
      else if (offline) this.say(WORDS.online);
      offline = !online;
    });
    let message = "";
    let changes = "";
    workbench.on("status", (status) => {
      // another tab may edit the world meanwhile
      const now = JSON.stringify(status.changes);
      if (now !== changes) withdrawQuestion();
      changes = now;
      if (status.message && status.message !== message) this.say(status.message, { error: true });
      message = status.message ?? "";
    });
  }

  /** @param {() => void} listener */
  onSaid(listener) {
    this.#listeners.push(listener);
  }

  /**
   * @param {Reply} reply
   * @param {HTMLElement | null} at
   */
  answer(reply, at) {
    // An empty place takes no room itself: whether it can be seen, what is around it says.
    const place = at?.parentElement && at.parentElement.getClientRects().length > 0 ? at : null;
    if (place) place.replaceChildren();
    if (reply.ok) {
      if (reply.note) this.say(reply.note, { undo: reply.undo });
      else if (this.line.classList.contains("is-error") && this.workbench.online) this.hide();
    } else if (reply.ask) {
      const { ask } = reply;
      showQuestion(ask, () => this.workbench.do(ask.command, { at: place }));
    } else if (place) {
      const parts = [make("span", { class: "error" }, reply.error ?? "")];
      if (reply.hint) parts.push(make("span", { class: "hint" }, reply.hint));
      place.append(...parts);
      this.#keep(reply.error ?? "", true);
    } else {
      this.say([reply.error, reply.hint].filter(Boolean).join(" \u2013 "), { error: true });
    }
  }

  /**
   * @param {string} text
   * @param {{undo?: boolean, error?: boolean, stays?: boolean}} [how]
   */
  say(text, how = {}) {
    clearTimeout(this.#timer);
    // Shown first: a screen reader tells of changes only in what can be seen.
    this.line.hidden = false;
    write(this.words, text);
    this.line.classList.toggle("is-error", how.error ?? false);
    this.button.hidden = !how.undo;
    this.#keep(text, how.error ?? false);
    if (!how.stays) this.#leave(how.error ? ERROR_STAYS : STAYS);
  }

  hide() {
    clearTimeout(this.#timer);
    this.line.hidden = true;
  }

  /** @param {number} after */
  #leave(after) {
    clearTimeout(this.#timer);
    if (this.line.matches(":hover, :focus-within") || !this.workbench.online) return;
    this.#timer = setTimeout(() => this.hide(), after);
  }

  /**
   * @param {string} text
   * @param {boolean} error
   */
  #keep(text, error) {
    this.said.unshift({ text, error });
    this.said.length = Math.min(this.said.length, 60);
    for (const listener of this.#listeners) listener();
  }
}

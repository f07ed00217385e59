// Where the page is put together.

import { Acts } from "./act.js";
import { Bench } from "./bench.js";
import { startClipboard } from "./clipboard.js";
import { startColony } from "./colony.js";
import { startCursor } from "./cursor.js";
import { Drawer } from "./drawer.js";
import { find } from "./element.js";
import { startFiles } from "./file.js";
import { startHelp } from "./help.js";
import { startHistory } from "./history.js";
import { Keys } from "./keys.js";
import { startLibrary } from "./library.js";
import { Note } from "./note.js";
import { Overlay } from "./overlay.js";
import { Placing } from "./placing.js";
import { startPlot } from "./plot.js";
import { Pointer } from "./pointer.js";
import { startPrompt } from "./prompt.js";
import { startRule } from "./rule.js";
import { startSelection } from "./selection.js";
import { startSettings } from "./settings.js";
import { startRooms } from "./room/rooms.js";
import { startAddress, startShare } from "./share.js";
import { Sheet } from "./sheet.js";
import { startTheme } from "./theme.js";
import { startTools } from "./tools.js";
import { startTransport } from "./transport.js";
import { startWelcome } from "./welcome.js";

const element = find("sheet", HTMLElement);
const socket = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`;
const canvas = new URLSearchParams(location.search).get("canvas");

const bench = new Bench(socket);
startTheme(bench);
const acts = new Acts(bench);
const note = new Note(bench);
const sheet = new Sheet(bench, element, canvas);
const placing = new Placing(bench, sheet);
const overlay = new Overlay(bench, sheet, placing);
const pointer = new Pointer(bench, sheet, overlay, placing, note);
const keys = new Keys(bench, acts, element);
const drawer = new Drawer();
const help = startHelp(bench);
const prompt = startPrompt(bench, acts, element);

startRooms();
startTransport(bench, element);
startTools(bench);
startSelection(bench, sheet, overlay);
startLibrary(bench, drawer);
startColony(bench, drawer);
startRule(bench, drawer);
startSettings(bench);
startPlot(bench, drawer);
startHistory(bench, note);
startFiles(bench, acts, note);
startClipboard(bench, acts, note, overlay, placing);
startShare(note);
startCursor(bench, sheet, keys, placing);
startWelcome(element);
startAddress(bench);

acts.unfinished = prompt.open;
acts.own("help", help.open);
acts.own("zoom in", () => pointer.zoom(true));
acts.own("zoom out", () => pointer.zoom(false));
acts.own("library", () => drawer.show("library"));
acts.own("goto", () => find("generation-button", HTMLButtonElement).click());
acts.own("rule", () => {
  drawer.show("rule", false);
  find("rule-text", HTMLInputElement).select();
});
acts.own("resize", () => drawer.show("colony"));
acts.own("name", () => find("title", HTMLButtonElement).click());

keys.first("?", () => (help.open(), true));
keys.first(":", () => (prompt.open(""), true));
keys.first("/", () => (prompt.open(""), true));
keys.first("F6, Shift-F6", (event) => (nextPart(event.shiftKey ? -1 : 1), true));
keys.space({
  down: () => {
    pointer.space = true;
    pointer.spaceUsed = false;
  },
  up: () => {
    const unused = pointer.space && !pointer.spaceUsed;
    pointer.space = false;
    return unused;
  },
});

/**
 * From one part of the page to the next.
 * @param {number} step
 */
function nextPart(step) {
  const parts = [element, find("transport", HTMLElement), drawer.element, find("top", HTMLElement), find("tools", HTMLElement)].filter(
    (part) => part === element || (!part.inert && part.getClientRects().length > 0),
  );
  const now = parts.findIndex((part) => part.contains(document.activeElement));
  const next = parts[(now + step + parts.length) % parts.length];
  const first = next === element ? next : next.querySelector("button:not([disabled], [hidden], [tabindex='-1'])");
  if (first instanceof HTMLElement) first.focus();
}

element.focus({ preventScroll: true });
bench.connection.open();

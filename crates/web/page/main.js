// Entry point of the workbench page.

import { CommandHandlers } from "./command-handlers.js";
import { Workbench } from "./workbench.js";
import { startClipboard } from "./clipboard.js";
import { startWorld } from "./world.js";
import { startComparison } from "./comparison.js";
import { startCursor } from "./cell-cursor.js";
import { Drawer } from "./drawer.js";
import { find } from "./element.js";
import { Finger } from "./finger.js";
import { startFiles } from "./file.js";
import { startHelp } from "./help.js";
import { startHistory } from "./history.js";
import { startIdentify } from "./identify.js";
import { Keys } from "./keys.js";
import { startLibrary } from "./library.js";
import { Note } from "./note.js";
import { Overlay } from "./overlay.js";
import { PastePlacement } from "./paste-placement.js";
import { startPalette } from "./palette.js";
import { startPlot } from "./plot.js";
import { Pointer } from "./pointer.js";
import { startPrompt } from "./prompt.js";
import { startPrint } from "./print.js";
import { startRule } from "./rule.js";
import { startSelection } from "./selection.js";
import { startSelectionSearch } from "./selection-search.js";
import { startSettings } from "./settings.js";
import { startNavigation } from "./shared/navigation.js";
import { askedOf, roomAddress } from "./shared/server.js";
import { startAddress, startShare } from "./share.js";
import { Sheet } from "./sheet.js";
import { startTheme } from "./theme.js";
import { startTimeline } from "./timeline.js";
import { startTools } from "./tools.js";
import { startTransport } from "./transport.js";
import { startWelcome } from "./welcome.js";
import { addressOf, findLostWorld, findWorld, place } from "./world-address.js";
import { showNoWorld, startWorlds } from "./worlds.js";

const element = find("sheet", HTMLElement);
const asked = askedOf();
const canvas = asked.get("canvas");
const missing = await findWorld();
if (missing !== null) {
  showNoWorld(missing);
  throw new Error(missing);
}

const workbench = new Workbench(addressOf("/live"));
startTheme(workbench);
const commands = new CommandHandlers(workbench);
const note = new Note(workbench);
const sheet = new Sheet(workbench, element, canvas);
const placement = new PastePlacement(workbench, sheet, note);
const overlay = new Overlay(workbench, sheet, placement);
const pointer = new Pointer(workbench, sheet, overlay, placement, note, new Finger(workbench));
const keys = new Keys(workbench, commands, element);
const drawer = new Drawer();
const help = startHelp(workbench);
const prompt = startPrompt(workbench, commands, element);
const identify = startIdentify(workbench, commands, drawer, note, overlay);
const searches = startSelectionSearch(workbench, commands, note);
const palette = startPalette(workbench, commands, drawer, identify, searches);

startNavigation();
startTransport(workbench, element);
startTools(workbench);
startSelection(workbench, sheet, overlay);
startLibrary(workbench, drawer);
startWorld(workbench, drawer);
startRule(workbench, drawer);
startSettings(workbench);
startPlot(workbench, drawer);
startHistory(workbench, note);
startTimeline(workbench, drawer);
startFiles(workbench, commands, note);
startClipboard(workbench, commands, note, overlay, placement);
startShare(note);
startWorlds(workbench, note);
startComparison(workbench);
startCursor(workbench, sheet, keys, placement);
startPrint(workbench, keys, note);
startWelcome(workbench, element, asked);
startAddress(workbench, asked);
workbench.on("online", async (online) => {
  const missing = online ? null : await findLostWorld();
  if (missing === null) return;
  workbench.connection.end();
  showNoWorld(missing);
});

commands.unfinished = prompt.open;
commands.handle("help", help.open);
commands.handle("zoom in", () => pointer.zoom(true));
commands.handle("zoom out", () => pointer.zoom(false));
commands.handle("library", () => drawer.show("library"));
commands.handle("goto", () => find("generation-button", HTMLButtonElement).click());
for (const command of ["rotate left", "rotate right", "rotate half", "mirror horizontal", "mirror vertical"]) {
  commands.handle(command, (options) => (placement.active ? placement.turn(command) : workbench.do(command, options)));
}
commands.handle("rule", () => {
  drawer.show("rule", false);
  const field = find("rule-text", HTMLInputElement);
  field.focus();
  field.select();
});
commands.handle("resize", () => drawer.show("world"));
commands.handle("name", () => find("title", HTMLButtonElement).click());

keys.first("?", () => (help.open(), true));
keys.first("Ctrl-K", () => (void palette.open(), true));
keys.first("i", () => (identify.open(), true));
keys.first("Shift-I", () => (location.assign(`${roomAddress("/census")}?${new URLSearchParams({ rule: workbench.status?.rule ?? "" })}`), true));
keys.first("Shift-S", () => {
  drawer.show("world", false);
  const first = find("identify", HTMLElement).querySelector("[data-do^=search]");
  if (first instanceof HTMLElement) first.focus();
  return true;
});
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

document.body.toggleAttribute("data-watching", place.rights === "watch");
element.focus({ preventScroll: true });
workbench.connection.open();

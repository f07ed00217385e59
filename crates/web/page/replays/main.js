// The replays page: recorded games, shown turn by turn.

import { errorWords } from "../shared/page-socket.js";
import { find, make, write } from "../element.js";
import { startShell } from "../shared/shell.js";
import { startActions } from "./actions.js";
import { Playback } from "./playback.js";
import { readReplays, sourceFromAddress, startSources } from "./source.js";
import { Viewer, speedOf } from "./viewer.js";
import { setLabel } from "../translation.js";

/** @import { Source } from "./source.js" */

/** @type {{playback: Playback, source: Source} | null} */
let shown = null;
const playback = () => shown?.playback;
const viewer = new Viewer();

/** @param {number} plies */
const step = (plies) => () => playback()?.step(plies);
/** @param {number} rungs */
const changeSpeed = (rungs) => () => {
  speed.value = String(Number(speed.value) + rungs);
  setSpeed();
};

const shell = startShell({
  keys: [
    { keys: "Space", words: "play, or pause", group: "time", act: () => playback()?.toggle() },
    { keys: "Left", words: "a turn back", group: "time", act: step(-1) },
    { keys: "Right", words: "a turn on", group: "time", act: step(1) },
    { keys: "Shift-Left", words: "ten turns back", group: "time", act: step(-10) },
    { keys: "Shift-Right", words: "ten turns on", group: "time", act: step(10) },
    { keys: "Home", words: "to the start", group: "time", act: step(-Infinity) },
    { keys: "End", words: "to the end", group: "time", act: step(Infinity) },
    { keys: "+ or =", words: "quicker", group: "time", act: changeSpeed(5) },
    { keys: "-", words: "slower", group: "time", act: changeSpeed(-5) },
    { keys: "g", words: "go to a turn", group: "time", act: () => find("ply", HTMLInputElement).select() },
    { keys: "v", words: "both seats' views, or one", group: "boards", act: () => views() },
    { keys: "t", words: "turn the board to the other seat's view", group: "boards", act: () => turn() },
    { keys: "Ctrl-O", words: "open a replay", group: "file", act: () => find("chooser", HTMLInputElement).click() },
    { keys: "Ctrl-V", words: "show a replay's text from the clipboard", group: "file" },
    { keys: "n", words: "the next game of the file", group: "file", act: () => another(1) },
    { keys: "p", words: "the one before", group: "file", act: () => another(-1) },
  ],
});
startSources((source) => showGame(source, null));
startActions(shell, () => shown);

const speed = find("speed", HTMLInputElement);
const setSpeed = () => {
  const now = speedOf(Number(speed.value));
  write(find("speed-text", HTMLElement), `${now} turns/s`);
  setLabel(speed, "aria-valuetext", `${now} turns a second`);
  if (shown) shown.playback.speed = now;
};
speed.addEventListener("input", setSpeed);
setSpeed();

/**
 * @param {string} id
 * @param {() => void} act
 */
const press = (id, act) => find(id, HTMLButtonElement).addEventListener("click", act);
press("to-start", step(-Infinity));
press("ply-back", step(-1));
press("ply-on", step(1));
press("play", () => playback()?.toggle());
press("views", () => views());

const views = () => {
  viewer.both = !viewer.both;
  viewer.show();
};
const turn = () => {
  if (!viewer.hasViews) return;
  viewer.seat = viewer.seat === 0 ? 1 : 0;
  viewer.both = false;
  viewer.show();
};

const scrub = find("scrub", HTMLInputElement);
scrub.addEventListener("input", () => {
  playback()?.stop();
  playback()?.go(Number(scrub.value));
});
const ply = find("ply", HTMLInputElement);
ply.addEventListener("focus", () => ply.select());
find("goto", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = Number.parseInt(ply.value, 10);
  if (Number.isFinite(asked)) {
    playback()?.stop();
    playback()?.go(asked);
  }
  ply.blur();
});

/** @type {{games: any[], number: number}} */
let listed = { games: [], number: 0 };

/** @param {number} by */
function another(by) {
  if (!shown) return;
  const { games, number } = listed;
  for (let next = number + by; next >= 1 && next <= games.length; next += by) {
    if (!games[next - 1].error) {
      showGame(shown.source, next);
      return;
    }
  }
}

/** The latest request's number: answers to earlier requests are dropped. */
let asked = 0;

/**
 * Shows a game of a file.
 * @param {Source} source
 * @param {number | null} number
 * @param {number} [at] the ply
 */
async function showGame(source, number, at = 0) {
  const answer = find("source-answer", HTMLElement);
  const turn = ++asked;
  playback()?.stop();
  try {
    const contents = await readReplays(source, number);
    if (turn !== asked) return;
    answer.replaceChildren(...damageLines(contents));
    write(find("source-name", HTMLElement), source.name);
    showList(contents, source);
    if (!contents.shown) {
      shown = null;
      find("viewer", HTMLElement).hidden = true;
      return;
    }
    const playback = new Playback(contents.shown, () => viewer.show());
    shown = { playback, source };
    setSpeed();
    find("source-words", HTMLElement).hidden = true;
    find("paste-form", HTMLFormElement).hidden = true;
    find("paste-fold", HTMLButtonElement).setAttribute("aria-expanded", "false");
    find("acts-answer", HTMLElement).replaceChildren();
    viewer.take(playback);
    playback.go(at);
    shell.title(`${contents.shown.players[0]} – ${contents.shown.players[1]}`);
  } catch (error) {
    if (turn === asked) answer.replaceChildren(make("p", { class: "error" }, errorWords(error)));
  }
}

/**
 * What cannot be read of a file, with its place.
 * @param {any} contents
 */
function damageLines(contents) {
  const bad = contents.games.filter((/** @type {any} */ game) => game.error);
  const lines = bad.slice(0, 5).map((/** @type {any} */ game) =>
    make("p", { class: "error" }, `line ${game.line}, column ${game.column}: ${game.error}`),
  );
  if (bad.length > 5) lines.push(make("p", { class: "error" }, `and ${bad.length - 5} more that cannot be read`));
  if (contents.games.length === 0) lines.push(make("p", { class: "error" }, "there is no game in it"));
  if (contents.cut) lines.push(make("p", { class: "hint" }, `the first ${contents.games.length} games are listed`));
  if (bad.length > 0 && contents.shown) lines.push(make("p", { class: "hint" }, "what is good is shown"));
  return lines;
}

/**
 * @param {any} contents
 * @param {Source} source
 */
function showList(contents, source) {
  listed = { games: contents.games, number: contents.shown?.number ?? 0 };
  find("games", HTMLElement).hidden = contents.games.length < 2;
  if (contents.games.length < 2) return;
  write(find("games-title", HTMLElement), `${contents.games.length} games`);
  const items = contents.games.map((/** @type {any} */ game, /** @type {number} */ i) => {
    if (game.error) {
      return make("li", { class: "is-bad" }, make("span", { class: "error" }, `${i + 1}  line ${game.line}: ${game.error}`));
    }
    const open = () => showGame(source, i + 1);
    const current = i + 1 === listed.number ? "true" : null;
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", class: "plain game-line", click: open, "aria-current": current },
        make("span", { class: "ply-number" }, String(i + 1)),
        make("span", { class: "game-words" }, game.result),
        make("span", { class: "ply-time" }, `${game.turns} turns`),
      ),
    );
  });
  find("game-list", HTMLElement).replaceChildren(...items);
  // a list that scrolls shows where one is in it
  const list = find("game-list", HTMLElement);
  const current = list.querySelector("[aria-current]");
  if (current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

async function openLink() {
  const hash = new URLSearchParams(location.hash.slice(1));
  try {
    const source = await sourceFromAddress();
    if (source) await showGame(source, null, Number(hash.get("ply") ?? 0) || 0);
  } catch (error) {
    find("source-answer", HTMLElement).replaceChildren(make("p", { class: "error" }, errorWords(error)));
  }
}
addEventListener("hashchange", openLink);
openLink();

// <grid-paper>: a living world in any page.
//
//   <script type="module" src="grid-paper.js"></script>
//   <grid-paper src="gun.rle" autostart controls></grid-paper>
//   <grid-paper>bob$2bo$3o!</grid-paper>
//
// All elements of a page share one worker, which is started when the first of them is seen.

import { decode } from "./page/frame.js";
import { WorkerLink, worldOrder } from "./page/worker-link.js";
import { closer, farther, readZoom, writeZoom } from "./page/zoom.js";

/** What a world may hold, in MiB, where its element does not say. */
const MEMORY = 128;

/** The most. */
const MOST_MEMORY = 1024;
/** Frames that may be on their way. */
const CREDIT = 2;

const link = new WorkerLink(new URL("./page/", import.meta.url));
let lastWorld = 0;

const STYLE = `
:host { display: inline-block; inline-size: 100%; max-inline-size: 40rem; border: 1px solid var(--line, #c9c4b2); font: 14px system-ui, sans-serif; color: var(--text, #26323d); background: var(--sheet, #fbf8ef); }
:host([hidden]) { display: none; }
.sheet { position: relative; aspect-ratio: 4 / 3; }
canvas { display: block; inline-size: 100%; block-size: 100%; touch-action: none; cursor: grab; }
canvas:focus-visible, button:focus-visible { outline: 2px solid var(--accent, #1d5fa8); outline-offset: -2px; }
.bar:not([hidden]) { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; padding: 4px 6px; border-block-start: 1px solid var(--line, #c9c4b2); }
button { font: inherit; color: inherit; background: none; border: 1px solid transparent; border-radius: 4px; padding: 6px; min-inline-size: 32px; min-block-size: 32px; cursor: pointer; }
svg { display: block; inline-size: 18px; block-size: 18px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linejoin: round; }
button:hover { border-color: currentcolor; }
.facts { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.note { margin: 0; padding: 4px 8px; }
.note:empty { display: none; }
.voice { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const KEYS = /** @type {Record<string, string>} */ ({
  " ": "toggle",
  ".": "step",
  "+": "closer",
  "=": "closer",
  "-": "farther",
  f: "fit",
  Home: "back",
});

const BUTTONS = [
  ["back", "M5 4v12M16 4l-9 6 9 6z", "back to the start"],
  ["toggle", "M5 3l12 7-12 7z", "run"],
  ["step", "M4 4l9 6-9 6zM15 4v12", "one step"],
  ["farther", "M4 10h12", "farther"],
  ["closer", "M4 10h12M10 4v12", "closer"],
  ["fit", "M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5", "the whole pattern"],
];

const STOP = "M5 4h3v12H5zM12 4h3v12h-3z";

/** @param {string} path */
function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 20 20");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

export class GridPaper extends HTMLElement {
  static observedAttributes = ["src", "theme", "controls", "step", "speed", "pattern"];

  #world = 0;
  #number = 1;
  /** @type {Map<number, (reply: any) => void>} */
  #waiting = new Map();
  /** @type {any} */
  #status = null;
  /** @type {any} */
  #look = null;
  /** @type {import("./page/frame.js").Frame | null} */
  #frame = null;
  #isSeen = false;
  #isReady = false;
  #wasRunning = false;
  /** @type {Promise<void> | null} */
  #starting = null;
  /** @type {((reached: boolean) => void)[]} */
  #arrivals = [];
  #canvas = document.createElement("canvas");
  #facts = document.createElement("span");
  #note = document.createElement("p");
  #bar = document.createElement("div");
  #size = [0, 0];
  /** @type {Map<number, {x: number, y: number}>} */
  #fingers = new Map();
  #seen = new IntersectionObserver(([{ isIntersecting }]) => this.#see(isIntersecting), { rootMargin: "100px" });
  #resized = new ResizeObserver(() => this.#resize());

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    // not as an element: a strict page allows none in its styles
    root.adoptedStyleSheets = [style];
    const sheet = document.createElement("div");
    sheet.className = "sheet";
    sheet.append(this.#canvas);
    this.#canvas.tabIndex = 0;
    this.#canvas.setAttribute("role", "img");
    this.#canvas.setAttribute("aria-label", "a world");
    this.#bar.className = "bar";
    this.#bar.setAttribute("part", "bar");
    this.#facts.className = "facts";
    this.#note.className = "note";
    this.#note.setAttribute("role", "status");
    for (const [name, path, words] of BUTTONS) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.act = name;
      button.append(icon(path));
      button.title = words;
      button.setAttribute("aria-label", words);
      button.addEventListener("click", () => this.#act(name));
      this.#bar.append(button);
    }
    this.#bar.append(this.#facts);
    root.append(sheet, this.#bar, this.#note);
    this.#listen();
  }

  connectedCallback() {
    this.#bar.hidden = !this.hasAttribute("controls");
    this.#seen.observe(this);
    this.#resized.observe(this.#canvas);
  }

  disconnectedCallback() {
    this.#seen.disconnect();
    this.#resized.disconnect();
    if (this.#world) link.close(this.#world);
    this.#world = 0;
    this.#isReady = false;
    this.#starting = null;
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} value
   */
  attributeChangedCallback(name, before, value) {
    if (name === "controls") this.#bar.hidden = value === null;
    if (!this.#isReady || before === value) return;
    if ((name === "src" || name === "pattern") && value) void this.load(value);
    else this.#settings();
  }

  /** The generation, as a text: it may be of any length. */
  get generation() {
    return this.#status?.generation ?? "0";
  }

  get population() {
    return this.#status?.population ?? "0";
  }

  get rule() {
    return this.#status?.rule ?? "";
  }

  get running() {
    return Boolean(this.#status?.running);
  }

  /**
   * Opens a pattern: its address, or its text in any format that gridpaper reads, or the name of a
   * built-in one.
   * @param {string} pattern
   */
  async load(pattern) {
    await this.#start();
    const isAddress = /^[^\s$!]+\.[a-z0-9]{1,5}(\.gz)?([?#].*)?$/i.test(pattern.trim());
    // a name is a command; a text may be longer than one
    const isText = /[\n!$]/.test(pattern);
    const reply = isAddress ? await this.#fetched(pattern.trim()) : isText ? await this.#opened("pattern", pattern) : await this.#do(`anyway open ${pattern}`);
    if (!reply.ok) {
      this.#say([reply.error, reply.hint].filter(Boolean).join("; "));
      throw new Error(reply.error);
    }
    this.#say("");
    this.#settings();
    await this.#do("fit");
  }

  /** Runs on. */
  async run() {
    await this.#start();
    await this.#did("run");
  }

  /** Stops. */
  async stop() {
    await this.#start();
    await this.#did("stop");
  }

  /** @param {number | bigint | string} [generations] */
  async step(generations = 1) {
    await this.#start();
    const there = BigInt(this.generation) + BigInt(generations);
    await this.goto(there);
  }

  /**
   * Goes to a generation, and is there when the promise is kept.
   * @param {number | bigint | string} generation
   */
  async goto(generation) {
    await this.#start();
    await this.#did(`goto ${generation}`);
    const [base, power] = String(generation).split("^");
    const there = BigInt(base) ** BigInt(power ?? 1);
    if (BigInt(this.generation) !== there) await new Promise((resolve) => this.#arrivals.push(() => resolve(undefined)));
  }

  /** @param {string} command one of gridpaper's commands, as its prompt takes them */
  async command(command) {
    await this.#start();
    return this.#did(command);
  }

  /** @param {string} command */
  async #did(command) {
    const reply = await this.#do(command);
    if (!reply.ok) {
      this.#say([reply.error ?? reply.ask?.question, reply.hint].filter(Boolean).join("; "));
      throw new Error(reply.error ?? reply.ask?.question);
    }
    return reply.note ?? "";
  }

  /**
   * @param {string} command
   * @returns {Promise<any>}
   */
  #do(command) {
    const id = this.#number;
    this.#number += 1;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#tell({ do: command, id });
    });
  }

  /** @param {object} message */
  #tell(message) {
    if (this.#world) link.tell(this.#world, JSON.stringify(message));
  }

  /** @param {string} address */
  async #fetched(address) {
    try {
      const response = await fetch(new URL(address, this.baseURI));
      if (!response.ok) return { ok: false, error: `${address}: there is no such file (${response.status})` };
      const name = address.split(/[?#]/)[0].split("/").pop() ?? "";
      return await this.#opened(name, await response.arrayBuffer());
    } catch (error) {
      return { ok: false, error: `${address} cannot be read: ${error}` };
    }
  }

  /**
   * @param {string} name
   * @param {BodyInit} content
   */
  async #opened(name, content) {
    const query = new URLSearchParams({ name, anyway: "1" });
    const { bytes } = await link.ask(this.#world, `/open?${query}`, content);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  #start() {
    this.#starting ??= this.#open();
    return this.#starting;
  }

  async #open() {
    lastWorld += 1;
    const world = lastWorld;
    const problem = await link.problem();
    if (problem !== null) {
      this.#say(problem);
      throw new Error(problem);
    }
    this.#world = world;
    const memory = Math.min(Math.max(1, Math.round(Number(this.getAttribute("memory")) || MEMORY)), MOST_MEMORY);
    await link.ready(world, worldOrder(memory), null, {
      message: (message) => this.#receive(message),
      lost: () => this.#lost(),
    });
    this.#isReady = true;
    this.#size = [0, 0];
    this.#resize();
    this.#tell({ credit: CREDIT });
    this.#dark();
  }

  #lost() {
    this.#isReady = false;
    this.#starting = null;
    for (const resolve of this.#waiting.values()) resolve({ ok: false, error: "the world broke down" });
    this.#waiting.clear();
    this.#say("the world broke down: loading the page again brings it back");
  }

  /** The first time that it is seen, it begins; what nobody sees does not run. */
  #see(/** @type {boolean} */ isSeen) {
    if (isSeen === this.#isSeen) return;
    this.#isSeen = isSeen;
    if (!this.#starting) {
      if (isSeen) void this.#begin();
      return;
    }
    if (!this.#isReady) return;
    if (!isSeen) {
      this.#wasRunning = this.running;
      if (this.#wasRunning) void this.#do("stop");
    } else if (this.#wasRunning) void this.#do("run");
  }

  async #begin() {
    const own = this.getAttribute("src") ?? this.getAttribute("pattern") ?? this.#ownText();
    try {
      await this.#start();
      if (own) await this.load(own);
      const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (this.hasAttribute("autostart") && !isStill) await this.run();
    } catch {
      // it has said why
    }
  }

  /** The pattern that stands inside: in a script of a type of its own, in `pre`, or as plain text. */
  #ownText() {
    const inside = this.querySelector("script[type^='text/'], script[type^='application/'], pre") ?? this;
    return (inside.textContent ?? "").trim();
  }

  #settings() {
    const theme = this.getAttribute("theme");
    if (theme) void this.#do(`theme ${theme}`);
    const step = this.getAttribute("step");
    if (step) void this.#do(`stride ${step}`);
    const speed = this.getAttribute("speed");
    if (speed) void this.#do(`speed ${speed}`);
  }

  #dark() {
    this.#tell({ dark: matchMedia("(prefers-color-scheme: dark)").matches && !this.hasAttribute("theme") });
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    const isNew = this.#size[0] !== width || this.#size[1] !== height;
    this.#size = [width, height];
    const ratio = window.devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    if (this.#isReady && isNew) this.#tell({ size: this.#size });
    this.#draw();
  }

  /** @param {string | ArrayBuffer} message */
  #receive(message) {
    if (typeof message !== "string") {
      this.#frame = decode(message);
      requestAnimationFrame(() => {
        this.#draw();
        this.#tell({ credit: 1 });
      });
      return;
    }
    const { reply, status, look, error, settled } = JSON.parse(message);
    if (reply) {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    }
    if (look) {
      this.#look = look;
      const { sheet, text, rule_bold: line, accent } = look.theme;
      for (const [name, value] of Object.entries({ sheet, text, line, accent })) this.style.setProperty(`--${name}`, value);
      this.#draw();
    }
    if (error) this.#say(error);
    if (status) this.#told(status);
    if (settled) this.dispatchEvent(new CustomEvent("settled", { bubbles: true, detail: settled }));
  }

  /** @param {any} status */
  #told(status) {
    const before = this.#status;
    this.#status = status;
    const toggle = this.#bar.querySelector("[data-act=toggle]");
    if (toggle && before?.running !== status.running) {
      toggle.replaceChildren(icon(status.running ? STOP : BUTTONS[1][1]));
      toggle.setAttribute("title", status.running ? "stop" : "run");
      toggle.setAttribute("aria-label", status.running ? "stop" : "run");
    }
    this.#facts.textContent = `${status.generation} : ${status.population_text ?? status.population}`;
    this.#facts.title = "generation : population";
    this.#canvas.setAttribute("aria-label", `${status.title}, ${status.rule}: generation ${status.generation}, population ${status.population}`);
    if (before?.generation !== status.generation || before?.population !== status.population) {
      const { generation, population } = status;
      this.dispatchEvent(new CustomEvent("generation", { bubbles: true, detail: { generation, population } }));
    }
    if (!status.going) for (const arrive of this.#arrivals.splice(0)) arrive(true);
  }

  /** @param {string} words */
  #say(words) {
    this.#note.textContent = words;
  }

  /** @param {string} name */
  #act(name) {
    const zoom = readZoom(this.#frame?.header.zoom ?? "8");
    const commands = /** @type {Record<string, string>} */ ({
      toggle: this.running ? "stop" : "run",
      step: "step",
      fit: "fit",
      back: "goto 0",
      closer: `zoom ${writeZoom(closer(zoom))}`,
      farther: `zoom ${writeZoom(farther(zoom))}`,
    });
    void this.#start().then(() => this.#did(commands[name])).catch(() => {});
  }

  #listen() {
    const canvas = this.#canvas;
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const pan = { ArrowLeft: [-48, 0], ArrowRight: [48, 0], ArrowUp: [0, -48], ArrowDown: [0, 48] }[event.key];
      const act = KEYS[event.key];
      if (!pan && !act) return;
      event.preventDefault();
      if (pan) void this.#do(`pan ${pan[0]},${pan[1]}`);
      else this.#act(act);
    });
    canvas.addEventListener("wheel", (event) => {
      // a page that is scrolled past is not caught: the sheet zooms once it has the focus
      if (this.shadowRoot?.activeElement !== canvas || event.deltaY === 0) return;
      event.preventDefault();
      void this.#do(`zoom ${event.deltaY < 0 ? "in" : "out"} at ${Math.round(event.offsetX)},${Math.round(event.offsetY)}`);
    });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, (event) => this.#fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    canvas.addEventListener("pointermove", (event) => this.#move(event));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const was = this.#fingers.get(event.pointerId);
    if (!was) return;
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (/** @type {{x: number, y: number}} */ at) => Math.hypot(at.x - other.x, at.y - other.y);
      const times = spread({ x: event.clientX, y: event.clientY }) / Math.max(1, spread(was));
      if (times < 1.25 && times > 0.8) return;
      void this.#do(`zoom ${times > 1 ? "in" : "out"}`);
    } else {
      const [dx, dy] = [Math.round(event.clientX - was.x), Math.round(event.clientY - was.y)];
      if (dx === 0 && dy === 0) return;
      void this.#do(`pan ${-dx},${-dy}`);
    }
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #draw() {
    const context = this.#canvas.getContext("2d");
    const [frame, look] = [this.#frame, this.#look];
    if (!context || !frame || !look) return;
    const ratio = this.#canvas.width / Math.max(1, this.#size[0]);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = look.theme.sheet;
    context.fillRect(0, 0, this.#size[0], this.#size[1]);
    if (frame.header.lattice) void this.#drawPicture(context);
    else if (frame.header.kind === "density") drawDensity(context, frame, look, ratio);
    else drawCells(context, frame, look);
  }

  /** Cells that are no squares: the program draws them. @param {CanvasRenderingContext2D} context */
  async #drawPicture(context) {
    const { bytes } = await link.ask(this.#world, "/picture.png?tab=1", null);
    const image = await createImageBitmap(new Blob([bytes]));
    context.drawImage(image, 0, 0, this.#size[0], this.#size[1]);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./page/frame.js").Frame} frame
 * @param {any} look
 */
function drawCells(context, frame, look) {
  const { header } = frame;
  const side = Number(header.zoom);
  const left = Number(frame.x * BigInt(side) - BigInt(header.left));
  const top = Number(frame.y * BigInt(side) - BigInt(header.top));
  const inked = side > 4 ? side - 1 : side;
  if (side > 5) {
    context.fillStyle = look.theme.rule;
    const phase = (/** @type {string} */ from) => Number(((-BigInt(from) % BigInt(side)) + BigInt(side)) % BigInt(side));
    for (let x = phase(header.left); x < header.width; x += side) context.fillRect(x, 0, 1, header.height);
    for (let y = phase(header.top); y < header.height; y += side) context.fillRect(0, y, header.width, 1);
  }
  let colour = -1;
  for (let row = 0; row < frame.height; row += 1) {
    for (let column = 0; column < frame.width; column += 1) {
      const state = frame.stateAt(column, row);
      if (state === 0) continue;
      if (state !== colour) context.fillStyle = look.states[state] ?? look.theme.ink;
      colour = state;
      const inset = side > 4 ? 1 : 0;
      context.fillRect(left + column * side + inset, top + row * side + inset, inked, inked);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./page/frame.js").Frame} frame
 * @param {any} look
 * @param {number} ratio
 */
function drawDensity(context, frame, look, ratio) {
  const colours = look.density.map((/** @type {string} */ text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)));
  const image = new ImageData(frame.width, frame.height);
  for (const [at, level] of frame.content.entries()) {
    if (level === 0) continue;
    const [red, green, blue] = colours[Math.min(level, colours.length - 1)];
    image.data.set([red, green, blue, 255], at * 4);
  }
  const sheet = new OffscreenCanvas(frame.width, frame.height);
  sheet.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = ratio !== 1;
  context.drawImage(sheet, 0, 0);
}

if (!customElements.get("grid-paper")) customElements.define("grid-paper", GridPaper);

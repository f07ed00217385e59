// The sheet: the canvas, its size, the choice of renderer (WebGL 2 or 2D), and when it is drawn.

import { squares } from "./grid-lines.js";
import { Sheet2d } from "./sheet-2d.js";
import { SheetGl } from "./sheet-gl.js";

/** @import { Workbench } from "./workbench.js" */

/** The server takes no more than this many pixels a side. */
const LARGEST = 8192;

export class Sheet {
  width = 0;
  height = 0;
  ratio = 1;
  /** @type {(() => void)[]} */
  #painters = [];
  #due = false;
  /** Frames received since the last draw: each returns one credit to the server. */
  #owed = 0;

  /**
   * @param {Workbench} workbench
   * @param {HTMLElement} element what the canvas fills
   * @param {string | null} kind "2d" or "webgl2", where somebody insists
   */
  constructor(workbench, element, kind) {
    this.workbench = workbench;
    this.element = element;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "sheet-canvas";
    this.drawing = this.#start(kind);
    element.prepend(this.canvas);
    element.dataset.drawing = this.drawing.kind;
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.#replace();
    });
    new ResizeObserver(() => this.#measure()).observe(element);
    this.#measure();
    this.#watchRatio();
    workbench.on("look", (look) => {
      this.drawing.dress(look);
      this.later();
    });
    workbench.on("frame", () => {
      this.#owed += 1;
      this.later();
    });
    for (const kind of /** @type {const} */ (["status", "moved"])) workbench.on(kind, () => this.later());
  }

  /**
   * Something else to draw whenever the sheet is drawn.
   * @param {() => void} painter
   */
  also(painter) {
    this.#painters.push(painter);
  }

  /** Draws before the next repaint of the window. */
  later() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      this.#draw();
    });
  }

  /** The middle of the window, in its pixels. */
  get middle() {
    return { x: Math.floor(this.width / 2), y: Math.floor(this.height / 2) };
  }

  #draw() {
    const { workbench, element } = this;
    const { frame } = workbench;
    if (frame && workbench.look) {
      this.drawing.draw(frame, squares(workbench, frame), this.ratio);
      element.dataset.frame = String(frame.header.id);
      element.dataset.generation = frame.header.generation;
      element.dataset.revision = String(frame.header.revision);
      element.dataset.zoom = frame.header.zoom;
      element.dataset.lattice = frame.header.lattice ?? "square";
      element.dataset.rulers = String(frame.header.rulers !== undefined);
      element.dataset.left = frame.header.left;
      element.dataset.top = frame.header.top;
    }
    for (const painter of this.#painters) painter();
    if (this.#owed > 0) {
      workbench.connection.credit(this.#owed);
      this.#owed = 0;
    }
  }

  #measure() {
    const width = Math.min(LARGEST, Math.max(1, Math.round(this.element.clientWidth)));
    const height = Math.min(LARGEST, Math.max(1, Math.round(this.element.clientHeight)));
    const ratio = window.devicePixelRatio || 1;
    if (width === this.width && height === this.height && ratio === this.ratio) return;
    const resized = width !== this.width || height !== this.height;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (resized) this.workbench.connection.size(width, height);
    this.#draw();
  }

  /** The window may move to a screen with finer pixels. */
  #watchRatio() {
    const same = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
    const change = () => {
      this.#measure();
      this.#watchRatio();
    };
    same.addEventListener("change", change, { once: true });
  }

  /** @param {string | null} kind what to draw with, where somebody insists */
  #start(kind) {
    if (kind !== "2d") {
      try {
        return new SheetGl(this.canvas, kind === "webgl2");
      } catch {
        // A canvas that was asked for WebGL gives no other context: take a new one.
        this.canvas = document.createElement("canvas");
        this.canvas.className = "sheet-canvas";
      }
    }
    return new Sheet2d(this.canvas);
  }

  /** Goes on without WebGL after the graphics context was lost. */
  #replace() {
    const old = this.canvas;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "sheet-canvas";
    this.canvas.width = old.width;
    this.canvas.height = old.height;
    this.drawing = new Sheet2d(this.canvas);
    this.element.dataset.drawing = this.drawing.kind;
    old.replaceWith(this.canvas);
    if (this.workbench.look) this.drawing.dress(this.workbench.look);
    this.later();
  }
}

// Mouse, finger and pen on the sheet.

import { handles, selection } from "./overlay.js";
import { WORDS } from "./words.js";
import { closer, farther, nearest, same, writeZoom } from "./zoom.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Finger } from "./finger.js" */
/** @import { Note } from "./note.js" */
/** @import { Cells, Overlay } from "./overlay.js" */
/** @import { PastePlacement } from "./paste-placement.js" */
/** @import { Sheet } from "./sheet.js" */

/** A finger that moved less than this has tapped. */
const TAP = 8;
/** Wheel pixels that make one rung of the zoom; half of it at once is a wheel's notch. */
const RUNG = 100;
/** Milliseconds within which the status follows an answer. */
const STATUS_COMES = 100;
/** The tools that draw between two places, or all at once. */
const SHAPES = new Set(["line", "rectangle", "ellipse", "flood"]);
/** How near a handle counts as on it. */
const REACH = { mouse: 7, touch: 20, pen: 12 };

/**
 * @typedef {object} Gesture something that a pointer is in the middle of
 * @property {(x: number, y: number) => void} move
 * @property {(x: number, y: number) => void} end
 * @property {() => void} [stop] it was taken over by another
 */

export class Pointer {
  /** @type {Map<number, {x: number, y: number}>} */
  #down = new Map();
  /** @type {Gesture | null} */
  #gesture = null;
  /** @type {{x: number, y: number, type: string, button: number} | null} a finger that has not moved yet */
  #held = null;
  /** @type {{spread: number, zoom: import("./zoom.js").Zoom, x: number, y: number} | null} */
  #pinch = null;
  #wheel = 0;
  /** Whether the space bar is down: then a drag pans. */
  space = false;
  /** Whether the space bar was used for a pan since it went down. */
  spaceUsed = false;

  /**
   * @param {Workbench} workbench
   * @param {Sheet} sheet
   * @param {Overlay} overlay
   * @param {PastePlacement} placement
   * @param {Note} note
   * @param {Finger} finger
   */
  constructor(workbench, sheet, overlay, placement, note, finger) {
    this.workbench = workbench;
    this.sheet = sheet;
    this.overlay = overlay;
    this.placement = placement;
    this.note = note;
    this.finger = finger;
    const { element } = sheet;
    element.addEventListener("pointerdown", (event) => this.#press(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#release(event, false));
    element.addEventListener("pointercancel", (event) => this.#release(event, true));
    // The cell that a finger touched last stays in the bar.
    element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.#hover(null));
    element.addEventListener("wheel", (event) => this.#turn(event), { passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    // A middle click would start the browser's own scrolling.
    for (const kind of /** @type {const} */ (["mousedown", "mouseup", "auxclick"])) {
      element.addEventListener(kind, (event) => event.button === 1 && event.preventDefault());
    }
    workbench.on("frame", () => this.#shape(null));
    workbench.on("status", () => this.#shape(null));
  }

  get tool() {
    return this.workbench.status?.viewer.tool ?? "draw";
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.target !== this.sheet.element && !(event.target instanceof HTMLCanvasElement)) return;
    const { x, y } = this.#at(event);
    this.#down.set(event.pointerId, { x, y });
    if (event.pointerType === "touch") this.#hover({ x, y }, "touch");
    try {
      this.sheet.element.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already (or made by a script): nothing to hold on to.
    }
    this.sheet.element.focus({ preventScroll: true });
    delete this.sheet.element.dataset.keyboard;
    if (this.#down.size === 2) {
      this.#held = null;
      this.#gesture?.stop?.();
      this.#gesture = null;
      this.#pinch = this.#fingers();
      return;
    }
    if (this.#down.size > 2 || this.#gesture) return;
    if (event.pointerType === "touch" && !this.placement.active) {
      // A second finger may come and make it a pinch: no ink before this one moves or lifts.
      this.#held = { x, y, type: "touch", button: 0 };
      return;
    }
    this.#gesture = this.#begin(x, y, event.pointerType, event.button, event);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { x, y } = this.#at(event);
    if (this.#down.has(event.pointerId)) this.#down.set(event.pointerId, { x, y });
    if (this.#pinch) {
      this.#spread();
      return;
    }
    if (this.#held && Math.hypot(x - this.#held.x, y - this.#held.y) > TAP) {
      const { x: fromX, y: fromY, type, button } = this.#held;
      this.#held = null;
      this.#gesture = this.#begin(fromX, fromY, type, button);
    }
    if (this.#gesture) {
      const events = event.getCoalescedEvents?.() ?? [];
      for (const part of events.length > 0 ? events : [event]) {
        const at = this.#at(part);
        this.#gesture.move(at.x, at.y);
      }
    }
    if (this.placement.active && event.pointerType !== "touch") this.placement.move(this.workbench.view.cellAt(x, y));
    this.#hover({ x, y }, event.pointerType);
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} cancelled
   */
  #release(event, cancelled) {
    const { x, y } = this.#at(event);
    this.#down.delete(event.pointerId);
    if (this.#pinch) {
      if (this.#down.size < 2) this.#pinch = null;
      return;
    }
    if (this.#held && !cancelled) {
      const { x: fromX, y: fromY, type, button } = this.#held;
      this.#gesture = this.#begin(fromX, fromY, type, button);
    }
    this.#held = null;
    if (this.#down.size > 0) return;
    const gesture = this.#gesture;
    this.#gesture = null;
    if (cancelled) gesture?.stop?.();
    else gesture?.end(x, y);
    this.#shape({ x, y });
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} type mouse, touch or pen
   * @param {number} button
   * @param {{altKey: boolean, shiftKey: boolean}} [held]
   * @returns {Gesture | null}
   */
  #begin(x, y, type, button, held) {
    if (button === 1 || button === 2 || this.space) {
      this.spaceUsed = true;
      return this.#panning(x, y);
    }
    if (this.placement.active) {
      if (type === "touch") return this.#carrying(x, y);
      if (button === 0) return { move() {}, end: () => void this.placement.put() };
      this.placement.end();
      return null;
    }
    if (button === 0 && held?.altKey) {
      const cell = this.workbench.view.cellAt(x, y);
      void this.workbench.do(`select object ${cell.x},${cell.y}`);
      return null;
    }
    if ((this.tool === "pan" && button === 0) || (type === "touch" && this.finger.pans)) return this.#panning(x, y);
    if (this.tool === "select" && button === 0) return this.#selecting(x, y, type);
    if (this.tool === "pick" && button === 0) {
      const cell = this.workbench.view.cellAt(x, y);
      this.workbench.do(`pick ${cell.x},${cell.y}`);
      return null;
    }
    if (button === 0 && this.tool === "measure") return this.#measuring(x, y);
    if (button === 0 && SHAPES.has(this.tool)) return this.#shaping(x, y, this.tool, held?.shiftKey === true);
    // a pen's other end erases
    return this.#drawing(x, y, this.tool === "erase" || button === 5);
  }

  /**
   * A line, a rectangle or an ellipse between where the pointer goes down and where it comes up.
   * @param {number} x
   * @param {number} y
   * @param {string} tool
   * @param {boolean} filled
   * @returns {Gesture | null}
   */
  #shaping(x, y, tool, filled) {
    const { workbench, overlay, sheet } = this;
    if (workbench.frame?.header.kind === "density") {
      this.note.say(WORDS.zoomInToDraw);
      return null;
    }
    const from = workbench.view.cellAt(x, y);
    const pen = workbench.status?.viewer.pen ?? 1;
    const state = (workbench.frame?.state(from.x, from.y) ?? 0) === pen ? 0 : pen;
    const places = (/** @type {{x: bigint, y: bigint}} */ to) => `${from.x},${from.y} ${to.x},${to.y}`;
    if (tool === "flood") {
      void workbench.do(`flood ${state} ${from.x},${from.y}`);
      return null;
    }
    overlay.shape = { tool, from, to: from };
    const finish = () => {
      overlay.shape = null;
      sheet.later();
    };
    return {
      move: (px, py) => {
        overlay.shape = { tool, from, to: workbench.view.cellAt(px, py) };
        sheet.later();
      },
      end: (px, py) => {
        const to = workbench.view.cellAt(px, py);
        const name = tool === "line" ? "draw" : filled ? `${tool} filled` : tool;
        void workbench.do(`${name} ${state} ${places(to)}`, { silent: true });
        finish();
      },
      stop: finish,
    };
  }

  /**
   * From the cell where the pointer goes down to the one where it comes up.
   * @param {number} x
   * @param {number} y
   * @returns {Gesture}
   */
  #measuring(x, y) {
    const { workbench, overlay, sheet } = this;
    const from = workbench.view.cellAt(x, y);
    const finish = () => {
      overlay.shape = null;
      sheet.later();
    };
    return {
      move: (px, py) => {
        overlay.shape = { tool: "measure", from, to: workbench.view.cellAt(px, py) };
        sheet.later();
      },
      end: (px, py) => {
        const to = workbench.view.cellAt(px, py);
        void workbench.do(`measure ${from.x},${from.y} ${to.x},${to.y}`);
        finish();
      },
      stop: finish,
    };
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {boolean} rubber
   * @returns {Gesture | null}
   */
  #drawing(x, y, rubber) {
    const { workbench, sheet } = this;
    if (workbench.frame?.header.kind === "density") {
      this.note.say(WORDS.zoomInToDraw);
      return null;
    }
    const first = workbench.view.cellAt(x, y);
    const pen = workbench.status?.viewer.pen ?? 1;
    const there = workbench.frame?.state(first.x, first.y) ?? 0;
    const state = rubber || there === pen ? 0 : pen;
    let last = first;
    let sent = first;
    /** @type {string[]} */
    let points = [];
    let due = false;
    const send = () => {
      due = false;
      if (points.length === 0) return;
      // A stroke that goes on begins where it was, so that no gap is left.
      workbench.do(`draw more ${state} ${sent.x},${sent.y} ${points.join(" ")}`, { silent: true });
      points = [];
      sent = last;
    };
    workbench.do(`draw ${state} ${first.x},${first.y}`, { silent: true });
    sheet.element.dispatchEvent(new CustomEvent("stroke"));
    return {
      move: (px, py) => {
        const cell = workbench.view.cellAt(px, py);
        if (cell.x === last.x && cell.y === last.y) return;
        last = cell;
        points.push(`${cell.x},${cell.y}`);
        if (!due) requestAnimationFrame(send);
        due = true;
      },
      end: send,
      stop: send,
    };
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Gesture}
   */
  #panning(x, y) {
    const { workbench, sheet } = this;
    let from = { x: Math.round(x), y: Math.round(y) };
    let to = from;
    let due = false;
    const send = () => {
      due = false;
      workbench.pan(to.x - from.x, to.y - from.y);
      from = to;
    };
    sheet.element.dataset.cursor = "grabbing";
    return {
      move: (px, py) => {
        to = { x: Math.round(px), y: Math.round(py) };
        if (!due) requestAnimationFrame(send);
        due = true;
      },
      end: send,
      stop: send,
    };
  }

  /**
   * A finger carries what is pasted, and puts it down where it taps.
   * @param {number} x
   * @param {number} y
   * @returns {Gesture}
   */
  #carrying(x, y) {
    const { placement, workbench } = this;
    let last = workbench.view.cellAt(x, y);
    let moved = false;
    return {
      move: (px, py) => {
        moved ||= Math.hypot(px - x, py - y) > TAP;
        if (!moved) return;
        const cell = workbench.view.cellAt(px, py);
        placement.nudge(cell.x - last.x, cell.y - last.y);
        last = cell;
      },
      end: () => {
        if (moved) return;
        placement.move(last);
        void placement.put();
      },
    };
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} type
   * @returns {Gesture}
   */
  #selecting(x, y, type) {
    const { workbench, overlay, sheet } = this;
    const held = this.#handle(x, y, type);
    const start = workbench.view.cellAt(x, y);
    const old = selection(workbench);
    let moved = false;
    const finish = () => {
      overlay.band = null;
      sheet.later();
    };
    return {
      move: (px, py) => {
        if (!moved && Math.hypot(px - x, py - y) < 3) return;
        moved = true;
        const cell = workbench.view.cellAt(px, py);
        overlay.band = held && old ? stretched(old, held, cell) : between(start, cell);
        sheet.later();
      },
      end: async () => {
        const { band } = overlay;
        if (moved && band) await workbench.do(`select ${band.x},${band.y} ${band.width}x${band.height}`, { silent: true });
        else if (!held && old) await workbench.do("select none", { silent: true });
        // The status that tells of it comes a moment after the answer.
        setTimeout(() => overlay.band === band && finish(), STATUS_COMES);
      },
      stop: finish,
    };
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} type
   */
  #handle(x, y, type) {
    const cells = selection(this.workbench);
    if (!cells || this.tool !== "select") return null;
    const reach = type === "touch" ? REACH.touch : type === "pen" ? REACH.pen : REACH.mouse;
    const box = this.overlay.box(cells);
    return handles(box).find((handle) => Math.hypot(handle.x - x, handle.y - y) <= reach) ?? null;
  }

  /** @param {WheelEvent} event */
  #turn(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 200 : 1;
    if (event.shiftKey && !event.ctrlKey) {
      const along = event.deltaX || event.deltaY;
      this.workbench.pan(-Math.round(along * unit), 0);
      return;
    }
    // A pinch on a touchpad comes as a wheel with Ctrl, in small portions.
    const { x, y } = this.#at(event);
    const turned = event.deltaY * unit;
    if (Math.abs(turned) >= RUNG / 2 && !event.ctrlKey) {
      this.#wheel = 0;
      this.zoom(turned < 0, x, y);
      return;
    }
    this.#wheel += turned * (event.ctrlKey ? 4 : 1);
    while (Math.abs(this.#wheel) >= RUNG) {
      const inwards = this.#wheel < 0;
      this.#wheel += inwards ? RUNG : -RUNG;
      this.zoom(inwards, x, y);
    }
  }

  /**
   * One rung in or out about a point, or about the middle.
   * @param {boolean} inwards
   * @param {number} [x]
   * @param {number} [y]
   */
  zoom(inwards, x = this.sheet.middle.x, y = this.sheet.middle.y) {
    const { view } = this.workbench;
    if (!view.canZoom(inwards)) return;
    this.workbench.zoom(inwards ? closer(view.target) : farther(view.target), inwards ? "in" : "out", x, y);
  }

  #fingers() {
    const [one, other] = [...this.#down.values()];
    return {
      spread: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)),
      zoom: this.workbench.view.target,
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
    };
  }

  #spread() {
    const pinch = this.#pinch;
    if (!pinch || this.#down.size < 2) return;
    const now = this.#fingers();
    const dx = Math.round(now.x - pinch.x);
    const dy = Math.round(now.y - pinch.y);
    this.workbench.pan(dx, dy);
    pinch.x += dx;
    pinch.y += dy;
    const zoom = nearest(pinch.zoom, now.spread / pinch.spread);
    if (!same(zoom, this.workbench.view.target)) this.workbench.zoom(zoom, writeZoom(zoom), now.x, now.y);
  }

  /**
   * @param {{x: number, y: number} | null} at
   * @param {string} [type]
   */
  #hover(at, type = "mouse") {
    const { overlay, workbench, sheet } = this;
    const cell = at && workbench.view.cellAt(at.x, at.y);
    const before = overlay.hover;
    overlay.hover = cell;
    overlay.outlined = type !== "touch" && !(this.tool === "pan" || this.tool === "select");
    if (before?.x !== cell?.x || before?.y !== cell?.y) {
      sheet.element.dispatchEvent(new CustomEvent("hover", { detail: cell }));
      sheet.later();
    }
    this.#shape(at);
  }

  /**
   * The pointer's shape says what a press would do.
   * @param {{x: number, y: number} | null} at
   */
  #shape(at) {
    const { element } = this.sheet;
    if (this.#gesture) return;
    let shape = this.space ? "pan" : this.placement.active ? "place" : this.tool;
    const handle = at && this.#handle(at.x, at.y, "mouse");
    if (handle) shape = handle.h === 0 ? "ns" : handle.v === 0 ? "ew" : handle.h === handle.v ? "nwse" : "nesw";
    else if (!at && /^(ns|ew|nwse|nesw)$/.test(element.dataset.cursor ?? "")) return;
    if (element.dataset.cursor !== shape) element.dataset.cursor = shape;
  }

  /** @param {MouseEvent} event */
  #at(event) {
    const box = this.sheet.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/**
 * The rectangle with these two cells in its corners.
 * @param {{x: bigint, y: bigint}} one
 * @param {{x: bigint, y: bigint}} other
 * @returns {Cells}
 */
function between(one, other) {
  const x = one.x < other.x ? one.x : other.x;
  const y = one.y < other.y ? one.y : other.y;
  const width = (one.x < other.x ? other.x - one.x : one.x - other.x) + 1n;
  const height = (one.y < other.y ? other.y - one.y : one.y - other.y) + 1n;
  return { x, y, width, height };
}

/**
 * A selection with the sides of one handle taken to a cell.
 * @param {Cells} old
 * @param {{h: number, v: number}} handle
 * @param {{x: bigint, y: bigint}} cell
 */
function stretched(old, handle, cell) {
  const far = { x: old.x + old.width - 1n, y: old.y + old.height - 1n };
  const one = { x: handle.h < 0 ? far.x : old.x, y: handle.v < 0 ? far.y : old.y };
  const other = {
    x: handle.h === 0 ? far.x : cell.x,
    y: handle.v === 0 ? far.y : cell.y,
  };
  return between(one, other);
}

// Zoom levels in the server's notation: "8" is 8 pixels a cell, "1:4" is 4 cells a pixel.

/**
 * @typedef {object} Zoom
 * @property {number} pixels a cell's side in pixels, 0 where a pixel holds many cells
 * @property {number} halvings a pixel holds 2^halvings cells a side
 */

const LADDER = [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64];

/**
 * @param {string} text
 * @returns {Zoom}
 */
export function readZoom(text) {
  const far = /^1:(?:2\^(\d+)|(\d+))$/.exec(text);
  if (!far) return { pixels: Number(text), halvings: 0 };
  const halvings = far[1] ? Number(far[1]) : BigInt(far[2]).toString(2).length - 1;
  return halvings === 0 ? { pixels: 1, halvings: 0 } : { pixels: 0, halvings };
}

/**
 * @param {Zoom} zoom
 */
export function writeZoom(zoom) {
  if (zoom.pixels > 0) return String(zoom.pixels);
  return zoom.halvings < 64 ? `1:${1n << BigInt(zoom.halvings)}` : `1:2^${zoom.halvings}`;
}

/** @param {Zoom} zoom */
export function closer(zoom) {
  if (zoom.pixels === 0) {
    return zoom.halvings > 1 ? { pixels: 0, halvings: zoom.halvings - 1 } : { pixels: 1, halvings: 0 };
  }
  return { pixels: LADDER.find((rung) => rung > zoom.pixels) ?? zoom.pixels, halvings: 0 };
}

/** @param {Zoom} zoom */
export function farther(zoom) {
  if (zoom.pixels === 0) return { pixels: 0, halvings: zoom.halvings + 1 };
  const rungs = LADDER.filter((rung) => rung < zoom.pixels);
  const rung = rungs[rungs.length - 1];
  return rung ? { pixels: rung, halvings: 0 } : { pixels: 0, halvings: 1 };
}

/**
 * How many times larger things are at `to` than at `from`.
 * @param {Zoom} from
 * @param {Zoom} to
 */
export function ratio(from, to) {
  const size = (/** @type {Zoom} */ zoom) => (zoom.pixels > 0 ? Math.log2(zoom.pixels) : -zoom.halvings);
  return 2 ** (size(to) - size(from));
}

/**
 * The rung of the ladder nearest to `times` as large as `from`: what a pinch means.
 * @param {Zoom} from
 * @param {number} times
 */
export function nearest(from, times) {
  let best = from;
  let next = times > 1 ? closer(best) : farther(best);
  const off = (/** @type {Zoom} */ zoom) => Math.abs(Math.log2(ratio(from, zoom) / times));
  while (off(next) < off(best)) {
    best = next;
    next = times > 1 ? closer(best) : farther(best);
  }
  return best;
}

/**
 * @param {Zoom} one
 * @param {Zoom} other
 */
export function same(one, other) {
  return one.pixels === other.pixels && one.halvings === other.halvings;
}

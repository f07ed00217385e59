// Colours as numbers.

/**
 * @param {string} text "#rrggbb"
 * @returns {[number, number, number]} 0 to 255 each
 */
export function channels(text) {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/**
 * Linear interpolation between two colours, in sRGB.
 * @param {string} from
 * @param {string} to
 * @param {number} part 0 to 1
 */
export function mix(from, to, part) {
  const [a, b] = [channels(from), channels(to)];
  const parts = a.map((value, i) => Math.round(value + (b[i] - value) * part));
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

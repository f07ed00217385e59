// Numbers as people read them.

/**
 * A whole number of any size: in groups of three up to 15 digits, beyond that to four places.
 * @param {string | number} value
 */
export function whole(value) {
  const text = String(value);
  const match = /^(-?)(\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, digits] = match;
  const minus = sign ? "\u2212" : "";
  if (digits.length <= 4) return minus + digits;
  if (digits.length <= 15) return minus + digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return `${minus}${digits[0]}.${digits.slice(1, 4)}\u00d710${superscript(digits.length - 1)}`;
}

/**
 * A rate: three figures.
 * @param {number} value
 */
export function rate(value) {
  if (!Number.isFinite(value)) return "\u221e";
  if (value >= 100) return whole(Math.round(value));
  return String(Number(value.toPrecision(value < 10 ? 2 : 3)));
}

/**
 * @param {number} value bytes
 * @param {string[]} units
 */
export function bytes(value, units) {
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** @param {number} value */
export function superscript(value) {
  return String(value).replace(/\d/g, (digit) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[Number(digit)]);
}

/**
 * The power of two that a number is, or nothing.
 * @param {string} text
 */
export function exponent(text) {
  if (!/^\d+$/.test(text)) return null;
  const value = BigInt(text);
  if (value <= 0n || (value & (value - 1n)) !== 0n) return null;
  return value.toString(2).length - 1;
}

// Where hexagons and triangles lie: the formulas of render's cell_geometry.rs, in which both
// are explained. A point is given in pixels from the corner of cell (0, 0).

/** @typedef {"square" | "hexagonal" | "triangular"} Lattice */

/**
 * Pixels from a row of cells to the next, where a cell is so many pixels wide.
 * @param {Lattice} lattice
 * @param {number} pixels
 */
export function rowPixels(lattice, pixels) {
  if (lattice === "hexagonal") return Math.floor((pixels * 866 + 500) / 1000);
  return lattice === "triangular" ? Math.floor((pixels * 1732 + 500) / 1000) : pixels;
}

/**
 * Whether cells have their own shape; else they are blocks.
 * @param {Lattice} lattice
 * @param {number} pixels
 */
export function isShaped(lattice, pixels) {
  return lattice === "hexagonal" ? pixels >= 6 : lattice === "triangular" && pixels >= 2;
}

/**
 * How many times 2 rows of cells are in one of pixels, where a pixel is 2^halvings cells wide.
 * @param {Lattice} lattice
 * @param {number} halvings
 */
export function rowHalvings(lattice, halvings) {
  return lattice === "triangular" ? Math.max(0, halvings - 1) : halvings;
}

/**
 * The cell that has a point.
 * @param {{lattice: Lattice, wide: number, high: number, shaped: boolean, odd: number}} cells `odd`
 *   is 1 where cell (0, 0) is a triangle with its point above
 * @param {number} u
 * @param {number} v
 */
export function cellOfPoint({ lattice, wide, high, shaped, odd }, u, v) {
  const row = Math.floor(v / high);
  const down = v / high - row;
  const across = lattice === "hexagonal" ? u / wide + row / 2 : u / wide;
  const column = Math.floor(across);
  const right = across - column;
  if (!shaped) return { x: column, y: row };
  if (lattice === "hexagonal") {
    const edge = (1 - 4 * Math.min(right, 1 - right)) / 6;
    if (down < edge) return { x: right < 0.5 ? column - 1 : column, y: row - 1 };
    if (down >= 1 - edge) return { x: right < 0.5 ? column : column + 1, y: row + 1 };
    return { x: column, y: row };
  }
  const fromPoint = ((column + row + odd) & 1) === 1 ? down : 1 - down;
  if (Math.abs(right - 0.5) <= fromPoint) return { x: column, y: row };
  return { x: right < 0.5 ? column - 1 : column + 1, y: row };
}

/**
 * The corners of a cell, clockwise, from the corner of its box.
 * @param {Lattice} lattice
 * @param {number} wide
 * @param {number} high
 * @param {boolean} shaped
 * @param {boolean} pointsUp whether it is a triangle with its point above
 */
export function polygon(lattice, wide, high, shaped, pointsUp) {
  /** @type {[number, number][]} */
  let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
  if (shaped && lattice === "hexagonal") {
    corners = [[0.5, -1 / 6], [1, 1 / 6], [1, 5 / 6], [0.5, 7 / 6], [0, 5 / 6], [0, 1 / 6]];
  } else if (shaped && pointsUp) {
    corners = [[0.5, 0], [1.5, 1], [-0.5, 1]];
  } else if (shaped) {
    corners = [[-0.5, 0], [1.5, 0], [0.5, 1]];
  }
  return corners.map(([x, y]) => ({ x: x * wide, y: y * high }));
}

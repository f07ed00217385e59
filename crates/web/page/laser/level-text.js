// Editing a level's tiles and writing them as the text of a level file. The server parses such
// texts and reports errors.

/**
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {string[]} tiles
 */

/** @param {Drawing} drawing */
export function levelText({ width, height, tiles }) {
  let text = `${width} ${height}\n`;
  for (let row = 0; row < height; row += 1) {
    for (const tile of tiles.slice(row * width, (row + 1) * width)) text += tile.padEnd(2);
    text += "\n";
  }
  return text;
}

/**
 * The same drawing with more or fewer columns and rows; what is new is empty.
 * @param {Drawing} drawing
 * @param {number} width
 * @param {number} height
 * @returns {Drawing}
 */
export function resizedDrawing(drawing, width, height) {
  const tiles = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const inside = column < drawing.width && row < drawing.height;
      tiles.push(inside ? (drawing.tiles[row * drawing.width + column] ?? ".") : ".");
    }
  }
  return { width, height, tiles };
}

/**
 * An empty level within walls.
 * @param {number} width
 * @param {number} height
 * @returns {Drawing}
 */
export function emptyDrawing(width, height) {
  const tiles = Array.from({ length: width * height }, (_, cell) => {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    return x === 0 || y === 0 || x === width - 1 || y === height - 1 ? "W" : ".";
  });
  return { width, height, tiles };
}

const TURNED = /** @type {Record<string, string>} */ ({ "^": ">", ">": "v", v: "<", "<": "^", "/": "\\", "\\": "/" });

/** The same tile turned clockwise. @param {string} tile */
export function rotatedTile(tile) {
  const sign = tile[1];
  return sign ? `${tile[0]}${TURNED[sign] ?? sign}` : tile;
}

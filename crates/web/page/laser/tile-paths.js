// The laser puzzle's tiles as SVG path data: one path for each kind of stroke over the whole
// board, so a board of any size has a dozen elements.

/** A cell's side in the drawing's own units. */
export const UNIT = 40;

const HALF = UNIT / 2;

/** By the bits of a half-beam: north, east, south, west. */
const SIDES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** By a tile's arrow. @type {Record<string, number>} */
const ARROWS = { "^": 0, ">": 1, v: 2, "<": 3 };

/**
 * The lines of a board by what they are drawn with.
 * @typedef {object} Strokes
 * @property {string} walls filled
 * @property {string} edges around walls
 * @property {string} mirrors
 * @property {string} splitters
 * @property {string} tees
 * @property {string} lasers filled
 * @property {string} rays the arrows of lasers
 * @property {string} sensors
 * @property {string} lit filled
 */

/**
 * What pieces and walls look like.
 * @param {string[]} tiles
 * @param {number} width
 * @param {(cell: number) => boolean} isLit
 * @returns {Strokes}
 */
export function strokes(tiles, width, isLit) {
  /** @type {Strokes} */
  const made = { walls: "", edges: "", mirrors: "", splitters: "", tees: "", lasers: "", rays: "", sensors: "", lit: "" };
  const height = tiles.length / width;
  tiles.forEach((tile, cell) => {
    const column = cell % width;
    const row = Math.floor(cell / width);
    const [x, y] = [column * UNIT, row * UNIT];
    const [cx, cy] = [x + HALF, y + HALF];
    const way = ARROWS[tile[1] ?? ""] ?? 0;
    switch (tile[0]) {
      case "W":
        made.walls += `M${x} ${y}h${UNIT}v${UNIT}h${-UNIT}z`;
        if (row === 0 || tiles[cell - width] !== "W") made.edges += `M${x} ${y}h${UNIT}`;
        if (row === height - 1 || tiles[cell + width] !== "W") made.edges += `M${x} ${y + UNIT}h${UNIT}`;
        if (column === 0 || tiles[cell - 1] !== "W") made.edges += `M${x} ${y}v${UNIT}`;
        if (column === width - 1 || tiles[cell + 1] !== "W") made.edges += `M${x + UNIT} ${y}v${UNIT}`;
        break;
      case "M":
        made.mirrors += slant(cx, cy, tile[1] === "/", 0);
        break;
      case "B":
        made.splitters += slant(cx, cy, tile[1] === "/", 3.2) + slant(cx, cy, tile[1] === "/", -3.2);
        break;
      case "T":
        made.tees += lines(cx, cy, way, [[-13, 0, 13, 0], [0, 0, 0, -13]]);
        break;
      case "L":
        made.lasers += polygon(cx, cy, way, [[-12, 13], [12, 13], [12, -5], [6, -5], [6, -13], [-6, -13], [-6, -5], [-12, -5]]);
        made.rays += lines(cx, cy, way, [[0, 8, 0, -5], [-4.500, -0.500, 0, -5], [4.500, -0.500, 0, -5]]);
        break;
      case "S": {
        // a cup, open to where light has to come from
        made.sensors += lines(cx, cy, way, [[-13, -13, -13, 13], [-13, 13, 13, 13], [13, 13, 13, -13]]);
        made.sensors += circle(cx, cy, 7.500);
        if (isLit(cell)) made.lit += circle(cx, cy, 7.500);
        break;
      }
      default:
    }
  });
  return made;
}

/**
 * The light of a board: half-beams, a hexadecimal digit a cell.
 * @param {string} halves
 * @param {number} width
 */
export function beams(halves, width) {
  let path = "";
  for (let cell = 0; cell < halves.length; cell += 1) {
    const bits = parseInt(halves[cell] ?? "0", 16);
    if (bits === 0) continue;
    const cx = (cell % width) * UNIT + HALF;
    const cy = Math.floor(cell / width) * UNIT + HALF;
    const has = (/** @type {number} */ side) => (bits >> side) & 1;
    // what goes straight through is one line
    if (has(0) && has(2)) path += `M${cx} ${cy - HALF}v${UNIT}`;
    if (has(1) && has(3)) path += `M${cx - HALF} ${cy}h${UNIT}`;
    SIDES.forEach(([dx, dy], side) => {
      if (has(side) && !has((side + 2) % 4)) path += `M${cx} ${cy}l${(dx ?? 0) * HALF} ${(dy ?? 0) * HALF}`;
    });
  }
  return path;
}

/**
 * @param {number} width
 * @param {number} height
 */
export function rules(width, height) {
  let path = "";
  for (let column = 0; column <= width; column += 1) path += `M${column * UNIT} 0v${height * UNIT}`;
  for (let row = 0; row <= height; row += 1) path += `M0 ${row * UNIT}h${width * UNIT}`;
  return path;
}

/**
 * A frame just inside a cell.
 * @param {number} cell
 * @param {number} width
 * @param {number} inset
 */
export function frame(cell, width, inset) {
  const side = UNIT - 2 * inset;
  return `M${(cell % width) * UNIT + inset} ${Math.floor(cell / width) * UNIT + inset}h${side}v${side}h${-side}z`;
}

/**
 * From the middle of one cell to the middle of another, with a head.
 * @param {number} from
 * @param {number} to
 * @param {number} width
 */
export function arrow(from, to, width) {
  const middle = (/** @type {number} */ cell) => [(cell % width) * UNIT + HALF, Math.floor(cell / width) * UNIT + HALF];
  const [ax = 0, ay = 0] = middle(from);
  const [bx = 0, by = 0] = middle(to);
  const long = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / long, (by - ay) / long];
  const tip = [bx - ux * 8, by - uy * 8];
  const wing = (/** @type {number} */ side) =>
    `M${round(tip[0] ?? 0)} ${round(tip[1] ?? 0)}L${round((tip[0] ?? 0) - ux * 9 + uy * 6 * side)} ${round((tip[1] ?? 0) - uy * 9 - ux * 6 * side)}`;
  return `M${round(ax + ux * 14)} ${round(ay + uy * 14)}L${round(tip[0] ?? 0)} ${round(tip[1] ?? 0)}${wing(1)}${wing(-1)}`;
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {boolean} rises
 * @param {number} aside
 */
function slant(cx, cy, rises, aside) {
  const sign = rises ? -1 : 1;
  const [ox, oy] = [aside * 0.7, -aside * 0.7 * sign];
  return `M${round(cx - 12 + ox)} ${round(cy - 12 * sign + oy)}L${round(cx + 12 + ox)} ${round(cy + 12 * sign + oy)}`;
}

/**
 * Turned so that what points up points the way.
 * @param {number} x
 * @param {number} y
 * @param {number} way
 */
function turned(x, y, way) {
  return [
    [x, y],
    [-y, x],
    [-x, -y],
    [y, -x],
  ][way] ?? [x, y];
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} way
 * @param {number[][]} all
 */
function lines(cx, cy, way, all) {
  return all
    .map(([ax = 0, ay = 0, bx = 0, by = 0]) => {
      const [fx = 0, fy = 0] = turned(ax, ay, way);
      const [tx = 0, ty = 0] = turned(bx, by, way);
      return `M${round(cx + fx)} ${round(cy + fy)}L${round(cx + tx)} ${round(cy + ty)}`;
    })
    .join("");
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} way
 * @param {number[][]} corners
 */
function polygon(cx, cy, way, corners) {
  const places = corners.map(([x = 0, y = 0]) => {
    const [tx = 0, ty = 0] = turned(x, y, way);
    return `${cx + tx} ${cy + ty}`;
  });
  return `M${places.join("L")}z`;
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} r
 */
function circle(cx, cy, r) {
  return `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 10) / 10;
}

// The standings table: ratings with their confidence intervals, as numbers and whiskers.

import { make } from "../element.js";

/** In the drawing's own measure. */
const WIDE = 120;
const HIGH = 16;

/** @param {any} table from the server */
export function standings(table) {
  const rows = table?.rows ?? [];
  const faults = rows.some((/** @type {any} */ row) => row.faults > 0);
  const times = rows.some((/** @type {any} */ row) => row.times);
  const scale = scaleOf(rows);
  const head = [
    number("#"),
    make("th", { scope: "col" }, "player"),
    number("rating", "", { unit: "Elo", title: "with its interval at 95 %" }),
    make("th", { scope: "col", class: "wide" }, make("span", { class: "visually-hidden" }, "interval, drawn")),
    number("sure", "wide", { unit: "%", title: "the probability that it is stronger than the next" }),
    number("games", "", { unit: "played" }),
    number("games", "wide", { unit: "won, drawn, lost" }),
    number("points", "", { unit: "draws ½", title: "a win is a point, a draw half a point" }),
    ...(faults ? [number("faults", "", { unit: "games" })] : []),
    ...(times
      ? [
          number("median", "wide", { unit: "a move", title: "the time that half of its moves keep within" }),
          number("99 %", "wide", { unit: "a move", title: "the time that 99 of 100 of its moves keep within" }),
        ]
      : []),
  ];
  const body = rows.map((/** @type {any} */ row) =>
    make(
      "tr",
      {},
      make("td", { class: "number" }, row.rating ? String(row.place) : ""),
      make("th", { scope: "row", class: "player-name" }, row.name),
      make("td", { class: "number nowrap" }, row.rating ? rating(row.rating) : ""),
      make("td", { class: "wide" }, row.rating ? whisker(row.rating, scale) : ""),
      make("td", { class: "number wide" }, row.sure === null ? "" : percent(row.sure)),
      make("td", { class: "number" }, String(row.games)),
      make("td", { class: "number wide nowrap" }, `${row.wins} ${row.draws} ${row.losses}`),
      make("td", { class: "number" }, row.points.toFixed(1)),
      ...(faults ? [make("td", { class: "number" }, row.faults ? String(row.faults) : "")] : []),
      ...(times ? [make("td", { class: "number wide nowrap" }, time(row.times?.[0])), make("td", { class: "number wide nowrap" }, time(row.times?.[1]))] : []),
    ),
  );
  const parts = [make("table", { class: "paper-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body))];
  const notes = [];
  if (table?.first_seat) notes.push(`the first seat is worth ${rating(table.first_seat)} Elo`);
  if (table?.groups > 1) notes.push("players of different groups have not met: their ratings do not compare");
  if (notes.length > 0) notes.push("intervals are at 95 %");
  return make("div", {}, ...parts, make("p", { class: "hint table-note" }, notes.join("; ")));
}

/**
 * The head of a column of numbers.
 * @param {string} words
 * @param {string} [more] classes
 * @param {{unit?: string, title?: string}} [about]
 */
function number(words, more = "", { unit, title } = {}) {
  const parts = unit ? [words, " ", make("span", { class: "unit" }, unit)] : [words];
  return make("th", { scope: "col", class: `number ${more}`.trim(), title }, ...parts);
}

/** @param {{elo: number, error: number | null}} rating */
function rating({ elo, error }) {
  const sign = elo > 0 ? "+" : elo < 0 ? "−" : "±";
  return `${elo === 0 ? "0" : sign + Math.abs(elo)}${error === null ? "" : ` ± ${error}`}`;
}

/** @param {any[]} rows */
function scaleOf(rows) {
  const ends = rows.flatMap(({ rating: at }) => (at ? [at.elo - (at.error ?? 0), at.elo + (at.error ?? 0)] : []));
  const least = Math.min(...ends, -50);
  const most = Math.max(...ends, 50);
  return (/** @type {number} */ elo) => 4 + ((elo - least) / (most - least)) * (WIDE - 8);
}

/**
 * @param {{elo: number, error: number | null}} rating
 * @param {(elo: number) => number} scale
 */
function whisker({ elo, error }, scale) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  svg.setAttribute("class", "whisker");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const [from, to, at] = [elo - (error ?? 0), elo + (error ?? 0), elo].map((value) => scale(value).toFixed(1));
  const middle = HIGH / 2;
  path.setAttribute("d", `M${from} ${middle - 3}v6M${from} ${middle}H${to}M${to} ${middle - 3}v6`);
  const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  dot.setAttribute("cx", at);
  dot.setAttribute("cy", String(middle));
  dot.setAttribute("r", "3.2");
  svg.append(path, dot);
  return svg;
}

/**
 * A probability in percent, never shown as 0 or 100.
 * @param {number} share
 */
function percent(share) {
  if (share > 0.995) return ">99";
  if (share < 0.005) return "<1";
  return String(Math.round(share * 100));
}

/** @param {number | undefined} micros */
function time(micros) {
  if (micros === undefined) return "";
  if (micros < 1000) return `${micros.toPrecision(micros < 10 ? 2 : 3)} µs`;
  if (micros < 1e6) return `${(micros / 1000).toPrecision(3)} ms`;
  return `${(micros / 1e6).toPrecision(3)} s`;
}

// The sizes of a site over the wire, and the speed of its program on one core, in Node:
//
//     node measure.mjs SITE
//
// Speeds are by the time of the processor, since other programs may be running.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [site] = process.argv.slice(2);
const { Machine } = await import(pathToFileURL(join(site, "page/machine.js")).href);
const [program, rooms] = ["gridpaper", "rooms"].map((name) => readFileSync(join(site, `page/${name}.wasm`)));

const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
const kilobytes = (count) => `${(count / 1000).toFixed(0)} kB`;

/** The modules that a document of the site loads, with what these import at once. */
function modulesOf(entry, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(join(site, entry), "utf8");
  for (const [, name] of text.matchAll(/(?:^|;)(?:import|export)[^"'()]*["'](\.[^"']+)["']/gm)) {
    modulesOf(join(entry, "..", name), found);
  }
  return found;
}
const sum = (names, size) => names.reduce((total, name) => total + size(readFileSync(join(site, name))), 0);
const styles = ["theme.css", "page/style.css", "page/panel.css"];
const page = ["index.html", ...styles, ...modulesOf("page/main.js"), ...modulesOf("page/worker.js")];
const element = [...modulesOf("grid-paper.js"), ...modulesOf("page/worker.js")];
const rows = [
  ["the program of worlds", program.length, gzip(program), brotli(program)],
  ["the workbench without it", sum(page, (bytes) => bytes.length), sum(page, gzip), sum(page, brotli)],
  ["the element without it", sum(element, (bytes) => bytes.length), sum(element, gzip), sum(element, brotli)],
  ["the program of the other rooms", rooms.length, gzip(rooms), brotli(rooms)],
];
console.log("size: bytes, gzip -9, brotli -11");
for (const [name, plain, zipped, packed] of rows) console.log(`  ${name}: ${kilobytes(plain)}, ${kilobytes(zipped)}, ${kilobytes(packed)}`);

const begun = performance.now();
const module = new WebAssembly.Module(program);
const machine = new Machine(module);
console.log(`compiled and started in ${(performance.now() - begun).toFixed(0)} ms`);

/** The seconds of the processor that a run takes, the least of a few. */
function seconds(text, times = 3) {
  let least = Infinity;
  for (let i = 0; i < times; i += 1) {
    const before = process.cpuUsage();
    const answer = machine.runCase(text);
    const { user, system } = process.cpuUsage(before);
    if (answer.startsWith("error")) throw new Error(answer);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

function soup(side) {
  let state = 1;
  const rows = [];
  for (let y = 0; y < side; y += 1) {
    let row = "";
    for (let x = 0; x < side; x += 1) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      row += (state >>> 16) & 1 ? "o" : "b";
    }
    rows.push(row);
  }
  return `${rows.join("$")}!`;
}

const cells = soup(1024);
const torus = (rule) => {
  const [few, many] = [1000, 11000];
  const spent = seconds(`torus ${many} ${rule}:T1024,1024\n${cells}`) - seconds(`torus ${few} ${rule}:T1024,1024\n${cells}`);
  return ((many - few) * 1024 * 1024) / spent / 1e9;
};
console.log(`Life on a torus of 1024 x 1024: ${torus("B3/S23").toFixed(1)} Gcells/s`);
console.log(`Brian's Brain on it: ${torus("/2/3").toFixed(2)} Gcells/s`);
const gun = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!";
console.log(`Gosper's gun to 10^30 by hashing: ${(seconds(`hashlife 1${"0".repeat(30)} B3/S23\n${gun}`) * 1000).toFixed(0)} ms`);
console.log(`acorn to 5206 in tiles: ${(seconds("tiles 5206 B3/S23\nbo$3bo$2o2b3o!") * 1000).toFixed(0)} ms`);
const kept = readdirSync(site, { recursive: true }).filter((name) => !name.startsWith("book") && statSync(join(site, name)).isFile());
console.log(`${kept.length} files are kept for use without the host`);

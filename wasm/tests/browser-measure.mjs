// How soon the workbench shows its sheet, and the speed of its program, in Chromium:
//
//     node browser-measure.mjs SITE [RUNS]
//
// A picture is there when the sheet is drawn and says its zoom. The page's processor is slowed down
// four times by the browser for the second row; on a busy machine all of it says little.

import { Browser, serve } from "./browser.mjs";

const [site, runs = "5"] = process.argv.slice(2);
const host = await serve(site);
const browser = await Browser.open();
const median = (/** @type {number[]} */ numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

for (const rate of [1, 4]) {
  const times = [];
  for (let i = 0; i < Number(runs); i += 1) {
    await browser.command("Emulation.setCPUThrottlingRate", { rate });
    await browser.command("Network.clearBrowserCache", {});
    await browser.command("Storage.clearDataForOrigin", { origin: new URL(host.address).origin, storageTypes: "service_workers,cache_storage" });
    await browser.goTo("about:blank");
    await browser.goTo(host.address);
    times.push(await browser.until(`return document.documentElement.dataset.look === "told" && document.getElementById("zoom").textContent !== "" && performance.now()`));
  }
  console.log(`first picture, processor slowed ${rate} times: ${Math.round(median(times))} ms, of ${times.map(Math.round).join(" ")}`);
}
await browser.command("Emulation.setCPUThrottlingRate", { rate: 1 });
await browser.run(`
  const { Machine } = await import("./page/machine.js");
  const machine = new Machine(await WebAssembly.compileStreaming(fetch("page/gridpaper.wasm")));
  let state = 1;
  const row = () => Array.from({ length: 1024 }, () => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return (state >>> 16) & 1 ? "o" : "b"; }).join("");
  globalThis.soup = Array.from({ length: 1024 }, row).join("$") + "!";
  globalThis.gun = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!";
  globalThis.seconds = (head, cells) => { const begun = performance.now(); machine.runCase(head + "\\n" + cells); return (performance.now() - begun) / 1000; };`);
/** The seconds of a run, the least of three. */
const seconds = async (/** @type {string} */ head, /** @type {string} */ cells) => {
  const spent = [];
  for (let i = 0; i < 3; i += 1) spent.push(await browser.run(`return seconds(arguments[0], ${cells})`, head));
  return Math.min(...spent);
};
const torus = (/** @type {number} */ n) => seconds(`torus ${n} B3/S23:T1024,1024`, "soup");
console.log(`Life on a torus of 1024 x 1024: ${((10000 * 2 ** 20) / ((await torus(11000)) - (await torus(1000))) / 1e9).toFixed(1)} Gcells/s`);
console.log(`Gosper's gun to 10^1000 by hashing: ${(await seconds(`hashlife 1${"0".repeat(1000)} B3/S23`, "gun")).toFixed(2)} s`);
console.log(`a soup of 1024 x 1024 to 5000 by hashing: ${(await seconds("hashlife 5000 B3/S23", "soup")).toFixed(2)} s`);
await browser.close();
host.close();

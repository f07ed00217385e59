// The site in Chromium, on a host that serves files alone, at some path and under a strict policy.
//
//     node page.mjs SITE CASES AXE [WORDS]
//
// AXE is the script that looks for faults which keep people out of a page; CASES are runs whose
// answers are known. WORDS, where they are there, are in the names of the tests that are run.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { Browser, serve } from "./browser.mjs";

const [site, cases, axe, words = ""] = process.argv.slice(2);

const ELEMENTS = `<!doctype html><html lang="en"><title>worlds</title>
<script type="module" src="grid-paper.js"></script>
<body style="margin:0"><main><h1>worlds</h1>
<grid-paper id="one" controls>x = 3, y = 3, rule = B3/S23
b2o$2o$bo!</grid-paper>
<grid-paper id="two" src="blinker.cells" autostart speed="20" theme="blueprint"></grid-paper>
<grid-paper id="bad" src="missing.rle"></grid-paper>
<grid-paper id="hex" controls>x = 3, y = 1, rule = B2/S34H
3o!</grid-paper></main></body></html>`;

const GUN = "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!";

const host = await serve(site, { "elements.html": ELEMENTS, "blinker.cells": "!Name: blinker\nOOO\n" });
const browser = await Browser.open();

/** The words of the note and the numbers that are shown. */
const prompt = async (command) => {
  await browser.until(`return document.documentElement.dataset.look === "told"`);
  await browser.run(
    `document.querySelector("#sheet").focus();
     document.querySelector("#sheet").dispatchEvent(new KeyboardEvent("keydown", { key: ":", bubbles: true }));`,
  );
  await browser.until(`return document.getElementById("prompt-text").offsetParent !== null`);
  await browser.run(
    `const input = document.getElementById("prompt-text");
     input.value = arguments[0];
     input.dispatchEvent(new Event("input", { bubbles: true }));
     input.form.requestSubmit();`,
    command,
  );
};
const shows = (id, text) => browser.until(`return document.getElementById(arguments[0]).textContent.replace(/\\s/g, "") === arguments[1]`, id, text);

/** Does something while pages begin with a script that takes from them what a browser may lack. */
const without = async (source, act) => {
  const { identifier } = await browser.command("Page.addScriptToEvaluateOnNewDocument", { source });
  await act();
  await browser.command("Page.removeScriptToEvaluateOnNewDocument", { identifier });
};

const press = (selector) => browser.run(`document.querySelector(arguments[0]).click()`, selector);

const tests = {
  async "a gun runs on the first visit, and the workbench draws, runs and opens by name"() {
    await browser.goTo(host.address);
    await browser.until(`return Number(document.getElementById("generation").textContent) > 3 && document.getElementById("title-words").textContent === "Gosper glider gun"`);
    await prompt("anyway new");
    await prompt("draw 1 3,4 5,4");
    await shows("population", "3");
    await prompt("open gosper-glider-gun");
    await prompt("anyway open gosper-glider-gun");
    await shows("population", "36");
    await prompt("goto 3000");
    await shows("generation", "3000");
    await shows("population", "536");
    await prompt("undo");
  },

  async "a pattern is identified and saved, and what needs a machine says so"() {
    const [card, saved, runsOn] = await browser.run(
      `const { request } = await import("./page/shared/server.js");
       const card = (await (await request("/identify.jsonl")).json()).card;
       const saved = await request("/save?format=rle&name=gun");
       const runsOn = await (await request("/world/run-on?on=1")).json();
       return [card.title, [saved.headers.get("content-disposition"), (await saved.text()).slice(0, 2)], runsOn.error];`,
    );
    assert.match(card, /gun/i);
    assert.deepEqual(saved, ["attachment; filename*=UTF-8''gun.rle", "#C"]);
    assert.match(runsOn, /gridpaper serve/);
  },

  async "a rule is told in words and the library has pictures"() {
    const words = await browser.run(
      `const { request } = await import("./page/shared/server.js");
       return (await (await request("/rule.json?text=highlife")).json()).name;`,
    );
    assert.equal(words, "B36/S23");
    await browser.run(`document.querySelector("[data-panel=library], [data-do=library]").click()`);
    await browser.until(`return [...document.querySelectorAll("#library-list img, .card img")].some((image) => image.naturalWidth === 160)`);
  },

  async "the world is there again when the page is loaded again"() {
    await prompt("anyway new");
    await prompt("draw 1 0,0 6,0");
    await shows("population", "7");
    await browser.until(
      `const { Drafts } = await import("./page/drafts.js");
       const draft = await Drafts.ofWorld(new URLSearchParams(location.search).get("world")).read();
       return draft && new TextDecoder().decode(draft).includes("7o!")`,
    );
    await browser.goTo(host.address);
    await shows("population", "7");
  },

  async "a worker that dies brings back the draft"() {
    await browser.run(`const { link } = await import("./page/shared/server.js"); link.end();`);
    await browser.until(`return document.body.textContent.includes("The sheet is as it was last known")`);
    await shows("population", "7");
    await prompt("draw 1 9,0 9,0");
    await shows("population", "8");
  },

  async "a link brings its pattern, and one of a later version says so"() {
    await prompt("anyway new");
    const link = await browser.run(`const { shareAddress } = await import("./page/shared/server.js"); return shareAddress("x = 5, y = 1\\n5o!");`);
    assert.ok(link.startsWith(host.address) && link.includes("#v=1&rle="));
    await browser.goTo("about:blank");
    await browser.goTo(link);
    await shows("population", "5");
    await prompt("anyway new");
    await browser.goTo("about:blank");
    await browser.goTo(link.replace("v=1", "v=9"));
    await browser.until(`return document.body.textContent.includes("made by a later version")`);
  },

  async "a film is made while the world goes on, and one can be cancelled"() {
    await browser.goTo(`${host.address}?new=1#name=gosper-glider-gun`);
    await shows("population", "36");
    await prompt("goto 40");
    await shows("generation", "40");
    await browser.run(
      `globalThis.films = [];
       const make = URL.createObjectURL;
       URL.createObjectURL = (blob) => {
         if (/^image\\/(gif|apng)/.test(blob.type)) blob.arrayBuffer().then((bytes) => films.push(new Uint8Array(bytes)));
         return make(blob);
       };
       document.getElementById("save").click();
       document.getElementById("film").open = true;`,
    );
    const film = async (kind, fields) => {
      await browser.until(`return document.getElementById("film-from").value !== "" && !document.getElementById("film-make").hidden`);
      await browser.run(
        `document.getElementById("film-kind").value = arguments[0];
         for (const [name, value] of Object.entries(arguments[1])) document.getElementById("film-" + name).value = value;
         document.getElementById("film-make").click();`,
        kind,
        fields,
      );
    };
    const text = `const text = (n) => new TextDecoder("latin1").decode(films[n]);`;
    // the generations before the present one too
    await film("gif", { from: 10, to: 30, every: 10 });
    await browser.until(`return films.length === 1`);
    assert.equal(await browser.run(`${text} return text(0).startsWith("GIF89a") && text(0).endsWith(";")`), true);
    await film("apng", { from: 40, to: 140, every: 25 });
    await browser.until(`return films.length === 2`);
    assert.equal(await browser.run(`${text} return text(1).split("fcTL").length - 1`), 5);
    await shows("generation", "40");
    await film("gif", { from: 9, to: 3, every: 1 });
    await browser.until(`return document.getElementById("film-answer").textContent.includes("3 comes before 9")`);
    // one that would take long
    await prompt("open max");
    await prompt("anyway open max");
    await prompt("engine tiles");
    await browser.run(`document.getElementById("save").click()`);
    await film("gif", { from: "1" + "0".repeat(40), to: "1" + "0".repeat(40), every: 1 });
    await browser.until(`return !document.getElementById("film-progress").hidden`);
    await press("#film-cancel");
    await browser.until(`return document.getElementById("note-words").textContent === "the film was cancelled"`);
    await film("gif", { from: 0, to: 1, every: 1 });
    await browser.until(`return films.length === 3`);
  },

  async "several worlds are kept, and one is laid over another"() {
    const named = `return new URLSearchParams(location.search).get("world")`;
    const isKept = (world, cells) =>
      browser.until(
        `const { Drafts } = await import("./page/drafts.js");
         const draft = await Drafts.ofWorld(arguments[0]).read();
         return draft !== null && new TextDecoder().decode(draft).includes(arguments[1])`,
        world,
        cells,
      );
    const opened = async (world) => {
      await browser.goTo("about:blank");
      await browser.goTo(`${host.address}?${world}`);
      await browser.until(`return document.documentElement.dataset.look === "told"`);
    };
    await opened("new=1");
    await prompt("draw 1 0,0 4,0");
    await shows("population", "5");
    const five = await browser.run(named);
    await isKept(five, "5o!");
    await opened("new=1");
    await prompt("draw 1 0,0 2,0");
    await shows("population", "3");
    const three = await browser.run(named);
    assert.notEqual(three, five);
    await isKept(three, "3o!");

    await press("#worlds");
    await browser.until(`return document.querySelectorAll("#worlds-list li").length >= 2`);
    assert.equal(await browser.run(`return document.getElementById("worlds-run-on").offsetParent`), null);
    await browser.run(
      `const row = [...document.querySelectorAll("#worlds-list li")].find((row) => row.querySelector("a").href.includes("world=" + arguments[0]));
       row.querySelector(".world-buttons button").click();`,
      five,
    );
    const counts = `return ["both", "here", "there"].map((part) => document.getElementById("compared-" + part).textContent)`;
    await browser.until(`const words = [...await (async () => { ${counts} })()]; return /3/.test(words[0]) && /0/.test(words[1]) && /2/.test(words[2])`);
    await prompt("goto 1");
    await browser.until(`return /generation 0|gen 0|\\b0\\b/.test(document.getElementById("compared-there").textContent)`);
    await press("#compared-together");
    await browser.until(`return document.getElementById("compared-together").getAttribute("aria-pressed") === "true"`);
    await prompt("goto 7");
    await shows("generation", "7");
    await browser.until(`return /\\b6\\b/.test(document.getElementById("compared-there").textContent)`);
    await prompt("compare off");
    await browser.until(`return document.getElementById("comparison").hidden`);

    // what was compared is as it was; it is copied, closed and opened again
    const asked = (path, world) => browser.run(`const { request } = await import("./page/shared/server.js"); return (await (await request(arguments[0] + "?world=" + arguments[1], { method: "POST" })).json()).world;`, path, world);
    const [copy, own] = [await asked("/world/clone", five), await asked("/world/clone", three)];
    await asked("/world/close", five);
    await opened(`world=${five}`);
    await shows("population", "0");
    await asked("/world/reopen", five);
    for (const [world, cells, generation] of [[five, "5", "0"], [copy, "5", "0"], [own, "3", "7"]]) {
      await opened(`world=${world}`);
      await shows("population", cells);
      await shows("generation", generation);
    }
  },

  async "the classroom steps its boards and says why"() {
    await browser.goTo(`${host.address}classroom.html`);
    await browser.until(`return document.querySelectorAll("[role=grid]").length === 5`);
    await browser.run(`document.getElementById("class-step").click()`);
    await browser.until(`return document.getElementById("class-round").textContent === "1"`);
  },

  async "a laser level is played, judged and made"() {
    await browser.goTo(`${host.address}laser.html`);
    await browser.until(`return document.getElementById("laser-fewest").textContent.trim() === "1"`);
    await press(`#laser-play [data-do=hint]`);
    await browser.until(`return document.querySelector("#note-words").textContent !== ""`);
    // one of its own, whose fewest moves nobody knows yet
    await press(`#laser-take`);
    await browser.until(`return /1 move/.test(document.getElementById("laser-verdict").textContent)`);
    await press(`#edit-play`);
    await browser.until(`return document.getElementById("laser-fewest").textContent.trim() === "1"`);
    await press(`[data-mode=make]`);
    await browser.run(`document.getElementById("make-seed").value = "7"`);
    await press(`#make-go`);
    await browser.until(`return document.getElementById("laser-name").textContent === "seed 7"`);
    assert.ok((await browser.run("return location.pathname")).startsWith("/some/where/laser"));
    // what takes long is stopped, and the page is alive meanwhile
    await press(`[data-mode=make]`);
    await browser.run(`document.getElementById("make-width").value = "30"; document.getElementById("make-height").value = "30"; document.getElementById("make-pieces").value = "30";`);
    await press(`#make-go`);
    await press(`#make-stop`);
    await browser.until(`return document.getElementById("make-words").textContent === "stopped"`);
  },

  async "a game is played against a player of the program, and is there again"() {
    await browser.goTo(`${host.address}play.html`);
    await browser.until(`return document.querySelector("form.setup") !== null`);
    await browser.run(`document.querySelector("form.setup").requestSubmit()`);
    await browser.until(`return document.querySelector(".table-room")?.hidden === false`);
    const place = (name) => `.board-cell[aria-label^="${name},"]`;
    await browser.until(`return document.querySelector(arguments[0]) !== null`, place("B2"));
    await press(place("B2"));
    await browser.until(`return document.querySelector(".table-room").dataset.turns === "2"`);
    await browser.until(
      `const { Drafts } = await import("./page/drafts.js");
       const draft = await Drafts.ofTable(new URLSearchParams(location.search).get("table")).read();
       return draft && new TextDecoder().decode(draft).includes("B2")`,
    );
    await browser.goTo(await browser.run("return location.href"));
    await browser.until(`return document.querySelector(".table-room")?.dataset.turns === "2"`);
    const replay = await browser.run(
      `const { request } = await import("./page/shared/server.js");
       return (await request("/play/" + new URLSearchParams(location.search).get("table") + "/replay")).text();`,
    );
    assert.match(replay, /tictactoe/);
    await press("#take-back");
    await browser.until(`return document.querySelector(".table-room").dataset.turns === "0"`);
    await browser.goTo(`${host.address}play.html?table=nosuchtable`);
    await browser.until(`return document.querySelector(".table-gone") !== null`);
  },

  async "soups are counted, and what they leave opens on a sheet"() {
    await browser.goTo(`${host.address}census.html`);
    await browser.run(`document.getElementById("census-soups").value = "200"`);
    await press("#census-start");
    await browser.until(`return /^200 soups/.test(document.getElementById("census-words").textContent)`);
    const [name, count] = await browser.run(
      `const row = document.querySelector("#census-rows tr");
       return [row.cells[1].textContent, Number(row.cells[3].textContent.replace(/\\D/g, ""))];`,
    );
    assert.match(name, /block|blinker/);
    assert.ok(count > 100);
    await browser.goTo(await browser.run(`return document.querySelector("#census-rows tr a").href`));
    await browser.until(`return Number(document.getElementById("population")?.textContent) > 0`);
  },

  async "a pattern is looked for, and a long search is stopped"() {
    await browser.goTo(`${host.address}search.html`);
    const [words, title] = [`document.getElementById("search-words").textContent`, `document.querySelector("#search-rows tr")?.cells[1].textContent`];
    await browser.run(`document.getElementById("search-period").value = "2"`);
    await press("#search-start");
    await browser.until(`return ${words}.startsWith("found in") && ${title} !== undefined`);
    assert.equal(await browser.run(`return document.getElementById("search-limit").hidden && document.getElementById("search-stop").hidden`), true);
    const found = await browser.run(`return document.querySelector("#search-rows tr a").href`);
    await browser.run(`for (const [name, value] of [["period", "5"], ["width", "20"], ["height", "20"]]) document.getElementById("search-" + name).value = value; document.getElementById("search-all").checked = true;`);
    await press("#search-start");
    await browser.until(`return document.querySelector("#search-partial svg") !== null`);
    await press("#search-stop");
    await browser.until(`return ${words}.includes("nothing more is known")`);
    await browser.goTo(found);
    await browser.until(`return Number(document.getElementById("population")?.textContent) > 0`);
  },

  async "a replay is shown move by move, and its position opens on a sheet"() {
    await browser.goTo(`${host.address}replays.html?ours=stones`);
    await browser.until(`return document.querySelectorAll(".board-cell, svg .board-lines, [role=img]").length > 0`);
    await press("#ply-on");
    await press("#to-worlds");
    await browser.until(`return Number(document.getElementById("population")?.textContent) > 0`);
  },

  async "nobody is kept out of a page"() {
    const script = readFileSync(axe, "utf8");
    const wrong = [];
    for (const page of ["index", "classroom", "laser", "play", "replays", "census", "search", "arena", "elements"]) {
      await browser.goTo(`${host.address}${page}.html`);
      await browser.until(`return document.querySelector("grid-paper, .no-world, [role=grid], canvas, form") !== null`);
      await browser.execute(script);
      const found = await browser.run(
        `const { violations } = await axe.run(document, { resultTypes: ["violations"] });
         return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html.slice(0, 160)));`,
      );
      wrong.push(...found.map((fault) => `${page}: ${fault}`));
    }
    assert.deepEqual(wrong, []);
  },

  async "the program answers in the browser as natively"() {
    await browser.goTo(`${host.address}index.html`);
    const rows = readFileSync(cases, "utf8").split("\n").filter(Boolean).map((row) => JSON.parse(row)).filter((row) => row.case !== undefined);
    assert.ok(rows.length >= 1000);
    for (let at = 0; at < rows.length; at += 100) {
      const wrong = await browser.run(
        `const { Machine } = await import("./page/machine.js");
         const response = await fetch("page/gridpaper.wasm");
         globalThis.known ??= new Machine(await WebAssembly.compile(await response.arrayBuffer()));
         return arguments[0].filter((row) => globalThis.known.runCase(row.case) !== row.answer).map((row) => row.case);`,
        rows.slice(at, at + 100),
      );
      assert.deepEqual(wrong, []);
    }
  },

  async "rooms that need a machine say so"() {
    await browser.goTo(`${host.address}arena.html`);
    await browser.until(`return document.querySelector("main")?.textContent.includes("gridpaper serve")`);
  },

  async "the book is below the page, and its links lead somewhere"() {
    // where mdBook is not installed, there is none
    if (!existsSync(join(site, "book"))) return;
    for (const page of ["index", "laser"]) {
      await browser.goTo(`${host.address}${page}.html`);
      await browser.until(`return document.querySelector("#help .help-head a") !== null`);
      const book = await browser.run(`return document.querySelector("#help .help-head a").href`);
      assert.equal(book, `${host.address}book/docs/index.html`);
      await browser.goTo(book);
      await browser.until(`return document.querySelector("main h1") !== null`);
    }
    const pages = readdirSync(join(site, "book/docs"), { recursive: true }).map(String).filter((name) => name.endsWith(".html"));
    assert.ok(pages.length > 15);
    const lost = [];
    for (const page of pages) {
      const text = readFileSync(join(site, "book/docs", page), "utf8");
      for (const [, link] of text.matchAll(/<a [^>]*href="([^"#?]+)[^"]*"/g)) {
        if (/^[a-z]+:/.test(link) || page === "404.html") continue;
        if (link.startsWith("/") || !existsSync(join(site, "book/docs", page, "..", decodeURI(link)))) lost.push(`${page}: ${link}`);
      }
    }
    assert.deepEqual(lost, []);
  },

  async "the page is there without its host"() {
    await browser.goTo(host.address);
    await browser.until(`const all = await navigator.serviceWorker.getRegistrations(); return all[0]?.active?.state === "activated"`);
    host.state.isOffline = true;
    await browser.goTo(host.address);
    await browser.until(`return document.getElementById("population")?.textContent !== ""`);
    host.state.isOffline = false;
  },

  async "elements of a page run, each by itself"() {
    await browser.goTo(`${host.address}elements.html`);
    await browser.until(`return document.getElementById("one").population === "5" && document.getElementById("two").population === "3"`);
    await browser.until(`return document.getElementById("two").running && Number(document.getElementById("two").generation) > 3`);
    const told = await browser.run(
      `const one = document.getElementById("one");
       const generations = [];
       one.addEventListener("generation", ({ detail }) => generations.push(detail.generation));
       await one.goto(1103);
       await one.load("3o!");
       const settled = new Promise((resolve) => one.addEventListener("settled", ({ detail }) => resolve(detail)));
       await one.run();
       const { period } = await settled;
       await one.stop();
       await one.load("${GUN}");
       await one.goto(3000);
       return [generations.includes("1103"), period, one.population];`,
    );
    assert.equal(told[0], true);
    assert.equal(Number(told[1]) % 2, 0);
    assert.equal(told[2], "536");
    await browser.run(`document.getElementById("hex").scrollIntoView()`);
    await browser.until(`return document.getElementById("hex").population === "3"`);
    await browser.until(`return !document.getElementById("two").running`);
    await browser.run(`document.getElementById("bad").scrollIntoView()`);
    await browser.until(`return document.getElementById("bad").shadowRoot.textContent.includes("there is no such file (404)")`);
    const inked = await browser.run(
      `const ink = (id) => {
         const canvas = document.getElementById(id).shadowRoot.querySelector("canvas");
         const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
         const colours = new Set();
         for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 3).join());
         return colours.size;
       };
       return [ink("one"), ink("two"), ink("hex")];`,
    );
    assert.ok(inked.every((colours) => colours > 1), String(inked));
  },

  async "the keys of an element move it"() {
    const before = await browser.run(`const one = document.getElementById("one"); one.shadowRoot.querySelector("canvas").focus(); return one.generation;`);
    await browser.run(`document.getElementById("one").shadowRoot.querySelector("canvas").dispatchEvent(new KeyboardEvent("keydown", { key: ".", bubbles: true }))`);
    await browser.until(`return document.getElementById("one").generation !== arguments[0]`, before);
  },

  async "an element gives way to the wish for less motion"() {
    await browser.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] });
    await browser.goTo(`${host.address}elements.html`);
    await browser.until(`return document.getElementById("two").population === "3" && document.getElementById("one").population === "5"`);
    assert.deepEqual(await browser.run(`const two = document.getElementById("two"); return [two.running, two.generation]`), [false, "0"]);
    await browser.command("Emulation.setEmulatedMedia", { features: [] });
  },

  async "an element runs from another host, and from one file alone"() {
    const page = (script) => `<!doctype html><html lang="en"><title>far</title><script type="module" src="${script}"></script><grid-paper>3o!</grid-paper>`;
    const other = await serve(
      null,
      { "far.html": page(`${host.address}grid-paper.js`), "alone.html": page("grid-paper.single.js"), "grid-paper.single.js": readFileSync(join(site, "grid-paper.single.js")) },
      "script-src 'self' http://127.0.0.1:* 'wasm-unsafe-eval'; worker-src blob:",
    );
    for (const name of ["far", "alone"]) {
      await browser.goTo(`${other.address}${name}.html`);
      await browser.until(`return document.querySelector("grid-paper").population === "3"`);
    }
    other.close();
  },

  async "a notebook's widget runs a world, and tells where it is"() {
    const module = readFileSync(join(site, "grid-paper.single.js"), "utf8") + readFileSync(new URL("../../python/gridpaper/widget.js", import.meta.url), "utf8");
    const notebook = await serve(null, { "cell.html": "<title>cell</title>", "widget.js": module }, "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:");
    await browser.goTo(`${notebook.address}cell.html`);
    await browser.run(
      `const values = { pattern: "b2o$2o$bo!", controls: true, autostart: false, step: "", speed: "", theme: "blueprint", memory: 0 };
       const heard = new Set();
       const model = { get: (name) => values[name], set: (name, value) => (values[name] = value), save_changes() {}, on: (kind, act) => heard.add(act), off: (kind, act) => heard.delete(act) };
       Object.assign(globalThis, { values, heard, tell: (call, ...of) => heard.forEach((act) => act({ call, of })) });
       const { default: widget } = await import("./widget.js");
       globalThis.end = widget.render({ model, el: document.body });`,
    );
    await browser.until(`return values.population === "5"`);
    await browser.run(`tell("goto", "1103")`);
    await browser.until(`return values.generation === "1103" && values.population === "116" && values.error === ""`);
    await browser.run(`tell("command", "nonsense")`);
    await browser.until(`return values.error !== ""`);
    await browser.run(`tell("load", "[M2] (gridpaper)\\n#R B3/S23\\n$$$...*$....*$\\n")`);
    await browser.until(`return values.population === "2" && values.error === ""`);
    await browser.run(`tell("run")`);
    await browser.until(`return values.running && values.population === "0"`);
    assert.deepEqual(await browser.run(`end(); return [heard.size, document.querySelector("grid-paper")]`), [0, null]);
    notebook.close();
  },

  async "pages on a disk run too"() {
    const address = (name) => pathToFileURL(join(site, name)).href;
    await browser.goTo(address("index.html"));
    await prompt("anyway new");
    await prompt("draw 1 3,4 5,4");
    await shows("population", "3");
    await browser.goTo(address("laser.html"));
    await browser.until(`return document.getElementById("laser-fewest").textContent.trim() === "1"`);
    // what takes long has a worker of its own
    await press(`#laser-play [data-do=hint]`);
    await browser.until(`return document.querySelector("#note-words").textContent !== ""`);
    await browser.goTo(address("arena.html"));
    await browser.until(`return document.querySelector("main")?.textContent.includes("gridpaper serve")`);
  },

  async "a browser without SIMD has a program of its own"() {
    const loaded = `return performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop()).filter((name) => name.endsWith(".wasm"))`;
    const old = await Browser.open(["js-flags=--no-enable-sse4-1"]);
    for (const [one, name] of [[browser, "gridpaper.wasm"], [old, "gridpaper-plain.wasm"]]) {
      await one.goTo(`${host.address}elements.html`);
      await one.until(`return document.getElementById("one").population === "5"`);
      assert.deepEqual(await one.run(loaded), [name]);
    }
    await old.close();
  },

  async "what is missing or broken is told in a sentence, and the rest works"() {
    const broken = await serve(site, { "page/gridpaper.wasm": Buffer.from("no program") });
    await browser.goTo(broken.address);
    await browser.until(`return document.body.textContent.includes("the world cannot be started in this page")`);
    await browser.goTo(await browser.run(`return document.querySelector("nav a[href='classroom.html']").href`));
    await browser.until(`return document.querySelectorAll("[role=grid]").length === 5`);
    broken.close();

    const said = "this browser has no WebAssembly";
    await without("delete globalThis.WebAssembly", async () => {
      await browser.goTo(host.address);
      await browser.until(`return document.body.textContent.includes("${said}") && document.querySelector("nav a") !== null`);
      await browser.goTo(`${host.address}elements.html`);
      await browser.until(`return document.getElementById("one").shadowRoot.textContent.includes("${said}")`);
    });
  },

  async "a store that is full or forbidden is told, and the world goes on"() {
    const full = `IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };`;
    const forbidden = `Object.defineProperty(globalThis, "indexedDB", { get() { throw new DOMException("forbidden", "SecurityError"); } });`;
    for (const source of [full, forbidden]) {
      await without(source, async () => {
        await browser.goTo(host.address);
        await prompt("anyway new");
        await prompt("draw 1 0,0 3,0");
        await browser.until(`return document.body.textContent.includes("the browser’s store is full or forbidden")`);
        await prompt("draw 1 0,2 3,2");
        await shows("population", "8");
      });
    }
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(words)) continue;
  try {
    await test();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
    for (const { level, message } of await browser.log().catch(() => [])) if (level === "SEVERE") console.log(`      ${message}`);
  }
}
await browser.close();
host.close();
process.exitCode = failed === 0 ? 0 : 1;

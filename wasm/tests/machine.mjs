// Holds the program of a site against what the same code answers natively, in Node.
//
//     node machine.mjs SITE CASES

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";
import { fileOf } from "../site/program.js";

const [site, cases] = process.argv.slice(2);
const { Machine, MachineFault } = await import(pathToFileURL(join(site, "page/machine.js")).href);
const [module, rooms] = ["gridpaper", "rooms"].map((name) => new WebAssembly.Module(readFileSync(join(site, "page", fileOf(name)))));

/** @param {WebAssembly.Module} program */
const imports = (program) => WebAssembly.Module.imports(program).map(({ module: from, name }) => `${from}.${name}`);
for (const program of [module, rooms]) assert.deepEqual(imports(program).sort(), ["page.now", "page.report"], "a clock and an ear are all that it is given");

const machine = new Machine(module);
let [runs, commands] = [0, 0];
for (const line of readFileSync(cases, "utf8").split("\n").filter(Boolean)) {
  const row = JSON.parse(line);
  if (row.case !== undefined) {
    assert.equal(machine.runCase(row.case), row.answer, row.case);
    runs += 1;
    continue;
  }
  const world = machine.openWorld(64, 0.5);
  const replies = [];
  for (const [id, text] of row.command.entries()) {
    machine.tell(world, JSON.stringify({ do: text, id }));
    for (const message of machine.messages(world)) {
      const { reply } = JSON.parse(String(message));
      if (reply) replies.push(reply);
    }
  }
  machine.close(world);
  assert.deepEqual(replies, row.reply, row.command.at(-1));
  commands += 1;
}
assert.ok(runs >= 1000 && commands > 100, `${runs} runs and ${commands} commands`);

// a page that opens and closes many worlds
const before = machine.bytes;
for (let i = 0; i < 200; i += 1) {
  const world = machine.openWorld(64, 1);
  machine.tell(world, JSON.stringify({ size: [400, 300] }));
  machine.tell(world, JSON.stringify({ do: "open r-pentomino", id: 1 }));
  machine.tell(world, JSON.stringify({ do: "goto 200", id: 2 }));
  while (machine.poll(world, 50) === 0);
  assert.ok([...machine.messages(world)].length > 2);
  machine.close(world);
}
assert.ok(machine.bytes - before < 16 << 20, `${machine.bytes - before} bytes were left by closed worlds`);

// a draft comes back in another machine
const world = machine.openWorld(64);
machine.tell(world, JSON.stringify({ do: "draw 1 3,4 9,4", id: 1 }));
const draft = machine.draft(world, true);
const other = new Machine(module);
const restored = other.openWorld(64);
assert.ok(draft && other.restore(restored, draft));
assert.ok(!other.restore(restored, new TextEncoder().encode("no draft")));
const saved = other.request(restored, "/save?format=rle&name=x", new Uint8Array());
assert.match(new TextDecoder().decode(saved.bytes), /7o!/);
assert.equal(saved.head.download, "x.rle");

// another world is laid over one, by its draft
const texts = (room) => [...machine.messages(room)].filter((message) => typeof message === "string").map((message) => JSON.parse(message));
machine.tell(world, JSON.stringify({ do: "compare other", id: 8 }));
const asked = [...machine.messages(world)].flatMap((message) => message.wanted ?? []);
assert.deepEqual(asked, ["other"]);
machine.lend(world, "other", draft);
assert.equal(texts(world).find(({ reply }) => reply?.id === 8).reply.ok, true);
machine.tell(world, JSON.stringify({ do: "compare nowhere", id: 9 }));
assert.equal([...machine.messages(world)].some((message) => message.wanted === "nowhere"), true);
machine.lend(world, "nowhere", null);
assert.match(texts(world).find(({ reply }) => reply?.id === 9).reply.error, /no open world nowhere/);

// a film is made in another machine
const film = machine.request(world, "/film.gif?from=0&to=4&progress=1", new Uint8Array());
assert.equal(film.head.status, 200);
const pieces = [];
other.makeFilm(film.bytes, (piece) => pieces.push(piece));
assert.equal(new TextDecoder("latin1").decode(pieces[0].subarray(8, 14)), "GIF89a");
assert.equal(new DataView(pieces.at(-1).buffer).getUint32(0, true), 5);

// what is too large is refused with a sentence, and the world stays
machine.tell(world, JSON.stringify({ do: "open 3o!", id: 2 }));
const large = machine.request(world, "/open?name=large.rle&anyway=1", new Uint8Array(20 << 20));
assert.equal(large.head.status, 413);
assert.match(new TextDecoder().decode(large.bytes), /at most \d+ are taken here/);

// hashing stops with a sentence at its bound, and the world goes on
const tight = machine.openWorld(1, 0.5);
for (const [id, text] of ["soup 40x40 0.4 seed 1", "engine hashlife", "rule B2/S", "goto 4000"].entries()) machine.tell(tight, JSON.stringify({ do: text, id }));
const heard = () => [...machine.messages(tight)].filter((message) => typeof message === "string").map((message) => JSON.parse(message));
let last = null;
while (!last?.message) {
  const next = machine.poll(tight, 50);
  last = heard().findLast(({ status }) => status)?.status ?? last;
  assert.ok(next >= 0 || last?.message, "it goes on until there is no room");
}
assert.match(last.message, /^hashlife has no room for the next generation in the \d+ MiB/);
machine.tell(tight, JSON.stringify({ do: "anyway open 3o!", id: 9 }));
assert.equal(heard().find(({ reply }) => reply?.id === 9).reply.ok, true);
machine.close(tight);

assert.throws(() => new Machine(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))).openWorld(1), MachineFault);
// rooms, with their work done at once
const inside = new Machine(rooms);
const worker = new Machine(rooms);
/** What a room tells its page, which says this. */
const told = (room, message) => {
  if (message) assert.equal(inside.tell(room, JSON.stringify(message)), null);
  const texts = [];
  for (;;) {
    const news = [...inside.messages(room)];
    if (news.length === 0) return texts;
    for (const one of news) {
      if (typeof one === "string") texts.push(JSON.parse(one));
      else if (one.job) worker.runJob(one.job, (report) => inside.hear(room, one.lane, report));
    }
  }
};
const ask = (room, address, body = {}) => {
  const { head, bytes } = inside.request(room, address, new TextEncoder().encode(JSON.stringify(body)));
  return { head, answer: JSON.parse(new TextDecoder().decode(bytes)) };
};
const laser = inside.open("laser");
assert.ok(told(laser)[0].welcome.levels.length > 20);
const level = told(laser, { play: { text: "4 3\nW W SvW\nL>. . W\nW M/W W" } }).at(-1).view;
assert.deepEqual([level.fewest, level.searching], [1, false]);
assert.match(inside.tell(laser, "no message") ?? "", /no message that is known here/);
const setup = inside.open("play 0.5");
assert.ok(ask(setup, "/play/games.json").answer.games.length > 5);
const made = ask(setup, "/play/tables", { game: "tictactoe", seats: ["me", "perfect"] }).answer;
const table = inside.open(`play 0.5 ${made.key}`);
assert.ok(inside.restore(table, new TextEncoder().encode(made.stored)));
assert.equal(told(table)[0].you.seat, 0);
assert.equal(told(table, { do: "move", text: "B2", id: 1 }).at(-1).table.history.length, 2);
const counted = [1, 3].map((lanes) => {
  const census = inside.open(`census ${lanes}`);
  assert.equal(ask(census, "/census/start", { rule: "B3/S23", symmetry: "C1", root: "mine", soups: 50 }).head.status, 200);
  told(census);
  const { run } = ask(census, "/census/state.json").answer;
  assert.deepEqual([run.soups, run.isOver, run.error], [50, true, null]);
  return run.rows;
});
assert.deepEqual(counted[0], counted[1], "lanes count what one counts");
const search = inside.open("search");
const { id } = ask(search, "/search/start", { task: "ship", rule: "B3/S23", velocity: "(1,1)c/4", width: 4, height: 4 }).answer;
told(search);
const looked = ask(search, `/search/state.json?id=${id}`).answer.run;
assert.deepEqual([looked.isOver, looked.found[0].code], [true, "xq4_153"]);
assert.throws(() => inside.open("kitchen"), /there is no room/);

// the folder is an npm package, with types
const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: site, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
const packed = files.map(({ path }) => path);
const wanted = JSON.parse(readFileSync(join(site, "package.json"), "utf8")).files;
assert.deepEqual(wanted.filter((name) => !packed.includes(name)), []);

console.log(`${runs} runs and ${commands} commands answer as natively in ${fileOf("gridpaper")}; ${(machine.bytes / 2 ** 20).toFixed(1)} MiB`);

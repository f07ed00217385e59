// Holds the program of a site against what the same code answers natively, in Node.
//
//     node machine.mjs SITE CASES

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const [site, cases] = process.argv.slice(2);
const { Machine, MachineFault } = await import(pathToFileURL(join(site, "page/machine.js")).href);
const module = new WebAssembly.Module(readFileSync(join(site, "page/gridpaper.wasm")));

const imports = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
assert.deepEqual(imports, ["page.now"], "a clock is all that it is given");

const machine = new Machine(module);
let [runs, commands] = [0, 0];
for (const line of readFileSync(cases, "utf8").split("\n").filter(Boolean)) {
  const row = JSON.parse(line);
  if (row.case !== undefined) {
    assert.equal(machine.runCase(row.case), row.answer, row.case);
    runs += 1;
    continue;
  }
  const world = machine.open(64, 0.5);
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
assert.ok(runs > 200 && commands > 100, `${runs} runs and ${commands} commands`);

// a page that opens and closes many worlds
const before = machine.bytes;
for (let i = 0; i < 200; i += 1) {
  const world = machine.open(64, 1);
  machine.tell(world, JSON.stringify({ size: [400, 300] }));
  machine.tell(world, JSON.stringify({ do: "open r-pentomino", id: 1 }));
  machine.tell(world, JSON.stringify({ do: "goto 200", id: 2 }));
  while (machine.poll(world, 50) === 0);
  assert.ok([...machine.messages(world)].length > 2);
  machine.close(world);
}
assert.ok(machine.bytes - before < 16 << 20, `${machine.bytes - before} bytes were left by closed worlds`);

// a draft comes back in another machine
const world = machine.open(64);
machine.tell(world, JSON.stringify({ do: "draw 1 3,4 9,4", id: 1 }));
const draft = machine.draft(world, true);
const other = new Machine(module);
const restored = other.open(64);
assert.ok(draft && other.restore(restored, draft));
assert.ok(!other.restore(restored, new TextEncoder().encode("no draft")));
const saved = other.request(restored, "/save?format=rle&name=x", new Uint8Array());
assert.match(new TextDecoder().decode(saved.bytes), /7o!/);
assert.equal(saved.head.download, "x.rle");

// what is too large is refused with a sentence, and the world stays
machine.tell(world, JSON.stringify({ do: "open 3o!", id: 2 }));
const large = machine.request(world, "/open?name=large.rle&anyway=1", new Uint8Array(20 << 20));
assert.equal(large.head.status, 413);
assert.match(new TextDecoder().decode(large.bytes), /at most \d+ are taken here/);

assert.throws(() => new Machine(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))).open(1), MachineFault);
console.log(`${runs} runs and ${commands} commands answer as natively; ${(machine.bytes / 2 ** 20).toFixed(1)} MiB`);

// Makes few scripts of the site's many modules, and the copies of them that need no host. Run by
// `cargo xtask site`:
//
//     node bundle.mjs SITE SOURCES ESBUILD
//
// SITE has the page's modules and the programs; SOURCES is the folder `wasm/site`, whose modules stand
// beside them or in their place. A chain of imports costs a request and a wait for each link, so a
// page loads its entry and what that shares with other pages, both named in its document.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const [site, sources, esbuildFolder] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(import.meta.url)(esbuildFolder);

const page = join(site, "page");
const SCRIPT = /<script type="module" src="page\/([^"]+)"><\/script>/;
const documents = readdirSync(site)
  .filter((name) => name.endsWith(".html"))
  .map((name) => {
    const text = readFileSync(join(site, name), "utf8");
    const found = SCRIPT.exec(text);
    if (!found) throw new Error(`${name} has no script`);
    return { name, text, tag: found[0], entry: found[1], onDisk: `${found[1].replace(/(\/main)?\.js$/, "").replaceAll("/", "-")}.js` };
  });
const programs = readdirSync(page).filter((name) => name.endsWith(".wasm"));

/** A file of the page as it is to be: the site's own, or the page's. */
const fileOf = (/** @type {string} */ name) => [join(sources, name), join(page, name)].find((path) => existsSync(path));

/** @param {{[name: string]: string}} [others] modules that stand in the place of those of these names */
const modules = (others = {}) => ({
  name: "modules",
  setup(/** @type {any} */ build) {
    build.onResolve({ filter: /^\./ }, (/** @type {any} */ { path, resolveDir, kind }) => {
      if (kind === "entry-point") return undefined;
      const whole = join(resolveDir, path);
      const inSite = [sources, page].map((folder) => relative(folder, whole)).find((name) => !name.startsWith(".."));
      const name = inSite?.replace(/^page\//, "") ?? path;
      return { path: others[name] ?? fileOf(name) };
    });
  },
});

const common = { bundle: true, minify: true, write: false, target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning" };

/**
 * @param {string} entry
 * @param {object} how
 * @param {{[name: string]: string}} [others]
 * @returns {Promise<string>}
 */
async function bundled(entry, how, others) {
  const { outputFiles } = await esbuild.build({ ...common, ...how, entryPoints: [fileOf(entry)], plugins: [modules(others)] });
  return outputFiles[0].text;
}

// scripts for hosts
const entries = new Set(["start.js", "drafts.js", "machine.js", "shared/server.js", ...documents.map(({ entry }) => entry)]);
const { outputFiles, metafile } = await esbuild.build({
  ...common,
  entryPoints: [...entries].map((name) => ({ in: fileOf(name), out: name.replace(/\.js$/, "") })),
  outdir: page,
  format: "esm",
  splitting: true,
  metafile: true,
  // as deep as the module that knows the page's folder by its own address
  chunkNames: "shared/[name]-[hash]",
  plugins: [modules()],
});
const workers = Object.fromEntries(
  await Promise.all(["worker.js", "job-worker.js"].map(async (name) => [name, await bundled(name, { format: "iife" })])),
);
const serviceWorker = await bundled("service-worker.js", { format: "iife" });
const elementText = await bundled("grid-paper.js", { format: "esm" });

// copies without a host
const inside = join(sources, "disk/inside.js");
const atHome = `const HERE = new URL("page/shared/server.js", document.baseURI).href;\n`;
const onDisk = new Map();
for (const { entry, onDisk: name } of documents) {
  if (onDisk.has(name)) continue;
  const text = await bundled(entry, { format: "esm", define: { "import.meta.url": "HERE" } }, { "inside.js": inside });
  onDisk.set(name, `(async () => {\n${atHome}${text}})();\n`);
}
const packed = Object.fromEntries(programs.map((name) => [name, gzipSync(readFileSync(join(page, name)), { level: 9 }).toString("base64")]));
const files = { ...workers, ...packed };

// the element with all that it needs in one file
const single = join(page, "inside-single.js");
const own = Object.fromEntries(["worker.js", "gridpaper.wasm"].map((name) => [name, files[name]]));
writeFileSync(single, `const FILES = ${JSON.stringify(own)};\nexport const inside = async (name) => FILES[name] ?? null;\n`);
const singleText = await bundled("grid-paper.js", { format: "esm" }, { "page/inside.js": single, "inside.js": single });

// the modules make way
for (const name of readdirSync(page, { recursive: true })) {
  const path = join(page, String(name));
  if (path.endsWith(".js") && statSync(path).isFile()) rmSync(path);
}
const put = (/** @type {string} */ path, /** @type {string} */ text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
for (const { path, text } of outputFiles) put(path, text);
for (const [name, text] of Object.entries(workers)) put(join(page, name), text);
put(join(site, "grid-paper.js"), elementText);
put(join(site, "grid-paper.single.js"), singleText);
for (const [name, text] of onDisk) put(join(page, "disk", name), text);
for (const [name, text] of Object.entries(files)) put(join(page, "disk", `${name}.js`), `gridpaperInside[${JSON.stringify(name)}] = ${JSON.stringify(text)};\n`);
put(join(page, "disk/start.js"), readFileSync(join(sources, "disk/start.js"), "utf8"));
put(join(site, "service-worker.js"), serviceWorker);

// each document names what its entry imports, and the script for pages on a disk
const outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [resolve(path), output]));
const imports = (/** @type {string} */ path, found = new Set()) => {
  for (const { path: other, kind } of outputs[path].imports) {
    const whole = resolve(other);
    if (kind !== "import-statement" || found.has(whole)) continue;
    found.add(whole);
    imports(whole, found);
  }
  return found;
};
for (const { name, text, tag, entry, onDisk: script } of documents) {
  const early = name === "index.html" ? '<script type="module" async src="page/start.js"></script>\n' : "";
  const links = [...imports(join(page, entry))].map((other) => `<link rel="modulepreload" href="${relative(site, other)}">\n`);
  put(join(site, name), text.replace(tag, `${early}${links.join("")}${tag}\n<script defer src="page/disk/start.js" data-script="${script}"></script>`));
}

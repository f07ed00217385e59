// The site while its host cannot be reached: its files are kept at the first visit, and a new
// version of them takes the place of the old one as a whole.

import { fileOf } from "./program.js";

/** `cargo xtask site` writes them in. */
const VERSION = SITE_VERSION;
/** All but the programs. */
const FILES = SITE_FILES;
/** What is kept when it is first wanted: who looks at worlds does not load it. */
const LATER = /\/page\/rooms(-plain)?\.wasm$/;
const NAME = `gridpaper-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(NAME);
      // not what the browser has kept by other rules
      await cache.addAll([...FILES, `page/${fileOf("gridpaper")}`].map((name) => new Request(name, { cache: "no-cache" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith("gridpaper-") && name !== NAME) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const address = new URL(request.url);
  address.search = "";
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  const kept = await cache.match(address.href);
  if (kept) return kept;
  const isLater = LATER.test(address.pathname);
  const response = await fetch(isLater ? new Request(address, { cache: "no-cache" }) : request);
  if (isLater && response.ok) await cache.put(address.href, response.clone());
  return response;
}

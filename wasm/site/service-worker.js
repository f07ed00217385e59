// The site while its host cannot be reached: its files are kept at the first visit, and a new
// version of them takes the place of the old one as a whole.

const VERSION = /* VERSION */ "";
const FILES = /* FILES */ [];
/** What is kept when it is first wanted: who looks at worlds does not load it. */
const LATER = /\/page\/rooms\.wasm$/;
const NAME = `gridpaper-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(NAME);
      // not what the browser has kept by other rules
      await cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
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

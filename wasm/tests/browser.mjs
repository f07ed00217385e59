// A folder on a host at some path, and Chromium that looks at it: by chromedriver's own protocol, so
// that no package is needed.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".json": "application/json" };

/** What a strict host allows a page: no inline script, and WebAssembly. */
const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; object-src 'none'";

/**
 * @param {string | null} folder
 * @param {Record<string, string | Buffer>} extra other files by their names
 * @param {string} policy
 */
export async function serve(folder, extra = {}, policy = POLICY) {
  const state = { isOffline: false, served: 0, bytes: 0 };
  const server = createServer((request, response) => {
    if (state.isOffline) return request.socket.destroy();
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname).replace("/some/where/", "") || "index.html";
    let body;
    try {
      body = extra[name] ?? readFileSync(join(folder ?? "/dev/null", normalize(name)));
    } catch {
      return response.writeHead(404).end("nothing here");
    }
    state.served += 1;
    state.bytes += body.length;
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain", "content-security-policy": policy, "access-control-allow-origin": "*" }).end(body);
    return undefined;
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/some/where/`, state, close: () => server.close() };
}

export class Browser {
  /** @param {string[]} more flags */
  static async open(more = []) {
    const profile = mkdtempSync(join(tmpdir(), "gridpaper-site-"));
    const driver = spawn(process.env.CHROMEDRIVER ?? "chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise((resolve, reject) => {
      let said = "";
      driver.stdout.on("data", (text) => {
        said += text;
        const found = /successfully on port (\d+)/.exec(said);
        if (found) resolve(found[1]);
      });
      driver.on("error", reject);
      driver.on("exit", () => reject(new Error(`chromedriver: ${said}`)));
    });
    const browser = new Browser();
    browser.driver = driver;
    browser.profile = profile;
    browser.base = `http://127.0.0.1:${port}/session`;
    const flags = ["headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync", `user-data-dir=${profile}`, "window-size=1200,800", ...more];
    const { sessionId } = await browser.ask("POST", "", { capabilities: { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": { args: flags }, "goog:loggingPrefs": { browser: "ALL" } } } });
    browser.base += `/${sessionId}`;
    await browser.ask("POST", "/timeouts", { script: 40000, pageLoad: 60000 });
    return browser;
  }

  async ask(method, path, body) {
    const response = await fetch(this.base + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${path}: ${value.message}`);
    return value;
  }

  goTo(url) {
    return this.ask("POST", "/url", { url });
  }

  /** A command of the browser's own protocol. */
  command(cmd, params) {
    return this.ask("POST", "/goog/cdp/execute", { cmd, params });
  }

  /** Runs a script in the page as it is. */
  execute(script) {
    return this.ask("POST", "/execute/sync", { script, args: [] });
  }

  /** Runs the body of a function in the page, and waits for what it promises. */
  run(script, ...args) {
    return this.ask("POST", "/execute/sync", { script: `return (async () => { ${script} })()`, args });
  }

  /** Waits until a script's value is true, or says what it was at last. */
  async until(script, ...args) {
    const wait = `
      const end = performance.now() + 20000;
      for (;;) {
        const value = await (async () => { ${script} })();
        if (value) return value;
        if (performance.now() > end) throw new Error("it never was so: " + document.body.innerText.slice(0, 600));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }`;
    return this.run(wait, ...args);
  }

  async picture() {
    return Buffer.from(await this.ask("GET", "/screenshot"), "base64");
  }

  log() {
    return this.ask("POST", "/se/log", { type: "browser" });
  }

  async close() {
    await this.ask("DELETE", "").catch(() => {});
    this.driver.kill();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

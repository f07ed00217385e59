// The theme's colours, as custom properties of the page.

import { mix } from "./colour.js";

/** @import { Bench } from "./bench.js" */

/** @param {Bench} bench */
export function startTheme(bench) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  bench.connection.dark(system.matches);
  system.addEventListener("change", () => bench.connection.dark(system.matches));
  bench.on("look", ({ theme }) => {
    for (const [name, value] of Object.entries(theme)) {
      if (value.startsWith("#")) root.style.setProperty(`--${name.replaceAll("_", "-")}`, value);
    }
    if (!theme.desk) root.style.setProperty("--desk", mix(theme.sheet, theme.text, 0.09));
    root.dataset.theme = theme.name;
    root.dataset.look = "told";
    const dark = theme.name === "blueprint";
    root.style.setProperty("color-scheme", dark ? "dark" : "light");
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", theme.sheet);
  });
}

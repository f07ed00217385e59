// The theme's colours, as custom properties of the page.

import { mix } from "./colour.js";

/** @import { Bench } from "./bench.js" */

/** @param {Bench} bench */
export function startTheme(bench) {
  const root = document.documentElement;
  bench.on("look", ({ theme }) => {
    for (const [name, value] of Object.entries(theme)) {
      if (value.startsWith("#")) root.style.setProperty(`--${name.replaceAll("_", "-")}`, value);
    }
    root.style.setProperty("--desk", mix(theme.sheet, theme.text, 0.07));
    root.dataset.theme = theme.name;
    root.dataset.look = "told";
    const dark = theme.name === "blueprint";
    root.style.setProperty("color-scheme", dark ? "dark" : "light");
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", theme.sheet);
  });
}

// The theme's colours, as custom properties of the page.

import { mix } from "./colour.js";
import { find } from "./element.js";
import { THEMES, chooseTheme, oppositeOf, theme as ownTheme, themeOf } from "./shared/theme-choice.js";

/** @import { Workbench } from "./workbench.js" */

/**
 * The button of the top bar chooses for this browser, as on the other pages; a theme of the
 * world's own comes first, so then it is that which changes.
 * @param {Workbench} workbench
 */
export function startTheme(workbench) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  // without a theme of the world's own, the choice of the other pages applies
  const dark = () => workbench.connection.dark(THEMES[ownTheme()]);
  dark();
  system.addEventListener("change", dark);
  addEventListener("storage", dark);
  find("theme-button", HTMLButtonElement).addEventListener("click", () => {
    const next = oppositeOf(root.dataset.theme);
    if (workbench.status && workbench.status.settings.theme !== "auto") workbench.do(`theme ${next}`);
    else {
      chooseTheme(next);
      dark();
    }
  });
  /** @type {string | null} */
  let before = null;
  workbench.on("status", ({ settings }) => {
    const now = settings.theme;
    if (before !== null && now !== before) chooseTheme(themeOf(now));
    before = now;
  });
  workbench.on("look", ({ theme }) => {
    for (const [name, value] of Object.entries(theme)) {
      if (value.startsWith("#")) root.style.setProperty(`--${name.replaceAll("_", "-")}`, value);
    }
    if (!theme.desk) root.style.setProperty("--desk", mix(theme.sheet, theme.text, 0.09));
    root.dataset.theme = theme.name;
    root.dataset.look = "told";
    const scheme = THEMES[themeOf(theme.name) ?? "paper"] ? "dark" : "light";
    root.dataset.scheme = scheme;
    root.style.setProperty("color-scheme", scheme);
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", theme.sheet);
  });
}

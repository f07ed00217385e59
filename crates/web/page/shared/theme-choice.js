// The choice of theme: `paper` or `blueprint` as stored in this browser, else by the system's
// colour scheme. The colours are in /theme.css.

import { find } from "../element.js";
import { recall, remember } from "../storage.js";

/** @typedef {"paper" | "blueprint"} ThemeName */

const system = matchMedia("(prefers-color-scheme: dark)");

/**
 * The stored theme, or null where the system decides.
 * @returns {ThemeName | null}
 */
export function chosenTheme() {
  const stored = recall("theme");
  return stored === "paper" || stored === "blueprint" ? stored : null;
}

/** @param {ThemeName | null} theme */
export function chooseTheme(theme) {
  remember("theme", theme ?? "auto");
}

/** @returns {ThemeName} */
export function theme() {
  return chosenTheme() ?? (system.matches ? "blueprint" : "paper");
}

/** Applies the theme and connects the theme button in the top bar. */
export function startThemeChoice() {
  const show = () => {
    const root = document.documentElement;
    root.dataset.theme = theme();
    root.dataset.look = "told";
    const sheet = getComputedStyle(root).getPropertyValue("--sheet").trim();
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", sheet);
    document.dispatchEvent(new CustomEvent("look"));
  };
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
  find("theme-button", HTMLButtonElement).addEventListener("click", () => {
    chooseTheme(theme() === "paper" ? "blueprint" : "paper");
    show();
  });
}

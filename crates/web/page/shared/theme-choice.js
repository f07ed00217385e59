// The choice of theme, as stored in this browser, else `paper` or `blueprint` by the system's colour
// scheme. The colours are in /theme.css.

import { find } from "../element.js";
import { recall, remember } from "../storage.js";

/** The themes, and whether each is dark (crates/render/src/colour.rs). */
export const THEMES = { paper: false, blueprint: true, contrast: false, sepia: false, night: true };

/** @typedef {keyof typeof THEMES} ThemeName */

/**
 * @param {string | null} name
 * @returns {ThemeName | null}
 */
export function themeOf(name) {
  return name !== null && Object.hasOwn(THEMES, name) ? /** @type {ThemeName} */ (name) : null;
}

/**
 * The usual theme of the other kind.
 * @param {string | undefined} name
 * @returns {ThemeName}
 */
export function oppositeOf(name) {
  return THEMES[themeOf(name ?? null) ?? "paper"] ? "paper" : "blueprint";
}

const system = matchMedia("(prefers-color-scheme: dark)");

/**
 * The stored theme, or null where the system decides.
 * @returns {ThemeName | null}
 */
export function chosenTheme() {
  return themeOf(recall("theme"));
}

/** @param {ThemeName | null} theme */
export function chooseTheme(theme) {
  remember("theme", theme ?? "auto");
}

/** @returns {ThemeName} */
export function theme() {
  return chosenTheme() ?? (system.matches ? "blueprint" : "paper");
}

/** Applies the theme. */
export function showTheme() {
  const root = document.documentElement;
  root.dataset.theme = theme();
  root.dataset.scheme = THEMES[theme()] ? "dark" : "light";
  root.dataset.look = "told";
  const sheet = getComputedStyle(root).getPropertyValue("--sheet").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", sheet);
  document.dispatchEvent(new CustomEvent("look"));
}

/** Applies the theme and connects the theme button in the top bar. */
export function startThemeChoice() {
  showTheme();
  system.addEventListener("change", showTheme);
  addEventListener("storage", showTheme);
  find("theme-button", HTMLButtonElement).addEventListener("click", () => {
    chooseTheme(oppositeOf(theme()));
    showTheme();
  });
}

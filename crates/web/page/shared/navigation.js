// The navigation between pages: a row of links, or a menu button on narrow screens.

import { find } from "../element.js";

export function startNavigation() {
  const fold = find("rooms-fold", HTMLButtonElement);
  const list = find("rooms-list", HTMLElement);
  const show = (/** @type {boolean} */ open) => {
    list.classList.toggle("is-open", open);
    fold.setAttribute("aria-expanded", String(open));
  };
  fold.addEventListener("click", () => show(!list.classList.contains("is-open")));
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !list.contains(event.target) && !fold.contains(event.target)) show(false);
  });
  list.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !list.contains(event.relatedTarget)) show(false);
  });
  for (const place of [fold, list]) {
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !list.classList.contains("is-open")) return;
      event.preventDefault();
      event.stopPropagation();
      show(false);
      fold.focus();
    });
  }
}

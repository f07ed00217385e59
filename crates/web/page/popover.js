// Small papers that open under a button of the top bar: one at a time.

/** Closes the paper that is open. */
let closeOpen = () => {};

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} paper
 * @param {() => void} [opening]
 */
export function popover(button, paper, opening) {
  const close = (/** @type {boolean} */ back) => {
    if (paper.hidden) return;
    paper.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (back) button.focus();
  };
  const open = () => {
    closeOpen();
    closeOpen = () => close(false);
    paper.hidden = false;
    button.setAttribute("aria-expanded", "true");
    opening?.();
    const first = paper.querySelector("a[href], input, select, button");
    if (first instanceof HTMLElement) first.focus();
  };
  button.addEventListener("click", () => (paper.hidden ? open() : close(true)));
  paper.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close(true);
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !paper.contains(event.target) && !button.contains(event.target)) close(false);
  });
  return { open, close: () => close(false) };
}

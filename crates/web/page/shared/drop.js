// Files and texts that are dropped on the page: a veil shows that they will be taken.

import { find } from "../element.js";

/**
 * @param {(event: DragEvent) => boolean} carries whether something is dragged that the page takes
 * @param {(files: File[], text: string) => void} take
 */
export function startDrop(carries, take) {
  const veil = find("drop", HTMLElement);
  let depth = 0;
  document.addEventListener("dragenter", (event) => {
    if (!carries(event)) return;
    depth += 1;
    veil.hidden = false;
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  document.addEventListener("dragover", (event) => carries(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    take([...(event.dataTransfer?.files ?? [])], event.dataTransfer?.getData("text/plain") ?? "");
  });
}

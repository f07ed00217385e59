// A page on a disk may not load modules: its script is there once more as one without imports.
if (location.protocol === "file:") {
  const script = document.createElement("script");
  script.src = `page/disk/${/** @type {HTMLScriptElement} */ (document.currentScript).dataset.script}`;
  document.head.append(script);
}

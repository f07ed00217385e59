// The notebook's side of `World.show()`: an element <grid-paper> for each view, and what it tells
// Python. It stands behind the text of `grid-paper.single.js` in one module.

/** How often a running world tells Python where it is, in milliseconds. */
const PACE = 200;

export default {
  /** @param {{model: any, el: HTMLElement}} view */
  render({ model, el }) {
    const paper = document.createElement("grid-paper");
    const attributes = ["pattern", "step", "speed", "theme", "memory"].map((name) => [name, model.get(name)]);
    for (const [name, value] of attributes) if (value) paper.setAttribute(name, String(value));
    for (const name of ["controls", "autostart"]) paper.toggleAttribute(name, Boolean(model.get(name)));
    let timer = 0;
    const tell = () => {
      timer = 0;
      for (const name of ["generation", "population", "running"]) model.set(name, paper[name]);
      model.save_changes();
    };
    paper.addEventListener("generation", () => {
      timer ||= setTimeout(tell, PACE);
    });
    const act = async (/** @type {{call: string, of: any}} */ { call, of }) => {
      try {
        await paper[call](...of);
        model.set("error", "");
      } catch (error) {
        model.set("error", error.message);
      }
      tell();
    };
    model.on("msg:custom", act);
    el.append(paper);
    return () => {
      clearTimeout(timer);
      model.off("msg:custom", act);
      paper.remove();
    };
  },
};

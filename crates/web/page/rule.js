// The rule box: completion while typing, and what the rule means beside it.

import { complete } from "./completion.js";
import { find, make, write } from "./element.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Offer } from "./completion.js" */
/** @import { Drawer } from "./drawer.js" */

/** How long a pause in typing is before the server is asked what it means. */
const PAUSE = 150;

/**
 * @param {Workbench} workbench
 * @param {Drawer} drawer
 */
export function startRule(workbench, drawer) {
  const form = find("rule-form", HTMLFormElement);
  const input = find("rule-text", HTMLInputElement);
  const meaning = find("rule-meaning", HTMLElement);
  const answer = find("rule-answer", HTMLElement);
  const use = find("rule-use", HTMLButtonElement);
  const list = find("rule-list", HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let asked = 0;
  let typed = false;

  const explain = async () => {
    const number = (asked += 1);
    const text = input.value.trim();
    if (!text) return meaning.replaceChildren();
    const parsed = await ask(`/rule.json?text=${encodeURIComponent(text)}`);
    if (number !== asked || !parsed) return;
    use.disabled = !parsed.ok;
    input.setAttribute("aria-invalid", String(!parsed.ok));
    if (parsed.ok) {
      // Its first line says what it is, the others what it does.
      const [title, ...rest] = String(parsed.words).split("\n");
      meaning.replaceChildren(make("p", {}, make("strong", {}, title)), make("p", {}, rest.join("\n")));
    } else {
      const hint = parsed.hint ? [make("p", { class: "hint" }, parsed.hint)] : [];
      meaning.replaceChildren(make("p", { class: "error" }, parsed.error), ...hint);
    }
  };
  const soon = () => {
    typed = true;
    clearTimeout(timer);
    timer = setTimeout(explain, PAUSE);
  };
  input.addEventListener("input", soon);
  complete(
    input,
    list,
    async (word) => (typed && word.trim() ? /** @type {Offer[]} */ ((await ask(`/rules.json?word=${encodeURIComponent(word.trim())}`)) ?? []) : []),
    (offer) => {
      input.value = offer.text;
      explain();
    },
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await workbench.do(`rule ${input.value.trim()}`, { at: answer });
    if (!reply.ok) return;
    typed = false;
    explain();
  });

  const suggest = async () => {
    const some = /** @type {Offer[] | null} */ (await ask("/rules.json?word="));
    find("rule-some", HTMLElement).replaceChildren(
      ...(some ?? []).map((offer) =>
        make("li", {}, make("button", { type: "button", class: "row-button", "data-fill": offer.text, click: () => fill(offer.text) }, make("span", { class: "offer-text" }, offer.text), make("span", { class: "offer-words" }, offer.words))),
      ),
    );
  };
  const fill = (/** @type {string} */ text) => {
    input.value = text;
    typed = true;
    explain();
    input.focus();
  };
  let suggested = false;
  let rule = "";
  const follow = () => {
    if (!workbench.status || document.activeElement === input) return;
    if (rule === workbench.status.rule) return;
    rule = workbench.status.rule;
    input.value = rule;
    typed = false;
    answer.replaceChildren();
    if (drawer.open && drawer.panel === "rule") explain();
  };
  workbench.on("status", (status) => {
    follow();
    write(find("rule-family", HTMLElement), status.family);
  });
  drawer.onShow("rule", () => {
    explain();
    if (!suggested) suggest();
    suggested = true;
  });
}

/** @param {string} address */
async function ask(address) {
  try {
    const response = await fetch(address);
    return await response.json();
  } catch {
    return null;
  }
}

// The rule box: completion while typing, and what the rule means beside it.

import { complete } from "./completion.js";
import { find, make, write } from "./element.js";
import { recall, remember } from "./storage.js";
import { request } from "./shared/server.js";
import { WORDS } from "./words.js";

/** @import { Workbench } from "./workbench.js" */
/** @import { Offer } from "./completion.js" */
/** @import { Drawer } from "./drawer.js" */

/** How many rules are remembered. */
const RECENT = 8;
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
    keep(input.value.trim());
    explain();
    // whoever came here by a key goes on with keys of the sheet
    if (document.activeElement === input) find("sheet", HTMLElement).focus();
  });
  find("rule-random", HTMLButtonElement).addEventListener("click", () => fill(randomRule()));
  find("rule-change", HTMLButtonElement).addEventListener("click", () => {
    const changed = changedRule(input.value.trim());
    if (changed) fill(changed);
    else write(answer, WORDS.noChange);
  });

  const row = (/** @type {Offer} */ offer) =>
    make("li", {}, make("button", { type: "button", class: "row-button", "data-fill": offer.text, click: () => fill(offer.text) }, make("span", { class: "offer-text" }, offer.text), make("span", { class: "offer-words" }, offer.words)));
  const showRecent = () => {
    const rules = recent();
    find("rule-recent-part", HTMLElement).hidden = rules.length === 0;
    find("rule-recent", HTMLElement).replaceChildren(...rules.map((text) => row({ text, words: "" })));
  };
  const keep = (/** @type {string} */ text) => {
    remember("rules", JSON.stringify([text, ...recent().filter((other) => other !== text)].slice(0, RECENT)));
    showRecent();
  };

  const suggest = async () => {
    const some = /** @type {Offer[] | null} */ (await ask("/rules.json?word="));
    find("rule-some", HTMLElement).replaceChildren(
      ...(some ?? []).map(row),
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
    showRecent();
    if (!suggested) suggest();
    suggested = true;
  });
}

/** The rules that were used in this browser, the last one first. */
function recent() {
  try {
    const rules = JSON.parse(recall("rules") ?? "[]");
    return Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  } catch {
    return [];
  }
}

/** A rule of counts: births from 2 or 3 on, since with fewer nearly everything explodes. */
function randomRule() {
  const some = (/** @type {number} */ from, /** @type {number} */ share) =>
    Array.from({ length: 9 - from }, (_, i) => from + i).filter(() => Math.random() < share).join("");
  const first = Math.random() < 0.8 ? "3" : "2";
  return `B${first}${some(Number(first) + 1, 0.3)}/S${some(0, 0.4)}`;
}

/**
 * A rule of counts with one condition more or fewer; null for rules of another kind.
 * @param {string} rule
 */
function changedRule(rule) {
  const parts = /^B([0-8]*)\/S([0-8]*)(:.*)?$/i.exec(rule);
  if (!parts) return null;
  const which = 1 + Math.floor(Math.random() * 2);
  const digit = String(which === 1 ? 1 + Math.floor(Math.random() * 8) : Math.floor(Math.random() * 9));
  const digits = new Set(parts[which]);
  if (!digits.delete(digit)) digits.add(digit);
  parts[which] = [...digits].sort().join("");
  return `B${parts[1]}/S${parts[2]}${parts[3] ?? ""}`;
}

/** @param {string} address */
async function ask(address) {
  try {
    const response = await request(address);
    return await response.json();
  } catch {
    return null;
  }
}

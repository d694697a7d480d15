/**
 * Patterns that were found: how far the search is, how many there are of each kind, and a list. A click or Enter goes to where and when
 * one begins; arrow keys move along the list.
 */
import { PATTERNS, PATTERN_WORDS, countOf, durationOf, inWords, keyOf, lasting } from "../model/patterns.ts";
import { clock, count } from "../model/words.ts";
import type { FoundPattern, PatternName, PatternsEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { button, h } from "./dom.ts";

export function patternsPanel(studio: Studio, show: (found: FoundPattern) => void): HTMLElement {
  const words = h("p", { class: "quiet status", attributes: { role: "status" } });
  const bar = h("progress", { max: 1, value: 0, attributes: { "aria-label": "Search for patterns" } });
  const watching = h("input", { type: "checkbox" });
  const choice = h("label", { class: "watching" }, watching, h("span", {}, "Watch while it runs"));
  const hidden = new Set<PatternName>();
  const chips = PATTERNS.map((pattern) => chip(pattern, hidden, () => update()));
  const list = h("ol", { class: "pattern-list", attributes: { "aria-label": "Patterns" } });
  const close = button({ icon: "close", title: "Close", key: "8", class: "small", press: () => studio.toggleOverlay("patterns") });
  const panel = h(
    "aside",
    { class: "patterns panel", hidden: true, attributes: { "aria-label": "Patterns" } },
    h("header", {}, h("h2", {}, "Patterns"), close),
    words,
    bar,
    choice,
    h("div", { class: "chips", attributes: { role: "group", "aria-label": "Kinds of patterns" } }, ...chips.map((one) => one.element)),
    list,
  );
  const rows: Row[] = [];

  watching.addEventListener("change", () => void studio.ask("patterns", { on: watching.checked }, watching));
  // The space bar presses what has the focus here, and does not let time pass.
  panel.addEventListener("keydown", (event) => event.key === " " && event.stopPropagation());
  list.addEventListener("keydown", (event) => {
    const at = rows.findIndex((row) => row.button === document.activeElement);
    const shown = rows.filter((row) => !row.element.hidden).length;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    rows[Math.min(shown - 1, Math.max(0, to))]!.button.focus();
    // Not the camera as well.
    event.preventDefault();
    event.stopPropagation();
  });

  const update = () => {
    const patterns = studio.patterns.value;
    if (panel.hidden || !patterns) return;
    const live = !studio.isReplay;
    words.textContent = statusOf(patterns, live);
    bar.hidden = patterns.progress !== "searching";
    bar.value = patterns.part ?? 0;
    choice.hidden = !live;
    watching.checked = patterns.progress === "watching";
    chips.forEach((one, i) => one.show(patterns.counts[PATTERNS[i]!]));
    // Nothing moves away under the pointer.
    if (live && list.matches(":hover")) return;
    const chosen = patterns.list.filter((found) => !hidden.has(found.pattern));
    if (live) chosen.reverse();
    while (rows.length < chosen.length) {
      const row = makeRow(show);
      rows.push(row);
      list.append(row.element);
    }
    rows.forEach((row, i) => row.show(chosen[i]));
    mark();
  };
  /** Which of them last at this moment, and which one is looked at. */
  const mark = () => {
    if (panel.hidden) return;
    const now = new Set(lasting(studio.patterns.value?.list ?? [], studio.state.value?.time ?? 0, !studio.isReplay).map(keyOf));
    const chosen = studio.pattern.value && keyOf(studio.pattern.value);
    for (const row of rows) {
      if (row.element.hidden) break;
      row.button.classList.toggle("now", now.has(row.key));
      row.button.classList.toggle("chosen", row.key === chosen);
      row.button.setAttribute("aria-current", String(row.key === chosen));
    }
  };
  studio.overlays.watch((overlays) => {
    panel.hidden = !overlays.has("patterns");
    update();
  });
  studio.patterns.onChange(update);
  studio.scene.onChange(update);
  studio.state.onChange(mark);
  studio.pattern.onChange((found) => {
    mark();
    const row = found && rows.find((one) => one.key === keyOf(found));
    row?.button.scrollIntoView({ block: "nearest" });
  });
  return panel;
}

/** How it stands, in a sentence. */
export function statusOf(patterns: PatternsEvent, live: boolean): string {
  const [all, told] = [countOf(patterns), patterns.list.length];
  const more = all > told ? ` Of ${count(all)}, the ${live ? "newest" : "longest"} ${count(told)} are listed.` : "";
  switch (patterns.progress) {
    case "searching":
      return `Searching the recording: ${Math.floor(100 * (patterns.part ?? 0))} %`;
    case "done":
      return all === 0 ? "Nobody sways, gets stuck or spins in this recording." : `All of the recording was searched.${more}`;
    case "watching":
      return all === 0 ? "Nobody has swayed, got stuck or spun so far." : `Newest first.${more}`;
    case "crowded":
      return `With more than ${count(patterns.most ?? 0)} people, the crowd is watched only if you ask for it: that takes time in every step.${more}`;
    case "failed":
      return `They cannot be looked for: ${patterns.why ?? "nobody knows why"}`;
    default:
      return `Nobody looks for them.${more}`;
  }
}

interface Chip {
  element: HTMLElement;
  show(count: number): void;
}

/** How many there are of a kind; pressed as long as they are listed. */
function chip(pattern: PatternName, hidden: Set<PatternName>, changed: () => void): Chip {
  const { sign, one, many, meaning } = PATTERN_WORDS[pattern];
  const element = h("button", { type: "button", class: `chip ${pattern}`, title: meaning, attributes: { "aria-pressed": "true" } });
  element.addEventListener("click", () => {
    if (!hidden.delete(pattern)) hidden.add(pattern);
    element.setAttribute("aria-pressed", String(!hidden.has(pattern)));
    changed();
  });
  return {
    element,
    show(found) {
      element.replaceChildren(h("i", { attributes: { "aria-hidden": "true" } }, sign), ` ${count(found)} ${(found === 1 ? one : many).toLowerCase()}`);
    },
  };
}

interface Row {
  element: HTMLElement;
  button: HTMLButtonElement;
  key: string;
  show(found: FoundPattern | undefined): void;
}

/** One of the list, in a button that stays the same while patterns change. */
function makeRow(show: (found: FoundPattern) => void): Row {
  let shown: FoundPattern | undefined;
  const [sign, name, person, time, long] = [h("i", { attributes: { "aria-hidden": "true" } }), h("b"), h("span"), h("span", { class: "time" }), h("span", { class: "time" })];
  const press = h("button", { type: "button", class: "pattern" }, sign, name, person, time, long);
  press.addEventListener("click", () => shown && show(shown));
  const element = h("li", { hidden: true }, press);
  const row: Row = {
    element,
    button: press,
    key: "",
    show(found) {
      element.hidden = !found;
      if (!found || (shown && keyOf(shown) === keyOf(found) && shown.to === found.to)) {
        shown = found;
        return;
      }
      shown = found;
      row.key = keyOf(found);
      sign.textContent = PATTERN_WORDS[found.pattern].sign;
      press.classList.remove(...PATTERNS);
      press.classList.add(found.pattern);
      name.textContent = PATTERN_WORDS[found.pattern].one;
      person.textContent = `person ${found.person}`;
      time.textContent = clock(found.from);
      long.textContent = durationOf(found);
      press.setAttribute("aria-label", inWords(found));
    },
  };
  return row;
}

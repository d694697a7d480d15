/**
 * Patterns that were found: how far the search is, at how many places there are patterns of each kind, and a list, the most severe first. A click
 * or Enter goes to where and when the longest of a place begins; arrow keys move along the list.
 */
import { notable, peopleInWords, placeInWords, type Finding } from "../model/findings.ts";
import { PATTERN_WORDS, countOf, durationOf, keyOf, lasting } from "../model/patterns.ts";
import { clock, count } from "../model/words.ts";
import { PATTERNS, type FoundPattern, type PatternName, type PatternsEvent, type SceneEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { button, h } from "./dom.ts";

export function patternsPanel(studio: Studio, show: (found: FoundPattern) => void): HTMLElement {
  const words = h("p", { class: "quiet status", attributes: { role: "status" } });
  const bar = h("progress", { max: 1, value: 0, attributes: { "aria-label": "Search for patterns" } });
  const watching = h("input", { type: "checkbox" });
  const choice = h("label", { class: "watching" }, watching, h("span", {}, "Watch while it runs"));
  const minor = h("input", { type: "checkbox" });
  const minorCount = h("span");
  const minorChoice = h("label", { class: "watching minor", title: "Waits of less than 8 s, and of up to 20 s where others get on meanwhile" }, minor, minorCount);
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
    minorChoice,
    list,
  );
  const rows: Row[] = [];

  minor.addEventListener("change", () => studio.minorFindings.set(minor.checked));
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
    words.textContent = statusOf(patterns, live, studio.shownFindings.length);
    bar.hidden = patterns.progress !== "searching";
    bar.value = patterns.progress === "searching" ? patterns.part : 0;
    choice.hidden = !live;
    watching.checked = patterns.progress === "watching";
    const [all, shown] = [studio.findings.value, studio.shownFindings];
    chips.forEach((one, i) => one.show(shown.filter((finding) => finding.pattern === PATTERNS[i]).length));
    const left = all.length - notable(all).length;
    minorChoice.hidden = left === 0;
    minorCount.textContent = `Short waits and queues (at ${count(left)} ${left === 1 ? "place" : "places"})`;
    // Nothing moves away under the pointer.
    if (live && list.matches(":hover")) return;
    const chosen = shown.filter((finding) => !hidden.has(finding.pattern));
    while (rows.length < chosen.length) {
      const row = makeRow(show);
      rows.push(row);
      list.append(row.element);
    }
    rows.forEach((row, i) => row.show(chosen[i], studio.scene.value));
    mark();
  };
  /** Which of them last at this moment, and which one is looked at. */
  const mark = () => {
    if (panel.hidden) return;
    const time = studio.state.value?.time ?? 0;
    const chosen = studio.pattern.value && keyOf(studio.pattern.value);
    for (const row of rows) {
      if (row.element.hidden) break;
      row.button.classList.toggle("now", lasting(row.finding?.events ?? [], time, !studio.isReplay).length > 0);
      const isChosen = row.finding?.events.some((event) => keyOf(event) === chosen) ?? false;
      row.button.classList.toggle("chosen", isChosen);
      row.button.setAttribute("aria-current", String(isChosen));
    }
  };
  studio.overlays.watch((overlays) => {
    panel.hidden = !overlays.has("patterns");
    update();
  });
  studio.patterns.onChange(update);
  studio.minorFindings.onChange(update);
  studio.scene.onChange(update);
  studio.state.onChange(mark);
  studio.pattern.onChange((found) => {
    mark();
    const row = found && rows.find((one) => one.button.classList.contains("chosen"));
    row?.button.scrollIntoView({ block: "nearest" });
  });
  return panel;
}

/** How it stands, in a sentence; so many places are listed. */
export function statusOf(patterns: PatternsEvent, live: boolean, listed: number): string {
  const [all, told] = [countOf(patterns), patterns.list.length];
  const more = all > told ? ` Of ${count(all)} patterns, the ${live ? "newest" : "longest"} ${count(told)} are considered.` : "";
  switch (patterns.progress) {
    case "searching":
      return `Searching the recording: ${Math.floor(100 * patterns.part)} %`;
    case "done":
      if (all > 0 && listed === 0) return "All of the recording was searched: nothing but short waits and queues.";
      return all === 0 ? "Nobody sways, gets stuck or spins in this recording." : `All of the recording was searched; the most severe first.${more}`;
    case "watching":
      if (all > 0 && listed === 0) return "Nothing but short waits and queues so far.";
      return all === 0 ? "Nobody has swayed, got stuck or spun so far." : `The most severe first.${more}`;
    case "crowded":
      return `With more than ${count(patterns.most)} people, the crowd is watched only if you ask for it: that takes time in every step.${more}`;
    case "failed":
      return `They cannot be looked for: ${patterns.why}`;
    case "off":
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
  finding: Finding | undefined;
  show(finding: Finding | undefined, scene: SceneEvent | null): void;
}

/** One of the list, in a button that stays the same while findings change. */
function makeRow(show: (found: FoundPattern) => void): Row {
  const [sign, name, people] = [h("i", { attributes: { "aria-hidden": "true" } }), h("b"), h("span", { class: "people" })];
  const [long, where] = [h("span", { class: "time" }), h("span", { class: "where" })];
  const press = h("button", { type: "button", class: "pattern" }, sign, name, people, long, where);
  press.addEventListener("click", () => row.finding && show(row.finding.worst));
  const element = h("li", { hidden: true }, press);
  const row: Row = {
    element,
    button: press,
    finding: undefined,
    show(finding, scene) {
      element.hidden = !finding;
      row.finding = finding;
      if (!finding) return;
      const { pattern, people: who, events, worst } = finding;
      sign.textContent = PATTERN_WORDS[pattern].sign;
      press.classList.remove(...PATTERNS);
      press.classList.add(pattern);
      press.dataset["severity"] = finding.severity;
      name.textContent = PATTERN_WORDS[pattern].one;
      people.textContent = peopleInWords(who);
      long.textContent = durationOf(worst);
      const often = events.length > 1 ? `, ${count(events.length)} times` : "";
      where.textContent = `${placeInWords(scene, worst.place, worst.layer)} at ${clock(worst.from)}${often}`;
      press.setAttribute("aria-label", findingInWords(finding, scene));
    },
  };
  return row;
}

/** `Deadlock, person 4, in “hall” at 0:01.0 for 12.0 s`. */
export function findingInWords({ pattern, people, events, worst, severity }: Finding, scene: SceneEvent | null): string {
  const [severe, often] = [severity === "high" ? ", severe" : "", events.length > 1 ? `; ${count(events.length)} times` : ""];
  const place = placeInWords(scene, worst.place, worst.layer);
  return `${PATTERN_WORDS[pattern].one}${severe}, ${peopleInWords(people)}, ${place} at ${clock(worst.from)} for ${durationOf(worst)}${often}`;
}

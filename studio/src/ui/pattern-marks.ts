/** Patterns on the timeline of a recording: a lane for each kind, below the slider. */
import { marksOf, type Mark } from "../model/patterns.ts";
import type { FoundPattern } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { fill, h } from "./dom.ts";

/** How long a timeline is if nobody has measured it yet, pixels. */
const PIXELS = 400;

export function patternMarks(studio: Studio, show: (found: FoundPattern) => void): HTMLElement {
  // The list of the panel is for those who do not point.
  const lanes = h("div", { class: "marks", hidden: true, attributes: { "aria-hidden": "true" } });
  let drawn: unknown[] = [];
  const update = () => {
    const [events, state] = [studio.shownPatterns.value, studio.state.value];
    const [start, end] = [state?.start ?? 0, state?.end ?? null];
    lanes.hidden = !studio.isReplay || end === null || events.length === 0;
    if (lanes.hidden || end === null) return;
    const wanted = [events, start, end, lanes.clientWidth];
    if (wanted.every((value, i) => value === drawn[i])) return;
    drawn = wanted;
    fill(lanes, ...marksOf(events, start, end, lanes.clientWidth || PIXELS).map((mark) => element(mark, show)));
  };
  for (const source of [studio.shownPatterns, studio.state, studio.scene]) source.watch(update);
  addEventListener("resize", update);
  return lanes;
}

function element(mark: Mark, show: (found: FoundPattern) => void): HTMLElement {
  const made = h("i", { class: `mark ${mark.pattern}`, title: mark.words, on: { click: () => show(mark.first) } });
  made.style.left = `${(100 * mark.at).toFixed(3)}%`;
  made.style.width = `${(100 * mark.length).toFixed(3)}%`;
  return made;
}

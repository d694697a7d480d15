/** When an obstacle is there: a door that closes, a barrier that is put up. */
import { hoursOf, setHours, type Hours } from "../edits/doors.ts";
import type { SceneEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { button, choice, h, numberField } from "./dom.ts";

/** Ends of intervals that scenes accept, s. */
const LIMITS = { min: 0, max: 1e6, unit: "s", why: { min: "the scene begins at 0 s" } };
/** What a new interval lasts, s. */
const USUAL = 60;

export function hoursContent(studio: Studio, scene: SceneEvent, index: number): Node[] {
  const hours = hoursOf(scene.document, index);
  const change = (to: Hours[] | null, near: Element) => void studio.edit(setHours(index, to), near);
  const there = choice({
    label: "Is there",
    choices: [
      { value: "always", text: "always" },
      { value: "times", text: "at times" },
    ],
    value: hours === null ? "always" : "times",
    commit: (value, field) => change(value === "always" ? null : [{ from: 0, to: USUAL }], field),
  });
  if (hours === null) return [there.element];
  const rows = hours.flatMap(({ from, to }, i) => {
    const replaced = (interval: Hours) => hours.map((other, k) => (k === i ? interval : other));
    const begin = numberField({ label: "From", ...LIMITS, step: 1, value: from, commit: (value, field) => change(replaced({ from: value, to }), field) });
    const end =
      to === null
        ? h("div", { class: "field" }, h("span", {}, "Until stopped"), button({ text: "Set an end", title: "Let it be gone after a time", press: (b) => change(replaced({ from, to: from + USUAL }), b) }))
        : numberField({ label: "To", ...LIMITS, step: 1, value: to, commit: (value, field) => change(replaced({ from, to: value }), field) }).element;
    if (hours.length > 1) begin.element.append(button({ icon: "close", title: "Remove this interval", class: "small", press: (b) => change(hours.filter((_, k) => k !== i), b) }));
    return [begin.element, end];
  });
  const last = hours.at(-1);
  const more =
    last && last.to !== null
      ? [h("div", { class: "actions" }, button({ text: "Another interval", title: "It is there once more later", press: (b) => change([...hours, { from: last.to! + USUAL, to: last.to! + 2 * USUAL }], b) }))]
      : [];
  return [there.element, ...rows, ...more, h("p", { class: "note" }, "While it is not there people walk through. It does not appear where somebody stands.")];
}

/** What the colours of overlays mean: a bar of colours with numbers and their unit for each overlay that is on. */
import { LEGENDS, ticksOf, type Legend } from "../model/legends.ts";
import type { Studio } from "../studio.ts";
import { ramp } from "../view/palette.ts";
import { h } from "./dom.ts";

/** The bar as a gradient of the style sheet, from zero to the end. */
export function gradientOf({ isReversed }: Legend): string {
  const stops = Array.from({ length: 9 }, (_, i) => {
    const at = i / 8;
    const color = ramp(isReversed ? 1 - at : at).map((part) => Math.round(part * 255));
    return `rgb(${color.join(" ")}) ${100 * at}%`;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

export function legends(studio: Studio): HTMLElement {
  const entries = LEGENDS.map((legend) => {
    const bar = h("div", { class: "bar" });
    bar.style.background = gradientOf(legend);
    const ticks = h("div", { class: "ticks" }, ...ticksOf(legend).map((tick) => h("span", {}, tick)));
    const element = h("div", { class: "color-legend" }, h("div", { class: "title" }, h("b", {}, legend.title), h("em", {}, legend.unit)), bar, ticks);
    element.dataset["legend"] = legend.overlay;
    return element;
  });
  const panel = h("aside", { class: "legends panel", attributes: { "aria-label": "Colours" } }, ...entries);
  studio.overlays.watch((on) => {
    LEGENDS.forEach(({ overlay }, i) => (entries[i]!.hidden = !on.has(overlay)));
    panel.hidden = entries.every((entry) => entry.hidden);
  });
  return panel;
}

/** How the machine is doing: what a step takes and where that goes, frames per second, bytes per person. */
import { count } from "../model/words.ts";
import type { Studio } from "../studio.ts";
import type { World } from "../view/world.ts";
import { fill, h } from "./dom.ts";

export function performancePanel(studio: Studio, world: World): HTMLElement {
  const bar = h("div", { class: "stages" });
  const legend = h("div", { class: "legend" });
  const table = h("div", { class: "facts" });
  const panel = h("aside", { class: "performance panel", hidden: true, attributes: { "aria-label": "Performance" } }, h("h2", {}, "Performance"), bar, legend, table);
  let last = { time: performance.now(), ...studio.received };

  const update = () => {
    const state = studio.state.value;
    if (!studio.performance.value || !state) return;
    const now = { time: performance.now(), ...studio.received };
    const seconds = (now.time - last.time) / 1000;
    const frames = now.frames - last.frames;
    const bytes = now.people > last.people ? (now.bytes - last.bytes) / (now.people - last.people) : 0;
    const rate = frames / Math.max(seconds, 1e-3);
    if (seconds > 0.9) last = now;
    const stages = (state.stages ?? []).filter((stage) => stage.ms > 0);
    const total = stages.reduce((sum, stage) => sum + stage.ms, 0);
    const hue = (i: number) => `hsl(${(210 + i * 47) % 360} 55% 55%)`;
    fill(
      bar,
      ...stages.map((stage, i) => {
        const piece = h("i", { title: `${stage.name}: ${stage.ms.toFixed(2)} ms` });
        piece.style.flexGrow = String(stage.ms / Math.max(total, 1e-9));
        piece.style.background = hue(i);
        return piece;
      }),
    );
    fill(
      legend,
      ...stages.map((stage, i) => {
        const swatch = h("i", { class: "swatch" });
        swatch.style.background = hue(i);
        return h("span", {}, swatch, `${stage.name} ${stage.ms.toFixed(2)}`);
      }),
    );
    const perSecond = state.step_ms > 0 ? (state.people * 1000) / state.step_ms : 0;
    const rows: [string, string][] = [
      ["A step takes", `${state.step_ms.toFixed(2)} ms`],
      ...(state.frame_ms === undefined ? [] : ([["A frame takes", `${state.frame_ms.toFixed(2)} ms`]] as [string, string][])),
      ["People", count(state.people)],
      ["People per second", count(perSecond)],
      ["Pace", `×${state.pace.toFixed(2)} of ×${state.speed}`],
      ...(state.contacts === undefined ? [] : ([["Contacts", count(state.contacts)]] as [string, string][])),
      ["Frames from server", `${rate.toFixed(0)} /s`],
      ["Pictures on screen", `${world.stage.framesPerSecond.toFixed(0)} /s`],
      ["Bytes per person", bytes.toFixed(1)],
      ["Pages open", String(state.clients)],
    ];
    fill(table, ...rows.flatMap(([key, value]) => [h("span", {}, key), h("b", {}, value)]));
  };
  studio.performance.watch((on) => {
    panel.hidden = !on;
    update();
  });
  studio.state.onChange(update);
  return panel;
}

/** How the machine is doing: what a step takes and where that goes, frames per second, bytes per person, and whether feet slip. */
import { count, millimetres } from "../model/words.ts";
import type { Skating, StateEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import type { World } from "../view/world.ts";
import { button, fill, h } from "./dom.ts";

export function performancePanel(studio: Studio, world: World): HTMLElement {
  const bar = h("div", { class: "stages" });
  const legend = h("div", { class: "legend" });
  const table = h("div", { class: "facts" });
  const skating = skatingSection(studio);
  const panel = h("aside", { class: "performance panel", hidden: true, attributes: { "aria-label": "Performance" } }, h("h2", {}, "Performance"), bar, legend, table, skating);
  let last = { time: performance.now(), ...studio.received };

  const update = () => {
    const state = studio.state.value;
    if (!studio.performance.value || !state) return;
    const now = { time: performance.now(), ...studio.received };
    const seconds = (now.time - last.time) / 1000;
    const frames = now.frames - last.frames;
    const bytes = now.people > last.people ? (now.bytes - last.bytes) / (now.people - last.people) : 0;
    const bodyBytes = now.poses > last.poses ? (now.poseBytes - last.poseBytes) / (now.poses - last.poses) : 0;
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
      ...bodyRows(state, bodyBytes),
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

function bodyRows(state: StateEvent, bytes: number): [string, string][] {
  if (!state.bodies) return [];
  return [
    ["Bodies", count(state.bodies)],
    ["Bodies take", `${(state.bodies_ms ?? 0).toFixed(2)} ms`],
    ["Bytes per pose", bytes.toFixed(0)],
  ];
}

/** How far feet slip while they stand, the worst first: whoever is clicked on is selected. */
function skatingSection(studio: Studio): HTMLElement {
  const summary = h("div", { class: "facts" });
  const stances = Array.from({ length: 6 }, () => stanceRow(studio));
  const list = h("div", { class: "skating-list" }, ...stances.map((row) => row.element));
  const section = h("section", { class: "skating", hidden: true, attributes: { "aria-label": "Slip of feet" } }, h("h2", {}, "Slip of feet"), summary, list);
  studio.skating.watch((found) => {
    section.hidden = !found || found.stances === 0;
    if (!found || section.hidden) return;
    const rows: [string, string][] = [
      ["Steps of late", count(found.stances)],
      ["Half of them below", millimetres(found.p50)],
      ["19 of 20 below", millimetres(found.p95)],
      ["Largest", millimetres(found.max)],
    ];
    fill(summary, ...rows.flatMap(([key, value]) => [h("span", {}, key), h("b", {}, value)]));
    // Nothing moves away under the pointer.
    if (!list.matches(":hover")) stances.forEach((row, i) => row.show(found.worst[i]));
  });
  return section;
}

/** One step, in a button that stays the same while steps change. */
function stanceRow(studio: Studio): { element: HTMLElement; show(stance: Skating["worst"][number] | undefined): void } {
  let person = -1;
  const element = button({ text: "–", title: "Select this person", press: () => studio.selection.set({ kind: "people", ids: new Set([person]) }) });
  element.hidden = true;
  const text = element.querySelector("span")!;
  return {
    element,
    show(stance) {
      element.hidden = !stance;
      if (!stance) return;
      person = stance.person;
      text.textContent = `Person ${person}, ${stance.foot} foot: ${millimetres(stance.slip)}`;
    },
  };
}

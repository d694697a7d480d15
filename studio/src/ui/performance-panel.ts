/**
 * How the machine is doing: what the stages of the engine take, what a step takes and where that goes, frames per second, bytes per person,
 * how many people have which level of detail, and whether feet slip.
 */
import { count, millimetres } from "../model/words.ts";
import { BODY_LEVELS, EFFORTS, type BodyLevel, type Effort, type EffortLimits, type PipelineStage, type SlippedStance, type StateEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { LEVEL_COLORS } from "../view/palette.ts";
import type { World } from "../view/world.ts";
import { button, choice, fill, h } from "./dom.ts";

export function performancePanel(studio: Studio, world: World): HTMLElement {
  const bar = h("div", { class: "stages" });
  const legend = h("div", { class: "legend" });
  const table = h("div", { class: "facts" });
  const pipeline = h("div", { class: "facts pipeline" });
  const skating = skatingSection(studio);
  const heading = h("h2");
  const close = button({ icon: "close", title: "Close", key: "6", class: "small", press: () => studio.performance.set(false) });
  const panel = h(
    "aside",
    { class: "performance panel", hidden: true, attributes: { "aria-label": "Performance" } },
    h("header", {}, h("h2", {}, "Performance"), close),
    pipeline,
    levelsSection(studio),
    heading,
    bar,
    legend,
    table,
    skating,
  );
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
    fill(pipeline, ...state.pipeline.flatMap(({ name, ms }) => [h("span", {}, STAGES[name]), h("b", {}, `${ms.toFixed(2)} ms`)]));
    const stages = state.stages.filter((stage) => stage.ms > 0);
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
    heading.textContent = studio.isReplay ? "Playback" : "A step";
    const rows = performanceRows(state, { frames: rate, pictures: world.stage.framesPerSecond, bytes, bodyBytes });
    fill(table, ...rows.flatMap(([key, value]) => [h("span", {}, key), h("b", {}, value)]));
  };
  studio.performance.watch((on) => {
    panel.hidden = !on;
    update();
  });
  studio.state.onChange(update);
  return panel;
}

/** What this page measures: frames from the server and pictures on the screen per second, bytes per person and per pose. */
export interface PageRates {
  frames: number;
  pictures: number;
  bytes: number;
  bodyBytes: number;
}

/** The rows of the table. A recording simulates nothing: rows of what its server does not tell are left out. */
export function performanceRows(state: StateEvent, rates: PageRates): [key: string, value: string][] {
  const { step_ms: step, frame_ms: frame } = state;
  const rows: [string, string | false][] = [
    ["A step takes", step !== null && `${step.toFixed(2)} ms`],
    ["A frame takes", `${frame.toFixed(2)} ms`],
    ["People", count(state.people)],
    ["People per second", step !== null && count(step > 0 ? (state.people * 1000) / step : 0)],
    ["Pace", `×${state.pace.toFixed(2)} of ×${state.speed}`],
    ["Contacts", state.contacts !== null && count(state.contacts)],
    ["Frames from server", `${rates.frames.toFixed(0)} /s`],
    ["Pictures on screen", `${rates.pictures.toFixed(0)} /s`],
    ["Bytes per person", rates.bytes.toFixed(1)],
    ...bodyRows(state, rates.bodyBytes),
    ["Pages open", String(state.clients)],
  ];
  return rows.filter((row): row is [string, string] => typeof row[1] === "string");
}

/** The stages of the engine, in words. */
const STAGES: Record<PipelineStage, string> = { scaler: "Scaler", simulator: "Simulator", animator: "Animator", gaze: "Gaze" };

/** How people of each level are drawn, and how they are simulated. */
const LEVEL_WORDS: Record<BodyLevel, string> = { full: "Bodies of their own", posed: "Posed", impostor: "Pictures", unseen: "Out of view" };
const EFFORT_WORDS: Record<Effort, string> = { full: "Simulated in full", simple: "Simulated simply", path: "Follow their way" };

/** Who is simulated in full, as far as that can be chosen here. */
const CHOICES: { value: string; text: string; efforts: EffortLimits }[] = [
  { value: "all", text: "everybody", efforts: { full: null, simple: null, ms: null } },
  ...[2000, 500, 100].map((full) => ({ value: String(full), text: `${count(full)} seen best`, efforts: { full, simple: null, ms: null } })),
  ...[10, 3].map((ms) => ({ value: `${ms} ms`, text: `within ${ms} ms a step`, efforts: { full: null, simple: null, ms } })),
];

/** What was chosen, here or by another page; nothing if it is none of these. */
export function chosenEfforts(efforts: EffortLimits | null | undefined): string {
  const key = (one: EffortLimits) => JSON.stringify([one.full, one.simple, one.ms]);
  const chosen = efforts ?? CHOICES[0]!.efforts;
  return CHOICES.find((choice) => key(choice.efforts) === key(chosen))?.value ?? "";
}

/** How many people have which level, most detailed first, with the colours that overlay 7 gives them; and who is to be simulated in full. */
function levelsSection(studio: Studio): HTMLElement {
  const rows = h("div", { class: "facts" });
  const efforts = choice({
    label: "Full effort",
    choices: CHOICES,
    value: "all",
    commit: (value, field) => {
      const wanted = CHOICES.find((one) => one.value === value)!.efforts;
      void studio.ask("efforts", wanted, field).then((reply) => {
        if (reply === undefined) efforts.set(chosenEfforts(studio.state.value?.efforts));
      });
    },
  });
  const section = h("section", { class: "levels", hidden: true, attributes: { "aria-label": "Levels of detail" } }, h("h2", {}, "Levels of detail"), rows, efforts.element);
  studio.state.watch((state) => {
    const levels = state?.levels;
    section.hidden = !levels;
    if (!levels) return;
    const simulated = [...EFFORTS].reverse().flatMap((effort) => [h("span", {}, EFFORT_WORDS[effort]), h("b", {}, count(levels.efforts[effort]))]);
    // Of a recording nobody is simulated.
    fill(rows, ...levelRows(levels.bodies), ...(studio.isReplay ? [] : simulated));
    efforts.element.hidden = studio.isReplay;
    efforts.set(chosenEfforts(state.efforts));
  });
  return section;
}

function levelRows(bodies: Record<BodyLevel, number> | null): HTMLElement[] {
  return [...BODY_LEVELS].reverse().flatMap((level) => {
    const swatch = h("i", { class: "swatch" });
    swatch.style.background = LEVEL_COLORS[BODY_LEVELS.indexOf(level)]!;
    return [h("span", {}, swatch, LEVEL_WORDS[level]), h("b", {}, bodies ? count(bodies[level]) : "–")];
  });
}

/** What the colours of people mean while they are coloured by level. */
export function levelsLegend(studio: Studio): HTMLElement {
  const rows = h("div", { class: "facts" });
  const legend = h("aside", { class: "levels-legend panel", hidden: true, attributes: { "aria-label": "Colours of levels" } }, rows);
  const update = () => {
    // The performance panel says the same.
    legend.hidden = !studio.overlays.value.has("levels") || studio.performance.value;
    if (!legend.hidden) fill(rows, ...levelRows(studio.state.value?.levels?.bodies ?? null));
  };
  studio.overlays.watch(update);
  studio.performance.onChange(update);
  studio.state.onChange(update);
  return legend;
}

function bodyRows(state: StateEvent, bytes: number): [string, string][] {
  if (!state.bodies) return [];
  return [
    ["Bodies", count(state.bodies)],
    ["Bodies take", `${state.bodies_ms.toFixed(2)} ms`],
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
function stanceRow(studio: Studio): { element: HTMLElement; show(stance: SlippedStance | undefined): void } {
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

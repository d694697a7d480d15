/** The groups of the scene, and what the selected one is like. */
import * as edits from "../edits/groups.ts";
import { countOutside } from "../model/geometry.ts";
import { TEMPERS, count, people } from "../model/words.ts";
import { NewestOnly } from "../model/newest.ts";
import { SPECIES, TRAITS, type SceneEvent, type Species, type Trait } from "../protocol.ts";
import type { Edit } from "../edits/common.ts";
import type { Studio } from "../studio.ts";
import { button, choice, fill, h, nameInput, numberField } from "./dom.ts";
import { steeringParameters } from "./steering-panel.ts";

export function groupsPanel(studio: Studio): HTMLElement {
  const list = h("ul", { class: "groups", attributes: { role: "listbox", "aria-label": "Groups" } });
  const details = h("div", { class: "details" });
  const add = button({ icon: "plus", title: "Add a group", class: "small", press: (b) => void addGroup(studio, b) });
  add.id = "add-group";
  const counts = new Map<number, HTMLElement>();
  const outside = h("p", { class: "note warning", hidden: true });
  outside.id = "outside";
  let update: (scene: SceneEvent) => void = () => {};
  let structure = "";

  const render = () => {
    const scene = studio.scene.value;
    if (!scene) return;
    const replay = scene.kind === "replay";
    add.hidden = replay;
    const shape = JSON.stringify([
      scene.groups.map((group) => [group.name, group.color, group.led.length > 0]),
      scene.fields.map((field) => field.name),
      studio.groupName.value,
      edits.isDeserted(scene.document, studio.groupName.value ?? ""),
      edits.sourcesOf(scene.document, studio.groupName.value ?? "").length,
      edits.goalsInWords(scene.document, studio.groupName.value ?? ""),
      edits.speedOf(scene.document, studio.groupName.value ?? "").kind,
      replay,
    ]);
    if (shape !== structure) {
      structure = shape;
      counts.clear();
      fill(list, ...scene.groups.map((group, index) => row(studio, group.name, group.color, counts, index)));
      const group = studio.group;
      if (!group || replay) {
        fill(details);
        update = () => {};
      } else {
        const made = groupDetails(studio, scene, group.name);
        fill(details, ...made.elements);
        update = made.update;
      }
    }
    update(scene);
  };
  studio.scene.watch(render);
  studio.groupName.onChange(render);
  setInterval(() => showCounts(studio, counts, outside), 500);
  return h("section", { class: "panel-section" }, h("header", {}, h("h2", {}, "Groups"), add), list, outside, details);
}

/** Adds a group. The button rests meanwhile: two presses at once would want the same name. */
export async function addGroup(studio: Studio, pressed: HTMLButtonElement): Promise<void> {
  pressed.disabled = true;
  await studio.addGroup(pressed);
  pressed.disabled = false;
}

function row(studio: Studio, name: string, color: string, counts: Map<number, HTMLElement>, index: number): HTMLElement {
  const number = h("span", { class: "count" });
  counts.set(index, number);
  const swatch = h("i", { class: "swatch" });
  swatch.style.background = color;
  const chosen = studio.groupName.value === name;
  const element = h(
    "button",
    { type: "button", class: `group ${chosen ? "chosen" : ""}`, attributes: { role: "option", "aria-selected": chosen } },
    swatch,
    h("span", { class: "name" }, name),
    number,
  );
  element.dataset["group"] = name;
  element.addEventListener("click", () => studio.groupName.set(name));
  return h("li", {}, element);
}

function showCounts(studio: Studio, counts: Map<number, HTMLElement>, outside: HTMLElement): void {
  const frame = studio.timeline.newest;
  if (!frame || document.hidden) return;
  const totals = new Map<number, number>();
  for (let i = 0; i < frame.count; i++) totals.set(frame.groups[i]!, (totals.get(frame.groups[i]!) ?? 0) + 1);
  for (const [index, element] of counts) element.textContent = count(totals.get(index) ?? 0);
  const scene = studio.scene.value;
  const left = scene ? countOutside(frame, scene.bounds) : 0;
  outside.hidden = left === 0;
  outside.textContent = `${people(left)} outside the bounds of the world`;
}

/** Sends what a slider or a colour says as the hand moves; one undo takes the whole movement back. */
function streamTo(studio: Studio, make: (value: string, join: string) => Edit, input: HTMLInputElement): void {
  const sender = new NewestOnly<Edit>(
    (edit) => studio.connection.request("edit", edit),
    (error) => studio.refused(error, input),
  );
  let join = "";
  input.addEventListener("input", () => {
    join ||= `slide ${Date.now().toString(36)}`;
    sender.push(make(input.value, join));
  });
  input.addEventListener("change", () => {
    // A change without input cannot be; a movement ends here.
    join = "";
  });
}

function groupDetails(studio: Studio, scene: SceneEvent, name: string): { elements: Node[]; update: (scene: SceneEvent) => void } {
  const group = scene.groups.find((other) => other.name === name)!;
  const title = nameInput("group", name, (to, field) => studio.edit(edits.renameGroup(studio.scene.value!.document, name, to), field), (to) => studio.groupName.set(to));
  const color = h("input", { type: "color", value: group.color, attributes: { "aria-label": "Colour" } });
  streamTo(studio, (value, join) => edits.setColor(name, value, join), color);

  const speed = edits.speedOf(scene.document, name);
  const speedField = numberField({
    label: speed.kind === "same" ? "Speed" : "Mean speed",
    unit: "m/s",
    ...edits.SPEEDS_ALLOWED,
    step: 0.05,
    value: Number(speed.value.toFixed(2)),
    commit: (value, field) => void studio.edit(edits.setSpeed(studio.scene.value!.document, name, value), field),
  });
  const spreadField = numberField({
    label: "Spread of speeds",
    unit: "m/s",
    min: 0,
    max: 2,
    why: { min: "0 lets all walk equally fast", max: "people differ by less" },
    step: 0.05,
    value: Number(speed.spread.toFixed(2)),
    commit: (value, field) => void studio.edit(edits.setSpeedSpread(studio.scene.value!.document, name, value), field),
  });
  spreadField.element.title = "The standard deviation, or of an even distribution half its width. 0: all are equally fast";
  const species = choice<Species>({
    label: "Species",
    choices: SPECIES.map((value) => ({ value, text: value })),
    value: group.species,
    commit: (value, field) => void studio.edit(edits.setSpecies(studio.scene.value!.document, name, value), field),
  });
  const models = [...new Set([...edits.MODELS, group.model])];
  const model = choice({
    label: "Model",
    choices: models.map((value) => ({ value, text: value.replace("_", " ") })),
    value: group.model,
    commit: (value, field) => void studio.edit(edits.setModel(name, value), field),
  });
  const then = choice({
    label: "At last",
    choices: [
      { value: "stay", text: "stay" },
      { value: "leave", text: "leave" },
      { value: "repeat", text: "begin again" },
    ],
    value: thenOf(scene, name),
    commit: (value, field) => void studio.edit(edits.setThen(name, value), field),
  });

  const parameters = steeringParameters(studio, name);
  const traits = traitSliders(studio, name);
  const goals = edits.goalsInWords(scene.document, name);
  const goalList = h(
    "div",
    { class: "goals" },
    h("span", {}, "Goals"),
    goals.length > 0 ? h("ol", {}, ...goals.map((words) => h("li", {}, words))) : h("em", {}, "none"),
  );
  if (goals.length > 0) {
    goalList.append(button({ icon: "close", title: "Take the goals away", class: "small", press: (b) => void studio.edit(edits.clearGoals(name), b) }));
  }

  const arrows = choice({
    label: "Arrows",
    choices: [{ value: "", text: "none" }, ...scene.fields.map((field) => ({ value: field.name, text: field.name }))],
    value: group.led[0] ?? "",
    commit: (value, field) => void studio.edit(edits.setField(studio.scene.value!, name, value), field),
  });
  arrows.element.title = "The field of arrows that leads the group";
  const share = shareSlider(studio, name);
  const sources = edits.sourcesOf(scene.document, name).map((source) => sourceRow(studio, name, source));
  const remove = button({ icon: "trash", title: `Remove group “${name}”`, class: "small", press: (b) => removeGroup(studio, name, b) });

  return {
    elements: [
      h("div", { class: "title-row" }, color, title, remove),
      ...(edits.isDeserted(scene.document, name) ? [h("p", { class: "note" }, "Nobody yet: paint people (P) or drag a source (S).")] : []),
      ...(scene.fields.length > 0 ? [arrows.element] : []),
      ...(group.led.length > 0 ? [share.element] : []),
      species.element,
      speedField.element,
      spreadField.element,
      model.element,
      parameters.element,
      traits.element,
      goalList,
      ...(goals.length > 0 ? [then.element] : []),
      ...sources.map((source) => source.element),
    ],
    update: (next) => {
      const now = next.groups.find((other) => other.name === name);
      if (!now) return;
      if (document.activeElement !== color) color.value = now.color;
      if (document.activeElement !== title) title.value = now.name;
      arrows.set(now.led[0] ?? "");
      share.set(now.share);
      const { value, spread } = edits.speedOf(next.document, name);
      speedField.set(Number(value.toFixed(2)));
      spreadField.set(Number(spread.toFixed(2)));
      species.set(now.species);
      model.set(now.model);
      parameters.set(next.document, now.model);
      traits.set(edits.traitsOf(next.document, name));
      then.set(thenOf(next, name));
      const rates = edits.sourcesOf(next.document, name);
      sources.forEach((source, i) => source.set(rates[i]?.rate ?? null));
    },
  };
}

/** The server has said what became of an edit after this time, ms, or refused it. */
const ANSWERED = 3000;

/** Whether the traits are shown, whichever group is selected. */
let traitsOpen = false;

/** What a group is like: a slider for each trait. Those that vary from person to person are shown on average. */
function traitSliders(studio: Studio, name: string): { element: HTMLElement; set(traits: ReturnType<typeof edits.traitsOf>): void } {
  const rows = TRAITS.map((trait) => traitSlider(studio, name, trait));
  const clear = button({
    icon: "close",
    text: "No traits",
    title: "Take the traits away",
    class: "small",
    press: (b) => void studio.edit(edits.clearTraits(studio.scene.value!.document, name), b),
  });
  const word = h("span", { class: "count" });
  const element = h("details", { class: "traits", open: traitsOpen }, h("summary", {}, h("span", {}, "Traits"), word), ...rows.map((row) => row.element), clear);
  element.addEventListener("toggle", () => (traitsOpen = element.open));
  return {
    element,
    set: (traits) => {
      word.textContent = traits ? "" : "none";
      clear.hidden = traits === null;
      TRAITS.forEach((trait, i) => rows[i]!.set(traits?.values[trait] ?? 0, traits?.varied.includes(trait) ?? false));
    },
  };
}

function traitSlider(studio: Studio, name: string, trait: Trait): { element: HTMLElement; set(value: number, varies: boolean): void } {
  const [low, high] = TEMPERS[trait];
  const label = `${trait[0]!.toUpperCase()}${trait.slice(1)}`;
  const slider = h("input", { type: "range", min: "-1", max: "1", step: "0.05", attributes: { "aria-label": label } });
  slider.dataset["trait"] = trait;
  const value = h("output", {});
  const tell = () => (value.textContent = Number(slider.value).toFixed(2).replace("-", "−"));
  // What was set here last, until the server says the same: what it says before is older.
  let own: { value: number; since: number } | null = null;
  slider.addEventListener("input", () => {
    own = { value: Number(slider.value), since: performance.now() };
    tell();
  });
  streamTo(studio, (text, join) => edits.setTrait(studio.scene.value!.document, name, trait, Number(text), join), slider);
  const element = h("div", { class: "trait" }, h("span", {}, low), slider, h("span", {}, high), value);
  return {
    element,
    set: (to, varies) => {
      element.title = varies ? `${label}, on average; a new value is the same for everybody` : label;
      const isOlder = own !== null && to !== own.value && performance.now() - own.since < ANSWERED;
      if (isOlder || slider.matches(":active")) return;
      own = null;
      slider.value = String(to);
      tell();
    },
  };
}

/** How far a group is led: governed at the right, autonomous at the left (ρ). */
function shareSlider(studio: Studio, name: string): { element: HTMLElement; set(value: number | null): void } {
  const slider = h("input", { type: "range", min: "0", max: "1", step: "0.01", attributes: { "aria-label": "How far the group is led" } });
  slider.id = "share";
  const value = h("output", {});
  const tell = () => (value.textContent = `${Math.round(Number(slider.value) * 100)} %`);
  slider.addEventListener("input", tell);
  streamTo(studio, (text, join) => edits.setShare(name, Number(text), join), slider);
  return {
    element: h(
      "div",
      { class: "share", title: "The share of the arrows in where people go (ρ): the rest is a will of their own, and their goals" },
      h("div", {}, h("span", {}, "Led by arrows"), value),
      slider,
      h("div", { class: "ends" }, h("span", {}, "autonomous"), h("span", {}, "governed")),
    ),
    set: (share) => {
      if (share === null || slider.matches(":active")) return;
      slider.value = String(share);
      tell();
    },
  };
}

function sourceRow(studio: Studio, group: string, source: edits.Source): { element: HTMLElement; set(value: number | null): void } {
  const remove = button({ icon: "close", title: "Remove this source", class: "small", press: (b) => void studio.edit(edits.removeSource(group, source.index), b) });
  if (source.rate === null) {
    const element = h("div", { class: "field" }, h("span", {}, `From ${source.region}`), h("em", {}, "by schedule"), remove);
    return { element, set: () => {} };
  }
  const rate = numberField({
    label: `From ${source.region}`,
    unit: "/s",
    min: 0.01,
    max: 100,
    step: 0.1,
    value: source.rate,
    commit: (value, field) => void studio.edit(edits.setSourceRate(group, source.index, value), field),
  });
  rate.element.append(remove);
  return { element: rate.element, set: (value) => value !== null && rate.set(value) };
}

function removeGroup(studio: Studio, name: string, near: Element): void {
  const scene = studio.scene.value;
  const group = scene?.groups.find((other) => other.name === name);
  if (scene && group) void studio.edit(edits.removeGroup(scene, group), near);
}

function thenOf(scene: SceneEvent, name: string): "stay" | "leave" | "repeat" {
  const groups = scene.document["groups"];
  const entry = Array.isArray(groups) ? groups.find((group) => (group as { name?: string }).name === name) : null;
  const then = (entry as { then?: string } | null)?.then;
  return then === "leave" || then === "repeat" ? then : "stay";
}

/** The parameters of the steering model of a group, as the server lists them. */
import { parametersOf, resetParameter, setParameter } from "../edits/steering.ts";
import type { JsonObject, SteeringModel } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { button, fill, h, numberField } from "./dom.ts";

/** Whether the parameters are shown, whichever group is selected. */
let isOpen = false;

export function steeringParameters(studio: Studio, name: string): { element: HTMLElement; set(document: JsonObject, model: string): void } {
  const rows = h("div");
  const word = h("span", { class: "count" });
  const element = h("details", { class: "traits steering", open: isOpen }, h("summary", {}, h("span", {}, "Steering parameters"), word), rows);
  let shown = "";
  let update: (document: JsonObject) => void = () => {};
  const set = (document: JsonObject, modelName: string) => {
    if (!element.open) {
      shown = "";
      return;
    }
    const model = studio.models.value?.find((one) => one.name === modelName);
    if (!model) return fill(rows, h("p", { class: "note" }, studio.models.value ? "This model has no parameters that are known here." : "…"));
    const values = parametersOf(document, name, model);
    const shape = JSON.stringify([modelName, values.map(({ isSet, varies }) => [isSet, varies])]);
    if (shape !== shown && !rows.contains(typedInto())) {
      shown = shape;
      update = fillRows(studio, name, rows, model, document);
    }
    const count = values.filter((one) => one.isSet).length;
    word.textContent = count === 0 ? "defaults" : `${count} changed`;
    update(document);
  };
  const refresh = () => {
    const scene = studio.scene.value;
    const group = scene?.groups.find((other) => other.name === name);
    if (scene && group) set(scene.document, group.model);
  };
  element.addEventListener("toggle", () => {
    isOpen = element.open;
    if (isOpen && !studio.models.value) void studio.ask("models").then((models) => models && studio.models.set(models)).then(refresh);
    refresh();
  });
  return { element, set };
}

const typedInto = (): Element | null => (document.activeElement?.matches("input[type=number]") ? document.activeElement : null);

function fillRows(studio: Studio, group: string, rows: HTMLElement, model: SteeringModel, scene: JsonObject): (document: JsonObject) => void {
  const fields = parametersOf(scene, group, model).map(({ parameter, value, isSet, varies }) => {
    const { name, description, unit, min, max } = parameter;
    const field = numberField({
      label: name.replaceAll("_", " "),
      unit,
      min,
      max,
      step: stepOf(max - min),
      value,
      commit: (to, near) => void studio.edit(setParameter(studio.scene.value!.document, group, model.name, parameter, to), near),
    });
    field.element.title = `${description}. ${varies ? "It varies from person to person: this is its mean, and the spread stays. " : ""}By default ${Number(parameter.default.toPrecision(6))} ${unit}`.trim();
    if (isSet) field.element.append(button({ icon: "close", title: `Give ${name} its default again`, class: "small", press: (b) => void studio.edit(resetParameter(group, name), b) }));
    return field;
  });
  fill(rows, h("p", { class: "note" }, `${model.summary}.`), ...fields.map((field) => field.element));
  return (document) => parametersOf(document, group, model).forEach(({ value }, i) => fields[i]?.set(value));
}

/** A step of about a hundredth of a range: 1, 0.1, 0.01 … */
const stepOf = (range: number): number => 10 ** Math.floor(Math.log10(Math.max(range, 1e-6) / 20));

/** The lines and areas of a scene in which people are measured. */
import { measurementsOf, removeMeasurement, renameMeasurement, setInterval } from "../edits/measurements.ts";
import type { Studio } from "../studio.ts";
import { button, h, numberField } from "./dom.ts";

export function measurementsContent(studio: Studio): Node[] {
  const scene = studio.scene.value;
  const all = scene ? measurementsOf(scene.document) : [];
  const rows = all.map(({ name, isLine, interval }) => {
    const title = h("input", { type: "text", value: name, maxLength: 60, attributes: { "aria-label": "Name of the measurement" } });
    title.addEventListener("change", () => {
      const to = title.value.trim();
      title.blur();
      if (!to || to === name) title.value = name;
      else void studio.edit(renameMeasurement(name, to), title).then((made) => made || (title.value = name));
    });
    const remove = button({ icon: "trash", title: `Remove measurement “${name}”`, class: "small", press: (b) => void studio.edit(removeMeasurement(name), b) });
    const every = numberField({
      label: isLine ? "Flow every" : "Density every",
      unit: "s",
      min: 0.1,
      max: 3600,
      step: 0.5,
      value: interval,
      commit: (value, field) => void studio.edit(setInterval(name, value), field),
    });
    return h("div", { class: "measurement" }, h("div", { class: "title-row" }, title, remove), every.element);
  });
  return [
    h("header", {}, h("h2", {}, "Measurements")),
    ...rows,
    h("p", { class: "note" }, all.length === 0 ? "Drag a line across a street or a door: who crosses it is counted." : "Drag an end of a line to move it."),
    h("p", { class: "note" }, "throng run writes them down beside the recording."),
  ];
}

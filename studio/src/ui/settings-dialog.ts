/** Asks for what holds for the whole scene: name, duration, seed, step, navigation and the size of the world. */
import { SETTING_LIMITS, setSettings, settingsOf, type Settings } from "../edits/settings.ts";
import type { Studio } from "../studio.ts";
import { dialog } from "./dialogs.ts";
import { h, numberField } from "./dom.ts";

export function settingsDialog(studio: Studio): void {
  const scene = studio.scene.value;
  if (!scene || scene.kind !== "live") return;
  const wanted: Settings = structuredClone(settingsOf(scene));
  const number = (label: string, key: "duration" | "seed" | "step", step: number, title: string) => {
    const field = numberField({ label, ...SETTING_LIMITS[key], step, value: wanted[key], commit: (value) => (wanted[key] = value) });
    field.element.title = title;
    return field.element;
  };
  const bound = (label: string, corner: 0 | 1, axis: 0 | 1) =>
    numberField({ label, ...SETTING_LIMITS.bound, step: 1, value: wanted.bounds[corner][axis], commit: (value) => (wanted.bounds[corner][axis] = value) }).element;
  const name = h("input", { type: "text", value: wanted.name, maxLength: 80, attributes: { "aria-label": "Name of the scene" } });
  const navigation = h("input", { type: "checkbox", checked: wanted.navigation });
  const form = h(
    "form",
    { method: "dialog" },
    h("label", { class: "field" }, h("span", {}, "Name"), name),
    number("Duration", "duration", 1, "How long throng run simulates; the studio goes on until it is paused"),
    number("Seed", "seed", 1, "What all randomness derives from: the same seed gives the same walk"),
    number("Step", "step", 0.01, "Time between two states"),
    h("label", { class: "watching" }, navigation, h("span", {}, "People find ways around obstacles")),
    h("h3", {}, "Bounds of the world"),
    bound("West", 0, 0),
    bound("East", 1, 0),
    bound("South", 0, 1),
    bound("North", 1, 1),
    h("p", { class: "note" }, "With another seed, step or size of the world the scene begins anew."),
    h("div", { class: "actions" }, h("button", { type: "submit", class: "button primary" }, "Change")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    wanted.name = name.value.trim();
    wanted.navigation = navigation.checked;
    const edit = setSettings(scene, wanted);
    if (!edit) return shown.close();
    void studio.edit(edit, form).then((made) => made && shown.close());
  });
  const shown = dialog("Scene settings", form);
}

/** The panel of something that people look at. */
import { renameInterest, setInterest, unfaceInterest } from "../edits/interests.ts";
import type { SceneEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { choice, h, nameInput, numberField } from "./dom.ts";

type Key = Parameters<typeof setInterest>[1];

export function interestContent(studio: Studio, scene: SceneEvent, name: string, header: (title: string) => HTMLElement, deletion: (what: string) => HTMLElement): Node[] {
  const interest = scene.interests.find((other) => other.name === name);
  if (!interest) return [];
  const title = nameInput("interest", name, (to, field) => studio.edit(renameInterest(name, to), field), (to) => studio.selection.set({ kind: "interest", name: to }));
  const number = (label: string, unit: string, key: Key, value: number, [min, max, step]: [number, number, number]) =>
    numberField({ label, unit, min, max, step, value, commit: (changed, field) => void studio.edit(setInterest(name, key, changed), field) }).element;
  const facing = choice({
    label: "Seen from",
    choices: [
      { value: "everywhere", text: "everywhere" },
      { value: "front", text: "in front of it" },
    ],
    value: interest.facing === null ? "everywhere" : "front",
    commit: (from, field) => void studio.edit(from === "front" ? setInterest(name, "facing", 0) : unfaceInterest(scene.document, name), field),
  });
  return [
    header("Interest"),
    h("label", { class: "field" }, h("span", {}, "Name"), title),
    number("Height", "m", "height", interest.height, [-100, 1000, 0.1]),
    number("Level", "", "level", interest.level, [0, 1, 0.05]),
    number("Reach", "m", "reach", interest.reach, [0.1, 1000, 0.5]),
    facing.element,
    ...(interest.facing === null
      ? []
      : [number("Faces", "°", "facing", interest.facing, [-360, 360, 5]), number("Field", "°", "field", interest.field ?? 160, [1, 360, 5])]),
    h("p", { class: "note" }, "People with bodies look at it as they pass; the level says how eagerly."),
    h("div", { class: "actions" }, deletion("this interest")),
  ];
}

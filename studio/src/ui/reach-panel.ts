/** How far a selected arrow leads, and what is unwise about it. */
import { NEW_REACH, REACHES, fastestLed, setReach, speedLimit, tooFast } from "../edits/arrows.ts";
import { roundedTo } from "../model/geometry.ts";
import type { Anchor, SceneEvent } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { button, h, numberField } from "./dom.ts";

export function reachContent(studio: Studio, scene: SceneEvent, fieldName: string, anchor: Anchor): Node[] {
  const field = scene.fields.find((other) => other.name === fieldName);
  const index = anchor.index;
  if (!field || index === null) return [];
  const change = (reach: number | null, near: Element) => void studio.edit(setReach(fieldName, index, reach), near);
  const content: Node[] = [];
  if (anchor.reach === null) {
    const limit = button({ text: "Limit its reach", title: `Lead people within ${NEW_REACH} m only`, press: (b) => change(NEW_REACH, b) });
    content.push(h("p", { class: "note" }, "It leads everywhere on its floor."), h("div", { class: "actions" }, limit));
  } else {
    const reach = numberField({
      label: "Reach",
      unit: "m",
      min: REACHES.min,
      max: REACHES.max,
      step: 0.5,
      value: roundedTo(anchor.reach, 0.1),
      commit: (value, near) => change(value, near),
    });
    reach.element.title = "Beyond it people are not led; within half of it they are led in full";
    const everywhere = button({ text: "Everywhere", title: "Lead people on the whole floor, up to its bounds and beyond", press: (b) => change(null, b) });
    content.push(reach.element, h("div", { class: "actions" }, everywhere));
    if (field.anchors.some((other) => other.reach === null)) {
      content.push(h("p", { class: "note warning" }, "Another arrow of this field leads everywhere, so the reach has no effect."));
    }
  }
  const group = fastestLed(scene, fieldName);
  const asked = Math.hypot(...anchor.velocity);
  if (group && asked > speedLimit(group)) {
    const { text, help } = tooFast(asked, group);
    content.push(h("p", { class: "note warning" }, `${text}. ${help}`));
  }
  return content;
}

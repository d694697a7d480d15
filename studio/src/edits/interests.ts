/** Edits of what people look at. */
import type { Json, JsonObject, Point, SceneEvent } from "../protocol.ts";
import { add as plus, rounded, roundedTo } from "../model/geometry.ts";
import { freeName } from "../model/names.ts";
import { add, entryNamed, layerKey, remove, set, type Edit } from "./common.ts";

/** How high above the ground a new one is, m: where eyes are. */
export const INTEREST_HEIGHT = 1.5;

export function suggestInterestName(scene: SceneEvent): string {
  return freeName(
    "sight",
    scene.interests.map((interest) => interest.name),
  );
}

export function addInterest(scene: SceneEvent, name: string, at: Point, layer: number): Edit {
  const entry = { name, position: rounded(at), height: INTEREST_HEIGHT, ...layerKey(scene, layer) };
  return { label: `Add interest “${name}”`, changes: [add(["interests"], entry)] };
}

/** Moves it, from where it was in `document`. */
export function moveInterest(document: JsonObject, name: string, by: Point, join: string): Edit | null {
  const position = entryNamed(document, "interests", name)?.["position"];
  if (!Array.isArray(position)) return null;
  return { label: `Move interest “${name}”`, changes: [set(["interests", { name }, "position"], rounded(plus(position as Point, by)))], join };
}

export function renameInterest(name: string, to: string): Edit {
  return { label: `Rename interest “${name}”`, changes: [set(["interests", { name }, "name"], to)] };
}

export function setInterest(name: string, key: "height" | "level" | "reach" | "facing" | "field", value: number): Edit {
  const number: Json = roundedTo(value, 0.01);
  return { label: `Change the ${key} of “${name}”`, changes: [set(["interests", { name }, key], number)] };
}

/** Lets it be the same from everywhere again. */
export function unfaceInterest(document: JsonObject, name: string): Edit {
  const entry = entryNamed(document, "interests", name) ?? {};
  const keys = ["field", "facing"].filter((key) => key in entry);
  return { label: `Let “${name}” be seen from everywhere`, changes: keys.map((key) => remove(["interests", { name }, key])) };
}

export function removeInterest(name: string): Edit {
  return { label: `Remove interest “${name}”`, changes: [remove(["interests", { name }])] };
}

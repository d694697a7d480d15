/** What all edits have in common: how changes are written, and how documents are read. */
import type { Address, Change, Json, JsonObject, Requests, SceneEvent } from "../protocol.ts";

/** What an `edit` request says. */
export type Edit = Requests["edit"];

export const set = (at: Address, value: Json): Change => ({ set: { at, value } });
export const add = (to: Address, value: Json): Change => ({ add: { to, value } });
export const remove = (at: Address): Change => ({ remove: { at } });

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The entries of one of the document's lists. */
export function entries(document: JsonObject, list: string): JsonObject[] {
  const value = document[list];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function entryNamed(document: JsonObject, list: string, name: string): JsonObject | undefined {
  return entries(document, list).find((entry) => entry["name"] === name);
}

/** `{ layer = "gallery" }`, or nothing on the first floor, which is the default. */
export function layerKey(scene: SceneEvent, layer: number): { layer?: string } {
  return layer > 0 && scene.layers[layer] ? { layer: scene.layers[layer].name } : {};
}

/** Edits of what holds for the whole scene: name, duration, seed, step, navigation and the size of the world. */
import type { Json, JsonObject, Point, SceneEvent } from "../protocol.ts";
import { rounded, roundedTo } from "../model/geometry.ts";
import { isObject, set, type Edit } from "./common.ts";

export interface Settings {
  name: string;
  /** s. */
  duration: number;
  seed: number;
  /** s. */
  step: number;
  navigation: boolean;
  bounds: [Point, Point];
}

/** Numbers that scenes accept. */
export const SETTING_LIMITS = {
  duration: { min: 0.1, max: 1e6, unit: "s", why: { max: "longer walks are simulated in parts" } },
  seed: { min: 0, max: 2 ** 32 - 1, unit: "" },
  step: { min: 0.001, max: 1, unit: "s", why: { max: "people would walk through each other in longer steps" } },
  bound: { min: -100_000, max: 100_000, unit: "m", why: { min: "positions are exact within 100 km of the origin", max: "positions are exact within 100 km of the origin" } },
} as const;

export function settingsOf(scene: SceneEvent): Settings {
  const simulation = scene.document["simulation"];
  const seed = isObject(simulation) && typeof simulation["seed"] === "number" ? simulation["seed"] : 0;
  return { name: scene.name, duration: scene.duration, seed, step: scene.step, navigation: scene.navigation, bounds: scene.bounds };
}

/** Changes the settings that differ from those of the scene; `null` if none does. */
export function setSettings(scene: SceneEvent, wanted: Settings): Edit | null {
  const now = settingsOf(scene);
  const changes = [];
  if (wanted.name !== now.name) changes.push(set(["name"], wanted.name));
  const simulation: JsonObject = {};
  if (wanted.duration !== now.duration) simulation["duration"] = roundedTo(wanted.duration, 0.001);
  if (wanted.seed !== now.seed) simulation["seed"] = Math.round(wanted.seed);
  if (wanted.step !== now.step) simulation["step"] = wanted.step;
  if (wanted.navigation !== now.navigation) simulation["navigation"] = wanted.navigation;
  if (isObject(scene.document["simulation"])) {
    for (const [key, value] of Object.entries(simulation)) changes.push(set(["simulation", key], value));
  } else if (Object.keys(simulation).length > 0) changes.push(set(["simulation"], simulation));
  const bounds: Json = wanted.bounds.map(rounded);
  if (JSON.stringify(wanted.bounds) !== JSON.stringify(now.bounds)) changes.push(set(["world", "bounds"], bounds));
  return changes.length > 0 ? { label: "Change the settings of the scene", changes } : null;
}

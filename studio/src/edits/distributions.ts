/** Numbers that vary from person to person: one for all, `{ min, max }`, or `{ mean, sd, min, max }`. */
import { roundedTo } from "../model/geometry.ts";
import type { Json, JsonObject } from "../protocol.ts";
import { isObject } from "./common.ts";

/** The typical value of a distribution, as far as one number can tell it. */
export function typical(value: Json | undefined, otherwise: number): number {
  if (typeof value === "number") return value;
  if (isObject(value)) {
    if (typeof value["mean"] === "number") return value["mean"];
    if (typeof value["min"] === "number" && typeof value["max"] === "number") return (value["min"] + value["max"]) / 2;
  }
  return otherwise;
}

/** The same distribution around another typical value, within limits. */
export function movedTo(value: Json | undefined, to: number, limits: { min: number; max: number }, quantum = 0.01): Json {
  const round = (number: number) => roundedTo(number, quantum);
  if (!isObject(value)) return round(to);
  const by = to - typical(value, to);
  const moved: JsonObject = {};
  for (const [key, part] of Object.entries(value)) {
    if (typeof part !== "number") continue;
    if (key === "min") moved[key] = round(Math.min(to, Math.max(limits.min, part + by)));
    else if (key === "max") moved[key] = round(Math.max(to, Math.min(limits.max, part + by)));
    else moved[key] = key === "mean" ? round(to) : part;
  }
  return moved;
}

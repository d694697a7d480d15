/** Edits of measurements: lines that people cross, whose flow `throng run` writes down. */
import type { Json, JsonObject, Point, SceneEvent } from "../protocol.ts";
import { rounded, roundedTo } from "../model/geometry.ts";
import { freeName } from "../model/names.ts";
import { add, entries, entryNamed, layerKey, remove, set, type Edit } from "./common.ts";

/** Time between two measurements where the scene gives none, s. */
const USUAL_INTERVAL = 1;

export function addMeasurement(scene: SceneEvent, from: Point, to: Point, layer: number): { edit: Edit; name: string } {
  const taken = scene.measurements.map((measurement) => measurement.name);
  const name = freeName("line", taken);
  const line: Json = [rounded(from), rounded(to)];
  return { name, edit: { label: `Add measurement “${name}”`, changes: [add(["measurements"], { name, line, ...layerKey(scene, layer) })] } };
}

/** Moves one end of a line. */
export function moveEnd(document: JsonObject, name: string, end: 0 | 1, to: Point, join: string): Edit | null {
  const line = entryNamed(document, "measurements", name)?.["line"];
  if (!Array.isArray(line)) return null;
  const moved = line.map((point, i) => (i === end ? rounded(to) : point));
  return { label: `Move measurement “${name}”`, changes: [set(["measurements", { name }, "line"], moved)], join };
}

export function renameMeasurement(name: string, to: string): Edit {
  return { label: `Rename measurement “${name}”`, changes: [set(["measurements", { name }, "name"], to)] };
}

export function setInterval(name: string, interval: number): Edit {
  return { label: `Change the interval of “${name}”`, changes: [set(["measurements", { name }, "interval"], roundedTo(interval, 0.01))] };
}

export function removeMeasurement(name: string): Edit {
  return { label: `Remove measurement “${name}”`, changes: [remove(["measurements", { name }])] };
}

/** All measurements of a scene, and the time between two values, s. */
export function measurementsOf(document: JsonObject): { name: string; isLine: boolean; interval: number }[] {
  return entries(document, "measurements").map((entry) => ({
    name: String(entry["name"] ?? ""),
    isLine: "line" in entry,
    interval: typeof entry["interval"] === "number" ? entry["interval"] : USUAL_INTERVAL,
  }));
}

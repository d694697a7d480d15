/** Edits of obstacles and regions. */
import type { Json, JsonObject, Point, Polygon, SceneEvent } from "../protocol.ts";
import { add as plus, rectangle, rounded, roundedTo } from "../model/geometry.ts";
import { freeName } from "../model/names.ts";
import { add, entries, isObject, layerKey, remove, set, type Edit } from "./common.ts";
import { renaming } from "./references.ts";

export function addWall(scene: SceneEvent, points: Point[], thickness: number, height: number, layer: number): Edit {
  const wall = { points: points.map(rounded), thickness };
  return { label: "Add a wall", changes: [add(["obstacles"], { wall, height, ...layerKey(scene, layer) })] };
}

export function addBox(scene: SceneEvent, a: Point, b: Point, height: number, layer: number): Edit {
  const [min, max] = rectangle(a, b);
  const center = rounded([(min[0] + max[0]) / 2, (min[1] + max[1]) / 2]);
  const size = rounded([max[0] - min[0], max[1] - min[1]]);
  return { label: "Add a box", changes: [add(["obstacles"], { box: { center, size }, height, ...layerKey(scene, layer) })] };
}

/** Moves an obstacle, as it was in `document`, by a way; `null` for those whose shape is in a file. */
export function moveObstacle(document: JsonObject, index: number, by: Point, join: string): Edit | null {
  const entry = entries(document, "obstacles")[index];
  const moved = entry && movedShape(entry, by);
  if (!moved) return null;
  return { label: "Move an obstacle", changes: [set(["obstacles", index, ...moved.keys], moved.value)], join };
}

export function removeObstacle(index: number): Edit {
  return { label: "Remove an obstacle", changes: [remove(["obstacles", index])] };
}

export function setObstacleHeight(index: number, height: number): Edit {
  return { label: "Change a height", changes: [set(["obstacles", index, "height"], roundedTo(height, 0.01))] };
}

export function suggestRegionName(scene: SceneEvent, base = "place"): string {
  return freeName(
    base,
    scene.regions.map((region) => region.name),
  );
}

export function rectangleRegion(scene: SceneEvent, name: string, a: Point, b: Point, layer: number): JsonObject {
  return { name, rectangle: rectangle(a, b), ...layerKey(scene, layer) };
}

export function addRegion(scene: SceneEvent, name: string, shape: { rectangle: [Point, Point] } | { polygon: Polygon }, layer: number): Edit {
  const entry: JsonObject =
    "rectangle" in shape
      ? rectangleRegion(scene, name, shape.rectangle[0], shape.rectangle[1], layer)
      : { name, polygon: shape.polygon.map(rounded), ...layerKey(scene, layer) };
  return { label: `Add region “${name}”`, changes: [add(["regions"], entry)] };
}

export function moveRegion(document: JsonObject, name: string, by: Point, join: string): Edit | null {
  const entry = entries(document, "regions").find((other) => other["name"] === name);
  const moved = entry && movedShape(entry, by);
  if (!moved) return null;
  return { label: `Move region “${name}”`, changes: [set(["regions", { name }, ...moved.keys], moved.value)], join };
}

/** Renames a region and whatever refers to it. */
export function renameRegion(document: JsonObject, name: string, to: string): Edit {
  return { label: `Rename region “${name}”`, changes: renaming(document, "region", name, to) };
}

export function removeRegion(name: string): Edit {
  return { label: `Remove region “${name}”`, changes: [remove(["regions", { name }])] };
}

/** The part of a shape that says where it is, moved; obstacles and regions write shapes alike. */
function movedShape(entry: JsonObject, by: Point): { keys: string[]; value: Json } | null {
  const point = (value: Json): Json => rounded(plus(value as Point, by));
  const list = (value: Json): Json => (value as Point[]).map(point);
  for (const key of ["circle", "box"]) {
    const shape = entry[key];
    if (isObject(shape) && Array.isArray(shape["center"])) return { keys: [key, "center"], value: point(shape["center"]) };
  }
  const wall = entry["wall"];
  if (isObject(wall) && Array.isArray(wall["points"])) return { keys: ["wall", "points"], value: list(wall["points"]) };
  for (const key of ["polygon", "rectangle"]) {
    if (Array.isArray(entry[key])) return { keys: [key], value: list(entry[key]) };
  }
  return null;
}

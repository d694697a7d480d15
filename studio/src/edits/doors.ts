/** Doors: gaps in walls, and the hours in which an obstacle is there. */
import type { Json, JsonObject, Point, SceneEvent } from "../protocol.ts";
import { distance, lerp, nearestOnSegment, rounded, roundedTo } from "../model/geometry.ts";
import { add, entries, isObject, remove, set, type Edit } from "./common.ts";

/** A gap that would be cut into a wall: between two points of one of its segments. */
export interface Gap {
  /** Index of the wall in the document's list of obstacles, and of the segment in the wall. */
  wall: number;
  segment: number;
  ends: [Point, Point];
  thickness: number;
}

/** Pieces of wall shorter than this are left out, m. */
const SHORTEST_PIECE = 0.05;

/** The gap, `width` metres wide, in the wall of a floor nearest to a place and within `reach` of it; `null` if there is none that is long enough. */
export function gapAt(scene: SceneEvent, at: Point, layer: number, width: number, reach: number): Gap | null {
  let best: (Gap & { apart: number }) | null = null;
  entries(scene.document, "obstacles").forEach((entry, wall) => {
    const shape = entry["wall"];
    if (!isObject(shape) || !Array.isArray(shape["points"]) || floorOf(scene, entry) !== layer) return;
    const thickness = typeof shape["thickness"] === "number" ? shape["thickness"] : 0;
    const points = shape["points"] as Point[];
    points.slice(0, -1).forEach((from, segment) => {
      const to = points[segment + 1]!;
      const long = distance(from, to);
      const apart = distance(nearestOnSegment(at, from, to), at);
      if (long < width || apart > reach + thickness / 2 || apart >= (best?.apart ?? Infinity)) return;
      const along = Math.min(long - width, Math.max(0, distance(from, nearestOnSegment(at, from, to)) - width / 2));
      best = { wall, segment, thickness, apart, ends: [rounded(lerp(from, to, along / long)), rounded(lerp(from, to, (along + width) / long))] };
    });
  });
  return best;
}

/** Cuts a gap into a wall. What is left of it keeps all else, as two walls if the gap is in its middle; with `leaf` an obstacle closes the gap at times. */
export function cutDoor(scene: SceneEvent, { wall, segment, ends, thickness }: Gap, leaf: boolean): Edit {
  const entry = entries(scene.document, "obstacles")[wall]!;
  const shape = entry["wall"] as JsonObject;
  const points = shape["points"] as Point[];
  const pieces = [
    [...points.slice(0, segment + 1), ends[0]],
    [ends[1], ...points.slice(segment + 1)],
  ].filter((piece) => piece.some((point, i) => i > 0 && distance(point, piece[i - 1]!) > SHORTEST_PIECE));
  const withPoints = (piece: Point[]): Json => ({ ...entry, wall: { ...shape, points: piece.map(rounded) } });
  const [first, second] = pieces;
  const changes = first ? [set(["obstacles", wall, "wall", "points"], first.map(rounded))] : [remove(["obstacles", wall])];
  if (second) changes.push(add(["obstacles"], withPoints(second)));
  if (leaf) {
    const { name: _, during: __, ...rest } = entry;
    changes.push(add(["obstacles"], { ...rest, name: "door", wall: { points: ends, thickness }, during: [{ from: 60 }] }));
  }
  return { label: "Cut a door", changes };
}

/** From when to when an obstacle is there, s; `null` for the beginning and for ever. */
export interface Hours {
  from: number;
  to: number | null;
}

/** When an obstacle is there; `null` if always. */
export function hoursOf(document: JsonObject, index: number): Hours[] | null {
  const during = entries(document, "obstacles")[index]?.["during"];
  if (!Array.isArray(during)) return null;
  const number = (value: Json | undefined) => (typeof value === "number" ? value : null);
  return during.filter(isObject).map((hours) => ({ from: number(hours["from"]) ?? 0, to: number(hours["to"]) }));
}

/** Says when an obstacle is there; `null` for always. */
export function setHours(index: number, hours: Hours[] | null): Edit {
  const at = ["obstacles", index, "during"];
  const label = "Change when an obstacle is there";
  if (hours === null) return { label, changes: [remove(at)] };
  const tidy = (value: number) => roundedTo(value, 0.01);
  return { label, changes: [set(at, hours.map(({ from, to }) => ({ from: tidy(from), ...(to === null ? {} : { to: tidy(to) }) })))] };
}

function floorOf(scene: SceneEvent, entry: JsonObject): number {
  const index = scene.layers.findIndex((layer) => layer.name === entry["layer"]);
  return Math.max(0, index);
}

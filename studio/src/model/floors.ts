/**
 * Which floors of a building are drawn: all of them, or the chosen one with those below it.
 *
 * Choosing a floor removes what is above it: slabs, walls, and people there, who are counted. Floors are ordered by elevation, and those of the
 * same elevation as the scene lists them.
 */
import type { Layer, Point, SceneEvent } from "../protocol.ts";
import { contains } from "./geometry.ts";
import { heightsOf, rayToGround } from "./heights.ts";

/** The index of the highest floor that is drawn; `null` draws all. */
export type FloorChoice = number | null;

type Building = Pick<SceneEvent, "layers">;

/** Floors that are drawn, lowest first. */
export function shownFloors({ layers }: Building, chosen: FloorChoice): number[] {
  const upward = layers.map((_, index) => index).sort((a, b) => layers[a]!.elevation - layers[b]!.elevation || a - b);
  return chosen === null ? upward : upward.slice(0, upward.indexOf(chosen) + 1);
}

/** The floor that drawing by keys acts on: the chosen one, or the lowest if all are drawn. */
export const workingFloor = (scene: Building | null, chosen: FloorChoice): number => chosen ?? (scene ? (shownFloors(scene, null)[0] ?? 0) : 0);

export function isFloorShown({ layers }: Building, layer: number, chosen: FloorChoice): boolean {
  if (chosen === null || layer === chosen) return true;
  const [floor, top] = [layers[layer]?.elevation ?? 0, layers[chosen]?.elevation ?? 0];
  return floor < top || (floor === top && layer < chosen);
}

/** Height above which walls of drawn floors are cut, m: the elevation of the lowest hidden floor. */
export function cutHeight(scene: Building, chosen: FloorChoice): number {
  const top = chosen === null ? Infinity : (scene.layers[chosen]?.elevation ?? 0);
  const hidden = scene.layers.filter((layer, index) => !isFloorShown(scene, index, chosen) && layer.elevation > top);
  return Math.min(Infinity, ...hidden.map((layer) => layer.elevation));
}

/** How high an obstacle is drawn above its ground, m, if walls are cut at one height above the ground and at another above zero. */
export const drawnHeight = ({ layers }: Building, { height, layer }: { height: number; layer: number }, wallCut: number, cut: number): number =>
  Math.max(0.05, Math.min(height, wallCut, cut - (layers[layer]?.elevation ?? 0)));

/** The next choice upwards or downwards; all floors come after the highest. */
export function nextFloor(scene: Building, chosen: FloorChoice, by: 1 | -1): FloorChoice {
  const choices: FloorChoice[] = [...shownFloors(scene, null), null];
  return choices[Math.min(choices.length - 1, Math.max(0, choices.indexOf(chosen) + by))]!;
}

/**
 * Marks people on hidden floors in `hidden` and returns their number. People on stairs and ramps that are drawn are drawn, too.
 */
export function markHidden(
  scene: Pick<SceneEvent, "layers" | "connectors">,
  chosen: FloorChoice,
  people: { count: number; x: Float32Array; y: Float32Array; layers: Uint8Array },
  hidden: Uint8Array,
): number {
  hidden.fill(0);
  if (chosen === null) return 0;
  const isHidden = scene.layers.map((_, layer) => !isFloorShown(scene, layer, chosen));
  const stairs = scene.connectors.filter(({ lower }) => !isHidden[lower]);
  let count = 0;
  for (let i = 0; i < people.count; i++) {
    const layer = people.layers[i]!;
    if (!isHidden[layer]) continue;
    const at: Point = [people.x[i]!, people.y[i]!];
    if (stairs.some(({ lower, upper, polygon }) => (layer === lower || layer === upper) && contains(polygon, at))) continue;
    hidden[i] = 1;
    count++;
  }
  return count;
}

/** The floor under a ray and the place it meets there: the first of the drawn floors that has ground at that place; elsewhere the lowest floor. */
export function floorUnder(
  scene: SceneEvent,
  chosen: FloorChoice,
  { origin, direction }: { origin: [number, number, number]; direction: [number, number, number] },
  reach: number,
): { layer: number; at: Point } | null {
  const lowest = shownFloors(scene, null)[0] ?? 0;
  if (chosen !== null || scene.layers.length < 2) {
    const layer = chosen ?? lowest;
    const hit = rayToGround(heightsOf(scene, layer), origin, direction, reach);
    return hit && { layer, at: hit.at };
  }
  const hits = scene.layers.flatMap((_, layer) => {
    const hit = rayToGround(heightsOf(scene, layer), origin, direction, reach);
    return hit ? [{ layer, ...hit }] : [];
  });
  const onGround = hits.filter(({ layer, at }) => hasGround(scene, layer, at)).sort((a, b) => a.distance - b.distance);
  const hit = onGround[0] ?? hits.find(({ layer }) => layer === lowest);
  return hit ? { layer: hit.layer, at: hit.at } : null;
}

/** How far along a ray ground that is drawn hides what is behind it: terrain, and upper floors that have a plan. Level ground has everything before it. */
export function groundBefore(
  scene: SceneEvent,
  chosen: FloorChoice,
  { origin, direction }: { origin: [number, number, number]; direction: [number, number, number] },
  reach: number,
): number {
  const distances = shownFloors(scene, chosen).flatMap((layer, storey) => {
    const heightAt = heightsOf(scene, layer);
    const hides = heightAt.lattice || (storey > 0 && scene.layers[layer]!.plan);
    const hit = hides ? rayToGround(heightAt, origin, direction, reach) : null;
    return hit && hasGround(scene, layer, hit.at) ? [hit.distance] : [];
  });
  return Math.min(Infinity, ...distances);
}

/** Whether a floor has ground at a place: its plan has, or it fills the bounds of the scene. */
export function hasGround(scene: Pick<SceneEvent, "layers" | "bounds">, layer: number, at: Point): boolean {
  const plan = scene.layers[layer]?.plan;
  if (plan) return isOnPlan(plan, at);
  const [min, max] = scene.bounds;
  return at[0] >= min[0] && at[0] <= max[0] && at[1] >= min[1] && at[1] <= max[1];
}

export const isOnPlan = (plan: NonNullable<Layer["plan"]>, at: Point): boolean =>
  plan.some(({ outline, holes }) => contains(outline, at) && !holes.some((hole) => contains(hole, at)));

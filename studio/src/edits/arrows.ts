/** Edits of arrows: the anchors of the fields that lead groups. */
import type { Change, Field, Group, Point, SceneEvent } from "../protocol.ts";
import { length, rounded, roundedTo, scale, subtract } from "../model/geometry.ts";
import { freeName } from "../model/names.ts";
import { metresPerSecond } from "../model/words.ts";
import { add, layerKey, remove, set, type Edit } from "./common.ts";

/** A drag of a metre is half a metre per second: arrows of people who walk are two to three metres long. */
export const SPEED_PER_METRE = 0.5;
/** Fields refuse faster anchors. */
export const FASTEST = 20;
/** The reach of a new arrow, m. Within half of it the arrow leads in full. */
export const NEW_REACH = 10;
/** Scenes refuse smaller and larger reaches, m. */
export const REACHES = { min: 0.1, max: 1e5 };
/** Shorter drags are clicks. */
export const SHORTEST_DRAG = 0.3;

/** The velocity of an arrow that is drawn, at most `limit` m/s. */
export function velocityOfDrag(from: Point, to: Point, limit = FASTEST): Point {
  const velocity = scale(subtract(to, from), SPEED_PER_METRE);
  const speed = length(velocity);
  if (speed <= limit) return rounded(velocity);
  // Towards zero: the nearest centimetre per second could be above the limit.
  return scale(velocity, limit / speed).map((part) => Math.trunc(part * 100) / 100) as Point;
}

/** The fastest of the groups that a field leads: arrows ask for no more than it can do. `null` if it leads nobody. */
export function fastestLed(scene: SceneEvent, field: string): Group | null {
  const led = scene.groups.filter((group) => group.led.includes(field));
  return led.reduce<Group | null>((best, group) => (best && best.max_speed >= group.max_speed ? best : group), null);
}

/** The most that arrows for a group may ask for, m/s. */
export const speedLimit = (group: Group | null): number => Math.min(FASTEST, group?.max_speed ?? FASTEST);

/** The speed of an arrow while it is drawn, in words. */
export function speedInWords(velocity: Point, asked: number, limit: number): string {
  return `${metresPerSecond(length(velocity))}${asked > limit ? ", the largest speed of the group" : ""}`;
}

/** What to say of an arrow that asks for more than a group can do. */
export function tooFast(asked: number, group: Group): { text: string; help: string } {
  return {
    text: `${asked.toFixed(1)} m/s is faster than “${group.name}” can go`,
    help: `The arrow leads at ${group.max_speed.toFixed(2)} m/s, the largest speed of the group.`,
  };
}

/** Where the head of an arrow is drawn. */
export function headOf(anchor: { at: Point; velocity: Point }): Point {
  return [anchor.at[0] + anchor.velocity[0] / SPEED_PER_METRE, anchor.at[1] + anchor.velocity[1] / SPEED_PER_METRE];
}

/** The field of a group that new arrows on a layer go to. */
export function fieldFor(scene: SceneEvent, group: Group, layer: number): Field | undefined {
  return group.led
    .map((name) => scene.fields.find((field) => field.name === name))
    .find((field) => field?.editable && field.layer === layer);
}

/** The reach of a new arrow for a group, m; `null` where another arrow of its field leads everywhere, as a reach would have no effect. */
export function reachOfNew(scene: SceneEvent, group: Group, layer: number): number | null {
  const others = fieldFor(scene, group, layer)?.anchors ?? [];
  return others.every((other) => other.reach !== null) ? NEW_REACH : null;
}

/** A new arrow for a group. If nothing leads the group on this layer yet, a field is made for it in the same edit. */
export function addArrow(scene: SceneEvent, group: Group, at: Point, velocity: Point, layer: number): Edit {
  const label = "Add an arrow";
  const field = fieldFor(scene, group, layer);
  const reach = reachOfNew(scene, group, layer);
  const anchor = { at: rounded(at), velocity: rounded(velocity), ...(reach === null ? {} : { reach }) };
  if (field) return { label, changes: [add(["fields", { name: field.name }, "anchors"], anchor)] };
  const name = freeName(
    `${group.name} arrows`,
    scene.fields.map((other) => other.name),
  );
  const led = ["groups", { name: group.name }, "led"];
  return {
    label,
    changes: [
      add(["fields"], { name, ...layerKey(scene, layer), anchors: [anchor] }),
      group.led.length > 0 ? set([...led, "by"], [...group.led, name]) : set(led, { by: [name] }),
    ],
  };
}

export function moveArrow(field: string, index: number, at: Point, join?: string): Edit {
  return { label: "Move an arrow", changes: [set([...anchor(field, index), "at"], rounded(at))], ...joined(join) };
}

export function turnArrow(field: string, index: number, velocity: Point, join?: string): Edit {
  return { label: "Turn an arrow", changes: [set([...anchor(field, index), "velocity"], rounded(velocity))], ...joined(join) };
}

/** Limits an arrow to a distance, m, or lets it lead everywhere. */
export function setReach(field: string, index: number, reach: number | null, join?: string): Edit {
  const at = [...anchor(field, index), "reach"];
  const change = reach === null ? remove(at) : set(at, Math.min(REACHES.max, Math.max(REACHES.min, roundedTo(reach, 0.1))));
  return { label: "Change the reach of an arrow", changes: [change], ...joined(join) };
}

/** Takes an arrow away. A field without anchors is no field: with its last arrow it goes, and nobody is led by it any more. */
export function removeArrow(scene: SceneEvent, fieldName: string, index: number): Edit {
  const field = scene.fields.find((other) => other.name === fieldName);
  const written = field?.anchors.filter((other) => other.index !== null).length ?? 0;
  if (written > 1) return { label: "Remove an arrow", changes: [remove(anchor(fieldName, index))] };
  const changes: Change[] = [];
  for (const group of scene.groups) {
    if (!group.led.includes(fieldName)) continue;
    const others = group.led.filter((name) => name !== fieldName);
    const led = ["groups", { name: group.name }, "led"];
    changes.push(others.length > 0 ? set([...led, "by"], others) : remove(led));
  }
  changes.push(remove(["fields", { name: fieldName }]));
  return { label: "Remove the last arrow", changes };
}

const anchor = (field: string, index: number) => ["fields", { name: field }, "anchors", index];
const joined = (join: string | undefined) => (join === undefined ? {} : { join });

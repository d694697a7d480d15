/** Edits of groups: who they are, what they want, where they come from. */
import { TRAITS, type Address, type Change, type Group, type Json, type JsonObject, type Point, type SceneEvent, type Species, type Trait } from "../protocol.ts";
import { rounded, roundedTo } from "../model/geometry.ts";
import { freeColor, freeName } from "../model/names.ts";
import { add, entryNamed, isObject, layerKey, remove, set, type Edit } from "./common.ts";
import { movedTo, typical } from "./distributions.ts";
import { rectangleRegion, suggestRegionName } from "./places.ts";
import { renaming } from "./references.ts";

/** The models that docs/steering.md tells of, the most useful first. */
export const MODELS = ["orca", "headway", "predictive", "pedestrian", "social_force", "hidac", "opensteer", "ppr", "fuzzy", "none"];

export type Target = { point: Point; layer: number } | { region: string };

/** A new group, with nobody in it yet. */
export function addGroup(scene: SceneEvent): { edit: Edit; name: string } {
  const taken = scene.groups;
  const name = freeName(taken.length === 0 ? "visitors" : "group", taken.map((group) => group.name));
  const color = freeColor(taken.map((group) => group.color));
  return { name, edit: { label: `Add group “${name}”`, changes: [add(["groups"], { name, color })] } };
}

/** Whether there is nobody in a group, and nobody will come. */
export function isDeserted(document: JsonObject, group: string): boolean {
  const entry = entryNamed(document, "groups", group);
  return ["people", "crowds", "sources"].every((list) => {
    const value = entry?.[list];
    return !Array.isArray(value) || value.length === 0;
  });
}

/** A goal as scenes write it. */
export function seek(scene: SceneEvent, target: Target): JsonObject {
  return "region" in target ? { seek: target.region } : { seek: rounded(target.point), ...layerKey(scene, target.layer) };
}

/** Gives a group this goal: instead of those it has, or after them. */
export function setGoal(scene: SceneEvent, group: string, target: Target, append: boolean): Edit {
  const goal = seek(scene, target);
  const at = ["groups", { name: group }, "goals"];
  const change = append ? add(at, goal) : set(at, [goal]);
  return { label: `Give “${group}” a goal`, changes: [change] };
}

export function clearGoals(group: string): Edit {
  return { label: `Take the goals of “${group}”`, changes: [set(["groups", { name: group }, "goals"], [])] };
}

export function setThen(group: string, then: string): Edit {
  return { label: `Change what “${group}” does at last`, changes: [set(["groups", { name: group }, "then"], then)] };
}

/** Makes a region the place where a group leaves. */
export function leaveAt(scene: SceneEvent, group: string, region: string): Edit {
  const [goal] = setGoal(scene, group, { region }, false).changes as [Change];
  return { label: `Let “${group}” leave at “${region}”`, changes: [goal, set(["groups", { name: group }, "then"], "leave")] };
}

/** People appear in a rectangle from now on: its region and the source in one edit. */
export function addSource(scene: SceneEvent, group: string, a: Point, b: Point, rate: number, layer: number): Edit {
  const region = suggestRegionName(scene, `${group} entrance`);
  return {
    label: `Add a source of “${group}”`,
    changes: [
      add(["regions"], rectangleRegion(scene, region, a, b, layer)),
      add(["groups", { name: group }, "sources"], { region, rate }),
    ],
  };
}

export function setSourceRate(group: string, index: number, rate: number): Edit {
  return { label: "Change a rate", changes: [set(["groups", { name: group }, "sources", index, "rate"], rate)] };
}

export function removeSource(group: string, index: number): Edit {
  return { label: "Remove a source", changes: [remove(["groups", { name: group }, "sources", index])] };
}

/** People placed one by one. */
export function paintPeople(scene: SceneEvent, group: string, places: Point[], layer: number): Edit {
  const people = places.map((position) => ({ position: rounded(position), ...layerKey(scene, layer) }));
  const label = people.length === 1 ? "Place a person" : `Place ${people.length} people`;
  return { label, changes: people.map((person) => add(["groups", { name: group }, "people"], person)) };
}

export function setShare(group: string, share: number, join?: string): Edit {
  const edit: Edit = {
    label: `Change how far “${group}” is led`,
    changes: [set(["groups", { name: group }, "led", "share"], roundedTo(share, 0.01))],
  };
  return join === undefined ? edit : { ...edit, join };
}

/** The field that leads a group; none for an empty name. Of its other settings, those it has stay. */
export function setField(scene: SceneEvent, group: string, field: string): Edit {
  const label = field ? `Lead “${group}” by “${field}”` : `Lead “${group}” no more`;
  const led: Address = ["groups", { name: group }, "led"];
  const isLed = entryNamed(scene.document, "groups", group)?.["led"] !== undefined;
  if (!field) return { label, changes: isLed ? [remove(led)] : [] };
  return { label, changes: [isLed ? set([...led, "by"], [field]) : set(led, { by: [field] })] };
}

export function setColor(group: string, color: string, join?: string): Edit {
  const edit: Edit = { label: `Recolour “${group}”`, changes: [set(["groups", { name: group }, "color"], color)] };
  return join === undefined ? edit : { ...edit, join };
}

/** Another mean speed of a group, m/s; how far its speeds differ stays. */
export function setSpeed(document: JsonObject, group: string, speed: number): Edit {
  return speedEdit(group, movedTo(givenSpeed(document, group), speed, SPEEDS_ALLOWED));
}

/** Changes how far the speeds of a group differ, m/s: the standard deviation, or of an even distribution half its width. */
export function setSpeedSpread(document: JsonObject, group: string, spread: number): Edit {
  const { kind, value } = speedOf(document, group);
  const width = (kind === "even" ? 1 : 2.5) * spread;
  const round = (speed: number) => roundedTo(speed, 0.01);
  const range = { min: round(Math.max(SPEEDS_ALLOWED.min, value - width)), max: round(Math.min(SPEEDS_ALLOWED.max, value + width)) };
  if (spread === 0) return speedEdit(group, round(value));
  return speedEdit(group, kind === "even" ? range : { mean: round(value), sd: round(spread), ...range });
}

function speedEdit(group: string, speed: Json): Edit {
  return { label: `Change the speed of “${group}”`, changes: [set(["groups", { name: group }, "speed"], speed)] };
}

/** The traits of a group, as far as one number can tell each; none if it has none. */
export function traitsOf(document: JsonObject, group: string): { values: Record<Trait, number>; varied: Trait[] } | null {
  const traits = entryNamed(document, "groups", group)?.["traits"];
  if (!isObject(traits)) return null;
  const value = (trait: Trait) => [trait, typical(traits[trait], 0)];
  const varied = TRAITS.filter((trait) => isObject(traits[trait]));
  return { values: Object.fromEntries(TRAITS.map(value)) as Record<Trait, number>, varied };
}

/** A trait that is the same for everybody in a group. */
export function setTrait(document: JsonObject, group: string, trait: Trait, value: number, join?: string): Edit {
  const at: Address = ["groups", { name: group }, "traits"];
  const to = roundedTo(value, 0.01);
  const change = traitsOf(document, group) ? set([...at, trait], to) : set(at, { [trait]: to });
  const edit: Edit = { label: `Change what “${group}” are like`, changes: [change] };
  return join === undefined ? edit : { ...edit, join };
}

/** Takes a group's traits away. */
export function clearTraits(document: JsonObject, group: string): Edit {
  const changes = traitsOf(document, group) ? [remove(["groups", { name: group }, "traits"])] : [];
  return { label: `Take the traits of “${group}”`, changes };
}

/** What a group is. People are what groups are by themselves, and need not be told. */
export function setSpecies(document: JsonObject, group: string, species: Species): Edit {
  const at: Address = ["groups", { name: group }, "species"];
  const isTold = entryNamed(document, "groups", group)?.["species"] !== undefined;
  const changes = species !== "person" ? [set(at, species)] : isTold ? [remove(at)] : [];
  return { label: `Change what “${group}” are`, changes };
}

/** Another model; parameters of the old one mean nothing to it and go. */
export function setModel(group: string, model: string): Edit {
  return { label: `Change the model of “${group}”`, changes: [set(["groups", { name: group }, "steering"], { model })] };
}

export function renameGroup(document: JsonObject, name: string, to: string): Edit {
  return { label: `Rename “${name}”`, changes: renaming(document, "group", name, to) };
}

/** Takes a group away, and with it the fields that led nobody else. */
export function removeGroup(scene: SceneEvent, { name, led }: Group): Edit {
  const others = scene.groups.filter((group) => group.name !== name);
  const idle = led.filter((field) => !others.some((group) => group.led.includes(field)));
  const changes = [remove(["groups", { name }]), ...idle.map((field) => remove(["fields", { name: field }]))];
  return { label: `Remove “${name}”`, changes };
}

/** Speeds that scenes accept, m/s. */
export const SPEEDS_ALLOWED = { min: 0.05, max: 20 };

/** How speeds are distributed in a group: all alike, normally, or evenly. */
export type SpeedKind = "same" | "normal" | "even";

interface Speed {
  kind: SpeedKind;
  /** The mean, m/s. */
  value: number;
  /** The standard deviation, or half the width of an even distribution, m/s. */
  spread: number;
}

/** How fast they are who are not told to be, m/s. */
const USUAL_SPEEDS: Record<string, JsonObject> = {
  person: { mean: 1.34, sd: 0.26, min: 0.8, max: 1.9 },
  dog: { mean: 1.3, sd: 0.4, min: 0.7, max: 2.2 },
  horse: { mean: 1.6, sd: 0.2, min: 1.2, max: 2 },
};

function givenSpeed(document: JsonObject, group: string): Json {
  const entry = entryNamed(document, "groups", group);
  return entry?.["speed"] ?? USUAL_SPEEDS[String(entry?.["species"] ?? "person")] ?? USUAL_SPEEDS["person"]!;
}

export function speedOf(document: JsonObject, group: string): Speed {
  const speed = givenSpeed(document, group);
  const value = typical(speed, 1.34);
  if (!isObject(speed)) return { kind: "same", value, spread: 0 };
  const number = (key: string) => (typeof speed[key] === "number" ? speed[key] : value);
  return "mean" in speed ? { kind: "normal", value, spread: number("sd") } : { kind: "even", value, spread: (number("max") - number("min")) / 2 };
}

export interface Source {
  index: number;
  region: string;
  /** `null` if it follows a schedule. */
  rate: number | null;
}

export function sourcesOf(document: JsonObject, group: string): Source[] {
  const list = entryNamed(document, "groups", group)?.["sources"];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((source, index) => ({
    index,
    region: String(source["region"] ?? ""),
    rate: typeof source["rate"] === "number" ? source["rate"] : null,
  }));
}

/** A group's goals in a few words each. */
export function goalsInWords(document: JsonObject, group: string): string[] {
  const goals = entryNamed(document, "groups", group)?.["goals"];
  return Array.isArray(goals) ? goals.filter(isObject).map(goalInWords) : [];
}

function goalInWords(goal: JsonObject): string {
  const place = (value: Json | undefined): string => {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return `(${value.join(", ")})`;
    if (!isObject(value)) return "?";
    if (Array.isArray(value["nearest"])) return `the nearest of ${value["nearest"].join(", ")}`;
    if (value["random"]) return `somewhere in ${String(value["random"])}`;
    return String(value["person"] ?? value["group"] ?? "?");
  };
  if ("seek" in goal) return `go to ${place(goal["seek"])}`;
  if ("flee" in goal) return `flee ${place(goal["flee"])}`;
  if ("flow" in goal) return goal["flow"] === "crowd" ? "follow the crowd" : `walk along ${place(goal["flow"])}`;
  return stayInWords(goal["idle"]);
}

/** Who stays for longer than this, s, stays until they are stopped. */
const ENDLESS = 1e6;

const stayInWords = (idle: Json | undefined): string => (typeof idle === "number" && idle >= ENDLESS ? "stay until stopped" : `stay for ${String(idle ?? "?")} s`);

/** Where a document names regions and groups: what a rename has to change besides the name. */
import type { Address, Json, JsonObject } from "../protocol.ts";
import { isObject } from "./common.ts";

export interface Reference {
  kind: "region" | "group";
  name: string;
  at: Address;
}

export function references(document: JsonObject): Reference[] {
  const found: Reference[] = [];
  const note = (kind: Reference["kind"], value: Json | undefined, at: Address) => {
    if (typeof value === "string") found.push({ kind, name: value, at });
  };
  const goal = (value: Json | undefined, at: Address) => {
    if (!isObject(value)) return;
    for (const key of ["seek", "flee"]) {
      const target = value[key];
      note("region", target, [...at, key]);
      if (!isObject(target)) continue;
      note("region", target["random"], [...at, key, "random"]);
      note("group", target["group"], [...at, key, "group"]);
      each(target["nearest"], (name, i) => note("region", name, [...at, key, "nearest", i]));
    }
  };
  const goals = (owner: JsonObject, at: Address) => {
    goal(owner["goal"], [...at, "goal"]);
    each(owner["goals"], (value, i) => goal(value, [...at, "goals", i]));
  };
  each(document["groups"], (group, g) => {
    if (!isObject(group)) return;
    const at: Address = ["groups", g];
    goals(group, at);
    each(group["people"], (person, p) => isObject(person) && goals(person, [...at, "people", p]));
    for (const list of ["crowds", "sources"]) {
      each(group[list], (entry, i) => isObject(entry) && note("region", entry["region"], [...at, list, i, "region"]));
    }
  });
  each(document["fields"], (field, i) => isObject(field) && note("region", field["region"], ["fields", i, "region"]));
  each(document["measurements"], (entry, i) => isObject(entry) && note("region", entry["area"], ["measurements", i, "area"]));
  return found;
}

function each(list: Json | undefined, visit: (value: Json, index: number) => unknown): void {
  if (Array.isArray(list)) list.forEach((value, index) => visit(value, index));
}

/** Where a document names regions and groups: what a rename has to change besides the name. */
import type { Address, Change, Json, JsonObject } from "../protocol.ts";
import { isObject, set } from "./common.ts";

type Kind = "region" | "group";

/** The changes that give the region or group another name wherever it is named, and at last where it is. Addresses before that still hold. */
export function renaming(document: JsonObject, kind: Kind, name: string, to: string): Change[] {
  const changes: Change[] = [];
  const note = (of: Kind, value: Json | undefined, at: Address) => {
    if (of === kind && value === name) changes.push(set(at, to));
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
  return [...changes, set([`${kind}s`, { name }, "name"], to)];
}

function each(list: Json | undefined, visit: (value: Json, index: number) => unknown): void {
  if (Array.isArray(list)) list.forEach((value, index) => visit(value, index));
}

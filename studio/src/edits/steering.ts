/** Edits of how a group steers: the parameters of its model. */
import type { Address, JsonObject, SteeringModel, SteeringParameter } from "../protocol.ts";
import { entryNamed, isObject, remove, set, type Edit } from "./common.ts";
import { movedTo, typical } from "./distributions.ts";

export interface ParameterValue {
  parameter: SteeringParameter;
  value: number;
  /** The scene gives it; else it has its default. */
  isSet: boolean;
  /** It varies from person to person. */
  varies: boolean;
}

const steeringOf = (document: JsonObject, group: string): JsonObject => {
  const steering = entryNamed(document, "groups", group)?.["steering"];
  return isObject(steering) ? steering : {};
};

/** The parameters of a group's model, typical values where they vary. */
export function parametersOf(document: JsonObject, group: string, model: SteeringModel): ParameterValue[] {
  const steering = steeringOf(document, group);
  return model.parameters.map((parameter) => {
    const given = steering[parameter.name];
    return { parameter, value: tidy(typical(given, parameter.default)), isSet: given !== undefined, varies: isObject(given) };
  });
}

/** Another value of a parameter, or of one that varies another typical value. */
export function setParameter(document: JsonObject, group: string, model: string, { name, min, max }: SteeringParameter, value: number): Edit {
  const at: Address = ["groups", { name: group }, "steering"];
  const label = `Change ${name} of “${group}”`;
  if (entryNamed(document, "groups", group)?.["steering"] === undefined) return { label, changes: [set(at, { model, [name]: tidy(value) })] };
  const now = steeringOf(document, group)[name];
  return { label, changes: [set([...at, name], isObject(now) ? movedTo(now, value, { min, max }, 0.0001) : tidy(value))] };
}

/** Gives a parameter its default again. */
export function resetParameter(group: string, name: string): Edit {
  return { label: `Reset ${name} of “${group}”`, changes: [remove(["groups", { name: group }, "steering", name])] };
}

/** Defaults are told as 32-bit numbers: 0.1 comes as 0.10000000149. */
const tidy = (value: number): number => Number(value.toPrecision(6));

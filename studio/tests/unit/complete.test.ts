import { expect, it } from "vitest";
import { complete, completeInspection } from "../../src/model/complete.ts";
import type { SceneEvent } from "../../src/protocol.ts";
import { sceneOf } from "./helpers.ts";

it("scenes have all of their lists", () => {
  const whole = sceneOf();
  expect(complete(whole)).toEqual(whole);
  const group = { name: "a", color: "#ffffff", model: "orca", led: null, share: null };
  const bare = complete({ ...whole, groups: [group], fields: null, layers: [], document: undefined } as unknown as SceneEvent);
  expect(bare.groups[0]!.led).toEqual([]);
  expect(bare.fields).toEqual([]);
  expect(bare.layers).toHaveLength(1);
  expect(bare.document).toEqual({});
});

it("people of recordings are told of as far as they are known", () => {
  const person = completeInspection({ id: 3, velocity: [3, 4] });
  expect(person).toMatchObject({ id: 3, speed: 5, preferred: [3, 4], neighbours: [], goal: null });
});

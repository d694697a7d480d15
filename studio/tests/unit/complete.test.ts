import { expect, it } from "vitest";
import { complete, completeInspection } from "../../src/model/complete.ts";
import { isAnotherScene } from "../../src/model/identity.ts";
import type { SceneEvent } from "../../src/protocol.ts";
import { sceneOf } from "./helpers.ts";

it("scenes have all of their lists", () => {
  const whole = sceneOf();
  expect(complete(whole)).toEqual(whole);
  const group = { name: "a", color: "#ffffff", model: "orca", led: null, share: null };
  const bare = complete({ ...whole, groups: [group], fields: null, layers: [], document: undefined } as unknown as SceneEvent);
  expect(bare.groups[0]!.led).toEqual([]);
  expect(bare.groups[0]!.species).toBe("person");
  expect(bare.fields).toEqual([]);
  expect(bare.layers).toHaveLength(1);
  expect(bare.document).toEqual({});
});

it("people of recordings are told of as far as they are known", () => {
  const person = completeInspection({ id: 3, velocity: [3, 4] });
  expect(person).toMatchObject({ id: 3, speed: 5, preferred: [3, 4], neighbours: [], goal: null });
});

it("a scene is another one if it was opened, not if it was edited or saved under another name", () => {
  const scene = sceneOf({}, { name: "a" });
  expect(isAnotherScene(null, scene)).toBe(true);
  expect(isAnotherScene(scene, { ...scene, revision: 2, document: { name: "b" } })).toBe(false);
  expect(isAnotherScene(scene, { ...scene, file: "copy.toml" })).toBe(false);
  expect(isAnotherScene(scene, { ...scene, file: "b.toml", document: { name: "b" } })).toBe(true);
  expect(isAnotherScene(scene, { ...scene, kind: "replay" })).toBe(true);
});

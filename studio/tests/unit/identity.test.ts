import { expect, it } from "vitest";
import { isAnotherScene } from "../../src/model/identity.ts";
import { sceneOf } from "./helpers.ts";

it("a scene is another one if it was opened, not if it was edited or saved under another name", () => {
  const scene = sceneOf({}, { name: "a" });
  expect(isAnotherScene(null, scene)).toBe(true);
  expect(isAnotherScene(scene, { ...scene, revision: 2, document: { name: "b" } })).toBe(false);
  expect(isAnotherScene(scene, { ...scene, file: "copy.toml" })).toBe(false);
  expect(isAnotherScene(scene, { ...scene, file: "b.toml", document: { name: "b" } })).toBe(true);
  expect(isAnotherScene(scene, { ...scene, kind: "replay" })).toBe(true);
});

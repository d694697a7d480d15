import { expect, it } from "vitest";
import { setSpeed, setSpeedSpread, speedOf } from "../../src/edits/groups.ts";
import { limited } from "../../src/model/limits.ts";
import type { JsonObject } from "../../src/protocol.ts";
import { applyEdit } from "./helpers.ts";

it("a number beyond its limits becomes the nearest that is not, and why is said", () => {
  const limits = { min: 0.05, max: 20, unit: "m/s", why: { max: "nobody runs faster" } };
  expect(limited("1.5", limits)).toEqual({ value: 1.5, note: "" });
  expect(limited("50", limits)).toEqual({ value: 20, note: "Set to 20 m/s instead of 50 m/s: nobody runs faster" });
  expect(limited("-3", limits)).toEqual({ value: 0.05, note: "Set to 0.05 m/s instead of −3 m/s: scenes allow no less" });
  expect(limited("400", { min: -360, max: 360, unit: "°" })!.note).toBe("Set to 360° instead of 400°: scenes allow no more");
  for (const typed of ["", " ", "fast", "1e999"]) expect(limited(typed, limits)).toBeNull();
});

const withSpeed = (speed: JsonObject | number | null): JsonObject => ({ groups: [{ name: "walkers", ...(speed === null ? {} : { speed }) }] });
const speedAfter = (speed: JsonObject | number | null, edit: (document: JsonObject) => { changes: Parameters<typeof applyEdit>[1] }) => {
  const document = withSpeed(speed);
  return (applyEdit(document, edit(document).changes)["groups"] as JsonObject[])[0]!["speed"];
};

it("another speed of a group keeps its spread", () => {
  const to = (value: number) => (document: JsonObject) => setSpeed(document, "walkers", value);
  expect(speedAfter({ mean: 1.5, sd: 0.2, min: 1, max: 2 }, to(1.2))).toEqual({ mean: 1.2, sd: 0.2, min: 0.7, max: 1.7 });
  expect(speedAfter({ min: 1.6, max: 2.2 }, to(1.5))).toEqual({ min: 1.2, max: 1.8 });
  expect(speedAfter(1.8, to(1.5))).toBe(1.5);
  expect(speedAfter(null, to(1))).toEqual({ mean: 1, sd: 0.26, min: 0.46, max: 1.56 });
  // Within what scenes accept.
  expect(speedAfter({ mean: 1.5, sd: 0.2, min: 1, max: 2 }, to(0.1))).toEqual({ mean: 0.1, sd: 0.2, min: 0.05, max: 0.6 });
  expect(speedAfter({ min: 1, max: 3 }, to(20))).toEqual({ min: 19, max: 20 });
});

it("the spread of the speeds of a group is edited by itself", () => {
  const to = (spread: number) => (document: JsonObject) => setSpeedSpread(document, "walkers", spread);
  expect(speedAfter({ mean: 1.5, sd: 0.2, min: 1, max: 2 }, to(0.1))).toEqual({ mean: 1.5, sd: 0.1, min: 1.25, max: 1.75 });
  expect(speedAfter({ min: 1, max: 2 }, to(0.2))).toEqual({ min: 1.3, max: 1.7 });
  expect(speedAfter(1.5, to(0.2))).toEqual({ mean: 1.5, sd: 0.2, min: 1, max: 2 });
  expect(speedAfter({ mean: 1.5, sd: 0.2, min: 1, max: 2 }, to(0))).toBe(1.5);
  expect(speedOf(withSpeed({ min: 1, max: 2 }), "walkers")).toMatchObject({ kind: "even", value: 1.5, spread: 0.5 });
});

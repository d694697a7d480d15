import { expect, it } from "vitest";
import { neighbouringId } from "../../src/moments.ts";

it("people follow one another by their numbers, around the ends", () => {
  const ids = [3, 5, 9];
  expect([null, 3, 9, 4].map((selected) => neighbouringId(ids, selected, 1))).toEqual([3, 5, 3, 5]);
  expect([null, 3, 9, 4].map((selected) => neighbouringId(ids, selected, -1))).toEqual([9, 9, 5, 3]);
  expect(neighbouringId([], 3, 1)).toBe(null);
});

import { expect, it } from "vitest";
import { companionsInWords } from "../../src/model/words.ts";

it("whom somebody walks with is told in words, and for whom they wait", () => {
  const two = [{ id: 4, position: [0, 0] as [number, number] }, { id: 9, position: [1, 0] as [number, number] }];
  expect(companionsInWords({ companions: two, waits_for: 9 })).toBe("people 4, 9 (waits for them)");
  expect(companionsInWords({ companions: two.slice(0, 1), waits_for: null })).toBe("person 4");
  expect(companionsInWords({ companions: [], waits_for: null })).toBe("");
});

import { describe, expect, it } from "vitest";
import { countOf, durationOf, inWords, keyOf, lasting, marksOf, neighbour } from "../../src/model/patterns.ts";
import { cameraOf } from "../../src/model/suggested-view.ts";
import { statusOf } from "../../src/ui/patterns-panel.ts";
import type { FoundPattern, PatternName } from "../../src/protocol.ts";
import { random } from "./helpers.ts";

const found = (pattern: PatternName, person: number, from: number, to: number): FoundPattern => ({ pattern, person, from, to, place: [1, 2], layer: 0 });

describe("patterns", () => {
  const list = [found("deadlock", 4, 1, 5), found("spin", 4, 5, 5.1), found("deadlock", 9, 5, 70.6), found("oscillation", 1, 30, 32)];

  it("last from their first moment to their last, and a live one a moment longer", () => {
    const at = (time: number, live = false) => lasting(list, time, live).map((one) => `${one.pattern} ${one.person}`);
    expect(at(0.9)).toEqual([]);
    expect(at(1)).toEqual(["deadlock 4"]);
    expect(at(5)).toEqual(["deadlock 4", "spin 4", "deadlock 9"]);
    expect(at(6)).toEqual(["deadlock 9"]);
    expect(at(6, true)).toEqual(["deadlock 4", "spin 4", "deadlock 9"]);
  });

  it("are told in words", () => {
    expect(inWords(list[0]!)).toBe("Deadlock, person 4, at 0:01.0 for 4.0 s");
    expect(durationOf(list[2]!)).toBe("1:06");
  });

  it("follow one another, those that begin at once as well", () => {
    let chosen: FoundPattern | null = null;
    const seen: string[] = [];
    while ((chosen = neighbour(list, chosen, 0, 1))) seen.push(keyOf(chosen));
    expect(seen).toEqual(list.map(keyOf));
    expect(neighbour(list, list[0]!, 0, -1)).toBeNull();
    expect(neighbour(list, null, 20, -1)).toBe(list[2]);
    expect(neighbour(list, null, 20, 1)).toBe(list[3]);
    expect(neighbour([], null, 20, 1)).toBeNull();
    // Of a live crowd all are in the past; and one may have gone from the list.
    expect(neighbour(list, null, null, 1)).toBe(list[0]);
    expect(neighbour(list, null, null, -1)).toBe(list.at(-1));
    expect(neighbour(list.slice(2), list[1]!, null, 1)).toBe(list[2]);
    expect(neighbour([], null, null, 1)).toBeNull();
    // One that has grown is still the same.
    expect(neighbour(list, { ...list[1]!, to: 6 }, 0, 1)).toBe(list[2]);
  });

  const none = { oscillation: 0, deadlock: 0, spin: 0 };

  it("are counted", () => {
    const event = { event: "patterns", progress: "done", list } as const;
    expect(countOf({ ...event, counts: { oscillation: 1, deadlock: 2, spin: 3 } })).toBe(6);
    expect(countOf(null)).toBe(0);
  });

  it("have a sentence for every stage of the search", () => {
    const event = { event: "patterns", counts: { ...none, deadlock: 4000 }, list } as const;
    expect(statusOf({ ...event, progress: "searching", part: 0.429 }, false, 3)).toBe("Searching the recording: 42 %");
    expect(statusOf({ ...event, progress: "done" }, false, 3)).toContain("Of 4,000 patterns, the longest 4 are considered");
    expect(statusOf({ ...event, progress: "watching" }, true, 3)).toContain("newest 4");
    expect(statusOf({ ...event, progress: "failed", why: "it is damaged" }, false, 3)).toContain("it is damaged");
    expect(statusOf({ ...event, progress: "crowded", most: 10000 }, true, 3)).toContain("10,000 people");
    expect(statusOf({ ...event, progress: "done", counts: none, list: [] }, false, 3)).toContain("Nobody");
    for (const [progress, live] of [["done", false], ["watching", true]] as const) {
      expect(statusOf({ ...event, progress }, live, 0)).toContain("othing but short waits and queues");
      expect(statusOf({ ...event, progress }, live, 1)).toContain("most severe first");
    }
  });
});

describe("marks on a timeline", () => {
  it("lie where their patterns do", () => {
    const [one] = marksOf([found("deadlock", 4, 25, 50)], 0, 100, 500);
    expect(one).toMatchObject({ pattern: "deadlock", at: 0.25, length: 0.25, count: 1, words: "Deadlock, person 4, at 0:25.0 for 25.0 s" });
    // A recording need not begin at 0.
    expect(marksOf([found("spin", 4, 25, 50)], 20, 30, 500)[0]).toMatchObject({ at: 0.5, length: 0.5 });
  });

  it("that would touch are one, of each kind for itself", () => {
    const list = [found("deadlock", 1, 10, 12), found("spin", 1, 11, 11.1), found("deadlock", 2, 11, 20), found("deadlock", 3, 60, 61)];
    const marks = marksOf(list, 0, 100, 500);
    expect(marks.map((mark) => [mark.pattern, mark.count])).toEqual([["deadlock", 2], ["deadlock", 1], ["spin", 1]]);
    expect(marks[0]!.first).toBe(list[0]);
    expect(marks[0]!.words).toBe("2 deadlocks, 0:10.0 to 0:20.0");
  });

  it("are never more than there is room for, and never outside", () => {
    const next = random(3);
    const list = Array.from({ length: 5000 }, (_, i) => {
      const from = next() * 110 - 5;
      return found((["oscillation", "deadlock", "spin"] as const)[i % 3]!, i, from, from + next() * 0.01);
    }).sort((a, b) => a.from - b.from);
    for (const pixels of [1, 40, 400]) {
      const marks = marksOf(list, 0, 100, pixels);
      expect(marks.length).toBeLessThanOrEqual(3 * (pixels / 3 + 1));
      expect(marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(list.filter((one) => one.to >= 0 && one.from <= 100).length);
      if (pixels < 10) continue;
      for (const mark of marks) {
        expect(mark.at).toBeGreaterThanOrEqual(0);
        expect(mark.at + mark.length).toBeLessThanOrEqual(1 + 1e-9);
        expect(mark.length * pixels).toBeGreaterThanOrEqual(2.99);
      }
    }
  });

  it("are none where there is no time or no room", () => {
    expect(marksOf([found("spin", 1, 0, 1)], 5, 5, 100)).toEqual([]);
    expect(marksOf([found("spin", 1, 0, 1)], 0, NaN, 100)).toEqual([]);
    expect(marksOf([found("spin", 1, 0, 1)], 0, 5, 0)).toEqual([]);
  });
});

describe("suggested views", () => {
  /** Where a camera of the page is. */
  const eye = ({ target: [x, y, h], azimuth, tilt, distance }: ReturnType<typeof cameraOf>) => {
    const back = Math.sin(tilt) * distance;
    return [x + Math.sin(azimuth) * back, y - Math.cos(azimuth) * back, h + Math.cos(tilt) * distance];
  };

  it("are taken from where they are, with the same lens", () => {
    const next = random(5);
    for (let i = 0; i < 50; i++) {
      const position: [number, number, number] = [next() * 80 - 40, next() * 80 - 40, 5 + next() * 40];
      const camera = cameraOf({ position, look_at: [next() * 10, next() * 10, next() * 2], field: 38 }, 38);
      eye(camera).forEach((x, k) => expect(x).toBeCloseTo(position[k]!, 6));
    }
  });

  it("with a wider lens are taken from farther away, and from below from level ground", () => {
    const view = { position: [0, -20, 15] as [number, number, number], look_at: [0, 0, 0] as [number, number, number], field: 60 };
    const camera = cameraOf(view, 38);
    expect(camera.azimuth).toBeCloseTo(0);
    expect(camera.distance).toBeCloseTo((25 * Math.tan(Math.PI / 6)) / Math.tan((19 * Math.PI) / 180));
    expect(cameraOf({ ...view, position: [0, -20, -5] }, 38).tilt).toBeCloseTo(Math.PI / 2);
    expect(cameraOf({ ...view, position: [0, 0, 30] }, 38)).toMatchObject({ azimuth: 0, tilt: 0 });
  });
});

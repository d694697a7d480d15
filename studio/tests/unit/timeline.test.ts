import { describe, expect, it } from "vitest";
import { Timeline } from "../../src/model/timeline.ts";
import { frameOf, random } from "./helpers.ts";

/** Positions by id, as shown. */
const shownAt = (timeline: Timeline) => {
  const shown = timeline.shown();
  return new Map(Array.from({ length: shown.count }, (_, i) => [shown.ids[i]!, [shown.x[i]!, shown.y[i]!]]));
};

describe("the timeline", () => {
  it("shows the first frame at once and moves smoothly to the next", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(0, [[1, 0, 0]]), 0);
    expect(shownAt(timeline).get(1)).toEqual([0, 0]);
    timeline.push(frameOf(0.1, [[1, 1, 2]]), 0.1);
    let last = 0;
    for (let i = 0; i < 40; i++) {
      timeline.advance(1 / 60);
      const [x, y] = shownAt(timeline).get(1)!;
      expect(y).toBeCloseTo(2 * x!, 5);
      expect(x).toBeGreaterThanOrEqual(last);
      last = x!;
    }
    expect(last).toBe(1);
    expect(timeline.moving).toBe(false);
  });

  it("never shows anybody beyond what the server sent, however frames come", () => {
    const next = random(5);
    for (let run = 0; run < 60; run++) {
      const timeline = new Timeline();
      let [time, now, x] = [0, 0, 0];
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < 80; i++) {
        if (next() < 0.4) {
          time += next() < 0.1 ? -0.3 * next() : 0.2 * next();
          x += (next() - 0.3) * 0.4;
          low = Math.min(low, x);
          high = Math.max(high, x);
          timeline.push(frameOf(time, [[4, x, 0]]), now);
        }
        const passed = 0.1 * next();
        now += passed;
        timeline.advance(passed);
        const position = shownAt(timeline).get(4);
        if (!position) continue;
        expect(position[0]).toBeGreaterThanOrEqual(low - 1e-5);
        expect(position[0]).toBeLessThanOrEqual(high + 1e-5);
      }
    }
  });

  it("rests at the newest frame and sets out from there when the next one comes", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(0, [[1, 0, 0]]), 0);
    timeline.push(frameOf(0.1, [[1, 1, 0]]), 0.1);
    for (let i = 0; i < 120; i++) timeline.advance(1 / 60);
    timeline.push(frameOf(0.2, [[1, 2, 0]]), 2.1);
    expect(shownAt(timeline).get(1)).toEqual([1, 0]);
    timeline.advance(1 / 60);
    expect(shownAt(timeline).get(1)![0]).toBeLessThan(2);
  });

  it("keeps a frame or so behind the newest while frames come", () => {
    const timeline = new Timeline();
    let now = 0;
    for (let step = 0; step < 100; step++) {
      timeline.push(frameOf(step / 10, [[1, step, 0]]), now);
      for (let i = 0; i < 6; i++) {
        now += 1 / 60;
        timeline.advance(1 / 60);
      }
    }
    const behind = 9.9 - timeline.shown().time;
    expect(behind).toBeGreaterThan(0);
    expect(behind).toBeLessThan(0.25);
  });

  it("turns people the short way", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(0, [[1, 0, 0, 0.2]]), 0);
    timeline.push(frameOf(0.1, [[1, 0.1, 0, 2 * Math.PI - 0.2]]), 0.1);
    timeline.showTime(0.05);
    expect(Math.cos(timeline.shown().headings[0]!)).toBeCloseTo(1, 3);
  });

  it("lets people who appear grow and those who leave shrink", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(0, [[1, 0, 0], [2, 5, 5]]), 0);
    timeline.push(frameOf(0.1, [[2, 5, 5], [3, 9, 9]]), 0.1);
    timeline.showTime(0.025);
    const shown = timeline.shown();
    expect([...shown.ids.slice(0, shown.count)]).toEqual([1, 2, 3]);
    expect([...shown.presence.slice(0, 3)].map((p) => Number(p.toFixed(2)))).toEqual([0.75, 1, 0.25]);
    timeline.settle();
    const settled = timeline.shown();
    expect([...settled.ids.slice(0, settled.count)]).toEqual([2, 3]);
  });

  it("does not slide people who were put elsewhere", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(0, [[1, 0, 0]]), 0);
    timeline.push(frameOf(0.1, [[1, 30, 0]]), 0.1);
    timeline.showTime(0.04);
    expect(shownAt(timeline).get(1)).toEqual([0, 0]);
    timeline.showTime(0.06);
    expect(shownAt(timeline).get(1)).toEqual([30, 0]);
  });

  it("begins anew with another epoch and after a jump in time", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(0, [[1, 0, 0]]), 0);
    const jumps = timeline.jumps;
    timeline.push(frameOf(0.1, [[1, 8, 0]], 2), 0.1);
    expect(shownAt(timeline).get(1)).toEqual([8, 0]);
    timeline.push(frameOf(60, [[1, 3, 0]], 2), 0.2);
    expect(shownAt(timeline).get(1)).toEqual([3, 0]);
    expect(timeline.jumps).toBe(jumps + 2);
  });

  it("plays backwards", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(1, [[1, 10, 0]]), 0);
    timeline.push(frameOf(0.9, [[1, 9, 0]]), 0.1);
    timeline.push(frameOf(0.8, [[1, 8, 0]]), 0.2);
    let last = 10;
    for (let i = 0; i < 60; i++) {
      timeline.advance(1 / 60);
      const x = shownAt(timeline).get(1)![0]!;
      expect(x).toBeLessThanOrEqual(last);
      last = x;
    }
    expect(last).toBe(8);
  });

  it("takes a moment that is told anew as it is told last", () => {
    const timeline = new Timeline();
    timeline.push(frameOf(2, [[1, 0, 0], [2, 1, 1]]), 0);
    timeline.push(frameOf(2, [[2, 1, 1]]), 1);
    expect([...shownAt(timeline).keys()]).toEqual([2]);
    expect(timeline.moving).toBe(false);
  });

  it("puts people without heights on their floor", () => {
    const timeline = new Timeline();
    timeline.elevations = [0, 4];
    timeline.push({ ...frameOf(0, [[1, 0, 0], [2, 1, 1]]), layers: Uint8Array.from([0, 1]) }, 0);
    expect([...timeline.shown().heights.slice(0, 2)]).toEqual([0, 4]);
  });

  it("phases and turns go on the short way round, and levels are those of the nearer frame", () => {
    const timeline = new Timeline();
    const at = (time: number, packed: number, phase: number, yaw: number) => ({ ...frameOf(time, [[1, time, 0]]), standings: { packed: Uint8Array.of(packed), phases: Uint8Array.of(phase), yaws: Uint8Array.of(yaw) } });
    timeline.push(at(0, 0x31, 240, 10), 0);
    timeline.push(at(0.1, 0x32, 16, 246), 0.1);
    const shown = (time: number) => {
      timeline.showTime(time);
      return timeline.shown();
    };
    expect(shown(0.025).hasLevels).toBe(true);
    expect(shown(0.025).levels[0]).toBe(0x31);
    expect(shown(0.025).phases[0]).toBeCloseTo(248 / 256, 5);
    expect(shown(0.075).levels[0]).toBe(0x32);
    expect(shown(0.075).phases[0]).toBeCloseTo(8 / 256, 5);
    expect(Math.cos(shown(0.05).yaws[0]!)).toBeCloseTo(1, 5);
    // Who does something else has the phase of that.
    timeline.push(at(0.2, 0x42, 200, 246), 0.2);
    expect(shown(0.14).phases[0]).toBeCloseTo(16 / 256, 5);
    expect(shown(0.16).phases[0]).toBeCloseTo(200 / 256, 5);
    timeline.push(frameOf(0.3, [[1, 0.3, 0]]), 0.3);
    expect(shown(0.26).hasLevels).toBe(false);
  });
});

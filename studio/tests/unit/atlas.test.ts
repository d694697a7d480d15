import { describe, expect, it } from "vitest";
import { AZIMUTHS, Atlas, ELEVATIONS, PHASES, azimuthAngle, azimuthIndex, azimuthsAround, cellKey, elevationAngle, elevationIndex, phaseFrame, phaseIndex, stretch, typicalTakes, windowOf } from "../../src/model/atlas.ts";
import { random } from "./helpers.ts";

describe("directions and poses", () => {
  it("are the nearest of those that there are, all the way round", () => {
    const next = random(4);
    for (let i = 0; i < 2000; i++) {
      const angle = (next() - 0.5) * 30;
      const index = azimuthIndex(angle);
      expect(index).toBeGreaterThanOrEqual(0);
      expect(index).toBeLessThan(AZIMUTHS);
      const apart = Math.abs(Math.atan2(Math.sin(angle - azimuthAngle(index)), Math.cos(angle - azimuthAngle(index))));
      expect(apart).toBeLessThanOrEqual(Math.PI / AZIMUTHS + 1e-9);
      const phase = next();
      const shown = phaseIndex(phase) / PHASES;
      expect(Math.min(Math.abs(phase - shown), 1 - Math.abs(phase - shown))).toBeLessThanOrEqual(0.5 / PHASES + 1e-9);
    }
    expect(AZIMUTHS).toBeGreaterThanOrEqual(8);
    expect(PHASES).toBeGreaterThanOrEqual(4);
  });

  it("around an angle are the two that it lies between, and how near the second is", () => {
    const next = random(5);
    const step = (2 * Math.PI) / AZIMUTHS;
    for (let i = 0; i < 2000; i++) {
      const angle = (next() - 0.5) * 30;
      const { first, second, part } = azimuthsAround(angle);
      expect(first).toBe(azimuthIndex(angle));
      expect([(first + 1) % AZIMUTHS, (first + AZIMUTHS - 1) % AZIMUTHS]).toContain(second);
      expect(part).toBeGreaterThanOrEqual(0);
      expect(part).toBeLessThanOrEqual(0.5 + 1e-9);
      // The mean of both directions, with these shares, is the angle.
      const turn = second === (first + 1) % AZIMUTHS ? step : -step;
      const between = azimuthAngle(first) + part * turn;
      expect(Math.cos(between - angle)).toBeCloseTo(1, 9);
    }
  });

  it("go from level to straight down, and no farther", () => {
    expect([-1, 0, 0.1].map(elevationIndex)).toEqual([0, 0, 0]);
    expect(elevationIndex(Math.PI / 2)).toBe(ELEVATIONS - 1);
    expect(elevationIndex(7)).toBe(ELEVATIONS - 1);
    expect(elevationAngle(elevationIndex(Math.PI / 4))).toBeCloseTo(Math.PI / 4, 9);
  });

  it("are frames that differ", () => {
    const frames = Array.from({ length: PHASES }, (_, i) => phaseFrame(i, 32));
    expect(new Set(frames).size).toBe(PHASES);
    expect(Math.max(...frames)).toBeLessThan(32);
  });

  it("make people as tall as they look from where they are seen", () => {
    for (let index = 0; index < ELEVATIONS; index++) expect(stretch(elevationAngle(index), index)).toBeCloseTo(1, 9);
    // From a little more above people are shorter.
    expect(stretch(elevationAngle(3) + 0.1, 3)).toBeLessThan(1);
    for (let angle = 0; angle < Math.PI / 2; angle += 0.01) expect(Math.abs(stretch(angle, elevationIndex(angle)) - 1)).toBeLessThan(0.25 + 1e-9);
  });

  it("of gaits of about the same speed are those of one of them", () => {
    const takes = [0, 0.5, 0.9, 1.35, 1.8, 2.5, 3.2, 4].map((speed) => ({ speed, roots: new Float32Array(0), rotations: new Float32Array(0) }));
    expect(typicalTakes(takes)).toEqual([0, 3, 3, 3, 3, 6, 6, 6]);
    expect(typicalTakes(takes.slice(0, 1))).toEqual([0]);
  });
});

describe("outlines", () => {
  // A stick 2 m high with an arm of half a metre to its left (+x) and a foot ahead (+z).
  const stick = Float32Array.of(0, 0, 0, 0, 0, 2, 0, 0, 0.5, 1, 0, 0, 0, 0, 0.3, 0);

  it("are those of what is seen, with a margin", () => {
    const [left, bottom, width, height] = windowOf(stick, 0, 0, [0, 0]);
    expect([left, bottom, width, height].map((x) => Number(x.toFixed(5)))).toEqual([0, 0, 0.5, 2]);
    // From the left, the foot points to the left of the picture.
    expect(windowOf(stick, Math.PI / 2, 0, [0, 0]).map((x) => Number(x.toFixed(5)))).toEqual([-0.3, 0, 0.3, 2]);
    // From above the head is where the feet are, and the foot that is ahead is nearer to the viewer: below.
    expect(windowOf(stick, 0, Math.PI / 2, [0, 0]).map((x) => Number(x.toFixed(5)))).toEqual([0, -0.3, 0.5, 0.3]);
    const [l, b, w, h] = windowOf(stick, 0, 0, [0.1, 0.25]);
    expect([l + 0.1 * w, b + 0.25 * h, 0.8 * w, 0.5 * h].map((x) => Number(x.toFixed(5)))).toEqual([0, 0, 0.5, 2]);
  });
});

describe("the atlas", () => {
  const window: [number, number, number, number] = [0, 0, 1, 2];

  it("has a place for each picture, and no two share any texel", () => {
    const atlas = new Atlas(100, 100, 30, 45);
    expect([atlas.columns, atlas.rows]).toEqual([3, 2]);
    atlas.begin();
    const places = Array.from({ length: 6 }, (_, key) => atlas.add(key, window)!);
    expect(new Set(places.map(({ x, y }) => `${x},${y}`)).size).toBe(6);
    for (const { x, y } of places) {
      expect(x % 30).toBe(0);
      expect(y % 45).toBe(0);
      expect(x + 30).toBeLessThanOrEqual(100);
      expect(y + 45).toBeLessThanOrEqual(100);
    }
  });

  it("lets those make way that were not needed for longest, and never those on the screen", () => {
    const atlas = new Atlas(60, 45, 30, 45);
    atlas.begin();
    const [first, second] = [atlas.add(1, window)!, atlas.add(2, window)!];
    expect(first.index).not.toBe(second.index);
    expect(atlas.add(3, window)).toBeUndefined();
    atlas.begin();
    expect(atlas.find(2)).toBeDefined();
    expect(atlas.add(3, window)).toBeUndefined();
    atlas.begin();
    expect(atlas.find(2)).toBeDefined();
    const added = atlas.add(3, window)!;
    expect([first.index, second.index]).toContain(added.index);
    expect(atlas.find(1)).toBeUndefined();
    expect(atlas.find(3)).toBe(added);
    expect(atlas.count).toBe(2);
  });

  it("knows every picture by a number of its own", () => {
    const keys = new Set<number>();
    let count = 0;
    for (let look = 0; look < 3; look++)
      for (let take = 0; take < 16; take++)
        for (let phase = 0; phase < PHASES; phase++)
          for (let azimuth = 0; azimuth < AZIMUTHS; azimuth++)
            for (let elevation = 0; elevation < ELEVATIONS; elevation++, count++) keys.add(cellKey(look, take, phase, azimuth, elevation));
    expect(keys.size).toBe(count);
  });
});

import { describe, expect, it } from "vitest";
import { cutHeight, drawnHeight, floorUnder, groundBefore, isFloorShown, markHidden, nextFloor, shownFloors } from "../../src/model/floors.ts";
import { outside } from "../../src/model/drape.ts";
import { centroid, contains, nearestOn, signedArea, splitBy } from "../../src/model/geometry.ts";
import { heightsOf, withoutConnectors } from "../../src/model/heights.ts";
import type { Connector, Point, SceneEvent } from "../../src/protocol.ts";
import { MeshBuilder, paint } from "../../src/view/mesh-builder.ts";
import { groundOf, sceneOf } from "./helpers.ts";

const floor = (name: string, elevation: number, plan: SceneEvent["layers"][number]["plan"] = null) => ({ name, elevation, ground: null, plan });
const stairs: Connector = { name: "stairs", kind: "stairs", polygon: [[0, 0], [4, 0], [4, 2], [0, 2]], edges: [3, 1], ends: [0, 3], risers: 18, lower: 1, upper: 2 };
/** Listed in another order than they are stacked in. */
const house = sceneOf({
  layers: [floor("roof", 6), floor("ground", 0), floor("upper", 3, [{ outline: [[-10, -10], [10, -10], [10, 10], [-10, 10]], holes: [[[-2, 4], [2, 4], [2, 8], [-2, 8]]] }])],
  connectors: [stairs],
});

describe("a chosen floor", () => {
  it("is drawn with those below it, by elevation; no choice draws all", () => {
    expect(shownFloors(house, null)).toEqual([1, 2, 0]);
    expect(shownFloors(house, 2)).toEqual([1, 2]);
    expect([0, 1, 2].map((layer) => isFloorShown(house, layer, 2))).toEqual([false, true, true]);
    expect([0, 1, 2].map((layer) => isFloorShown(house, layer, null))).toEqual([true, true, true]);
  });

  it("cuts walls at the floor above it", () => {
    expect([cutHeight(house, 1), cutHeight(house, 2), cutHeight(house, 0), cutHeight(house, null)]).toEqual([3, 6, Infinity, Infinity]);
    expect(drawnHeight(house, { height: 9, layer: 1 }, Infinity, cutHeight(house, 2))).toBe(6);
    expect(drawnHeight(house, { height: 9, layer: 2 }, 0.9, cutHeight(house, 2))).toBe(0.9);
    expect(drawnHeight(house, { height: 2, layer: 1 }, Infinity, Infinity)).toBe(2);
  });

  it("is followed by the next one up to all", () => {
    expect([nextFloor(house, 1, -1), nextFloor(house, 1, 1), nextFloor(house, 2, 1), nextFloor(house, 0, 1), nextFloor(house, null, 1), nextFloor(house, null, -1)]).toEqual([1, 2, 0, null, null, 0]);
  });

  it("hides people above it, but nobody on stairs that are drawn, and counts them", () => {
    const people = { count: 4, x: Float32Array.of(-5, -5, 1, -5), y: Float32Array.of(1, 1, 1, 1), layers: Uint8Array.of(1, 2, 2, 0) };
    const hidden = new Uint8Array(6).fill(1);
    expect(markHidden(house, 1, people, hidden)).toBe(2);
    expect([...hidden]).toEqual([0, 1, 0, 1, 0, 0]);
    expect(markHidden(house, null, people, hidden)).toBe(0);
    expect([...hidden.slice(0, 4)]).toEqual([0, 0, 0, 0]);
  });
});

describe("the floor under the pointer", () => {
  const down = (x: number, y: number) => ({ origin: [x, y, 20] as [number, number, number], direction: [0, 0, -1] as [number, number, number] });

  it("is the first that has ground there; a chosen floor is everywhere", () => {
    const lower = sceneOf({ ...house, layers: house.layers.slice(1) });
    expect(floorUnder(house, null, down(1, 1), 100)?.layer).toBe(0);
    expect(floorUnder(lower, null, down(1, 1), 100)).toEqual({ layer: 1, at: [1, 1] });
    expect(floorUnder(lower, null, down(1, 6), 100)?.layer).toBe(0);
    expect(floorUnder(lower, null, down(15, 6), 100)?.layer).toBe(0);
    expect(floorUnder(lower, 1, down(15, 6), 100)).toEqual({ layer: 1, at: [15, 6] });
    expect(floorUnder(lower, null, down(300, 6), 100)?.layer).toBe(0);
    expect(floorUnder(lower, null, { origin: [0, 0, 20], direction: [0, 0, 1] }, 100)).toBeNull();
  });
});

describe("ground before people", () => {
  it("is an upper floor that has a plan, where it has ground and is drawn", () => {
    const lower = sceneOf({ ...house, layers: house.layers.slice(1), connectors: [] });
    const down = (x: number, y: number) => ({ origin: [x, y, 20] as [number, number, number], direction: [0, 0, -1] as [number, number, number] });
    expect(groundBefore(lower, null, down(1, 1), 100)).toBe(17);
    expect(groundBefore(lower, null, down(1, 6), 100)).toBe(Infinity);
    expect(groundBefore(lower, 0, down(1, 1), 100)).toBe(Infinity);
  });
});

describe("ground beside stairs", () => {
  /** Level ground with a flight of stairs on it, sampled every half metre as a survey does: from 0 at x = 0 up to 3 m at x = 4. */
  const side = 81;
  const heights = Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [-20 + 0.5 * (i % side), -20 + 0.5 * Math.floor(i / side)];
    return x >= 0 && x <= 4 && y >= 0 && y <= 2 ? (3 * x) / 4 : 0;
  });
  const scene = sceneOf({ layers: [{ name: "ground", elevation: 0, ground: groundOf(side, side, heights), plan: null }], connectors: [stairs] });

  it("has no spikes where samples of the one and of the other are mixed", () => {
    const [mixed, apart] = [heightsOf(scene, 0), withoutConnectors(heightsOf(scene, 0), [stairs.polygon])];
    expect(mixed(3, 2.25)).toBeGreaterThan(1);
    for (let x = -1; x <= 5; x += 0.1) {
      for (const y of [-0.4, -0.1, 0, 2, 2.1, 2.3, 3]) expect(apart(x, y)).toBeCloseTo(0, 3);
    }
    expect(apart(3.8, 1.9)).toBeCloseTo(0, 3);
    expect(apart(-7, 5)).toBe(mixed(-7, 5));
  });

  it("is cut out where they are, exactly, on level floors and on terrain", () => {
    const square: Point[] = [[-1, -1], [3, -1], [3, 3], [-1, 3]];
    const parts = outside(square, stairs.polygon);
    expect(parts.reduce((sum, part) => sum + Math.abs(signedArea(part)), 0)).toBeCloseTo(16 - 6, 9);
    for (const part of parts) expect(contains(stairs.polygon, centroid(part))).toBe(false);
    expect(outside([[1, 0.5], [2, 0.5], [2, 1]], stairs.polygon)).toEqual([]);
    expect(outside([[7, 0], [8, 0], [8, 1]], stairs.polygon)).toHaveLength(1);
    for (const heightAt of [() => 3, heightsOf(scene, 0)]) {
      const builder = new MeshBuilder();
      builder.fill([[-10, -10], [10, -10], [10, 10], [-10, 10]], [], heightAt, 0, paint("#ffffff"), [[...stairs.polygon].reverse()]);
      const { array } = builder.build().getAttribute("position");
      let area = 0;
      for (let i = 0; i < array.length; i += 9) {
        const [ax, ay, bx, by, cx, cy] = [0, 2, 3, 5, 6, 8].map((k) => array[i + k]!) as [number, number, number, number, number, number];
        area += Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
        expect(contains(stairs.polygon, [(ax + bx + cx) / 3, -(ay + by + cy) / 3])).toBe(false);
      }
      expect(area).toBeCloseTo(400 - 8, 2);
    }
  });

  it("has its edges cut where stairs begin and end", () => {
    const outline: Point[] = [[-10, 0.02], [10, 0.02], [10, 5], [-10, 5]];
    expect(splitBy(outline, [stairs.polygon], 0.05)).toEqual([[-10, 0.02], [0, 0.02], [4, 0.02], [10, 0.02], [10, 5], [-10, 5]]);
    expect(splitBy([[-10, 1], [10, 1], [0, 9]], [stairs.polygon], 0.05).slice(0, 4)).toEqual([[-10, 1], [0, 1], [4, 1], [10, 1]]);
    expect(nearestOn(stairs.polygon, [2, -1])).toMatchObject({ point: [2, 0], normal: [0, -1] });
  });
});

import { Vector3, type BufferAttribute, type BufferGeometry } from "three";
import { describe, expect, it } from "vitest";
import { heightsOf, rayToGround } from "../../src/model/heights.ts";
import { fromWorld, toWorld } from "../../src/view/axes.ts";
import { MEASURES, farAnimal, plainAnimal } from "../../src/view/animal.ts";
import { pickArrow } from "../../src/view/arrows.ts";
import { countOutside } from "../../src/model/geometry.ts";
import { handleOf, pickReach } from "../../src/view/reach.ts";
import { criticalLabel } from "../../src/view/streamlines.ts";
import { pickPerson } from "../../src/view/people.ts";
import { Timeline } from "../../src/model/timeline.ts";
import { ramp } from "../../src/view/palette.ts";
import { labelPlace } from "../../src/view/regions.ts";
import { CameraRig } from "../../src/view/rig.ts";
import type { Field, Point } from "../../src/protocol.ts";
import { frameOf, groundOf, random, sceneOf } from "./helpers.ts";

describe("axes", () => {
  it("put (x, y) at height h at (x, h, -y), and back", () => {
    const v = toWorld(1, 2, 3);
    expect([v.x, v.y, v.z]).toEqual([1, 3, -2]);
    expect(fromWorld(v)).toEqual([1, 2, 3]);
  });
});

describe("the camera", () => {
  it("frames any box between the panels, from anywhere", () => {
    const next = random(12);
    for (let run = 0; run < 60; run++) {
      const rig = new CameraRig();
      const [width, height] = [600 + 1200 * next(), 500 + 700 * next()];
      const insets = { left: 60, right: 200 * next(), top: 50, bottom: 80 };
      rig.resize(width, height, insets);
      rig.turnTo(6 * next(), 1.1 * next());
      const min: Point = [-100 * next(), -100 * next()];
      const max: Point = [min[0] + 4 + 150 * next(), min[1] + 4 + 150 * next()];
      rig.frame({ min, max }, [0, 0]);
      rig.jump();
      for (const [x, y] of [min, max, [min[0], max[1]], [max[0], min[1]]] as Point[]) {
        const seen = toWorld(x, y, 0).project(rig.camera);
        const pixel = { x: ((seen.x + 1) / 2) * width, y: ((1 - seen.y) / 2) * height };
        expect(pixel.x).toBeGreaterThan(insets.left - 5);
        expect(pixel.x).toBeLessThan(width - insets.right + 5);
        expect(pixel.y).toBeGreaterThan(insets.top - 5);
        expect(pixel.y).toBeLessThan(height - insets.bottom + 5);
      }
    }
  });

  it("comes to rest, exactly where it was going", () => {
    const rig = new CameraRig();
    rig.view = { target: [5, 6, 0], azimuth: 4, tilt: 0.3, distance: 20 };
    let pictures = 0;
    while (rig.advance(1 / 60) && pictures < 1000) pictures++;
    expect(pictures).toBeLessThan(300);
    expect(rig.distance).toBe(20);
  });

  it("keeps the place under the pointer while it zooms", () => {
    const rig = new CameraRig();
    rig.resize(800, 600, { left: 0, right: 0, top: 0, bottom: 0 });
    rig.jump();
    const before = toWorld(7, 3, 0).project(rig.camera);
    rig.zoom(0.6, [7, 3, 0]);
    rig.jump();
    const after = toWorld(7, 3, 0).project(rig.camera);
    expect(after.x).toBeCloseTo(before.x, 5);
    expect(after.y).toBeCloseTo(before.y, 5);
  });
});

describe("heights", () => {
  const scene = sceneOf({
    layers: [
      { name: "hill", elevation: 0, ground: groundOf(2, 2, [0, 4, 0, 4]), plan: null },
      { name: "gallery", elevation: 4, ground: null, plan: null },
    ],
  });

  it("lie between those of the lattice", () => {
    const at = heightsOf(scene, 0);
    expect([at(-20, 0), at(0, 7), at(20, -20), at(99, 0)]).toEqual([0, 2, 4, 4]);
    expect(heightsOf(scene, 1)(3, 3)).toBe(4);
  });

  it("are where rays end, on slopes and on the flat", () => {
    const at = heightsOf(scene, 0);
    const down = rayToGround(at, [4, 5, 50], [0, 0, -1], 100)!.at;
    expect(down[0]).toBeCloseTo(4, 5);
    const direction: [number, number, number] = [0.6, 0, -0.8];
    const [x, y] = rayToGround(at, [-10, 1, 20], direction, 200)!.at;
    expect(20 - ((x + 10) / 0.6) * 0.8).toBeCloseTo(at(x, y), 2);
    expect(rayToGround(() => 0, [0, 0, 10], [0.6, 0, -0.8], 100)?.at).toEqual([7.5, 0]);
    expect(rayToGround(() => 0, [0, 0, 10], [0.6, 0, 0.8], 100)).toBeNull();
  });
});

describe("arrows", () => {
  const anchor = (index: number | null, at: Point, velocity: Point) => ({ index, name: null, at, velocity, met: velocity, residual: 0, reach: null as number | null });
  const field: Field = {
    name: "f",
    layer: 0,
    region: null,
    editable: true,
    anchors: [anchor(0, [0, 0], [1, 0]), anchor(1, [0, 5], [0, 1]), anchor(null, [9, 9], [1, 0])],
    remarks: [],
  };

  it("are taken by the end or the shaft that is nearest", () => {
    expect(pickArrow([field], [0.1, 0.1], 0.5)).toMatchObject({ grip: "tail", anchor: { index: 0 } });
    expect(pickArrow([field], [2, 0.1], 0.5)).toMatchObject({ grip: "head", anchor: { index: 0 } });
    expect(pickArrow([field], [1, 0.1], 0.5)).toMatchObject({ grip: "shaft", anchor: { index: 0 } });
    expect(pickArrow([field], [0, 7], 0.5)).toMatchObject({ grip: "head", anchor: { index: 1 } });
    expect(pickArrow([field], [5, 5], 0.5)).toBeNull();
  });

  it("are taken by the circle of their reach while they are chosen", () => {
    const limited: Field = { ...field, anchors: field.anchors.map((other) => ({ ...other, reach: 8 })) };
    const chosen = { field: "f", index: 0 };
    expect(pickReach([limited], chosen, [0, -8.3], 0.5)).toMatchObject({ grip: "reach", anchor: { index: 0 } });
    expect(pickReach([limited], chosen, [0, -7], 0.5)).toBeNull();
    expect(pickReach([limited], { field: "f", index: 1 }, [0, -8.3], 0.5)).toBeNull();
    expect(pickReach([field], chosen, [0, -8.3], 0.5)).toBeNull();
    const [x, y] = handleOf({ at: [1, 2], velocity: [0, 0.5], reach: 8 });
    expect([x, y]).toEqual([-7, 2]);
  });

  it("that scripts made cannot be taken", () => {
    expect(pickArrow([field], [9, 9], 0.5)).toBeNull();
  });
});

it("only places that people do not get away from are marked as warnings, each kind by what it does", () => {
  const kinds = ["sink", "centre", "source", "saddle"] as const;
  const labels = kinds.map((kind) => criticalLabel({ at: [1, 2], kind, trap: kind === "sink" || kind === "centre" }, () => 3));
  expect(labels.map((label) => label.kind)).toEqual(["warning", "warning", "critical", "critical"]);
  expect(labels[0]!.title).toContain("pile up");
  expect(labels[1]!.title).toContain("in circles");
  for (const label of labels.slice(2)) expect(label.title).not.toMatch(/circles|pile/);
  expect(new Set(labels.map((label) => label.text)).size).toBe(4);
  expect(labels[3]!.at).toEqual([1, 2, 3]);
});

it("people beyond the bounds are counted", () => {
  const people = { count: 4, x: Float32Array.of(0, 5.1, -5, 9, 99), y: Float32Array.of(0, 0, 5, -6, 99) };
  expect(countOutside(people, [[-5, -5], [5, 5]])).toBe(2);
});

it("the ramp ends where it ends", () => {
  expect(ramp(-1)).toEqual(ramp(0));
  expect(ramp(2)).toEqual(ramp(1));
  expect(ramp(0.5)).toEqual([0.55, 0.78, 0.3]);
});

describe("animals", () => {
  it("stand on four feet, are as high as their species, and face outwards", () => {
    for (const species of ["dog", "horse"] as const) {
      for (const [shape, most] of [[plainAnimal(species), 700], [farAnimal(species), 100]] as const) {
        shape.computeBoundingBox();
        const { min, max } = shape.boundingBox!;
        const { height } = MEASURES[species];
        expect(min.z).toBeGreaterThanOrEqual(0);
        expect(min.z).toBeLessThan(0.07 * height);
        expect(max.z / height).toBeGreaterThan(1.1);
        expect(max.z / height).toBeLessThan(1.5);
        expect((max.x - min.x) / height).toBeGreaterThan(1.2);
        expect(max.y).toBeCloseTo(-min.y, 5);
        expect(shape.index!.count / 3).toBeLessThan(most);
        expect(volume(shape)).toBeGreaterThan(0.05 * height ** 3);
      }
    }
  });

  it("are met by clicks as far as they reach", () => {
    const frame = frameOf(0, [[7, 0, 0]]);
    const timeline = new Timeline();
    timeline.push(frame, 0);
    const people = timeline.shown();
    // Past a dog's back, and through a horse's trunk.
    const ray = { origin: [0.5, -10, 1.2] as [number, number, number], direction: [0, 1, 0] as [number, number, number] };
    expect(pickPerson(people, ["horse"], null, ray, 0, Infinity)).toBe(0);
    expect(pickPerson(people, ["dog"], null, ray, 0, Infinity)).toBe(-1);
    expect(pickPerson(people, ["person"], null, ray, 0, Infinity)).toBe(-1);
  });
});

/** Of what is inside of all triangles together: more than nothing if they face outwards. */
function volume(shape: BufferGeometry): number {
  const [at, index] = [shape.getAttribute("position"), shape.index!];
  let sum = 0;
  for (let i = 0; i < index.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(at as BufferAttribute, index.getX(i + k))) as [Vector3, Vector3, Vector3];
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

it("the name of a small region makes room for its handle", () => {
  const square: Point[] = [[0, 0], [6, 0], [6, 6], [0, 6]];
  expect(labelPlace(square, false)).toEqual([3, 3]);
  expect(labelPlace(square, true)).toEqual([3, 6]);
  const large: Point[] = [[0, 0], [60, 0], [60, 60], [0, 60]];
  expect(labelPlace(large, true)).toEqual(labelPlace(large, false));
});

import { OrthographicCamera } from "three";
import { describe, expect, it } from "vitest";
import { Surroundings, UNCHANGED, eyeOf } from "../../src/model/clearance.ts";
import { PERSON_SHARE, personView, type UprightBody } from "../../src/model/framing.ts";
import type { Camera } from "../../src/model/view-url.ts";
import type { Obstacle, Point, SceneEvent } from "../../src/protocol.ts";
import { fromWorld, toWorld } from "../../src/view/axes.ts";
import { CameraRig } from "../../src/view/rig.ts";
import { random, sceneOf } from "./helpers.ts";

type Place = [number, number, number];

const box = (min: Point, max: Point, height: number, layer = 0): Obstacle => ({
  index: 0,
  name: "box",
  layer,
  height,
  here: true,
  solids: [[min, [max[0], min[1]], max, [min[0], max[1]]]],
});

/** Houses, thin walls and a hall with a gallery over its western half. */
const town = sceneOf({
  obstacles: [box([4, -6], [14, 6], 8), box([-12, -3], [-2, -2.8], 2.5), box([-2, -3], [-1.8, 9], 2.5), box([-18, 10], [-8, 18], 6)],
  layers: [
    { name: "ground", elevation: 0, ground: null, plan: null },
    { name: "gallery", elevation: 4, ground: null, plan: [{ outline: [[-20, -20], [0, -20], [0, 20], [-20, 20]], holes: [] }] },
  ],
});

/** Whether a place is in a box, a slab of the gallery or the ground, in closed form. */
function isInSolid([x, y, height]: Place, scene: SceneEvent, margin: number): boolean {
  const inBox = scene.obstacles.some(({ solids: [outline], height: top }) => {
    const [min, , max] = outline!;
    return x > min![0] - margin && x < max![0] + margin && y > min![1] - margin && y < max![1] + margin && height < top + margin;
  });
  return inBox || height < margin || (x < 0 && x > -20 && Math.abs(y) < 20 && Math.abs(height - 4) < margin);
}

describe("the camera among solids", () => {
  const surroundings = new Surroundings(town, null);

  it("is outside of them in every view, and unchanged where it already was", () => {
    const next = random(5);
    const rig = new CameraRig();
    rig.resize(900, 700, { left: 0, right: 0, top: 0, bottom: 0 });
    rig.surroundings = surroundings;
    let corrected = 0;
    for (let run = 0; run < 2000; run++) {
      const view: Camera = { target: [36 * next() - 18, 36 * next() - 18, 1.7 * next()], azimuth: 7 * next(), tilt: 1.45 * next(), distance: 3 + 30 * next() };
      rig.view = view;
      rig.jump();
      const eye = fromWorld(rig.camera.position);
      // Corners of houses are rounded off by the margin.
      expect(isInSolid(eye, town, 0.2), `${JSON.stringify(view)} ${eye}`).toBe(false);
      expect(rig.camera.near * 1.4).toBeLessThan(0.45);
      if (isInSolid(eyeOf(view), town, 0.2)) corrected++;
      else if (!isInSolid(eyeOf(view), town, 0.4)) eye.forEach((value, k) => expect(Math.abs(value - eyeOf(view)[k]!)).toBeLessThan(0.02));
    }
    expect(corrected).toBeGreaterThan(80);
  });

  it("stays outside while it turns around somebody, and comes to rest", () => {
    const rig = new CameraRig();
    rig.resize(900, 700, { left: 0, right: 0, top: 0, bottom: 0 });
    rig.surroundings = surroundings;
    rig.view = { target: [2, 0, 0.9], azimuth: 0, tilt: 1.35, distance: 7 };
    rig.jump();
    for (let i = 0; i < 200; i++) {
      rig.orbit(-8, 0);
      rig.advance(1 / 30);
      expect(isInSolid(fromWorld(rig.camera.position), town, 0.15)).toBe(false);
    }
    let pictures = 0;
    while (rig.advance(1 / 60) && pictures < 1000) pictures++;
    expect(pictures).toBeLessThan(400);
  });

  it("moves as little as it can: before a thin wall, and above a house that somebody stands at", () => {
    const atWall = { target: [-7, -8, 1] as Place, azimuth: Math.PI, tilt: 1.4, distance: 5.2 };
    const nearer = surroundings.correction(atWall, 0.3)!;
    expect(nearer.tilt).toBe(0);
    expect(nearer.distance).toBeGreaterThan(0.85);
    const atHouse = { target: [3.6, 0, 1] as Place, azimuth: Math.PI / 2, tilt: 1.2, distance: 6 };
    const raised = surroundings.correction(atHouse, 0.3)!;
    expect(raised.tilt).toBeLessThan(0);
    expect(raised.distance).toBe(1);
    expect(surroundings.correction({ ...atHouse, azimuth: -Math.PI / 2 }, 0.3)).toEqual(UNCHANGED);
  });

  it("is not kept out of floors that are hidden, nor of walls that are cut", () => {
    const inSlab: Place = [-10, 0, 4];
    expect(surroundings.isFree(inSlab, 0.3)).toBe(false);
    expect(new Surroundings(town, 0).isFree(inSlab, 0.3)).toBe(true);
    expect(surroundings.isFree([9, 0, 3], 0.3)).toBe(false);
    expect(new Surroundings(town, null, 0.9).isFree([9, 0, 3], 0.3)).toBe(true);
  });

  it("sees what nothing is before", () => {
    expect(surroundings.sees([-7, -8, 1], [-7, 0, 1])).toBe(false);
    expect(surroundings.sees([-7, -8, 3.8], [-7, 2, 1.6])).toBe(true);
    expect(surroundings.sees([-7, 0, 8], [-7, 0, 1])).toBe(false);
    expect(surroundings.sees([2, 0, 8], [2, 0, 1])).toBe(true);
  });
});

describe("a person who is framed", () => {
  it("fills a third of the picture, is in its middle, and is seen", () => {
    const surroundings = new Surroundings(town, null);
    const next = random(9);
    const rig = new CameraRig();
    rig.resize(1000, 700, { left: 0, right: 0, top: 0, bottom: 0 });
    rig.surroundings = surroundings;
    let turned = 0;
    for (let run = 0; run < 300; run++) {
      const place: Place = [38 * next() - 19, 38 * next() - 19, 0];
      if (isInSolid([place[0], place[1], 0.9], town, 0.3)) continue;
      const before: Camera = { target: [0, 0, 0], azimuth: 6 * next(), tilt: 1, distance: 40 };
      rig.view = personView(place, 1.75, before, rig.tangent, surroundings, 0.3);
      rig.jump();
      const [feet, head] = [toWorld(...place).project(rig.camera), toWorld(place[0], place[1], 1.75).project(rig.camera)];
      expect((head.y - feet.y) / 2).toBeCloseTo(PERSON_SHARE, 3);
      expect(Math.abs(head.y + feet.y)).toBeLessThan(0.25);
      const eye = fromWorld(rig.camera.position);
      expect(surroundings.sees(eye, [place[0], place[1], 1.6]), String(place)).toBe(true);
      if (Math.abs(rig.view.azimuth - before.azimuth) > 0.1) turned++;
    }
    expect(turned).toBeGreaterThan(20);
  });
});

describe("a person in a crowd who is framed", () => {
  const eyes = (others: UprightBody[]) => eyeOf(personView([0, 0, 0], 1.75, { target: [0, 0, 0], azimuth: 0, tilt: 1, distance: 40 }, 0.34, null, 0.3, others));
  const at = (x: number, y: number): UprightBody => ({ place: [x, y, 0], height: 1.75, girth: 0.35 });

  it("is seen past those who stand in the way, and else from where fewest do", () => {
    const alone = eyes([]);
    expect(eyes([at(0, 5), at(-3, 4)])).toEqual(alone);
    const past = eyes([at(0, -1.2)]);
    expect(Math.abs(Math.atan2(past[0], -past[1]))).toBeGreaterThan(0.3);
    // All around but for a gap in the east.
    const ring = Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8).filter((angle) => Math.abs(Math.sin(angle / 2)) > 0.25);
    const throughGap = eyes([...ring.map((angle) => at(1.2 * Math.cos(angle), 1.2 * Math.sin(angle))), ...ring.map((angle) => at(0.8 * Math.cos(angle), 0.8 * Math.sin(angle)))]);
    const isSteep = Math.hypot(throughGap[0], throughGap[1]) < throughGap[2];
    expect(isSteep || Math.abs(Math.atan2(throughGap[1], throughGap[0])) < 0.7, String(throughGap)).toBe(true);
  });
});

describe("zooming", () => {
  const rigAt = (view: Camera) => {
    const rig = new CameraRig();
    rig.resize(900, 700, { left: 0, right: 200, top: 0, bottom: 0 });
    rig.surroundings = new Surroundings(town, null);
    rig.view = view;
    rig.jump();
    return rig;
  };

  it("keeps a place on a roof under the pointer, comes no nearer than 2 m to it, and looks at the ground behind it", () => {
    const rig = rigAt({ target: [6, 3, 0], azimuth: 0.5, tilt: 0.8, distance: 60 });
    const roof: Place = [8, -4, 8];
    expect(rig.surroundings!.meets({ origin: [8, -4, 30], direction: [0, 0, -1] })).toBeCloseTo(22, 5);
    const seen = () => toWorld(...roof).project(rig.lens);
    const before = seen();
    for (let i = 0; i < 40; i++) {
      rig.zoom(0.85, roof);
      rig.jump();
      expect(rig.view.target[2]).toBeCloseTo(0, 5);
      expect(seen().x).toBeCloseTo(before.x, 4);
      expect(seen().y).toBeCloseTo(before.y, 4);
    }
    const eye = fromWorld(rig.lens.position);
    expect(Math.hypot(...eye.map((value, i) => value - roof[i]!))).toBeCloseTo(2, 2);
    for (let i = 0; i < 30; i++) rig.zoom(1 / 0.85, roof);
    rig.jump();
    expect(seen().x).toBeCloseTo(before.x, 4);
    expect(rig.view.distance).toBeGreaterThan(100);
  });
});

describe("the view from above", () => {
  const rigAbove = () => {
    const rig = new CameraRig();
    rig.resize(1000, 700, { left: 60, right: 260, top: 50, bottom: 80 });
    rig.surroundings = new Surroundings(town, null);
    rig.lookDown();
    rig.frame({ min: [-20, -20], max: [20, 20] }, [0, 4]);
    rig.jump();
    return rig;
  };
  const pixel = (rig: CameraRig, at: Place) => {
    const seen = toWorld(...at).project(rig.camera);
    return [(seen.x + 1) * 500, (1 - seen.y) * 350] as const;
  };

  it("is orthographic: heights make no difference, north is up, and all is between the panels", () => {
    const rig = rigAbove();
    expect(rig.camera).toBeInstanceOf(OrthographicCamera);
    const [low, high, north] = [pixel(rig, [9, 7, 0]), pixel(rig, [9, 7, 8]), pixel(rig, [9, 17, 0])];
    expect(Math.hypot(high[0] - low[0], high[1] - low[1])).toBeLessThan(0.2);
    expect(north[0]).toBeCloseTo(low[0], 1);
    expect(north[1]).toBeLessThan(low[1] - 50);
    for (const corner of [[-20, -20], [20, 20]] as Point[]) {
      const [x, y] = pixel(rig, [...corner, 0]);
      expect(x).toBeGreaterThan(60);
      expect(x).toBeLessThan(740);
      expect(y).toBeGreaterThan(50);
      expect(y).toBeLessThan(620);
    }
  });

  it("is as large as in perspective at the target, and left by any tilt", () => {
    const rig = rigAbove();
    const [x, y, height] = rig.view.target;
    const before = pixel(rig, [x + 5, y, height]);
    expect(fromWorld(rig.camera.position)[2]).toBeGreaterThan(8);
    rig.orbit(0, -30);
    rig.advance(0);
    expect(rig.camera).toBe(rig.lens);
    const after = pixel(rig, [x + 5, y, height]);
    expect(after[0]).toBeCloseTo(before[0], 0);
    expect(rig.view.orthographic).toBe(false);
    expect(rig.view.tilt).toBeGreaterThan(0.1);
  });
});

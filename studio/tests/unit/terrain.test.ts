import { describe, expect, it } from "vitest";
import { drapedLine, drapedPieces } from "../../src/model/drape.ts";
import { signedArea } from "../../src/model/geometry.ts";
import { heightsOf, raised, rayToGround, relief, type HeightAt } from "../../src/model/heights.ts";
import { meets, standing } from "../../src/model/standing.ts";
import type { Point } from "../../src/protocol.ts";
import { fromWorld, toWorld } from "../../src/view/axes.ts";
import { CameraRig } from "../../src/view/rig.ts";
import { random, sceneOf } from "./helpers.ts";

/** Bumps on the ground from (-20, -20) to (20, 20), two metres a cell. */
function bumps(height: (x: number, y: number) => number): HeightAt {
  const side = 21;
  const heights = Array.from({ length: side * side }, (_, i) => height(-20 + 2 * (i % side), -20 + 2 * Math.floor(i / side)));
  return heightsOf(sceneOf({ layers: [{ name: "hill", elevation: 0, ground: { columns: side, rows: side, heights }, plan: null }] }), 0);
}

const hills = bumps((x, y) => 3 * Math.sin(x / 3) + 2 * Math.cos(y / 4));
/** A ridge along y, eight metres high. */
const ridge = bumps((x) => Math.max(0, 8 - 2 * Math.abs(x)));
const slope = bumps((x) => x / 2);

describe("shapes on terrain", () => {
  it("are cut into pieces that are as flat as the ground, and nothing of them is lost", () => {
    const next = random(5);
    const coordinate = () => 50 * next() - 25;
    for (let run = 0; run < 40; run++) {
      const triangle: Point[] = [[coordinate(), coordinate()], [coordinate(), coordinate()], [coordinate(), coordinate()]];
      const pieces = drapedPieces(triangle, hills.lattice);
      const area = (polygon: Point[]) => Math.abs(signedArea(polygon));
      expect(pieces.reduce((sum, piece) => sum + area(piece), 0)).toBeCloseTo(area(triangle), 5);
      for (const piece of pieces) {
        const mean = (value: (p: Point) => number) => piece.reduce((sum, p) => sum + value(p), 0) / piece.length;
        const middle = hills(mean((p) => p[0]), mean((p) => p[1]));
        expect(middle).toBeCloseTo(mean((p) => hills(...p)), 5);
      }
    }
  });

  it("stay as they are on level ground", () => {
    const triangle: Point[] = [[0, 0], [30, 0], [0, 30]];
    expect(drapedPieces(triangle, undefined)).toEqual([triangle]);
    expect(drapedLine(triangle, true, () => 0).map(({ point }) => point)).toEqual(triangle);
  });

  it("follow it along lines, from their first point to their last", () => {
    const line = drapedLine([[-20, 0], [20, 0], [20, 3]], false, hills);
    expect(line[0]).toEqual({ point: [-20, 0], along: 0 });
    expect(line.at(-1)).toEqual({ point: [20, 3], along: 2 });
    for (let i = 1; i < line.length; i++) {
      const [a, b] = [line[i - 1]!, line[i]!];
      expect(Math.hypot(b.point[0] - a.point[0], b.point[1] - a.point[1])).toBeLessThan(2.001);
      expect(b.along).toBeGreaterThan(a.along);
    }
  });
});

describe("solids on terrain", () => {
  const wall: Point[] = [[-10, -0.1], [10, -0.1], [10, 0.1], [-10, 0.1]];
  const house: Point[] = [[-4, -4], [4, -4], [4, 4], [-4, 4]];

  it("are walls that follow it, and houses with level roofs above all of it", () => {
    const along = standing(wall, 2.5, ridge);
    for (const x of [-10, -3, 0, 7]) expect(along.top(x, 0) - ridge(x, 0)).toBeCloseTo(2.5, 6);
    expect(along.bottom(0, 0)).toBeLessThan(ridge(0, 0));
    const roof = standing(house, 3, ridge);
    expect([roof.top(-4, 0), roof.top(0, 0), roof.bottom(0, 0)]).toEqual([11, 11, 0]);
    // What is beside it does not count.
    const corner: Point[] = [[-8, -8], [8, -8], [-8, 8]];
    const pit = bumps((x, y) => (x > 4 && y > 4 ? 50 : 1));
    expect(standing(corner, 3, pit).top(0, 0)).toBe(4);
  });

  it("are met by rays from the side and from above, however thin they are", () => {
    const level = standing(wall, 2.5, () => 0);
    const ray = (origin: [number, number, number], to: [number, number, number]) => {
      const way = to.map((value, i) => value - origin[i]!);
      const size = Math.hypot(...way);
      return { origin, direction: way.map((value) => value / size) as [number, number, number] };
    };
    const next = random(3);
    for (let run = 0; run < 200; run++) {
      const origin: [number, number, number] = [40 * next() - 20, -5 - 30 * next(), 4 + 30 * next()];
      const target: [number, number, number] = [16 * next() - 8, -0.1, 0.1 + 2.3 * next()];
      const aimed = ray(origin, target);
      expect(meets(aimed, wall, level)).toBeCloseTo(Math.hypot(...target.map((value, i) => value - origin[i]!)), 4);
    }
    expect(meets(ray([3, 0, 20], [3, 0, 0]), wall, level)).toBeCloseTo(17.5, 4);
    expect(meets(ray([3, 0.5, 20], [3, 0.5, 0]), wall, level)).toBeNull();
    // Over the wall, and into what is behind it.
    expect(meets(ray([0, -10, 5], [0, 10, 3]), wall, level)).toBeNull();
    // On the ridge it is higher up.
    expect(meets(ray([0, -10, 9], [0, 10, 9]), wall, standing(wall, 2.5, ridge))).toBeCloseTo(9.9, 4);
  });
});

describe("the ground of a ray", () => {
  it("is the first that it meets, and a thin ridge is not passed over", () => {
    const thin = bumps((x) => (x === 0 ? 6 : 0));
    const hit = rayToGround(thin, [-200, 0, 22], [0.995, 0, -0.0995], 3000)!;
    expect(hit.at[0]).toBeGreaterThan(-2);
    expect(hit.at[0]).toBeLessThan(0);
    expect(22 - 0.0995 * hit.distance).toBeCloseTo(thin(...hit.at), 2);
  });

  it("has its lowest and highest place in any part of it", () => {
    expect(relief(ridge, [-20, -20], [20, 20])).toEqual([0, 8]);
    expect(relief(ridge, [1, 0], [2, 5])).toEqual([4, 6]);
    expect(relief(() => 7, [1, 0], [2, 5])).toEqual([7, 7]);
    expect(raised(ridge, 2)(0, 0)).toBe(10);
  });
});

describe("the camera over terrain", () => {
  const rigOver = (ground: HeightAt) => {
    const rig = new CameraRig();
    rig.resize(800, 600, { left: 0, right: 0, top: 0, bottom: 0 });
    rig.ground = ground;
    return rig;
  };

  it("looks at the ground wherever it is moved, and is never under it", () => {
    const rig = rigOver(hills);
    const next = random(8);
    for (let run = 0; run < 100; run++) {
      rig.view = { target: [0, 0, hills(0, 0)], azimuth: 6 * next(), tilt: 1.48, distance: 3 + 20 * next() };
      rig.shift(20 * next() - 10, 20 * next() - 10);
      rig.jump();
      const [x, y, height] = rig.view.target;
      expect(height).toBe(hills(x, y));
      const [cx, cy, ch] = fromWorld(rig.camera.position);
      expect(ch).toBeGreaterThan(hills(cx, cy) + 1);
    }
  });

  it("keeps the place under the pointer, or between two fingers, on a slope", () => {
    const rig = rigOver(slope);
    rig.view = { target: [2, 1, slope(2, 1)], azimuth: 0.4, tilt: 0.7, distance: 50 };
    rig.jump();
    const seen = () => {
      const v = toWorld(8, 3, slope(8, 3)).project(rig.camera);
      return [v.x, v.y] as const;
    };
    const before = seen();
    rig.zoom(0.6, [8, 3]);
    rig.turn(0.8, [8, 3]);
    rig.jump();
    expect(seen()[0]).not.toBeNaN();
    rig.turn(-0.8, [8, 3]);
    rig.jump();
    expect(seen()[0]).toBeCloseTo(before[0], 5);
    expect(seen()[1]).toBeCloseTo(before[1], 5);
  });

  it("shows a mountain as a whole", () => {
    const rig = rigOver(ridge);
    rig.turnTo(0.5, 1.1);
    rig.frame({ min: [-20, -20], max: [20, 20] }, [0, 60]);
    rig.jump();
    for (const [x, y] of [[-20, -20], [20, -20], [20, 20], [-20, 20]] as Point[]) {
      for (const height of [0, 60]) {
        const seen = toWorld(x, y, height).project(rig.camera);
        expect(Math.max(Math.abs(seen.x), Math.abs(seen.y))).toBeLessThan(1.01);
      }
    }
  });
});

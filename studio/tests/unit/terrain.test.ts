import type { BufferAttribute } from "three";
import { describe, expect, it } from "vitest";
import { Surroundings } from "../../src/model/clearance.ts";
import { drapedLine, drapedPieces } from "../../src/model/drape.ts";
import { signedArea } from "../../src/model/geometry.ts";
import { heightsOf, raised, rayToGround, relief, underTint, type HeightAt } from "../../src/model/heights.ts";
import { meets, standing } from "../../src/model/standing.ts";
import type { Point } from "../../src/protocol.ts";
import { fromWorld, toWorld } from "../../src/view/axes.ts";
import { CameraRig } from "../../src/view/rig.ts";
import { flights, progress, surface } from "../../src/model/climb.ts";
import { floats, integers } from "../../src/model/packed.ts";
import type { Connector, Ground } from "../../src/protocol.ts";
import { buildConnector, footing } from "../../src/view/connectors.ts";
import { contourStep, latticeGeometry, meshGeometry } from "../../src/view/ground.ts";
import { MeshBuilder, paint } from "../../src/view/mesh-builder.ts";
import { groundOf, packed, random, sceneOf } from "./helpers.ts";

const sceneOn = (ground: Ground) => sceneOf({ layers: [{ name: "hill", elevation: 0, ground, plan: null }] });
const on = (ground: Ground) => heightsOf(sceneOn(ground), 0);

/** Bumps on the ground from (-20, -20) to (20, 20), two metres a cell. */
function bumps(height: (x: number, y: number) => number): HeightAt {
  const side = 21;
  return on(bumpyGround(height, side));
}

function bumpyGround(height: (x: number, y: number) => number, side = 21): Ground {
  const heights = Array.from({ length: side * side }, (_, i) => height(-20 + 2 * (i % side), -20 + 2 * Math.floor(i / side)));
  return groundOf(side, side, heights);
}

const hilly = (x: number, y: number) => 3 * Math.sin(x / 3) + 2 * Math.cos(y / 4);
const hills = bumps(hilly);
/** A ridge along y, eight metres high. */
const ridge = bumps((x) => Math.max(0, 8 - 2 * Math.abs(x)));
const slope = bumps((x) => x / 2);

describe("the ground", () => {
  /** What the server stands people on. */
  const bilinear = (side: number, heights: number[], x: number, y: number) => {
    const [u, v] = [((x + 20) / 40) * (side - 1), ((y + 20) / 40) * (side - 1)];
    const [c, r] = [Math.min(Math.floor(u), side - 2), Math.min(Math.floor(v), side - 2)];
    const at = (i: number, j: number) => heights[(r + j) * side + c + i]!;
    const [f, g] = [u - c, v - r];
    return (at(0, 0) * (1 - f) + at(1, 0) * f) * (1 - g) + (at(0, 1) * (1 - f) + at(1, 1) * f) * g;
  };

  it("is drawn within a centimetre of what people stand on, however coarse it is told", () => {
    const next = random(11);
    const side = 9;
    const heights = Array.from({ length: side * side }, () => 3 * next());
    const at = on(groundOf(side, side, heights));
    for (let run = 0; run < 2000; run++) {
      const [x, y] = [40 * next() - 20, 40 * next() - 20];
      expect(Math.abs(at(x, y) - bilinear(side, heights, x, y))).toBeLessThan(0.007);
    }
    expect(at.lattice!.columns).toBeLessThanOrEqual(512);
    const flat = on(groundOf(3, 3, [0, 1, 2, 1, 2, 3, 2, 3, 4]));
    expect(flat.lattice!.columns).toBe(3);
  });

  it("is as large as it was told, and goes on at its edge", () => {
    const at = on(groundOf(2, 2, [0, 8, 0, 8], [[0, 0], [4, 2]]));
    expect([at(-5, 1), at(1, 1), at(3, 9), at(50, 0)]).toEqual([0, 2, 6, 8]);
  });

  it("is unpacked once, however often it is told", () => {
    const ground = groundOf(2, 2, [0, 8, 0, 7]);
    expect(on(ground)).toBe(on(structuredClone(ground)));
    expect(on(ground)).not.toBe(on(groundOf(2, 2, [0, 8, 0, 6])));
    expect(on({ ...ground, heights: "" })(20, -20)).toBe(0);
  });

  it("has triangles that face up, and no cell too many", () => {
    const { lattice } = on(groundOf(4, 3, [0, 1, 0, 2, 1, 0, 3, 1, 0, 0, 1, 1]));
    const { columns, rows } = lattice!;
    const geometry = latticeGeometry(lattice!);
    expect(geometry.getIndex()!.count).toBe((columns - 1) * (rows - 1) * 6);
    const normals = geometry.getAttribute("normal");
    for (let i = 0; i < normals.count; i++) expect(normals.getY(i)).toBeGreaterThan(0.5);
    expect(latticeGeometry(lattice!, (x) => x > 0).getIndex()!.count).toBeLessThan((columns - 1) * (rows - 1) * 4);
  });

  it("is coarser under large tints, and nowhere above them", () => {
    const side = 300;
    const fine = on(groundOf(side, side, Array.from({ length: side * side }, (_, i) => 2 + 2 * Math.sin((i % side) / 9) * Math.cos(i / side / 7))));
    expect(underTint(fine, [-5, -5], [5, 5])).toBe(fine);
    const coarse = underTint(fine, [-19, -19], [19, 19]);
    expect(coarse.lattice!.columns).toBeLessThan(side / 2);
    expect(underTint(fine, [-19, -19], [19, 19])).toBe(coarse);
    const next = random(21);
    for (let run = 0; run < 2000; run++) {
      const [x, y] = [40 * next() - 20, 40 * next() - 20];
      expect(coarse(x, y)).toBeGreaterThan(fine(x, y) - 1e-6);
      expect(coarse(x, y)).toBeLessThan(fine(x, y) + 1);
    }
  });

  it("of a mesh is the mesh", () => {
    const mesh = { vertices: packed(Float32Array.of(0, 0, 1, 4, 0, 2, 0, 4, 3)), triangles: packed(Uint32Array.of(0, 1, 2)) };
    expect([...floats(mesh.vertices)]).toEqual([0, 0, 1, 4, 0, 2, 0, 4, 3]);
    expect([...integers(mesh.triangles)]).toEqual([0, 1, 2]);
    const geometry = meshGeometry(mesh);
    expect([...geometry.getAttribute("position").array]).toEqual([0, 1, -0, 4, 2, -0, 0, 3, -4]);
    expect(geometry.getAttribute("normal").getY(0)).toBeGreaterThan(0);
  });

  it("has a dozen or two lines of equal height", () => {
    expect([1, 5, 12, 40, 900].map(contourStep).map((step) => Number(step.toFixed(6)))).toEqual([0.1, 0.5, 1, 2, 50]);
  });
});

describe("stairs", () => {
  const rectangle: Point[] = [[0, 0], [2, 0], [2, 6], [0, 6]];
  const straight: Connector = { name: "stairs", kind: "stairs", polygon: rectangle, edges: [0, 2], ends: [0, 3], risers: 4, lower: 0, upper: 1 };
  /** Its head is turned by some degrees: treads are wedges. */
  const winding: Connector = { ...straight, polygon: [[0, 0], [2, 0], [2.5, 5], [0.2, 6]], risers: 9 };
  const area = (polygon: Point[]) => Math.abs(signedArea(polygon));

  it("have a tread less than steps, where feet stand", () => {
    const heights = [0, 1.9, 2.1, 3.9, 4.1, 6].map((y) => surface(straight, [1.3, y]));
    expect(heights).toEqual([0.75, 0.75, 1.5, 1.5, 2.25, 2.25]);
    expect(surface({ ...straight, risers: 0 }, [1, 2])).toBeCloseTo(1);
    expect([1, 5].map((y) => surface({ ...straight, risers: 1 }, [1, y]))).toEqual([0, 3]);
  });

  it("are cut into flights that are all of them", () => {
    for (const connector of [straight, winding]) {
      const all = flights(connector, 8);
      expect(all.reduce((sum, { outline }) => sum + area(outline), 0)).toBeCloseTo(area(connector.polygon), 6);
      for (const { from, to, outline } of all) {
        for (const point of outline) expect(progress(connector, point)).toBeGreaterThan(from - 1e-6);
        for (const point of outline) expect(progress(connector, point)).toBeLessThan(to + 1e-6);
      }
    }
  });

  it("are drawn where feet stand, without a gap", () => {
    for (const connector of [straight, winding, { ...straight, kind: "ramp" as const, risers: 0 }, { ...winding, risers: 0 }]) {
      const builder = new MeshBuilder();
      buildConnector(builder, connector, 0, paint("#ffffff"));
      const [places, normals] = ["position", "normal"].map((name) => builder.build().getAttribute(name)) as [BufferAttribute, BufferAttribute];
      let covered = 0;
      let upright = 0;
      for (let i = 0; i < places.count; i += 3) {
        const corners = [0, 1, 2].map((k): Point => [places.getX(i + k), -places.getZ(i + k)]);
        if (normals.getY(i) < 0.1) {
          upright++;
          continue;
        }
        covered += area(corners);
        const middle: Point = [(corners[0]![0] + corners[1]![0] + corners[2]![0]) / 3, (corners[0]![1] + corners[1]![1] + corners[2]![1]) / 3];
        const height = (places.getY(i) + places.getY(i + 1) + places.getY(i + 2)) / 3;
        expect(Math.abs(height - surface(connector, middle))).toBeLessThan(0.01);
      }
      expect(covered).toBeCloseTo(area(connector.polygon), 4);
      expect(upright).toBeGreaterThanOrEqual(connector.risers > 0 ? 4 * (connector.risers - 1) : 6);
    }
  });

  it("reach down to terrain", () => {
    expect(footing(straight, () => 0)).toBe(0);
    expect(footing(straight, slope)).toBeLessThan(0);
    expect(footing({ ...straight, polygon: rectangle.map(([x, y]): Point => [x - 10, y]) }, slope)).toBeCloseTo(-5.1);
  });
});

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

  it("are all there where whole cells are passed over", () => {
    const side = 400;
    const fine = on(groundOf(side, side, Array.from({ length: side * side }, (_, i) => Math.sin(i % side) / 9)));
    const pieces = drapedPieces([[-19, -18], [19, -18], [19, 18]], fine.lattice);
    expect(pieces.reduce((sum, piece) => sum + Math.abs(signedArea(piece)), 0)).toBeCloseTo(19 * 36, 4);
    expect(pieces.every((piece) => signedArea(piece) > -1e-9)).toBe(true);
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
    rig.surroundings = new Surroundings(sceneOn(bumpyGround(hilly)), null);
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
    rig.zoom(0.6, [8, 3, slope(8, 3)]);
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

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { densityMap, measureDensity } from "../../src/model/density.ts";
import * as geometry from "../../src/model/geometry.ts";
import { freeColor, freeName, PALETTE } from "../../src/model/names.ts";
import { Trails, type TrailSegment } from "../../src/model/trails.ts";
import { viewFromHash, viewToHash, type View } from "../../src/model/view-url.ts";
import { clock, groundInWords, speedFactor, stanceInWords } from "../../src/model/words.ts";
import { crc32, zip } from "../../src/model/zip.ts";
import type { Point } from "../../src/protocol.ts";
import { frameOf, random } from "./helpers.ts";

describe("ZIP files", () => {
  const text = (words: string) => new TextEncoder().encode(words);

  it("have the checksum everybody has", () => {
    expect(crc32(text("123456789"))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  it("are what other programs read", () => {
    const folder = mkdtempSync(join(tmpdir(), "throng-zip-"));
    try {
      const path = join(folder, "images.zip");
      writeFileSync(path, zip([{ name: "a.txt", data: text("first") }, { name: "bär/b.bin", data: Uint8Array.from([0, 255, 7]) }]));
      const script =
        "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; " +
        "print(ascii([(n, z.read(n)) for n in z.namelist()]))";
      const out = execFileSync("python3", ["-c", script, path], { encoding: "utf8" });
      expect(out.trim()).toBe("[('a.txt', b'first'), ('b\\xe4r/b.bin', b'\\x00\\xff\\x07')]");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("views in addresses", () => {
  it("come back as they were", () => {
    const next = random(8);
    for (let i = 0; i < 100; i++) {
      const number = () => Math.round((next() - 0.5) * 1e6) / 1000;
      const view: View = {
        at: next() < 0.5 ? null : Math.round(next() * 1e6) / 1000,
        camera: { target: [number(), number(), number()], azimuth: number(), tilt: Math.round(next() * 1500) / 1000, distance: (1000 + Math.round(next() * 1e5)) / 1000, ...(next() < 0.3 ? { orthographic: true } : {}) },
        floor: next() < 0.2 ? null : Math.floor(next() * 4),
        overlays: next() < 0.5 ? [] : ["density", "ways", "levels", "patterns"],
        person: next() < 0.5 ? null : Math.floor(next() * 1e6),
      };
      expect(viewFromHash(viewToHash(view))).toEqual(view);
    }
  });

  it("that make no sense are passed over", () => {
    const nothing = { at: null, camera: null, floor: null, overlays: [], person: null };
    for (const hash of ["", "#", "#camera=1,2,3", "#camera=a,b,c,d,e,f", "#camera=1,2,3,4,5,-1", "#floor=-1&person=x&show=cats", "#at=", "#at=soon", "#at=1e9", "#at=NaN", "#at=1,5", "#at=Infinity"]) {
      expect(viewFromHash(hash)).toEqual(nothing);
    }
  });
});

describe("density", () => {
  it("sums to the number of people, wherever they stand", () => {
    const next = random(4);
    const bounds: [Point, Point] = [[-10, -5], [10, 5]];
    const map = densityMap(bounds);
    const n = 200;
    const x = Float32Array.from({ length: n }, () => -10 + 20 * next());
    const y = Float32Array.from({ length: n }, () => -5 + 10 * next());
    measureDensity(map, { count: n, x, y, layers: null }, 0);
    const sum = map.values.reduce((a, b) => a + b, 0) * map.cell ** 2;
    expect(sum).toBeCloseTo(n, 1);
  });

  it("is highest where people are, and counts one floor", () => {
    const map = densityMap([[0, 0], [20, 20]]);
    const people = { count: 2, x: Float32Array.from([5.2, 15]), y: Float32Array.from([7.1, 15]), layers: Uint8Array.from([0, 1]) };
    measureDensity(map, people, 0);
    const at = (px: number, py: number) => map.values[Math.floor(py / map.cell) * map.columns + Math.floor(px / map.cell)]!;
    expect(at(5.2, 7.1)).toBe(Math.max(...map.values));
    expect(at(15, 15)).toBe(0);
  });
});

describe("trails", () => {
  const segments = (trails: Trails) => {
    const all: TrailSegment[] = [];
    trails.forEach((segment) => all.push(segment));
    return all;
  };

  it("join the places of each person, by id", () => {
    const trails = new Trails();
    for (let i = 0; i <= 20; i++) trails.push(frameOf(i * 0.1, [[1, i * 0.1, 0], [7 + (i > 10 ? 1 : 0), 5, i * 0.1]]));
    const all = segments(trails);
    for (const s of all) expect(Math.abs(s.from[0] - s.to[0]) < 1e-6 || Math.abs(s.from[1] - s.to[1]) < 1e-6).toBe(true);
    expect(all.filter((s) => s.from[1] === 0 && s.to[1] === 0).length).toBeGreaterThan(5);
  });

  it("end with a jump in time or another epoch", () => {
    const trails = new Trails();
    trails.push(frameOf(0, [[1, 0, 0]]));
    trails.push(frameOf(0.3, [[1, 0.3, 0]]));
    expect(segments(trails)).toHaveLength(1);
    trails.push(frameOf(50, [[1, 3, 0]]));
    expect(segments(trails)).toHaveLength(0);
    trails.push(frameOf(50.3, [[1, 3, 0]], 2));
    expect(segments(trails)).toHaveLength(0);
  });
});

describe("geometry", () => {
  it("knows what is inside", () => {
    const square = geometry.cornersOf([[0, 0], [4, 2]]);
    expect(geometry.signedArea(square)).toBe(8);
    expect(geometry.centroid(square)).toEqual([2, 1]);
    expect(geometry.contains(square, [3, 1])).toBe(true);
    expect(geometry.contains(square, [5, 1])).toBe(false);
    expect(geometry.crossesItself(square)).toBe(false);
    expect(geometry.crossesItself([[0, 0], [1, 1], [1, 0], [0, 1]])).toBe(true);
  });

  it("turns the short way", () => {
    expect(geometry.turn(0.1, 2 * Math.PI - 0.1)).toBeCloseTo(-0.2);
    expect(geometry.turn(-3, 3)).toBeCloseTo(6 - 2 * Math.PI);
  });

  it("places people along a stroke with room between them", () => {
    const next = random(6);
    for (let run = 0; run < 20; run++) {
      const stroke = Array.from({ length: 10 }, (): Point => [next() * 8, next() * 8]);
      const taken: Point[] = [[4, 4]];
      const placed = geometry.spaced(stroke, 0.8, taken);
      expect(placed.length).toBeGreaterThan(1);
      const all = [...taken, ...placed];
      all.forEach((p, i) => all.slice(i + 1).forEach((q) => expect(geometry.distance(p, q)).toBeGreaterThanOrEqual(0.8 - 1e-6)));
    }
  });

  it("writes numbers as a person would", () => {
    expect(geometry.rounded([0.1 + 0.2, -0.0001])).toEqual([0.3, 0]);
    expect(Object.is(geometry.roundedTo(-0.001, 0.01), 0)).toBe(true);
  });
});

describe("words", () => {
  it("tell the time", () => {
    expect([0, 65.34, 3600.05, 59.96].map((t) => clock(t))).toEqual(["0:00.0", "1:05.3", "1:00:00.1", "1:00.0"]);
    expect(speedFactor(-2)).toBe("−×2");
  });

  it("tell which feet stand", () => {
    expect(stanceInWords([], 2)).toBe("in the air");
    expect(stanceInWords(["left"], 2)).toBe("left foot");
    expect(stanceInWords(["left", "right"], 2)).toBe("both feet");
    expect(stanceInWords(["left hind", "right fore"], 4)).toBe("left hind and right fore feet");
    expect(stanceInWords(["left hind", "left fore", "right fore"], 4)).toBe("left hind, left fore and right fore feet");
    expect(stanceInWords(["left hind", "left fore", "right hind", "right fore"], 4)).toBe("all four feet");
  });

  it("tell of ground only what is odd about it", () => {
    const ground = { hole: false, steep: false, unsupported: false, unreached: 0.001, lowered: 0.05 };
    const words = (odd: Partial<typeof ground>, height = 1.7) => groundInWords({ ...ground, ...odd }, height);
    expect(words({})).toBe("");
    expect(words({ steep: true })).toBe("steeper than one could walk");
    expect(words({ hole: true })).toBe("ends within a step");
    expect(words({ hole: true, unsupported: true, unreached: 0.02 })).toBe("none below a foot; a foot is 20 mm from where it should be");
    expect(words({}, 0.55)).toBe("the body is 50 mm lower so that legs reach");
  });

  it("find free names and colours", () => {
    expect(freeName("gate", ["gate", "gate 2"])).toBe("gate 3");
    expect(freeColor([PALETTE[0]!])).toBe(PALETTE[1]);
    expect(freeColor(PALETTE)).toBe(PALETTE[0]);
  });
});

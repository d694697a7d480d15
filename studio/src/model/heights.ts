/** How high the ground is: lattices are interpolated, everything else lies at the elevation of its layer. */
import type { Ground, Point, Polygon, SceneEvent } from "../protocol.ts";
import { boxOf, contains, counterClockwise, nearestOn } from "./geometry.ts";
import { shorts } from "./packed.ts";

/** The points that terrain is drawn at. Each cell between them is two flat triangles, parted from its south-west to its north-east corner. */
export interface Lattice {
  origin: Point;
  /** Size of a cell, m. */
  cell: Point;
  /** Spacing of the samples between which heights are interpolated, m; cells can be smaller. */
  spacing: Point;
  columns: number;
  rows: number;
  heights: Float32Array;
  lowest: number;
  highest: number;
}

/** The height of the ground at a place; what has no lattice is level. */
export interface HeightAt {
  (x: number, y: number): number;
  readonly lattice?: Lattice;
}

/** People stand on ground that is bilinear in each cell, and two triangles are off by at most this much of it, m, */
const TWIST = 0.005;
/** unless that took more points along a side than this. */
const MOST_POINTS = 512;

/** Every edit tells the scene anew, with the same ground: what was unpacked is kept for as many floors as a building has. */
const known: { ground: Ground; heightAt: HeightAt }[] = [];
const MOST_KNOWN = 24;
const found = new WeakMap<Ground, HeightAt>();

export function heightsOf(scene: SceneEvent, layer: number): HeightAt {
  const floor = scene.layers[layer];
  const ground = floor?.ground;
  const elevation = floor?.elevation ?? 0;
  if (!ground || ground.columns < 2 || ground.rows < 2) return () => elevation;
  let heightAt = found.get(ground);
  if (!heightAt) found.set(ground, (heightAt = unpacked(ground)));
  return heightAt;
}

/** Whether two floors have the same ground. */
export function isSameGround(a: Ground | null, b: Ground | null): boolean {
  if (a === b || !a || !b) return a === b;
  const numbers = (g: Ground) => [...g.bounds.flat(), g.columns, g.rows, g.lowest, g.quantum];
  const [these, those] = [numbers(a), numbers(b)];
  return (
    these.every((value, i) => value === those[i]) &&
    a.heights === b.heights &&
    a.mesh?.vertices === b.mesh?.vertices &&
    a.mesh?.triangles === b.mesh?.triangles
  );
}

/**
 * Heights of a floor as they are without the stairs and ramps on it. Samples next to a connector are of both, and what is interpolated between them is a spike:
 * up to one and a half cells from its outline, and inside of it, heights are those that far outside.
 */
export function withoutConnectors(heightAt: HeightAt, outlines: Polygon[]): HeightAt {
  const { lattice } = heightAt;
  if (!lattice || outlines.length === 0) return heightAt;
  const margin = 1.5 * Math.max(...lattice.spacing);
  const areas = outlines.map((outline) => ({ outline: counterClockwise(outline), box: boxOf(outline)! }));
  const height = (x: number, y: number) => {
    for (const { outline, box } of areas) {
      if (x < box.min[0] - margin || y < box.min[1] - margin || x > box.max[0] + margin || y > box.max[1] + margin) continue;
      const inside = contains(outline, [x, y]);
      const { point, normal } = nearestOn(outline, [x, y]);
      const [dx, dy] = inside ? [point[0] - x, point[1] - y] : [x - point[0], y - point[1]];
      const apart = Math.hypot(dx, dy);
      if (!inside && apart >= margin) continue;
      const outward = apart > 1e-6 ? [dx / apart, dy / apart] : normal;
      return heightAt(point[0] + outward[0]! * margin, point[1] + outward[1]! * margin);
    }
    return heightAt(x, y);
  };
  return Object.assign(height, { lattice });
}

/** Heights above or below others. */
export function raised(heightAt: HeightAt, by: number): HeightAt {
  const { lattice } = heightAt;
  return Object.assign((x: number, y: number) => heightAt(x, y) + by, lattice ? { lattice } : {});
}

function unpacked(ground: Ground): HeightAt {
  const before = known.find((entry) => isSameGround(entry.ground, ground));
  if (before) return before.heightAt;
  const heightAt = interpolated(refined(told(ground)));
  known.unshift({ ground, heightAt });
  known.length = Math.min(known.length, MOST_KNOWN);
  return heightAt;
}

/** The lattice that the server tells. */
function told(ground: Ground): Lattice {
  const { columns, rows, lowest, quantum, bounds: [min, max] } = ground;
  const steps = shorts(ground.heights, columns * rows);
  const heights = new Float32Array(steps.length);
  let most = 0;
  for (let i = 0; i < steps.length; i++) {
    heights[i] = lowest + quantum * steps[i]!;
    most = Math.max(most, steps[i]!);
  }
  const cell: Point = [(max[0] - min[0]) / (columns - 1), (max[1] - min[1]) / (rows - 1)];
  return { origin: min, cell, spacing: cell, columns, rows, heights, lowest, highest: lowest + quantum * most };
}

/** A lattice with more points, where two triangles are too far from what is bilinear in a cell. */
export function refined(lattice: Lattice): Lattice {
  const { columns, rows, heights } = lattice;
  let twist = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let at = row * columns; at + 1 < (row + 1) * columns; at++) {
      twist = Math.max(twist, Math.abs(heights[at]! - heights[at + 1]! - heights[at + columns]! + heights[at + columns + 1]!));
    }
  }
  const room = Math.floor((MOST_POINTS - 1) / (Math.max(columns, rows) - 1));
  const parts = Math.min(Math.ceil(Math.sqrt(twist / 4 / TWIST)), room);
  if (parts <= 1) return lattice;
  const [wide, high] = [(columns - 1) * parts + 1, (rows - 1) * parts + 1];
  const finer = new Float32Array(wide * high);
  for (let row = 0; row < high; row++) {
    const below = Math.min(Math.floor(row / parts), rows - 2);
    const up = row / parts - below;
    for (let column = 0; column < wide; column++) {
      const left = Math.min(Math.floor(column / parts), columns - 2);
      const right = column / parts - left;
      const at = below * columns + left;
      const south = heights[at]! + (heights[at + 1]! - heights[at]!) * right;
      const north = heights[at + columns]! + (heights[at + columns + 1]! - heights[at + columns]!) * right;
      finer[row * wide + column] = south + (north - south) * up;
    }
  }
  return { ...lattice, cell: [lattice.cell[0] / parts, lattice.cell[1] / parts], columns: wide, rows: high, heights: finer };
}

function interpolated(lattice: Lattice): HeightAt {
  const { origin, cell, columns, rows, heights } = lattice;
  const height = (x: number, y: number) => {
    const u = clamp((x - origin[0]) / cell[0], 0, columns - 1);
    const v = clamp((y - origin[1]) / cell[1], 0, rows - 1);
    const column = Math.min(Math.floor(u), columns - 2);
    const row = Math.min(Math.floor(v), rows - 2);
    const [right, up] = [u - column, v - row];
    const at = row * columns + column;
    const [near, far] = [heights[at]!, heights[at + columns + 1]!];
    const corner = right >= up ? heights[at + 1]! : heights[at + columns]!;
    return right >= up ? near + (corner - near) * right + (far - corner) * up : near + (corner - near) * up + (far - corner) * right;
  };
  return Object.assign(height, { lattice });
}

/** Most cells of terrain that something thin is laid on. */
const MOST_CELLS = 20_000;
const coarser = new WeakMap<Lattice, Map<number, HeightAt>>();

/**
 * What a tint over a rectangle is laid on: the ground, or where that has very many cells, a coarser one that is nowhere below it.
 * Tints are made anew with every edit, and a hand's breadth cannot be seen at the size of a hill.
 */
export function underTint(heightAt: HeightAt, min: Point, max: Point): HeightAt {
  const { lattice } = heightAt;
  if (!lattice) return heightAt;
  const cells = ((max[0] - min[0]) / lattice.cell[0]) * ((max[1] - min[1]) / lattice.cell[1]);
  const every = Math.ceil(Math.sqrt(cells / MOST_CELLS));
  if (!(every > 1)) return heightAt;
  const made = coarser.get(lattice) ?? new Map<number, HeightAt>();
  coarser.set(lattice, made);
  let found = made.get(every);
  if (!found) made.set(every, (found = interpolated(thinned(lattice, every))));
  return found;
}

/** Every so many points of a lattice, each as high as the highest around it. */
function thinned(lattice: Lattice, every: number): Lattice {
  const { columns, rows, heights } = lattice;
  const [wide, high] = [Math.ceil((columns - 1) / every) + 1, Math.ceil((rows - 1) / every) + 1];
  const kept = new Float32Array(wide * high).fill(lattice.lowest);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const height = heights[row * columns + column]!;
      for (const r of [Math.floor(row / every), Math.ceil(row / every)]) {
        for (const c of [Math.floor(column / every), Math.ceil(column / every)]) {
          const at = r * wide + c;
          if (height > kept[at]!) kept[at] = height;
        }
      }
    }
  }
  return { ...lattice, cell: [lattice.cell[0] * every, lattice.cell[1] * every], columns: wide, rows: high, heights: kept };
}

/** The lowest and the highest ground in a rectangle, from places a cell of its lattice apart. */
export function relief(heightAt: HeightAt, min: Point, max: Point): [number, number] {
  const { lattice } = heightAt;
  if (!lattice) return [heightAt(...min), heightAt(...min)];
  const count = (k: 0 | 1) => Math.max(1, Math.min(512, Math.ceil((max[k] - min[k]) / lattice.cell[k])));
  const [columns, rows] = [count(0), count(1)];
  let [lowest, highest] = [Infinity, -Infinity];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const height = heightAt(min[0] + ((max[0] - min[0]) * column) / columns, min[1] + ((max[1] - min[1]) * row) / rows);
      [lowest, highest] = [Math.min(lowest, height), Math.max(highest, height)];
    }
  }
  return [lowest, highest];
}

/** Most places that are tried along a ray. */
const MOST_STEPS = 2000;

/**
 * Where a ray meets the ground, or `null` if it looks past it. `origin` and `direction` are [x, y, height].
 * Terrain is found by walking along the ray, where it is not above all of it, and bisecting the piece that goes below.
 */
export function rayToGround(
  heightAt: HeightAt,
  origin: [number, number, number],
  direction: [number, number, number],
  reach: number,
): { at: Point; distance: number } | null {
  const place = (t: number): Point => [origin[0] + direction[0] * t, origin[1] + direction[1] * t];
  const above = (t: number) => origin[2] + direction[2] * t - heightAt(...place(t));
  const found = (t: number) => ({ at: place(t), distance: t });
  const { lattice } = heightAt;
  if (!lattice) {
    const t = direction[2] === 0 ? -1 : (heightAt(0, 0) - origin[2]) / direction[2];
    return t > 0 && t <= reach ? found(t) : null;
  }
  const passes = (height: number) => (height - origin[2]) / direction[2];
  const descends = direction[2] < -1e-9;
  const begin = descends ? Math.max(0, passes(lattice.highest)) : 0;
  const end = descends ? Math.min(reach, passes(lattice.lowest - 1)) : reach;
  const across = Math.hypot(direction[0], direction[1]) * (end - begin);
  const steps = clamp(Math.ceil((2 * across) / Math.min(...lattice.cell)), 1, MOST_STEPS);
  let before = begin;
  for (let i = 1; i <= steps; i++) {
    const t = begin + ((end - begin) * i) / steps;
    if (above(t) <= 0) {
      let [low, high] = [before, t];
      for (let k = 0; k < 24; k++) {
        const middle = (low + high) / 2;
        if (above(middle) > 0) low = middle;
        else high = middle;
      }
      return found(high);
    }
    before = t;
  }
  return null;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

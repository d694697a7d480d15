/** How high the ground is: lattices are interpolated, everything else lies at the elevation of its layer. */
import type { Ground, Point, SceneEvent } from "../protocol.ts";

/** The points that terrain is given at. Each cell between them is two flat triangles, parted from its south-west to its north-east corner. */
export interface Lattice {
  origin: Point;
  /** Size of a cell, m. */
  cell: Point;
  columns: number;
  rows: number;
  lowest: number;
  highest: number;
}

/** The height of the ground at a place; what has no lattice is level. */
export interface HeightAt {
  (x: number, y: number): number;
  readonly lattice?: Lattice;
}

const known = new WeakMap<Ground, HeightAt>();

export function heightsOf(scene: SceneEvent, layer: number): HeightAt {
  const floor = scene.layers[layer];
  const ground = floor?.ground;
  const elevation = floor?.elevation ?? 0;
  if (!ground || ground.columns < 2 || ground.rows < 2) return () => elevation;
  let heightAt = known.get(ground);
  if (!heightAt) known.set(ground, (heightAt = interpolated(ground, scene.bounds)));
  return heightAt;
}

/** Heights above or below others. */
export function raised(heightAt: HeightAt, by: number): HeightAt {
  const { lattice } = heightAt;
  return Object.assign((x: number, y: number) => heightAt(x, y) + by, lattice ? { lattice } : {});
}

function interpolated({ columns, rows, heights }: Ground, [min, max]: [Point, Point]): HeightAt {
  const cell: Point = [(max[0] - min[0]) / (columns - 1), (max[1] - min[1]) / (rows - 1)];
  const at = (column: number, row: number) => heights[row * columns + column] ?? 0;
  const height = (x: number, y: number) => {
    const u = clamp((x - min[0]) / cell[0], 0, columns - 1);
    const v = clamp((y - min[1]) / cell[1], 0, rows - 1);
    const column = Math.min(Math.floor(u), columns - 2);
    const row = Math.min(Math.floor(v), rows - 2);
    const [right, up] = [u - column, v - row];
    const [near, far] = [at(column, row), at(column + 1, row + 1)];
    const corner = right >= up ? at(column + 1, row) : at(column, row + 1);
    return right >= up ? near + (corner - near) * right + (far - corner) * up : near + (corner - near) * up + (far - corner) * right;
  };
  let [lowest, highest] = [Infinity, -Infinity];
  for (const value of heights) [lowest, highest] = [Math.min(lowest, value), Math.max(highest, value)];
  return Object.assign(height, { lattice: { origin: min, cell, columns, rows, lowest, highest } });
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

/** How high the ground is: lattices are interpolated, everything else lies at the elevation of its layer. */
import type { Point, SceneEvent } from "../protocol.ts";

export type HeightAt = (x: number, y: number) => number;

export function heightsOf(scene: SceneEvent, layer: number): HeightAt {
  const floor = scene.layers[layer];
  const ground = floor?.ground;
  const elevation = floor?.elevation ?? 0;
  if (!ground || ground.columns < 2 || ground.rows < 2) return () => elevation;
  const [min, max] = scene.bounds;
  const { columns, rows, heights } = ground;
  return (x, y) => {
    const u = clamp(((x - min[0]) / (max[0] - min[0])) * (columns - 1), 0, columns - 1);
    const v = clamp(((y - min[1]) / (max[1] - min[1])) * (rows - 1), 0, rows - 1);
    const column = Math.min(Math.floor(u), columns - 2);
    const row = Math.min(Math.floor(v), rows - 2);
    const at = (c: number, r: number) => heights[r * columns + c] ?? elevation;
    const south = at(column, row) + (at(column + 1, row) - at(column, row)) * (u - column);
    const north = at(column, row + 1) + (at(column + 1, row + 1) - at(column, row + 1)) * (u - column);
    return south + (north - south) * (v - row);
  };
}

/**
 * Where a ray meets the ground of a layer, or `null` if it looks past it. `origin` and `direction` are
 * [x, y, height]. Terrain is found by walking along the ray and bisecting the piece that goes below it.
 */
export function rayToGround(
  heightAt: HeightAt,
  flat: boolean,
  origin: [number, number, number],
  direction: [number, number, number],
  reach: number,
): Point | null {
  const at = (t: number): [number, number, number] => [
    origin[0] + direction[0] * t,
    origin[1] + direction[1] * t,
    origin[2] + direction[2] * t,
  ];
  const above = (t: number) => {
    const [x, y, h] = at(t);
    return h - heightAt(x, y);
  };
  if (flat) {
    if (direction[2] === 0) return null;
    const t = (heightAt(0, 0) - origin[2]) / direction[2];
    return t > 0 && t <= reach ? (at(t).slice(0, 2) as Point) : null;
  }
  const pieces = 400;
  let before = 0;
  for (let i = 1; i <= pieces; i++) {
    const t = (reach * i) / pieces;
    if (above(t) <= 0 && above(before) > 0) {
      let [low, high] = [before, t];
      for (let k = 0; k < 24; k++) {
        const middle = (low + high) / 2;
        if (above(middle) > 0) low = middle;
        else high = middle;
      }
      return at(high).slice(0, 2) as Point;
    }
    before = t;
  }
  return null;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** How solids stand on the ground, and where rays meet them. */
import { drapedLine } from "./drape.ts";
import { boxOf, centroid, contains, signedArea } from "./geometry.ts";
import { raised, type HeightAt, type Lattice } from "./heights.ts";
import type { Obstacle, Point, Polygon } from "../protocol.ts";

/** What is called a tree, and is as high as one, is drawn with a crown. */
export const isTree = (obstacle: Obstacle) => /\btrees?\b/i.test(obstacle.name) && obstacle.height >= 2;

/** Half the width of a tree's crown, m. */
export const crownRadius = (height: number) => Math.min(2.2, height * 0.28);

/** The crown of an obstacle that is a tree, seen from above, and its depth below the top, m. */
export function crownOf(obstacle: Obstacle, solid: Polygon): { outline: Polygon; depth: number } | null {
  if (!isTree(obstacle)) return null;
  const [[x, y], radius] = [centroid(solid), crownRadius(obstacle.height)];
  const corners = Array.from({ length: 8 }, (_, i): Point => [x + radius * Math.cos((i * Math.PI) / 4), y + radius * Math.sin((i * Math.PI) / 4)]);
  return { outline: corners, depth: 2.3 * radius };
}

export interface Standing {
  bottom: HeightAt;
  top: HeightAt;
}

/** Walls reach so far into terrain, m: its triangles rise and fall between the places where walls are cut. */
const ROOT = 0.5;
/** Who is no wider than this, m, and at least so many times as long, is a wall. */
const WALL = { width: 2, times: 5 };

/** Walls follow the ground. Everything else has a level roof, `height` above the highest ground under it, and stands on the lowest. */
export function standing(solid: Polygon, height: number, heightAt: HeightAt): Standing {
  if (heightAt.lattice && isWall(solid)) return { bottom: raised(heightAt, -ROOT), top: raised(heightAt, height) };
  const { lowest, highest } = underneath(solid, heightAt);
  return { bottom: () => lowest, top: () => highest + height };
}

/**
 * How far along a ray it enters a solid, or `null` if it passes. Above the ground the ray goes into and out of the outline
 * where it crosses its edges; in between it meets the solid where it comes below its top.
 */
export function meets(ray: { origin: [number, number, number]; direction: [number, number, number] }, solid: Polygon, { bottom, top }: Standing): number | null {
  const { origin, direction } = ray;
  const place = (t: number): Point => [origin[0] + direction[0] * t, origin[1] + direction[1] * t];
  const height = (t: number) => origin[2] + direction[2] * t;
  const above = (t: number) => height(t) - top(...place(t));
  const crossings = crossingsOf(origin, direction, solid);
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [enters, leaves] = [Math.max(0, crossings[i]!), crossings[i + 1]!];
    if (leaves <= enters) continue;
    for (let k = 0, before = enters; k <= SAMPLES; k++) {
      const t = enters + ((leaves - enters) * k) / SAMPLES;
      if (above(t) <= 0) {
        const hit = k === 0 ? t : bisected(above, before, t);
        if (height(hit) >= bottom(...place(hit)) - 1e-6) return hit;
        break;
      }
      before = t;
    }
  }
  return null;
}

const SAMPLES = 16;

/** Halved so often that it is exact even for rays straight down, which are in an outline for ever. */
function bisected(above: (t: number) => number, low: number, high: number): number {
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (above(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

/** Where a ray, seen from above, goes into and out of an outline; a ray straight down is always in it or never. */
function crossingsOf([ox, oy]: [number, number, number], [dx, dy, dh]: [number, number, number], outline: Polygon): number[] {
  if (Math.hypot(dx, dy) < 1e-9 * Math.abs(dh)) [dx, dy] = [1e-9, 0];
  const found: number[] = [];
  const side = ([x, y]: Point) => (x - ox) * dy - (y - oy) * dx;
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length]!;
    const [p, q] = [side(a), side(b)];
    if (p >= 0 === q >= 0) return;
    const f = p / (p - q);
    const [x, y] = [a[0] + (b[0] - a[0]) * f - ox, a[1] + (b[1] - a[1]) * f - oy];
    found.push((x * dx + y * dy) / (dx * dx + dy * dy));
  });
  return found.sort((a, b) => a - b);
}

function isWall(solid: Polygon): boolean {
  const around = solid.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = solid[(i + 1) % solid.length]!;
    return sum + Math.hypot(nextX - x, nextY - y);
  }, 0);
  const width = (2 * Math.abs(signedArea(solid))) / around;
  return width <= WALL.width && around / 2 >= (WALL.times + 1) * width;
}

interface Underneath {
  lowest: number;
  highest: number;
}

/** Solids are made anew with each scene and each place they are dragged to: what is under one of them does not change. */
const known = new WeakMap<Polygon, Underneath>();

function underneath(solid: Polygon, heightAt: HeightAt): Underneath {
  const { lattice } = heightAt;
  if (!lattice) return { lowest: heightAt(...solid[0]!), highest: heightAt(...solid[0]!) };
  let found = known.get(solid);
  if (!found) {
    const heights = [...drapedLine(solid, true, heightAt).map(({ point }) => point), ...within(solid, lattice)].map((point) => heightAt(...point));
    known.set(solid, (found = { lowest: least(heights), highest: -least(heights.map((height) => -height)) }));
  }
  return found;
}

const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);

/** The points of a lattice in an outline. */
function within(outline: Polygon, { origin, cell, columns, rows }: Lattice): Point[] {
  const { min, max } = boxOf(outline)!;
  const range = (k: 0 | 1, count: number) => {
    const index = (value: number) => (value - origin[k]) / cell[k];
    const [first, last] = [Math.max(0, Math.ceil(index(min[k]))), Math.min(count - 1, Math.floor(index(max[k])))];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => origin[k] + cell[k] * (first + i));
  };
  const ys = range(1, rows);
  return range(0, columns).flatMap((x) => ys.map((y): Point => [x, y]).filter((point) => contains(outline, point)));
}

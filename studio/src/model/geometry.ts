/** Points and polygons on the ground, in metres. */
import type { Point, Polygon } from "../protocol.ts";

export const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];
export const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
export const scale = (a: Point, by: number): Point => [a[0] * by, a[1] * by];
export const length = (a: Point): number => Math.hypot(a[0], a[1]);
export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
export const lerp = (a: Point, b: Point, f: number): Point => [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f];

/** To the nearest centimetre: what a hand means, and what a scene file should say. */
export const rounded = (p: Point): Point => [roundedTo(p[0], 0.01), roundedTo(p[1], 0.01)];

export function roundedTo(value: number, quantum: number): number {
  // Dividing by the number of quanta per unit gives 0.07 where multiplying gives 0.07000000000000001.
  const perUnit = Math.round(1 / quantum);
  const result = Math.round(value * perUnit) / perUnit;
  return result === 0 ? 0 : result;
}

/** How many of some people are outside of the bounds. */
export function countOutside(people: { count: number; x: Float32Array; y: Float32Array }, [min, max]: [Point, Point]): number {
  let outside = 0;
  for (let i = 0; i < people.count; i++) {
    const [x, y] = [people.x[i]!, people.y[i]!];
    if (x < min[0] || x > max[0] || y < min[1] || y > max[1]) outside++;
  }
  return outside;
}

/** Twice the area with its sign: positive if the outline is counter-clockwise. */
export function signedArea(polygon: Polygon): number {
  let sum = 0;
  for (let i = 0; i < polygon.length; i++) {
    const a = polygon[i]!;
    const b = polygon[(i + 1) % polygon.length]!;
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum / 2;
}

/** An outline in counter-clockwise order. */
export const counterClockwise = (polygon: Polygon): Polygon => (signedArea(polygon) < 0 ? [...polygon].reverse() : polygon);

export function centroid(polygon: Polygon): Point {
  const area = signedArea(polygon);
  if (Math.abs(area) < 1e-9) {
    const sum = polygon.reduce<Point>((s, p) => add(s, p), [0, 0]);
    return scale(sum, 1 / Math.max(1, polygon.length));
  }
  let x = 0;
  let y = 0;
  for (let i = 0; i < polygon.length; i++) {
    const a = polygon[i]!;
    const b = polygon[(i + 1) % polygon.length]!;
    const cross = a[0] * b[1] - a[1] * b[0];
    x += (a[0] + b[0]) * cross;
    y += (a[1] + b[1]) * cross;
  }
  return [x / (6 * area), y / (6 * area)];
}

export function contains(polygon: Polygon, p: Point): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const a = polygon[i]!;
    const b = polygon[j]!;
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

export function distanceToSegment(p: Point, a: Point, b: Point): number {
  return distance(p, nearestOnSegment(p, a, b));
}

export function nearestOnSegment(p: Point, a: Point, b: Point): Point {
  const d = subtract(b, a);
  const lengthSquared = d[0] * d[0] + d[1] * d[1];
  const along = lengthSquared === 0 ? 0 : ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / lengthSquared;
  return add(a, scale(d, Math.min(1, Math.max(0, along))));
}

/** The point of an outline nearest to another, and the outward normal of its edge if the outline is counter-clockwise. */
export function nearestOn(outline: Polygon, p: Point): { point: Point; normal: Point } {
  let best = { point: outline[0]!, normal: [1, 0] as Point, apart: Infinity };
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length]!;
    const [point, along] = [nearestOnSegment(p, a, b), distance(a, b)];
    const apart = distance(p, point);
    if (apart < best.apart && along > 0) best = { point, normal: [(b[1] - a[1]) / along, (a[0] - b[0]) / along], apart };
  });
  return best;
}

/** An outline with points added where edges of other outlines cross its edges, and where corners of theirs are within `near` metres of them. */
export function splitBy(outline: Polygon, others: Polygon[], near: number): Polygon {
  return outline.flatMap((a, i) => {
    const b = outline[(i + 1) % outline.length]!;
    const cuts: Point[] = [];
    for (const other of others) {
      other.forEach((c, k) => {
        const d = other[(k + 1) % other.length]!;
        const onEdge = nearestOnSegment(c, a, b);
        if (distance(c, onEdge) < near) cuts.push(onEdge);
        const [p, q] = [sideOf(c, d, a), sideOf(c, d, b)];
        if (segmentsCross(a, b, c, d)) cuts.push(lerp(a, b, p / (p - q)));
      });
    }
    cuts.sort((p, q) => distance(a, p) - distance(a, q));
    return withoutRepeats([a, ...cuts, b], 1e-6).slice(0, -1);
  });
}

export type Box = { min: Point; max: Point };

export function boxOf(points: Iterable<Point>): Box | null {
  let box: Box | null = null;
  for (const [x, y] of points) {
    if (!box) box = { min: [x, y], max: [x, y] };
    box.min = [Math.min(box.min[0], x), Math.min(box.min[1], y)];
    box.max = [Math.max(box.max[0], x), Math.max(box.max[1], y)];
  }
  return box;
}

/** The rectangle with two opposite corners, smallest coordinates first. */
export function rectangle(a: Point, b: Point): [Point, Point] {
  return [
    rounded([Math.min(a[0], b[0]), Math.min(a[1], b[1])]),
    rounded([Math.max(a[0], b[0]), Math.max(a[1], b[1])]),
  ];
}

export function cornersOf([min, max]: [Point, Point]): Polygon {
  return [min, [max[0], min[1]], max, [min[0], max[1]]];
}

/** Leaves out points that repeat the one before: double clicks end polygons with one. */
export function withoutRepeats(points: Point[], within = 0.05): Point[] {
  return points.filter((p, i) => i === 0 || distance(p, points[i - 1]!) > within);
}

/** Whether an outline crosses itself; the server refuses those, so tools warn first. */
export function crossesItself(polygon: Polygon): boolean {
  const n = polygon.length;
  for (let i = 0; i < n; i++) {
    for (let j = i + 2; j < n; j++) {
      if (i === 0 && j === n - 1) continue;
      if (segmentsCross(polygon[i]!, polygon[(i + 1) % n]!, polygon[j]!, polygon[(j + 1) % n]!)) return true;
    }
  }
  return false;
}

const sideOf = (p: Point, q: Point, r: Point): number => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);

function segmentsCross(a: Point, b: Point, c: Point, d: Point): boolean {
  return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
}

/** Places along a stroke, at least `spacing` apart from each other and from `taken`. */
export function spaced(stroke: Point[], spacing: number, taken: Point[] = []): Point[] {
  const placed: Point[] = [];
  const free = (p: Point) => [...taken, ...placed].every((q) => distance(p, q) >= spacing - 1e-9);
  let previous: Point | null = null;
  for (const point of stroke) {
    const from = previous ?? point;
    const pieces = Math.max(1, Math.ceil(distance(from, point) / (spacing / 4)));
    for (let i = previous ? 1 : pieces; i <= pieces; i++) {
      const p = rounded(lerp(from, point, i / pieces));
      if (free(p)) placed.push(p);
    }
    previous = point;
  }
  return placed;
}

/** The angle from `from` to `to` the short way, in (-π, π]. */
export function turn(from: number, to: number): number {
  const full = 2 * Math.PI;
  let difference = (to - from) % full;
  if (difference > Math.PI) difference -= full;
  if (difference <= -Math.PI) difference += full;
  return difference;
}

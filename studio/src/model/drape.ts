/**
 * Laying shapes on terrain: lines and polygons are cut where the ground bends, so that each piece is as flat as the
 * ground under it. Level ground has no lattice, and nothing is cut.
 */
import type { Point } from "../protocol.ts";
import { boxOf, signedArea } from "./geometry.ts";
import type { HeightAt, Lattice } from "./heights.ts";

/** A convex polygon in pieces that lie in one triangle of the lattice each. */
export function drapedPieces(polygon: Point[], lattice: Lattice | undefined): Point[][] {
  if (!lattice) return [polygon];
  const { origin, cell, columns, rows } = lattice;
  const u = (p: Point) => (p[0] - origin[0]) / cell[0];
  const v = (p: Point) => (p[1] - origin[1]) / cell[1];
  const point = (column: number, row: number): Point => [origin[0] + column * cell[0], origin[1] + row * cell[1]];
  const pieces: Point[][] = [];
  const cut = (column: number, part: Point[]) => {
    for (const [row, piece] of strips(part, v, rows)) {
      // Beyond the lattice the ground goes on as at its edge, and no cell is parted.
      if (column < 0 || row < 0 || column > columns - 2 || row > rows - 2) pieces.push(piece);
      else {
        const side = (p: Point) => u(p) - column - (v(p) - row);
        pieces.push(...[clipped(piece, side), clipped(piece, (p) => -side(p))].filter(isArea));
      }
    }
  };
  for (const [column, strip] of strips(polygon, u, columns)) {
    const [first, last] = column < 0 || column > columns - 2 ? [0, 0] : wholeCells(strip, u, v, column, rows);
    if (last - first < 2) {
      cut(column, strip);
      continue;
    }
    // Cells that are covered as a whole, most of them where there are many, need no cutting.
    const below = clipped(strip, (p) => first - v(p));
    const above = clipped(strip, (p) => v(p) - last);
    if (isArea(below)) cut(column, below);
    if (isArea(above)) cut(column, above);
    for (let row = first; row < last; row++) {
      const [near, far] = [point(column, row), point(column + 1, row + 1)];
      pieces.push([near, point(column + 1, row), far], [near, far, point(column, row + 1)]);
    }
  }
  return pieces;
}

/** From which row to which a convex part of a column covers all of it. */
function wholeCells(strip: Point[], u: (p: Point) => number, v: (p: Point) => number, column: number, rows: number): [number, number] {
  let [first, last] = [0, rows - 1];
  for (const side of [column, column + 1]) {
    const along = strip.filter((p) => Math.abs(u(p) - side) < 1e-7).map(v);
    if (along.length < 2) return [0, 0];
    first = Math.max(first, Math.ceil(Math.min(...along)));
    last = Math.min(last, Math.floor(Math.max(...along)));
  }
  return [first, last];
}

/** A polyline with more points, so that none of its pieces is longer than a cell; `along` tells how far each is, counted in the pieces it had. */
export function drapedLine(points: Point[], closed: boolean, heightAt: HeightAt): { point: Point; along: number }[] {
  const n = points.length;
  const longest = heightAt.lattice ? Math.min(...heightAt.lattice.cell) : Infinity;
  const pieces = closed ? n : n - 1;
  const result: { point: Point; along: number }[] = [];
  for (let i = 0; i < pieces; i++) {
    const [a, b] = [points[i]!, points[(i + 1) % n]!];
    const parts = Math.max(1, Math.min(MOST_PARTS, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / longest)));
    for (let k = 0; k < parts; k++) {
      const f = k / parts;
      result.push({ point: [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f], along: i + f });
    }
  }
  if (!closed) result.push({ point: points[n - 1]!, along: pieces });
  return result;
}

const MOST_PARTS = 512;

/** The parts of a polygon between whole numbers of a coordinate, with the number at their lower side; what is outside of the lattice is one part. */
function strips(polygon: Point[], coordinate: (p: Point) => number, lines: number): [number, Point[]][] {
  const values = polygon.map(coordinate);
  const index = (value: number) => Math.max(-1, Math.min(lines - 1, Math.floor(value)));
  const [first, last] = [index(Math.min(...values)), index(Math.max(...values))];
  if (first === last) return [[first, polygon]];
  const found: [number, Point[]][] = [];
  let rest = polygon;
  for (let i = first; i < last; i++) {
    const piece = clipped(rest, (p) => i + 1 - coordinate(p));
    if (isArea(piece)) found.push([i, piece]);
    rest = clipped(rest, (p) => coordinate(p) - (i + 1));
  }
  if (isArea(rest)) found.push([last, rest]);
  return found;
}

/** The parts of a convex polygon that are outside of another, which is convex and counter-clockwise. */
export function outside(polygon: Point[], other: Point[]): Point[][] {
  const [here, there] = [boxOf(polygon)!, boxOf(other)!];
  if ([0, 1].some((k) => here.max[k]! <= there.min[k]! || here.min[k]! >= there.max[k]!)) return [polygon];
  const parts: Point[][] = [];
  let rest = polygon;
  other.forEach((a, i) => {
    const b = other[(i + 1) % other.length]!;
    const right = ([x, y]: Point) => (y - a[1]) * (a[0] - b[0]) - (x - a[0]) * (a[1] - b[1]);
    const part = clipped(rest, right);
    if (isArea(part) && Math.abs(signedArea(part)) > 1e-9) parts.push(part);
    rest = clipped(rest, (p) => -right(p));
  });
  return parts;
}

const isArea = (polygon: Point[]) => polygon.length >= 3;

/** The part of a convex polygon where `inside` is not negative (Sutherland-Hodgman). */
export function clipped(polygon: Point[], inside: (p: Point) => number): Point[] {
  return polygon.flatMap((p, i) => {
    const q = polygon[(i + 1) % polygon.length]!;
    const [a, b] = [inside(p), inside(q)];
    const out: Point[] = a >= 0 ? [p] : [];
    if (a * b < 0) out.push([p[0] + ((q[0] - p[0]) * a) / (a - b), p[1] + ((q[1] - p[1]) * a) / (a - b)]);
    return out;
  });
}

/**
 * Shapes on the ground, gathered into one mesh: fills, ribbons, discs, arrows and prisms.
 *
 * Everything of a kind is one draw call however many there are. Coordinates are those of the ground; heights
 * come from a function, and on terrain shapes are cut so that they lie on it.
 */
import { BufferAttribute, BufferGeometry, Color, ShapeUtils, Vector2 } from "three";
import { drapedLine, drapedPieces, outside } from "../model/drape.ts";
import type { HeightAt } from "../model/heights.ts";
import type { Point, Polygon } from "../protocol.ts";
import { counterClockwise } from "../model/geometry.ts";
import type { Place } from "./axes.ts";

export type Paint = { color: Color; alpha: number };

export const paint = (color: string | Color, alpha = 1): Paint => ({ color: new Color(color), alpha });

export class MeshBuilder {
  private positions = new Float32Array(3 * 96);
  private normals = new Float32Array(3 * 96);
  private colors = new Float32Array(4 * 96);
  private count = 0;

  get empty(): boolean {
    return this.count === 0;
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.positions.slice(0, 3 * this.count), 3));
    geometry.setAttribute("normal", new BufferAttribute(this.normals.slice(0, 3 * this.count), 3));
    geometry.setAttribute("color", new BufferAttribute(this.colors.slice(0, 4 * this.count), 4));
    return geometry;
  }

  triangle(a: Place, b: Place, c: Place, normal: Place, paints: [Paint, Paint, Paint] | Paint): void {
    const [one, two, three] = Array.isArray(paints) ? paints : [paints, paints, paints];
    this.vertex(a, normal, one);
    this.vertex(b, normal, two);
    this.vertex(c, normal, three);
  }

  private vertex([x, y, height]: Place, [nx, ny, up]: Place, { color, alpha }: Paint): void {
    const at = this.count++;
    if (3 * at >= this.positions.length) {
      this.positions = doubled(this.positions);
      this.normals = doubled(this.normals);
      this.colors = doubled(this.colors);
    }
    this.positions[3 * at] = x;
    this.positions[3 * at + 1] = height;
    this.positions[3 * at + 2] = -y;
    this.normals[3 * at] = nx;
    this.normals[3 * at + 1] = up;
    this.normals[3 * at + 2] = -ny;
    this.colors[4 * at] = color.r;
    this.colors[4 * at + 1] = color.g;
    this.colors[4 * at + 2] = color.b;
    this.colors[4 * at + 3] = alpha;
  }

  quad(a: Place, b: Place, c: Place, d: Place, normal: Place, one: Paint, other: Paint = one): void {
    this.triangle(a, b, c, normal, [one, one, other]);
    this.triangle(a, c, d, normal, [one, other, other]);
  }

  /**
   * A polygon with holes, at the height of the ground. Convex areas may be cut out of it, and on terrain pieces that are steeper than a slope are left
   * out, metres up for each metre ahead.
   */
  fill(outline: Polygon, holes: Polygon[], heightAt: HeightAt, lift: number, color: Paint, cutOut: Polygon[] = [], steepest = Infinity): void {
    const ring = (polygon: Polygon) => polygon.map(([x, y]) => new Vector2(x, y));
    const outer = counterClockwise(outline);
    const all = [outer, ...holes].flat();
    const faces = ShapeUtils.triangulateShape(ring(outer), holes.map(ring));
    const areas = cutOut.map(counterClockwise);
    const without = (piece: Polygon) => areas.reduce((parts, area) => parts.flatMap((part) => outside(part, area)), [piece]);
    for (const [i, j, k] of faces as [number, number, number][]) {
      for (const piece of drapedPieces([all[i]!, all[j]!, all[k]!], heightAt.lattice).flatMap(without)) {
        const places = piece.map(([x, y]): Place => [x, y, heightAt(x, y) + lift]);
        const normal = heightAt.lattice ? slope(places) : UP;
        if (Math.hypot(normal[0], normal[1]) > steepest * normal[2]) continue;
        for (let n = 2; n < places.length; n++) this.triangle(places[0]!, places[n - 1]!, places[n]!, normal, color);
      }
    }
  }

  /** A convex, flat piece of anything. */
  surface(places: Place[], color: Paint): void {
    const normal = slope(places);
    for (let n = 2; n < places.length; n++) this.triangle(places[0]!, places[n - 1]!, places[n]!, normal, color);
  }

  /** A solid that stands on the ground. */
  prism(polygon: Polygon, bottom: HeightAt, top: HeightAt, color: Paint): void {
    const outline = counterClockwise(polygon);
    this.fill(outline, [], top, 0, color);
    this.fence(outline, bottom, top, color);
  }

  /** An upright strip around a polygon; pieces of it may be left out, by their middle. */
  fence(outline: Polygon, bottom: HeightAt, top: HeightAt, color: Paint, leftOut?: (middle: Point) => boolean): void {
    const points = drapedLine(outline, true, top.lattice ? top : bottom).map(({ point }) => point);
    for (let i = 0; i < points.length; i++) {
      const [a, b] = [points[i]!, points[(i + 1) % points.length]!];
      if (leftOut?.([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])) continue;
      const along = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const normal: Place = [(b[1] - a[1]) / along, -(b[0] - a[0]) / along, 0];
      this.quad([...a, bottom(...a)], [...b, bottom(...b)], [...b, top(...b)], [...a, top(...a)], normal, color);
    }
  }

  /** A flat line of some width; `shade` may paint it along its length, from 0 to 1. Pieces of it may be left out, by their middle. */
  ribbon(
    corners: Point[],
    closed: boolean,
    width: number | ((along: number) => number),
    heightAt: HeightAt,
    lift: number,
    shade: Paint | ((along: number) => Paint),
    leftOut?: (middle: Point) => boolean,
  ): void {
    if (corners.length < 2) return;
    const line = drapedLine(corners, closed, heightAt);
    const points = line.map(({ point }) => point);
    const n = points.length;
    const whole = closed ? corners.length : corners.length - 1;
    const widthAt = typeof width === "number" ? () => width : width;
    const paintAt = typeof shade === "function" ? shade : () => shade;
    const pieces = closed ? n : n - 1;
    const side = (i: number): Point => {
      const before = points[closed ? (i + n - 1) % n : Math.max(0, i - 1)]!;
      const after = points[closed ? (i + 1) % n : Math.min(n - 1, i + 1)]!;
      const here = points[i % n]!;
      const one = unit(before, here);
      const two = unit(here, after);
      const d: Point = [one[0] + two[0], one[1] + two[1]];
      const size = Math.hypot(...d) || 1;
      // At a corner the ribbon is as wide as elsewhere, but a spike must not run away.
      const mitre = Math.min(2, 2 / Math.max(0.5, size));
      return [(-d[1] / size) * mitre, (d[0] / size) * mitre];
    };
    for (let i = 0; i < pieces; i++) {
      const j = (i + 1) % n;
      if (leftOut?.([(points[i]![0] + points[j]![0]) / 2, (points[i]![1] + points[j]![1]) / 2])) continue;
      const [fromAlong, toAlong] = [line[i]!.along / whole, (line[i + 1]?.along ?? whole) / whole];
      const edge = (k: number, along: number): [Place, Place] => {
        const p = points[k]!;
        const s = side(k);
        const half = widthAt(along) / 2;
        const place = (sign: number): Place => {
          const [x, y] = [p[0] + s[0] * half * sign, p[1] + s[1] * half * sign];
          return [x, y, heightAt(x, y) + lift];
        };
        return [place(-1), place(1)];
      };
      const [a, b] = edge(i, fromAlong);
      const [c, d] = edge(j, toAlong);
      this.quadAlong(a, c, d, b, paintAt(fromAlong), paintAt(toAlong));
    }
  }

  disc(center: Point, radius: number, heightAt: HeightAt, lift: number, color: Paint, segments = 20): void {
    this.fill(circle(center, radius, segments), [], heightAt, lift, color);
  }

  ring(center: Point, radius: number, width: number, heightAt: HeightAt, lift: number, color: Paint, segments = 32): void {
    this.ribbon(circle(center, radius, segments), true, width, heightAt, lift, color);
  }

  arrowhead(from: Point, to: Point, size: number, heightAt: HeightAt, lift: number, color: Paint): void {
    const [ux, uy] = unit(from, to);
    const at = (along: number, aside: number): Place => {
      const [x, y] = [to[0] + ux * along - uy * aside, to[1] + uy * along + ux * aside];
      return [x, y, heightAt(x, y) + lift];
    };
    this.triangle(at(-size, -size * 0.62), at(0, 0), at(-size, size * 0.62), [0, 0, 1], color);
  }

  private quadAlong(a: Place, b: Place, c: Place, d: Place, from: Paint, to: Paint): void {
    this.triangle(a, b, c, [0, 0, 1], [from, to, to]);
    this.triangle(a, c, d, [0, 0, 1], [from, to, from]);
  }
}

export function circle(center: Point, radius: number, segments = 32): Polygon {
  return Array.from({ length: segments }, (_, i): Point => {
    const angle = (i / segments) * 2 * Math.PI;
    return [center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)];
  });
}

const UP: Place = [0, 0, 1];

function doubled(numbers: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const more = new Float32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** The upward normal of a flat piece of ground. */
function slope([a, b, ...rest]: Place[]): Place {
  const c = rest[0]!;
  const [p, q] = [a!, b!];
  const [ux, uy, uh] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const [vx, vy, vh] = [c[0] - p[0], c[1] - p[1], c[2] - p[2]];
  const normal: Place = [uy * vh - uh * vy, uh * vx - ux * vh, ux * vy - uy * vx];
  const size = Math.hypot(...normal) * Math.sign(normal[2]);
  return size === 0 ? UP : [normal[0] / size, normal[1] / size, normal[2] / size];
}

function unit(a: Point, b: Point): Point {
  const size = Math.hypot(b[0] - a[0], b[1] - a[1]);
  return size > 0 ? [(b[0] - a[0]) / size, (b[1] - a[1]) / size] : [0, 0];
}

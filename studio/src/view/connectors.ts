/** Stairs with their steps, and ramps, as solids. */
import { flights, progress, surface, treadHeight, type Flight } from "../model/climb.ts";
import { drapedLine } from "../model/drape.ts";
import type { HeightAt } from "../model/heights.ts";
import type { Connector, Point } from "../protocol.ts";
import type { Place } from "./axes.ts";
import type { MeshBuilder, Paint } from "./mesh-builder.ts";

/** More treads than this are drawn as a ramp: no stairs have them, and nobody could tell. */
const MOST_TREADS = 500;
/** A ramp whose foot and head are not parallel is not flat, and is drawn in so many parts. */
const PARTS = 24;

/** How deep a connector reaches, m: to the floor at its foot, and into it where that is terrain. */
export function footing({ polygon, ends }: Connector, heightAt: HeightAt): number {
  const heights = heightAt.lattice ? drapedLine(polygon, true, heightAt).map(({ point }) => heightAt(...point) - 0.1) : [];
  return Math.min(...ends, ...heights);
}

/** Adds a connector that stands on the height `base`. */
export function buildConnector(builder: MeshBuilder, connector: Connector, base: number, color: Paint): void {
  const { risers } = connector;
  if (risers >= 2 && risers <= MOST_TREADS) stairs(builder, connector, base, color);
  else ramp(builder, connector, base, color);
}

/**
 * Each tread with the riser before it and the sides below it. Sides of neighbours have the part of an edge in common
 * that they share, so that no line is drawn there: it is one wall.
 */
function stairs(builder: MeshBuilder, connector: Connector, base: number, color: Paint): void {
  const all = flights(connector, connector.risers - 1);
  const [low, high] = connector.ends;
  all.forEach((flight, i) => {
    const tread = Math.round(flight.from * (connector.risers - 1));
    const height = treadHeight(connector, tread);
    const before = tread === 0 ? low : treadHeight(connector, tread - 1);
    builder.fill(flight.outline, [], () => height, 0, color);
    eachEdge(flight, connector, (a, b, [atA, atB], normal) => {
      const [below, above] = [(t: number) => isAt(t, flight.from), (t: number) => isAt(t, flight.to)];
      if (below(atA) && below(atB)) upright(builder, a, b, i === 0 ? base : before, height, normal, color);
      else if (!(above(atA) && above(atB))) side(builder, [a, b], [below(atA) ? before : height, below(atB) ? before : height], base, height, normal, color);
      else if (i === all.length - 1) upright(builder, a, b, base, high, normal, color);
    });
  });
}

function ramp(builder: MeshBuilder, connector: Connector, base: number, color: Paint): void {
  const slope = { ...connector, risers: 0 };
  const heightAt = (x: number, y: number) => surface(slope, [x, y]);
  const all = flights(connector, isEven(connector) ? 1 : PARTS);
  all.forEach((flight, i) => {
    const places = flight.outline.map(([x, y]): Place => [x, y, heightAt(x, y)]);
    builder.surface(places, color);
    eachEdge(flight, connector, (a, b, [atA, atB], normal) => {
      const isCut = (at: number) => isAt(atA, at) && isAt(atB, at);
      if ((i > 0 && isCut(flight.from)) || (i + 1 < all.length && isCut(flight.to))) return;
      builder.quad([...a, base], [...b, base], [...b, heightAt(...b)], [...a, heightAt(...a)], normal, color);
    });
  });
}

const isAt = (progress: number, at: number) => Math.abs(progress - at) < 1e-5;

/** Whether the edges at foot and head are parallel. */
function isEven({ polygon, edges }: Connector): boolean {
  const [one, other] = edges.map((edge): Point => {
    const [a, b] = [polygon[edge]!, polygon[(edge + 1) % polygon.length]!];
    const size = Math.hypot(b[0] - a[0], b[1] - a[1]);
    return [(b[0] - a[0]) / size, (b[1] - a[1]) / size];
  });
  return Math.abs(one![0] * other![1] - one![1] * other![0]) < 1e-3;
}

/** Goes around a flight: each edge with the progress of its ends and its outward normal. */
function eachEdge({ outline }: Flight, connector: Connector, visit: (a: Point, b: Point, at: [number, number], normal: Place) => void): void {
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length]!;
    const along = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (along > 1e-6) visit(a, b, [progress(connector, a), progress(connector, b)], [(b[1] - a[1]) / along, -(b[0] - a[0]) / along, 0]);
  });
}

function upright(builder: MeshBuilder, a: Point, b: Point, bottom: number, top: number, normal: Place, color: Paint): void {
  builder.quad([...a, bottom], [...b, bottom], [...b, top], [...a, top], normal, color);
}

/** The wall under a tread; `shared` says up to which height it goes on beyond its ends. */
function side(builder: MeshBuilder, [a, b]: [Point, Point], shared: [number, number], base: number, top: number, normal: Place, color: Paint): void {
  const corners: Place[] = [[...a, base], [...b, base], [...b, shared[1]], [...b, top], [...a, top], [...a, shared[0]]];
  const outline = corners.filter((corner, i) => i === 0 || corner[2] !== corners[i - 1]![2] || corner[0] !== corners[i - 1]![0] || corner[1] !== corners[i - 1]![1]);
  // From a corner at the base, from which all others are seen.
  const [first, ...rest] = shared[0] === top ? outline : [...outline.slice(1), outline[0]!];
  for (let i = 1; i < rest.length; i++) builder.triangle(first!, rest[i - 1]!, rest[i]!, normal, color);
}

/** How stairs and ramps climb, as people on them do. */
import type { Connector, Point, Polygon } from "../protocol.ts";
import { clipped } from "./drape.ts";

/** How far a place is above the foot's edge and below the head's, m: the climb is the first as a part of both. */
function distances({ polygon, edges }: Connector, [x, y]: Point): [number, number] {
  const [below, above] = edges.map((edge) => {
    const [a, b] = [polygon[edge]!, polygon[(edge + 1) % polygon.length]!];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    return Math.max(0, (dx * (y - a[1]) - dy * (x - a[0])) / Math.hypot(dx, dy));
  });
  return [below!, above!];
}

/** How far up a place is: 0 at the foot, 1 at the head. */
export function progress(connector: Connector, at: Point): number {
  const [below, above] = distances(connector, at);
  return below + above > 0 ? below / (below + above) : 0.5;
}

/** A part of a connector that is climbed at once, between two progresses. */
export interface Flight {
  from: number;
  to: number;
  outline: Polygon;
}

/** A connector in so many flights, from its foot to its head. Places with the same progress are on a line, so they are cut straight. */
export function flights(connector: Connector, count: number): Flight[] {
  const side = (at: number) => (p: Point) => {
    const [below, above] = distances(connector, p);
    return (1 - at) * below - at * above;
  };
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i / count, (i + 1) / count];
    const upper = i === 0 ? connector.polygon : clipped(connector.polygon, side(from));
    const outline = i + 1 === count ? upper : clipped(upper, (p) => -side(to)(p));
    return { from, to, outline };
  }).filter(({ outline }) => outline.length >= 3);
}

/** The height of the surface at a place: of the tread there, if there are steps. */
export function surface(connector: Connector, at: Point): number {
  const [low, high] = connector.ends;
  const climbed = progress(connector, at);
  const { risers } = connector;
  if (risers === 0) return low + (high - low) * climbed;
  if (risers === 1) return climbed < 0.5 ? low : high;
  return treadHeight(connector, Math.min(Math.floor(climbed * (risers - 1)), risers - 2));
}

/** The height of a tread, counted from the foot. The first step is at the foot and the last one at the head, onto the upper floor. */
export function treadHeight({ ends: [low, high], risers }: Connector, tread: number): number {
  return low + ((high - low) * (tread + 1)) / risers;
}

/** A view of one person: as large as asked for, and from a side from which nothing hides them. */
import { eyeOf, type Surroundings } from "./clearance.ts";
import type { Camera } from "./view-url.ts";

/** How much of the picture's height a person fills. */
export const PERSON_SHARE = 1 / 3;
/** Tilts that are tried, radians: the lower the camera, the more is seen of a person. */
const TILTS = [1.25, 1.05, 0.8, 0.5, 0.25];
/** Turns that are tried for each of them, radians. */
const TURNS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6].map((step) => (step * Math.PI) / 6);
/** Heights of the person that should be seen, as parts of the whole. */
const SEEN = [0.2, 0.55, 0.95];

/** Somebody who may stand in the way: place of the feet, height and half the width, m. */
export interface UprightBody {
  place: [number, number, number];
  height: number;
  girth: number;
}

/**
 * The view of somebody who stands at a place and is `height` metres tall. It looks from where `before` does if they are seen from there, or from the
 * nearest direction from which they are; in a press, from where fewest people hide them. `lens` is the tangent of half the angle of view, `margin` the
 * clearance of the camera, m.
 */
export function personView(
  place: [number, number, number],
  height: number,
  before: Camera,
  lens: number,
  surroundings: Surroundings | null,
  margin: number,
  others: readonly UprightBody[] = [],
): Camera {
  const [x, y, ground] = place;
  const target: Camera["target"] = [x, y, ground + height / 2];
  const views = TILTS.flatMap((tilt) => TURNS.map((turn): Camera => ({ target, azimuth: before.azimuth + turn, tilt, distance: distanceFor(height, tilt, lens, PERSON_SHARE) })));
  const parts = SEEN.map((part): [number, number, number] => [x, y, ground + part * height]);
  const isOpen = (view: Camera) => {
    const eye = eyeOf(view);
    return !surroundings || (surroundings.isFree(eye, margin) && parts.every((part) => surroundings.sees(eye, part)));
  };
  const hidden = (view: Camera) => {
    const eye = eyeOf(view);
    return others.reduce((sum, other) => sum + parts.filter((part) => isBetween(eye, part, other)).length, 0);
  };
  let best: { view: Camera; hidden: number } | null = null;
  for (const view of views) {
    if (!isOpen(view)) continue;
    const count = hidden(view);
    if (count === 0) return view;
    if (count < (best?.hidden ?? Infinity)) best = { view, hidden: count };
  }
  return best?.view ?? views[0]!;
}

/** Whether a body is between a camera and what it looks at. */
function isBetween(eye: [number, number, number], to: [number, number, number], { place: [x, y, ground], height, girth }: UprightBody): boolean {
  const [dx, dy, dh] = [to[0] - eye[0], to[1] - eye[1], to[2] - eye[2]];
  const along = ((x - eye[0]) * dx + (y - eye[1]) * dy) / Math.max(1e-9, dx * dx + dy * dy);
  if (along <= 0 || along >= 1) return false;
  const beside = Math.hypot(eye[0] + along * dx - x, eye[1] + along * dy - y);
  const above = eye[2] + along * dh - ground;
  return beside < girth && above > 0 && above < height;
}

/**
 * Distance from which something upright fills a share of the picture's height, with its middle looked at. Its ends are nearer and farther than its
 * middle by c = h/2 cos(tilt), so the picture of both halves together is h sin(tilt) d / (d² - c²).
 */
export function distanceFor(height: number, tilt: number, lens: number, share: number): number {
  const k = (height * Math.sin(tilt)) / (2 * lens * share);
  const c = (height / 2) * Math.cos(tilt);
  return (k + Math.sqrt(k * k + 4 * c * c)) / 2;
}

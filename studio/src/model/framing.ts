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

/**
 * The view of somebody who stands at a place and is `height` metres tall. It looks from where `before` does if they are seen from there, or from the
 * nearest direction from which they are. `lens` is the tangent of half the angle of view, `margin` the clearance of the camera, m.
 */
export function personView(place: [number, number, number], height: number, before: Camera, lens: number, surroundings: Surroundings | null, margin: number): Camera {
  const [x, y, ground] = place;
  const target: Camera["target"] = [x, y, ground + height / 2];
  const views = TILTS.flatMap((tilt) => TURNS.map((turn): Camera => ({ target, azimuth: before.azimuth + turn, tilt, distance: distanceFor(height, tilt, lens, PERSON_SHARE) })));
  const isSeen = (view: Camera) => {
    const eye = eyeOf(view);
    return !surroundings || (surroundings.isFree(eye, margin) && SEEN.every((part) => surroundings.sees(eye, [x, y, ground + part * height])));
  };
  return views.find(isSeen) ?? views[0]!;
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

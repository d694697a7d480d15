/**
 * Keeps the camera out of solids, and tells what it sees past them.
 *
 * Solids are obstacles, tree crowns, stairs and ramps, as upright prisms; slabs are the floors above the lowest; the ground is the lowest floor.
 * A camera position in one of them is moved nearer to its target, higher, or farther away, whichever changes the picture least.
 */
import type { Point, Polygon, SceneEvent } from "../protocol.ts";
import { surface } from "./climb.ts";
import { cutHeight, drawnHeight, hasGround, isFloorShown, shownFloors, type FloorChoice } from "./floors.ts";
import { boxOf, contains, distanceToSegment, type Box } from "./geometry.ts";
import { heightsOf, rayToGround, type HeightAt } from "./heights.ts";
import { crownOf, meets, standing, type Standing } from "./standing.ts";
import type { Camera } from "./view-url.ts";

type Place = [x: number, y: number, height: number];

/** How far above terrain the camera stays, m. */
const ABOVE_TERRAIN = 1.5;
/** The camera is not moved nearer to its target than this, m. */
const SHORTEST = 1.2;
/** What it costs to lose sight of the target, in units of `cost`. */
const HIDDEN_COST = 1.5;
/** Steps in which a free camera position is searched, along the distance and the tilt. */
const STEPS = 96;

interface Solid extends Standing {
  outline: Polygon;
  box: Box;
}

interface Slab {
  heightAt: HeightAt;
  layer: number;
}

export class Surroundings {
  private readonly solids: Solid[] = [];
  private readonly slabs: Slab[];
  private readonly ground: HeightAt;
  /** Height of the highest solid or floor, m. */
  top: number;

  /** All that is drawn of a scene with a floor chosen and walls cut at a height above their ground, m. */
  constructor(
    private readonly scene: SceneEvent,
    chosen: FloorChoice,
    wallCut = Infinity,
  ) {
    const [lowest = 0, ...upper] = shownFloors(scene, chosen);
    this.ground = heightsOf(scene, lowest);
    this.slabs = upper.map((layer) => ({ layer, heightAt: heightsOf(scene, layer) }));
    this.top = Math.max(...shownFloors(scene, chosen).map((layer) => heightsOf(scene, layer).lattice?.highest ?? scene.layers[layer]!.elevation));
    const cut = cutHeight(scene, chosen);
    for (const obstacle of scene.obstacles) {
      if (!obstacle.here || !isFloorShown(scene, obstacle.layer, chosen)) continue;
      const height = drawnHeight(scene, obstacle, wallCut, cut);
      for (const solid of obstacle.solids) {
        const { bottom, top } = standing(solid, height, heightsOf(scene, obstacle.layer));
        const crown = height === obstacle.height ? crownOf(obstacle, solid) : null;
        this.add(solid, bottom, top);
        if (crown) this.add(crown.outline, () => top(...solid[0]!) - crown.depth, top);
      }
    }
    for (const connector of scene.connectors) {
      if (!isFloorShown(scene, connector.lower, chosen)) continue;
      const slope = { ...connector, risers: 0 };
      this.add(connector.polygon, () => Math.min(...connector.ends), (x, y) => surface(slope, [x, y]));
    }
  }

  private add(outline: Polygon, bottom: HeightAt, top: HeightAt): void {
    const box = boxOf(outline);
    if (!box) return;
    this.solids.push({ outline, box, bottom, top });
    this.top = Math.max(this.top, ...outline.map((p) => top(...p)));
  }

  /** Whether a place is among what is drawn: within the bounds and no higher than the highest solid. */
  surrounds([x, y, height]: Place, margin: number): boolean {
    const [min, max] = this.scene.bounds;
    return height < this.top + margin && x > min[0] - margin && x < max[0] + margin && y > min[1] - margin && y < max[1] + margin;
  }

  /** Height that the camera does not go below at a place, m. */
  lowest(x: number, y: number, margin: number): number {
    return this.ground(x, y) + (this.ground.lattice ? ABOVE_TERRAIN : margin);
  }

  /** Whether no solid and no slab is within `margin` metres of a place. */
  isFree([x, y, height]: Place, margin: number): boolean {
    const at: Point = [x, y];
    for (const { outline, box, bottom, top } of this.solids) {
      if (x < box.min[0] - margin || y < box.min[1] - margin || x > box.max[0] + margin || y > box.max[1] + margin) continue;
      const nearest = within(at, box);
      if (height > top(...nearest) + margin || height < bottom(...nearest) - margin) continue;
      if (contains(outline, at) || outline.some((a, i) => distanceToSegment(at, a, outline[(i + 1) % outline.length]!) < margin)) return false;
    }
    return !this.slabs.some(({ heightAt, layer }) => Math.abs(height - heightAt(x, y)) < margin && hasGround(this.scene, layer, at));
  }

  /** Whether nothing solid is between two places. */
  sees(from: Place, to: Place): boolean {
    const reach = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    if (reach < 1e-6) return true;
    const direction = [0, 1, 2].map((k) => (to[k]! - from[k]!) / reach) as Place;
    const ray = { origin: from, direction };
    const isBefore = (distance: number | null | undefined) => distance !== null && distance !== undefined && distance < reach - 0.05;
    if (this.solids.some((solid) => isBefore(meets(ray, solid.outline, solid)))) return false;
    if (this.ground.lattice && isBefore(rayToGround(this.ground, from, direction, reach)?.distance)) return false;
    return !this.slabs.some(({ heightAt, layer }) => {
      const hit = rayToGround(heightAt, from, direction, reach);
      return hit !== null && isBefore(hit.distance) && hasGround(this.scene, layer, hit.at);
    });
  }

  /** How far along a ray the first solid is; `null` if there is none. */
  meets(ray: { origin: Place; direction: Place }): number | null {
    const found = this.solids.map((solid) => meets(ray, solid.outline, solid)).filter((distance) => distance !== null);
    return found.length > 0 ? Math.min(...found) : null;
  }

  /** How a view is changed for its camera to be free; `null` if no position was found. */
  correction(view: Camera, margin: number): Correction | null {
    const isFree = (correction: Correction) => this.isFree(this.eye(view, correction, margin), margin);
    if (isFree(UNCHANGED)) return UNCHANGED;
    const first = (correction: (part: number) => Correction): Correction | null => {
      for (let i = 1; i <= STEPS; i++) {
        if (!isFree(correction(i / STEPS))) continue;
        // The step before was in a solid: its surface is between the two.
        let [low, high] = [(i - 1) / STEPS, i / STEPS];
        for (let k = 0; k < 12; k++) {
          const middle = (low + high) / 2;
          if (isFree(correction(middle))) high = middle;
          else low = middle;
        }
        return correction(high);
      }
      return null;
    };
    const least = Math.min(1, SHORTEST / view.distance);
    const found = [
      first((part) => ({ distance: least ** part, tilt: 0 })),
      first((part) => ({ distance: 1, tilt: -view.tilt * part })),
      first((part) => ({ distance: 4 ** part, tilt: 0 })),
    ].filter((one) => one !== null);
    const costOf = (one: Correction) => cost(one) + (this.sees(this.eye(view, one, margin), view.target) ? 0 : HIDDEN_COST);
    return found.sort((a, b) => costOf(a) - costOf(b))[0] ?? null;
  }

  /** The camera position of a view that was corrected. */
  eye(view: Camera, { distance, tilt }: Correction, margin: number): Place {
    const [x, y, height] = eyeOf({ ...view, distance: view.distance * distance, tilt: view.tilt + tilt });
    return [x, y, Math.max(height, this.lowest(x, y, margin))];
  }
}

/** Factor of the distance, and what is added to the tilt, radians. */
export interface Correction {
  distance: number;
  tilt: number;
}

export const UNCHANGED: Correction = { distance: 1, tilt: 0 };

/** How much the picture changes: the logarithm of the zoom, and the turn, radians. */
const cost = ({ distance, tilt }: Correction) => Math.abs(Math.log(distance)) + Math.abs(tilt);

/** Where the camera of a view is. */
export function eyeOf({ target, azimuth, tilt, distance }: Camera): Place {
  const back = Math.sin(tilt) * distance;
  return [target[0] + Math.sin(azimuth) * back, target[1] - Math.cos(azimuth) * back, target[2] + Math.cos(tilt) * distance];
}

const within = ([x, y]: Point, { min, max }: Box): Point => [Math.min(max[0], Math.max(min[0], x)), Math.min(max[1], Math.max(min[1], y))];

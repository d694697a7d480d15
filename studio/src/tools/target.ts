/** What a click means as a destination: a region, or the very place. */
import type { Target } from "../edits/groups.ts";
import { signedArea } from "../model/geometry.ts";
import type { Point, SceneEvent } from "../protocol.ts";
import type { Pointer, ToolContext } from "./tool.ts";

/** Who clicks into a region that is a sixth of the world or more means the place, not the region. */
const LARGE = 1 / 6;

export function targetAt(context: ToolContext, pointer: Pointer): Target | null {
  const { studio, world } = context;
  const scene = studio.scene.value;
  if (!scene || !pointer.ground) return null;
  const region = pointer.control ? null : world.regionAt(pointer.ground, pointer.layer);
  if (region && !isLarge(scene, region.polygon)) return { region: region.name };
  return { point: pointer.ground, layer: pointer.layer };
}

function isLarge(scene: SceneEvent, polygon: Point[]): boolean {
  const [min, max] = scene.bounds;
  return Math.abs(signedArea(polygon)) > LARGE * (max[0] - min[0]) * (max[1] - min[1]);
}

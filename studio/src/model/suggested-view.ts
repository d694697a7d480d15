/**
 * Views that a scene suggests, as the camera of the page can take them: it looks at a place on or above the ground, from above, with a lens of
 * its own. Where the lens of a view is wider or longer, the camera comes nearer or goes away so that as much is seen.
 */
import type { SuggestedView } from "../protocol.ts";
import type { Camera } from "./view-url.ts";

export function cameraOf({ position, look_at, field }: SuggestedView, ownField: number): Camera {
  const [dx, dy, up] = [position[0] - look_at[0], position[1] - look_at[1], position[2] - look_at[2]];
  const distance = Math.hypot(dx, dy, up);
  const half = (degrees: number) => Math.tan((degrees * Math.PI) / 360);
  return {
    target: [...look_at],
    // Straight from above, north is up.
    azimuth: Math.hypot(dx, dy) < 1e-6 * distance ? 0 : Math.atan2(dx, -dy),
    tilt: Math.acos(Math.min(1, Math.max(0, up / distance))),
    distance: (distance * half(field)) / half(ownField),
  };
}

/**
 * The one place where the ground becomes the world of the renderer: (x, y) at height h is (x, h, -y).
 * So y up on a plan is away from a camera that looks north.
 */
import { Vector3 } from "three";

export type Place = [x: number, y: number, height: number];

export const toWorld = (x: number, y: number, height: number, out = new Vector3()): Vector3 => out.set(x, height, -y);
export const fromWorld = (v: Vector3): Place => [v.x, -v.z, v.y];
/** The same in GLSL, for positions that are computed on the graphics card. */
export const TO_WORLD_GLSL = "vec3 toWorld(vec3 ground) { return vec3(ground.x, ground.z, -ground.y); }";

/**
 * Bodies in one of the poses of a take, made once: where each vertex is then in body space, and where its normal points.
 * Whoever is not seen well is drawn with these, and so are the pictures of those who are hardly seen at all.
 */
import type { BodyMesh, Look } from "../bodies.ts";
import { skin } from "./skinning.ts";

/** How far heads are turned to the side, radians. */
const HEAD_TURN = (40 * Math.PI) / 180;
/** By how the head is turned: ahead, to the left, to the right. */
const HEADS = [0, HEAD_TURN, -HEAD_TURN];

let matrices = new Float32Array(0);

/**
 * Carries a mesh into a frame of one of its look's takes, with the head turned. Writes four numbers per vertex from `at` on: x, y and z in
 * body space, and the normal as `packNormal` has it.
 */
export function bake(look: Look, mesh: BodyMesh, take: number, frame: number, head: number, out: Float32Array, at: number): void {
  const joints = look.skeleton.names.length;
  if (matrices.length < 12 * joints) matrices = new Float32Array(12 * joints);
  const posed = { role: { look: 0, scale: 1, palette: EMPTY }, place: ORIGIN, ...poseOf(look, take, frame, head) };
  skin(look, mesh.inverseBind, posed, 1, matrices, 0);
  for (let v = 0; v < mesh.regions.length; v++) {
    let [x, y, z, nx, ny, nz] = [0, 0, 0, 0, 0, 0];
    const [px, py, pz] = [mesh.positions[3 * v]!, mesh.positions[3 * v + 1]!, mesh.positions[3 * v + 2]!];
    const [qx, qy, qz] = [mesh.normals[3 * v]!, mesh.normals[3 * v + 1]!, mesh.normals[3 * v + 2]!];
    for (let k = 0; k < 4; k++) {
      const weight = mesh.weights[4 * v + k]! / 255;
      if (weight === 0) continue;
      const m = 12 * mesh.joints[4 * v + k]!;
      x += weight * (matrices[m]! * px + matrices[m + 1]! * py + matrices[m + 2]! * pz + matrices[m + 3]!);
      y += weight * (matrices[m + 4]! * px + matrices[m + 5]! * py + matrices[m + 6]! * pz + matrices[m + 7]!);
      z += weight * (matrices[m + 8]! * px + matrices[m + 9]! * py + matrices[m + 10]! * pz + matrices[m + 11]!);
      nx += weight * (matrices[m]! * qx + matrices[m + 1]! * qy + matrices[m + 2]! * qz);
      ny += weight * (matrices[m + 4]! * qx + matrices[m + 5]! * qy + matrices[m + 6]! * qz);
      nz += weight * (matrices[m + 8]! * qx + matrices[m + 9]! * qy + matrices[m + 10]! * qz);
    }
    const o = at + 4 * v;
    out[o] = x;
    out[o + 1] = y;
    out[o + 2] = z;
    out[o + 3] = packNormal(nx, ny, nz);
  }
}

/** Where the root joint is and how joints are turned in a frame of a take, with the head turned. */
export function poseOf(look: Look, take: number, frame: number, head: number): { root: Float32Array; rotations: Float32Array } {
  const joints = look.skeleton.names.length;
  const { roots, rotations } = look.takes[Math.min(take, look.takes.length - 1)]!;
  const turned = rotations.slice(4 * joints * frame, 4 * joints * (frame + 1));
  turnHead(look, turned, HEADS[head] ?? 0);
  return { root: roots.subarray(3 * frame, 3 * frame + 3), rotations: turned };
}

/** The frame of a take, of so many, that somebody is in who is so far through it, from 0 to 1. */
export const frameAt = (phase: number, frames: number): number => Math.min(frames - 1, Math.floor(phase * frames));

const EMPTY = new Uint8Array(0);
const ORIGIN = new Float32Array(4);

/** A direction in 24 bits, which a 32-bit float holds exactly: each component from -1 to 1 in 256 steps. */
export function packNormal(x: number, y: number, z: number): number {
  const scale = 127 / (Math.hypot(x, y, z) || 1);
  const part = (value: number) => Math.round(value * scale) + 128;
  return part(x) + 256 * part(y) + 65536 * part(z);
}

/** Turns neck and head to the left, in equal parts, about what is up for each joint's parent at rest. */
function turnHead(look: Look, rotations: Float32Array, angle: number): void {
  if (angle === 0 || look.neck.length === 0) return;
  const half = angle / look.neck.length / 2;
  for (const joint of look.neck) {
    const parent = restRotation(look, look.skeleton.parents[joint]!);
    const turn = multiply(multiply(conjugate(parent), [0, Math.sin(half), 0, Math.cos(half)]), parent);
    rotations.set(multiply(turn, [...rotations.subarray(4 * joint, 4 * joint + 4)] as Quaternion), 4 * joint);
  }
}

type Quaternion = [x: number, y: number, z: number, w: number];

/** How a joint is turned in body space at rest. */
function restRotation(look: Look, joint: number): Quaternion {
  const { parents, rotations } = look.skeleton;
  let result: Quaternion = [0, 0, 0, 1];
  for (let at = joint; at >= 0; at = parents[at]!) result = multiply([...rotations.subarray(4 * at, 4 * at + 4)] as Quaternion, result);
  return result;
}

const conjugate = ([x, y, z, w]: Quaternion): Quaternion => [-x, -y, -z, w];

function multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
}

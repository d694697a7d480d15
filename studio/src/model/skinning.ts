/** Matrices that carry a body's vertices from body space at rest to the world, as the graphics card takes them. */
import type { Look } from "../bodies.ts";
import type { Posed } from "./body-timeline.ts";

/** Where joints are and how they are turned in the world; filled anew for each body. */
let positions = new Float32Array(0);
let turns = new Float32Array(0);

/**
 * Writes the first three rows of each joint's matrix to `out`, from `at` on: twelve numbers each. `presence` makes
 * those who appear or leave smaller.
 */
export function skin(look: Look, inverseBind: Float32Array, posed: Posed, presence: number, out: Float32Array, at: number): void {
  const { parents, translations } = look.skeleton;
  const count = parents.length;
  if (positions.length < 3 * count) {
    positions = new Float32Array(3 * count);
    turns = new Float32Array(4 * count);
  }
  const size = posed.role.scale * presence;
  carryDown(parents, translations, posed);
  const [cos, sin] = [Math.cos(posed.place[3]!), Math.sin(posed.place[3]!)];
  // Ground (x, y) at height h is (x, h, -y) in the world.
  const [px, py, pz] = [posed.place[0]!, posed.place[2]!, -posed.place[1]!];
  for (let joint = 0; joint < count; joint++) {
    const [qx, qy, qz, qw] = [turns[4 * joint]!, turns[4 * joint + 1]!, turns[4 * joint + 2]!, turns[4 * joint + 3]!];
    // The joint's rotation as a matrix, then the body's turn about the upright axis and its size.
    const m00 = 1 - 2 * (qy * qy + qz * qz);
    const m01 = 2 * (qx * qy - qz * qw);
    const m02 = 2 * (qx * qz + qy * qw);
    const m10 = 2 * (qx * qy + qz * qw);
    const m11 = 1 - 2 * (qx * qx + qz * qz);
    const m12 = 2 * (qy * qz - qx * qw);
    const m20 = 2 * (qx * qz - qy * qw);
    const m21 = 2 * (qy * qz + qx * qw);
    const m22 = 1 - 2 * (qx * qx + qy * qy);
    const [x, y, z] = [positions[3 * joint]!, positions[3 * joint + 1]!, positions[3 * joint + 2]!];
    const rows = [
      size * (cos * m00 + sin * m20), size * (cos * m01 + sin * m21), size * (cos * m02 + sin * m22), px + size * (cos * x + sin * z),
      size * m10, size * m11, size * m12, py + size * y,
      size * (cos * m20 - sin * m00), size * (cos * m21 - sin * m01), size * (cos * m22 - sin * m02), pz + size * (cos * z - sin * x),
    ];
    const bind = 12 * joint;
    for (let row = 0; row < 3; row++) {
      const [a, b, c, d] = [rows[4 * row]!, rows[4 * row + 1]!, rows[4 * row + 2]!, rows[4 * row + 3]!];
      const o = at + bind + 4 * row;
      for (let column = 0; column < 4; column++) {
        const i = bind + 3 * column;
        out[o + column] = a * inverseBind[i]! + b * inverseBind[i + 1]! + c * inverseBind[i + 2]! + (column === 3 ? d : 0);
      }
    }
  }
}

/** Forward kinematics: carries rotations from the root down, in body space. */
function carryDown(parents: Int16Array, translations: Float32Array, posed: Posed): void {
  const { rotations, root } = posed;
  positions.set(root);
  turns.set(rotations.subarray(0, 4));
  for (let joint = 1; joint < parents.length; joint++) {
    const [p, j] = [4 * parents[joint]!, 4 * joint];
    const [ax, ay, az, aw] = [turns[p]!, turns[p + 1]!, turns[p + 2]!, turns[p + 3]!];
    const [bx, by, bz, bw] = [rotations[j]!, rotations[j + 1]!, rotations[j + 2]!, rotations[j + 3]!];
    turns[j] = aw * bx + ax * bw + ay * bz - az * by;
    turns[j + 1] = aw * by - ax * bz + ay * bw + az * bx;
    turns[j + 2] = aw * bz + ax * by - ay * bx + az * bw;
    turns[j + 3] = aw * bw - ax * bx - ay * by - az * bz;
    const [tx, ty, tz] = [translations[3 * joint]!, translations[3 * joint + 1]!, translations[3 * joint + 2]!];
    // v + 2 w (u × v) + 2 u × (u × v)
    const [cx, cy, cz] = [2 * (ay * tz - az * ty), 2 * (az * tx - ax * tz), 2 * (ax * ty - ay * tx)];
    const from = 3 * parents[joint]!;
    positions[3 * joint] = positions[from]! + tx + aw * cx + (ay * cz - az * cy);
    positions[3 * joint + 1] = positions[from + 1]! + ty + aw * cy + (az * cx - ax * cz);
    positions[3 * joint + 2] = positions[from + 2]! + tz + aw * cz + (ax * cy - ay * cx);
  }
}

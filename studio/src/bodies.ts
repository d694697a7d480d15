/**
 * Bodies, as the server sends them in binary messages: the cast (how people can look, once), roles (who looks how, once for each)
 * and poses (everybody who has a body of their own, at one or several moments).
 *
 * As with frames, decoding never throws: what is cut off or makes no sense is an error in words.
 */
import { SPECIES, type Species } from "./protocol.ts";

export const REGIONS = ["skin", "hair", "top", "bottom", "shoes", "eyes", "iris", "pupil", "brows", "lips"] as const;
export const TOP = REGIONS.indexOf("top");

export interface Skeleton {
  names: string[];
  /** Indices of parents, which come first; -1 for the root. */
  parents: Int16Array;
  /** Where each joint is in its parent's space, three numbers each. */
  translations: Float32Array;
  /** How it is turned there at rest: x, y, z, w. */
  rotations: Float32Array;
}

export interface BodyMesh {
  /** From body space to each joint's space: the columns of 3 × 4 matrices. */
  inverseBind: Float32Array;
  positions: Float32Array;
  normals: Int8Array;
  regions: Uint8Array;
  joints: Uint8Array;
  weights: Uint8Array;
  index: Uint16Array;
}

export interface Look {
  species: Species;
  skeleton: Skeleton;
  /** Levels of detail, finest first. */
  meshes: BodyMesh[];
  /** Joints that turn with the head, from below. */
  neck: number[];
  /** The look whose poses it has: its own, or those of one before it. */
  body: number;
  /** What those do who have no body of their own, ascending in speed: the first stands. */
  takes: Take[];
}

/** A way of standing, walking or running, as poses that follow one another and begin again. */
export interface Take {
  /** Metres per second. */
  speed: number;
  /** Where the root joint is, three numbers for each pose. */
  roots: Float32Array;
  /** Rotations of joints in their parents, four numbers for each joint of each pose. */
  rotations: Float32Array;
}

export interface Cast {
  looks: Look[];
  /** How many poses a take has. */
  frames: number;
}

/** Somebody's appearance: what does not change from pose to pose. */
export interface Role {
  look: number;
  scale: number;
  /** Red, green and blue of each region, as screens take them. */
  palette: Uint8Array;
}

/** Everybody who has a body at one moment. Those of one message share ids and roles. */
export interface BodyMoment {
  epoch: number;
  time: number;
  ids: Uint32Array;
  roles: Role[];
  /** x, y, height and yaw of body space, the latter about the world's upright axis, radians. */
  places: Float32Array;
  /** Where root joints are in body space. */
  roots: Float32Array;
  /** Rotations of joints in their parents; those of person i begin at `starts[i]`. */
  rotations: Float32Array;
  starts: Uint32Array;
}

export const BODIES = 3;
export const CAST = 5;
export const ROLES = 6;
/** The byte that tells the server that bodies were dealt with. */
export const BODIES_ACKNOWLEDGEMENT = 4;

const FINEST = 0.0001;
const NO_PARENT = 255;
const ROLE_BYTES = 3 + 3 * REGIONS.length;
const ROTATION_STEPS = 32766;

class Unreadable extends Error {}

/** Reads numbers one after the other, and says so when there are no more. */
class Reader {
  private readonly view: DataView;
  at = 0;

  constructor(buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }

  get left(): number {
    return this.view.byteLength - this.at;
  }

  private take(size: number): number {
    if (this.left < size) throw new Unreadable("it is cut off");
    this.at += size;
    return this.at - size;
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  i16(): number {
    return this.view.getInt16(this.take(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  f32(): number {
    const value = this.view.getFloat32(this.take(4), true);
    if (!Number.isFinite(value)) throw new Unreadable("it has numbers that are not finite");
    return value;
  }

  f64(): number {
    const value = this.view.getFloat64(this.take(8), true);
    if (!Number.isFinite(value)) throw new Unreadable("it has numbers that are not finite");
    return value;
  }

  bytes(count: number): Uint8Array {
    const start = this.take(count);
    return new Uint8Array(this.view.buffer.slice(start, start + count));
  }

  varint(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
      if (scale > 2 ** 28) throw new Unreadable("it has an id that is too long");
    }
  }

  /** Checks that so many things of a size can be there at all, before memory is taken for them. */
  expect(count: number, size: number): void {
    if (count * size > this.left) throw new Unreadable("it is cut off");
  }

  end(): void {
    if (this.left > 0) throw new Unreadable(`${this.left} bytes are left over`);
  }
}

function reading<T>(what: string, read: () => T): T | { error: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return { error: `${what} that cannot be read: ${error.message}` };
    throw error;
  }
}

export function decodeCast(buffer: ArrayBuffer): { cast: Cast } | { error: string } {
  return reading("a cast", () => {
    const reader = new Reader(buffer);
    if (reader.u8() !== CAST) throw new Unreadable("it is none");
    const [count, details, frames] = [reader.u8(), reader.u8(), reader.u8()];
    if (count === 0 || details === 0 || frames === 0) throw new Unreadable("it is empty");
    const looks: Look[] = [];
    for (let i = 0; i < count; i++) {
      const species = readSpecies(reader);
      const skeleton = readSkeleton(reader);
      const joints = skeleton.names.length;
      const meshes = Array.from({ length: details }, () => readMesh(reader, joints));
      const neck = [...reader.bytes(reader.u8())];
      if (neck.some((joint) => joint >= joints)) throw new Unreadable("a neck has joints that are not there");
      const body = reader.u8();
      if (body > i) throw new Unreadable(`look ${i} has the poses of one that comes later`);
      const takes = body === i ? readTakes(reader, joints, frames) : looks[body]!.takes;
      if (looks[body] && looks[body].skeleton.names.length !== joints) throw new Unreadable(`look ${i} has the poses of another skeleton`);
      looks.push({ species, skeleton, meshes, neck, body, takes });
    }
    reader.end();
    return { cast: { looks, frames } };
  });
}

function readTakes(reader: Reader, joints: number, frames: number): Take[] {
  const count = reader.u8();
  if (count === 0) throw new Unreadable("a look does nothing");
  reader.expect(count, 4 + 6 * frames * (1 + joints));
  return Array.from({ length: count }, () => {
    const take = { speed: reader.f32(), roots: new Float32Array(3 * frames), rotations: new Float32Array(4 * joints * frames) };
    for (let frame = 0; frame < frames; frame++) {
      for (let k = 0; k < 3; k++) take.roots[3 * frame + k] = reader.i16() * FINEST;
      for (let joint = 0; joint < joints; joint++) readRotation(reader, take.rotations, 4 * (frame * joints + joint));
    }
    return take;
  });
}

function readSpecies(reader: Reader): Species {
  const number = reader.u8();
  const species = SPECIES[number];
  if (!species) throw new Unreadable(`there is no species ${number}`);
  return species;
}

function readSkeleton(reader: Reader): Skeleton {
  const count = reader.u8();
  const [translations, rotations] = [new Float32Array(3 * count), new Float32Array(4 * count)];
  const parents = new Int16Array(count);
  const names: string[] = [];
  for (let joint = 0; joint < count; joint++) {
    names.push(new TextDecoder().decode(reader.bytes(reader.u8())));
    const parent = reader.u8();
    if (joint === 0 ? parent !== NO_PARENT : parent >= joint) throw new Unreadable(`joint ${names[joint]} comes before its parent`);
    parents[joint] = joint === 0 ? -1 : parent;
    for (let k = 0; k < 3; k++) translations[3 * joint + k] = reader.f32();
    for (let k = 0; k < 4; k++) rotations[4 * joint + k] = reader.f32();
  }
  if (count === 0) throw new Unreadable("a skeleton is empty");
  return { names, parents, translations, rotations };
}

function readMesh(reader: Reader, jointCount: number): BodyMesh {
  const inverseBind = Float32Array.from({ length: 12 * jointCount }, () => reader.f32());
  const [vertices, triangles] = [reader.u16(), reader.u16()];
  reader.expect(vertices, 18);
  const mesh: BodyMesh = {
    inverseBind,
    positions: new Float32Array(3 * vertices),
    normals: new Int8Array(3 * vertices),
    regions: new Uint8Array(vertices),
    joints: new Uint8Array(4 * vertices),
    weights: new Uint8Array(4 * vertices),
    index: new Uint16Array(3 * triangles),
  };
  for (let v = 0; v < vertices; v++) {
    for (let k = 0; k < 3; k++) mesh.positions[3 * v + k] = reader.i16() * FINEST;
    for (let k = 0; k < 3; k++) mesh.normals[3 * v + k] = reader.u8();
    mesh.regions[v] = reader.u8();
    if (mesh.regions[v]! >= REGIONS.length) throw new Unreadable(`there is no region ${mesh.regions[v]}`);
    for (let k = 0; k < 4; k++) {
      mesh.joints[4 * v + k] = reader.u8();
      if (mesh.joints[4 * v + k]! >= jointCount) throw new Unreadable(`there is no joint ${mesh.joints[4 * v + k]}`);
    }
    for (let k = 0; k < 4; k++) mesh.weights[4 * v + k] = reader.u8();
  }
  for (let i = 0; i < 3 * triangles; i++) {
    mesh.index[i] = reader.u16();
    if (mesh.index[i]! >= vertices) throw new Unreadable(`there is no vertex ${mesh.index[i]}`);
  }
  return mesh;
}

/** Who looks how: those who are new, or everybody, if all that was told before is to be forgotten. */
export interface Roles {
  epoch: number;
  anew: boolean;
  ids: Uint32Array;
  roles: Role[];
}

export function decodeRoles(buffer: ArrayBuffer, cast: Cast): { roles: Roles } | { error: string } {
  return reading("roles", () => {
    const reader = new Reader(buffer);
    if (reader.u8() !== ROLES) throw new Unreadable("they are none");
    const flags = reader.u8();
    if (flags > 1) throw new Unreadable("they have unknown flags");
    const [epoch, count] = [reader.u16(), reader.u32()];
    const read = readRoles(reader, count, cast);
    reader.end();
    return { roles: { epoch, anew: flags === 1, ...read } };
  });
}

/** Ids, which ascend, and then the role of each. */
function readRoles(reader: Reader, count: number, cast: Cast): { ids: Uint32Array; roles: Role[] } {
  reader.expect(count, 1 + ROLE_BYTES);
  const ids = new Uint32Array(count);
  let id = 0;
  for (let i = 0; i < count; i++) {
    const more = reader.varint();
    if (i > 0 && more === 0) throw new Unreadable(`person ${id} is listed twice`);
    id += more;
    if (id > 0xffff_ffff) throw new Unreadable("an id is too large");
    ids[i] = id;
  }
  const roles = Array.from({ length: count }, (): Role => {
    const look = reader.u8();
    if (!cast.looks[look]) throw new Unreadable(`there is no look ${look}`);
    return { look, scale: 0.5 + reader.u16() / 65535, palette: reader.bytes(3 * REGIONS.length) };
  });
  return { ids, roles };
}

export function decodeBodies(buffer: ArrayBuffer, cast: Cast): { moments: BodyMoment[] } | { error: string } {
  return reading("bodies", () => {
    const reader = new Reader(buffer);
    if (reader.u8() !== BODIES) throw new Unreadable("they are none");
    if (reader.u8() !== 0) throw new Unreadable("they have unknown flags");
    const [epoch, count, momentCount] = [reader.u16(), reader.u32(), reader.u16()];
    const { ids, roles } = readRoles(reader, count, cast);
    const starts = new Uint32Array(count);
    let room = 0;
    roles.forEach((role, i) => {
      starts[i] = room;
      room += 4 * cast.looks[role.look]!.skeleton.names.length;
    });
    reader.expect(momentCount, 8 + 20 * count + 1.5 * room);
    const moments = Array.from({ length: momentCount }, () => {
      const time = reader.f64();
      const [places, roots, rotations] = [new Float32Array(4 * count), new Float32Array(3 * count), new Float32Array(room)];
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < 3; k++) places[4 * i + k] = reader.f32();
        places[4 * i + 3] = (reader.u16() * 2 * Math.PI) / 65536;
        for (let k = 0; k < 3; k++) roots[3 * i + k] = reader.i16() * FINEST;
        const end = starts[i]! + 4 * cast.looks[roles[i]!.look]!.skeleton.names.length;
        for (let at = starts[i]!; at < end; at += 4) readRotation(reader, rotations, at);
      }
      return { epoch, time, ids, roles, places, roots, rotations, starts };
    });
    reader.end();
    return { moments };
  });
}

/** Three components in 15 bits each; which one is missing, the largest, is in the highest bits of the first two numbers. */
function readRotation(reader: Reader, out: Float32Array, at: number): void {
  const numbers = [reader.u16(), reader.u16(), reader.u16()];
  const largest = (numbers[0]! >> 15) | ((numbers[1]! >> 15) << 1);
  let [sum, next] = [0, 0];
  for (let k = 0; k < 4; k++) {
    if (k === largest) continue;
    const value = ((numbers[next++]! & 0x7fff) / ROTATION_STEPS - 0.5) * Math.SQRT2;
    out[at + k] = value;
    sum += value * value;
  }
  out[at + largest] = Math.sqrt(Math.max(0, 1 - sum));
}

/**
 * Bodies, as the server sends them in binary messages: the cast (how people can look, once), roles (who looks how, once for each)
 * and poses (everybody who has a body of their own, at one or several moments).
 *
 * As with frames, decoding never throws: what is cut off or makes no sense is an error in words.
 */
import {
  BINARY_KIND,
  BODY_QUANTUM,
  BODY_REGIONS,
  CAST_HEADER,
  JOINT_RECORD,
  MESH_HEADER,
  NO_PARENT,
  PLACEMENT_RECORD,
  POSES_HEADER,
  ROLES_HEADER,
  ROLE_RECORD,
  ROTATION_STEPS,
  SMALLEST_SCALE,
  SPECIES,
  VERTEX_RECORD,
  type Species,
} from "./protocol.ts";

export const TOP = BODY_REGIONS.indexOf("top");

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

/** Bytes of a rotation, and of the position of a root joint. */
const ROTATION_BYTES = 6;
const ROOT_BYTES = 6;

class Unreadable extends Error {}

/** A record of the protocol: the offsets of its fields, and its size. */
interface Layout {
  readonly size: number;
}

/** Reads numbers and records one after the other, and says so when there are no more. */
class Reader {
  private readonly view: DataView;
  private at = 0;

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

  /** Passes over a record, and returns a reader of its fields: `at` is an offset in it, and `i` the number of an entry of a list. */
  record(layout: Layout): Fields {
    return new Fields(this.view, this.take(layout.size));
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

  f32(): number {
    return finite(this.view.getFloat32(this.take(4), true));
  }

  f64(): number {
    return finite(this.view.getFloat64(this.take(8), true));
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

/** Reads the fields of a record. */
class Fields {
  constructor(
    private readonly view: DataView,
    private readonly start: number,
  ) {}

  u8(at: number, i = 0): number {
    return this.view.getUint8(this.start + at + i);
  }

  i8(at: number, i = 0): number {
    return this.view.getInt8(this.start + at + i);
  }

  u16(at: number): number {
    return this.view.getUint16(this.start + at, true);
  }

  i16(at: number, i = 0): number {
    return this.view.getInt16(this.start + at + 2 * i, true);
  }

  u32(at: number): number {
    return this.view.getUint32(this.start + at, true);
  }

  f32(at: number, i = 0): number {
    return finite(this.view.getFloat32(this.start + at + 4 * i, true));
  }

  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.view.buffer.slice(this.start + at, this.start + at + count));
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Unreadable("it has numbers that are not finite");
  return value;
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
    const header = reader.record(CAST_HEADER);
    if (header.u8(CAST_HEADER.kind) !== BINARY_KIND.cast) throw new Unreadable("it is none");
    const [count, details, frames] = [header.u8(CAST_HEADER.looks), header.u8(CAST_HEADER.meshes), header.u8(CAST_HEADER.frames)];
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
  reader.expect(count, 4 + frames * (ROOT_BYTES + ROTATION_BYTES * joints));
  return Array.from({ length: count }, () => {
    const take = { speed: reader.f32(), roots: new Float32Array(3 * frames), rotations: new Float32Array(4 * joints * frames) };
    for (let frame = 0; frame < frames; frame++) {
      for (let k = 0; k < 3; k++) take.roots[3 * frame + k] = reader.i16() * BODY_QUANTUM;
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
    const record = reader.record(JOINT_RECORD);
    const parent = record.u8(JOINT_RECORD.parent);
    if (joint === 0 ? parent !== NO_PARENT : parent >= joint) throw new Unreadable(`joint ${names[joint]} comes before its parent`);
    parents[joint] = joint === 0 ? -1 : parent;
    for (let k = 0; k < 3; k++) translations[3 * joint + k] = record.f32(JOINT_RECORD.translation, k);
    for (let k = 0; k < 4; k++) rotations[4 * joint + k] = record.f32(JOINT_RECORD.rotation, k);
  }
  if (count === 0) throw new Unreadable("a skeleton is empty");
  return { names, parents, translations, rotations };
}

function readMesh(reader: Reader, jointCount: number): BodyMesh {
  const inverseBind = Float32Array.from({ length: 12 * jointCount }, () => reader.f32());
  const header = reader.record(MESH_HEADER);
  const [vertices, triangles] = [header.u16(MESH_HEADER.vertices), header.u16(MESH_HEADER.triangles)];
  reader.expect(vertices, VERTEX_RECORD.size);
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
    const vertex = reader.record(VERTEX_RECORD);
    for (let k = 0; k < 3; k++) mesh.positions[3 * v + k] = vertex.i16(VERTEX_RECORD.position, k) * BODY_QUANTUM;
    for (let k = 0; k < 3; k++) mesh.normals[3 * v + k] = vertex.i8(VERTEX_RECORD.normal, k);
    mesh.regions[v] = vertex.u8(VERTEX_RECORD.region);
    if (mesh.regions[v]! >= BODY_REGIONS.length) throw new Unreadable(`there is no region ${mesh.regions[v]}`);
    for (let k = 0; k < 4; k++) {
      mesh.joints[4 * v + k] = vertex.u8(VERTEX_RECORD.joints, k);
      if (mesh.joints[4 * v + k]! >= jointCount) throw new Unreadable(`there is no joint ${mesh.joints[4 * v + k]}`);
    }
    for (let k = 0; k < 4; k++) mesh.weights[4 * v + k] = vertex.u8(VERTEX_RECORD.weights, k);
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
    const header = reader.record(ROLES_HEADER);
    if (header.u8(ROLES_HEADER.kind) !== BINARY_KIND.roles) throw new Unreadable("they are none");
    const anew = header.u8(ROLES_HEADER.anew);
    if (anew > 1) throw new Unreadable("they have unknown flags");
    const read = readRoles(reader, header.u32(ROLES_HEADER.count), cast);
    reader.end();
    return { roles: { epoch: header.u16(ROLES_HEADER.epoch), anew: anew === 1, ...read } };
  });
}

/** Ids, which ascend, and then the role of each. */
function readRoles(reader: Reader, count: number, cast: Cast): { ids: Uint32Array; roles: Role[] } {
  reader.expect(count, 1 + ROLE_RECORD.size);
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
    const record = reader.record(ROLE_RECORD);
    const look = record.u8(ROLE_RECORD.look);
    if (!cast.looks[look]) throw new Unreadable(`there is no look ${look}`);
    return { look, scale: SMALLEST_SCALE + record.u16(ROLE_RECORD.scale) / 65535, palette: record.bytes(ROLE_RECORD.colours, 3 * BODY_REGIONS.length) };
  });
  return { ids, roles };
}

export function decodeBodies(buffer: ArrayBuffer, cast: Cast): { moments: BodyMoment[] } | { error: string } {
  return reading("bodies", () => {
    const reader = new Reader(buffer);
    const header = reader.record(POSES_HEADER);
    if (header.u8(POSES_HEADER.kind) !== BINARY_KIND.poses) throw new Unreadable("they are none");
    if (header.u8(POSES_HEADER.flags) !== 0) throw new Unreadable("they have unknown flags");
    const [epoch, count, momentCount] = [header.u16(POSES_HEADER.epoch), header.u32(POSES_HEADER.count), header.u16(POSES_HEADER.moments)];
    const { ids, roles } = readRoles(reader, count, cast);
    const starts = new Uint32Array(count);
    let room = 0;
    roles.forEach((role, i) => {
      starts[i] = room;
      room += 4 * cast.looks[role.look]!.skeleton.names.length;
    });
    reader.expect(momentCount, 8 + (PLACEMENT_RECORD.size + ROOT_BYTES) * count + (ROTATION_BYTES / 4) * room);
    const moments = Array.from({ length: momentCount }, () => {
      const time = reader.f64();
      const [places, roots, rotations] = [new Float32Array(4 * count), new Float32Array(3 * count), new Float32Array(room)];
      for (let i = 0; i < count; i++) {
        const placement = reader.record(PLACEMENT_RECORD);
        for (let k = 0; k < 3; k++) places[4 * i + k] = placement.f32(PLACEMENT_RECORD.position, k);
        places[4 * i + 3] = (placement.u16(PLACEMENT_RECORD.yaw) * 2 * Math.PI) / 65536;
        for (let k = 0; k < 3; k++) roots[3 * i + k] = reader.i16() * BODY_QUANTUM;
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

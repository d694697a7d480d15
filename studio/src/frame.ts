/**
 * Frames: everybody at one moment, as the server sends them in binary messages.
 *
 * Decoding never throws. A frame that is cut off or makes no sense is an error in words, so that one bad
 * message cannot take the page down.
 */

export interface Frame {
  epoch: number;
  revision: number;
  step: number;
  time: number;
  count: number;
  ids: Uint32Array;
  x: Float32Array;
  y: Float32Array;
  /** Counter-clockwise from +x, radians. */
  headings: Float32Array;
  states: Uint8Array;
  groups: Uint16Array;
  /** Metres; `null` if everybody is at the elevation of their layer. */
  heights: Float32Array | null;
  /** `null` if everybody is on the first layer. */
  layers: Uint8Array | null;
  /** What everybody's body is like; `null` if nobody draws bodies. */
  standings: Standings | null;
  /** Size of the message, for those who count bytes. */
  bytes: number;
}

/** Of each person the level of their body, and the pose they have, or would have, without one of their own. */
export interface Standings {
  /** Level, head and take; see `levelOf`, `headOf` and `takeOf`. */
  packed: Uint8Array;
  /** How far through the take, 256ths. */
  phases: Uint8Array;
  /** How body space is turned about the upright axis, 256ths of a turn. */
  yaws: Uint8Array;
}

/** Levels of bodies, from the least to the most. */
export const LEVELS = ["unseen", "impostor", "posed", "full"] as const;
export const [UNSEEN, IMPOSTOR, POSED, FULL] = [0, 1, 2, 3] as const;

export const levelOf = (packed: number): number => packed & 3;
/** 0 ahead, 1 to the left, 2 to the right. */
export const headOf = (packed: number): number => (packed >> 2) & 3;
export const takeOf = (packed: number): number => packed >> 4;

export const WALKING = 0;
export const ARRIVED = 1;
export const WAITING = 2;
export const BLOCKED = 3;
export const NO_PATH = 4;

/** The byte that tells the server that a frame was dealt with. */
export const ACKNOWLEDGEMENT = 2;

const HEADER = 44;
const FRAME = 1;
const WIDE_POSITIONS = 1;
const HEIGHTS = 2;
const LAYERS = 4;
const WIDE_GROUPS = 8;
const WITH_LEVELS = 16;
/** The fewest bytes a person takes; a frame that claims more people than it has room for is refused before memory is. */
const SMALLEST_PERSON = 7;

export type Decoded = { frame: Frame } | { error: string };

export function decodeFrame(buffer: ArrayBuffer): Decoded {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER) return { error: `a frame of ${buffer.byteLength} bytes is too short` };
  if (view.getUint8(0) !== FRAME) return { error: `a message of unknown kind ${view.getUint8(0)}` };
  const flags = view.getUint8(1);
  if (flags > (WIDE_POSITIONS | HEIGHTS | LAYERS | WIDE_GROUPS | WITH_LEVELS)) return { error: `a frame with unknown flags ${flags}` };
  const count = view.getUint32(20, true);
  if (count * SMALLEST_PERSON > buffer.byteLength - HEADER) {
    return { error: `a frame of ${count} people has only ${buffer.byteLength} bytes` };
  }
  const time = view.getFloat64(12, true);
  const [originX, originY, quantum] = [24, 28, 32].map((at) => view.getFloat32(at, true)) as [number, number, number];
  const [lowest, heightQuantum] = [36, 40].map((at) => view.getFloat32(at, true)) as [number, number];
  if (![time, originX, originY, quantum, lowest, heightQuantum].every(Number.isFinite)) {
    return { error: "a frame whose numbers are not finite" };
  }

  const bytes = new Uint8Array(buffer);
  const read = readIds(bytes, HEADER, count);
  if (typeof read === "string") return { error: read };
  let at = read.end;

  const positionBytes = flags & WIDE_POSITIONS ? 3 : 2;
  const rest =
    count *
    (2 * positionBytes + 2 + (flags & WIDE_GROUPS ? 2 : 0) + (flags & HEIGHTS ? 2 : 0) + (flags & LAYERS ? 1 : 0) + (flags & WITH_LEVELS ? 3 : 0));
  if (bytes.length - at !== rest) {
    return { error: `a frame of ${count} people has ${bytes.length - at} bytes after the ids and should have ${rest}` };
  }

  const positions = (origin: number): Float32Array => {
    const out = new Float32Array(count);
    for (let i = 0; i < count; i++, at += positionBytes) {
      const value = positionBytes === 3 ? view.getUint16(at, true) | (view.getUint8(at + 2) << 16) : view.getUint16(at, true);
      out[i] = origin + quantum * value;
    }
    return out;
  };
  const x = positions(originX);
  const y = positions(originY);
  const headings = new Float32Array(count);
  for (let i = 0; i < count; i++) headings[i] = (bytes[at++]! * 2 * Math.PI) / 256;
  const states = new Uint8Array(count);
  const groups = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    const byte = bytes[at++]!;
    states[i] = byte & 7;
    groups[i] = byte >> 3;
  }
  if (flags & WIDE_GROUPS) {
    for (let i = 0; i < count; i++, at += 2) groups[i] = view.getUint16(at, true);
  }
  let heights: Float32Array | null = null;
  if (flags & HEIGHTS) {
    heights = new Float32Array(count);
    for (let i = 0; i < count; i++, at += 2) heights[i] = lowest + heightQuantum * view.getUint16(at, true);
  }
  let layers: Uint8Array | null = null;
  if (flags & LAYERS) {
    layers = bytes.slice(at, at + count);
    at += count;
  }
  let standings: Standings | null = null;
  if (flags & WITH_LEVELS) {
    const [packed, phases, yaws] = [0, 1, 2].map((column) => bytes.slice(at + column * count, at + (column + 1) * count)) as [Uint8Array, Uint8Array, Uint8Array];
    standings = { packed, phases, yaws };
  }
  return {
    frame: {
      epoch: view.getUint16(2, true),
      revision: view.getUint32(4, true),
      step: view.getUint32(8, true),
      time,
      count,
      ids: read.ids,
      x,
      y,
      headings,
      states,
      groups,
      heights,
      layers,
      standings,
      bytes: buffer.byteLength,
    },
  };
}

/** Ids ascend: the first, then differences, seven bits per byte. */
function readIds(bytes: Uint8Array, start: number, count: number): { ids: Uint32Array; end: number } | string {
  const ids = new Uint32Array(count);
  let at = start;
  let id = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) return `a frame that ends within its ids`;
      value += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
      if (scale > 2 ** 28) return `a frame with an id that is too long`;
    }
    if (i > 0 && value === 0) return `a frame that lists person ${id} twice`;
    id += value;
    if (id > 0xffff_ffff) return `a frame with an id that is too large`;
    ids[i] = id;
  }
  return { ids, end: at };
}

/** Where person `id` is in the columns of a frame, or -1: ids ascend, so a binary search will do. */
export function indexOf(ids: Uint32Array, count: number, id: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = ids[middle]!;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

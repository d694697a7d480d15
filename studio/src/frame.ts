/**
 * Frames: everybody at one moment, as the server sends them in binary messages.
 *
 * Decoding never throws. A frame that is cut off or makes no sense is an error in words, so that one bad
 * message cannot take the page down.
 */
import { BINARY_KIND, BODY_LEVELS, FRAME_COLUMNS, FRAME_FLAG, FRAME_HEADER, HEAD_BITS, LEVEL_BITS, STATUS_BITS } from "./protocol.ts";

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
  /** Numbers of their statuses: indices of `STATUSES`. */
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

/** Numbers of levels of bodies. */
export const [IMPOSTOR, POSED, FULL] = (["impostor", "posed", "full"] as const).map((level) => BODY_LEVELS.indexOf(level)) as [number, number, number];

export const levelOf = (packed: number): number => packed & ((1 << LEVEL_BITS) - 1);
/** 0 ahead, 1 to the left, 2 to the right. */
export const headOf = (packed: number): number => (packed >> LEVEL_BITS) & ((1 << HEAD_BITS) - 1);
export const takeOf = (packed: number): number => packed >> (LEVEL_BITS + HEAD_BITS);

const ALL_FLAGS = Object.values(FRAME_FLAG).reduce((all, flag) => all | flag, 0);

type ColumnName = (typeof FRAME_COLUMNS)[number]["name"];

/** Where the columns of a frame begin, and where the last one ends, if the first one begins at `at`. Columns that are not there have no place. */
function columnsAt(at: number, flags: number, count: number): { starts: Partial<Record<ColumnName, number>>; end: number } {
  const starts: Partial<Record<ColumnName, number>> = {};
  for (const { name, flag, bytes, wideBytes } of FRAME_COLUMNS) {
    if (flag !== 0 && !(flags & flag)) continue;
    starts[name] = at;
    at += count * (flags & FRAME_FLAG.widePositions ? wideBytes : bytes);
  }
  return { starts, end: at };
}

export type Decoded = { frame: Frame } | { error: string };

export function decodeFrame(buffer: ArrayBuffer): Decoded {
  const view = new DataView(buffer);
  if (buffer.byteLength < FRAME_HEADER.size) return { error: `a frame of ${buffer.byteLength} bytes is too short` };
  const kind = view.getUint8(FRAME_HEADER.kind);
  if (kind !== BINARY_KIND.frame) return { error: `a message of unknown kind ${kind}` };
  const flags = view.getUint8(FRAME_HEADER.flags);
  if (flags & ~ALL_FLAGS) return { error: `a frame with unknown flags ${flags}` };
  const count = view.getUint32(FRAME_HEADER.count, true);
  // Each id takes a byte at least: a frame that claims more people than it has room for is refused before memory is.
  if (columnsAt(FRAME_HEADER.size + count, flags, count).end > buffer.byteLength) {
    return { error: `a frame of ${count} people has only ${buffer.byteLength} bytes` };
  }
  const time = view.getFloat64(FRAME_HEADER.time, true);
  const float = (at: number) => view.getFloat32(at, true);
  const [originX, originY, quantum] = [float(FRAME_HEADER.origin), float(FRAME_HEADER.origin + 4), float(FRAME_HEADER.quantum)];
  const [lowest, heightQuantum] = [float(FRAME_HEADER.lowest), float(FRAME_HEADER.heightQuantum)];
  if (![time, originX, originY, quantum, lowest, heightQuantum].every(Number.isFinite)) {
    return { error: "a frame whose numbers are not finite" };
  }

  const bytes = new Uint8Array(buffer);
  const read = readIds(bytes, FRAME_HEADER.size, count);
  if (typeof read === "string") return { error: read };
  const { starts, end } = columnsAt(read.end, flags, count);
  if (bytes.length !== end) {
    return { error: `a frame of ${count} people has ${bytes.length - read.end} bytes after the ids and should have ${end - read.end}` };
  }

  const column = (name: ColumnName): Uint8Array | null => {
    const start = starts[name];
    return start === undefined ? null : bytes.slice(start, start + count);
  };
  const words = (name: ColumnName): Uint16Array | null => {
    const start = starts[name];
    return start === undefined ? null : Uint16Array.from({ length: count }, (_, i) => view.getUint16(start + 2 * i, true));
  };
  const positions = (name: "x" | "y", origin: number): Float32Array => {
    const wide = (flags & FRAME_FLAG.widePositions) !== 0;
    const out = new Float32Array(count);
    for (let i = 0, at = starts[name]!; i < count; i++, at += wide ? 3 : 2) {
      out[i] = origin + quantum * (view.getUint16(at, true) | (wide ? view.getUint8(at + 2) << 16 : 0));
    }
    return out;
  };
  const packed = column("states")!;
  const [levels, phases, yaws] = [column("levels"), column("phases"), column("yaws")];
  const heights = words("heights");
  return {
    frame: {
      epoch: view.getUint16(FRAME_HEADER.epoch, true),
      revision: view.getUint32(FRAME_HEADER.revision, true),
      step: view.getUint32(FRAME_HEADER.step, true),
      time,
      count,
      ids: read.ids,
      x: positions("x", originX),
      y: positions("y", originY),
      headings: Float32Array.from(column("headings")!, (heading) => (heading * 2 * Math.PI) / 256),
      states: packed.map((byte) => byte & ((1 << STATUS_BITS) - 1)),
      groups: words("groups") ?? Uint16Array.from(packed, (byte) => byte >> STATUS_BITS),
      heights: heights && Float32Array.from(heights, (height) => lowest + heightQuantum * height),
      layers: column("layers"),
      standings: levels && phases && yaws && { packed: levels, phases, yaws },
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

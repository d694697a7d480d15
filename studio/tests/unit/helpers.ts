/** Frames as the server writes them, scenes to edit, and a random generator that repeats itself. */
import type { Frame } from "../../src/frame.ts";
import type { Ground, JsonObject, Point, SceneEvent } from "../../src/protocol.ts";

export interface TestPerson {
  id: number;
  x: number;
  y: number;
  heading: number;
  state: number;
  group: number;
  height: number;
  layer: number;
  /** Level, head and take, the phase and the turn, as bytes. */
  standing?: [number, number, number];
}

export interface TestFrame {
  people: TestPerson[];
  flags?: number;
  epoch?: number;
  revision?: number;
  step?: number;
  time?: number;
}

/** The table of docs/protocol.md, written. */
export function encodeFrame({ people, flags = 0, epoch = 1, revision = 1, step = 0, time = 0 }: TestFrame): ArrayBuffer {
  const origin = [-40, -30] as const;
  const quantum = 0.002;
  const bytes: number[] = new Array<number>(44).fill(0);
  const little = (value: number, size: number) => Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) % 256);
  let previous = 0;
  people.forEach((person, i) => {
    let rest = i === 0 ? person.id : person.id - previous;
    previous = person.id;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  });
  const width = flags & 1 ? 3 : 2;
  for (const p of people) bytes.push(...little(Math.round((p.x - origin[0]) / quantum), width));
  for (const p of people) bytes.push(...little(Math.round((p.y - origin[1]) / quantum), width));
  for (const p of people) bytes.push(p.heading);
  for (const p of people) bytes.push(p.state | (flags & 8 ? 0 : p.group << 3));
  if (flags & 8) for (const p of people) bytes.push(...little(p.group, 2));
  if (flags & 2) for (const p of people) bytes.push(...little(Math.round(p.height / 0.01), 2));
  if (flags & 4) for (const p of people) bytes.push(p.layer);
  if (flags & 16) for (const column of [0, 1, 2] as const) for (const p of people) bytes.push((p.standing ?? [0, 0, 0])[column]);
  const out = Uint8Array.from(bytes);
  const view = new DataView(out.buffer);
  view.setUint8(0, 1);
  view.setUint8(1, flags);
  view.setUint16(2, epoch, true);
  view.setUint32(4, revision, true);
  view.setUint32(8, step, true);
  view.setFloat64(12, time, true);
  view.setUint32(20, people.length, true);
  view.setFloat32(24, origin[0], true);
  view.setFloat32(28, origin[1], true);
  view.setFloat32(32, quantum, true);
  view.setFloat32(36, 0, true);
  view.setFloat32(40, 0.01, true);
  return out.buffer;
}

/** A frame of people given as [id, x, y, heading in radians]. */
export function frameOf(time: number, people: [number, number, number, number?][], epoch = 1): Frame {
  const n = people.length;
  return {
    epoch,
    revision: 1,
    step: Math.round(time * 10),
    time,
    count: n,
    ids: Uint32Array.from(people.map((p) => p[0])),
    x: Float32Array.from(people.map((p) => p[1])),
    y: Float32Array.from(people.map((p) => p[2])),
    headings: Float32Array.from(people.map((p) => p[3] ?? 0)),
    states: new Uint8Array(n),
    groups: new Uint16Array(n),
    heights: null,
    layers: null,
    standings: null,
    bytes: 44 + 8 * n,
  };
}

export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function sceneOf(parts: Partial<SceneEvent> = {}, document: JsonObject = {}): SceneEvent {
  return {
    event: "scene",
    revision: 1,
    kind: "live",
    file: "test.toml",
    saved: true,
    undo: null,
    redo: null,
    name: "Test",
    description: "",
    warnings: [],
    step: 0.1,
    duration: 60,
    bounds: [
      [-20, -20],
      [20, 20],
    ],
    navigation: true,
    layers: [
      { name: "ground", elevation: 0, ground: null, plan: null },
      { name: "gallery", elevation: 4, ground: null, plan: null },
    ],
    connectors: [],
    obstacles: [],
    regions: [],
    interests: [],
    fields: [],
    groups: [],
    measurements: [],
    cameras: [],
    document,
    ...parts,
  };
}

/** Ground as the server packs it. Heights are told in 1024ths of a metre, so that round ones stay round. */
export function groundOf(columns: number, rows: number, heights: number[], bounds: [Point, Point] = [[-20, -20], [20, 20]]): Ground {
  const lowest = heights.reduce((least, height) => Math.min(least, height), Infinity);
  const quantum = 1 / 1024;
  const steps = Uint16Array.from(heights, (height) => Math.round((height - lowest) / quantum));
  return { bounds, columns, rows, lowest, quantum, heights: packed(steps), mesh: null };
}

/** Numbers as text; this machine is little-endian, as all are that run tests. */
export function packed(numbers: Uint16Array | Float32Array | Uint32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");
}

/**
 * Makes an edit on a document as the server does: the oracle for the edits that tools build. Addresses that
 * lead nowhere throw.
 */
export function applyEdit(document: JsonObject, changes: import("../../src/protocol.ts").Change[]): JsonObject {
  const result = structuredClone(document);
  type Node = any;
  const step = (node: Node, key: unknown): unknown => {
    if (typeof key === "object" && key !== null && "name" in key) {
      const index = (node as Node[]).findIndex((entry) => entry.name === key.name);
      if (index < 0) throw new Error(`nothing is named ${String(key.name)}`);
      return index;
    }
    return key;
  };
  const parentOf = (address: unknown[], make = false): [Node, any] => {
    let node: Node = result;
    address.slice(0, -1).forEach((key, i) => {
      const at = step(node, key) as any;
      if (node[at] === undefined && make && i === address.length - 2) node[at] = {};
      node = node[at];
      if (node === undefined) throw new Error(`no ${JSON.stringify(address)}`);
    });
    return [node, step(node, address.at(-1))];
  };
  for (const change of changes) {
    if ("set" in change) {
      const [node, key] = parentOf(change.set.at);
      node[key] = change.set.value;
    } else if ("add" in change) {
      const [node, key] = parentOf(change.add.to);
      (node[key] ??= []).push(change.add.value);
    } else {
      const [node, key] = parentOf(change.remove.at);
      if (node[key] === undefined) throw new Error(`no ${JSON.stringify(change.remove.at)}`);
      if (Array.isArray(node)) node.splice(key, 1);
      else delete node[key];
    }
  }
  return result;
}

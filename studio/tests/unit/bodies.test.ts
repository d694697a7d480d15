import { describe, expect, it } from "vitest";
import { decodeBodies, decodeCast, decodeRoles, type BodyMoment, type Cast } from "../../src/bodies.ts";
import { BODY_REGIONS } from "../../src/protocol.ts";
import { bake, packNormal } from "../../src/model/baking.ts";
import { BodyTimeline } from "../../src/model/body-timeline.ts";
import { DYES_PER_PERSON, RoleBook } from "../../src/model/roles.ts";
import { skin } from "../../src/model/skinning.ts";
import { random } from "./helpers.ts";

/** Writes numbers as the tables of docs/protocol.md say. */
class Writer {
  bytes: number[] = [];
  private put(size: number, write: (view: DataView) => void): this {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    this.bytes.push(...new Uint8Array(view.buffer));
    return this;
  }
  u8 = (...values: number[]) => (this.bytes.push(...values), this);
  u16 = (value: number) => this.put(2, (view) => view.setUint16(0, value, true));
  i16 = (value: number) => this.put(2, (view) => view.setInt16(0, value, true));
  u32 = (value: number) => this.put(4, (view) => view.setUint32(0, value, true));
  f32 = (...values: number[]) => (values.forEach((value) => this.put(4, (view) => view.setFloat32(0, value, true))), this);
  f64 = (value: number) => this.put(8, (view) => view.setFloat64(0, value, true));
  get buffer(): ArrayBuffer {
    return Uint8Array.from(this.bytes).buffer;
  }
}

/** One look: a root and a joint half a metre above it, with one triangle. It stands, and bends its upper joint by a quarter turn about z. */
function castBytes(species = 2): ArrayBuffer {
  const writer = new Writer().u8(5, 1, 1, 2, species, 2);
  writer.u8(1, 65, 255).f32(0, 1, 0, 0, 0, 0, 1);
  writer.u8(1, 66, 0).f32(0, 0.5, 0, 0, 0, 0, 1);
  writer.f32(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0).f32(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1.5, 0).u16(3).u16(1);
  for (let v = 0; v < 3; v++) writer.i16(1000 * v).i16(17500).i16(0).u8(0, 127, 0, 2, 1, 0, 0, 0, 255, 0, 0, 0);
  writer.u16(0).u16(1).u16(2);
  // The upper joint turns with the head; the poses are its own: two frames of one take.
  writer.u8(1, 1, 0, 1).f32(0);
  identity(identity(writer.i16(0).i16(10000).i16(0)));
  // Of z and w, which are the same, z is left out.
  identity(writer.i16(0).i16(10000).i16(0)).u16(16383).u16(16383 | 0x8000).u16(32766);
  return writer.buffer;
}

const cast = (): Cast => {
  const decoded = decodeCast(castBytes());
  if ("error" in decoded) throw new Error(decoded.error);
  return decoded.cast;
};

/** No rotation: w is left out. */
const identity = (writer: Writer) => writer.u16(16383 | 0x8000).u16(16383 | 0x8000).u16(16383);

function bodyBytes(times: number[], ids = [3, 140]): ArrayBuffer {
  const writer = new Writer().u8(3, 0).u16(7).u32(ids.length).u16(times.length);
  ids.forEach((id, i) => {
    const more = i === 0 ? id : id - ids[i - 1]!;
    if (more < 128) writer.u8(more);
    else writer.u8((more % 128) | 128, more >> 7);
  });
  for (const id of ids) writer.u8(0).u16(32768).u8(...Array.from({ length: 3 * BODY_REGIONS.length }, (_, i) => (i + id) % 256));
  for (const time of times) {
    writer.f64(time);
    for (const id of ids) identity(identity(writer.f32(id + time, -2, 0.25).u16(16384).i16(0).i16(10000).i16(0)));
  }
  return writer.buffer;
}

function moments(buffer: ArrayBuffer): BodyMoment[] {
  const decoded = decodeBodies(buffer, cast());
  if ("error" in decoded) throw new Error(decoded.error);
  return decoded.moments;
}

describe("casts and bodies", () => {
  it("are read as they are written", () => {
    const { species, skeleton, meshes } = cast().looks[0]!;
    expect(species).toBe("horse");
    expect(skeleton.names).toEqual(["A", "B"]);
    expect([...skeleton.parents]).toEqual([-1, 0]);
    expect([...meshes[0]!.index]).toEqual([0, 1, 2]);
    expect(meshes[0]!.positions[3]).toBeCloseTo(0.1, 6);
    const [first, second] = moments(bodyBytes([1, 1.5])) as [BodyMoment, BodyMoment];
    expect([first.epoch, first.time, second.time]).toEqual([7, 1, 1.5]);
    expect([...first.ids]).toEqual([3, 140]);
    expect(first.roles[1]!.scale).toBeCloseTo(1, 4);
    expect(second.places[4]).toBeCloseTo(141.5, 4);
    expect(first.places[3]).toBeCloseTo(Math.PI / 2, 6);
    for (let i = 0; i < 16; i++) expect(first.rotations[i]).toBeCloseTo(i % 4 === 3 ? 1 : 0, 6);
    const { neck, body, takes } = cast().looks[0]!;
    expect([neck, body, takes.length, cast().frames]).toEqual([[1], 0, 1, 2]);
    expect(takes[0]!.roots[1]).toBeCloseTo(1, 6);
    expect([...takes[0]!.rotations.subarray(12, 16)].map((x) => Number(x.toFixed(3)))).toEqual([0, 0, 0.707, 0.707]);
  });

  it("tell who looks how, once for each person", () => {
    const roles = (anew: number, ids: number[]) => {
      const writer = new Writer().u8(6, anew).u16(7).u32(ids.length);
      ids.forEach((id, i) => writer.u8(i === 0 ? id : id - ids[i - 1]!));
      for (const id of ids) writer.u8(0).u16(32768).u8(...Array.from({ length: 3 * BODY_REGIONS.length }, (_, i) => i + id));
      return writer.buffer;
    };
    const learn = (book: RoleBook, bytes: ArrayBuffer) => {
      const decoded = decodeRoles(bytes, cast());
      if ("error" in decoded) throw new Error(decoded.error);
      book.learn(decoded.roles);
    };
    const book = new RoleBook();
    learn(book, roles(1, [3, 40]));
    learn(book, roles(0, [9]));
    expect([3, 40, 9, 4].map((id) => book.slotOf(id))).toEqual([0, 1, 2, -1]);
    const { texels, rows } = book.dyes();
    expect(rows).toBe(1);
    // The region "top" of person 9.
    expect([...texels.subarray(4 * (2 * DYES_PER_PERSON + 2), 4 * (2 * DYES_PER_PERSON + 3))]).toEqual([15, 16, 17, 255]);
    learn(book, roles(1, [9]));
    expect([book.count, book.slotOf(9), book.slotOf(3)]).toEqual([1, 0, -1]);
    expect(decodeRoles(roles(2, [9]), cast())).toEqual({ error: "roles that cannot be read: they have unknown flags" });
  });

  it("of a species that nobody knows are errors", () => {
    expect(decodeCast(castBytes(0))).toMatchObject({ cast: { looks: [{ species: "person" }] } });
    expect(decodeCast(castBytes(3))).toEqual({ error: "a cast that cannot be read: there is no species 3" });
  });

  it("that are cut off, too long or of random bytes are errors and never throw", () => {
    const known = cast();
    const next = random(3);
    for (const [whole, read] of [
      [castBytes(), decodeCast],
      [bodyBytes([1, 2]), (bytes: ArrayBuffer) => decodeBodies(bytes, known)],
      [new Writer().u8(6, 1).u16(7).u32(1).u8(3, 0).u16(9).u8(...new Array<number>(3 * BODY_REGIONS.length).fill(5)).buffer, (bytes: ArrayBuffer) => decodeRoles(bytes, known)],
    ] as [ArrayBuffer, (bytes: ArrayBuffer) => object][]) {
      for (let size = 0; size < whole.byteLength; size++) expect(read(whole.slice(0, size))).toHaveProperty("error");
      const longer = new Uint8Array(whole.byteLength + 1);
      longer.set(new Uint8Array(whole));
      expect(read(longer.buffer)).toHaveProperty("error");
      for (let i = 0; i < 3000; i++) {
        const bytes = new Uint8Array(whole.slice(0));
        for (let k = 0; k < 1 + 5 * next(); k++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
        expect(() => read(bytes.buffer)).not.toThrow();
      }
    }
  });
});

describe("the timeline of bodies", () => {
  it("shows what lies between two moments, and nobody before or long after", () => {
    const timeline = new BodyTimeline();
    timeline.push(moments(bodyBytes([1, 1.1])));
    timeline.seek(1.05, 7);
    expect(timeline.count).toBe(2);
    expect(timeline.placeOf(3)![0]).toBeCloseTo(4.05, 4);
    expect(timeline.placeOf(4)).toBeNull();
    timeline.seek(0.9, 7);
    expect(timeline.count).toBe(0);
    timeline.seek(1.2, 7);
    expect(timeline.placeOf(3)![0]).toBeCloseTo(4.1, 4);
    timeline.seek(2, 7);
    expect(timeline.count).toBe(0);
    timeline.seek(1.05, 8);
    expect(timeline.count).toBe(0);
  });

  it("turns joints the short way, and keeps them unit", () => {
    const [a, b] = moments(bodyBytes([1, 1.1])) as [BodyMoment, BodyMoment];
    // A quarter turn about z, with the opposite sign.
    b.rotations.set([0, 0, -Math.SQRT1_2, -Math.SQRT1_2], 0);
    const timeline = new BodyTimeline();
    timeline.push([a, b]);
    timeline.seek(1.05, 7);
    const { rotations } = timeline.pose(3)!;
    expect(2 * Math.atan2(rotations[2]!, rotations[3]!)).toBeCloseTo(Math.PI / 4, 5);
    expect(Math.hypot(...rotations.subarray(0, 4))).toBeCloseTo(1, 6);
  });

  it("keeps bodies where messages are far apart, as they are for a page that draws slowly", () => {
    const timeline = new BodyTimeline();
    // At one message in 1.4 s nobody may lose the body between two of them, nor a little after the last.
    for (const time of [1, 2.4, 3.8]) timeline.push(moments(bodyBytes([time])));
    for (let time = 1; time <= 5; time += 0.1) {
      timeline.seek(time, 7);
      expect(timeline.count, `at ${time.toFixed(1)} s`).toBe(2);
    }
    timeline.seek(9, 7);
    expect(timeline.count).toBe(0);
    // Who walks 2 m in that time is not put elsewhere.
    const [first] = moments(bodyBytes([20], [3])) as [BodyMoment];
    const [second] = moments(bodyBytes([21.4], [3])) as [BodyMoment];
    second.places[0] = first.places[0]! + 2;
    timeline.push([first]);
    timeline.push([second]);
    timeline.seek(20.7, 7);
    expect(timeline.placeOf(3)![0]).toBeCloseTo(first.places[0]! + 1, 4);
  });

  it("forgets what was before another epoch or an earlier time", () => {
    const timeline = new BodyTimeline();
    timeline.push(moments(bodyBytes([5, 5.1])));
    timeline.push(moments(bodyBytes([2])));
    timeline.seek(5, 7);
    expect(timeline.count).toBe(0);
    timeline.seek(2, 7);
    expect(timeline.count).toBe(2);
  });

  it("lets nobody slide who was put elsewhere, and people who are new wait for their moment", () => {
    const timeline = new BodyTimeline();
    timeline.push(moments(bodyBytes([1], [3])));
    const [later] = moments(bodyBytes([1.1], [3, 140])) as [BodyMoment];
    later.places[0] = 90;
    timeline.push([later]);
    timeline.seek(1.05, 7);
    expect(timeline.placeOf(3)![0]).toBeCloseTo(4, 5);
    expect(timeline.placeOf(140)).toBeNull();
    timeline.seek(1.1, 7);
    expect(timeline.placeOf(3)![0]).toBe(90);
    expect(timeline.placeOf(140)).not.toBeNull();
  });
});

describe("skinning", () => {
  it("carries vertices with their joints to where the body is", () => {
    const look = cast().looks[0]!;
    const timeline = new BodyTimeline();
    const [moment] = moments(bodyBytes([1], [3])) as [BodyMoment];
    // The upper joint is bent by a quarter turn about z: what was above it is to its right.
    moment.rotations.set([0, 0, Math.SQRT1_2, Math.SQRT1_2], 4);
    timeline.push([moment]);
    timeline.seek(1, 7);
    const rows = new Float32Array(24);
    skin(look, look.meshes[0]!.inverseBind, timeline.pose(3)!, 1, rows, 0);
    const carried = (at: [number, number, number]) => [0, 1, 2].map((row) => rows[12 + 4 * row]! * at[0] + rows[13 + 4 * row]! * at[1] + rows[14 + 4 * row]! * at[2] + rows[15 + 4 * row]!);
    // Body space is at (4, -2) and turned by a quarter: its x axis leads to -z of the world.
    const [x, y, z] = carried([0, 1.75, 0]) as [number, number, number];
    expect(x).toBeCloseTo(4, 3);
    expect(y).toBeCloseTo(0.25 + 1.5, 3);
    expect(z).toBeCloseTo(2 + 0.25, 3);
  });
});

describe("poses that are made once", () => {
  it("have vertices where joints carry them, and normals that turn with them", () => {
    const look = cast().looks[0]!;
    const [standing, bent] = [new Float32Array(12), new Float32Array(12)];
    bake(look, look.meshes[0]!, 0, 0, 0, standing, 0);
    bake(look, look.meshes[0]!, 0, 1, 0, bent, 0);
    // Vertices are 0.1 m apart along x, a quarter of a metre above the upper joint, and point up.
    [0, 0.1, 0.2].forEach((x, v) => {
      expect(standing[4 * v]).toBeCloseTo(x, 3);
      expect(standing[4 * v + 1]).toBeCloseTo(1.75, 3);
      expect(standing[4 * v + 3]).toBe(packNormal(0, 1, 0));
      // What was above is to the left, and what was to the right is above.
      expect(bent[4 * v]).toBeCloseTo(-0.25, 3);
      expect(bent[4 * v + 1]).toBeCloseTo(1.5 + x, 3);
      expect(bent[4 * v + 3]).toBe(packNormal(-1, 0, 0));
    });
  });

  it("turn heads to the left and to the right by 40 degrees", () => {
    const look = cast().looks[0]!;
    for (const [head, sign] of [[1, 1], [2, -1]] as const) {
      const turned = new Float32Array(12);
      bake(look, look.meshes[0]!, 0, 0, head, turned, 0);
      const angle = Math.atan2(-turned[10]!, turned[8]!);
      expect(angle).toBeCloseTo((sign * 40 * Math.PI) / 180, 3);
    }
  });
});

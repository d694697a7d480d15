import { expect, it } from "vitest";
import { decodeBodies, decodeCast, decodeRoles, type Cast } from "../../src/bodies.ts";
import { decodeFrame, headOf, levelOf, takeOf } from "../../src/frame.ts";
import { BODY_LEVELS, STATUSES } from "../../src/protocol.ts";
import messages from "./binary-messages.json" with { type: "json" };

/** A message that the server has encoded (`make protocol`), and what it holds. */
function message(name: string): { bytes: ArrayBuffer; expected: any } {
  const { bytes, expected } = messages.find((one) => one.name === name)!;
  return { bytes: Uint8Array.from(Buffer.from(bytes, "base64")).buffer, expected };
}

function whole<T extends object>(decoded: T | { error: string }): T {
  if ("error" in decoded) throw new Error(decoded.error);
  return decoded;
}

const near = (values: ArrayLike<number>, digits = 4) => Array.from(values, (value) => expect.closeTo(value, digits));
const plain = (values: ArrayLike<number>) => Array.from(values);

for (const name of ["frame", "wide frame"]) {
  it(`a ${name} of the server is read as it was meant, with every status`, () => {
    const { bytes, expected } = message(name);
    const { frame } = whole(decodeFrame(bytes));
    const { people, ...moment } = expected;
    expect(frame).toMatchObject({ ...moment, count: people.length });
    expect(people.map((person: { status: string }) => person.status)).toEqual([...STATUSES]);
    const read = people.map((_: unknown, i: number) => ({
      id: frame.ids[i],
      position: [frame.x[i], frame.y[i]],
      heading: frame.headings[i],
      status: STATUSES[frame.states[i]!],
      group: frame.groups[i],
      ...(frame.layers && { layer: frame.layers[i] }),
      ...(frame.heights && { height: frame.heights[i] }),
      ...(frame.standings && { standing: standingOf(frame.standings.packed[i]!, frame.standings.phases[i]!, frame.standings.yaws[i]!) }),
    }));
    const rounded = people.map((person: any) => ({
      ...person,
      position: near(person.position, 2),
      heading: expect.closeTo(person.heading, 2),
      ...("height" in person && { height: expect.closeTo(person.height, 2) }),
    }));
    expect(read).toEqual(rounded);
  });
}

const standingOf = (packed: number, phase: number, yaw: number) => [BODY_LEVELS[levelOf(packed)], headOf(packed), takeOf(packed), phase, yaw];

const castOf = (): Cast => whole(decodeCast(message("cast").bytes)).cast;

it("a cast of the server is read as it was meant", () => {
  const { expected } = message("cast");
  const { looks, frames } = castOf();
  const [{ species, skeleton, meshes, neck, takes }] = looks as [Cast["looks"][number]];
  expect({ frames, meshes: meshes.length, species, neck, names: skeleton.names, parents: plain(skeleton.parents) }).toEqual({
    frames: expected.frames,
    meshes: expected.meshes,
    species: expected.species,
    neck: expected.neck,
    names: expected.names,
    parents: expected.parents,
  });
  expect(plain(skeleton.translations)).toEqual(expected.translations);
  expect(plain(skeleton.rotations)).toEqual(expected.rotations);
  for (const mesh of meshes) {
    expect(plain(mesh.inverseBind)).toEqual(near(expected.inverseBind));
    expect(plain(mesh.positions)).toEqual(near(expected.positions));
    for (const column of ["normals", "regions", "joints", "weights", "index"] as const) expect(plain(mesh[column]), column).toEqual(expected[column]);
  }
  expect(takes).toHaveLength(1);
  expect(takes[0]!.speed).toBe(expected.speed);
  for (let frame = 0; frame < frames; frame++) {
    expect(plain(takes[0]!.roots.subarray(3 * frame, 3 * frame + 3))).toEqual(near(expected.root));
    expect(plain(takes[0]!.rotations.subarray(8 * frame, 8 * frame + 8))).toEqual(near(expected.pose, 3));
  }
});

const described = (ids: Uint32Array, roles: { look: number; scale: number; palette: Uint8Array }[]) =>
  roles.map(({ look, scale, palette }, i) => ({ id: ids[i], look, scale, palette: plain(palette) }));
const expectedRoles = (people: { scale: number }[]) => people.map((person) => ({ ...person, scale: expect.closeTo(person.scale, 4) }));

it("roles of the server are read as they were meant", () => {
  const { bytes, expected } = message("roles");
  const { roles } = whole(decodeRoles(bytes, castOf()));
  expect([roles.epoch, roles.anew]).toEqual([expected.epoch, expected.anew]);
  expect(described(roles.ids, roles.roles)).toEqual(expectedRoles(expected.people));
});

it("poses of the server are read as they were meant", () => {
  const { bytes, expected } = message("poses");
  const { moments } = whole(decodeBodies(bytes, castOf()));
  expect(moments.map((moment) => moment.time)).toEqual(expected.times);
  for (const moment of moments) {
    expect(moment.epoch).toBe(expected.epoch);
    expect(described(moment.ids, moment.roles)).toEqual(expectedRoles(expected.people));
    for (let i = 0; i < moment.ids.length; i++) {
      expect(plain(moment.places.subarray(4 * i, 4 * i + 4))).toEqual(near(expected.place));
      expect(plain(moment.roots.subarray(3 * i, 3 * i + 3))).toEqual(near(expected.root));
      const start = moment.starts[i]!;
      expect(plain(moment.rotations.subarray(start, start + 8))).toEqual(near(expected.pose, 3));
    }
  }
});

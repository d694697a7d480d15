import { describe, expect, it } from "vitest";
import { FULL, IMPOSTOR, decodeFrame, headOf, indexOf, levelOf, takeOf } from "../../src/frame.ts";
import { encodeFrame, random, type TestPerson } from "./helpers.ts";

const people: TestPerson[] = [
  { id: 3, x: 1.5, y: -2.25, heading: 64, state: 0, group: 2, height: 4, layer: 1, standing: [FULL | (2 << 2) | (9 << 4), 128, 64] },
  { id: 131, x: -39.99, y: 30, heading: 255, state: 3, group: 31, height: 0, layer: 0, standing: [IMPOSTOR, 255, 0] },
  { id: 70_000, x: 0, y: 0, heading: 0, state: 4, group: 0, height: 9.5, layer: 2 },
];

describe("frames", () => {
  for (const flags of Array.from({ length: 32 }, (_, i) => i)) {
    it(`are read with flags ${flags}`, () => {
      const decoded = decodeFrame(encodeFrame({ people, flags, epoch: 7, revision: 12, step: 413, time: 41.3 }));
      if (!("frame" in decoded)) throw new Error(decoded.error);
      const { frame } = decoded;
      expect([frame.epoch, frame.revision, frame.step, frame.time, frame.count]).toEqual([7, 12, 413, 41.3, 3]);
      expect([...frame.ids]).toEqual([3, 131, 70_000]);
      people.forEach((person, i) => {
        expect(frame.x[i]).toBeCloseTo(person.x, 2);
        expect(frame.y[i]).toBeCloseTo(person.y, 2);
        expect(frame.headings[i]).toBeCloseTo((person.heading * 2 * Math.PI) / 256, 5);
        expect(frame.states[i]).toBe(person.state);
        expect(frame.groups[i]).toBe(person.group);
        if (flags & 2) expect(frame.heights![i]).toBeCloseTo(person.height, 2);
        else expect(frame.heights).toBeNull();
        if (flags & 4) expect(frame.layers![i]).toBe(person.layer);
        else expect(frame.layers).toBeNull();
        if (flags & 16) {
          const { packed, phases, yaws } = frame.standings!;
          expect([packed[i], phases[i], yaws[i]]).toEqual(person.standing ?? [0, 0, 0]);
        } else expect(frame.standings).toBeNull();
      });
    });
  }

  it("tell levels, heads and takes in one byte", () => {
    const packed = people[0]!.standing![0];
    expect([levelOf(packed), headOf(packed), takeOf(packed)]).toEqual([FULL, 2, 9]);
    expect(levelOf(people[1]!.standing![0])).toBe(IMPOSTOR);
  });

  it("of nobody are frames, too", () => {
    const decoded = decodeFrame(encodeFrame({ people: [] }));
    expect("frame" in decoded && decoded.frame.count).toBe(0);
  });

  it("that are cut off anywhere are errors and never throw", () => {
    for (let flags = 0; flags < 32; flags++) {
      const whole = encodeFrame({ people, flags });
      for (let size = 0; size < whole.byteLength; size++) expect(decodeFrame(whole.slice(0, size))).toHaveProperty("error");
      const longer = new Uint8Array(whole.byteLength + 1);
      longer.set(new Uint8Array(whole));
      expect(decodeFrame(longer.buffer)).toHaveProperty("error");
    }
  });

  it("of random bytes never throw, and what is read is whole", () => {
    const next = random(11);
    for (let i = 0; i < 3000; i++) {
      const bytes = new Uint8Array(encodeFrame({ people, flags: Math.floor(next() * 32) }));
      const changes = 1 + Math.floor(next() * 6);
      for (let k = 0; k < changes; k++) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      const decoded = decodeFrame(bytes.buffer);
      if ("frame" in decoded) {
        expect(decoded.frame.ids.length).toBe(decoded.frame.count);
        expect(decoded.frame.standings?.yaws.length ?? decoded.frame.count).toBe(decoded.frame.count);
        for (let k = 1; k < decoded.frame.count; k++) expect(decoded.frame.ids[k]).toBeGreaterThan(decoded.frame.ids[k - 1]!);
      } else expect(decoded.error).not.toBe("");
    }
  });

  it("find people by id", () => {
    const ids = Uint32Array.from([3, 131, 70_000, 0]);
    expect([3, 131, 70_000, 4, 0].map((id) => indexOf(ids, 3, id))).toEqual([0, 1, 2, -1, -1]);
  });
});

import { describe, expect, it } from "vitest";
import { BODY_KIND, FADE, Fades, IMPOSTOR_KIND, NOT, POSED_KIND } from "../../src/model/fades.ts";
import { coming, leaving } from "../../src/view/fading.ts";
import { random } from "./helpers.ts";

/** Draws somebody in one way for some pictures, and tells how far they have come in each. */
function pictures(fades: Fades, kind: number, times: number[]): number[] {
  return times.map((time) => {
    fades.begin(time);
    return fades.note(3, kind);
  });
}

describe("fades", () => {
  it("take a fifth of a second, and nobody is drawn twice for longer", () => {
    const fades = new Fades();
    expect(pictures(fades, POSED_KIND, [0, 0.1])).toEqual([1, 1]);
    const progress = pictures(fades, IMPOSTOR_KIND, [1, 1.05, 1.1, 1.19, 1.2, 1.3]);
    expect(progress.map((part) => Number(part.toFixed(3)))).toEqual([0, 0.25, 0.5, 0.95, 1, 1]);
    expect(fades.running).toBe(0);
    expect(fades.from(3)).toBe(POSED_KIND);
    expect(FADE).toBe(0.2);
  });

  it("go back from where they are when somebody changes back", () => {
    const fades = new Fades();
    pictures(fades, POSED_KIND, [0]);
    pictures(fades, BODY_KIND, [1, 1.05]);
    expect(pictures(fades, POSED_KIND, [1.05, 1.1])).toEqual([0.75, 1].map((part) => expect.closeTo(part, 6)));
  });

  it("are not for those who were not drawn before, or have no way of being drawn", () => {
    const fades = new Fades();
    expect(pictures(fades, IMPOSTOR_KIND, [0])).toEqual([1]);
    fades.begin(0.1);
    expect(pictures(fades, POSED_KIND, [0.2])).toEqual([1]);
    expect(pictures(fades, NOT, [0.3])).toEqual([1]);
    expect(pictures(fades, POSED_KIND, [0.4])).toEqual([1]);
  });

  it("are of a few hundred at a time, and never of longer than they take, whatever happens", () => {
    const fades = new Fades();
    const next = random(9);
    const changed = new Float64Array(2000).fill(-Infinity);
    const kinds = new Uint8Array(2000);
    let [wrong, most] = [0, 0];
    for (let picture = 0, now = 0; picture < 300; picture++, now += 0.03 * next()) {
      fades.begin(now);
      for (let slot = 0; slot < 2000; slot++) {
        const kind = next() < 0.06 ? 1 + Math.floor(3 * next()) : kinds[slot] || 1;
        if (kind !== kinds[slot]) changed[slot] = now;
        kinds[slot] = kind;
        const progress = fades.note(slot, kind);
        const late = now - changed[slot]! >= FADE && progress < 1;
        if (!(progress >= 0 && progress <= 1) || late || (progress < 1 && fades.from(slot) === kind)) wrong++;
      }
      most = Math.max(most, fades.running);
    }
    expect(wrong).toBe(0);
    expect(most).toBe(500);
  });

  it("leave to the one what they take from the other", () => {
    for (let level = 0.5; level < 16; level++) {
      for (const progress of [0, 0.1, 0.5, 0.97]) {
        const drawn = (fade: number) => !(fade >= 0 ? level / 16 >= fade : level / 16 < -fade);
        expect(drawn(coming(progress))).toBe(!drawn(leaving(progress)));
      }
    }
  });
});

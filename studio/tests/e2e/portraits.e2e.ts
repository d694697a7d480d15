/**
 * Somebody as a mesh and as a picture, side by side: nobody changes when the one takes the place of the other. Each portrait is drawn by the page with
 * the materials and the lights of its stage, and what is compared is light as it was computed, before it is rounded for a screen.
 */
import { expect, it } from "vitest";
import { BODY_REGIONS } from "../../src/protocol.ts";
import type { Sitting } from "../../src/view/portrait.ts";
import { linear, oklab } from "./colour.ts";
import { staying, type Visitor } from "./harness.ts";

const PEOPLE = `format = 1
name = "Sitters"

[world]
bounds = [[-20, -20], [20, 20]]

[[groups]]
name = "sitters"
people = [${Array.from({ length: 12 }, (_, i) => `{ position = [${i - 6}, 0] }`).join(", ")}]
`;

let visitor: Visitor;
staying({ file: "sitters.toml", text: PEOPLE }, "", (stay) => ({ visitor } = stay));

const TOP = BODY_REGIONS.indexOf("top");
/** Directions around and above that there are pictures of are so far apart. */
const [AROUND, ABOVE] = [(2 * Math.PI) / 16, Math.PI / 12];
const SITTING: Sitting = { as: "posed", look: 0, take: 0, phase: 0, head: 0, azimuth: 0, elevation: 0, yaw: 0, scale: 60, palette: [], fade: 1, flat: false };

const known = () => visitor.until("it is known how everybody looks", (studio) => Object.keys(studio.roles).length === 12);

/** Takes portraits in the page, and does something with the light of all of them there: `reduce` is called with their `light`. */
async function portraits<T>(sittings: Partial<Sitting>[], reduce: (lights: Float32Array[]) => T): Promise<T> {
  await known();
  const whole = sittings.map((sitting) => ({ ...SITTING, ...sitting }));
  return visitor.page.evaluate<T>(`(${reduce.toString()})(${JSON.stringify(whole)}.map((sitting) => window.throngStudio.portrait(sitting).light))`);
}

const sums = (lights: Float32Array[]): number[][] =>
  lights.map((light) => {
    const sum = [0, 0, 0];
    light.forEach((part, i) => (sum[i % 3] = sum[i % 3]! + part));
    return sum;
  });

/** A palette in which all regions have one colour but for one. */
const palette = (region: number, own: number, others: number): number[] => BODY_REGIONS.flatMap((_, k) => [0, 1, 2].map(() => (k === region ? own : others)));

/** Directions and poses: standing and walking, from where there are pictures and from half-way between, from all around and from above. */
const VIEWS: (Partial<Sitting> & { called: string })[] = [
  { called: "standing, from ahead" },
  { called: "standing, from the left, lit from behind", azimuth: 4 * AROUND, yaw: 2.5 },
  { called: "standing, from behind and above", azimuth: 7 * AROUND, elevation: 2 * ABOVE },
  { called: "standing, half-way round", azimuth: 0.5 * AROUND },
  { called: "standing, half-way to the side", azimuth: 4.5 * AROUND, yaw: 3.2 },
  { called: "standing, half-way on the other side", azimuth: -3.5 * AROUND },
  { called: "standing, half-way behind", azimuth: 7.5 * AROUND, elevation: ABOVE },
  { called: "standing, half-way round and above", azimuth: -1.5 * AROUND, elevation: 1.5 * ABOVE },
  { called: "walking, from the side", take: 3, phase: 5.5 / 32, azimuth: 4 * AROUND },
  { called: "walking, half-way round", take: 3, phase: 16.5 / 32, azimuth: 1.5 * AROUND },
  { called: "walking, half-way to the side and above", take: 3, phase: 21.5 / 32, azimuth: -4.5 * AROUND, elevation: ABOVE },
];

it("every region of a picture has the colour that it has on the mesh, from wherever", async () => {
  await known();
  const roles = await visitor.read((studio) => Object.values(studio.roles));
  const looks = [...new Map(roles.map((role) => [role.look, role])).values()].slice(0, 3);
  const worst = new Map<string, { apart: number; called: string }>();
  const areas: { ratio: number; called: string }[] = [];
  for (const { look, palette: own } of looks) {
    for (const { called, ...view } of VIEWS) {
      // Of each region alone: how much of it there is, and how much light comes from it, on the mesh and in the picture.
      const sittings = BODY_REGIONS.flatMap((_, k) => [true, false].flatMap((flat) => (["posed", "impostor"] as const).map((as) => ({ ...view, look, as, flat, palette: palette(k, 255, 0) }))));
      const seen = await portraits(sittings, sums);
      const [mesh, picture] = [0, 1].map((as) => BODY_REGIONS.map((_, k) => ({ area: seen[4 * k + as]![0]!, light: seen[4 * k + 2 + as]! }))) as [{ area: number; light: number[] }[], { area: number; light: number[] }[]];
      const whole = (parts: { area: number }[]) => parts.reduce((sum, { area }) => sum + area, 0);
      areas.push({ ratio: whole(picture) / whole(mesh), called: `look ${look}, ${called}` });
      BODY_REGIONS.forEach((region, k) => {
        // Eyes are smaller than a pixel.
        if (mesh[k]!.area < 0.02 * whole(mesh)) return;
        const [a, b] = [mesh, picture].map((parts) => {
          const { area, light } = parts[k]!;
          return oklab(light.map((part, c) => (part / area) * linear(own[3 * k + c]!)) as [number, number, number]);
        }) as [number[], number[]];
        const apart = Math.hypot(...a.map((part, c) => part - b[c]!));
        if (apart > (worst.get(region)?.apart ?? -1)) worst.set(region, { apart, called: `look ${look}, ${called}` });
      });
    }
  }
  expect([...worst.keys()].sort()).toEqual(["bottom", "hair", "shoes", "skin", "top"]);
  for (const [region, { apart, called }] of worst) expect(apart, `${region}: ${called}`).toBeLessThan(0.03);
  for (const { ratio, called } of areas) expect(Math.abs(ratio - 1), `${ratio} times as large: ${called}`).toBeLessThan(0.07);
});

it("another colour of the top changes the top and nothing else, on meshes and in pictures", async () => {
  const [bright, dark] = [208, 112];
  for (const as of ["posed", "impostor"] as const) {
    for (const view of [{}, { azimuth: 0.5 * AROUND, yaw: 2.5, scale: 24 }]) {
      const sittings = [
        { as, ...view, palette: palette(TOP, bright, 120) },
        { as, ...view, palette: palette(TOP, dark, 120) },
        { as, ...view, palette: palette(TOP, 255, 0), flat: true },
      ];
      const found = await portraits(sittings, (lights) => {
        const [a, b, mask] = lights as [Float32Array, Float32Array, Float32Array];
        const result = { outside: 0, changed: 0, inside: 0, bright: 0, dark: 0 };
        for (let i = 0; i < a.length; i += 3) {
          const luminance = (light: Float32Array) => 0.2126 * light[i]! + 0.7152 * light[i + 1]! + 0.0722 * light[i + 2]!;
          if (mask[i] === 0) {
            result.outside++;
            if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) result.changed++;
          } else if (mask[i]! > 0.999) {
            result.inside++;
            result.bright += luminance(a);
            result.dark += luminance(b);
          }
        }
        return result;
      });
      expect(found.inside).toBeGreaterThan(30);
      expect(found.outside).toBeGreaterThan(30);
      expect(found.changed).toBe(0);
      const ratio = found.bright / found.dark / (linear(bright) / linear(dark));
      expect(Math.abs(ratio - 1), as).toBeLessThan(0.02);
    }
  }
});

it("who fades from one to the other is on every pixel, and on none twice", async () => {
  const white = palette(-1, 0, 255);
  const whole = await portraits([{ palette: white, flat: true }], sums);
  for (const progress of [0.2, 0.5, 0.9]) {
    // The mesh comes as it leaves: together it is all there.
    const sittings = [progress, -progress].map((fade) => ({ fade, palette: white, flat: true }));
    const found = await portraits(sittings, (lights) => {
      const [coming, leaving] = lights as [Float32Array, Float32Array];
      let [sum, share, both] = [0, 0, 0];
      for (let i = 0; i < coming.length; i += 3) {
        sum += coming[i]! + leaving[i]!;
        share += coming[i]!;
        if (coming[i]! > 0 && leaving[i]! > 0) both++;
      }
      return { sum, share: share / sum, both };
    });
    expect(found.both).toBe(0);
    expect(found.sum).toBeCloseTo(whole[0]![0]!, 0);
    expect(Math.abs(found.share - progress)).toBeLessThan(0.06);
    // A picture leaves those pixels out that the mesh has.
    const both = await portraits([{ fade: progress, palette: white, flat: true }, { as: "impostor", fade: -progress, palette: white, flat: true }], (lights) => lights[0]!.filter((part, i) => part > 0 && lights[1]![i]! > 0).length);
    expect(both).toBe(0);
  }
});

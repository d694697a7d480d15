import { describe, expect, it, vi } from "vitest";
import { rememberedSwitch } from "../../src/model/remembered.ts";
import { captionOf } from "../../src/model/caption.ts";
import { LEGENDS, ticksOf } from "../../src/model/legends.ts";
import { gradientOf } from "../../src/ui/legends.ts";
import { ramp } from "../../src/view/palette.ts";

const rgb = (fraction: number) => `rgb(${ramp(fraction).map((part) => Math.round(part * 255)).join(" ")})`;

describe("legends", () => {
  const legend = (overlay: string) => LEGENDS.find((one) => one.overlay === overlay)!;

  it("have the numbers and units of what is drawn", () => {
    expect(legend("density").unit).toBe("people/m²");
    expect(ticksOf(legend("density"))).toEqual(["0", "1", "2", "3", "≥ 4"]);
    expect(legend("speed").unit).toBe("m/s");
    expect(ticksOf(legend("speed"))).toEqual(["0", "0.5", "1", "1.5", "≥ 2"]);
  });

  it("have the colours of what is drawn, from zero on", () => {
    expect(gradientOf(legend("speed"))).toContain(`(to right, ${rgb(0)} 0%`);
    expect(gradientOf(legend("speed"))).toContain(`${rgb(0.5)} 50%`);
    // Narrow ways are red.
    expect(gradientOf(legend("ways"))).toContain(`(to right, ${rgb(1)} 0%`);
  });
});

describe("the caption of a picture", () => {
  const scene = { name: "Plaza", file: "plaza.toml", groups: [{ name: "walkers", color: "#3b82c4" }, { name: "nobody", color: "#000000" }, { name: "dogs", color: "#e07b39" }] };
  const moment = { time: 65.3, count: 3, groups: [0, 2, 2, 1, 1] };

  it("tells scene, moment and number of people, and the groups that are there if their colours are", () => {
    expect(captionOf(scene, moment, new Set(), true)).toEqual({
      title: "Plaza · 1:05.3 · 3 people",
      groups: [{ name: "walkers", color: "#3b82c4" }, { name: "dogs", color: "#e07b39" }],
      ramps: [],
    });
    expect(captionOf({ ...scene, name: "" }, moment, new Set(), false)).toMatchObject({ title: "plaza.toml · 1:05.3 · 3 people", groups: [] });
  });

  it("has the legend of each overlay that is on, with its unit", () => {
    const { ramps } = captionOf(scene, moment, new Set(["density", "trails"]), false);
    expect(ramps).toEqual([{ title: "Crowding, people/m²", ticks: ["0", "1", "2", "3", "≥ 4"], isReversed: false }]);
  });
});

describe("a remembered switch", () => {
  it("is as it was left, and as it should begin where nothing is remembered", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
    const first = rememberedSwitch("a", true);
    expect(first.value).toBe(true);
    first.set(false);
    expect(rememberedSwitch("a", true).value).toBe(false);
    expect(rememberedSwitch("b", true).value).toBe(true);
    vi.unstubAllGlobals();
    // A browser without storage remembers nothing, and does no harm.
    rememberedSwitch("a", true).set(false);
    expect(rememberedSwitch("a", true).value).toBe(true);
  });
});

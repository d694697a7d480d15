/** What is written below a picture that is saved: the scene, the moment, and what colours mean. */
import { LEGENDS, ticksOf } from "./legends.ts";
import type { Overlay } from "./view-url.ts";
import { clock, people } from "./words.ts";

export interface Caption {
  title: string;
  groups: readonly { name: string; color: string }[];
  ramps: readonly { title: string; ticks: readonly string[]; isReversed: boolean }[];
}

/** `hasGroupColors` tells whether people are drawn in the colours of their groups. */
export function captionOf(
  scene: { name: string; file: string | null; groups: readonly { name: string; color: string }[] },
  moment: { time: number; count: number; groups: ArrayLike<number> },
  overlays: ReadonlySet<Overlay>,
  hasGroupColors: boolean,
): Caption {
  const present = new Set(Array.from({ length: moment.count }, (_, i) => moment.groups[i]!));
  return {
    title: [scene.name || scene.file || "Scene", clock(moment.time), people(moment.count)].join(" · "),
    groups: hasGroupColors ? scene.groups.filter((_, i) => present.has(i)).map(({ name, color }) => ({ name, color })) : [],
    ramps: LEGENDS.filter(({ overlay }) => overlays.has(overlay)).map((legend) => ({
      title: `${legend.title}, ${legend.unit}`,
      ticks: ticksOf(legend),
      isReversed: legend.isReversed ?? false,
    })),
  };
}

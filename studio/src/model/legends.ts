/** Overlays whose colours are numbers, and what these are. */
import { RAMP_ENDS } from "../view/palette.ts";
import type { Overlay } from "./view-url.ts";

export interface Legend {
  overlay: Overlay;
  title: string;
  unit: string;
  /** The value at the last colour; what is beyond has the same one. */
  end: number;
  /** The ramp runs the other way: its last colour is that of the smallest value. */
  isReversed?: boolean;
}

export const LEGENDS: readonly Legend[] = [
  { overlay: "density", title: "Crowding", unit: "people/m²", end: RAMP_ENDS.density },
  { overlay: "speed", title: "Speed", unit: "m/s", end: RAMP_ENDS.speed },
  { overlay: "ways", title: "Room beside a way", unit: "m", end: RAMP_ENDS.clearance, isReversed: true },
];

/** Numbers along the bar, evenly spaced from zero on; the last stands for all that is larger. */
export function ticksOf({ end }: Legend): string[] {
  const ticks = Array.from({ length: 5 }, (_, i) => String(Number(((end * i) / 4).toFixed(2))));
  return [...ticks.slice(0, -1), `≥ ${ticks.at(-1)}`];
}

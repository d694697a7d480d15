/** The colours of the stage; those of the panels are in the style sheet. */
import type { PatternName } from "../protocol.ts";

export type Theme = "light" | "dark";

export interface Palette {
  sky: string;
  ground: string;
  outside: string;
  /** Terrain is tinted from the one to the other. */
  valley: string;
  hill: string;
  grid: string;
  floor: string;
  solid: string;
  edge: string;
  connector: string;
  region: string;
  accent: string;
  arrow: string;
  stream: string;
  warning: string;
  danger: string;
  skin: string;
  sun: number;
  hemisphere: number;
  ambient: number;
  shadow: number;
}

export const PALETTES: Record<Theme, Palette> = {
  light: {
    sky: "#eaeff4",
    ground: "#f3f2ee",
    outside: "#e6eaed",
    valley: "#c6d3b4",
    hill: "#ece4d0",
    grid: "#a9b4bf",
    floor: "#fbfbfa",
    solid: "#d9d4cb",
    edge: "#8c857a",
    connector: "#cfd8e3",
    region: "#2f7de1",
    accent: "#1f6fd6",
    arrow: "#15202e",
    stream: "#3a6ea5",
    warning: "#d98a00",
    danger: "#d23b3b",
    skin: "#e3b996",
    sun: 1.75,
    hemisphere: 1.3,
    ambient: 0.25,
    shadow: 0.2,
  },
  dark: {
    sky: "#12161c",
    ground: "#1b2129",
    outside: "#13171d",
    valley: "#22302c",
    hill: "#3b3d36",
    grid: "#37424e",
    floor: "#232b34",
    solid: "#434c59",
    edge: "#8592a3",
    connector: "#3c4d63",
    region: "#6cb0ff",
    accent: "#6cb0ff",
    arrow: "#f2f5f9",
    stream: "#8fc1ff",
    warning: "#ffb938",
    danger: "#ff6b6b",
    skin: "#d8aa86",
    sun: 2,
    hemisphere: 1.7,
    ambient: 1.1,
    shadow: 0.38,
  },
};

/** A ramp from calm to alarming for densities and speeds: dark blue, teal, yellow, red. */
const RAMP: [number, number, number][] = [
  [0.16, 0.3, 0.66],
  [0.1, 0.62, 0.62],
  [0.55, 0.78, 0.3],
  [0.98, 0.8, 0.2],
  [0.86, 0.2, 0.18],
];

/** Where the ramp ends: people/m² (from there on it is a crush), m/s, and the free width beside a way, m, at which it is no longer narrow. */
export const RAMP_ENDS = { density: 4, speed: 2, clearance: 3 } as const;

export function ramp(fraction: number): [number, number, number] {
  const at = Math.min(1, Math.max(0, fraction)) * (RAMP.length - 1);
  const low = Math.min(RAMP.length - 2, Math.floor(at));
  const f = at - low;
  const [a, b] = [RAMP[low]!, RAMP[low + 1]!];
  return [a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f, a[2] + (b[2] - a[2]) * f];
}

/** The colours of patterns; the style sheet has the same. */
export const PATTERN_COLORS: Record<Theme, Record<PatternName, string>> = {
  light: { oscillation: "#b06a00", deadlock: "#c92f2f", spin: "#7440c9" },
  dark: { oscillation: "#ffb938", deadlock: "#ff7b7b", spin: "#b79bff" },
};

/** The colours of levels, from the least to the most: unseen, impostor, posed, full. */
export const LEVEL_COLORS = ["#8a8f96", "#2f6fb5", "#f0a818", "#d8432f"] as const;

/** A view as the hash of an address, so that it can be shared: moment, camera, floor, overlays, person. */
import type { FloorChoice } from "./floors.ts";

export interface Camera {
  /** What is looked at: x and y on the ground, and a height. */
  target: [number, number, number];
  /** Where from: counter-clockwise from the south, radians. */
  azimuth: number;
  /** 0 looks straight down, radians. */
  tilt: number;
  /** Metres from the target. */
  distance: number;
  /** Whether it looks straight down in parallel projection, which shows as much as perspective does at the target. */
  orthographic?: boolean;
}

export const OVERLAYS = ["density", "speed", "trails", "ways", "flow", "levels", "patterns"] as const;
export type Overlay = (typeof OVERLAYS)[number];
/** The key of each; 6 is for the performance panel. */
export const OVERLAY_KEYS: Record<Overlay, string> = { density: "1", speed: "2", trails: "3", ways: "4", flow: "5", levels: "7", patterns: "8" };

export interface View {
  /** A moment of a recording, s. */
  at: number | null;
  camera: Camera | null;
  /** The highest floor that is drawn; `null` draws all. */
  floor: FloorChoice;
  overlays: Overlay[];
  person: number | null;
}

export function viewToHash(view: View): string {
  const parts: string[] = [];
  if (view.at !== null) parts.push(`at=${short(view.at)}`);
  if (view.camera) {
    const { target, azimuth, tilt, distance } = view.camera;
    parts.push(`camera=${[...target, azimuth, tilt, distance].map(short).join(",")}`);
    if (view.camera.orthographic) parts.push("projection=orthographic");
  }
  if (view.floor !== null) parts.push(`floor=${view.floor}`);
  if (view.overlays.length > 0) parts.push(`show=${view.overlays.join(",")}`);
  if (view.person !== null) parts.push(`person=${view.person}`);
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** What a hash says; what makes no sense in it is passed over. */
export function viewFromHash(hash: string): View {
  const keys = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (keys.get("camera") ?? "").split(",").map((text) => (text.trim() === "" ? NaN : Number(text)));
  const [x, y, h, azimuth, tilt, distance] = numbers as [number, number, number, number, number, number];
  const good = numbers.length === 6 && numbers.every(Number.isFinite) && distance > 0;
  return {
    at: seconds(keys.get("at")),
    camera: good ? { target: [x, y, h], azimuth, tilt: Math.min(1.5, Math.max(0, tilt)), distance, ...(keys.get("projection") === "orthographic" ? { orthographic: true } : {}) } : null,
    floor: whole(keys.get("floor")),
    overlays: OVERLAYS.filter((overlay) => (keys.get("show") ?? "").split(",").includes(overlay)),
    person: whole(keys.get("person")),
  };
}

const short = (value: number): string => String(Number(value.toFixed(3)));

/** A time as people write it: no exponents, and nothing that is no number. */
function seconds(text: string | null): number | null {
  return text !== null && /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : null;
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
}

/**
 * Pictures of people, side by side in one texture: from which direction, in which pose, and where in the texture.
 *
 * A picture is of a look in a pose, seen from one of a few directions around and above, without perspective. They are made when
 * they are needed first, and when there is no room, the one that was not needed for longest makes way. All of it is numbers:
 * who draws is in view/impostors.ts.
 */
import type { Take } from "../bodies.ts";

/** Directions around a body. */
export const AZIMUTHS = 16;
/** Directions above the ground, from level to straight down. */
export const ELEVATIONS = 7;
/** Poses of a gait. */
export const PHASES = 6;

const STEP_AROUND = (2 * Math.PI) / AZIMUTHS;
const STEP_ABOVE = Math.PI / 2 / (ELEVATIONS - 1);

/** The number of the direction that is nearest to an angle from ahead, counter-clockwise seen from above, radians. */
export function azimuthIndex(angle: number): number {
  const index = Math.round(angle / STEP_AROUND) % AZIMUTHS;
  return index < 0 ? index + AZIMUTHS : index;
}

/** The two directions that an angle lies between, the nearer one first, and how near the other one is: from 0 to 0.5. */
export function azimuthsAround(angle: number): { first: number; second: number; part: number } {
  const first = azimuthIndex(angle);
  const off = angle / STEP_AROUND - Math.round(angle / STEP_AROUND);
  return { first, second: (first + (off < 0 ? AZIMUTHS - 1 : 1)) % AZIMUTHS, part: Math.abs(off) };
}

export const azimuthAngle = (index: number): number => index * STEP_AROUND;

/** The same for an angle above the ground; who looks up from below sees what somebody level sees. */
export function elevationIndex(angle: number): number {
  return Math.min(ELEVATIONS - 1, Math.max(0, Math.round(angle / STEP_ABOVE)));
}

export const elevationAngle = (index: number): number => index * STEP_ABOVE;

/** A pose of a gait by how far through it somebody is, from 0 to 1. */
export function phaseIndex(phase: number): number {
  const index = Math.round(phase * PHASES) % PHASES;
  return index < 0 ? index + PHASES : index;
}

/** The frame of a take, of so many, that a pose is. */
export const phaseFrame = (index: number, frames: number): number => Math.round((index * frames) / PHASES) % frames;

/** Slower than this, m/s, is a walk; who does not move stands. */
const RUNS = 2.2;
/** The walk and the run that others are drawn as, m/s. */
const TYPICAL = [1.3, 3];

/** Of a look's takes, for each the one that stands for it in pictures: few differ so much that it shows. */
export function typicalTakes(takes: Take[]): number[] {
  const nearest = (speed: number, fits: (take: Take) => boolean) => {
    let best = -1;
    takes.forEach((take, i) => {
      if (fits(take) && (best < 0 || Math.abs(take.speed - speed) < Math.abs(takes[best]!.speed - speed))) best = i;
    });
    return best;
  };
  const stands = (take: Take) => take.speed < 0.15;
  const [walk, run] = [nearest(TYPICAL[0]!, (take) => !stands(take) && take.speed < RUNS), nearest(TYPICAL[1]!, (take) => take.speed >= RUNS)];
  return takes.map((take, i) => (stands(take) ? i : take.speed < RUNS ? walk : run));
}

/** How much taller somebody looks from an angle than from that of their picture: heads are not where they are drawn otherwise. */
export function stretch(angle: number, index: number): number {
  const tall = (from: number) => 1.75 * Math.cos(from) + 0.4 * Math.sin(from);
  const ratio = tall(Math.min(Math.PI / 2, Math.max(0, angle))) / tall(elevationAngle(index));
  // Straight from above it is the stride that counts, not the height.
  return Math.min(1.25, Math.max(0.8, ratio));
}

/** Where the outline of a body is in a picture of it: left, bottom, width and height, metres from where it stands. */
export type Window = [left: number, bottom: number, width: number, height: number];

/** What is seen of vertices, four numbers each as in model/baking.ts, from a direction; with a margin, as a share of a side. */
export function windowOf(vertices: Float32Array, azimuth: number, elevation: number, margin: [number, number]): Window {
  const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let v = 0; v < vertices.length; v += 4) {
    const [px, py, pz] = [vertices[v]!, vertices[v + 1]!, vertices[v + 2]!];
    const x = ca * px - sa * pz;
    const y = ce * py - se * (sa * px + ca * pz);
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  const [w, h] = [Math.max(right - left, 1e-3) / (1 - 2 * margin[0]), Math.max(top - bottom, 1e-3) / (1 - 2 * margin[1])];
  return [left - margin[0] * w, bottom - margin[1] * h, w, h];
}

/** A picture's place in the texture. */
export interface Cell {
  index: number;
  /** Its lower left corner, texels. */
  x: number;
  y: number;
  window: Window;
}

interface Kept extends Cell {
  key: number;
  used: number;
}

/** Which pictures there are, and which one makes way for another. */
export class Atlas {
  private readonly cells = new Map<number, Kept>();
  private readonly free: number[] = [];
  /** Those that might make way, oldest first, found once per picture of the stage. */
  private oldest: Kept[] = [];
  private now = 0;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly cellWidth: number,
    readonly cellHeight: number,
  ) {
    for (let i = this.columns * this.rows - 1; i >= 0; i--) this.free.push(i);
  }

  get columns(): number {
    return Math.floor(this.width / this.cellWidth);
  }

  get rows(): number {
    return Math.floor(this.height / this.cellHeight);
  }

  get count(): number {
    return this.cells.size;
  }

  /** Another picture of the stage begins: what it needs stays. */
  begin(): void {
    this.now++;
    this.oldest = [];
  }

  find(key: number): Cell | undefined {
    const cell = this.cells.get(key);
    if (cell) cell.used = this.now;
    return cell;
  }

  /** Makes room for a picture, maybe where another one was; `undefined` if all that are there are needed now. */
  add(key: number, window: Window): Cell | undefined {
    let index = this.free.pop();
    if (index === undefined) {
      const old = this.leastUsed();
      if (!old) return undefined;
      this.cells.delete(old.key);
      index = old.index;
    }
    const cell: Kept = { key, used: this.now, index, x: (index % this.columns) * this.cellWidth, y: Math.floor(index / this.columns) * this.cellHeight, window };
    this.cells.set(key, cell);
    return cell;
  }

  private leastUsed(): Kept | undefined {
    if (this.oldest.length === 0) {
      // Not those of the picture before either: they are on the screen.
      this.oldest = [...this.cells.values()].filter((cell) => cell.used < this.now - 1).sort((a, b) => b.used - a.used);
    }
    let old = this.oldest.pop();
    while (old && old.used >= this.now - 1) old = this.oldest.pop();
    return old;
  }
}

/** One number for a look, a pose of it, and a direction. */
export function cellKey(look: number, take: number, phase: number, azimuth: number, elevation: number): number {
  return (((look * 16 + take) * PHASES + phase) * AZIMUTHS + azimuth) * ELEVATIONS + elevation;
}

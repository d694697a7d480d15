/**
 * Where people have been in the last seconds, remembered from the frames.
 *
 * Every quarter of a simulated second a sample of everybody is kept. Segments join a person's places in
 * samples that follow one another; people are told apart by id, and a jump in time ends all trails.
 */
import type { Frame } from "../frame.ts";

interface Sample {
  time: number;
  count: number;
  ids: Uint32Array;
  x: Float32Array;
  y: Float32Array;
  groups: Uint16Array;
  heights: Float32Array | null;
  layers: Uint8Array | null;
}

export interface TrailSegment {
  from: [number, number];
  to: [number, number];
  /** Of both ends, if the frames tell. */
  heights: [number, number] | null;
  layer: number;
  group: number;
  /** 0 now, 1 at the end of memory. */
  age: number;
}

const INTERVAL = 0.25;
const MEMORY = 8;
const MOST_SEGMENTS = 60_000;
/** Nobody walks so far in a sample's interval; those who do were put there. */
const LONGEST = 5;

export class Trails {
  private samples: Sample[] = [];
  private epoch = -1;

  push(frame: Frame): void {
    const last = this.samples.at(-1);
    if (last) {
      const passed = Math.abs(frame.time - last.time);
      if (frame.epoch !== this.epoch || passed > 2.5) this.samples = [];
      else if (passed < INTERVAL - 1e-6) return;
    }
    this.epoch = frame.epoch;
    this.samples.push(frame);
    while (this.samples.length > MEMORY / INTERVAL + 1) this.samples.shift();
  }

  clear(): void {
    this.samples = [];
  }

  /** Calls `visit` for every segment; of very large crowds only every n-th person is shown. */
  forEach(visit: (segment: TrailSegment) => void): void {
    const newest = this.samples.at(-1);
    if (!newest) return;
    const stride = Math.max(1, Math.ceil((newest.count * (this.samples.length - 1)) / MOST_SEGMENTS));
    for (let s = 1; s < this.samples.length; s++) {
      const older = this.samples[s - 1]!;
      const newer = this.samples[s]!;
      const age = Math.abs(newest.time - newer.time) / MEMORY;
      let i = 0;
      let j = 0;
      while (i < older.count && j < newer.count) {
        const difference = older.ids[i]! - newer.ids[j]!;
        if (difference < 0) i++;
        else if (difference > 0) j++;
        else {
          const from: [number, number] = [older.x[i]!, older.y[i]!];
          const to: [number, number] = [newer.x[j]!, newer.y[j]!];
          if (newer.ids[j]! % stride === 0 && Math.hypot(to[0] - from[0], to[1] - from[1]) < LONGEST) {
            visit({
              from,
              to,
              heights: older.heights && newer.heights ? [older.heights[i]!, newer.heights[j]!] : null,
              layer: newer.layers ? newer.layers[j]! : 0,
              group: newer.groups[j]!,
              age: Math.min(1, age),
            });
          }
          i++;
          j++;
        }
      }
    }
  }
}

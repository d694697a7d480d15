/**
 * What the page shows between the frames of the server.
 *
 * Frames come perhaps ten times per second and not quite regularly; the screen is drawn sixty times. So
 * the page shows a moment a little before the newest frame and lies between two frames that it has. It
 * never guesses ahead: when no frames come, what is shown moves on to the newest and rests there.
 *
 * Moments are counted in *travel*: simulated seconds passed since the buffer began, whichever way time
 * runs. So recordings that are played backwards need no case of their own. A jump in time, or another
 * epoch, empties the buffer, and what comes next is shown at once.
 */
import { takeOf, type Frame, type Standings } from "../frame.ts";
import { turn } from "./geometry.ts";

/** Everybody as shown on the screen: columns, of which the first `count` entries count. */
export interface Shown {
  count: number;
  time: number;
  ids: Uint32Array;
  x: Float32Array;
  y: Float32Array;
  heights: Float32Array;
  headings: Float32Array;
  speeds: Float32Array;
  /** From 0 to 1: people who appear grow, and those who leave shrink. */
  presence: Float32Array;
  states: Uint8Array;
  groups: Uint16Array;
  layers: Uint8Array;
  /** Whether it is known what bodies are like: levels with heads and takes, how far through the take, and the turn of body space, radians. */
  hasLevels: boolean;
  levels: Uint8Array;
  phases: Float32Array;
  yaws: Float32Array;
}

interface Entry {
  frame: Frame;
  travel: number;
  /** When it came, s of the display's clock. */
  arrived: number;
}

/**
 * Who of the older frame is who of the newer, as indices or -1, and how far they go from one to the other. It is made
 * once for two frames, so that what is done for each picture is little more than a sum per person.
 */
interface Pairing {
  older: Frame;
  newer: Frame;
  count: number;
  ids: Uint32Array;
  a: Int32Array;
  b: Int32Array;
  dx: Float32Array;
  dy: Float32Array;
  turns: Float32Array;
  speeds: Float32Array;
  /** Those who were put elsewhere, appear or leave do not move. */
  still: Uint8Array;
}

/** Beyond so many simulated seconds between two frames, and eight usual steps, time has jumped. */
const JUMP = 2.5;
/** Nobody moves so many metres per second; who does was put there. */
const FASTEST = 25;
/** Frames kept; what is shown lies between the last two or three. */
const KEPT = 12;

export class Timeline {
  private entries: Entry[] = [];
  private position = 0;
  /** Simulated seconds per second of the display, as the frames come in. */
  private rate = 1;
  private interval = 0.1;
  private pairing: Pairing | null = null;
  private readonly shownNow: Shown = emptyShown(0);
  /** Grows whenever the buffer was emptied: trails and selections of other people end. */
  jumps = 0;

  /** Elevation of each layer, for frames without heights. */
  elevations: number[] = [0];

  get newest(): Frame | null {
    return this.entries.at(-1)?.frame ?? null;
  }

  /** Whether what is shown has not come to the newest frame yet. */
  get moving(): boolean {
    const last = this.entries.at(-1);
    return last !== undefined && this.position < last.travel;
  }

  push(frame: Frame, now: number): void {
    const last = this.entries.at(-1);
    if (!last || last.frame.epoch !== frame.epoch || this.isJump(last, frame)) {
      this.restart(frame, now);
      return;
    }
    const passed = Math.abs(frame.time - last.frame.time);
    if (passed === 0) {
      // Edited while it stands still: the same moment, told anew.
      last.frame = frame;
      this.pairing = null;
      return;
    }
    const turned = this.entries.length > 1 && this.turned(frame);
    if (turned) {
      // Time runs the other way now: what lay ahead will not come.
      this.entries = [last];
      this.position = last.travel;
      this.pairing = null;
    }
    const waited = now - last.arrived;
    if (waited < 1) {
      // After a pause the wait says nothing about the rate.
      const weight = 0.2;
      this.interval += weight * (passed - this.interval);
      this.rate += weight * (passed / Math.max(waited, 1e-3) - this.rate);
      this.rate = Math.min(this.rate, 64);
    }
    this.entries.push({ frame, travel: last.travel + passed, arrived: now });
    while (this.entries.length > KEPT && this.entries[1]!.travel <= this.position) this.entries.shift();
    if (this.entries.length > 3 * KEPT) this.entries.splice(0, this.entries.length - 3 * KEPT);
    this.position = Math.max(this.position, this.entries[0]!.travel);
  }

  /** Forgets everything: the connection was lost, or another scene was opened. */
  clear(): void {
    this.entries = [];
    this.position = 0;
    this.pairing = null;
    this.jumps++;
  }

  /** Moves on by `seconds` of the display. */
  advance(seconds: number): void {
    const last = this.entries.at(-1);
    if (!last) return;
    // Aim at a frame and a bit behind the newest, so that there is always one to go to.
    const delay = 1.3 * this.interval;
    const behind = last.travel - this.position;
    // Far behind, hurry; too close, dawdle. What remains of the difference is not visible.
    const hurry = Math.min(3, Math.max(0.5, 1 + (behind - delay) / Math.max(delay, 0.05)));
    const pace = Math.max(this.rate, 0.02);
    this.position = Math.min(last.travel, this.position + seconds * pace * hurry);
    if (behind > 6 * delay + 1) this.position = last.travel - delay;
  }

  /** Shows the newest frame as it is. */
  settle(): void {
    this.position = this.entries.at(-1)?.travel ?? 0;
  }

  /** Goes to a simulated moment, as near as the buffer has it: for images that are exported one by one. */
  showTime(time: number): void {
    for (let i = this.entries.length - 1; i > 0; i--) {
      const [older, newer] = [this.entries[i - 1]!, this.entries[i]!];
      const low = Math.min(older.frame.time, newer.frame.time);
      const high = Math.max(older.frame.time, newer.frame.time);
      if (time >= low && time <= high) {
        this.position = older.travel + Math.abs(time - older.frame.time);
        return;
      }
    }
    this.settle();
  }

  /** Everybody at the moment that is shown. The result is overwritten by the next call. */
  shown(): Shown {
    const [older, newer] = this.around();
    if (!newer) {
      this.shownNow.count = 0;
      return this.shownNow;
    }
    if (!this.pairing || this.pairing.older !== older.frame || this.pairing.newer !== newer.frame) {
      this.pairing = pair(older.frame, newer.frame, newer.travel - older.travel);
    }
    const span = newer.travel - older.travel;
    const f = span > 0 ? (this.position - older.travel) / span : 1;
    return blend(this.pairing, f, this.elevations, this.shownNow);
  }

  private around(): [Entry, Entry] | [null, null] {
    const n = this.entries.length;
    if (n === 0) return [null, null];
    for (let i = n - 1; i > 0; i--) {
      if (this.entries[i - 1]!.travel <= this.position) return [this.entries[i - 1]!, this.entries[i]!];
    }
    return [this.entries[0]!, this.entries[0]!];
  }

  private isJump(last: Entry, frame: Frame): boolean {
    const passed = Math.abs(frame.time - last.frame.time);
    return passed > Math.max(JUMP, 8 * this.interval);
  }

  private turned(frame: Frame): boolean {
    const [before, last] = this.entries.slice(-2) as [Entry, Entry];
    return (frame.time - last.frame.time) * (last.frame.time - before.frame.time) < 0;
  }

  private restart(frame: Frame, now: number): void {
    this.entries = [{ frame, travel: 0, arrived: now }];
    this.position = 0;
    this.pairing = null;
    this.jumps++;
  }
}

export function emptyShown(room: number): Shown {
  return {
    count: 0,
    time: 0,
    ids: new Uint32Array(room),
    x: new Float32Array(room),
    y: new Float32Array(room),
    heights: new Float32Array(room),
    headings: new Float32Array(room),
    speeds: new Float32Array(room),
    presence: new Float32Array(room),
    states: new Uint8Array(room),
    groups: new Uint16Array(room),
    layers: new Uint8Array(room),
    hasLevels: false,
    levels: new Uint8Array(room),
    phases: new Float32Array(room),
    yaws: new Float32Array(room),
  };
}

/** Both frames list people by ascending id, so they are paired as two sorted lists are merged. */
function pair(older: Frame, newer: Frame, span: number): Pairing {
  const room = older.count + newer.count;
  const floats = () => new Float32Array(room);
  const result: Pairing = {
    older,
    newer,
    count: 0,
    ids: new Uint32Array(room),
    a: new Int32Array(room),
    b: new Int32Array(room),
    dx: floats(),
    dy: floats(),
    turns: floats(),
    speeds: floats(),
    still: new Uint8Array(room),
  };
  const farthest = FASTEST * Math.max(span, 0.04) + 0.5;
  let [i, j, n] = [0, 0, 0];
  while (i < older.count || j < newer.count) {
    const idA = i < older.count ? older.ids[i]! : Infinity;
    const idB = j < newer.count ? newer.ids[j]! : Infinity;
    result.ids[n] = Math.min(idA, idB);
    result.a[n] = idA <= idB ? i : -1;
    result.b[n] = idB <= idA ? j : -1;
    result.still[n] = 1;
    if (idA === idB) {
      const [dx, dy] = [newer.x[j]! - older.x[i]!, newer.y[j]! - older.y[i]!];
      const moved = Math.sqrt(dx * dx + dy * dy);
      if (moved <= farthest) {
        result.still[n] = 0;
        result.dx[n] = dx;
        result.dy[n] = dy;
        result.turns[n] = turn(older.headings[i]!, newer.headings[j]!);
        result.speeds[n] = span > 0 ? moved / span : 0;
      }
    }
    if (idA <= idB) i++;
    if (idB <= idA) j++;
    n++;
  }
  result.count = n;
  return result;
}

function blend(pairing: Pairing, f: number, elevations: number[], out: Shown): Shown {
  const { older, newer, count } = pairing;
  const hasLevels = older.standings !== null && newer.standings !== null;
  if (out.ids.length < count) Object.assign(out, emptyShown(Math.ceil(count * 1.25)));
  let n = 0;
  for (let k = 0; k < count; k++) {
    const i = pairing.a[k]!;
    const j = pairing.b[k]!;
    // At the very end of the way, those who have left are gone, and at its beginning nobody has come yet.
    if ((j < 0 && f >= 1) || (i < 0 && f <= 0)) continue;
    const near = j < 0 || (i >= 0 && f < 0.5) ? older : newer;
    const at = near === older ? i : j;
    out.ids[n] = pairing.ids[k]!;
    out.states[n] = near.states[at]!;
    out.groups[n] = near.groups[at]!;
    out.layers[n] = near.layers ? near.layers[at]! : 0;
    out.speeds[n] = pairing.speeds[k]!;
    if (hasLevels) blendStandings(older.standings!, i, newer.standings!, j, f, out, n);
    out.presence[n] = i < 0 ? f : j < 0 ? 1 - f : 1;
    if (pairing.still[k]) {
      out.x[n] = near.x[at]!;
      out.y[n] = near.y[at]!;
      out.heights[n] = heightOf(near, at, elevations);
      out.headings[n] = near.headings[at]!;
    } else {
      out.x[n] = older.x[i]! + pairing.dx[k]! * f;
      out.y[n] = older.y[i]! + pairing.dy[k]! * f;
      const from = heightOf(older, i, elevations);
      out.heights[n] = from + (heightOf(newer, j, elevations) - from) * f;
      out.headings[n] = older.headings[i]! + pairing.turns[k]! * f;
    }
    n++;
  }
  out.count = n;
  out.hasLevels = hasLevels;
  out.time = older.time + (newer.time - older.time) * f;
  return out;
}

/** Phases and turns go round and round: the short way from one to the other is meant. Who changes what they do has the phase of that. */
function blendStandings(older: Standings, i: number, newer: Standings, j: number, f: number, out: Shown, n: number): void {
  const near = j < 0 || (i >= 0 && f < 0.5) ? older : newer;
  const at = near === older ? i : j;
  const [phase, yaw] = [near.phases[at]!, near.yaws[at]!];
  out.levels[n] = near.packed[at]!;
  let [phaseNow, yawNow] = [phase, yaw];
  if (i >= 0 && j >= 0) {
    const same = takeOf(older.packed[i]!) === takeOf(newer.packed[j]!);
    if (same) phaseNow = older.phases[i]! + f * wrapByte(newer.phases[j]! - older.phases[i]!);
    yawNow = older.yaws[i]! + f * wrapByte(newer.yaws[j]! - older.yaws[i]!);
  }
  out.phases[n] = (((phaseNow / 256) % 1) + 1) % 1;
  out.yaws[n] = (yawNow * 2 * Math.PI) / 256;
}

/** A difference of two bytes that go round, from -128 to 127. */
const wrapByte = (difference: number): number => ((difference + 384) & 255) - 128;

function heightOf(frame: Frame, i: number, elevations: number[]): number {
  return frame.heights ? frame.heights[i]! : (elevations[frame.layers ? frame.layers[i]! : 0] ?? 0);
}

/**
 * Bodies between the moments that the server sends, at the time that the page shows (which the timeline of people
 * decides). Who has no body at that time is left to be drawn as a figure: everybody is exactly one of both.
 */
import type { BodyMoment, Role } from "../bodies.ts";
import { indexOf } from "../frame.ts";
import { turn } from "./geometry.ts";

/** Moments farther apart than this, s, have nothing to do with each other, unless messages come so seldom. */
const LONGEST = 1;
/** Poses are held for so long, s, when there are no newer ones: a frame may come a little before its bodies. */
const PATIENCE = 0.5;
/**
 * Both limits, as multiples of the usual time from one message to the next. A page that draws slowly, or time that passes fast, has seconds
 * between two messages; with fixed limits everybody near the camera would lose their body and get it back again and again.
 */
const [LONGEST_MESSAGES, PATIENCE_MESSAGES] = [4, 2];
/** Beyond so many simulated seconds time has jumped: that says nothing of messages. */
const LEAP = 8;
/** Who was farther away than this, m, and got there faster than this, m/s, was put there. */
const JUMP = { distance: 1.5, speed: 6 };
/** Moments older than this, s, before the one that is shown are forgotten. */
const KEPT = 3;

/** Somebody's body as shown. The arrays are overwritten when the next one is posed. */
export interface Posed {
  role: Role;
  /** x, y, height and yaw. */
  place: Float32Array;
  root: Float32Array;
  /** Rotations of joints in their parents. */
  rotations: Float32Array;
}

export class BodyTimeline {
  private moments: BodyMoment[] = [];
  private older: BodyMoment | null = null;
  private newer: BodyMoment | null = null;
  private part = 0;
  /** The usual simulated time from one message to the next, s. */
  private interval = 0;
  private readonly posed: Posed = { role: { look: 0, scale: 1, palette: new Uint8Array(0) }, place: new Float32Array(4), root: new Float32Array(3), rotations: new Float32Array(0) };

  get newest(): BodyMoment | null {
    return this.moments.at(-1) ?? null;
  }

  clear(): void {
    this.moments = [];
    this.older = this.newer = null;
    this.interval = 0;
  }

  push(moments: BodyMoment[]): void {
    const [before, now] = [this.newest, moments.at(-1)];
    if (before && now && before.epoch === now.epoch) {
      const passed = now.time - before.time;
      // Longer waits count at once, shorter ones little by little.
      if (passed > 0 && passed < LEAP) this.interval = Math.max(passed, 0.8 * this.interval + 0.2 * passed);
    }
    for (const moment of moments) {
      const last = this.newest;
      if (last && (last.epoch !== moment.epoch || moment.time < last.time)) this.moments = [];
      // The same moment, told anew.
      if (last && last.time === moment.time) this.moments.pop();
      this.moments.push(moment);
    }
  }

  /** Goes to a time. */
  seek(time: number, epoch: number): void {
    const { moments } = this;
    this.older = this.newer = null;
    if (this.newest?.epoch !== epoch) return;
    while (moments.length > 2 && moments[1]!.time < time - KEPT) moments.shift();
    let at = moments.length - 1;
    while (at >= 0 && moments[at]!.time > time + 1e-9) at--;
    const [older, newer] = [moments[at], moments[at + 1]];
    if (!older) return;
    const last = newer ?? older;
    const [longest, patience] = [Math.max(LONGEST, LONGEST_MESSAGES * this.interval), Math.max(PATIENCE, PATIENCE_MESSAGES * this.interval)];
    if (newer ? newer.time - older.time > longest : time - older.time > patience) return;
    this.older = older;
    this.newer = last;
    this.part = last === older ? 0 : Math.min(1, Math.max(0, (time - older.time) / (last.time - older.time)));
  }

  /** How many people have bodies at the time that is shown. */
  get count(): number {
    return this.older?.ids.length ?? 0;
  }

  has(id: number): boolean {
    return this.older !== null && indexOf(this.older.ids, this.older.ids.length, id) >= 0;
  }

  /** Where somebody's body is: x, y and height. */
  placeOf(id: number): [number, number, number] | null {
    if (!this.has(id)) return null;
    const { place } = this.pose(id)!;
    return [place[0]!, place[1]!, place[2]!];
  }

  /** Somebody's body, if they have one. The result is overwritten by the next call. */
  pose(id: number): Posed | null {
    const { older, newer, posed } = this;
    const i = older ? indexOf(older.ids, older.ids.length, id) : -1;
    if (!older || i < 0) return null;
    posed.role = older.roles[i]!;
    const [start, size] = [older.starts[i]!, (older.starts[i + 1] ?? older.rotations.length) - older.starts[i]!];
    if (posed.rotations.length !== size) posed.rotations = new Float32Array(size);
    posed.place.set(older.places.subarray(4 * i, 4 * i + 4));
    posed.root.set(older.roots.subarray(3 * i, 3 * i + 3));
    posed.rotations.set(older.rotations.subarray(start, start + size));
    const j = newer && newer !== older ? indexOf(newer.ids, newer.ids.length, id) : -1;
    if (!newer || j < 0 || newer.roles[j]!.look !== posed.role.look) return posed;
    const { places } = newer;
    const moved = Math.hypot(places[4 * j]! - posed.place[0]!, places[4 * j + 1]! - posed.place[1]!);
    if (moved > Math.max(JUMP.distance, JUMP.speed * (newer.time - older.time))) return posed;
    const f = this.part;
    for (let k = 0; k < 3; k++) posed.place[k]! += f * (places[4 * j + k]! - posed.place[k]!);
    posed.place[3]! += f * turn(posed.place[3]!, places[4 * j + 3]!);
    for (let k = 0; k < 3; k++) posed.root[k]! += f * (newer.roots[3 * j + k]! - posed.root[k]!);
    nlerp(posed.rotations, newer.rotations, newer.starts[j]!, f);
    return posed;
  }
}

/** Turns rotations towards others, each the short way. They are near each other, so a straight line will do. */
function nlerp(rotations: Float32Array, others: Float32Array, start: number, f: number): void {
  for (let k = 0; k < rotations.length; k += 4) {
    const o = start + k;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += rotations[k + c]! * others[o + c]!;
    const g = dot < 0 ? -f : f;
    let sum = 0;
    for (let c = 0; c < 4; c++) {
      const value = (1 - f) * rotations[k + c]! + g * others[o + c]!;
      rotations[k + c] = value;
      sum += value * value;
    }
    const scale = 1 / Math.sqrt(sum || 1);
    for (let c = 0; c < 4; c++) rotations[k + c]! *= scale;
  }
}

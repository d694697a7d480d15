/**
 * Nobody jumps from one way of being drawn to another: for a fifth of a second both are drawn, each on those pixels that the other leaves out.
 * Here is kept who is drawn how, and since when; which pixels those are is in view/fading.ts.
 *
 * People are known by the numbers of model/roles.ts. Who was not drawn in the picture before appears at once, and so do all beyond a few hundred: then
 * the camera was put elsewhere, and there is nothing to go over from.
 */

/** How long it takes, s. */
export const FADE = 0.2;
/** How many are drawn twice at a time. */
const MOST = 500;

/** Ways of being drawn. */
export const [NOT, IMPOSTOR_KIND, POSED_KIND, BODY_KIND] = [0, 1, 2, 3] as const;

export class Fades {
  private kinds = new Uint8Array(0);
  private before = new Uint8Array(0);
  private since = new Float64Array(0);
  /** The number of the picture that each was drawn in last. */
  private drawn = new Float64Array(0);
  private picture = 0;
  private now = 0;
  /** How many more can begin to be drawn twice in this picture. */
  private room = 0;
  /** How many are drawn twice in this picture. */
  running = 0;

  /** Another picture begins, at a moment, s. */
  begin(now: number): void {
    this.picture++;
    this.room = MOST - this.running;
    this.running = 0;
    this.now = now;
  }

  /** Somebody is drawn in this way. Tells how far they have come to it, from 0 to 1: before that they are drawn as they were, too. */
  note(slot: number, kind: number): number {
    if (slot >= this.kinds.length) this.makeRoom(slot + 1);
    const { kinds, before, since, drawn, now } = this;
    const old = kinds[slot]!;
    if (old !== kind) {
      const there = old !== NOT && kind !== NOT && drawn[slot] === this.picture - 1;
      const passed = now - since[slot]!;
      // Who goes back to what they were goes back from where they are.
      const back = before[slot] === kind && passed < FADE;
      const begins = there && (passed < FADE || this.room-- > 0);
      since[slot] = !begins ? -Infinity : back ? now - (FADE - passed) : now;
      before[slot] = old;
      kinds[slot] = kind;
    }
    drawn[slot] = this.picture;
    const progress = Math.max(0, (now - since[slot]!) / FADE);
    if (progress >= 1) return 1;
    this.running++;
    return progress;
  }

  /** How somebody was drawn before. */
  from(slot: number): number {
    return this.before[slot] ?? NOT;
  }

  private makeRoom(count: number): void {
    const room = Math.max(64, Math.ceil(1.5 * count));
    const grown = <A extends Uint8Array | Float64Array>(array: A, larger: A): A => {
      larger.set(array);
      return larger;
    };
    this.kinds = grown(this.kinds, new Uint8Array(room));
    this.before = grown(this.before, new Uint8Array(room));
    this.since = grown(this.since, new Float64Array(room).fill(-Infinity));
    this.drawn = grown(this.drawn, new Float64Array(room));
  }
}

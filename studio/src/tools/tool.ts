/** What a tool is: it is told what the pointer does, draws sketches, and makes edits. */
import type { Point } from "../protocol.ts";
import type { Near, Studio } from "../studio.ts";
import type { World } from "../view/world.ts";

export interface Pointer {
  /** Pixels of the window. */
  x: number;
  y: number;
  /** The floor it is on: the chosen one, that on which something was begun, or the one under it. */
  layer: number;
  /** The ground of that floor under it. */
  ground: Point | null;
  shift: boolean;
  control: boolean;
  /** Of a finger, not of a mouse or a pen. */
  touch: boolean;
  /** Of the keyboard's cursor. */
  keyboard?: boolean;
}

export interface ToolContext {
  studio: Studio;
  world: World;
  /** A few words beside the pointer, or nothing. */
  tip(text: string | null, at?: { x: number; y: number }): void;
  /** A rectangle or a lasso on the screen, or nothing. */
  marquee(points: { x: number; y: number }[] | null): void;
}

export interface Tool {
  readonly cursor: string;
  /** The floor that what was begun keeps to, if not that of the last press. */
  readonly floor?: number | null;
  /** What to do next, for the line above the time bar. */
  readonly hint: string;
  /** Draws by a drag from one place to another, and not by clicks. */
  readonly isDrag?: boolean;
  down?(pointer: Pointer): void;
  /** With the button pressed. */
  drag?(pointer: Pointer): void;
  up?(pointer: Pointer): void;
  /** Without. */
  hover?(pointer: Pointer): void;
  doubleClick?(pointer: Pointer): void;
  /** Tells whether it knew what to do with a key. */
  key?(event: KeyboardEvent): boolean;
  /** Forgets what was begun. */
  cancel(): void;
  /** The press was none: a second finger came, and the two move the camera. Without it, all that was begun is forgotten. */
  interrupt?(): void;
}

/** A press that moved less than this was a click, pixels. Fingers roll. */
const CLICK = { mouse: 4, finger: 12 };

export const near = (pointer: Pointer): Near => ({ x: pointer.x, y: pointer.y });

export function movedFar(from: Pointer, to: Pointer): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) > (from.touch ? CLICK.finger : CLICK.mouse);
}

let drags = 0;
/** A name that joins all edits of one drag. */
export const nextDrag = (): string => `drag ${Date.now().toString(36)} ${++drags}`;

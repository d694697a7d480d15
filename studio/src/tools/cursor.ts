/**
 * The keyboard's cursor: a place on the ground that arrow keys move and numbers name. Enter is a click there; for tools that drag from one place
 * to another, the first Enter presses and the second one releases. So every tool draws without a pointer.
 */
import { workingFloor } from "../model/floors.ts";
import { signal } from "../model/signal.ts";
import type { Point } from "../protocol.ts";
import type { Pointer, Tool, ToolContext } from "./tool.ts";

/** How far an arrow key moves it, and with Shift, m: as selected arrows are moved. */
const STEP = 0.25;
const LONG_STEP = 1;
/** Nearer to the edge of the window than this the ground moves along, pixels. */
const EDGE = 40;
const MOVES: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class KeyboardCursor {
  /** Where it is; `null` while it is not used. */
  readonly at = signal<Point | null>(null);
  /** A drag has begun at another place. */
  readonly isPressed = signal(false);
  /** Asked to let coordinates be typed. */
  onType: () => void = () => {};

  constructor(
    private readonly context: ToolContext,
    private readonly tool: () => Tool,
  ) {
    const { studio, world } = context;
    studio.tool.onChange(() => this.isPressed.set(false));
    world.stage.canvas.addEventListener("pointerdown", () => this.hide(), { capture: true });
  }

  /** Tells whether it knew what to do with a key. */
  key(event: KeyboardEvent): boolean {
    const here = this.at.value;
    if (event.key.toLowerCase() === "d") {
      if (here) this.onType();
      else this.show();
      return true;
    }
    const move = MOVES[event.key];
    if (!here) return false;
    if (move) {
      const size = event.shiftKey ? LONG_STEP : STEP;
      this.moveTo([here[0] + move[0] * size, here[1] + move[1] * size]);
    } else if (event.key === "Enter") this.press(event.shiftKey);
    else if (event.key === "Escape") {
      this.tool().cancel();
      this.hide();
    } else return false;
    return true;
  }

  /** Begins in the middle of what is looked at. */
  show(): void {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const [x, y] = this.context.world.stage.rig.view.target;
    this.moveTo([Math.round(x / STEP) * STEP, Math.round(y / STEP) * STEP]);
  }

  hide(): void {
    if (this.isPressed.value) this.tool().cancel();
    this.isPressed.set(false);
    this.at.set(null);
    this.context.world.stage.invalidate();
  }

  moveTo([x, y]: Point): void {
    const tidy = (value: number) => Number(value.toFixed(3));
    const to: Point = [tidy(x), tidy(y)];
    this.at.set(to);
    this.keepInView(to);
    const pointer = this.pointer(to, false);
    if (this.isPressed.value) this.tool().drag?.(pointer);
    else this.tool().hover?.(pointer);
    this.context.world.stage.invalidate();
  }

  press(shift = false): void {
    const here = this.at.value;
    if (!here) return;
    const tool = this.tool();
    const pointer = this.pointer(here, shift);
    const ends = this.isPressed.value || !tool.isDrag;
    if (!this.isPressed.value) tool.down?.(pointer);
    if (ends) tool.up?.(pointer);
    this.isPressed.set(!ends);
  }

  /** The floor it is on. */
  get layer(): number {
    const { scene, floor } = this.context.studio;
    return workingFloor(scene.value, floor.value);
  }

  private pointer(ground: Point, shift: boolean): Pointer {
    const { layer } = this;
    const { x, y } = this.context.world.project(...ground, layer, 0);
    return { x, y, layer, ground, shift, control: false, touch: false, keyboard: true };
  }

  private keepInView(at: Point): void {
    const { world, studio } = this.context;
    const { x, y, visible } = world.project(...at, this.layer, 0);
    const isInside = visible && x > EDGE && y > EDGE && x < innerWidth - EDGE && y < innerHeight - EDGE;
    if (isInside) return;
    const { rig } = world.stage;
    studio.following.set(null);
    rig.moveBy([at[0] - rig.view.target[0], at[1] - rig.view.target[1]]);
  }
}

/** All tools, and the hands that use them: pointer and wheel go to the camera or to the tool that was chosen. */
import { distance, turn } from "../model/geometry.ts";
import type { ToolName } from "../studio.ts";
import { ArrowTool } from "./arrow.ts";
import { InterestTool } from "./interest.ts";
import { DoorTool } from "./door.ts";
import { MeasureTool } from "./measure.ts";
import { BoxTool, ChosenTool, SourceTool, WallTool, regionTool } from "./outline.ts";
import { BrushTool, GoalTool } from "./people.ts";
import { SelectTool } from "./select.ts";
import type { Place } from "../view/axes.ts";
import type { Pointer, Tool, ToolContext } from "./tool.ts";

type CameraGesture = "orbit" | "pan";
type Spot = { x: number; y: number };

export class Toolbox {
  readonly tools: Record<ToolName, Tool>;
  private readonly walls: { wall: Tool; door: Tool };
  private active: { kind: "tool"; floor: number } | { kind: "camera"; gesture: CameraGesture } | null = null;
  private last: Spot = { x: 0, y: 0 };
  /** What the pointer took hold of to move the ground: it stays under the pointer. */
  private held: Place | null = null;
  /** Where fingers are. */
  private readonly touches = new Map<number, Spot>();
  /** Two fingers have touched the stage: until all are lifted, they move the camera. */
  private pinching = false;

  constructor(private readonly context: ToolContext) {
    this.walls = { wall: new WallTool(context), door: new DoorTool(context) };
    this.tools = {
      select: new SelectTool(context),
      hand: { cursor: "grab", hint: "Drag to look around; with Shift the ground moves along. The right mouse button, or two fingers, do so with every tool", cancel: () => {} },
      arrow: new ArrowTool(context),
      wall: new ChosenTool(() => this.walls[context.studio.options.value.wallPart]),
      box: new BoxTool(context),
      region: regionTool(context),
      goal: new GoalTool(context),
      source: new SourceTool(context),
      brush: new BrushTool(context),
      interest: new InterestTool(context),
      measure: new MeasureTool(context),
    };
    const { studio, world } = context;
    let previous = studio.tool.value;
    studio.tool.watch((name) => {
      this.tools[previous].cancel();
      previous = name;
      world.stage.canvas.style.cursor = this.current.cursor;
      context.tip(null);
    });
    studio.sending.onChange(() => (world.stage.canvas.style.cursor = this.current.cursor));
    this.listen(world.stage.canvas);
  }

  get current(): Tool {
    return this.tools[this.context.studio.tool.value];
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (event) => this.down(event, canvas));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => {
      this.lift(event);
      this.interrupt();
    });
    canvas.addEventListener("pointerleave", () => this.context.tip(null));
    canvas.addEventListener("dblclick", (event) => this.current.doubleClick?.(this.pointer(event)));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private down(event: PointerEvent, canvas: HTMLCanvasElement): void {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already cannot be captured, and need not be.
    }
    this.last = { x: event.clientX, y: event.clientY };
    if (event.pointerType === "touch") {
      this.touches.set(event.pointerId, this.last);
      if (this.touches.size > 1) {
        if (!this.pinching) this.interrupt();
        this.pinching = true;
      }
      if (this.pinching) return;
    }
    const gesture = this.gestureOf(event);
    if (gesture) {
      this.active = { kind: "camera", gesture };
      this.held = gesture === "pan" ? this.context.world.surfaceAt(this.last.x, this.last.y) : null;
      canvas.style.cursor = "grabbing";
    } else if (event.button === 0) {
      const pointer = this.pointer(event);
      this.active = { kind: "tool", floor: pointer.layer };
      this.current.down?.(pointer);
    }
  }

  private move(event: PointerEvent): void {
    if (this.pinching && event.pointerType === "touch") {
      this.pinch(event);
      return;
    }
    const before = this.last;
    this.last = { x: event.clientX, y: event.clientY };
    if (this.active?.kind === "camera") {
      if (this.active.gesture === "pan") this.slide(this.held, before, this.last);
      else this.orbit(this.last.x - before.x, this.last.y - before.y);
    } else if (this.active) this.current.drag?.(this.pointer(event));
    else this.current.hover?.(this.pointer(event));
  }

  private up(event: PointerEvent): void {
    this.lift(event);
    const pointer = this.active?.kind === "tool" ? this.pointer(event) : null;
    this.active = null;
    this.context.world.stage.canvas.style.cursor = this.current.cursor;
    if (pointer) this.current.up?.(pointer);
  }

  private lift(event: PointerEvent): void {
    this.touches.delete(event.pointerId);
    if (this.touches.size === 0) this.pinching = false;
  }

  private interrupt(): void {
    const tool = this.current;
    if (tool.interrupt) tool.interrupt();
    else tool.cancel();
    this.active = null;
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
    const amount = Math.max(-120, Math.min(120, event.deltaY * lines));
    // A pinch on a track-pad comes as a wheel with Ctrl, in small steps.
    const factor = Math.exp(amount * (event.ctrlKey ? 0.01 : 0.0016));
    const { world, studio } = this.context;
    world.stage.rig.zoom(factor, studio.following.value === null ? world.surfaceAt(event.clientX, event.clientY) : null);
    world.stage.invalidate();
  }

  /** Two fingers move, zoom and turn together: what was between them stays there. */
  private pinch(event: PointerEvent): void {
    if (!this.touches.has(event.pointerId)) return;
    const before = [...this.touches.values()].slice(0, 2);
    this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = [...this.touches.values()].slice(0, 2);
    const [a, b, c, d] = [...before, ...now];
    if (!a || !b || !c || !d) return;
    const middle = (p: Spot, q: Spot): Spot => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
    const apart = (p: Spot, q: Spot) => Math.max(1, Math.hypot(p.x - q.x, p.y - q.y));
    const direction = (p: Spot, q: Spot) => Math.atan2(q.y - p.y, q.x - p.x);
    const { world, world: { stage }, studio } = this.context;
    // Who follows somebody keeps them in the middle.
    const [from, to] = [middle(a, b), middle(c, d)];
    const taken = studio.following.value === null ? world.surfaceAt(from.x, from.y) : null;
    const around = taken && this.slide(taken, from, to) ? taken : null;
    stage.rig.zoom(apart(a, b) / apart(c, d), around);
    stage.rig.turn(turn(direction(a, b), direction(c, d)), around && [around[0], around[1]]);
    stage.rig.jump();
    stage.invalidate();
  }

  /** Moves the ground along with the pointer, so that the place that was taken stays under it. Tells whether it does. */
  private slide(taken: Place | null, from: Spot, to: Spot): boolean {
    const { world, studio } = this.context;
    const { rig } = world.stage;
    studio.following.set(null);
    const there = taken && world.levelAt(to.x, to.y, taken[2]);
    // Near the horizon a finger's breadth is a kilometre.
    const isNear = taken !== null && there !== null && distance([taken[0], taken[1]], there) < rig.distance;
    if (isNear) rig.moveBy([taken[0] - there[0], taken[1] - there[1]]);
    else rig.pan(to.x - from.x, to.y - from.y);
    rig.jump();
    world.stage.invalidate();
    return isNear;
  }

  private gestureOf(event: PointerEvent): CameraGesture | null {
    if (event.button === 1) return "pan";
    if (event.button === 2) return event.shiftKey ? "pan" : "orbit";
    if (event.altKey) return event.shiftKey ? "pan" : "orbit";
    if (event.button === 0 && this.context.studio.tool.value === "hand") return event.shiftKey || event.pointerType === "touch" ? "pan" : "orbit";
    return null;
  }

  private orbit(dx: number, dy: number): void {
    const { stage } = this.context.world;
    stage.rig.orbit(dx, dy);
    stage.invalidate();
  }

  private pointer(event: MouseEvent): Pointer {
    const { world } = this.context;
    const [x, y] = [event.clientX, event.clientY];
    const kept = this.current.floor ?? (this.active?.kind === "tool" ? this.active.floor : null);
    const { layer, ground } = kept === null ? world.pointAt(x, y) : { layer: kept, ground: world.groundAt(x, y, kept) };
    const touch = event instanceof PointerEvent && event.pointerType === "touch";
    return { x, y, layer, ground, shift: event.shiftKey, control: event.ctrlKey || event.metaKey, touch };
  }
}

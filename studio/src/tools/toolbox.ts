/** All tools, and the hands that use them: pointer and wheel go to the camera or to the tool that was chosen. */
import type { Point } from "../protocol.ts";
import type { ToolName } from "../studio.ts";
import { ArrowTool } from "./arrow.ts";
import { BoxTool, RegionTool, SourceTool, WallTool } from "./outline.ts";
import { BrushTool, GoalTool } from "./people.ts";
import { SelectTool } from "./select.ts";
import type { Pointer, Tool, ToolContext } from "./tool.ts";

type CameraGesture = "orbit" | "pan";

export class Toolbox {
  readonly tools: Record<ToolName, Tool>;
  private active: { kind: "tool" } | { kind: "camera"; gesture: CameraGesture } | null = null;
  private last = { x: 0, y: 0 };
  private readonly touches = new Map<number, { x: number; y: number }>();

  constructor(private readonly context: ToolContext) {
    this.tools = {
      select: new SelectTool(context),
      hand: { cursor: "grab", hint: "Drag to look around; with Shift the ground moves along. The right mouse button does so with every tool", cancel: () => {} },
      arrow: new ArrowTool(context),
      wall: new WallTool(context),
      box: new BoxTool(context),
      region: new RegionTool(context),
      goal: new GoalTool(context),
      source: new SourceTool(context),
      brush: new BrushTool(context),
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
      this.touches.delete(event.pointerId);
      this.current.cancel();
      this.active = null;
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
      if (this.touches.size === 2) {
        this.current.cancel();
        this.active = null;
        return;
      }
    }
    const gesture = this.gestureOf(event);
    if (gesture) {
      this.active = { kind: "camera", gesture };
      canvas.style.cursor = "grabbing";
    } else if (event.button === 0) {
      this.active = { kind: "tool" };
      this.current.down?.(this.pointer(event));
    }
  }

  private move(event: PointerEvent): void {
    if (this.touches.has(event.pointerId) && this.touches.size === 2) {
      this.pinch(event);
      return;
    }
    const [dx, dy] = [event.clientX - this.last.x, event.clientY - this.last.y];
    this.last = { x: event.clientX, y: event.clientY };
    if (this.active?.kind === "camera") this.moveCamera(this.active.gesture, dx, dy);
    else if (this.active) this.current.drag?.(this.pointer(event));
    else this.current.hover?.(this.pointer(event));
  }

  private up(event: PointerEvent): void {
    this.touches.delete(event.pointerId);
    const active = this.active;
    this.active = null;
    this.context.world.stage.canvas.style.cursor = this.current.cursor;
    if (active?.kind === "tool") this.current.up?.(this.pointer(event));
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
    const amount = Math.max(-120, Math.min(120, event.deltaY * lines));
    // A pinch on a track-pad comes as a wheel with Ctrl, in small steps.
    const factor = Math.exp(amount * (event.ctrlKey ? 0.01 : 0.0016));
    const { world, studio } = this.context;
    world.stage.rig.zoom(factor, studio.following.value === null ? world.groundAt(event.clientX, event.clientY) : null);
    world.stage.invalidate();
  }

  /** Two fingers move and zoom together. */
  private pinch(event: PointerEvent): void {
    const others = [...this.touches].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const other = others[0]!;
    const before = this.touches.get(event.pointerId)!;
    const now = { x: event.clientX, y: event.clientY };
    this.touches.set(event.pointerId, now);
    const apart = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
    const { rig } = this.context.world.stage;
    rig.zoom(apart(before) / apart(now), null);
    rig.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.context.world.stage.invalidate();
  }

  private gestureOf(event: PointerEvent): CameraGesture | null {
    if (event.button === 1) return "pan";
    if (event.button === 2) return event.shiftKey ? "pan" : "orbit";
    if (event.altKey) return event.shiftKey ? "pan" : "orbit";
    if (event.button === 0 && this.context.studio.tool.value === "hand") return event.shiftKey ? "pan" : "orbit";
    return null;
  }

  private moveCamera(gesture: CameraGesture, dx: number, dy: number): void {
    const { stage } = this.context.world;
    if (gesture === "orbit") stage.rig.orbit(dx, dy);
    else {
      this.context.studio.following.set(null);
      stage.rig.pan(dx, dy);
    }
    stage.invalidate();
  }

  private pointer(event: MouseEvent): Pointer {
    const ground: Point | null = this.context.world.groundAt(event.clientX, event.clientY);
    return { x: event.clientX, y: event.clientY, ground, shift: event.shiftKey, control: event.ctrlKey || event.metaKey };
  }
}

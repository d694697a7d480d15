/** Drawing arrows: press, drag and release. The longer the drag, the faster they lead. */
import { SHORTEST_DRAG, SPEED_PER_METRE, addArrow, reachOfNew, speedInWords, speedLimit, velocityOfDrag } from "../edits/arrows.ts";
import { distance } from "../model/geometry.ts";
import type { Point } from "../protocol.ts";
import { circle } from "../view/mesh-builder.ts";
import type { Sketch } from "../view/sketch.ts";
import { dragArrow, type Dragging } from "./dragging.ts";
import { deleteSelected, nudge } from "./select.ts";
import { movedFar, near, type Pointer, type Tool, type ToolContext } from "./tool.ts";

export class ArrowTool implements Tool {
  readonly cursor = "crosshair";
  readonly isDrag = true;
  private from: Point | null = null;
  private pressed: Pointer | null = null;
  private taken: (() => Dragging) | null = null;
  private dragging: Dragging | null = null;

  constructor(private readonly context: ToolContext) {}

  get hint(): string {
    const group = this.context.studio.group;
    return group
      ? `Drag to draw an arrow for “${group.name}”: 1 m leads at 0.5 m/s. Drag its ends or the circle of its reach to change it; Delete removes it`
      : "Add a group first; arrows lead groups";
  }

  down(pointer: Pointer): void {
    this.pressed = pointer;
    this.from = null;
    this.taken = null;
    if (!pointer.ground) return;
    const { studio, world } = this.context;
    const arrow = world.arrowAt(pointer.ground, pointer.layer);
    const from = pointer.ground;
    if (arrow) {
      studio.selection.set({ kind: "arrow", field: arrow.field, index: arrow.anchor.index! });
      this.taken = () => dragArrow(this.context, arrow.field, arrow.anchor, arrow.grip, from);
    } else {
      studio.selection.set(null);
      if (studio.groupOrHint(near(pointer))) this.from = from;
    }
  }

  drag(pointer: Pointer): void {
    if (this.taken && this.pressed && (this.dragging || movedFar(this.pressed, pointer))) {
      this.dragging ??= this.taken();
      this.dragging.drag(pointer);
      return;
    }
    const { studio, world } = this.context;
    if (!this.from || !pointer.ground) return;
    const limit = speedLimit(studio.group);
    const velocity = velocityOfDrag(this.from, pointer.ground, limit);
    const [scene, group] = [studio.scene.value, studio.group];
    const reach = scene && group && reachOfNew(scene, group, pointer.layer);
    const color = group?.color ?? "#888888";
    const sketches: Sketch[] = reach ? [{ kind: "area", points: circle(this.from, reach, 72), color }] : [];
    world.draw([...sketches, { kind: "arrow", at: this.from, velocity, color }]);
    this.context.tip(speedInWords(velocity, distance(this.from, pointer.ground) * SPEED_PER_METRE, limit), pointer);
  }

  up(pointer: Pointer): void {
    if (this.dragging) void this.dragging.drop();
    else if (this.from && pointer.ground && distance(this.from, pointer.ground) >= SHORTEST_DRAG) void this.add(this.from, pointer);
    this.reset();
  }

  key(event: KeyboardEvent): boolean {
    const selection = this.context.studio.selection.value;
    if (event.key === "Delete" || event.key === "Backspace") return deleteSelected(this.context, selection);
    return nudge(this.context, event, selection);
  }

  cancel(): void {
    if (this.dragging) void this.dragging.drop();
    this.reset();
  }

  private async add(from: Point, pointer: Pointer): Promise<void> {
    const { studio } = this.context;
    const scene = studio.scene.value;
    const group = studio.group;
    if (!scene || !group) return;
    const edit = addArrow(scene, group, from, velocityOfDrag(from, pointer.ground!, speedLimit(group)), pointer.layer);
    if (!(await studio.edit(edit, near(pointer)))) return;
    studio.markDone("arrow");
    studio.warnOfSpeed(distance(from, pointer.ground!) * SPEED_PER_METRE, group, near(pointer));
  }

  private reset(): void {
    this.dragging = null;
    this.taken = null;
    this.from = null;
    this.pressed = null;
    this.context.world.draw([]);
    this.context.tip(null);
  }
}

/** Goals and people: where a group goes, and painting people along a stroke. */
import { paintPeople, setGoal } from "../edits/groups.ts";
import { contains, distance, spaced } from "../model/geometry.ts";
import { people } from "../model/words.ts";
import type { Point } from "../protocol.ts";
import { targetAt } from "./target.ts";
import { movedFar, near, type Pointer, type Tool, type ToolContext } from "./tool.ts";

export class GoalTool implements Tool {
  readonly cursor = "crosshair";
  private pressed: Pointer | null = null;

  constructor(private readonly context: ToolContext) {}

  get hint(): string {
    const group = this.context.studio.group;
    return group
      ? `Click where “${group.name}” should go: the ground, or a region. Shift adds it after the goals they have`
      : "Add a group first; goals are what a group wants";
  }

  down(pointer: Pointer): void {
    this.pressed = pointer;
  }

  up(pointer: Pointer): void {
    if (!this.pressed || movedFar(this.pressed, pointer) || !pointer.ground) return;
    const { studio } = this.context;
    const scene = studio.scene.value;
    const group = studio.groupOrHint(near(pointer));
    if (!scene || !group) return;
    const target = targetAt(this.context, pointer);
    if (!target) return;
    void studio.edit(setGoal(scene, group.name, target, pointer.shift), near(pointer)).then((made) => {
      const where = "region" in target ? `“${target.region}”` : `(${target.point.map((v) => v.toFixed(1)).join(", ")})`;
      if (made) studio.showMessage({ level: "info", text: `“${group.name}” goes to ${where}`, near: near(pointer) });
    });
  }

  hover(pointer: Pointer): void {
    const target = targetAt(this.context, pointer);
    this.context.tip(target && "region" in target ? target.region : null, pointer);
  }

  cancel(): void {
    this.pressed = null;
    this.context.tip(null);
  }
}

/** Half a body: nobody is painted nearer to a wall than this, m. */
const CLEARANCE = 0.3;

export class BrushTool implements Tool {
  readonly cursor = "crosshair";
  readonly isDrag = true;
  private stroke: Point[] = [];
  private placed: Point[] = [];

  constructor(private readonly context: ToolContext) {}

  get hint(): string {
    const group = this.context.studio.group;
    return group ? `Drag to paint people of “${group.name}”; a click places one` : "Add a group first; people belong to a group";
  }

  down(pointer: Pointer): void {
    const group = this.context.studio.groupOrHint(near(pointer));
    if (!pointer.ground || !group) return;
    this.stroke = [pointer.ground];
    this.update(pointer);
  }

  drag(pointer: Pointer): void {
    if (this.stroke.length === 0 || !pointer.ground) return;
    this.stroke.push(pointer.ground);
    this.update(pointer);
  }

  up(pointer: Pointer): void {
    const { studio } = this.context;
    const places = this.placed;
    const group = studio.group;
    const scene = studio.scene.value;
    if (places.length > 0 && group && scene) void studio.edit(paintPeople(scene, group.name, places, pointer.layer), near(pointer));
    this.cancel();
  }

  cancel(): void {
    this.stroke = [];
    this.placed = [];
    this.context.world.draw([]);
    this.context.tip(null);
  }

  private update(pointer: Pointer): void {
    const { studio, world } = this.context;
    const { spacing } = studio.options.value;
    const scene = studio.scene.value;
    if (!scene) return;
    const floor = pointer.layer;
    const here = this.stroke.at(-1)!;
    const taken: Point[] = [];
    for (let i = 0; i < world.shown.count; i++) {
      const p: Point = [world.shown.x[i]!, world.shown.y[i]!];
      if (world.shown.layers[i] === floor && distance(p, here) < 30) taken.push(p);
    }
    const walls = scene.obstacles.filter((obstacle) => obstacle.layer === floor && obstacle.here).flatMap((obstacle) => obstacle.solids);
    const around: Point[] = [[CLEARANCE, 0], [-CLEARANCE, 0], [0, CLEARANCE], [0, -CLEARANCE], [0, 0]];
    const free = (p: Point) => !walls.some((wall) => around.some((d) => contains(wall, [p[0] + d[0], p[1] + d[1]])));
    this.placed = spaced(this.stroke, spacing, taken).filter(free);
    world.draw([{ kind: "dots", points: this.placed, radius: 0.25, color: studio.group?.color ?? "#888888" }]);
    this.context.tip(people(this.placed.length), pointer);
  }
}

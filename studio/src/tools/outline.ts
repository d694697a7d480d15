/** Tools that make something of points: walls and polygons click by click, boxes and rectangles by a drag. */
import { addBox, addRegion, addWall, suggestRegionName } from "../edits/places.ts";
import { addSource } from "../edits/groups.ts";
import { cornersOf, crossesItself, distance, rectangle, withoutRepeats } from "../model/geometry.ts";
import { metres } from "../model/words.ts";
import type { Point } from "../protocol.ts";
import { movedFar, near, type Pointer, type Tool, type ToolContext } from "./tool.ts";

/** Points by clicks; Enter, a double click or another tap on the last point ends, Escape forgets, Backspace takes the last point back. */
abstract class PointsTool implements Tool {
  readonly cursor = "crosshair";
  abstract readonly hint: string;
  protected points: Point[] = [];
  private last: Pointer | null = null;

  constructor(protected readonly context: ToolContext) {}

  get floor(): number | null {
    return this.points.length > 0 ? (this.last?.layer ?? null) : null;
  }

  up(pointer: Pointer): void {
    if (!pointer.ground) return;
    const before = this.last;
    this.last = pointer;
    const previous = this.points.at(-1);
    // Fingers have no Enter at hand, and the keyboard's cursor sets points with it.
    if (previous && pointer.touch && before && !movedFar(before, pointer)) return this.finish();
    if (previous && distance(previous, pointer.ground) < 0.05) return pointer.keyboard ? this.finish() : undefined;
    this.points.push(this.placed(pointer));
    this.sketch(pointer.ground);
  }

  hover(pointer: Pointer): void {
    if (this.points.length === 0 || !pointer.ground) return;
    this.last = pointer;
    const here = this.placed(pointer);
    this.context.tip(metres(distance(this.points.at(-1)!, here)), pointer);
    this.sketch(here);
  }

  doubleClick(): void {
    this.finish();
  }

  key(event: KeyboardEvent): boolean {
    if (this.points.length === 0) return false;
    if (event.key === "Enter") this.finish();
    else if (event.key === "Backspace") {
      this.points.pop();
      this.sketch(this.points.at(-1) ?? null);
    } else return false;
    return true;
  }

  /** Points that were set stay: one looks around between two of them. */
  interrupt(): void {}

  cancel(): void {
    this.points = [];
    this.context.world.draw([]);
    this.context.tip(null);
  }

  protected abstract make(points: Point[], pointer: Pointer): void;
  protected abstract sketch(next: Point | null): void;

  /** With Shift, lines keep to the axes of the plan. */
  protected placed(pointer: Pointer): Point {
    const previous = this.points.at(-1);
    const here = pointer.ground!;
    if (!pointer.shift || !previous) return here;
    return Math.abs(here[0] - previous[0]) > Math.abs(here[1] - previous[1]) ? [here[0], previous[1]] : [previous[0], here[1]];
  }

  private finish(): void {
    const points = withoutRepeats(this.points);
    const pointer = this.last;
    this.cancel();
    if (pointer) this.make(points, pointer);
  }
}

export class WallTool extends PointsTool {
  readonly hint = "Click the points of a wall; Enter, a double click or a tap on the last point ends it, Esc cancels. Shift keeps it straight";

  protected make(points: Point[], pointer: Pointer): void {
    const { studio } = this.context;
    const scene = studio.scene.value;
    if (!scene || points.length < 2) return;
    const { thickness, height } = studio.options.value;
    void studio.edit(addWall(scene, points, thickness, height, pointer.layer), near(pointer)).then((made) => {
      if (made) studio.markDone("wall");
    });
  }

  protected sketch(next: Point | null): void {
    const points = next ? [...this.points, next] : this.points;
    this.context.world.draw(points.length > 0 ? [{ kind: "line", points, width: this.context.studio.options.value.thickness }] : []);
  }
}

/** A rectangle by a drag. */
abstract class RectangleTool implements Tool {
  readonly cursor: string = "crosshair";
  readonly isDrag = true;
  abstract readonly hint: string;
  private from: Pointer | null = null;

  constructor(protected readonly context: ToolContext) {}

  down(pointer: Pointer): void {
    this.from = pointer.ground ? pointer : null;
  }

  drag(pointer: Pointer): void {
    if (!this.from || !pointer.ground) return;
    const [min, max] = rectangle(this.from.ground!, pointer.ground);
    this.context.world.draw([{ kind: "area", points: cornersOf([min, max]), ...this.color() }]);
    this.context.tip(`${metres(max[0] - min[0])} × ${metres(max[1] - min[1])}`, pointer);
  }

  up(pointer: Pointer): void {
    const from = this.from;
    this.cancel();
    if (!from || !pointer.ground || !movedFar(from, pointer)) return;
    const [min, max] = rectangle(from.ground!, pointer.ground);
    if (max[0] - min[0] < 0.1 || max[1] - min[1] < 0.1) return;
    this.make(min, max, pointer);
  }

  cancel(): void {
    this.from = null;
    this.context.world.draw([]);
    this.context.tip(null);
  }

  protected color(): { color?: string } {
    return {};
  }

  protected abstract make(min: Point, max: Point, pointer: Pointer): void;
}

export class BoxTool extends RectangleTool {
  readonly hint = "Drag a box that nobody can walk through";

  protected make(min: Point, max: Point, pointer: Pointer): void {
    const { studio } = this.context;
    const scene = studio.scene.value;
    if (!scene) return;
    void studio.edit(addBox(scene, min, max, studio.options.value.height, pointer.layer), near(pointer)).then((made) => {
      if (made) studio.markDone("wall");
    });
  }
}

export class SourceTool extends RectangleTool {
  get hint(): string {
    const group = this.context.studio.group;
    return group ? `Drag a rectangle where people of “${group.name}” appear` : "Add a group first; sources bring people of a group";
  }

  protected override color(): { color?: string } {
    const color = this.context.studio.group?.color;
    return color ? { color } : {};
  }

  protected make(min: Point, max: Point, pointer: Pointer): void {
    const { studio } = this.context;
    const scene = studio.scene.value;
    const group = studio.groupOrHint(near(pointer));
    if (!scene || !group) return;
    void studio.edit(addSource(scene, group.name, min, max, studio.options.value.rate, pointer.layer), near(pointer));
  }
}

class RectangleRegion extends RectangleTool {
  readonly hint = "Drag a rectangle: a place with a name";

  protected make(min: Point, max: Point, pointer: Pointer): void {
    addNamed(this.context, { rectangle: [min, max] }, pointer);
  }
}

class PolygonRegion extends PointsTool {
  readonly hint = "Click the corners of a place; Enter, a double click or a tap on the last corner ends it, Esc cancels";

  protected make(points: Point[], pointer: Pointer): void {
    if (points.length < 3) return;
    if (crossesItself(points)) {
      this.context.studio.showMessage({ level: "warning", text: "The outline crosses itself", help: "Go around the place in one direction.", near: near(pointer) });
      return;
    }
    addNamed(this.context, { polygon: points }, pointer);
  }

  protected sketch(next: Point | null): void {
    const points = next ? [...this.points, next] : this.points;
    this.context.world.draw(points.length > 0 ? [{ kind: "area", points }] : []);
  }
}

/** The tool of several that the panel says. */
export class ChosenTool implements Tool {
  readonly cursor = "crosshair";

  constructor(private readonly choose: () => Tool) {}

  get hint(): string {
    return this.choose().hint;
  }
  get isDrag(): boolean {
    return this.choose().isDrag ?? false;
  }

  get floor(): number | null {
    return this.choose().floor ?? null;
  }

  down(pointer: Pointer): void {
    this.choose().down?.(pointer);
  }
  drag(pointer: Pointer): void {
    this.choose().drag?.(pointer);
  }
  up(pointer: Pointer): void {
    this.choose().up?.(pointer);
  }
  hover(pointer: Pointer): void {
    this.choose().hover?.(pointer);
  }
  doubleClick(pointer: Pointer): void {
    this.choose().doubleClick?.(pointer);
  }
  key(event: KeyboardEvent): boolean {
    return this.choose().key?.(event) ?? false;
  }
  interrupt(): void {
    const tool = this.choose();
    if (tool.interrupt) tool.interrupt();
    else tool.cancel();
  }
  cancel(): void {
    this.choose().cancel();
  }
}

/** Regions are drawn as rectangles or corner by corner, as the panel says. */
export function regionTool(context: ToolContext): Tool {
  const shapes = { rectangle: new RectangleRegion(context), polygon: new PolygonRegion(context) };
  return new ChosenTool(() => shapes[context.studio.options.value.regionShape]);
}

/** A new region is selected, so that the panel offers to rename it. */
function addNamed(context: ToolContext, shape: { rectangle: [Point, Point] } | { polygon: Point[] }, pointer: Pointer): void {
  const { studio } = context;
  const scene = studio.scene.value;
  if (!scene) return;
  const name = suggestRegionName(scene);
  void studio.edit(addRegion(scene, name, shape, pointer.layer), near(pointer)).then((made) => {
    if (made) studio.selection.set({ kind: "region", name });
  });
}

/** Selecting: a click takes a person, an arrow, an obstacle, a region or something to look at; a drag moves it, or draws a rectangle or a lasso around people. */
import { moveArrow, removeArrow } from "../edits/arrows.ts";
import { seek } from "../edits/groups.ts";
import { removeInterest } from "../edits/interests.ts";
import { removeObstacle, removeRegion } from "../edits/places.ts";
import { add, contains } from "../model/geometry.ts";
import type { Point } from "../protocol.ts";
import type { Selection } from "../studio.ts";
import { dragArrow, dragInterest, dragObstacle, dragRegion, type Dragging } from "./dragging.ts";
import { targetAt } from "./target.ts";
import { movedFar, near, type Pointer, type Tool, type ToolContext } from "./tool.ts";

export class SelectTool implements Tool {
  floor: number | null = null;
  private pressed: Pointer | null = null;
  private dragging: Dragging | null = null;
  private begin: (() => Dragging) | null = null;
  private outline: { x: number; y: number }[] = [];
  private lasso = false;
  /** The press took a handle of what is selected, other than the shaft of an arrow: it is no click on what lies under it. */
  private isHandle = false;

  constructor(private readonly context: ToolContext) {}

  get cursor(): string {
    return this.context.studio.sending.value ? "crosshair" : "default";
  }

  get hint(): string {
    return this.context.studio.sending.value
      ? "Click where they should go: on the ground, or in a region"
      : this.context.studio.selection.value?.kind === "region"
        ? "Drag the outline of the region, or ✥ in its middle, to move it; a drag elsewhere selects people"
        : "Click a person, arrow, obstacle, region or interest; drag over the ground to select people";
  }

  down(pointer: Pointer): void {
    this.pressed = pointer;
    this.begin = null;
    this.floor = null;
    this.outline = [];
    this.lasso = pointer.control;
    this.isHandle = false;
    const { studio, world } = this.context;
    if (studio.sending.value) return;
    const handle = this.handleAt(pointer);
    if (handle) {
      this.begin = handle.drag;
      this.isHandle = !handle.isShaft;
      return;
    }
    const person = world.personAt(pointer.x, pointer.y);
    if (person !== null || studio.isReplay || !pointer.ground) return;
    const from = pointer.ground;
    // What is dragged stays under the pointer on its own floor.
    const keepTo = (layer: number): Point => {
      this.floor = layer;
      return world.groundAt(pointer.x, pointer.y, layer) ?? from;
    };
    const document = studio.scene.value!.document;
    const interest = world.interestAt(pointer.x, pointer.y);
    if (interest) {
      const start = keepTo(interest.layer);
      this.begin = () => dragInterest(this.context, document, interest.name, start);
      this.select({ kind: "interest", name: interest.name });
      return;
    }
    const arrow = world.arrowAt(from, pointer.layer);
    if (arrow) {
      this.begin = () => dragArrow(this.context, arrow.field, arrow.anchor, arrow.grip, from);
      this.select({ kind: "arrow", field: arrow.field, index: arrow.anchor.index! });
      return;
    }
    const obstacle = world.obstacleAt(pointer.x, pointer.y);
    if (obstacle) {
      const start = keepTo(obstacle.layer);
      this.begin = () => dragObstacle(this.context, document, obstacle.index!, start);
      this.select({ kind: "obstacle", index: obstacle.index! });
      return;
    }
  }

  /** What dragging a handle of what is selected does: an end, the shaft or the reach of an arrow, the outline or the middle of a region. People who are there do not count. */
  private handleAt({ ground, layer }: Pointer): { drag: () => Dragging; isShaft: boolean } | null {
    const { studio, world } = this.context;
    const selection = studio.selection.value;
    const document = studio.scene.value?.document;
    if (!ground || !document || studio.isReplay) return null;
    if (selection?.kind === "arrow") {
      const arrow = world.arrowAt(ground, layer, selection);
      return arrow && { drag: () => dragArrow(this.context, arrow.field, arrow.anchor, arrow.grip, ground), isShaft: arrow.grip === "shaft" };
    }
    const isRegion = selection?.kind === "region" && world.isOnRegionHandle(selection.name, ground, layer);
    return isRegion ? { drag: () => dragRegion(this.context, document, selection.name, ground), isShaft: false } : null;
  }

  drag(pointer: Pointer): void {
    if (!this.pressed || !movedFar(this.pressed, pointer)) {
      if (!this.dragging && this.outline.length === 0) return;
    }
    if (this.context.studio.sending.value) return;
    if (this.begin) {
      this.dragging ??= this.begin();
      this.dragging.drag(pointer);
      return;
    }
    const start = this.pressed!;
    if (this.lasso) this.outline.push({ x: pointer.x, y: pointer.y });
    else {
      this.outline = [
        { x: start.x, y: start.y },
        { x: pointer.x, y: start.y },
        { x: pointer.x, y: pointer.y },
        { x: start.x, y: pointer.y },
      ];
    }
    this.context.marquee(this.outline);
  }

  up(pointer: Pointer): void {
    const { studio, world } = this.context;
    const pressed = this.pressed;
    this.pressed = null;
    if (this.dragging) {
      void this.dragging.drop();
      this.dragging = null;
    } else if (this.outline.length > 2) {
      const polygon = this.outline.map((p): Point => [p.x, p.y]);
      const found = world.peopleWithin((x, y) => contains(polygon, [x, y]));
      const before = pointer.shift ? studio.selectedPeople : [];
      const ids = new Set([...before, ...found]);
      this.select(ids.size > 0 ? { kind: "people", ids } : null);
    } else if (pressed && !movedFar(pressed, pointer)) {
      this.click(pointer);
    }
    this.outline = [];
    this.context.marquee(null);
  }

  hover(pointer: Pointer): void {
    const { world } = this.context;
    const canvas = world.stage.canvas;
    if (!this.context.studio.sending.value && this.handleAt(pointer)) canvas.style.cursor = "move";
    else canvas.style.cursor = world.personAt(pointer.x, pointer.y) !== null ? "pointer" : this.cursor;
  }

  key(event: KeyboardEvent): boolean {
    const { studio } = this.context;
    if (event.key === "Delete" || event.key === "Backspace") return this.deleteSelection();
    return nudge(this.context, event, studio.selection.value);
  }

  interrupt(): void {
    this.pressed = null;
    this.outline = [];
    this.context.marquee(null);
    if (this.dragging) void this.dragging.drop();
    this.dragging = null;
  }

  cancel(): void {
    this.interrupt();
    if (this.context.studio.sending.value) this.context.studio.sending.set(false);
  }

  deleteSelection(): boolean {
    const { studio } = this.context;
    return deleteSelected(this.context, studio.selection.value);
  }

  private click(pointer: Pointer): void {
    const { studio, world } = this.context;
    if (studio.sending.value) {
      this.send(pointer);
      return;
    }
    if (this.isHandle) return;
    const person = world.personAt(pointer.x, pointer.y);
    if (person !== null) {
      const ids = new Set(pointer.shift ? studio.selectedPeople : []);
      if (!ids.delete(person)) ids.add(person);
      this.select(ids.size > 0 ? { kind: "people", ids } : null);
      studio.markDone("person");
      return;
    }
    // Arrows, obstacles and what is looked at were selected by the press.
    if (this.begin) return;
    const region = pointer.ground && !studio.isReplay ? world.regionAt(pointer.ground, pointer.layer) : null;
    this.select(region ? { kind: "region", name: region.name } : null);
  }

  private send(pointer: Pointer): void {
    const { studio } = this.context;
    const scene = studio.scene.value;
    if (!scene) return;
    const target = targetAt(this.context, pointer);
    if (!target) return;
    studio.sending.set(false);
    void studio.ask("direct", { people: studio.selectedPeople, goals: [seek(scene, target)] }, near(pointer));
  }

  private select(selection: Selection): void {
    this.context.studio.selection.set(selection);
  }
}

/** Takes away what is selected, whatever it is. */
export function deleteSelected(context: ToolContext, selection: Selection): boolean {
  const { studio } = context;
  const scene = studio.scene.value;
  if (!selection || !scene) return false;
  switch (selection.kind) {
    case "people":
      void studio.ask("remove", { people: [...selection.ids] });
      break;
    case "obstacle":
      void studio.edit(removeObstacle(selection.index));
      break;
    case "region":
      void studio.edit(removeRegion(selection.name));
      return true;
    case "interest":
      void studio.edit(removeInterest(selection.name));
      break;
    case "arrow":
      void studio.edit(removeArrow(scene, selection.field, selection.index));
  }
  studio.selection.set(null);
  return true;
}

const NUDGES: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Arrow keys move a selected arrow by 0.25 m, with Shift by 1 m. */
export function nudge(context: ToolContext, event: KeyboardEvent, selection: Selection): boolean {
  const step = NUDGES[event.key];
  if (!step || selection?.kind !== "arrow") return false;
  const { studio } = context;
  const field = studio.scene.value?.fields.find((other) => other.name === selection.field);
  const anchor = field?.anchors.find((other) => other.index === selection.index);
  if (!anchor) return false;
  const size = event.shiftKey ? 1 : 0.25;
  const at = add(anchor.at, [step[0] * size, step[1] * size]);
  void studio.edit(moveArrow(selection.field, selection.index, at, `nudge ${selection.field} ${selection.index}`));
  return true;
}

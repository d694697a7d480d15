/** Drawing lines on which people are counted: a drag from one end to the other, or from an end of a line that is there. */
import { addMeasurement, moveEnd } from "../edits/measurements.ts";
import { distance } from "../model/geometry.ts";
import { metres } from "../model/words.ts";
import type { Point } from "../protocol.ts";
import { near, nextDrag, type Pointer, type Tool, type ToolContext } from "./tool.ts";

/** Shorter lines are clicks, m. */
const SHORTEST = 0.3;
/** Who presses this near to an end takes it, pixels. */
const END_PIXELS = 12;

export class MeasureTool implements Tool {
  readonly cursor = "crosshair";
  readonly isDrag = true;
  readonly hint = "Drag a line across a way: who crosses it is counted, forwards to its right. Drag an end to move it";
  /** Where the end that does not move is, and which line is changed; `null` for a new one. */
  private drawn: { from: Point; of: { name: string; end: 0 | 1 } | null } | null = null;

  constructor(private readonly context: ToolContext) {}

  down(pointer: Pointer): void {
    const at = pointer.ground;
    const taken = at && this.endAt(at, pointer.layer);
    this.drawn = taken ?? (at && { from: at, of: null });
  }

  drag(pointer: Pointer): void {
    if (!this.drawn || !pointer.ground) return;
    const points = [this.drawn.from, pointer.ground];
    this.context.world.draw([{ kind: "line", points, width: 0.1 }]);
    this.context.tip(metres(distance(this.drawn.from, pointer.ground)), pointer);
  }

  up(pointer: Pointer): void {
    const drawn = this.drawn;
    this.cancel();
    const { studio } = this.context;
    const scene = studio.scene.value;
    if (!drawn || !pointer.ground || !scene || distance(drawn.from, pointer.ground) < SHORTEST) return;
    const edit = drawn.of ? moveEnd(scene.document, drawn.of.name, drawn.of.end, pointer.ground, nextDrag()) : addMeasurement(scene, drawn.from, pointer.ground, pointer.layer).edit;
    if (edit) void studio.edit(edit, near(pointer));
  }

  cancel(): void {
    this.drawn = null;
    this.context.world.draw([]);
    this.context.tip(null);
  }

  private endAt(at: Point, layer: number): { from: Point; of: { name: string; end: 0 | 1 } } | null {
    const { studio, world } = this.context;
    const reach = Math.max(0.3, END_PIXELS * world.metresPerPixel(at));
    for (const { name, line, layer: floor } of studio.scene.value?.measurements ?? []) {
      if (!line || floor !== layer) continue;
      for (const end of [0, 1] as const) if (distance(line[end], at) < reach) return { from: line[1 - end]!, of: { name, end } };
    }
    return null;
  }
}

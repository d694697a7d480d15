/** Cutting gaps into walls: a click on a wall. */
import { cutDoor, gapAt, type Gap } from "../edits/doors.ts";
import { near, type Pointer, type Tool, type ToolContext } from "./tool.ts";

/** Who points this near to a wall means it, pixels. */
const REACH_PIXELS = 14;

export class DoorTool implements Tool {
  readonly cursor = "crosshair";
  readonly hint = "Click a wall: a gap is cut into it, as wide as the panel says";

  constructor(private readonly context: ToolContext) {}

  hover(pointer: Pointer): void {
    const gap = this.gapAt(pointer);
    this.context.world.draw(gap ? [{ kind: "line", points: gap.ends, width: gap.thickness + 0.1 }] : []);
  }

  up(pointer: Pointer): void {
    const { studio } = this.context;
    const scene = studio.scene.value;
    const gap = this.gapAt(pointer);
    if (!scene || !gap) {
      studio.showMessage({ level: "info", text: "There is no wall here that is long enough", help: "Walls drawn with W can have doors.", near: near(pointer) });
      return;
    }
    void studio.edit(cutDoor(scene, gap, studio.options.value.doorLeaf === "closes"), near(pointer)).then((made) => {
      if (made && studio.options.value.doorLeaf === "closes") this.selectDoor();
    });
    this.cancel();
  }

  cancel(): void {
    this.context.world.draw([]);
  }

  /** The panel of the new door tells when it is closed. */
  private selectDoor(): void {
    const { studio } = this.context;
    const index = studio.scene.value?.obstacles.reduce((last, obstacle) => Math.max(last, obstacle.index ?? -1), -1) ?? -1;
    if (index >= 0) studio.selection.set({ kind: "obstacle", index });
  }

  private gapAt({ ground, layer }: Pointer): Gap | null {
    const { studio, world } = this.context;
    const scene = studio.scene.value;
    const width = studio.options.value.doorWidth;
    return scene && ground ? gapAt(scene, ground, layer, width, Math.max(0.3, REACH_PIXELS * world.metresPerPixel(ground))) : null;
  }
}

/** Placing what people look at: a click makes one, a drag moves one that is there. */
import { addInterest, suggestInterestName } from "../edits/interests.ts";
import { dragInterest, type Dragging } from "./dragging.ts";
import { deleteSelected } from "./select.ts";
import { movedFar, near, type Pointer, type Tool, type ToolContext } from "./tool.ts";

export class InterestTool implements Tool {
  readonly cursor = "crosshair";
  readonly hint = "Click where people should look: a window, a picture, a clock. Drag a diamond to move it; Delete removes it";
  floor: number | null = null;
  private pressed: Pointer | null = null;
  private taken: (() => Dragging) | null = null;
  private dragging: Dragging | null = null;

  constructor(private readonly context: ToolContext) {}

  down(pointer: Pointer): void {
    const { studio, world } = this.context;
    this.pressed = pointer;
    this.taken = null;
    const interest = world.interestAt(pointer.x, pointer.y);
    const scene = studio.scene.value;
    const from = interest && world.groundAt(pointer.x, pointer.y, interest.layer);
    if (!interest || !scene || !from) return;
    studio.selection.set({ kind: "interest", name: interest.name });
    this.floor = interest.layer;
    this.taken = () => dragInterest(this.context, scene.document, interest.name, from);
  }

  drag(pointer: Pointer): void {
    if (!this.taken || !this.pressed || !(this.dragging || movedFar(this.pressed, pointer))) return;
    this.dragging ??= this.taken();
    this.dragging.drag(pointer);
  }

  up(pointer: Pointer): void {
    const isClick = this.pressed && !this.taken && !movedFar(this.pressed, pointer);
    if (isClick) this.add(pointer);
    this.cancel();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "Delete" && event.key !== "Backspace") return false;
    return deleteSelected(this.context, this.context.studio.selection.value);
  }

  cancel(): void {
    if (this.dragging) void this.dragging.drop();
    this.dragging = null;
    this.taken = null;
    this.pressed = null;
    this.floor = null;
  }

  /** A new one is selected, so that the panel offers to change it. */
  private add(pointer: Pointer): void {
    const { studio } = this.context;
    const scene = studio.scene.value;
    if (!scene || !pointer.ground) return;
    const name = suggestInterestName(scene);
    void studio.edit(addInterest(scene, name, pointer.ground, pointer.layer), near(pointer)).then((made) => {
      if (made) studio.selection.set({ kind: "interest", name });
    });
  }
}

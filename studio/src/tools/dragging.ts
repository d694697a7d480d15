/**
 * Dragging what is there: an arrow's tail or head, an obstacle, a region, something to look at. The stage shows it under the hand at once;
 * the server is sent the newest place whenever it has answered the last.
 */
import { SHORTEST_DRAG, SPEED_PER_METRE, fastestLed, headOf, moveArrow, setReach, speedInWords, speedLimit, turnArrow, velocityOfDrag } from "../edits/arrows.ts";
import { moveInterest } from "../edits/interests.ts";
import { moveObstacle, moveRegion } from "../edits/places.ts";
import { add, distance, rounded, roundedTo, subtract } from "../model/geometry.ts";
import { NewestOnly } from "../model/newest.ts";
import { metres } from "../model/words.ts";
import type { Anchor, JsonObject, Point } from "../protocol.ts";
import type { Edit } from "../edits/common.ts";
import type { Grip } from "../view/arrows.ts";
import { near, nextDrag, type Pointer, type ToolContext } from "./tool.ts";

export interface Dragging {
  drag(pointer: Pointer): void;
  /** Ends it; what is shown stays until the server has the last place. */
  drop(): Promise<void>;
}

/** Sends edits as they come, the newest first, and lets go of what is held when all is said. */
class EditStream {
  private readonly sender: NewestOnly<Edit>;
  private last: Pointer | null = null;
  private revision = 0;

  constructor(private readonly context: ToolContext) {
    this.sender = new NewestOnly<Edit>(
      async (edit) => {
        const reply = await context.studio.connection.request("edit", edit);
        this.revision = reply.revision;
      },
      (error) => context.studio.refused(error, this.last ? near(this.last) : null),
    );
  }

  push(edit: Edit | null, pointer: Pointer): void {
    this.last = pointer;
    if (edit) this.sender.push(edit);
  }

  async end(): Promise<void> {
    await this.sender.settled();
    // What is held stays until the scene has it, or it would jump back and forth.
    await this.context.studio.sceneArrives(this.revision);
    this.context.world.hold(null);
  }
}

export function dragArrow(context: ToolContext, field: string, anchor: Anchor, grip: Grip, from: Point): Dragging {
  const index = anchor.index!;
  const join = nextDrag();
  const stream = new EditStream(context);
  const start = { at: anchor.at, velocity: anchor.velocity, reach: anchor.reach };
  const scene = context.studio.scene.value;
  const group = scene && fastestLed(scene, field);
  const limit = speedLimit(group);
  let tooMuch: { asked: number; pointer: Pointer } | null = null;
  // Taken anywhere, the circle follows the hand.
  const slack = grip === "reach" ? (anchor.reach ?? 0) - distance(anchor.at, from) : 0;
  const offset = subtract(grip === "head" ? headOf(anchor) : anchor.at, from);
  return {
    drag(pointer) {
      if (!pointer.ground) return;
      const place = add(pointer.ground, offset);
      if (grip === "head") {
        const velocity = velocityOfDrag(start.at, place, limit);
        if (Math.hypot(...velocity) < SHORTEST_DRAG / 4) return;
        const asked = distance(start.at, place) * SPEED_PER_METRE;
        tooMuch = asked > limit ? { asked, pointer } : null;
        context.world.hold({ kind: "arrow", field, index, ...start, velocity });
        context.tip(speedInWords(velocity, asked, limit), pointer);
        stream.push(turnArrow(field, index, velocity, join), pointer);
      } else if (grip === "reach") {
        const reach = Math.max(0.5, roundedTo(distance(start.at, pointer.ground) + slack, 0.1));
        context.world.hold({ kind: "arrow", field, index, ...start, reach });
        context.tip(`reach ${metres(reach)}`, pointer);
        stream.push(setReach(field, index, reach, join), pointer);
      } else {
        const at = rounded(place);
        context.world.hold({ kind: "arrow", field, index, ...start, at });
        stream.push(moveArrow(field, index, at, join), pointer);
      }
    },
    drop() {
      context.tip(null);
      if (tooMuch && group) context.studio.warnOfSpeed(tooMuch.asked, group, near(tooMuch.pointer));
      return stream.end();
    },
  };
}

export function dragObstacle(context: ToolContext, document: JsonObject, index: number, from: Point): Dragging {
  const obstacle = context.studio.scene.value?.obstacles.find((other) => other.index === index);
  const solids = obstacle?.solids ?? [];
  return dragShape(
    context,
    from,
    (by, join) => moveObstacle(document, index, by, join),
    (by) => ({ kind: "obstacle", index, solids: solids.map((solid) => solid.map((p) => add(p, by))) }),
  );
}

export function dragRegion(context: ToolContext, document: JsonObject, name: string, from: Point): Dragging {
  const polygon = context.studio.scene.value?.regions.find((region) => region.name === name)?.polygon ?? [];
  return dragShape(
    context,
    from,
    (by, join) => moveRegion(document, name, by, join),
    (by) => ({ kind: "region", name, polygon: polygon.map((p) => add(p, by)) }),
  );
}

export function dragInterest(context: ToolContext, document: JsonObject, name: string, from: Point): Dragging {
  const position = context.studio.scene.value?.interests.find((interest) => interest.name === name)?.position ?? from;
  return dragShape(
    context,
    from,
    (by, join) => moveInterest(document, name, by, join),
    (by) => ({ kind: "interest", name, position: add(position, by) }),
  );
}

/** Shapes move by the whole way since the press, from where they were then: no error adds up. */
function dragShape(
  context: ToolContext,
  from: Point,
  edit: (by: Point, join: string) => Edit | null,
  held: (by: Point) => Parameters<ToolContext["world"]["hold"]>[0],
): Dragging {
  const join = nextDrag();
  const stream = new EditStream(context);
  return {
    drag(pointer) {
      if (!pointer.ground) return;
      const by = rounded(subtract(pointer.ground, from));
      context.world.hold(held(by));
      stream.push(edit(by, join), pointer);
    },
    drop: () => stream.end(),
  };
}

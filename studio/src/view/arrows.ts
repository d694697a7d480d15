/** The arrows that lead groups. Behind a house they are faint: what one directs with must be found there, too. */
import { headOf } from "../edits/arrows.ts";
import { distance, distanceToSegment } from "../model/geometry.ts";
import { isFloorShown, type FloorChoice } from "../model/floors.ts";
import { heightsOf, type HeightAt } from "../model/heights.ts";
import type { Anchor, Field, Point, SceneEvent } from "../protocol.ts";
import { overlayMeshes } from "./depth-overlay.ts";
import type { Label } from "./labels.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

/** Fields miss arrows by more than this where arrows contradict each other, m/s. */
export const NOTABLE_RESIDUAL = 0.05;

export interface ArrowChoice {
  field: string;
  index: number;
}

/** An arrow while a hand moves it: drawn where the hand is, not where the server has it. */
export interface HeldArrow extends ArrowChoice {
  at: Point;
  velocity: Point;
  reach: number | null;
}

/** What there is to show of arrows. `active` are the fields of the selected group, in its colour. */
export interface ShownArrows {
  scene: SceneEvent;
  floor: FloorChoice;
  palette: Palette;
  active: { fields: string[]; color: string };
  chosen: ArrowChoice | null;
  held: HeldArrow | null;
  scale: number;
}

export class ArrowsView extends Part {
  /** Fields of other groups are faint. Gives warnings as labels. */
  show({ scene, floor, palette, active, chosen, held, scale }: ShownArrows): Label[] {
    const builder = new MeshBuilder();
    const labels: Label[] = [];
    for (const field of scene.fields) {
      if (!isFloorShown(scene, field.layer, floor)) continue;
      const heightAt = heightsOf(scene, field.layer);
      const mine = active.fields.includes(field.name);
      for (const anchor of field.anchors) {
        const isHeld = held !== null && held.field === field.name && held.index === anchor.index;
        const shown = isHeld ? { ...anchor, at: held.at, velocity: held.velocity } : anchor;
        const isChosen = chosen !== null && chosen.field === field.name && chosen.index === anchor.index;
        const color = isChosen ? palette.accent : mine ? active.color : palette.arrow;
        if (anchor.residual > NOTABLE_RESIDUAL && !isHeld) ghost(builder, anchor, heightAt, palette, scale);
        drawArrow(builder, shown, heightAt, color, mine || isChosen ? 1 : 0.35, palette, scale, isChosen);
        if (anchor.residual > NOTABLE_RESIDUAL && !isHeld) {
          const [x, y] = anchor.at;
          labels.push({ text: "!", kind: "warning", at: [x, y, heightAt(x, y)], title: contradiction(anchor) });
        }
      }
    }
    if (builder.empty) this.replace();
    else {
      this.replace(...overlayMeshes(builder.build(), 50));
    }
    return labels;
  }
}

export function drawArrow(
  builder: MeshBuilder,
  arrow: { at: Point; velocity: Point },
  heightAt: HeightAt,
  color: string,
  alpha: number,
  palette: Palette,
  largest: number,
  chosen: boolean,
): void {
  const head = headOf(arrow);
  const size = distance(arrow.at, head);
  // From far away arrows are drawn thick, but never so thick that they are dots.
  const scale = Math.min(largest, Math.max(0.8, size / 1.7));
  const width = 0.17 * scale;
  const tip = Math.min(0.85 * scale, Math.max(0.3 * scale, size * 0.6));
  const neck: Point =
    size > 0
      ? [head[0] - ((head[0] - arrow.at[0]) / size) * tip * 0.9, head[1] - ((head[1] - arrow.at[1]) / size) * tip * 0.9]
      : arrow.at;
  const light = paint(palette.floor, alpha * 0.9);
  const body = paint(color, alpha);
  // A light rim keeps arrows legible on any ground.
  builder.ribbon([arrow.at, neck], false, width * 1.9, heightAt, 0.06, light);
  builder.arrowhead(arrow.at, extended(arrow.at, head, 0.1 * scale), tip * 1.28, heightAt, 0.06, light);
  builder.disc(arrow.at, (chosen ? 0.36 : 0.29) * scale, heightAt, 0.06, light);
  builder.ribbon([arrow.at, neck], false, width, heightAt, 0.07, body);
  builder.arrowhead(arrow.at, head, tip, heightAt, 0.07, body);
  builder.disc(arrow.at, (chosen ? 0.28 : 0.21) * scale, heightAt, 0.07, body);
  if (chosen) builder.ring(head, 0.34 * scale, 0.07 * scale, heightAt, 0.08, body);
}

/** A pale arrow beside one that the field does not follow: where it leads instead. */
function ghost(builder: MeshBuilder, anchor: Anchor, heightAt: HeightAt, palette: Palette, scale: number): void {
  const head = headOf({ at: anchor.at, velocity: anchor.met });
  const color = paint(palette.warning, 0.45);
  builder.ribbon([anchor.at, head], false, 0.3 * scale, heightAt, 0.05, color);
  builder.arrowhead(anchor.at, extended(anchor.at, head, 0.3 * scale), scale, heightAt, 0.05, color);
}

export type Grip = "tail" | "head" | "shaft" | "reach";

/** The arrow under a place on the ground, and where it was taken: within `reach` metres of it. */
export function pickArrow(fields: Field[], at: Point, reach: number): { field: string; anchor: Anchor; grip: Grip } | null {
  let best: { field: string; anchor: Anchor; grip: Grip; distance: number } | null = null;
  const offer = (field: Field, anchor: Anchor, grip: Grip, away: number) => {
    if (away <= reach && (!best || away < best.distance)) best = { field: field.name, anchor, grip, distance: away };
  };
  for (const field of fields) {
    for (const anchor of field.anchors) {
      if (anchor.index === null) continue;
      const head = headOf(anchor);
      // Ends win over the shaft between them.
      offer(field, anchor, "head", distance(at, head) * 0.6);
      offer(field, anchor, "tail", distance(at, anchor.at) * 0.6);
      offer(field, anchor, "shaft", distanceToSegment(at, anchor.at, head) + 0.01 * reach);
    }
  }
  return best;
}

function contradiction(anchor: Anchor): string {
  return `The field misses this arrow by ${anchor.residual.toFixed(2)} m/s: it contradicts arrows nearby`;
}

function extended(from: Point, to: Point, by: number): Point {
  const size = distance(from, to) || 1;
  return [to[0] + ((to[0] - from[0]) / size) * by, to[1] + ((to[1] - from[1]) / size) * by];
}

/** How far arrows lead: discs on the ground that fade from half of the reach to the reach. People and walls stand on them. */
import { Mesh } from "three";
import { isFloorShown } from "../model/floors.ts";
import { distance } from "../model/geometry.ts";
import { heightsOf, underTint } from "../model/heights.ts";
import type { Anchor, Field, Point } from "../protocol.ts";
import type { ArrowChoice, Grip, ShownArrows } from "./arrows.ts";
import { overlayMeshes } from "./depth-overlay.ts";
import { flatMaterial } from "./ground.ts";
import { MeshBuilder, circle, paint } from "./mesh-builder.ts";
import { Part } from "./parts.ts";

/** Discs that lie on each other, from half of the reach on. */
const STEPS = 6;
/** Pieces of a circle. */
const SEGMENTS = 72;

export class ReachView extends Part {
  /** The reaches of the selected group's arrows in its colour; that of the chosen arrow with a handle. */
  show({ scene, floor, palette, active, chosen, held, scale }: ShownArrows): void {
    const [builder, handles] = [new MeshBuilder(), new MeshBuilder()];
    for (const field of scene.fields) {
      if (!isFloorShown(scene, field.layer, floor)) continue;
      const heightAt = heightsOf(scene, field.layer);
      for (const anchor of field.anchors) {
        const is = (choice: ArrowChoice | null) => choice !== null && choice.field === field.name && choice.index === anchor.index;
        const isChosen = is(chosen);
        if (!isChosen && !active.fields.includes(field.name)) continue;
        const { at, velocity, reach } = is(held) ? held! : anchor;
        if (reach === null) continue;
        const color = isChosen ? palette.accent : active.color;
        const low = underTint(heightAt, [at[0] - reach, at[1] - reach], [at[0] + reach, at[1] + reach]);
        for (let i = 0; i < STEPS; i++) {
          const radius = reach * (0.5 + (0.5 * (i + 0.5)) / STEPS);
          builder.disc(at, radius, low, 0.022 + 0.001 * i, paint(color, isChosen ? 0.035 : 0.02), SEGMENTS);
        }
        const width = (isChosen ? 0.09 : 0.06) * scale;
        builder.ribbon(circle(at, reach, SEGMENTS), true, width, heightAt, 0.035, paint(color, isChosen ? 0.95 : 0.4));
        if (isChosen && anchor.index !== null && field.editable) {
          const handle = handleOf({ at, velocity, reach });
          handles.disc(handle, 0.36 * scale, heightAt, 0.06, paint(palette.floor, 0.9));
          handles.disc(handle, 0.28 * scale, heightAt, 0.07, paint(color, 1));
        }
      }
    }
    const meshes: Mesh[] = [];
    if (!builder.empty) {
      const discs = new Mesh(builder.build(), flatMaterial(true));
      discs.renderOrder = 4;
      meshes.push(discs);
    }
    // What is dragged is found also behind a house.
    if (!handles.empty) meshes.push(...overlayMeshes(handles.build(), 51));
    this.replace(...meshes);
  }
}

/** Where the handle of a reach is: to the left of the arrow, away from its head. */
export function handleOf({ at, velocity, reach }: { at: Point; velocity: Point; reach: number }): Point {
  const speed = Math.hypot(...velocity) || 1;
  return [at[0] - (velocity[1] / speed) * reach, at[1] + (velocity[0] / speed) * reach];
}

/** The chosen arrow, if its circle is within `tolerance` metres of a place on the ground. */
export function pickReach(fields: Field[], chosen: ArrowChoice, at: Point, tolerance: number): { field: string; anchor: Anchor; grip: Grip } | null {
  const anchor = fields.find((field) => field.name === chosen.field)?.anchors.find((other) => other.index === chosen.index);
  if (!anchor || anchor.reach === null) return null;
  const away = Math.abs(distance(anchor.at, at) - anchor.reach);
  return away <= tolerance ? { field: chosen.field, anchor, grip: "reach" } : null;
}

/** What people look at: a diamond on a thin stem, at the height it has. The selected one shows from where it is seen. */
import { Mesh } from "three";
import { isFloorShown, type FloorChoice } from "../model/floors.ts";
import { heightsOf } from "../model/heights.ts";
import type { Interest, Point, SceneEvent } from "../protocol.ts";
import type { Place } from "./axes.ts";
import { flatMaterial } from "./ground.ts";
import type { Label } from "./labels.ts";
import { MeshBuilder, circle, paint, type Paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

/** Half the height and half the width of a diamond, and half the width of a stem, m, close to the camera. */
const DIAMOND = { high: 0.24, wide: 0.15 };
const STEM = 0.012;

/** Something dragged by hand: drawn away from where the server has it. */
export interface HeldInterest {
  name: string;
  position: Point;
}

/** Where its diamond is. */
export function placeOf(scene: SceneEvent, interest: Interest, position = interest.position): Place {
  return [...position, heightsOf(scene, interest.layer)(...position) + interest.height];
}

export class InterestsView extends Part {
  /** Draws all of them, larger by a scale, and gives the label of the chosen one. */
  show(scene: SceneEvent, floor: FloorChoice, palette: Palette, chosen: string | null, held: HeldInterest | null, scale: number): Label[] {
    const [marks, grounds] = [new MeshBuilder(), new MeshBuilder()];
    const labels: Label[] = [];
    for (const interest of scene.interests) {
      if (!isFloorShown(scene, interest.layer, floor)) continue;
      const isBelow = floor !== null && interest.layer !== floor;
      const isChosen = interest.name === chosen;
      const position = held?.name === interest.name ? held.position : interest.position;
      const place = placeOf(scene, interest, position);
      const heightAt = heightsOf(scene, interest.layer);
      const alpha = isBelow ? 0.35 : 1;
      const color = isChosen ? palette.accent : palette.warning;
      const size = scale * (isChosen ? 1.25 : 1);
      stem(marks, place, heightAt(...position), size, paint(color, 0.8 * alpha));
      diamond(marks, place, size, paint(color, alpha));
      grounds.disc(position, 0.09 * size, heightAt, 0.035, paint(color, 0.6 * alpha), 16);
      if (!isChosen) continue;
      const area = seenFrom(interest, position);
      grounds.fill(area, [], heightAt, 0.03, paint(color, 0.07));
      grounds.ribbon(area, true, 0.06 * scale, heightAt, 0.04, paint(color, 0.6));
      labels.push({ text: interest.name, kind: "interest", at: [place[0], place[1], place[2] + 2 * DIAMOND.high * size], faint: isBelow });
    }
    this.replace(...[mesh(grounds, 3), mesh(marks, 4)].filter((one) => one !== null));
    return labels;
  }
}

/** The part of the ground from which it can be seen, as far as it is interesting: a circle, or a sector in front of it. */
export function seenFrom({ reach, facing, field }: Pick<Interest, "reach" | "facing" | "field">, position: Point): Point[] {
  const whole = circle(position, reach, 64);
  if (facing === null || (field ?? 360) >= 360) return whole;
  const half = ((field ?? 360) / 2) * (Math.PI / 180);
  const pieces = Math.max(2, Math.ceil((64 * half) / Math.PI));
  const arc = Array.from({ length: pieces + 1 }, (_, i): Point => {
    const angle = facing * (Math.PI / 180) + half * ((2 * i) / pieces - 1);
    return [position[0] + reach * Math.cos(angle), position[1] + reach * Math.sin(angle)];
  });
  return [position, ...arc];
}

function diamond(builder: MeshBuilder, [x, y, height]: Place, scale: number, color: Paint): void {
  const [high, wide] = [DIAMOND.high * scale, DIAMOND.wide * scale];
  const corners: Place[] = [[x + wide, y, height], [x, y + wide, height], [x - wide, y, height], [x, y - wide, height]];
  const side = Math.SQRT1_2 * 0.8;
  corners.forEach((corner, i) => {
    const next = corners[(i + 1) % 4]!;
    const out: Point = [Math.sign(corner[0] + next[0] - 2 * x) * side, Math.sign(corner[1] + next[1] - 2 * y) * side];
    builder.triangle(corner, next, [x, y, height + high], [...out, 0.6], color);
    builder.triangle(next, corner, [x, y, height - high], [...out, -0.6], color);
  });
}

/** Two strips across one another: thin from all sides. */
function stem(builder: MeshBuilder, [x, y, height]: Place, ground: number, scale: number, color: Paint): void {
  const half = STEM * scale;
  builder.quad([x - half, y, ground], [x + half, y, ground], [x + half, y, height], [x - half, y, height], [0, -1, 0], color);
  builder.quad([x, y - half, ground], [x, y + half, ground], [x, y + half, height], [x, y - half, height], [1, 0, 0], color);
}

function mesh(builder: MeshBuilder, order: number): Mesh | null {
  if (builder.empty) return null;
  const made = new Mesh(builder.build(), flatMaterial(true));
  made.renderOrder = order;
  return made;
}

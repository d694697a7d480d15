/** What is known of one person, drawn on the ground: way, corridor, wishes, and what keeps them from these. */
import { Mesh } from "three";
import { add, length, scale } from "../model/geometry.ts";
import { heightsOf, type HeightAt } from "../model/heights.ts";
import type { Inspection, Point, SceneEvent } from "../protocol.ts";
import { overlayMeshes } from "./depth-overlay.ts";
import { flatMaterial } from "./ground.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

/** A metre per second is drawn so many metres long. */
const METRES_PER_SPEED = 1.4;
/** Of a long corridor only so many discs are drawn. */
const MOST_DISCS = 10;

export class CloseUpView extends Part {
  show(scene: SceneEvent, person: Inspection, at: Point, palette: Palette): void {
    const builder = new MeshBuilder();
    const heightAt = heightsOf(scene, person.layer);
    const corridor = corridorMesh(thinnedOut(person.corridor, MOST_DISCS), heightAt, palette);
    if (person.path.length > 0) {
      builder.ribbon([at, ...person.path], false, 0.09, heightAt, 0.05, paint(palette.accent, 0.85));
      builder.disc(person.path.at(-1)!, 0.22, heightAt, 0.05, paint(palette.accent, 0.9));
    } else if (person.goal?.target) {
      builder.ribbon([at, person.goal.target], false, 0.06, heightAt, 0.05, paint(palette.accent, 0.5));
    }
    if (person.goal?.target) builder.ring(person.goal.target, 0.4, 0.07, heightAt, 0.05, paint(palette.accent, 0.9));
    for (const neighbour of person.neighbours) {
      builder.ribbon([at, neighbour.position], false, 0.025, heightAt, 0.05, paint(palette.arrow, 0.3));
      builder.ring(neighbour.position, 0.34, 0.035, heightAt, 0.05, paint(palette.arrow, 0.4), 20);
    }
    for (const companion of person.companions) {
      builder.ribbon([at, companion.position], false, 0.05, heightAt, 0.05, paint(palette.accent, 0.5));
      builder.ring(companion.position, 0.34, 0.06, heightAt, 0.05, paint(palette.accent, 0.8), 24);
    }
    for (const constraint of person.constraints) {
      if (constraint.kind === "half-plane") {
        const size = length(constraint.direction) || 1;
        const d = scale(constraint.direction, 1 / size);
        const middle = add(at, scale(constraint.point, METRES_PER_SPEED));
        // The forbidden side is to the right of the line: a strip of red fades away from it.
        const right: Point = [d[1], -d[0]];
        const ends: [Point, Point] = [add(middle, scale(d, -1.1)), add(middle, scale(d, 1.1))];
        const outer = ends.map((end) => add(end, scale(right, 0.45))) as [Point, Point];
        builder.quad(
          [...ends[0], heightAt(...ends[0]) + 0.04],
          [...ends[1], heightAt(...ends[1]) + 0.04],
          [...outer[1], heightAt(...outer[1]) + 0.04],
          [...outer[0], heightAt(...outer[0]) + 0.04],
          [0, 0, 1],
          paint(palette.danger, 0.16),
        );
        builder.ribbon(ends, false, 0.03, heightAt, 0.05, paint(palette.danger, 0.55));
      } else if (constraint.kind === "feeler") {
        const hits = constraint.from !== null;
        const paints = hits ? paint(palette.danger, 0.8) : paint(palette.arrow, 0.5);
        const [from, to] = constraint.line;
        const end = add(from, scale(add(to, scale(from, -1)), constraint.free));
        builder.ribbon([from, end], false, 0.03, heightAt, 0.05, paints);
      } else vector(builder, at, constraint.vector, 0.35, palette.danger, 0.6, heightAt);
    }
    vector(builder, at, person.preferred ?? person.velocity, METRES_PER_SPEED, palette.warning, 0.95, heightAt);
    vector(builder, at, person.velocity, METRES_PER_SPEED, palette.accent, 1, heightAt);
    this.replace(...(corridor ? [corridor] : []), ...overlayMeshes(builder.build(), 40));
  }

  hide(): void {
    this.replace();
  }
}

/** The room around a way, as discs on the ground, under everybody's feet. Where they overlap it does not get darker than one can read. */
function corridorMesh(discs: { at: Point; radius: number }[], heightAt: HeightAt, palette: Palette): Mesh | null {
  if (discs.length === 0) return null;
  const builder = new MeshBuilder();
  for (const { at, radius } of discs) {
    builder.disc(at, radius, heightAt, 0.025, paint(palette.accent, 0.16 / Math.sqrt(discs.length * 2)), 40);
    builder.ring(at, radius, 0.035, heightAt, 0.03, paint(palette.accent, 0.18), 40);
  }
  const mesh = new Mesh(builder.build(), flatMaterial(true));
  mesh.renderOrder = 3.5;
  return mesh;
}

function thinnedOut<T>(list: T[], most: number): T[] {
  const stride = Math.ceil(list.length / most);
  return list.filter((_, i) => i % stride === 0);
}

function vector(
  builder: MeshBuilder,
  at: Point,
  v: Point,
  factor: number,
  color: string,
  alpha: number,
  heightAt: HeightAt,
): void {
  const size = length(v) * factor;
  if (size < 0.08) return;
  const tip = add(at, scale(v, factor));
  const head = Math.min(0.32, size * 0.6);
  const neck = add(at, scale(v, (factor * (size - head * 0.9)) / size));
  builder.ribbon([at, neck], false, 0.085, heightAt, 0.08, paint(color, alpha));
  builder.arrowhead(at, tip, head, heightAt, 0.08, paint(color, alpha));
}

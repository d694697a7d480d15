/** What a tool is about to make, drawn while the hand is still moving. */
import type { HeightAt } from "../model/heights.ts";
import type { Point } from "../protocol.ts";
import { drawArrow } from "./arrows.ts";
import { overlayMeshes } from "./depth-overlay.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

export type Sketch =
  | { kind: "line"; points: Point[]; width: number; color?: string }
  | { kind: "area"; points: Point[]; color?: string }
  | { kind: "dots"; points: Point[]; radius: number; color: string }
  | { kind: "arrow"; at: Point; velocity: Point; color: string };

export class SketchView extends Part {
  show(sketches: Sketch[], heightAt: HeightAt, palette: Palette, scale: number): void {
    const builder = new MeshBuilder();
    for (const sketch of sketches) {
      switch (sketch.kind) {
        case "line":
          builder.ribbon(sketch.points, false, Math.max(sketch.width, 0.06 * scale), heightAt, 0.06, paint(sketch.color ?? palette.accent, 0.75));
          for (const point of sketch.points) builder.disc(point, 0.14 * scale, heightAt, 0.07, paint(palette.accent, 0.95));
          break;
        case "area":
          if (sketch.points.length >= 3) builder.fill(sketch.points, [], heightAt, 0.05, paint(sketch.color ?? palette.accent, 0.2));
          builder.ribbon(sketch.points, sketch.points.length >= 3, 0.07 * scale, heightAt, 0.06, paint(sketch.color ?? palette.accent, 0.9));
          break;
        case "dots":
          for (const point of sketch.points) builder.disc(point, sketch.radius, heightAt, 0.06, paint(sketch.color, 0.85), 14);
          break;
        case "arrow":
          drawArrow(builder, sketch, heightAt, sketch.color, 1, palette, scale, true);
      }
    }
    if (builder.empty) this.replace();
    else {
      this.replace(...overlayMeshes(builder.build(), 60));
    }
  }
}

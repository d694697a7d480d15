/** Patterns while they last: rings on the ground where each was first seen, in the colour of its kind. */
import { isFloorShown, type FloorChoice } from "../model/floors.ts";
import { heightsOf } from "../model/heights.ts";
import { PATTERN_WORDS, keyOf, lasting } from "../model/patterns.ts";
import type { FoundPattern, SceneEvent } from "../protocol.ts";
import { overlayMeshes } from "./depth-overlay.ts";
import type { Label } from "./labels.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import { PATTERN_COLORS, type Theme } from "./palette.ts";
import { Part } from "./parts.ts";

/** Radius and width of a ring, m, close to the camera. */
const RADIUS = 0.7;
const WIDTH = 0.09;
/** More rings would be a carpet, and more words a fog. */
const MOST_RINGS = 400;
const MOST_LABELS = 40;

export class PatternsView extends Part {
  private drawn = "";
  /** How many rings there are. */
  count = 0;

  /** Draws those that last at a moment, and gives their labels; `null` if they are as they were. */
  show(scene: SceneEvent, list: readonly FoundPattern[], time: number, floor: FloorChoice, chosen: FoundPattern | null, theme: Theme, scale: number): Label[] | null {
    const now = lasting(list, time, scene.kind === "live").filter((found) => isFloorShown(scene, found.layer, floor)).slice(0, MOST_RINGS);
    const chosenKey = chosen && keyOf(chosen);
    const drawn = [scene.revision, floor, theme, scale.toFixed(3), chosenKey, ...now.map(keyOf)].join("|");
    if (drawn === this.drawn) return null;
    this.drawn = drawn;
    this.count = now.length;
    const builder = new MeshBuilder();
    const labels: Label[] = [];
    for (const found of now) {
      const heightAt = heightsOf(scene, found.layer);
      const color = PATTERN_COLORS[theme][found.pattern];
      const faint = floor !== null && found.layer !== floor;
      const [radius, width] = [RADIUS * scale, (keyOf(found) === chosenKey ? 1.8 : 1) * WIDTH * scale];
      builder.disc(found.place, radius, heightAt, 0.045, paint(color, faint ? 0.06 : 0.16), 32);
      builder.ring(found.place, radius, width, heightAt, 0.055, paint(color, faint ? 0.4 : 0.95));
      if (labels.length >= MOST_LABELS) continue;
      const { sign, one } = PATTERN_WORDS[found.pattern];
      const [x, y] = [found.place[0], found.place[1] - radius - 0.25 * scale];
      labels.push({ text: `${sign} ${found.person}`, title: one, kind: "pattern", at: [x, y, heightAt(x, y)], faint });
    }
    if (builder.empty) this.replace();
    else {
      this.replace(...overlayMeshes(builder.build(), 9));
    }
    return labels;
  }

  hide(): Label[] | null {
    if (this.drawn === "") return null;
    this.drawn = "";
    this.count = 0;
    this.replace();
    return [];
  }
}

/** Regions as soft tinted outlines; where people come from and what groups seek is marked. */
import { Mesh } from "three";
import { boxOf, centroid } from "../model/geometry.ts";
import { isFloorShown, type FloorChoice } from "../model/floors.ts";
import { heightsOf, underTint } from "../model/heights.ts";
import type { Point, Polygon, SceneEvent } from "../protocol.ts";
import { sourcesOf } from "../edits/groups.ts";
import { flatMaterial } from "./ground.ts";
import type { Label } from "./labels.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

export class RegionsView extends Part {
  /** Draws all regions and gives their labels. */
  show(scene: SceneEvent, floor: FloorChoice, palette: Palette, highlight: string | null, held: Polygon | null): Label[] {
    const builder = new MeshBuilder();
    const labels: Label[] = [];
    const sources = sourceColors(scene);
    const [min, max] = scene.bounds;
    const line = Math.max(0.07, Math.max(max[0] - min[0], max[1] - min[1]) * 0.0016);
    for (const region of scene.regions) {
      if (!isFloorShown(scene, region.layer, floor)) continue;
      const heightAt = heightsOf(scene, region.layer);
      const chosen = region.name === highlight;
      const polygon = chosen && held ? held : region.polygon;
      const source = sources.get(region.name);
      const color = chosen ? palette.accent : (source ?? palette.region);
      const box = boxOf(polygon);
      if (!box) continue;
      builder.fill(polygon, [], underTint(heightAt, box.min, box.max), 0.02, paint(color, chosen ? 0.2 : source ? 0.13 : 0.06));
      builder.ribbon(polygon, true, chosen ? line * 2 : line, heightAt, 0.03, paint(color, chosen ? 0.9 : 0.5));
      const [x, y] = labelPlace(polygon, chosen);
      labels.push({
        text: region.name,
        kind: source ? "source" : "region",
        at: [x, y, heightAt(x, y)],
        title: [source ? "people appear here" : "", ...region.tags].filter(Boolean).join(", "),
        faint: floor !== null && region.layer !== floor,
      });
      if (chosen) {
        const [cx, cy] = centroid(polygon);
        labels.push({ text: "✥", kind: "handle", at: [cx, cy, heightAt(cx, cy)], title: "Drag to move the region" });
      }
    }
    for (const measurement of scene.measurements) {
      const outline = measurement.line ?? measurement.area;
      if (!outline || !isFloorShown(scene, measurement.layer, floor)) continue;
      builder.ribbon(outline, measurement.area !== null, line, heightsOf(scene, measurement.layer), 0.03, paint(palette.danger, 0.7));
      const [x, y] = centroid(outline);
      labels.push({ text: measurement.name, kind: "measure", at: [x, y, heightsOf(scene, measurement.layer)(x, y)], title: "People are measured here" });
    }
    if (builder.empty) this.replace();
    else {
      const mesh = new Mesh(builder.build(), flatMaterial(true));
      mesh.renderOrder = 3;
      this.replace(mesh);
    }
    return labels;
  }
}

/** Large regions are named at their upper edge, where the name hides nobody; small ones in the middle, or, while their handle is there, at their upper edge. */
export function labelPlace(polygon: Point[], hasHandle: boolean): Point {
  const box = boxOf(polygon)!;
  const large = box.max[0] - box.min[0] > 14 && box.max[1] - box.min[1] > 14;
  if (large) return [box.min[0] + 0.18 * (box.max[0] - box.min[0]), box.max[1]];
  return hasHandle ? [(box.min[0] + box.max[0]) / 2, box.max[1]] : centroid(polygon);
}

/** The colour of the group that comes from a region. */
function sourceColors(scene: SceneEvent): Map<string, string> {
  const colors = new Map<string, string>();
  for (const group of scene.groups) {
    for (const source of sourcesOf(scene.document, group.name)) colors.set(source.region, group.color);
  }
  return colors;
}

/** Obstacles as prisms, and stairs and ramps between floors. */
import { BufferAttribute, BufferGeometry, EdgesGeometry, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, Color } from "three";
import { centroid } from "../model/geometry.ts";
import { cutHeight, drawnHeight, isFloorShown, type FloorChoice } from "../model/floors.ts";
import { heightsOf } from "../model/heights.ts";
import { crownRadius, isTree, meets, standing } from "../model/standing.ts";
import type { Obstacle, Point, Polygon, SceneEvent } from "../protocol.ts";
import type { Place } from "./axes.ts";
import { buildConnector, footing } from "./connectors.ts";
import { cutAway } from "./cutaway.ts";
import { SOLIDS_ORDER } from "./depth-overlay.ts";
import { flatMaterial } from "./ground.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";
import type { Ray } from "./stage.ts";

export class SolidsView extends Part {
  /** `highlight` is the index of an obstacle in the document, `held` its shape while it is dragged, and `wallCut` the height above the ground that all are cut at, m. */
  show(scene: SceneEvent, floor: FloorChoice, palette: Palette, highlight: number | null, held: Polygon[] | null, wallCut: number): void {
    const cut = cutHeight(scene, floor);
    const opaque = new MeshBuilder();
    const trees = new MeshBuilder();
    const faint = new MeshBuilder();
    for (const obstacle of scene.obstacles) {
      if (!isFloorShown(scene, obstacle.layer, floor)) continue;
      const chosen = obstacle.index !== null && obstacle.index === highlight;
      const builder = obstacle.here ? opaque : faint;
      const color = paint(chosen ? palette.accent : palette.solid, obstacle.here ? 1 : 0.2);
      const heightAt = heightsOf(scene, obstacle.layer);
      for (const solid of chosen && held ? held : obstacle.solids) {
        const height = drawnHeight(scene, obstacle, wallCut, cut);
        const { bottom, top } = standing(solid, height, heightAt);
        if (isTree(obstacle) && height === obstacle.height) tree(builder === faint ? faint : trees, solid, bottom(...solid[0]!), obstacle.height, palette, color.alpha, chosen);
        else builder.prism(solid, bottom, top, color);
      }
    }
    for (const connector of scene.connectors) {
      if (!isFloorShown(scene, connector.lower, floor)) continue;
      buildConnector(opaque, connector, footing(connector, heightsOf(scene, connector.lower)), paint(palette.connector));
    }
    const objects = [];
    if (!opaque.empty) {
      const geometry = opaque.build();
      const mesh = new Mesh(geometry, cutAway(new MeshLambertMaterial({ vertexColors: true })));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.renderOrder = SOLIDS_ORDER;
      objects.push(mesh, edges(geometry, palette, 0.55));
    }
    if (!trees.empty) {
      const mesh = new Mesh(trees.build(), cutAway(new MeshLambertMaterial({ vertexColors: true })));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.renderOrder = SOLIDS_ORDER;
      objects.push(mesh);
    }
    if (!faint.empty) {
      const geometry = faint.build();
      const mesh = new Mesh(geometry, flatMaterial(true));
      mesh.renderOrder = 22;
      objects.push(mesh, edges(geometry, palette, 0.2));
    }
    this.replace(...objects);
  }

  /** The obstacle of the document that a ray meets first and before `reach`, among those of the chosen floor or of all. */
  pick(scene: SceneEvent, floor: FloorChoice, ray: Ray, reach: number, wallCut: number): Obstacle | null {
    const cut = cutHeight(scene, floor);
    let best: { obstacle: Obstacle; distance: number } | null = null;
    for (const obstacle of scene.obstacles) {
      if (obstacle.index === null || (floor !== null && obstacle.layer !== floor)) continue;
      const heightAt = heightsOf(scene, obstacle.layer);
      for (const solid of obstacle.solids) {
        const distance = meets(ray, solid, standing(solid, drawnHeight(scene, obstacle, wallCut, cut), heightAt));
        if (distance !== null && distance < (best?.distance ?? reach)) best = { obstacle, distance };
      }
    }
    return best?.obstacle ?? null;
  }
}

/** Between which heights all of a scene lies. */
export function extent(scene: SceneEvent): [number, number] {
  const floors = scene.layers.map((layer, index): [number, number] => {
    const { lattice } = heightsOf(scene, index);
    return lattice ? [lattice.lowest, lattice.highest] : [layer.elevation, layer.elevation];
  });
  let [lowest, highest] = [Math.min(...floors.map(([low]) => low)), Math.max(...floors.map(([, high]) => high)) + 4];
  for (const obstacle of scene.obstacles) highest = Math.max(highest, (floors[obstacle.layer]?.[1] ?? 0) + obstacle.height);
  return [lowest, highest];
}

/** What is called a tree has a trunk and a crown, so that a square looks like one. */
function tree(builder: MeshBuilder, solid: Point[], base: number, height: number, palette: Palette, alpha: number, chosen: boolean): void {
  const center = centroid(solid);
  const dark = palette.sky < "#8";
  builder.prism(solid, () => base, () => base + height * 0.45, paint(chosen ? palette.accent : dark ? "#5b4a3c" : "#a08268", alpha));
  const leaves = new Color(chosen ? palette.accent : dark ? "#3d6149" : "#9dbf8f");
  const radius = crownRadius(height);
  const rings = 6;
  const sides = 11;
  const place = (ring: number, side: number): Place => {
    const lean = (ring / rings) * Math.PI;
    const angle = (side / sides) * 2 * Math.PI + (ring % 2) * 0.28;
    const r = radius * Math.sin(lean) * (1 + 0.07 * Math.sin(side * 2.4 + ring));
    return [center[0] + r * Math.cos(angle), center[1] + r * Math.sin(angle), base + height - radius * (1 - Math.cos(lean)) * 1.15];
  };
  const facet = (a: Place, b: Place, c: Place) => {
    const middle: Place = [(a[0] + b[0] + c[0]) / 3 - center[0], (a[1] + b[1] + c[1]) / 3 - center[1], (a[2] + b[2] + c[2]) / 3 - (base + height - radius * 1.15)];
    const size = Math.hypot(...middle) || 1;
    builder.triangle(a, b, c, [middle[0] / size, middle[1] / size, middle[2] / size], { color: leaves, alpha });
  };
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < sides; side++) {
      facet(place(ring, side), place(ring + 1, side), place(ring + 1, side + 1));
      facet(place(ring, side), place(ring + 1, side + 1), place(ring, side + 1));
    }
  }
}

function edges(geometry: BufferGeometry, palette: Palette, opacity: number): LineSegments {
  const welded = new BufferGeometry();
  welded.setAttribute("position", geometry.getAttribute("position") as BufferAttribute);
  const lines = new LineSegments(
    new EdgesGeometry(welded, 35),
    cutAway(new LineBasicMaterial({ color: palette.edge, transparent: true, opacity })),
  );
  lines.renderOrder = 2;
  return lines;
}


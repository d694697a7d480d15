/** What can be laid over the ground: how crowded it is, where people have been, and the ways there are. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  LinearFilter,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  RGBAFormat,
} from "three";
import { densityMap, measureDensity, type DensityMap } from "../model/density.ts";
import { heightsOf, type HeightAt } from "../model/heights.ts";
import type { Shown } from "../model/timeline.ts";
import type { Trails } from "../model/trails.ts";
import type { Point, SceneEvent, Ways } from "../protocol.ts";
import { latticeGeometry } from "./ground.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import { overlayMeshes } from "./depth-overlay.ts";
import { RAMP_ENDS, ramp } from "./palette.ts";
import { Part } from "./parts.ts";

export class DensityView extends Part {
  /** Of each floor that is shown: what was measured, and its picture. */
  private maps: { layer: number; map: DensityMap; texture: DataTexture; pixels: Uint8Array }[] = [];

  begin(scene: SceneEvent, layers: number[]): void {
    this.hide();
    this.maps = layers.map((layer) => {
      const map = densityMap(scene.bounds);
      const pixels = new Uint8Array(map.columns * map.rows * 4);
      const texture = new DataTexture(pixels, map.columns, map.rows, RGBAFormat);
      texture.magFilter = texture.minFilter = LinearFilter;
      texture.colorSpace = "srgb";
      return { layer, map, texture, pixels };
    });
    this.replace(...this.maps.map(({ layer, map, texture }) => densityMesh(scene, layer, map, texture)));
  }

  update(people: Shown): void {
    for (const { layer, map, texture, pixels } of this.maps) {
      measureDensity(map, people, layer);
      for (let i = 0; i < map.values.length; i++) {
        const fraction = map.values[i]! / RAMP_ENDS.density;
        const [r, g, b] = ramp(fraction);
        pixels.set([r * 255, g * 255, b * 255, Math.min(1, fraction * 5) * 190], 4 * i);
      }
      texture.needsUpdate = true;
    }
  }

  hide(): void {
    for (const { texture } of this.maps) texture.dispose();
    this.maps = [];
    this.replace();
  }
}

function densityMesh(scene: SceneEvent, layer: number, { columns, rows, cell, origin }: DensityMap, texture: DataTexture): Mesh {
  const heightAt = heightsOf(scene, layer);
  const geometry = heightAt.lattice ? latticeGeometry(heightAt.lattice) : levelGeometry(scene, heightAt);
  geometry.translate(0, 0.04, 0);
  const positions = geometry.getAttribute("position") as BufferAttribute;
  const places = new Float32Array(positions.count * 2);
  for (let i = 0; i < positions.count; i++) {
    const [x, y] = [positions.getX(i), -positions.getZ(i)];
    places.set([(x - origin[0]) / (columns * cell), (y - origin[1]) / (rows * cell)], 2 * i);
  }
  geometry.setAttribute("uv", new BufferAttribute(places, 2));
  const material = new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false, side: DoubleSide, fog: false });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = 6;
  return mesh;
}

function levelGeometry({ bounds: [min, max] }: SceneEvent, heightAt: HeightAt): BufferGeometry {
  const geometry = new PlaneGeometry(max[0] - min[0], max[1] - min[1]).rotateX(-Math.PI / 2);
  const middle: Point = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  return geometry.translate(middle[0], heightAt(...middle), -middle[1]);
}

export class TrailsView extends Part {
  show(trails: Trails, colors: string[], elevations: number[], isShown: boolean[]): void {
    const positions: number[] = [];
    const paints: number[] = [];
    const palette = colors.map((color) => new Color(color));
    const grey = new Color("#888888");
    trails.forEach((segment) => {
      if (isShown[segment.layer] === false) return;
      const level = elevations[segment.layer] ?? 0;
      const [from, to] = [(segment.heights?.[0] ?? level) + 0.06, (segment.heights?.[1] ?? level) + 0.06];
      const color = palette[segment.group] ?? grey;
      positions.push(segment.from[0], from, -segment.from[1], segment.to[0], to, -segment.to[1]);
      const alpha = (1 - segment.age) ** 1.3;
      paints.push(color.r, color.g, color.b, alpha * 0.85, color.r, color.g, color.b, alpha * 0.85);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setAttribute("color", new BufferAttribute(Float32Array.from(paints), 4));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, fog: false }));
    lines.frustumCulled = false;
    lines.renderOrder = 7;
    this.replace(lines);
  }

  hide(): void {
    this.replace();
  }
}

/** The ways there are on a floor. */
export interface FloorWays {
  layer: number;
  ways: Ways;
}

export class WaysView extends Part {
  show(scene: SceneEvent, found: FloorWays[]): void {
    const builder = new MeshBuilder();
    const [min, max] = scene.bounds;
    const thin = Math.max(0.06, Math.max(max[0] - min[0], max[1] - min[1]) * 0.0014);
    for (const { layer, ways } of found) {
      const heightAt = heightsOf(scene, layer);
      for (const { points, clearance } of ways.edges) {
        const at = (along: number) => clearance[Math.round(along * (clearance.length - 1))] ?? 0;
        builder.ribbon(points, false, thin, heightAt, 0.05, (along) => paint(new Color(...ramp(1 - at(along) / RAMP_ENDS.clearance)), 0.9));
      }
    }
    if (builder.empty) this.replace();
    else {
      this.replace(...overlayMeshes(builder.build(), 8));
    }
  }

  hide(): void {
    this.replace();
  }
}

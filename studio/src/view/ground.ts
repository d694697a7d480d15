/** The ground of all floors: terrain, floor plans, and a grid that fits the scale. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { heightsOf, raised } from "../model/heights.ts";
import type { Layer, Point, SceneEvent } from "../protocol.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

/** Floors that are steeper than this are none: heights leap there from one flight of stairs to another. */
const STEEPEST = 1.7;
/** How high the kerb around a floor plan is, m. */
const KERB = 0.35;

export class GroundView extends Part {
  show(scene: SceneEvent, floor: number, palette: Palette): void {
    this.replace();
    scene.layers.forEach((layer, index) => {
      const above = index > floor;
      if (layer.plan) this.root.add(...planMeshes(scene, layer, index, palette, above));
      else this.root.add(...openGround(scene, layer, index, palette, above));
    });
    if (scene.layers[0]?.plan) this.root.add(apron(scene, palette, (scene.layers[0]?.elevation ?? 0) - 0.03, palette.outside));
    this.root.add(border(scene, palette));
  }
}

/** Where one can walk anywhere: the bounds, and on the first floor a wide apron around them. */
function openGround(scene: SceneEvent, layer: Layer, index: number, palette: Palette, above: boolean): Mesh[] {
  const meshes: Mesh[] = [];
  if (layer.ground && !above) {
    const mesh = new Mesh(latticeGeometry(scene, layer.ground), gridMaterial(palette.ground, palette.grid));
    mesh.receiveShadow = true;
    meshes.push(mesh, flank(scene, index, palette));
  } else if (index === 0) {
    meshes.push(apron(scene, palette, layer.elevation - 0.03, palette.outside));
    const builder = new MeshBuilder();
    const [min, max] = scene.bounds;
    builder.fill([min, [max[0], min[1]], max, [min[0], max[1]]], [], () => layer.elevation, 0, paint(palette.ground));
    const inside = new Mesh(builder.build(), gridMaterial("#ffffff", palette.grid, true));
    inside.receiveShadow = true;
    meshes.push(inside);
  } else {
    const builder = new MeshBuilder();
    const [min, max] = scene.bounds;
    builder.fill([min, [max[0], min[1]], max, [min[0], max[1]]], [], () => layer.elevation, -0.02, paint(palette.floor, above ? 0.1 : 0.4));
    const mesh = new Mesh(builder.build(), flatMaterial(true));
    mesh.renderOrder = above ? 20 : index;
    meshes.push(mesh);
  }
  return meshes;
}

/** What is seen of the earth where terrain ends. */
function flank(scene: SceneEvent, index: number, palette: Palette): Mesh {
  const builder = new MeshBuilder();
  const [min, max] = scene.bounds;
  const heightAt = heightsOf(scene, index);
  const foot = (heightAt.lattice?.lowest ?? 0) - Math.max(max[0] - min[0], max[1] - min[1]) * 0.015;
  builder.fence([min, [max[0], min[1]], max, [min[0], max[1]]], () => foot, heightAt, paint(palette.solid));
  return new Mesh(builder.build(), flatMaterial(false));
}

function apron(scene: SceneEvent, palette: Palette, height: number, color: string): Mesh {
  const [min, max] = scene.bounds;
  const size = Math.max(max[0] - min[0], max[1] - min[1]);
  const geometry = new PlaneGeometry(size * 14 + 400, size * 14 + 400);
  geometry.rotateX(-Math.PI / 2);
  const faint = new Color(palette.grid).lerp(new Color(color), 0.55);
  const mesh = new Mesh(geometry, gridMaterial(color, `#${faint.getHexString()}`));
  mesh.position.set((min[0] + max[0]) / 2, height - 0.02, -(min[1] + max[1]) / 2);
  mesh.receiveShadow = true;
  return mesh;
}

function planMeshes(scene: SceneEvent, layer: Layer, index: number, palette: Palette, above: boolean): Mesh[] {
  const heightAt = heightsOf(scene, index);
  const floor = new MeshBuilder();
  const kerb = new MeshBuilder();
  const opacity = above ? 0.16 : index === 0 ? 1 : 0.9;
  for (const { outline, holes } of layer.plan ?? []) {
    floor.fill(outline, holes, heightAt, -0.01, paint(palette.floor, opacity), STEEPEST);
    for (const ring of [outline, ...holes]) {
      kerb.fence(ring, heightAt, raised(heightAt, KERB), paint(palette.solid, above ? 0.2 : 0.75));
      kerb.ribbon(ring, true, 0.08, heightAt, KERB, paint(palette.edge, above ? 0.25 : 0.9));
    }
  }
  const ground = new Mesh(floor.build(), gridMaterial("#ffffff", palette.grid, true, opacity < 1));
  ground.receiveShadow = !above;
  const walls = new Mesh(kerb.build(), flatMaterial(true));
  ground.renderOrder = above ? 20 : index;
  walls.renderOrder = above ? 21 : index;
  return [ground, walls];
}

/** A thin line around the bounds. Around a floor plan there is no terrain, and it is level. */
function border(scene: SceneEvent, palette: Palette): Mesh {
  const [min, max] = scene.bounds;
  const builder = new MeshBuilder();
  const ground = scene.layers[0];
  const heightAt = ground?.plan ? () => ground.elevation : heightsOf(scene, 0);
  const width = Math.max(0.06, Math.max(max[0] - min[0], max[1] - min[1]) * 0.0012);
  const corners: Point[] = [min, [max[0], min[1]], max, [min[0], max[1]]];
  builder.ribbon(corners, true, width, heightAt, 0.015, paint(palette.edge, 0.5));
  const mesh = new Mesh(builder.build(), flatMaterial(true));
  mesh.renderOrder = 1;
  return mesh;
}

/** The triangles of terrain. */
export function latticeGeometry(scene: SceneEvent, ground: NonNullable<Layer["ground"]>): BufferGeometry {
  const { columns, rows, heights } = ground;
  const [min, max] = scene.bounds;
  const positions = new Float32Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      positions[3 * at] = min[0] + ((max[0] - min[0]) * column) / (columns - 1);
      positions[3 * at + 1] = heights[at] ?? 0;
      positions[3 * at + 2] = -(min[1] + ((max[1] - min[1]) * row) / (rows - 1));
    }
  }
  const index: number[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const a = row * columns + column;
      index.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

/** Paint by vertex, seen from both sides. */
export function flatMaterial(transparent: boolean): MeshLambertMaterial {
  return new MeshLambertMaterial({ vertexColors: true, transparent, side: DoubleSide, depthWrite: !transparent });
}

/**
 * Ground with a grid drawn by the shader: lines a pixel or so wide, a metre, ten or a hundred apart as suits the
 * distance, each scale fading as it becomes too fine.
 */
function gridMaterial(color: string, grid: string, vertexColors = false, transparent = false): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ color, vertexColors, transparent, side: DoubleSide });
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["gridColor"] = { value: new Color(grid) };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 gridPlace;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\ngridPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 gridPlace;
        uniform vec3 gridColor;
        float gridLine(vec2 place, vec2 width, float scale) {
          vec2 w = width / scale;
          vec2 near = abs(fract(place / scale - 0.5) - 0.5);
          vec2 line = 1.0 - smoothstep(w * 0.25, w * 1.0, near);
          float fade = 1.0 - smoothstep(0.08, 0.3, max(w.x, w.y));
          return max(line.x, line.y) * fade;
        }`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        vec2 gridWidth = fwidth(gridPlace.xz);
        float lines = max(gridLine(gridPlace.xz, gridWidth, 1.0) * 0.28, gridLine(gridPlace.xz, gridWidth, 10.0) * 0.6);
        lines = max(lines, gridLine(gridPlace.xz, gridWidth, 100.0) * 0.7);
        diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, lines);`,
      );
  };
  return material;
}

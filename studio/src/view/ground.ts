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
import { shownFloors, type FloorChoice } from "../model/floors.ts";
import { contains, distance, nearestOn, splitBy } from "../model/geometry.ts";
import { heightsOf, raised, withoutConnectors, type Lattice } from "../model/heights.ts";
import { floats, integers } from "../model/packed.ts";
import type { Ground, Layer, Point, SceneEvent } from "../protocol.ts";
import { cutAway } from "./cutaway.ts";
import { SOLIDS_ORDER } from "./depth-overlay.ts";
import { MeshBuilder, paint } from "./mesh-builder.ts";
import type { Palette } from "./palette.ts";
import { Part } from "./parts.ts";

/** Floors that are steeper than this are none: heights leap there from one flight of stairs to another. */
const STEEPEST = 1.1;
/** How high the kerb around a floor plan is, m. */
const KERB = 0.35;
/** How thick floors above the lowest are, m. */
const SLAB = 0.2;
/** Edges of plans no farther than this from a connector are its sides, m. */
const BESIDE = 0.05;

export class GroundView extends Part {
  /** Draws the chosen floor and those below it, or all. */
  show(scene: SceneEvent, floor: FloorChoice, palette: Palette): void {
    this.replace();
    const [lowest = 0, ...upper] = shownFloors(scene, floor);
    for (const index of [lowest, ...upper]) {
      const [layer, isLowest] = [scene.layers[index]!, index === lowest];
      this.root.add(...(layer.plan ? planMeshes(scene, layer, index, palette, isLowest) : openGround(scene, layer, index, palette, isLowest)));
    }
    const ground = scene.layers[lowest];
    if (ground?.plan) this.root.add(apron(scene, palette, ground.elevation - 0.03, palette.outside));
    this.root.add(border(scene, palette));
  }
}

/** Where one can walk anywhere: the bounds. The lowest floor has a wide apron around them; others are of glass, or nothing would be seen below. */
function openGround(scene: SceneEvent, layer: Layer, index: number, palette: Palette, isLowest: boolean): Mesh[] {
  const [min, max] = scene.bounds;
  const outline: Point[] = [min, [max[0], min[1]], max, [min[0], max[1]]];
  const builder = new MeshBuilder();
  const { lattice } = heightsOf(scene, index);
  if (layer.ground && lattice) return terrain(scene, layer.ground, lattice, index, palette);
  if (isLowest) {
    builder.fill(outline, [], () => layer.elevation, 0, paint(palette.ground));
    const inside = new Mesh(builder.build(), gridMaterial("#ffffff", palette.grid, { vertexColors: true }));
    inside.receiveShadow = true;
    inside.renderOrder = SOLIDS_ORDER;
    return [apron(scene, palette, layer.elevation - 0.03, palette.outside), inside];
  }
  const [rim, elevation] = [new MeshBuilder(), () => layer.elevation];
  builder.fill(outline, [], elevation, -0.01, paint(palette.edge, GLASS));
  rim.fence(outline, () => layer.elevation - SLAB, elevation, paint(palette.solid));
  rim.ribbon(outline, true, 0.12, elevation, 0.005, paint(palette.edge));
  const glass = new Mesh(builder.build(), gridMaterial("#ffffff", palette.grid, { vertexColors: true, transparent: true }));
  const edge = new Mesh(rim.build(), cutAway(flatMaterial(false)));
  glass.renderOrder = 1;
  edge.renderOrder = SOLIDS_ORDER;
  return [glass, edge];
}

/** Opacity of floors of glass; the lines on them are denser. */
const GLASS = 0.1;

/** Hills and meshes. Where a mesh ends before the scene does, the lattice goes on, as people do. */
function terrain(scene: SceneEvent, ground: Ground, lattice: Lattice, index: number, palette: Palette): Mesh[] {
  const relief: Relief = { lowest: lattice.lowest, highest: lattice.highest, low: palette.valley, high: palette.hill };
  const triangles = ground.mesh && meshGeometry(ground.mesh);
  const covered = triangles ? (triangles.computeBoundingBox(), triangles.boundingBox!) : null;
  // Cells that are partly beyond the mesh are drawn, and overlap with it.
  const [aside, along] = [lattice.cell[0] / 2, lattice.cell[1] / 2];
  const isCovered = covered
    ? (x: number, y: number) => x - aside >= covered.min.x && x + aside <= covered.max.x && along - y <= covered.max.z && -along - y >= covered.min.z
    : undefined;
  const meshes: Mesh[] = [new Mesh(latticeGeometry(lattice, isCovered), gridMaterial("#ffffff", palette.grid, { relief }))];
  if (triangles) meshes.push(new Mesh(triangles, gridMaterial("#ffffff", palette.grid, { relief, flatShading: true })));
  for (const mesh of meshes) {
    mesh.receiveShadow = true;
    mesh.renderOrder = SOLIDS_ORDER;
  }
  const [min, max] = scene.bounds;
  const isBeyond = covered && (covered.min.x < min[0] - 0.1 || covered.max.x > max[0] + 0.1 || -covered.max.z < min[1] - 0.1 || -covered.min.z > max[1] + 0.1);
  if (!isBeyond) meshes.push(flank(scene, index, palette));
  return meshes;
}

/** What is seen of the earth where terrain ends. */
function flank(scene: SceneEvent, index: number, palette: Palette): Mesh {
  const builder = new MeshBuilder();
  const [min, max] = scene.bounds;
  const heightAt = heightsOf(scene, index);
  const foot = (heightAt.lattice?.lowest ?? 0) - Math.max(max[0] - min[0], max[1] - min[1]) * 0.015;
  builder.fence([min, [max[0], min[1]], max, [min[0], max[1]]], () => foot, heightAt, paint(palette.solid));
  const mesh = new Mesh(builder.build(), flatMaterial(false));
  mesh.renderOrder = SOLIDS_ORDER;
  return mesh;
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
  mesh.renderOrder = SOLIDS_ORDER;
  return mesh;
}

function planMeshes(scene: SceneEvent, layer: Layer, index: number, palette: Palette, isLowest: boolean): Mesh[] {
  const connectors = scene.connectors.filter(({ lower, upper }) => index === lower || index === upper).map(({ polygon }) => polygon);
  const heightAt = withoutConnectors(heightsOf(scene, index), connectors);
  const [floor, kerb] = [new MeshBuilder(), new MeshBuilder()];
  // Plans go on under stairs and ramps; what people stand on is drawn as a connector, and so are its sides.
  const isOnConnector = (at: Point) => connectors.some((polygon) => contains(polygon, at) || distance(nearestOn(polygon, at).point, at) < BESIDE);
  const foot = isLowest ? heightAt : raised(heightAt, -SLAB);
  for (const { outline, holes } of layer.plan ?? []) {
    floor.fill(outline, holes, heightAt, -0.005, paint(palette.floor), connectors, STEEPEST);
    for (const ring of [outline, ...holes].map((ring) => splitBy(ring, connectors, BESIDE))) {
      kerb.fence(ring, foot, raised(heightAt, KERB), paint(palette.solid), isOnConnector);
      kerb.ribbon(ring, true, 0.08, heightAt, KERB, paint(palette.edge), isOnConnector);
    }
  }
  const ground = new Mesh(floor.build(), gridMaterial("#ffffff", palette.grid, { vertexColors: true }));
  const walls = new Mesh(kerb.build(), cutAway(flatMaterial(false)));
  ground.receiveShadow = true;
  for (const mesh of [ground, walls]) mesh.renderOrder = SOLIDS_ORDER;
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

/** The triangles of a lattice, but for cells that are left out by their middle. Normals follow from the slopes across each point. */
export function latticeGeometry({ origin, cell, columns, rows, heights }: Lattice, leftOut?: (x: number, y: number) => boolean): BufferGeometry {
  const positions = new Float32Array(columns * rows * 3);
  const normals = new Float32Array(columns * rows * 3);
  const index = new Uint32Array((columns - 1) * (rows - 1) * 6);
  let corners = 0;
  for (let row = 0; row < rows; row++) {
    const [south, north] = [Math.max(row - 1, 0), Math.min(row + 1, rows - 1)];
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const [x, y] = [origin[0] + cell[0] * column, origin[1] + cell[1] * row];
      positions[3 * at] = x;
      positions[3 * at + 1] = heights[at]!;
      positions[3 * at + 2] = -y;
      const [west, east] = [Math.max(column - 1, 0), Math.min(column + 1, columns - 1)];
      const alongX = (heights[row * columns + east]! - heights[row * columns + west]!) / ((east - west) * cell[0]);
      const alongY = (heights[north * columns + column]! - heights[south * columns + column]!) / ((north - south) * cell[1]);
      const size = Math.sqrt(alongX * alongX + alongY * alongY + 1);
      normals[3 * at] = -alongX / size;
      normals[3 * at + 1] = 1 / size;
      normals[3 * at + 2] = alongY / size;
      if (column + 1 === columns || row + 1 === rows || leftOut?.(x + cell[0] / 2, y + cell[1] / 2)) continue;
      const far = at + columns + 1;
      index[corners++] = at;
      index[corners++] = at + 1;
      index[corners++] = far;
      index[corners++] = at;
      index[corners++] = far;
      index[corners++] = far - 1;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(index.subarray(0, corners), 1));
  return geometry;
}

/** The triangles of a mesh. */
export function meshGeometry(mesh: NonNullable<Ground["mesh"]>): BufferGeometry {
  const positions = floats(mesh.vertices);
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const [y, height] = [positions[i + 1]!, positions[i + 2]!];
    positions[i + 1] = height;
    positions[i + 2] = -y;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(integers(mesh.triangles), 1));
  geometry.computeVertexNormals();
  return geometry;
}

/** Paint by vertex, seen from both sides. */
export function flatMaterial(transparent: boolean): MeshLambertMaterial {
  return new MeshLambertMaterial({ vertexColors: true, transparent, side: DoubleSide, depthWrite: !transparent });
}

/** Terrain is tinted from its lowest to its highest place, and has lines of equal height. */
interface Relief {
  lowest: number;
  highest: number;
  low: string;
  high: string;
}

interface GroundLook {
  vertexColors?: boolean;
  transparent?: boolean;
  flatShading?: boolean;
  relief?: Relief;
}

/** How strongly grids are drawn, from 0 to 1: a uniform that all grounds share. */
export const GRID_STRENGTH = { value: 1 };

/**
 * Ground with a grid drawn by the shader: lines a pixel or so wide, a metre, ten or a hundred apart as suits the
 * distance, each scale fading as it becomes too fine. On terrain, lines of equal height are drawn the same way.
 */
function gridMaterial(color: string, grid: string, { relief, ...look }: GroundLook = {}): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ color, side: DoubleSide, ...look });
  material.customProgramCacheKey = () => (relief ? "ground with relief" : "ground");
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["gridColor"] = { value: new Color(grid) };
    shader.uniforms["gridStrength"] = GRID_STRENGTH;
    if (relief) {
      const { lowest, highest } = relief;
      shader.uniforms["reliefLow"] = { value: new Color(relief.low) };
      shader.uniforms["reliefHigh"] = { value: new Color(relief.high) };
      shader.uniforms["reliefRange"] = { value: [lowest, Math.max(highest - lowest, 0.5)] };
      shader.uniforms["reliefStep"] = { value: contourStep(highest - lowest) };
    }
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 gridPlace;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\ngridPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>${GRID_GLSL}${relief ? RELIEF_GLSL : ""}`)
      .replace("#include <color_fragment>", `#include <color_fragment>${relief ? TINTED_GLSL : ""}${GRIDDED_GLSL}`);
  };
  return cutAway(material);
}

/** How far apart lines of equal height are, m, so that there are a dozen or two. */
export function contourStep(range: number): number {
  const rough = Math.max(range / 20, 0.1);
  const decade = 10 ** Math.floor(Math.log10(rough));
  return decade * ([1, 2, 5, 10].find((step) => step * decade >= rough * 0.999) ?? 10);
}

const GRID_GLSL = `
  varying vec3 gridPlace;
  uniform vec3 gridColor;
  uniform float gridStrength;
  float gridLine(vec2 place, vec2 width, float scale) {
    vec2 w = width / scale;
    vec2 near = abs(fract(place / scale - 0.5) - 0.5);
    vec2 line = 1.0 - smoothstep(w * 0.25, w * 1.0, near);
    float fade = 1.0 - smoothstep(0.08, 0.3, max(w.x, w.y));
    return max(line.x, line.y) * fade;
  }`;

const GRIDDED_GLSL = `
  vec2 gridWidth = fwidth(gridPlace.xz);
  float lines = max(gridLine(gridPlace.xz, gridWidth, 1.0) * 0.28, gridLine(gridPlace.xz, gridWidth, 10.0) * 0.6);
  lines = max(lines, gridLine(gridPlace.xz, gridWidth, 100.0) * 0.7);
  diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, lines * gridStrength);
  diffuseColor.a = max(diffuseColor.a, 0.8 * lines * gridStrength);`;

/** Level ground would be all line wherever its height is a round number: lines need a slope. */
const RELIEF_GLSL = `
  uniform vec3 reliefLow, reliefHigh;
  uniform vec2 reliefRange;
  uniform float reliefStep;
  float contour(float scale) {
    float width = fwidth(gridPlace.y);
    vec3 across = cross(dFdx(gridPlace), dFdy(gridPlace));
    float slope = length(across.xz) / max(abs(across.y), 1e-9);
    float near = abs(fract(gridPlace.y / scale - 0.5) - 0.5) * scale;
    float fade = (1.0 - smoothstep(0.12, 0.4, width / scale)) * smoothstep(0.01, 0.04, slope);
    return (1.0 - smoothstep(width * 0.4, width * 1.1, near)) * fade;
  }`;

const TINTED_GLSL = `
  float upward = clamp((gridPlace.y - reliefRange.x) / reliefRange.y, 0.0, 1.0);
  diffuseColor.rgb *= mix(reliefLow, reliefHigh, upward);
  float contours = max(contour(reliefStep) * 0.3, contour(reliefStep * 5.0) * 0.55);
  diffuseColor.rgb = mix(diffuseColor.rgb, diffuseColor.rgb * 0.62, contours);`;

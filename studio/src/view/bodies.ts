/**
 * People and animals with bodies: one call per look and level of detail. The pose of each body is a row of a texture, with the matrices
 * of its joints and then the colours of its regions; vertices are carried by them on the graphics card.
 */
import {
  BufferAttribute,
  Color,
  DataTexture,
  DynamicDrawUsage,
  FloatType,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshLambertMaterial,
  NearestFilter,
  RGBAFormat,
  SRGBColorSpace,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { TOP, type BodyMesh, type Cast } from "../bodies.ts";
import { BODY_REGIONS } from "../protocol.ts";
import { frameAt, poseOf } from "../model/baking.ts";
import type { Posed } from "../model/body-timeline.ts";
import { skin } from "../model/skinning.ts";
import type { Place } from "./axes.ts";
import { ALL, PAINTED, TOP_ONLY } from "./baked.ts";
import { FADING_GLSL, WHOLE } from "./fading.ts";
import { Part } from "./parts.ts";

/** Nearer than this bodies are drawn in full, m, for a window 900 pixels high. */
const FULL = 14;
/** Bodies that there is room for at first. */
const ROOM = 64;

export class BodiesView extends Part {
  private cast: Cast | null = null;
  /** By look, then by detail. */
  private copies: Copies[][] = [];
  private texture: DataTexture | null = null;
  private rows = new Float32Array(0);
  private width = 0;
  private last: Copies | null = null;
  private room = 0;
  count = 0;
  private readonly poses = { value: null as DataTexture | null };
  private readonly color = new Color();

  setCast(cast: Cast): void {
    this.cast = cast;
    this.width = 3 * Math.max(...cast.looks.map((look) => look.skeleton.names.length)) + BODY_REGIONS.length;
    const material = bodyMaterial(this.poses, this.width - BODY_REGIONS.length);
    this.copies = cast.looks.map((look) => look.meshes.map((mesh) => new Copies(mesh, material)));
    this.replace(...this.copies.flat().map((copies) => copies.mesh));
    this.makeRoom(ROOM);
  }

  begin(): void {
    this.count = 0;
    for (const copies of this.copies.flat()) copies.count = 0;
  }

  /** Whether a look wears something: animals have but their coat. */
  isDressed(look: number): boolean {
    return this.cast?.looks[look]?.species === "person";
  }

  /** The pose of somebody who is so far through a take, from 0 to 1; `null` for a look that is not known. */
  poseOf(look: number, take: number, phase: number, head: number): { root: Float32Array; rotations: Float32Array } | null {
    const found = this.cast?.looks[look];
    return found ? poseOf(found, take, frameAt(phase, this.cast!.frames), head) : null;
  }

  /** Adds a body, painted with a colour in linear light as far as `mode` says. Tells whether it will be drawn. */
  push(posed: Posed, presence: number, mode: number, paint: readonly [number, number, number], eye: Place, zoom: number): boolean {
    const look = this.cast?.looks[posed.role.look];
    const levels = this.copies[posed.role.look];
    if (!look || !levels) return false;
    if (this.count >= this.room) this.makeRoom(2 * this.room);
    const row = this.count++;
    const { place } = posed;
    const distance = Math.hypot(place[0]! - eye[0], place[1]! - eye[1], place[2]! - eye[2]);
    const detail = Math.min(levels.length - 1, distance < FULL * zoom ? 0 : 1);
    const at = 4 * this.width * row;
    skin(look, look.meshes[detail]!.inverseBind, posed, presence, this.rows, at);
    this.paint(posed, mode, paint, at + 4 * (this.width - BODY_REGIONS.length));
    levels[detail]!.push(row);
    this.last = levels[detail]!;
    return true;
  }

  /** Whoever was added last is there in part: see view/fading.ts. */
  fadeLast(fade: number): void {
    this.last?.fadeLast(fade);
  }

  end(): void {
    for (const copies of this.copies.flat()) copies.end();
    if (this.texture && this.count > 0) this.texture.needsUpdate = true;
  }

  private paint(posed: Posed, mode: number, paint: readonly [number, number, number], at: number): void {
    const { palette } = posed.role;
    BODY_REGIONS.forEach((_, region) => {
      const [r, g, b] = [palette[3 * region]! / 255, palette[3 * region + 1]! / 255, palette[3 * region + 2]! / 255];
      const color = this.color.setRGB(r, g, b, SRGBColorSpace);
      const own = [color.r, color.g, color.b] as const;
      const mixed = own.map((part, k) => part + PAINTED * (paint[k]! - part));
      this.rows.set(mode === ALL ? mixed : mode === TOP_ONLY && region === TOP ? paint : own, at + 4 * region);
    });
  }

  private makeRoom(room: number): void {
    this.room = room;
    const rows = new Float32Array(4 * this.width * room);
    rows.set(this.rows.subarray(0, Math.min(this.rows.length, rows.length)));
    this.rows = rows;
    this.texture?.dispose();
    this.texture = new DataTexture(rows, this.width, room, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.poses.value = this.texture;
    for (const copies of this.copies.flat()) copies.makeRoom(room);
  }
}

/** Copies of one mesh, each with the row of its pose and how far it has faded. */
class Copies {
  readonly mesh: Mesh;
  count = 0;
  private rows = new Float32Array(0);
  private readonly geometry = new InstancedBufferGeometry();

  constructor(body: BodyMesh, material: MeshLambertMaterial) {
    const { geometry } = this;
    geometry.setAttribute("position", new BufferAttribute(body.positions, 3));
    geometry.setAttribute("normal", new BufferAttribute(body.normals, 3, true));
    geometry.setAttribute("region", new BufferAttribute(Float32Array.from(body.regions), 1));
    geometry.setAttribute("carriers", new BufferAttribute(Float32Array.from(body.joints), 4));
    geometry.setAttribute("shares", new BufferAttribute(body.weights, 4, true));
    geometry.setIndex(new BufferAttribute(body.index, 1));
    geometry.instanceCount = 0;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  makeRoom(room: number): void {
    const rows = new Float32Array(2 * room);
    rows.set(this.rows);
    this.rows = rows;
    const attribute = new InstancedBufferAttribute(rows, 2);
    attribute.setUsage(DynamicDrawUsage);
    // The card's old buffers are of another size.
    this.geometry.dispose();
    this.geometry.setAttribute("row", attribute);
  }

  push(row: number): void {
    const at = 2 * this.count++;
    this.rows[at] = row;
    this.rows[at + 1] = WHOLE;
  }

  fadeLast(fade: number): void {
    if (this.count > 0) this.rows[2 * this.count - 1] = fade;
  }

  end(): void {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    const attribute = this.geometry.getAttribute("row") as InstancedBufferAttribute | undefined;
    if (!attribute || this.count === 0) return;
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, 2 * this.count);
    attribute.needsUpdate = true;
  }
}

function bodyMaterial(poses: { value: DataTexture | null }, colors: number): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["poses"] = poses;
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        attribute vec2 row;
        attribute float region;
        attribute vec4 carriers;
        attribute vec4 shares;
        uniform highp sampler2D poses;
        varying vec3 bodyColor;
        flat varying float bodyFade;
        vec4 texel(float at) { return texelFetch(poses, ivec2(int(at + 0.5), int(row.x + 0.5)), 0); }
        mat4 carrier(float joint, float share) {
          // Rows in the texture are columns here; the last one is filled in when all are summed up.
          return share * mat4(texel(3.0 * joint), texel(3.0 * joint + 1.0), texel(3.0 * joint + 2.0), vec4(0.0));
        }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        `mat4 carried = carrier(carriers.x, shares.x) + carrier(carriers.y, shares.y) + carrier(carriers.z, shares.z) + carrier(carriers.w, shares.w);
        vec3 objectNormal = (vec4(normal, 0.0) * carried).xyz;
        bodyColor = texel(${colors.toFixed(1)} + region).rgb;
        bodyFade = row.y;`,
      )
      .replace("#include <begin_vertex>", "vec3 transformed = (vec4(position, 1.0) * carried).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 bodyColor;\nflat varying float bodyFade;\n${FADING_GLSL}`)
      .replace("#include <color_fragment>", "if (isFaded(bodyFade)) discard;\ndiffuseColor.rgb = bodyColor;");
  };
  material.customProgramCacheKey = () => `body ${colors}`;
  return material;
}

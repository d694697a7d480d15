/**
 * People in one of the poses that were made once: one call per look. Of each person the graphics card is told where they are, which pose
 * they are in, and what they are painted with.
 */
import { MeshLambertMaterial, type WebGLProgramParametersWithUniforms } from "three";
import { frameAt } from "../model/baking.ts";
import { BAKED_GLSL, DYES_GLSL, bakedCopies, type BakedPoses, type Columns, type Dyes } from "./baked.ts";
import { FADING_GLSL, WHOLE } from "./fading.ts";
import { Part } from "./parts.ts";

/** Poses that are made for one picture of the stage at most: who has to wait is drawn in one next to it, or as a picture, until then. */
const MOST_MADE = 150;
/** How many frames of a take poses may be apart that stand in for each other. */
const MOST_APART = 3;

/** Where in a row it says how far somebody has faded. */
const FADE_COLUMN = 11;

export class PosedView extends Part {
  private copies: Columns[] = [];
  private poses: BakedPoses | null = null;
  private made = 0;
  private last: Columns | null = null;
  /** Whether somebody has to wait for their pose. */
  waits = false;

  get count(): number {
    return this.copies.reduce((sum, copies) => sum + copies.count, 0);
  }

  setPoses(poses: BakedPoses, dyes: Dyes): void {
    this.poses = poses;
    const material = posedMaterial(poses, dyes);
    const columns: [string, number][] = [["place", 4], ["stamp", 4], ["paint", 4]];
    this.copies = poses.cast.looks.map((_, look) => bakedCopies(poses.mesh(look), columns, material));
    this.replace(...this.copies.map((copies) => copies.mesh));
  }

  begin(): void {
    for (const copies of this.copies) copies.begin();
    this.made = 0;
    this.waits = false;
  }

  /** Adds somebody, at x, y and a height, turned by `yaw`. Tells whether they will be drawn. */
  push(look: number, take: number, phase: number, head: number, place: readonly number[], slot: number, size: number, mode: number, paint: readonly number[]): boolean {
    const { poses } = this;
    const copies = this.copies[look];
    if (!poses || !copies) return false;
    const frame = frameAt(phase, poses.cast.frames);
    const before = poses.count;
    let start = poses.start(look, take, frame, head, this.made < MOST_MADE);
    this.made += poses.count - before;
    if (start < 0) {
      this.waits ||= this.made >= MOST_MADE;
      start = this.standIn(poses, look, take, frame, head);
      if (start < 0) return false;
    }
    copies.push([...place, start, slot, size, mode, ...paint, WHOLE]);
    this.last = copies;
    return true;
  }

  /** While a pose is not there yet, one that comes a little before or after it will do; -1 if there is none. */
  private standIn(poses: BakedPoses, look: number, take: number, frame: number, head: number): number {
    const { frames } = poses.cast;
    for (let apart = 1; apart <= MOST_APART; apart++) {
      for (const other of [frame - apart, frame + apart]) {
        const start = poses.start(look, take, (other + frames) % frames, head, false);
        if (start >= 0) return start;
      }
    }
    return -1;
  }

  /** Whoever was added last is there in part: see view/fading.ts. */
  fadeLast(fade: number): void {
    this.last?.amend(FADE_COLUMN, fade);
  }

  end(): void {
    for (const copies of this.copies) copies.end();
  }
}

function posedMaterial(poses: BakedPoses, dyes: Dyes): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["baked"] = poses.texture;
    shader.uniforms["dyes"] = dyes.texture;
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        attribute vec4 place;
        attribute vec4 stamp;
        attribute vec4 paint;
        attribute float region;
        varying vec3 bodyColor;
        flat varying float bodyFade;
        ${BAKED_GLSL}
        ${DYES_GLSL}
        vec3 aboutUp(vec3 v, float yaw) { float c = cos(yaw), s = sin(yaw); return vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x); }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        `vec4 vertex = bakedVertex(stamp.x);
        vec3 objectNormal = aboutUp(bakedNormal(vertex), place.w);
        bodyColor = dyed(stamp.y, int(region + 0.5), stamp.w, paint.rgb);
        bodyFade = paint.w;`,
      )
      .replace("#include <begin_vertex>", "vec3 transformed = vec3(place.x, place.z, -place.y) + stamp.z * aboutUp(vertex.xyz, place.w);");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 bodyColor;\nflat varying float bodyFade;\n${FADING_GLSL}`)
      .replace("#include <color_fragment>", "if (isFaded(bodyFade)) discard;\ndiffuseColor.rgb = bodyColor;");
  };
  material.customProgramCacheKey = () => "posed";
  return material;
}

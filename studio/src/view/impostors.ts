/**
 * People far away: pictures of bodies on quads that face the camera, all in one call.
 *
 * A texel of a picture is not a colour but where the surface points, in body space, and which region of the body it is. Colours and
 * light come afterwards, from the same lights as for meshes: so one picture serves everybody of a look, whatever they wear, and
 * nobody changes colour when a picture takes the place of a mesh. What is smaller than its texels is sampled four times per pixel,
 * and the share of samples that meet the body is how much of the pixel is covered: outlines have no halos, since nothing is mixed
 * with what is outside. Between two directions that there are pictures of, some of the samples are of the one and some of the other.
 *
 * Pictures are drawn on the graphics card itself when they are needed first (model/atlas.ts).
 */
import { Box2, BufferAttribute, Camera, CustomBlending, MeshLambertMaterial, NearestFilter, OneFactor, RGBAFormat, Scene, ShaderMaterial, UnsignedByteType, Vector2, WebGLRenderTarget, ZeroFactor, type WebGLProgramParametersWithUniforms, type WebGLRenderer } from "three";
import { AZIMUTHS, Atlas, ELEVATIONS, PHASES, azimuthAngle, azimuthsAround, cellKey, elevationAngle, elevationIndex, phaseFrame, phaseIndex, stretch, typicalTakes, windowOf, type Cell } from "../model/atlas.ts";
import type { Place } from "./axes.ts";
import { BAKED_GLSL, Columns, DYES_GLSL, bakedCopies, type BakedPoses, type Dyes } from "./baked.ts";
import { FADING_GLSL, WHOLE } from "./fading.ts";
import { Part } from "./parts.ts";

/** Texels of the texture, and of one picture in it. */
const [WIDTH, HEIGHT] = [4096, 4096];
const [CELL_WIDTH, CELL_HEIGHT] = [32, 48];
const CELL = `vec2(${CELL_WIDTH}.0, ${CELL_HEIGHT}.0)`;
/**
 * The edges of pictures are empty, so that neighbours do not show: as shares of a side. It is a whole texel: outlines that begin in the middle
 * of one, where it is looked at, would be as much as half a texel too wide, and shoes are not much higher than that.
 */
const MARGIN: [number, number] = [1 / CELL_WIDTH, 1 / CELL_HEIGHT];
/** Where in a row it says how far somebody has faded. */
const FADE_COLUMN = 22;
/** Who is no farther than this from a direction that there is a picture of, as a part of what is between two of them, is drawn with that one alone. */
const LEAST_PART = 1 / 16;
/** Pictures made for one picture of the stage at most; who has to wait is drawn with another one, or is a figure, until then. */
const MOST_MADE = 400;
/** They are drawn here, side by side, before they go where they belong: only this has to know what is in front of what. */
const DESK = 1024;
const DESK_COLUMNS = Math.floor(DESK / CELL_WIDTH);

export class ImpostorsView extends Part {
  private atlas = new Atlas(WIDTH, HEIGHT, CELL_WIDTH, CELL_HEIGHT);
  private target: WebGLRenderTarget | null = null;
  private desk: WebGLRenderTarget | null = null;
  private readonly texture = { value: null as WebGLRenderTarget["texture"] | null };
  private poses: BakedPoses | null = null;
  /** By look: which takes stand for others. */
  private typical: number[][] = [];
  private quads: Columns | null = null;
  private readonly studio = new Scene();
  private readonly camera = new Camera();
  private sitters: Columns[] = [];
  private pending: Cell[] = [];
  /** Whether somebody has to wait for their picture, and whether somebody had to in the picture of the stage before. */
  waits = false;
  private waited = false;

  get count(): number {
    return this.quads?.count ?? 0;
  }

  /** Pictures that there are. */
  get pictures(): number {
    return this.atlas.count;
  }

  setPoses(poses: BakedPoses, dyes: Dyes): void {
    this.poses = poses;
    this.atlas = new Atlas(WIDTH, HEIGHT, CELL_WIDTH, CELL_HEIGHT);
    for (const target of [this.target, this.desk]) target?.dispose();
    this.target = this.desk = null;
    this.typical = poses.cast.looks.map((look) => typicalTakes(look.takes));
    const material = sitterMaterial(poses);
    this.studio.clear();
    this.sitters = poses.cast.looks.map((_, look) => bakedCopies(poses.mesh(look), [["pose", 3], ["cell", 2], ["outline", 4]], material));
    this.studio.add(...this.sitters.map((sitter) => sitter.mesh));
    this.quads = new Columns([["place", 4], ["stamp", 4], ["paint", 4], ["outline", 4], ["other", 4], ["mixture", 3]], impostorMaterial(this.texture, dyes));
    this.quads.geometry.setAttribute("position", new BufferAttribute(Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0), 3));
    this.quads.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.replace(this.quads.mesh);
  }

  begin(): void {
    this.quads?.begin();
    this.atlas.begin();
    for (const sitter of this.sitters) sitter.begin();
    this.pending = [];
    this.waited = this.waits;
    this.waits = false;
  }

  /** Adds somebody, at x, y and a height, turned by `yaw`, who is seen from `eye`. Tells whether they will be drawn. */
  push(look: number, take: number, phase: number, place: readonly [number, number, number, number], slot: number, size: number, mode: number, paint: readonly number[], eye: Place): boolean {
    const { poses, quads } = this;
    const typical = this.typical[look]?.[take];
    if (!poses || !quads || typical === undefined) return false;
    const [dx, dy, dh] = [eye[0] - place[0], eye[1] - place[1], eye[2] - place[2] - 0.9 * size];
    // Ground y leads to -z of the world.
    const { first, second, part } = azimuthsAround(Math.atan2(dx, -dy) - place[3]);
    const above = Math.atan2(dh, Math.hypot(dx, dy));
    const elevation = elevationIndex(above);
    const stands = typical === 0;
    const step = stands ? 0 : phaseIndex(phase);
    const cell = this.cell(look, typical, step, first, elevation);
    if (!cell) return false;
    // Everybody has one picture before anybody has two.
    const other = (part > LEAST_PART && this.cell(look, typical, step, second, elevation, this.waited || this.waits)) || cell;
    const mixed = other === cell ? 0 : part;
    quads.push([...place, cell.index, slot, size, mode, paint[0]!, paint[1]!, paint[2]!, stretch(above, elevation), ...cell.window, ...other.window, other.index, mixed, WHOLE]);
    return true;
  }

  /** Whoever was added last is there in part: see view/fading.ts. */
  fadeLast(fade: number): void {
    this.quads?.amend(FADE_COLUMN, fade);
  }

  end(): void {
    this.quads?.end();
  }

  /** Draws pictures that are needed and were not there. Comes before the picture of the stage. */
  prepare(renderer: WebGLRenderer): void {
    if (this.pending.length === 0) return;
    const before = renderer.getRenderTarget();
    const target = this.target ?? this.makeTarget(renderer);
    const desk = (this.desk ??= new WebGLRenderTarget(DESK, DESK, { ...PLAIN, depthBuffer: true }));
    renderer.setRenderTarget(desk);
    renderer.setClearColor(0, 0);
    renderer.clear();
    for (const sitter of this.sitters) sitter.end();
    renderer.render(this.studio, this.camera);
    this.pending.forEach(({ x, y }, i) => {
      const [left, bottom] = deskPlace(i);
      const from = new Box2(new Vector2(left, bottom), new Vector2(left + CELL_WIDTH, bottom + CELL_HEIGHT));
      renderer.copyTextureToTexture(desk.texture, target.texture, from, new Vector2(x, y));
    });
    renderer.setRenderTarget(before);
    for (const sitter of this.sitters) sitter.begin();
    this.pending = [];
  }

  /** The picture of a pose from a direction, which is made if it is not there, unless it is only asked for; then there may be none. */
  private cell(look: number, take: number, step: number, azimuth: number, elevation: number, onlyAsks = false): Cell | undefined {
    const key = cellKey(look, take, step, azimuth, elevation);
    const known = this.atlas.find(key);
    if (known || onlyAsks) return known;
    const poses = this.poses!;
    if (this.pending.length >= MOST_MADE) {
      this.waits = true;
      return this.standIn(look, take, step, azimuth, elevation);
    }
    const start = poses.start(look, take, phaseFrame(step, poses.cast.frames), 0, true);
    if (start < 0) return undefined;
    const angles = [azimuthAngle(azimuth), elevationAngle(elevation)] as const;
    const added = this.atlas.add(key, windowOf(poses.vertices(look, start), ...angles, MARGIN));
    if (!added) return this.standIn(look, take, step, azimuth, elevation);
    this.sitters[look]!.push([start, ...angles, ...deskPlace(this.pending.length), ...added.window]);
    this.pending.push(added);
    return added;
  }

  /** While a picture is not there yet, one from next to it will do, or another pose. */
  private standIn(look: number, take: number, step: number, azimuth: number, elevation: number): Cell | undefined {
    for (const above of [elevation, elevation + 1, elevation - 1]) {
      if (above < 0 || above >= ELEVATIONS) continue;
      for (const aside of [0, 1, AZIMUTHS - 1, 2, AZIMUTHS - 2]) {
        for (let other = 0; other < PHASES; other++) {
          const found = this.atlas.find(cellKey(look, take, (step + other) % PHASES, (azimuth + aside) % AZIMUTHS, above));
          if (found) return found;
        }
      }
    }
    return undefined;
  }

  private makeTarget(renderer: WebGLRenderer): WebGLRenderTarget {
    const target = new WebGLRenderTarget(WIDTH, HEIGHT, { ...PLAIN, depthBuffer: false });
    this.target = target;
    this.texture.value = target.texture;
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    return target;
  }
}

/** Textures that are read texel by texel. */
const PLAIN = { format: RGBAFormat, type: UnsignedByteType, minFilter: NearestFilter, magFilter: NearestFilter, generateMipmaps: false } as const;

/** Where the lower left corner of a picture is on the desk, texels. */
function deskPlace(index: number): [number, number] {
  return [(index % DESK_COLUMNS) * CELL_WIDTH, Math.floor(index / DESK_COLUMNS) * CELL_HEIGHT];
}

/** Draws bodies into their places on the desk. */
function sitterMaterial(poses: BakedPoses): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { baked: poses.texture },
    vertexShader: `
      attribute vec3 pose;
      attribute vec2 cell;
      attribute vec4 outline;
      attribute float region;
      varying vec3 bodyNormal;
      flat varying float bodyRegion;
      ${BAKED_GLSL}
      void main() {
        vec4 vertex = bakedVertex(pose.x);
        float ca = cos(pose.y), sa = sin(pose.y), ce = cos(pose.z), se = sin(pose.z);
        float ahead = sa * vertex.x + ca * vertex.z;
        vec2 seen = vec2(ca * vertex.x - sa * vertex.z, ce * vertex.y - se * ahead);
        vec2 texel = cell + (seen - outline.xy) / outline.zw * vec2(${CELL_WIDTH}.0, ${CELL_HEIGHT}.0);
        bodyNormal = bakedNormal(vertex);
        bodyRegion = region;
        gl_Position = vec4(texel / ${DESK}.0 * 2.0 - 1.0, -0.2 * (se * vertex.y + ce * ahead), 1.0);
      }`,
    fragmentShader: `
      varying vec3 bodyNormal;
      flat varying float bodyRegion;
      void main() {
        // A direction as a point of an octahedron that is unfolded.
        vec3 n = bodyNormal / (abs(bodyNormal.x) + abs(bodyNormal.y) + abs(bodyNormal.z));
        vec2 flatten = n.z >= 0.0 ? n.xy : (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
        gl_FragColor = vec4(flatten * 0.5 + 0.5, bodyRegion / 255.0, 1.0);
      }`,
  });
}

function impostorMaterial(atlas: { value: unknown }, dyes: Dyes): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  // Edges are as soft as those of meshes, and nothing needs to be sorted. The canvas stays opaque: else the page would shine through.
  material.alphaToCoverage = true;
  material.blending = CustomBlending;
  [material.blendSrc, material.blendDst, material.blendSrcAlpha, material.blendDstAlpha] = [OneFactor, ZeroFactor, ZeroFactor, OneFactor];
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["atlas"] = atlas;
    shader.uniforms["dyes"] = dyes.texture;
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        attribute vec4 place;
        attribute vec4 stamp;
        attribute vec4 paint;
        attribute vec4 outline;
        attribute vec4 other;
        attribute vec3 mixture;
        // Where in the one picture and in the other, and which two they are.
        varying vec4 texels;
        flat varying vec4 cells;
        flat varying vec2 personMixture;
        flat varying vec4 personPaint;
        flat varying vec4 personStamp;
        vec2 cellAt(float index) {
          float columns = ${Math.floor(WIDTH / CELL_WIDTH)}.0;
          float row = floor((index + 0.5) / columns);
          return vec2(index - row * columns, row) * ${CELL};
        }`,
      )
      .replace("#include <beginnormal_vertex>", "vec3 objectNormal = vec3(0.0, 1.0, 0.0);")
      .replace(
        "#include <begin_vertex>",
        `vec3 feet = vec3(place.x, place.z, -place.y);
        vec3 toEye = isOrthographic ? vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]) : normalize(cameraPosition - feet - vec3(0.0, 0.9 * stamp.z, 0.0));
        vec3 toRight = cross(vec3(0.0, 1.0, 0.0), toEye);
        float level = length(toRight);
        // Who is right below: as the camera is turned.
        toRight = level > 1e-4 ? toRight / level : vec3(viewMatrix[0][0], viewMatrix[1][0], viewMatrix[2][0]);
        vec3 upward = cross(toEye, toRight);
        vec2 least = min(outline.xy, other.xy), most = max(outline.xy + outline.zw, other.xy + other.zw);
        vec2 within = mix(least, most, position.xy);
        vec2 seen = stamp.z * within * vec2(1.0, paint.w);
        vec3 transformed = feet + toRight * seen.x + upward * seen.y;
        texels = vec4((within - outline.xy) / outline.zw * ${CELL}, (within - other.xy) / other.zw * ${CELL});
        cells = vec4(cellAt(stamp.x), cellAt(mixture.x));
        personMixture = mixture.yz;
        personPaint = vec4(paint.rgb, place.w);
        personStamp = stamp;`,
      )
      .replace(
        "#include <project_vertex>",
        `#include <project_vertex>
        // As deep as somebody upright is, and a little nearer: feet are not in the ground then, nor heads in those behind.
        float height = clamp(seen.y / max(level, 0.35), 0.0, 1.9 * stamp.z);
        float nearer = 0.35 + max(0.0, -seen.y) / max(toEye.y, 0.15);
        vec4 upright = projectionMatrix * viewMatrix * vec4(feet + vec3(0.0, height, 0.0) + nearer * toEye, 1.0);
        gl_Position.z = upright.z / upright.w * gl_Position.w;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        uniform sampler2D atlas;
        varying vec4 texels;
        flat varying vec4 cells;
        flat varying vec2 personMixture;
        flat varying vec4 personPaint;
        flat varying vec4 personStamp;
        ${DYES_GLSL}
        ${FADING_GLSL}
        vec3 unfolded(vec2 at) {
          vec2 f = at * 2.0 - 1.0;
          vec3 n = vec3(f, 1.0 - abs(f.x) - abs(f.y));
          if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
          return normalize(n);
        }`,
      )
      .replace(
        "#include <color_fragment>",
        `vec4 across = dFdx(texels), down = dFdy(texels);
        if (isFaded(personMixture.y)) discard;
        float pattern = screenPattern();
        vec3 summed = vec3(0.0);
        vec3 pointing = vec3(0.0);
        float met = 0.0;
        for (int k = 0; k < 4; k++) {
          vec2 off = k == 0 ? vec2(0.125, 0.375) : k == 1 ? vec2(0.375, -0.125) : k == 2 ? vec2(-0.125, -0.375) : vec2(-0.375, 0.125);
          // Which of the four are of the other picture: first those of one diagonal, so that neither picture is moved aside.
          float turn = k == 0 ? 0.0 : k == 2 ? 1.0 : k == 1 ? 2.0 : 3.0;
          vec4 both = texels + off.x * across + off.y * down;
          bool isOther = turn + pattern < 4.0 * personMixture.x;
          vec2 at = isOther ? both.zw : both.xy;
          if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, ${CELL}))) continue;
          vec4 texel = texelFetch(atlas, ivec2(at + (isOther ? cells.zw : cells.xy)), 0);
          if (texel.a < 0.5) continue;
          met += 1.0;
          summed += dyed(personStamp.y, int(texel.b * 255.0 + 0.5), personStamp.w, personPaint.rgb);
          pointing += unfolded(texel.rg);
        }
        if (met < 0.5) discard;
        diffuseColor = vec4(summed / met, met / 4.0);`,
      )
      .replace(
        "#include <normal_fragment_begin>",
        `float cosine = cos(personPaint.w), sine = sin(personPaint.w);
        vec3 outward = vec3(cosine * pointing.x + sine * pointing.z, pointing.y, cosine * pointing.z - sine * pointing.x);
        vec3 normal = normalize((viewMatrix * vec4(outward, 0.0)).xyz + vec3(1e-6));
        vec3 nonPerturbedNormal = normal;`,
      );
  };
  material.customProgramCacheKey = () => "impostor";
  return material;
}

/**
 * Everybody, each drawn in one way: with a body of their own, in a pose that was made once, as a picture, or as a simple figure while nothing
 * is known of bodies. And what is under their feet.
 *
 * A figure is a few numbers on the graphics card: where, which way, what colour, how far into the stride. The
 * stride follows simulated time, so it stops with a pause and runs backwards with a recording.
 */
import {
  CircleGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RingGeometry,
  Shape,
  ShapeGeometry,
  type BufferGeometry,
  type Material,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { POSED, headOf, levelOf, takeOf } from "../frame.ts";
import type { Role } from "../bodies.ts";
import type { BodyTimeline } from "../model/body-timeline.ts";
import { BODY_KIND, Fades, IMPOSTOR_KIND, NOT, POSED_KIND } from "../model/fades.ts";
import type { Shown } from "../model/timeline.ts";
import { SPECIES, STATUSES, type Species, type Status } from "../protocol.ts";
import type { RoleBook } from "../model/roles.ts";
import { WALKS } from "../model/words.ts";
import { ALL, OWN, TOP_ONLY } from "./baked.ts";
import type { BodiesView } from "./bodies.ts";
import type { ImpostorsView } from "./impostors.ts";
import type { PosedView } from "./posed.ts";
import { MEASURES, farAnimal, plainAnimal, type Animal } from "./animal.ts";
import { coming, leaving } from "./fading.ts";
import { farFigure, fineFigure, plainFigure } from "./figure.ts";
import { TO_WORLD_GLSL, type Place } from "./axes.ts";
import { LEVEL_COLORS, RAMP_ENDS, ramp, type Palette } from "./palette.ts";
import { Part } from "./parts.ts";
import type { Ray } from "./stage.ts";

/** Nearer than this people have arms and faces, nearer than that their legs walk. In metres, for a window 900 pixels high. */
const FINE = 45;
const PLAIN = 130;
/** No more of the finest figures than this at a time. */
const MOST_FINE = 1500;

/** Marks in the plan are so far above heads, m. */
const MARK_HEIGHT = 0.1;

export interface PeopleStyle {
  /** Colours and species of groups. */
  colors: string[];
  species: Species[];
  bySpeed: boolean;
  byLevel: boolean;
  /** Whether people have bodies of any kind; without, all are simple figures. */
  embodied: boolean;
  selected: ReadonlySet<number>;
  /** Bodies wear clothes of their own instead of the colour of their group. */
  ownClothes: boolean;
  /** By index: people on hidden floors, who are not drawn. */
  hidden: Uint8Array;
  /** Direction to the camera, if it is the same everywhere. */
  toCamera: Place | null;
  /** Radius of the mark of each person in the plan, m: people who are larger have none. `null` outside of the plan. */
  markRadius: number | null;
}

/** Who draws people that have bodies of some kind. */
export interface Crew {
  bodies: BodiesView;
  posed: PosedView;
  impostors: ImpostorsView;
}

/** Somebody in a pose that was made once. */
interface Extra {
  slot: number;
  role: Role;
  take: number;
  phase: number;
  head: number;
  /** x, y, height and yaw. */
  place: [number, number, number, number];
  presence: number;
  mode: number;
  paint: readonly [number, number, number];
}

/** Bodies are not quite where the simulation has people. Who loses theirs goes there at this rate, 1/s. */
const RETURN = 6;

/** Colour of the mark under people with a status; `null` for a shadow. */
const STATUS_MARKS: Record<Status, "danger" | "warning" | null> = {
  walking: null,
  arrived: null,
  waiting: null,
  blocked: "warning",
  no_path: "danger",
  queueing: null,
  fallen: null,
  panicking: null,
};
/** The same by the number of the status. */
const MARKS = STATUSES.map((status) => STATUS_MARKS[status]);

const LEVEL_PAINTS = LEVEL_COLORS.map((color) => {
  const { r, g, b } = new Color(color);
  return [r, g, b] as const;
});

export class PeopleView extends Part {
  /** How far bodies are from where the simulation has people: x and y, for those who have, or had of late. */
  private readonly astray = new Map<number, [number, number]>();
  private shownAt = 0;
  private readonly fades = new Fades();
  /** How many are also drawn in the way that they are about to leave. */
  leaving = { bodies: 0, posed: 0, impostors: 0 };
  /** How many were drawn as simple figures. */
  figures = 0;
  /** Figures of each species, finest first. */
  private readonly levels: Record<Species, Instances[]>;
  private readonly feet: Instances;
  private readonly rings: Instances;
  /** Discs with a tip, seen from above: where people are and where they face, however small they are in the picture. */
  private readonly marksView: Instances;
  private groupColors: Color[] = [];
  private colorsOf: string[] = [];
  private palette: Palette | null = null;

  constructor(
    private readonly bodies: BodyTimeline,
    private readonly roles: RoleBook,
    private readonly crew: Crew,
  ) {
    super();
    const people = [fineFigure(), plainFigure(), farFigure()];
    const animals = (species: Animal) => [plainAnimal(species), farAnimal(species)];
    const levels = (shapes: BufferGeometry[]) => shapes.map((shape, i) => new Instances(shape, figureMaterial(i + 1 < shapes.length)));
    this.levels = { person: levels(people), dog: levels(animals("dog")), horse: levels(animals("horse")) };
    this.feet = new Instances(flat(new CircleGeometry(0.3, 14)), footMaterial(1));
    this.rings = new Instances(flat(new RingGeometry(0.36, 0.46, 28)), footMaterial(2));
    this.marksView = new Instances(flat(planMark()), footMaterial(2));
    this.marksView.mesh.renderOrder = 6;
    this.feet.mesh.renderOrder = 4;
    this.rings.mesh.renderOrder = 5;
    this.root.add(...this.everyLevel.map((level) => level.mesh), this.feet.mesh, this.rings.mesh, this.marksView.mesh);
  }

  private get everyLevel(): Instances[] {
    return Object.values(this.levels).flat();
  }

  /** How many people have marks. */
  get marks(): number {
    return this.marksView.count / 2;
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    for (const level of this.everyLevel) {
      (level.mesh.material as MeshLambertMaterial).userData["skin"].value.set(palette.skin);
    }
  }

  /** Whether somebody is on the way from one way of being drawn to another. */
  get isFading(): boolean {
    return this.fades.running > 0;
  }

  /** Draws everybody at a moment of the display, s. */
  show(people: Shown, style: PeopleStyle, eye: Place, zoom: number, now: number): void {
    if (this.colorsOf !== style.colors) {
      this.colorsOf = style.colors;
      this.groupColors = style.colors.map((color) => new Color(color));
    }
    for (const species of SPECIES) {
      // No room is made for animals where there are none.
      const most = species === "person" || style.species.includes(species) ? people.count : 0;
      for (const level of this.levels[species]) level.begin(most);
    }
    for (const instances of [this.feet, this.rings]) instances.begin(people.count);
    const isPlan = style.markRadius !== null;
    this.marksView.begin(isPlan ? 2 * people.count : 0);
    const crew = Object.values(this.crew) as Crew[keyof Crew][];
    for (const view of crew) view.begin();
    const homing = Math.exp(-RETURN * Math.min(1, Math.max(0, now - this.shownAt)));
    this.shownAt = now;
    this.fades.begin(now);
    this.leaving = { bodies: 0, posed: 0, impostors: 0 };
    this.figures = 0;
    const [fine, plain] = [(FINE * zoom) ** 2, (PLAIN * zoom) ** 2];
    const shadow = this.palette?.shadow ?? 0.2;
    const [warning, danger, accent] = [this.palette?.warning, this.palette?.danger, this.palette?.accent].map((c) => new Color(c ?? "#888"));
    const [grey, white] = [new Color("#8a8f96"), new Color("#ffffff")];
    const { toCamera } = style;
    for (let i = 0; i < people.count; i++) {
      if (style.hidden[i]) continue;
      const id = people.ids[i]!;
      let [x, y, h] = [people.x[i]!, people.y[i]!, people.heights[i]!];
      // Whoever is drawn as a picture is seen from there.
      const seenFrom: Place = toCamera ? [x + 50 * toCamera[0], y + 50 * toCamera[1], h + 50 * toCamera[2]] : eye;
      const distance = (x - eye[0]) ** 2 + (y - eye[1]) ** 2 + (h - eye[2]) ** 2;
      const species = style.species[people.groups[i]!] ?? "person";
      const levels = this.levels[species];
      const measures = MEASURES[species];
      // Animals have no finest figure.
      const level = levels.length - (distance < fine && levels[0]!.count < MOST_FINE ? 3 : distance < plain ? 2 : 1);
      const presence = people.presence[i]!;
      const state = people.states[i]!;
      const variety = hash(id);
      const bright = 0.8 + 0.4 * variety;
      const speed = people.speeds[i]!;
      let r: number, g: number, b: number;
      if (style.bySpeed) [r, g, b] = ramp(speed / RAMP_ENDS.speed);
      else {
        const color = this.groupColors[people.groups[i]!] ?? grey;
        [r, g, b] = [Math.min(1, color.r * bright), Math.min(1, color.g * bright), Math.min(1, color.b * bright)];
      }
      const phase = 2 * Math.PI * (people.time * measures.cadence + variety * 7);
      const stride = Math.min(1, speed / 1.5) * measures.swing;
      const heading = people.headings[i]!;
      const packed = people.levels[i]!;
      const embodied = style.embodied && people.hasLevels;
      const levelPaint = style.byLevel && embodied ? LEVEL_PAINTS[levelOf(packed)]! : null;
      const paint = levelPaint ?? ([r, g, b] as const);
      const posed = this.bodies.pose(id);
      const slot = embodied ? this.roles.slotOf(id) : -1;
      let kind: number = NOT;
      if (posed && this.crew.bodies.push(posed, presence, this.modeOf(posed.role.look, style, levelPaint !== null), paint, eye, zoom)) {
        kind = BODY_KIND;
        this.astray.set(id, [posed.place[0]! - x, posed.place[1]! - y]);
        [x, y, h] = posed.place as unknown as Place;
      } else {
        const off = this.astray.get(id);
        if (off) {
          off[0] *= homing;
          off[1] *= homing;
          if (Math.hypot(off[0], off[1]) < 0.005) this.astray.delete(id);
          [x, y] = [x + off[0], y + off[1]];
        }
        if (slot >= 0) kind = this.pushExtra(this.extra(people, i, slot, [x, y, h], presence, style, levelPaint !== null, paint), levelOf(packed), seenFrom);
        if (kind === NOT) {
          this.figures++;
          levels[Math.max(0, level)]!.push(x, y, h, heading, ...paint, presence * (0.94 + 0.12 * hash(id + 77)), phase, stride);
        }
      }
      const progress = slot >= 0 ? this.fades.note(slot, kind) : 1;
      if (progress < 1) {
        const before = this.fades.from(slot);
        const extra = this.extra(people, i, slot, [x, y, h], presence, style, levelPaint !== null, paint);
        // While there is nothing to draw them with as they were, they are there as a whole.
        if (this.pushAs(before, extra, before === IMPOSTOR_KIND ? seenFrom : eye, zoom)) {
          this.viewOf(before).fadeLast(leaving(progress));
          this.viewOf(kind).fadeLast(coming(progress));
          this.leaving[before === BODY_KIND ? "bodies" : before === POSED_KIND ? "posed" : "impostors"]++;
        }
      }
      // Who walks, if not towards the goal, is not marked as standing.
      const mark = STATUSES[state] === "blocked" && speed > WALKS ? null : (MARKS[state] ?? null);
      const foot = mark === "danger" ? danger! : mark === "warning" ? warning! : null;
      const { shade, ring } = measures;
      if (foot) this.feet.push(x, y, h + 0.035, heading, foot.r, foot.g, foot.b, 0.85 * presence, ...shade);
      else this.feet.push(x, y, h + 0.03, heading, 0, 0, 0, shadow * presence, ...shade);
      const marked = style.markRadius !== null && style.markRadius > measures.girth ? style.markRadius : null;
      if (marked !== null) {
        const above = h + measures.height + MARK_HEIGHT;
        const rim = style.selected.has(id) ? accent! : foot ?? white;
        const size = presence * marked;
        this.marksView.push(x, y, above, heading, rim.r, rim.g, rim.b, 1, 1.35 * size, 1.35 * size);
        this.marksView.push(x, y, above, heading, ...paint, 1, size, size);
      }
      const wide = marked === null ? ring : Math.max(ring, 4.5 * marked);
      if (style.selected.has(id)) this.rings.push(x, y, h + 0.045, 0, accent!.r, accent!.g, accent!.b, 1, wide, wide);
    }
    for (const instances of [...this.everyLevel, this.feet, this.rings, this.marksView]) instances.end();
    for (const view of crew) view.end();
    if (this.astray.size > 4 * people.count + 64) this.astray.clear();
  }

  /** Somebody as one of those who have no body of their own. */
  private extra(people: Shown, i: number, slot: number, at: Place, presence: number, style: PeopleStyle, byLevel: boolean, paint: Extra["paint"]): Extra {
    const role = this.roles.at(slot);
    const packed = people.levels[i]!;
    const mode = this.modeOf(role.look, style, byLevel);
    return { slot, role, take: takeOf(packed), phase: people.phases[i]!, head: headOf(packed), place: [...at, people.yaws[i]!], presence, mode, paint };
  }

  /** Draws somebody without a body of their own: in a pose, or as a picture. Tells which; `NOT` if it can be neither yet. */
  private pushExtra(extra: Extra, level: number, eye: Place): number {
    // Who has just become worth a body of their own may have to wait for it.
    if (level >= POSED && this.pushAs(POSED_KIND, extra, eye, 1)) return POSED_KIND;
    return this.pushAs(IMPOSTOR_KIND, extra, eye, 1) ? IMPOSTOR_KIND : NOT;
  }

  /** Draws somebody in a certain way, in the pose of an extra. Tells whether that can be done. */
  private pushAs(kind: number, { slot, role, take, phase, head, place, presence, mode, paint }: Extra, eye: Place, zoom: number): boolean {
    const { bodies, posed, impostors } = this.crew;
    const size = role.scale * presence;
    if (kind === POSED_KIND) return posed.push(role.look, take, phase, head, place, slot, size, mode, paint);
    if (kind === IMPOSTOR_KIND) return impostors.push(role.look, take, phase, place, slot, size, mode, paint, eye);
    const pose = bodies.poseOf(role.look, take, phase, head);
    return pose !== null && bodies.push({ role, place: Float32Array.from(place), ...pose }, presence, mode, paint, eye, zoom);
  }

  private viewOf(kind: number): Crew[keyof Crew] {
    return kind === BODY_KIND ? this.crew.bodies : kind === POSED_KIND ? this.crew.posed : this.crew.impostors;
  }

  private modeOf(look: number, style: PeopleStyle, byLevel: boolean): number {
    if (byLevel) return ALL;
    // Animals have but their coat.
    const own = !style.bySpeed && (style.ownClothes || !this.crew.bodies.isDressed(look));
    return own ? OWN : TOP_ONLY;
  }
}

/**
 * The person a ray meets first, and before `reach`, as an index; `slack` widens people who are small on the screen, m at distance 1.
 * `species` are those of groups. People who are hidden are passed over.
 */
export function pickPerson(people: Shown, species: Species[], bodies: BodyTimeline | null, ray: Ray, slack: number, reach: number, hidden?: Uint8Array): number {
  let best = -1;
  let bestDistance = reach;
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  for (let i = 0; i < people.count; i++) {
    if (hidden?.[i]) continue;
    // The middle of the body, and the point of the ray nearest to it.
    const place = bodies?.placeOf(people.ids[i]!);
    const [x, y, h] = place ?? [people.x[i]!, people.y[i]!, people.heights[i]!];
    const { height, girth } = MEASURES[species[people.groups[i]!] ?? "person"];
    const [px, py, pz] = [x - ox, y - oy, h + height / 2 - oz];
    const along = px * dx + py * dy + pz * dz;
    if (along <= 0 || along > bestDistance) continue;
    const [qx, qy, qz] = [dx * along - px, dy * along - py, dz * along - pz];
    const upright = Math.max(0, Math.abs(qz) - height / 2 + 0.2);
    if (Math.hypot(qx, qy, upright) < girth + slack * along) {
      best = i;
      bestDistance = along;
    }
  }
  return best;
}

/** A number from 0 to 1 that belongs to an id. */
function hash(id: number): number {
  let h = Math.imul(id ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

/** Many copies of one shape: place and heading, colour and size, and the stride, or of what is flat how long and wide it is. */
class Instances {
  readonly mesh: Mesh;
  count = 0;
  private room = 0;
  private readonly geometry = new InstancedBufferGeometry();
  private place = new Float32Array(0);
  private look = new Float32Array(0);
  private gait = new Float32Array(0);

  constructor(shape: BufferGeometry, material: Material) {
    for (const [name, attribute] of Object.entries(shape.attributes)) this.geometry.setAttribute(name, attribute);
    this.geometry.setIndex(shape.index);
    this.geometry.instanceCount = 0;
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  begin(atMost: number): void {
    this.count = 0;
    if (atMost <= this.room) return;
    this.room = Math.ceil(atMost * 1.3) + 64;
    const column = (size: number) => {
      const array = new Float32Array(this.room * size);
      const attribute = new InstancedBufferAttribute(array, size);
      attribute.setUsage(DynamicDrawUsage);
      return { array, attribute };
    };
    const [place, look, gait] = [column(4), column(4), column(2)];
    [this.place, this.look, this.gait] = [place.array, look.array, gait.array];
    // The card's old buffers are of another size.
    this.geometry.dispose();
    this.geometry.setAttribute("place", place.attribute);
    this.geometry.setAttribute("look", look.attribute);
    this.geometry.setAttribute("gait", gait.attribute);
  }

  push(x: number, y: number, h: number, heading: number, r: number, g: number, b: number, last: number, phaseOrLength: number, strideOrWidth: number): void {
    const i = this.count++;
    const { place, look } = this;
    const at = 4 * i;
    place[at] = x;
    place[at + 1] = y;
    place[at + 2] = h;
    place[at + 3] = heading;
    look[at] = r;
    look[at + 1] = g;
    look[at + 2] = b;
    look[at + 3] = last;
    this.gait[2 * i] = phaseOrLength;
    this.gait[2 * i + 1] = strideOrWidth;
  }

  end(): void {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    for (const [name, size] of [["place", 4], ["look", 4], ["gait", 2]] as const) {
      const attribute = this.geometry.getAttribute(name) as InstancedBufferAttribute | undefined;
      if (!attribute) continue;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * size);
      attribute.needsUpdate = true;
    }
  }
}

const INSTANCE_GLSL = `
attribute vec4 place;
attribute vec4 look;
attribute vec2 gait;
${TO_WORLD_GLSL}
vec3 turned(vec3 v) {
  float c = cos(place.w), s = sin(place.w);
  return vec3(v.x * c - v.y * s, v.x * s + v.y * c, v.z);
}`;

function figureMaterial(walks: boolean): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  const skin = { value: new Color("#e3b996") };
  material.userData["skin"] = skin;
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["skinColor"] = skin;
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>
        ${INSTANCE_GLSL}
        attribute float part;
        attribute vec2 pivot;
        attribute float tint;
        uniform vec3 skinColor;
        varying vec3 figureColor;
        vec3 swung(vec3 v, vec2 at) {
          ${walks ? "float a = part * gait.y * sin(gait.x); float f = v.x - at.x; float d = at.y - v.z; return vec3(at.x + f * cos(a) + d * sin(a), v.y, at.y - d * cos(a) + f * sin(a));" : "return v;"}
        }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        `vec3 objectNormal = toWorld(turned(swung(normal, vec2(0.0))));
        float tone = fract(look.w * 57.3);
        vec3 skin = skinColor * mix(0.62, 1.08, tone);
        vec3 hair = mix(vec3(0.07, 0.055, 0.05), vec3(0.3, 0.2, 0.12), fract(tone * 7.0));
        vec3 trousers = mix(vec3(0.05, 0.06, 0.09), vec3(0.2, 0.17, 0.13), fract(tone * 13.0)) + look.rgb * 0.26;
        figureColor = tint < 0.5 ? look.rgb : tint < 1.5 ? skin : tint < 2.5 ? trousers : tint < 3.5 ? hair : look.rgb * 0.3;`,
      )
      .replace(
        "#include <begin_vertex>",
        `vec3 transformed = toWorld(turned(swung(position, pivot)) * look.w + place.xyz);
        ${walks ? "transformed.y += 0.025 * gait.y * cos(2.0 * gait.x);" : ""}`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 figureColor;")
      .replace("#include <color_fragment>", "diffuseColor.rgb = figureColor;");
  };
  material.customProgramCacheKey = () => `figure ${walks}`;
  return material;
}

/** `edge` 1 fades out towards the rim, as a shadow does; 2 does not. */
function footMaterial(edge: 1 | 2): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ transparent: true, depthWrite: false, fog: false });
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${INSTANCE_GLSL}\nvarying vec4 footColor;\nvarying float footRim;`)
      .replace(
        "#include <begin_vertex>",
        "vec3 transformed = toWorld(turned(position * vec3(gait, 1.0)) + place.xyz); footColor = look; footRim = length(position.xy) / 0.3;",
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec4 footColor;\nvarying float footRim;")
      .replace(
        "#include <color_fragment>",
        `diffuseColor = vec4(footColor.rgb, footColor.a${edge === 1 ? " * (1.0 - smoothstep(0.45, 1.0, footRim))" : ""});`,
      );
  };
  material.customProgramCacheKey = () => `foot ${edge}`;
  return material;
}

/** A disc of radius 1 with a tip ahead. */
function planMark(): BufferGeometry {
  const shape = new Shape();
  const open = 0.75;
  shape.absarc(0, 0, 1, open, 2 * Math.PI - open, false);
  shape.lineTo(1.7, 0);
  return new ShapeGeometry(shape, 10);
}

/** Only positions are needed of what lies flat. */
function flat(geometry: BufferGeometry): BufferGeometry {
  geometry.deleteAttribute("uv");
  geometry.deleteAttribute("normal");
  return geometry;
}

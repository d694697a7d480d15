/**
 * All that is on the stage, kept in step with the state of the page: each part is made anew when, and only when,
 * something it shows has changed.
 */
import { Vector3 } from "three";
import { indexOf } from "../frame.ts";
import { boxOf, centroid, contains, distance, nearestOn, type Box } from "../model/geometry.ts";
import { Surroundings } from "../model/clearance.ts";
import { floorUnder, groundBefore, isFloorShown, markHidden, shownFloors } from "../model/floors.ts";
import { PERSON_SHARE, personView, type UprightBody } from "../model/framing.ts";
import { cameraOf } from "../model/suggested-view.ts";
import { heightsOf, isSameGround, relief, type HeightAt } from "../model/heights.ts";
import { isAnotherScene } from "../model/identity.ts";
import type { Shown } from "../model/timeline.ts";
import type { Camera } from "../model/view-url.ts";
import type { Interest, Obstacle, Point, Polygon, Region, SceneEvent, Species, Streamlines } from "../protocol.ts";
import type { Studio } from "../studio.ts";
import { MEASURES } from "./animal.ts";
import { ArrowsView, pickArrow, type ArrowChoice, type HeldArrow } from "./arrows.ts";
import { fromWorld, type Place } from "./axes.ts";
import { BakedPoses, Dyes } from "./baked.ts";
import { BodiesView } from "./bodies.ts";
import { CloseUpView } from "./close-up.ts";
import { setSubject } from "./cutaway.ts";
import { GRID_STRENGTH, GroundView } from "./ground.ts";
import { ImpostorsView } from "./impostors.ts";
import { InterestsView, placeOf, type HeldInterest } from "./interests.ts";
import { Labels } from "./labels.ts";
import { PatternsView } from "./patterns.ts";
import { DensityView, TrailsView, WaysView, type FloorWays } from "./overlays.ts";
import { PeopleView, pickPerson } from "./people.ts";
import { PortraitStudio, type Portrait, type Sitting } from "./portrait.ts";
import { PosedView } from "./posed.ts";
import { ReachView, pickReach } from "./reach.ts";
import { RegionsView } from "./regions.ts";
import { SketchView, type Sketch } from "./sketch.ts";
import { SolidsView, extent } from "./solids.ts";
import { Stage, type Ray } from "./stage.ts";
import { StreamlinesView, criticalLabel } from "./streamlines.ts";

/** Something dragged by hand: drawn away from where the server has it. */
export type Held = { kind: "obstacle"; index: number; solids: Polygon[] } | { kind: "region"; name: string; polygon: Polygon } | ({ kind: "arrow" } & HeldArrow) | ({ kind: "interest" } & HeldInterest) | null;

/** Walls that are cut are as high as this, m: one sees over them into the rooms. */
const CUT = 0.9;
/** Who is no farther behind the ground under a pixel than this, m, is still seen: feet are in the grass. */
const HIDDEN = 1.5;
/** Who clicks this near to the middle of a diamond means it, pixels. */
const INTEREST_PIXELS = 14;
/** People farther than this from a person, m, are not in the way of a camera that shows that person. */
const BESIDE = 10;
/** Who is this near to a region's outline, or to its middle, takes it, pixels. */
const REGION_PIXELS = { outline: 7, middle: 15 };
/** Radius of the marks of people in the plan, as a part of the picture's height: 4.5 pixels of 900. */
const MARK_SHARE = 0.005;
/** Whoever is shown a place sees it from here at the farthest, m. */
const NEAR = 20;
/** Heat map and trails are made anew so many times per second of the display. */
const OVERLAY_RATE = 8;

export class World {
  readonly stage: Stage;
  private readonly ground = new GroundView();
  private readonly solids = new SolidsView();
  private readonly regions = new RegionsView();
  private readonly interests = new InterestsView();
  private readonly people: PeopleView;
  private readonly bodies = new BodiesView();
  private readonly posed = new PosedView();
  private readonly impostors = new ImpostorsView();
  private readonly dyes = new Dyes();
  private baked: BakedPoses | null = null;
  private portraits: PortraitStudio | null = null;
  private readonly arrows = new ArrowsView();
  private readonly reaches = new ReachView();
  private readonly streamlines = new StreamlinesView();
  private readonly density = new DensityView();
  private readonly trails = new TrailsView();
  private readonly ways = new WaysView();
  private readonly patterns = new PatternsView();
  private readonly closeUp = new CloseUpView();
  private readonly sketch = new SketchView();
  private readonly labels: Labels;
  private held: Held = null;
  private sketches: Sketch[] = [];
  private overlayAge = 0;
  private framed = false;
  private arrowScale = 1;
  /** The floor that the pointer was on last. */
  private pointed = 0;
  /** By index of `shown`: people on hidden floors. */
  private hidden = new Uint8Array(0);
  /** The view that the one from above was taken from. */
  private beforeTop: Camera | null = null;
  /** Of groups. */
  private colors: string[] = [];
  private species: Species[] = [];
  /** What is on the screen; overwritten with each picture. */
  shown: Shown;
  /** The clock that people fade by, s: that on the wall, but for the exporter, which has its own pace. */
  now = 0;
  private wall = 0;
  /** The exporter shows moments of its own choice. */
  holdTime = false;

  constructor(
    private readonly studio: Studio,
    canvas: HTMLCanvasElement,
    labelLayer: HTMLElement,
  ) {
    this.stage = new Stage(canvas);
    this.labels = new Labels(this.stage, labelLayer);
    this.shown = studio.timeline.shown();
    this.people = new PeopleView(studio.bodies, studio.roles, { bodies: this.bodies, posed: this.posed, impostors: this.impostors });
    studio.onCast = (cast) => {
      this.bodies.setCast(cast);
      this.baked?.dispose();
      this.baked = new BakedPoses(cast);
      this.portraits = null;
      this.posed.setPoses(this.baked, this.dyes);
      this.impostors.setPoses(this.baked, this.dyes);
    };
    const parts = [this.ground, this.solids, this.regions, this.interests, this.people, this.bodies, this.posed, this.impostors, this.density, this.ways, this.trails, this.patterns];
    this.stage.add(...[...parts, this.reaches, this.streamlines, this.closeUp, this.arrows, this.sketch].map((part) => part.root));
    this.stage.rig.ground = (x, y) => this.heightAt(x, y);
    this.stage.animate((seconds) => this.advance(seconds));
    studio.onFrame = () => this.stage.invalidate();
    this.followState();
  }

  /** The height that walls are cut at. */
  private get cut(): number {
    return this.studio.cutWalls.value ? CUT : Infinity;
  }

  /** The floor that tools act on: the chosen one, or while all are shown the one that the pointer was on last. */
  get workFloor(): number {
    const last = (this.studio.scene.value?.layers.length ?? 1) - 1;
    return this.studio.floor.value ?? Math.min(this.pointed, last);
  }

  get heightAt(): HeightAt {
    const scene = this.studio.scene.value;
    return scene ? heightsOf(scene, this.workFloor) : () => 0;
  }

  /** The floor under a pixel of the window, which is the one that tools act on from now on, and its ground there. */
  pointAt(x: number, y: number): { layer: number; ground: Point | null } {
    const scene = this.studio.scene.value;
    const found = scene && floorUnder(scene, this.studio.floor.value, this.stage.ray(x, y), this.stage.rig.camera.far);
    if (found) this.pointed = found.layer;
    return { layer: this.workFloor, ground: found?.at ?? null };
  }

  /** What is under a pixel of the window: the ground or, before it, a building; `null` in the sky. */
  surfaceAt(x: number, y: number): Place | null {
    const ray = this.stage.ray(x, y);
    const { ground } = this.pointAt(x, y);
    const onGround: Place | null = ground && [...ground, this.heightAt(...ground)];
    const distance = this.stage.rig.surroundings?.meets(ray) ?? Infinity;
    if (onGround && Math.hypot(...onGround.map((value, i) => value - ray.origin[i]!)) <= distance) return onGround;
    return distance < this.stage.rig.camera.far ? (ray.origin.map((value, i) => value + distance * ray.direction[i]!) as Place) : onGround;
  }

  /** Where the ray under a pixel of the window is at a height; `null` where it never is. */
  levelAt(x: number, y: number, height: number): Point | null {
    const { origin, direction } = this.stage.ray(x, y);
    const distance = (height - origin[2]) / direction[2];
    return distance > 0 && Number.isFinite(distance) ? [origin[0] + distance * direction[0], origin[1] + distance * direction[1]] : null;
  }

  /** The ground of a floor under a pixel of the window. */
  groundAt(x: number, y: number, layer: number): Point | null {
    const scene = this.studio.scene.value;
    return scene ? (this.stage.ground(this.stage.ray(x, y), heightsOf(scene, layer))?.at ?? null) : null;
  }

  /** How far along a ray people and solids are seen before the ground hides them. */
  private reach(ray: Ray): number {
    const { scene, floor } = this.studio;
    return scene.value ? groundBefore(scene.value, floor.value, ray, this.stage.rig.camera.far) + HIDDEN : Infinity;
  }

  project(x: number, y: number, layer: number, above: number): { x: number; y: number; visible: boolean } {
    const scene = this.studio.scene.value;
    return this.stage.project(x, y, above + (scene ? heightsOf(scene, layer)(x, y) : 0));
  }

  /** How many metres a pixel is, at a place. */
  metresPerPixel(at: Point): number {
    const here = this.stage.project(...at, this.heightAt(...at));
    const there = this.stage.project(at[0] + 0.5, at[1], this.heightAt(...at));
    const ahead = this.stage.project(at[0], at[1] + 0.5, this.heightAt(...at));
    const pixels = Math.max(Math.hypot(there.x - here.x, there.y - here.y), Math.hypot(ahead.x - here.x, ahead.y - here.y));
    return 0.5 / Math.max(pixels, 1e-3);
  }

  personAt(x: number, y: number): number | null {
    const { rig, canvas } = this.stage;
    const ray = this.stage.ray(x, y);
    // Seven pixels: metres at a distance of one, or at any distance in orthographic projection.
    const pixel = (2 * rig.tangent) / (canvas.clientHeight || 900);
    const slack = rig.isOrthographic ? (7 * pixel * rig.distance) / Math.max(1, ray.origin[2] - rig.view.target[2]) : 7 * pixel;
    const index = pickPerson(this.shown, this.species, this.studio.bodies, ray, slack, this.reach(ray), this.hidden);
    return index >= 0 ? this.shown.ids[index]! : null;
  }

  peopleWithin(inside: (x: number, y: number) => boolean): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.shown.count; i++) {
      if (this.hidden[i]) continue;
      const { x, y, visible } = this.stage.project(this.shown.x[i]!, this.shown.y[i]!, this.shown.heights[i]! + 0.8);
      if (visible && inside(x, y)) found.push(this.shown.ids[i]!);
    }
    return found;
  }

  obstacleAt(x: number, y: number): Obstacle | null {
    const scene = this.studio.scene.value;
    const ray = this.stage.ray(x, y);
    return scene ? this.solids.pick(scene, this.studio.floor.value, ray, this.reach(ray), this.cut) : null;
  }

  /** The smallest region of a floor around a place. */
  regionAt(at: Point, layer: number): Region | null {
    const scene = this.studio.scene.value;
    const around = (scene?.regions ?? []).filter((region) => region.layer === layer && contains(region.polygon, at));
    const size = (region: Region) => {
      const box = boxOf(region.polygon)!;
      return (box.max[0] - box.min[0]) * (box.max[1] - box.min[1]);
    };
    return around.sort((a, b) => size(a) - size(b))[0] ?? null;
  }

  /** What people look at whose diamond is at a pixel of the window. */
  interestAt(x: number, y: number): Interest | null {
    const scene = this.studio.scene.value;
    const apart = (interest: Interest) => {
      const at = this.stage.project(...placeOf(scene!, interest));
      return at.visible ? Math.hypot(at.x - x, at.y - y) : Infinity;
    };
    const floor = this.studio.floor.value;
    const here = (scene?.interests ?? []).filter((interest) => floor === null || interest.layer === floor);
    const near = here.map((interest) => ({ interest, apart: apart(interest) })).filter((one) => one.apart < INTEREST_PIXELS);
    return near.sort((a, b) => a.apart - b.apart)[0]?.interest ?? null;
  }

  /** Whether a place is on the outline of a region, or where the handle in its middle is drawn. */
  isOnRegionHandle(name: string, at: Point, layer: number): boolean {
    const region = this.studio.scene.value?.regions.find((other) => other.name === name && other.layer === layer);
    if (!region) return false;
    const pixel = this.metresPerPixel(at);
    return distance(nearestOn(region.polygon, at).point, at) < REGION_PIXELS.outline * pixel || distance(centroid(region.polygon), at) < REGION_PIXELS.middle * pixel;
  }

  /** The arrow of a floor at a place; only this one if it is told. */
  arrowAt(at: Point, layer: number, only?: ArrowChoice): ReturnType<typeof pickArrow> {
    const scene = this.studio.scene.value;
    if (!scene) return null;
    const group = this.studio.group;
    const fields = scene.fields.filter((field) => field.editable && field.layer === layer);
    const reach = Math.max(0.45, 13 * this.metresPerPixel(at));
    if (only) {
      const [field] = fields.filter((one) => one.name === only.field).map((one) => ({ ...one, anchors: one.anchors.filter((anchor) => anchor.index === only.index) }));
      return field ? (pickArrow([field], at, reach) ?? pickReach([field], only, at, reach)) : null;
    }
    // Those of the selected group first: others may lie underneath.
    const chosen = this.studio.selection.value;
    return (
      pickArrow(fields.filter((field) => group?.led.includes(field.name)), at, reach) ??
      pickArrow(fields, at, reach) ??
      (chosen?.kind === "arrow" ? pickReach(fields, chosen, at, reach) : null)
    );
  }

  positionOf(id: number): Place | null {
    const i = indexOf(this.shown.ids, this.shown.count, id);
    return i < 0 ? null : [this.shown.x[i]!, this.shown.y[i]!, this.shown.heights[i]!];
  }

  /** Names of places that are in the picture, pixels of the stage. */
  get names(): { text: string; x: number; y: number }[] {
    if (this.studio.presenting.value) return [];
    return this.labels.seen.filter(({ kind }) => NAMES.has(kind));
  }

  /** Whether people are drawn in the colours of their groups: as marks, or because bodies or their tops have them. */
  get hasGroupColors(): boolean {
    const { overlays, bodyLevel, groupColors } = this.studio;
    const isRamp = overlays.value.has("speed") || overlays.value.has("levels");
    return !isRamp && (this.people.marks > 0 || groupColors.value || bodyLevel.value === "off");
  }

  hold(held: Held): void {
    const before = this.held;
    this.held = held;
    const kinds = new Set([before?.kind, held?.kind]);
    if (kinds.has("obstacle")) this.showSolids();
    if (kinds.has("region")) this.showRegions();
    if (kinds.has("arrow")) this.showArrows();
    if (kinds.has("interest")) this.showInterests();
  }

  draw(sketches: Sketch[]): void {
    this.sketches = sketches;
    this.sketch.show(sketches, this.heightAt, this.stage.palette, this.arrowScale);
    this.stage.invalidate();
  }

  showStreamlines(found: Streamlines | null, layer: number): void {
    const { group, scene } = this.studio;
    if (!found || !group || !scene.value) {
      this.streamlines.hide();
      this.labels.set("critical", []);
    } else {
      const heightAt = heightsOf(scene.value, layer);
      const dark = this.studio.theme.value === "dark";
      this.streamlines.show(found.lines, heightAt, group.color, dark, 0.11 * Math.max(1, this.arrowScale * 0.8));
      this.labels.set("critical", found.critical.map((point) => criticalLabel(point, heightAt)));
    }
    this.stage.invalidate();
  }

  showWays(found: FloorWays[] | null): void {
    const scene = this.studio.scene.value;
    if (found && scene) this.ways.show(scene, found);
    else this.ways.hide();
    this.stage.invalidate();
  }

  /** Shows all: from where the first view looks, or if that is how the camera looks, from above; all floors, and following nobody. */
  frameAll(): void {
    this.studio.floor.set(null);
    this.stage.rig.resetDirection();
    this.frameScene();
  }

  /** Looks straight down on the whole scene in orthographic projection, or back to how it was before. */
  toggleTopView(): void {
    const { rig } = this.stage;
    if (rig.view.orthographic) {
      if (this.beforeTop) rig.view = this.beforeTop;
      else rig.resetPerspective();
      this.beforeTop = null;
    } else {
      this.beforeTop = rig.view;
      rig.lookDown();
      this.frameScene();
    }
    this.stage.invalidate();
  }

  private frameScene(): void {
    const scene = this.studio.scene.value;
    if (!scene) return;
    const [min, max] = scene.bounds;
    const heights = shownFloors(scene, this.studio.floor.value).flatMap((layer) => relief(heightsOf(scene, layer), min, max));
    this.frameBox({ min, max }, [Math.min(...heights), Math.max(...heights)]);
  }

  frameSelection(): void {
    const scene = this.studio.scene.value;
    const selection = this.studio.selection.value;
    const points: Point[] = [];
    let heights: number[] = [];
    if (selection?.kind === "people") {
      const places = [...selection.ids].map((id) => this.positionOf(id)).filter((place) => place !== null);
      if (places.length === 1) return this.framePerson([...selection.ids].find((id) => this.positionOf(id))!);
      points.push(...places.map(([x, y]): Point => [x, y]));
      heights = places.map(([, , height]) => height);
    } else if (selection?.kind === "obstacle") {
      points.push(...(scene?.obstacles.filter((obstacle) => obstacle.index === selection.index).flatMap((o) => o.solids.flat()) ?? []));
    } else if (selection?.kind === "region") {
      points.push(...(scene?.regions.find((region) => region.name === selection.name)?.polygon ?? []));
    } else if (selection?.kind === "interest") {
      const interest = scene?.interests.find((other) => other.name === selection.name);
      if (interest) points.push(interest.position);
    } else if (selection?.kind === "arrow") {
      const field = scene?.fields.find((other) => other.name === selection.field);
      points.push(...(field?.anchors.map((anchor) => anchor.at) ?? []));
    }
    const box = boxOf(points);
    if (!box) return this.frameAll();
    const pad = 7;
    const [min, max]: [Point, Point] = [[box.min[0] - pad, box.min[1] - pad], [box.max[0] + pad, box.max[1] + pad]];
    this.frameBox({ min, max }, heights.length > 0 ? [Math.min(...heights), Math.max(...heights)] : relief(this.heightAt, min, max));
  }

  /** Shows one person as large as a third of the picture, from a side from which they are seen. Whoever is followed still is. */
  private framePerson(id: number): void {
    const { rig } = this.stage;
    const place = this.positionOf(id)!;
    if (this.studio.following.value !== id) this.studio.following.set(null);
    const height = this.heightOf(id);
    const view = personView(place, height, rig.view, rig.tangent, rig.surroundings, rig.margin, this.peopleBeside(id, place));
    rig.view = rig.view.orthographic ? { ...rig.view, target: view.target, distance: height / PERSON_SHARE / (2 * rig.tangent) } : view;
    this.stage.invalidate();
  }

  /** Others who are so near to a person that they can be in the way of a camera that shows that person. */
  private peopleBeside(id: number, [x, y]: Place): UprightBody[] {
    const { shown } = this;
    const found: UprightBody[] = [];
    for (let i = 0; i < shown.count; i++) {
      if (this.hidden[i] || shown.ids[i] === id || Math.hypot(shown.x[i]! - x, shown.y[i]! - y) > BESIDE) continue;
      const { height, girth } = MEASURES[this.species[shown.groups[i]!] ?? "person"];
      found.push({ place: [shown.x[i]!, shown.y[i]!, shown.heights[i]!], height, girth });
    }
    return found;
  }

  /** Comes to a place on the ground of a floor. */
  framePlace([x, y]: Point, layer: number): void {
    const { rig } = this.stage;
    const scene = this.studio.scene.value;
    if (!scene) return;
    this.studio.following.set(null);
    rig.view = { ...rig.view, target: [x, y, heightsOf(scene, layer)(x, y)], distance: Math.min(rig.view.distance, NEAR) };
    this.stage.invalidate();
  }

  /** Goes to one of the views that the scene suggests. */
  takeView(index: number): void {
    const view = this.studio.scene.value?.cameras[index];
    if (!view) return;
    this.studio.following.set(null);
    this.stage.rig.view = cameraOf(view, this.stage.rig.lens.fov);
    this.stage.invalidate();
  }

  /** The first view of a scene: all of it, from the south and above. */
  frameFirst(): void {
    const rig = this.stage.rig;
    rig.resetPerspective();
    this.frameScene();
    // Begin a little away and glide in.
    const view = rig.view;
    rig.view = { ...view, distance: view.distance * 1.15 };
    rig.jump();
    rig.view = view;
    this.framed = true;
    this.stage.invalidate();
  }

  /** A view that was shared: shown at once, instead of the first view. */
  restoreView(camera: Camera): void {
    this.stage.rig.view = camera;
    this.stage.rig.jump();
    this.framed = true;
    this.stage.invalidate();
  }

  private frameBox(box: Box, heights: [number, number]): void {
    this.studio.following.set(null);
    this.stage.rig.frame(box, heights);
    this.stage.invalidate();
  }

  private followState(): void {
    const { studio } = this;
    let previous: SceneEvent | null = null;
    studio.scene.onChange((scene) => {
      if (!scene) return;
      const first = isAnotherScene(previous, scene);
      this.colors = scene.groups.map((group) => group.color);
      this.species = scene.groups.map((group) => group.species);
      const groundSame = previous && same(previous, scene, ["bounds"]) && hasSameFloors(previous, scene);
      if (!groundSame) this.showGround();
      if (!groundSame || !same(previous!, scene, ["obstacles", "connectors"])) this.showSolids();
      this.showRegions();
      this.showInterests();
      this.showArrows();
      if (!groundSame && studio.overlays.value.has("density")) this.density.begin(scene, this.overlayFloors);
      if ((first && previous) || !this.framed) this.frameFirst();
      previous = scene;
      this.stage.invalidate();
    });
    studio.theme.watch((theme) => {
      this.stage.setTheme(theme);
      this.people.setPalette(this.stage.palette);
      this.showAll();
    });
    studio.floor.onChange(() => {
      this.showAll();
      if (studio.overlays.value.has("density") && studio.scene.value) this.density.begin(studio.scene.value, this.overlayFloors);
    });
    studio.selection.onChange(() => {
      this.showSolids();
      this.showRegions();
      this.showInterests();
      this.showArrows();
    });
    studio.cutWalls.onChange(() => this.showSolids());
    studio.presenting.onChange((on) => {
      GRID_STRENGTH.value = on ? 0 : 1;
      for (const part of [this.regions, this.interests, this.arrows, this.streamlines, this.closeUp, this.sketch]) part.root.visible = !on;
      this.stage.invalidate();
    });
    studio.groupName.onChange(() => this.showArrows());
    studio.tool.onChange(() => this.showArrows());
    studio.inspection.onChange(() => this.showCloseUp());
    studio.groupColors.onChange(() => this.stage.invalidate());
    studio.following.onChange(() => this.stage.invalidate());
    studio.shownPatterns.onChange(() => this.stage.invalidate());
    studio.pattern.onChange(() => this.stage.invalidate());
    studio.overlays.onChange((overlays) => {
      if (overlays.has("density") && studio.scene.value) this.density.begin(studio.scene.value, this.overlayFloors);
      else this.density.hide();
      if (!overlays.has("trails")) this.trails.hide();
      this.overlayAge = Infinity;
      this.stage.invalidate();
    });
  }

  private advance(seconds: number): boolean {
    const { studio, stage } = this;
    const wall = performance.now() / 1000;
    this.now += wall - this.wall;
    this.wall = wall;
    if (!this.holdTime) studio.timeline.advance(seconds);
    this.shown = studio.timeline.shown();
    this.updateOverlays(seconds);
    if (studio.inspection.value) this.drawCloseUp();
    const following = studio.following.value;
    const place = following === null ? null : this.positionOf(following);
    if (place) stage.rig.lookAt(place[0], place[1], place[2] + 0.8);
    this.showSubject();
    const cameraMoves = stage.rig.advance(seconds);
    this.adaptArrows();
    this.showPatterns();
    this.showPeople();
    const drifts = this.streamlines.advance(seconds);
    return cameraMoves || drifts || this.isPreparing || this.people.isFading || (studio.timeline.moving && !this.holdTime);
  }

  /** Lets what stands before the person who is followed or selected be translucent. A floor that was chosen goes up and down with them. */
  private showSubject(): void {
    const { following, selectedPeople, floor, scene } = this.studio;
    const id = following.value ?? (selectedPeople.length === 1 ? selectedPeople[0]! : null);
    const index = id === null ? -1 : indexOf(this.shown.ids, this.shown.count, id);
    setSubject(index < 0 ? null : this.positionOf(id!), index < 0 ? 0 : this.heightOf(id!));
    if (following.value === null || index < 0 || !scene.value || floor.value === null) return;
    if (this.hidden[index]) floor.set(this.shown.layers[index]!);
  }

  /** How tall somebody is, m. */
  private heightOf(id: number): number {
    const index = indexOf(this.shown.ids, this.shown.count, id);
    return MEASURES[this.species[this.shown.groups[index]!] ?? "person"].height;
  }

  /** Floors that overlays are shown on. */
  private get overlayFloors(): number[] {
    const { scene, floor } = this.studio;
    return floor.value === null ? (scene.value?.layers.map((_, layer) => layer) ?? []) : [floor.value];
  }

  private hidePeople(): void {
    const { scene, floor, hiddenPeople } = this.studio;
    if (this.hidden.length < this.shown.count) this.hidden = new Uint8Array(2 * this.shown.count);
    hiddenPeople.set(scene.value ? markHidden(scene.value, floor.value, this.shown, this.hidden) : 0);
  }

  /** Puts people where `shown` says; the exporter calls it by itself. */
  showPeople(): void {
    const { studio, stage } = this;
    this.hidePeople();
    const selection = studio.selection.value;
    studio.bodies.seek(this.shown.time, studio.timeline.newest?.epoch ?? -1);
    this.dyes.update(studio.roles);
    this.people.show(
      this.shown,
      {
        colors: this.colors,
        species: this.species,
        bySpeed: studio.overlays.value.has("speed"),
        byLevel: studio.overlays.value.has("levels"),
        embodied: studio.bodyLevel.value !== "off",
        selected: selection?.kind === "people" && !studio.presenting.value ? selection.ids : NOBODY,
        ownClothes: !studio.groupColors.value,
        hidden: this.hidden,
        markRadius: stage.rig.isOrthographic ? MARK_SHARE * stage.rig.visibleHeight : null,
        toCamera: stage.rig.isOrthographic ? fromWorld(stage.rig.camera.getWorldDirection(new Vector3()).negate()) : null,
      },
      fromWorld(stage.rig.lens.position),
      this.zoom,
      this.now,
    );
    this.impostors.prepare(stage.renderer);
  }

  /** Whether poses or pictures are still to be made that people should be drawn with. */
  get isPreparing(): boolean {
    return this.posed.waits || this.impostors.waits;
  }

  /** How many people are drawn in which way, and how many also in the one that they are about to leave. */
  get drawn(): { bodies: number; posed: number; impostors: number; figures: number; pictures: number; twice: number } {
    const { leaving, figures } = this.people;
    const [bodies, posed, impostors] = [this.bodies.count - leaving.bodies, this.posed.count - leaving.posed, this.impostors.count - leaving.impostors];
    return { bodies, posed, impostors, figures, pictures: this.impostors.pictures, twice: leaving.bodies + leaving.posed + leaving.impostors };
  }

  /** Somebody alone, as a mesh or as a picture; `null` while nothing is known of bodies. */
  portrait(sitting: Sitting): Portrait | null {
    if (!this.baked) return null;
    this.portraits ??= new PortraitStudio(this.stage.renderer, this.baked, () => this.stage.lights());
    return this.portraits.take(sitting);
  }

  /** How many people are drawn with bodies. */
  get bodyCount(): number {
    return this.drawn.bodies;
  }

  /** Where the camera is and where it looks, to a few centimetres: one that trembles is told no more than once. */
  viewpoint(): { eye: Place; look: Place; field: number; aspect: number; pixels: number } {
    const { lens: camera } = this.stage.rig;
    const rounded = (place: Place, step: number) => place.map((x) => Number((Math.round(x / step) * step).toFixed(3))) as Place;
    // Panels push the middle of the picture aside: the view that is told is as wide to both sides as the camera sees to the farther one.
    const { elements } = camera.projectionMatrix;
    const [across, upward] = [(1 + Math.abs(elements[8]!)) / elements[0]!, (1 + Math.abs(elements[9]!)) / elements[5]!];
    const field = (2 * Math.atan(upward) * 180) / Math.PI;
    const pixels = (this.stage.canvas.clientHeight || 900) * (1 + Math.abs(elements[9]!));
    const [eye, look] = [rounded(fromWorld(camera.position), 0.05), rounded(fromWorld(camera.getWorldDirection(new Vector3())), 0.01)];
    const short = (value: number) => Number(value.toFixed(2));
    return { eye, look, field: short(field), aspect: short(across / upward), pixels: short(pixels) };
  }

  /** Things look as large as in a window 900 pixels high at this part of their distance. */
  private get zoom(): number {
    return (this.stage.canvas.clientHeight || 900) / 900;
  }

  /** Rings around what goes on that should not. */
  private showPatterns(): void {
    const { scene, shownPatterns, pattern, overlays, floor, theme } = this.studio;
    const wanted = scene.value && overlays.value.has("patterns");
    const labels = wanted
      ? this.patterns.show(scene.value!, shownPatterns.value, this.shown.time, floor.value, pattern.value, theme.value, this.arrowScale)
      : this.patterns.hide();
    if (labels) this.labels.set("patterns", labels);
  }

  /** How many patterns have a ring. */
  get rings(): number {
    return this.patterns.count;
  }

  private updateOverlays(seconds: number): void {
    this.overlayAge += seconds;
    if (this.overlayAge < 1 / OVERLAY_RATE) return;
    this.overlayAge = 0;
    const { overlays, scene, floor } = this.studio;
    if (overlays.value.has("density")) this.density.update(this.shown);
    if (overlays.value.has("trails") && scene.value) {
      const isShown = scene.value.layers.map((_, layer) => isFloorShown(scene.value!, layer, floor.value));
      this.trails.show(this.studio.trails, this.colors, scene.value.layers.map((layer) => layer.elevation), isShown);
    }
  }

  /** Arrows grow with the distance, so that they can be seen and taken from far away. */
  private adaptArrows(): void {
    const scale = Math.max(1, this.stage.rig.distance / 55);
    if (Math.abs(scale / this.arrowScale - 1) < 0.12) return;
    this.arrowScale = scale;
    this.showArrows();
    this.showInterests();
    if (this.sketches.length > 0) this.draw(this.sketches);
  }

  private showAll(): void {
    this.showGround();
    this.showSolids();
    this.showRegions();
    this.showInterests();
    this.showArrows();
  }

  private showGround(): void {
    const scene = this.studio.scene.value;
    if (scene) this.ground.show(scene, this.studio.floor.value, this.stage.palette);
    this.stage.invalidate();
  }

  private showSolids(): void {
    const scene = this.studio.scene.value;
    if (!scene) return;
    const { selection, floor } = this.studio;
    const held = this.held?.kind === "obstacle" ? this.held : null;
    const chosen = held?.index ?? (selection.value?.kind === "obstacle" ? selection.value.index : null);
    this.solids.show(scene, floor.value, this.stage.palette, chosen, held?.solids ?? null, this.cut);
    this.stage.rig.surroundings = new Surroundings(scene, floor.value, this.cut);
    this.stage.light(scene.bounds, extent(scene));
  }

  private showRegions(): void {
    const scene = this.studio.scene.value;
    if (!scene) return;
    const { selection, floor } = this.studio;
    const held = this.held?.kind === "region" ? this.held : null;
    const chosen = held?.name ?? (selection.value?.kind === "region" ? selection.value.name : null);
    this.labels.set("regions", this.regions.show(scene, floor.value, this.stage.palette, chosen, held?.polygon ?? null));
  }

  private showInterests(): void {
    const scene = this.studio.scene.value;
    if (!scene) return;
    const { selection, floor } = this.studio;
    const held = this.held?.kind === "interest" ? this.held : null;
    const chosen = held?.name ?? (selection.value?.kind === "interest" ? selection.value.name : null);
    this.labels.set("interests", this.interests.show(scene, floor.value, this.stage.palette, chosen, held, this.arrowScale));
  }

  private showArrows(): void {
    const scene = this.studio.scene.value;
    if (!scene) return;
    const { selection, group, floor } = this.studio;
    const chosen = selection.value?.kind === "arrow" ? selection.value : null;
    const active = { fields: group?.led ?? [], color: group?.color ?? this.stage.palette.arrow };
    const held = this.held?.kind === "arrow" ? this.held : null;
    const shown = { scene, floor: floor.value, palette: this.stage.palette, active, chosen, held, scale: this.arrowScale };
    this.reaches.show(shown);
    this.labels.set("arrows", this.arrows.show(shown));
  }

  private showCloseUp(): void {
    this.drawCloseUp();
    this.stage.invalidate();
  }

  /** Part of a picture: asks for no other, or pictures would never end. */
  private drawCloseUp(): void {
    const { inspection, scene, floor } = this.studio;
    const person = inspection.value;
    const place = person && this.positionOf(person.id);
    if (!person || !place || !scene.value || !isFloorShown(scene.value, person.layer, floor.value)) this.closeUp.hide();
    else this.closeUp.show(scene.value, person, [place[0], place[1]], this.stage.palette);
  }
}

const NOBODY: ReadonlySet<number> = new Set();
/** Labels that name places, other than marks for the author. */
const NAMES: ReadonlySet<string> = new Set(["region", "source", "interest", "measure"]);

function same(a: SceneEvent, b: SceneEvent, keys: (keyof SceneEvent)[]): boolean {
  return keys.every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

/** Ground is not written out for it: there can be megabytes of it, and it hardly ever changes. */
function hasSameFloors(a: SceneEvent, b: SceneEvent): boolean {
  const floors = (scene: SceneEvent) => JSON.stringify(scene.layers.map((layer) => ({ ...layer, ground: null })));
  return floors(a) === floors(b) && a.layers.every((layer, i) => isSameGround(layer.ground, b.layers[i]!.ground));
}

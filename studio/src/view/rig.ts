/**
 * The camera: it circles around a place on the ground.
 *
 * Hands and keys move a *goal*; the camera follows it with a little inertia, by an exponential that does not
 * depend on the frame rate. Where its position is in a solid, it is corrected (model/clearance.ts): at once where it must be, and back with inertia.
 *
 * Straight from above the projection can be orthographic; any tilt leaves it. There are two cameras for this: the lens, which is always in place,
 * and the one of the plan.
 */
import { OrthographicCamera, PerspectiveCamera } from "three";
import { UNCHANGED, eyeOf, type Correction, type Surroundings } from "../model/clearance.ts";
import type { Box } from "../model/geometry.ts";
import { turn } from "../model/geometry.ts";
import type { HeightAt } from "../model/heights.ts";
import type { Camera } from "../model/view-url.ts";
import type { Point } from "../protocol.ts";
import { toWorld, type Place } from "./axes.ts";

const LOWEST_TILT = 0.0005;
const HIGHEST_TILT = 1.48;
const NEAREST = 2;
const FARTHEST = 5000;
/** How quickly the camera follows, 1/s. */
const STIFFNESS = 11;
/** The angle of view from the lower edge to the upper, degrees. */
const FIELD = 38;
/** The first view of a scene: from the south and above. */
const FIRST = { azimuth: -0.22, tilt: 0.82 };
/** Tilt below which the projection changes, radians: perspective and plan look almost alike there. */
const PLAN_TILT = 0.03;

/** Clearance of the camera to solids, m: the near plane, which is nearer, must not cut them. */
const clearance = (distance: number) => Math.min(1, Math.max(0.3, distance / 100));

export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class CameraRig {
  /** The camera in perspective; while the projection is orthographic, the one that sees as much. */
  readonly lens = new PerspectiveCamera(FIELD, 1, 0.1, 4000);
  private readonly plan = new OrthographicCamera();
  /** The ground that is looked at: what one moves to lies on it. */
  ground: HeightAt = () => 0;
  /** What the camera keeps out of. */
  surroundings: Surroundings | null = null;
  private goal: Camera = { target: [0, 0, 0], azimuth: 0, tilt: 0.9, distance: 60 };
  private current: Camera = structuredClone(this.goal);
  private correction: Correction = UNCHANGED;
  private width = 1;
  private height = 1;
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };

  /** Where it is going; views are shared and restored as this. */
  get view(): Camera {
    return structuredClone(this.goal);
  }

  set view(view: Camera) {
    this.goal = { ...structuredClone(view), tilt: clampTilt(view.orthographic ? 0 : view.tilt), distance: clampDistance(view.distance) };
  }

  get distance(): number {
    return this.current.distance;
  }

  /** Tangent of half the angle of view. */
  get tangent(): number {
    return Math.tan((FIELD * Math.PI) / 360);
  }

  /** How much is seen from the lower edge of the picture to the upper at the distance of what is looked at, m. */
  get visibleHeight(): number {
    return 2 * this.current.distance * this.tangent;
  }

  /** Clearance to solids where the camera is going, m. */
  get margin(): number {
    return clearance(this.goal.distance);
  }

  get isOrthographic(): boolean {
    return this.goal.orthographic === true && this.current.tilt < PLAN_TILT;
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.isOrthographic ? this.plan : this.lens;
  }

  /** Panels cover some of the window: what is looked at is in the middle of the rest. */
  resize(width: number, height: number, insets: Insets): void {
    this.width = width;
    this.height = height;
    this.insets = insets;
    this.lens.aspect = width / height;
    const [dx, dy] = [(insets.right - insets.left) / 2, (insets.bottom - insets.top) / 2];
    for (const camera of [this.lens, this.plan]) camera.setViewOffset(width, height, dx, dy, width, height);
    this.place();
  }

  /** Goes where it is going at once. */
  jump(): void {
    this.current = structuredClone(this.goal);
    this.correction = this.corrected();
    this.place();
  }

  /** Moves on; tells whether it is still moving. */
  advance(seconds: number): boolean {
    const f = 1 - Math.exp(-STIFFNESS * seconds);
    const { current, goal } = this;
    const ease = (from: number, to: number) => from + (to - from) * f;
    const before = structuredClone(current);
    current.target = current.target.map((value, i) => ease(value, goal.target[i]!)) as Camera["target"];
    current.azimuth += turn(current.azimuth, goal.azimuth) * f;
    current.tilt = ease(current.tilt, goal.tilt);
    current.distance = Math.exp(ease(Math.log(current.distance), Math.log(goal.distance)));
    const scale = current.distance;
    const moved =
      Math.hypot(...current.target.map((value, i) => value - before.target[i]!)) / scale +
      Math.abs(turn(before.azimuth, current.azimuth)) +
      Math.abs(current.tilt - before.tilt) +
      Math.abs(current.distance / before.distance - 1);
    const still = moved < 1e-5;
    if (still) this.current = { ...structuredClone(goal) };
    const settled = this.correct(f);
    this.place();
    return !(still && settled);
  }

  /** Corrects the camera position, at once where it would be in a solid, else by a part `f`; tells whether that is done. */
  private correct(f: number): boolean {
    const { surroundings, current, correction: before } = this;
    const wanted = this.corrected();
    const eased = { distance: before.distance * (wanted.distance / before.distance) ** f, tilt: before.tilt + (wanted.tilt - before.tilt) * f };
    const margin = clearance(current.distance);
    const settled = Math.abs(Math.log(wanted.distance / eased.distance)) + Math.abs(wanted.tilt - eased.tilt) < 1e-4;
    const isFree = !surroundings || surroundings.isFree(surroundings.eye(current, eased, margin), margin);
    this.correction = settled || !isFree ? wanted : eased;
    return this.correction === wanted;
  }

  private corrected(): Correction {
    return (!this.isOrthographic && this.surroundings?.correction(this.current, clearance(this.current.distance))) || UNCHANGED;
  }

  orbit(dx: number, dy: number): void {
    this.goal.azimuth -= dx * 0.006;
    if (dy !== 0) this.goal.orthographic = false;
    this.goal.tilt = clampTilt(this.goal.tilt - dy * 0.005);
  }

  /** Looks straight down with north up, in orthographic projection. */
  lookDown(): void {
    this.turnTo(0, 0);
    this.goal.orthographic = true;
  }

  /** Looks from where the first view of a scene does. */
  resetDirection(): void {
    if (this.goal.orthographic) this.lookDown();
    else this.resetPerspective();
  }

  resetPerspective(): void {
    this.turnTo(FIRST.azimuth, FIRST.tilt);
  }

  /** Moves what is looked at by pixels of the screen. */
  pan(dx: number, dy: number): void {
    const metresPerPixel = (2 * this.goal.distance * this.tangent) / this.height;
    // A low view foreshortens the ground; following it exactly would run away towards the horizon.
    const along = Math.min(4, 1 / Math.max(0.25, Math.cos(this.goal.tilt)));
    this.shift(-dx * metresPerPixel, dy * metresPerPixel * along);
  }

  /** Moves right and ahead as the camera sees it, metres. */
  shift(right: number, ahead: number): void {
    const [sin, cos] = [Math.sin(this.goal.azimuth), Math.cos(this.goal.azimuth)];
    this.moveBy([right * cos - ahead * sin, right * sin + ahead * cos]);
  }

  /** Moves over the ground, metres. */
  moveBy([dx, dy]: Point): void {
    const [x, y] = this.goal.target;
    const to: Point = [x + dx, y + dy];
    this.goal.target = [...to, this.ground(...to)];
  }

  /** Turns the picture clockwise; `around` is a place that stays where it is on the screen. */
  turn(angle: number, around: Point | null): void {
    this.goal.azimuth += angle;
    if (!around) return;
    const [x, y, height] = this.goal.target;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const [dx, dy] = [x - around[0], y - around[1]];
    this.goal.target = [around[0] + dx * cos - dy * sin, around[1] + dx * sin + dy * cos, height];
  }

  /** Nearer or farther; `around` is a place, on the ground or on a roof, that stays where it is on the screen. */
  zoom(factor: number, around: Place | null): void {
    const { goal } = this;
    if (!around) {
      goal.distance = clampDistance(goal.distance * factor);
      return;
    }
    if (goal.orthographic) {
      const ratio = clampDistance(goal.distance * factor) / goal.distance;
      goal.distance *= ratio;
      this.moveBy([(around[0] - goal.target[0]) * (1 - ratio), (around[1] - goal.target[1]) * (1 - ratio)]);
      return;
    }
    const eye = eyeOf(goal);
    const apart = Math.hypot(...eye.map((value, i) => value - around[i]!));
    const ratio = Math.min(FARTHEST / apart, Math.max(Math.min(1, NEAREST / apart), factor));
    const moved = eye.map((value, i) => around[i]! + (value - around[i]!) * ratio);
    // The camera moves along the line through the place and keeps its direction. It looks at what is in this direction as high above the ground as before.
    const look = goal.target.map((value, i) => (value - eye[i]!) / goal.distance);
    const above = goal.target[2] - this.ground(goal.target[0], goal.target[1]);
    const along = (distance: number) => moved.map((value, i) => value + look[i]! * distance) as Camera["target"];
    let distance = goal.distance * ratio;
    for (let i = 0; i < 4; i++) {
      const [x, y] = along(distance);
      distance = clampDistance((this.ground(x, y) + above - moved[2]!) / look[2]!);
    }
    goal.target = along(distance);
    goal.distance = distance;
  }

  lookAt(x: number, y: number, height: number): void {
    this.goal.target = [x, y, height];
  }

  turnTo(azimuth: number, tilt: number): void {
    this.goal.azimuth = azimuth;
    this.goal.tilt = clampTilt(tilt);
    this.goal.orthographic = false;
  }

  /** Moves so that all of a box is seen between the panels, and its picture is in their middle. Its ground lies between two heights. */
  frame(box: Box, [lowest, highest]: [number, number], margin = 1.04): void {
    const height = (lowest + highest) / 2;
    const corners = [box.min, [box.max[0], box.min[1]], box.max, [box.min[0], box.max[1]]].flatMap(([x, y]) =>
      [lowest, highest].map((level) => [x!, y!, level - height] as const),
    );
    const { azimuth, tilt, orthographic } = this.goal;
    const free = {
      x: Math.max(0.3, 1 - (this.insets.left + this.insets.right) / this.width),
      y: Math.max(0.3, 1 - (this.insets.top + this.insets.bottom) / this.height),
    };
    const tanY = this.tangent / margin;
    const tanX = tanY * (this.width / this.height) * free.x;
    const [sin, cos] = [Math.sin(azimuth), Math.cos(azimuth)];
    const center: Point = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2];
    let distance = Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]) + NEAREST;
    // What is near looks larger, so the middle of the box is not the middle of its picture: found by trying.
    for (let i = 0; i < 12; i++) {
      const seen = corners.map(([x, y, up]) => {
        const right = (x - center[0]) * cos + (y - center[1]) * sin;
        const ahead = -(x - center[0]) * sin + (y - center[1]) * cos;
        const depth = orthographic ? distance : Math.max(0.1 * distance, distance + ahead * Math.sin(tilt) - up * Math.cos(tilt));
        return { x: right / depth / tanX, y: (ahead * Math.cos(tilt) + up * Math.sin(tilt)) / depth / (tanY * free.y) };
      });
      const [xs, ys] = [seen.map((p) => p.x), seen.map((p) => p.y)];
      const spread = (values: number[]) => (Math.max(...values) - Math.min(...values)) / 2;
      const middle = (values: number[]) => (Math.max(...values) + Math.min(...values)) / 2;
      const right = middle(xs) * tanX * distance;
      const ahead = (middle(ys) * tanY * free.y * distance) / Math.max(0.3, Math.cos(tilt));
      center[0] += right * cos - ahead * sin;
      center[1] += right * sin + ahead * cos;
      distance *= Math.max(0.2, spread(xs), spread(ys));
    }
    this.goal.target = [center[0], center[1], height];
    this.goal.distance = clampDistance(distance);
  }

  private place(): void {
    const { current, correction, surroundings } = this;
    const margin = clearance(current.distance);
    const view = { ...current, distance: current.distance * correction.distance, tilt: current.tilt + correction.tilt };
    const eye = surroundings ? surroundings.eye(current, correction, margin) : eyeOf(view);
    const among = surroundings?.surrounds(eye, Math.max(margin, view.distance / 100)) ?? false;
    // The corners of the near plane are a quarter farther away than its middle, or a third in a wide window.
    const near = Math.max(0.05, Math.min(view.distance / 200, among ? margin / 1.5 : Infinity));
    const center = toWorld(...current.target);
    const { lens, plan } = this;
    lens.position.copy(toWorld(...eye));
    lens.near = near;
    lens.far = view.distance * 12 + 400;
    // Above everything: nothing is cut away, and where it is exactly makes no difference.
    const above = Math.max(0, (surroundings?.top ?? 0) + 1 - eye[2]);
    plan.position.copy(toWorld(eye[0], eye[1], eye[2] + above));
    [plan.near, plan.far] = [0, view.distance * 12 + 400 + above];
    plan.top = this.tangent * current.distance;
    plan.right = plan.top * lens.aspect;
    [plan.left, plan.bottom] = [-plan.right, -plan.top];
    for (const camera of [lens, plan]) {
      camera.up.set(0, 1, 0);
      camera.lookAt(center);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
    }
  }
}

const clampTilt = (tilt: number) => Math.min(HIGHEST_TILT, Math.max(LOWEST_TILT, tilt));
const clampDistance = (distance: number) => Math.min(FARTHEST, Math.max(NEAREST, distance));


/**
 * The camera: it circles around a place on the ground.
 *
 * Hands and keys move a *goal*; the camera follows it with a little inertia, by an exponential that does not
 * depend on the frame rate.
 */
import { PerspectiveCamera } from "three";
import type { Box } from "../model/geometry.ts";
import { turn } from "../model/geometry.ts";
import type { HeightAt } from "../model/heights.ts";
import type { Camera } from "../model/view-url.ts";
import type { Point } from "../protocol.ts";
import { toWorld } from "./axes.ts";

const LOWEST_TILT = 0.0005;
const HIGHEST_TILT = 1.48;
const NEAREST = 2;
const FARTHEST = 5000;
/** How quickly the camera follows, 1/s. */
const STIFFNESS = 11;

/** How far above terrain the camera stays, m. */
const CLEARANCE = 1.5;

export interface Insets {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class CameraRig {
  readonly camera = new PerspectiveCamera(38, 1, 0.1, 4000);
  /** The ground that is looked at: what one moves to lies on it, and the camera never under it. */
  ground: HeightAt = () => 0;
  private goal: Camera = { target: [0, 0, 0], azimuth: 0, tilt: 0.9, distance: 60 };
  private current: Camera = structuredClone(this.goal);
  private width = 1;
  private height = 1;
  private insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };

  /** Where it is going; views are shared and restored as this. */
  get view(): Camera {
    return structuredClone(this.goal);
  }

  set view(view: Camera) {
    this.goal = { ...structuredClone(view), tilt: clampTilt(view.tilt), distance: clampDistance(view.distance) };
  }

  get distance(): number {
    return this.current.distance;
  }

  /** Panels cover some of the window: what is looked at is in the middle of the rest. */
  resize(width: number, height: number, insets: Insets): void {
    this.width = width;
    this.height = height;
    this.insets = insets;
    this.camera.aspect = width / height;
    const [dx, dy] = [(insets.right - insets.left) / 2, (insets.bottom - insets.top) / 2];
    this.camera.setViewOffset(width, height, dx, dy, width, height);
    this.place();
  }

  /** Goes where it is going at once. */
  jump(): void {
    this.current = structuredClone(this.goal);
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
    this.place();
    return !still;
  }

  orbit(dx: number, dy: number): void {
    this.goal.azimuth -= dx * 0.006;
    this.goal.tilt = clampTilt(this.goal.tilt - dy * 0.005);
  }

  /** Moves what is looked at by pixels of the screen. */
  pan(dx: number, dy: number): void {
    const metresPerPixel = (2 * this.goal.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.height;
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

  /** Nearer or farther; `around` is a place that stays where it is on the screen. */
  zoom(factor: number, around: Point | null): void {
    const before = this.goal.distance;
    this.goal.distance = clampDistance(before * factor);
    const ratio = this.goal.distance / before;
    if (!around) return;
    const center = [...around, this.ground(...around)];
    this.goal.target = this.goal.target.map((value, i) => center[i]! + (value - center[i]!) * ratio) as Camera["target"];
  }

  lookAt(x: number, y: number, height: number): void {
    this.goal.target = [x, y, height];
  }

  turnTo(azimuth: number, tilt: number): void {
    this.goal.azimuth = azimuth;
    this.goal.tilt = clampTilt(tilt);
  }

  /** Moves so that all of a box is seen between the panels, and its picture is in their middle. Its ground lies between two heights. */
  frame(box: Box, [lowest, highest]: [number, number], margin = 1.04): void {
    const height = (lowest + highest) / 2;
    const corners = [box.min, [box.max[0], box.min[1]], box.max, [box.min[0], box.max[1]]].flatMap(([x, y]) =>
      [lowest, highest].map((level) => [x!, y!, level - height] as const),
    );
    const { azimuth, tilt } = this.goal;
    const free = {
      x: Math.max(0.3, 1 - (this.insets.left + this.insets.right) / this.width),
      y: Math.max(0.3, 1 - (this.insets.top + this.insets.bottom) / this.height),
    };
    const tanY = Math.tan((this.camera.fov * Math.PI) / 360) / margin;
    const tanX = tanY * (this.width / this.height) * free.x;
    const [sin, cos] = [Math.sin(azimuth), Math.cos(azimuth)];
    const center: Point = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2];
    let distance = Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]) + NEAREST;
    // What is near looks larger, so the middle of the box is not the middle of its picture: found by trying.
    for (let i = 0; i < 12; i++) {
      const seen = corners.map(([x, y, up]) => {
        const right = (x - center[0]) * cos + (y - center[1]) * sin;
        const ahead = -(x - center[0]) * sin + (y - center[1]) * cos;
        const depth = Math.max(0.1 * distance, distance + ahead * Math.sin(tilt) - up * Math.cos(tilt));
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
    const { target, azimuth, tilt, distance } = this.current;
    const center = toWorld(...target);
    const back = Math.sin(tilt) * distance;
    const [x, y] = [target[0] + Math.sin(azimuth) * back, target[1] - Math.cos(azimuth) * back];
    const height = target[2] + Math.cos(tilt) * distance;
    // A hill may lie between: one looks over it.
    const lowest = this.ground.lattice ? this.ground(x, y) + CLEARANCE : -Infinity;
    this.camera.position.copy(toWorld(x, y, Math.max(height, lowest)));
    this.camera.up.set(0, 1, 0);
    this.camera.lookAt(center);
    this.camera.near = Math.max(0.05, distance / 200);
    this.camera.far = distance * 12 + 400;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}

const clampTilt = (tilt: number) => Math.min(HIGHEST_TILT, Math.max(LOWEST_TILT, tilt));
const clampDistance = (distance: number) => Math.min(FARTHEST, Math.max(NEAREST, distance));


/**
 * The stage: renderer, lights, and the loop that draws only when there is something to draw.
 *
 * Whoever changes something calls `invalidate`. Whoever moves by itself is an *animation*: it is called before
 * each picture and tells whether it wants another one.
 */
import {
  AmbientLight,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  PCFShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from "three";
import { boxOf } from "../model/geometry.ts";
import { rayToGround, type HeightAt } from "../model/heights.ts";
import type { Point } from "../protocol.ts";
import { fromWorld, toWorld, type Place } from "./axes.ts";
import { PALETTES, type Palette, type Theme } from "./palette.ts";
import { CameraRig, type Insets } from "./rig.ts";

export type Animation = (seconds: number) => boolean;

export interface Ray {
  origin: Place;
  direction: Place;
}

/** Longer than this between two pictures, and the page was asleep. */
const LONGEST_STEP = 0.1;

export class Stage {
  readonly scene = new Scene();
  readonly rig = new CameraRig();
  readonly renderer: WebGLRenderer;
  palette: Palette = PALETTES.light;
  /** Pictures drawn since the page was opened. */
  pictures = 0;
  /** Pictures per second of late. */
  framesPerSecond = 0;

  private readonly animations: Animation[] = [];
  private readonly afterRender: (() => void)[] = [];
  private readonly sun = new DirectionalLight(0xffffff, 1.9);
  private readonly sky = new HemisphereLight(0xffffff, 0xffffff, 1.5);
  private readonly fill = new AmbientLight(0xffffff, 0.25);
  private scheduled = false;
  private lastTime = 0;
  private width = 1;
  private height = 1;
  private slowness = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    // Only what stands still casts a shadow there; people have a disc under their feet.
    this.renderer.shadowMap.autoUpdate = false;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.06;
    this.scene.add(this.sun, this.sun.target, this.sky, this.fill);
    this.setPixelRatio(Math.min(2, devicePixelRatio || 1));
  }

  add(...objects: Object3D[]): void {
    this.scene.add(...objects);
  }

  animate(animation: Animation): void {
    this.animations.push(animation);
  }

  onRendered(listener: () => void): void {
    this.afterRender.push(listener);
  }

  setTheme(theme: Theme): void {
    this.palette = PALETTES[theme];
    const { sky, ground, sun, hemisphere, ambient } = this.palette;
    this.fill.intensity = ambient;
    this.scene.background = new Color(sky);
    this.scene.fog = new Fog(new Color(sky), 100, 1000);
    this.sun.intensity = sun;
    this.sky.intensity = hemisphere;
    this.sky.color.set(theme === "light" ? "#ffffff" : "#c9d8ef");
    this.sky.groundColor.set(ground).multiplyScalar(0.8);
    this.invalidate();
  }

  /** The sun shines on this part of the ground; call again when solids there have changed. */
  light(bounds: [Point, Point], [lowest, highest]: [number, number]): void {
    const box = boxOf(bounds)!;
    const center: Point = [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2];
    const radius = Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]) / 2 + highest - lowest;
    this.sun.target.position.copy(toWorld(...center, lowest));
    this.sun.position.copy(toWorld(center[0] - radius * 0.75, center[1] - radius * 0.55, lowest + radius * 1.5));
    this.sun.target.updateMatrixWorld();
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -radius;
    shadow.right = shadow.top = radius;
    shadow.near = 0.1;
    shadow.far = radius * 4;
    shadow.updateProjectionMatrix();
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  /** The same lights, for another scene; there is nothing there that casts shadows. */
  lights(): Object3D[] {
    const sun = this.sun.clone();
    sun.castShadow = false;
    // Where it shines from is all that counts: the scene may be anywhere.
    sun.position.sub(sun.target.position);
    sun.target.position.set(0, 0, 0);
    return [sun, this.sky.clone(), this.fill.clone()];
  }

  resize(width: number, height: number, insets: Insets): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.renderer.setSize(this.width, this.height, false);
    this.rig.resize(this.width, this.height, insets);
    this.invalidate();
  }

  invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((time) => this.tick(time));
  }

  /** Draws now, whatever is scheduled: for pictures that are saved. */
  renderNow(): void {
    const fog = this.scene.fog as Fog | null;
    if (fog) {
      // The height of an orthographic camera means nothing.
      const clear = this.rig.isOrthographic ? this.rig.camera.far : 0;
      fog.near = clear + this.rig.distance * 2 + 60;
      fog.far = clear + this.rig.distance * 9 + 250;
    }
    this.pictures++;
    this.renderer.render(this.scene, this.rig.camera);
  }

  /** Pixels of the window, from its upper left corner. */
  project(x: number, y: number, height: number): { x: number; y: number; visible: boolean } {
    const v = toWorld(x, y, height).project(this.rig.camera);
    return { x: ((v.x + 1) / 2) * this.width, y: ((1 - v.y) / 2) * this.height, visible: v.z > -1 && v.z < 1 };
  }

  ray(screenX: number, screenY: number): Ray {
    const { camera, isOrthographic } = this.rig;
    const at = (depth: number) => new Vector3((screenX / this.width) * 2 - 1, 1 - (screenY / this.height) * 2, depth).unproject(camera);
    const origin = isOrthographic ? at(-1) : camera.position.clone();
    return { origin: fromWorld(origin), direction: fromWorld(at(0.5).sub(origin).normalize()) };
  }

  /** Where a ray meets the ground, as far as one can see. */
  ground({ origin, direction }: Ray, heightAt: HeightAt): { at: Point; distance: number } | null {
    return rayToGround(heightAt, origin, direction, this.rig.camera.far);
  }

  private tick(time: number): void {
    this.scheduled = false;
    const passed = (time - this.lastTime) / 1000;
    const awake = this.lastTime > 0 && passed < 1;
    this.lastTime = time;
    const seconds = awake ? Math.min(LONGEST_STEP, Math.max(0, passed)) : 1 / 60;
    if (awake && passed > 0) this.noteSpeed(passed);
    let again = false;
    for (const animation of this.animations) again = animation(seconds) || again;
    this.renderNow();
    for (const listener of this.afterRender) listener();
    if (again) this.invalidate();
  }

  /** Counts pictures, and draws coarser ones where fine ones take too long. */
  private noteSpeed(passed: number): void {
    this.framesPerSecond += 0.08 * (1 / passed - this.framesPerSecond);
    this.slowness = passed > 0.045 ? this.slowness + 1 : Math.max(0, this.slowness - 1);
    if (this.slowness > 40 && this.renderer.getPixelRatio() > 1) {
      this.slowness = 0;
      this.setPixelRatio(1);
    }
  }

  private setPixelRatio(ratio: number): void {
    this.renderer.setPixelRatio(ratio);
  }
}

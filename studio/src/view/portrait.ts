/**
 * One person alone, as a mesh or as a picture, from any side: what is compared to see that nobody changes when one takes the place of the
 * other. It is drawn as on the stage, with the same materials and the same lights, but for itself, and light is told as numbers
 * that are not rounded for a screen.
 */
import { AmbientLight, DataUtils, HalfFloatType, PerspectiveCamera, Scene, WebGLRenderTarget, type Object3D, type WebGLRenderer } from "three";
import type { Role } from "../bodies.ts";
import { BODY_REGIONS } from "../protocol.ts";
import { RoleBook } from "../model/roles.ts";
import { fromWorld, toWorld } from "./axes.ts";
import { Dyes, OWN, type BakedPoses } from "./baked.ts";
import { ImpostorsView } from "./impostors.ts";
import { PosedView } from "./posed.ts";

export interface Sitting {
  as: "posed" | "impostor";
  look: number;
  take: number;
  /** How far through the take, from 0 to 1. */
  phase: number;
  /** 0 ahead, 1 to the left, 2 to the right. */
  head: number;
  /** Where the camera is: how far around from ahead, counter-clockwise seen from above, and above the ground, radians. */
  azimuth: number;
  elevation: number;
  /** Which way body space is turned, radians. */
  yaw: number;
  /** How many pixels a metre has. */
  scale: number;
  /** Red, green and blue of each region, as screens take them. */
  palette: number[];
  /** How much of it is there, as in view/fading.ts; 1 is all. */
  fade: number;
  /** Equal light from everywhere, so that colours are those of the palette. */
  flat: boolean;
}

/** Red, green and blue of each pixel in linear light, from the lower left corner on. */
export interface Portrait {
  width: number;
  height: number;
  light: Float32Array;
}

/** So far away, m, that it is nearly without perspective. */
const DISTANCE = 90;
/** What is in the picture, m. */
const SIDE = 3.2;

export class PortraitStudio {
  private readonly book = new RoleBook();
  private readonly dyes = new Dyes();
  private readonly posed = new PosedView();
  private readonly impostors = new ImpostorsView();
  private readonly scene = new Scene();

  constructor(
    private readonly renderer: WebGLRenderer,
    poses: BakedPoses,
    private readonly lights: () => Object3D[],
  ) {
    this.posed.setPoses(poses, this.dyes);
    this.impostors.setPoses(poses, this.dyes);
  }

  take(sitting: Sitting): Portrait {
    const { renderer, scene, posed, impostors } = this;
    const role: Role = { look: sitting.look, scale: 1, palette: Uint8Array.from(sitting.palette.slice(0, 3 * BODY_REGIONS.length)) };
    this.book.learn({ epoch: 0, anew: true, ids: Uint32Array.of(0), roles: [role] });
    this.dyes.update(this.book);
    const side = Math.round(SIDE * sitting.scale);
    const camera = new PerspectiveCamera((2 * Math.atan(SIDE / 2 / DISTANCE) * 180) / Math.PI, 1, 1, 2 * DISTANCE);
    const bearing = sitting.yaw + sitting.azimuth;
    const [level, up] = [DISTANCE * Math.cos(sitting.elevation), DISTANCE * Math.sin(sitting.elevation)];
    // An azimuth of body space leads from +z of the world to +x.
    camera.position.copy(toWorld(level * Math.sin(bearing), -level * Math.cos(bearing), 0.9 + up));
    camera.lookAt(toWorld(0, 0, 0.9));
    camera.updateMatrixWorld();
    for (const view of [posed, impostors]) view.begin();
    const place = [0, 0, 0, sitting.yaw] as const;
    if (sitting.as === "posed") posed.push(sitting.look, sitting.take, sitting.phase, sitting.head, place, 0, 1, OWN, [0, 0, 0]);
    else impostors.push(sitting.look, sitting.take, sitting.phase, place, 0, 1, OWN, [0, 0, 0], fromWorld(camera.position));
    (sitting.as === "posed" ? posed : impostors).fadeLast(sitting.fade);
    for (const view of [posed, impostors]) view.end();
    impostors.prepare(renderer);
    scene.clear();
    scene.add(posed.root, impostors.root, ...(sitting.flat ? [new AmbientLight(0xffffff, Math.PI)] : this.lights()));
    const target = new WebGLRenderTarget(side, side, { samples: 4, type: HalfFloatType });
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(scene, camera);
    const halves = new Uint16Array(4 * side * side);
    renderer.readRenderTargetPixels(target, 0, 0, side, side, halves);
    renderer.setRenderTarget(before);
    target.dispose();
    const light = new Float32Array(3 * side * side);
    for (let i = 0; i < light.length; i++) light[i] = DataUtils.fromHalfFloat(halves[4 * Math.floor(i / 3) + (i % 3)]!);
    return { width: side, height: side, light };
  }
}

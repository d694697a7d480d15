import { Vector3 } from "three";
import { afterEach, expect, it, vi } from "vitest";
import { signal } from "../../src/model/signal.ts";
import type { Point } from "../../src/protocol.ts";
import { Toolbox } from "../../src/tools/toolbox.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { fromWorld, toWorld, type Place } from "../../src/view/axes.ts";
import { CameraRig } from "../../src/view/rig.ts";
import { sceneOf } from "./helpers.ts";

const [WIDTH, HEIGHT] = [1000, 700];

afterEach(() => vi.unstubAllGlobals());

/** A camera over level ground, moved by a pointer as in the page. `roof` is the height of what is under the pointer. */
function handOver(rig: CameraRig, roof = 0) {
  vi.stubGlobal("document", { activeElement: null });
  vi.stubGlobal("HTMLElement", class {});
  vi.stubGlobal("PointerEvent", class {});
  vi.stubGlobal("WheelEvent", { DOM_DELTA_LINE: 1 });
  const levelAt = (x: number, y: number, height: number): Point => {
    const at = (depth: number) => fromWorld(new Vector3((x / WIDTH) * 2 - 1, 1 - (y / HEIGHT) * 2, depth).unproject(rig.camera));
    const [near, far] = [at(-1), at(0.9)];
    const f = (height - near[2]) / (far[2] - near[2]);
    return [near[0] + f * (far[0] - near[0]), near[1] + f * (far[1] - near[1])];
  };
  const listeners: Record<string, (event: unknown) => void> = {};
  const canvas = { style: {}, addEventListener: (name: string, listener: (event: unknown) => void) => (listeners[name] = listener), setPointerCapture: () => {} };
  const world = {
    stage: { rig, canvas, invalidate: () => {} },
    levelAt,
    surfaceAt: (x: number, y: number): Place => [...levelAt(x, y, roof), roof],
    pointAt: (x: number, y: number) => ({ layer: 0, ground: levelAt(x, y, 0) }),
    draw: () => {},
    personAt: () => null,
    metresPerPixel: () => 0.1,
  };
  const studio = {
    scene: signal(sceneOf()),
    tool: signal("select"),
    sending: signal(false),
    following: signal<number | null>(5),
    selection: signal(null),
    options: signal({ wallPart: "wall", regionShape: "rectangle" }),
    isReplay: false,
  };
  new Toolbox({ studio, world, tip: () => {}, marquee: () => {} } as unknown as ToolContext);
  const event = (x: number, y: number, more = {}) => ({ clientX: x, clientY: y, pointerId: 1, pointerType: "mouse", preventDefault: () => {}, ...more });
  return {
    levelAt,
    studio,
    drag(path: [number, number][]) {
      listeners["pointerdown"]!(event(...path[0]!, { button: 1 }));
      for (const at of path.slice(1)) listeners["pointermove"]!(event(...at));
      listeners["pointerup"]!(event(...path.at(-1)!));
    },
    wheel(x: number, y: number, deltaY: number) {
      listeners["wheel"]!(event(x, y, { deltaY, deltaMode: 0 }));
      rig.jump();
    },
    pixelOf: (at: Place) => {
      const seen = toWorld(...at).project(rig.camera);
      return [((seen.x + 1) / 2) * WIDTH, ((1 - seen.y) / 2) * HEIGHT] as const;
    },
  };
}

const rigAt = (tilt: number) => {
  const rig = new CameraRig();
  rig.resize(WIDTH, HEIGHT, { left: 60, right: 260, top: 50, bottom: 80 });
  rig.view = { target: [3, 4, 0], azimuth: 0.6, tilt, distance: 40 };
  rig.jump();
  return rig;
};

it("what the middle button takes stays under the pointer, on the ground and on a roof, in views from any height", () => {
  for (const tilt of [0.2, 0.82, 1.25]) {
    for (const roof of [0, 6]) {
      const hand = handOver(rigAt(tilt), roof);
      const taken: Place = [...hand.levelAt(400, 500, roof), roof];
      hand.drag([[400, 500], [430, 480], [520, 430], [610, 560]]);
      const [x, y] = hand.pixelOf(taken);
      expect(x, `tilt ${tilt}, roof ${roof}`).toBeCloseTo(610, 3);
      expect(y, `tilt ${tilt}, roof ${roof}`).toBeCloseTo(560, 3);
      expect(hand.studio.following.value).toBeNull();
    }
  }
});

it("what the wheel is turned over stays under the pointer, also on a roof", () => {
  const hand = handOver(rigAt(0.82), 6);
  hand.studio.following.set(null);
  const place: Place = [...hand.levelAt(300, 200, 6), 6];
  for (let i = 0; i < 6; i++) hand.wheel(300, 200, -100);
  const [x, y] = hand.pixelOf(place);
  expect(x).toBeCloseTo(300, 3);
  expect(y).toBeCloseTo(200, 3);
});

/**
 * The state of the page and what can be done with it. Panels, tools and the stage read its signals; whatever
 * changes the scene goes through `edit`, so that refusals are shown in one way.
 */
import { Connection, RequestError, type Keys, type RequestName } from "./connection.ts";
import { speedLimit, tooFast } from "./edits/arrows.ts";
import { addGroup } from "./edits/groups.ts";
import type { BodyMoment, Cast } from "./bodies.ts";
import type { Frame } from "./frame.ts";
import { BodyTimeline } from "./model/body-timeline.ts";
import { eventsOf, findingsOf, notable, type Finding } from "./model/findings.ts";
import type { FloorChoice } from "./model/floors.ts";
import { isAnotherScene } from "./model/identity.ts";
import { rememberedSwitch } from "./model/remembered.ts";
import { RoleBook } from "./model/roles.ts";
import { signal } from "./model/signal.ts";
import { Timeline } from "./model/timeline.ts";
import { Trails } from "./model/trails.ts";
import { Unsaved, tabShelf, type Shelf } from "./model/unsaved.ts";
import type { Overlay } from "./model/view-url.ts";
import type { FoundPattern, Group, Inspection, PatternsEvent, Replies, Requests, SceneEvent, ServerEvent, Skating, StateEvent, SteeringModel } from "./protocol.ts";
import type { Edit } from "./edits/common.ts";
import type { Theme } from "./view/palette.ts";

export type ToolName = "select" | "hand" | "arrow" | "wall" | "box" | "region" | "goal" | "source" | "brush" | "interest" | "measure";

export type Selection =
  | { kind: "people"; ids: ReadonlySet<number> }
  | { kind: "obstacle"; index: number }
  | { kind: "region"; name: string }
  | { kind: "interest"; name: string }
  | { kind: "arrow"; field: string; index: number }
  | null;

/** How many people are drawn with bodies: nobody, those next to the camera, or as many as there can be. */
export const BODY_LEVELS = ["off", "near", "more"] as const;
export type BodyLevel = (typeof BODY_LEVELS)[number];

/** What tools make, besides where: set in the panel. */
export interface ToolOptions {
  thickness: number;
  height: number;
  spacing: number;
  rate: number;
  regionShape: "rectangle" | "polygon";
  /** What the wall tool makes: walls, or doors in walls, m wide, that are open or close at times. */
  wallPart: "wall" | "door";
  doorWidth: number;
  doorLeaf: "open" | "closes";
}

/** Where a message belongs: beside an element of the page, or at a place on the screen. */
export type Near = Element | { x: number; y: number } | null;

export interface Message {
  level: "info" | "warning" | "error";
  text: string;
  help?: string | undefined;
  near?: Near;
}

/** Longer than this after its edit, a scene will not come, ms. */
const SCENE_PATIENCE = 600;

export class Studio {
  readonly scene = signal<SceneEvent | null>(null);
  readonly state = signal<StateEvent | null>(null);
  readonly tool = signal<ToolName>("select");
  readonly selection = signal<Selection>(null);
  readonly groupName = signal<string | null>(null);
  /** The highest floor that is drawn; `null` draws all. */
  readonly floor = signal<FloorChoice>(null);
  /** How many people are not drawn, as they are on floors above the chosen one. */
  readonly hiddenPeople = signal(0);
  readonly overlays = signal<ReadonlySet<Overlay>>(new Set());
  readonly following = signal<number | null>(null);
  /** The selected people are about to be sent somewhere: the next click says where. */
  readonly sending = signal(false);
  readonly inspection = signal<Inspection | null>(null);
  readonly options = signal<ToolOptions>({ thickness: 0.2, height: 2.5, spacing: 0.8, rate: 1, regionShape: "rectangle", wallPart: "wall", doorWidth: 1.2, doorLeaf: "open" });
  /** The steering models, once they were asked for. */
  readonly models = signal<readonly SteeringModel[] | null>(null);
  readonly theme = signal<Theme>("light");
  readonly performance = signal(false);
  readonly bodyLevel = signal<BodyLevel>("near");
  /** Tops have the colour of the group; else people wear clothes of their own. */
  readonly groupColors = rememberedSwitch("group-colors", false);
  /** People look at whoever watches: the camera. */
  readonly noticed = rememberedSwitch("noticed", false);
  /** Patterns that were found, and the one that is looked at. */
  readonly patterns = signal<PatternsEvent | null>(null);
  readonly pattern = signal<FoundPattern | null>(null);
  /** What of them matters, grouped by place; and whether short waits and queues are shown as well. */
  readonly findings = signal<readonly Finding[]>([]);
  readonly minorFindings = signal(false);
  /** The patterns of the findings that are shown, in the order in which they begin. */
  readonly shownPatterns = signal<readonly FoundPattern[]>([]);
  readonly skating = signal<Skating | null>(null);
  /** Only the crowd and its world are shown: no interface, grid, regions, arrows or selection. */
  readonly presenting = signal(false);
  /** Walls are drawn low, to look into rooms. */
  readonly cutWalls = signal(false);
  /** Things to try that were done; hints go away with them. */
  readonly done = signal<ReadonlySet<string>>(new Set());

  /** Edits that the page keeps for the case that the server is stopped. */
  readonly unsaved: Unsaved;
  readonly timeline = new Timeline();
  readonly bodies = new BodyTimeline();
  readonly roles = new RoleBook();
  readonly trails = new Trails();
  /** Frames and bytes since the page was opened, for those who count them; and the same of bodies. */
  received = { frames: 0, bytes: 0, people: 0, poses: 0, poseBytes: 0 };

  /** The largest speeds of groups whose authors were told of them. */
  private readonly warnedOf = new Map<string, number>();

  showMessage: (message: Message) => void = () => {};
  onFrame: (frame: Frame) => void = () => {};
  onCast: (cast: Cast) => void = () => {};

  constructor(
    readonly connection: Connection,
    shelf: Shelf = tabShelf,
  ) {
    this.unsaved = new Unsaved(async () => (await connection.request("text")).text, shelf);
    for (const source of [this.findings, this.minorFindings]) source.onChange(() => this.shownPatterns.set(eventsOf(this.shownFindings)));
    connection.onEvent = (event) => this.handle(event);
    connection.onFrame = (frame) => this.handleFrame(frame);
    connection.onCast = (cast) => {
      this.bodies.clear();
      this.roles.clear();
      this.onCast(cast);
    };
    connection.onRoles = (roles) => this.roles.learn(roles);
    connection.onBodies = (moments, bytes) => this.handleBodies(moments, bytes);
    connection.onTrouble = (words) => console.warn(`from the server: ${words}`);
    connection.status.onChange((status) => {
      // While the server is away its last picture stays. Who answers then may be another run of it, with other people.
      if (status.kind !== "open") return;
      this.timeline.clear();
      this.bodies.clear();
      this.roles.clear();
    });
  }

  /** The group that tools work for. */
  get group(): Group | null {
    const name = this.groupName.value;
    return this.scene.value?.groups.find((group) => group.name === name) ?? null;
  }

  get selectedPeople(): number[] {
    const selection = this.selection.value;
    return selection?.kind === "people" ? [...selection.ids] : [];
  }

  /** The findings that lists, marks and rings are about. */
  get shownFindings(): readonly Finding[] {
    return this.minorFindings.value ? this.findings.value : notable(this.findings.value);
  }

  get isReplay(): boolean {
    return this.scene.value?.kind === "replay";
  }

  /** Adds a group and takes up the brush, to paint its people. */
  async addGroup(near: Near): Promise<void> {
    const scene = this.scene.value;
    if (!scene) return;
    const { edit, name } = addGroup(scene);
    if (!(await this.edit(edit, near))) return;
    this.groupName.set(name);
    this.tool.set("brush");
  }

  /** Says that an arrow was drawn faster than its group can go; of each group once, as the tip beside the pointer says so while it is drawn. */
  warnOfSpeed(asked: number, group: Group, near: Near): void {
    if (asked <= speedLimit(group) || this.warnedOf.get(group.name) === group.max_speed) return;
    this.warnedOf.set(group.name, group.max_speed);
    this.showMessage({ level: "warning", ...tooFast(asked, group), near });
  }

  /** The group that tools work for, or a word that there is none. */
  groupOrHint(near: Near): Group | null {
    const group = this.group;
    if (!group) this.showMessage({ level: "info", text: "Add a group first", help: "The panel at the right has a button for it.", near });
    return group;
  }

  /** Makes an edit; a refusal is shown where it belongs. Tells whether it was made; then `scene` has it. */
  async edit(edit: Edit, near: Near = null): Promise<boolean> {
    const reply = await this.ask("edit", edit, near);
    if (!reply) return false;
    await this.sceneArrives(reply.revision);
    return true;
  }

  /** Replies may come before the scene they made: waits until it is there. */
  sceneArrives(revision: number): Promise<void> {
    const there = () => (this.scene.value?.revision ?? 0) >= revision;
    if (there()) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        stop();
        clearTimeout(timer);
        resolve();
      };
      const stop = this.scene.onChange(() => there() && done());
      const timer = setTimeout(done, SCENE_PATIENCE);
    });
  }

  /** Sends a request; a refusal is shown, and the result is `undefined` then. */
  async ask<K extends RequestName>(action: K, ...[keys, near]: AskArguments<K>): Promise<Replies[K] | undefined> {
    try {
      return await this.connection.request(action, ...([keys] as Keys<K>));
    } catch (error) {
      this.refused(error, near ?? null);
      return undefined;
    }
  }

  refused(error: unknown, near: Near = null): void {
    const text = error instanceof Error ? error.message : String(error);
    const help = error instanceof RequestError ? error.help : undefined;
    this.showMessage({ level: "error", text: sentence(text), help: help === undefined ? undefined : sentence(help), near });
  }

  toggleOverlay(overlay: Overlay): void {
    const overlays = new Set(this.overlays.value);
    if (!overlays.delete(overlay)) overlays.add(overlay);
    this.overlays.set(overlays);
  }

  /** Lets people notice the camera, or not any more. */
  toggleNoticed(near: Near = null): void {
    this.noticed.set(!this.noticed.value);
    if (!this.noticed.value) return;
    const [text, help] =
      this.bodyLevel.value === "off"
        ? ["Nobody has a body to look with", "Choose “Bodies: near” in the view bar."]
        : ["People within 10 m of the camera look at you", "Come near to them; they tire of it after some seconds."];
    this.showMessage({ level: "info", text, help, near });
  }

  markDone(what: string): void {
    if (!this.done.value.has(what)) this.done.set(new Set([...this.done.value, what]));
  }

  private handle(event: ServerEvent): void {
    switch (event.event) {
      case "hello":
        return;
      case "scene":
        return this.handleScene(event);
      case "state":
        return this.state.set(event);
      case "patterns":
        return this.handlePatterns(event);
      case "notice":
        return this.showMessage({ level: event.level, text: event.text });
      default:
        event satisfies never;
    }
  }

  private handlePatterns(patterns: PatternsEvent): void {
    this.findings.set(findingsOf(patterns.list, this.state.value?.end ?? this.state.value?.time ?? 0));
    this.patterns.set(patterns);
  }

  private handleScene(scene: SceneEvent): void {
    this.timeline.elevations = scene.layers.map((layer) => layer.elevation);
    if (this.scene.value && isAnotherScene(this.scene.value, scene)) {
      this.selection.set(null);
      this.following.set(null);
      this.pattern.set(null);
      this.floor.set(null);
    }
    if ((this.floor.value ?? 0) >= scene.layers.length) this.floor.set(null);
    const known = this.scene.value?.warnings ?? [];
    for (const text of scene.warnings.filter((warning) => !known.includes(warning)).slice(0, 2)) {
      this.showMessage({ level: "warning", text });
    }
    this.unsaved.note(scene, this.connection.run);
    this.scene.set(scene);
    this.chooseSomeGroup();
    this.dropLostSelection(scene);
  }

  private handleFrame(frame: Frame): void {
    const jumps = this.timeline.jumps;
    const epoch = this.timeline.newest?.epoch;
    this.received.frames++;
    this.received.bytes += frame.bytes;
    this.received.people += frame.count;
    this.timeline.push(frame, performance.now() / 1000);
    if (this.timeline.jumps !== jumps) this.trails.clear();
    if (epoch !== undefined && epoch !== frame.epoch) {
      if (this.selection.value?.kind === "people") this.selection.set(null);
      this.following.set(null);
      this.pattern.set(null);
    }
    this.trails.push(frame);
    this.onFrame(frame);
  }

  private handleBodies(moments: BodyMoment[], bytes: number): void {
    for (const moment of moments) this.received.poses += moment.ids.length;
    this.received.poseBytes += bytes;
    this.bodies.push(moments);
    if (this.timeline.newest) this.onFrame(this.timeline.newest);
  }

  private chooseSomeGroup(): void {
    if (this.group) return;
    this.groupName.set(this.scene.value?.groups[0]?.name ?? null);
  }

  /** Undo, or another client, may have taken away what was selected. */
  private dropLostSelection(scene: SceneEvent): void {
    const selection = this.selection.value;
    if (!selection || selection.kind === "people") return;
    const there =
      selection.kind === "region"
        ? scene.regions.some((region) => region.name === selection.name)
        : selection.kind === "interest"
          ? scene.interests.some((interest) => interest.name === selection.name)
          : selection.kind === "obstacle"
            ? scene.obstacles.some((obstacle) => obstacle.index === selection.index)
            : scene.fields.some((field) => field.name === selection.field && field.anchors.some((anchor) => anchor.index === selection.index));
    if (!there) this.selection.set(null);
  }
}

/** The keys of a request, and where a refusal is shown. */
type AskArguments<K extends RequestName> = Keys<K> extends [keys: infer T] ? [keys: T, near?: Near] : [keys?: Requests[K], near?: Near];

/** Begins with a capital letter, as what stands by itself does. */
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * What the server and the page say to each other: the types of docs/protocol.md, version 2.
 *
 * Nothing here runs. Messages are checked where they are used: the server is trusted to keep to its own
 * protocol, and a server of another version is turned away before anything else is said.
 */

export const PROTOCOL = 2;

export type Point = [number, number];
export type Polygon = Point[];

/** A value of a scene document. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Numbers as base64 of their little-endian bytes. */
export type Packed = string;

/** Heights on a lattice, bilinear in between: `lowest` + `quantum` × u16, row by row from the smallest y. */
export interface Ground {
  bounds: [Point, Point];
  columns: number;
  rows: number;
  lowest: number;
  quantum: number;
  heights: Packed;
  /** The triangles that the lattice was taken from: f32 x, y, height of each vertex, and u32 vertices, counter-clockwise seen from above. */
  mesh: { vertices: Packed; triangles: Packed } | null;
}

export interface Layer {
  name: string;
  elevation: number;
  ground: Ground | null;
  plan: { outline: Polygon; holes: Polygon[] }[] | null;
}

export interface Connector {
  name: string;
  kind: "stairs" | "ramp";
  polygon: Polygon;
  /** Of its outline, the edge at the foot and the one at the head: from point i to point i + 1. */
  edges: [number, number];
  /** Height of foot and head, m. */
  ends: [number, number];
  /** How many steps it has; a ramp has none. */
  risers: number;
  lower: number;
  upper: number;
}

export interface Obstacle {
  index: number | null;
  name: string;
  layer: number;
  height: number;
  solids: Polygon[];
  here: boolean;
}

export interface Region {
  name: string;
  layer: number;
  polygon: Polygon;
  tags: string[];
}

/** Something that people look at. */
export interface Interest {
  name: string;
  layer: number;
  position: Point;
  /** Above the ground, m. */
  height: number;
  /** How interesting it is, from 0 to 1. */
  level: number;
  /** From how far away, m. */
  reach: number;
  /** Where it faces, and how wide the angle is from which it is seen, degrees; `null` if it is the same from everywhere. */
  facing: number | null;
  field: number | null;
}

export interface Anchor {
  index: number | null;
  name: string | null;
  at: Point;
  velocity: Point;
  /** Where the field really leads there. */
  met: Point;
  residual: number;
  /** Distance beyond which it does not lead, m; `null` if it leads everywhere. */
  reach: number | null;
}

export interface Field {
  name: string;
  layer: number;
  region: string | null;
  editable: boolean;
  anchors: Anchor[];
  remarks: string[];
}

/** What walks, in the order of the numbers that casts tell. */
export const SPECIES = ["person", "dog", "horse"] as const;
export type Species = (typeof SPECIES)[number];

export interface Group {
  name: string;
  color: string;
  species: Species;
  model: string;
  /** The largest speed that anybody of it can have, m/s. */
  max_speed: number;
  led: string[];
  share: number | null;
}

export interface Measurement {
  name: string;
  layer: number;
  line?: [Point, Point];
}

/** A view that a scene suggests: places are x, y and a height above zero. */
export interface SuggestedView {
  position: [number, number, number];
  look_at: [number, number, number];
  /** From the lower edge to the upper, degrees. */
  field: number;
}

export interface SceneEvent {
  event: "scene";
  revision: number;
  kind: "live" | "replay";
  file: string | null;
  saved: boolean;
  undo: string | null;
  redo: string | null;
  name: string;
  description: string;
  warnings: string[];
  step: number;
  duration: number;
  bounds: [Point, Point];
  navigation: boolean;
  layers: Layer[];
  connectors: Connector[];
  obstacles: Obstacle[];
  regions: Region[];
  interests: Interest[];
  fields: Field[];
  groups: Group[];
  measurements: Measurement[];
  /** The best one first. */
  cameras: SuggestedView[];
  document: JsonObject;
}

/** How many people are simulated in full and simply at most, and how long a step may take, ms. */
export interface Efforts {
  full: number | null;
  simple: number | null;
  ms: number | null;
}

export interface StateEvent {
  event: "state";
  playing: boolean;
  speed: number;
  time: number;
  step: number;
  /** Of recordings: when they begin. */
  start?: number | null;
  end: number | null;
  people: number;
  recording: { file: string; frames: number } | null;
  clients: number;
  pace: number;
  /** What a step took, ms; not of recordings. */
  step_ms?: number;
  /** What it took to look for patterns in the newest moment; not of recordings. */
  patterns_ms?: number;
  frame_ms?: number;
  bodies?: number;
  bodies_ms?: number;
  stages?: { name: string; ms: number }[];
  contacts?: number;
  /** How many people have each level, while anybody draws bodies. */
  levels?: { bodies: Record<"unseen" | "impostor" | "posed" | "full", number>; efforts: Record<"path" | "simple" | "full", number> } | null;
  /** How much may be spent to simulate the crowd; what is `null` is not limited. */
  efforts?: Efforts | null;
  /** The stages of the engine: scaler, simulator, animator, gaze. */
  pipeline?: { name: string; ms: number }[];
}

export type PatternName = "oscillation" | "deadlock" | "spin";

/** Something somebody should not do, from when to when, and where it was first seen. */
export interface FoundPattern {
  pattern: PatternName;
  person: number;
  from: number;
  to: number;
  place: Point;
  layer: number;
}

export interface PatternsEvent {
  event: "patterns";
  progress: "off" | "searching" | "done" | "watching" | "crowded" | "failed";
  /** Of a search: which part of the recording is done, from 0 to 1. */
  part?: number;
  /** Of a crowd: more people are not watched unless somebody asks for it. */
  most?: number;
  why?: string;
  counts: Record<PatternName, number>;
  /** In the order in which they begin; of very many, a part. */
  list: FoundPattern[];
}

export interface NoticeEvent {
  event: "notice";
  level: "info" | "warning" | "error";
  text: string;
}

export interface HelloEvent {
  event: "hello";
  protocol: number;
  server: string;
}

export type ServerEvent = HelloEvent | SceneEvent | StateEvent | NoticeEvent | PatternsEvent;

/** One step of an address: a key, the number of an entry, or the name of one. */
export type AddressStep = string | number | { name: string };
export type Address = AddressStep[];

export type Change =
  | { add: { to: Address; value: Json } }
  | { set: { at: Address; value: Json } }
  | { remove: { at: Address } };

/** What an `edit` request says. */
export interface Edit {
  label: string;
  changes: Change[];
  join?: string;
}

export interface EditReply {
  revision: number;
  step: number;
}

export interface Files {
  scenes: string[];
  recordings: string[];
}

export type CriticalKind = "sink" | "source" | "saddle" | "centre";

export interface Streamlines {
  lines: Point[][];
  /** Places where a field stands still; people do not get away from traps. */
  critical: { at: Point; kind: CriticalKind; trap: boolean }[];
}

export interface Ways {
  edges: { points: Point[]; clearance: number[] }[];
}

export type Constraint =
  | { kind: "half-plane"; point: Point; direction: Point; from: string }
  | { kind: "force" | "urge" | "push"; vector: Point; from: string }
  | { kind: "feeler"; line: [Point, Point]; free: number; from: string | null };

/** People have a left and a right one, animals four. */
export type Foot = "left" | "right" | "left hind" | "left fore" | "right hind" | "right fore";

/** What is odd about the ground under somebody's feet. */
export interface Underfoot {
  /** There is none within a step. */
  hole: boolean;
  /** It is steeper than one could walk. */
  steep: boolean;
  /** A foot that bears has none below it. */
  unsupported: boolean;
  /** How far a foot that bears is from where it should be, m. */
  unreached: number;
  /** How far the body is lowered so that its legs reach, m. */
  lowered: number;
}

/** What somebody looks at, and whether the gaze is on its way there. */
export type LooksAt = { phase: "shift" | "hold" | "return" | "fade" } & (
  | { kind: "place"; name: string | null }
  | { kind: "person"; id: number }
  | { kind: "viewer" | "viewer_gaze" | "scripted" }
);

/** What somebody's body does. */
export interface BodyState {
  clip: string | null;
  species: Species;
  phase: number;
  pace: number;
  stance: Foot[];
  deviation: number;
  slip: { foot: Foot; slip: number } | null;
  twist: number;
  /** `null` on level ground, which is not looked at. */
  ground: Underfoot | null;
  planted: boolean;
  position: Point;
  height: number;
  /** `null` for those who look ahead. */
  looks_at?: LooksAt | null;
}

/** How far feet have slipped while they stood, m. */
export interface Skating {
  stances: number;
  p50: number | null;
  p95: number | null;
  max: number | null;
  worst: { person: number; foot: Foot; slip: number; time: number }[];
}

/** The five traits of personality, in the order in which they are told. */
export const TRAITS = ["openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"] as const;
export type Trait = (typeof TRAITS)[number];

export interface Inspection {
  id: number;
  group: string;
  layer: number;
  position: Point;
  velocity: Point;
  preferred: Point;
  speed: number;
  heading: number;
  radius: number;
  status: string;
  words: string;
  model: string;
  /** From -1 to 1 each; `null` for those who have none. */
  traits: Record<Trait, number> | null;
  goal: { index: number; of: number; words: string; target: Point | null } | null;
  field: { velocity: Point; share: number } | null;
  path: Point[] | null;
  corridor: { at: Point; radius: number }[] | null;
  neighbours: { id: number; position: Point; distance: number }[];
  /** Whom they walk with; nobody for those who walk alone. */
  companions: { id: number; position: Point }[];
  /** Of these, the one whom they wait for. */
  waits_for: number | null;
  constraints: Constraint[];
  body: BodyState | null;
  /** `null` while nobody draws bodies. */
  level?: "unseen" | "impostor" | "posed" | "full" | null;
}

/** Why a request was refused, in the server's words. */
export interface Refusal {
  message: string;
  help?: string;
  /** Of a scene file that cannot be read: all that is wrong with it, and how many mistakes there are beyond those. */
  errors?: SceneMistake[];
  more?: number;
}

export interface SceneMistake {
  file: string;
  /** Both from 1. */
  line: number;
  column: number;
  message: string;
  help: string | null;
}

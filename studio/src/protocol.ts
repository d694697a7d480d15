// Generated from crates/throng-studio/src/protocol by `make protocol`: edit the declarations there, not this file.

/** A value of a scene document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Version of the protocol. */
export const PROTOCOL = 2;

/** What a person does. */
export const STATUSES = ["walking", "arrived", "waiting", "blocked", "no_path", "queueing", "fallen", "panicking"] as const;
export type Status = (typeof STATUSES)[number];

/** Level of detail of a body, from the lowest to the highest. */
export const BODY_LEVELS = ["unseen", "impostor", "posed", "full"] as const;
export type BodyLevel = (typeof BODY_LEVELS)[number];

/** Level of detail of the simulation of a person, from the lowest to the highest. */
export const EFFORTS = ["path", "simple", "full"] as const;
export type Effort = (typeof EFFORTS)[number];

/** What the members of a group are. */
export const SPECIES = ["person", "dog", "horse"] as const;
export type Species = (typeof SPECIES)[number];

/** Part of the surface of a body that has one colour. */
export const BODY_REGIONS = ["skin", "hair", "top", "bottom", "shoes", "eyes", "iris", "pupil", "brows", "lips"] as const;
export type BodyRegion = (typeof BODY_REGIONS)[number];

/** Trait of personality. */
export const TRAITS = ["openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"] as const;
export type Trait = (typeof TRAITS)[number];

/** Pattern that the tracks of people should not have. */
export const PATTERNS = ["oscillation", "deadlock", "spin"] as const;
export type PatternName = (typeof PATTERNS)[number];

/** Stage of the engine's pipeline. */
export const PIPELINE_STAGES = ["scaler", "simulator", "animator", "gaze"] as const;
export type PipelineStage = (typeof PIPELINE_STAGES)[number];

/** Stage of a step of the simulation. */
export const STEP_STAGES = ["obstacles", "emit", "ways", "goals", "fields", "grid", "steer", "bodies", "contacts", "advance"] as const;
export type StepStage = (typeof STEP_STAGES)[number];

/** Step of an address in the document: a key, the index of an entry of a list, or the name of an entry. */
export type AddressStep =
  | string
  | number
  | { name: string };

/** A change of the document. */
export type Change =
  /** Sets a value. */
  | { set: { at: Address; value: Json } }
  /** Adds an entry to a list, which is made if there is none. */
  | { add: { to: Address; value: Json } }
  /** Removes a value. */
  | { remove: { at: Address } };

/** Address of a value in the document: the steps from its top. */
export type Address = AddressStep[];

/** A mistake in a scene file. */
export interface SceneMistake {
  /** Name of the file. */
  file: string;
  /** Line, from 1. */
  line: number;
  /** Column, from 1. */
  column: number;
  /** What is wrong. */
  message: string;
  /** What to write instead. */
  help: string | null;
}

/** Whether a scene is simulated or a recording is played, which cannot be edited. */
export type ShowKind = "live" | "replay";

/** Point or vector on the ground, x and y. */
export type Point = [number, number];

/** Floor. */
export interface Layer {
  name: string;
  /** Height above zero, m. */
  elevation: number;
  /** Surface; `null` where it is flat. */
  ground: Ground | null;
  /** Walkable areas of a floor plan. */
  plan: PlanArea[] | null;
}

/** Surface that people stand on, to a few millimetres: heights on a lattice, bilinear in between, and beyond the bounds as at the nearest point of the border. */
export interface Ground {
  /** Bounds of the lattice, m. */
  bounds: [Point, Point];
  /** Points along x: at most 512, or 256 beside a mesh. */
  columns: number;
  /** Points along y, likewise. */
  rows: number;
  /** Smallest height, elevation included, m. */
  lowest: number;
  /** Step between heights, m. */
  quantum: number;
  /** Base64 of u16, little-endian, row by row from the smallest y: the height is `lowest` + `quantum` × value. */
  heights: string;
  /** The mesh that the lattice was sampled from, if it has at most 200,000 triangles: people stand on the highest surface of it. */
  mesh: Triangles | null;
}

/** Triangles of a ground mesh, without walls and ceilings. */
export interface Triangles {
  /** Base64 of f32, little-endian: x, y and height of each vertex, m. */
  vertices: string;
  /** Base64 of u32, little-endian: three vertices of each triangle, counter-clockwise seen from above. */
  triangles: string;
}

/** Walkable area of a floor plan. */
export interface PlanArea {
  outline: Polygon;
  holes: Polygon[];
}

/** Outline, without its first point again at the end. */
export type Polygon = Point[];

/** Stairs or ramp between two floors. The position of a person along it, 0 to 1, is the distance from the line of the lower edge over the sum of the distances from both lines; the surface rises with it, evenly or in `risers` equal steps, the first one at the foot and the last one at the head. */
export interface Connector {
  name: string;
  kind: ConnectorKind;
  polygon: Polygon;
  /** Indices of the edges at foot and head: edge i is from point i to point i + 1. */
  edges: [number, number];
  /** Heights of foot and head, m. */
  ends: [number, number];
  /** Number of steps; 0 for a ramp. */
  risers: number;
  /** Index of the lower floor. */
  lower: number;
  /** Index of the upper floor. */
  upper: number;
}

/** Kind of a connector. */
export type ConnectorKind = "stairs" | "ramp";

/** Obstacle. */
export interface Obstacle {
  /** Index in the document's list. */
  index: number;
  name: string;
  /** Index of the floor. */
  layer: number;
  /** Height, m. */
  height: number;
  /** Outlines, counter-clockwise. */
  solids: Polygon[];
  /** Whether it is there at present: obstacles can come and go. */
  here: boolean;
}

/** Region. */
export interface Region {
  name: string;
  /** Index of the floor. */
  layer: number;
  polygon: Polygon;
  tags: string[];
}

/** Point of interest that people look at. */
export interface Interest {
  name: string;
  /** Index of the floor. */
  layer: number;
  /** Position, m. */
  position: Point;
  /** Height above the ground, m. */
  height: number;
  /** Level of interest, 0 to 1. */
  level: number;
  /** Distance from which it is looked at, m. */
  reach: number;
  /** Direction it faces, degrees; `null` if it looks the same from everywhere. */
  facing: number | null;
  /** Angle from which it is seen, degrees; `null` likewise. */
  field: number | null;
}

/** Vector field. */
export interface Field {
  name: string;
  /** Index of the floor. */
  layer: number;
  /** Name of the region that limits it. */
  region: string | null;
  /** Whether it can be edited: not if its anchors have keys. */
  editable: boolean;
  anchors: Anchor[];
  /** What the author should know. */
  remarks: string[];
}

/** Anchor of a field: an arrow. */
export interface Anchor {
  /** Index in the document's list; `null` if a scripted edit has added it. */
  index: number | null;
  name: string | null;
  /** Position, m. */
  at: Point;
  /** Velocity, m/s. */
  velocity: Point;
  /** Velocity of the field there, m/s. */
  met: Point;
  /** Distance between the two, m/s: more than a few cm/s if anchors contradict each other. */
  residual: number;
  /** Distance at which its influence ends, m; `null` if it has no end. */
  reach: number | null;
}

/** Group of people or animals. */
export interface Group {
  name: string;
  /** Colour, `#rrggbb`. */
  color: string;
  species: Species;
  /** Name of the steering model. */
  model: string;
  /** Largest speed of any member, m/s. */
  max_speed: number;
  /** Names of the fields that lead it. */
  led: string[];
  /** Typical share of the fields in the preferred velocity, 0 to 1; `null` if no field leads it. */
  share: number | null;
}

/** Line or area in which people are measured. */
export interface Measurement {
  name: string;
  /** Index of the floor. */
  layer: number;
  /** Ends of a line; `null` for an area. */
  line: [Point, Point] | null;
  /** Outline of an area; `null` for a line. */
  area: Polygon | null;
}

/** View that a scene suggests. */
export interface SuggestedView {
  /** Position of the camera: x, y and height above zero, m. */
  position: [number, number, number];
  /** Point at the centre of the picture: x, y and height above zero, m. */
  look_at: [number, number, number];
  /** Vertical field of view, degrees. */
  field: number;
}

/** Recording that is being written. */
export interface RecordingState {
  /** Name of the file. */
  file: string;
  /** Number of frames so far. */
  frames: number;
}

/** Number of people with each level of detail. */
export interface LevelCounts {
  /** Of bodies. */
  bodies: Record<BodyLevel, number>;
  /** Of the simulation. */
  efforts: Record<Effort, number>;
}

/** Limits of the effort to simulate a crowd; what is left out or `null` is not limited. */
export interface EffortLimits {
  /** Number of people who are simulated in full. */
  full: number | null;
  /** Number of the others who are simulated simply; the rest only follow their paths. */
  simple: number | null;
  /** Duration of a step, 0.1 to 1000 ms. */
  ms: number | null;
}

/** A pattern, and when and where it was seen. */
export interface FoundPattern {
  pattern: PatternName;
  /** Id of the person. */
  person: number;
  /** Start, s. */
  from: number;
  /** End, s; grows while it lasts. */
  to: number;
  /** Position of the person at the start, m. */
  place: Point;
  /** Index of the floor. */
  layer: number;
}

/** Severity of a notice. */
export type NoticeLevel = "error";

/** Message that answers a request. */
export type Response =
  /** The request was done. */
  | { re: number; ok: Replies[keyof Replies] }
  /** The request was refused, and has changed nothing. */
  | { re: number; error: Refusal };

/** Why a request was refused. */
export interface Refusal {
  /** What is wrong. */
  message: string;
  /** What to do instead. */
  help?: string | null;
  /** Mistakes in a scene file that cannot be read. */
  errors?: SceneMistake[] | null;
  /** Number of mistakes beyond those. */
  more?: number | null;
}

/** Version of the protocol. */
export interface HelloReply {
  /** Version of the protocol. */
  protocol: number;
}

/** Frames per second. */
export interface RateReply {
  /** Frames per second. */
  rate: number;
}

/** The present time. */
export interface TimeReply {
  /** Number of the step; of a recording, of the frame. */
  step: number;
  /** Simulated time, s. */
  time: number;
}

/** Result of an edit. */
export interface EditReply {
  /** Revision of the scene with the edit. */
  revision: number;
  /** First step in which the crowd follows it. */
  step: number;
  /** Whether the scene has begun anew, because the edit was too deep for people to go on: floors, bounds, the step, the seed. */
  restarted: boolean;
}

/** Result of `undo` or `redo`. */
export interface HistoryReply {
  /** Revision of the scene with the edit. */
  revision: number;
  /** First step in which the crowd follows it. */
  step: number;
  /** Whether the scene has begun anew, because the edit was too deep for people to go on: floors, bounds, the step, the seed. */
  restarted: boolean;
  /** Label of the edit that was undone or repeated. */
  label: string;
}

/** Text of the scene. */
export interface TextReply {
  /** TOML. */
  text: string;
}

/** File that was written. */
export interface FileReply {
  /** Its name. */
  file: string;
}

/** Files that can be opened. */
export interface Files {
  /** Names of scene files. */
  scenes: string[];
  /** Names of recordings. */
  recordings: string[];
}

/** Number of people who were there; ids of people who have left are ignored. */
export interface PeopleReply {
  /** Number of people. */
  people: number;
}

/** Steering model, as a group's `steering` names it. */
export interface SteeringModel {
  name: string;
  /** What it does. */
  summary: string;
  /** Parameters, those that every model has first. */
  parameters: SteeringParameter[];
}

/** Parameter of a steering model. */
export interface SteeringParameter {
  /** Name of the key in `steering`. */
  name: string;
  /** Meaning. */
  description: string;
  /** Unit; empty if it has none. */
  unit: string;
  /** Value where the scene gives none. */
  default: number;
  /** Smallest value. */
  min: number;
  /** Largest value. */
  max: number;
}

/** Number of people with a body of their own. */
export interface BodiesReply {
  /** Number of people. */
  bodies: number;
}

/** Limits that are now in force. */
export interface EffortsReply {
  /** `null` if there are none. */
  efforts: EffortLimits | null;
}

/** Slip of feet while they stood, in the last 10 s, of people with bodies of their own. */
export interface Skating {
  /** Number of stances. */
  stances: number;
  /** Median of their slips, m; `null` without stances. */
  p50: number | null;
  /** 95th percentile, m. */
  p95: number | null;
  /** Maximum, m. */
  max: number | null;
  /** The stances with the largest slips. */
  worst: SlippedStance[];
}

/** A stance and its slip. */
export interface SlippedStance {
  /** Id of the person. */
  person: number;
  foot: Foot;
  /** Distance slipped, m. */
  slip: number;
  /** End of the stance, s. */
  time: number;
}

/** Foot: left or right of people, one of four of animals. */
export type Foot = "left" | "right" | "left hind" | "left fore" | "right hind" | "right fore";

/** Whether patterns are searched for. */
export interface PatternsReply {
  /** Whether they are. */
  on: boolean;
}

/** All that is known of a person. Of people in recordings `words` is empty, and so are lists; what is not recorded is `null`. */
export interface Inspection {
  /** Id. */
  id: number;
  /** Name of the group. */
  group: string;
  /** Index of the floor. */
  layer: number;
  /** Position, m. */
  position: Point;
  /** Velocity, m/s. */
  velocity: Point;
  /** Speed, m/s. */
  speed: number;
  /** Heading, counter-clockwise from +x, rad. */
  heading: number;
  /** Radius, m. */
  radius: number;
  status: Status;
  /** From -1 to 1 each; `null` without personality. */
  traits: Record<Trait, number> | null;
  /** Level of detail of the body; `null` while no client draws bodies. */
  level: BodyLevel | null;
  /** The body; `null` without a body of their own. */
  body: BodyState | null;
  /** Preferred velocity, m/s. */
  preferred: Point | null;
  /** Velocity chosen for the next step, m/s. */
  chosen: Point | null;
  /** Description of what the person does and why. */
  words: string;
  /** Name of the steering model. */
  model: string | null;
  /** Current goal; `null` if there is none. */
  goal: GoalState | null;
  /** Velocity of the fields that lead the person; `null` if none does. */
  field: FieldState | null;
  /** Points of the path to the goal. */
  path: Point[];
  /** Free discs along that path. */
  corridor: Disc[];
  /** Neighbours that are steered clear of, nearest first. */
  neighbours: Neighbour[];
  /** People of the same party. */
  companions: Companion[];
  /** Id of the companion who is waited for. */
  waits_for: number | null;
  /** Constraints of the steering model, by model. */
  constraints: Constraint[];
}

/** Body of a person. */
export interface BodyState {
  /** Name of the clip or gait that is played. */
  clip: string | null;
  species: Species;
  /** Phase of its cycle, 0 to 1. */
  phase: number;
  /** Playback rate of the clip. */
  pace: number;
  /** Feet on the ground. */
  stance: Foot[];
  /** Distance from the position in the simulation, m. */
  deviation: number;
  /** Slip of the foot that was lifted last. */
  slip: FootSlip | null;
  /** Twist of the spine to the left, rad. */
  twist: number;
  /** Ground within a step; `null` for people on level ground. */
  ground: Underfoot | null;
  /** Whether feet are planted. */
  planted: boolean;
  /** Position, m. */
  position: Point;
  /** Height, m; of an animal, at its withers. */
  height: number;
  /** Target of the gaze; `null` for people who look ahead, and for animals. */
  looks_at: LooksAt | null;
}

/** Slip of a foot. */
export interface FootSlip {
  foot: Foot;
  /** Distance slipped while it stood, m. */
  slip: number;
}

/** What is odd about the ground within a step. */
export interface Underfoot {
  /** There is none. */
  hole: boolean;
  /** It is too steep to walk. */
  steep: boolean;
  /** A bearing foot has none below it. */
  unsupported: boolean;
  /** Distance of a bearing foot from its place, m. */
  unreached: number;
  /** How far the body is lowered so that its legs reach, m. */
  lowered: number;
}

/** Target of a gaze. */
export type LooksAt = {
  phase: GazePhase;
} & (
  /** A point of interest of the scene. */
  | { kind: "place"; name: string | null }
  /** Another person. */
  | { kind: "person"; id: number }
  /** A viewer who is noticed. */
  | { kind: "viewer" }
  /** What a viewer looks at. */
  | { kind: "viewer_gaze" }
  /** What a script says. */
  | { kind: "scripted" }
);

/** Phase of a gaze that has a target. */
export type GazePhase = "shift" | "hold";

/** Current goal of a person. */
export interface GoalState {
  /** Index in the list of goals. */
  index: number;
  /** Length of that list. */
  of: number;
  /** Description. */
  words: string;
  /** Target, m. */
  target: Point | null;
  /** Time spent on this goal, s. */
  seconds: number;
}

/** Velocity of the fields that lead a person. */
export interface FieldState {
  /** Velocity, m/s. */
  velocity: Point;
  /** Share of it in the preferred velocity, 0 to 1: 0 beyond the reach of all anchors. */
  share: number;
}

/** Free disc of a corridor. */
export interface Disc {
  /** Centre, m. */
  at: Point;
  /** Radius, m. */
  radius: number;
}

/** Neighbour that a person steers clear of. */
export interface Neighbour {
  /** Id. */
  id: number;
  /** Position, m. */
  position: Point;
  /** Distance between centres, m. */
  distance: number;
}

/** Member of the same party. */
export interface Companion {
  /** Id. */
  id: number;
  /** Position, m. */
  position: Point;
}

/** Constraint of a steering model. `from` is its cause: `"wall"`, `"goal"`, `"person 12"`. */
export type Constraint =
  /** Half-plane of allowed velocities: those to the left of the line through `point` along `direction`, m/s. */
  | { kind: "half-plane"; point: Point; direction: Point; from: string }
  /** Acceleration, m/s². */
  | { kind: "force"; vector: Point; from: string }
  /** Part of the sum that gives the direction (model `hidac`). */
  | { kind: "urge"; vector: Point; from: string }
  /** Velocity by which the person is pushed, m/s (model `hidac`). */
  | { kind: "push"; vector: Point; from: string }
  /** Feeler: `free` is the part of the line before what it meets; `from` is `null` if it meets nothing. */
  | { kind: "feeler"; line: [Point, Point]; free: number; from: string | null };

/** Streamlines of fields. */
export interface Streamlines {
  /** Lines, none beyond the reach of all anchors. */
  lines: Point[][];
  /** Places where a field is zero, within the reach of its anchors. */
  critical: CriticalPoint[];
}

/** Place where a field is zero. */
export interface CriticalPoint {
  at: Point;
  kind: CriticalKind;
  /** Whether people do not get away from it. */
  trap: boolean;
}

/** Kind of a critical point. */
export type CriticalKind = "sink" | "source" | "saddle" | "centre";

/** Corridor map of a floor. */
export interface Ways {
  /** Edges; none where there are no obstacles. */
  edges: WayEdge[];
}

/** Edge of the corridor map. */
export interface WayEdge {
  /** Points along the edge. */
  points: Point[];
  /** Distance to the nearest obstacle at each point, m. */
  clearance: number[];
}

/** Recording that was begun or completed. */
export interface RecordReply {
  /** Name of its file; `null` if there was nothing to end. */
  file: string | null;
}

/** First message of the server. */
export interface HelloEvent {
  event: "hello";
  /** Version of the protocol. */
  protocol: number;
  /** Name and version of the server. */
  server: string;
  /** Number of this run of the server. Another number than before the connection was lost means another run, which has none of the unsaved edits. */
  run: number;
}

/** All there is to draw but the people. Sent first, and whenever it changes. */
export interface SceneEvent {
  event: "scene";
  /** Number that grows with each change. */
  revision: number;
  kind: ShowKind;
  /** Name of its file; `null` for a scene that was never saved. */
  file: string | null;
  /** Whether the document is what the file holds. */
  saved: boolean;
  /** Label of the edit that would be undone. */
  undo: string | null;
  /** Label of the edit that would be repeated. */
  redo: string | null;
  /** What the author should know. */
  warnings: string[];
  /** The scene as its author wrote it, as JSON; empty for a recording. */
  document: JsonObject;
  name: string;
  description: string;
  /** Duration of a step of the simulation, s. */
  step: number;
  /** Duration of the scene, s. */
  duration: number;
  /** Whether people find paths around obstacles. */
  navigation: boolean;
  /** Corners with the smallest and the largest coordinates, m. */
  bounds: [Point, Point];
  /** Floors, at least one. */
  layers: Layer[];
  connectors: Connector[];
  obstacles: Obstacle[];
  regions: Region[];
  /** [Points of interest](scene-format.md#interests). */
  interests: Interest[];
  fields: Field[];
  groups: Group[];
  measurements: Measurement[];
  /** Views that the scene suggests, the best one first. */
  cameras: SuggestedView[];
}

/** Time, people and performance. Sent four times per second, and when something of it changes. */
export interface StateEvent {
  event: "state";
  /** Whether time passes. */
  playing: boolean;
  /** Simulated seconds per second, as requested; negative for a recording that is played backwards. */
  speed: number;
  /** Simulated seconds per second, as measured: below `speed` if the machine cannot keep up. */
  pace: number;
  /** Simulated time, s. */
  time: number;
  /** Number of the step; of a recording, of the frame. */
  step: number;
  /** Time of the first frame of a recording, s; `null` for a simulation. */
  start: number | null;
  /** Time of the last frame of a recording, s; `null` for a simulation. */
  end: number | null;
  /** Number of people. */
  people: number;
  /** Recording that is being written. */
  recording: RecordingState | null;
  /** Number of clients. */
  clients: number;
  /** Duration of the newest step, ms; `null` for a recording. */
  step_ms: number | null;
  /** Where that time went; empty for a recording. */
  stages: {
    /** Name of the stage. */
    name: StepStage;
    /** Duration, ms. */
    ms: number;
  }[];
  /** Number of contacts between people in the newest step; `null` for a recording. */
  contacts: number | null;
  /** Duration of the search for patterns after that step, ms; `null` for a recording. */
  patterns_ms: number | null;
  /** Time to encode the newest frame, ms. */
  frame_ms: number;
  /** Number of people with a body of their own. */
  bodies: number;
  /** Time to animate and encode their newest poses, ms. */
  bodies_ms: number;
  /** Duration of the engine's stages for the newest moment. Without bodies there is only the simulator. */
  pipeline: {
    /** Name of the stage. */
    name: PipelineStage;
    /** Duration, ms. */
    ms: number;
  }[];
  /** Number of people with each [level of detail](levels.md); `null` while no client draws bodies. */
  levels: LevelCounts | null;
  /** Limits set by the request `efforts`; `null` if there are none. */
  efforts: EffortLimits | null;
}

/** People who sway, get stuck or spin ([scoring](scoring.md#patterns)). Sent at most twice per second, while there is news. */
export type PatternsEvent = {
  event: "patterns";
  /** Number of all patterns found. */
  counts: Record<PatternName, number>;
  /** Patterns by start time, at most 1,000: of more, the longest of a recording, and the newest of a simulation. */
  list: FoundPattern[];
} & (
  /** The search was switched off by a client. */
  | { progress: "off" }
  /** The simulation is watched, in the states that the scene would record. */
  | { progress: "watching" }
  /** The simulation has too many people to be watched unless a client asks for it. */
  | { progress: "crowded"; most: number }
  /** The recording is being searched. */
  | { progress: "searching"; part: number }
  /** The whole recording was searched. */
  | { progress: "done" }
  /** The search has failed. */
  | { progress: "failed"; why: string }
);

/** Message for the author. */
export interface NoticeEvent {
  event: "notice";
  level: NoticeLevel;
  /** The message. */
  text: string;
}

export type ServerEvent = HelloEvent | SceneEvent | StateEvent | PatternsEvent | NoticeEvent;

/** Keys of each request. */
export interface Requests {
  /** Begins the conversation: the first request of a client. */
  hello: {
    /** Version of the protocol. */
    protocol: number;
    /** Frames per second, 1 to 60. */
    rate?: number;
  };
  /** Sets how many frames the client is sent. */
  rate: {
    /** Frames per second, 1 to 60. */
    rate: number;
  };
  /** Lets time pass. */
  play: Record<string, never>;
  /** Stops time. */
  pause: Record<string, never>;
  /** Makes steps and pauses. */
  step: {
    /** Number of steps, 1 to 1000; of a recording, of frames, negative to go back. */
    count?: number;
  };
  /** Sets how fast time passes. */
  speed: {
    /** Simulated seconds per second, 0.05 to 16; of a recording also negative. */
    factor: number;
  };
  /** Begins the scene anew, as it is now edited. */
  restart: Record<string, never>;
  /** Goes to a time of a recording. */
  seek: {
    /** Time, s. */
    time: number;
  };
  /** Edits the document. */
  edit: {
    /** Name of the edit in the list of what can be undone. */
    label: string;
    /** Changes, made together or not at all. */
    changes: Change[];
    /** Consecutive edits with the same text are undone together. */
    join?: string | null;
  };
  /** Replaces the whole scene by another text, as an edit that can be undone. If it is no scene, nothing changes. */
  replace: {
    /** Name of the edit in the list of what can be undone. */
    label: string;
    /** TOML. Files that it names are in the folder of the scene or below. */
    text: string;
  };
  /** Undoes the last edit. */
  undo: Record<string, never>;
  /** Repeats the edit that was undone last. */
  redo: Record<string, never>;
  /** Returns the scene as TOML. */
  text: Record<string, never>;
  /** Writes the scene to its file. */
  save: Record<string, never>;
  /** Writes the scene to another file of the same folder, which is then its file. */
  save_as: {
    /** Name of the file. */
    name: string;
    /** Whether an existing file is replaced. */
    overwrite?: boolean;
  };
  /** Lists the files that can be opened. */
  files: Record<string, never>;
  /** Opens a scene or a recording. */
  open: {
    /** Name of a file that `files` lists. */
    name: string;
  };
  /** Begins an empty scene. */
  new: {
    /** Name of the file to save it under. */
    name: string;
  };
  /** Removes people. */
  remove: {
    /** Ids. */
    people: number[];
  };
  /** Moves people to another group: its colour, steering and goals. */
  regroup: {
    /** Ids. */
    people: number[];
    /** Name of the group. */
    group: string;
  };
  /** Gives people goals of their own. */
  direct: {
    /** Ids. */
    people: number[];
    /** Goals, [as in scenes](scene-format.md). */
    goals: Json[];
    /** What they do after the last goal, as in scenes. */
    then?: string;
  };
  /** Makes the present the start of the scene: the document lists all people where they are. */
  start_here: Record<string, never>;
  /** Lists the steering models and their parameters. */
  models: Record<string, never>;
  /** Sets the client's view of the crowd and how many bodies it can draw; see below. */
  bodies: {
    /** Position of the camera, x, y and height, m: within 1,000 km of the origin. */
    eye: [number, number, number];
    /** Direction of the camera, x, y and up: not zero. */
    look: [number, number, number];
    /** Vertical field of view, 1 to 170 degrees. */
    field?: number;
    /** Width of the picture over its height, 0.05 to 20. */
    aspect?: number;
    /** Height of the picture, 1 to 100,000 pixels. */
    pixels?: number;
    /** Number of bodies of their own that it can draw, at most 400; 0 for no bodies at all. */
    most?: number;
    /** Number of posed bodies that it can draw, at most 4000. */
    posed?: number;
    /** Whether people take notice of the camera. */
    noticed?: boolean;
  };
  /** Limits the effort of the simulation, for all clients; without any key there is no limit. */
  efforts: {
    /** Number of people who are simulated in full. */
    full?: number | null;
    /** Number of the others who are simulated simply; the rest only follow their paths. */
    simple?: number | null;
    /** Duration of a step, 0.1 to 1000 ms. */
    ms?: number | null;
  };
  /** Returns how far feet have slipped while they stood. */
  skating: Record<string, never>;
  /** Switches the search for [patterns](#patterns) on, for a crowd of any size, or off. */
  patterns: {
    /** Whether patterns are searched for. */
    on: boolean;
  };
  /** Returns all that is known of a person. */
  inspect: {
    /** Id. */
    person: number;
  };
  /** Returns streamlines of the fields of a group, or of one field. */
  streamlines: {
    /** Name of the group. */
    group?: string | null;
    /** Name of the field. */
    field?: string | null;
    /** Index of the floor. */
    layer?: number;
    /** Number of lines, at most 2000. */
    count?: number;
  };
  /** Returns the corridor map of a floor. */
  ways: {
    /** Index of the floor. */
    layer?: number;
  };
  /** Begins a recording beside the scene file, or ends it. */
  record: {
    /** Whether to record. */
    on: boolean;
  };
}

/** Reply to each request. */
export interface Replies {
  hello: HelloReply;
  rate: RateReply;
  play: TimeReply;
  pause: TimeReply;
  step: TimeReply;
  speed: TimeReply;
  restart: TimeReply;
  seek: TimeReply;
  edit: EditReply;
  replace: EditReply;
  undo: HistoryReply;
  redo: HistoryReply;
  text: TextReply;
  save: FileReply;
  save_as: FileReply;
  files: Files;
  open: TimeReply;
  new: TimeReply;
  remove: PeopleReply;
  regroup: PeopleReply;
  direct: PeopleReply;
  start_here: EditReply;
  models: SteeringModel[];
  bodies: BodiesReply;
  efforts: EffortsReply;
  skating: Skating;
  patterns: PatternsReply;
  inspect: Inspection | null;
  streamlines: Streamlines;
  ways: Ways;
  record: RecordReply;
}

/** First byte of a binary message. */
export const BINARY_KIND = {
  /** Frame: all people at one moment. From the server. */
  frame: 1,
  /** Acknowledgement of a frame, the only byte of the message. From the client. */
  frameSeen: 2,
  /** Poses of the bodies at one or several moments. From the server. */
  poses: 3,
  /** Acknowledgement of poses, the only byte of the message. From the client. */
  posesSeen: 4,
  /** Cast: the looks of people and animals. From the server. */
  cast: 5,
  /** Roles: the look of each person. From the server. */
  roles: 6,
} as const;

/** Flag of a frame. */
export const FRAME_FLAG = {
  /** Positions have three bytes instead of two. */
  widePositions: 1,
  /** There are heights. */
  heights: 2,
  /** There are floors. */
  layers: 4,
  /** There are groups; they are not part of states. */
  wideGroups: 8,
  /** There are levels of detail. */
  levels: 16,
} as const;

/** Columns of a frame after the ids, in their order: the flag without which there is none, and the bytes for a person, also with wide positions. */
export const FRAME_COLUMNS = [
  { name: "x", flag: 0, bytes: 2, wideBytes: 3 },
  { name: "y", flag: 0, bytes: 2, wideBytes: 3 },
  { name: "headings", flag: 0, bytes: 1, wideBytes: 1 },
  { name: "states", flag: 0, bytes: 1, wideBytes: 1 },
  { name: "groups", flag: 8, bytes: 2, wideBytes: 2 },
  { name: "heights", flag: 2, bytes: 2, wideBytes: 2 },
  { name: "layers", flag: 4, bytes: 1, wideBytes: 1 },
  { name: "levels", flag: 16, bytes: 1, wideBytes: 1 },
  { name: "phases", flag: 16, bytes: 1, wideBytes: 1 },
  { name: "yaws", flag: 16, bytes: 1, wideBytes: 1 },
] as const;

/** Offsets in bytes. Header of a frame. */
export const FRAME_HEADER = {
  /** u8: 1: a frame. */
  kind: 0,
  /** u8: Flags. */
  flags: 1,
  /** u16: Number that changes when the simulation begins anew, and ids mean other people. */
  epoch: 2,
  /** u32: Revision of the scene. */
  revision: 4,
  /** u32: Number of the step; of a recording, of the frame. */
  step: 8,
  /** f64: Simulated time, s. */
  time: 12,
  /** u32: Number of people, n. */
  count: 20,
  /** 2 × f32: Origin of positions, x and y, m. */
  origin: 24,
  /** f32: Quantum of positions, m. */
  quantum: 32,
  /** f32: Smallest height, m. */
  lowest: 36,
  /** f32: Quantum of heights, m. */
  heightQuantum: 40,
  size: 44,
} as const;

/** Offsets in bytes. Header of a cast. */
export const CAST_HEADER = {
  /** u8: 5: a cast. */
  kind: 0,
  /** u8: Number of looks. */
  looks: 1,
  /** u8: Number of meshes of a look, finest first. */
  meshes: 2,
  /** u8: Number of poses of a take, f. */
  frames: 3,
  size: 4,
} as const;

/** Offsets in bytes. Joint of a skeleton, after its name. */
export const JOINT_RECORD = {
  /** u8: Index of the parent, which comes before it; 255 for the root. */
  parent: 0,
  /** 3 × f32: Position in the parent's space, m. */
  translation: 1,
  /** 4 × f32: Rotation in the parent's space at rest: x, y, z, w. */
  rotation: 13,
  size: 29,
} as const;

/** Offsets in bytes. Size of a mesh. */
export const MESH_HEADER = {
  /** u16: Number of vertices, v. */
  vertices: 0,
  /** u16: Number of triangles, t. */
  triangles: 2,
  size: 4,
} as const;

/** Offsets in bytes. Vertex of a mesh. */
export const VERTEX_RECORD = {
  /** 3 × i16: Position in body space, 0.1 mm. */
  position: 0,
  /** 3 × i8: Normal, 127ths. */
  normal: 6,
  /** u8: Region of the body. */
  region: 9,
  /** 4 × u8: Joints. */
  joints: 10,
  /** 4 × u8: Their weights, 255ths. */
  weights: 14,
  size: 18,
} as const;

/** Offsets in bytes. Header of roles. */
export const ROLES_HEADER = {
  /** u8: 6: roles. */
  kind: 0,
  /** u8: 1 if all earlier roles are to be forgotten, else 0. */
  anew: 1,
  /** u16: Epoch, as in frames. */
  epoch: 2,
  /** u32: Number of people, n. */
  count: 4,
  size: 8,
} as const;

/** Offsets in bytes. Role of a person. */
export const ROLE_RECORD = {
  /** u8: Index of the look in the cast. */
  look: 0,
  /** u16: Scale of the look: 0.5 + value / 65535. */
  scale: 1,
  /** 10 × 3 × u8: Colour of each region, sRGB. */
  colours: 3,
  size: 33,
} as const;

/** Offsets in bytes. Header of poses. */
export const POSES_HEADER = {
  /** u8: 3: poses. */
  kind: 0,
  /** u8: 0. */
  flags: 1,
  /** u16: Epoch, as in frames. */
  epoch: 2,
  /** u32: Number of people, n. */
  count: 4,
  /** u16: Number of moments, m. */
  moments: 8,
  size: 10,
} as const;

/** Offsets in bytes. Placement of a body, before its pose. */
export const PLACEMENT_RECORD = {
  /** 3 × f32: x, y and height of body space, m. */
  position: 0,
  /** u16: Yaw about the upright axis, 2π/65536 rad; 0 faces −y of the ground. */
  yaw: 12,
  size: 14,
} as const;

/** Number of the lowest bits of a state that are the status. */
export const STATUS_BITS = 3;

/** Number of the lowest bits of a level that are the level of detail. */
export const LEVEL_BITS = 2;

/** Number of the next bits of a level that are the head. */
export const HEAD_BITS = 2;

/** Unit of lengths in body space, m. */
export const BODY_QUANTUM = 0.0001;

/** Parent of the root joint. */
export const NO_PARENT = 255;

/** Smallest scale of a look; the largest is 1 more. */
export const SMALLEST_SCALE = 0.5;

/** Number of steps of a component of a rotation, from -1/√2 to 1/√2. Even, so that 0 is one of them. */
export const ROTATION_STEPS = 32766;

/** Numbers and states in words, the same everywhere on the page. */
import { TRAITS, type Foot, type Inspection, type LooksAt, type Status, type Trait, type Underfoot } from "../protocol.ts";

/** Feet that miss their place by less than this, m, are where they should be for all that can be seen. */
const MISSED = 0.005;
/** Knees are bent a little by any slope: what is less than this part of the height goes without saying. */
const LOWERED = 0.05;

/** What people do, in words. */
const STATUS_WORDS: Record<Status, string> = {
  walking: "walking",
  arrived: "arrived",
  waiting: "waiting",
  blocked: "blocked",
  no_path: "no path",
  queueing: "queueing",
  fallen: "fallen",
  panicking: "panicking",
};

/** Faster than this, m/s, somebody walks. */
export const WALKS = 0.25;

/** What somebody does who is this fast. Blocked is who gets no nearer to the goal, which people who walk aside or back do not either. */
export const statusInWords = (status: Status, speed: number): string => (status === "blocked" && speed > WALKS ? "walking, but gets no nearer" : STATUS_WORDS[status]);

/** `1:05.3` for 65.3 s. */
export function clock(seconds: number, digits = 1): string {
  const sign = seconds < 0 ? "−" : "";
  const tenths = Math.round(Math.abs(seconds) * 10 ** digits);
  const whole = Math.floor(tenths / 10 ** digits);
  const fraction = digits > 0 ? `.${String(tenths % 10 ** digits).padStart(digits, "0")}` : "";
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0
    ? `${sign}${hours}:${String(minutes).padStart(2, "0")}:${rest}${fraction}`
    : `${sign}${minutes}:${rest}${fraction}`;
}

export const metres = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} m`;
export const metresPerSecond = (value: number): string => `${value.toFixed(2)} m/s`;

/** `12,345`. */
export const count = (value: number): string => Math.round(value).toLocaleString("en-GB");

export function people(n: number): string {
  return n === 1 ? "1 person" : `${count(n)} people`;
}

/** `×0.5`, `×2`, `−×1` for backwards. */
export function speedFactor(factor: number): string {
  return `${factor < 0 ? "−" : ""}×${String(Math.abs(factor))}`;
}

export function millimetres(metres: number | null): string {
  if (metres === null) return "–";
  const value = metres * 1000;
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} mm`;
}

/** Which feet somebody stands on, who has so many of them. */
export function stanceInWords(stance: Foot[], feet: number): string {
  if (stance.length === 0) return "in the air";
  if (stance.length === feet) return feet === 2 ? "both feet" : "all four feet";
  const [last, ...others] = [...stance].reverse();
  return others.length === 0 ? `${last} foot` : `${others.reverse().join(", ")} and ${last} feet`;
}

/** What somebody is called who has little of a trait, and who has much. */
export const TEMPERS: Record<Trait, [string, string]> = {
  openness: ["set", "open"],
  conscientiousness: ["careless", "orderly"],
  extraversion: ["withdrawn", "outgoing"],
  agreeableness: ["selfish", "considerate"],
  neuroticism: ["calm", "anxious"],
};

/** What somebody is like, the strongest trait first. */
export function traitsInWords(traits: Record<Trait, number> | null): string {
  if (!traits) return "";
  const felt = TRAITS.filter((trait) => traits[trait] !== 0).sort((a, b) => Math.abs(traits[b]) - Math.abs(traits[a]));
  if (felt.length === 0) return "neutral";
  return felt.map((trait) => `${TEMPERS[trait][traits[trait] > 0 ? 1 : 0]} ${Math.abs(traits[trait]).toFixed(2)}`).join(", ");
}

/** Whom somebody walks with, and for whom they wait; nothing for those who walk alone. */
export function companionsInWords({ companions, waits_for }: Pick<Inspection, "companions" | "waits_for">): string {
  if (companions.length === 0) return "";
  const names = companions.map(({ id }) => (id === waits_for ? `${id} (waits for them)` : `${id}`));
  return `${names.length === 1 ? "person" : "people"} ${names.join(", ")}`;
}

/** What somebody looks at, in a few words. */
export function gazeInWords(look: LooksAt | null): string {
  if (!look) return "ahead";
  const what = targetInWords(look);
  return look.phase === "shift" ? `turns to ${what}` : what;
}

function targetInWords(look: LooksAt): string {
  switch (look.kind) {
    case "place":
      return `“${look.name ?? "something"}”`;
    case "person":
      return `person ${look.id}`;
    case "viewer":
      return "who watches";
    case "viewer_gaze":
      return "what a viewer looks at";
    case "scripted":
      return "what they are told to";
  }
}

/** What is odd about the ground under the feet of somebody who is so tall; nothing if it is as ground should be. */
export function groundInWords(ground: Underfoot, height: number): string {
  const words: string[] = [];
  if (ground.unsupported) words.push("none below a foot");
  else if (ground.hole) words.push("ends within a step");
  if (ground.steep) words.push("steeper than one could walk");
  if (ground.unreached > MISSED) words.push(`a foot is ${millimetres(ground.unreached)} from where it should be`);
  if (ground.lowered > LOWERED * height) words.push(`the body is ${millimetres(ground.lowered)} lower so that legs reach`);
  return words.join("; ");
}
